// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>
#include <string_view>
#include <utility>

#include "base/deadline.hpp"

#include "sinew/result.hpp"

namespace sinew {

/// What ends the work inside of a call at Limits::work; base/guard.hpp makes the error of it. A std::bad_alloc for the reason of
/// Interrupted.
class WorkExceeded : public std::bad_alloc {
 public:
  /// `what`: plural, a static text.
  WorkExceeded(const char* what, std::uint64_t most) noexcept : what_(what), most_(most) {}
  [[nodiscard]] const char* what() const noexcept override { return what_; }
  [[nodiscard]] std::uint64_t most() const { return most_; }

 private:
  const char* what_;
  std::uint64_t most_;
};

/// Counts the steps of loops over products of counts from a file, where they happen; also on several threads.
class WorkMeter {
 public:
  /// `most`: Limits::work of the file. `place`: for the error of `allow`.
  explicit WorkMeter(std::uint64_t most, Place place = {}) : most_(most), place_(std::move(place)) {}

  /// Throws WorkExceeded if all steps together are more than allowed. Asks the deadline. `what`: plural, a static text. Not for core, which
  /// also works without exceptions.
  void add(std::uint64_t steps, const char* what) {
    ask_deadline();
    if (!fits(steps)) exceeded(what);
  }
  /// The same as a result, for core and for loops on several threads. Does not ask the deadline.
  [[nodiscard]] Result<> allow(std::uint64_t steps, std::string_view what);

 private:
  [[noreturn]] void exceeded(const char* what) const;
  [[nodiscard]] bool fits(std::uint64_t steps) {
    const std::uint64_t before = done_.fetch_add(std::min(steps, most_), std::memory_order_relaxed);
    return before <= most_ && steps <= most_ - before;
  }

  std::uint64_t most_;
  Place place_;
  std::atomic<std::uint64_t> done_ = 0;
};

}  // namespace sinew

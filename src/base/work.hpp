// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <new>

#include "base/deadline.hpp"

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

/// Counts the steps of loops over products of counts from a file, where they happen.
class WorkCount {
 public:
  explicit WorkCount(std::uint64_t most) : most_(most) {}
  /// Throws WorkExceeded if all steps together are more than allowed. Asks the deadline.
  void add(std::uint64_t steps, const char* what) {
    ask_deadline();
    if (steps > most_ - done_) throw WorkExceeded(what, most_);
    done_ += steps;
  }

 private:
  std::uint64_t most_;
  std::uint64_t done_ = 0;
};

}  // namespace sinew

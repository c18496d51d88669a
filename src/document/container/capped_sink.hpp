// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

#include "base/catalogue.hpp"

#include "sinew/result.hpp"

namespace sinew::document {

/// Forwards a limited number of findings (Limits::findings) and counts the rest in a last finding, so that a hostile file cannot turn each
/// of its bytes, or long names, into many messages.
class CappedSink final : public FindingSink {
 public:
  explicit CappedSink(FindingSink& sink, std::uint64_t most = Limits{}.findings) : sink_(sink), most_(most) {}
  CappedSink(const CappedSink&) = delete;
  CappedSink& operator=(const CappedSink&) = delete;
  ~CappedSink() override {
    if (dropped_ > 0) sink_.add(finding("SINEW_FINDINGS_DROPPED"_code, "", dropped_));
  }

  void add(Finding found) override {
    if (full()) return drop();
    ++passed_;
    bytes_ += found.pointer.size() + found.message.size();
    sink_.add(std::move(found));
  }
  /// Returns whether further findings are only counted, so that callers need not create them.
  [[nodiscard]] bool full() const { return passed_ >= most_ || bytes_ / usual_bytes >= most_; }
  void drop() { ++dropped_; }

 private:
  static constexpr std::uint64_t usual_bytes = 256;  // more than the texts of a usual finding
  FindingSink& sink_;
  std::uint64_t most_;
  std::uint64_t bytes_ = 0;
  std::uint64_t passed_ = 0;
  std::uint64_t dropped_ = 0;
};

/// A sink that is always full, for objects whose findings another pass reports.
class Silence {
 public:
  [[nodiscard]] CappedSink& sink() { return sink_; }

 private:
  struct Nowhere final : FindingSink {
    void add(Finding) override {}
  } nowhere_;
  CappedSink sink_{nowhere_, 0};
};

}  // namespace sinew::document

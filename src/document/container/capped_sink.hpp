// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

#include "base/catalogue.hpp"

#include "sinew/result.hpp"

namespace sinew::document {

/// Passes on so many findings (Limits::findings) and counts the rest, so that a hostile file cannot turn each of its bytes into a message,
/// nor a few long names into many long ones. The count becomes a last finding.
class CappedSink final : public FindingSink {
 public:
  explicit CappedSink(FindingSink& sink, std::uint64_t most = Limits{}.findings) : sink_(sink), most_(most) {}
  CappedSink(const CappedSink&) = delete;
  CappedSink& operator=(const CappedSink&) = delete;
  ~CappedSink() override {
    if (dropped_ > 0) sink_.add(finding<"SINEW_FINDINGS_DROPPED"_code>("", dropped_));
  }

  void add(Finding found) override {
    if (full()) return drop();
    ++passed_;
    bytes_ += found.pointer.size() + found.message.size();
    sink_.add(std::move(found));
  }
  /// Whether further findings would only be counted: they need not be made.
  [[nodiscard]] bool full() const { return passed_ >= most_ || bytes_ / usual_bytes >= most_; }
  void drop() { ++dropped_; }

 private:
  static constexpr std::uint64_t usual_bytes = 256;  // of a finding's texts, with room
  FindingSink& sink_;
  std::uint64_t most_;
  std::uint64_t bytes_ = 0;
  std::uint64_t passed_ = 0;
  std::uint64_t dropped_ = 0;
};

/// A sink that is full from the start: for objects whose findings another pass reports.
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

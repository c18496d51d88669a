// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

#include "base/catalogue.hpp"

#include "sinew/finding.hpp"

namespace sinew::document {

/// Passes on so many findings and counts the rest, so that a hostile file cannot turn each of its bytes into a message. The count becomes
/// a last finding.
class CappedSink final : public FindingSink {
 public:
  explicit CappedSink(FindingSink& sink) : sink_(sink) {}
  CappedSink(const CappedSink&) = delete;
  CappedSink& operator=(const CappedSink&) = delete;
  ~CappedSink() override {
    if (dropped_ > 0) sink_.add(finding<"SINEW_FINDINGS_DROPPED"_code>("", dropped_));
  }

  void add(Finding found) override {
    if (full()) return drop();
    ++passed_;
    sink_.add(std::move(found));
  }
  /// Whether further findings would only be counted: they need not be made.
  [[nodiscard]] bool full() const { return passed_ >= most; }
  void drop() { ++dropped_; }

 private:
  static constexpr std::uint64_t most = 10000;
  FindingSink& sink_;
  std::uint64_t passed_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace sinew::document

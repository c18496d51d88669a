// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "sinew/convert.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Forwards losses and remembers whether there were any. Hints are changes without a loss.
class LossWatch final : public FindingSink {
 public:
  LossWatch(FindingSink& sink, OnLoss on_loss) : sink_(sink), on_loss_(on_loss) {}
  void add(Finding loss) override {
    lost_ |= loss.severity != Severity::hint;
    sink_.add(std::move(loss));
  }
  /// Returns whether no file may be written.
  [[nodiscard]] bool refuses() const { return lost_ && on_loss_ == OnLoss::refuse; }

 private:
  FindingSink& sink_;
  OnLoss on_loss_;
  bool lost_ = false;
};

}  // namespace sinew::operations

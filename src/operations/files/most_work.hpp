// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <string_view>

#include "base/catalogue.hpp"
#include "base/message.hpp"
#include "model/place.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Returns how many steps one operation may take for a model (Limits::work); a model that was made in memory has no limit.
[[nodiscard]] inline std::uint64_t most_work(const Model& model) {
  return model.source ? model.source->most_work() : std::numeric_limits<std::uint64_t>::max();
}

/// Counts the steps of one operation, also on several threads.
class WorkMeter {
 public:
  explicit WorkMeter(const Model& model) : model_(model), most_(most_work(model)) {}

  /// Fails if all steps together are more than allowed. `what`: plural, for the message.
  [[nodiscard]] Result<> add(std::uint64_t steps, std::string_view what) {
    if (done_.fetch_add(steps, std::memory_order_relaxed) + steps <= most_) return {};
    return Unexpected(error("SINEW_WORK_LIMIT"_code, Failure::limit, place_of(model_), what, format_text("over {}", most_), most_));
  }

 private:
  const Model& model_;
  std::uint64_t most_;
  std::atomic<std::uint64_t> done_ = 0;
};

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/deadline.hpp"

#include "sinew/result.hpp"

namespace sinew {

/// Computes a + b and a · b for sizes from files; returns nothing on overflow.
[[nodiscard]] constexpr std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b) {
  if (b > std::numeric_limits<std::uint64_t>::max() - a) return std::nullopt;
  return a + b;
}
[[nodiscard]] constexpr std::optional<std::uint64_t> checked_mul(std::uint64_t a, std::uint64_t b) {
  if (a != 0 && b > std::numeric_limits<std::uint64_t>::max() / a) return std::nullopt;
  return a * b;
}

/// Returns the allowed decoded size of `stored` compressed bytes (Limits::expansion).
[[nodiscard]] constexpr std::uint64_t most_decoded(std::uint64_t stored, const Limits& limits) {
  constexpr std::uint64_t always = 64 << 20;
  const auto product = checked_mul(stored, limits.expansion);
  return product ? std::max(*product, always) : std::numeric_limits<std::uint64_t>::max();
}

/// Returns the allowed steps of loops over products of counts for a file of `bytes` (Limits::work).
[[nodiscard]] constexpr std::uint64_t most_work(std::uint64_t bytes, const Limits& limits) {
  constexpr std::uint64_t bytes_per_work = 5'000'000;
  const auto more = checked_mul(limits.work / bytes_per_work + 1, bytes);
  const auto all = more ? checked_add(*more, limits.work) : std::nullopt;
  return all.value_or(std::numeric_limits<std::uint64_t>::max());
}

/// The remaining allowance of one load for decoded data (Limits::memory).
class Budget {
 public:
  explicit Budget(std::uint64_t bytes) : total_(bytes), left_(bytes) {}
  /// Reserves `count` items of `size` bytes; returns false if they do not fit. Asks the deadline.
  [[nodiscard]] bool take(std::uint64_t count, std::uint64_t size) {
    ask_deadline();
    const auto bytes = checked_mul(count, size);
    if (!bytes || *bytes > left_) return false;
    left_ -= *bytes;
    return true;
  }
  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] std::uint64_t left() const { return left_; }

 private:
  std::uint64_t total_;
  std::uint64_t left_;
};

}  // namespace sinew

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace sinew {

/// a + b and a · b for sizes from files: nothing on overflow. Chains: mul(count, size).and_then(...) is spelled out where it is used.
[[nodiscard]] constexpr std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b) {
  if (b > std::numeric_limits<std::uint64_t>::max() - a) return std::nullopt;
  return a + b;
}
[[nodiscard]] constexpr std::optional<std::uint64_t> checked_mul(std::uint64_t a, std::uint64_t b) {
  if (a != 0 && b > std::numeric_limits<std::uint64_t>::max() / a) return std::nullopt;
  return a * b;
}

/// What one load may still allocate for decoded data (Limits::memory).
class Budget {
 public:
  explicit Budget(std::uint64_t bytes) : total_(bytes), left_(bytes) {}
  /// Whether `count` things of `size` bytes fit; takes them if so.
  [[nodiscard]] bool take(std::uint64_t count, std::uint64_t size) {
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

// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/work.hpp"

#include "sinew/geometry.hpp"

namespace sinew {

/// Identifies stored values: arrays with equal keys have equal values.
struct ArrayKey {
  explicit ArrayKey(const Array& array)
      : data(array.data()),
        size(array.size()),
        width(array.width()),
        stride(array.stride()),
        type(array.type()),
        normalized(array.normalized()) {}
  std::strong_ordering operator<=>(const ArrayKey&) const = default;

  const void* data;
  std::size_t size, width, stride;
  ComponentType type;
  bool normalized;
};

/// What scans of arrays found. Arrays that many objects name are scanned once, and each scan counts as work. The arrays must stay alive.
template <class Found>
class ScanMemo {
 public:
  explicit ScanMemo(WorkMeter& work) : work_(work) {}

  /// Returns what `scan()` finds in the arrays; only the first call for these arrays and this rule makes it.
  template <class Scan>
  const Found& of(std::vector<ArrayKey> arrays, std::uint64_t rule, const Scan& scan) {
    const std::pair<std::uint64_t, std::vector<ArrayKey>> key(rule, std::move(arrays));
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    for (const ArrayKey& array : key.second) work_.add(array.size * array.width, "the checked values");
    return known_.emplace(key, scan()).first->second;
  }
  template <class Scan>
  const Found& of(const Array& array, std::uint64_t rule, const Scan& scan) {
    return of(std::vector{ArrayKey(array)}, rule, scan);
  }

 private:
  WorkMeter& work_;
  std::map<std::pair<std::uint64_t, std::vector<ArrayKey>>, Found> known_;
};

}  // namespace sinew

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "sinew/model.hpp"

namespace sinew {

/// Returns whether two arrays are the same rows of the same bytes.
[[nodiscard]] inline bool same(const Array& a, const Array& b) {
  return a.data() == b.data() && a.size() == b.size() && a.width() == b.width() && a.stride() == b.stride() && a.type() == b.type() &&
         a.normalized() == b.normalized();
}

[[nodiscard]] inline bool same(const Offsets& a, const Offsets& b) {
  return a.shape == b.shape && a.sparse() == b.sparse() && same(a.indices, b.indices) && same(a.values, b.values);
}

/// Returns whether two attributes have the same meaning and values; ignores offsets.
[[nodiscard]] inline bool same_values(const Attribute& a, const Attribute& b) {
  return a.semantic == b.semantic && a.set == b.set && a.custom == b.custom && same(a.values, b.values) && same(a.index, b.index);
}

[[nodiscard]] inline bool same(const Attribute& a, const Attribute& b) {
  return same_values(a, b) && std::ranges::equal(a.offsets, b.offsets, [](const Offsets& x, const Offsets& y) { return same(x, y); });
}

[[nodiscard]] inline bool same(const Influences::Set& a, const Influences::Set& b) {
  return same(a.joints, b.joints) && same(a.weights, b.weights);
}

[[nodiscard]] inline bool same(const Track& a, const Track& b) {
  return a.node == b.node && a.path == b.path && a.interpolation == b.interpolation && a.quaternions == b.quaternions &&
         same(a.times, b.times) && same(a.values, b.values);
}

/// Returns whether all pairs of two lists are equal.
template <class T>
[[nodiscard]] bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& x, const T& y) { return same(x, y); });
}

[[nodiscard]] inline bool same(const Influences& a, const Influences& b) {
  return same(a.sets, b.sets) && a.first == b.first && same(a.slots, b.slots) && same(a.weights, b.weights);
}

[[nodiscard]] inline bool same(const Clip& a, const Clip& b) { return a.name == b.name && same(a.tracks, b.tracks); }

/// Returns the entity with that index, or an empty one.
template <class T>
[[nodiscard]] const T& at_or_empty(const std::vector<T>& list, std::size_t index) {
  static const T empty;
  return index < list.size() ? list[index] : empty;
}

/// Returns the entity with that index, or nullptr.
template <class T>
[[nodiscard]] const T* find_at(const std::vector<T>& list, std::size_t index) {
  return index < list.size() ? &list[index] : nullptr;
}

}  // namespace sinew

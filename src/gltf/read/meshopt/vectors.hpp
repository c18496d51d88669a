// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

namespace sinew::gltf::meshopt {

/// 16 bytes as numbers that are calculated with at once. Compilers have instructions for them on any processor.
template <class T>
using Vector __attribute__((vector_size(16))) = T;

template <class T>
Vector<T> load(const void* from) {
  Vector<T> vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

}  // namespace sinew::gltf::meshopt

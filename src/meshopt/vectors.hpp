// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

namespace sinew::meshopt {

/// A vector of 16 bytes. The compiler chooses SIMD instructions for the target processor.
template <class T>
using Vector __attribute__((vector_size(16))) = T;

template <class T>
Vector<T> load(const void* from) {
  Vector<T> vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

}  // namespace sinew::meshopt

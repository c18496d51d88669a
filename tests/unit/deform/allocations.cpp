// SPDX-License-Identifier: MIT
#include "unit/deform/allocations.hpp"

#include <cstdlib>
#include <new>

namespace {
thread_local std::size_t count = 0;

void* counted(void* memory) {
  ++count;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
}  // namespace

std::size_t sinew::test::allocations() { return count; }

void* operator new(std::size_t size) { return counted(std::malloc(size == 0 ? 1 : size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
#ifdef _WIN32
  return counted(::_aligned_malloc(size, step));
#else
  return counted(std::aligned_alloc(step, (size + step - 1) / step * step));
#endif
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
#ifdef _WIN32
  ::_aligned_free(memory);
#else
  std::free(memory);
#endif
}
void operator delete(void* memory, std::size_t, std::align_val_t alignment) noexcept { operator delete(memory, alignment); }

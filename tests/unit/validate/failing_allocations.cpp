// SPDX-License-Identifier: MIT
#include "unit/validate/failing_allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local bool armed = false;
thread_local bool failed = false;
thread_local std::size_t left = 0;

void* allocated(std::size_t size, std::size_t alignment) {
  if (armed && left-- == 0) {
    armed = false;
    failed = true;
    throw std::bad_alloc();
  }
  size = size == 0 ? 1 : size;
  void* memory = alignment <= alignof(std::max_align_t) ? std::malloc(size)
                                                        : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void sinew::test::fail_allocation(std::size_t next) {
  left = next;
  failed = false;
  armed = true;
}

bool sinew::test::allocation_failed() {
  armed = false;
  return failed;
}

void* operator new(std::size_t size) { return allocated(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) { return allocated(size, static_cast<std::size_t>(alignment)); }
// Of the sanitizer's own set of these none may be left that hands out what the ones below free.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return allocated(size, 0);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t size) { return allocated(size, 0); }
void* operator new[](std::size_t size, const std::nothrow_t& nothrow) noexcept { return operator new(size, nothrow); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

// SPDX-License-Identifier: MIT
#include "trial.hpp"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>

namespace {

thread_local bool counting = false;
thread_local bool fail_all = false;
thread_local bool failed = false;
thread_local std::size_t first_to_fail = 0;
thread_local std::size_t counted = 0;
std::atomic<std::size_t> live = 0;

void* allocated(std::size_t size, std::size_t alignment) {
  if (counting) {
    const std::size_t number = counted++;
    if (number == first_to_fail || (fail_all && number > first_to_fail)) {
      failed = true;
      throw std::bad_alloc();
    }
  }
  size = size == 0 ? 1 : size;
  void* memory = alignment <= alignof(std::max_align_t) ? std::malloc(size)
                                                        : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  ++live;
  return memory;
}

void release(void* memory) {
  if (memory != nullptr) --live;
  std::free(memory);
}

}  // namespace

namespace sinew::memory {

void fail_from(std::size_t first, bool all) {
  first_to_fail = first;
  fail_all = all;
  counted = 0;
  failed = false;
  counting = true;
}

Counted stop_failing() {
  counting = false;
  return {counted, failed};
}

std::size_t live_blocks() { return live; }

void Trial::run(const std::function<void()>& call) {
  fail_from(first_, all_);
  try {
    call();
  } catch (const std::exception& thrown) {
    counted_ = stop_failing();
    wrong_ = std::string("an exception: ") + thrown.what();
  }
}

void Trial::judge(const Error& error) {
  gave_up_ = true;
  if (!counted_.failed || error.failure != Failure::limit || error.code != "SINEW_NO_MEMORY") wrong_ = error.line();
}

}  // namespace sinew::memory

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
void* operator new[](std::size_t size, std::align_val_t alignment) { return allocated(size, static_cast<std::size_t>(alignment)); }
void* operator new[](std::size_t size, const std::nothrow_t& nothrow) noexcept { return operator new(size, nothrow); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

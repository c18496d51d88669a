// SPDX-License-Identifier: MIT
#include "base/memory.hpp"

#include <exception>
#include <new>

#include "base/exceptions.hpp"

namespace sinew {

namespace {

constexpr std::size_t alignment = alignof(std::max_align_t);

/// Returns memory after a resource had none, or does not return.
void* memory_after_all([[maybe_unused]] MemoryResource& memory, [[maybe_unused]] std::size_t bytes) {
#ifndef SINEW_NO_EXCEPTIONS
  throw std::bad_alloc();
#else
  for (;;) {
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) std::terminate();
    handler();
    if (void* const block = memory.allocate(bytes, alignment)) return block;
  }
#endif
}

}  // namespace

void* allocate_from(MemoryResource* memory, std::size_t bytes) {
  if (memory == nullptr) return ::operator new(bytes);
  void* const block = memory->allocate(bytes, alignment);
  return block != nullptr ? block : memory_after_all(*memory, bytes);
}

void give_back(MemoryResource* memory, void* block, std::size_t bytes) noexcept {
  if (memory == nullptr)
    ::operator delete(block);
  else
    memory->deallocate(block, bytes, alignment);
}

}  // namespace sinew

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "sinew/array.hpp"
#include "sinew/memory.hpp"

// Memory for what outlives a call (sinew/memory.hpp).

namespace sinew {

/// Allocates from a resource; null: operator new.
[[nodiscard]] void* allocate_from(MemoryResource* memory, std::size_t bytes);
void give_back(MemoryResource* memory, void* block, std::size_t bytes) noexcept;

/// Does so for standard containers. A container that is moved or assigned takes the resource along, so that nothing is copied.
template <class T>
class ResourceAllocator {
  static_assert(alignof(T) <= alignof(std::max_align_t));

 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  ResourceAllocator() = default;
  explicit ResourceAllocator(MemoryResource* memory) : memory_(memory) {}
  template <class U>
  ResourceAllocator(const ResourceAllocator<U>& other) : memory_(other.memory()) {}

  [[nodiscard]] MemoryResource* memory() const { return memory_; }
  [[nodiscard]] T* allocate(std::size_t count) {
    constexpr std::size_t most = static_cast<std::size_t>(-1) / 2;  // more than there is
    return static_cast<T*>(allocate_from(memory_, count > most / sizeof(T) ? most : count * sizeof(T)));
  }
  void deallocate(T* block, std::size_t count) { give_back(memory_, block, count * sizeof(T)); }
  friend bool operator==(const ResourceAllocator& a, const ResourceAllocator& b) { return a.memory_ == b.memory_; }

 private:
  MemoryResource* memory_ = nullptr;
};

/// A list that `move_to` can move to a resource. It is made by operator new, because an arena would keep each step of its growth.
template <class T>
using List = std::vector<T, ResourceAllocator<T>>;

/// Moves lists to a resource, without spare room. Null: leaves them.
template <class... T>
void move_to(MemoryResource* memory, List<T>&... lists) {
  if (memory == nullptr) return;
  const auto move = [&]<class U>(List<U>& list) {
    if (list.capacity() != 0) list = List<U>(list.begin(), list.end(), ResourceAllocator<U>(memory));
  };
  (move(lists), ...);
}

/// Makes bytes for an owner, without clearing them.
[[nodiscard]] inline std::shared_ptr<std::byte[]> shared_bytes(MemoryResource* memory, std::size_t size) {
  return std::allocate_shared_for_overwrite<std::byte[]>(ResourceAllocator<std::byte>(memory), size);
}

/// Does what Array::own does, in memory of a resource.
template <class T>
[[nodiscard]] Array own_in(MemoryResource* memory, std::vector<T> values, std::size_t width) {
  if (memory == nullptr) return Array::own(std::move(values), width);
  std::shared_ptr<std::byte[]> bytes = shared_bytes(memory, values.size() * sizeof(T));
  const std::byte* const data = bytes.get();
  std::ranges::copy(std::as_bytes(std::span(values)), bytes.get());
  return Array::borrow(data, values.size() / width, width, width * sizeof(T), component_type_of<T>, false, std::move(bytes));
}

}  // namespace sinew

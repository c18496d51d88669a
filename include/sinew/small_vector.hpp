// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>

namespace sinew {

/// A short list of plain values that lives inside its object up to `Inline` of them, else on the heap.
/// What transforms are made of: 3D and 4D ones allocate nothing. A contiguous range: it turns into a std::span by itself.
template <class T, std::size_t Inline>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() = default;
  explicit SmallVector(std::size_t size, T value = T{}) { assign(size, value); }
  SmallVector(std::initializer_list<T> values) { assign(std::span<const T>(values.begin(), values.size())); }
  explicit SmallVector(std::span<const T> values) { assign(values); }
  SmallVector(const SmallVector& other) { assign(std::span<const T>(other)); }
  SmallVector(SmallVector&& other) noexcept { take(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) assign(std::span<const T>(other));
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  ~SmallVector() = default;

  void assign(std::span<const T> values) {
    resize_uninitialized(values.size());
    std::copy(values.begin(), values.end(), data());
  }
  void assign(std::size_t size, T value) {
    resize_uninitialized(size);
    std::fill_n(data(), size, value);
  }
  void clear() { size_ = 0; }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T* data() { return heap_ ? heap_.get() : inline_; }
  [[nodiscard]] const T* data() const { return heap_ ? heap_.get() : inline_; }
  T& operator[](std::size_t i) {
    assert(i < size_);
    return data()[i];
  }
  const T& operator[](std::size_t i) const {
    assert(i < size_);
    return data()[i];
  }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  friend bool operator==(const SmallVector& a, const SmallVector& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  void resize_uninitialized(std::size_t size) {
    if (size > capacity()) {
      heap_ = std::make_unique_for_overwrite<T[]>(size);
      heap_capacity_ = size;
    }
    size_ = size;
  }
  [[nodiscard]] std::size_t capacity() const { return heap_ ? heap_capacity_ : Inline; }
  void take(SmallVector& other) {
    heap_ = std::move(other.heap_);
    heap_capacity_ = other.heap_capacity_;
    size_ = other.size_;
    if (!heap_) std::copy_n(other.inline_, std::min(size_, Inline), inline_);  // min: what g++ cannot see and warns about
    other.size_ = 0;
  }

  std::size_t size_ = 0;
  std::size_t heap_capacity_ = 0;
  std::unique_ptr<T[]> heap_;
  T inline_[Inline] = {};
};

}  // namespace sinew

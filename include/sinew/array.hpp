// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

namespace sinew {

/// Allocates memory aligned to `Alignment` bytes for standard containers.
template <class T, std::size_t Alignment = 64>
struct AlignedAllocator {
  using value_type = T;
  template <class U>
  struct rebind {
    using other = AlignedAllocator<U, Alignment>;
  };

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U, Alignment>&) {}

  [[nodiscard]] T* allocate(std::size_t count) {
    constexpr std::size_t most = static_cast<std::size_t>(-1) / 2;  // more than there is
    return static_cast<T*>(::operator new(count > most / sizeof(T) ? most : count * sizeof(T), std::align_val_t{Alignment}));
  }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, std::align_val_t{Alignment}); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

/// A short list of plain values: up to `Inline` values are stored in the object, more on the heap. Transforms use it, so 3D and 4D
/// transforms allocate nothing. It is a contiguous range and converts to std::span.
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
    T* const to = data();
    for (std::size_t i = 0; i < size_; ++i) to[i] = values[i];
  }
  void assign(std::size_t size, T value) {
    resize_uninitialized(size);
    T* const to = data();
    for (std::size_t i = 0; i < size_; ++i) to[i] = value;
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
  friend bool operator==(const SmallVector& a, const SmallVector& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }

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
    if (!heap_)
      for (std::size_t i = 0; i < size_ && i < Inline; ++i) inline_[i] = other.inline_[i];  // < Inline: g++ warns without it
    other.size_ = 0;
  }

  std::size_t size_ = 0;
  std::size_t heap_capacity_ = 0;
  std::unique_ptr<T[]> heap_;
  T inline_[Inline] = {};
};

static_assert(std::endian::native == std::endian::little, "both formats are little endian and arrays are borrowed from files");

/// The component types of both formats, with exactly these bits (G4MF data part; glTF uses the first six and float32).
enum class ComponentType : std::uint8_t {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  int128,
  uint128,
  float8,
  float16,
  float32,
  float64,
  float128,
};

/// Bytes of one component.
[[nodiscard]] constexpr std::size_t byte_size(ComponentType type) {
  constexpr std::uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 1, 2, 4, 8, 16};
  return sizes[static_cast<std::size_t>(type)];
}
[[nodiscard]] constexpr bool is_float(ComponentType type) { return type >= ComponentType::float8; }

template <class T>
inline constexpr ComponentType component_type_of = [] {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, std::int8_t>)
    return ComponentType::int8;
  else if constexpr (std::is_same_v<U, std::uint8_t>)
    return ComponentType::uint8;
  else if constexpr (std::is_same_v<U, std::int16_t>)
    return ComponentType::int16;
  else if constexpr (std::is_same_v<U, std::uint16_t>)
    return ComponentType::uint16;
  else if constexpr (std::is_same_v<U, std::int32_t>)
    return ComponentType::int32;
  else if constexpr (std::is_same_v<U, std::uint32_t>)
    return ComponentType::uint32;
  else if constexpr (std::is_same_v<U, std::int64_t>)
    return ComponentType::int64;
  else if constexpr (std::is_same_v<U, std::uint64_t>)
    return ComponentType::uint64;
  else if constexpr (std::is_same_v<U, float>)
    return ComponentType::float32;
  else {
    static_assert(std::is_same_v<U, double>, "no component type");
    return ComponentType::float64;
  }
}();

/// `count` rows of `width` values of T; consecutive rows are `stride` bytes apart. Owns nothing; rows are aligned for T.
template <class T>
class strided_view {
 public:
  using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;

  constexpr strided_view() = default;
  strided_view(T* data, std::size_t count, std::size_t width, std::size_t stride)
      : data_(reinterpret_cast<Byte*>(data)), count_(count), width_(width), stride_(stride) {}
  /// Packed rows.
  strided_view(T* data, std::size_t count, std::size_t width) : strided_view(data, count, width, width * sizeof(T)) {}

  [[nodiscard]] T* operator[](std::size_t row) const {
    assert(row < count_);
    return reinterpret_cast<T*>(data_ + row * stride_);
  }
  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(data_); }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] bool packed() const { return stride_ == width_ * sizeof(T); }
  [[nodiscard]] strided_view rows(std::size_t first, std::size_t count) const {
    assert(first + count <= count_);
    return {reinterpret_cast<T*>(data_ + first * stride_), count, width_, stride_};
  }

 private:
  Byte* data_ = nullptr;
  std::size_t count_ = 0;
  std::size_t width_ = 0;
  std::size_t stride_ = 0;
};

/// An immutable typed array of rows, owned or borrowed from the bytes of a file. Copies share the bytes. Values are as stored: `read`
/// converts `normalized` integers to real numbers. Safe to use from several threads.
class Array {
 public:
  Array() = default;

  /// Borrows `count` rows. `owner` keeps the bytes alive; if it is null, the caller does. Precondition: the rows lie inside the bytes and
  /// are aligned to the component size.
  static Array borrow(const void* data, std::size_t count, std::size_t width, std::size_t stride, ComponentType type, bool normalized,
                      std::shared_ptr<const void> owner) noexcept;

  /// Takes ownership of packed values. Precondition: `values.size()` is a multiple of `width`.
  template <class T>
  static Array own(std::vector<T> values, std::size_t width, bool normalized = false) {
    assert(width != 0 && values.size() % width == 0);
    auto held = std::make_shared<const std::vector<T>>(std::move(values));
    const T* data = held->data();
    const std::size_t rows = held->size() / width;  // before `held` is moved: the order in which arguments are evaluated is unspecified
    return borrow(data, rows, width, width * sizeof(T), component_type_of<T>, normalized, std::move(held));
  }

  [[nodiscard]] std::size_t size() const { return count_; }   ///< rows
  [[nodiscard]] std::size_t width() const { return width_; }  ///< components of a row
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] ComponentType type() const { return type_; }
  [[nodiscard]] bool normalized() const { return normalized_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] const std::byte* data() const { return data_; }
  [[nodiscard]] const std::shared_ptr<const void>& owner() const { return owner_; }

  /// Returns whether the stored values are plain values of T (not normalised).
  template <class T>
  [[nodiscard]] bool holds() const {
    return type_ == component_type_of<T> && !normalized_;
  }

  /// Returns the stored values. Precondition: the component type is that of T (normalised or not).
  template <class T>
  [[nodiscard]] strided_view<const T> view() const {
    assert(count_ == 0 || type_ == component_type_of<T>);
    return {reinterpret_cast<const T*>(data_), count_, width_, stride_};
  }

  /// Converts the rows [first, first + count) and packs them into `out` (count · width values). T is float or double (normalised integers
  /// become [−1, 1] as in the accessors section of glTF) or std::uint32_t (integers as stored; negative and larger values become 2³²−1).
  template <class T>
  void read(std::size_t first, std::size_t count, T* out) const;

  /// Converts and packs all rows.
  template <class T>
  [[nodiscard]] std::vector<T> read() const {
    std::vector<T> all(count_ * width_);
    read(0, count_, all.data());
    return all;
  }

 private:
  const std::byte* data_ = nullptr;
  std::size_t count_ = 0;
  std::size_t width_ = 0;
  std::size_t stride_ = 0;
  ComponentType type_ = ComponentType::float32;
  bool normalized_ = false;
  std::shared_ptr<const void> owner_;
};

extern template void Array::read<float>(std::size_t, std::size_t, float*) const;
extern template void Array::read<double>(std::size_t, std::size_t, double*) const;
extern template void Array::read<std::uint32_t>(std::size_t, std::size_t, std::uint32_t*) const;

}  // namespace sinew

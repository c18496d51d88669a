// SPDX-License-Identifier: MIT
#include "sinew/array.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace sinew {

namespace {

// Reads one component of each type as a double. float128 keeps its top 52 mantissa bits, rounded half to even.
double from_float8(std::uint8_t bits) {
  const int exponent = (bits >> 3) & 15, mantissa = bits & 7;
  double value;
  if (exponent == 15)
    value = mantissa == 0 ? HUGE_VAL : std::nan("");
  else if (exponent == 0)
    value = std::ldexp(mantissa, -9);
  else
    value = std::ldexp(8 + mantissa, exponent - 10);
  return (bits & 0x80) != 0 ? -value : value;
}

double from_float16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  double value;
  if (exponent == 31)
    value = mantissa == 0 ? HUGE_VAL : std::nan("");
  else if (exponent == 0)
    value = std::ldexp(mantissa, -24);
  else
    value = std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

/// 128 bits, as they are stored.
struct Wide {
  std::uint64_t low, high;
};

/// Returns the 128 bits as a natural number. Rounds once, to the nearest.
template <class Out>
Out to_real(Wide bits) {
  if (bits.high == 0) return static_cast<Out>(bits.low);
  const int up = std::countl_zero(bits.high);
  std::uint64_t first = bits.high << up;
  if (up > 0) first |= bits.low >> (64 - up);
  if (bits.low << up != 0) first |= 1;  // below the digits that are kept: only whether there is a rest matters
  return static_cast<Out>(std::ldexp(static_cast<Out>(first), 64 - up));
}

template <class Out>
Out from_natural(Wide bits) {
  if constexpr (std::is_same_v<Out, std::uint32_t>)
    return bits.high == 0 && bits.low <= ~Out{0} ? static_cast<Out>(bits.low) : ~Out{0};
  else
    return to_real<Out>(bits);
}

template <class Out>
Out from_integer(Wide bits) {
  if (bits.high >> 63 == 0) return from_natural<Out>(bits);
  if constexpr (std::is_same_v<Out, std::uint32_t>)
    return ~Out{0};
  else
    return -to_real<Out>({~bits.low + 1, ~bits.high + (bits.low == 0)});
}

double from_float128(Wide bits) {
  const int exponent = static_cast<int>((bits.high >> 48) & 0x7FFF);
  const Wide mantissa{bits.low, bits.high & ((std::uint64_t{1} << 48) - 1)};
  double value;
  if (exponent == 0x7FFF)
    value = (mantissa.low | mantissa.high) == 0 ? HUGE_VAL : std::nan("");
  else if (exponent == 0)
    value = 0;  // every binary128 subnormal is below the smallest double
  else
    value = std::ldexp(to_real<double>({mantissa.low, std::uint64_t{1} << 48 | mantissa.high}),
                       std::clamp(exponent - 16383 - 112, -4000, 4000));
  return bits.high >> 63 != 0 ? -value : value;
}

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class Stored>
double unit_range(Stored stored) {
  if constexpr (std::is_integral_v<Stored> && sizeof(Stored) <= 2)
    return std::max(static_cast<double>(stored) / static_cast<double>(std::numeric_limits<Stored>::max()), -1.0);
  else
    return static_cast<double>(stored);  // wider integers cannot be normalised
}

template <class Out, class In>
Out convert(In value) {
  if constexpr (!std::is_same_v<Out, std::uint32_t>)
    return static_cast<Out>(value);
  else if constexpr (std::is_floating_point_v<In>)
    return value >= 0 && value < 4294967295.0 ? static_cast<Out>(value) : ~Out{0};
  else
    return std::in_range<Out>(value) ? static_cast<Out>(value) : ~Out{0};
}

// Loops over rows; `get` reads one component as a number. Packed rows are handled as one row.
template <class Out, class Get>
void copy_rows(const std::byte* data, std::size_t count, std::size_t width, std::size_t stride, std::size_t size, Out* out, Get get) {
  if (stride == width * size) width *= std::exchange(count, 1);
  for (std::size_t i = 0; i < count; ++i, data += stride)
    for (std::size_t c = 0; c < width; ++c) *out++ = get(data + c * size);
}

}  // namespace

Array Array::borrow(const void* data, std::size_t count, std::size_t width, std::size_t stride, ComponentType type, bool normalized,
                    std::shared_ptr<const void> owner) noexcept {
  Array array;
  array.data_ = static_cast<const std::byte*>(data);
  array.count_ = count;
  array.width_ = width;
  array.stride_ = stride;
  array.type_ = type;
  array.normalized_ = normalized;
  array.owner_ = std::move(owner);
  return array;
}

template <class T>
void Array::read(std::size_t first, std::size_t count, T* out) const {
  assert(first <= count_ && count <= count_ - first);
  if (count == 0) return;
  const std::byte* data = data_ + first * stride_;
  const std::size_t size = byte_size(type_);
  if (type_ == component_type_of<T> && stride_ == width_ * size) {
    std::memcpy(out, data, count * stride_);
    return;
  }
  const auto rows = [&](auto get) { copy_rows(data, count, width_, stride_, size, out, get); };
  const auto plain = [&]<class Stored>(Stored) {
    if constexpr (!std::is_same_v<T, std::uint32_t>)
      if (normalized_) return rows([](const std::byte* at) { return static_cast<T>(unit_range(load<Stored>(at))); });
    rows([](const std::byte* at) { return convert<T>(load<Stored>(at)); });
  };
  switch (type_) {
    case ComponentType::int8:
      return plain(std::int8_t{});
    case ComponentType::uint8:
      return plain(std::uint8_t{});
    case ComponentType::int16:
      return plain(std::int16_t{});
    case ComponentType::uint16:
      return plain(std::uint16_t{});
    case ComponentType::int32:
      return plain(std::int32_t{});
    case ComponentType::uint32:
      return plain(std::uint32_t{});
    case ComponentType::int64:
      return plain(std::int64_t{});
    case ComponentType::uint64:
      return plain(std::uint64_t{});
    case ComponentType::int128:
      return rows([](const std::byte* at) { return from_integer<T>(load<Wide>(at)); });
    case ComponentType::uint128:
      return rows([](const std::byte* at) { return from_natural<T>(load<Wide>(at)); });
    case ComponentType::float8:
      return rows([](const std::byte* at) { return convert<T>(from_float8(load<std::uint8_t>(at))); });
    case ComponentType::float16:
      return rows([](const std::byte* at) { return convert<T>(from_float16(load<std::uint16_t>(at))); });
    case ComponentType::float32:
      return plain(float{});
    case ComponentType::float64:
      return plain(double{});
    case ComponentType::float128:
      return rows([](const std::byte* at) { return convert<T>(from_float128(load<Wide>(at))); });
  }
}

template void Array::read<float>(std::size_t, std::size_t, float*) const;
template void Array::read<double>(std::size_t, std::size_t, double*) const;
template void Array::read<std::uint32_t>(std::size_t, std::size_t, std::uint32_t*) const;

}  // namespace sinew

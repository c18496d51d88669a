// SPDX-License-Identifier: MIT
// Filters on four elements at once. Roundings and the order of additions are those of meshoptimizer's SIMD code.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "meshopt/streams.hpp"
#include "meshopt/vectors.hpp"

namespace sinew::meshopt {

namespace {

using Ints = Vector<std::int32_t>;
using Floats = Vector<float>;

Floats to_floats(Ints values) { return __builtin_convertvector(values, Floats); }

// Rounds to the nearest integers, half to even. Adding `snap` shifts all fraction bits out.
Ints round(Floats values) {
  constexpr float snap = 3 << 22;
  return __builtin_convertvector(values + snap - snap, Ints);
}

Floats root(Floats values) {
  for (int i = 0; i < 4; ++i) values[i] = std::sqrt(values[i]);
  return values;
}

/// The four components of four elements, with one or two bytes per component.
template <class T>
struct Four {
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>;
  Ints x, y, z, w;

  static Four load_from(const std::uint8_t* bytes) {
    const auto first = load<Wide>(bytes);
    if constexpr (sizeof(T) == 1) return {Ints(first << 24 >> 24), Ints(first << 16 >> 24), Ints(first << 8 >> 24), Ints(first >> 24)};
    const auto second = load<Wide>(bytes + 16);
    const auto xy = __builtin_shufflevector(first, second, 0, 2, 4, 6), zw = __builtin_shufflevector(first, second, 1, 3, 5, 7);
    return {Ints(xy << 16 >> 16), Ints(xy >> 16), Ints(zw << 16 >> 16), Ints(zw >> 16)};
  }

  void store_to(std::uint8_t* bytes) const {
    if constexpr (sizeof(T) == 1) {
      const Ints all = (x & 255) | (y & 255) << 8 | (z & 255) << 16 | w << 24;
      std::memcpy(bytes, &all, sizeof all);
    } else {
      const Ints xy = (x & 65535) | y << 16, zw = (z & 65535) | w << 16;
      const Ints all[] = {__builtin_shufflevector(xy, zw, 0, 4, 1, 5), __builtin_shufflevector(xy, zw, 2, 6, 3, 7)};
      std::memcpy(bytes, all, sizeof all);
    }
  }
};

// Changes all elements. The last ones are changed in a padded copy.
template <class T>
void change(std::span<std::uint8_t> bytes, Four<T> (*filter)(const Four<T>&)) {
  constexpr std::size_t step = 16 * sizeof(T);
  std::size_t i = 0;
  for (; i + step <= bytes.size(); i += step) filter(Four<T>::load_from(&bytes[i])).store_to(&bytes[i]);
  if (i == bytes.size()) return;
  std::uint8_t rest[step] = {};
  std::memcpy(rest, &bytes[i], bytes.size() - i);
  filter(Four<T>::load_from(rest)).store_to(rest);
  std::memcpy(&bytes[i], rest, bytes.size() - i);
}

// Decodes unit vectors from points of the octahedron |x| + |y| + |z| = in.z.
template <class T>
Four<T> octahedral(const Four<T>& in) {
  const auto sign = [](Floats values) { return std::bit_cast<Ints>(values) & std::numeric_limits<std::int32_t>::min(); };
  const auto flip = [](Floats values, Ints signs) { return std::bit_cast<Floats>(std::bit_cast<Ints>(values) ^ signs); };
  Floats x = to_floats(in.x), y = to_floats(in.y);
  const Floats z = to_floats(in.z) - flip(x, sign(x)) - flip(y, sign(y));
  const Floats below = z < 0 ? z : Floats{};
  x += flip(below, sign(x));
  y += flip(below, sign(y));
  const Floats square = x * x + (y * y + z * z);
  const Floats scale = static_cast<float>(std::numeric_limits<T>::max()) / root(square < 1 ? Floats{} + 1 : square);  // only 0 is below 1
  return {round(x * scale), round(y * scale), round(z * scale), in.w};
}

// Decodes unit quaternions from their three smaller components. The two lowest bits of the fourth number are the index of the largest
// component. The rest plus three is the number that encodes sqrt(1/2).
Four<std::int16_t> quaternions(const Four<std::int16_t>& in) {
  const Floats unit = to_floats(in.w | 3);
  const Floats x = to_floats(in.x), y = to_floats(in.y), z = to_floats(in.z);
  const Floats square = unit * unit * 2 - (x * x + (y * y + z * z));
  const Floats scale = 32767 / std::sqrt(2.f) / unit;
  const Ints found[] = {round(root(square < 0 ? Floats{} : square) * scale), round(x * scale), round(y * scale), round(z * scale)};
  const Ints largest = in.w & 3;
  const auto at = [&](int place) {
    const Ints from = (place - largest) & 3;
    return from == 0 ? found[0] : from == 1 ? found[1] : from == 2 ? found[2] : found[3];
  };
  return {at(0), at(1), at(2), at(3)};
}

// Decodes red, green and blue from luma and two chroma values. The highest set bit of alpha marks the number of bits.
template <class T>
Four<T> colors(const Four<T>& in) {
  constexpr int bits = std::numeric_limits<T>::digits;
  const auto with_sign = [](Ints values) { return values << (32 - bits) >> (32 - bits); };
  const Ints co = with_sign(in.y), cg = with_sign(in.z);
  Ints most = in.w | 1;  // all bits up to the marker
  for (int shift = 1; shift < bits; shift *= 2) most |= most >> shift;
  const Floats scale = static_cast<float>(std::numeric_limits<T>::max()) / to_floats(most);
  const auto scaled = [&](Ints values) {
    values = values < 0 ? Ints{} : values > most ? most : values;
    return round(to_floats(values) * scale);
  };
  return {scaled(in.x + co - cg), scaled(in.x + cg), scaled(in.x - co - cg), scaled((in.w << 1 & most) | (in.w & 1))};
}

}  // namespace

void undo_octahedral(std::span<std::uint8_t> elements, std::size_t stride) {
  stride == 4 ? change<std::int8_t>(elements, octahedral) : change<std::int16_t>(elements, octahedral);
}

void undo_quaternion(std::span<std::uint8_t> elements) { change<std::int16_t>(elements, quaternions); }

// Multiplies the lower 24 bits by a power of two, both signed. A double represents all of them.
void undo_exponential(std::span<std::uint8_t> elements) {
  for (std::size_t i = 0; i < elements.size(); i += 4) {
    std::int32_t stored = 0;
    std::memcpy(&stored, &elements[i], 4);
    const auto exponent = static_cast<std::uint64_t>(1023 + (stored >> 24));
    const double factor = static_cast<std::int32_t>(static_cast<std::uint32_t>(stored) << 8) >> 8;
    const auto value = static_cast<float>(factor * std::bit_cast<double>(exponent << 52));
    std::memcpy(&elements[i], &value, 4);
  }
}

void undo_color(std::span<std::uint8_t> elements, std::size_t stride) {
  stride == 4 ? change<std::uint8_t>(elements, colors) : change<std::uint16_t>(elements, colors);
}

}  // namespace sinew::meshopt

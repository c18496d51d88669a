// SPDX-License-Identifier: MIT
#ifdef SINEW_USE_MESHOPT
#include "operations/optimize/meshopt_encode.hpp"

#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "meshopt/streams.hpp"

namespace sinew::operations::meshopt {

namespace {

template <class Byte>
std::span<Byte> bytes_of(std::span<std::byte> rows) {
  return {reinterpret_cast<Byte*>(rows.data()), rows.size()};
}
const unsigned char* bytes_of(std::span<const std::byte> rows) { return reinterpret_cast<const unsigned char*>(rows.data()); }

/// The extension allows only version 1 of index streams, and the library writes version 0 unless told otherwise, for all threads.
void use_version_1() {
  static const bool once = [] {
    meshopt_encodeIndexVersion(1);
    return true;
  }();
  static_cast<void>(once);
}

std::vector<unsigned> indices_of(std::span<const std::byte> rows, std::size_t stride) {
  std::vector<unsigned> indices(rows.size() / stride);
  for (std::size_t i = 0; i < indices.size(); ++i) std::memcpy(&indices[i], rows.data() + i * stride, stride);  // little endian
  return indices;
}

/// Shortens the stream to `size` bytes and decodes it into `out`; false if that is not possible.
bool decodes(Stream& stream, std::size_t size, std::vector<std::byte>& out) {
  if (size == 0) return false;
  stream.bytes.resize(size);
  out.resize(stream.count * stream.stride);
  const std::span<const std::uint8_t> from(bytes_of(stream.bytes), size);
  const auto decode = stream.mode == "ATTRIBUTES"  ? sinew::meshopt::decode_attributes
                      : stream.mode == "TRIANGLES" ? sinew::meshopt::decode_triangles
                                                   : sinew::meshopt::decode_indices;
  return !decode(from, bytes_of<std::uint8_t>(out), stream.stride);
}

/// Returns whether the triangles are the same, each from any of its corners.
bool same_triangles(const std::vector<unsigned>& a, const std::vector<unsigned>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); i += 3) {
    const auto starts_at = [&](std::size_t turn) {
      return a[i] == b[i + turn] && a[i + 1] == b[i + (turn + 1) % 3] && a[i + 2] == b[i + (turn + 2) % 3];
    };
    if (!starts_at(0) && !starts_at(1) && !starts_at(2)) return false;
  }
  return true;
}

/// The numbers of a row, as real numbers.
template <class T>
void read_row(const std::byte* row, std::size_t width, float* out) {
  constexpr auto whole = static_cast<float>(std::numeric_limits<T>::max());
  for (std::size_t i = 0; i < width; ++i) {
    T value;
    std::memcpy(&value, row + i * sizeof(T), sizeof(T));
    out[i] = std::max(static_cast<float>(value) / whole, -1.0F);
  }
}

}  // namespace

std::optional<Stream> encode_rows(std::span<const std::byte> rows, std::size_t stride) {
  Stream stream{{}, stride, rows.size() / stride, "ATTRIBUTES"};
  stream.bytes.resize(meshopt_encodeVertexBufferBound(stream.count, stride));
  std::vector<std::byte> decoded;
  const std::size_t size = meshopt_encodeVertexBuffer(reinterpret_cast<unsigned char*>(stream.bytes.data()), stream.bytes.size(),
                                                      rows.data(), stream.count, stride);
  if (!decodes(stream, size, decoded) || !std::ranges::equal(decoded, rows)) return std::nullopt;
  return stream;
}

std::optional<Stream> encode_triangles(std::span<const std::byte> rows, std::size_t stride) {
  use_version_1();
  const std::vector<unsigned> indices = indices_of(rows, stride);
  const unsigned most = indices.empty() ? 0 : *std::ranges::max_element(indices);
  if (indices.size() % 3 != 0 || most == std::numeric_limits<unsigned>::max()) return std::nullopt;
  Stream stream{{}, stride, indices.size(), "TRIANGLES"};
  stream.bytes.resize(meshopt_encodeIndexBufferBound(indices.size(), most + 1));
  std::vector<std::byte> decoded;
  const std::size_t size =
      meshopt_encodeIndexBuffer(reinterpret_cast<unsigned char*>(stream.bytes.data()), stream.bytes.size(), indices.data(), indices.size());
  if (!decodes(stream, size, decoded) || !same_triangles(indices_of(decoded, stride), indices)) return std::nullopt;
  return stream;
}

std::optional<Stream> encode_indices(std::span<const std::byte> rows, std::size_t stride) {
  use_version_1();
  const std::vector<unsigned> indices = indices_of(rows, stride);
  // The library's bound depends on the largest index only; differences need 30 bits.
  if (std::ranges::any_of(indices, [](unsigned index) { return index >= 1U << 30; })) return std::nullopt;
  const unsigned most = indices.empty() ? 0 : *std::ranges::max_element(indices);
  Stream stream{{}, stride, indices.size(), "INDICES"};
  stream.bytes.resize(meshopt_encodeIndexSequenceBound(indices.size(), most + 1));
  std::vector<std::byte> decoded;
  const std::size_t size = meshopt_encodeIndexSequence(reinterpret_cast<unsigned char*>(stream.bytes.data()), stream.bytes.size(),
                                                       indices.data(), indices.size());
  if (!decodes(stream, size, decoded) || !std::ranges::equal(decoded, rows)) return std::nullopt;
  return stream;
}

std::vector<float> reals_of(std::span<const std::byte> rows, std::size_t component) {
  std::vector<float> values(rows.size() / component);
  if (component == 1)
    read_row<std::int8_t>(rows.data(), values.size(), values.data());
  else
    read_row<std::int16_t>(rows.data(), values.size(), values.data());
  return values;
}

std::vector<std::byte> filter_octahedral(std::span<const float> values, std::span<std::byte> rows, std::size_t stride, int bits) {
  meshopt_encodeFilterOct(rows.data(), rows.size() / stride, stride, bits, values.data());
  return undone_octahedral(rows, stride);
}

std::vector<std::byte> undone_octahedral(std::span<const std::byte> rows, std::size_t stride) {
  std::vector<std::byte> seen(rows.begin(), rows.end());
  sinew::meshopt::undo_octahedral(bytes_of<std::uint8_t>(seen), stride);
  return seen;
}

std::vector<std::byte> filter_quaternion(std::span<std::byte> rows, int bits) {
  std::vector<float> values = reals_of(rows, 2);
  meshopt_encodeFilterQuat(rows.data(), rows.size() / 8, 8, bits, values.data());
  std::vector<std::byte> seen(rows.begin(), rows.end());
  sinew::meshopt::undo_quaternion(bytes_of<std::uint8_t>(seen));
  return seen;
}

std::vector<std::byte> filter_exponential(std::span<std::byte> rows, std::size_t stride, int bits) {
  std::vector<float> values(rows.size() / 4);
  std::memcpy(values.data(), rows.data(), rows.size());
  meshopt_encodeFilterExp(rows.data(), rows.size() / stride, stride, bits, values.data());
  std::vector<std::byte> seen(rows.begin(), rows.end());
  sinew::meshopt::undo_exponential(bytes_of<std::uint8_t>(seen));
  return seen;
}

std::optional<std::vector<std::byte>> filter_grid(std::span<std::byte> rows, int exponent) {
  constexpr double most = (1 << 23) - 1;
  if (exponent < -100 || exponent > 100) return std::nullopt;
  std::vector<std::byte> stored(rows.size());
  for (std::size_t at = 0; at + 4 <= rows.size(); at += 4) {
    float value = 0;
    std::memcpy(&value, &rows[at], 4);
    const double steps = std::nearbyint(std::ldexp(static_cast<double>(value), -exponent));
    if (!(std::abs(steps) <= most)) return std::nullopt;
    const auto number = static_cast<std::uint32_t>(static_cast<std::int32_t>(steps));
    const std::uint32_t bits = (number & 0xffffffU) | static_cast<std::uint32_t>(exponent) << 24;
    std::memcpy(&stored[at], &bits, 4);
  }
  std::ranges::copy(stored, rows.begin());
  sinew::meshopt::undo_exponential(bytes_of<std::uint8_t>(stored));
  return stored;
}

}  // namespace sinew::operations::meshopt
#endif

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sinew::operations::meshopt {

// Encoders of EXT_meshopt_compression, from libmeshoptimizer. Each result was decoded again by Sinew's own decoder.

/// Compressed rows of a buffer view.
struct Stream {
  std::vector<std::byte> bytes;
  std::size_t stride = 0, count = 0;  ///< of the decoded rows
  std::string_view mode;
  std::string_view filter{};  ///< empty: none
};

/// Encode rows exactly; nothing if the mode cannot store them. Triangles may start at another corner.
/// Precondition: the size is a multiple of `stride`, which is a multiple of 4 up to 256 (indices: 2 or 4).
[[nodiscard]] std::optional<Stream> encode_rows(std::span<const std::byte> rows, std::size_t stride);
[[nodiscard]] std::optional<Stream> encode_triangles(std::span<const std::byte> rows, std::size_t stride);
[[nodiscard]] std::optional<Stream> encode_indices(std::span<const std::byte> rows, std::size_t stride);

/// Filters: replace rows by their filtered form with `bits` per number, and return the rows that a reader sees then.
/// Normals and tangents, four numbers each and none of length 0, as `stride` 4 (int8) or 8 (int16), normalised.
[[nodiscard]] std::vector<std::byte> filter_octahedral(std::span<const float> values, std::span<std::byte> rows, std::size_t stride,
                                                       int bits);
/// The rows that a reader sees.
[[nodiscard]] std::vector<std::byte> undone_octahedral(std::span<const std::byte> rows, std::size_t stride);
/// Quaternions as normalised int16.
[[nodiscard]] std::vector<std::byte> filter_quaternion(std::span<std::byte> rows, int bits);
/// Rows of float32, finite; one exponent for each row.
[[nodiscard]] std::vector<std::byte> filter_exponential(std::span<std::byte> rows, std::size_t stride, int bits);
/// Float32, finite: multiples of 2^exponent. Nothing if a number is too large for it.
[[nodiscard]] std::optional<std::vector<std::byte>> filter_grid(std::span<std::byte> rows, int exponent);
/// The numbers of rows of normalised integers of one or two bytes.
[[nodiscard]] std::vector<float> reals_of(std::span<const std::byte> rows, std::size_t component);

}  // namespace sinew::operations::meshopt

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace sinew::gltf::meshopt {

// Decoders of KHR_meshopt_compression, whose streams include those of EXT_meshopt_compression. Streams may hold anything. `out` is as long
// as all decoded elements together, and keeps some values after damage. Strides are those that the extension allows for the mode.

/// Why a stream cannot be decoded.
struct Damage {
  const char* what = nullptr;
  std::size_t byte = 0;  ///< how far into the stream reading came
};

[[nodiscard]] std::optional<Damage> decode_attributes(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out,
                                                      std::size_t stride);
[[nodiscard]] std::optional<Damage> decode_triangles(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out, std::size_t stride);
[[nodiscard]] std::optional<Damage> decode_indices(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out, std::size_t stride);

// Filters, in place. Values that the extension gives no result for become any values.

void undo_octahedral(std::span<std::uint8_t> elements, std::size_t stride);
void undo_quaternion(std::span<std::uint8_t> elements);
void undo_exponential(std::span<std::uint8_t> elements);
void undo_color(std::span<std::uint8_t> elements, std::size_t stride);

}  // namespace sinew::gltf::meshopt

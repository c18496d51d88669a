// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace sinew::gltf::meshopt {

// Decoders of KHR_meshopt_compression, which also accept streams of EXT_meshopt_compression. Streams may contain anything. `out` must have
// the size of all decoded elements; after damage its contents are unspecified. Strides must be valid for the mode.

struct Damage {
  const char* what = nullptr;
  std::size_t byte = 0;  ///< where reading stopped, from the start of the stream
};

[[nodiscard]] std::optional<Damage> decode_attributes(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out,
                                                      std::size_t stride);
[[nodiscard]] std::optional<Damage> decode_triangles(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out, std::size_t stride);
[[nodiscard]] std::optional<Damage> decode_indices(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out, std::size_t stride);

// Filters, in place. Where the extension defines no result, the result is unspecified.

void undo_octahedral(std::span<std::uint8_t> elements, std::size_t stride);
void undo_quaternion(std::span<std::uint8_t> elements);
void undo_exponential(std::span<std::uint8_t> elements);
void undo_color(std::span<std::uint8_t> elements, std::size_t stride);

}  // namespace sinew::gltf::meshopt

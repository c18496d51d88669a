// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace sinew::meshopt {

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

/// The members of the extension's object in a buffer view. The order is that of meshopt_modes and meshopt_filters.
enum class Mode : std::uint8_t { attributes, triangles, indices };
enum class Filter : std::uint8_t { nothing, octahedral, quaternion, exponential, color };
struct Layout {
  Mode mode = Mode::attributes;
  Filter filter = Filter::nothing;
  std::uint64_t stride = 0, count = 0;
};
/// Returns which rule of the extension the stride or the count breaks, or null.
[[nodiscard]] const char* problem_of(const Layout& layout);
/// Decodes a stream and undoes its filter. Preconditions: no problem_of; `out` has stride · count bytes.
[[nodiscard]] std::optional<Damage> decode(const Layout& layout, std::span<const std::uint8_t> stream, std::span<std::uint8_t> out);

}  // namespace sinew::meshopt

// SPDX-License-Identifier: MIT
#include "meshopt/streams.hpp"

namespace sinew::meshopt {

const char* problem_of(const Layout& layout) {
  const auto [mode, filter, stride, count] = layout;
  if (mode == Mode::attributes) {
    if (stride % 4 != 0) return "the stride of ATTRIBUTES is not a multiple of 4";
    if (filter == Filter::octahedral && stride != 4 && stride != 8) return "the stride with OCTAHEDRAL is neither 4 nor 8";
    if (filter == Filter::color && stride != 4 && stride != 8) return "the stride with COLOR is neither 4 nor 8";
    if (filter == Filter::quaternion && stride != 8) return "the stride with QUATERNION is not 8";
    return nullptr;
  }
  if (filter != Filter::nothing) return "indices must not have a filter";
  if (stride != 2 && stride != 4) return "the stride of indices is neither 2 nor 4";
  if (mode == Mode::triangles && count % 3 != 0) return "the count of TRIANGLES is not a multiple of 3";
  return nullptr;
}

namespace {

std::optional<Damage> decode_stream(const Layout& layout, std::span<const std::uint8_t> stream, std::span<std::uint8_t> out) {
  switch (layout.mode) {
    case Mode::attributes:
      return decode_attributes(stream, out, layout.stride);
    case Mode::triangles:
      return decode_triangles(stream, out, layout.stride);
    case Mode::indices:
      return decode_indices(stream, out, layout.stride);
  }
  return std::nullopt;
}

void undo_filter(const Layout& layout, std::span<std::uint8_t> elements) {
  switch (layout.filter) {
    case Filter::nothing:
      return;
    case Filter::octahedral:
      return undo_octahedral(elements, layout.stride);
    case Filter::quaternion:
      return undo_quaternion(elements);
    case Filter::exponential:
      return undo_exponential(elements);
    case Filter::color:
      return undo_color(elements, layout.stride);
  }
}

}  // namespace

std::optional<Damage> decode(const Layout& layout, std::span<const std::uint8_t> stream, std::span<std::uint8_t> out) {
  if (const auto damage = decode_stream(layout, stream, out)) return damage;
  undo_filter(layout, out);
  return std::nullopt;
}

}  // namespace sinew::meshopt

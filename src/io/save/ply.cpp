// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "base/catalogue.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "io/save/buffered_output.hpp"
#include "io/save/flat_scene.hpp"
#include "io/save/formats.hpp"

namespace sinew::io {
namespace {

/// The properties of the file's vertices; blocks without them get default values.
struct Channels {
  bool normals, texcoords, colors;
};

std::string header(const FlatScene& scene, const Channels& channels, std::size_t triangles, std::size_t lines) {
  std::string text = format_text("ply\nformat binary_little_endian 1.0\nelement vertex {}\n", scene.vertices);
  const auto properties = [&](std::string_view type, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) text += format_text("property {} {}\n", type, name);
  };
  properties("float", {"x", "y", "z"});
  if (channels.normals) properties("float", {"nx", "ny", "nz"});
  if (channels.texcoords) properties("float", {"s", "t"});
  if (channels.colors) properties("uchar", {"red", "green", "blue", "alpha"});
  if (triangles != 0) text += format_text("element face {}\nproperty list uchar uint vertex_indices\n", triangles);
  if (lines != 0) text += format_text("element edge {}\nproperty uint vertex1\nproperty uint vertex2\n", lines);
  return text + "end_header\n";
}

std::uint8_t to_byte(float value) { return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255.0F)); }

void write_vertices(BufferedOutput& out, const VertexBlock& block, const Channels& channels) {
  const FlatRows positions = rows_of(block, Semantic::position), normals = rows_of(block, Semantic::normal),
                 texcoords = rows_of(block, Semantic::texcoord), colors = rows_of(block, Semantic::color);
  for (std::size_t v = 0; v < block.vertices; ++v) {
    for (std::size_t c = 0; c < 3; ++c) out.binary(positions[v][c]);
    if (channels.normals)
      for (std::size_t c = 0; c < 3; ++c) out.binary(normals.empty() ? 0.0F : normals[v][c]);
    if (channels.texcoords) {
      // The origin of texture coordinates is the upper left corner in glTF, but the lower left corner in PLY.
      out.binary(texcoords.empty() ? 0.0F : texcoords[v][0]);
      out.binary(texcoords.empty() ? 0.0F : 1.0F - texcoords[v][1]);
    }
    if (channels.colors)
      for (std::size_t c = 0; c < 4; ++c) out.binary(c < colors.width ? to_byte(colors[v][c]) : std::uint8_t{255});
  }
}

/// Calls write(global indices of one element) for all elements of `corners` corners.
template <class Write>
void for_elements(const FlatScene& scene, std::size_t corners, Write write) {
  std::array<std::uint32_t, 3> element{};
  for (const FlatInstance& instance : scene.instances) {
    for (const FlatSurface& surface : instance.surfaces) {
      if (surface.elements.corners != corners) continue;
      const std::size_t first = instance.blocks[surface.block].first;
      const std::vector<std::uint32_t>& indices = surface.elements.indices;
      for (std::size_t i = 0; i + corners <= indices.size(); i += corners) {
        for (std::size_t c = 0; c < corners; ++c) element[c] = static_cast<std::uint32_t>(first + indices[i + c]);
        write(std::span<const std::uint32_t>(element.data(), corners));
      }
    }
  }
}

}  // namespace

Result<> save_ply(const Model& model, const Target& to, std::vector<std::string>& /*notes*/) {
  const FlatScene scene = flatten(model);
  if (scene.vertices > std::numeric_limits<std::uint32_t>::max())
    return Unexpected(error("SINEW_OUTPUT"_code, Failure::unsupported, {path_text(to.path), {}, {}},
                            format_text("found {} vertices; the indices of a PLY file end at 4294967295", scene.vertices)));
  auto out = BufferedOutput::create(to.path, to.name);
  if (!out) return Unexpected(std::move(out.error()));
  const Channels channels{any_block_has(scene, Semantic::normal), any_block_has(scene, Semantic::texcoord),
                          any_block_has(scene, Semantic::color)};
  out->text(header(scene, channels, count_elements(scene, 3), count_elements(scene, 2)));
  for (const FlatInstance& instance : scene.instances)
    for (const FlatBlock& block : instance.blocks) write_vertices(*out, *block.block, channels);
  for_elements(scene, 3, [&](std::span<const std::uint32_t> triangle) {
    out->binary(std::uint8_t{3});
    for (const std::uint32_t index : triangle) out->binary(index);
  });
  for_elements(scene, 2, [&](std::span<const std::uint32_t> line) {
    for (const std::uint32_t index : line) out->binary(index);
  });
  return out->commit();
}

}  // namespace sinew::io

// SPDX-License-Identifier: MIT
#include <cstdint>
#include <span>

#include "io/save/buffered_output.hpp"
#include "io/save/flat_scene.hpp"
#include "io/save/formats.hpp"

namespace sinew::io {

/// Writes Geomview's OFF for three dimensions, otherwise nOFF. Simplexes and lines become faces with as many vertices; points become
/// vertices only.
Result<> save_off(const Model& model, const Target& to, std::vector<std::string>& /*notes*/) {
  const FlatScene scene = flatten(model);
  std::size_t faces = 0;
  for (const FlatInstance& instance : scene.instances)
    for (const FlatSurface& surface : instance.surfaces)
      if (surface.elements.corners > 1) faces += surface.elements.indices.size() / surface.elements.corners;

  auto out = BufferedOutput::create(to.path, to.name);
  if (!out) return Unexpected(std::move(out.error()));
  out->text(model.dimension == 3 ? "OFF\n" : "nOFF\n" + std::to_string(model.dimension) + "\n");
  out->line<std::size_t>(std::array{scene.vertices, faces, std::size_t{0}});
  for (const FlatInstance& instance : scene.instances) {
    for (const FlatBlock& block : instance.blocks) {
      const FlatRows positions = rows_of(*block.block, Semantic::position);
      for (std::size_t v = 0; v < block.block->vertices; ++v) out->line(std::span(positions[v], positions.width));
    }
  }
  for (const FlatInstance& instance : scene.instances) {
    for (const FlatSurface& surface : instance.surfaces) {
      const std::size_t corners = surface.elements.corners, first = instance.blocks[surface.block].first;
      if (corners < 2) continue;
      for (std::size_t i = 0; i < surface.elements.indices.size(); ++i) {
        if (i % corners == 0) out->number(corners);
        out->text(" ");
        out->number(first + surface.elements.indices[i]);
        if ((i + 1) % corners == 0) out->text("\n");
      }
    }
  }
  return out->commit();
}

}  // namespace sinew::io

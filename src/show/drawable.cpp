// SPDX-License-Identifier: MIT
#include "show/drawable.hpp"

#include <algorithm>
#include <limits>

#include "base/guard.hpp"
#include "model/place.hpp"
#include "model/split_surface.hpp"
#include "show/distinct_pictures.hpp"

#include "sinew/deform.hpp"
#include "sinew/load.hpp"
#include "sinew/model.hpp"
#include "sinew/render.hpp"

namespace sinew::show {

namespace {

constexpr std::size_t most_parts = std::numeric_limits<std::uint32_t>::max() / 8;  // of one topology

/// Cuts a surface that has only a topology into simplexes.
Result<> give_simplexes(const Mesh& mesh, Surface& surface) {
  if (!surface.topology || !need(elements_of(mesh, surface, 3)).indices.empty()) return {};
  auto cut = simplexes_from_topology(mesh, surface, 3, most_parts);
  if (!cut) return Unexpected(std::move(cut.error()));
  if (cut->corners != 3) return {};
  surface.elements = Array::own(std::move(cut->simplexes), 1);
  surface.indexed = true;
  surface.primitive = Primitive::simplexes;
  surface.attributes.clear();  // they belong to corners that these simplexes do not have
  return {};
}

}  // namespace

Result<> make_drawable(Mesh& mesh) {
  for (Surface& surface : mesh.surfaces) {
    if (auto given = give_simplexes(mesh, surface); !given) return given;
    std::erase_if(surface.attributes, [](const Attribute& attribute) { return attribute.values.empty(); });
    if (surface.attributes.empty()) continue;
    VertexBlock block = split_surface(mesh, 3, VertexOrder::first_use, surface);
    surface.block = static_cast<Index>(mesh.blocks.size());
    surface.edges = {};  // they refer to the old block
    mesh.blocks.push_back(std::move(block));
  }
  return {};
}

std::vector<float> colors_of(const VertexBlock& block) {
  const Attribute* const attribute = find_attribute(block.attributes, Semantic::color);
  if (attribute == nullptr) return {};
  const std::size_t width = attribute->values.width();
  if (width != 3 && width != 4) return {};
  const std::vector<float> values = need(deform::blend_rows(*attribute, {}, block.vertices));
  if (width == 4) return values;
  std::vector<float> colors;
  colors.reserve(block.vertices * 4);
  for (std::size_t row = 0; row < block.vertices; ++row) {
    colors.insert(colors.end(), values.begin() + static_cast<std::ptrdiff_t>(row * 3),
                  values.begin() + static_cast<std::ptrdiff_t>(row * 3 + 3));
    colors.push_back(1);
  }
  return colors;
}

Texcoords texcoords_of(const VertexBlock& block, Index set) {
  const Attribute* const attribute = find_attribute(block.attributes, Semantic::texcoord, set);
  if (attribute == nullptr || (attribute->values.width() != 2 && attribute->values.width() != 3)) return {};
  return {attribute->values.width(), need(deform::blend_rows(*attribute, {}, block.vertices))};
}

bool may_appear(const Model& model, Index node) {
  for (; node < model.nodes.size(); node = model.nodes[node].parent)
    for (const Clip& clip : model.clips)
      if (std::ranges::find(clip.visibility, node, &VisibilityTrack::node) != clip.visibility.end()) return true;
  return false;
}

void give_flat_cells_edges(Model& model) {
  for (Mesh& mesh : model.meshes)
    for (Surface& surface : mesh.surfaces) {
      if (!surface.edges.empty() || surface.defect != none) continue;
      const Elements elements = need(elements_of(mesh, surface, model.dimension));
      if (elements.corners < 3) continue;
      std::vector<std::uint32_t> ends;
      for (const Edge& edge : need(edges_from_simplexes(elements.corners, elements.indices)))
        ends.insert(ends.end(), edge.begin(), edge.end());
      surface.edges = Array::own(std::move(ends), 2);
    }
}

std::vector<Error> texture_notes(const Model& model, std::size_t most_texels) {
  std::vector<Error> notes;
  DistinctPictures pictures;
  std::vector<std::optional<Error>> broken;  // by the number of a picture
  for (Index m = 0; m < model.materials.size(); ++m) {
    std::optional<Error> note;
    const Appearance appearance = io::load_appearance(model, m, note);
    if (appearance.volume) continue;
    if (!note && appearance.texture) {
      const std::size_t number = pictures.number(*appearance.texture);
      if (number == broken.size()) {
        const auto picture = decode_picture(appearance.texture->image, most_texels);
        broken.push_back(picture ? std::nullopt : std::optional(picture.error()));
      }
      note = broken[number];
    }
    if (!note) continue;
    if (note->place.file.empty()) note->place = place_of(model, model.materials[m]);
    notes.push_back(std::move(*note));
  }
  return notes;
}

Result<std::optional<Model>> with_material_values(const Model& model) {
  if (!model.stores_values_by_corner() || model.materials.empty()) return std::optional<Model>();
  std::optional<Model> copy = model;
  if (auto done = io::load_material_values(*copy); !done) return Unexpected(std::move(done.error()));
  return copy;
}

}  // namespace sinew::show

// SPDX-License-Identifier: MIT
#include "io/vertex_domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>

namespace sinew::io {
namespace {

bool is_picture_map(const Attribute& attribute) { return attribute.semantic != Semantic::texcoord || attribute.values.width() == 2; }

/// One row of numbers per corner: its vertex, and the bits of everything stored for it. Equal rows become one vertex.
class CornerKeys {
 public:
  CornerKeys(const std::vector<std::uint32_t>& vertices, const std::vector<Attribute>& attributes) : width_(1) {
    for (const Attribute& attribute : attributes) width_ += attribute.values.width();
    words_.resize(vertices.size() * width_);
    for (std::size_t i = 0; i < vertices.size(); ++i) words_[i * width_] = vertices[i];
    std::size_t column = 1;
    for (const Attribute& attribute : attributes) {
      const std::vector<float> values = attribute.values.read<float>();
      const std::vector<std::uint32_t> index = attribute.index.read<std::uint32_t>();
      const std::size_t width = attribute.values.width();
      for (std::size_t i = 0; i < vertices.size(); ++i)
        std::memcpy(&words_[i * width_ + column], &values[(index.empty() ? i : index[i]) * width], width * sizeof(float));
      column += width;
    }
  }

  /// The corners that are the first of their kind, and for each corner the place of its kind among them.
  void group(std::vector<std::uint32_t>& firsts, std::vector<std::uint32_t>& places) const {
    std::unordered_map<std::string_view, std::uint32_t> seen;
    const std::size_t corners = words_.size() / width_;
    seen.reserve(corners);
    for (std::size_t corner = 0; corner < corners; ++corner) {
      const std::string_view key(reinterpret_cast<const char*>(&words_[corner * width_]), width_ * sizeof(std::uint32_t));
      const auto [found, added] = seen.emplace(key, static_cast<std::uint32_t>(firsts.size()));
      if (added) firsts.push_back(static_cast<std::uint32_t>(corner));
      places.push_back(found->second);
    }
  }

 private:
  std::size_t width_;
  std::vector<std::uint32_t> words_;
};

/// The rows with these numbers, as they are stored.
Array gathered(const Array& array, std::span<const std::uint32_t> rows) {
  const std::size_t size = array.width() * byte_size(array.type());
  auto bytes = std::make_shared<std::vector<std::byte>>(rows.size() * size);
  for (std::size_t i = 0; i < rows.size(); ++i) std::memcpy(bytes->data() + i * size, array.data() + rows[i] * array.stride(), size);
  return Array::borrow(bytes->data(), rows.size(), array.width(), size, array.type(), array.normalized(), bytes);
}

Array narrowed(std::vector<std::uint32_t> indices, std::size_t vertices) {
  if (vertices > std::numeric_limits<std::uint16_t>::max()) return Array::own(std::move(indices), 1);
  return Array::own(std::vector<std::uint16_t>(indices.begin(), indices.end()), 1);
}

/// Indices of simplexes, G4MF's rows of them, as a list of numbers.
Array one_by_one(const Array& rows) {
  if (rows.width() <= 1) return rows;
  return Array::own(rows.read<std::uint32_t>(), 1);
}

/// Gives the surface a block of its own.
VertexBlock split(const Mesh& mesh, std::size_t dimension, Surface& surface) {
  const VertexBlock& from = mesh.blocks[surface.block];
  Elements elements = elements_of(mesh, surface, dimension);
  std::vector<std::uint32_t> firsts, places;
  CornerKeys(elements.indices, surface.attributes).group(firsts, places);
  std::vector<std::uint32_t> vertices(firsts.size());
  std::ranges::transform(firsts, vertices.begin(), [&](std::uint32_t corner) { return elements.indices[corner]; });

  const auto rows_of = [](const Attribute& attribute, std::vector<std::uint32_t> rows) {
    if (!attribute.index.empty()) {
      const std::vector<std::uint32_t> index = attribute.index.read<std::uint32_t>();
      for (std::uint32_t& row : rows) row = index[row];
    }
    return Attribute{attribute.semantic, attribute.set, attribute.custom, gathered(attribute.values, rows), {}, {}};
  };
  VertexBlock block;
  block.vertices = firsts.size();
  for (const Attribute& attribute : from.attributes)
    if (find_attribute(surface.attributes, attribute.semantic, attribute.set) == nullptr)
      block.attributes.push_back(rows_of(attribute, vertices));
  for (const Attribute& attribute : surface.attributes) block.attributes.push_back(rows_of(attribute, firsts));
  surface.attributes.clear();
  surface.primitive = elements.corners == 1 ? Primitive::points : elements.corners == 2 ? Primitive::lines : Primitive::simplexes;
  surface.indexed = true;
  surface.elements = narrowed(std::move(places), block.vertices);
  return block;
}

void make_by_vertex(std::size_t dimension, Mesh& mesh) {
  Mesh made = mesh;
  made.blocks.clear();
  std::vector<Index> kept(mesh.blocks.size(), none);
  for (Surface& surface : made.surfaces) {
    std::erase_if(surface.attributes, [](const Attribute& attribute) { return !is_picture_map(attribute); });
    surface.edges = {};
    surface.topology.reset();
    const auto next = static_cast<Index>(made.blocks.size());
    if (!surface.attributes.empty()) {
      made.blocks.push_back(split(mesh, dimension, surface));
      surface.block = next;
    } else if (Index& place = kept[surface.block]; place != none) {
      surface.block = place;
    } else {
      made.blocks.push_back(mesh.blocks[surface.block]);
      surface.block = place = next;
    }
  }
  mesh = std::move(made);
}

}  // namespace

void note_what_only_g4mf_holds(const Model& model, std::vector<std::string>& notes) {
  std::size_t maps = 0, edges = 0, topologies = 0;
  for (const Mesh& mesh : model.meshes) {
    for (const Surface& surface : mesh.surfaces) {
      if (!std::ranges::all_of(surface.attributes, is_picture_map)) ++maps;
      if (surface.primitive >= Primitive::simplexes && !surface.edges.empty()) ++edges;
      if (surface.topology) ++topologies;
    }
  }
  const auto note = [&](std::size_t count, std::string_view what) {
    if (count != 0)
      notes.push_back(
          fmt::format("the format has no place for {}: lost on {}", what, count == 1 ? "1 surface" : fmt::format("{} surfaces", count)));
  };
  note(maps, "texture coordinates of other than two numbers");
  note(edges, "edges beside simplexes");
  note(topologies, "polytopes over edges (topology)");
}

Model by_vertex(const Model& model, std::vector<std::string>& notes) {
  note_what_only_g4mf_holds(model, notes);
  Model made = model;
  for (Mesh& mesh : made.meshes) {
    if (std::ranges::any_of(mesh.surfaces, [](const Surface& surface) { return !surface.attributes.empty(); }))
      make_by_vertex(model.dimension, mesh);
    for (Surface& surface : mesh.surfaces) surface.elements = one_by_one(surface.elements);
  }
  return made;
}

}  // namespace sinew::io

// SPDX-License-Identifier: MIT
#include "show/page/page_looks.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "show/drawable.hpp"

#include "sinew/load.hpp"

namespace sinew::show {

namespace {

using document::JsonWriter;

template <std::size_t N>
void write_numbers(JsonWriter& json, std::string_view key, const std::array<double, N>& numbers) {
  json.key(key).begin_array();
  for (const double number : numbers) json.number(number);
  json.end_array();
}

std::string_view word_of(Appearance::Alpha alpha) {
  return alpha == Appearance::Alpha::mask ? "mask" : alpha == Appearance::Alpha::blend ? "blend" : "opaque";
}

std::string_view word_of(Appearance::Wrap wrap) {
  return wrap == Appearance::Wrap::mirror ? "mirror" : wrap == Appearance::Wrap::clamp ? "clamp" : "repeat";
}

/// Copies rows to their place among those of all vertices; fills up with `missing`.
void put(const std::vector<float>& rows, std::size_t first, std::size_t vertices, std::size_t width, float missing,
         std::vector<float>& all) {
  if (all.empty()) all.assign(vertices * width, missing);
  std::copy(rows.begin(), rows.end(), all.begin() + static_cast<std::ptrdiff_t>(first * width));
}

/// Computes vertex colours (rows of four) from a volume at their coordinates.
void paint(const Volume& volume, const Texcoords& places, std::vector<float>& colors) {
  if (places.width != 3) return;
  if (colors.empty()) colors.assign(places.values.size() / 3 * 4, 1);
  for (std::size_t v = 0; v * 3 < places.values.size(); ++v) {
    const std::array<float, 4> sample = volume.sample(&places.values[v * 3]);
    for (std::size_t c = 0; c < 4; ++c) colors[v * 4 + c] *= sample[c];
  }
}

}  // namespace

PageLooks::PageLooks(const Model& model, const deform::SceneDeformer& deformer) : volumes_(need(Volumes::create(model, most_texels))) {
  for (Index m = 0; m < model.materials.size(); ++m) {
    std::optional<Error> note;  // ignored: Viewer reports them
    materials_.push_back(io::load_appearance(model, m, note));
    const auto& texture = materials_.back().texture;
    if (texture && image_of(*texture) == images_.size()) images_.push_back(texture->image);
  }
  for (std::size_t i = 0; i < deformer.instances().size(); ++i) add_vertices(model, deformer, i);
}

void PageLooks::add_vertices(const Model& model, const deform::SceneDeformer& deformer, std::size_t instance) {
  const Instance& shown = deformer.instances()[instance];
  const Mesh& mesh = model.meshes[shown.mesh];
  std::vector<Index> set_of_block(mesh.blocks.size(), none);  // the set of the first surface with a texture
  std::vector<const Volume*> volume_of_block(mesh.blocks.size(), nullptr);
  for (std::size_t s = 0; s < mesh.surfaces.size(); ++s) {
    const Surface& surface = mesh.surfaces[s];
    const Index material = material_of(model.nodes[shown.node], s, surface.material);
    Index& set = set_of_block[surface.block];
    if (set == none && material != none && materials_[material].texture) set = materials_[material].texture->set;
    if (volume_of_block[surface.block] == nullptr) volume_of_block[surface.block] = volumes_.of(material);
  }
  std::vector<bool>& colored = colored_.emplace_back(mesh.blocks.size());
  std::size_t first = deformer.first(instance);
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const VertexBlock& block = mesh.blocks[b];
    std::vector<float> rows = colors_of(block);
    if (volume_of_block[b] != nullptr) paint(*volume_of_block[b], texcoords_of(block, 0), rows);
    if (!rows.empty()) {
      put(rows, first, deformer.vertices(), 4, 1, colors_);
      colored[b] = true;
    }
    if (set_of_block[b] != none)
      if (const auto places = texcoords_of(block, set_of_block[b]); places.width == 2)
        put(places.values, first, deformer.vertices(), 2, 0, texcoords_);
    first += block.vertices;
  }
}

std::size_t PageLooks::image_of(const Appearance::Texture& texture) const {
  const auto found = std::find_if(images_.begin(), images_.end(), [&](std::span<const std::byte> image) {
    return image.data() == texture.image.data() && image.size() == texture.image.size();
  });
  return static_cast<std::size_t>(found - images_.begin());
}

void PageLooks::write_materials(JsonWriter& json) const {
  json.key("materials").begin_array();
  for (const Appearance& material : materials_) {
    json.begin_object();
    write_numbers(json, "color", material.color);
    json.key("alpha").string(word_of(material.alpha));
    json.key("cutoff").number(material.cutoff);
    json.key("doubleSided").boolean(material.double_sided);
    json.key("unlit").boolean(material.unlit);
    if (material.texture) {
      json.key("texture").begin_object();
      json.key("image").integer(image_of(*material.texture));
      json.key("wrapS").string(word_of(material.texture->wrap_s));
      json.key("wrapT").string(word_of(material.texture->wrap_t));
      json.key("nearest").boolean(material.texture->nearest);
      write_numbers(json, "transform", material.texture->transform);
      json.end_object();
    }
    json.end_object();
  }
  json.end_array();
}

void PageLooks::add_to(Packet& packet) const {
  if (!colors_.empty()) packet.add("colors", colors_, 4);
  if (!texcoords_.empty()) packet.add("texcoords", texcoords_, 2);
  for (std::size_t i = 0; i < images_.size(); ++i) packet.add(format_text("image{}", i), images_[i]);
}

}  // namespace sinew::show

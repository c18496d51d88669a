// SPDX-License-Identifier: MIT
#include "show/scene.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/guard.hpp"
#include "deform/packed.hpp"

#include "sinew/load.hpp"
#include "sinew/model.hpp"

namespace sinew::show {

namespace {

std::vector<std::uint32_t> edges_of(const Surface& surface, std::span<const std::uint32_t> triangles) {
  if (surface.edges.size() != 0) return surface.edges.read<std::uint32_t>();
  std::vector<std::uint32_t> list;
  for (const Edge& edge : need(edges_from_simplexes(3, triangles))) list.insert(list.end(), edge.begin(), edge.end());
  return list;
}

Body make_body(const Mesh& mesh, const std::vector<Appearance>& appearances, bool edges) {
  Body body;
  body.looks.resize(mesh.blocks.size());
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    body.looks[b].colors = colors_of(mesh.blocks[b]);
    body.vertices.push_back(mesh.blocks[b].vertices);
  }
  for (std::size_t s = 0; s < mesh.surfaces.size(); ++s) {
    const Surface& surface = mesh.surfaces[s];
    if (surface.defect != none || mesh.blocks[surface.block].vertices == 0) continue;
    Elements elements = need(elements_of(mesh, surface, 3));
    if (elements.corners == 0 || elements.corners > 3 || elements.indices.empty()) continue;
    Piece& piece = body.pieces.emplace_back();
    piece.block = surface.block;
    piece.corners = elements.corners;
    piece.elements = std::move(elements.indices);
    piece.surface = s;
    piece.material = surface.material;
    if (edges && piece.corners == 3) piece.edges = edges_of(surface, piece.elements);
    const bool textured = surface.material != none && appearances[surface.material].texture;
    Texcoords& texcoords = body.looks[surface.block].texcoords;
    if (texcoords.width == 0)
      texcoords = texcoords_of(mesh.blocks[surface.block], textured ? appearances[surface.material].texture->set : 0);
  }
  return body;
}

}  // namespace

Result<Scene> Scene::create(const Model& model, const Options& options) {
  std::vector<Instance> list = need(sinew::instances(model, options.scene));
  std::erase_if(list, [&](const Instance& instance) { return !instance.visible && !may_appear(model, instance.node); });
  Scene scene;
  scene.model_ = std::make_unique<Model>(model);
  for (Index m = 0; m < model.materials.size(); ++m) {
    std::optional<Error> note;
    scene.appearances_.push_back(io::load_appearance(model, m, note));
    if (note) scene.notes_.push_back(std::move(*note));
  }
  std::map<Index, std::shared_ptr<const Body>> made;
  for (const Instance& instance : list) {
    auto& body = made[instance.mesh];
    Mesh& mesh = scene.model_->meshes[instance.mesh];
    if (!body) {
      if (auto drawable = make_drawable(mesh); !drawable) return Unexpected(std::move(drawable.error()));
      body = std::make_shared<const Body>(make_body(mesh, scene.appearances_, options.edges));
    }
    scene.bodies_.push_back(body);
  }
  deform::PrepareOptions channels;
  channels.normals = true;
  auto deformer = deform::SceneDeformer::create(*scene.model_, std::move(list), channels);
  if (!deformer) return Unexpected(std::move(deformer.error()));
  if (options.stage)
    if (auto shown = deformer->show_stage(*options.stage); !shown) return Unexpected(std::move(shown.error()));
  scene.deformer_ = std::make_unique<deform::SceneDeformer>(std::move(*deformer));
  return scene;
}

Index Scene::material_of(std::size_t instance, const Piece& piece) const {
  return sinew::material_of(model_->nodes[instances()[instance].node], piece.surface, piece.material);
}

const Appearance* Scene::look_of(std::size_t instance, const Piece& piece) const {
  const Index material = material_of(instance, piece);
  return material == none ? nullptr : &appearances_[material];
}

namespace {
constexpr std::string_view heat_name = "_HEAT";
}

Model with_heat(const Model& model, const std::vector<std::vector<float>>& heat) {
  Model heated = model;
  for (Index node = 0; node < heat.size(); ++node) {
    if (heat[node].empty()) continue;
    Mesh& mesh = heated.meshes.emplace_back(model.meshes[model.nodes[node].mesh]);
    heated.nodes[node].mesh = static_cast<Index>(heated.meshes.size() - 1);
    auto row = heat[node].begin();
    for (VertexBlock& block : mesh.blocks) {
      const auto end = row + static_cast<std::ptrdiff_t>(block.vertices);
      Attribute& attribute = block.attributes.emplace_back();
      attribute.custom = heat_name;
      attribute.values = Array::own(std::vector<float>(row, end), 1);
      row = end;
    }
  }
  return heated;
}

std::vector<float> heat_of(const VertexBlock& block) {
  const auto found = std::ranges::find(block.attributes, heat_name, &Attribute::custom);
  if (found == block.attributes.end()) return std::vector<float>(block.vertices);
  return need(deform::blend_rows(*found, {}, block.vertices));
}

std::vector<float> weights_of(const Scene& scene, std::size_t instance, const deform::Prepared& prepared, std::size_t block, Index joint) {
  const deform::PackedBlock& packed = prepared.packed().blocks[block];
  std::vector<float> weights(packed.vertices, 0.0F);
  const Index skin = scene.instances()[instance].skin;
  if (!packed.skinned || skin == none) return weights;
  const std::vector<Index>& slots = scene.model().skins[skin].slots;
  for (std::size_t v = 0; v < packed.vertices; ++v)
    for (std::uint32_t i = packed.row_first[v]; i < packed.row_first[v + 1]; ++i)
      if (packed.slot[i] < slots.size() && slots[packed.slot[i]] == joint) weights[v] += packed.weight[i];
  return weights;
}

}  // namespace sinew::show

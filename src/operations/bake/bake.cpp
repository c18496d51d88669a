// SPDX-License-Identifier: MIT
#include "sinew/bake.hpp"

#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/check_pose.hpp"
#include "model/material_of.hpp"
#include "model/place.hpp"
#include "model/surfaces_of_blocks.hpp"
#include "operations/bake/bake_surface.hpp"
#include "operations/bake/baker.hpp"
#include "operations/bake/winding.hpp"

#include "sinew/deform.hpp"
#include "sinew/model.hpp"

namespace sinew::operations {
namespace {

/// The deformed rows of all instances.
Result<Moved> move(const Pose& pose, deform::SceneDeformer& deformer, std::size_t dimension, unsigned threads) {
  bool normals = false, tangents = false, corners = false, topologies = false;
  for (std::size_t i = 0; i < deformer.instances().size(); ++i) {
    const deform::Prepared& prepared = deformer.prepared(i);
    normals |= prepared.has_normals();
    tangents |= prepared.has_tangents();
    corners |= prepared.has_corner_normals();
    topologies |= prepared.has_topology_normals();
  }
  const auto rows = [](bool wanted, std::size_t count, std::size_t width) {
    return std::make_shared<std::vector<float>>(wanted ? count * width : 0);
  };
  const auto view = [](std::vector<float>& values, std::size_t width) {
    return values.empty() ? strided_view<float>() : strided_view<float>(values.data(), values.size() / width, width);
  };
  const std::size_t vertices = deformer.vertices();
  Moved moved{rows(true, vertices, dimension), rows(normals, vertices, dimension), rows(tangents, vertices, 4),
              rows(corners, deformer.corners(), dimension), rows(topologies, deformer.topology_corners(), dimension)};
  const deform::Output output{view(*moved.positions, dimension), view(*moved.normals, dimension), view(*moved.tangents, 4)};
  Result<> done = deformer.run(pose, output, threads);
  if (done && !moved.corner_normals->empty()) done = deformer.run_corner_normals(pose, view(*moved.corner_normals, dimension), threads);
  if (done && !moved.topology_normals->empty())
    done = deformer.run_topology_normals(pose, view(*moved.topology_normals, dimension), threads);
  if (!done) return Unexpected(std::move(done.error()));
  return moved;
}

/// Returns the model without meshes: the nodes at the pose, with everything else that they carry.
Model stage(const Model& model, const Pose& pose) {
  Model baked;
  baked.dimension = model.dimension;
  baked.format = model.format;
  baked.revision = model.revision;
  baked.generator = model.generator;
  baked.nodes = model.nodes;
  for (Node& node : baked.nodes) node.mesh = node.skin = none;
  baked.materials = model.materials;
  baked.scenes = model.scenes;
  baked.default_scene = model.default_scene;
  baked.extensions_used = model.extensions_used;
  baked.extensions_required = model.extensions_required;
  baked.rest_pose.locals = pose.locals;
  baked.rest_pose.amounts.resize(model.nodes.size());
  baked.defects = model.defects;
  baked.source = model.source;
  return baked;
}

/// Returns the scene that gets the instances. It becomes the default scene, so that viewers open the requested one.
Scene& target_scene(Model& baked, Index wanted) {
  if (baked.scenes.empty()) {
    Scene& all = baked.scenes.emplace_back();
    for (Index n = 0; n < baked.nodes.size(); ++n)
      if (baked.nodes[n].parent == none) all.roots.push_back(n);
    baked.default_scene = 0;
  } else if (wanted != none) {
    baked.default_scene = wanted;
  } else if (baked.default_scene == none) {
    baked.default_scene = 0;
  }
  return baked.scenes[baked.default_scene];
}

/// The source of one baked instance.
struct InstanceOf {
  const Model& model;
  const Pose& pose;
  const deform::SceneDeformer& deformer;
  std::size_t number;
  const deform::Palette& palette;
};

Result<Mesh> bake_mesh(const InstanceOf& of, const Moved& moved) {
  const Model& model = of.model;
  const Instance& instance = of.deformer.instances()[of.number];
  const Mesh& from = model.meshes[instance.mesh];
  const Node& node = model.nodes[instance.node];
  const std::vector<double>& amounts = of.pose.amounts[instance.node];
  Mesh mesh;
  mesh.name = from.name.empty() ? node.name : from.name;
  mesh.source = from.source;
  const SurfacesOfBlocks surfaces = surfaces_of_blocks(from);
  const PackedMesh packed(of.deformer.prepared(of.number));
  std::vector<Winding> windings;
  std::size_t first = of.deformer.first(of.number), row = 0;
  for (std::size_t b = 0; b < from.blocks.size(); ++b) {
    const VertexBlock& block = from.blocks[b];
    windings.push_back(winding_of(packed, of.palette, row, block.vertices));
    mesh.blocks.push_back(bake_block({from, b, model.dimension, surfaces[b]}, moved, first, amounts, windings.back()));
    first += block.vertices;
    row += block.vertices;
  }
  std::size_t corner = of.deformer.first_corner(of.number), topology_corner = of.deformer.first_topology_corner(of.number);
  for (std::size_t s = 0; s < from.surfaces.size(); ++s) {
    auto surface = bake_surface({from, s, model.dimension, corner, topology_corner}, moved, amounts, windings[from.surfaces[s].block]);
    if (!surface) return Unexpected(std::move(surface.error()));
    surface->material = material_of(node, s, surface->material);
    corner += corner_count(from, from.surfaces[s], model.dimension);
    if (surface->topology) topology_corner += surface->topology->instances.size();
    mesh.surfaces.push_back(std::move(*surface));
  }
  return mesh;
}

}  // namespace

Result<Baker> Baker::create(const Model& model, const BakeOptions& options) SINEW_TRY {
  if (options.scene != none && options.scene >= model.scenes.size())
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, place_of(model),
                            format_text("found scene {}, expected one of the {} scenes", options.scene, model.scenes.size())));
  std::vector<Instance> list = need(instances(model, options.scene));
  if (auto defect = closure_defect(model, options.scene)) return Unexpected(std::move(*defect));
  deform::PrepareOptions channels;
  channels.normals = channels.tangents = true;
  channels.max_influences = options.max_influences;
  channels.keep_first = options.keep_first;
  channels.kernel = options.kernel;
  auto deformer = deform::SceneDeformer::create(model, std::move(list), channels);
  if (!deformer) return Unexpected(std::move(deformer.error()));
  Baker baker(model, options, std::move(*deformer));
  baker.rest_world_ = need(world_transforms(model, model.rest_pose));
  return baker;
}
SINEW_CATCH(place_of(model))

Result<Model> Baker::baked(const Pose& pose) {
  const Model& model = *model_;
  const auto moved = move(pose, deformer_, model.dimension, options_.threads);
  if (!moved) return Unexpected(moved.error());
  Model baked = stage(model, pose);
  Scene& scene = target_scene(baked, options_.scene);
  const std::vector<Affine> world = need(world_transforms(model, pose));
  deform::Palette palette;
  for (std::size_t i = 0; i < deformer_.instances().size(); ++i) {
    const Instance& instance = deformer_.instances()[i];
    if (auto posed = deform::palette(model, instance, world, rest_world_, palette); !posed) return Unexpected(std::move(posed.error()));
    const Node& from = model.nodes[instance.node];
    auto mesh = bake_mesh({model, pose, deformer_, i, palette}, *moved);
    if (!mesh) return Unexpected(std::move(mesh.error()));
    Node node;
    node.name = from.name.empty() ? mesh->name : from.name;
    node.mesh = static_cast<Index>(baked.meshes.size());
    node.visible = instance.visible;
    scene.roots.push_back(static_cast<Index>(baked.nodes.size()));
    baked.nodes.push_back(std::move(node));
    baked.meshes.push_back(std::move(*mesh));
    baked.rest_pose.locals.emplace_back();
    baked.rest_pose.amounts.emplace_back();
  }
  return baked;
}

Result<Model> Baker::at(const Pose& pose) SINEW_TRY {
  if (auto fits = check_pose(*model_, pose); !fits) return Unexpected(std::move(fits.error()));
  return baked(pose);
}
SINEW_CATCH(place_of(*model_))

Result<std::vector<float>> Baker::positions_at(const Pose& pose) SINEW_TRY {
  const std::size_t vertices = deformer_.vertices(), dimension = model_->dimension;
  std::vector<float> positions(vertices * dimension);
  if (auto done = deformer_.run(pose, {{positions.data(), vertices, dimension}, {}, {}}, options_.threads); !done)
    return Unexpected(std::move(done.error()));
  return positions;
}
SINEW_CATCH(place_of(*model_))

Result<Model> bake(const Model& model, const Pose& pose, const BakeOptions& options) SINEW_TRY {
  if (auto fits = check_pose(model, pose); !fits) return Unexpected(std::move(fits.error()));
  auto baker = Baker::create(model, options);
  return baker ? baker->at(pose) : Unexpected(std::move(baker.error()));
}
SINEW_CATCH(place_of(model))

}  // namespace sinew::operations

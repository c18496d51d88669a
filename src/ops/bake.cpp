// SPDX-License-Identifier: MIT
#include "sinew/bake.hpp"

#include <new>
#include <utility>

#include "base/catalogue.hpp"
#include "ops/bake_block.hpp"

#include "sinew/deform_scene.hpp"

namespace sinew::ops {
namespace {

Place place_of(const Model& model) { return {model.source ? model.source->file() : std::string(), std::nullopt, std::nullopt}; }

/// The deformed rows of all instances.
Result<Moved> move(const Model& model, const Pose& pose, deform::SceneDeformer& deformer, unsigned threads) {
  const std::size_t vertices = deformer.vertices(), dimension = model.dimension;
  bool normals = false, tangents = false;
  for (std::size_t i = 0; i < deformer.instances().size(); ++i) {
    normals |= deformer.prepared(i).has_normals();
    tangents |= deformer.prepared(i).has_tangents();
  }
  const auto rows = [&](bool wanted, std::size_t width) { return std::make_shared<std::vector<float>>(wanted ? vertices * width : 0); };
  const auto view = [](std::vector<float>& values, std::size_t width) {
    return values.empty() ? strided_view<float>() : strided_view<float>(values.data(), values.size() / width, width);
  };
  Moved moved{rows(true, dimension), rows(normals, dimension), rows(tangents, 4)};
  const deform::Output output{view(*moved.positions, dimension), view(*moved.normals, dimension), view(*moved.tangents, 4)};
  if (auto done = deformer.run(pose, output, threads); !done) return Unexpected(std::move(done.error()));
  return moved;
}

/// The model without what is drawn: nodes at the pose, everything that may hang on them.
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
  baked.rest.locals = pose.locals;
  baked.rest.amounts.resize(model.nodes.size());
  baked.defects = model.defects;
  baked.source = model.source;
  return baked;
}

/// The scene that the instances join; it becomes the default one, so that whoever opens the result sees what was asked for.
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

/// The mesh of an instance, whose rows of `moved` start at `first`. `of_node`: what the node's transform asks for; joints override it.
Mesh bake_mesh(const Model& model, const Pose& pose, const Instance& instance, const Moved& moved, std::size_t first, Winding of_node) {
  const Mesh& from = model.meshes[instance.mesh];
  Mesh mesh;
  mesh.name = from.name.empty() ? model.nodes[instance.node].name : from.name;
  mesh.source = from.source;
  mesh.surfaces = from.surfaces;
  for (std::size_t b = 0; b < from.blocks.size(); ++b) {
    const VertexBlock& block = from.blocks[b];
    const bool skinned = instance.skin != none && !block.influences.empty();
    const Winding winding = skinned ? Winding::kept : of_node;
    mesh.blocks.push_back(bake_block({from, b, model.dimension}, moved, first, pose.amounts[instance.node], winding));
    if (winding == Winding::reversed)
      for (Surface& surface : mesh.surfaces)
        if (surface.block == b) reverse_simplexes(from, surface, model.dimension);
    first += block.vertices;
  }
  return mesh;
}

Result<Model> bake_instances(const Model& model, const Pose& pose, const BakeOptions& options) {
  std::vector<Instance> list = instances(model, options.scene);
  if (auto defect = closure_defect(model, options.scene)) return Unexpected(std::move(*defect));
  deform::PrepareOptions channels;
  channels.normals = channels.tangents = true;
  channels.max_influences = options.max_influences;
  auto deformer = deform::SceneDeformer::create(model, std::move(list), channels);
  if (!deformer) return Unexpected(std::move(deformer.error()));
  const auto moved = move(model, pose, *deformer, options.threads);
  if (!moved) return Unexpected(moved.error());

  Model baked = stage(model, pose);
  Scene& scene = target_scene(baked, options.scene);
  const std::vector<Affine> world = world_transforms(model, pose);
  for (std::size_t i = 0; i < deformer->instances().size(); ++i) {
    const Instance& instance = deformer->instances()[i];
    const Winding of_node = determinant(world[instance.node]) < 0 ? Winding::reversed : Winding::kept;
    const Node& from = model.nodes[instance.node];
    Mesh mesh = bake_mesh(model, pose, instance, *moved, deformer->first(i), of_node);
    Node node;
    node.name = from.name.empty() ? mesh.name : from.name;
    node.mesh = static_cast<Index>(baked.meshes.size());
    node.visible = instance.visible;
    scene.roots.push_back(static_cast<Index>(baked.nodes.size()));
    baked.nodes.push_back(std::move(node));
    baked.meshes.push_back(std::move(mesh));
    baked.rest.locals.emplace_back();
    baked.rest.amounts.emplace_back();
  }
  return baked;
}

}  // namespace

Result<Model> bake(const Model& model, const Pose& pose, const BakeOptions& options) try {
  if (options.scene != none && options.scene >= model.scenes.size())
    return Unexpected(error<"SINEW_USAGE"_code>(
        Failure::usage, place_of(model), fmt::format("found scene {}, expected one of the {} scenes", options.scene, model.scenes.size())));
  return bake_instances(model, pose, options);
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, place_of(model)));
}

}  // namespace sinew::ops

// SPDX-License-Identifier: MIT
#include "sinew/bake.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <new>
#include <utility>

#include "base/catalogue.hpp"
#include "ops/bake_block.hpp"

namespace sinew::ops {
namespace {

Place place_of(const Model& model, const Entity& entity) {
  Place place;
  if (!model.source) return place;
  place.file = model.source->file();
  if (entity.source != SourceId::nowhere) place.pointer = model.source->pointer(entity.source);
  return place;
}

/// Meshes packed once for all their instances with palettes of equal length.
class PreparedMeshes {
 public:
  PreparedMeshes(const Model& model, const BakeOptions& options) : model_(model), options_(options) {}

  Result<deform::Prepared> of(const Instance& instance) {
    const bool skinned = instance.skin != none;
    const std::size_t slots = skinned ? model_.skins[instance.skin].slots.size() : 0;
    const Key key{instance.mesh, skinned, slots};
    if (const auto found = made_.find(key); found != made_.end()) return found->second;
    deform::PrepareOptions options;
    options.normals = true;
    options.tangents = model_.dimension == 3;
    options.max_influences = options_.max_influences;
    options.slots = slots;
    options.skinned = skinned;
    auto prepared = deform::prepare(model_.meshes[instance.mesh], model_.dimension, options);
    if (prepared) made_.emplace(key, *prepared);
    return prepared;
  }

 private:
  using Key = std::tuple<Index, bool, std::size_t>;
  const Model& model_;
  const BakeOptions& options_;
  std::map<Key, deform::Prepared> made_;
};

/// The deformed rows of all blocks of an instance.
Moved move(const deform::Prepared& prepared, const deform::Palette& palette, std::span<const double> amounts, unsigned threads) {
  const std::size_t vertices = prepared.vertices(), dimension = prepared.dimension();
  const auto rows = [&](bool wanted, std::size_t width) { return std::make_shared<std::vector<float>>(wanted ? vertices * width : 0); };
  const auto view = [](std::vector<float>& values, std::size_t width) {
    return strided_view<float>(values.data(), values.size() / width, width);
  };
  Moved moved{rows(true, dimension), rows(prepared.has_normals(), dimension), rows(prepared.has_tangents(), 4)};
  if (vertices == 0 || dimension == 0) return moved;
  deform::run_parallel(prepared, palette, amounts,
                       {view(*moved.positions, dimension), view(*moved.normals, dimension), view(*moved.tangents, 4)}, threads);
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

class Baker {
 public:
  Baker(const Model& model, const Pose& pose, const BakeOptions& options)
      : model_(model), pose_(pose), options_(options), prepared_(model, options) {}

  Result<Model> bake() {
    const std::vector<Instance> list = instances(model_, options_.scene);
    if (auto defect = closure_defect(model_, list)) return Unexpected(std::move(*defect));
    world_ = world_transforms(model_, pose_);
    rest_world_ = world_transforms(model_, model_.rest);
    Model baked = stage(model_, pose_);
    Scene& scene = target_scene(baked, options_.scene);
    for (const Instance& instance : list) {
      auto mesh = bake_instance(instance);
      if (!mesh) return Unexpected(std::move(mesh.error()));
      const Node& from = model_.nodes[instance.node];
      Node node;
      node.name = from.name.empty() ? mesh->name : from.name;
      node.mesh = static_cast<Index>(baked.meshes.size());
      node.visible = instance.visible;
      scene.roots.push_back(static_cast<Index>(baked.nodes.size()));
      baked.nodes.push_back(std::move(node));
      baked.meshes.push_back(std::move(*mesh));
      baked.rest.locals.emplace_back();
      baked.rest.amounts.emplace_back();
    }
    return baked;
  }

 private:
  Result<Mesh> bake_instance(const Instance& instance) {
    const Mesh& from = model_.meshes[instance.mesh];
    const Node& node = model_.nodes[instance.node];
    const auto prepared = prepared_.of(instance);
    if (!prepared) return Unexpected(prepared.error());
    if (auto made = deform::palette(model_, instance, world_, rest_world_, palette_); !made) return Unexpected(std::move(made.error()));
    const std::vector<double>& amounts = pose_.amounts[instance.node];
    const Moved moved = move(*prepared, palette_, amounts, options_.threads);
    if (auto finite = check_finite(instance, moved); !finite) return Unexpected(std::move(finite.error()));

    Mesh mesh;
    mesh.name = from.name.empty() ? node.name : from.name;
    mesh.source = from.source;
    mesh.surfaces = from.surfaces;
    const bool node_mirrors = determinant(world_[instance.node]) < 0;
    std::size_t first = 0;
    for (std::size_t b = 0; b < from.blocks.size(); ++b) {
      const VertexBlock& block = from.blocks[b];
      const bool skinned = instance.skin != none && !block.influences.empty();
      const Winding winding = node_mirrors && !skinned ? Winding::reversed : Winding::kept;
      mesh.blocks.push_back(bake_block({from, b, model_.dimension}, moved, first, amounts, winding));
      if (winding == Winding::reversed)
        for (Surface& surface : mesh.surfaces)
          if (surface.block == b) reverse_simplexes(from, surface, model_.dimension);
      first += block.vertices;
    }
    return mesh;
  }

  Result<> check_finite(const Instance& instance, const Moved& moved) const {
    const std::vector<float>& values = *moved.positions;
    const auto bad = std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
    if (bad == values.end()) return {};
    const auto vertex = static_cast<std::size_t>(bad - values.begin()) / model_.dimension;
    const Node& node = model_.nodes[instance.node];
    return Unexpected(error<"SINEW_RESULT_NOT_FINITE"_code>(Failure::input, place_of(model_, node), vertex, instance.node));
  }

  const Model& model_;
  const Pose& pose_;
  const BakeOptions& options_;
  PreparedMeshes prepared_;
  std::vector<Affine> world_, rest_world_;
  deform::Palette palette_;
};

}  // namespace

Result<Model> bake(const Model& model, const Pose& pose, const BakeOptions& options) try {
  if (options.scene != none && options.scene >= model.scenes.size())
    return Unexpected(
        error<"SINEW_USAGE"_code>(Failure::usage, place_of(model, Entity{}),
                                  fmt::format("found scene {}, expected one of the {} scenes", options.scene, model.scenes.size())));
  return Baker(model, pose, options).bake();
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, place_of(model, Entity{})));
}

}  // namespace sinew::ops

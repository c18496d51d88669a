// SPDX-License-Identifier: MIT
#include "operations/merge/join.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/edit_reporter.hpp"
#include "model/place.hpp"
#include "operations/merge/join_arrays.hpp"
#include "operations/merge/merge_rig.hpp"

namespace sinew::operations {

namespace {

bool is_near(const Affine& a, const Affine& b) {
  double size = 1;
  for (const double x : a.values()) size = std::max(size, std::abs(x));
  for (std::size_t i = 0; i < a.values().size(); ++i)
    if (std::abs(a.values()[i] - b.values()[i]) > 1e-5 * size) return false;  // float32 matrices of one bind pose differ by less
  return true;
}

class Joiner {
 public:
  Joiner(const Model& model, FindingSink& notes) : model_(model), notes_(notes) {}

  Result<Model> run(const std::string& skeleton) {
    auto rig = find_rig(model_, skeleton);
    if (!rig) return Unexpected(std::move(rig.error()));
    collect(*rig);
    if (nodes_.size() < 2) return std::move(model_);
    own_mesh();
    for (std::size_t i = 1; i < nodes_.size(); ++i) {
      if (auto done = add(nodes_[i]); !done) return Unexpected(std::move(done.error()));
      Node& node = model_.nodes[nodes_[i]];
      EditReporter(model_, notes_)
          .changed(node, format_text("the mesh of \"{}\" is joined to the mesh of \"{}\"", node.name, target().name));
      node.mesh = node.skin = none;
      node.materials.clear();
      model_.rest_pose.amounts[nodes_[i]].clear();
    }
    return std::move(model_);
  }

 private:
  [[nodiscard]] Node& target() { return model_.nodes[nodes_.front()]; }
  [[nodiscard]] Mesh& mesh() { return model_.meshes[target().mesh]; }

  void collect(const Rig& rig) {
    for (const Instance& instance : need(instances(model_))) {
      if (instance.skin == none || copy_of(model_, instance) != nullptr) continue;
      const std::vector<Index>& slots = model_.skins[instance.skin].slots;
      if (std::ranges::any_of(slots, [&](Index joint) { return std::ranges::binary_search(rig.joints, joint); }))
        nodes_.push_back(instance.node);
    }
  }

  /// Makes the target's mesh exclusive to its node, with its materials in the mesh instead of overrides.
  void own_mesh() {
    const Index shared = target().mesh;
    for (Index node = 0; node < model_.nodes.size(); ++node) {
      if (node == nodes_.front() || model_.nodes[node].mesh != shared) continue;
      Mesh copy = model_.meshes[shared];
      target().mesh = static_cast<Index>(model_.meshes.size());
      model_.meshes.push_back(std::move(copy));
      break;
    }
    put_materials(target(), mesh().surfaces);
    target().materials.clear();
  }

  static void put_materials(const Node& node, std::vector<Surface>& surfaces) {
    for (std::size_t s = 0; s < surfaces.size() && !node.materials.empty(); ++s) {
      const Index instead = node.materials[node.materials.size() == 1 ? 0 : std::min(s, node.materials.size() - 1)];
      if (instead != none) surfaces[s].material = instead;
    }
  }

  Result<> add(Index node) {
    Mesh piece = model_.meshes[model_.nodes[node].mesh];
    put_materials(model_.nodes[node], piece.surfaces);
    if (auto done = keep_in_place(node, piece); !done) return done;
    auto shapes = unite_shapes(node, piece);
    if (!shapes) return Unexpected(std::move(shapes.error()));
    renumber_shapes(piece, *shapes);
    if (model_.stores_values_by_corner()) return append_to_block(node, piece);
    const auto first = static_cast<Index>(mesh().blocks.size());
    for (VertexBlock& block : piece.blocks) mesh().blocks.push_back(std::move(block));
    for (Surface& surface : piece.surfaces) {
      surface.block += first;
      surface.source = SourceId::nowhere;
      mesh().surfaces.push_back(std::move(surface));
    }
    return {};
  }

  /// Moves the vertices to the target's bind pose and maps them to the slots of its skin.
  Result<> keep_in_place(Index node, Mesh& piece) {
    std::optional<Affine> moved;
    if (model_.binds_by_stored_pose()) {
      const Affine here = affine_of(model_.dimension, model_.rest_pose.locals[node]);
      const auto back = inverse(affine_of(model_.dimension, model_.rest_pose.locals[nodes_.front()]));
      if (!back) return refused(target(), "its transform has no inverse");
      moved = *back * here;
    } else {
      auto map = unite_skins(node, piece);
      if (!map) return Unexpected(std::move(map.error()));
      moved = std::move(*map);
    }
    if (!moved || is_near(*moved, Affine(model_.dimension))) return {};
    if (!transform(piece, *moved))
      return refused(model_.nodes[node], "its mesh has normals and is mirrored or unevenly scaled relative to the first mesh");
    return {};
  }

  [[nodiscard]] static Affine bind(const Skin& skin, std::size_t slot) {
    return skin.bind == Skin::Bind::matrices ? skin.joint_from_mesh[slot] : Affine(3);
  }

  /// glTF: adds the slots of the piece's skin to that of the target. Returns the transform for the vertices of the piece.
  Result<Affine> unite_skins(Index node, Mesh& piece) {
    Skin& ours = model_.skins[target().skin];
    const Skin theirs = model_.skins[model_.nodes[node].skin];
    Affine moved(3);
    if (ours.bind == Skin::Bind::stored_pose || theirs.bind == Skin::Bind::stored_pose)
      return refused(model_.nodes[node], "its skin has no bind matrices");
    std::vector<std::size_t> place(theirs.slots.size());
    const std::size_t own = ours.slots.size();
    std::unordered_map<Index, std::size_t> slot_of;
    for (std::size_t slot = 0; slot < own; ++slot) slot_of.try_emplace(ours.slots[slot], slot);
    bool known = false;
    for (std::size_t slot = 0; slot < theirs.slots.size(); ++slot) {
      const auto same = slot_of.find(theirs.slots[slot]);
      place[slot] = same == slot_of.end() ? own : same->second;
      if (place[slot] == own) continue;
      const auto back = inverse(bind(ours, place[slot]));
      if (!back) continue;
      const Affine map = *back * bind(theirs, slot);
      if (!known) moved = map;
      known = true;
      if (!is_near(moved, map))
        return refused(model_.nodes[node],
                       format_text("its bind pose differs from the bind pose of \"{}\" by more than one transform, first at \"{}\"",
                                   target().name, model_.nodes[theirs.slots[slot]].name));
    }
    const auto back = inverse(moved);
    if (!back) return refused(model_.nodes[node], "its bind pose has no inverse");
    std::vector<Affine> matrices;
    for (std::size_t slot = 0; slot < ours.slots.size(); ++slot) matrices.push_back(bind(ours, slot));
    for (std::size_t slot = 0; slot < theirs.slots.size(); ++slot) {
      if (place[slot] < own) continue;
      place[slot] = ours.slots.size();
      ours.slots.push_back(theirs.slots[slot]);
      matrices.push_back(bind(theirs, slot) * *back);
    }
    if (ours.slots.size() > 65535) return refused(model_.nodes[node], "the two skins together have more than 65535 joints");
    if (std::ranges::any_of(piece.blocks, [](const VertexBlock& block) { return block.influences.empty(); }))
      return refused(model_.nodes[node], "a primitive of its mesh has no joints, so its node places it");
    ours.bind = Skin::Bind::matrices;
    ours.joint_from_mesh = std::move(matrices);
    for (VertexBlock& block : piece.blocks)
      for (Influences::Set& set : block.influences.sets) set.joints = with_slots(set, place);
    return moved;
  }

  /// Maps each shape of the piece to a shape of the target; adds missing ones.
  Result<std::vector<Index>> unite_shapes(Index node, const Mesh& piece) {
    std::vector<Index> places;
    std::vector<double>& amounts = model_.rest_pose.amounts[nodes_.front()];
    const std::vector<double>& theirs = model_.rest_pose.amounts[node];
    const std::size_t before = mesh().shapes.size();
    std::unordered_map<std::string, Index> known;
    for (Index shape = 0; shape < before; ++shape) known.try_emplace(mesh().shapes[shape].name, shape);
    for (std::size_t s = 0; s < piece.shapes.size(); ++s) {
      const BlendShape& shape = piece.shapes[s];
      const auto [found, is_new] = known.try_emplace(shape.name, static_cast<Index>(mesh().shapes.size()));
      places.push_back(shape.name.empty() ? static_cast<Index>(mesh().shapes.size()) : found->second);
      if (is_new || shape.name.empty()) {
        mesh().shapes.push_back(shape);
        mesh().shapes.back().source = SourceId::nowhere;
        amounts.push_back(theirs[s]);
      } else if (amounts[places.back()] != theirs[s]) {
        return refused(model_.nodes[node], format_text("the amount of its blend shape \"{}\" is {}, but {} in \"{}\"", shape.name,
                                                       theirs[s], amounts[places.back()], target().name));
      }
    }
    if (auto done = extend_clips(node, before); !done) return Unexpected(std::move(done.error()));
    return places;
  }

  /// Adds rows for new shapes to the tracks of amounts.
  Result<> extend_clips(Index node, std::size_t before) {
    const std::vector<double>& amounts = model_.rest_pose.amounts[nodes_.front()];
    for (Clip& clip : model_.clips)
      for (Track& track : clip.tracks) {
        if (track.path != TrackPath::amounts) continue;
        if (track.node == node) return refused(model_.nodes[node], format_text("the animation \"{}\" moves its blend shapes", clip.name));
        if (track.node == nodes_.front() && amounts.size() > before)
          track.values =
              with_rows(track.values, before, std::span(amounts).subspan(before), track.interpolation == Interpolation::cubic_spline);
      }
    return {};
  }

  static void renumber_shapes(Mesh& piece, const std::vector<Index>& places) {
    for_each_attribute(piece, [&](Attribute& attribute) {
      for (Offsets& offsets : attribute.offsets) offsets.shape = places[offsets.shape];
    });
  }

  /// G4MF: a mesh has one array of vertices.
  Result<> append_to_block(Index node, Mesh& piece) {
    VertexBlock& block = mesh().blocks.front();
    for (const Mesh* side : {&std::as_const(mesh()), &std::as_const(piece)})
      for (const Surface& surface : side->surfaces)
        if (surface.primitive == Primitive::points)
          return refused(model_.nodes[node], "a surface of points draws all vertices of its mesh, so the mesh cannot be joined");
    const std::size_t first = block.vertices;
    append_vertices(block, piece.blocks.front());
    for (Surface& surface : piece.surfaces) {
      move_indices(surface, static_cast<std::uint32_t>(first));
      surface.source = SourceId::nowhere;
      mesh().surfaces.push_back(std::move(surface));
    }
    return {};
  }

  [[nodiscard]] Unexpected refused(const Node& node, std::string_view why) const {
    return Unexpected(
        error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(model_, node), format_text("\"{}\": {}", node.name, why)));
  }

  Model model_;
  FindingSink& notes_;
  std::vector<Index> nodes_;  ///< with the meshes to join; the first one keeps its mesh
};

}  // namespace

Result<Model> join_meshes(const Model& model, const std::string& skeleton, FindingSink& notes) SINEW_TRY {
  return Joiner(model, notes).run(skeleton);
}
SINEW_CATCH()

}  // namespace sinew::operations

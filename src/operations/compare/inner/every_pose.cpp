// SPDX-License-Identifier: MIT
#include "operations/compare/inner/every_pose.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <mutex>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "deform/bind.hpp"
#include "deform/packed.hpp"
#include "math/dimension.hpp"
#include "math/length.hpp"
#include "operations/compare/compare_sides.hpp"
#include "operations/compare/names_in_words.hpp"

namespace sinew::operations {

namespace {

/// Bound for the float32 rounding of palettes, weights and sums, relative to the sum of the sizes.
constexpr double float_rounding = 1.0 / (1 << 20);

/// Returns the maps of an instance in the order of a deform::Palette, with the mesh's own node at rest.
std::vector<SlotMap> slot_maps(const PosedMesh& mesh, const JointTree& tree, bool of_a) {
  const std::size_t n = mesh.model.dimension;
  std::vector<SlotMap> maps;
  const auto add = [&](Index node, const Affine& node_from_mesh) {
    SlotMap& map = maps.emplace_back();
    map.node = node;
    map.node_from_mesh = map.to.joint_from_node = node_from_mesh;
    if (node == none) return;
    const Follower& follower = of_a ? tree.follower_a(node) : tree.follower_b(node);
    map.to = {follower.joint, follower.joint_from_node * node_from_mesh};
  };
  const Index own = mesh.instance.node;
  if (mesh.instance.skin != none) {
    const Skin& skin = mesh.model.skins[mesh.instance.skin];
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      const Index node = skin.slots[slot];
      if (node == none)
        add(own, Affine(n));
      else if (const auto bind = deform::joint_from_mesh(mesh.model, skin, slot, own, mesh.rest_world))
        add(node, *bind);
      else  // a joint that is flat at rest does not move its vertices (deform::palette)
        add(skin.bind == Skin::Bind::skeleton_pose ? own : skin.frame, Affine(n));
    }
  }
  const Affine* const copy = copy_of(mesh.model, mesh.instance);
  add(own, copy != nullptr ? *copy : Affine(n));
  return maps;
}

/// Returns how far a map takes a point, with offsets, from the origin.
double distance_of(const Affine& map, const float* point, double offsets) {
  const std::size_t n = map.dimension();
  const double* const m = map.values().data();
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double value = m[n * n + i];
    for (std::size_t j = 0; j < n; ++j) value += m[j * n + i] * static_cast<double>(point[j]);
    squares += value * value;
  }
  if (offsets == 0) return std::sqrt(squares);
  double all = 0;
  for (std::size_t i = 0; i < n * n; ++i) all += m[i] * m[i];
  return std::sqrt(squares) + std::sqrt(all) * offsets;
}

double amount_at_rest(const PosedMesh& mesh, Index shape) {
  const std::vector<double>& amounts = mesh.model.rest_pose.amounts[mesh.instance.node];
  return shape < amounts.size() ? amounts[shape] - mesh.base_amounts[shape] : 0;
}

/// Returns whether a shape leaves a vertex where it is: most shapes of a face move few of all vertices.
template <class D>
bool keeps(D n, const float* offset) {
  return offset == nullptr || std::all_of(offset, offset + n, [](float value) { return value == 0; });
}

/// Returns whether vertices follow a node.
bool follow(const std::vector<SlotMap>& maps, const std::vector<bool>& used, Index node) {
  for (std::size_t slot = 0; slot < maps.size(); ++slot)
    if (used[slot] && maps[slot].node == node) return true;
  return false;
}

/// Returns whether a slot of the palette has a node.
bool is_joint(const PosedMesh& mesh, std::size_t slot) {
  if (mesh.instance.skin == none) return false;
  const std::vector<Index>& slots = mesh.model.skins[mesh.instance.skin].slots;
  return slot < slots.size() && slots[slot] != none;
}

}  // namespace

PoseProof::PoseProof(const PosedMesh& a, const PosedMesh& b, const PairedMesh& pairs, JointTree& tree)
    : a_(a),
      b_(b),
      mesh_a_(a.prepared, a.base_amounts),
      mesh_b_(b.prepared, b.base_amounts),
      pairs_(pairs),
      tree_(tree),
      maps_a_(slot_maps(a, tree, true)),
      maps_b_(slot_maps(b, tree, false)) {}

void PoseProof::add_reaches() {
  const auto add = [this](const PackedMesh& mesh, const std::vector<SlotMap>& maps, std::size_t row, bool of_a) {
    const PackedMesh::Vertex v = mesh.vertex(row);
    double offsets = 0;
    for (const auto& shapes : pairs_.shapes)
      if (const float* offset = mesh.offset(v, of_a ? shapes.first : shapes.second)) offsets += length_of({offset, a_.model.dimension});
    const float* const at = mesh.position(v);
    if (at == nullptr) return;
    mesh.for_each_influence(v, [&](std::size_t slot, double) {
      const SlotMap& map = maps[slot];
      const Index node = map.node == none || of_a ? map.node : tree_.nodes().a_of[map.node];
      if (node != none) tree_.reach(node, distance_of(map.node_from_mesh, at, offsets));
    });
  };
  for (const RowPair& rows : pairs_.rows) {
    add(mesh_a_, maps_a_, rows.a, true);
    add(mesh_b_, maps_b_, rows.b, false);
  }
}

EveryPose PoseProof::run(unsigned threads) {
  EveryPose result;
  result.why_not = obstacle();
  if (!bounded_) return result;
  std::mutex mutex;
  result.bound = result.difference = 0;
  parallel_for(pairs_.rows.size(), 1024, threads, [&](std::size_t first, std::size_t last) {
    double bound = 0, difference = 0;
    if (a_.model.dimension == 3)
      run_rows(FixedDimension<3>{}, first, last, bound, difference);
    else
      run_rows(a_.model.dimension, first, last, bound, difference);
    const std::lock_guard lock(mutex);
    result.bound = std::max(result.bound, bound);
    result.difference = std::max(result.difference, difference);
  });
  if (result.why_not.empty() && !std::isfinite(result.bound)) result.why_not = "the files have different joints above one joint";
  return result;
}

template <class D>
void PoseProof::run_rows(D n, std::size_t first, std::size_t last, double& bound, double& difference) const {
  TurnBound<D> turns(tree_.joints(), n);
  for (std::size_t i = first; i < last; ++i) {
    if (!pairs_.left_out.empty() && pairs_.left_out[i]) continue;
    const Bound<D> found = bound_of(pairs_.rows[i], turns);
    bound = std::max(bound, found.distance);
    difference = std::max(difference, found.difference);
  }
}

Index PoseProof::most_different_joint(const RowPair& rows) const {
  TurnBound<std::size_t> turns(tree_.joints(), a_.model.dimension);
  const PackedMesh::Vertex a = mesh_a_.vertex(rows.a), b = mesh_b_.vertex(rows.b);
  add(turns, a, mesh_a_.position(a), b, mesh_b_.position(b), false);
  const JointPlace joint = turns.most_different();
  return joint == at_world ? none : tree_.joints()[joint].a;
}

// Returns why the skeletons are not the same. `bounded_` stays true if there is a bound all the same.
std::string PoseProof::obstacle() {
  std::string why;
  const std::vector<bool> in_a = used_slots(a_.prepared), in_b = used_slots(b_.prepared);
  follow_own_ = follow(maps_a_, in_a, a_.instance.node) || follow(maps_b_, in_b, b_.instance.node);
  for (std::size_t slot = 0; slot < maps_a_.size(); ++slot) {
    const Index node = maps_a_[slot].node;
    if (!in_a[slot] || node == none) continue;
    if (tree_.nodes().b_of[node] == none && is_joint(a_, slot)) {
      bounded_ = false;
      return alone(a_, node, "first");
    }
    if (why.empty()) why = tree_.difference_above(node);
  }
  for (std::size_t slot = 0; slot < maps_b_.size(); ++slot) {
    const Index node = maps_b_[slot].node;
    if (!in_b[slot] || node == none) continue;
    if (!why.empty()) break;
    // A joint that only B has follows its parent, because poses of A do not move it.
    const Index node_a = tree_.nodes().a_of[node];
    why = node_a == none ? alone(b_, node, "second") : tree_.difference_above(node_a);
  }
  return why;
}

std::string PoseProof::alone(const PosedMesh& mesh, Index node, std::string_view file) {
  return format_text("{} of the {} file has no counterpart", node_in_words(node, mesh.model.nodes[node].name), file);
}

template <class D>
PoseProof::Bound<D> PoseProof::bound_of(const RowPair& rows, TurnBound<D>& turns) const {
  const PackedMesh::Vertex a = mesh_a_.vertex(rows.a), b = mesh_b_.vertex(rows.b);
  turns.clear();
  Bound<D> whole = bound_of(turns, a, mesh_a_.position(a), b, mesh_b_.position(b), false);
  bool differ = turns.differ();
  bool ready = mesh_a_.position(a) != nullptr && mesh_b_.position(b) != nullptr;  // the sums are those of all joints of both vertices
  const auto again = [&](const float* of_a, const float* of_b) {
    const bool all = of_a != nullptr && of_b != nullptr;
    if (all && ready)
      turns.restart();
    else
      turns.clear();
    ready = all;
    return bound_of(turns, a, of_a, b, of_b, true);
  };
  for (const auto& [shape_a, shape_b] : pairs_.shapes) {
    const float *offset_a = mesh_a_.offset(a, shape_a), *offset_b = mesh_b_.offset(b, shape_b);
    if (keeps(turns.dimension(), offset_a) && keeps(turns.dimension(), offset_b)) continue;
    const Bound<D> shape = again(offset_a, offset_b);
    differ |= turns.differ();
    whole.distance += shape.distance;
    whole.reach += shape.reach;
    whole.difference += shape.difference;
    if (const double amount = std::abs(amount_at_rest(a_, shape_a) - amount_at_rest(b_, shape_b)); amount != 0)
      whole.difference += amount * std::max(again(offset_a, nullptr).difference, again(nullptr, offset_b).difference);
  }
  if (whole.distance > 0 || differ) whole.distance += float_rounding * whole.reach;
  mesh_a_.for_each_influence(a, [&](std::size_t slot, double weight) {
    if (maps_a_[slot].node != none) whole.difference += std::abs(weight) * tree_.shift_above(maps_a_[slot].node);
  });
  return whole;
}

template <class D>
PoseProof::Bound<D> PoseProof::bound_of(TurnBound<D>& turns, PackedMesh::Vertex a, const float* of_a, PackedMesh::Vertex b,
                                        const float* of_b, bool offset) const {
  add(turns, a, of_a, b, of_b, offset);
  Bound<D> result = turns.finish();
  if (follow_own_) result.difference = std::max(result.difference, difference_at_own(a, of_a, b, of_b));
  return result;
}

// A mesh on a node of scale 0 is a point for the joint above. Poses can change the scale: compare in the mesh's own space.
double PoseProof::difference_at_own(PackedMesh::Vertex a, const float* of_a, PackedMesh::Vertex b, const float* of_b) const {
  std::array<double, max_dimension> sum{};
  const std::size_t n = a_.model.dimension;
  const auto add = [&](const PackedMesh& mesh, const std::vector<SlotMap>& maps, Index own, PackedMesh::Vertex v, const float* of,
                       double sign) {
    if (of == nullptr) return;
    mesh.for_each_influence(v, [&](std::size_t slot, double weight) {
      if (maps[slot].node != own) return;
      for (std::size_t i = 0; i < n; ++i) sum[i] += sign * weight * static_cast<double>(of[i]);
    });
  };
  add(mesh_a_, maps_a_, a_.instance.node, a, of_a, 1);
  add(mesh_b_, maps_b_, b_.instance.node, b, of_b, -1);
  double squares = 0;
  for (const double value : sum) squares += value * value;
  return squares == 0 ? 0 : std::sqrt(squares) * tree_.measure_of(a_.instance.node);
}

template <class D>
void PoseProof::add(TurnBound<D>& turns, PackedMesh::Vertex a, const float* of_a, PackedMesh::Vertex b, const float* of_b,
                    bool offset) const {
  if (of_a != nullptr)
    mesh_a_.for_each_influence(a, [&](std::size_t slot, double weight) { turns.add(true, maps_a_[slot].to, of_a, weight, offset); });
  if (of_b != nullptr)
    mesh_b_.for_each_influence(b, [&](std::size_t slot, double weight) { turns.add(false, maps_b_[slot].to, of_b, weight, offset); });
}

}  // namespace sinew::operations

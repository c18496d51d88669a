// SPDX-License-Identifier: MIT
#include "operations/optimize/quantize_positions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "document/json/json.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/MSFT_lod.hpp"
#include "math/extent.hpp"
#include "operations/compare/hidden_parts.hpp"
#include "operations/optimize/integers.hpp"

#include "sinew/deform.hpp"

namespace sinew::operations {

namespace {

/// Meshes and skins that share one conversion: p = center + step · q.
struct Group {
  std::vector<Index> meshes, skins, nodes;
  bool skinned = false, unskinned = false;
};

Attribute* positions_in(VertexBlock& block) {
  const auto found = std::ranges::find(block.attributes, Semantic::position, &Attribute::semantic);
  return found == block.attributes.end() ? nullptr : &*found;
}

class PositionQuantizer {
 public:
  PositionQuantizer(const StepInput& input, Model& model)
      : input_(input), model_(model), rest_world_(need(world_transforms(model, model.rest_pose))), world_(world_without_hiding(model)) {}

  std::size_t run() {
    find_fixed_nodes();
    std::size_t count = 0;
    for (Group& group : groups())
      if (is_possible(group)) count += quantize(group);
    return count;
  }

 private:
  /// Finds the nodes whose transform means more than the place of their mesh.
  void find_fixed_nodes() {
    fixed_.resize(model_.nodes.size());
    const auto fix = [&](std::uint64_t node) {
      if (node < fixed_.size()) fixed_[node] = true;
    };
    for (const Skin& skin : model_.skins) {
      for (const Index slot : skin.slots) fix(slot);
      fix(skin.frame);
      fix(skin.root_hint);
    }
    for (const Clip& clip : model_.clips)
      for (const Track& track : clip.tracks)
        if (track.path != TrackPath::amounts) fix(track.node);
    const std::vector<document::JsonValue> stored = document::list_of(input_.document->json().root()["nodes"]);
    for (Index i = 0; i < model_.nodes.size(); ++i) {
      const Node& node = model_.nodes[i];
      const bool kept = std::ranges::find(input_.options.keep, node.name) != input_.options.keep.end();
      if (!node.children.empty() || kept || hides(model_, i) || i >= stored.size() || stored[i]["camera"] || stored[i]["extensions"])
        fix(i);
      if (i < stored.size())  // they stand where their finest level stands
        for (const std::uint64_t level : gltf::levels_of_detail(stored[i])) fix(level);
    }
  }

  [[nodiscard]] std::vector<Group> groups() const {
    std::vector<std::size_t> group_of(model_.meshes.size());  // by mesh, joined where meshes share a skin
    std::iota(group_of.begin(), group_of.end(), std::size_t{0});
    std::vector<Index> mesh_of_skin(model_.skins.size(), none);
    for (const Node& node : model_.nodes) {
      if (node.mesh == none || node.skin == none) continue;
      if (mesh_of_skin[node.skin] == none) mesh_of_skin[node.skin] = node.mesh;
      const std::size_t from = group_of[node.mesh], to = group_of[mesh_of_skin[node.skin]];
      std::ranges::replace(group_of, from, to);
    }
    std::vector<Group> groups(model_.meshes.size());
    for (Index mesh = 0; mesh < model_.meshes.size(); ++mesh) groups[group_of[mesh]].meshes.push_back(mesh);
    for (Index skin = 0; skin < model_.skins.size(); ++skin)
      if (mesh_of_skin[skin] != none) groups[group_of[mesh_of_skin[skin]]].skins.push_back(skin);
    for (Index i = 0; i < model_.nodes.size(); ++i) {
      const Node& node = model_.nodes[i];
      if (node.mesh == none) continue;
      Group& group = groups[group_of[node.mesh]];
      group.nodes.push_back(i);
      (node.skin == none ? group.unskinned : group.skinned) = true;
    }
    return groups;
  }

  [[nodiscard]] bool is_possible(const Group& group) const {
    if (group.skinned == group.unskinned || !model_.skeletons.empty()) return false;
    if (group.unskinned && (group.nodes.size() != 1 || fixed_[group.nodes.front()])) return false;
    for (const Index node : group.nodes)
      if (model_.nodes[node].defect != none) return false;
    for (const Index index : group.skins) {
      const Skin& skin = model_.skins[index];
      if (skin.defect != none || (skin.bind != Skin::Bind::matrices && skin.bind != Skin::Bind::identity)) return false;
      if (std::ranges::find(skin.slots, none) != skin.slots.end()) return false;
    }
    for (const Index mesh : group.meshes) {
      if (model_.meshes[mesh].defect != none) return false;
      for (VertexBlock& block : model_.meshes[mesh].blocks) {
        const Attribute* const positions = positions_in(block);
        if (positions == nullptr || !can_store(positions->values) || positions->values.width() != 3) return false;
        if (group.skinned && block.influences.empty()) return false;
        for (const Offsets& offsets : positions->offsets)
          if (!offsets.values.empty() && !can_store(offsets.values)) return false;
      }
    }
    return true;
  }

  /// Integers of 16 bits can become smaller ones, which compress better.
  [[nodiscard]] bool can_store(const Array& values) const {
    const bool integers = values.type() == ComponentType::int16 || values.type() == ComponentType::uint16;
    return values.holds<float>() || (integers && input_.distance > 0 && input_.options.compression != OptimizeCompression::none);
  }

  std::size_t quantize(const Group& group) {
    measure(group);
    if (!(half_ > 0) || !std::isfinite(half_)) return 0;
    const double scale = largest_scale(group);
    const double most = input_.distance > 0 ? half_ * std::sqrt(3) / 2 * scale / input_.distance : 32768;
    if (most <= 127)
      store<std::int8_t>(group, 127);
    else if (most <= 32767)  // small integers compress better than large ones
      store<std::int16_t>(group, input_.options.compression == OptimizeCompression::none ? 32767 : std::ceil(most));
    else
      return 0;
    return group.meshes.size();
  }

  /// Finds the middle of the positions, and half of the largest size, offsets included.
  void measure(const Group& group) {
    Extent box;
    half_ = 0;
    for (const Index mesh : group.meshes)
      for (VertexBlock& block : model_.meshes[mesh].blocks) {
        const Attribute& positions = *positions_in(block);
        const std::vector<double> values = positions.values.read<double>();
        for (std::size_t i = 0; i < values.size(); ++i) box.add(i % 3, values[i]);
        for (const Offsets& offsets : positions.offsets)
          for (const double value : offsets.values.read<double>()) half_ = std::max(half_, std::abs(value));
      }
    for (std::size_t c = 0; c < 3; ++c) {
      center_[c] = (box.low[c] + box.high[c]) / 2;
      half_ = std::max(half_, (box.high[c] - box.low[c]) / 2);
    }
  }

  /// The largest factor from the mesh to the world, at rest and where a pose shows what is hidden.
  [[nodiscard]] double largest_scale(const Group& group) const {
    double largest = 0;
    for (const Index node : group.nodes) {
      deform::Palette palette(3);
      const Node& at = model_.nodes[node];
      if (!deform::palette(model_, {node, at.mesh, at.skin, true}, world_, rest_world_, palette))
        return std::numeric_limits<double>::infinity();
      for (std::size_t slot = 0; slot < palette.size(); ++slot) largest = std::max(largest, palette.map_size(slot).linear);
    }
    return largest;
  }

  /// Stores positions as integers from −`most` to `most`.
  template <class T>
  void store(const Group& group, double most) {
    const double step = half_ / most;
    for (const Index mesh : group.meshes)
      for (VertexBlock& block : model_.meshes[mesh].blocks) {
        Attribute& positions = *positions_in(block);
        std::vector<double> values = positions.values.read<double>();
        for (std::size_t i = 0; i < values.size(); ++i) values[i] -= center_[i % 3];
        positions.values = Array::own(rounded_to<T>(values, 1 / step), 3);
        for (Offsets& offsets : positions.offsets) store_offsets<T>(offsets, step);
      }
    std::array<double, 12> columns{step, 0, 0, 0, step, 0, 0, 0, step, center_[0], center_[1], center_[2]};
    const Affine conversion(3, columns);
    for (const Index skin : group.skins) convert(model_.skins[skin], conversion);
    if (group.unskinned) convert(model_.rest_pose.locals[group.nodes.front()], conversion, step);
  }

  // Sparse values stay real numbers: their rows would lack the alignment of vertex attributes.
  template <class T>
  static void store_offsets(Offsets& offsets, double step) {
    const std::vector<double> values = offsets.values.read<double>();
    if (!offsets.sparse()) {
      offsets.values = Array::own(rounded_to<T>(values, 1 / step), 3);
      return;
    }
    if (values.empty()) return;
    std::vector<float> scaled(values.size());
    std::ranges::transform(values, scaled.begin(), [&](double value) { return static_cast<float>(value / step); });
    offsets.values = Array::own(std::move(scaled), 3);
  }

  static void convert(Skin& skin, const Affine& mesh_from_stored) {
    if (skin.bind == Skin::Bind::identity) skin.joint_from_mesh.assign(skin.slots.size(), Affine(3));
    skin.bind = Skin::Bind::matrices;
    for (Affine& matrix : skin.joint_from_mesh) matrix = matrix * mesh_from_stored;
  }

  void convert(LocalTransform& local, const Affine& mesh_from_stored, double step) const {
    const Affine map = affine_of(3, local) * mesh_from_stored;
    local.translation.assign(map.values().subspan(9, 3));
    if (!local.basis.empty())
      local.basis.assign(map.values().first(9));
    else if (local.scale.empty())
      local.scale = {step, step, step};
    else
      for (double& factor : local.scale) factor *= step;
  }

  const StepInput& input_;
  Model& model_;
  const std::vector<Affine> rest_world_, world_;  ///< before any change; `world_`: with what is hidden at rest
  std::vector<bool> fixed_;                       ///< by node: its transform must not change
  std::array<double, 3> center_{};
  double half_ = 0;
};

}  // namespace

std::size_t quantize_positions(const StepInput& input, Model& model) { return PositionQuantizer(input, model).run(); }

}  // namespace sinew::operations

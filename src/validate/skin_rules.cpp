// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include "base/catalogue_model.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "document/container/capped_sink.hpp"
#include "math/dimension.hpp"
#include "math/extent.hpp"
#include "model/place.hpp"
#include "validate/influence_scan.hpp"
#include "validate/model_rules.hpp"

namespace sinew::validate {

namespace {

// Float32 bind matrices and a converter's rounding move a vertex by less than a thousandth of the mesh's size, which is not visible.
constexpr double rest_tolerance = 1e-3;
// If bounds are exceeded by less than their own size, engines enlarge them enough, or the mesh is in view anyway.
constexpr double bounds_slack = 1;
// If more slots than this have different maps at rest, trying more of them as the common map finds no better one.
constexpr std::size_t most_tries = 16;
// Up to this dimension all corners of a box are tried (16 corners), above it only its two ends.
constexpr std::size_t corner_dimensions = 4;

using Point = SmallVector<double, 4>;

// Calls `use` with corners of a slot's box.
template <class Use>
void each_corner(const SlotBoxes& boxes, std::size_t slot, Use use) {
  const std::size_t n = boxes.dimension();
  std::array<double, max_dimension> corner{};
  const std::size_t corners = n <= corner_dimensions ? std::size_t{1} << n : 2;
  for (std::size_t k = 0; k < corners; ++k) {
    for (std::size_t c = 0; c < n; ++c) {
      const bool top = n <= corner_dimensions ? (k >> c & 1) != 0 : k == 1;
      corner[c] = static_cast<double>(top ? boxes.high(slot)[c] : boxes.low(slot)[c]);
    }
    use(std::span<const double>(corner).first(n));
  }
}

double square(const Point& a) {
  double sum = 0;
  for (const double x : a) sum += x * x;
  return sum;
}

// Returns the largest distance between the images of a slot's box under two maps: the longest image under their difference.
double distance(const Affine& a, const Affine& b, const SlotBoxes& boxes, std::size_t slot) {
  Affine difference = a;
  for (std::size_t j = 0; j <= a.dimension(); ++j)
    for (std::size_t i = 0; i < a.dimension(); ++i) difference(i, j) -= b(i, j);
  double most = 0;
  Point image(boxes.dimension());
  each_corner(boxes, slot, [&](std::span<const double> corner) {
    difference.apply(corner, image);
    most = std::max(most, square(image));
  });
  return std::sqrt(most);
}

// Adds the bounds of a slot's box where the map takes it: each coordinate has its extremes at ends of the box's edges.
void add(const Affine& map, const SlotBoxes& boxes, std::size_t slot, Extent& to) {
  for (std::size_t i = 0; i < boxes.dimension(); ++i) {
    double least = map.translation(i), most = least;
    for (std::size_t j = 0; j < boxes.dimension(); ++j) {
      const double a = map(i, j) * double{boxes.low(slot)[j]}, b = map(i, j) * double{boxes.high(slot)[j]};
      least += std::min(a, b);
      most += std::max(a, b);
    }
    to.add(i, least, most);
  }
}

class SkinRules {
 public:
  SkinRules(const Model& model, FindingSink& sink) : model_(model), sink_(sink) {}
  void run();

 private:
  // All meshes of one skin together.
  struct Use {
    SlotBoxes slots;
    SlotBoxes whole;
    std::vector<Index> nodes;  // nodes with such a mesh
  };
  void scan();
  void check_mesh(const Mesh& mesh, const InfluenceScan& scan);
  void check_skin(Index index, const Use& use);
  void check_matrices(const Skin& skin);
  void check_unused(const Skin& skin, const Use& use);
  void check_rest(const Skin& skin, const Use& use, std::span<const Affine> maps);
  void check_bounds(const Use& use, std::span<const Affine> maps);
  void check_conflicts();
  [[nodiscard]] std::vector<Affine> maps_at_rest(const Skin& skin) const;
  [[nodiscard]] FindingPlace joint_place(const Skin& skin, std::size_t slot) const {
    return {format_text("{}/joints/{}", pointer_of(model_, skin.source), slot), static_cast<std::uint32_t>(skin.source)};
  }

  const Model& model_;
  document::CappedSink sink_;
  std::map<Index, Use> uses_;  // by skin
  std::vector<Affine> world_;
};

void SkinRules::run() {
  scan();
  // In G4MF the stored pose is the bind pose, even if an extension gives another one. Slots may have no joint; the reader checks them.
  if (model_.skins.empty() || model_.binds_by_stored_pose()) return;
  world_ = need(world_transforms(model_, model_.rest_pose));
  for (Index skin = 0; skin < model_.skins.size(); ++skin) {
    if (model_.skins[skin].defect != none) continue;
    check_matrices(model_.skins[skin]);
    if (const auto use = uses_.find(skin); use != uses_.end()) check_skin(skin, use->second);
  }
  check_conflicts();
}

void SkinRules::scan() {
  std::vector<std::optional<InfluenceScan>> scans(model_.meshes.size());
  WorkMeter work(model_.source ? model_.source->most_work() : std::numeric_limits<std::uint64_t>::max());
  InfluenceScans known(work);
  for (Index index = 0; index < model_.nodes.size(); ++index) {
    const Node& node = model_.nodes[index];
    if (node.defect != none || node.mesh == none || node.skin == none) continue;
    const Mesh& mesh = model_.meshes[node.mesh];
    if (mesh.defect != none || model_.skins[node.skin].defect != none) continue;
    auto& scan = scans[node.mesh];
    if (!scan) {
      scan = scan_influences(mesh, model_.dimension, known);
      check_mesh(mesh, *scan);
    }
    Use& use = uses_.try_emplace(node.skin, Use{SlotBoxes(model_.dimension), SlotBoxes(model_.dimension), {}}).first->second;
    use.slots.add(scan->slots);
    use.whole.add(scan->whole);
    use.nodes.push_back(index);
  }
}

void SkinRules::check_mesh(const Mesh& mesh, const InfluenceScan& scan) {
  for (const Surface& surface : mesh.surfaces) {
    const BlockInfluences& block = scan.blocks[surface.block];
    const bool one_block = mesh.blocks.size() == 1;  // G4MF: all surfaces share it
    if (one_block && &surface != mesh.surfaces.data()) break;
    const SourceId at = one_block && !mesh.blocks[0].influences.first.empty() ? mesh.source : surface.source;
    if (sink_.full()) return;
    if (block.weightless > 0 && !mesh.blocks[surface.block].influences.divide_by_sum)
      sink_.add(finding("SINEW_WEIGHTS_ZERO"_code, pointer_of(model_, at), block.weightless, block.vertices, block.first_weightless));
    if (block.many > 0)
      sink_.add(finding("SINEW_INFLUENCES_MANY"_code, pointer_of(model_, at), block.many, block.vertices, usual_influences, block.most,
                        usual_influences));
  }
}

void SkinRules::check_skin(Index index, const Use& use) {
  const Skin& skin = model_.skins[index];
  check_unused(skin, use);
  // A skin bound by the stored pose is at rest in its bind pose.
  if (skin.bind != Skin::Bind::matrices && skin.bind != Skin::Bind::identity) return;
  const std::vector<Affine> maps = maps_at_rest(skin);
  check_rest(skin, use, maps);
  check_bounds(use, maps);
}

void SkinRules::check_matrices(const Skin& skin) {
  std::size_t singular = 0, first = 0;
  for (std::size_t slot = 0; slot < skin.joint_from_mesh.size(); ++slot)
    if (!inverse(skin.joint_from_mesh[slot]) && singular++ == 0) first = slot;
  if (singular > 0) sink_.add(finding("SINEW_BIND_MATRIX_SINGULAR"_code, joint_place(skin, first), singular, first, skin.slots[first]));
}

void SkinRules::check_unused(const Skin& skin, const Use& use) {
  std::size_t unused = 0, first = 0;
  for (std::size_t slot = 0; slot < skin.slots.size(); ++slot)
    if (!use.slots.used(slot) && unused++ == 0) first = slot;
  if (unused > 0)
    sink_.add(finding("SINEW_JOINT_UNUSED"_code, joint_place(skin, first), unused, skin.slots.size(), first, skin.slots[first]));
}

// Returns the map of each slot in the rest pose.
std::vector<Affine> SkinRules::maps_at_rest(const Skin& skin) const {
  std::vector<Affine> maps;
  maps.reserve(skin.slots.size());
  for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
    const Affine& world_from_joint = world_[skin.slots[slot]];
    maps.push_back(skin.bind == Skin::Bind::matrices ? world_from_joint * skin.joint_from_mesh[slot] : world_from_joint);
  }
  return maps;
}

// In the bind pose all joints have the same map, which only places the mesh. So the map on which most joints agree is taken as that map,
// and the others are compared with it.
void SkinRules::check_rest(const Skin& skin, const Use& use, std::span<const Affine> maps) {
  if (!use.whole.has_box(0)) return;
  std::vector<std::size_t> slots;  // slots that move something
  for (std::size_t slot = 0; slot < maps.size(); ++slot)
    if (use.slots.has_box(slot)) slots.push_back(slot);
  struct Outcome {
    std::size_t apart = std::numeric_limits<std::size_t>::max();  // joints that differ
    std::size_t worst = 0;
    double farthest = 0;
    double size = 0;
  } best;
  for (std::size_t i = 0; i < std::min(slots.size(), most_tries); ++i) {
    const Affine& common = maps[slots[i]];
    Extent placed;
    add(common, use.whole, 0, placed);
    Outcome outcome{0, slots[i], 0, placed.diagonal(model_.dimension)};
    for (const std::size_t slot : slots) {
      const double moved = distance(maps[slot], common, use.slots, slot);
      outcome.apart += moved > rest_tolerance * outcome.size;
      if (moved > outcome.farthest) {
        outcome.farthest = moved;
        outcome.worst = slot;
      }
    }
    if (outcome.apart < best.apart) best = outcome;
    if (best.apart == 0) return;
  }
  if (slots.empty() || !std::isfinite(best.farthest) || !(best.size > 0)) return;
  sink_.add(finding("SINEW_BIND_NOT_REST"_code, joint_place(skin, best.worst), best.apart, slots.size(), best.worst, skin.slots[best.worst],
                    best.farthest, 100 * best.farthest / best.size));
}

// Renderers that cull by bounds use the stored ones, moved with the mesh's node.
void SkinRules::check_bounds(const Use& use, std::span<const Affine> maps) {
  if (!use.whole.has_box(0)) return;
  Extent skinned;
  for (std::size_t slot = 0; slot < maps.size(); ++slot)
    if (use.slots.has_box(slot)) add(maps[slot], use.slots, slot, skinned);
  for (const Index node : use.nodes) {
    Extent stored;
    add(world_[node], use.whole, 0, stored);
    double outside = 0;
    for (std::size_t c = 0; c < model_.dimension; ++c)
      outside = std::max({outside, stored.low[c] - skinned.low[c], skinned.high[c] - stored.high[c]});
    const double size = stored.diagonal(model_.dimension);
    if (sink_.full() || !std::isfinite(outside) || !(outside > bounds_slack * size)) continue;
    sink_.add(finding("SINEW_SKINNED_BOUNDS"_code, place_in(model_, model_.nodes[node].source), outside, size));
  }
}

// Two skins may bind a joint differently only by a map that is common to all joints: the placement of their meshes.
void SkinRules::check_conflicts() {
  struct First {
    Index skin = none;
    std::size_t slot = 0;
  };
  const auto bind = [&](const Skin& skin, std::size_t slot) {
    return skin.bind == Skin::Bind::matrices ? skin.joint_from_mesh[slot] : Affine(model_.dimension);
  };
  std::vector<First> first(model_.nodes.size());  // by node: the first skin that has it
  for (Index index = 0; index < model_.skins.size(); ++index) {
    const Skin& skin = model_.skins[index];
    if (skin.defect != none || (skin.bind != Skin::Bind::matrices && skin.bind != Skin::Bind::identity)) continue;
    const auto use = uses_.find(index);
    std::map<Index, std::optional<Affine>> between;  // by other skin: map between the meshes, by the first common joint; empty: reported
    for (std::size_t slot = 0; slot < skin.slots.size() && use != uses_.end(); ++slot) {
      First& known = first[skin.slots[slot]];
      if (known.skin == none) known = {index, slot};
      if (known.skin == index || !use->second.slots.has_box(slot)) continue;
      const auto mesh_from_joint = inverse(bind(model_.skins[known.skin], known.slot));
      if (!mesh_from_joint) continue;
      const Affine map = *mesh_from_joint * bind(skin, slot);
      const auto [other, is_new] = between.try_emplace(known.skin, map);
      if (is_new || !other->second) continue;
      Extent placed;
      add(map, use->second.whole, 0, placed);
      if (!(distance(map, *other->second, use->second.slots, slot) > rest_tolerance * placed.diagonal(model_.dimension)) || sink_.full())
        continue;
      sink_.add(finding("SINEW_BIND_CONFLICT"_code, joint_place(skin, slot), slot, skin.slots[slot], known.skin));
      other->second.reset();
    }
  }
}

}  // namespace

void check_skins(const Model& model, FindingSink& sink) { SkinRules(model, sink).run(); }

}  // namespace sinew::validate

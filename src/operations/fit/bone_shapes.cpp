// SPDX-License-Identifier: MIT
#include "operations/fit/bone_shapes.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "math/extent.hpp"
#include "operations/retarget/transfer.hpp"
#include "operations/skeletons/hierarchy.hpp"
#include "operations/weights/own_weights.hpp"

namespace sinew::operations::weights {

namespace {

constexpr std::size_t fewest_points = 8;  ///< of a surface around a bone

/// Returns the height of the lowest point of a patch.
double lowest(const Figure& figure, const Patch& patch) {
  double y = std::numeric_limits<double>::infinity();
  for (const std::uint32_t point : patch.points) y = std::min(y, figure.outer.points()[point][1]);
  return y;
}

Vec middle_of(const Extent& box) {
  Vec out{};
  for (std::size_t axis = 0; axis < 3; ++axis) out[axis] = (box.low[axis] + box.high[axis]) / 2;
  return out;
}

/// Returns the way from a bone to the middle of the box of points around it, across the bone.
Vec middle_of(const BoneShape& shape, std::span<const std::uint32_t> points, const OuterSurface& outer) {
  if (points.empty() || shape.bone.size() < 2) return {};
  Extent box;
  for (const std::uint32_t point : points) {
    const Vec& at = outer.points()[point];
    const Vec way = at - shape.axis_at(at);
    for (std::size_t axis = 0; axis < 3; ++axis) box.add(axis, way[axis]);
  }
  const Vec out = middle_of(box);
  Vec along{};
  for (std::size_t i = 1; i < shape.bone.size(); ++i) along = along + (shape.bone[i] - shape.bone[0]);
  const double square = dot(along, along);
  return square > 0 ? out - dot(out, along) / square * along : out;
}

/// Returns the middle of what is named eyes, in the height of the eyes of a figure.
std::optional<Vec> eyes_of(const Figure& figure) {
  Extent box;
  for (const RiggedSurface::Part& part : figure.rigged.parts)
    if (part.eyes)
      for (std::size_t vertex = part.first; vertex < part.last; ++vertex)
        for (std::size_t axis = 0; axis < 3; ++axis) box.add(axis, figure.rigged.surface.vertices[vertex][axis]);
  return box.empty() ? std::nullopt : std::optional(middle_of(box));
}

/// Returns the eyes of two heads.
std::optional<std::array<Vec, 2>> eyes_of(const Figure& wearer, const Figure& body) {
  const auto ours = eyes_of(wearer), theirs = eyes_of(body);
  if (!ours || !theirs) return std::nullopt;
  return std::array{*ours, *theirs};
}

bool is_of_chest(std::string_view bone) {
  return bone == "chest" || bone == "upperChest" || bone == "neck" || bone == "leftShoulder" || bone == "rightShoulder";
}

}  // namespace

Figure figure_of_body(const Model& body, const RiggedSurface& rigged, const OuterSurface& outer) {
  std::vector<Index> same(body.nodes.size());
  std::iota(same.begin(), same.end(), Index{0});
  return {body, rigged, outer, std::move(same)};
}

Vec BoneShape::axis_at(const Vec& point) const {
  Vec best = bone.front();
  double least = dot(point - best, point - best);
  for (std::size_t i = 1; i < bone.size(); ++i) {
    const Vec place = nearest_on_segment(point, bone.front(), bone[i]);
    const double distance = dot(point - place, point - place);
    if (distance < least) {
      least = distance;
      best = place;
    }
  }
  return best;
}

BoneShapes::BoneShapes(const Figure& body, const Figure& wearer) : body_(body), wearer_(wearer) {
  choose_bones();
  std::vector<Index> bones;
  for (Index node = 0; node < chosen_.size(); ++node)
    if (chosen_[node]) bones.push_back(node);
  const auto places = bones_of(body_.model, bones);
  for (std::size_t i = 0; i < bones.size(); ++i) shapes_[bones[i]].bone = places[i];
  fill(wearer_, &BoneShape::wearer);
  fill(body_, &BoneShape::body);
  const std::map<Index, std::string> names = human_names(body_.model);
  for (const auto& [node, name] : names)
    if (const auto shape = shapes_.find(node); shape != shapes_.end() && !name.starts_with("left") && !name.starts_with("right")) {
      shape->second.wearer_middle = middle_of(shape->second, shape->second.wearer.points, wearer_.outer);
      shape->second.body_middle = middle_of(shape->second, shape->second.body.points, body_.outer);
    }
  std::erase_if(shapes_, [](const auto& own) { return own.second.wearer.triangles.empty() || own.second.body.triangles.empty(); });
  for (const auto& [node, name] : names)
    if (shapes_.contains(node)) {
      if (name == "head") head_ = node;
      if (is_of_chest(name)) chest_bones_.push_back(node);
      if (name == "spine" || name == "hips") waist_bones_.push_back(node);
    }
}

Index BoneShapes::bone_of(const Model& model, std::span<const Index> twin, Index node) const {
  node = matched_at_or_above(model, twin, node);
  for (Index own = node == none ? none : twin[node]; own != none; own = body_.model.nodes[own].parent)
    if (chosen_[own]) return own;
  return none;
}

const BoneShape* BoneShapes::find(Index bone) const {
  const auto found = shapes_.find(bone);
  return found == shapes_.end() ? nullptr : &found->second;
}

const BoneShape* BoneShapes::prepare(Index bone) {
  const auto found = shapes_.find(bone);
  if (found == shapes_.end()) return nullptr;
  BoneShape& shape = found->second;
  if (shape.bone.size() == 1 && !shape.map)
    shape.map.emplace(wearer_.outer, shape.wearer, body_.outer, shape.body, SurfaceMap::Start::aligned,
                      bone == head_ ? eyes_of(wearer_, body_) : std::nullopt);
  if (std::ranges::find(chest_bones_, bone) != chest_bones_.end()) {
    if (!chest_) {
      chest_ = std::make_unique<Chest>(Chest{united(wearer_, &BoneShape::wearer, {}), united(body_, &BoneShape::body, {}), {}});
      if (lowest(wearer_, chest_->wearer) < lowest(body_, chest_->body)) chest_->body = united(body_, &BoneShape::body, waist_bones_);
      chest_->map.emplace(wearer_.outer, chest_->wearer, body_.outer, chest_->body, SurfaceMap::Start::in_place);
    }
    shape.chest = &*chest_->map;
  }
  return &shape;
}

/// Returns the surfaces around all bones of the chest as one; those of `beside` are there to be found, but have no points of their own.
Patch BoneShapes::united(const Figure& figure, Patch BoneShape::* patch, std::span<const Index> beside) const {
  std::set<std::uint32_t> points;
  std::set<Triangle> triangles;
  for (const Index bone : chest_bones_) {
    const Patch& own = shapes_.at(bone).*patch;
    points.insert(own.points.begin(), own.points.end());
    triangles.insert(own.triangles.begin(), own.triangles.end());
  }
  for (const Index bone : beside) triangles.insert((shapes_.at(bone).*patch).triangles.begin(), (shapes_.at(bone).*patch).triangles.end());
  Patch out{{triangles.begin(), triangles.end()}, {points.begin(), points.end()}, {}};
  out.tree.emplace(figure.outer.points(), out.triangles);
  return out;
}

/// Returns the bones of the body that the points of a figure follow; none for hidden points.
std::vector<Index> BoneShapes::bones_of_points(const Figure& figure) const {
  std::vector<Index> of_joint;
  for (const Index joint : figure.rigged.joints) of_joint.push_back(bone_of(figure.model, figure.twin, joint));
  std::vector<Index> out(figure.outer.points().size(), none);
  for (std::size_t point = 0; point < out.size(); ++point)
    if (const auto joint = figure.outer.joint(point); joint && figure.outer.shows(point)) out[point] = of_joint[*joint];
  return out;
}

std::vector<std::size_t> BoneShapes::points_at_bones(const Figure& figure) const {
  std::vector<std::size_t> counts(body_.model.nodes.size());
  for (const Index bone : bones_of_points(figure))
    if (bone != none) ++counts[bone];
  return counts;
}

/// Chooses the bones with a surface on both figures; the surface of other bones counts to the next one above.
void BoneShapes::choose_bones() {
  chosen_.assign(body_.model.nodes.size(), false);
  for (const Index node : wearer_.twin)
    if (node != none) chosen_[node] = true;
  matched_ = chosen_;
  while (true) {
    const auto ours = points_at_bones(wearer_), theirs = points_at_bones(body_);
    std::optional<Index> lowest;  // with too few points; below other such bones
    for (Index node = 0; node < chosen_.size(); ++node) {
      if (!chosen_[node] || (ours[node] >= fewest_points && theirs[node] >= fewest_points)) continue;
      if (!lowest || is_above(body_.model, *lowest, body_.model.nodes[node].parent)) lowest = node;
    }
    if (!lowest) return;
    chosen_[*lowest] = false;
  }
}

void BoneShapes::fill(const Figure& figure, Patch BoneShape::* patch) {
  const std::vector<Index> bone_at = bones_of_points(figure);
  for (std::uint32_t point = 0; point < bone_at.size(); ++point)
    if (const auto found = shapes_.find(bone_at[point]); found != shapes_.end()) (found->second.*patch).points.push_back(point);
  for (const Triangle& t : figure.outer.triangles()) {
    const std::set<Index> bones{bone_at[t[0]], bone_at[t[1]], bone_at[t[2]]};
    for (const Index bone : bones)
      if (const auto found = shapes_.find(bone); found != shapes_.end()) (found->second.*patch).triangles.push_back(t);
  }
  for (auto& [bone, shape] : shapes_) (shape.*patch).tree.emplace(figure.outer.points(), (shape.*patch).triangles);
}

}  // namespace sinew::operations::weights

// SPDX-License-Identifier: MIT
#include "operations/merge/grip.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "math/extent.hpp"
#include "model/local_of.hpp"
#include "model/place.hpp"
#include "operations/retarget/transfer.hpp"
#include "operations/retarget/turns.hpp"
#include "operations/weights/skinned_surface.hpp"
#include "operations/weights/vec.hpp"

namespace sinew::operations {

namespace {

using weights::Vec;
using weights::operator+, weights::operator-, weights::operator*;

constexpr double toward_knuckles = 0.8;  ///< the middle of a held handle, on the way from the wrist to the knuckles
constexpr double toward_palm = 0.2;      ///< and below that, relative to the same way
constexpr double palm = 0.4;             ///< its length relative to the forearm, if there are no fingers

/// Three directions at a right angle to each other.
using Axes = std::array<Vec, 3>;

Vec of_length_one(const Vec& v) { return weights::norm(v) > 0 ? (1 / weights::norm(v)) * v : v; }
Vec across(const Vec& v, const Vec& along) { return v - weights::dot(v, along) * along; }

/// The longest way of the clothes from their origin, the longest one across it, and the direction that makes them right-handed.
std::optional<Axes> ways_of(const Model& clothes, unsigned threads) {
  const auto scene = weights::DeformedScene::create(clothes, threads);
  if (!scene) return std::nullopt;
  Extent box;
  for (std::size_t i = 0; i < scene->list().size(); ++i)
    for (const Vec& p : scene->mesh(i).vertices)
      for (std::size_t axis = 0; axis < 3; ++axis) box.add(axis, p[axis]);
  if (box.empty()) return std::nullopt;
  const auto reach = [&](std::size_t axis) { return std::max(std::abs(box.low[axis]), std::abs(box.high[axis])); };
  std::array<std::size_t, 3> order{0, 1, 2};
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return reach(a) != reach(b) ? reach(a) > reach(b) : a < b; });
  Axes out{};
  for (std::size_t i = 0; i < 2; ++i) out[i][order[i]] = std::abs(box.low[order[i]]) > std::abs(box.high[order[i]]) * 1.001 ? -1 : 1;
  out[2] = weights::cross(out[0], out[1]);
  return out;
}

/// A hand at rest: where it holds things, the side of the thumb, and the way along the fingers.
struct Hand {
  Vec palm{};
  Axes axes{};
};

class HandOfBody {
 public:
  HandOfBody(const Model& body, Index hand, std::string side)
      : side_(std::move(side)), hand_(hand), body_(body), world_(need(world_transforms(body, body.rest()))) {
    for (const auto& [node, name] : human_names(body)) bones_[name] = node;
  }

  [[nodiscard]] std::optional<Hand> find() const {
    const Vec wrist = place(hand_);
    Vec knuckles{};
    std::size_t fingers = 0;
    for (const std::string_view finger : {"IndexProximal", "MiddleProximal", "RingProximal", "LittleProximal"})
      if (const auto found = bone(finger)) {
        knuckles = knuckles + *found;
        ++fingers;
      }
    const Index arm = body_.nodes[hand_].parent;
    if (fingers > 0)
      knuckles = (1.0 / static_cast<double>(fingers)) * knuckles;
    else if (arm != none)
      knuckles = wrist + palm * (wrist - place(arm));
    const Vec way = knuckles - wrist, along = of_length_one(way);
    Vec thumb = across(side_of_thumb(wrist), along);
    if (!(weights::norm(way) > 0) || !(weights::norm(thumb) > 0)) return std::nullopt;
    thumb = of_length_one(thumb);
    const Vec down = side_ == "right" ? weights::cross(thumb, along) : weights::cross(along, thumb);
    return Hand{wrist + toward_knuckles * way + toward_palm * weights::norm(way) * down, {thumb, along, weights::cross(thumb, along)}};
  }

 private:
  [[nodiscard]] Vec place(Index node) const {
    return {world_[node].translation(0), world_[node].translation(1), world_[node].translation(2)};
  }
  [[nodiscard]] std::optional<Vec> bone(std::string_view name) const {
    const auto found = bones_.find(side_ + std::string(name));
    if (found == bones_.end()) return std::nullopt;
    return place(found->second);
  }

  /// From the little finger to the index finger, else towards the thumb, else to the front: where a hand with a palm that looks down has
  /// it.
  [[nodiscard]] Vec side_of_thumb(const Vec& wrist) const {
    const auto index = bone("IndexProximal"), little = bone("LittleProximal");
    if (index && little) return *index - *little;
    for (const std::string_view name : {"ThumbProximal", "ThumbIntermediate", "ThumbMetacarpal", "ThumbDistal"})
      if (const auto thumb = bone(name)) return *thumb - wrist;
    const auto left = bones_.find("leftUpperArm"), right = bones_.find("rightUpperArm"), hips = bones_.find("hips");
    if (left == bones_.end() || right == bones_.end() || hips == bones_.end()) return {};
    const Vec shoulders = place(left->second) - place(right->second);
    return weights::cross(shoulders, 0.5 * (place(left->second) + place(right->second)) - place(hips->second));
  }

  std::string side_;
  Index hand_;
  const Model& body_;
  std::vector<Affine> world_;
  std::map<std::string, Index> bones_;
};

/// Places the root nodes by a transform.
Model moved_roots(const Model& clothes, const Affine& by) {
  Model out = clothes;
  for (Index node = 0; node < out.nodes.size(); ++node)
    if (out.nodes[node].parent == none) out.rest_pose.locals[node] = local_of(by * affine_of(out.dimension, out.rest_pose.locals[node]));
  return out;
}

}  // namespace

Result<Model> held_by(const Model& body, Index hand, const Model& clothes, unsigned threads) {
  if (clothes.dimension != 3)
    return Unexpected(
        error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(clothes), "a hand holds things of three dimensions only"));
  const std::map<Index, std::string> names = human_names(body);
  const auto name = names.find(hand);
  const std::string bone = name == names.end() ? std::string() : name->second;
  if (bone != "leftHand" && bone != "rightHand")
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, place_of(body, body.nodes[hand]),
                            format_text("\"{}\" is not known as a hand of a humanoid, and --grip needs one", body.nodes[hand].name)));
  const auto ways = ways_of(clothes, threads);
  const auto held = HandOfBody(body, hand, bone.substr(0, bone.size() - 4)).find();
  const Affine own = need(world_transforms(body, body.rest()))[hand];
  const auto rigid = turn_of(own);
  if (!ways || !held || !rigid)
    return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(clothes),
                            "cannot be put into the hand: the part is empty, or the hand has no direction; merge without --grip"));
  Affine in_world(3), bone_world = rigid->rotation;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      double sum = 0;
      for (std::size_t k = 0; k < 3; ++k) sum += held->axes[k][row] * (*ways)[k][column];
      in_world(row, column) = sum;
    }
    in_world.translation(row) = held->palm[row];
    bone_world.translation(row) = own.translation(row);
  }
  return moved_roots(clothes, *inverse(bone_world) * in_world);
}

Model scaled(const Model& clothes, double factor) {
  Affine by(clothes.dimension);
  for (std::size_t i = 0; i < clothes.dimension; ++i) by(i, i) = factor;
  return moved_roots(clothes, by);
}

}  // namespace sinew::operations

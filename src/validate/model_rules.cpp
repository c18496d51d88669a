// SPDX-License-Identifier: MIT
#include "validate/model_rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>

#include "base/catalogue_model.hpp"
#include "base/message.hpp"
#include "document/container/capped_sink.hpp"
#include "model/place.hpp"

namespace sinew::validate {

namespace {

// Authoring tools write 1.0000001 for 1; from one percent on, the factor is intended.
constexpr double uniform_scale = 1.01;

struct BoneShapes {
  std::size_t bones = 0;
  std::size_t mirrored = 0;
  Index first_mirrored = none;
  std::size_t stretched = 0;
  Index most_stretched = none;
  double stretch = uniform_scale;
};

// Returns the ratio of the longest to the shortest axis of a local transform; 1 if an axis has length 0.
double stretch_of(const Affine& local) {
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (std::size_t column = 0; column < local.dimension(); ++column) {
    double square = 0;
    for (std::size_t row = 0; row < local.dimension(); ++row) square += local(row, column) * local(row, column);
    shortest = std::min(shortest, std::sqrt(square));
    longest = std::max(longest, std::sqrt(square));
  }
  return shortest > 0 && std::isfinite(longest) ? longest / shortest : 1;
}

void check_shapes(const Model& model, const std::vector<bool>& bones, FindingSink& sink) {
  BoneShapes found;
  for (Index node = 0; node < model.nodes.size(); ++node) {
    if (!bones[node]) continue;
    ++found.bones;
    const Affine local = affine_of(model.dimension, model.rest_pose.locals[node]);
    if (determinant(local) < 0 && found.mirrored++ == 0) found.first_mirrored = node;
    const double stretch = stretch_of(local);
    found.stretched += stretch > uniform_scale;
    if (stretch > found.stretch) {
      found.stretch = stretch;
      found.most_stretched = node;
    }
  }
  if (found.mirrored > 0)
    sink.add(finding("SINEW_BONE_MIRRORED"_code, place_in(model, model.nodes[found.first_mirrored].source), found.mirrored, found.bones,
                     found.first_mirrored));
  if (found.stretched > 0)
    sink.add(finding("SINEW_BONE_SCALE_NON_UNIFORM"_code, place_in(model, model.nodes[found.most_stretched].source), found.stretched,
                     found.bones, found.most_stretched, found.stretch));
}

// Names are compared within one rig, because two characters of a scene may have the same names.
void check_duplicate_names(const Model& model, std::span<const Index> rig, std::vector<bool>& reported, document::CappedSink& sink) {
  std::unordered_map<std::string_view, Index> owners(rig.size());
  for (const Index node : rig) {
    if (node == none || model.nodes[node].name.empty()) continue;
    const auto [owner, is_new] = owners.emplace(model.nodes[node].name, node);
    if (is_new || owner->second == node || reported[node]) continue;
    reported[node] = true;
    if (sink.full()) return sink.drop();
    sink.add(finding("SINEW_BONE_NAME_DUPLICATE"_code, place_in(model, model.nodes[node].source), format_text("\"{}\"", owner->first),
                     owner->second));
  }
}

void check_names(const Model& model, const std::vector<bool>& bones, FindingSink& sink) {
  std::size_t count = 0, nameless = 0;
  Index first = none;
  for (Index node = 0; node < model.nodes.size(); ++node) {
    if (!bones[node]) continue;
    ++count;
    if (model.nodes[node].name.empty() && nameless++ == 0) first = node;
  }
  if (nameless > 0) sink.add(finding("SINEW_BONE_NAME_EMPTY"_code, place_in(model, model.nodes[first].source), nameless, count, first));
  document::CappedSink capped(sink);
  std::vector<bool> reported(model.nodes.size());
  for (const Skeleton& skeleton : model.skeletons)
    if (skeleton.defect == none) check_duplicate_names(model, skeleton.joints, reported, capped);
  for (const Skin& skin : model.skins)
    if (skin.defect == none) check_duplicate_names(model, skin.slots, reported, capped);
}

}  // namespace

void check_bones(const Model& model, FindingSink& sink) {
  const std::vector<bool> bones = bones_of(model);
  check_shapes(model, bones, sink);
  check_names(model, bones, sink);
}

void check_model(const Model& model, FindingSink& sink) {
  check_bones(model, sink);
  check_skins(model, sink);
  check_boxes(model, sink);
}

}  // namespace sinew::validate

// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "document/json/json.hpp"
#include "document/schema/orphans.hpp"
#include "document/schema/reader.hpp"
#include "g4mf/write/update.hpp"
#include "gltf/extensions/STAIK_skeletons.hpp"
#include "gltf/extensions/references.hpp"
#include "gltf/write/update.hpp"
#include "model/edit_reporter.hpp"
#include "operations/files/update.hpp"
#include "operations/optimize/joint_budget.hpp"
#include "operations/optimize/joint_slots.hpp"
#include "operations/optimize/pack/compact.hpp"
#include "operations/optimize/steps.hpp"
#include "operations/repair/repair_steps.hpp"

#include "sinew/geometry.hpp"

namespace sinew::operations {

namespace {

using document::Document;
using document::JsonValue;

/// Returns whether all keys of a track equal the rest pose. `rounded`: in single precision.
bool repeats_rest(const Model& model, const Track& track, bool rounded) {
  const std::vector<double> rest = resting_values(model, track), values = track.values.read<double>();
  if (rest.empty() || values.empty() || values.size() % rest.size() != 0) return false;
  if (track.path != TrackPath::amounts && track.values.width() != rest.size()) return false;
  const bool spline = track.interpolation == Interpolation::cubic_spline;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool tangent = spline && i / rest.size() % 3 != 1;
    const double wanted = tangent ? 0 : rest[i % rest.size()];
    if (rounded ? static_cast<float>(values[i]) != static_cast<float>(wanted) : values[i] != wanted) return false;
  }
  return true;
}

std::size_t remove_idle_tracks(Model& model, bool rounded) {
  std::size_t count = 0;
  for (Clip& clip : model.clips) {
    if (clip.defect != none) continue;
    std::vector<bool> idle;
    for (const Track& track : clip.tracks)
      idle.push_back(track.node < model.nodes.size() && model.nodes[track.node].defect == none && repeats_rest(model, track, rounded));
    count += remove_tracks(clip, std::move(idle));
  }
  return count;
}

/// Returns which nodes something other than their parent refers to. `gone`: flags of skins that do not count.
std::vector<bool> needed_nodes(const StepInput& input, const std::vector<bool>& gone) {
  const Model& model = input.model;
  std::vector<bool> needed(model.nodes.size());
  const auto need = [&](Index node) {
    if (node < needed.size()) needed[node] = true;
  };
  for (Index i = 0; i < model.skins.size(); ++i) {
    if (gone[i]) continue;
    for (const Index slot : model.skins[i].slots) need(slot);
    need(model.skins[i].frame);
    need(model.skins[i].root_hint);
  }
  for (const Skeleton& skeleton : model.skeletons) {
    for (const Index joint : skeleton.joints) need(joint);
    need(skeleton.node);
    need(skeleton.root);
  }
  for (const Clip& clip : model.clips)
    for (const Track& track : clip.tracks) need(track.node);
  const JsonValue root = input.document->json().root();
  // What follows from the model was asked above: children, joints, and nodes that clips move.
  const document::Property* const known[] = {&gltf::NodeObject::property("children"), &gltf::SkinObject::property("joints"),
                                             &gltf::SkinObject::property("skeleton"), &gltf::ChannelTargetObject::property("node"),
                                             &gltf::SceneObject::property("nodes")};
  document::visit_references(root, gltf::reference_scheme(), [&](const document::Property& row, std::uint64_t index) {
    if (row.reference == static_cast<std::uint8_t>(gltf::Reference::node) && std::ranges::find(known, &row) == std::end(known))
      need(static_cast<Index>(std::min<std::uint64_t>(index, none)));
  });
  std::size_t i = 0;
  for (const JsonValue node : root["nodes"].elements()) {
    if (i >= needed.size()) break;
    const Node& read = model.nodes[i];
    if (read.mesh != none || read.skin != none || read.bone || read.defect != none || node["camera"] || node["extensions"] ||
        node["extras"])
      needed[i] = true;
    if (std::ranges::find(input.options.keep, read.name) != input.options.keep.end()) needed[i] = true;
    ++i;
  }
  return needed;
}

/// A named node below a joint is a socket: programs attach things to it.
bool is_socket(const Model& model, Index node, const std::vector<bool>& joints) {
  if (model.nodes[node].name.empty()) return false;
  for (Index above = model.nodes[node].parent; above != none; above = model.nodes[above].parent)
    if (joints[above]) return true;
  return false;
}

/// Returns which nodes nothing needs: without children that stay, content, name in `keep`, or anything that refers to them.
std::vector<bool> empty_nodes(const StepInput& input, const std::vector<bool>& gone, const std::vector<bool>& joints) {
  const Model& model = input.model;
  const std::vector<bool> needed = needed_nodes(input, gone);
  std::vector<bool> empty(model.nodes.size());
  for (bool more = true; more;) {
    more = false;
    for (Index i = 0; i < model.nodes.size(); ++i) {
      if (empty[i] || needed[i] || is_socket(model, i, joints)) continue;
      if (!std::ranges::all_of(model.nodes[i].children, [&](Index child) { return empty[child]; })) continue;
      empty[i] = more = true;
    }
  }
  return empty;
}

/// The nodes and skins of a glTF document that prune removes.
class DeadParts {
 public:
  explicit DeadParts(const StepInput& input)
      : input_(input),
        nodes_(document::list_of(input.document->json().root()["nodes"])),
        skins_(document::list_of(input.document->json().root()["skins"])),
        gone_(std::max(skins_.size(), input.model.skins.size())) {
    const bool fixed = has_unknown_indices(*input.document);  // then all nodes stay
    find_unused_skins();
    for (int pass = 0;; ++pass) {
      find_joints();
      empty_ = fixed ? std::vector<bool>(input.model.nodes.size()) : empty_nodes(input, gone_, joints_);
      if (!keep_skins()) return;
      if (pass == most_passes) gone_.assign(gone_.size(), false);
    }
  }

  [[nodiscard]] const std::vector<bool>& nodes() const { return empty_; }
  [[nodiscard]] std::vector<bool> kept_skins() const {
    std::vector<bool> kept = gone_;
    kept.flip();
    return kept;
  }

 private:
  // A file without meshes is a skeleton for other files.
  void find_unused_skins() {
    const std::vector<Node>& nodes = input_.model.nodes;
    if (std::ranges::all_of(nodes, [](const Node& node) { return node.mesh == none; })) return;
    gone_.flip();
    document::visit_references(input_.document->json().root(), gltf::reference_scheme(),
                               [&](const document::Property& row, std::uint64_t index) {
                                 if (row.reference == static_cast<std::uint8_t>(gltf::Reference::skin) && index < gone_.size())
                                   gone_[index] = false;
                               });
  }

  void find_joints() {
    joints_.assign(input_.model.nodes.size(), false);
    for (Index i = 0; i < input_.model.skins.size(); ++i)
      for (const Index slot : input_.model.skins[i].slots)
        if (slot != none && !gone_[i]) joints_[slot] = true;
  }

  /// Keeps skins without which a joint that stays would be an empty node, or a strict skeleton would have no skin. Returns whether it kept
  /// one.
  bool keep_skins() {
    std::set<std::uint64_t> owners;
    const auto owner = [&](std::size_t skin) {
      return document::whole_number(skins_[skin]["extensions"][gltf::staik_extension]["skeleton_owner"]);
    };
    for (std::size_t i = 0; i < skins_.size(); ++i)
      if (const auto of = owner(i); of && !gone_[i]) owners.insert(*of);
    bool kept = false;
    for (std::size_t i = 0; i < skins_.size(); ++i) {
      if (!gone_[i]) continue;
      const auto of = owner(i);
      const bool last = of && owners.insert(*of).second;
      const bool needed = i < input_.model.skins.size() &&
                          std::ranges::any_of(input_.model.skins[i].slots, [&](Index slot) { return slot != none && becomes_empty(slot); });
      if (!last && !needed) continue;
      gone_[i] = false;
      kept = true;
    }
    return kept;
  }

  [[nodiscard]] bool becomes_empty(Index index) const {
    const Node& node = input_.model.nodes[index];
    const JsonValue value = nodes_[index];
    return !empty_[index] && !joints_[index] && node.mesh == none && !value["camera"] && !value["extensions"] && !value["extras"] &&
           std::ranges::all_of(node.children, [&](Index child) { return empty_[child]; });
  }

  static constexpr int most_passes = 8;  ///< a kept skin may keep others; then all stay
  const StepInput& input_;
  std::vector<JsonValue> nodes_, skins_;
  std::vector<bool> gone_;    ///< skins
  std::vector<bool> joints_;  ///< nodes: of skins that stay
  std::vector<bool> empty_;   ///< nodes
};

void report(const Compacted& done, const EditReporter& reporter) {
  const auto say = [&](std::size_t count, const char* pointer, const char* one, const char* many) {
    if (count != 0) reporter.changed(pointer, "removed " + count_of(count, one, many));
  };
  say(done.nodes, "/nodes", "empty node", "empty nodes");
  say(done.channels, "/animations", "channel without effect", "channels without effect");
  say(done.samplers, "/animations", "sampler that was unused or equal to another one", "samplers that were unused or equal to another one");
  say(done.accessors, "/accessors", "accessor that was equal to another one", "accessors that were equal to another one");
}

/// Says which of the names to keep no node has: they are often mistyped.
std::string unknown_names(const StepInput& input) {
  std::vector<std::string> unknown;
  for (const std::string& name : input.options.keep)
    if (std::ranges::find(input.model.nodes, name, &Node::name) == input.model.nodes.end()) unknown.push_back('"' + name + '"');
  return unknown.empty() ? "" : format_text("--keep: no node is named {}", join_text(unknown, " or "));
}

}  // namespace

std::vector<double> resting_values(const Model& model, const Track& track) {
  const std::size_t n = model.dimension;
  const LocalTransform& local = model.rest_pose.locals[track.node];
  if (track.path == TrackPath::amounts) return model.rest_pose.amounts[track.node];
  if (!local.basis.empty()) return {};
  switch (track.path) {
    case TrackPath::translation:
      return local.translation.empty() ? std::vector<double>(n) : std::vector<double>(local.translation.begin(), local.translation.end());
    case TrackPath::scale:
      return local.scale.empty() ? std::vector<double>(n, 1) : std::vector<double>(local.scale.begin(), local.scale.end());
    case TrackPath::rotation:
    case TrackPath::amounts:
      break;
  }
  std::vector<double> rotor(local.rotor.begin(), local.rotor.end());
  if (rotor.empty()) {
    rotor.assign(rotor_size(n), 0);
    rotor.front() = 1;
  }
  if (!track.quaternions) return rotor;
  const auto quaternion = quaternion_from_rotor(std::span<const double, 4>(rotor.data(), 4));
  return {quaternion.begin(), quaternion.end()};
}

double last_time(const Track& track) {
  double time = 0;
  if (!track.times.empty()) track.times.read(track.times.size() - 1, 1, &time);
  return time;
}

std::size_t remove_tracks(Clip& clip, std::vector<bool> flags) {
  double end = 0;
  for (const Track& track : clip.tracks) end = std::max(end, last_time(track));
  const auto ends = [&](bool removed) {
    for (std::size_t i = 0; i < flags.size(); ++i)
      if (flags[i] == removed && last_time(clip.tracks[i]) == end) return i;
    return flags.size();
  };
  if (ends(false) == flags.size() && ends(true) != flags.size()) flags[ends(true)] = false;
  std::size_t i = 0;
  return static_cast<std::size_t>(std::erase_if(clip.tracks, [&](const Track&) { return flags[i++]; }));
}

Result<std::shared_ptr<const Document>> edited(const StepInput& input, const Model& after, FindingSink& changes,
                                               const std::vector<SplitPart>& parts) {
  auto document = input.revision ? g4mf::update(input.document, input.model, after, changes)
                                 : gltf::update(input.document, input.model, after, changes);
  if (document && !parts.empty()) document = with_copied_members(std::move(*document), parts);
  if (document && !input.revision && *document != input.document) {
    Compacted ignored;  // what this edit made unused
    document = compact(*document, std::vector<bool>(after.nodes.size()), ignored);
    if (document) document = split_views(*document);
  }
  if (!document) return document;
  return without_orphans(input.document.get(), std::move(*document), input.revision);
}

Result<StepResult> prune(const StepInput& input, FindingSink& changes) {
  const EditReporter reporter(changes);
  Model after = input.model;
  const std::size_t tracks = input.strict ? 0 : remove_idle_tracks(after, input.distance > 0);
  auto document = input.revision ? g4mf::update(input.document, input.model, after, changes)
                                 : gltf::update(input.document, input.model, after, changes);
  if (!document) return Unexpected(std::move(document.error()));
  if (tracks != 0)
    reporter.changed(input.revision ? "" : "/animations",
                     "removed " + count_of(tracks, "track that repeats the rest pose", "tracks that repeat the rest pose"));
  std::vector<bool> kept_skins;
  if (!input.revision) {
    Compacted done;
    const StepInput so_far{*document, after, {}, input.options};
    const DeadParts dead(so_far);
    kept_skins = dead.kept_skins();
    document = compact(*document, dead.nodes(), done);
    if (!document) return Unexpected(std::move(document.error()));
    document = split_views(*document);
    if (!document) return Unexpected(std::move(document.error()));
    done.channels -= std::min(done.channels, tracks);  // already reported
    report(done, reporter);
  }
  auto smaller = pruned(**document, input.revision, changes, kept_skins);
  if (!smaller) return Unexpected(std::move(smaller.error()));
  if (*smaller != nullptr) document = std::move(*smaller);
  if (!input.revision) document = shortened(*document, input.distance > 0);
  if (!document) return Unexpected(std::move(document.error()));
  return StepResult{std::move(*document), unknown_names(input)};
}

}  // namespace sinew::operations

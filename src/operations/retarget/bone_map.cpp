// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/ascii.hpp"
#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/bones.hpp"
#include "model/human_bones.hpp"
#include "model/place.hpp"
#include "model/trees.hpp"
#include "operations/bones/bone_names.hpp"
#include "operations/merge/merge_rig.hpp"
#include "operations/retarget/transfer.hpp"

#include "sinew/retarget.hpp"

namespace sinew::operations {

namespace {

using How = BonePair::How;

/// The humanoid's bones of one file: by VRM 1.0 name, the node and how it was found.
struct HumanNodes {
  std::map<std::string, Index, std::less<>> nodes;
  How how = How::humanoid;
};

/// Returns which nodes are bones that move a vertex, or move with a clip or carry a mesh, and those above them: what can have a
/// counterpart. (Clothes may have brought a second spine that moves nothing.) All nodes of a file without meshes can: its clip may move one
/// arm, and the names of the other bones tell which profile it uses.
std::vector<bool> possible_bones(const Model& model) {
  if (model.meshes.empty()) return std::vector<bool>(model.nodes.size(), true);
  std::vector<bool> possible = carrying_joints(model, bones_of(model));
  for (const Clip& clip : model.clips)
    for (const Track& track : clip.tracks)
      if (track.path != TrackPath::amounts && track.node < possible.size()) possible[track.node] = true;
  for (Index node = 0; node < possible.size(); ++node)
    if (model.nodes[node].mesh != none && model.nodes[node].skin == none) possible[node] = true;
  if (std::ranges::find(possible, true) == possible.end()) return std::vector<bool>(possible.size(), true);
  mark_above(model.nodes, possible);
  return possible;
}

/// A guessed profile may call another bone the hips (Rigify its first "spine"). Where a node is simply named "Hips", the bones of the trunk
/// are those with plain names.
void keep_plain_names(const Model& model, const std::vector<bool>& possible, HumanNodes& human) {
  std::map<std::string_view, Index> plain;
  for (const std::string_view bone : {"hips", "spine", "chest", "neck", "head"})
    for (Index node = 0; node < possible.size(); ++node)
      if (possible[node] && to_lower(model.nodes[node].name) == bone) plain.emplace(bone, node);
  const auto hips = plain.find("hips");
  if (hips == plain.end() || !human.nodes.contains("hips") || human.nodes.find("hips")->second == hips->second) return;
  std::erase_if(human.nodes, [&](const auto& known) {
    return plain.contains(known.first) || std::ranges::any_of(plain, [&](const auto& own) { return own.second == known.second; });
  });
  for (const auto& [bone, node] : plain) human.nodes.emplace(bone, node);
}

HumanNodes human_nodes(const Model& model, std::optional<BoneNames> profile) {
  HumanNodes out;
  for (const HumanBone& bone : model.avatar.bones)
    if (find_human_bone(bone.name) != nullptr) out.nodes.emplace(bone.name, bone.node);
  if (!out.nodes.empty()) return out;
  out.how = How::profile;
  const std::vector<bool> possible = possible_bones(model);
  std::vector<std::string> names;
  for (Index node = 0; node < possible.size(); ++node)
    if (possible[node]) names.push_back(model.nodes[node].name);
  constexpr std::size_t fewest = 6;  // fewer are chance: "head", "root"
  const BoneNameTable table(profile ? *profile : guess_bone_names(names));
  if (!profile && table.count(names) < fewest) return out;
  std::set<std::string, std::less<>> twice;
  for (Index node = 0; node < possible.size(); ++node) {
    if (!possible[node]) continue;
    const std::string bone(table.bone(model.nodes[node].name));
    if (bone.empty() || find_human_bone(bone) == nullptr) continue;
    // Of two nodes with the name of a bone (a copy of the skeleton) the first one counts.
    out.nodes.emplace(bone, node);
  }
  if (!profile) keep_plain_names(model, possible, out);
  return out;
}

/// If one side has fewer bones of the spine, its last one is the counterpart of the other's last one.
void match_ends_of_spine(HumanNodes& a, HumanNodes& b) {
  const auto shorten = [](HumanNodes& one, const HumanNodes& other) {
    const auto upper = one.nodes.find("upperChest");
    if (upper == one.nodes.end() || other.nodes.contains("upperChest") || !other.nodes.contains("chest")) return;
    one.nodes["chest"] = upper->second;
    one.nodes.erase(upper);
  };
  shorten(a, b);
  shorten(b, a);
}

Unexpected refuse_line(const Model& model, std::string_view name, std::size_t count) {
  return Unexpected(error("RETARGET_MAP"_code, Failure::input, place_of(model), name, count));
}

Result<Index> only_node(const Model& model, std::string_view name) {
  Index found = none;
  std::size_t count = 0;
  for (Index node = 0; node < model.nodes.size(); ++node)
    if (model.nodes[node].name == name && ++count == 1) found = node;
  if (count != 1) return refuse_line(model, name, count);
  return found;
}

std::string bone_at(const HumanNodes& bones, Index node) {
  const auto found = std::ranges::find(bones.nodes, node, [](const auto& row) { return row.second; });
  return found == bones.nodes.end() ? std::string() : found->first;
}

/// Collects pairs; a node is in one pair.
class Pairs {
 public:
  Pairs(const Model& motion, const Model& target) : used_a_(motion.nodes.size()), used_b_(target.nodes.size()) {}

  void add(BonePair pair) {
    if (used_a_[pair.motion] || used_b_[pair.target]) return;
    used_a_[pair.motion] = used_b_[pair.target] = true;
    list_.push_back(std::move(pair));
  }
  [[nodiscard]] bool free(Index motion, Index target) const { return !used_a_[motion] && !used_b_[target]; }
  std::vector<BonePair> take() { return std::move(list_); }

 private:
  std::vector<bool> used_a_, used_b_;
  std::vector<BonePair> list_;
};

void pair_by_name(const Model& motion, const Model& target, Pairs& pairs) {
  const std::vector<bool> in_a = possible_bones(motion), in_b = possible_bones(target);
  std::map<std::string_view, std::vector<Index>> named;
  for (Index node = 0; node < in_b.size(); ++node)
    if (in_b[node] && !target.nodes[node].name.empty()) named[target.nodes[node].name].push_back(node);
  std::map<std::string_view, std::size_t> count;
  for (Index node = 0; node < in_a.size(); ++node)
    if (in_a[node]) ++count[motion.nodes[node].name];
  for (Index node = 0; node < in_a.size(); ++node) {
    const auto found = in_a[node] ? named.find(motion.nodes[node].name) : named.end();
    if (found != named.end() && found->second.size() == 1 && count[motion.nodes[node].name] == 1)
      pairs.add({{}, node, found->second.front(), How::name});
  }
}

}  // namespace

std::map<Index, std::string> human_names(const Model& model) {
  std::map<Index, std::string> names;
  for (const auto& [bone, node] : human_nodes(model, std::nullopt).nodes) names.emplace(node, bone);
  return names;
}

std::string_view to_string(How how) noexcept {
  constexpr std::string_view words[] = {"map", "humanoid", "profile", "name"};
  return words[static_cast<std::size_t>(how)];
}

std::span<const std::string_view> bone_profiles() noexcept { return bone_name_profiles(); }

Result<std::vector<BonePair>> pair_bones(const Model& motion, const Model& target, const RetargetOptions& options,
                                         std::span<const std::pair<std::string, std::string>> given) SINEW_TRY {
  std::optional<BoneNames> profile;
  if (options.names != "auto") {
    profile = bone_names_called(options.names);
    if (!profile)
      return Unexpected(
          error("SINEW_USAGE"_code, Failure::usage, {},
                format_text("unknown profile of names \"{}\"; expected auto, {}", options.names, join_text(bone_name_profiles(), ", "))));
  }
  HumanNodes a = human_nodes(motion, profile), b = human_nodes(target, profile);
  match_ends_of_spine(a, b);
  Pairs pairs(motion, target);
  for (const auto& [from, to] : given) {
    const auto node_a = only_node(motion, from), node_b = only_node(target, to);
    if (!node_a) return Unexpected(node_a.error());
    if (!node_b) return Unexpected(node_b.error());
    // One side knows the bone: its feet are feet, and its hips move the whole.
    const std::string bone_a = bone_at(a, *node_a), bone_b = bone_at(b, *node_b);
    const bool agree = bone_a.empty() || bone_b.empty() || bone_a == bone_b;
    pairs.add({!agree ? std::string() : bone_a.empty() ? bone_b : bone_a, *node_a, *node_b, How::map});
  }
  const How how = a.how == How::humanoid && b.how == How::humanoid ? How::humanoid : How::profile;
  for (const HumanBoneKind& kind : human_bones()) {
    const auto in_a = a.nodes.find(kind.name), in_b = b.nodes.find(kind.name);
    if (in_a != a.nodes.end() && in_b != b.nodes.end()) pairs.add({std::string(kind.name), in_a->second, in_b->second, how});
  }
  pair_by_name(motion, target, pairs);
  return pairs.take();
}
SINEW_CATCH()

}  // namespace sinew::operations

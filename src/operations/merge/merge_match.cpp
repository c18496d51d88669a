// SPDX-License-Identifier: MIT
#include "operations/merge/merge_match.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/place.hpp"
#include "operations/bones/bone_names.hpp"
#include "operations/merge/bone_prefixes.hpp"
#include "operations/skeletons/hierarchy.hpp"

#include "sinew/result.hpp"

namespace sinew::operations {

namespace {

/// The nodes in which names are searched.
class Candidates {
 public:
  void add(std::string_view name, Index node, bool joint) {
    if (name.empty()) return;
    Entry& entry = entries_[std::string(name)];
    if (entry.joint && !joint) return;  // a joint has priority over other nodes with the same name
    if (joint && !entry.joint) entry.nodes.clear();
    entry.joint = joint;
    if (std::ranges::find(entry.nodes, node) == entry.nodes.end()) entry.nodes.push_back(node);
  }
  [[nodiscard]] const std::vector<Index>* find(const std::string& name) const {
    const auto found = entries_.find(name);
    return found == entries_.end() ? nullptr : &found->second.nodes;
  }

 private:
  struct Entry {
    std::vector<Index> nodes;
    bool joint = false;
  };
  std::map<std::string, Entry> entries_;
};

/// By the name in the file or the new name.
bool is_kept_separate(const PlanOptions& options, const Model& clothes, const Match& match, Index node) {
  return std::ranges::any_of(options.keep_separate,
                             [&](const std::string& name) { return name == match.names[node] || name == clothes.nodes[node].name; });
}

class Matcher {
 public:
  Matcher(const Model& body, const Rig& rig, const Model& clothes, const PlanOptions& options)
      : body_(body), rig_(rig), clothes_(clothes), options_(options), renamed_(options.rename.begin(), options.rename.end()) {}

  Result<Match> run() {
    match_.twin.assign(clothes_.nodes.size(), none);
    match_.joint.assign(clothes_.nodes.size(), false);
    rigs_ = rigs_of(clothes_);
    for (const Rig& rig : rigs_)
      for (const Index joint : rig.joints) match_.joint[joint] = true;
    for (const Index node : options_.moved) match_.joint[node] = true;
    for (const Index node : options_.bones) match_.joint[node] = true;
    if (options_.attach != none && std::ranges::find(match_.joint, true) == match_.joint.end()) {
      for (const Node& node : clothes_.nodes) match_.names.push_back(node.name);
      return std::move(match_);
    }
    for (const Node& node : clothes_.nodes) match_.names.push_back(new_name(node.name));
    moves_ = carrying_joints(clothes_, match_.joint);
    for (const Index node : options_.moved) moves_[node] = true;
    collect_body();
    if (auto done = choose_profiles(); !done) return Unexpected(std::move(done.error()));
    taken_.assign(body_.nodes.size(), none);
    for (const bool joints : {true, false})
      for (Index node = 0; node < clothes_.nodes.size(); ++node)
        if (match_.joint[node] == joints)
          if (auto done = match(node); !done) return Unexpected(std::move(done.error()));
    match_prefixed();
    if (auto done = check_order(); !done) return Unexpected(std::move(done.error()));
    if (clothes_.binds_by_stored_pose()) match_skeletons();
    return std::move(match_);
  }

 private:
  [[nodiscard]] std::string new_name(const std::string& name) const {
    const auto found = renamed_.find(name);
    return found == renamed_.end() ? name : found->second;
  }

  [[nodiscard]] bool explicit_bones() const { return rig_.skeleton != none; }

  void collect_body() {
    in_body_.assign(body_.nodes.size(), false);
    for (const Index joint : rig_.joints) add_body(joint, true);
    if (explicit_bones()) return;  // only explicit bones count
    std::vector<Index> open = rig_.tops;
    while (!open.empty()) {
      const Index node = open.back();
      open.pop_back();
      if (body_.nodes[node].mesh == none) add_body(node, false);
      open.insert(open.end(), body_.nodes[node].children.begin(), body_.nodes[node].children.end());
    }
    for (Index up = rig_.container; up != none; up = body_.nodes[up].parent)
      if (body_.nodes[up].mesh == none) add_body(up, false);
  }

  void add_body(Index node, bool joint) {
    if (in_body_[node]) return;
    in_body_[node] = true;
    by_name_.add(body_.nodes[node].name, node, joint);
    if (joint) body_joint_names_.push_back(body_.nodes[node].name);
    body_nodes_.push_back({node, joint});
  }

  Result<> choose_profiles() {
    const bool humanoid = !body_.avatar.bones.empty() || !clothes_.avatar.bones.empty();
    if (options_.names.empty() && !humanoid) return {};
    std::vector<std::string> names;
    for (Index node = 0; node < clothes_.nodes.size(); ++node)
      if (match_.joint[node]) names.push_back(match_.names[node]);
    add_meanings_of_body();
    for (const HumanBone& bone : clothes_.avatar.bones) said_.emplace(bone.node, bone.name);
    if (options_.names.empty()) {
      constexpr std::size_t fewest = 6;  // fewer are chance: "head", "root"
      const BoneNames best = best_profile(names);
      if (said_.empty() && BoneNameTable(best).count(names) >= fewest) clothes_names_.emplace(best);
    } else if (options_.names == "auto") {
      clothes_names_.emplace(best_profile(names));
      pair_prefixed();
    } else if (const auto profile = bone_names_called(options_.names)) {
      clothes_names_.emplace(*profile);
    } else {
      const std::vector<std::string_view> known(bone_name_profiles().begin(), bone_name_profiles().end());
      const auto near = need(nearest_name(options_.names, known));
      return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {},
                              format_text("unknown naming scheme \"{}\"{}; expected auto, {}", options_.names,
                                          near ? format_text(" (did you mean {}?)", *near) : "", join_text(known, ", "))));
    }
    return {};
  }

  /// What the body's file says of a humanoid counts before names.
  void add_meanings_of_body() {
    if (!body_.avatar.bones.empty()) {
      for (const HumanBone& bone : body_.avatar.bones)
        if (in_body_[bone.node]) by_meaning_.add(bone.name, bone.node, std::ranges::binary_search(rig_.joints, bone.node));
      return;
    }
    const BoneNameTable table(guess_bone_names(body_joint_names_));
    for (const auto& [node, joint] : body_nodes_) by_meaning_.add(std::string(table.bone(body_.nodes[node].name)), node, joint);
  }

  /// Returns the profile with which most of these names match bones of the body.
  [[nodiscard]] BoneNames best_profile(const std::vector<std::string>& names) const {
    BoneNames best = guess_bone_names(names);
    const auto matches = [&](BoneNames profile) {  // bones, not names: "hand" and "wrist" are one
      const BoneNameTable table(profile);
      std::set<std::string_view> bones;
      for (const std::string& name : names)
        if (const std::string_view bone = table.bone(name); !bone.empty() && by_meaning_.find(std::string(bone)) != nullptr)
          bones.insert(bone);
      return bones.size();
    };
    auto most = matches(best);
    for (const std::string_view name : bone_name_profiles())
      if (const auto count = matches(*bone_names_called(name)); count > most) {
        best = *bone_names_called(name);
        most = count;
      }
    return best;
  }

  /// Pairs with the joints of the body first, then with its other nodes.
  void pair_prefixed() {
    std::vector<std::string> names;
    std::vector<Index> nodes;
    for (Index node = 0; node < clothes_.nodes.size(); ++node) {
      if (!match_.joint[node]) continue;
      names.push_back(match_.names[node]);
      nodes.push_back(node);
    }
    prefixed_.assign(clothes_.nodes.size(), none);
    for (const bool joints : {true, false}) {
      std::vector<std::string> known;
      std::vector<Index> known_nodes;
      for (const auto& [node, joint] : body_nodes_) {
        if (joint != joints) continue;
        known.push_back(body_.nodes[node].name);
        known_nodes.push_back(node);
      }
      const std::vector<Index> pairs = pair_without_prefixes(names, known);
      for (std::size_t i = 0; i < pairs.size(); ++i)
        if (pairs[i] != none && prefixed_[nodes[i]] == none) prefixed_[nodes[i]] = known_nodes[pairs[i]];
    }
  }

  [[nodiscard]] const std::vector<Index>* candidates(Index node) const {
    const std::string& name = match_.names[node];
    if (match_.joint[node] && name == clothes_.nodes[node].name) {  // a new name is that of a bone of the body
      const auto said = said_.find(node);
      const std::string meaning = said != said_.end() ? said->second : std::string(clothes_names_ ? clothes_names_->bone(name) : "");
      if (!meaning.empty())
        if (const auto* found = by_meaning_.find(meaning)) return found;
    }
    return by_name_.find(name);
  }

  Result<> match(Index node) {
    const std::string& name = match_.names[node];
    const bool joint = match_.joint[node];
    if (name.empty() || is_kept_separate(options_, clothes_, match_, node)) return {};
    if (!joint && (clothes_.nodes[node].mesh != none || explicit_bones())) return {};
    const std::vector<Index>* found = candidates(node);
    if (found == nullptr) return {};  // names without prefixes are paired after equal names
    if (found->size() > 1) {
      if (!joint) return {};
      constexpr std::size_t listed = 3;
      const std::span<const Index> first(found->data(), std::min(found->size(), listed));
      return refuse(node, format_text("the bone \"{}\" matches {} nodes of {}: {}{}; choose another name for it with --rename", name,
                                      found->size(), body_file(), join_text(first, ", "), found->size() > listed ? ", …" : ""));
    }
    Index& taken = taken_[found->front()];
    if (taken != none && !joint) return {};
    if (taken != none && match_.names[taken] != name) {  // two names of one meaning: a bone that moves nothing gives way
      if (!moves_[node]) return {};
      if (!moves_[taken]) match_.twin[std::exchange(taken, none)] = none;
    }
    if (taken != none) {
      return refuse(node,
                    format_text("\"{}\" and \"{}\" would both become \"{}\" of {}: rename one with --rename, or keep it apart with "
                                "--keep-separate",
                                clothes_.nodes[taken].name, clothes_.nodes[node].name, body_.nodes[found->front()].name, body_file()));
    }
    taken = node;
    match_.twin[node] = found->front();
    return {};
  }

  void match_prefixed() {
    for (Index node = 0; node < prefixed_.size(); ++node) {
      const Index twin = prefixed_[node];
      if (twin == none || match_.twin[node] != none || taken_[twin] != none || is_kept_separate(options_, clothes_, match_, node)) continue;
      taken_[twin] = node;
      match_.twin[node] = twin;
    }
  }

  // The nodes below a bone must also be below its counterpart, or they would move differently. Parts without a skin often lie side by side.
  Result<> check_order() {
    for (Index node = 0; node < clothes_.nodes.size(); ++node) {
      if (!match_.joint[node] || match_.twin[node] == none) continue;
      Index up = clothes_.nodes[node].parent;
      while (up != none && !(match_.joint[up] && match_.twin[up] != none)) up = clothes_.nodes[up].parent;
      if (up == none || is_above(body_, match_.twin[up], match_.twin[node])) continue;
      if (rig_.rigid && !is_above(body_, match_.twin[node], match_.twin[up])) continue;
      return refuse(node, format_text("\"{}\" is below \"{}\", but \"{}\" of {} is not below \"{}\"", match_.names[node], match_.names[up],
                                      body_.nodes[match_.twin[node]].name, body_file(), body_.nodes[match_.twin[up]].name));
    }
    return {};
  }

  // Pairs, regardless of their names, the skeleton nodes and the root nodes of the files.
  void match_skeletons() {
    for (const Rig& rig : rigs_)
      if (rig.skeleton != none) match_.twin[rig.container] = rig_.container;
    if (!clothes_.nodes.empty() && match_.twin.front() == none && clothes_.nodes.front().mesh == none) match_.twin.front() = 0;
  }

  [[nodiscard]] std::string body_file() const { return body_.source ? body_.source->file() : std::string("the body"); }

  [[nodiscard]] Unexpected refuse(Index node, std::string message) const {
    return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(clothes_, clothes_.nodes[node]), std::move(message)));
  }

  const Model& body_;
  const Rig& rig_;
  const Model& clothes_;
  const PlanOptions& options_;
  std::unordered_map<std::string, std::string> renamed_;  ///< by old name; the first of several counts
  Match match_;
  std::vector<Rig> rigs_;
  std::vector<bool> in_body_;
  std::vector<std::pair<Index, bool>> body_nodes_;
  std::vector<std::string> body_joint_names_;
  Candidates by_name_, by_meaning_;
  std::optional<BoneNameTable> clothes_names_;
  std::map<Index, std::string> said_;  ///< the humanoid's bones in the clothes' file
  std::vector<Index> prefixed_;  ///< by node of the clothes: the body's node with the same name without prefixes; empty: not requested
  std::vector<bool> moves_;      ///< by node of the clothes: a mesh or a clip needs it
  std::vector<Index> taken_;     ///< by node of the body: its counterpart in the clothes
};

/// Up to three names, quoted.
std::string first_names(const std::vector<std::string_view>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < 3; ++i) list += format_text("{}\"{}\"", i == 0 ? "" : ", ", names[i]);
  return names.size() > 3 ? list + ", …" : list;
}

/// Lists bones of the clothes with the nearest names of the body; if there are none, the first names of both.
std::string nearest_names(const Model& body, const Rig& rig, const std::vector<std::string_view>& bones) {
  constexpr std::size_t looked_at = 20, shown = 3;
  std::vector<std::string_view> known;
  for (const Index joint : rig.joints)
    if (!body.nodes[joint].name.empty()) known.push_back(body.nodes[joint].name);
  std::vector<std::string> near;
  for (std::size_t i = 0; i < bones.size() && i < looked_at && near.size() < shown; ++i)
    if (const auto found = need(nearest_name(without_namespace(bones[i]), known)))
      near.push_back(format_text("\"{}\" (nearest name: \"{}\")", bones[i], *found));
  if (!near.empty()) return join_text(near, ", ");
  return format_text("the bones are {}; those of the body are {}", first_names(bones), first_names(known));
}

}  // namespace

std::size_t matched_joints(const Match& match) {
  std::size_t count = 0;
  for (std::size_t node = 0; node < match.twin.size(); ++node) count += match.joint[node] && match.twin[node] != none ? 1 : 0;
  return count;
}

std::size_t matched_by_auto(const Model& body, const Rig& rig, const Model& clothes, const PlanOptions& options) {
  if (options.names == "auto") return 0;
  PlanOptions automatic = options;
  automatic.names = "auto";
  const auto match = match_bones(body, rig, clothes, automatic);
  return match ? matched_joints(*match) : 0;
}

namespace {

/// Returns whether a node of the clothes moves with the skeleton of the body: it or a node above it becomes a joint, or a node below one.
bool follows(const Model& body, const Rig& rig, const Model& clothes, const Match& match, Index node) {
  for (; node != none; node = clothes.nodes[node].parent)
    for (Index twin = match.twin[node]; twin != none; twin = body.nodes[twin].parent)
      if (std::ranges::binary_search(rig.joints, twin)) return true;
  return false;
}

/// Fails if none of the bones follows the body and none is kept separate.
Result<> check_bones(const Model& body, const Rig& rig, const Model& clothes, const Match& match, const PlanOptions& options,
                     std::span<const Index> nodes, const Place& place) {
  std::vector<std::string_view> bones;
  for (const Index node : nodes) {
    if (node == none) continue;
    if (is_kept_separate(options, clothes, match, node) || follows(body, rig, clothes, match, node)) return {};
    bones.push_back(match.names[node]);
  }
  if (bones.empty()) return {};
  std::string advice = options.names.empty() ? "use --names or --rename OLD=NEW" : "use --rename OLD=NEW";
  if (const std::size_t count = matched_by_auto(body, rig, clothes, options); count > 0)
    advice = format_text("--names auto matches {} of {}", count, std::ranges::count(match.joint, true));
  return Unexpected(error("SINEW_MERGE_NO_MATCH"_code, Failure::input, place, bones.size(),
                          body.source ? body.source->file() : std::string("the body"), nearest_names(body, rig, bones), advice));
}

}  // namespace

Result<> check_bends(const Rig& rig, const Model& clothes, const Match& match) {
  if (!rig.rigid) return {};
  const std::vector<bool> moves = carrying_joints(clothes, match.joint);
  const auto bones = std::ranges::count(moves, true);
  if (bones < 2) return {};
  return Unexpected(
      error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(clothes),
            format_text("{} bones bend these clothes, but the body has no skin: its parts are rigid, and cloth over them would "
                        "tear; skin the body in a modelling program first (a part on one bone, such as a hat, follows as it is)",
                        bones)));
}

Result<> check_matches(const Model& body, const Rig& rig, const Model& clothes, const Match& match, const PlanOptions& options) {
  if (auto done = check_bends(rig, clothes, match); !done) return done;
  std::vector<Index> bones;
  for (Index node = 0; node < clothes.nodes.size(); ++node)
    if (match.joint[node]) bones.push_back(node);
  if (auto done = check_bones(body, rig, clothes, match, options, bones, place_of(clothes)); !done) return done;
  for (const Node& node : clothes.nodes) {
    if (node.mesh == none || node.skin == none || clothes.skins[node.skin].defect != none) continue;
    const Skin& skin = clothes.skins[node.skin];
    if (auto done = check_bones(body, rig, clothes, match, options, skin.slots, place_of(clothes, node)); !done) return done;
  }
  return {};
}

Result<Match> match_bones(const Model& body, const Rig& body_rig, const Model& clothes, const PlanOptions& options) {
  return Matcher(body, body_rig, clothes, options).run();
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "ops/merge_match.hpp"

#include <algorithm>
#include <map>

#include "base/catalogue_edit.hpp"
#include "model/place.hpp"
#include "ops/bone_names.hpp"
#include "ops/hierarchy.hpp"

#include "sinew/names.hpp"

namespace sinew::ops {

namespace {

using edit::operator""_code;

/// The nodes that names are looked for among.
class Candidates {
 public:
  void add(std::string_view name, Index node, bool joint) {
    if (name.empty()) return;
    Entry& entry = entries_[std::string(name)];
    if (entry.joint && !joint) return;  // a joint is meant rather than what only has its name
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

class Matcher {
 public:
  Matcher(const Model& body, const Rig& rig, const Model& clothes, const MergeOptions& options)
      : body_(body), rig_(rig), clothes_(clothes), options_(options) {}

  Result<Match> run() {
    match_.twin.assign(clothes_.nodes.size(), none);
    match_.joint.assign(clothes_.nodes.size(), false);
    rigs_ = rigs_of(clothes_);
    for (const Rig& rig : rigs_)
      for (const Index joint : rig.joints) match_.joint[joint] = true;
    for (const Node& node : clothes_.nodes) match_.names.push_back(new_name(node.name));
    collect_body();
    if (auto done = choose_profiles(); !done) return Unexpected(std::move(done.error()));
    taken_.assign(body_.nodes.size(), none);
    for (const bool joints : {true, false})
      for (Index node = 0; node < clothes_.nodes.size(); ++node)
        if (match_.joint[node] == joints)
          if (auto done = match(node); !done) return Unexpected(std::move(done.error()));
    if (auto done = check_order(); !done) return Unexpected(std::move(done.error()));
    if (clothes_.format == "G4MF") match_skeletons();
    return std::move(match_);
  }

 private:
  [[nodiscard]] std::string new_name(const std::string& name) const {
    for (const auto& [from, to] : options_.rename)
      if (from == name) return to;
    return name;
  }

  [[nodiscard]] bool explicit_bones() const { return rig_.skeleton != none; }

  void collect_body() {
    in_body_.assign(body_.nodes.size(), false);
    for (const Index joint : rig_.joints) add_body(joint, true);
    if (explicit_bones()) return;  // only bones are bones
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
    if (options_.names.empty()) return {};
    std::vector<std::string> names;
    for (Index node = 0; node < clothes_.nodes.size(); ++node)
      if (match_.joint[node]) names.push_back(match_.names[node]);
    if (options_.names == "auto") {
      clothes_profile_ = guess_bone_names(names);
    } else if (const auto profile = bone_names_called(options_.names)) {
      clothes_profile_ = *profile;
    } else {
      const std::vector<std::string_view> known = bone_name_profiles();
      const auto near = nearest_name(options_.names, known);
      return Unexpected(
          error<"SINEW_USAGE"_code>(Failure::usage, {},
                                    fmt::format("unknown naming scheme \"{}\"{}; expected auto, {}", options_.names,
                                                near ? fmt::format(" (did you mean {}?)", *near) : "", fmt::join(known, ", "))));
    }
    const BoneNames profile = guess_bone_names(body_joint_names_);
    for (const auto& [node, joint] : body_nodes_) by_meaning_.add(human_bone(profile, body_.nodes[node].name), node, joint);
    return {};
  }

  [[nodiscard]] const std::vector<Index>* candidates(Index node) const {
    const std::string& name = match_.names[node];
    if (clothes_profile_ && match_.joint[node])
      if (const std::string meaning = human_bone(*clothes_profile_, name); !meaning.empty())
        if (const auto* found = by_meaning_.find(meaning)) return found;
    return by_name_.find(name);
  }

  Result<> match(Index node) {
    const std::string& name = match_.names[node];
    const bool joint = match_.joint[node];
    if (name.empty() || std::ranges::find(options_.keep_separate, name) != options_.keep_separate.end()) return {};
    if (!joint && (clothes_.nodes[node].mesh != none || explicit_bones())) return {};
    const std::vector<Index>* found = candidates(node);
    if (found == nullptr) return {};
    if (found->size() > 1) {
      if (!joint) return {};
      return refuse(node, fmt::format("the bone \"{}\" matches {} nodes of {}: {}; choose another name for it with --rename", name,
                                      found->size(), body_file(), fmt::join(*found, ", ")));
    }
    Index& taken = taken_[found->front()];
    if (taken != none) {
      if (!joint) return {};
      return refuse(node,
                    fmt::format("\"{}\" and \"{}\" would both become \"{}\" of {}: rename one with --rename, or keep it apart with "
                                "--keep-separate",
                                clothes_.nodes[taken].name, clothes_.nodes[node].name, body_.nodes[found->front()].name, body_file()));
    }
    taken = node;
    match_.twin[node] = found->front();
    return {};
  }

  // What hangs below a bone must hang below its twin too, or the two would move differently.
  Result<> check_order() {
    for (Index node = 0; node < clothes_.nodes.size(); ++node) {
      if (!match_.joint[node] || match_.twin[node] == none) continue;
      Index up = clothes_.nodes[node].parent;
      while (up != none && !(match_.joint[up] && match_.twin[up] != none)) up = clothes_.nodes[up].parent;
      if (up == none || is_above(body_, match_.twin[up], match_.twin[node])) continue;
      return refuse(node, fmt::format("\"{}\" is below \"{}\", but \"{}\" of {} is not below \"{}\"", match_.names[node], match_.names[up],
                                      body_.nodes[match_.twin[node]].name, body_file(), body_.nodes[match_.twin[up]].name));
    }
    return {};
  }

  // Whatever they are called: the skeleton itself, and the root of the file.
  void match_skeletons() {
    for (const Rig& rig : rigs_)
      if (rig.skeleton != none) match_.twin[rig.container] = rig_.container;
    if (!clothes_.nodes.empty() && match_.twin.front() == none && clothes_.nodes.front().mesh == none) match_.twin.front() = 0;
  }

  [[nodiscard]] std::string body_file() const { return body_.source ? body_.source->file() : std::string("the body"); }

  [[nodiscard]] Unexpected refuse(Index node, std::string message) const {
    return Unexpected(error<"SINEW_EDIT_REFUSED"_code>(Failure::input, place_of(clothes_, clothes_.nodes[node]), std::move(message)));
  }

  const Model& body_;
  const Rig& rig_;
  const Model& clothes_;
  const MergeOptions& options_;
  Match match_;
  std::vector<Rig> rigs_;
  std::vector<bool> in_body_;
  std::vector<std::pair<Index, bool>> body_nodes_;
  std::vector<std::string> body_joint_names_;
  Candidates by_name_, by_meaning_;
  std::optional<BoneNames> clothes_profile_;
  std::vector<Index> taken_;  ///< of each node of the body: whose twin it is
};

}  // namespace

Result<Match> match_bones(const Model& body, const Rig& body_rig, const Model& clothes, const MergeOptions& options) {
  return Matcher(body, body_rig, clothes, options).run();
}

}  // namespace sinew::ops

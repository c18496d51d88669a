// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <set>

#include "base/message.hpp"
#include "g4mf/revise/revise_nodes.hpp"
#include "g4mf/revise/revise_steps.hpp"
#include "g4mf/write/names.hpp"
#include "model/narrowed.hpp"

namespace sinew::g4mf {

namespace {

class JointSorter : SkinStep {
 public:
  explicit JointSorter(Reviser& reviser) : SkinStep(reviser), names_(reviser.old_root()), numbers_(nodes_.size()) {}

  Checked<> sort() {
    std::iota(numbers_.begin(), numbers_.end(), 0u);
    for (Index node = 0; node < nodes_.size(); ++node)
      if (tree_.skeletons[node]) skeletons_[node].joints = joints_of(node);
    const bool renumbered = has_child_first();
    if (renumbered) number_nodes();
    for (auto& [node, skeleton] : skeletons_) {
      sort_skeleton(node, skeleton);
      put_root_bone_first(node);
    }
    for (Index mesh = 0; mesh < meshes_.size(); ++mesh)
      if (auto done = revise_mesh(mesh); !done) return done;
    if (renumbered) move_nodes();
    return {};
  }

 private:
  struct Skeleton {
    std::vector<Index> joints;         ///< `none`: no such node
    std::vector<std::uint32_t> slots;  ///< the new slot of each joint; empty: unchanged
  };

  std::vector<Index> joints_of(Index node) const {
    std::vector<Index> joints;
    for (const JsonValue value : nodes_[node]["skeleton"]["joints"].elements()) {
      const Index joint = index_of(value);
      joints.push_back(joint < nodes_.size() ? joint : none);
    }
    return joints;
  }

  // Returns whether a listed bone has a smaller index than a listed ancestor.
  bool has_child_first() const {
    std::vector<bool> listed(nodes_.size());
    for (const auto& [node, skeleton] : skeletons_)
      for (const Index joint : skeleton.joints)
        if (joint != none) listed[joint] = true;
    std::vector<Index> largest(nodes_.size());  // largest index of a listed ancestor or of the node itself
    for (const Index node : tree_.downwards()) {
      const Index parent = tree_.parents[node];
      largest[node] = parent == none ? 0 : largest[parent];
      if (!listed[node]) continue;
      if (largest[node] > node) return true;
      largest[node] = node;
    }
    return false;
  }

  // Numbers parents before children, otherwise in the old order. Nodes in cycles come last.
  void number_nodes() {
    std::priority_queue<Index, std::vector<Index>, std::greater<>> open;
    for (Index i = 0; i < nodes_.size(); ++i)
      if (tree_.parents[i] == none) open.push(i);
    std::ranges::fill(numbers_, none);
    Index next = 0;
    while (!open.empty()) {
      const Index node = open.top();
      open.pop();
      numbers_[node] = next++;
      for (const Index child : tree_.children[node]) open.push(child);
    }
    for (Index& number : numbers_)
      if (number == none) number = next++;
  }

  [[nodiscard]] Index number_of(Index joint) const { return joint == none ? none : numbers_[joint]; }

  void sort_skeleton(Index node, Skeleton& skeleton) {
    const std::vector<Index>& joints = skeleton.joints;
    std::vector<Index> named;
    for (const Index joint : joints)
      if (joint != none) named.push_back(numbers_[joint]);
    if (std::ranges::is_sorted(named)) return;
    std::vector<std::uint32_t> order(joints.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, {}, [&](std::uint32_t slot) { return std::pair(number_of(joints[slot]), slot); });
    skeleton.slots.resize(joints.size());
    const std::vector<JsonValue> values = list_of(nodes_[node]["skeleton"]["joints"]);
    JsonEdit& list = *reviser_.element("nodes", node).find("skeleton")->find("joints");
    for (std::uint32_t slot = 0; slot < order.size(); ++slot) {
      skeleton.slots[order[slot]] = slot;
      list.at(slot) = JsonEdit(values[order[slot]]);
    }
    reviser_.changed(nodes_[node]["skeleton"]["joints"], "sorted the joints in ascending order and renumbered the groups of the skins");
  }

  void put_root_bone_first(Index node) {
    const std::vector<Index>& children = tree_.children[node];
    const auto is_bone = [&](Index child) { return static_cast<bool>(tree_.bones[child]); };
    const auto root = std::ranges::find_if(children, is_bone);
    if (root == children.end() || root == children.begin() || std::ranges::count_if(children, is_bone) != 1) return;
    const std::vector<JsonValue> values = list_of(nodes_[node]["children"]);
    JsonEdit& list = *reviser_.element("nodes", node).find("children");
    const auto place = static_cast<std::size_t>(std::ranges::find(values, *root, index_of) - values.begin());
    for (std::size_t i = place; i > 0; --i) list.at(i) = JsonEdit(values[i - 1]);
    list.at(0) = JsonEdit(values[place]);
    reviser_.changed(nodes_[node]["children"], "moved the only root bone to the first child of its skeleton");
  }

  /// The skin of a mesh under one skeleton.
  struct Variant {
    std::vector<std::uint32_t> groups;
    std::vector<std::string> names;
    std::vector<Index> users;
  };

  Checked<> revise_mesh(Index mesh) {
    const JsonValue skin = meshes_[mesh]["skin"];
    if (!skin.is(JsonKind::object)) return {};
    const std::vector<Index>& users = users_[mesh];
    const bool sorted = std::ranges::any_of(users, [&](Index user) { return !skeletons_[tree_.parents[user]].slots.empty(); });
    if (!sorted) return {};
    const Index accessor = index_of(skin["groups"]);
    if (accessor >= reviser_.reader().count(Reference::accessor)) return {};
    const Checked<Array>& groups = reviser_.accessors().array(accessor);
    if (!groups) return Refused(groups.error());
    if (auto taken = reviser_.reader().take(skin, groups->size() * (users.size() + 1), 4); !taken) return taken;
    const std::vector<std::uint32_t> old = groups->read<std::uint32_t>();
    std::vector<Variant> variants;
    for (const Index user : users) add_variant(variants, user, old, skin);
    for (std::size_t i = 0; i < variants.size(); ++i) {
      if (i > 0)
        if (auto taken = reviser_.take_copy(meshes_[mesh]); !taken) return taken;
      JsonEdit& target = i == 0 ? reviser_.element("meshes", mesh) : copy_for(mesh, variants[i].users);
      if (auto done = put(target, variants[i], old, groups->type(), skin); !done) return done;
    }
    return {};
  }

  void add_variant(std::vector<Variant>& variants, Index user, const std::vector<std::uint32_t>& old, JsonValue skin) {
    const Skeleton& skeleton = skeletons_[tree_.parents[user]];
    Variant variant{old, names_of(skin, skeleton), {user}};
    for (std::uint32_t& group : variant.groups)
      if (group < skeleton.slots.size()) group = skeleton.slots[group];
    for (Variant& known : variants)
      if (known.groups == variant.groups && known.names == variant.names) return known.users.push_back(user);
    variants.push_back(std::move(variant));
  }

  // Moves names with their groups. New slots between them get the name of their bone, or a numbered one.
  std::vector<std::string> names_of(JsonValue skin, const Skeleton& skeleton) const {
    std::vector<std::string> old;
    for (const JsonValue name : skin["groupNames"].elements()) old.push_back(name.string());
    if (skeleton.slots.empty() || old.empty()) return old;
    std::vector<std::string> names(std::max(old.size(), skeleton.slots.size()));
    for (std::size_t group = 0; group < old.size(); ++group)
      names[group < skeleton.slots.size() ? skeleton.slots[group] : group] = old[group];
    std::set<std::string> taken(old.begin(), old.end());
    while (!names.empty() && names.back().empty()) names.pop_back();
    for (std::size_t group = 0; group < skeleton.slots.size(); ++group) {
      const std::size_t slot = skeleton.slots[group];
      if (slot >= names.size() || !names[slot].empty() || group < old.size()) continue;
      const Index joint = skeleton.joints[group];
      std::string name = joint == none ? std::string() : nodes_[joint]["name"].string();
      for (std::size_t i = slot; name.empty() || !taken.insert(name).second; ++i) name = format_text("Group_{}", i);
      names[slot] = std::move(name);
    }
    return names;
  }

  JsonEdit& copy_for(Index mesh, const std::vector<Index>& users) {
    const std::size_t copy = reviser_.list("meshes").size();
    for (const Index user : users) {
      JsonEdit& node = reviser_.element("nodes", user);
      if (JsonEdit* const instance = node.find("meshInstance"); instance != nullptr)
        instance->set("mesh", JsonEdit::integer(copy));
      else
        node.set("mesh", JsonEdit::integer(copy));
    }
    reviser_.changed(meshes_[mesh],
                     format_text("mesh {} is a renamed copy of mesh {} for node {}, whose skeleton orders its joints differently", copy,
                                 mesh, users.front()));
    return reviser_.list("meshes").push_back(renamed_copy(meshes_[mesh], names_));
  }

  Checked<> put(JsonEdit& mesh, const Variant& variant, const std::vector<std::uint32_t>& old, ComponentType type, JsonValue skin) {
    JsonEdit& target = *mesh.find("skin");
    if (skin["groupNames"].size() != 0) set_names(target, "groupNames", variant.names);
    return variant.groups == old
               ? Checked<>()
               : set_accessor(target, "groups", reviser_.add(stored_as(fitting_type(variant.groups, type), variant.groups)));
  }

  // Renumbers all known references to nodes, then moves the nodes.
  void move_nodes() {
    std::vector<JsonEdit> moved(nodes_.size());
    for (Index i = 0; i < nodes_.size(); ++i) {
      JsonEdit& node = reviser_.element("nodes", i);
      renumber(node.find("children"));
      if (JsonEdit* const skeleton = node.find("skeleton")) renumber(skeleton->find("joints"));
      if (JsonEdit* const physics = node.find("physics"))
        if (JsonEdit* const trigger = physics->find("trigger")) renumber(trigger->find("nodes"));
      if (JsonEdit* const model = node.find("modelInstance"))
        if (JsonEdit* const added = model->find("nodeAdditionalChildren"))
          for (const std::string& name : added->keys()) renumber(added->find(name));
      moved[numbers_[i]] = node;
    }
    for (Index i = 0; i < nodes_.size(); ++i) reviser_.element("nodes", i) = std::move(moved[i]);
    reviser_.changed(reviser_.old_root()["nodes"], "nodes are renumbered, so that parents come before their bones");
    report_stale_extensions();
  }

  void renumber(JsonEdit* list) {
    if (list == nullptr || !list->is(JsonKind::array)) return;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Index node = index_of(list->at(i).source());
      if (node < numbers_.size() && numbers_[node] != node) list->at(i) = JsonEdit::integer(numbers_[node]);
    }
  }

  void report_stale_extensions() {
    std::set<std::string> seen;
    std::vector<JsonValue> open = {reviser_.old_root()};
    while (!open.empty()) {
      const JsonValue value = open.back();
      open.pop_back();
      for (const JsonMember member : value.members()) {
        if (member.key.equals("extras")) continue;
        if (!member.key.equals("extensions")) {
          open.push_back(member.value);
          continue;
        }
        for (const JsonMember extension : member.value.members())
          if (seen.insert(extension.key.string()).second)
            reviser_.losses().add(finding("SINEW_REVISE_STALE"_code, extension.value.place(), extension.key.string()));
      }
      for (const JsonValue element : value.elements()) open.push_back(element);
    }
  }

  Names names_;
  std::vector<Index> numbers_;  ///< the new index of each node
  std::map<Index, Skeleton> skeletons_;
};

}  // namespace

Checked<> sort_joints(Reviser& reviser) { return JointSorter(reviser).sort(); }

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "base/message.hpp"
#include "document/json/edit_members.hpp"
#include "math/length.hpp"
#include "operations/convert/vrm/conversion.hpp"

namespace sinew::operations::vrm {

namespace {

constexpr double no_limit = std::numeric_limits<double>::max();
constexpr double end_length = 0.07;  ///< metres: how far beyond a last bone VRM 0.x looks

/// The numbers of a group of bones, for each joint.
struct Swing {
  double radius = 0, stiffness = 1, gravity = 0, drag = 0;
  std::array<double, 3> down{0, -1, 0};
};

/// A chain of joints of VRM 1.0.
struct Chain {
  std::string name;
  std::vector<Index> joints;
  std::size_t group = 0;  ///< of SpringConversion::groups_
};

class SpringConversion {
 public:
  explicit SpringConversion(AvatarConversion& conversion)
      : conversion_(conversion), old_(conversion.old["secondaryAnimation"]), chain_of_(conversion.before.nodes.size(), none) {}

  std::optional<JsonEdit> run() {
    read_colliders();
    for (const JsonValue group : old_["boneGroups"].elements()) read_group(group);
    if (chains_.empty() && colliders_.size() == 0) return std::nullopt;
    JsonEdit made = JsonEdit::object();
    made.set("specVersion", JsonEdit::string("1.0"));
    if (colliders_.size() != 0) made.set("colliders", std::move(colliders_));
    if (collider_groups_.size() != 0) made.set("colliderGroups", std::move(collider_groups_));
    JsonEdit springs = JsonEdit::array();
    for (const Chain& chain : chains_) springs.push_back(spring_of(chain));
    if (springs.size() != 0) made.set("springs", std::move(springs));
    return made;
  }

 private:
  /// One group for each group of the file. VRM 1.0 has no empty ones.
  void read_colliders() {
    for (const JsonValue group : old_["colliderGroups"].elements()) {
      places_.push_back(none);
      const Index node = conversion_.node(group["node"]);
      JsonEdit members = JsonEdit::array();
      for (const JsonValue sphere : group["colliders"].elements()) {
        if (node == none) {
          conversion_.lost(group, "the colliders are lost: they have no node");
          break;
        }
        members.push_back(JsonEdit::integer(colliders_.size()));
        JsonEdit& collider = colliders_.push_back(JsonEdit::object());
        collider.set("node", JsonEdit::integer(node));
        JsonEdit shape = JsonEdit::object();
        shape.set("offset", document::numbers(local_vector(sphere["offset"])));
        shape.set("radius", JsonEdit::number(within(conversion_, sphere["radius"], 0, 0, no_limit)));
        collider.set("shape", JsonEdit::object()).set("sphere", std::move(shape));
      }
      if (members.size() == 0) continue;
      places_.back() = static_cast<Index>(collider_groups_.size());
      JsonEdit& made = collider_groups_.push_back(JsonEdit::object());
      if (const std::string& name = conversion_.before.nodes[node].name; !name.empty()) made.set("name", JsonEdit::string(name));
      made.set("colliders", std::move(members));
    }
  }

  void read_group(JsonValue group) {
    groups_.push_back(group);
    swings_.push_back(swing_of(group));
    for (const JsonValue bone : group["bones"].elements()) {
      const Index root = conversion_.node(bone);
      if (root == none) {
        if (!conversion_.broken) conversion_.lost(bone, "a chain is lost: it has no node");
        continue;
      }
      if (chain_of_[root] != none) {
        conversion_.lost(bone, format_text("node {} \"{}\" is in one chain only: in VRM 1.0 a node cannot swing in two", root,
                                           conversion_.before.nodes[root].name));
        continue;
      }
      std::vector<Index> starts{root};
      for (std::size_t i = 0; i < starts.size(); ++i) follow(starts[i], group["comment"].string(), starts);
    }
  }

  /// Makes the chain of first children. `starts` gets the other children: each starts its own chain.
  void follow(Index start, const std::string& comment, std::vector<Index>& starts) {
    Chain chain{comment.empty() ? conversion_.before.nodes[start].name : comment, {}, groups_.size() - 1};
    for (Index node = start; node != none;) {
      chain_of_[node] = static_cast<Index>(chains_.size());
      chain.joints.push_back(node);
      Index next = none;
      for (const Index child : conversion_.before.nodes[node].children) {
        if (chain_of_[child] != none) continue;
        if (next == none)
          next = child;
        else
          starts.push_back(child);
      }
      node = next;
    }
    chain.joints.push_back(add_end(chain.joints.back()));
    chains_.push_back(std::move(chain));
  }

  Index add_end(Index last) {
    const LocalTransform& local = conversion_.after.rest_pose.locals[last];
    LocalTransform end;
    end.translation.assign(std::array<double, 3>{0, end_length, 0});  // without a direction of its own
    const double length = length_of(local.translation);
    if (local.translation.size() == 3 && length > 0)
      for (std::size_t i = 0; i < 3; ++i) end.translation[i] = local.translation[i] / length * end_length;
    return conversion_.add_child(last, "_end", std::move(end));
  }

  Swing swing_of(JsonValue group) {
    Swing swing;
    swing.radius = within(conversion_, group["hitRadius"], 0, 0, no_limit);
    swing.stiffness = within(conversion_, group["stiffiness"], 1, 0, no_limit);
    swing.drag = within(conversion_, group["dragForce"], 0.4, 0, 1);
    const std::array<double, 3> gravity = local_vector(group["gravityDir"], {0, -1, 0});
    const double power = number_or(group["gravityPower"], 0), length = length_of(gravity);
    if (!(length > 0) || power == 0) {
      if (length > 0)
        for (std::size_t i = 0; i < 3; ++i) swing.down[i] = gravity[i] / length;
      return swing;
    }
    // The force is power · direction: the direction gets length 1, and the power is not negative.
    swing.gravity = std::abs(power) * length;
    for (std::size_t i = 0; i < 3; ++i) swing.down[i] = gravity[i] / std::copysign(length, power) + 0.0;
    return swing;
  }

  JsonEdit spring_of(const Chain& chain) {
    const Swing& swing = swings_[chain.group];
    const JsonValue group = groups_[chain.group];
    JsonEdit spring = JsonEdit::object();
    if (!chain.name.empty()) spring.set("name", JsonEdit::string(chain.name));
    JsonEdit joints = JsonEdit::array();
    for (const Index node : chain.joints) {
      JsonEdit& joint = joints.push_back(JsonEdit::object());
      joint.set("node", JsonEdit::integer(node));
      joint.set("hitRadius", JsonEdit::number(swing.radius));
      joint.set("stiffness", JsonEdit::number(swing.stiffness));
      joint.set("gravityPower", JsonEdit::number(swing.gravity));
      joint.set("gravityDir", document::numbers(swing.down));
      joint.set("dragForce", JsonEdit::number(swing.drag));
    }
    spring.set("joints", std::move(joints));
    JsonEdit collider_groups = JsonEdit::array();
    for (const JsonValue each : group["colliderGroups"].elements())
      if (const Index index = conversion_.index(each, places_.size(), "group of colliders"); index != none && places_[index] != none)
        collider_groups.push_back(JsonEdit::integer(places_[index]));
    if (collider_groups.size() != 0) spring.set("colliderGroups", std::move(collider_groups));
    const Index center = conversion_.node(group["center"]);
    if (center != none && is_center(center, chain))
      spring.set("center", JsonEdit::integer(center));
    else if (center != none && reported_.insert(chain.group).second)
      conversion_.lost(group["center"], "the center is lost: in VRM 1.0 it is the first joint or above it, and in no other chain");
    return spring;
  }

  [[nodiscard]] bool is_center(Index center, const Chain& chain) const {
    const auto parent_of = [&](Index node) { return conversion_.before.nodes[node].parent; };
    Index above = chain.joints.front();
    while (above != none && above != center) above = parent_of(above);
    if (above == none) return false;
    const Index own = chain_of_[chain.joints.front()];
    for (Index node = center; node != none; node = parent_of(node))
      if (chain_of_[node] != none && chain_of_[node] != own) return false;
    return true;
  }

  AvatarConversion& conversion_;
  JsonValue old_;
  JsonEdit colliders_ = JsonEdit::array(), collider_groups_ = JsonEdit::array();
  std::vector<Index> places_;  ///< in the new file, by group of colliders; `none`: an empty one
  std::vector<JsonValue> groups_;
  std::vector<Swing> swings_;
  std::vector<Chain> chains_;
  std::vector<Index> chain_of_;  ///< by node
  std::set<std::size_t> reported_;
};

}  // namespace

std::optional<JsonEdit> springs_of(AvatarConversion& conversion) { return SpringConversion(conversion).run(); }

}  // namespace sinew::operations::vrm

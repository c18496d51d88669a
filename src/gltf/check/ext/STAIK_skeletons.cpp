// SPDX-License-Identifier: MIT
#include "gltf/extensions/STAIK_skeletons.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/message.hpp"
#include "gltf/check/checks.hpp"

namespace sinew::gltf::staik {

namespace {

// Tolerance for matrices that were computed twice in float32.
constexpr double same_matrix = 1e-5;

bool differ(const Affine& a, const Affine& b) {
  for (std::size_t i = 0; i < a.values().size(); ++i) {
    const double size = std::max({1.0, std::abs(a.values()[i]), std::abs(b.values()[i])});
    if (std::abs(a.values()[i] - b.values()[i]) > same_matrix * size) return true;
  }
  return false;
}

// Names other content of a joint that a later draft of the extension forbids.
std::string_view content_of(JsonValue node) {
  for (const std::string_view key : {"mesh", "camera", "skin"})
    if (node[key]) return key;
  constexpr std::string_view light = "KHR_lights_punctual";
  return node["extensions"][light] ? light : std::string_view();
}

class Check {
 public:
  explicit Check(Checker& checker)
      : checker_(checker),
        model_(checker.model()),
        tree_(checker.parsed().nodes->tree()),
        marks_(model_.nodes.size()),
        first_skeleton_(model_.nodes.size(), none),
        used_(model_.skeletons.size()) {
    for (Index s = 0; s < model_.skeletons.size(); ++s)
      for (Index place = 0; place < model_.skeletons[s].joints.size(); ++place)
        joints_.emplace(std::pair(s, model_.skeletons[s].joints[place]), place);
  }

  void run() {
    read_marks();
    for (const Skin& skin : model_.skins) on_skins_ = on_skins_ || value_of(skin)["extensions"][staik_extension];
    const JsonValue file = extension_of(checker_.root(), staik_extension);
    if (!file && !on_nodes_ && !on_skins_) return;
    report_unknown(file, skeletons_table);
    for (const JsonValue skeleton : skeletons_in(file, checker_.silence()).elements()) report_unknown(skeleton, skeleton_table);
    const bool listed = static_cast<bool>(file["skeletons"]);
    check_declaration(listed);
    for (Index node = 0; node < model_.nodes.size(); ++node) check_node(node, listed);
    for (const Skin& skin : model_.skins) check_skin(skin);
    for (Index s = 0; s < model_.skeletons.size(); ++s) {
      const Skeleton* skeleton = usable(s);
      if (skeleton == nullptr) continue;
      const JsonValue value = value_of(*skeleton);
      check_joints(s, *skeleton, value);
      check_root(s, *skeleton, value);
      check_tree(s, *skeleton, value);
      if (!value["inverseBindMatrices"]) checker_.report("STAIK_IBM_MISSING"_code, value);
      if (!used_[s]) checker_.report("STAIK_SKELETON_UNUSED"_code, value);
    }
  }

 private:
  // The skeleton that a node names, and where it does.
  struct Mark {
    Index skeleton = none;
    JsonValue at;
  };
  [[nodiscard]] JsonValue value_of(const Entity& entity) const {
    return {checker_.document().json(), static_cast<std::uint32_t>(entity.source)};
  }
  [[nodiscard]] bool lists(Index skeleton, Index node) const { return place_of(skeleton, node) != none; }
  // Returns the position of the node in the skeleton's joints, or `none`.
  [[nodiscard]] Index place_of(Index skeleton, Index node) const {
    const auto joint = joints_.find({skeleton, node});
    return joint == joints_.end() ? none : joint->second;
  }
  [[nodiscard]] const Skeleton* usable(Index skeleton) const {
    if (skeleton >= model_.skeletons.size() || model_.skeletons[skeleton].defect != none) return nullptr;
    return &model_.skeletons[skeleton];
  }
  void report_unknown(JsonValue value, const Table& table) {
    document::report_unknown(value, table.rows, khronos_codes.unknown, checker_.sink());
  }

  void read_marks() {
    for (Index node = 0; node < model_.nodes.size(); ++node) {
      const JsonValue value = value_of(model_.nodes[node])["extensions"][staik_extension];
      if (!value) continue;
      on_nodes_ = true;
      report_unknown(value, mark_table);
      const MarkObject object(value, checker_.sink());
      if (const auto index = object.index("skeleton"))
        marks_[node] = {static_cast<Index>(std::min<std::uint64_t>(*index, none - 1)), object["skeleton"]};
    }
  }

  void check_declaration(bool listed) {
    const RootObject& root = checker_.root();
    if (std::ranges::find(model_.extensions_required, staik_extension) != model_.extensions_required.end())
      checker_.report("STAIK_REQUIRED"_code, root["extensionsRequired"]);
    // A missing property of the root object is reported at "/", as the table does.
    if (std::ranges::find(model_.extensions_used, staik_extension) == model_.extensions_used.end()) {
      const JsonValue used = root["extensionsUsed"];
      checker_.sink().add(finding("STAIK_NOT_DECLARED"_code, used ? used.place() : "/"));
    }
    if (listed || !(on_nodes_ || on_skins_)) return;
    const JsonValue file = extension_of(root, staik_extension);
    checker_.sink().add(finding("STAIK_SKELETONS_MISSING"_code, file ? file.place() : "/"));
  }

  void check_node(Index node, bool listed) {
    const auto& [skeleton, at] = marks_[node];
    if (skeleton == none) return;
    if (skeleton >= model_.skeletons.size()) {
      if (listed)
        checker_.report("STAIK_NODE_SKELETON_RANGE"_code, at, skeleton, model_.skeletons.size(), list_name(mark_table.rows.front()));
    } else if (usable(skeleton) != nullptr && !lists(skeleton, node)) {
      checker_.report("STAIK_NODE_NOT_IN_JOINTS"_code, at, skeleton, node);
    }
    const JsonValue value = value_of(model_.nodes[node]);
    if (const std::string_view content = content_of(value); !content.empty())
      checker_.report("STAIK_JOINT_HAS_CONTENT"_code, value, content);
  }

  void check_joints(Index s, const Skeleton& skeleton, JsonValue value) {
    std::size_t i = 0;
    for (const JsonValue at : value["joints"].elements()) {
      const Index node = skeleton.joints[i++];
      Index& first = first_skeleton_[node];
      if (first == none) first = s;
      if (first != s) checker_.report("STAIK_JOINT_REUSED"_code, at, node, first);
      const Index mark = marks_[node].skeleton;
      if (mark == none)
        checker_.report("STAIK_JOINT_NOT_MARKED"_code, at, node, s);
      else if (mark != s)
        checker_.report("STAIK_NODE_SKELETON_MISMATCH"_code, at, node, mark, s);
    }
  }

  void check_root(Index s, const Skeleton& skeleton, JsonValue value) {
    const JsonValue at = value["root"];
    const Index root = skeleton.root;
    if (marks_[root].skeleton != s) checker_.report("STAIK_ROOT_NOT_JOINT"_code, at, root);
    if (!lists(s, root)) checker_.report("STAIK_ROOT_NOT_IN_JOINTS"_code, at, root);
    for (std::size_t i = 0; i < skeleton.joints.size(); ++i)
      if (!tree_.is_above(root, skeleton.joints[i])) {
        checker_.report("STAIK_ROOT_NOT_TOPMOST"_code, at, i, skeleton.joints[i], root);
        break;
      }
    const auto [first, is_new] = roots_.try_emplace(root, s);
    if (!is_new) checker_.report("STAIK_ROOT_NOT_UNIQUE"_code, at, root, first->second);
  }

  void check_tree(Index s, const Skeleton& skeleton, JsonValue value) {
    std::vector<Index> roots;
    bool gap = false;
    std::unordered_map<Index, Index> next;  // of nodes that are no joints: the joint above, or none
    const auto joint_from = [&](Index node) {
      std::vector<Index> way;
      for (; node != none && !lists(s, node); node = model_.nodes[node].parent) {
        if (const auto known = next.find(node); known != next.end()) {
          node = known->second;
          break;
        }
        way.push_back(node);
      }
      for (const Index passed : way) next.emplace(passed, node);
      return node;
    };
    for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
      const Index joint = skeleton.joints[i];
      const Index parent = model_.nodes[joint].parent;
      const Index above = joint_from(parent);
      if (above == none) {
        roots.push_back(joint);
      } else if (above != parent && !std::exchange(gap, true)) {
        checker_.report("STAIK_JOINTS_NOT_CONTIGUOUS"_code, value["joints"], parent, i, joint);
      }
    }
    std::ranges::sort(roots);
    roots.erase(std::ranges::unique(roots).begin(), roots.end());  // a joint may be listed twice
    if (roots.size() > 1) checker_.report("STAIK_MULTIPLE_ROOTS"_code, value["joints"], roots.size(), join_text(roots, ", "));
  }

  void check_skin(const Skin& skin) {
    const JsonValue value = value_of(skin);
    const JsonValue own = value["extensions"][staik_extension];
    if (!own) {
      if (!model_.skeletons.empty()) checker_.report("STAIK_SKIN_WITHOUT_OWNER"_code, value);
      return;
    }
    report_unknown(own, owner_table);
    const auto named = whole_number(own["skeleton_owner"]);
    const Index owner = named && *named < used_.size() ? static_cast<Index>(*named) : none;
    if (owner != none) used_[owner] = true;
    if (skin.slots.size() != value["joints"].size()) return;  // reading stopped early
    check_skin_joints(skin, value["joints"], owner);
    if (owner == none || usable(owner) == nullptr) return;
    check_skin_root(skin, value, model_.skeletons[owner]);
    check_skin_bind(skin, value, owner);
  }

  void check_skin_joints(const Skin& skin, JsonValue joints, Index owner) {
    Index first = none;  // the first marked joint
    bool mixed = false;
    std::size_t i = 0;
    for (const JsonValue at : joints.elements()) {
      const std::size_t slot = i++;
      const Index node = skin.slots[slot];
      const Index mark = marks_[node].skeleton;
      if (usable(owner) != nullptr && !lists(owner, node)) checker_.report("STAIK_SKIN_JOINT_NOT_IN_SKELETON"_code, at, slot, node, owner);
      if (mark == none) {
        checker_.report("STAIK_SKIN_JOINT_NOT_MARKED"_code, at, slot, node);
        continue;
      }
      if (first == none) first = node;
      if (mark != marks_[first].skeleton && !std::exchange(mixed, true))
        checker_.report("STAIK_SKIN_JOINTS_MIXED"_code, joints, first, marks_[first].skeleton, node, mark);
    }
  }

  void check_skin_root(const Skin& skin, JsonValue value, const Skeleton& skeleton) {
    const JsonValue at = value["skeleton"];
    const Index named = skin.root_hint;
    if (!at)
      checker_.report("STAIK_SKIN_SKELETON_MISSING"_code, value, skeleton.root);
    else if (named == none || named == skeleton.root)
      return;
    else if (named == model_.nodes[skeleton.root].parent)
      checker_.report("STAIK_SKIN_SKELETON_IS_ROOT_PARENT"_code, at, named, skeleton.root);
    else
      checker_.report("STAIK_SKIN_SKELETON_NOT_ROOT"_code, at, named, skeleton.root);
  }

  void check_skin_bind(const Skin& skin, JsonValue value, Index owner) {
    const Skeleton& skeleton = model_.skeletons[owner];
    if (skin.bind != Skin::Bind::matrices || skeleton.joint_from_mesh.empty()) return;
    std::size_t others = 0, first = 0;
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      const Index place = place_of(owner, skin.slots[slot]);
      if (place == none) continue;
      if (differ(skin.joint_from_mesh[slot], skeleton.joint_from_mesh[place]) && others++ == 0) first = slot;
    }
    if (others > 0) checker_.report("STAIK_SKIN_IBM_OVERRIDES"_code, value["inverseBindMatrices"], others, owner, first);
  }

  Checker& checker_;
  const Model& model_;
  const NodeTree& tree_;
  std::vector<Mark> marks_;                          // one per node
  std::vector<Index> first_skeleton_;                // by node: the first skeleton that lists it
  std::map<std::pair<Index, Index>, Index> joints_;  // by skeleton and node: the first place
  std::map<Index, Index> roots_;                     // by root: the first skeleton that has it
  std::vector<bool> used_;                           // by skeleton: whether a skin belongs to it
  bool on_nodes_ = false;
  bool on_skins_ = false;
};

}  // namespace

void check(Checker& checker) { Check(checker).run(); }

}  // namespace sinew::gltf::staik

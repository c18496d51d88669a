// SPDX-License-Identifier: MIT
#include "gltf/check/ext/KHR_character.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "base/ascii.hpp"
#include "base/catalogue_avatar.hpp"
#include "base/message.hpp"
#include "gltf/check/carried.hpp"
#include "gltf/check/checks.hpp"
#include "gltf/extensions/extension.hpp"
#include "model/human_bones.hpp"

namespace sinew::gltf::character {

using avatars::operator""_code;

namespace {

constexpr std::string_view base = "KHR_character", expression_base = "KHR_character_expression",
                           joint_part = "KHR_character_expression_joint", morph_part = "KHR_character_expression_morphtarget",
                           mask_part = "KHR_character_expression_mask", sets_name = "KHR_character_expression_mapping",
                           pose_name = "KHR_character_reference_pose", mapping_name = "KHR_character_skeleton_mapping";

constexpr CarriedCodes codes = {.missing = "GLTF_CHARACTER_REQUIRED"_code,
                                .empty = "GLTF_CHARACTER_EMPTY"_code,
                                .type = "GLTF_CHARACTER_TYPE"_code,
                                .choice = "GLTF_CHARACTER_RANGE"_code,
                                .range = "GLTF_CHARACTER_RANGE"_code,
                                .index = [](const Property&) -> Code { return "GLTF_CHARACTER_INDEX"_code; }};

/// A channel of an animation.
struct Channel {
  JsonValue value, sampler;
  [[nodiscard]] JsonValue target() const { return value["target"]; }
  [[nodiscard]] std::string path() const { return target()["path"].string(); }
};

std::vector<Channel> channels_of(JsonValue animation) {
  std::vector<Channel> list;
  for (const JsonValue channel : animation["channels"].elements())
    list.push_back({channel, document::element(animation["samplers"], channel["sampler"])});
  return list;
}

/// Checks the family of KHR_character.
class Check {
 public:
  explicit Check(Checker& checker)
      : checker_(checker), extensions_(checker.root()["extensions"]), animations_(document::list_of(checker.root()["animations"])) {}

  void run() {
    for (const JsonMember member : extensions_.members()) {
      const std::string name = member.key.string();
      if (!name.starts_with(base)) continue;
      check_base(name, member.value, base);
      check_object(name, member.value, root_table);
    }
    for (const JsonValue animation : animations_)
      if (const JsonValue pose = animation["extensions"][pose_name]) check_pose(animation, pose);
    const JsonValue expressions = extensions_[expression_base]["expressions"];
    count_ = expressions.size();
    for (const JsonValue expression : expressions.elements()) check_expression(expression);
    for (const std::string_view key : {"expressionSetMappings", "expressionSetInputMappings"})
      for (const JsonMember set : extensions_[sets_name][key].members())
        for (const JsonMember entry : set.value.members())
          for (const JsonValue part : entry.value.elements())
            check_expression_index(part[key == "expressionSetMappings" ? "source" : "target"]);
    for (const JsonMember set : extensions_[mapping_name]["skeletalRigMappings"].members()) check_set(set);
  }

 private:
  void check_base(std::string_view name, JsonValue at, std::string_view needed) {
    if (name != needed && !extensions_[needed]) checker_.report("GLTF_CHARACTER_BASE"_code, at, name, needed);
  }

  void check_object(std::string_view name, JsonValue value, const Table& holder) {
    const ExtensionPlace* const place = find_place(*find_extension(name), holder);
    // The values of a mapping are nodes, or objects with nodes: check_set.
    if (place != nullptr && name != mapping_name) check_carried(checker_, value, *place->object, codes);
  }

  void check_pose(JsonValue animation, JsonValue pose) {
    check_base(pose_name, pose, base);
    check_object(pose_name, pose, animation_table);
    if (pose["poseType"].equals("")) checker_.report("GLTF_CHARACTER_EMPTY"_code, pose["poseType"]);
    if (animation["channels"].size() == 0) checker_.report("GLTF_CHARACTER_POSE_CHANNEL"_code, animation, "no channel");
    for (const Channel& channel : channels_of(animation)) {
      const std::string path = channel.path();
      if (path != "translation" && path != "rotation" && path != "scale")
        checker_.report("GLTF_CHARACTER_POSE_CHANNEL"_code, channel.target(), path.empty() ? "no path" : path);
      const AccessorFacts* const keys = checker_.accessor(channel.sampler["input"]);
      if (keys != nullptr && keys->count != 1) checker_.report("GLTF_CHARACTER_POSE_KEYS"_code, channel.value, keys->count);
      if (channel.sampler["interpolation"].equals("CUBICSPLINE"))
        checker_.report("GLTF_CHARACTER_POSE_INTERPOLATION"_code, channel.value, "CUBICSPLINE");
    }
  }

  void check_expression(JsonValue expression) {
    if (expression["expression"].equals("")) checker_.report("GLTF_CHARACTER_EMPTY"_code, expression["expression"]);
    if (expression.is(JsonKind::object) && !expression["animation"])
      checker_.report("GLTF_CHARACTER_REQUIRED"_code, expression, "animation");
    const Index number = checker_.root().plain_index(expression["animation"], Reference::animation);
    const std::vector<Channel> channels = number == none ? std::vector<Channel>() : channels_of(animations_[number]);
    for (const Channel& channel : channels) {
      const AccessorFacts* const keys = checker_.accessor(channel.sampler["input"]);
      if (keys != nullptr && keys->count < 2) checker_.report("GLTF_CHARACTER_EXPRESSION_KEYS"_code, channel.value, keys->count);
    }
    std::map<std::uint64_t, std::string> seen;  // by channel: the part that lists it
    const Table& holder = *find_place(*find_extension(expression_base), root_table)->object->rows.front().of;
    for (const JsonMember part : expression["extensions"].members()) {
      const std::string name = part.key.string();
      if (!name.starts_with(expression_base)) continue;
      check_object(name, part.value, holder);
      if (name == mask_part)
        for (const JsonValue mask : part.value["masks"].elements()) check_expression_index(mask["target"]);
      else if (number != none)
        check_channels(name, part.value["channels"], channels, seen);
    }
  }

  void check_channels(const std::string& part, JsonValue list, const std::vector<Channel>& channels,
                      std::map<std::uint64_t, std::string>& seen) {
    for (const JsonValue at : list.elements()) {
      const auto number = whole_number(at);
      if (!number) continue;
      if (*number >= channels.size()) {
        checker_.report("GLTF_CHARACTER_INDEX"_code, at, *number,
                        format_text("less than {}, the number of channels of the animation", channels.size()));
        continue;
      }
      if (const auto [first, is_new] = seen.emplace(*number, part); !is_new)
        checker_.report("GLTF_CHARACTER_CHANNEL_REPEATED"_code, at, *number, first->second);
      check_kind(part, at, channels[*number]);
    }
  }

  void check_kind(std::string_view part, JsonValue at, const Channel& channel) {
    const std::string path = channel.path();
    const JsonValue node = document::element(checker_.root()["nodes"], channel.target()["node"]);
    if (part == joint_part && ((path != "translation" && path != "rotation" && path != "scale") || node["matrix"]))
      checker_.report("GLTF_CHARACTER_CHANNEL_KIND"_code, at, *whole_number(at), node["matrix"] ? path + " of a node with a matrix" : path,
                      "translation, rotation or scale of a node");
    const bool pointer = path == "pointer";  // GLTF_POINTER_… check what it names
    const JsonValue mesh = document::element(checker_.root()["meshes"], node["mesh"]);
    if (part == morph_part && !pointer && (path != "weights" || mesh["primitives"].at(0)["targets"].size() == 0))
      checker_.report("GLTF_CHARACTER_CHANNEL_KIND"_code, at, *whole_number(at), path, "weights of a node with morph targets");
  }

  // Text A has labels here.
  void check_expression_index(JsonValue at) {
    if (at.is(JsonKind::number) && !(whole_number(at) && *whole_number(at) < count_))
      checker_.report("GLTF_CHARACTER_INDEX"_code, at, excerpt(at), format_text("less than {}, the number of expressions", count_));
  }

  void check_set(JsonMember set) {
    const std::string name = set.key.string();
    if (!is_absolute_uri(name)) checker_.report("GLTF_CHARACTER_MAPPING_SET"_code, set.value, '"' + name + '"');
    if (!set.value.is(JsonKind::object)) return checker_.report("GLTF_CHARACTER_TYPE"_code, set.value, excerpt(set.value), "object");
    if (set.value.size() == 0) checker_.report("GLTF_CHARACTER_EMPTY"_code, set.value);
    std::map<std::string, std::pair<Index, JsonValue>> roles;
    for (const JsonMember role : set.value.members()) {
      const std::string key = role.key.string();
      if (key.empty()) checker_.report("GLTF_CHARACTER_MAPPING_ROLE"_code, role.value);
      const JsonValue at = role.value.is(JsonKind::object) ? role.value["node"] : role.value;
      if (!at) checker_.report("GLTF_CHARACTER_REQUIRED"_code, role.value, "node");
      if (!at) continue;
      const Index node = checker_.root().plain_index(at, Reference::node);
      if (node == none) {
        const std::size_t count = checker_.model().nodes.size();
        checker_.report("GLTF_CHARACTER_INDEX"_code, at, excerpt(at), format_text("less than {}, the number of nodes", count));
        continue;
      }
      roles.emplace(key, std::pair(node, at));
      const JsonValue stored = role.value["name"];
      if (stored && stored.string() != checker_.model().nodes[node].name)
        checker_.report("GLTF_CHARACTER_MAPPING_NAME"_code, stored, excerpt(stored), node, '"' + checker_.model().nodes[node].name + '"');
    }
    if (set.value["hips"]) check_bones(set.value, roles);
  }

  void check_bones(JsonValue set, const std::map<std::string, std::pair<Index, JsonValue>>& roles) {
    std::map<Index, std::string_view> owners;
    for (const HumanBoneKind& kind : human_bones()) {
      if (kind.required && !set[kind.name]) checker_.report("GLTF_CHARACTER_BONE_REQUIRED"_code, set, kind.name);
      const auto role = roles.find(std::string(kind.name));
      if (role == roles.end()) continue;
      const auto& [node, at] = role->second;
      if (const auto [first, is_new] = owners.emplace(node, kind.name); !is_new)
        checker_.report("GLTF_CHARACTER_BONE_SHARED"_code, at, node, first->second);
      const HumanBoneKind* above = find_human_bone(kind.parent);
      while (above != nullptr && !roles.contains(std::string(above->name))) above = find_human_bone(above->parent);
      if (above == nullptr) continue;
      const Index parent = roles.at(std::string(above->name)).first;
      if (parent != node && !checker_.parsed().nodes->tree().is_above(parent, node))
        checker_.report("GLTF_CHARACTER_BONE_PARENT"_code, at, node, parent, above->name);
    }
  }

  // RFC 3986: a scheme, then a colon.
  static bool is_absolute_uri(std::string_view text) {
    const std::size_t end = text.find(':');
    const auto is_of_scheme = [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; };
    return end != std::string_view::npos && end > 0 && is_letter(text.front()) && std::ranges::all_of(text.substr(0, end), is_of_scheme);
  }

  Checker& checker_;
  JsonValue extensions_;
  std::vector<JsonValue> animations_;
  std::size_t count_ = 0;  ///< of expressions
};

}  // namespace

Character character_in(JsonValue root) {
  Character found;
  const JsonValue extensions = root["extensions"];
  if (!extensions[base]) return found;
  const auto index = [](JsonValue value) { return static_cast<Index>(std::min<std::uint64_t>(whole_number(value).value_or(none), none)); };
  for (const JsonValue expression : extensions[expression_base]["expressions"].elements())
    found.expressions.push_back({index(expression["animation"]), expression});
  Index number = 0;
  for (const JsonValue animation : root["animations"].elements()) {
    const JsonValue pose = animation["extensions"][pose_name], type = pose["poseType"];
    if (pose && (!type || type.equals("TPose"))) found.t_poses.push_back({number, pose});
    ++number;
  }
  for (const JsonMember set : extensions[mapping_name]["skeletalRigMappings"].members()) {
    const auto role = [&](std::string_view name) {
      const JsonValue value = set.value[name];
      return index(value.is(JsonKind::object) ? value["node"] : value);
    };
    if (!set.value["hips"]) continue;
    found.arms = {{{role("leftUpperArm"), role("leftHand")}, {role("rightUpperArm"), role("rightHand")}}};
    break;
  }
  return found;
}

void check(Checker& checker) {
  const auto is_of_family = [](const std::string& name) { return name.starts_with(base); };
  if (std::ranges::any_of(checker.model().extensions_used, is_of_family)) Check(checker).run();
}

}  // namespace sinew::gltf::character

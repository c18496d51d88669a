// SPDX-License-Identifier: MIT
#include "gltf/check/ext/VRM.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string>

#include "base/ascii.hpp"
#include "base/message.hpp"
#include "gltf/check/carried.hpp"
#include "gltf/check/checks.hpp"
#include "gltf/extensions/VRM.hpp"
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::vrm {

namespace {

constexpr std::string_view old_name = "VRM", new_name = "VRMC_vrm", springs_name = "VRMC_springBone", motion_name = "VRMC_vrm_animation";

Code index_code(const Property& row) {
  switch (static_cast<Reference>(row.reference)) {
    case Reference::mesh:
      return "VRM_INDEX_MESH"_code;
    case Reference::material:
      return "VRM_INDEX_MATERIAL"_code;
    case Reference::texture:
      return "VRM_INDEX_TEXTURE"_code;
    case Reference::image:
      return "VRM_INDEX_IMAGE"_code;
    case Reference::of_extension:
      return list_name(row) == "colliders" ? Code("VRM_INDEX_COLLIDER"_code) : Code("VRM_INDEX_COLLIDER_GROUP"_code);
    default:
      return "VRM_INDEX_NODE"_code;
  }
}

constexpr CarriedCodes new_codes = {.missing = "VRM_REQUIRED_PROPERTY"_code,
                                    .empty = "VRM_ARRAY_EMPTY"_code,
                                    .type = "VRM_TYPE"_code,
                                    .choice = "VRM_ENUM"_code,
                                    .range = "VRM_VALUE_RANGE"_code,
                                    .index = index_code};
// The schema of VRM 0.x requires nothing.
constexpr CarriedCodes old_codes = {
    .type = "VRM_TYPE"_code, .choice = "VRM_ENUM"_code, .range = "VRM_VALUE_RANGE"_code, .index = index_code};

constexpr auto old_presets = [] {
  std::array<std::string_view, 1 + std::size(preset_names)> names{"unknown"};
  std::ranges::transform(preset_names, names.begin() + 1, &PresetName::old_name);
  return names;
}();
constexpr std::string_view old_shown_in[] = {"auto", "both", "thirdpersononly", "firstpersononly"};

/// Checks the object of VRM 0.x.
class OldCheck {
 public:
  OldCheck(Checker& checker, JsonValue avatar, const Humanoid& humanoid)
      : checker_(checker), avatar_(avatar), humanoid_(humanoid), bound_(checker) {}

  void run() {
    check_meta(avatar_["meta"]);
    check_humanoid(checker_, humanoid_, avatar_["humanoid"] ? avatar_["humanoid"] : avatar_);
    check_bone_transforms(checker_, humanoid_);
    check_first_person(avatar_["firstPerson"]);
    for (const JsonValue node : checker_.root()["nodes"].elements())
      if (const Index mesh = checker_.root().plain_index(node["mesh"], Reference::mesh); mesh != none) shown_.insert(mesh);
    for (const JsonValue material : checker_.root()["materials"].elements()) ++materials_[material["name"].string()];
    for (const JsonValue group : avatar_["blendShapeMaster"]["blendShapeGroups"].elements()) check_expression(group);
    check_target_names(checker_);
    check_springs(avatar_["secondaryAnimation"]);
    check_material_properties(avatar_["materialProperties"]);
  }

 private:
  void check_meta(JsonValue meta) {
    if (!meta.is(JsonKind::object)) return;
    for (const std::string_view key : {"title", "author"})
      if (const JsonValue text = meta[key]; !text || text.equals("")) warn(checker_, "VRM_META_EMPTY"_code, text ? text : meta, key);
    const JsonValue licence = meta["licenseName"];
    if (licence.equals("Other") && meta["otherLicenseUrl"].string().empty()) checker_.report("VRM_META_OTHER_URL"_code, licence);
    if (licence.string().ends_with("_ND")) checker_.report("VRM_META_MODIFICATION"_code, licence, licence.string());
  }

  void check_word(JsonValue value, std::span<const std::string_view> words) {
    if (value.is(JsonKind::string) && std::ranges::find(words, to_lower(value.string())) == words.end())
      checker_.report("VRM_ENUM"_code, value, excerpt(value), join_text(words, ", "));
  }

  void check_first_person(JsonValue first_person) {
    for (const std::string_view key : {"lookAtHorizontalInner", "lookAtHorizontalOuter", "lookAtVerticalDown", "lookAtVerticalUp"})
      if (const JsonValue range = first_person[key]["xRange"]; range.number().value_or(1) <= 0.01)
        checker_.report("VRM_LOOKAT_RANGE"_code, range, excerpt(range));
    std::map<Index, std::size_t> seen;
    std::size_t number = 0;
    for (const JsonValue annotation : first_person["meshAnnotations"].elements()) {
      check_word(annotation["firstPersonFlag"], old_shown_in);
      const Index mesh = checker_.root().plain_index(annotation["mesh"], Reference::mesh);
      if (mesh != none)
        if (const auto [first, is_new] = seen.emplace(mesh, number); !is_new)
          checker_.report("VRM_FIRSTPERSON_DUPLICATE"_code, annotation, first->second, "mesh", mesh);
      ++number;
    }
  }

  void check_expression(JsonValue group) {
    check_word(group["presetName"], old_presets);
    const std::string preset = to_lower(group["presetName"].string());
    const std::string identity = preset.empty() || preset == "unknown" ? to_lower(group["name"].string()) : preset;
    if (const auto [first, is_new] = expressions_.emplace(identity, expressions_seen_); !is_new)
      checker_.report("VRM_EXPRESSION_DUPLICATE"_code, group, '"' + group["name"].string() + '"', first->second);
    ++expressions_seen_;
    std::map<std::pair<Index, std::uint64_t>, std::size_t> seen;
    std::size_t number = 0;
    for (const JsonValue bind : group["binds"].elements()) {
      const Index mesh = checker_.root().plain_index(bind["mesh"], Reference::mesh);
      const auto shape = whole_number(bind["index"]);
      if (mesh != none && bound_.check(mesh, bind["index"]) && shape) {
        const auto [first, is_new] = seen.emplace(std::pair(mesh, *shape), number);
        if (!is_new) checker_.report("VRM_EXPRESSION_BIND_DUPLICATE"_code, bind, first->second, *shape, "mesh", mesh);
      }
      if (mesh != none && !shown_.contains(mesh)) checker_.report("VRM_EXPRESSION_MESH_UNUSED"_code, bind["mesh"], mesh);
      ++number;
    }
    for (const JsonValue value : group["materialValues"].elements())
      if (const JsonValue name = value["materialName"]; name.is(JsonKind::string)) {
        const auto found = materials_.find(name.string());
        const std::size_t count = found == materials_.end() ? 0 : found->second;
        if (count != 1) checker_.report("VRM_EXPRESSION_MATERIAL_NAME"_code, name, count, excerpt(name));
      }
  }

  void check_springs(JsonValue springs) {
    std::vector<std::pair<Index, JsonValue>> roots;
    std::vector<bool> used(springs["colliderGroups"].size());
    for (const JsonValue group : springs["boneGroups"].elements()) {
      for (const JsonValue bone : group["bones"].elements())
        if (const Index node = checker_.root().plain_index(bone, Reference::node); node != none) roots.emplace_back(node, bone);
      for (const JsonValue index : group["colliderGroups"].elements())
        if (const auto place = whole_number(index); place && *place < used.size()) used[*place] = true;
      const auto length = length_of(group["gravityDir"]);
      if (length && std::abs(*length - 1) > 1e-3 && group["gravityPower"].number().value_or(0) > 0)
        checker_.report("VRM_SPRING_NO_GRAVITY_DIR"_code, group["gravityDir"], *length);
    }
    check_roots(roots);
    std::size_t number = 0;
    for (const JsonValue group : springs["colliderGroups"].elements())
      if (!used[number++]) checker_.report("VRM_COLLIDER_GROUP_UNUSED"_code, group, "spring", "collider group");
  }

  void check_roots(const std::vector<std::pair<Index, JsonValue>>& roots) {
    const Model& model = checker_.model();
    std::vector<bool> is_root(model.nodes.size());
    for (const auto& [node, at] : roots) is_root[node] = true;
    const auto root_above = [&](Index node) {
      do node = model.nodes[node].parent;
      while (node != none && !is_root[node]);
      return node;
    };
    for (const auto& [node, at] : roots)
      if (const Index above = root_above(node); above != none) checker_.report("VRM_SPRING_ROOT_NESTED"_code, at, node, above);
    for (const Humanoid::Bone& bone : humanoid_.bones)
      if (!is_root[bone.node] && !model.nodes[bone.node].children.empty() && root_above(bone.node) != none)
        checker_.report("VRM_SPRING_IS_BONE"_code, bone.at, bone.node, humanoid_.name_of(*bone.kind));
  }

  void check_material_properties(JsonValue list) {
    const JsonValue materials = checker_.root()["materials"];
    if (list.is(JsonKind::array) && list.size() != materials.size())
      checker_.report("VRM_MATERIAL_COUNT"_code, list, list.size(), materials.size());
    const std::vector<JsonValue> described = document::list_of(materials);
    std::size_t number = 0;
    for (const JsonValue entry : list.elements()) {
      const JsonValue name = entry["name"];
      if (number < described.size() && name && described[number]["name"] && name.string() != described[number]["name"].string())
        checker_.report("VRM_MATERIAL_NAME"_code, name, excerpt(name), excerpt(described[number]["name"]), number);
      ++number;
    }
  }

  Checker& checker_;
  JsonValue avatar_;
  const Humanoid& humanoid_;
  BoundMeshes bound_;
  std::set<Index> shown_;                           ///< meshes of nodes
  std::map<std::string, std::size_t> materials_;    ///< how many have a name
  std::map<std::string, std::size_t> expressions_;  ///< by identity: the first
  std::size_t expressions_seen_ = 0;
};

// Mesh extras, primitive extras, and extras of targets in the oldest files.
bool has_names(JsonValue mesh, std::size_t count) {
  if (mesh["extras"]["targetNames"].size() == count) return true;
  for (const JsonValue primitive : mesh["primitives"].elements())
    if (primitive["extras"]["targetNames"].size() == count) return true;
  const JsonValue target = mesh["primitives"].at(0)["targets"].at(0);
  return target["extra"]["targetName"] || target["extras"]["targetName"] || target["extra"]["name"];
}

// A missing version is an error of its own in VRM 1.0.
bool is_known(JsonValue version, bool old) {
  return !version.is(JsonKind::string) || (old ? version.string().starts_with("0.") : version.equals("1.0"));
}

}  // namespace

bool check_object(Checker& checker, std::string_view extension, JsonValue object, const Table& holder) {
  const bool old = extension == old_name;
  const JsonValue version = object["specVersion"];
  if (!is_known(version, old)) {
    checker.report("VRM_SPEC_VERSION"_code, version, excerpt(version), old ? "0.0" : "1.0");
    return false;
  }
  if (!checker.root().uses_extension(extension)) checker.report("VRM_EXTENSION_NOT_USED"_code, object, extension);
  check_carried(checker, object, *find_place(*find_extension(extension), holder)->object, old ? old_codes : new_codes);
  return object.is(JsonKind::object);
}

Humanoid humanoid_in(JsonValue root, std::size_t nodes) {
  const JsonValue extensions = root["extensions"];
  const bool old = !extensions[new_name];
  const JsonValue avatar = extensions[old ? old_name : new_name];
  return is_known(avatar["specVersion"], old) ? humanoid_of(avatar["humanoid"], old, nodes) : Humanoid();
}

JsonValue expressions_in(JsonValue root, bool old) {
  return old ? root["extensions"][old_name]["blendShapeMaster"] : root["extensions"][new_name]["expressions"];
}

BoundMeshes::BoundMeshes(Checker& checker) : checker_(checker), meshes_(document::list_of(checker.root()["meshes"])) {}

bool BoundMeshes::check(Index mesh, JsonValue shape) {
  Counts counts{std::numeric_limits<std::size_t>::max(), 0};
  for (const JsonValue primitive : meshes_[mesh]["primitives"].elements()) {
    counts.least = std::min<std::size_t>(counts.least, primitive["targets"].size());
    counts.most = std::max<std::size_t>(counts.most, primitive["targets"].size());
  }
  counts.least = std::min(counts.least, counts.most);
  if (counts.least != counts.most && reported_.insert(mesh).second)
    checker_.report("VRM_MORPH_COUNT_DIFFERS"_code, meshes_[mesh], counts.least, counts.most);
  const auto number = shape.number();
  if (!number || std::trunc(*number) != *number || (*number >= 0 && *number < static_cast<double>(counts.least))) return number.has_value();
  checker_.report("VRM_INDEX_MORPH_TARGET"_code, shape, excerpt(shape),
                  format_text("less than {}, the number of morph targets of mesh {}", counts.least, mesh));
  return false;
}

void check_target_names(Checker& checker) {
  for (const JsonValue mesh : checker.root()["meshes"].elements()) {
    const std::size_t count = mesh["primitives"].at(0)["targets"].size();
    if (count > 0 && !has_names(mesh, count)) checker.report("VRM_TARGET_NAMES"_code, mesh, count);
  }
}

std::optional<double> length_of(JsonValue vector) {
  double square = 0;
  if (vector.is(JsonKind::object)) {
    for (const std::string_view axis : {"x", "y", "z"}) square += std::pow(vector[axis].number().value_or(0), 2);
  } else {
    if (vector.size() != 3) return std::nullopt;
    for (const JsonValue part : vector.elements()) square += std::pow(part.number().value_or(0), 2);
  }
  return std::sqrt(square);
}

void check(Checker& checker) {
  const JsonValue extensions = checker.root()["extensions"];
  const JsonValue avatar = extensions[new_name], old_avatar = extensions[old_name], motion = extensions[motion_name];
  const std::size_t nodes = checker.model().nodes.size();
  if (avatar && old_avatar) checker.report("VRM_BOTH_VERSIONS"_code, old_avatar);
  Humanoid humanoid;
  const auto is_checked = [&](std::string_view name, JsonValue object) {
    if (!object || !check_object(checker, name, object, root_table)) return false;
    if (checker.document().container() != Container::glb) checker.report("VRM_NOT_GLB"_code, object, name);
    return true;
  };
  if (is_checked(old_name, old_avatar)) {
    humanoid = humanoid_of(old_avatar["humanoid"], true, nodes);
    OldCheck(checker, old_avatar, humanoid).run();
  }
  const bool is_new = is_checked(new_name, avatar);
  if (is_new) {
    humanoid = humanoid_of(avatar["humanoid"], false, nodes);
    check_avatar(checker, avatar, humanoid);
  }
  if (is_checked(motion_name, motion)) check_motion(checker, motion, humanoid_of(motion["humanoid"], false, nodes));
  std::vector<bool> swinging(nodes);
  if (const JsonValue springs = extensions[springs_name]; springs && check_object(checker, springs_name, springs, root_table))
    swinging = check_springs(checker, springs, humanoid);
  const auto is_vrm = [](const std::string& name) { return name.starts_with(old_name); };
  const bool any = avatar || old_avatar || motion || extensions[springs_name];
  if (!any && std::ranges::none_of(checker.model().extensions_used, is_vrm)) return;
  check_constraints(checker, swinging);
  check_materials(checker, is_new);
}

}  // namespace sinew::gltf::vrm

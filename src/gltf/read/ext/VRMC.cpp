// SPDX-License-Identifier: MIT
#include <cmath>
#include <optional>
#include <utility>

#include "gltf/read/ext/VRM.hpp"

namespace sinew::gltf {

namespace {

/// Returns the object of one of the extensions of VRM 1.0 in a version that is known.
JsonValue known_version(JsonValue value) { return value["specVersion"].string().starts_with("1.0") ? value : JsonValue(); }

void read_meta(Avatar& avatar, JsonValue meta) {
  avatar.title = meta["name"].string();
  avatar.version = meta["version"].string();
  add_texts(avatar.authors, meta["authors"]);
  avatar.license = meta["licenseUrl"].string();
}

void read_bones(Reader& reader, JsonValue humanoid) {
  for (const JsonMember bone : humanoid["humanBones"].members()) add_bone(reader, bone.key.string(), bone.value["node"]);
}

Expression::Override override_in(JsonValue value) {
  using Override = Expression::Override;
  return value.equals("block") ? Override::block : value.equals("blend") ? Override::blend : Override::no;
}

void read_expression(Reader& reader, const JsonMember& member, bool preset) {
  const Model& model = reader.model();
  const JsonValue value = member.value;
  Expression expression;
  expression.source = source_of(value);
  expression.name = expression.stored = member.key.string();
  expression.preset = preset;
  expression.binary = value["isBinary"].boolean().value_or(false);
  expression.overrides = {override_in(value["overrideBlink"]), override_in(value["overrideLookAt"]), override_in(value["overrideMouth"])};
  expression.material_binds = std::size_t{value["materialColorBinds"].size()} + value["textureTransformBinds"].size();
  for (const JsonValue bind : value["morphTargetBinds"].elements()) {
    const Index node = reader.root().plain_index(bind["node"], Reference::node);
    const auto shape = bind["index"].integer();
    const auto weight = bind["weight"].number();
    if (node == none || !shape || !weight || model.nodes[node].mesh >= model.meshes.size()) continue;
    if (*shape >= 0 && static_cast<std::uint64_t>(*shape) < model.meshes[model.nodes[node].mesh].shapes.size())
      expression.binds.push_back({node, static_cast<Index>(*shape), *weight});
  }
  reader.model().avatar.expressions.push_back(std::move(expression));
}

void read_first_person(Reader& reader, JsonValue value) {
  using Show = FirstPerson::Show;
  for (const JsonValue annotation : value["meshAnnotations"].elements()) {
    const Index node = reader.root().plain_index(annotation["node"], Reference::node);
    const JsonValue type = annotation["type"];
    const Show show = type.equals("both")              ? Show::both
                      : type.equals("thirdPersonOnly") ? Show::third_person_only
                      : type.equals("firstPersonOnly") ? Show::first_person_only
                                                       : Show::automatic;
    if (node != none) reader.model().avatar.first_person.push_back({node, show});
  }
}

void read_look(LookAt& look, JsonValue value) {
  const bool by_expression = value["type"].equals("expression");
  look.kind = by_expression ? LookAt::Kind::expression : LookAt::Kind::bone;
  std::size_t axis = 0;
  for (const JsonValue number : value["offsetFromHeadBone"].elements())
    if (axis < look.offset.size()) look.offset[axis++] = number.number().value_or(0);
  const double usual = by_expression ? 1 : 10;
  look.inner = range_in(value["rangeMapHorizontalInner"], "inputMaxValue", "outputScale", usual);
  look.outer = range_in(value["rangeMapHorizontalOuter"], "inputMaxValue", "outputScale", usual);
  look.down = range_in(value["rangeMapVerticalDown"], "inputMaxValue", "outputScale", usual);
  look.up = range_in(value["rangeMapVerticalUp"], "inputMaxValue", "outputScale", usual);
}

/// Returns the unit vector of "X" or "PositiveX" or "NegativeX".
std::optional<std::array<double, 3>> axis_called(std::string_view word) {
  double sign = 1;
  if (word.starts_with("Positive") || word.starts_with("Negative")) {
    if (word.starts_with("Negative")) sign = -1;
    word.remove_prefix(8);
  }
  if (word.size() != 1 || word[0] < 'X' || word[0] > 'Z') return std::nullopt;
  std::array<double, 3> axis{};
  axis[static_cast<std::size_t>(word[0] - 'X')] = sign;
  return axis;
}

void read_constraint(Reader& reader, Index node, JsonValue constraint) {
  using Kind = NodeConstraint::Kind;
  constexpr std::pair<std::string_view, Kind> kinds[] = {{"roll", Kind::roll}, {"aim", Kind::aim}, {"rotation", Kind::rotation}};
  std::optional<NodeConstraint> found;
  for (const auto& [name, kind] : kinds) {
    const JsonValue value = constraint[name];
    if (!value) continue;
    if (found) return;  // of several kinds none counts
    NodeConstraint& own = found.emplace();
    own = {node, reader.root().plain_index(value["source"], Reference::node), kind, {}, 1, source_of(value)};
    if (value["weight"]) own.weight = value["weight"].number().value_or(-1);
    if (kind == Kind::rotation) continue;
    const auto axis = axis_called(value[kind == Kind::roll ? "rollAxis" : "aimAxis"].string());
    if (!axis) return;
    own.axis = *axis;
  }
  if (found && found->from != none && found->from != node && found->weight >= 0 && found->weight <= 1)
    reader.model().avatar.constraints.push_back(*found);
}

}  // namespace

bool read_vrm1(Reader& reader) {
  const JsonValue value = known_version(reader.root().file_extension("VRMC_vrm"));
  if (!value) return false;
  Avatar& avatar = reader.model().avatar;
  avatar.format = Avatar::Format::vrm1;
  avatar.spec_version = value["specVersion"].string();
  read_meta(avatar, value["meta"]);
  read_bones(reader, value["humanoid"]);
  for (const bool preset : {true, false})
    for (const JsonMember member : value["expressions"][preset ? "preset" : "custom"].members()) read_expression(reader, member, preset);
  read_first_person(reader, value["firstPerson"]);
  if (const JsonValue look = value["lookAt"]) read_look(avatar.look_at, look);
  return true;
}

bool read_vrm_animation(Reader& reader) {
  const JsonValue value = known_version(reader.root().file_extension("VRMC_vrm_animation"));
  if (!value) return false;
  Avatar& avatar = reader.model().avatar;
  avatar.format = Avatar::Format::vrm_animation;
  avatar.spec_version = value["specVersion"].string();
  read_bones(reader, value["humanoid"]);
  for (const bool preset : {true, false})
    for (const JsonMember member : value["expressions"][preset ? "preset" : "custom"].members()) {
      Expression expression;
      expression.name = expression.stored = member.key.string();
      expression.preset = preset;
      expression.amount = reader.root().plain_index(member.value["node"], Reference::node);
      expression.source = source_of(member.value);
      if (expression.amount != none) avatar.expressions.push_back(std::move(expression));
    }
  return true;
}

void read_springs(Reader& reader) {
  Avatar& avatar = reader.model().avatar;
  const JsonValue value = known_version(reader.root().file_extension("VRMC_springBone"));
  std::vector<Index> kept;  // by the number in the file
  for (const JsonValue collider : value["colliders"].elements()) {
    const Index node = reader.root().plain_index(collider["node"], Reference::node);
    kept.push_back(node == none ? none : static_cast<Index>(avatar.colliders.size()));
    if (node != none) avatar.colliders.push_back({node, source_of(collider)});
  }
  for (const JsonValue group : value["colliderGroups"].elements()) {
    std::vector<Index>& own = avatar.collider_groups.emplace_back();
    for (const Index collider : indices_below(group["colliders"], kept.size()))
      if (kept[collider] != none) own.push_back(kept[collider]);
  }
  for (const JsonValue each : value["springs"].elements()) {
    Spring spring;
    spring.name = each["name"].string();
    for (const JsonValue joint : each["joints"].elements())
      if (const Index node = reader.root().plain_index(joint["node"], Reference::node); node != none) spring.joints.push_back(node);
    spring.collider_groups = indices_below(each["colliderGroups"], avatar.collider_groups.size());
    spring.center = reader.root().plain_index(each["center"], Reference::node);
    spring.source = source_of(each);
    avatar.springs.push_back(std::move(spring));
  }
}

void read_constraints(Reader& reader) {
  constexpr std::string_view name = "VRMC_node_constraint";
  if (!reader.root().uses_extension(name)) return;
  Index node = 0;
  for (const JsonValue value : reader.root()["nodes"].elements()) {
    if (const JsonValue own = known_version(value["extensions"][name])) read_constraint(reader, node, own["constraint"]);
    ++node;
  }
}

}  // namespace sinew::gltf

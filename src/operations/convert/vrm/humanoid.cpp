// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "base/ascii.hpp"
#include "base/message.hpp"
#include "document/json/edit_members.hpp"
#include "model/human_bones.hpp"
#include "operations/convert/vrm/conversion.hpp"

namespace sinew::operations::vrm {

namespace {

class HumanoidConversion {
 public:
  explicit HumanoidConversion(AvatarConversion& conversion) : conversion_(conversion), old_(conversion.old["humanoid"]) {}

  JsonEdit run() {
    for (const JsonValue bone : old_["humanBones"].elements()) read(bone);
    drop_without_parent();
    for (const HumanBoneKind& kind : human_bones())
      if (kind.required && !nodes_.contains(kind.name))
        conversion_.refuse(Failure::input, old_ ? old_ : conversion_.old,
                           format_text("the humanoid has no bone \"{}\", which VRM 1.0 requires; nothing was written", kind.name));
    report_limits();
    JsonEdit bones = JsonEdit::object();
    for (const HumanBoneKind& kind : human_bones())
      if (const auto found = nodes_.find(kind.name); found != nodes_.end())
        bones.set(kind.name, JsonEdit::object()).set("node", JsonEdit::integer(found->second));
    JsonEdit humanoid = JsonEdit::object();
    humanoid.set("humanBones", std::move(bones));
    return humanoid;
  }

 private:
  void read(JsonValue bone) {
    const std::string name = bone["bone"].string();
    const Index node = conversion_.node(bone["node"]);
    if (node == none) return;
    const HumanBoneKind* const kind = find_old_human_bone(name);
    if (kind == nullptr) return conversion_.lost(bone, format_text("the bone \"{}\" is lost: VRM 1.0 has no bone with this name", name));
    if (!nodes_.emplace(kind->name, node).second)
      return conversion_.lost(bone, format_text("the bone \"{}\" is lost: the file has it twice, and the first one counts", name));
    const bool own = bone["useDefaultValues"].boolean() == false;
    limited_ |= own && (bone["min"] || bone["max"] || bone["center"] || bone["axisLength"]);
  }

  // VRM 1.0 does not allow a finger's second bone without the first.
  void drop_without_parent() {
    for (const HumanBoneKind& kind : human_bones()) {  // parents come first
      if (!kind.needs_parent || !nodes_.contains(kind.name) || nodes_.contains(kind.parent)) continue;
      nodes_.erase(kind.name);
      conversion_.lost(old_, format_text("the bone \"{}\" is lost: VRM 1.0 requires \"{}\" with it", kind.name, kind.parent));
    }
  }

  void report_limits() {
    constexpr std::pair<std::string_view, double> usual[] = {{"armStretch", 0.05},   {"legStretch", 0.05},   {"upperArmTwist", 0.5},
                                                             {"lowerArmTwist", 0.5}, {"upperLegTwist", 0.5}, {"lowerLegTwist", 0.5},
                                                             {"feetSpacing", 0.0}};
    bool set = limited_ || old_["hasTranslationDoF"].boolean() == true;
    for (const auto& [name, value] : usual) set |= std::abs(number_or(old_[name], value) - value) > 1e-6;
    if (set) conversion_.lost(old_, "the limits of bones and the stretch and twist values of Unity are lost");
  }

  AvatarConversion& conversion_;
  JsonValue old_;
  std::map<std::string_view, Index> nodes_;  ///< by the name in VRM 1.0
  bool limited_ = false;
};

constexpr double reach = 0.01;  ///< degrees: applications divide by the range

/// Converts a curve of the look to a linear range.
void set_range(AvatarConversion& conversion, JsonEdit& look, std::string_view key, JsonValue old, double usual_output) {
  JsonEdit& range = look.set(key, JsonEdit::object());
  range.set("inputMaxValue", JsonEdit::number(within(conversion, old["xRange"], 90, reach, 180)));
  range.set("outputScale", JsonEdit::number(number_or(old["yRange"], usual_output)));
  constexpr double line[] = {0, 0, 0, 1, 1, 1, 1, 0};
  const JsonValue curve = old["curve"];
  std::size_t at = 0;
  bool straight = curve.size() == 0 || curve.size() == std::size(line);
  if (straight)
    for (const JsonValue number : curve.elements()) straight &= std::abs(number_or(number, 2) - line[at++]) < 1e-6;
  if (!straight) conversion.lost(curve, "the curve of the look is lost: VRM 1.0 has only its ranges");
}

}  // namespace

JsonEdit humanoid_of(AvatarConversion& conversion) { return HumanoidConversion(conversion).run(); }

std::optional<JsonEdit> look_at_of(AvatarConversion& conversion) {
  const JsonValue old = conversion.old["firstPerson"];
  if (!old) return std::nullopt;
  JsonEdit look = JsonEdit::object();
  look.set("offsetFromHeadBone", document::numbers(local_vector(old["firstPersonBoneOffset"])));
  const bool by_expression = old["lookAtTypeName"].equals("BlendShape");
  look.set("type", JsonEdit::string(by_expression ? "expression" : "bone"));
  const double usual_output = by_expression ? 1 : 10;
  for (const std::string_view part : {"HorizontalInner", "HorizontalOuter", "VerticalDown", "VerticalUp"})
    set_range(conversion, look, format_text("rangeMap{}", part), old[format_text("lookAt{}", part)], usual_output);
  const Index bone = conversion.node(old["firstPersonBone"]);
  if (bone != none && bone != conversion.before.avatar.bone("head"))
    conversion.lost(old["firstPersonBone"], "the bone of the first person is lost: in VRM 1.0 it is always the head");
  return look;
}

std::optional<JsonEdit> first_person_of(AvatarConversion& conversion) {
  constexpr std::pair<std::string_view, std::string_view> flags[] = {
      {"auto", "auto"}, {"both", "both"}, {"thirdpersononly", "thirdPersonOnly"}, {"firstpersononly", "firstPersonOnly"}};
  JsonEdit list = JsonEdit::array();
  std::set<Index> annotated;
  for (const JsonValue annotation : conversion.old["firstPerson"]["meshAnnotations"].elements()) {
    const Index mesh = conversion.index(annotation["mesh"], conversion.before.meshes.size(), "mesh");
    if (mesh == none) continue;
    const std::string flag = to_lower(annotation["firstPersonFlag"].string());
    const auto* const known = std::ranges::find(flags, std::string_view(flag), [](const auto& each) { return each.first; });
    if (known == std::end(flags)) conversion.lost(annotation, format_text("the flag \"{}\" is unknown, and \"auto\" is written", flag));
    if (conversion.nodes_with(mesh).empty())
      conversion.lost(annotation, "the annotation for the first person is lost: no node has its mesh");
    for (const Index node : conversion.nodes_with(mesh)) {
      if (!annotated.insert(node).second) {
        conversion.lost(annotation, "the mesh is listed twice, and the first entry counts");
        break;
      }
      JsonEdit& entry = list.push_back(JsonEdit::object());
      entry.set("node", JsonEdit::integer(node));
      entry.set("type", JsonEdit::string(known == std::end(flags) ? "auto" : known->second));
    }
  }
  if (list.size() == 0) return std::nullopt;
  JsonEdit first_person = JsonEdit::object();
  first_person.set("meshAnnotations", std::move(list));
  return first_person;
}

}  // namespace sinew::operations::vrm

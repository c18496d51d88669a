// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "base/ascii.hpp"
#include "base/message.hpp"
#include "document/json/edit_members.hpp"
#include "gltf/extensions/VRM.hpp"
#include "operations/convert/vrm/conversion.hpp"

namespace sinew::operations::vrm {

namespace {

constexpr std::string_view only_new_preset = "surprised";

/// Returns the preset that a name of VRM 0.x or 1.0 means, whatever its case; empty: none.
std::string_view preset_of(const std::string& name) {
  const std::string low = to_lower(name);
  for (const auto& each : gltf::vrm::preset_names)
    if (low == each.old_name || low == to_lower(std::string(each.name))) return each.name;
  return low == only_new_preset ? only_new_preset : std::string_view();
}

/// The types of colours by the names of the shader; the values of all but one are sRGB.
struct ColourName {
  std::string_view property, type;
  bool is_linear = false;
};
constexpr ColourName colour_names[] = {{"_Color", "color"},
                                       {"_EmissionColor", "emissionColor", true},
                                       {"_ShadeColor", "shadeColor"},
                                       {"_RimColor", "rimColor"},
                                       {"_OutlineColor", "outlineColor"}};

class ExpressionConversion {
 public:
  explicit ExpressionConversion(AvatarConversion& conversion) : conversion_(conversion) {
    Index material = 0;
    for (const JsonValue each : conversion.root["materials"].elements()) materials_.try_emplace(each["name"].string(), material++);
    for (const JsonValue each : conversion.old["materialProperties"].elements()) properties_.push_back(each);
    for (const auto& each : gltf::vrm::preset_names) names_.add(each.name);
    names_.add(only_new_preset);
  }

  std::optional<JsonEdit> run() {
    for (const JsonValue group : conversion_.old["blendShapeMaster"]["blendShapeGroups"].elements()) add(group);
    if (presets_.size() + custom_.size() == 0) return std::nullopt;
    JsonEdit all = JsonEdit::object();
    if (presets_.size() != 0) all.set("preset", std::move(presets_));
    if (custom_.size() != 0) all.set("custom", std::move(custom_));
    return all;
  }

 private:
  void add(JsonValue group) {
    const std::string name = group["name"].string(), stored = to_lower(group["presetName"].string());
    std::string_view preset = preset_of(stored);
    const bool named = preset.empty();
    if (named) preset = preset_of(name);
    if (!preset.empty() && taken_.insert(std::string(preset)).second) {
      presets_.set(preset, expression_of(group));
      return;
    }
    if (!named || (preset.empty() && !taken_.insert("custom " + to_lower(name)).second))
      return conversion_.lost(group, format_text("the expression \"{}\" is lost: another one before it has the same name", name));
    const std::string own = names_.take(name.empty() ? "unnamed" : name);
    if (own != name) conversion_.changed(group, format_text("the expression \"{}\" becomes \"{}\"", name, own));
    custom_.set(own, expression_of(group));
  }

  JsonEdit expression_of(JsonValue group) {
    JsonEdit expression = JsonEdit::object();
    expression.set("isBinary", JsonEdit::boolean(group["isBinary"].boolean().value_or(false)));
    set_list(expression, "morphTargetBinds", shape_binds(group));
    colours_ = JsonEdit::array();
    places_.clear();
    for (const JsonValue value : group["materialValues"].elements()) add_material_value(value);
    set_list(expression, "materialColorBinds", std::move(colours_));
    JsonEdit places = JsonEdit::array();
    for (const auto& [material, place] : places_) {
      JsonEdit& bind = places.push_back(JsonEdit::object());
      bind.set("material", JsonEdit::integer(material));
      bind.set("scale", document::numbers(place.scale));
      bind.set("offset", document::numbers(place.offset));
    }
    set_list(expression, "textureTransformBinds", std::move(places));
    return expression;
  }

  static void set_list(JsonEdit& object, std::string_view key, JsonEdit list) {
    if (list.size() != 0) object.set(key, std::move(list));
  }

  JsonEdit shape_binds(JsonValue group) {
    JsonEdit list = JsonEdit::array();
    for (const JsonValue bind : group["binds"].elements()) {
      const Index mesh = conversion_.index(bind["mesh"], conversion_.before.meshes.size(), "mesh");
      if (mesh == none) continue;
      const Index shape = conversion_.index(bind["index"], conversion_.before.meshes[mesh].shapes.size(), "blend shape");
      if (shape == none) {
        if (!conversion_.broken) conversion_.lost(bind, "the bind is lost: it names no blend shape");
        continue;
      }
      if (conversion_.nodes_with(mesh).empty()) conversion_.lost(bind, "the bind is lost: no node has its mesh");
      const double weight = within(conversion_, bind["weight"], 0, 0, 100) / 100;
      for (const Index node : conversion_.nodes_with(mesh)) {
        JsonEdit& made = list.push_back(JsonEdit::object());
        made.set("node", JsonEdit::integer(node));
        made.set("index", JsonEdit::integer(shape));
        made.set("weight", JsonEdit::number(weight));
      }
    }
    return list;
  }

  void add_material_value(JsonValue value) {
    const std::string name = value["materialName"].string(), property = value["propertyName"].string();
    const auto found = materials_.find(name);
    if (name.empty() || found == materials_.end())
      return conversion_.lost(value, format_text("the change of a material is lost: no material has the name \"{}\"", name));
    std::array<double, 4> target{0, 0, 0, 1};
    std::size_t at = 0;
    for (const JsonValue number : value["targetValue"].elements())
      if (at < 4) target[at++] = number_or(number, 0);
    const auto* const colour = std::ranges::find(colour_names, std::string_view(property), &ColourName::property);
    if (colour != std::end(colour_names)) {
      JsonEdit& bind = colours_.push_back(JsonEdit::object());
      bind.set("material", JsonEdit::integer(found->second));
      bind.set("type", JsonEdit::string(colour->type));
      bind.set("targetValue", document::numbers(colour->is_linear ? target : linear_colour(target)));
      return;
    }
    const bool both = property == "_MainTex_ST", first = property == "_MainTex_ST_S", second = property == "_MainTex_ST_T";
    if (!both && !first && !second)
      return conversion_.lost(value, format_text("the change of \"{}\" is lost: VRM 1.0 expressions cannot change it", property));
    // A change of one axis keeps the other one.
    const Index material = found->second;
    TexturePlace& place =
        places_.try_emplace(material, material < properties_.size() ? main_texture_place(properties_[material]) : TexturePlace())
            .first->second;
    const TexturePlace wanted = texture_place({target[2], target[3]}, {target[0], target[1]});
    for (const std::size_t axis : {0u, 1u})
      if (both || (axis == 0 ? first : second)) {
        place.offset[axis] = wanted.offset[axis];
        place.scale[axis] = wanted.scale[axis];
      }
  }

  AvatarConversion& conversion_;
  std::map<std::string, Index> materials_;  ///< by name: the first one
  std::vector<JsonValue> properties_;       ///< of materials
  UniqueNames names_;                       ///< of expressions in the new file
  std::set<std::string> taken_;             ///< presets, and custom names in lower case
  JsonEdit presets_ = JsonEdit::object(), custom_ = JsonEdit::object();
  // of one expression
  JsonEdit colours_ = JsonEdit::array();
  std::map<Index, TexturePlace> places_;  ///< by material
};

}  // namespace

std::optional<JsonEdit> expressions_of(AvatarConversion& conversion) { return ExpressionConversion(conversion).run(); }

}  // namespace sinew::operations::vrm

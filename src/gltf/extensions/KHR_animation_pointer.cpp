// SPDX-License-Identifier: MIT
#include "gltf/extensions/KHR_animation_pointer.hpp"

#include <algorithm>
#include <string>

#include "gltf/extensions/references.hpp"

namespace sinew::gltf {

namespace {

using Moves = MutableProperty::Moves;
using Fate = PointerTarget::Fate;
using document::PointerStep;

// The object model of glTF 2.0, and the lists of the extensions' texts.
constexpr MutableProperty properties[] = {
    {"/nodes/{}/translation", 3, false, Moves::translation},
    {"/nodes/{}/rotation", 4, false, Moves::rotation},
    {"/nodes/{}/scale", 3, false, Moves::scale},
    {"/nodes/{}/weights", 1, false, Moves::weights},
    {"/nodes/{}/weights/{}", 1, false, Moves::weight},
    {"/meshes/{}/weights", 1, false, Moves::weights},  // until January 2026
    {"/meshes/{}/weights/{}", 1, false, Moves::weight},
    {"/nodes/{}/extensions/KHR_node_visibility/visible", 1, false, Moves::visibility},
    {"/nodes/{}/extensions/KHR_node_selectability/selectable"},
    {"/nodes/{}/extensions/KHR_node_hoverability/hoverable"},
    {"/cameras/{}/orthographic/xmag"},
    {"/cameras/{}/orthographic/ymag"},
    {"/cameras/{}/orthographic/zfar"},
    {"/cameras/{}/orthographic/znear"},
    {"/cameras/{}/perspective/aspectRatio", 1, true},
    {"/cameras/{}/perspective/yfov"},
    {"/cameras/{}/perspective/zfar", 1, true},
    {"/cameras/{}/perspective/znear"},
    {"/materials/{}/alphaCutoff"},
    {"/materials/{}/emissiveFactor", 3},
    {"/materials/{}/normalTexture/scale"},
    {"/materials/{}/occlusionTexture/strength"},
    {"/materials/{}/pbrMetallicRoughness/baseColorFactor", 4},
    {"/materials/{}/pbrMetallicRoughness/metallicFactor"},
    {"/materials/{}/pbrMetallicRoughness/roughnessFactor"},
    {"*/extensions/KHR_texture_transform/offset", 2},
    {"*/extensions/KHR_texture_transform/rotation"},
    {"*/extensions/KHR_texture_transform/scale", 2},
    {"/materials/{}/extensions/KHR_materials_anisotropy/anisotropyStrength"},
    {"/materials/{}/extensions/KHR_materials_anisotropy/anisotropyRotation"},
    {"/materials/{}/extensions/KHR_materials_clearcoat/clearcoatFactor"},
    {"/materials/{}/extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor"},
    {"/materials/{}/extensions/KHR_materials_clearcoat/clearcoatNormalTexture/scale"},
    {"/materials/{}/extensions/KHR_materials_dispersion/dispersion"},
    {"/materials/{}/extensions/KHR_materials_emissive_strength/emissiveStrength"},
    {"/materials/{}/extensions/KHR_materials_ior/ior"},
    {"/materials/{}/extensions/KHR_materials_iridescence/iridescenceFactor"},
    {"/materials/{}/extensions/KHR_materials_iridescence/iridescenceIor"},
    {"/materials/{}/extensions/KHR_materials_iridescence/iridescenceThicknessMinimum"},
    {"/materials/{}/extensions/KHR_materials_iridescence/iridescenceThicknessMaximum"},
    {"/materials/{}/extensions/KHR_materials_sheen/sheenColorFactor", 3},
    {"/materials/{}/extensions/KHR_materials_sheen/sheenRoughnessFactor"},
    {"/materials/{}/extensions/KHR_materials_specular/specularFactor"},
    {"/materials/{}/extensions/KHR_materials_specular/specularColorFactor", 3},
    {"/materials/{}/extensions/KHR_materials_transmission/transmissionFactor"},
    {"/materials/{}/extensions/KHR_materials_volume/thicknessFactor"},
    {"/materials/{}/extensions/KHR_materials_volume/attenuationDistance"},  // the default is +∞
    {"/materials/{}/extensions/KHR_materials_volume/attenuationColor", 3},
    {"/materials/{}/extensions/ADOBE_materials_clearcoat_specular/clearcoatIor"},
    {"/materials/{}/extensions/ADOBE_materials_clearcoat_specular/clearcoatSpecularFactor"},
    {"/materials/{}/extensions/ADOBE_materials_clearcoat_tint/clearcoatTintFactor", 3},
    {"/extensions/KHR_lights_punctual/lights/{}/color", 3},
    {"/extensions/KHR_lights_punctual/lights/{}/intensity"},
    {"/extensions/KHR_lights_punctual/lights/{}/range", 1, true},
    {"/extensions/KHR_lights_punctual/lights/{}/spot/innerConeAngle"},
    {"/extensions/KHR_lights_punctual/lights/{}/spot/outerConeAngle"},
    {"/nodes/{}/extensions/EXT_lights_ies/multiplier"},
    {"/nodes/{}/extensions/EXT_lights_ies/color", 3},
    {"/extensions/EXT_lights_image_based/lights/{}/rotation", 4},
    {"/extensions/EXT_lights_image_based/lights/{}/intensity"},
};

/// Values that the object model has, and that a file need not store.
constexpr std::string_view read_only[] = {"globalMatrix", "parent", "matrix"};

/// Returns whether the steps are those of a property's path.
bool matches(const MutableProperty& property, std::span<const PointerStep> steps) {
  const std::string_view last = property.path.substr(property.path.rfind('/') + 1);
  if (last != "{}" && last != steps.back().text) return false;
  const std::vector<PointerStep> path = document::steps_of(property.path.substr(property.path.find('/')));
  if (property.path.starts_with('*')) {
    if (steps.size() <= path.size() + 1 || steps[0].text != "materials") return false;
    steps = steps.subspan(steps.size() - path.size() - 1);
    if (!steps[0].text.ends_with("Texture")) return false;
    steps = steps.subspan(1);
  }
  return std::ranges::equal(path, steps, [](const PointerStep& wanted, const PointerStep& step) {
    return wanted.text == "{}" ? step.index().has_value() : wanted.text == step.text;
  });
}

class Resolver {
 public:
  Resolver(JsonValue root, const Model& model, std::span<const PointerStep> steps) : root_(root), model_(model), steps_(steps) {}

  PointerTarget run() const {
    for (const MutableProperty& property : properties)
      if (matches(property, steps_)) return of(property);
    if (into_other_content()) return {value(steps_) ? Fate::carried : Fate::nothing};
    return {is_known() ? Fate::not_mutable : Fate::nothing};
  }

 private:
  /// Returns the value that the steps name; missing if they name none.
  [[nodiscard]] JsonValue value(std::span<const PointerStep> steps) const {
    JsonValue at = root_;
    for (std::size_t i = 0; i < steps.size() && at; ++i) {
      const auto index = steps[i].index();
      if (at.is(document::JsonKind::array))
        at = !index ? JsonValue() : i == 1 && steps[0].text == "nodes" ? node(*index) : at.at(*index);
      else
        at = at[steps[i].name()];
    }
    return at;
  }

  // at() would walk over all nodes before it.
  [[nodiscard]] JsonValue node(Index index) const {
    return index < model_.nodes.size() ? JsonValue(*root_.json(), static_cast<std::uint32_t>(model_.nodes[index].source)) : JsonValue();
  }

  [[nodiscard]] PointerTarget of(const MutableProperty& property) const {
    const JsonValue holder = value(steps_.first(steps_.size() - 1));
    PointerTarget target{Fate::usable, &property};
    const bool of_node = steps_[0].text == "nodes";
    if (of_node) target.node = *steps_[1].index();
    const JsonValue owner = value(steps_.first(std::min<std::size_t>(2, steps_.size())));
    if (!owner) return {};
    switch (property.moves) {
      case Moves::rotation:
      case Moves::scale:
        if (owner["matrix"]) return {Fate::of_matrix};
        return target;
      case Moves::translation:
        return target;
      case Moves::weights:
      case Moves::weight: {
        target.mesh = of_node ? model_.nodes[target.node].mesh : *steps_[1].index();
        const std::size_t shapes = target.mesh < model_.meshes.size() ? model_.meshes[target.mesh].shapes.size() : 0;
        if (property.moves == Moves::weight) target.shape = *steps_[3].index();
        const bool exists = property.moves == Moves::weight ? target.shape < shapes : shapes != 0;
        return exists ? target : PointerTarget{};
      }
      default:
        return (property.stored ? value(steps_) : holder) ? target : PointerTarget{};
    }
  }

  /// Returns whether the steps lead into `extras`, or to a member of an extension without properties in the list.
  [[nodiscard]] bool into_other_content() const {
    for (std::size_t i = 0; i + 1 < steps_.size(); ++i) {
      if (steps_[i].text == "extras") return true;
      if (steps_[i].text == "extensions" && i + 2 < steps_.size() && !is_listed(steps_[i + 1].text)) return true;
    }
    return false;
  }

  static bool is_listed(std::string_view extension) {
    const std::string step = "/" + std::string(extension) + "/";
    return extension == "EXT_mesh_gpu_instancing" || std::ranges::any_of(properties, [&](const MutableProperty& property) {
             return property.path.find(step) != std::string_view::npos;
           });
  }

  /// Returns whether the steps name something that exists, or a part of a vector that may be animated as a whole.
  [[nodiscard]] bool is_known() const {
    if (steps_.empty() || value(steps_)) return true;
    const auto whole = steps_.first(steps_.size() - 1);
    const std::string_view last = steps_.back().text;
    if (steps_.back().index() &&
        std::ranges::any_of(properties, [&](const MutableProperty& property) { return property.width > 1 && matches(property, whole); }))
      return bool(value(whole.first(whole.size() - 1)));
    return (last.ends_with(".length") || std::ranges::find(read_only, last) != std::end(read_only)) && bool(value(whole));
  }

  JsonValue root_;
  const Model& model_;
  std::span<const PointerStep> steps_;
};

}  // namespace

PointerTarget pointer_target(JsonValue root, const Model& model, std::string_view pointer) {
  const std::vector<PointerStep> steps = document::steps_of(pointer);
  if (steps.empty()) return {pointer.empty() ? Fate::not_mutable : Fate::nothing};
  return Resolver(root, model, steps).run();
}

const Property* row_of_pointer(JsonValue root, std::string_view pointer) {
  const std::vector<PointerStep> steps = document::steps_of(pointer);
  const Table* table = &root_table;
  const Property* row = nullptr;  // of the last step
  JsonValue at = root;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (table == nullptr) return nullptr;
    const std::string name = steps[i].name();
    const auto& rows = document::kind_of(at, *table).rows;
    const auto found = std::ranges::find(rows, name, &Property::name);
    row = found == rows.end() ? nullptr : &*found;
    at = at[name];
    if (name == "extensions" && i + 1 < steps.size()) {
      const std::string extension = steps[++i].name();
      table = table_of_extension(extension, *table);
      at = at[extension];
      row = nullptr;
      continue;
    }
    if (row == nullptr) return nullptr;
    table = row->of;
    if (row->shape == Property::Shape::list && i + 1 < steps.size()) at = at.at(steps[++i].index().value_or(none));
  }
  return row;
}

JsonValue pointer_of_target(JsonValue target) {
  if (!target["path"].equals("pointer") || target["node"]) return {};
  const JsonValue pointer = target["extensions"]["KHR_animation_pointer"]["pointer"];
  return pointer.is(document::JsonKind::string) ? pointer : JsonValue();
}

namespace khr_animation_pointer {

namespace {

constexpr std::string_view channel_paths_and_pointer[] = {"translation", "rotation", "scale", "weights", "pointer"};
constexpr TableOf target_or_pointer_table(row::with_words(channel_target_table.list, "path", channel_paths_and_pointer));

constexpr Extension list[] = {
    {.name = "KHR_animation_pointer",
     .use = applied,
     .places = {{.holder = &channel_target_table, .object = &animation_pointer_table, .partial = true}},
     .widens = &channel_target_table,
     .wider = &target_or_pointer_table,
     .checked = true,
     .fate = ExtensionFate::ended},  // belongs to clips
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace khr_animation_pointer

}  // namespace sinew::gltf

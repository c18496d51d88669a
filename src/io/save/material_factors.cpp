// SPDX-License-Identifier: MIT
#include "io/save/material_factors.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "g4mf/read/read.hpp"

namespace sinew::io {

namespace {

using document::JsonEdit;
using document::JsonValue;

JsonEdit list_of(std::span<const double> numbers) {
  JsonEdit list = JsonEdit::array();
  for (const double number : numbers) list.push_back(JsonEdit::number(std::clamp(number, 0.0, 1.0)));
  return list;
}

/// Returns whether a material has more than factors.
bool has_more(JsonValue material) {
  return std::ranges::any_of(std::array{"baseColor", "emissive", "normal", "orm"}, [&](std::string_view channel) {
    const JsonValue object = material[channel];
    return object.size() > (object["factor"] ? 1 : 0);
  });
}

}  // namespace

// G4MF materials have base colour, emission, and occlusion, roughness and metalness in one property. glTF has no factor for occlusion.
bool set_factors(JsonValue from, JsonEdit& to) {
  JsonEdit physical = JsonEdit::object();
  if (from["baseColor"]["factor"]) {
    const auto color = g4mf::first_numbers<4>(from["baseColor"]["factor"], {1, 1, 1, 1});
    physical.set("baseColorFactor", list_of(color));
    if (color[3] < 1) to.set("alphaMode", JsonEdit::string("BLEND"));
  }
  const auto orm = g4mf::first_numbers<3>(from["orm"]["factor"], {0, 1, 0});
  physical.set("metallicFactor", JsonEdit::number(std::clamp(orm[2], 0.0, 1.0)));  // the default of glTF is 1
  if (orm[1] != 1) physical.set("roughnessFactor", JsonEdit::number(std::clamp(orm[1], 0.0, 1.0)));
  to.set("pbrMetallicRoughness", std::move(physical));
  if (!from["emissive"]["factor"]) return false;
  auto light = g4mf::first_numbers<3>(from["emissive"]["factor"], {0, 0, 0});
  const double most = std::max({light[0], light[1], light[2], 1.0});
  for (double& part : light) part /= most;
  to.set("emissiveFactor", list_of(light));
  if (!(most > 1)) return false;
  JsonEdit strength = JsonEdit::object();
  strength.set("emissiveStrength", JsonEdit::number(most));
  JsonEdit extensions = JsonEdit::object();
  extensions.set(emissive_strength, std::move(strength));
  to.set("extensions", std::move(extensions));
  return true;
}

GltfMaterials gltf_materials(const Model& model) {
  GltfMaterials materials;
  const auto* source = document::source_as<g4mf::Source>(model.source.get());
  if (source == nullptr) return materials;
  bool strong = false, more = false;
  for (const Material& material : model.materials) {
    const JsonValue from = source->value(material.source);
    JsonEdit to = JsonEdit::object();
    if (!material.name.empty()) to.set("name", JsonEdit::string(material.name));
    strong = set_factors(from, to) || strong;
    more = more || has_more(from);
    materials.json.push_back(std::move(to));
  }
  if (strong) materials.extensions.emplace_back(emissive_strength);
  if (more) materials.notes.emplace_back("materials keep only their factors; textures and colours by element are lost");
  return materials;
}

}  // namespace sinew::io

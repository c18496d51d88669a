// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>
#include <string>

#include "base/message.hpp"
#include "document/json/edit_members.hpp"
#include "gltf/extensions/VRM.hpp"
#include "gltf/write/editor.hpp"
#include "io/save/material_factors.hpp"
#include "operations/convert/vrm/conversion.hpp"

namespace sinew::operations::vrm {

namespace {

constexpr std::string_view toon = "VRMC_materials_mtoon", unlit = "KHR_materials_unlit", texture_transform = "KHR_texture_transform";
using Colour = std::array<double, 4>;

enum class Blend { opaque, mask, blend, blend_with_depth };

/// An entry of materialProperties. Absent values are those of the shader.
class OldMaterial {
 public:
  OldMaterial(AvatarConversion& conversion, JsonValue value) : conversion_(conversion), value_(value), shader_(value["shader"].string()) {}

  [[nodiscard]] JsonValue value() const { return value_; }
  [[nodiscard]] const std::string& shader() const { return shader_; }
  [[nodiscard]] bool is_toon() const { return shader_ == "VRM/MToon"; }
  [[nodiscard]] bool is_unlit() const { return shader_.starts_with("VRM/Unlit"); }
  [[nodiscard]] double number(std::string_view name, double otherwise) const {
    return number_or(value_["floatProperties"][name], otherwise);
  }
  [[nodiscard]] double queue() const { return number_or(value_["renderQueue"], 2000); }
  [[nodiscard]] bool has(std::string_view texture) const { return bool(value_["textureProperties"][texture]); }
  [[nodiscard]] Index texture(std::string_view name) const {
    return conversion_.index(value_["textureProperties"][name], conversion_.root["textures"].size(), "texture");
  }
  [[nodiscard]] Colour colour(std::string_view name, Colour otherwise) const {
    const JsonValue stored = value_["vectorProperties"][name];
    std::size_t at = 0;
    for (const JsonValue component : stored.elements())
      if (at < 4) otherwise[at++] = number_or(component, 0);
    return otherwise;
  }

  [[nodiscard]] Blend blend() const {
    if (is_toon()) return static_cast<Blend>(std::clamp(std::lround(std::clamp(number("_BlendMode", 0), 0.0, 3.0)), 0L, 3L));
    return shader_ == "VRM/UnlitCutout"              ? Blend::mask
           : shader_ == "VRM/UnlitTransparent"       ? Blend::blend
           : shader_ == "VRM/UnlitTransparentZWrite" ? Blend::blend_with_depth
                                                     : Blend::opaque;
  }
  /// Returns whether it becomes MToon.
  [[nodiscard]] bool becomes_toon() const { return is_toon() || (is_unlit() && blend() == Blend::blend_with_depth); }

 private:
  AvatarConversion& conversion_;
  JsonValue value_;
  std::string shader_;
};

JsonEdit rgb(const Colour& colour) { return document::numbers(std::span(colour).first<3>()); }

/// Writes one material.
class MaterialConversion {
 public:
  /// `used`: gets the extensions of the file.
  MaterialConversion(AvatarConversion& conversion, const OldMaterial& old, int order, JsonEdit& material, std::set<std::string_view>& used)
      : conversion_(conversion), old_(old), order_(order), material_(material), used_(used), place_(main_texture_place(old.value())) {}

  void run() {
    set_blend();
    if (old_.is_toon())
      set_toon();
    else if (old_.becomes_toon())
      set_glowing();
    else
      set_unlit();
  }

 private:
  void set_blend() {
    constexpr std::string_view modes[] = {"OPAQUE", "MASK", "BLEND", "BLEND"};
    const Blend blend = old_.blend();
    material_.set("alphaMode", JsonEdit::string(modes[static_cast<std::size_t>(blend)]));
    material_.erase("alphaCutoff");
    if (blend == Blend::mask) material_.set("alphaCutoff", JsonEdit::number(std::max(0.0, old_.number("_Cutoff", 0.5))));
  }

  /// Sets the reference to a texture, or removes it.
  void set_texture(JsonEdit& object, std::string_view key, std::string_view name, bool placed = true) {
    const Index texture = old_.texture(name);
    if (texture == none) return object.erase(key);
    JsonEdit& info = object.set(key, JsonEdit::object());
    info.set("index", JsonEdit::integer(texture));
    if (!placed || place_.is_neutral()) return;
    JsonEdit& transform = gltf::extension_in(info, texture_transform);
    transform.set("offset", document::numbers(place_.offset));
    transform.set("scale", document::numbers(place_.scale));
    used_.insert(texture_transform);
  }

  void set_base(const Colour& linear) {
    JsonEdit& base = document::object_in(material_, "pbrMetallicRoughness");
    base.set("baseColorFactor", document::numbers(clamped(linear)));
    set_texture(base, "baseColorTexture", "_MainTex");
    base.set("metallicFactor", JsonEdit::number(0));
    if (base.find("roughnessFactor") == nullptr) base.set("roughnessFactor", JsonEdit::number(0.9));
  }

  static Colour clamped(Colour colour) {
    for (double& part : colour) part = std::clamp(part, 0.0, 1.0);
    return colour;
  }

  void set_emission(Colour colour, std::string_view texture) {
    for (double& part : colour) part = std::max(0.0, part);
    const double strength = std::max({colour[0], colour[1], colour[2], 1.0});
    for (double& part : colour) part /= strength;
    material_.set("emissiveFactor", rgb(colour));
    set_texture(material_, "emissiveTexture", texture);
    gltf::erase_extension(material_, io::emissive_strength);
    if (strength == 1) return;
    gltf::extension_in(material_, io::emissive_strength).set("emissiveStrength", JsonEdit::number(strength));
    used_.insert(io::emissive_strength);
  }

  void set_unlit() {
    static_cast<void>(gltf::extension_in(material_, unlit));
    used_.insert(unlit);
    if (old_.has("_MainTex")) set_texture(document::object_in(material_, "pbrMetallicRoughness"), "baseColorTexture", "_MainTex");
    if (old_.value()["vectorProperties"]["_Color"])
      document::object_in(material_, "pbrMetallicRoughness")
          .set("baseColorFactor", document::numbers(clamped(linear_colour(old_.colour("_Color", {1, 1, 1, 1})))));
  }

  JsonEdit& start_toon() {
    set_unlit_fallback();
    JsonEdit& made = gltf::extension_in(material_, toon);
    made = JsonEdit::object();
    used_.insert(toon);
    made.set("specVersion", JsonEdit::string("1.0"));
    made.set("transparentWithZWrite", JsonEdit::boolean(old_.blend() == Blend::blend_with_depth));
    made.set("renderQueueOffsetNumber", JsonEdit::integer(order_));
    return made;
  }
  void set_unlit_fallback() {
    static_cast<void>(gltf::extension_in(material_, unlit));
    used_.insert(unlit);
  }

  /// A material without light and with depth has no counterpart but one that only glows.
  void set_glowing() {
    const Colour colour = linear_colour(old_.colour("_Color", {1, 1, 1, 1}));
    set_base({0, 0, 0, colour[3]});
    set_emission(colour, "_MainTex");
    JsonEdit& made = start_toon();
    for (const std::string_view key : {"shadeColorFactor", "matcapFactor", "parametricRimColorFactor"}) made.set(key, rgb({0, 0, 0, 1}));
    made.set("giEqualizationFactor", JsonEdit::number(0));
    conversion_.changed(old_.value(),
                        "the unlit material becomes MToon that only emits light, which keeps its depth; vertex colours do not count");
  }

  void set_toon() {
    set_base(linear_colour(old_.colour("_Color", {1, 1, 1, 1})));
    set_texture(material_, "normalTexture", "_BumpMap");
    if (JsonEdit* const normal = material_.find("normalTexture")) normal->set("scale", JsonEdit::number(old_.number("_BumpScale", 1)));
    set_emission(old_.colour("_EmissionColor", {0, 0, 0, 1}), "_EmissionMap");
    const long cull = std::lround(std::clamp(old_.number("_CullMode", 2), 0.0, 2.0));
    material_.set("doubleSided", JsonEdit::boolean(cull != 2));
    JsonEdit& made = start_toon();
    set_shade(made);
    set_rim(made);
    set_outline(made);
    set_motion(made);
    report(cull == 1);
  }

  void set_shade(JsonEdit& made) {
    made.set("shadeColorFactor", rgb(clamped(linear_colour(old_.colour("_ShadeColor", {0.97, 0.81, 0.86, 1})))));
    set_texture(made, "shadeMultiplyTexture", old_.texture("_ShadeTexture") == none ? "_MainTex" : "_ShadeTexture");
    const double a = old_.number("_ShadeShift", 0), b = 1 + (a - 1) * old_.number("_ShadeToony", 0.9);
    made.set("shadingToonyFactor", JsonEdit::number(std::clamp((2 - (b - a)) / 2, 0.0, 1.0)));
    made.set("shadingShiftFactor", JsonEdit::number(std::clamp(0.0 - (a + b) / 2, -1.0, 1.0)));
    made.set("giEqualizationFactor", JsonEdit::number(std::clamp(1 - old_.number("_IndirectLightIntensity", 0.1), 0.0, 1.0)));
  }

  void set_rim(JsonEdit& made) {
    const double matcap = old_.texture("_SphereAdd") == none ? 0 : 1;
    made.set("matcapFactor", rgb({matcap, matcap, matcap, 1}));
    set_texture(made, "matcapTexture", "_SphereAdd", false);
    Colour rim = linear_colour(old_.colour("_RimColor", {0, 0, 0, 1}));
    for (double& part : rim) part = std::max(0.0, part);
    made.set("parametricRimColorFactor", rgb(rim));
    set_texture(made, "rimMultiplyTexture", "_RimTexture");
    made.set("rimLightingMixFactor", JsonEdit::number(1));
    made.set("parametricRimFresnelPowerFactor", JsonEdit::number(std::max(0.0, old_.number("_RimFresnelPower", 1))));
    made.set("parametricRimLiftFactor", JsonEdit::number(old_.number("_RimLift", 0)));
  }

  void set_outline(JsonEdit& made) {
    constexpr std::string_view modes[] = {"none", "worldCoordinates", "screenCoordinates"};
    const auto mode = static_cast<std::size_t>(std::lround(std::clamp(old_.number("_OutlineWidthMode", 0), 0.0, 2.0)));
    made.set("outlineWidthMode", JsonEdit::string(modes[mode]));
    const double width = std::max(0.0, old_.number("_OutlineWidth", 0.5));
    made.set("outlineWidthFactor", JsonEdit::number(mode == 0 ? 0 : width / (mode == 1 ? 100 : 200)));
    set_texture(made, "outlineWidthMultiplyTexture", "_OutlineWidthTexture");
    made.set("outlineColorFactor", rgb(clamped(linear_colour(old_.colour("_OutlineColor", {0, 0, 0, 1})))));
    const bool mixed = old_.number("_OutlineColorMode", 0) >= 0.5;
    made.set("outlineLightingMixFactor", JsonEdit::number(mixed ? std::clamp(old_.number("_OutlineLightingMix", 1), 0.0, 1.0) : 0.0));
  }

  void set_motion(JsonEdit& made) {
    set_texture(made, "uvAnimationMaskTexture", "_UvAnimMaskTexture");
    made.set("uvAnimationScrollXSpeedFactor", JsonEdit::number(old_.number("_UvAnimScrollX", 0)));
    made.set("uvAnimationScrollYSpeedFactor", JsonEdit::number(0.0 - old_.number("_UvAnimScrollY", 0)));
    made.set("uvAnimationRotationSpeedFactor", JsonEdit::number(2 * std::numbers::pi * old_.number("_UvAnimRotation", 0)));
  }

  /// Lists the values that have no counterpart, if they are not the usual ones.
  void report(bool culls_front) const {
    std::vector<std::string_view> lost;
    for (const std::string_view texture : {"_ReceiveShadowTexture", "_ShadingGradeTexture"})
      if (old_.texture(texture) != none) lost.push_back(texture);
    constexpr std::pair<std::string_view, double> usual[] = {
        {"_ReceiveShadowRate", 1}, {"_ShadingGradeRate", 1}, {"_LightColorAttenuation", 0}, {"_OutlineScaledMaxDistance", 1}};
    for (const auto& [name, value] : usual)
      if (old_.number(name, value) != value) lost.push_back(name);
    const bool has_rim = old_.texture("_RimTexture") != none || old_.colour("_RimColor", {0, 0, 0, 1}) != Colour{0, 0, 0, 1};
    if (has_rim && old_.number("_RimLightingMix", 0) != 1) lost.push_back("_RimLightingMix");
    if (culls_front) lost.push_back("_CullMode (front)");
    if (!lost.empty())
      conversion_.lost(old_.value(), format_text("values of MToon without a counterpart in VRM 1.0 are lost: {}", join_text(lost, ", ")));
  }

  AvatarConversion& conversion_;
  const OldMaterial& old_;
  int order_;
  JsonEdit& material_;
  std::set<std::string_view>& used_;
  TexturePlace place_;
};

/// Ranks the transparent materials: VRM 1.0 has ten places for those without depth and ten for those with it.
class DrawOrder {
 public:
  void add(const OldMaterial& material) {
    if (!material.becomes_toon()) return;
    if (material.blend() == Blend::blend) plain_.insert(material.queue());
    if (material.blend() == Blend::blend_with_depth) with_depth_.insert(material.queue());
  }
  [[nodiscard]] int of(const OldMaterial& material) const {
    if (!material.becomes_toon()) return 0;
    if (material.blend() == Blend::blend) return -place(plain_.upper_bound(material.queue()), plain_.end());
    if (material.blend() == Blend::blend_with_depth) return place(with_depth_.begin(), with_depth_.lower_bound(material.queue()));
    return 0;
  }

 private:
  using At = std::set<double>::const_iterator;
  static int place(At from, At to) { return static_cast<int>(std::min<std::ptrdiff_t>(9, std::distance(from, to))); }

  std::set<double> plain_, with_depth_;  ///< queues
};

}  // namespace

void convert_materials(AvatarConversion& conversion, JsonEdit& root) {
  const std::size_t count = conversion.root["materials"].size();
  const JsonValue list = conversion.old["materialProperties"];
  std::vector<OldMaterial> materials;
  DrawOrder order;
  for (const JsonValue value : list.elements()) order.add(materials.emplace_back(conversion, value));
  if (materials.size() != count && list)
    conversion.lost(
        list,
        format_text("materialProperties has {} entries, expected {}, one per material; the others are left out or stay as glTF has them",
                    materials.size(), count));
  std::set<std::string_view> used;
  for (std::size_t i = 0; i < std::min(count, materials.size()); ++i) {
    const OldMaterial& old = materials[i];
    if (!old.is_toon() && !old.is_unlit()) {
      if (const std::string& shader = old.shader(); shader != gltf::vrm::gltf_shader && shader != "Standard" && !shader.empty())
        conversion.lost(old.value(), format_text("the values of the shader \"{}\" are lost; the material stays as glTF has it", shader));
      continue;
    }
    JsonEdit& material = document::list_in(root, "materials").at(i);
    if (material.is(JsonKind::object)) MaterialConversion(conversion, old, order.of(old), material, used).run();
  }
  for (const std::string_view name : used) document::add_name(root, "extensionsUsed", name);
}

}  // namespace sinew::operations::vrm

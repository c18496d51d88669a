// SPDX-License-Identifier: MIT
#include "operations/optimize/textures/image_uses.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "document/schema/object.hpp"
#include "document/schema/orphans.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/EXT_texture.hpp"
#include "gltf/extensions/references.hpp"
#include "gltf/schema/tables.hpp"

namespace sinew::operations {

namespace {

using document::JsonKind;
using document::JsonMember;
using document::JsonValue;
using document::whole_number;

enum class TextureRole : std::uint8_t { color, base_color, normal, data };

/// The names of materials' textures say what they hold, in glTF, its extensions, and VRM 0.x.
TextureRole role_of(std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (has("ormal") || has("BumpMap")) return TextureRole::normal;
  if (has("baseColor") || name == "diffuseTexture" || name == "_MainTex") return TextureRole::base_color;
  for (const std::string_view part :
       {"olor", "missi", "specularGlossiness", "shadeMultiply", "rimMultiply", "matcap", "_ShadeTexture", "_SphereAdd", "_RimTexture"})
    if (has(part)) return TextureRole::color;
  return TextureRole::data;
}

class ImageUses {
 public:
  explicit ImageUses(JsonValue root)
      : root_(root), textures_(document::list_of(root["textures"])), uses_(root["images"].size()), sources_(textures_.size()) {}

  std::vector<ImageUse> run(bool& unknown) {
    std::vector<std::size_t> known(uses_.size()), all(uses_.size());
    for (std::size_t i = 0; i < textures_.size(); ++i) find_sources(i, known);
    unknown = document::visit_references(root_, gltf::reference_scheme(), [&](const document::Property& row, std::uint64_t index) {
      if (row.reference == static_cast<std::uint8_t>(gltf::Reference::image) && index < all.size()) ++all[index];
    });
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      uses_[i].referred = all[i] != 0;
      uses_[i].fixed |= all[i] > known[i];
    }
    for (const JsonValue material : root_["materials"].elements()) visit_all(material, material);
    visit_all(root_["extensions"], JsonValue());
    return std::move(uses_);
  }

 private:
  /// Records the images of a texture. A texture with several sources has one for each kind of reader, which stays what it is.
  void find_sources(std::size_t texture, std::vector<std::size_t>& known) {
    const auto plain = image(textures_[texture]["source"]);
    bool others = false;
    for (const JsonMember member : textures_[texture]["extensions"].members()) {
      const auto source = image(member.value["source"]);
      if (!source) continue;
      others = true;
      sources_[texture].push_back(*source);
      if (!member.key.equals(gltf::webp_extension)) continue;
      ++known[*source];
      uses_[*source].webp_only = true;
    }
    if (!plain) return;
    ++known[*plain];
    sources_[texture].push_back(*plain);
    uses_[*plain].textures.push_back(texture);
    uses_[*plain].fixed |= others;
  }

  [[nodiscard]] std::optional<std::size_t> image(JsonValue index) const {
    const auto number = whole_number(index);
    return number && *number < uses_.size() ? std::optional<std::size_t>(*number) : std::nullopt;
  }

  /// Visits all values below one. `material`: the one that they belong to; missing: none.
  void visit_all(JsonValue top, JsonValue material) {
    std::vector<JsonValue> waiting{top};
    while (!waiting.empty()) {
      const JsonValue value = waiting.back();
      waiting.pop_back();
      for (const JsonValue element : value.elements())
        if (element.is(JsonKind::object) || element.is(JsonKind::array)) waiting.push_back(element);
      for (const JsonMember member : value.members()) {
        const std::string key = member.key.string();
        if (key.ends_with("Texture")) use(member.value["index"], key, material);
        if (key == "textureProperties")  // of VRM 0.x: by the names of a shader
          for (const JsonMember texture : member.value.members()) use(texture.value, texture.key.string(), material);
        if (member.value.is(JsonKind::object) || member.value.is(JsonKind::array)) waiting.push_back(member.value);
      }
    }
  }

  void use(JsonValue index, std::string_view name, JsonValue material) {
    const auto texture = whole_number(index);
    if (!texture || *texture >= sources_.size()) return;
    const TextureRole role = role_of(name);
    const JsonValue mode = material["alphaMode"];
    for (const std::size_t source : sources_[*texture]) {
      ImageUse& image_use = uses_[source];
      image_use.normal |= role == TextureRole::normal;
      image_use.data |= role == TextureRole::data;
      image_use.color |= role == TextureRole::color || role == TextureRole::base_color;
      image_use.blended |= role == TextureRole::base_color && (mode.equals("MASK") || mode.equals("BLEND"));
    }
  }

  JsonValue root_;
  std::vector<JsonValue> textures_;
  std::vector<ImageUse> uses_;
  std::vector<std::vector<std::size_t>> sources_;  ///< the images of each texture
};

}  // namespace

TextureContent ImageUse::content() const {
  if (normal && !color && !data) return TextureContent::normal;
  if (data || normal) return color ? TextureContent::color : TextureContent::data;
  return blended ? TextureContent::blended : TextureContent::color;
}

std::vector<ImageUse> image_uses(JsonValue root, bool& unknown) { return ImageUses(root).run(unknown); }

}  // namespace sinew::operations

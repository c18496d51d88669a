// SPDX-License-Identifier: MIT
#include "operations/convert/materials/materials_to_gltf.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue_edit.hpp"
#include "document/container/image.hpp"
#include "document/schema/object.hpp"
#include "g4mf/read/read.hpp"
#include "g4mf/schema/data/file_bytes.hpp"
#include "g4mf/schema/extras.hpp"
#include "gltf/write/editor.hpp"
#include "io/save/material_factors.hpp"
#include "model/edit_reporter.hpp"

namespace sinew::operations {

namespace {

using document::JsonEdit;
using document::JsonValue;

/// Converts a G4MF sampler to glTF's numbers.
JsonEdit gltf_sampler(JsonValue sampler) {
  JsonEdit made = JsonEdit::object();
  const auto is_nearest = [&](std::string_view key) { return sampler[key].equals("nearest"); };
  if (sampler["magFilter"]) made.set("magFilter", JsonEdit::integer(is_nearest("magFilter") ? 9728 : 9729));
  if (sampler["minFilter"] || sampler["mipmapFilter"]) {
    const int linear = is_nearest("minFilter") ? 0 : 1;
    const int mipmap = sampler["mipmapFilter"].equals("none") ? 9728 : is_nearest("mipmapFilter") ? 9984 : 9986;
    made.set("minFilter", JsonEdit::integer(mipmap + linear));
  }
  const JsonValue wrap = sampler["wrap"];
  std::uint32_t axis = 0;
  for (const std::string_view key : {"wrapS", "wrapT"}) {
    const JsonValue word = wrap.size() == 0 ? JsonValue() : wrap.at(wrap.size() > axis ? axis : 0);
    if (word.equals("clamp")) made.set(key, JsonEdit::integer(33071));
    if (word.equals("mirror")) made.set(key, JsonEdit::integer(33648));
    ++axis;
  }
  return made;
}

/// Returns, by material, whether all primitives that use it have texture coordinates.
std::vector<bool> mapped_materials(JsonValue root) {
  std::vector<bool> mapped(root["materials"].size(), true);
  for (const JsonValue mesh : root["meshes"].elements())
    for (const JsonValue primitive : mesh["primitives"].elements())
      if (const auto material = document::whole_number(primitive["material"]); material && *material < mapped.size())
        mapped[*material] = mapped[*material] && primitive["attributes"]["TEXCOORD_0"];
  return mapped;
}

class GltfMaterialWriter {
 public:
  GltfMaterialWriter(const std::shared_ptr<const document::Document>& gltf, const document::Document& g4mf, FindingSink& losses)
      : editor_(gltf, losses), files_(g4mf), root_(g4mf.json().root()), mapped_(mapped_materials(gltf->json().root())), losses_(losses) {}

  Result<std::shared_ptr<const document::Document>> run() {
    std::size_t i = 0;
    for (const JsonValue material : root_["materials"].elements()) {
      if (i == mapped_.size()) break;
      JsonEdit& to = editor_.element("materials", i);
      if (io::set_factors(material, to)) editor_.use_extension(io::emissive_strength);
      restore_alpha(material["extras"][g4mf::gltf_extra], to);
      write_textures(material, mapped_[i], to);
      ++i;
    }
    return editor_.finish();
  }

 private:
  // Restores the properties that with_gltf_materials stored.
  static void restore_alpha(JsonValue kept, JsonEdit& to) {
    const JsonValue mode = kept["alphaMode"];
    if (mode.equals("OPAQUE")) to.erase("alphaMode");
    for (const std::string_view word : {"MASK", "BLEND"})
      if (mode.equals(word)) to.set("alphaMode", JsonEdit::string(word));
    const auto cutoff = kept["alphaCutoff"].number();
    if (cutoff && *cutoff >= 0 && mode.equals("MASK")) to.set("alphaCutoff", JsonEdit(kept["alphaCutoff"]));
    if (kept["doubleSided"].boolean()) to.set("doubleSided", JsonEdit(kept["doubleSided"]));
  }

  void write_textures(JsonValue from, bool mapped, JsonEdit& to) {
    own_map_ = static_cast<bool>(from["baseColor"]["textureMap"]);
    if (const auto color = texture_in(from["baseColor"], mapped, own_map_)) set_texture(physical_in(to), "baseColorTexture", *color);
    if (const auto light = texture_in(from["emissive"], mapped)) {
      if (!from["emissive"]["factor"]) to.set("emissiveFactor", document::numbers(std::array{1.0, 1.0, 1.0}));
      set_texture(to, "emissiveTexture", *light);
    }
    if (const auto normal = texture_in(from["normal"], mapped)) {
      const double scale = g4mf::first_numbers<3>(from["normal"]["factor"], {1, 1, 1})[0];
      JsonEdit& info = set_texture(to, "normalTexture", *normal);
      if (scale != 1) info.set("scale", JsonEdit::number(scale));
    }
    const JsonValue channel = from["orm"];
    const auto orm = texture_in(channel, mapped);
    if (!orm) return;
    const auto factor = g4mf::first_numbers<3>(channel["factor"], {1, 1, 1});
    JsonEdit& physical = physical_in(to);
    if (!channel["factor"]) physical.erase("metallicFactor");  // without a factor only the texture counts
    set_texture(physical, "metallicRoughnessTexture", *orm);
    if (factor[0] == 0) return;
    JsonEdit& occlusion = set_texture(to, "occlusionTexture", *orm);
    if (factor[0] > 0 && factor[0] < 1) occlusion.set("strength", JsonEdit::number(factor[0]));
  }

  static JsonEdit& physical_in(JsonEdit& to) { return document::object_in(to, "pbrMetallicRoughness"); }

  static JsonEdit& set_texture(JsonEdit& object, std::string_view key, Index texture) {
    JsonEdit info = JsonEdit::object();
    info.set("index", JsonEdit::integer(texture));
    return object.set(key, std::move(info));
  }

  /// Returns the glTF index of a channel's texture. Nothing if the channel has none, or if it is lost, which is reported.
  std::optional<Index> texture_in(JsonValue channel, bool mapped, bool is_surface_map = false) {
    const JsonValue at = channel["texture"];
    const JsonValue texture = document::element(root_["textures"], at);
    if (!texture) return std::nullopt;
    if (!is_surface_map && (own_map_ || channel["textureMap"] || channel["topologyTextureMap"]))
      return lost(at, "the texture is lost: it has texture coordinates of its own");
    if (!mapped) return lost(at, "the texture is lost: a surface with this material has no texture coordinates");
    const auto [known, added] = textures_.try_emplace(texture.id(), std::nullopt);
    if (added) known->second = make_texture(texture);
    return known->second;
  }

  std::optional<Index> make_texture(JsonValue texture) {
    if (texture["size"].size() != 2) return lost(texture, "the texture is lost: glTF has only textures of two dimensions");
    const JsonValue file = g4mf::image_of(root_, texture);
    if (!file) return lost(texture, "the texture is lost: it has no image that is PNG, JPEG or WebP");
    const auto bytes = files_.of(file);
    if (!bytes || bytes->view.empty()) {
      losses_.add(finding("SINEW_CONVERT_IMAGE_MISSING"_code, file.place(), file["uri"] ? file["uri"].string() : "its buffer view",
                          bytes ? std::string("the file is empty") : bytes.error().message));
      return std::nullopt;
    }
    const JsonValue kept = texture["extras"][g4mf::gltf_extra];
    JsonEdit made = JsonEdit::object();
    document::set_name(made, kept["name"].string());
    const Index image = image_of(file, *bytes, kept["imageName"].string());
    if (file["mimeType"].equals("image/webp")) {
      JsonEdit& source = document::object_in(document::object_in(made, "extensions"), "EXT_texture_webp");
      source.set("source", JsonEdit::integer(image));
      editor_.use_extension("EXT_texture_webp");
      editor_.require_extension("EXT_texture_webp");
    } else {
      made.set("source", JsonEdit::integer(image));
    }
    if (JsonEdit sampler = gltf_sampler(texture["sampler"]); sampler.size() != 0)
      made.set("sampler", JsonEdit::integer(sampler_number(sampler)));
    return push("textures", std::move(made));
  }

  Index image_of(JsonValue file, const document::Bytes& bytes, const std::string& name) {
    const auto view = document::whole_number(file["bufferView"]);
    if (view)
      if (const auto known = images_.find(*view); known != images_.end()) return known->second;
    JsonEdit image = JsonEdit::object();
    document::set_name(image, name);
    image.set("bufferView", JsonEdit::integer(editor_.add_bytes(bytes.view)));
    image.set("mimeType", JsonEdit::string(file["mimeType"].string()));
    const Index made = push("images", std::move(image));
    if (view) images_.emplace(*view, made);
    return made;
  }

  Index sampler_number(const JsonEdit& sampler) {
    const auto [known, added] = samplers_.try_emplace(sampler.text(), none);
    if (added) known->second = push("samplers", sampler);
    return known->second;
  }

  Index push(std::string_view list, JsonEdit value) {
    JsonEdit& items = document::list_in(editor_.root(), list);
    items.push_back(std::move(value));
    return static_cast<Index>(items.size() - 1);
  }

  std::nullopt_t lost(JsonValue at, std::string_view what) {
    editor_.reporter().lost(at.pointer(), std::string(what));
    return std::nullopt;
  }

  gltf::Editor editor_;
  g4mf::FileBytes files_;
  JsonValue root_;
  std::vector<bool> mapped_;
  bool own_map_ = false;  ///< the current base colour has its own texture coordinates, which the surfaces now have
  FindingSink& losses_;
  std::map<std::uint32_t, std::optional<Index>> textures_;  ///< by texture of G4MF; nothing: left out
  std::map<std::uint64_t, Index> images_;                   ///< by G4MF buffer view
  std::map<std::string, Index> samplers_;                   ///< by text
};

}  // namespace

void join_colored_materials(const document::Document& g4mf, Model& model) {
  std::vector<Index> joined(model.materials.size());
  std::iota(joined.begin(), joined.end(), 0U);
  Index i = 0;
  for (const JsonValue material : g4mf.json().root()["materials"].elements()) {
    if (i == joined.size()) break;
    const JsonValue kept = material["extras"][g4mf::gltf_extra];
    const auto of = document::whole_number(kept["copyOf"]);
    if (of && *of < i) joined[i] = joined[*of];
    if (kept["added"].boolean().value_or(false)) joined[i] = none;
    ++i;
  }
  const auto join = [&](Index& material) { material = material < joined.size() ? joined[material] : material; };
  for (Mesh& mesh : model.meshes)
    for (Surface& surface : mesh.surfaces) join(surface.material);
  for (Node& node : model.nodes) std::ranges::for_each(node.materials, join);
  while (!joined.empty() && joined.back() != joined.size() - 1) joined.pop_back();
  model.materials.resize(joined.size());
}

Result<std::shared_ptr<const document::Document>> with_g4mf_materials(const std::shared_ptr<const document::Document>& gltf,
                                                                      const document::Document& g4mf, FindingSink& losses) {
  if (g4mf.json().root()["materials"].size() == 0 || gltf->json().root()["materials"].size() == 0) return gltf;
  return GltfMaterialWriter(gltf, g4mf, losses).run();
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "operations/convert/materials/materials_to_g4mf.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue_edit.hpp"
#include "document/container/image.hpp"
#include "document/schema/object.hpp"
#include "g4mf/read/read.hpp"
#include "g4mf/schema/extras.hpp"
#include "g4mf/write/editor.hpp"
#include "gltf/read/read.hpp"
#include "model/edit_reporter.hpp"

namespace sinew::operations {

namespace {

using document::JsonEdit;
using document::JsonValue;

std::vector<double> numbers_of(JsonValue list, std::vector<double> otherwise) {
  std::size_t i = 0;
  for (const JsonValue number : list.elements())
    if (i < otherwise.size()) otherwise[i++] = number.number().value_or(0);
  return otherwise;
}

JsonEdit ones(std::size_t count) {
  const std::vector<double> list(count, 1.0);
  return document::numbers(list);
}

/// Returns the number of channels of a pixel format.
std::size_t channels_of(std::string_view pixels) {
  return pixels == "luminance" ? 1 : pixels == "luminance-alpha" ? 2 : pixels == "rgb" ? 3 : 4;
}

/// Converts a glTF sampler. Undefined properties stay undefined.
JsonEdit g4mf_sampler(JsonValue sampler) {
  JsonEdit made = JsonEdit::object();
  const auto magnify = sampler["magFilter"].integer(), minify = sampler["minFilter"].integer();
  const auto word = [](bool linear) { return JsonEdit::string(linear ? "linear" : "nearest"); };
  if (magnify) made.set("magFilter", word(*magnify != 9728));
  if (minify) {
    made.set("minFilter", word(*minify != 9728 && *minify != 9984 && *minify != 9986));
    made.set("mipmapFilter", *minify < 9984 ? JsonEdit::string("none") : word(*minify >= 9986));
  }
  const auto wrap = [&](std::string_view key) {
    const auto mode = sampler[key].integer().value_or(10497);
    return mode == 33071 ? "clamp" : mode == 33648 ? "mirror" : "repeat";
  };
  const std::string_view s = wrap("wrapS"), t = wrap("wrapT");
  if (s == "repeat" && t == "repeat") return made;
  JsonEdit words = JsonEdit::array();
  words.push_back(JsonEdit::string(s));
  if (s != t) words.push_back(JsonEdit::string(t));
  made.set("wrap", std::move(words));
  return made;
}

gltf::TextureCoordinates map_of(JsonValue material) {
  const JsonValue physical = material["pbrMetallicRoughness"];
  for (const JsonValue info : {physical["baseColorTexture"], material["emissiveTexture"], material["normalTexture"],
                               physical["metallicRoughnessTexture"], material["occlusionTexture"]})
    if (info) return gltf::texture_coordinates(info);
  return {};
}

class G4mfMaterialWriter {
 public:
  G4mfMaterialWriter(const document::Document& g4mf, const document::Document& gltf, FindingSink& losses)
      : editor_(g4mf, g4mf::Revision::r2026_01), gltf_(gltf), root_(gltf.json().root()), losses_(losses), reporter_(losses) {}

  Result<std::shared_ptr<const document::Document>> run(std::span<const ColoredMaterial> colored) {
    if (auto begun = editor_.begin(); !begun) return Unexpected(editor_.error_of(begun.error()));
    const JsonValue materials = root_["materials"];
    const std::size_t written = document::length(editor_.root().find("materials"));
    std::size_t i = 0;
    for (const JsonValue material : materials.elements()) {
      if (i == written) break;
      write(material, editor_.element("materials", i++));
    }
    for (const ColoredMaterial& made : colored) {
      JsonEdit& to = editor_.element("materials", made.material);
      if (made.material >= materials.size()) {
        if (made.of != none) write(materials.at(made.of), to);
        JsonEdit& kept = document::object_in(document::object_in(to, "extras"), g4mf::gltf_extra);
        if (made.of == none)
          kept.set("added", JsonEdit::boolean(true));
        else
          kept.set("copyOf", JsonEdit::integer(made.of));
      }
      const auto accessor = editor_.add(made.colors);
      if (!accessor) return Unexpected(editor_.error_of(accessor.error()));
      document::object_in(to, "baseColor").set("perVertex", JsonEdit::integer(*accessor));
    }
    return editor_.finish();
  }

 private:
  void write(JsonValue from, JsonEdit& to) {
    map_ = map_of(from);
    const JsonValue physical = from["pbrMetallicRoughness"];
    const std::vector<double> color = numbers_of(physical["baseColorFactor"], {1, 1, 1, 1});
    put(to, "baseColor", physical["baseColorTexture"], color, {1, 1, 1, 1});
    std::vector<double> light = numbers_of(from["emissiveFactor"], {0, 0, 0});
    const double strength = from["extensions"]["KHR_materials_emissive_strength"]["emissiveStrength"].number().value_or(1);
    for (double& part : light) part *= strength;
    put(to, "emissive", from["emissiveTexture"], light, {0, 0, 0});
    const double scale = from["normalTexture"]["scale"].number().value_or(1);
    put(to, "normal", from["normalTexture"], {scale, scale, 1}, {1, 1, 1});
    const JsonValue occlusion = from["occlusionTexture"], rough = physical["metallicRoughnessTexture"];
    const bool together = occlusion && is_same(occlusion, rough);
    if (occlusion && !together)
      reporter_.lost(occlusion.pointer(), "the occlusion texture is lost: in G4MF it must be the texture of roughness and metallic");
    put(to, "orm", rough,
        {together ? occlusion["strength"].number().value_or(1) : 0, physical["roughnessFactor"].number().value_or(1),
         physical["metallicFactor"].number().value_or(1)},
        {0, 1, 0});
    keep_alpha(from, color[3], to);
  }

  static bool is_same(JsonValue a, JsonValue b) {
    return document::whole_number(a["index"]) == document::whole_number(b["index"]) &&
           gltf::texture_coordinates(a) == gltf::texture_coordinates(b);
  }

  /// Writes a channel: its texture, and its factor if it is not the default or a texture needs it.
  void put(JsonEdit& to, std::string_view name, JsonValue info, const std::vector<double>& factor, const std::vector<double>& otherwise) {
    JsonEdit channel = JsonEdit::object();
    const Index texture = texture_of(info);
    if (factor != otherwise || (texture != none && name != "normal")) channel.set("factor", document::numbers(factor));
    if (texture == none && name == "normal") return;
    document::set_index(channel, "texture", texture);
    if (channel.size() != 0) to.set(name, std::move(channel));
  }

  /// G4MF has no alpha mode and is double-sided. It blends a translucent base colour.
  static void keep_alpha(JsonValue from, double alpha, JsonEdit& to) {
    JsonEdit kept = JsonEdit::object();
    if (from["alphaMode"] || alpha < 1) kept.set("alphaMode", JsonEdit::string(from["alphaMode"] ? from["alphaMode"].string() : "OPAQUE"));
    for (const std::string_view key : {"alphaCutoff", "doubleSided"})
      if (from[key]) kept.set(key, JsonEdit(from[key]));
    if (kept.size() != 0) document::object_in(to, "extras").set(g4mf::gltf_extra, std::move(kept));
  }

  Index texture_of(JsonValue info) {
    if (!info) return none;
    if (gltf::texture_coordinates(info) != map_) {
      reporter_.lost(info.pointer(), "the texture is lost: it uses other texture coordinates than the first texture of the material");
      return none;
    }
    const JsonValue texture = document::element(root_["textures"], info["index"]);
    if (!texture) return none;
    const auto [known, added] = textures_.try_emplace(texture.id(), none);
    if (added) known->second = make_texture(texture);
    return known->second;
  }

  Index make_texture(JsonValue texture) {
    const JsonValue webp = texture["extensions"]["EXT_texture_webp"]["source"];
    const JsonValue image = document::element(root_["images"], webp ? webp : texture["source"]);
    if (!image) {
      reporter_.lost(texture.pointer(), "the texture is lost: it has no image that Sinew can read");
      return none;
    }
    const auto bytes = gltf::image_bytes(gltf_, image);
    if (!bytes || bytes->view.empty()) {
      losses_.add(finding("SINEW_CONVERT_IMAGE_MISSING"_code, image.place(), image["uri"] ? image["uri"].string() : "its buffer view",
                          bytes ? std::string("the file is empty") : bytes.error().message));
      return none;
    }
    const auto info = document::image_info(bytes->view);
    if (!info || info->image.width == 0 || info->image.height == 0) {
      reporter_.lost(image.pointer(), "the image is lost: G4MF stores its size, and Sinew reads that of PNG, JPEG and WebP only");
      return none;
    }
    JsonEdit made = JsonEdit::object();
    JsonEdit size = JsonEdit::array();
    size.push_back(JsonEdit::integer(info->image.width));
    size.push_back(JsonEdit::integer(info->image.height));
    made.set("size", std::move(size));
    made.set("placeholder", ones(channels_of(info->image.format)));
    JsonEdit file = JsonEdit::object();
    file.set("bufferView", JsonEdit::integer(view_of(image, bytes->view)));
    file.set("mimeType", JsonEdit::string(info->mime_type));
    JsonEdit files = JsonEdit::array();
    files.push_back(std::move(file));
    made.set("images", std::move(files));
    JsonEdit sampler = g4mf_sampler(document::element(root_["samplers"], texture["sampler"]));
    if (sampler.size() != 0) made.set("sampler", std::move(sampler));
    JsonEdit kept = JsonEdit::object();
    document::set_name(kept, texture["name"].string());
    if (image["name"]) kept.set("imageName", JsonEdit::string(image["name"].string()));
    if (kept.size() != 0) document::object_in(made, "extras").set(g4mf::gltf_extra, std::move(kept));
    JsonEdit& list = editor_.list("textures");
    list.push_back(std::move(made));
    return static_cast<Index>(list.size() - 1);
  }

  Index view_of(JsonValue image, std::span<const std::byte> bytes) {
    const auto [known, added] = views_.try_emplace(image.id(), none);
    if (added) known->second = editor_.add_bytes(bytes);
    return known->second;
  }

  g4mf::Editor editor_;
  const document::Document& gltf_;
  JsonValue root_;
  gltf::TextureCoordinates map_;  ///< of the current material
  FindingSink& losses_;
  EditReporter reporter_;
  std::map<std::uint32_t, Index> textures_;  ///< by texture of glTF; none: left out
  std::map<std::uint32_t, Index> views_;     ///< by image
};

}  // namespace

std::vector<gltf::TextureCoordinates> texture_maps(const document::Document& gltf) {
  std::vector<gltf::TextureCoordinates> maps;
  for (const JsonValue material : gltf.json().root()["materials"].elements()) maps.push_back(map_of(material));
  return maps;
}

Result<std::shared_ptr<const document::Document>> with_gltf_materials(const std::shared_ptr<const document::Document>& g4mf,
                                                                      const document::Document& gltf,
                                                                      std::span<const ColoredMaterial> colored, FindingSink& losses) {
  if (gltf.json().root()["materials"].size() == 0 && colored.empty()) return g4mf;
  return G4mfMaterialWriter(*g4mf, gltf, losses).run(colored);
}

}  // namespace sinew::operations

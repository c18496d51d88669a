// SPDX-License-Identifier: MIT
#include "gltf/info.hpp"

#include "document/json.hpp"

namespace sinew::gltf {

std::optional<AssetInfo> asset_info(const document::Document& document) {
  const document::JsonValue root = document.json().root();
  const document::JsonValue asset = root["asset"];
  if (!asset["version"].is(document::JsonKind::string)) return std::nullopt;
  AssetInfo info;
  info.version = asset["version"].string();
  info.min_version = asset["minVersion"].string();
  info.generator = asset["generator"].string();
  info.animations = root["animations"].size();
  info.materials = root["materials"].size();
  info.has_skins = root["skins"].size() > 0;
  info.has_textures = root["textures"].size() > 0;
  info.has_default_scene = static_cast<bool>(root["scene"]);
  return info;
}

}  // namespace sinew::gltf

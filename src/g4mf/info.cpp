// SPDX-License-Identifier: MIT
#include "g4mf/info.hpp"

#include "document/json.hpp"

namespace sinew::g4mf {

std::optional<AssetInfo> asset_info(const document::Document& document) {
  const document::JsonValue root = document.json().root();
  const document::JsonValue asset = root["asset"];
  AssetInfo info;
  info.version = asset["version"].string();
  info.generator = asset["generator"].string();
  if (const auto dimension = asset["dimension"].integer(); dimension && *dimension >= 0)
    info.dimension = static_cast<std::uint64_t>(*dimension);
  info.materials = root["materials"].size();
  info.has_textures = root["textures"].size() > 0;
  return info;
}

}  // namespace sinew::g4mf

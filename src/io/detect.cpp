// SPDX-License-Identifier: MIT
#include "io/detect.hpp"

#include <algorithm>
#include <string>

#include "document/json.hpp"

namespace sinew::io {

Format detect(const document::Document& document) {
  if (document.container() == document::Container::glb) return Format::gltf;
  if (document.container() == document::Container::g4b) return Format::g4mf;
  const document::JsonValue asset = document.json().root()["asset"];
  if (asset["dimension"]) return Format::g4mf;
  std::string extension = document.path().extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".gltf" || extension == ".glb" || extension == ".vrm") return Format::gltf;
  if (extension == ".g4tf" || extension == ".g4b") return Format::g4mf;
  return asset["version"] ? Format::gltf : Format::unknown;
}

}  // namespace sinew::io

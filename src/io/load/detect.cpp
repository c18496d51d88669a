// SPDX-License-Identifier: MIT
#include "io/load/detect.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "base/guard.hpp"
#include "base/path_text.hpp"
#include "document/json/json.hpp"

#include "sinew/result.hpp"

namespace sinew::io {

Promise promised_by(const std::filesystem::path& path) {
  using document::Container;
  struct Row {
    std::string_view extension;
    Promise promise;
  };
  constexpr Row rows[] = {{".gltf", {Format::gltf, Container::json}}, {".glb", {Format::gltf, Container::glb}},
                          {".vrm", {Format::gltf, Container::glb}},   {".vrma", {Format::gltf, Container::glb}},
                          {".g4tf", {Format::g4mf, Container::json}}, {".g4b", {Format::g4mf, Container::g4b}}};
  const auto row = std::ranges::find(rows, need(file_extension(path_text(path))), &Row::extension);
  return row == std::end(rows) ? Promise{} : row->promise;
}

Format detect(const document::Document& document) {
  if (document.container() == document::Container::glb) return Format::gltf;
  if (document.container() == document::Container::g4b) return Format::g4mf;
  const document::JsonValue asset = document.json().root()["asset"];
  if (asset["dimension"]) return Format::g4mf;
  const Promise promise = promised_by(document.path());
  if (promise.format != Format::unknown) return promise.format;
  return asset["version"] ? Format::gltf : Format::unknown;
}

}  // namespace sinew::io

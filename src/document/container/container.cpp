// SPDX-License-Identifier: MIT
#include "document/container/container.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"

#include "sinew/result.hpp"

namespace sinew::document {
namespace {

std::string_view text_of(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace

Container container_of(const std::filesystem::path& path) {
  const std::string extension = need(file_extension(path_text(path)));
  if (extension == ".glb" || extension == ".vrm" || extension == ".vrma") return Container::glb;
  return extension == ".g4b" ? Container::g4b : Container::json;
}

Container detect(std::span<const std::byte> bytes, const std::filesystem::path& path) {
  std::string_view text = text_of(bytes);
  if (text.starts_with("glTF")) return Container::glb;
  if (text.starts_with("G4MF")) return Container::g4b;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') return Container::json;
  return container_of(path);
}

std::optional<Error> foreign(std::span<const std::byte> bytes, const std::filesystem::path& path) {
  struct Written {
    std::string_view extension, magic, name;
  };
  constexpr Written written[] = {{".off", "OFF", "OFF"}, {".off", "4OFF", "OFF"},        {".off", "nOFF", "OFF"},
                                 {".ply", "ply", "PLY"}, {".npy", "\x93NUMPY", "NumPy"}, {".obj", {}, "OBJ"}};
  const std::string_view text = text_of(bytes);
  const std::string extension = need(file_extension(path_text(path)));
  const std::size_t first = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first != std::string_view::npos && (text[first] == '{' || text[first] == '[')) return std::nullopt;
  const auto found = std::ranges::find_if(written, [&](const Written& format) {
    return extension == format.extension || (!format.magic.empty() && text.starts_with(format.magic));
  });
  if (found == std::end(written) && (extension == ".gltf" || extension == ".g4tf" || container_of(path) != Container::json))
    return std::nullopt;  // no text either: the extension is then wrong
  Error why = error("SINEW_UNKNOWN_FORMAT"_code, Failure::input, {});
  if (found != std::end(written)) why.message = format_text("Sinew writes {} but does not read it", found->name);
  why.message += "; Sinew reads glTF (.gltf, .glb, .vrm) and G4MF (.g4tf, .g4b)";
  return why;
}

}  // namespace sinew::document

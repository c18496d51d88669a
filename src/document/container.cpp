// SPDX-License-Identifier: MIT
#include "document/container.hpp"

#include <string>

#include "sinew/names.hpp"

namespace sinew::document {
namespace {

std::string_view text_of(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace

Container container_of(const std::filesystem::path& path) {
  const std::string extension = file_extension(path);
  if (extension == ".glb" || extension == ".vrm") return Container::glb;
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

}  // namespace sinew::document

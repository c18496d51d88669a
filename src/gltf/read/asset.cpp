// SPDX-License-Identifier: MIT
#include "gltf/read/asset.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf {

namespace {

// Parses a version. If the text is none, reports it and returns nothing.
std::optional<Version> version_of(Reader& reader, JsonValue value) {
  if (!value) return std::nullopt;
  const auto version = parse_version(value.string());
  if (!version) reader.report("PATTERN_MISMATCH"_code, value, excerpt(value), "MAJOR.MINOR");
  const std::string text = value.string(), minor = text.substr(std::min(text.find('.') + 1, text.size()));
  if (version && ((text.starts_with('0') && !text.starts_with("0.")) || (minor.starts_with('0') && minor != "0")))
    reader.report("GLTF_VERSION_FORM"_code, value, excerpt(value));
  return version;
}

// A file without a version is read as 2.0.
Checked<> read_version(Reader& reader, const AssetObject& asset) {
  const JsonValue value = asset["version"];
  const JsonValue least = asset["minVersion"];
  const auto version = version_of(reader, value);
  const auto least_version = version_of(reader, least);
  if (version && least_version && *least_version > *version)
    reader.report("ASSET_MIN_VERSION_GREATER_THAN_VERSION"_code, least, least.string(), value.string());
  if (!version) return {};
  if (version->major != 2) return reader.refuse(value, error("UNKNOWN_ASSET_MAJOR_VERSION"_code, Failure::unsupported, {}, value.string()));
  if (version->minor != 0) reader.report("UNKNOWN_ASSET_MINOR_VERSION"_code, value, value.string());
  reader.model().revision = value.string();
  return {};
}

}  // namespace

std::optional<Version> parse_version(const std::string& text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos) return std::nullopt;
  const auto major = number_in<std::uint32_t>(std::string_view(text).substr(0, dot)),
             minor = number_in<std::uint32_t>(std::string_view(text).substr(dot + 1));
  return major && minor ? std::optional(Version{*major, *minor}) : std::nullopt;
}

Checked<> read_asset(Reader& reader) {
  Model& model = reader.model();
  model.format = "glTF";
  model.revision = "2.0";
  for (const JsonValue value : reader.root()["extensionsUsed"].elements()) model.extensions_used.push_back(value.string());
  for (const JsonValue value : reader.root()["extensionsRequired"].elements()) model.extensions_required.push_back(value.string());
  if (const JsonValue value = reader.root()["asset"]) {
    const auto asset = reader.object<AssetObject>(value);
    model.generator = asset.string("generator");
    if (auto read = read_version(reader, asset); !read) return read;
  }
  return {};
}

void report_ignored_extensions(Reader& reader) {
  for (const JsonValue value : reader.root()["extensionsUsed"].elements())
    if (const std::string name = value.string(); use_of_extension(name) == ExtensionUse::refused)
      reader.report("GLTF_EXTENSION_IGNORED"_code, value, name);
}

Checked<> require_support(Reader& reader) {
  const JsonValue asset = reader.root()["asset"];
  const JsonValue least = asset["minVersion"];
  const auto version = parse_version(asset["version"].string()), least_version = parse_version(least.string());
  if (version && least_version && *least_version <= *version && *least_version > Version{2, 0})
    return reader.refuse(least, error("UNKNOWN_ASSET_MINOR_VERSION"_code, Failure::unsupported, {}, least.string()));
  for (const JsonValue value : reader.root()["extensionsRequired"].elements())
    if (const std::string name = value.string(); use_of_extension(name) == ExtensionUse::refused)
      return reader.refuse(value, error("GLTF_EXTENSION_UNSUPPORTED"_code, Failure::unsupported, {}, name));
  return {};
}

}  // namespace sinew::gltf

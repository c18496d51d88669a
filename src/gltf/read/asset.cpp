// SPDX-License-Identifier: MIT
#include "gltf/read/asset.hpp"

#include <algorithm>
#include <charconv>

#include "gltf/schema/extensions.hpp"

namespace sinew::gltf {

namespace {

constexpr std::string_view version_form = "MAJOR.MINOR";

// The version that a string says; nothing, with a finding, where it says none.
std::optional<Version> version_of(Reading& reading, JsonValue value) {
  if (!value) return std::nullopt;
  const auto version = parse_version(value.string());
  if (!version) reading.report<"PATTERN_MISMATCH"_code>(value, document::excerpt(value), version_form);
  return version;
}

// A file that does not say its version is taken for 2.0, except where every rule is checked: nobody knows which ones then.
Checked<> read_version(Reading& reading, const AssetObject& asset) {
  const JsonValue value = asset[AssetRow::version];
  const JsonValue least = asset[AssetRow::minVersion];
  const auto version = version_of(reading, value);
  const auto least_version = version_of(reading, least);
  if (version && least_version && *least_version > *version)
    reading.report<"ASSET_MIN_VERSION_GREATER_THAN_VERSION"_code>(least, least.string(), value.string());
  if (!version) {
    if (reading.checks() == Checks::safety) return {};
    return asset.defect() ? reading.refuse(asset)
                          : reading.refuse(finding<"PATTERN_MISMATCH"_code>("", document::excerpt(value), version_form));
  }
  if (version->major != 2)
    return reading.refuse(value, error<"UNKNOWN_ASSET_MAJOR_VERSION"_code>(Failure::unsupported, {}, value.string()));
  if (version->minor != 0) reading.report<"UNKNOWN_ASSET_MINOR_VERSION"_code>(value, value.string());
  reading.model().revision = value.string();
  if (reading.checks() == Checks::safety && least_version && *least_version <= *version && *least_version > Version{2, 0})
    return reading.refuse(least, error<"UNKNOWN_ASSET_MINOR_VERSION"_code>(Failure::unsupported, {}, least.string()));
  return {};
}

Checked<> read_extensions(Reading& reading) {
  Model& model = reading.model();
  for (const JsonValue value : reading.root()[RootRow::extensionsUsed].elements()) model.extensions_used.push_back(value.string());
  for (const JsonValue value : reading.root()[RootRow::extensionsRequired].elements()) {
    const std::string name = value.string();
    model.extensions_required.push_back(name);
    if (use_of_extension(name) != ExtensionUse::refused) continue;
    if (reading.checks() == Checks::safety)
      return reading.refuse(value, error<"GLTF_EXTENSION_UNSUPPORTED"_code>(Failure::unsupported, {}, name));
    reading.report<"GLTF_EXTENSION_UNSUPPORTED"_code>(value, name);
  }
  for (const JsonValue value : reading.root()[RootRow::extensionsUsed].elements())
    if (const std::string name = value.string(); use_of_extension(name) == ExtensionUse::refused)
      reading.report<"GLTF_EXTENSION_IGNORED"_code>(value, name);
  return {};
}

}  // namespace

std::optional<Version> parse_version(const std::string& text) {
  Version version;
  const char* const end = text.data() + text.size();
  const auto [dot, problem] = std::from_chars(text.data(), end, version.major);
  if (problem != std::errc{} || dot == end || *dot != '.') return std::nullopt;
  const auto [rest, minor_problem] = std::from_chars(dot + 1, end, version.minor);
  if (minor_problem != std::errc{} || rest != end) return std::nullopt;
  return version;
}

Checked<> read_asset(Reading& reading) {
  reading.model().format = "glTF";
  reading.model().revision = "2.0";
  if (const JsonValue value = reading.root()[RootRow::asset]) {
    const auto asset = reading.object<AssetObject>(value);
    reading.model().generator = asset.string(AssetRow::generator);
    if (auto read = read_version(reading, asset); !read) return read;
  } else if (reading.checks() == Checks::all) {
    return reading.refuse(reading.root());
  }
  return read_extensions(reading);
}

}  // namespace sinew::gltf

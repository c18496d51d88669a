// SPDX-License-Identifier: MIT
#include "gltf/check/check.hpp"

#include "gltf/check/checks.hpp"
#include "gltf/extensions/extension.hpp"
#include "gltf/read/asset.hpp"

namespace sinew::gltf {

namespace {

// Returns false if the version is unknown; the other rules depend on it.
bool check_asset(Checker& checker) {
  const auto parsed = parse_asset(checker.parsed());
  FindingList found;
  {
    CappedSink capped(found, checker.document().options().limits.findings);
    report_unknown(checker.root().value(), root_table.rows, khronos_codes.unknown, capped);
    static_cast<void>(RootObject(checker.root().value(), capped));
  }
  const JsonValue asset = checker.root()["asset"];
  const bool readable = parsed.has_value() && parse_version(asset["version"].string());
  const bool object = checker.root().value().is(JsonKind::object);
  const auto is_about_asset = [](const Finding& finding) {
    const std::string_view pointer = finding.pointer;
    return finding.code == "UNEXPECTED_PROPERTY" || pointer.size() <= 1 || pointer.starts_with("/asset") ||
           pointer.starts_with("/extensionsUsed") || pointer.starts_with("/extensionsRequired");
  };
  if (object) check_extension_lists(checker);
  for (const Finding& finding : found.list())
    if (readable || !object || is_about_asset(finding)) checker.sink().add(finding);
  if (!readable && asset) {
    report_unknown(asset, asset_table.rows, khronos_codes.unknown, checker.sink());
    static_cast<void>(AssetObject(asset, checker.sink()));
  }
  return readable;
}

void check_contents(Checker& checker) {
  for (const JsonValue value : checker.root()["extensionsRequired"].elements())
    if (const std::string name = value.string(); use_of_extension(name) == ExtensionUse::refused)
      checker.report("GLTF_EXTENSION_UNSUPPORTED"_code, value, name);
  check_objects(checker);
  check_buffers(checker);
  check_accessors(checker);
  check_meshes(checker);
  draco::check(checker);
  check_nodes(checker);
  check_skins(checker);
  check_animations(checker);
  staik::check(checker);
  check_textures(checker, check_images(checker));
  check_cameras(checker);
  lights::check(checker);
  animation_pointer::check(checker);
  check_material_use(checker, check_materials(checker));
  vrm::check(checker);
  character::check(checker);
}

}  // namespace

std::optional<Model> check(std::shared_ptr<const Document> document, FindingSink& sink) {
  Checker checker(*document, sink);
  const bool read = check_asset(checker) && parse_contents(checker.parsed()).has_value();
  if (read) check_contents(checker);
  checker.report_reading();
  if (!read) return std::nullopt;
  checker.parsed().model.source = std::make_shared<Source>(std::move(document));
  return std::move(checker.parsed().model);
}

}  // namespace sinew::gltf

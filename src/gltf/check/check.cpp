// SPDX-License-Identifier: MIT
#include "gltf/check/check.hpp"

#include "gltf/check/checks.hpp"
#include "gltf/read/asset.hpp"
#include "gltf/schema/extensions.hpp"

namespace sinew::gltf {

namespace {

// Where the version is not known, nobody knows which rules hold for the rest.
bool check_asset(Checking& checking) {
  const auto parsed = parse_asset(checking.parsed());
  FindingList found;
  {
    document::CappedSink capped(found, checking.document().options().limits.findings);
    document::report_unknown(checking.root().value(), root_rows, document::khronos_codes.unknown, capped);
    static_cast<void>(RootObject(checking.root().value(), capped));
  }
  const JsonValue asset = checking.root()[RootRow::asset];
  const bool readable = parsed.has_value() && parse_version(asset["version"].string());
  const bool object = checking.root().value().is(JsonKind::object);
  const auto is_about_asset = [](const Finding& finding) {
    const std::string_view pointer = finding.pointer;
    return finding.code == "UNEXPECTED_PROPERTY" || pointer.size() <= 1 || pointer.starts_with("/asset") ||
           pointer.starts_with("/extensionsUsed") || pointer.starts_with("/extensionsRequired");
  };
  if (object) check_extension_lists(checking);
  for (const Finding& finding : found.list())
    if (readable || !object || is_about_asset(finding)) checking.sink().add(finding);
  if (!readable && asset) {
    document::report_unknown(asset, asset_rows, document::khronos_codes.unknown, checking.sink());
    static_cast<void>(AssetObject(asset, checking.sink()));
  }
  return readable;
}

void check_support(Checking& checking) {
  for (const JsonValue value : checking.root()[RootRow::extensionsRequired].elements())
    if (const std::string name = value.string(); use_of_extension(name) == ExtensionUse::refused)
      checking.report<"GLTF_EXTENSION_UNSUPPORTED"_code>(value, name);
}

void check_contents(Checking& checking) {
  check_support(checking);
  check_objects(checking);
  check_buffers(checking);
  check_accessors(checking);
  check_meshes(checking);
  check_nodes(checking);
  check_skins(checking);
  check_animations(checking);
  staik::check(checking);
  check_textures(checking, check_images(checking));
  check_cameras(checking);
  lights::check(checking);
  animation_pointer::check(checking);
  check_material_use(checking, check_materials(checking));
}

}  // namespace

std::optional<Model> check(std::shared_ptr<const document::Document> document, FindingSink& sink) {
  Checking checking(*document, sink);
  const bool read = check_asset(checking) && parse_contents(checking.parsed()).has_value();
  if (read) check_contents(checking);
  checking.report_reading();
  if (!read) return std::nullopt;
  checking.parsed().model.source = std::make_shared<Source>(std::move(document));
  return std::move(checking.parsed().model);
}

}  // namespace sinew::gltf

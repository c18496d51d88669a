// SPDX-License-Identifier: MIT
#include <array>
#include <span>

#include "base/guard.hpp"
#include "document/json/json_writer.hpp"

#include "sinew/result.hpp"
#include "sinew/validate.hpp"

namespace sinew::validate {

namespace {

using document::JsonWriter;

using Counts = std::array<std::uint64_t, 4>;

void write_counts(JsonWriter& json, const Counts& counts) {
  constexpr std::array<std::string_view, 4> names = {"numErrors", "numWarnings", "numInfos", "numHints"};
  for (std::size_t i = 0; i < counts.size(); ++i) json.key(names[i]).integer(counts[i]);
}

void write_finding(JsonWriter& json, const Finding& finding) {
  json.begin_object();
  json.key("code").string(finding.code);
  json.key("message").string(finding.message);
  json.key("severity").integer(static_cast<int>(finding.severity));
  if (finding.offset)
    json.key("offset").integer(*finding.offset);
  else
    json.key("pointer").string(finding.pointer);
  if (const auto& position = finding.position) {
    json.key("line").integer(position->line);
    json.key("column").integer(position->column);
    if (position->byte) json.key("byte").integer(*position->byte);
  }
  json.end_object();
}

void write_issues(JsonWriter& json, const Issues& issues) {
  json.begin_object();
  write_counts(json, issues.counts);
  json.key("messages").begin_array();
  for (const Finding& finding : issues.list) write_finding(json, finding);
  json.end_array();
  json.key("truncated").boolean(issues.truncated);
  json.end_object();
}

void write_strings(JsonWriter& json, std::string_view key, const std::vector<std::string>& list) {
  if (list.empty()) return;
  json.key(key).begin_array();
  for (const std::string& text : list) json.string(text);
  json.end_array();
}

void write_if_any(JsonWriter& json, std::string_view key, const std::string& text) {
  if (!text.empty()) json.key(key).string(text);
}

void write_resource(JsonWriter& json, const ResourceInfo& resource) {
  json.begin_object();
  json.key("pointer").string(resource.pointer);
  write_if_any(json, "mimeType", resource.mime_type);
  write_if_any(json, "storage", resource.storage);
  write_if_any(json, "uri", resource.uri);
  if (resource.byte_length) json.key("byteLength").integer(*resource.byte_length);
  if (const auto& image = resource.image) {
    json.key("image").begin_object();
    json.key("width").integer(image->width);
    json.key("height").integer(image->height);
    write_if_any(json, "format", image->format);
    write_if_any(json, "primaries", image->primaries);
    write_if_any(json, "transfer", image->transfer);
    if (image->bits > 0) json.key("bits").integer(image->bits);
    json.end_object();
  }
  json.end_object();
}

void write_info(JsonWriter& json, const AssetInfo& info) {
  json.begin_object();
  json.key("version").string(info.version);
  write_if_any(json, "minVersion", info.min_version);
  write_if_any(json, "generator", info.generator);
  if (info.dimension) json.key("dimension").integer(*info.dimension);
  write_strings(json, "extensionsUsed", info.extensions_used);
  write_strings(json, "extensionsRequired", info.extensions_required);
  if (!info.resources.empty()) {
    json.key("resources").begin_array();
    for (const ResourceInfo& resource : info.resources) write_resource(json, resource);
    json.end_array();
  }
  json.key("animationCount").integer(info.animations);
  json.key("materialCount").integer(info.materials);
  json.key("hasMorphTargets").boolean(info.has_morph_targets);
  json.key("hasSkins").boolean(info.has_skins);
  json.key("hasTextures").boolean(info.has_textures);
  json.key("hasDefaultScene").boolean(info.has_default_scene);
  json.key("drawCallCount").integer(info.draw_calls);
  json.key("totalVertexCount").integer(info.vertices);
  json.key("totalTriangleCount").integer(info.triangles);
  json.key("maxUVs").integer(info.max_uvs);
  json.key("maxInfluences").integer(info.max_influences);
  json.key("maxAttributes").integer(info.max_attributes);
  json.end_object();
}

void write_report(JsonWriter& json, const Report& report) {
  json.begin_object();
  json.key("uri").string(report.uri);
  write_if_any(json, "mimeType", report.mime_type);
  json.key("validatorVersion").string(version());
  json.key("issues");
  write_issues(json, report.issues);
  json.key("modelIssues");
  write_issues(json, report.model_issues);
  if (report.info) {
    json.key("info");
    write_info(json, *report.info);
  }
  json.end_object();
}

}  // namespace

Result<std::string> to_json(const Report& report) SINEW_TRY {
  JsonWriter json;
  write_report(json, report);
  return std::move(json).take();
}
SINEW_CATCH()

Result<std::string> to_json(std::span<const Report> reports, std::uint64_t unreadable) SINEW_TRY {
  Counts counts{};
  bool truncated = false;
  for (const Report& report : reports)
    for (const Issues* issues : {&report.issues, &report.model_issues}) {
      for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += issues->counts[i];
      truncated |= issues->truncated;
    }
  JsonWriter json;
  json.begin_object();
  json.key("reports").begin_array();
  for (const Report& report : reports) write_report(json, report);
  json.end_array();
  json.key("summary").begin_object();
  json.key("files").integer(reports.size());
  json.key("unreadable").integer(unreadable);
  write_counts(json, counts);
  json.key("truncated").boolean(truncated);
  json.end_object();
  json.end_object();
  return std::move(json).take();
}
SINEW_CATCH()

}  // namespace sinew::validate

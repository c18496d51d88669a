// SPDX-License-Identifier: MIT

#include <algorithm>
#include <utility>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "document/json/json_writer.hpp"

#include "sinew/batch.hpp"

namespace sinew::batch {

namespace {

using document::JsonWriter;

void write_counts(JsonWriter& json, const std::array<std::uint64_t, 4>& counts) {
  constexpr std::array<std::string_view, 4> names = {"numErrors", "numWarnings", "numInfos", "numHints"};
  for (std::size_t i = 0; i < counts.size(); ++i) json.key(names[i]).integer(counts[i]);
}

/// Writes an array with one object per element.
template <class List, class Write>
void write_list(JsonWriter& json, std::string_view key, const List& list, Write write) {
  json.key(key).begin_array();
  for (const auto& element : list) {
    json.begin_object();
    write(element);
    json.end_object();
  }
  json.end_array();
}

void write_codes(JsonWriter& json, const CommandSummary& summary) {
  write_list(json, "codes", summary.codes, [&](const auto& code) {
    json.key("code").string(code.first.second);
    json.key("severity").integer(static_cast<int>(code.first.first));
    json.key("findings").integer(code.second.findings);
    json.key("files").integer(code.second.files);
  });
}

void write_command(JsonWriter& json, std::string_view name, const CommandSummary& summary) {
  json.key("command").string(name);
  json.key("files").integer(summary.files);
  json.key("results").integer(summary.results);
  json.key("missing").integer(summary.files - std::min(summary.files, summary.results));
  json.key("did").begin_object();
  for (const auto& [did, files] : summary.did) json.key(did).integer(files);
  json.end_object();
  json.key("status").begin_object();
  for (const auto& [status, files] : summary.status) json.key(std::to_string(status)).integer(files);
  json.end_object();
  write_counts(json, summary.counts);
  write_codes(json, summary);
  write_list(json, "bad", summary.bad, [&](const CommandSummary::Bad& bad) {
    json.key("uri").string(bad.uri);
    json.key("number").integer(bad.number);
    json.key("status").integer(bad.status);
    write_counts(json, bad.counts);
    if (!bad.error.empty()) json.key("error").string(bad.error);
  });
  write_list(json, "duplicates", summary.duplicates, [&](const CommandSummary::Duplicate& twice) {
    json.key("uri").string(twice.uri);
    json.key("number").integer(twice.number);
    json.key("times").integer(twice.times);
  });
  write_list(json, "missingShards", summary.missing_shards, [&](const CommandSummary::MissingShard& missing) {
    json.key("shard").string(format_text("{}/{}", missing.shard.index, missing.shard.count));
    json.key("missing").integer(missing.missing);
    json.key("files").integer(missing.files);
  });
  json.key("lists").begin_array();
  for (const std::uint64_t files : summary.lists) json.integer(files);
  json.end_array();
}

}  // namespace

Result<std::string> to_json(const Summary& summary) SINEW_TRY {
  JsonWriter json;
  json.begin_object();
  json.key("complete").boolean(summary.complete());
  json.key("clean").boolean(summary.clean());
  write_list(json, "commands", summary.commands, [&](const auto& command) { write_command(json, command.first, command.second); });
  write_list(json, "broken", summary.broken, [&](const Summary::Broken& broken) {
    json.key("file").string(broken.file);
    json.key("line").integer(broken.line);
    json.key("why").string(broken.why);
  });
  json.end_object();
  return std::move(json).take();
}
SINEW_CATCH()

}  // namespace sinew::batch

// SPDX-License-Identifier: MIT
#include "show/page/carried.hpp"

#include <cstdint>
#include <optional>

#include "base/message.hpp"
#include "document/json/json.hpp"
#include "document/json/json_writer.hpp"
#include "document/schema/revision.hpp"
#include "show/page/packet.hpp"

namespace sinew::show {

namespace {

Index chosen_index(document::JsonValue value) {
  const auto index = value.integer();
  return index && *index >= 0 && *index < none ? static_cast<Index>(*index) : none;
}

}  // namespace

std::string carried_picture(std::span<const std::byte> encoded) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a; the file's author can only confuse pictures of the same file
  for (const std::byte byte : encoded) hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3u;
  return format_text("/picture {:016x}", hash);
}

std::string choices_text(const Choices& choices) {
  document::JsonWriter json;
  json.begin_object();
  json.key("name").string(choices.name);
  json.key("force").boolean(choices.load.force);
  json.key("revision").string(choices.load.revision ? g4mf::name_of(*choices.load.revision) : "");
  write_index(json, "scene", choices.scene);
  write_index(json, "clip", choices.clip);
  json.key("expressions").begin_array();
  for (const animate::ExpressionAmount& each : choices.expressions) {
    json.begin_array();
    json.integer(each.expression);
    json.number(each.amount);
    json.end_array();
  }
  json.end_array();
  json.end_object();
  return std::move(json).take();
}

Result<Choices> read_choices(std::string_view text) {
  FindingList findings;
  const auto json = document::Json::parse(text, {}, 0, findings);
  if (!json) return Unexpected(json.error());
  const document::JsonValue root = json->root();
  Choices out;
  out.name = root["name"].string();
  out.load.force = root["force"].boolean().value_or(false);
  out.load.revision = g4mf::revision_named(root["revision"].string());
  out.load.open.allow_outside = true;  // there are only the files that the page carries
  // The program has read them within the user's limits. Deep JSON alone stays limited: a module has a small stack.
  for (const LimitRow& limit : all_limits())
    if (limit.member != &Limits::json_depth) out.load.open.limits.*limit.member = limit.most;
  out.scene = chosen_index(root["scene"]);
  out.clip = chosen_index(root["clip"]);
  for (const document::JsonValue each : root["expressions"].elements())
    out.expressions.push_back({chosen_index(each.at(0)), each.at(1).number().value_or(0)});
  return out;
}

}  // namespace sinew::show

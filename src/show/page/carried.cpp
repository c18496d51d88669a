// SPDX-License-Identifier: MIT
#include "show/page/carried.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

#include "document/json/json.hpp"
#include "document/json/json_writer.hpp"

namespace sinew::show {

namespace {

void write_choice(document::JsonWriter& json, std::string_view key, Index index) {
  json.key(key);
  if (index == none)
    json.raw("null");
  else
    json.integer(index);
}

void write_part(document::JsonWriter& json, std::string_view name, std::span<const double> values) {
  if (values.empty()) return;
  json.key(name).begin_array();
  for (const double value : values) json.number(value);
  json.end_array();
}

Index chosen_index(document::JsonValue value) {
  const auto index = value.integer();
  return index && *index >= 0 && *index < none ? static_cast<Index>(*index) : none;
}

}  // namespace

std::string carried_picture(std::span<const std::byte> encoded) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a; the file's author can only confuse pictures of the same file
  for (const std::byte byte : encoded) hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3u;
  return fmt::format("/picture {:016x}", hash);
}

std::string choices_text(const Choices& choices) {
  document::JsonWriter json;
  json.begin_object();
  json.key("name").string(choices.name);
  json.key("force").boolean(choices.load.force);
  json.key("revision").string(choices.load.revision ? g4mf::revision_names[static_cast<std::size_t>(*choices.load.revision)] : "");
  write_choice(json, "scene", choices.scene);
  write_choice(json, "clip", choices.clip);
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
  const std::string revision = root["revision"].string();
  const auto found = std::ranges::find(g4mf::revision_names, std::string_view(revision));
  if (found != std::end(g4mf::revision_names)) out.load.revision = static_cast<g4mf::Revision>(found - std::begin(g4mf::revision_names));
  out.load.open.allow_outside = true;  // there are only the files that the page carries
  // The program has read them within the user's limits. Deep JSON alone stays limited: a module has a small stack.
  for (const LimitRow& limit : all_limits())
    if (limit.member != &Limits::json_depth) out.load.open.limits.*limit.member = limit.most;
  out.scene = chosen_index(root["scene"]);
  out.clip = chosen_index(root["clip"]);
  return out;
}

std::string edit_text(const PoseEdit& edit) {
  std::map<Index, std::map<Index, double>> amounts;
  for (const AmountEdit& each : edit.amounts) amounts[each.node][each.shape] = each.amount;
  document::JsonWriter json;
  json.begin_object();
  json.key("nodes").begin_object();
  for (const NodeEdit& each : edit.nodes) {
    json.key(fmt::format("{}", each.node)).begin_object();
    write_part(json, "translation", each.local.translation);
    write_part(json, "rotor", each.local.rotor);
    write_part(json, "scale", each.local.scale);
    write_part(json, "basis", each.local.basis);
    json.end_object();
  }
  json.end_object();
  json.key("blendAmounts").begin_object();
  for (const auto& [node, shapes] : amounts) {
    json.key(fmt::format("{}", node)).begin_object();
    for (const auto& [shape, amount] : shapes) json.key(fmt::format("{}", shape)).number(amount);
    json.end_object();
  }
  json.end_object();
  json.end_object();
  return std::move(json).take();
}

}  // namespace sinew::show

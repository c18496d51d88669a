// SPDX-License-Identifier: MIT
#include "validate/entity_names.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "document/json/json.hpp"
#include "document/json/pointer.hpp"

namespace sinew::validate {

namespace {

using document::JsonValue;

/// The first two steps of a pointer, if the second is an index: "/meshes/3".
struct PointedEntity {
  std::string_view list;
  std::uint32_t index = 0;
  std::string_view pointer;
};

std::optional<PointedEntity> entity_of(std::string_view pointer) {
  const std::size_t second = pointer.find('/', 1);
  if (!pointer.starts_with('/') || second == std::string_view::npos) return std::nullopt;
  const std::size_t end = std::min(pointer.find('/', second + 1), pointer.size());
  const auto index = document::PointerStep{pointer.substr(second + 1, end - second - 1), end}.index();
  if (!index) return std::nullopt;
  return PointedEntity{pointer.substr(1, second - 1), *index, pointer.substr(0, end)};
}

// Names can be megabytes. They are cut between UTF-8 characters.
std::string shortened(std::string name) {
  std::size_t most = 64;
  if (name.size() <= most) return name;
  while ((static_cast<unsigned char>(name[most]) & 0xC0) == 0x80) --most;
  return name.substr(0, most) + "…";
}

}  // namespace

void add_names(const document::Document& document, std::span<const Finding> findings, Names& names) {
  std::map<std::string_view, std::map<std::uint32_t, std::string_view>> wanted;
  for (const Finding& finding : findings)
    if (const auto entity = finding.offset ? std::nullopt : entity_of(finding.pointer))
      wanted[entity->list][entity->index] = entity->pointer;
  for (const auto& [list, entities] : wanted) {
    auto next = entities.begin();
    std::uint32_t index = 0;
    for (const JsonValue value : document.json().root()[list].elements()) {
      if (next == entities.end()) break;
      if (index++ != next->first) continue;
      if (std::string name = value["name"].string(); !name.empty()) names.emplace(next->second, shortened(std::move(name)));
      ++next;
    }
  }
}

std::string_view Report::name_of(const Finding& finding) const noexcept {
  const auto entity = entity_of(finding.pointer);
  const auto known = entity ? names.find(entity->pointer) : names.end();
  return known == names.end() ? std::string_view() : std::string_view(known->second);
}

}  // namespace sinew::validate

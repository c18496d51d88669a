// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/ascii.hpp"
#include "g4mf/check/checks.hpp"
#include "g4mf/schema/data/asset.hpp"
#include "g4mf/extensions/SINEW_animation.hpp"
#include "g4mf/schema/walk.hpp"

namespace sinew::g4mf {

namespace {

// A name has the form PREFIX_snake_case.
bool is_extension_name(std::string_view name) {
  const std::size_t split = name.find('_');
  if (split == 0 || split == std::string_view::npos || split + 1 == name.size()) return false;
  const auto fits = [](std::string_view part, auto letter) {
    return std::ranges::all_of(part, [&](char c) { return letter(c) || is_digit(c) || c == '_'; });
  };
  return fits(name.substr(0, split), is_upper) && fits(name.substr(split + 1), is_lower);
}

/// Returns the first control character of a text: ASCII, or U+0080 to U+009F (C2 80 to C2 9F in UTF-8).
std::optional<unsigned> first_control(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7F) return c;
    if (c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) return static_cast<unsigned char>(text[i + 1]);
  }
  return std::nullopt;
}

class ItemChecks {
 public:
  explicit ItemChecks(Reader& reader) : reader_(reader), asset_(reader.root()["asset"]) {
    for (const JsonValue value : asset_["extensionsUsed"].elements()) used_.insert(value.string());
  }

  void run() {
    visit(reader_.root().value());
    if (reader_.revision() != Revision::r2025_08)
      for (const JsonValue node : reader_.root()["nodes"].elements()) check_node_name(node["name"]);
    check_asset();
    check_extension_lists();
    constexpr RootObject::Row unique[] = {"accessors", "buffers", "bufferViews", "files", "lights", "materials", "models"};
    for (const RootObject::Row row : unique) check_equal_entries(reader_.root()[row]);
  }

 private:
  // Every object is an item, except maps of names. Extras may contain anything.
  void visit(JsonValue value) {
    for (const JsonValue element : value.elements()) visit(element);
    for (const JsonMember member : value.members()) {
      const auto is = [&](std::string_view name) { return member.key.equals(name); };
      if (is("name"))
        check_name(member.value);
      else if (is("extensions"))
        check_extensions(member.value);
      else if (is("nodeOverrides") || is("materialOverrides"))
        for (const JsonMember override : member.value.members()) visit(override.value);
      else if (!is("extras") && !is("extensionDependencies") && !is("nodeAdditionalChildren"))
        visit(member.value);
    }
  }

  void check_name(JsonValue value) {
    const std::string name = value.string();
    if (name.empty()) return;
    const auto [known, fresh] = names_.try_emplace(name, value);
    if (!fresh) reader_.report("G4MF_NAME_NOT_UNIQUE"_code, value, name, known->second.pointer());
    if (reader_.revision() == Revision::r2025_08) return;
    if (const auto control = first_control(name)) reader_.report("G4MF_NAME_CONTROL_CHARACTER"_code, value, *control);
    const bool newest = reader_.revision() == Revision::r2026_07;
    const std::string_view forbidden = forbidden_in_names(reader_.revision());
    const Code code = newest ? "G4MF_NAME_FORBIDDEN_CHARACTER_2026_07"_code : "G4MF_NAME_FORBIDDEN_CHARACTER"_code;
    if (const std::size_t at = name.find_first_of(forbidden); at != std::string::npos) reader_.report(code, value, name[at], forbidden);
    const auto other = std::ranges::find_if(name, [&](char c) {
      return c >= 0x20 && c < 0x7F && !is_letter(c) && !is_digit(c) && c != '_' && forbidden.find(c) == std::string_view::npos;
    });
    if (other != name.end()) reader_.report("G4MF_NAME_PUNCTUATION"_code, value, *other);
  }

  void check_node_name(JsonValue value) {
    const std::string name = value.string();
    if (name.empty()) return;
    if (is_lower(name[0]) || name.find_first_of("_- ") != std::string::npos)
      reader_.report("G4MF_NODE_NAME_NOT_PASCAL_CASE"_code, value, name);
  }

  void check_extensions(JsonValue extensions) {
    for (const JsonMember member : extensions.members()) {
      const std::string name = member.key.string();
      if (!is_extension_name(name)) reader_.report("G4MF_EXTENSION_NAME_FORMAT"_code, extensions, name);
      if (!used_.contains(name)) reader_.report("G4MF_ASSET_EXTENSION_NOT_DECLARED"_code, member.value);
      found_.insert(name);
      if (member.value.is(JsonKind::object))
        visit(member.value);
      else
        reader_.report("G4MF_EXTENSION_VALUE_NOT_OBJECT"_code, member.value, excerpt(member.value));
    }
  }

  void check_asset() {
    if (!asset_) return;
    const JsonValue generator = asset_["generator"];
    if (!generator || generator.equals(""))
      reader_.report("G4MF_ASSET_GENERATOR_MISSING"_code, generator ? generator : asset_);
    else if (generator.is(JsonKind::string) && std::ranges::none_of(generator.string(), is_digit))
      reader_.report("G4MF_ASSET_GENERATOR_WITHOUT_VERSION"_code, generator, excerpt(generator));
    if (!asset_["version"]) reader_.report("G4MF_ASSET_VERSION_MISSING"_code, asset_);
    const JsonValue thumbnail = asset_["thumbnail"], textures = reader_.root()["textures"];
    const Index texture = reader_.resolve_or_none(thumbnail, AssetObject::property("thumbnail"));
    if (texture != none) {
      const std::size_t dimension = textures.at(texture)["size"].size();
      if (dimension != 2) reader_.report("G4MF_ASSET_THUMBNAIL_NOT_2D"_code, thumbnail, texture, dimension);
    }
  }

  void check_extension_lists() {
    for (const JsonValue value : asset_["extensionsUsed"].elements())
      if (!found_.contains(value.string())) reader_.report("G4MF_ASSET_EXTENSION_DECLARED_NOT_FOUND"_code, value, excerpt(value));
    for (const JsonValue value : unsupported_extensions(reader_))
      reader_.report("G4MF_ASSET_EXTENSION_REQUIRED_UNSUPPORTED"_code, value, excerpt(value));
    for (const JsonValue value : asset_["extensionsRequired"].elements())
      if (!used_.contains(value.string())) reader_.report("G4MF_ASSET_EXTENSION_REQUIRED_NOT_USED"_code, value, excerpt(value));
    for (const JsonMember member : asset_["extensionDependencies"].members()) {
      if (!used_.contains(member.key.string())) reader_.report("G4MF_ASSET_EXTENSION_DEPENDENCY_NOT_USED"_code, member.value);
      if (!member.value.is(JsonKind::array)) reader_.report("G4MF_JSON_TYPE_MISMATCH"_code, member.value, excerpt(member.value), "array");
      for (const JsonValue value : member.value.elements()) {
        if (!value.is(JsonKind::string)) reader_.report("G4MF_JSON_TYPE_MISMATCH"_code, value, excerpt(value), "string");
        // Sinew supports no extension that could be a dependency.
        reader_.report("G4MF_ASSET_EXTENSION_DEPENDENCY_UNSUPPORTED"_code, member.value, excerpt(value));
      }
    }
  }

  void check_equal_entries(JsonValue list) {
    std::unordered_map<std::string, std::size_t> known;
    std::size_t place = 0;
    for (const JsonValue value : list.elements()) {
      const auto [first, fresh] = known.try_emplace(canonical(value), place++);
      if (!fresh) reader_.report("G4MF_DUPLICATE_ARRAY_ITEMS"_code, value, first->second);
    }
  }

  Reader& reader_;
  JsonValue asset_;
  std::unordered_set<std::string> used_, found_;
  std::unordered_map<std::string, JsonValue> names_;
};

void append_canonical(JsonValue value, std::string& out) {
  if (value.is(JsonKind::object)) {
    std::map<std::string, std::string> members;  // of duplicate keys, the last one counts
    for (const JsonMember member : value.members()) members.insert_or_assign(member.key.string(), canonical(member.value));
    out += '{';
    for (const auto& [key, text] : members) out += format_text("{}:{}:{},", key.size(), key, text);
    out += '}';
  } else if (value.is(JsonKind::array)) {
    out += '[';
    for (const JsonValue element : value.elements()) {
      append_canonical(element, out);
      out += ',';
    }
    out += ']';
  } else if (const auto number = value.number()) {
    out += format_text("{}", *number);
  } else {
    out += value.text();
  }
}

}  // namespace

std::string canonical(JsonValue value) {
  std::string text;
  append_canonical(value, text);
  return text;
}

void check_properties(Reader& reader) {
  auto look = [&](const JsonMember& member, const Property* row) {
    if (row == nullptr) reader.report(codes.unknown, member.value);
  };
  walk(reader.root().value(), root_table, look);
  walk(reader.root().value()["extensions"][animation::extension], animation::root_table, look);
}

void check_items(Reader& reader) { ItemChecks(reader).run(); }

}  // namespace sinew::g4mf

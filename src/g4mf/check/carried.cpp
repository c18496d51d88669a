// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "base/ascii.hpp"
#include "base/message.hpp"
#include "document/files/uri.hpp"
#include "g4mf/check/checks.hpp"
#include "g4mf/read/read.hpp"

namespace sinew::g4mf {

namespace {

/// An object whose table is known only at run time.
class TableObject : public Object {
 public:
  TableObject(Reader& reader, JsonValue value, const Table& table) : Object(value, table.rows, codes, reader.sink()) {}
  using Object::at;
};

bool has_null_member(JsonValue object) {
  for (const JsonMember member : object.members())
    if (member.value.is(JsonKind::null)) return true;
  return false;
}

/// Returns the file name at the end of a relative URI. Empty for data URIs and URIs with a scheme.
std::string file_name(JsonValue uri) {
  const std::string text = uri.string();
  if (text.empty() || !scheme_of(text).empty()) return {};
  return percent_decode(std::string_view(text).substr(text.find_last_of('/') + 1));
}

class CarriedChecks {
 public:
  explicit CarriedChecks(Reader& reader) : reader_(reader), root_(reader.root()) {}

  void run() {
    for (const RootObject::Row row : file_lists)
      for (const JsonValue value : root_[row].elements()) {
        check_tree(reader_, value, file_reference_table);
        check_file(value);
        check_name("G4MF_FILE_REF_ITEM_NAME"_code, value, value["uri"]);
      }
    for (const JsonValue value : root_["shapes"].elements()) check_tree(reader_, value, physics_shape_table);
    for (const JsonValue value : root_["lights"].elements()) check_tree(reader_, value, light_table);
    for (const JsonValue value : root_["textures"].elements()) check_texture(value);
    for (const JsonValue value : root_["nodes"].elements()) check_components(value);
  }

 private:
  void check_file(JsonValue value) {
    const bool view = static_cast<bool>(value["bufferView"]), uri = static_cast<bool>(value["uri"]);
    if (!value.is(JsonKind::object)) return;
    if (!view && !uri) reader_.report("G4MF_FILE_REF_NO_SOURCE"_code, value);
    if (view && uri) reader_.report("G4MF_FILE_REF_TWO_SOURCES"_code, value);
    const std::string name = file_name(value["uri"]);
    const auto wild = [](char c) {
      const bool ascii = static_cast<unsigned char>(c) < 0x80;
      return is_upper(c) || (ascii && !is_lower(c) && !is_digit(c) && c != '_' && c != '.');
    };
    if (std::ranges::any_of(name, wild)) reader_.report("G4MF_FILE_REF_FILE_NAME_CASE"_code, value["uri"], name);
  }

  /// Returns the name that an item made of one file should have, or an empty string if there is no file.
  [[nodiscard]] std::string name_of(JsonValue uri) const {
    std::string name = file_name(uri);
    if (reader_.revision() != Revision::r2025_08) name.resize(std::min(name.size(), name.find_last_of('.')));
    return name;
  }

  void check_name(CodeFor<std::string, std::string> differs, JsonValue value, JsonValue uri) {
    const std::string name = value["name"].string(), expected = name_of(uri);
    if (!name.empty() && !expected.empty() && name != expected) reader_.report(differs, value["name"], name, expected);
  }

  void check_texture(JsonValue value) {
    check_tree(reader_, value, texture_table);
    if (!value.is(JsonKind::object)) return;
    const JsonValue images = value["images"], files = value["files"];
    for (const JsonValue image : images.elements()) check_file(image);
    JsonValue only = images.at(0)["uri"];
    if (files.size() > 0) only = element(root_["files"], files.at(0))["uri"];
    if (images.size() + files.size() == 1) check_name("G4MF_TEXTURE_FILE_NAME"_code, value, only);
    check_size(value);
    check_placeholder(value);
    check_sampler(value["sampler"], value["size"].size());
  }

  void check_size(JsonValue texture) {
    const JsonValue size = texture["size"];
    const auto positive = [](JsonValue number) { return whole_number(number).value_or(0) > 0; };
    if (size.size() == 0 || !size.is(JsonKind::array) || !std::ranges::all_of(list_of(size), positive))
      return reader_.report("G4MF_TEXTURE_SIZE"_code, size ? size : texture, size ? excerpt(size) : "nothing");
    const std::uint64_t first = *whole_number(size.at(0));
    const auto equal = [&](JsonValue number) { return whole_number(number) == first; };
    if (!std::has_single_bit(first) || !std::ranges::all_of(list_of(size), equal))
      reader_.report("G4MF_TEXTURE_SIZE_POWER_OF_TWO"_code, size, excerpt(size));
  }

  void check_placeholder(JsonValue texture) {
    const JsonValue list = texture["placeholder"];
    if (list.size() == 0 || !list.is(JsonKind::array) ||
        !std::ranges::all_of(list_of(list), [](JsonValue v) { return v.is(JsonKind::number); }))
      return reader_.report("G4MF_TEXTURE_PLACEHOLDER"_code, list ? list : texture, list ? excerpt(list) : "nothing");
    check_unit_range(reader_, list, "G4MF_TEXTURE_PLACEHOLDER_RANGE"_code);
  }

  void check_sampler(JsonValue sampler, std::size_t dimension) {
    const auto check = [&](JsonValue value, std::initializer_list<std::string_view> words) {
      if (!value.is(JsonKind::string) || std::ranges::any_of(words, [&](std::string_view word) { return value.equals(word); })) return;
      reader_.report("G4MF_TEXTURE_SAMPLER_VALUE"_code, sampler, excerpt(value), join_text(words, ", "));
    };
    check(sampler["magFilter"], {"linear", "nearest"});
    check(sampler["minFilter"], {"linear", "nearest"});
    check(sampler["mipmapFilter"], {"linear", "nearest", "none"});
    const JsonValue wrap = sampler["wrap"];
    for (const JsonValue value : wrap.elements()) check(value, {"clamp", "mirror", "repeat"});
    if (wrap.is(JsonKind::array) && wrap.size() != 1 && wrap.size() != dimension)
      reader_.report("G4MF_TEXTURE_WRAP_LENGTH"_code, wrap, wrap.size(), dimension);
  }

  // Reading reports values that are not objects.
  void check_components(JsonValue node) {
    const auto tree = [&](const char* name, const Table& table) {
      if (node[name].is(JsonKind::object)) check_tree(reader_, node[name], table);
    };
    tree("camera", camera_table);
    tree("light", light_table);
    tree("physics", physics_table);
    tree("modelInstance", model_instance_table);
    if (node["physics"].is(JsonKind::object)) check_physics(node["physics"]);
    if (node["modelInstance"].is(JsonKind::object)) check_model_instance(node["modelInstance"]);
  }

  void check_physics(JsonValue physics) {
    const auto has = [](JsonValue object, const char* name) { return object[name] ? 1 : 0; };
    if (has(physics, "motion") + has(physics, "collider") + has(physics, "trigger") > 1)
      reader_.report("G4MF_JSON_TYPE_MISMATCH"_code, physics, excerpt(physics), "one of motion, collider and trigger");
    const JsonValue trigger = physics["trigger"];
    if (!trigger.is(JsonKind::object)) return;
    const int sources = has(trigger, "shape") + has(trigger, "nodes");
    if (sources == 0) reader_.report("G4MF_REQUIRED_PROPERTY_MISSING"_code, trigger, "shape");
    if (sources == 2) reader_.report("G4MF_JSON_TYPE_MISMATCH"_code, trigger, excerpt(trigger), "either shape or nodes");
  }

  void check_model_instance(JsonValue instance) {
    if (reader_.revision() == Revision::r2026_01 && !instance["model"])
      reader_.report("G4MF_MODEL_INSTANCE_MODEL_RANGE"_code, instance, "nothing");
    if (reader_.revision() == Revision::r2026_07 && !instance["file"])
      reader_.report("G4MF_MODEL_INSTANCE_FILE_RANGE"_code, instance, "nothing");
    // Null removes a property. Indices are those of the instanced model.
    const auto overrides = [&](JsonValue map, const Table& table) {
      for (const JsonMember member : map.members())
        if (!member.value.is(JsonKind::null) && !has_null_member(member.value)) {
          const TableObject object(reader_, member.value, table);
          report_unknown(member.value, table.rows, codes.unknown, reader_.sink());
        }
    };
    overrides(instance["nodeOverrides"], node_table);
    overrides(instance["materialOverrides"], material_table);
    constexpr Property child = row::indices("", Reference::node);
    for (const JsonMember member : instance["nodeAdditionalChildren"].members()) {
      if (!member.value.is(JsonKind::array)) reader_.report("G4MF_JSON_TYPE_MISMATCH"_code, member.value, excerpt(member.value), "array");
      for (const JsonValue value : member.value.elements()) {
        if (!whole_number(value)) reader_.report("G4MF_ID_NOT_INTEGER"_code, value, excerpt(value));
        static_cast<void>(reader_.resolve_or_none(value, child));
      }
    }
  }

  Reader& reader_;
  const RootObject& root_;
};

}  // namespace

void check_tree(Reader& reader, JsonValue value, const Table& table) {
  const TableObject object(reader, value, table);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Property& property = table.rows[i];
    const JsonValue found = object.at(i);
    if (!found) continue;
    if (property.type == PropertyType::index && property.reference != 0) {
      if (property.shape == Property::Shape::single) static_cast<void>(reader.resolve_or_none(found, property));
      for (const JsonValue element : found.elements()) static_cast<void>(reader.resolve_or_none(element, property));
    }
    if (property.of == nullptr) continue;
    if (found.is(JsonKind::object)) check_tree(reader, found, *property.of);
    for (const JsonValue element : found.elements()) check_tree(reader, element, *property.of);
  }
}

void check_carried(Reader& reader) { CarriedChecks(reader).run(); }

}  // namespace sinew::g4mf

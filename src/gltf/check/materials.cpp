// SPDX-License-Identifier: MIT
#include "gltf/check/checker.hpp"
#include "gltf/check/checks.hpp"
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf {

namespace {

class MaterialCheck {
 public:
  explicit MaterialCheck(Checker& checker) : checker_(checker) {}

  MaterialNeeds check(JsonValue value) && {
    const CheckedObject material = visit(value, material_table);
    needs_.normal_texture = static_cast<bool>(material["normalTexture"]);
    if (value["alphaCutoff"] && !material["alphaMode"].equals("MASK"))
      checker_.report("MATERIAL_ALPHA_CUTOFF_INVALID_MODE"_code, value["alphaCutoff"]);
    for_each_extension(checker_, value, [&](std::string_view name, JsonValue extension) {
      const Table* table = table_of(name, material_table);
      if (table == nullptr) return;
      const CheckedObject object = visit(extension, *table);
      const materials::Rules* rules = materials::find_rules(name);
      if (rules == nullptr) return;
      if (!rules->tangent_texture.empty() && object[rules->tangent_texture]) needs_.tangent_space = true;
      rules->check(checker_, object, material);
    });
    return std::move(needs_);
  }

 private:
  static const Table* table_of(std::string_view extension, const Table& holder) {
    const Extension* known = find_checked_extension(extension);
    const ExtensionPlace* place = known != nullptr ? find_place(*known, holder) : nullptr;
    return place != nullptr ? place->object : nullptr;
  }

  // Visits an object of the material and the texture infos in it.
  CheckedObject visit(JsonValue value, const Table& table) {
    CheckedObject object(checker_, value, table);
    if (object.knows("texCoord")) note_texture_coordinates(object);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const Table* below = table.rows[i].of;
      if (below == nullptr || !object.at(i)) continue;
      if (below == &normal_texture_table) needs_.tangent_space = true;
      static_cast<void>(visit(object.at(i), *below));
    }
    return object;
  }

  void note_texture_coordinates(const CheckedObject& info) {
    const JsonValue set = info["texCoord"];
    const bool transform = !info.knows("index");  // a texture transform has no default texCoord
    if (set || (!transform && !info.value()["texCoord"]))
      needs_.texture_coordinates.push_back({info.value(), whole_number(set).value_or(0)});
    if (transform) return;
    for_each_extension(checker_, info.value(), [&](std::string_view name, JsonValue extension) {
      if (const Table* table = table_of(name, texture_info_table)) static_cast<void>(visit(extension, *table));
    });
  }

  Checker& checker_;
  MaterialNeeds needs_;
};

}  // namespace

std::vector<MaterialNeeds> check_materials(Checker& checker) {
  std::vector<MaterialNeeds> needs;
  for (const JsonValue value : checker.root()["materials"].elements()) needs.push_back(MaterialCheck(checker).check(value));
  return needs;
}

}  // namespace sinew::gltf

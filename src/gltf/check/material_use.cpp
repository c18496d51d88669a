// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "base/number.hpp"
#include "document/json/pointer.hpp"
#include "gltf/check/checker.hpp"
#include "gltf/check/checks.hpp"
#include "gltf/schema/attribute_names.hpp"

namespace sinew::gltf {

namespace {

// Returns the pointer of the texture info relative to its material.
std::string place_in_material(JsonValue at) {
  const std::string pointer = at.pointer();  // /materials/N/…
  return pointer.substr(document::steps_of(pointer)[1].end + 1);
}

class PrimitiveUse {
 public:
  PrimitiveUse(Checker& checker, std::span<const MaterialNeeds> materials, JsonValue primitive)
      : checker_(checker), materials_(materials), primitive_(primitive), attributes_(primitive["attributes"]) {
    std::uint64_t end = 0;
    for (const JsonMember member : attributes_.members())
      if (const auto name = parse_attribute_name(member.key.string()); name && name->semantic == Semantic::texcoord) {
        coordinates_.push_back({member.value, name->set, false});
        end = std::max(end, std::uint64_t{name->set} + 1);
      }
    // Sets with gaps do not count: MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY reports them.
    if (end != coordinates_.size()) coordinates_.clear();
  }

  void check() {
    for_each_extension(checker_, primitive_, [&](std::string_view name, JsonValue extension) {
      if (name == variants::extension)
        variants::check_primitive(checker_, extension, [&](JsonValue at, Index material) { use_coordinates(at, materials_[material]); });
    });
    const JsonValue at = primitive_["material"];
    const auto index = whole_number(at);
    const MaterialNeeds* material = index && *index < materials_.size() ? &materials_[*index] : nullptr;
    const JsonValue tangent = attributes_["TANGENT"];
    if (material != nullptr) {
      use_coordinates(at, *material);
      if (material->tangent_space && !(attributes_["NORMAL"] && tangent))
        checker_.report(material->normal_texture ? "MESH_PRIMITIVE_GENERATED_TANGENT_SPACE"_code : "MESH_PRIMITIVE_NO_TANGENT_SPACE"_code,
                        at);
    }
    if (tangent && (material == nullptr || !material->tangent_space)) checker_.report("UNUSED_MESH_TANGENT"_code, tangent);
    for (const Coordinates& unused : coordinates_)
      if (!unused.used) checker_.report("UNUSED_OBJECT"_code, unused.at);
  }

 private:
  struct Coordinates {
    JsonValue at;
    std::uint64_t set;
    bool used;
  };

  void use_coordinates(JsonValue at, const MaterialNeeds& material) {
    for (const auto& needed : material.texture_coordinates) {
      const auto found = std::ranges::find(coordinates_, needed.set, &Coordinates::set);
      if (found != coordinates_.end())
        found->used = true;
      else
        checker_.report("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS"_code, at, place_in_material(needed.at), needed.set, coordinates_.size());
    }
  }

  Checker& checker_;
  std::span<const MaterialNeeds> materials_;
  JsonValue primitive_;
  JsonValue attributes_;
  std::vector<Coordinates> coordinates_;
};

}  // namespace

void check_material_use(Checker& checker, std::span<const MaterialNeeds> materials) {
  for (const JsonValue mesh : checker.root()["meshes"].elements())
    for (const JsonValue primitive : mesh["primitives"].elements())
      if (primitive.is(JsonKind::object)) PrimitiveUse(checker, materials, primitive).check();
}

}  // namespace sinew::gltf

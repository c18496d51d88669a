// SPDX-License-Identifier: MIT
#include "gltf/check/checked_object.hpp"
#include "gltf/check/checks.hpp"
#include "gltf/schema/tables_extension.hpp"

namespace sinew::gltf::lights {

namespace {

constexpr std::string_view extension = "KHR_lights_punctual";

void check_spot(Checking& checking, JsonValue value) {
  const CheckedObject spot(checking, value, spot_table);
  const double inner = spot.number("innerConeAngle"), outer = spot.number("outerConeAngle");
  // At the angle, also where it has its default.
  if (outer <= inner)
    checking.sink().add(finding<"KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES"_code>(value.pointer() + "/outerConeAngle", outer, inner));
}

void check_light(Checking& checking, JsonValue value) {
  const CheckedObject light(checking, value, light_table);
  const JsonValue spot = value["spot"];
  if (!value["type"].equals("spot")) {
    if (spot) checking.report<"EXTRA_PROPERTY"_code>(spot);
  } else if (!spot) {
    checking.report<"UNDEFINED_PROPERTY"_code>(value, "spot");
  } else if (light["spot"]) {
    check_spot(checking, spot);
  }
  if (light["range"] && value["type"].equals("directional")) checking.report<"EXTRA_PROPERTY"_code>(light["range"]);
}

}  // namespace

void check(Checking& checking) {
  if (!checking.root().uses_extension(extension)) return;
  const JsonValue file = checking.root().file_extension(extension);
  for (const JsonValue value : file["lights"].elements())
    if (value.is(JsonKind::object)) check_light(checking, value);
  if (file) return;
  for (const JsonValue node : checking.root()[RootRow::nodes].elements())
    if (const JsonValue value = node["extensions"][extension])
      checking.report<"UNSATISFIED_DEPENDENCY"_code>(value, "/extensions/KHR_lights_punctual");
}

}  // namespace sinew::gltf::lights

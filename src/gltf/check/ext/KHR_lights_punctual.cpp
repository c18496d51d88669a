// SPDX-License-Identifier: MIT
#include "gltf/check/ext/KHR_lights_punctual.hpp"

#include "gltf/check/checked_object.hpp"
#include "gltf/schema/tables_extension.hpp"

namespace sinew::gltf::lights {

namespace {

void check_spot(Reading& reading, JsonValue value) {
  const CheckedObject spot(reading, value, spot_table);
  const double inner = spot.number("innerConeAngle"), outer = spot.number("outerConeAngle");
  // At the angle, also where it has its default.
  if (outer <= inner)
    reading.sink().add(finding<"KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES"_code>(value.pointer() + "/outerConeAngle", outer, inner));
}

void check_light(Reading& reading, JsonValue value) {
  const CheckedObject light(reading, value, light_table);
  const JsonValue spot = value["spot"];
  if (!value["type"].equals("spot")) {
    if (spot) reading.report<"EXTRA_PROPERTY"_code>(spot);
  } else if (!spot) {
    reading.report<"UNDEFINED_PROPERTY"_code>(value, "spot");
  } else if (light["spot"]) {
    check_spot(reading, spot);
  }
  if (light["range"] && value["type"].equals("directional")) reading.report<"EXTRA_PROPERTY"_code>(light["range"]);
}

}  // namespace

void check(Reading& reading) {
  if (!reading.uses_extension(extension)) return;
  const JsonValue file = reading.file_extension(extension);
  for (const JsonValue value : file["lights"].elements())
    if (value.is(JsonKind::object)) check_light(reading, value);
  if (file) return;
  for (const JsonValue node : reading.root()[RootRow::nodes].elements())
    if (const JsonValue value = node["extensions"][extension])
      reading.report<"UNSATISFIED_DEPENDENCY"_code>(value, "/extensions/KHR_lights_punctual");
}

}  // namespace sinew::gltf::lights

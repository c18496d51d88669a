// SPDX-License-Identifier: MIT
#include "gltf/extensions/KHR_lights_punctual.hpp"

#include "gltf/check/checker.hpp"
#include "gltf/check/checks.hpp"

namespace sinew::gltf::lights {

namespace {

constexpr std::string_view extension = "KHR_lights_punctual";

void check_spot(Checker& checker, JsonValue value) {
  const CheckedObject spot(checker, value, spot_table);
  const double inner = spot.number("innerConeAngle"), outer = spot.number("outerConeAngle");
  // Reported at the angle, even if it is a default.
  if (outer <= inner)
    checker.sink().add(
        finding("KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES"_code, FindingPlace(value.pointer() + "/outerConeAngle", value.id()), outer, inner));
}

void check_light(Checker& checker, JsonValue value) {
  const CheckedObject light(checker, value, light_table);
  const JsonValue spot = value["spot"];
  if (!value["type"].equals("spot")) {
    if (spot) checker.report("EXTRA_PROPERTY"_code, spot);
  } else if (!spot) {
    checker.report("UNDEFINED_PROPERTY"_code, value, "spot");
  } else if (light["spot"]) {
    check_spot(checker, spot);
  }
  if (light["range"] && value["type"].equals("directional")) checker.report("EXTRA_PROPERTY"_code, light["range"]);
}

}  // namespace

void check(Checker& checker) {
  if (!checker.root().uses_extension(extension)) return;
  const JsonValue file = checker.root().file_extension(extension);
  for (const JsonValue value : file["lights"].elements())
    if (value.is(JsonKind::object)) check_light(checker, value);
  if (file) return;
  for (const JsonValue node : checker.root()["nodes"].elements())
    if (const JsonValue value = node["extensions"][extension])
      checker.report("UNSATISFIED_DEPENDENCY"_code, value, "/extensions/KHR_lights_punctual");
}

}  // namespace sinew::gltf::lights

// SPDX-License-Identifier: MIT
#include <numbers>

#include "gltf/check/checker.hpp"
#include "gltf/check/checks.hpp"
#include "gltf/schema/tables_material.hpp"

namespace sinew::gltf {

namespace {

void check_depth(Checker& checker, const CheckedObject& projection) {
  const double far = projection.number("zfar"), near = projection.number("znear");
  if (far <= near) checker.report("CAMERA_ZFAR_LEQUAL_ZNEAR"_code, projection.value(), far, near);
}

void check_orthographic(Checker& checker, JsonValue value) {
  const CheckedObject projection(checker, value, orthographic_table);
  check_depth(checker, projection);
  for (const std::string_view name : {"xmag", "ymag"}) {
    const JsonValue at = projection[name];
    if (!at) continue;
    const double magnification = projection.number(name);
    if (magnification <= 0)
      checker.report(magnification == 0 ? "CAMERA_XMAG_YMAG_ZERO"_code : "CAMERA_XMAG_YMAG_NEGATIVE"_code, at, magnification);
  }
}

void check_perspective(Checker& checker, JsonValue value) {
  const CheckedObject projection(checker, value, perspective_table);
  const double angle = projection.number("yfov");
  if (angle >= std::numbers::pi) checker.report("CAMERA_YFOV_GEQUAL_PI"_code, value, angle);
  check_depth(checker, projection);
}

void check_camera(Checker& checker, JsonValue value) {
  const CheckedObject camera(checker, value, camera_table);
  const JsonValue orthographic = value["orthographic"], perspective = value["perspective"], type = camera["type"];
  if (orthographic && perspective) checker.report("ONE_OF_MISMATCH"_code, value, "both", camera_types[0], camera_types[1]);
  if (type && !value[type.string()]) checker.report("UNDEFINED_PROPERTY"_code, value, type.string());
  if (type.equals("orthographic") && orthographic.is(JsonKind::object)) check_orthographic(checker, orthographic);
  if (type.equals("perspective") && perspective.is(JsonKind::object)) check_perspective(checker, perspective);
}

}  // namespace

void check_cameras(Checker& checker) {
  for (const JsonValue value : checker.root()["cameras"].elements()) check_camera(checker, value);
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#include "gltf/check/cameras.hpp"

#include <numbers>

#include "gltf/check/checked_object.hpp"
#include "gltf/schema/tables_material.hpp"

namespace sinew::gltf {

namespace {

void check_depth(Reading& reading, const CheckedObject& projection) {
  const double far = projection.number("zfar"), near = projection.number("znear");
  if (far <= near) reading.report<"CAMERA_ZFAR_LEQUAL_ZNEAR"_code>(projection.value(), far, near);
}

void check_orthographic(Reading& reading, JsonValue value) {
  const CheckedObject projection(reading, value, orthographic_table);
  check_depth(reading, projection);
  for (const std::string_view name : {"xmag", "ymag"}) {
    const JsonValue at = projection[name];
    if (!at) continue;
    const double magnification = projection.number(name);
    if (magnification == 0)
      reading.report<"CAMERA_XMAG_YMAG_ZERO"_code>(at);
    else if (magnification < 0)
      reading.report<"CAMERA_XMAG_YMAG_NEGATIVE"_code>(at, magnification);
  }
}

void check_perspective(Reading& reading, JsonValue value) {
  const CheckedObject projection(reading, value, perspective_table);
  const double angle = projection.number("yfov");
  if (angle >= std::numbers::pi) reading.report<"CAMERA_YFOV_GEQUAL_PI"_code>(value, angle);
  check_depth(reading, projection);
}

void check_camera(Reading& reading, JsonValue value) {
  const CheckedObject camera(reading, value, camera_table);
  const JsonValue orthographic = value["orthographic"], perspective = value["perspective"], type = camera["type"];
  if (orthographic && perspective) reading.report<"ONE_OF_MISMATCH"_code>(value, "both", camera_types[0], camera_types[1]);
  if (type && !value[type.string()]) reading.report<"UNDEFINED_PROPERTY"_code>(value, type.string());
  if (type.equals("orthographic") && orthographic.is(JsonKind::object)) check_orthographic(reading, orthographic);
  if (type.equals("perspective") && perspective.is(JsonKind::object)) check_perspective(reading, perspective);
}

}  // namespace

void check_cameras(Reading& reading) {
  for (const JsonValue value : reading.root()[RootRow::cameras].elements()) check_camera(reading, value);
}

}  // namespace sinew::gltf

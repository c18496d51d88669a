// SPDX-License-Identifier: MIT
#include <numbers>

#include "gltf/check/checked_object.hpp"
#include "gltf/check/checks.hpp"
#include "gltf/schema/tables_material.hpp"

namespace sinew::gltf {

namespace {

void check_depth(Checking& checking, const CheckedObject& projection) {
  const double far = projection.number("zfar"), near = projection.number("znear");
  if (far <= near) checking.report<"CAMERA_ZFAR_LEQUAL_ZNEAR"_code>(projection.value(), far, near);
}

void check_orthographic(Checking& checking, JsonValue value) {
  const CheckedObject projection(checking, value, orthographic_table);
  check_depth(checking, projection);
  for (const std::string_view name : {"xmag", "ymag"}) {
    const JsonValue at = projection[name];
    if (!at) continue;
    const double magnification = projection.number(name);
    if (magnification == 0)
      checking.report<"CAMERA_XMAG_YMAG_ZERO"_code>(at);
    else if (magnification < 0)
      checking.report<"CAMERA_XMAG_YMAG_NEGATIVE"_code>(at, magnification);
  }
}

void check_perspective(Checking& checking, JsonValue value) {
  const CheckedObject projection(checking, value, perspective_table);
  const double angle = projection.number("yfov");
  if (angle >= std::numbers::pi) checking.report<"CAMERA_YFOV_GEQUAL_PI"_code>(value, angle);
  check_depth(checking, projection);
}

void check_camera(Checking& checking, JsonValue value) {
  const CheckedObject camera(checking, value, camera_table);
  const JsonValue orthographic = value["orthographic"], perspective = value["perspective"], type = camera["type"];
  if (orthographic && perspective) checking.report<"ONE_OF_MISMATCH"_code>(value, "both", camera_types[0], camera_types[1]);
  if (type && !value[type.string()]) checking.report<"UNDEFINED_PROPERTY"_code>(value, type.string());
  if (type.equals("orthographic") && orthographic.is(JsonKind::object)) check_orthographic(checking, orthographic);
  if (type.equals("perspective") && perspective.is(JsonKind::object)) check_perspective(checking, perspective);
}

}  // namespace

void check_cameras(Checking& checking) {
  for (const JsonValue value : checking.root()[RootRow::cameras].elements()) check_camera(checking, value);
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/schema/row.hpp"

namespace sinew::g4mf {

// The properties of objects that are carried but not read: files, textures, cameras, lights, physics, shapes, model instances. Tables
// without an enum are only checked and walked.

inline constexpr double pi_above = 3.141592653589794;

inline constexpr auto file_reference_rows = row::with_common({
    row::index("bufferView", Reference::buffer_view, "G4MF_FILE_REF_BUFFER_VIEW"_code),
    row::text("uri"),
    row::required(row::text("mimeType"), "G4MF_FILE_REF_NO_MIME_TYPE"_code),
});
inline constexpr row::Table file_reference_table = {file_reference_rows};

inline constexpr auto sampler_rows = row::with_common({
    row::text("magFilter"),
    row::text("minFilter"),
    row::text("mipmapFilter"),
    row::list("wrap", row::PropertyType::string),
});
inline constexpr row::Table sampler_table = {sampler_rows};

inline constexpr auto texture_rows = row::with_common({
    row::value("size", row::PropertyType::any),  // carried_check.cpp says what is wrong with them
    row::value("placeholder", row::PropertyType::any),
    row::in(row::objects("images", file_reference_table), row::first | row::second),
    row::in(row::indices("files", Reference::file, "G4MF_TEXTURE_FILES_RANGE"_code), row::third),
    row::object("sampler", sampler_table),
});
inline constexpr row::Table texture_table = {texture_rows};

inline constexpr std::string_view camera_types[] = {"orthographic", "perspective"};
inline constexpr auto camera_rows = row::with_common({
    row::value("clipFar", row::PropertyType::number),
    row::value("clipNear", row::PropertyType::number),
    row::ranged(row::positive("fov"), 3.1415925),
    row::whole("keepAspect"),
    row::positive("size"),
    row::one_of("type", camera_types),
});
inline constexpr row::Table camera_table = {camera_rows};

inline constexpr auto light_rows = row::with_common({
    row::required(row::text("type")),
    {.name = "color", .type = row::PropertyType::number, .shape = row::Property::Shape::list, .least = 3, .most = 3, .minimum = 0},
    row::ranged(row::from_zero("coneInnerAngle"), pi_above),
    row::ranged(row::from_zero("coneOuterAngle"), pi_above),
    row::from_zero("intensity"),
    row::from_zero("range"),
});
inline constexpr row::Table light_table = {light_rows};

inline constexpr auto collider_rows = row::with_common({
    row::required(row::index("shape", Reference::shape)),
});
inline constexpr row::Table collider_table = {collider_rows};

inline constexpr std::string_view motion_types[] = {"static", "kinematic", "dynamic"};
inline constexpr auto motion_rows = row::with_common({
    row::required(row::one_of("type", motion_types)),
    row::value("mass", row::PropertyType::number),
    row::numbers("inertiaDiagonal"),
    {.name = "inertiaOrientation",
     .type = row::PropertyType::number,
     .shape = row::Property::Shape::list,
     .least = 0,
     .minimum = -1,
     .maximum = 1},
    row::numbers("linearVelocity"),
    row::numbers("angularVelocity"),
    row::value("gravityFactor", row::PropertyType::number),
});
inline constexpr row::Table motion_table = {motion_rows};

inline constexpr auto trigger_rows = row::with_common({
    row::index("shape", Reference::shape),
    row::unique(row::indices("nodes", Reference::node)),
});
inline constexpr row::Table trigger_table = {trigger_rows};

inline constexpr auto physics_rows = row::with_common({
    row::object("motion", motion_table),
    row::object("collider", collider_table),
    row::object("trigger", trigger_table),
});
inline constexpr row::Table physics_table = {physics_rows};

inline constexpr auto taper_rows = row::with_common({
    row::at_least(2, row::numbers("radii")),
    row::positive("exponent"),
    row::at_least(2, row::numbers("position")),
});
inline constexpr row::Table taper_table = {taper_rows};

inline constexpr auto curve_rows = row::with_common({
    row::at_least(2, row::numbers("radii")),
    row::positive("exponent"),
    row::objects("taper", taper_table),
});
inline constexpr row::Table curve_table = {curve_rows};

inline constexpr auto physics_shape_rows = row::with_common({
    row::objects("curves", curve_table),
    row::index("heights", Reference::accessor),
    row::from_zero("length"),
    row::index("mesh", Reference::mesh),
    row::at_least(1, row::numbers("size")),
    row::text("type"),
});
inline constexpr row::Table physics_shape_table = {physics_shape_rows};

enum class ModelInstanceRow : std::uint8_t {
  file,
  model,
  nodeOverrides,
  materialOverrides,
  nodeAdditionalChildren,
  comment,
  name,
  extensions,
  extras,
  end
};
inline constexpr auto model_instance_rows = row::with_common({
    row::in(row::index("file", Reference::file, "G4MF_MODEL_INSTANCE_FILE_RANGE"_code), row::third),
    row::in(row::index("model", Reference::model, "G4MF_MODEL_INSTANCE_MODEL_RANGE"_code), row::second),
    row::value("nodeOverrides", row::PropertyType::object),
    row::value("materialOverrides", row::PropertyType::object),
    row::value("nodeAdditionalChildren", row::PropertyType::object),
});
inline constexpr row::Table model_instance_table = {model_instance_rows};

}  // namespace sinew::g4mf

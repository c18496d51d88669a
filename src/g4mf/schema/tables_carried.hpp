// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/schema/row.hpp"

namespace sinew::g4mf {

// The properties of objects that are not read into the model: files, textures, cameras, lights, physics, shapes, model instances. They are
// only checked and searched for references.

inline constexpr double pi_above = 3.141592653589794;

inline constexpr row::TableOf file_reference_table{{
    row::index("bufferView", Reference::buffer_view, "G4MF_FILE_REF_BUFFER_VIEW"_code),
    row::text("uri"),
    row::required(row::text("mimeType"), "G4MF_FILE_REF_NO_MIME_TYPE"_code),
}};

inline constexpr row::TableOf sampler_table{{
    row::text("magFilter"),
    row::text("minFilter"),
    row::text("mipmapFilter"),
    row::list("wrap", PropertyType::string),
}};

inline constexpr row::TableOf texture_table{{
    row::value("size", PropertyType::any),  // checked in check/carried.cpp
    row::value("placeholder", PropertyType::any),
    row::in(row::objects("images", file_reference_table), row::first | row::second),
    row::in(row::indices("files", Reference::file, "G4MF_TEXTURE_FILES_RANGE"_code), row::third),
    row::object("sampler", sampler_table),
}};

inline constexpr std::string_view camera_types[] = {"orthographic", "perspective"};
inline constexpr row::TableOf camera_table{{
    row::value("clipFar", PropertyType::number),
    row::value("clipNear", PropertyType::number),
    row::ranged(row::positive("fov"), 3.1415925),
    row::whole("keepAspect"),
    row::positive("size"),
    row::one_of("type", camera_types),
}};

inline constexpr row::TableOf light_table{{
    row::required(row::text("type")),
    {.name = "color", .type = PropertyType::number, .shape = Property::Shape::list, .least = 3, .most = 3, .minimum = 0},
    row::ranged(row::from_zero("coneInnerAngle"), pi_above),
    row::ranged(row::from_zero("coneOuterAngle"), pi_above),
    row::from_zero("intensity"),
    row::from_zero("range"),
}};

inline constexpr row::TableOf collider_table{{
    row::required(row::index("shape", Reference::shape)),
}};

inline constexpr std::string_view motion_types[] = {"static", "kinematic", "dynamic"};
inline constexpr row::TableOf motion_table{{
    row::required(row::one_of("type", motion_types)),
    row::value("mass", PropertyType::number),
    row::numbers("inertiaDiagonal"),
    {.name = "inertiaOrientation", .type = PropertyType::number, .shape = Property::Shape::list, .least = 0, .minimum = -1, .maximum = 1},
    row::numbers("linearVelocity"),
    row::numbers("angularVelocity"),
    row::value("gravityFactor", PropertyType::number),
}};

inline constexpr row::TableOf trigger_table{{
    row::index("shape", Reference::shape),
    row::unique(row::indices("nodes", Reference::node)),
}};

inline constexpr row::TableOf physics_table{{
    row::object("motion", motion_table),
    row::object("collider", collider_table),
    row::object("trigger", trigger_table),
}};

inline constexpr row::TableOf taper_table{{
    row::at_least(2, row::numbers("radii")),
    row::positive("exponent"),
    row::at_least(2, row::numbers("position")),
}};

inline constexpr row::TableOf curve_table{{
    row::at_least(2, row::numbers("radii")),
    row::positive("exponent"),
    row::objects("taper", taper_table),
}};

inline constexpr row::TableOf physics_shape_table{{
    row::objects("curves", curve_table),
    row::index("heights", Reference::accessor),
    row::from_zero("length"),
    row::index("mesh", Reference::mesh),
    row::at_least(1, row::numbers("size")),
    row::text("type"),
}};

inline constexpr row::TableOf model_instance_table{{
    row::in(row::index("file", Reference::file, "G4MF_MODEL_INSTANCE_FILE_RANGE"_code), row::third),
    row::in(row::index("model", Reference::model, "G4MF_MODEL_INSTANCE_MODEL_RANGE"_code), row::second),
    row::value("nodeOverrides", PropertyType::object),
    row::value("materialOverrides", PropertyType::object),
    row::value("nodeAdditionalChildren", PropertyType::object),
}};

}  // namespace sinew::g4mf

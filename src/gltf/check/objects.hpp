// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/reading.hpp"

namespace sinew::gltf {

/// Checks every object of the file by its table, whether or not anything needs it: its properties, extras and extensions, what its
/// indices name, what data is used for, and which objects nothing refers to. Objects that are reached through tables (Property::of) and
/// extensions (extensions.cpp) are reported here alone: reading them again says nothing.
void check_objects(Reading& reading);

/// The lists extensionsUsed and extensionsRequired.
void check_extension_lists(Reading& reading);

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#pragma once

#include "document/schema/renumber.hpp"
#include "g4mf/schema/tables.hpp"

namespace sinew::g4mf {

[[nodiscard]] const ReferenceScheme& reference_scheme();

}  // namespace sinew::g4mf

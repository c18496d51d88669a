// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/schema/source.hpp"

namespace sinew::g4mf {

/// What the base colour of a material says of the parts of its surfaces becomes attributes of their corners: colours by vertex instance,
/// simplex or edge (of surfaces that are edges alone), and texture coordinates of the channel's own in place of the surface's. Values that
/// are broken or too few are left out. A mesh that nodes show with several materials keeps those of the surfaces themselves.
void add_channel_values(const Source& source, Model& model);

}  // namespace sinew::g4mf

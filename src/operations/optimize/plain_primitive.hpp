// SPDX-License-Identifier: MIT
#pragma once

#include "document/json/json.hpp"

#include "sinew/model.hpp"

namespace sinew::operations {

/// Returns whether a primitive is a list of triangles or of points without indices, and the model has all that the file stores for its
/// vertices, so that they may get another order.
[[nodiscard]] bool is_plain_primitive(document::JsonValue primitive, const Surface& surface, const VertexBlock& block);

}  // namespace sinew::operations

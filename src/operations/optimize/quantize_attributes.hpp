// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "operations/optimize/steps.hpp"

namespace sinew::operations {

struct QuantizedAttributes {
  std::size_t changed = 0;  ///< arrays
  AttributeErrors errors;
};

/// Stores normals, tangents, texture coordinates, colours and offsets of `model` as the smallest integers within the limits of the input.
/// If the file will be compressed, directions get 16 bits and texture coordinates stay: the step `compress` has better forms.
[[nodiscard]] QuantizedAttributes quantize_attributes(const StepInput& input, Model& model);

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "gltf/read/accessors.hpp"
#include "gltf/read/nodes.hpp"

namespace sinew::gltf {

/// Reads the skins into the model. Nodes and skeletons have been read.
void read_skins(Reading& reading, Accessors& accessors, const NodeTree& tree);

/// Reports skinned nodes that are in a scene without the root of their joints. Scenes have been read.
void check_skin_scenes(Reading& reading, const NodeTree& tree);

/// The codes of what can be wrong with bind matrices.
struct BindCodes {
  Code format;
  Code stride;
  Code count;
  Code last_row;
};

/// The first `count` matrices of an accessor that `at` names: MAT4, finite; the fourth row is taken as 0 0 0 1.
template <BindCodes codes>
[[nodiscard]] Checked<std::vector<Affine>> read_bind_matrices(Reading& reading, Accessors& accessors, JsonValue at, Index accessor,
                                                              std::size_t count);

/// The first `count` matrices, and the first of them that is not finite (`count` where all are).
struct BindMatrices {
  std::vector<Affine> matrices;
  std::size_t not_finite;
};
[[nodiscard]] BindMatrices convert_bind_matrices(const Array& values, std::size_t count);
/// Reports numbers of fourth rows that are not those of 0 0 0 1: the first one, or all with Checks::all.
void check_last_rows(Reading& reading, Code code, JsonValue at, const Array& matrices);

template <BindCodes codes>
Checked<std::vector<Affine>> read_bind_matrices(Reading& reading, Accessors& accessors, JsonValue at, Index accessor, std::size_t count) {
  const auto& format = accessors.format(accessor);
  if (!format) return Refused(format.error());
  FirstDefect defect;
  const bool fits = format->columns == 4 && format->width() == 16 && format->component == ComponentType::float32;
  if (!fits) defect.take(reading.refuse<codes.format>(at, format->text()));
  if (format->count < count) defect.take(reading.refuse<codes.count>(at, format->count, count));
  if (format->strided) reading.report<codes.stride>(at, "a view with a stride");
  if (!fits) return defect.refused();
  const auto values = accessors.array(accessor);
  if (!values) return Refused(values.error());
  if (format->has_data()) check_last_rows(reading, codes.last_row, at, *values);
  if (defect) return defect.refused();
  BindMatrices read = convert_bind_matrices(*values, count);
  if (read.not_finite < count) return reading.refuse_known<"ACCESSOR_INVALID_FLOAT"_code>(format->value, read.not_finite);
  return std::move(read.matrices);
}

}  // namespace sinew::gltf

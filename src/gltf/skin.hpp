// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "gltf/accessor.hpp"
#include "gltf/node.hpp"

namespace sinew::gltf {

/// Reads the skins into the model. Nodes and skeletons have been read.
void read_skins(Reading& reading, Accessors& accessors, const NodeTree& tree);

/// Reports skinned nodes of the default scene that lack joints of their skin there. Scenes have been read.
void check_skin_scene(Reading& reading, const NodeTree& tree);

/// The codes of what can be wrong with bind matrices.
struct BindCodes {
  Code format;
  Code stride;
  Code count;
  Code last_row;
  enum class RowsAt : std::uint8_t { accessor, reference } rows_at = RowsAt::accessor;  ///< where last_row is reported
};

/// The first `count` matrices of an accessor that `at` names: MAT4, finite; the fourth row is taken as 0 0 0 1.
template <BindCodes codes>
[[nodiscard]] Checked<std::vector<Affine>> read_bind_matrices(Reading& reading, Accessors& accessors, JsonValue at, Index accessor,
                                                              std::size_t count);

/// What read_bind_matrices finds in the data; `problem` is a row, or the number of rows where there is none.
struct BindMatrices {
  std::vector<Affine> matrices;
  std::size_t not_finite;
  std::size_t bad_row;
};
[[nodiscard]] BindMatrices convert_bind_matrices(const Array& values, std::size_t count);

template <BindCodes codes>
Checked<std::vector<Affine>> read_bind_matrices(Reading& reading, Accessors& accessors, JsonValue at, Index accessor, std::size_t count) {
  const auto& format = accessors.format(accessor);
  if (!format) return Refused(format.error());
  if (format->width() != 16 || format->columns != 4 || format->component != ComponentType::float32)
    return reading.refuse<codes.format>(at, format->text());
  if (format->count < count) return reading.refuse<codes.count>(at, format->count, count);
  if (format->strided) reading.report<codes.stride>(at, "a view with a stride");
  const auto values = accessors.array(accessor);
  if (!values) return Refused(values.error());
  BindMatrices read = convert_bind_matrices(*values, count);
  if (read.not_finite < count) return reading.refuse_known<"ACCESSOR_INVALID_FLOAT"_code>(format->value, read.not_finite);
  if (read.bad_row < count) {
    const bool at_accessor = codes.rows_at == BindCodes::RowsAt::accessor;
    reading.report<codes.last_row>(at_accessor ? format->value : at, read.bad_row);
  }
  return std::move(read.matrices);
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "gltf/read/accessors.hpp"

namespace sinew::gltf {

struct BindCodes {
  Code format;
  Code stride;
  Code count;
  Code last_row;
};
inline constexpr BindCodes skin_bind_codes = {"SKIN_IBM_INVALID_FORMAT"_code, "SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE"_code,
                                              "INVALID_IBM_ACCESSOR_COUNT"_code, "ACCESSOR_INVALID_IBM"_code};
inline constexpr BindCodes skeleton_bind_codes = {"STAIK_IBM_FORMAT"_code, "STAIK_IBM_FORMAT"_code, "STAIK_IBM_COUNT"_code,
                                                  "STAIK_IBM_LAST_ROW"_code};

/// Returns whether elements are MAT4 of float.
[[nodiscard]] bool are_bind_matrices(const ElementFormat& format);
/// Calls `each` with the index of the matrix for each number of its fourth row that differs from 0 0 0 1. Stops when `each` returns false.
template <class Each>
void for_each_wrong_last_row(const Array& matrices, const Each& each) {
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    std::array<double, 16> matrix;
    matrices.read(i, 1, matrix.data());
    for (std::size_t column = 0; column < 4; ++column)
      if (matrix[column * 4 + 3] != (column == 3 ? 1 : 0) && !each(i)) return;
  }
}

/// What the fourth rows of the matrices of one skin say about how they are stored.
enum class BindRows : std::uint8_t {
  right,    ///< all are 0 0 0 1, up to rounding
  by_rows,  ///< some are not, and all fourth columns are 0 0 0 1: transposing gives affine maps
  unclear   ///< neither
};
[[nodiscard]] BindRows judge_rows(const Array& matrices, std::size_t count);

/// Reads the first `count` matrices of the accessor at `at`: MAT4, finite. The fourth row is assumed to be 0 0 0 1.
[[nodiscard]] Checked<std::vector<Affine>> read_bind_matrices(const BindCodes& codes, Reader& reader, Accessors& accessors, JsonValue at,
                                                              Index accessor, std::size_t count);

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#include "gltf/read/rig/bind_matrices.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::gltf {

bool are_bind_matrices(const ElementFormat& format) { return format.columns == 4 && format.width() == 16 && is_float(format.component); }

BindRows judge_rows(const Array& matrices, std::size_t count) {
  constexpr double rounding = 1e-3;
  bool rows = true, columns = true;
  for (std::size_t i = 0; i < std::min(count, matrices.size()); ++i) {
    std::array<double, 16> matrix;
    matrices.read(i, 1, matrix.data());
    for (std::size_t k = 0; k < 4; ++k) {
      const double expected = k == 3 ? 1 : 0;
      rows = rows && std::abs(matrix[k * 4 + 3] - expected) <= rounding;
      columns = columns && std::abs(matrix[12 + k] - expected) <= rounding;
    }
  }
  return rows ? BindRows::right : columns ? BindRows::by_rows : BindRows::unclear;
}

Checked<std::vector<Affine>> read_bind_matrices(const BindCodes& codes, Reader& reader, Accessors& accessors, JsonValue at, Index accessor,
                                                std::size_t count) {
  const auto& format = accessors.format(accessor);
  if (!format) return Refused(format.error());
  if (!are_bind_matrices(*format)) return reader.refuse(codes.format, at, format->text());
  if (format->count < count) return reader.refuse(codes.count, at, format->count, count);
  if (format->strided) reader.report(codes.stride, at, "a view with a stride");
  const auto& values = accessors.array(accessor);
  if (!values) return Refused(values.error());
  if (format->view != none || format->sparse)
    for_each_wrong_last_row(*values, [&](std::size_t i) {
      reader.report(codes.last_row, at, i);
      return false;
    });
  std::vector<Affine> matrices;
  matrices.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<double, 16> matrix;
    values->read(i, 1, matrix.data());
    if (!std::ranges::all_of(matrix, [](double x) { return std::isfinite(x); }))
      return reader.refuse("ACCESSOR_INVALID_FLOAT"_code, format->value, i);
    const double columns[] = {matrix[0], matrix[1], matrix[2],  matrix[4],  matrix[5],  matrix[6],
                              matrix[8], matrix[9], matrix[10], matrix[12], matrix[13], matrix[14]};
    matrices.emplace_back(3, columns);
  }
  return matrices;
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/guard.hpp"

#include "sinew/deform.hpp"

namespace sinew::deform {

namespace {

// Rows are read in pieces, so that a sparse shape of a large mesh needs no full-size copy.
constexpr std::size_t piece = 1024;

void add_offsets(const Offsets& offsets, float amount, std::size_t width, std::span<float> values) {
  std::vector<float> moved(piece * width);
  std::vector<std::uint32_t> rows(offsets.sparse() ? piece : 0);
  for (std::size_t first = 0; first < offsets.values.size(); first += piece) {
    const std::size_t count = std::min(piece, offsets.values.size() - first);
    offsets.values.read(first, count, moved.data());
    if (offsets.sparse()) offsets.indices.read(first, count, rows.data());
    for (std::size_t i = 0; i < count; ++i) {
      float* to = values.data() + (offsets.sparse() ? rows[i] : first + i) * width;
      for (std::size_t c = 0; c < width; ++c) to[c] += amount * moved[i * width + c];
    }
  }
}

}  // namespace

Result<std::vector<float>> blend_attribute(const Attribute& attribute, std::span<const double> amounts) SINEW_TRY {
  std::vector<float> values = attribute.values.read<float>();
  for (const Offsets& offsets : attribute.offsets)
    if (offsets.shape < amounts.size() && amounts[offsets.shape] != 0 && offsets.values.width() == attribute.values.width())
      add_offsets(offsets, static_cast<float>(amounts[offsets.shape]), attribute.values.width(), values);
  return values;
}
SINEW_CATCH()

Result<std::vector<float>> blend_rows(const Attribute& attribute, std::span<const double> amounts, std::size_t rows) SINEW_TRY {
  std::vector<float> values = need(blend_attribute(attribute, amounts));
  const std::size_t width = attribute.values.width();
  if (attribute.index.empty()) {
    assert(values.size() >= rows * width);
    values.resize(rows * width);
    return values;
  }
  const std::vector<std::uint32_t> index = attribute.index.read<std::uint32_t>();
  assert(index.size() >= rows);
  std::vector<float> spread(rows * width);
  for (std::size_t row = 0; row < rows; ++row)
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(index[row] * width), width,
                spread.begin() + static_cast<std::ptrdiff_t>(row * width));
  return spread;
}
SINEW_CATCH()

}  // namespace sinew::deform

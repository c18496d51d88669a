// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/narrowed.hpp"
#include "model/rows_of.hpp"
#include "operations/optimize/steps.hpp"

namespace sinew::operations {

namespace {

constexpr std::size_t sparse_text = 150;  ///< bytes of JSON text that a sparse accessor needs more, about

/// Stores only the rows that are not zero; false if that needs more than `dense_row` bytes for each row.
bool make_sparse(Offsets& offsets, std::size_t dense_row) {
  if (offsets.sparse() || !offsets.values.holds<float>()) return false;
  const std::vector<double> values = offsets.values.read<double>();
  const std::size_t width = offsets.values.width(), count = offsets.values.size();
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < count; ++row)
    if (std::any_of(values.begin() + static_cast<std::ptrdiff_t>(row * width),
                    values.begin() + static_cast<std::ptrdiff_t>((row + 1) * width), [](double value) { return value != 0; }))
      rows.push_back(row);
  if (rows.size() * (width * sizeof(float) + (count <= 0xff ? 1 : count <= 0xffff ? 2 : 4)) + sparse_text >= count * dense_row)
    return false;
  offsets.sparse_ = true;
  offsets.indices = rows.empty() ? Array() : Array::own(std::vector<std::uint32_t>(rows.begin(), rows.end()), 1);
  offsets.values = rows.empty() ? Array() : rows_of(offsets.values, rows);
  return true;
}

}  // namespace

std::size_t make_offsets_sparse(const StepInput& input, Model& model, std::size_t dense_row) {
  std::size_t made = 0;
  if (input.options.compression != OptimizeCompression::none) return made;  // zeros compress well
  for (Mesh& mesh : model.meshes) {
    if (mesh.defect != none) continue;
    for (VertexBlock& block : mesh.blocks)
      for (Attribute& attribute : block.attributes)
        for (Offsets& offsets : attribute.offsets) made += make_sparse(offsets, dense_row) ? 1 : 0;
  }
  return made;
}

}  // namespace sinew::operations

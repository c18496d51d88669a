// SPDX-License-Identifier: MIT
#include "operations/repair/uneven_weights.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/message.hpp"
#include "model/edit_reporter.hpp"
#include "model/influences.hpp"
#include "operations/repair/repair_steps.hpp"

#include "sinew/deform.hpp"

namespace sinew::operations {

namespace {

/// The data of a block's vertices, read once.
struct Block {
  explicit Block(const VertexBlock& block) : influences(block.influences) {
    if (const Attribute* const stored = find_attribute(block.attributes, Semantic::position)) positions = stored->values.read<double>();
  }

  std::vector<double> positions;
  InfluenceTable influences;
};

// Σ w·M·v is the old position; divided by Σ w it is the new one.
double distance(const Block& block, const UnevenVertex& vertex, const deform::Palette& palette) {
  const std::size_t n = palette.dimension();
  const auto position = std::span(block.positions).subspan(vertex.row * n, n);
  std::vector<double> moved(n), sum(n);
  for (const auto [slot, weight] : block.influences[vertex.row]) {
    if (weight == 0) continue;
    palette[slot].apply(position, moved);
    for (std::size_t k = 0; k < n; ++k) sum[k] += weight * moved[k];
  }
  double length = 0;
  if (vertex.sum == 0) {
    palette[palette.size() - 1].apply(position, moved);
    for (std::size_t k = 0; k < n; ++k) length = std::hypot(length, moved[k] - sum[k]);
    return length;
  }
  for (const double x : sum) length = std::hypot(length, x * (1 / vertex.sum - 1));
  return length;
}

}  // namespace

void report_uneven(const Model& model, const Instance& instance, std::span<const Affine> rest, const std::vector<UnevenVertex>& vertices,
                   FindingSink& losses) {
  const Mesh& mesh = model.meshes[instance.mesh];
  deform::Palette palette(model.dimension);
  double largest = 0, off = 0;
  if (deform::palette(model, instance, rest, rest, palette)) {
    std::map<Index, Block> blocks;
    for (const UnevenVertex& vertex : vertices) {
      const auto block = blocks.try_emplace(vertex.block, mesh.blocks[vertex.block]).first;
      largest = std::max(largest, distance(block->second, vertex, palette));
    }
  }
  for (const UnevenVertex& vertex : vertices) off = std::max(off, std::abs(vertex.sum - 1));
  EditReporter(model, losses)
      .lost(mesh, format_text("weights that do not sum to 1: {} (error up to {:.3g}); after division by the sum the vertices move by up to "
                              "{:.3g} in the rest pose",
                              count_of(vertices.size(), "vertex", "vertices"), off, largest));
}

}  // namespace sinew::operations

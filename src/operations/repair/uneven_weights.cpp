// SPDX-License-Identifier: MIT
#include "operations/repair/uneven_weights.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/message.hpp"
#include "model/edit_reporter.hpp"
#include "operations/repair/repair_steps.hpp"

#include "sinew/deform.hpp"

namespace sinew::operations {

namespace {

/// The data of a block's vertices, read once.
struct Block {
  std::vector<double> positions;
  struct Set {
    std::vector<std::uint32_t> joints;
    std::vector<double> weights;
    std::size_t width;
  };
  std::vector<Set> sets;
};

Block read(const VertexBlock& block) {
  Block read;
  if (const Attribute* const positions = find_attribute(block.attributes, Semantic::position))
    read.positions = positions->values.read<double>();
  for (const Influences::Set& set : block.influences.sets)
    read.sets.push_back({set.joints.read<std::uint32_t>(), set.weights.read<double>(), set.joints.width()});
  return read;
}

// Σ w·M·v is the old position; divided by Σ w it is the new one.
double distance(const Block& block, const UnevenVertex& vertex, const deform::Palette& palette) {
  const std::size_t n = palette.dimension();
  const auto position = std::span(block.positions).subspan(vertex.row * n, n);
  std::vector<double> moved(n), sum(n);
  for (const Block::Set& set : block.sets)
    for (std::size_t i = vertex.row * set.width; i < (vertex.row + 1) * set.width; ++i) {
      if (set.weights[i] == 0) continue;
      palette[set.joints[i]].apply(position, moved);
      for (std::size_t k = 0; k < n; ++k) sum[k] += set.weights[i] * moved[k];
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
      auto block = blocks.find(vertex.block);
      if (block == blocks.end()) block = blocks.emplace(vertex.block, read(mesh.blocks[vertex.block])).first;
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

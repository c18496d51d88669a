// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/catalogue.hpp"
#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "deform/packed.hpp"

namespace sinew::deform {

namespace {

/// Packs the attribute with this semantic, if the block has it. Refuses numbers that are not finite.
Result<> pack(const Mesh& mesh, std::size_t block, Semantic semantic, std::string_view what, std::size_t width, PackedChannel& out) {
  const Attribute* attribute = find_attribute(mesh.blocks[block].attributes, semantic);
  if (attribute == nullptr) return {};
  out = pack_channel(*attribute, mesh.blocks[block].vertices, width);
  if (const auto bad = not_finite(out, what))
    return Unexpected(error("SINEW_VERTEX_NOT_FINITE"_code, Failure::input, {}, bad->part, bad->row, block, mesh.name));
  return {};
}

Result<PackedBlock> pack_block(const Mesh& mesh, std::size_t block, std::size_t dimension, const PrepareOptions& options) {
  PackedBlock out;
  out.vertices = mesh.blocks[block].vertices;
  Result<> packed = pack(mesh, block, Semantic::position, "position", dimension, out.positions);
  if (packed && options.normals) packed = pack(mesh, block, Semantic::normal, "normal", dimension, out.normals);
  if (packed && options.tangents && dimension == 3) packed = pack(mesh, block, Semantic::tangent, "tangent", 4, out.tangents);
  if (packed && options.skinned && !mesh.blocks[block].influences.empty()) packed = pack_influences(mesh, block, options, out);
  if (!packed) return Unexpected(std::move(packed).error());
  if (out.positions.empty()) out.vertices = 0;
  return out;
}

/// Returns the rows `order` of a table with `width` numbers per row.
template <class T>
List<T> taken(const List<T>& rows, std::size_t width, std::span<const std::uint32_t> order) {
  List<T> out;
  out.reserve(order.size() * width);
  for (const std::uint32_t row : order)
    out.insert(out.end(), rows.begin() + std::ptrdiff_t(row * width), rows.begin() + std::ptrdiff_t((row + 1) * width));
  return out;
}

/// Sorts the vertices of a block by their number of influences, the largest first. Returns the old index of each.
std::vector<std::uint32_t> sort_vertices(PackedBlock& block) {
  std::vector<std::uint32_t> order(block.vertices), places(block.vertices);
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  if (!block.skinned) return order;
  const auto length = [&](std::uint32_t v) { return block.row_first[v + 1] - block.row_first[v]; };
  std::ranges::sort(order, {}, [&](std::uint32_t v) { return std::pair(~length(v), v); });  // ~: the largest first
  for (std::uint32_t row = 0; row < order.size(); ++row) places[order[row]] = row;
  for (PackedChannel* channel : {&block.positions, &block.normals, &block.tangents}) {
    if (channel->empty()) continue;
    channel->values = taken(channel->values, channel->width, order);
    for (PackedOffsets& offsets : channel->offsets) {
      std::vector<std::uint32_t> entries = order;
      if (offsets.sparse) {
        for (std::uint32_t& row : offsets.rows) row = places[row];
        entries.resize(offsets.rows.size());
        std::iota(entries.begin(), entries.end(), std::uint32_t{0});
        std::ranges::sort(entries, {}, [&](std::uint32_t entry) { return std::pair(offsets.rows[entry], entry); });
        offsets.rows = taken(offsets.rows, 1, entries);
      }
      offsets.values = taken(offsets.values, channel->width, entries);
    }
  }
  std::vector<std::uint32_t> entries;
  List<std::uint32_t> first{0};
  for (const std::uint32_t vertex : order) {
    for (std::uint32_t i = block.row_first[vertex]; i < block.row_first[vertex + 1]; ++i) entries.push_back(i);
    first.push_back(static_cast<std::uint32_t>(entries.size()));
  }
  block.row_first = std::move(first);
  block.slot = taken(block.slot, 1, entries);
  block.weight = taken(block.weight, 1, entries);
  if (!block.exact_weight.empty()) block.exact_weight = taken(block.exact_weight, 1, entries);
  return order;
}

/// Returns the kernel with this name, or the best one if `name` is empty; null: plain.
const kernels::SimdKernel* simd_of(std::string_view name) {
  const auto list = kernels::simd_kernels();
  const auto found = name.empty() ? list.begin() : std::ranges::find(list, name, &kernels::SimdKernel::name);
  return found == list.end() ? nullptr : &*found;
}

void move_to(MemoryResource* memory, PackedChannel& channel) {
  move_to(memory, channel.values, channel.in_tiles);
  for (PackedOffsets& offsets : channel.offsets) move_to(memory, offsets.rows, offsets.values, offsets.stretches, offsets.block_first);
}

void move_to(MemoryResource* memory, kernels::InfluenceTiles& tiles) {
  move_to(memory, tiles.blocks, tiles.runs, tiles.order, tiles.places, tiles.narrow, tiles.wide, tiles.weights);
}

/// Moves what grows with the number of vertices.
void move_to(MemoryResource* memory, Prepared::Packed& packed) {
  for (PackedBlock& block : packed.blocks) {
    for (PackedChannel* channel : {&block.positions, &block.normals, &block.tangents}) move_to(memory, *channel);
    move_to(memory, block.row_first, block.slot, block.weight, block.exact_weight);
    move_to(memory, block.tiles);
  }
  for (std::vector<PackedCorners>* list : {&packed.corners, &packed.topology_corners})
    for (PackedCorners& corners : *list) {
      move_to(memory, corners.vertex, corners.page_vertices, corners.page_first, corners.places, corners.cell_first, corners.facing_first,
              corners.facing);
      move_to(memory, corners.normals);
      move_to(memory, corners.tiles);
    }
  move_to(memory, packed.order);
}

Result<std::shared_ptr<const Prepared::Packed>> pack_mesh(const Mesh& mesh, std::size_t dimension, const PrepareOptions& options) {
  auto packed = std::make_shared<Prepared::Packed>();
  packed->dimension = dimension;
  packed->shapes = mesh.shapes.size();
  packed->slots = options.skinned ? options.slots : 0;
  if (kernels::moves(dimension)) packed->simd = simd_of(options.kernel);
  for (std::size_t i = 0; i < mesh.blocks.size(); ++i) {
    if (auto left = time_left(); !left) return Unexpected(std::move(left.error()));
    Result<PackedBlock> block = pack_block(mesh, i, dimension, options);
    if (!block) return Unexpected(std::move(block).error());
    block->first = packed->vertices;
    if (options.sorted)
      for (const std::uint32_t vertex : sort_vertices(*block)) packed->order.push_back(static_cast<std::uint32_t>(block->first) + vertex);
    if (packed->simd != nullptr)
      for (PackedChannel* channel : {&block->positions, &block->normals, &block->tangents}) find_stretches(*channel, block->vertices);
    if (packed->simd != nullptr) {
      block->tiles = tiles_of(*block, block->vertices, {}, *packed);
      for (PackedChannel* channel : {&block->positions, &block->normals, &block->tangents})
        if (!channel->empty()) channel->in_tiles = block->tiles.in_order(channel->values, channel->width);
    }
    packed->vertices += block->vertices;
    // Measured: where one map moves all rows, and no shape does, the numbers of the map count.
    packed->work += block->skinned || packed->shapes != 0 ? block->vertices : block->vertices * dimension * dimension / 24;
    packed->normals = packed->normals || !block->normals.empty();
    packed->tangents = packed->tangents || !block->tangents.empty();
    packed->blocks.push_back(*std::move(block));
  }
  if (Result<> corners = pack_corners(mesh, options, *packed); !corners) return Unexpected(std::move(corners).error());
  measure(*packed);
  move_to(options.memory, *packed);
  return packed;
}

}  // namespace

std::span<const std::string_view> kernels() noexcept {
  struct Names {
    std::array<std::string_view, 8> list;
    std::size_t count = 0;
  };
  static const Names names = [] {
    Names all;
    for (const sinew::kernels::SimdKernel& kernel : sinew::kernels::simd_kernels()) all.list[all.count++] = kernel.name;
    all.list[all.count++] = "plain";
    return all;
  }();
  return std::span(names.list).first(names.count);
}

std::size_t Prepared::dimension() const noexcept { return packed_->dimension; }
std::size_t Prepared::vertices() const noexcept { return packed_->vertices; }
std::size_t Prepared::shapes() const noexcept { return packed_->shapes; }
bool Prepared::has_normals() const noexcept { return packed_->normals; }
bool Prepared::has_corner_normals() const noexcept { return packed_->corner_normals; }
bool Prepared::has_topology_normals() const noexcept { return packed_->topology_normals; }
bool Prepared::has_tangents() const noexcept { return packed_->tangents; }
std::size_t Prepared::corners() const noexcept {
  return packed_->corners.empty() ? 0 : packed_->corners.back().first + packed_->corners.back().count;
}
std::size_t Prepared::topology_corners() const noexcept {
  return packed_->topology_corners.empty() ? 0 : packed_->topology_corners.back().first + packed_->topology_corners.back().count;
}
std::span<const std::uint32_t> Prepared::order() const noexcept { return packed_->order; }
std::string_view Prepared::kernel() const noexcept { return packed_->simd != nullptr ? packed_->simd->name : "plain"; }

Result<Prepared> prepare(const Mesh& mesh, std::size_t dimension, const PrepareOptions& options) SINEW_TRY {
  if (dimension == 0 || dimension > max_dimension)
    return Unexpected(error("SINEW_DIMENSION_LIMIT"_code, Failure::limit, {}, dimension, max_dimension));
  if (!options.kernel.empty() && options.kernel != "plain" && simd_of(options.kernel) == nullptr)
    return Unexpected(error("SINEW_KERNEL_UNKNOWN"_code, Failure::unsupported, {}, options.kernel, join_text(kernels(), ", ")));
  return pack_mesh(mesh, dimension, options).map([](auto packed) { return Prepared(std::move(packed)); });
}
SINEW_CATCH()

}  // namespace sinew::deform

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>

#include "base/catalogue.hpp"
#include "deform/packed.hpp"

namespace sinew::deform {

namespace {

/// Rows `width` wide: `values` cut or padded with zeros to it, row i taken from values[index[i]] where there is an index.
std::vector<float> packed_rows(const std::vector<float>& values, std::size_t stored_width, const std::vector<std::uint32_t>& index,
                               std::size_t count, std::size_t width) {
  std::vector<float> rows(count * width);
  const std::size_t common = std::min(width, stored_width);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = index.empty() ? i : index[i];
    assert((from + 1) * stored_width <= values.size());
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(from * stored_width), common,
                rows.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  return rows;
}

/// Sparse offsets in ascending order of their rows, so that a range of vertices is a range of them.
PackedOffsets sparse_offsets(const Offsets& offsets, std::size_t width) {
  const std::vector<std::uint32_t> stored = offsets.indices.read<std::uint32_t>();
  std::vector<std::uint32_t> order(stored.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return std::pair(stored[a], a) < std::pair(stored[b], b); });
  PackedOffsets out{offsets.shape, true, {}, {}};
  for (const std::uint32_t i : order) out.rows.push_back(stored[i]);
  out.values = packed_rows(offsets.values.read<float>(), offsets.values.width(), order, order.size(), width);
  return out;
}

/// Offsets of an attribute whose rows several vertices may share: spread out to the vertices.
PackedOffsets spread_offsets(const Offsets& offsets, const Attribute& attribute, const std::vector<std::uint32_t>& index,
                             std::size_t vertices, std::size_t width) {
  std::vector<float> values = offsets.values.read<float>();
  if (offsets.sparse()) {
    const std::vector<std::uint32_t> rows = offsets.indices.read<std::uint32_t>();
    std::vector<float> dense(attribute.values.size() * offsets.values.width());
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t c = 0; c < offsets.values.width(); ++c)
        dense[rows[r] * offsets.values.width() + c] += values[r * offsets.values.width() + c];
    values = std::move(dense);
  }
  return {offsets.shape, false, {}, packed_rows(values, offsets.values.width(), index, vertices, width)};
}

PackedChannel pack_channel(const Attribute& attribute, std::size_t vertices, std::size_t width) {
  const std::vector<std::uint32_t> index = attribute.index.read<std::uint32_t>();
  PackedChannel channel;
  channel.width = width;
  channel.values = packed_rows(attribute.values.read<float>(), attribute.values.width(), index, vertices, width);
  for (const Offsets& offsets : attribute.offsets) {
    const bool keep_sparse = offsets.sparse() && index.empty();
    channel.offsets.push_back(keep_sparse ? sparse_offsets(offsets, width) : spread_offsets(offsets, attribute, index, vertices, width));
  }
  return channel;
}

/// Packs the attribute with that meaning, if the block has it; refuses numbers that are not finite.
Result<> pack(const Mesh& mesh, std::size_t block, Semantic semantic, std::string_view what, std::size_t width, PackedChannel& out) {
  const Attribute* attribute = find_attribute(mesh.blocks[block].attributes, semantic);
  if (attribute == nullptr) return {};
  out = pack_channel(*attribute, mesh.blocks[block].vertices, width);
  const auto finite = [](float value) { return std::isfinite(value); };
  const auto refuse = [&](const std::vector<float>& values, const std::vector<std::uint32_t>& rows, std::string_view part) {
    const auto at = static_cast<std::size_t>(std::find_if_not(values.begin(), values.end(), finite) - values.begin()) / width;
    const std::size_t vertex = rows.empty() ? at : rows[at];
    return Unexpected(error<"SINEW_VERTEX_NOT_FINITE"_code>(Failure::input, {}, part, vertex, block, mesh.name));
  };
  if (!std::all_of(out.values.begin(), out.values.end(), finite)) return refuse(out.values, {}, what);
  for (const PackedOffsets& offsets : out.offsets)
    if (!std::all_of(offsets.values.begin(), offsets.values.end(), finite))
      return refuse(offsets.values, offsets.rows, fmt::format("{} offset by blend shape {}", what, offsets.shape));
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

/// What run needs to choose the precision (see needs_double in run.cpp).
void measure(Prepared::Packed& packed) {
  std::vector<float> low(packed.dimension, std::numeric_limits<float>::infinity()), high(packed.dimension, -low.front());
  double largest = 0, largest_offset = 0;
  std::vector<bool> used(packed.slots + 1);
  for (const PackedBlock& block : packed.blocks) {
    const std::vector<float>& values = block.positions.values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t axis = i % packed.dimension;
      low[axis] = std::min(low[axis], values[i]);
      high[axis] = std::max(high[axis], values[i]);
      largest = std::max<double>(largest, std::abs(values[i]));
    }
    for (const PackedOffsets& offsets : block.positions.offsets)
      for (const float value : offsets.values) largest_offset = std::max<double>(largest_offset, std::abs(value));
    for (const std::uint32_t slot : block.slot) used[slot] = true;
    if (!block.skinned && block.vertices != 0) used[packed.slots] = true;
  }
  packed.reach = largest + largest_offset;
  for (std::size_t axis = 0; axis < packed.dimension; ++axis)
    if (high[axis] >= low[axis]) packed.extent = std::max(packed.extent, static_cast<double>(high[axis]) - static_cast<double>(low[axis]));
  for (std::uint32_t slot = 0; slot < used.size(); ++slot)
    if (used[slot]) packed.used_slots.push_back(slot);
}

Result<std::shared_ptr<const Prepared::Packed>> pack_mesh(const Mesh& mesh, std::size_t dimension, const PrepareOptions& options) {
  auto packed = std::make_shared<Prepared::Packed>();
  packed->dimension = dimension;
  packed->shapes = mesh.shapes.size();
  packed->slots = options.skinned ? options.slots : 0;
  packed->kernel = "plain";
  for (std::size_t i = 0; i < mesh.blocks.size(); ++i) {
    Result<PackedBlock> block = pack_block(mesh, i, dimension, options);
    if (!block) return Unexpected(std::move(block).error());
    block->first = packed->vertices;
    packed->vertices += block->vertices;
    packed->normals = packed->normals || !block->normals.empty();
    packed->tangents = packed->tangents || !block->tangents.empty();
    packed->blocks.push_back(*std::move(block));
  }
  measure(*packed);
  return packed;
}

}  // namespace

std::size_t Prepared::dimension() const { return packed_->dimension; }
std::size_t Prepared::vertices() const { return packed_->vertices; }
std::size_t Prepared::shapes() const { return packed_->shapes; }
bool Prepared::has_normals() const { return packed_->normals; }
bool Prepared::has_tangents() const { return packed_->tangents; }
std::string_view Prepared::kernel() const { return packed_->kernel; }

Result<Prepared> prepare(const Mesh& mesh, std::size_t dimension, const PrepareOptions& options) {
  if (dimension == 0 || dimension > max_dimension)
    return Unexpected(error<"SINEW_DIMENSION_LIMIT"_code>(Failure::limit, {}, dimension, max_dimension));
  if (!options.kernel.empty() && options.kernel != "plain")
    return Unexpected(error<"SINEW_KERNEL_UNKNOWN"_code>(Failure::unsupported, {}, options.kernel, "plain"));
  try {
    return pack_mesh(mesh, dimension, options).map([](auto packed) { return Prepared(std::move(packed)); });
  } catch (const std::bad_alloc&) {
    return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
  }
}

}  // namespace sinew::deform

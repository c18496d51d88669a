// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/catalogue.hpp"
#include "base/message.hpp"
#include "deform/packed.hpp"

namespace sinew::deform {

namespace {

/// Returns rows of `width` numbers: `values`, cut or padded with zeros. With an index, row i is values[index[i]].
List<float> packed_rows(const std::vector<float>& values, std::size_t stored_width, std::span<const std::uint32_t> index, std::size_t count,
                        std::size_t width) {
  List<float> rows(count * width);
  const std::size_t common = std::min(width, stored_width);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = index.empty() ? i : index[i];
    assert((from + 1) * stored_width <= values.size());
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(from * stored_width), common,
                rows.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  return rows;
}

/// Sorts sparse offsets by row, so that a range of vertices is a range of entries.
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

/// Repeats the offsets of an attribute whose values several rows may share.
PackedOffsets spread_offsets(const Offsets& offsets, const Attribute& attribute, const std::vector<std::uint32_t>& index, std::size_t rows,
                             std::size_t width) {
  std::vector<float> values = offsets.values.read<float>();
  if (offsets.sparse()) {
    const std::vector<std::uint32_t> moved = offsets.indices.read<std::uint32_t>();
    std::vector<float> dense(attribute.values.size() * offsets.values.width());
    for (std::size_t r = 0; r < moved.size(); ++r)
      for (std::size_t c = 0; c < offsets.values.width(); ++c)
        dense[moved[r] * offsets.values.width() + c] += values[r * offsets.values.width() + c];
    values = std::move(dense);
  }
  return {offsets.shape, false, {}, packed_rows(values, offsets.values.width(), index, rows, width)};
}

}  // namespace

PackedChannel pack_channel(const Attribute& attribute, std::size_t rows, std::size_t width) {
  const std::vector<std::uint32_t> index = attribute.index.read<std::uint32_t>();
  PackedChannel channel;
  channel.width = width;
  channel.values = packed_rows(attribute.values.read<float>(), attribute.values.width(), index, rows, width);
  for (const Offsets& offsets : attribute.offsets) {
    const bool keep_sparse = offsets.sparse() && index.empty();
    channel.offsets.push_back(keep_sparse ? sparse_offsets(offsets, width) : spread_offsets(offsets, attribute, index, rows, width));
  }
  return channel;
}

void find_stretches(PackedChannel& channel, std::size_t rows) {
  constexpr std::size_t block = kernels::InfluenceTiles::block;
  constexpr std::size_t worth_it = 4;  // average entries per stretch; shorter ones are faster row by row
  for (PackedOffsets& offsets : channel.offsets) {
    if (!offsets.sparse) continue;
    const auto entries = static_cast<std::uint32_t>(offsets.rows.size());
    List<PackedOffsets::Stretch> found;
    for (std::uint32_t i = 0; i < entries; ++i) {
      const std::uint32_t row = offsets.rows[i];
      if (!found.empty() && row % block != 0 && found.back().row + found.back().count == row)
        ++found.back().count;
      else
        found.push_back({row, i, 1});
    }
    if (entries >= worth_it * found.size()) offsets.stretches = std::move(found);
    const bool in_stretches = !offsets.stretches.empty();
    std::uint32_t at = 0;
    for (std::size_t first = 0; first < rows + block; first += block) {
      const auto before = [&](std::uint32_t i) { return (in_stretches ? offsets.stretches[i].row : offsets.rows[i]) < first; };
      while (at < (in_stretches ? offsets.stretches.size() : entries) && before(at)) ++at;
      offsets.block_first.push_back(at);
    }
  }
}

std::optional<NotFinite> not_finite(const PackedChannel& channel, std::string_view what) {
  const auto first_bad = [&](const List<float>& values) {
    const auto found = std::find_if_not(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
    return static_cast<std::size_t>(found - values.begin()) / channel.width;
  };
  if (const std::size_t row = first_bad(channel.values); row * channel.width < channel.values.size())
    return NotFinite{std::string(what), row};
  for (const PackedOffsets& offsets : channel.offsets)
    if (const std::size_t row = first_bad(offsets.values); row * channel.width < offsets.values.size())
      return NotFinite{format_text("{} offset by blend shape {}", what, offsets.shape), offsets.sparse ? offsets.rows[row] : row};
  return std::nullopt;
}

}  // namespace sinew::deform

// SPDX-License-Identifier: MIT
#include "g4mf/read/mesh/topology.hpp"

#include <algorithm>

#include "kernels/scan.hpp"

namespace sinew::g4mf {

Checked<> TopologyReader::read(JsonValue geometry, const Property& geometry_row, JsonValue seams, const Property& seams_row) {
  const auto boundary = boundary_tier(reader_.dimension());
  VertexLists below;
  if (geometry.size() != 0) {
    if (edges_.size() >= none / 2)
      return reader_.refuse(geometry, error("SINEW_TOO_MANY_VERTICES"_code, Failure::limit, {}, 2 * edges_.size(), none - 1));
    if (auto taken = reader_.take(geometry, edges_.size(), 12); !taken) return taken;
    below = edge_lists();
  }
  for (const JsonValue value : geometry.elements()) {
    const auto index = reader_.resolve(value, geometry_row);
    if (!index) return Refused(index.error());
    if (*index == none) return reader_.refuse("G4MF_ID_NOT_INTEGER"_code, value, excerpt(value));
    auto tier = read_tier(value, *index);
    if (!tier) return Refused(tier.error());
    const std::size_t number = items_.size();
    items_.push_back(tier->first.size());
    if (!boundary || number > *boundary) continue;
    auto lists = lists_of(*tier, below, number == 0 && boundary == 0u);
    if (!lists) return Refused(lists.error());
    below = std::move(*lists);
    if (number == *boundary) instances_ = below;
  }
  if (!seams) return {};
  const auto index = reader_.resolve(seams, seams_row);
  if (!index) return Refused(index.error());
  return read_seams(seams, *index);
}

Checked<TopologyReader::Tier> TopologyReader::read_tier(JsonValue at, Index accessor) {
  const bool current = reader_.revision() == Revision::r2026_07;
  const Code code = current ? "G4MF_TOPOLOGY_GEOMETRY_NOT_UNSIGNED"_code : "G4MF_TOPOLOGY_GEOMETRY_NOT_INTEGER"_code;
  auto array = accessors_.array(
      at, accessor, {current ? AccessorRequirement::Type::unsigned_integer : AccessorRequirement::Type::integer, 1, code, code});
  if (!array) return Refused(array.error());
  if (array->size() >= none) return reader_.refuse(at, error("SINEW_TOO_MANY_VERTICES"_code, Failure::limit, {}, array->size(), none - 1));
  if (auto taken = reader_.take(at, array->size(), 8); !taken) return Refused(taken.error());
  Tier tier{at, array->read<std::uint32_t>(), {}};
  const std::size_t below = items_.empty() ? edges_.size() : items_.back(), size = tier.words.size();
  const std::size_t least = items_.size() + 3;  // the least elements of an item: edges of a face, faces of a volume, …
  bool small = false;
  for (std::size_t i = 0; i < size;) {
    const std::size_t count = tier.words[i];
    if (count > size - i - 1) return reader_.refuse("G4MF_TOPOLOGY_GEOMETRY_TRUNCATED"_code, at, tier.first.size(), count, size - i - 1);
    for (std::size_t k = i + 1; k <= i + count; ++k)
      if (tier.words[k] >= below)
        return reader_.refuse("G4MF_TOPOLOGY_GEOMETRY_INDEX_RANGE"_code, at, tier.first.size(), text_of_row(*array, k), below);
    if (count < least && !small) {
      reader_.report("G4MF_TOPOLOGY_ITEM_TOO_SMALL"_code, at, tier.first.size(), count, least);
      small = true;
    }
    tier.first.push_back(static_cast<std::uint32_t>(i));
    i += count + 1;
  }
  topology_.tiers.push_back(std::move(*array));
  return tier;
}

VertexLists TopologyReader::edge_lists() const {
  VertexLists lists;
  lists.vertices = edges_.read<std::uint32_t>();
  lists.first.resize(edges_.size() + 1);
  for (std::size_t i = 0; i < lists.first.size(); ++i) lists.first[i] = static_cast<std::uint32_t>(2 * i);
  return lists;
}

// The first two edges of a face share a vertex m. The orientation is (other end of the first edge, m, other end of the second edge), and
// the face's instances start with it. Edges without a shared vertex define no orientation.
std::size_t TopologyReader::start_face(const Tier& tier, std::size_t item, const VertexLists& edges, std::uint32_t* three) {
  const std::uint32_t* const words = &tier.words[tier.first[item]];
  if (words[0] < 2) return 0;
  const std::uint32_t* const u = &edges.vertices[2 * std::size_t{words[1]}];
  const std::uint32_t* const v = &edges.vertices[2 * std::size_t{words[2]}];
  for (const std::size_t shared : {1u, 0u})
    for (const std::size_t other : {0u, 1u})
      if (u[shared] == v[other]) {
        three[0] = u[1 - shared];
        three[1] = u[shared];
        three[2] = v[1 - other];
        return 3;
      }
  return 0;
}

// The vertices of an item are those of its elements in order, without repetitions. If the two rules for the start of a face's list
// contradict each other, the one about orientation counts.
Checked<VertexLists> TopologyReader::lists_of(const Tier& tier, const VertexLists& below, bool oriented) {
  std::uint64_t walked = 3 * tier.first.size();
  for (const std::uint32_t first : tier.first)
    for (std::size_t k = 1; k <= tier.words[first]; ++k) {
      const std::uint32_t element = tier.words[first + k];
      walked += below.first[element + 1] - below.first[element];
    }
  if (auto taken = reader_.take(tier.at, walked + vertices_, 4); !taken) return Refused(taken.error());
  if (walked >= none) return reader_.refuse(tier.at, error("SINEW_TOO_MANY_VERTICES"_code, Failure::limit, {}, walked, none - 1));

  VertexLists lists;
  std::vector<std::uint32_t> seen_by(vertices_, none);
  bool ambiguous = false;
  for (std::size_t item = 0; item < tier.first.size(); ++item) {
    const auto add = [&](std::uint32_t vertex) {
      if (seen_by[vertex] == item) return;
      seen_by[vertex] = static_cast<std::uint32_t>(item);
      lists.vertices.push_back(vertex);
    };
    std::uint32_t three[3] = {};
    const std::size_t start = oriented ? start_face(tier, item, below, three) : 0;
    for (std::size_t i = 0; i < start; ++i) add(three[i]);
    const std::uint32_t* const words = &tier.words[tier.first[item]];
    if (start != 0) {
      const std::uint32_t* const first_edge = &below.vertices[2 * std::size_t{words[1]}];
      ambiguous = ambiguous || first_edge[0] != three[0];
    }
    for (std::size_t k = 1; k <= words[0]; ++k)
      for (std::uint32_t i = below.first[words[k]]; i < below.first[words[k] + 1]; ++i) add(below.vertices[i]);
    lists.first.push_back(static_cast<std::uint32_t>(lists.vertices.size()));
  }
  if (ambiguous && reader_.revision() != Revision::r2025_08) reader_.report("G4MF_TOPOLOGY_INSTANCE_ORDER_AMBIGUOUS"_code, tier.at);
  return lists;
}

// Seams have one dimension less than the boundary: edges for N ≤ 3, else items of a tier.
Checked<> TopologyReader::read_seams(JsonValue at, Index accessor) {
  auto seams = accessors_.array(
      at, accessor,
      {AccessorRequirement::Type::unsigned_integer, 1, "G4MF_TOPOLOGY_SEAMS_NOT_UNSIGNED"_code, "G4MF_TOPOLOGY_SEAMS_VECTOR_SIZE"_code});
  if (!seams) return Refused(seams.error());
  std::size_t items = edges_.size();
  if (reader_.dimension() > 3) {
    const std::size_t tier = reader_.dimension() - 4;
    items = tier < items_.size() ? items_[tier] : 0;
  }
  if (const auto outside = first_outside(*seams, items))
    return reader_.refuse("G4MF_TOPOLOGY_SEAMS_INDEX_RANGE"_code, at, *outside, text_of_row(*seams, *outside), items);
  if (auto taken = reader_.take(at, seams->size(), 4); !taken) return taken;
  std::vector<std::uint32_t> values = seams->read<std::uint32_t>();
  if (std::ranges::adjacent_find(values, std::ranges::greater_equal{}) != values.end()) {
    reader_.report("G4MF_TOPOLOGY_SEAMS_NOT_ASCENDING"_code, at);
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    topology_.seams = reader_.own(std::move(values), 1);
  } else {
    topology_.seams = std::move(*seams);
  }
  return {};
}

}  // namespace sinew::g4mf

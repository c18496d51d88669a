// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <numeric>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "deform/blend.hpp"
#include "kernels/skin.hpp"
#include "math/perpendicular.hpp"

#include "sinew/model.hpp"

namespace sinew::deform {

namespace {

/// Limit for visited entries of a topology: far more than a mesh of that size has, but processed in seconds.
constexpr std::size_t walk_limit = std::size_t{1} << 28;

bool has_normals(const std::vector<Attribute>& attributes) { return find_attribute(attributes, Semantic::normal) != nullptr; }

/// Returns whether normals belong to corners: a surface or topology has corner normals, or no vertex has a normal (then they are flat).
bool normals_in_corners(const Mesh& mesh) {
  const auto in_corners = [](const Surface& surface) {
    return has_normals(surface.attributes) || (surface.topology && has_normals(surface.topology->attributes));
  };
  const auto in_vertices = [](const VertexBlock& block) { return has_normals(block.attributes); };
  return std::any_of(mesh.surfaces.begin(), mesh.surfaces.end(), in_corners) ||
         std::none_of(mesh.blocks.begin(), mesh.blocks.end(), in_vertices);
}

Result<> pack_normals(const Mesh& mesh, std::size_t surface, const std::vector<Attribute>& attributes, std::size_t dimension,
                      std::string_view what, PackedCorners& out) {
  const Attribute* normals = find_attribute(attributes, Semantic::normal);
  if (normals == nullptr) return {};
  out.on_flat = normals->values.empty() && normals->index.empty();
  if (out.on_flat) {
    Attribute zeros = *normals;
    zeros.values = Array::own(std::vector<float>(out.count * dimension), dimension);
    out.normals = pack_channel(zeros, out.count, dimension);
  } else {
    out.normals = pack_channel(*normals, out.count, dimension);
  }
  if (const auto bad = not_finite(out.normals, what))
    return Unexpected(error("SINEW_CORNER_NOT_FINITE"_code, Failure::input, {}, bad->part, bad->row, surface, mesh.name));
  return {};
}

Result<PackedCorners> pack_surface(const Mesh& mesh, std::size_t index, std::size_t dimension) {
  const Surface& surface = mesh.surfaces[index];
  Elements elements = need(elements_of(mesh, surface, dimension));
  const bool simplexes = surface.primitive >= Primitive::simplexes && dimension >= 3 && elements.corners == dimension;
  PackedCorners out;
  out.block = surface.block;
  out.count = elements.indices.size();
  out.vertex.assign(elements.indices.begin(), elements.indices.end());
  out.simplex_corners = simplexes ? elements.corners : 0;
  if (auto packed = pack_normals(mesh, index, surface.attributes, dimension, "normal", out); !packed) return Unexpected(packed.error());
  return out;
}

Result<PackedCorners> pack_topology(const Mesh& mesh, std::size_t index, std::size_t dimension) {
  const Surface& surface = mesh.surfaces[index];
  const std::size_t boundary = boundary_tier(dimension);
  PackedCorners out;
  out.block = surface.block;
  if (surface.topology->tiers.size() <= boundary) return out;
  const Polytopes polytopes = need(polytopes_of(surface));
  auto corners = item_vertices(polytopes, boundary, walk_limit);
  if (!corners) return Unexpected(std::move(corners).error());
  if (dimension >= 3) {  // in the plane, faces fill the space, so they have no normal
    auto facing = orientation_simplexes(polytopes, boundary, walk_limit);
    if (!facing) return Unexpected(std::move(facing).error());
    out.facing_first.assign(facing->first.begin(), facing->first.end());
    out.facing.assign(facing->indices.begin(), facing->indices.end());
  }
  out.count = corners->indices.size();
  out.vertex.assign(corners->indices.begin(), corners->indices.end());
  out.cell_first.assign(corners->first.begin(), corners->first.end());
  auto packed = pack_normals(mesh, index, surface.topology->attributes, dimension, "topology normal", out);
  if (!packed) return Unexpected(packed.error());
  return out;
}

/// Numbers the vertices of a page in the order in which they come. Its size is that of a page, however many vertices the block has.
class PageNumbers {
 public:
  void clear() { vertex_.fill(empty); }
  /// Returns the vertex's number; `next` if it is new.
  std::uint16_t number_of(std::uint32_t vertex, std::size_t next) {
    std::size_t at = vertex * std::uint32_t{0x9E3779B1} >> (32 - bits);
    while (vertex_[at] != vertex && vertex_[at] != empty) at = (at + 1) % vertex_.size();
    if (vertex_[at] == empty) number_[at] = static_cast<std::uint16_t>(next);
    vertex_[at] = vertex;
    return number_[at];
  }

 private:
  static constexpr std::size_t bits = 11;
  static constexpr auto empty = static_cast<std::uint32_t>(-1);
  static_assert(std::size_t{1} << bits == 2 * PackedCorners::page);
  std::array<std::uint32_t, 2 * PackedCorners::page> vertex_;
  std::array<std::uint16_t, 2 * PackedCorners::page> number_;
};

/// Divides corners into pages if few vertices have the corners of each page.
void find_pages(const Prepared::Packed& packed, PackedCorners& corners) {
  const PackedBlock& block = packed.blocks[corners.block];
  if (packed.dimension < 4 || !block.skinned || block.slot.size() <= block.vertices) return;  // one joint each: those of the palette serve
  List<std::uint16_t> places;
  PageNumbers numbers;
  for (std::size_t first = 0; first < corners.count; first += PackedCorners::page) {
    const auto here = std::span(corners.vertex).subspan(first, std::min(PackedCorners::page, corners.count - first));
    const std::size_t begin = corners.page_vertices.size();
    numbers.clear();
    for (const std::uint32_t vertex : here) {
      const std::size_t next = corners.page_vertices.size() - begin;
      const std::uint16_t number = numbers.number_of(vertex, next);
      if (number == next) corners.page_vertices.push_back(vertex);
      places.push_back(static_cast<std::uint16_t>(number * kernels::map_stride(packed.dimension) / 2));
    }
    if (corners.page_vertices.size() - begin > PackedCorners::most_vertices) {
      corners.page_vertices = {};
      return;
    }
    corners.page_first.push_back(corners.page_vertices.size());
  }
  corners.places = std::move(places);
}

/// Corners with stored normals are moved like vertices, with the influences of their vertex.
void append(PackedCorners corners, const Prepared::Packed& packed, std::vector<PackedCorners>& list) {
  if (!packed.order.empty()) {
    const PackedBlock& block = packed.blocks[corners.block];
    std::vector<std::uint32_t> places(block.vertices);
    for (std::size_t row = 0; row < block.vertices; ++row)
      places[packed.order[block.first + row] - block.first] = static_cast<std::uint32_t>(row);
    for (std::uint32_t& vertex : corners.vertex) vertex = places[vertex];
    for (std::uint32_t& vertex : corners.facing) vertex = places[vertex];
  }
  if (packed.simd != nullptr && !corners.normals.empty() && !corners.on_flat) {
    find_stretches(corners.normals, corners.count);
    const List<float>& values = corners.normals.values;
    const auto vanishes = [&](std::size_t row) {
      const float* const normal = &values[row * packed.dimension];
      return std::all_of(normal, normal + packed.dimension, [](float x) { return x == 0; });
    };
    for (std::size_t row = 0; row < corners.count && !corners.some_vanish; ++row) corners.some_vanish = vanishes(row);
    find_pages(packed, corners);
    if (corners.places.empty()) corners.tiles = tiles_of(packed.blocks[corners.block], corners.count, corners.vertex, packed);
  }

  corners.first = list.empty() ? 0 : list.back().first + list.back().count;
  list.push_back(std::move(corners));
}

}  // namespace

Result<> pack_corners(const Mesh& mesh, const PrepareOptions& options, Prepared::Packed& out) {
  const bool wanted = options.normals && normals_in_corners(mesh);
  for (std::size_t i = 0; i < mesh.surfaces.size(); ++i) {
    const Surface& surface = mesh.surfaces[i];
    if (!wanted || out.blocks[surface.block].positions.empty()) {
      PackedCorners counted;
      counted.count = corner_count(mesh, surface, out.dimension);
      append(std::move(counted), out, out.corners);
      continue;
    }
    auto corners = pack_surface(mesh, i, out.dimension);
    if (!corners) return Unexpected(std::move(corners).error());
    out.corner_normals = out.corner_normals || !corners->normals.empty();
    append(*std::move(corners), out, out.corners);
    if (!surface.topology) continue;
    auto topology = pack_topology(mesh, i, out.dimension);
    if (!topology) return Unexpected(std::move(topology).error());
    out.topology_normals = out.topology_normals || !topology->normals.empty();
    append(*std::move(topology), out, out.topology_corners);
  }
  return {};
}

PackedCorners::Cell PackedCorners::cell(std::size_t corner) const {
  if (simplex_corners != 0) {
    const std::size_t number = corner / simplex_corners;
    return {number, std::span(vertex).subspan(number * simplex_corners, simplex_corners)};
  }
  if (facing_first.size() <= 1) return {};
  const auto next = std::upper_bound(cell_first.begin(), cell_first.end(),
                                     corner);  // items without corners have the same start; the last one owns the corner
  const auto number = static_cast<std::size_t>(next - cell_first.begin()) - 1;
  return {number, std::span(facing).subspan(facing_first[number], facing_first[number + 1] - facing_first[number])};
}

namespace {

/// Computes the normals of a list's corners at a pose. Caches what neighbouring corners share: the map of a vertex, the normal of a cell.
template <class D>
class CornerNormals {
 public:
  CornerNormals(D n, const Prepared::Packed& packed, const PackedCorners& list, const Palette& palette, std::span<const double> amounts)
      : n_(n),
        list_(list),
        block_(packed.blocks[list.block]),
        maps_(palette.columns<double>().data()),
        node_map_(maps_ + packed.slots * kernels::map_stride(n)),
        amounts_(amounts) {}

  void write(std::size_t corner, float* out) {
    if (list_.normals.empty()) {
      if (!kernels::plain::store_unit(n_, flat(corner, Space::world), out)) std::fill_n(out, std::size_t{n_}, 0.0f);
      return;
    }
    std::array<double, capacity> normal, moved{};
    blended(list_.normals, amounts_, corner, 1, normal.data());
    if (list_.on_flat) {
      const double* base = flat(corner, Space::mesh);
      for (std::size_t i = 0; i < n_; ++i) normal[i] += base[i];
    }
    std::array<double, capacity * capacity> cofactors;
    kernels::plain::direction_cofactor(n_, map_of(list_.vertex[corner]), cofactors.data());
    kernels::plain::add_linear(n_, cofactors.data(), n_, normal.data(), moved.data());
    if (kernels::plain::store_unit(n_, moved.data(), out)) return;
    if (kernels::plain::store_unit(n_, list_.normals.values.data() + corner * n_, out)) return;
    if (!kernels::plain::store_unit(n_, flat(corner, Space::world), out)) std::fill_n(out, std::size_t{n_}, 0.0f);
  }

 private:
  static constexpr std::size_t capacity = capacity_of<D>;
  enum class Space : std::uint8_t { mesh, world };

  const double* map_of(std::size_t vertex) {
    if (!block_.skinned) return node_map_;
    if (vertex != map_vertex_) kernels::plain::blend_maps(n_, block_.influences(), vertex, maps_, map_.data());
    map_vertex_ = vertex;
    return map_.data();
  }

  /// Returns the normal of the corner's cell, of length 1 or 0, after blending (mesh) or also after skinning (world).
  const double* flat(std::size_t corner, Space space) {
    const PackedCorners::Cell cell = list_.cell(corner);
    if (known_ && cell.number == cell_ && space == space_) return flat_.data();
    known_ = true;
    cell_ = cell.number;
    space_ = space;
    flat_.fill(0);
    if (cell.facing.size() != n_) return flat_.data();
    std::array<double, capacity> point, origin;
    std::array<double, capacity * capacity> sides;
    place(cell.facing[0], space, origin.data());
    for (std::size_t k = 1; k < n_; ++k) {
      place(cell.facing[k], space, point.data());
      for (std::size_t i = 0; i < n_; ++i) sides[(k - 1) * n_ + i] = point[i] - origin[i];
    }
    unit_perpendicular(n_, sides.data(), flat_.data());
    return flat_.data();
  }

  void place(std::size_t vertex, Space space, double* out) {
    std::array<double, capacity> point;
    blended(block_.positions, amounts_, vertex, 1, point.data());
    if (space == Space::mesh) {
      std::copy_n(point.data(), std::size_t{n_}, out);
      return;
    }
    const double* map = map_of(vertex);
    std::copy_n(map + n_ * kernels::column_stride(n_), std::size_t{n_}, out);
    kernels::plain::add_linear(n_, map, kernels::column_stride(n_), point.data(), out);
  }

  D n_;
  const PackedCorners& list_;
  const PackedBlock& block_;
  const double* maps_;
  const double* node_map_;
  std::span<const double> amounts_;
  std::size_t map_vertex_ = static_cast<std::size_t>(-1);
  std::array<double, kernels::map_size(capacity)> map_;
  bool known_ = false;
  std::size_t cell_ = 0;
  Space space_ = Space::mesh;
  std::array<double, capacity> flat_;
};

/// Computes the stored normals of corners [first, last) with the SIMD kernel. `work` computes rows without a direction.
template <class D>
void run_simd(D n, const Prepared::Packed& packed, const PackedCorners& list, const Palette& palette, std::span<const double> amounts,
              std::size_t first, std::size_t last, CornerNormals<D>& work, const strided_view<float>& out) {
  constexpr std::size_t page = PackedCorners::page, stride = kernels::map_stride(8);
  const float* const maps = palette.columns<float>().data();
  std::array<float, page * capacity_of<D>> room;
  alignas(64) std::array<float, PackedCorners::most_vertices * stride> table;
  kernels::JointCofactors joints(packed.slots + 1);
  for (std::size_t begin = first, count = 0; begin < last; begin += count) {
    count = std::min(page - begin % page, last - begin);
    const float* normals = blended_by(*packed.simd, list.normals, amounts, begin, count, room.data());
    const strided_view<float> rows = out.rows(begin - first, count);
    bool check = list.some_vanish;
    if (list.places.empty()) {
      packed.simd->skin(n, list.tiles, begin, count, maps,
                        {nullptr, normals, nullptr, list.normals.values.data() + begin * n, joints.if_fit(n)}, {{}, rows, {}});
    } else {
      const std::size_t from = list.page_first[begin / page], to = list.page_first[begin / page + 1];
      packed.simd->cofactors(n, packed.blocks[list.block].influences(), &list.page_vertices[from], to - from, maps, table.data());
      check = !packed.simd->turn(n, table.data(), &list.places[begin], count, normals, rows);
    }
    const auto has_direction = [&](const float* row) { return std::inner_product(row, row + n, row, 0.0F) > 0.5F; };
    for (std::size_t row = 0; row < count && check; ++row)
      if (!has_direction(rows[row])) work.write(begin + row, rows[row]);
  }
}

void run_lists(const Prepared::Packed& packed, const std::vector<PackedCorners>& lists, const Palette& palette,
               std::span<const double> amounts, Range range, const strided_view<float>& normals) {
  assert(palette.dimension() == packed.dimension && palette.size() == packed.slots + 1);
  with_dimension(packed.dimension, [&](auto n) {
    for (const PackedCorners& list : lists) {
      const std::size_t first = std::max(range.first, list.first), last = std::min(range.last, list.first + list.count);
      if (first >= last) continue;
      if (list.vertex.empty()) {  // a block without positions
        for (std::size_t corner = first; corner < last; ++corner) std::fill_n(normals[corner - range.first], packed.dimension, 0.0f);
        continue;
      }
      CornerNormals work(n, packed, list, palette, amounts);
      if (!list.tiles.blocks.empty() || !list.places.empty())
        run_simd(n, packed, list, palette, amounts, first - list.first, last - list.first, work,
                 normals.rows(first - range.first, last - first));
      else
        for (std::size_t corner = first; corner < last; ++corner) work.write(corner - list.first, normals[corner - range.first]);
    }
  });
}

}  // namespace

void run_corner_normals(const Prepared& prepared, const Palette& palette, std::span<const double> amounts, Range range,
                        strided_view<float> normals) noexcept {
  run_lists(prepared.packed(), prepared.packed().corners, palette, amounts, range, normals);
}

void run_topology_normals(const Prepared& prepared, const Palette& palette, std::span<const double> amounts, Range range,
                          strided_view<float> normals) noexcept {
  run_lists(prepared.packed(), prepared.packed().topology_corners, palette, amounts, range, normals);
}

}  // namespace sinew::deform

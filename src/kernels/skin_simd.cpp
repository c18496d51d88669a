// SPDX-License-Identifier: MIT
#include "kernels/skin_simd.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

// Compiled once for each kind of processor: those between SSE4 and AVX2, and newer ones than the first with AVX-512, would gain nothing.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/skin_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128  // what processors have at the least is what plain is for

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A map in 3D is one line of 16 floats: one register where those are so wide, else two or four.
using Tag = hn::CappedTag<float, 16>;
using Vec = hn::Vec<Tag>;
using PairTag = hn::Repartition<std::uint64_t, Tag>;
constexpr Tag tag;
constexpr PairTag pair_tag;
constexpr std::size_t lanes = hn::MaxLanes(tag);
constexpr std::size_t blocks = lanes / 4;  // of 128 bits: a column of a map
constexpr std::size_t registers = 4 / blocks;
constexpr std::size_t at_once = lanes;  // vertices

using Map = std::array<Vec, registers>;
/// Component r of column c of the maps of `at_once` vertices.
using Entries = std::array<std::array<Vec, 4>, 3>;
struct Vec3 {
  Vec x, y, z;
};

HWY_INLINE Map blend(const InfluenceRows& rows, std::size_t vertex, const float* maps) {
  Map sum;
  std::uint32_t i = rows.first[vertex];
  const std::uint32_t end = rows.first[vertex + 1];
  if (HWY_UNLIKELY(i == end)) {
    for (Vec& part : sum) part = hn::Zero(tag);
    return sum;
  }
  const auto* HWY_RESTRICT map = maps + std::size_t{rows.slot[i]} * 16;
  Vec weight = hn::Set(tag, rows.weight[i]);
  for (std::size_t r = 0; r < registers; ++r) sum[r] = hn::Mul(weight, hn::Load(tag, map + r * lanes));
  for (++i; i < end; ++i) {
    map = maps + std::size_t{rows.slot[i]} * 16;
    weight = hn::Set(tag, rows.weight[i]);
    for (std::size_t r = 0; r < registers; ++r) sum[r] = hn::MulAdd(weight, hn::Load(tag, map + r * lanes), sum[r]);
  }
  return sum;
}

HWY_INLINE Vec pairs_lower(Vec a, Vec b) {
  return hn::BitCast(tag, hn::InterleaveLower(pair_tag, hn::BitCast(pair_tag, a), hn::BitCast(pair_tag, b)));
}
HWY_INLINE Vec pairs_upper(Vec a, Vec b) {
  return hn::BitCast(tag, hn::InterleaveUpper(pair_tag, hn::BitCast(pair_tag, a), hn::BitCast(pair_tag, b)));
}

/// Columns (blocks) of one component, of groups of four vertices, become one register per column.
HWY_INLINE void columns_of(const std::array<Vec, blocks>& groups, Vec* out) {
#if HWY_CAP_GE512
  static_assert(blocks == 4);
  const Vec low_a = hn::ConcatLowerLower(tag, groups[2], groups[0]), low_b = hn::ConcatLowerLower(tag, groups[3], groups[1]);
  const Vec high_a = hn::ConcatUpperUpper(tag, groups[2], groups[0]), high_b = hn::ConcatUpperUpper(tag, groups[3], groups[1]);
  out[0] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(low_b), low_a);
  out[1] = hn::OddEvenBlocks(low_b, hn::SwapAdjacentBlocks(low_a));
  out[2] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(high_b), high_a);
  out[3] = hn::OddEvenBlocks(high_b, hn::SwapAdjacentBlocks(high_a));
#elif HWY_CAP_GE256
  static_assert(blocks == 2);
  out[0] = hn::ConcatLowerLower(tag, groups[1], groups[0]);
  out[1] = hn::ConcatUpperUpper(tag, groups[1], groups[0]);
#else
  static_assert(blocks == 1);
  out[0] = groups[0];
#endif
}

/// The blended maps of `at_once` vertices, entry by entry.
HWY_INLINE Entries entries_of(const InfluenceRows& rows, std::size_t vertex, const float* maps) {
  std::array<std::array<std::array<Vec, blocks>, registers>, 3> parts;  // by component, register of the map, group of four vertices
  for (std::size_t group = 0; group < blocks; ++group) {
    const std::size_t first = vertex + group * 4;
    const Map a = blend(rows, first, maps), b = blend(rows, first + 1, maps);
    const Map c = blend(rows, first + 2, maps), d = blend(rows, first + 3, maps);
    for (std::size_t r = 0; r < registers; ++r) {
      const Vec xy_ab = hn::InterleaveLower(tag, a[r], b[r]), xy_cd = hn::InterleaveLower(tag, c[r], d[r]);
      const Vec zw_ab = hn::InterleaveUpper(tag, a[r], b[r]), zw_cd = hn::InterleaveUpper(tag, c[r], d[r]);
      parts[0][r][group] = pairs_lower(xy_ab, xy_cd);
      parts[1][r][group] = pairs_upper(xy_ab, xy_cd);
      parts[2][r][group] = pairs_lower(zw_ab, zw_cd);
    }
  }
  Entries entries;
  for (std::size_t component = 0; component < 3; ++component)
    for (std::size_t r = 0; r < registers; ++r) columns_of(parts[component][r], entries[component].data() + r * blocks);
  return entries;
}

HWY_INLINE Vec3 load(const float* rows) {
  Vec3 v;
  hn::LoadInterleaved3(tag, rows, v.x, v.y, v.z);
  return v;
}

/// a·x + b·y + c·z
HWY_INLINE Vec sum_of(Vec a, Vec x, Vec b, Vec y, Vec c, Vec z) { return hn::MulAdd(c, z, hn::MulAdd(b, y, hn::Mul(a, x))); }
HWY_INLINE Vec largest_of(Vec a, Vec b, Vec c) { return hn::Max(hn::Max(hn::Abs(a), hn::Abs(b)), hn::Abs(c)); }

HWY_INLINE Vec3 scaled(Vec3 v, Vec scale) { return {hn::Mul(v.x, scale), hn::Mul(v.y, scale), hn::Mul(v.z, scale)}; }
/// 1 / a, of what is too small for that 2^126: brings it near 1 all the same.
HWY_INLINE Vec reciprocal(Vec a) { return hn::Div(hn::Set(tag, 1.0F), hn::Max(a, hn::Set(tag, std::numeric_limits<float>::min()))); }

HWY_INLINE Vec3 times(const Entries& m, Vec3 v) {
  return {sum_of(m[0][0], v.x, m[0][1], v.y, m[0][2], v.z), sum_of(m[1][0], v.x, m[1][1], v.y, m[1][2], v.z),
          sum_of(m[2][0], v.x, m[2][1], v.y, m[2][2], v.z)};
}

/// The cofactor matrix of the linear part times `v`, its largest entry brought to 1 beforehand as in plain::direction_cofactor.
HWY_INLINE Vec3 times_cofactor(const Entries& m, Vec3 v) {
  Vec largest = hn::Zero(tag);
  for (std::size_t row = 0; row < 3; ++row) largest = hn::Max(largest, largest_of(m[row][0], m[row][1], m[row][2]));
  const Vec scale = reciprocal(largest);
  std::array<std::array<Vec, 3>, 3> s;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column) s[row][column] = hn::Mul(scale, m[row][column]);
  const auto minor = [&](std::size_t row, std::size_t column) {
    const std::size_t r = (row + 1) % 3, q = (row + 2) % 3, c = (column + 1) % 3, d = (column + 2) % 3;
    return hn::NegMulAdd(s[r][d], s[q][c], hn::Mul(s[r][c], s[q][d]));
  };
  return {sum_of(minor(0, 0), v.x, minor(0, 1), v.y, minor(0, 2), v.z), sum_of(minor(1, 0), v.x, minor(1, 1), v.y, minor(1, 2), v.z),
          sum_of(minor(2, 0), v.x, minor(2, 1), v.y, minor(2, 2), v.z)};
}

/// plain::store_unit without the storing: which of them have a direction.
HWY_INLINE hn::Mask<Tag> make_unit(Vec3& v) {
  const Vec largest = largest_of(v.x, v.y, v.z);
  const auto has_direction = hn::Gt(largest, hn::Zero(tag));
  v = scaled(v, reciprocal(largest));
  v = scaled(v, reciprocal(hn::Sqrt(sum_of(v.x, v.x, v.y, v.y, v.z, v.z))));
  return has_direction;
}

struct Rows {
  const float* positions = nullptr;
  const float* normals = nullptr;
  const float* tangents = nullptr;
  const float* base_normals = nullptr;
};
struct Results {
  float* positions = nullptr;
  float* normals = nullptr;
  float* tangents = nullptr;
};

/// Where a direction has vanished the fallback takes its place, as in plain::move_normal and move_tangent.
void mend(hn::Mask<Tag> sound, std::size_t width, const float* fallback, float* out) {
  alignas(64) float flags[lanes];
  hn::Store(hn::IfThenElseZero(sound, hn::Set(tag, 1.0F)), tag, flags);
  for (std::size_t i = 0; i < lanes; ++i) {
    if (flags[i] != 0) continue;
    const float* from = fallback + i * width;
    float* to = out + i * width;
    if (!plain::store_unit(FixedDimension<3>{}, from, to)) std::copy_n(from, 3, to);
  }
}

HWY_INLINE void move(const InfluenceRows& rows, std::size_t vertex, const float* maps, const Rows& in, const Results& out) {
  const Entries m = entries_of(rows, vertex, maps);
  if (out.positions != nullptr) {
    const Vec3 moved = times(m, load(in.positions));
    hn::StoreInterleaved3(hn::Add(moved.x, m[0][3]), hn::Add(moved.y, m[1][3]), hn::Add(moved.z, m[2][3]), tag, out.positions);
  }
  if (out.normals != nullptr) {
    Vec3 moved = times_cofactor(m, load(in.normals));
    const auto sound = make_unit(moved);
    hn::StoreInterleaved3(moved.x, moved.y, moved.z, tag, out.normals);
    if (HWY_UNLIKELY(!hn::AllTrue(tag, sound))) mend(sound, 3, in.base_normals, out.normals);
  }
  if (out.tangents != nullptr) {
    Vec3 tangent;
    Vec w;
    hn::LoadInterleaved4(tag, in.tangents, tangent.x, tangent.y, tangent.z, w);
    Vec3 moved = times(m, tangent);
    const auto sound = make_unit(moved);
    hn::StoreInterleaved4(moved.x, moved.y, moved.z, w, tag, out.tangents);
    if (HWY_UNLIKELY(!hn::AllTrue(tag, sound))) mend(sound, 4, in.tangents, out.tangents);
  }
}

/// A channel of `at_once` vertices of which not all are there, or whose results do not go to packed rows.
template <std::size_t width>
struct Copy {
  std::array<float, at_once * width> in{}, base{}, out;

  void take(const float* from, std::size_t count, std::array<float, at_once * width>& to) {
    if (from != nullptr) std::copy_n(from, count * width, to.data());
  }
  void give(const strided_view<float>& to, std::size_t first, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) std::copy_n(out.data() + i * width, width, to[first + i]);
  }
};

/// The last vertices, and those of outputs that are not packed: with inputs and outputs of their own.
void move_copied(const InfluenceRows& rows, std::size_t first, std::size_t begin, std::size_t count, const float* maps,
                 const Vertices<float>& in, const Moved& out) {
  Copy<3> positions, normals;
  Copy<4> tangents;
  std::array<std::uint32_t, at_once + 1> first_influence;  // vertices that are not there have none
  for (std::size_t i = 0; i <= at_once; ++i) first_influence[i] = rows.first[first + begin + std::min(i, count)];
  const auto at = [&](const float* channel, std::size_t width) { return channel == nullptr ? nullptr : channel + begin * width; };
  positions.take(at(in.positions, 3), count, positions.in);
  normals.take(at(in.normals, 3), count, normals.in);
  normals.take(at(in.base_normals, 3), count, normals.base);
  tangents.take(at(in.tangents, 4), count, tangents.in);
  move({first_influence.data(), rows.slot, rows.weight}, 0, maps,
       {positions.in.data(), normals.in.data(), tangents.in.data(), normals.base.data()},
       {out.positions.empty() ? nullptr : positions.out.data(), out.normals.empty() ? nullptr : normals.out.data(),
        out.tangents.empty() ? nullptr : tangents.out.data()});
  if (!out.positions.empty()) positions.give(out.positions, begin, count);
  if (!out.normals.empty()) normals.give(out.normals, begin, count);
  if (!out.tangents.empty()) tangents.give(out.tangents, begin, count);
}

void skin(const InfluenceRows& rows, std::size_t first, std::size_t count, const float* maps, const Vertices<float>& in, const Moved& out) {
  const auto packed = [](const strided_view<float>& view) { return view.empty() || view.packed(); };
  const bool in_place = packed(out.positions) && packed(out.normals) && packed(out.tangents);
  std::size_t v = 0;
  for (; in_place && v + at_once <= count; v += at_once) {
    const auto in_row = [&](const float* channel, std::size_t width) { return channel == nullptr ? nullptr : channel + v * width; };
    const auto out_row = [&](const strided_view<float>& view, std::size_t width) {
      return view.empty() ? nullptr : view.data() + v * width;
    };
    move(rows, first + v, maps, {in_row(in.positions, 3), in_row(in.normals, 3), in_row(in.tangents, 4), in_row(in.base_normals, 3)},
         {out_row(out.positions, 3), out_row(out.normals, 3), out_row(out.tangents, 4)});
  }
  for (; v < count; v += at_once) move_copied(rows, first, v, std::min(at_once, count - v), maps, in, out);
}

/// Any dimension: the columns of one vertex's blended map in registers, each padded to whole ones.
template <std::size_t N>
struct Positions {
  static constexpr std::size_t width = N == 2 ? 8 : column_stride(N);  // in 2D all three columns stand in one register
  static constexpr std::size_t columns = N == 2 ? 1 : N + 1;
  using Column = hn::CappedTag<float, width>;
  static constexpr std::size_t size = hn::MaxLanes(Column());
  static constexpr std::size_t parts = width / size;
  using Part = hn::Vec<Column>;

  static HWY_INLINE void blend(const InfluenceRows& rows, std::size_t vertex, const float* maps, Part* sum) {
    for (std::size_t part = 0; part < columns * parts; ++part) sum[part] = hn::Zero(Column());
    for (std::uint32_t i = rows.first[vertex], end = rows.first[vertex + 1]; i < end; ++i) {
      const float* map = maps + rows.slot[i] * map_stride(N);
      const Part weight = hn::Set(Column(), rows.weight[i]);
      for (std::size_t part = 0; part < columns * parts; ++part)
        sum[part] = hn::MulAdd(weight, hn::Load(Column(), map + part * size), sum[part]);
    }
  }

  static void move(const InfluenceRows& rows, std::size_t first, std::size_t count, const float* maps, const float* in,
                   const strided_view<float>& out) {
    for (std::size_t v = 0; v < count; ++v) {
      Part sum[columns * parts];
      blend(rows, first + v, maps, sum);
      const float* p = in + v * N;
      alignas(64) float moved[width];
      if constexpr (N == 2) {
        for (std::size_t part = 0; part < parts; ++part) hn::Store(sum[part], Column(), moved + part * size);
        for (std::size_t i = 0; i < 2; ++i) out[v][i] = moved[i] * p[0] + moved[2 + i] * p[1] + moved[4 + i];
      } else {
        for (std::size_t part = 0; part < parts; ++part) {
          Part result = sum[N * parts + part];
          for (std::size_t j = 0; j < N; ++j) result = hn::MulAdd(sum[j * parts + part], hn::Set(Column(), p[j]), result);
          hn::Store(result, Column(), moved + part * size);
        }
        std::copy_n(moved, N, out[v]);
      }
    }
  }
};

void positions(std::size_t dimension, const InfluenceRows& rows, std::size_t first, std::size_t count, const float* maps, const float* in,
               const strided_view<float>& out) {
  switch (dimension) {
    case 2:
      return Positions<2>::move(rows, first, count, maps, in, out);
    case 3:
      return Positions<3>::move(rows, first, count, maps, in, out);
    case 4:
      return Positions<4>::move(rows, first, count, maps, in, out);
    case 5:
      return Positions<5>::move(rows, first, count, maps, in, out);
    case 6:
      return Positions<6>::move(rows, first, count, maps, in, out);
    case 7:
      return Positions<7>::move(rows, first, count, maps, in, out);
    case 8:
      return Positions<8>::move(rows, first, count, maps, in, out);
    default:
      assert(!moves_positions(dimension));
  }
}

}  // namespace

SimdKernel kernel(std::string_view name) { return {name, skin, positions}; }

}  // namespace HWY_NAMESPACE
}  // namespace sinew::kernels
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE
namespace sinew::kernels {
namespace {

struct Kernels {
  std::array<SimdKernel, 4> list;
  std::size_t count = 0;

  Kernels() {
    const std::int64_t supported = hwy::SupportedTargets();
    const auto add = [&](std::int64_t target, SimdKernel kernel) {
      if ((supported & target) != 0) list[count++] = kernel;
    };
#if HWY_TARGETS & HWY_AVX3
    add(HWY_AVX3, N_AVX3::kernel("avx512"));
#endif
#if HWY_TARGETS & HWY_AVX2
    add(HWY_AVX2, N_AVX2::kernel("avx2"));
#endif
#if HWY_TARGETS & HWY_SSE4
    add(HWY_SSE4, N_SSE4::kernel("sse4"));
#endif
#if HWY_TARGETS & HWY_NEON
    add(HWY_NEON, N_NEON::kernel("neon"));
#endif
  }
};

}  // namespace

std::span<const SimdKernel> simd_kernels() {
  static const Kernels kernels;
  return {kernels.list.data(), kernels.count};
}

}  // namespace sinew::kernels
#endif

// SPDX-License-Identifier: MIT
#include "operations/weights/surface_transfer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/parallel.hpp"
#include "operations/weights/far_pieces.hpp"
#include "operations/weights/triangle_tree.hpp"

namespace sinew::operations::weights {

namespace {

constexpr std::size_t grain = 64;        // points for one thread
constexpr double least_weight = 0.01;    // smaller ones are cut
constexpr double other_limb = 0.9;       // neighbours whose weights differ by more have matched different limbs
constexpr double least_allowed = 0.5;    // a match that has less weight on allowed joints lies on another limb
constexpr double layer_reach = 2;        // in multiples of the largest distance: layers, and pieces that hang on others
constexpr double far_reach = 5;          // also: of pieces that copy the nearest point of the body
constexpr double same_square = 1e-9;     // relative: of distances that differ by a rounding
constexpr double inverted_majority = 4;  // clothes are inside out if so many times more points match with the opposite normal

bool within(const Vec& a, const Vec& b, double cosine) {
  const double length = norm(a) * norm(b);
  return length <= 0 || dot(a, b) >= cosine * length;
}

double square_to_segment(const Vec& point, const Vec& a, const Vec& b) {
  const Vec off = point - nearest_on_segment(point, a, b);
  return dot(off, off);
}

}  // namespace

struct SurfaceTransfer::Prepared {
  explicit Prepared(const WeightedSurface& surface)
      : body(surface),
        welded(WeldedMesh::create(surface.vertices, surface.triangles)),
        tree(surface.vertices, surface.triangles),
        strongest(strongest_joints(surface)) {}

  const WeightedSurface& body;
  WeldedMesh welded;                                    ///< for normals
  TriangleTree tree;                                    ///< of the vertices, because their weights may differ at a seam
  std::vector<std::optional<std::uint32_t>> strongest;  ///< by vertex: the joint with the largest weight

  /// `allowed`: joints, ascending; empty: any. If no triangle follows one of them, all count.
  [[nodiscard]] Nearest nearest(const Vec& point, std::span<const std::uint32_t> allowed) const {
    if (!allowed.empty()) {
      const Nearest found = tree.nearest(point, TriangleTree::no_limit, [&](std::uint32_t triangle) {
        return std::ranges::any_of(body.triangles[triangle], [&](std::uint32_t corner) {
          return std::ranges::binary_search(allowed, strongest[corner].value_or(0));
        });
      });
      if (std::isfinite(found.square)) return found;
    }
    return tree.nearest(point);
  }

  [[nodiscard]] Vec normal_at(const Nearest& nearest) const {
    Vec normal{};
    for (std::size_t i = 0; i < 3; ++i)
      normal = normal + nearest.share[i] * welded.normals[welded.point_of[body.triangles[nearest.triangle][i]]];
    return normal;
  }

  /// Calls use(joint, weight) for the influences at a point of the body; a joint may come several times.
  void for_each_weight(const Nearest& nearest, const auto& use) const {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t vertex = body.triangles[nearest.triangle][i];
      for (std::size_t k = body.first[vertex]; k < body.first[vertex + 1]; ++k)
        if (const double weight = nearest.share[i] * body.weight[k]; weight > 0) use(body.joint[k], weight);
    }
  }

  [[nodiscard]] bool has_weights(const Nearest& nearest) const {
    double sum = 0;
    for_each_weight(nearest, [&](std::uint32_t, double weight) { sum += weight; });
    return sum > 1e-6;
  }

  /// Returns the joint whose bone is nearest. A joint at the end of another bone wins if the point lies beyond both.
  [[nodiscard]] std::uint32_t nearest_bone(const Vec& point) const {
    std::uint32_t best = 0;
    double square = std::numeric_limits<double>::infinity(), head = square;
    for (std::uint32_t joint = 0; joint < body.bones.size(); ++joint)
      for (const Vec& end : body.bones[joint]) {
        const Vec& begin = body.bones[joint].front();
        const double there = square_to_segment(point, begin, end), start = dot(point - begin, point - begin);
        const bool equal = there <= square * (1 + same_square) && start < head;
        if (there >= square * (1 - same_square) && !equal) continue;
        square = there;
        head = start;
        best = joint;
      }
    return best;
  }
};

namespace {

/// How a piece gets its weights if no point of it matched and no other piece is near.
enum class FarWay : std::uint8_t { none, nearest_point, nearest_bone };

/// The transfer to one mesh.
class ClothesTransfer {
 public:
  ClothesTransfer(const WeldedMesh& clothes, const TransferSettings& settings)
      : clothes_(clothes),
        settings_(settings),
        cosine_(same_everywhere(std::cos(std::min(settings.angle, 180.0) * std::numbers::pi / 180))),
        nearest_(clothes.points.size()),
        matched_(clothes.points.size()) {}

  template <class Prepared>
  std::size_t matches(const Prepared& body) {
    match(body);
    return static_cast<std::size_t>(std::ranges::count(matched_, 1));
  }

  template <class Prepared>
  TransferredField run(const Prepared& body) {
    match(body);
    choose_far_ways(body);
    WeightField field = known_rows(body);
    const Neighbours neighbours = Neighbours::create(clothes_);
    separate_limbs(neighbours, field);
    keep_own_limbs(neighbours, field);
    const std::size_t count = clothes_.points.size();
    std::vector<std::uint8_t> weighted(clothes_.pieces);  // by piece
    for (std::size_t i = 0; i < count; ++i)
      if (matched_[i] != 0) weighted[clothes_.piece_of[i]] = 1;
    out_.pieces_without_match = static_cast<std::size_t>(std::ranges::count(weighted, 0));
    std::vector<std::uint8_t> known(count);
    out_.classes.assign(count, PointClass::far);
    for (std::size_t i = 0; i < count; ++i) {
      known[i] = matched_[i] != 0 || weighted[clothes_.piece_of[i]] == 0 ? 1 : 0;
      if (matched_[i] != 0) out_.distances.push_back(std::sqrt(nearest_[i].square));
      if (weighted[clothes_.piece_of[i]] != 0) out_.classes[i] = matched_[i] != 0 ? PointClass::matched : PointClass::inpainted;
    }
    std::ranges::sort(out_.distances);
    inpaint(clothes_, neighbours, known, field, settings_.threads);
    for (std::size_t i = 0; i < count; ++i)
      if (known[i] == 0 && !normalize(field.row(i))) copy_body(body, i, field);
    smooth(clothes_, neighbours, out_.classes, settings_.reach, field, settings_.threads);
    fill_far(body, weighted, field);
    for (std::size_t i = 0; i < count; ++i)
      if (!keep_allowed(i, field.row(i))) copy_body(body, i, field);
    cut(field);
    return std::move(out_);
  }

 private:
  template <class Prepared>
  void match(const Prepared& body) {
    const std::size_t count = clothes_.points.size();
    const TriangleTree own(clothes_.points, clothes_.triangles);
    std::vector<std::uint8_t> straight(count), opposite(count);
    parallel_for(count, grain, settings_.threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        nearest_[i] = body.nearest(clothes_.points[i], allowed(i));
        if (nearest_[i].square > settings_.reach * settings_.reach || !body.has_weights(nearest_[i])) continue;
        const Vec normal = body.normal_at(nearest_[i]);
        straight[i] = within(clothes_.normals[i], normal, cosine_) ? 1 : 0;
        opposite[i] = within(-1 * clothes_.normals[i], normal, cosine_) ? 1 : 0;
      }
    });
    const auto fits = static_cast<double>(std::ranges::count(straight, 1)), flipped = static_cast<double>(std::ranges::count(opposite, 1));
    const bool inverted = flipped > inverted_majority * fits;
    parallel_for(count, grain, settings_.threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const Vec step = -layer_reach * settings_.reach * clothes_.normals[i];
        const bool layer = straight[i] == 0 && opposite[i] != 0 && (inverted || own.meets(static_cast<std::uint32_t>(i), step));
        matched_[i] = straight[i] != 0 || layer ? 1 : 0;
      }
    });
  }

  template <class Prepared>
  void choose_far_ways(const Prepared& body) {
    ways_.assign(clothes_.pieces, FarWay::nearest_bone);
    bones_.assign(clothes_.pieces, 0);
    std::vector<Vec> sums(clothes_.pieces);
    std::vector<double> counts(clothes_.pieces);
    for (std::size_t i = 0; i < clothes_.points.size(); ++i) {
      const std::uint32_t piece = clothes_.piece_of[i];
      sums[piece] = sums[piece] + clothes_.points[i];
      counts[piece] += 1;
      const double most = far_reach * settings_.reach;
      if (matched_[i] != 0)
        ways_[piece] = FarWay::none;
      else if (ways_[piece] != FarWay::none && nearest_[i].square <= most * most && body.has_weights(nearest_[i]))
        ways_[piece] = FarWay::nearest_point;
    }
    for (std::size_t piece = 0; piece < clothes_.pieces; ++piece)
      if (ways_[piece] != FarWay::none) bones_[piece] = body.nearest_bone((1 / counts[piece]) * sums[piece]);
  }

  /// Numbers the joints that any point can get, and fills the rows of matched points.
  template <class Prepared>
  WeightField known_rows(const Prepared& body) {
    column_.assign(body.body.bones.size(), std::numeric_limits<std::uint32_t>::max());
    std::vector<std::uint8_t> used(column_.size());
    for (const Nearest& nearest : nearest_) body.for_each_weight(nearest, [&](std::uint32_t joint, double) { used[joint] = 1; });
    for (std::size_t piece = 0; piece < clothes_.pieces; ++piece)
      if (ways_[piece] != FarWay::none) used[bones_[piece]] = 1;
    for (std::uint32_t joint = 0; joint < used.size(); ++joint) {
      if (used[joint] == 0) continue;
      column_[joint] = static_cast<std::uint32_t>(joints_.size());
      joints_.push_back(joint);
    }
    WeightField field(clothes_.points.size(), joints_.size());
    for (std::size_t i = 0; i < clothes_.points.size(); ++i)
      if (matched_[i] != 0) copy_body(body, i, field);
    return field;
  }

  /// Copies the nearest point of the body, or its nearest bone if that point has no weights.
  template <class Prepared>
  void copy_body(const Prepared& body, std::size_t point, WeightField& field) const {
    const auto row = field.row(point);
    std::ranges::fill(row, 0.0);
    body.for_each_weight(nearest_[point], [&](std::uint32_t joint, double weight) { row[column_[joint]] += weight; });
    if (!normalize(row)) row[column_[bones_[clothes_.piece_of[point]]]] = 1;
  }

  [[nodiscard]] std::span<const std::uint32_t> allowed(std::size_t point) const {
    return settings_.allowed.empty() ? std::span<const std::uint32_t>() : std::span<const std::uint32_t>(settings_.allowed[point]);
  }

  /// Takes back matches on limbs that a point may not follow, unless their piece would lose all its matches.
  void keep_own_limbs(const Neighbours& neighbours, WeightField& field) {
    if (settings_.allowed.empty()) return;
    std::vector<std::uint8_t> doubtful(matched_.size());
    for (std::size_t i = 0; i < matched_.size(); ++i) {
      if (matched_[i] != 0 && !keep_allowed(i, field.row(i))) doubtful[i] = 1;
    }
    take_back(doubtful, neighbours);
  }

  /// Removes weights on joints that a point may not get. Returns false, and changes nothing, if that is most of them.
  [[nodiscard]] bool keep_allowed(std::size_t point, std::span<double> row) const {
    const std::span<const std::uint32_t> allowed = this->allowed(point);
    if (allowed.empty()) return true;
    double kept = 0;
    for (std::size_t column = 0; column < row.size(); ++column)
      if (std::ranges::binary_search(allowed, joints_[column])) kept += row[column];
    if (kept < least_allowed) return false;
    for (std::size_t column = 0; column < row.size(); ++column)
      row[column] = std::ranges::binary_search(allowed, joints_[column]) ? row[column] / kept : 0;
    return true;
  }

  /// Takes back matches of neighbours on different limbs, unless their piece would lose all its matches.
  void separate_limbs(const Neighbours& neighbours, const WeightField& field) {
    std::vector<std::uint8_t> doubtful(matched_.size());
    for (const Triangle& t : clothes_.triangles)
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t a = t[i], b = t[(i + 1) % 3];
        if (matched_[a] == 0 || matched_[b] == 0 || norm(clothes_.points[a] - clothes_.points[b]) >= settings_.reach) continue;
        double difference = 0;
        for (std::size_t joint = 0; joint < field.joints(); ++joint) difference += std::abs(field.row(a)[joint] - field.row(b)[joint]);
        if (difference / 2 > other_limb) doubtful[a] = doubtful[b] = 1;
      }
    take_back(doubtful, neighbours);
  }

  void take_back(std::span<const std::uint8_t> doubtful, const Neighbours& neighbours) {
    std::vector<std::uint8_t> stays(clothes_.pieces);
    for (std::size_t i = 0; i < matched_.size(); ++i)
      if (matched_[i] != 0 && doubtful[i] == 0) stays[clothes_.piece_of[i]] = 1;
    for (std::size_t i = 0; i < matched_.size(); ++i)
      if (doubtful[i] != 0 && stays[clothes_.piece_of[i]] != 0 && !neighbours.of(i).empty()) matched_[i] = 0;
  }

  template <class Prepared>
  void fill_far(const Prepared& body, std::vector<std::uint8_t>& weighted, WeightField& field) {
    copy_from_neighbours(clothes_, layer_reach * settings_.reach, weighted, field, settings_.threads);
    for (std::size_t i = 0; i < clothes_.points.size(); ++i) {
      const std::uint32_t piece = clothes_.piece_of[i];
      if (out_.classes[i] != PointClass::far) continue;
      if (weighted[piece] != 0)
        out_.classes[i] = PointClass::inpainted;
      else if (ways_[piece] == FarWay::nearest_point)
        copy_body(body, i, field);
      else
        field.row(i)[column_[bones_[piece]]] = 1;
    }
  }

  void cut(WeightField& field) {
    out_.rows.resize(clothes_.points.size());
    for (std::size_t i = 0; i < out_.rows.size(); ++i) {
      const auto row = field.row(i);
      const std::vector<double> dropped = cut_weights(row, settings_.max_influences, least_weight);
      out_.dropped += dropped.size();
      for (const double weight : dropped) out_.largest_dropped = std::max(out_.largest_dropped, weight);
      for (std::size_t column = 0; column < row.size(); ++column)
        if (row[column] > 0) out_.rows[i].emplace_back(joints_[column], row[column]);
    }
  }

  const WeldedMesh& clothes_;
  const TransferSettings& settings_;
  double cosine_;
  std::vector<Nearest> nearest_;       ///< by point
  std::vector<std::uint8_t> matched_;  ///< by point
  std::vector<FarWay> ways_;           ///< by piece
  std::vector<std::uint32_t> bones_;   ///< by piece without a match: the joint of the nearest bone
  std::vector<std::uint32_t> column_;  ///< by joint: its column of the field
  std::vector<std::uint32_t> joints_;  ///< by column
  TransferredField out_;
};

}  // namespace

std::vector<std::optional<std::uint32_t>> strongest_joints(const WeightedSurface& surface) {
  std::vector<std::optional<std::uint32_t>> out(surface.vertices.size());
  for (std::size_t vertex = 0; vertex < out.size(); ++vertex) {
    double most = 0;
    for (std::size_t i = surface.first[vertex]; i < surface.first[vertex + 1]; ++i)
      if (surface.weight[i] > most) {
        most = surface.weight[i];
        out[vertex] = surface.joint[i];
      }
  }
  return out;
}

SurfaceTransfer::SurfaceTransfer(const WeightedSurface& body) : prepared_(std::make_unique<Prepared>(body)) {}
SurfaceTransfer::~SurfaceTransfer() = default;
SurfaceTransfer::SurfaceTransfer(SurfaceTransfer&&) noexcept = default;

TransferredField SurfaceTransfer::run(const WeldedMesh& clothes, const TransferSettings& settings) const {
  return ClothesTransfer(clothes, settings).run(*prepared_);
}

std::size_t SurfaceTransfer::matches(const WeldedMesh& clothes, const TransferSettings& settings) const {
  return ClothesTransfer(clothes, settings).matches(*prepared_);
}

}  // namespace sinew::operations::weights

// SPDX-License-Identifier: MIT
#include "operations/fit/surface_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "math/extent.hpp"

namespace sinew::operations::weights {

namespace {

constexpr std::size_t alignments = 20;                     ///< rounds of fitting one surface to another
constexpr std::size_t samples = 400;                       ///< points for that, of each surface
constexpr double trusted = 0.5;                            ///< share of the nearest pairs that count: the others are hair, ears, horns
constexpr double uneven = 1.35;                            ///< the stretch of an axis differs from the mean by this factor at most
constexpr std::array<double, 3> first_sizes{1, 0.8, 0.6};  ///< of the first stretch: hair makes a head larger than it is
// Bending one surface onto the other, relative to the diagonal of the source.
constexpr double farthest = 0.2;  ///< a nearest point counts up to here
constexpr double alike = 0.4;     ///< and if the cosine of the angle between the normals is larger
constexpr std::size_t evenings[] = {64, 48, 32, 24, 16, 16, 12, 12, 8, 8};  ///< steps that even out the moves of each round
constexpr double map_fade = 0.5;                                            ///< so far from the surface only its stretch counts
constexpr double nose_width = 0.05;                                         ///< half of where the tip of a nose is looked for
constexpr double near_part = 0.12;                                          ///< points of a surface so near to a part carry it
constexpr std::size_t fewest_carrying = 12;

/// Returns points of a patch; some may come twice. Their number counts, and their area: a face of many small triangles must not outvote the
/// skull, nor long hair of a few large ones the head.
std::vector<std::uint32_t> sampled(const OuterSurface& of, const Patch& patch) {
  std::vector<double> share(of.points().size());
  for (const Triangle& t : patch.triangles) {
    const Vec& at = of.points()[t[0]];
    for (const std::uint32_t corner : t) share[corner] += norm(cross(of.points()[t[1]] - at, of.points()[t[2]] - at));
  }
  double all = 0;
  for (const std::uint32_t point : patch.points) all += share[point] = std::sqrt(share[point]);
  if (!(all > 0)) return patch.points;
  std::vector<std::uint32_t> out;
  double passed = 0;
  for (const std::uint32_t point : patch.points) {
    passed += share[point];
    while (static_cast<double>(out.size()) + 0.5 < passed / all * static_cast<double>(samples)) out.push_back(point);
  }
  return out;
}

/// Returns the places below which a tenth and nine tenths of the points lie, along each axis.
std::array<Vec, 2> middle_box(const OuterSurface& of, const std::vector<std::uint32_t>& points) {
  std::array<Vec, 2> out{};
  std::vector<double> places(points.size());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::ranges::transform(points, places.begin(), [&](std::uint32_t p) { return of.points()[p][axis]; });
    std::ranges::sort(places);
    out[0][axis] = places[places.size() / 10];
    out[1][axis] = places[places.size() - 1 - places.size() / 10];
  }
  return out;
}

/// Finds the stretch that brings one surface onto another: nearest points from both sides, again and again, without the worst pairs (the
/// trimmed iterative closest point method), from several beginnings.
class Alignment {
 public:
  Alignment(const OuterSurface& source, const Patch& from, const OuterSurface& target, const Patch& to)
      : source_(source), from_(from), target_(target), to_(to), ours_(sampled(source, from)), theirs_(sampled(target, to)) {}

  [[nodiscard]] Stretch run() {
    const auto ours = middle_box(source_, ours_), theirs = middle_box(target_, theirs_);
    double volume = 1, wanted = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      volume *= std::max(ours[1][axis] - ours[0][axis], 1e-9);
      wanted *= std::max(theirs[1][axis] - theirs[0][axis], 1e-9);
    }
    const double mean = same_everywhere(std::cbrt(wanted / volume));
    Stretch best;
    double least = std::numeric_limits<double>::infinity();
    for (const double size : first_sizes)
      for (const double height : {0.0, 0.5}) {  // the middles together, or the tops
        const double factor = size * mean;
        stretch_ = {0.5 * (ours[0] + ours[1]), 0.5 * (theirs[0] + theirs[1]), {factor, factor, factor}};
        stretch_.to[1] += height * ((theirs[1][1] - theirs[0][1]) - factor * (ours[1][1] - ours[0][1]));
        double apart = 0;
        for (std::size_t round = 0; round < alignments; ++round) apart = improve();
        if (apart >= 0.98 * least) continue;
        least = apart;
        best = stretch_;
      }
    return best;
  }

 private:
  struct Pair {
    Vec from, to;
    double square;
  };

  /// Returns the mean square of the distances before.
  double improve() {
    std::vector<Pair> pairs, others;
    for (const std::uint32_t own : ours_) {
      const Vec& point = source_.points()[own];
      add(pairs, point, to_.place(target_, to_.nearest(stretch_.of(point))));
    }
    for (const std::uint32_t own : theirs_) {
      const Vec& point = target_.points()[own];
      add(others, from_.place(source_, from_.nearest(stretch_.back(point))), point);
    }
    const double apart = 0.5 * (keep_best(pairs) + keep_best(others));
    pairs.insert(pairs.end(), others.begin(), others.end());
    Vec ours{}, theirs{};
    for (const Pair& pair : pairs) {
      ours = ours + pair.from;
      theirs = theirs + pair.to;
    }
    stretch_.from = (1.0 / static_cast<double>(pairs.size())) * ours;
    stretch_.to = (1.0 / static_cast<double>(pairs.size())) * theirs;
    Vec across{}, along{};
    for (const Pair& pair : pairs)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double x = pair.from[axis] - stretch_.from[axis], y = pair.to[axis] - stretch_.to[axis];
        across[axis] += x * y;
        along[axis] += x * x;
      }
    double sum_across = 0, sum_along = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      sum_across += across[axis];
      sum_along += along[axis];
    }
    if (!(sum_across > 0) || !(sum_along > 0)) return apart;
    const double mean = sum_across / sum_along;
    for (std::size_t axis = 0; axis < 3; ++axis)
      stretch_.factor[axis] = along[axis] > 0 ? std::clamp(across[axis] / along[axis], mean / uneven, mean * uneven) : mean;
    return apart;
  }

  void add(std::vector<Pair>& pairs, const Vec& from, const Vec& to) const {
    const Vec apart = stretch_.of(from) - to;
    pairs.push_back({from, to, dot(apart, apart)});
  }

  static double keep_best(std::vector<Pair>& pairs) {
    std::ranges::sort(pairs, [](const Pair& a, const Pair& b) {
      return std::tie(a.square, a.from, a.to) < std::tie(b.square, b.from, b.to);  // equal ones in one order, for the sums
    });
    pairs.resize(std::max<std::size_t>(1, static_cast<std::size_t>(trusted * static_cast<double>(pairs.size()))));
    double sum = 0;
    for (const Pair& pair : pairs) sum += pair.square;
    return sum / static_cast<double>(pairs.size());
  }

  const OuterSurface& source_;
  const Patch& from_;
  const OuterSurface& target_;
  const Patch& to_;
  std::vector<std::uint32_t> ours_, theirs_;  ///< points of each that count
  Stretch stretch_;
};

/// Bends a stretched surface onto another one: nearest points from both sides where the normals agree, evened out over the surface, less
/// in each round (a nonrigid iterative closest point method).
class Bending {
 public:
  /// `places`: of the points of the source at first.
  Bending(const OuterSurface& source, const Patch& from, const OuterSurface& target, const Patch& to, std::vector<Vec> places, double size)
      : source_(source),
        from_(from),
        target_(target),
        to_(to),
        limit_(farthest * size),
        places_(std::move(places)),
        inside_(places_.size()) {
    for (const Triangle& t : from.triangles)  // the points of a patch are corners of its triangles
      for (const std::uint32_t corner : t) inside_[corner] = true;
    for (std::uint32_t point = 0; point < inside_.size(); ++point)
      if (inside_[point]) points_.push_back(point);
  }

  [[nodiscard]] std::vector<Vec> run() {
    for (const std::size_t steps : evenings) improve(steps);
    return std::move(places_);
  }

 private:
  struct Wish {
    Vec sum{};
    double count = 0;
  };

  void improve(std::size_t steps) {
    std::vector<Wish> wishes(places_.size());
    const auto wish = [&](std::uint32_t point, const Vec& move, double share) {
      wishes[point].sum = wishes[point].sum + share * move;
      wishes[point].count += share;
    };
    for (const std::uint32_t point : points_) {
      const Nearest at = to_.nearest(places_[point]);
      const Vec move = to_.place(target_, at) - places_[point];
      if (agree(source_.normal(point), normal(target_, to_, at)) && norm(move) < limit_) wish(point, move, 1);
    }
    const TriangleTree now(places_, from_.triangles);
    const std::size_t step = std::max<std::size_t>(1, to_.points.size() / (4 * samples));
    for (std::size_t i = 0; i < to_.points.size(); i += step) {
      const std::uint32_t point = to_.points[i];
      const Nearest at = now.nearest(target_.points()[point], TriangleTree::enough);
      if (at.square > limit_ * limit_ || !agree(target_.normal(point), normal(source_, from_, at))) continue;
      const Triangle& corners = from_.triangles[at.triangle];
      Vec move = target_.points()[point];
      for (std::size_t k = 0; k < 3; ++k) move = move - at.share[k] * places_[corners[k]];
      for (std::size_t k = 0; k < 3; ++k) wish(corners[k], move, at.share[k]);
    }
    std::vector<Vec> moves(places_.size());
    for (const std::uint32_t point : points_)
      if (wishes[point].count > 0) moves[point] = (1 / wishes[point].count) * wishes[point].sum;
    even_out(steps, wishes, moves);
    for (const std::uint32_t point : points_) places_[point] = places_[point] + moves[point];
  }

  /// Points without a wish take the mean of their neighbours.
  void even_out(std::size_t steps, const std::vector<Wish>& wishes, std::vector<Vec>& moves) const {
    std::vector<Vec> next = moves;
    for (std::size_t step = 0; step < steps; ++step) {
      for (const std::uint32_t point : points_) {
        const auto mean =
            mean_around(source_.neighbours(), point, [&](std::uint32_t other) { return inside_[other] ? &moves[other] : nullptr; });
        if (!mean) continue;
        const double own = wishes[point].count > 0 ? 0.5 : 0.1;
        next[point] = own * moves[point] + (1 - own) * *mean;
      }
      moves.swap(next);
    }
  }

  static bool agree(const Vec& a, const Vec& b) { return dot(a, b) > alike * norm(a) * norm(b); }
  static Vec normal(const OuterSurface& of, const Patch& patch, const Nearest& at) {
    Vec out{};
    for (std::size_t i = 0; i < 3; ++i) out = out + at.share[i] * of.normal(patch.triangles[at.triangle][i]);
    return out;
  }

  const OuterSurface& source_;
  const Patch& from_;
  const OuterSurface& target_;
  const Patch& to_;
  double limit_;
  std::vector<Vec> places_;
  std::vector<bool> inside_;           ///< by point: it is a corner of the patch
  std::vector<std::uint32_t> points_;  ///< these
};

/// A head whose eyes are known.
struct Face {
  Vec eyes{}, nose{};  ///< the middle of the eyes; the tip of the nose
  double middle = 0;   ///< along z, of the head

  /// The nose: the foremost point below the eyes, in the middle; nothing if there is none.
  static std::optional<Face> create(const OuterSurface& of, const Patch& head, const Vec& eyes) {
    Extent box;
    for (const std::uint32_t point : head.points)
      for (std::size_t axis = 0; axis < 3; ++axis) box.add(axis, of.points()[point][axis]);
    Face out{eyes, eyes, (box.low[2] + box.high[2]) / 2};
    const double front = eyes[2] < out.middle ? -1 : 1;
    for (const std::uint32_t point : head.points) {
      const Vec& place = of.points()[point];
      if (std::abs(place[0] - eyes[0]) < nose_width * box.diagonal(3) && place[1] < eyes[1] && front * (place[2] - out.nose[2]) > 0)
        out.nose = place;
    }
    return out.nose[1] < eyes[1] ? std::optional(out) : std::nullopt;
  }
};

/// Moves the front of a head below the eyes so that the tip of its nose is as high as that of another one.
void move_face(const Face& face, double nose_height, std::vector<Vec>& places) {
  for (Vec& place : places) {
    const double down = (face.eyes[1] - place[1]) / (face.eyes[1] - face.nose[1]);
    const double front = (place[2] - face.middle) / (face.nose[2] - face.middle);
    place[1] += std::clamp(down, 0.0, 1.0) * std::clamp(front, 0.0, 1.0) * (nose_height - face.nose[1]);
  }
}

}  // namespace

Stretch even_stretch(std::span<const Vec> points, std::span<const Vec> moved, std::span<const double> shares) {
  double sum = 0, across = 0, along = 0;
  for (const double share : shares) sum += share;
  Stretch out;
  for (std::size_t i = 0; i < points.size(); ++i) {
    out.from = out.from + shares[i] / sum * points[i];
    out.to = out.to + shares[i] / sum * moved[i];
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec place = points[i] - out.from;
    across += shares[i] * dot(place, moved[i] - out.to);
    along += shares[i] * dot(place, place);
  }
  out.factor.fill(along > 0 ? across / along : 0);
  return out;
}

SurfaceMap::SurfaceMap(const OuterSurface& source, const Patch& from, const OuterSurface& target, const Patch& to, Start start,
                       const std::optional<std::array<Vec, 2>>& eyes)
    : source_(source), from_(from), stretch_(start == Start::in_place ? Stretch() : Alignment(source, from, target, to).run()) {
  if (eyes) stretch_.to[1] += (*eyes)[1][1] - stretch_.of((*eyes)[0])[1];
  std::vector<Vec> own;
  for (const std::uint32_t point : from.points) own.push_back(source.points()[point]);
  size_ = box_diagonal(own);
  std::vector<Vec> places;
  for (const Vec& point : source.points()) places.push_back(stretch_.of(point));
  if (eyes) {
    const auto ours = Face::create(source, from, (*eyes)[0]), theirs = Face::create(target, to, (*eyes)[1]);
    if (ours && theirs) {
      const Vec middle = stretch_.of({0, 0, ours->middle});
      move_face({stretch_.of(ours->eyes), stretch_.of(ours->nose), middle[2]}, theirs->nose[1], places);
    }
  }
  moves_ = Bending(source, from, target, to, std::move(places), size_ * stretch_.factor[0]).run();
  for (std::size_t point = 0; point < moves_.size(); ++point) moves_[point] = moves_[point] - stretch_.of(source.points()[point]);
}

Vec SurfaceMap::of(const Vec& point) const {
  const Nearest at = from_.nearest(point);
  Vec move{};
  for (std::size_t i = 0; i < 3; ++i) move = move + at.share[i] * moves_[from_.triangles[at.triangle][i]];
  const double away = std::sqrt(at.square) / (map_fade * size_);
  return stretch_.of(point) + std::clamp(1 - away, 0.0, 1.0) * move;
}

Stretch SurfaceMap::rigid(std::span<const Vec> points) const {
  const auto step = [](std::size_t count) { return std::max<std::size_t>(1, count / (4 * samples)); };  // of any number of vertices
  std::vector<std::uint32_t> carrying;
  for (std::size_t i = 0; i < from_.points.size(); i += step(from_.points.size())) {
    const Vec& own = source_.points()[from_.points[i]];
    for (std::size_t k = 0; k < points.size(); k += step(points.size()))
      if (norm(points[k] - own) < near_part * size_) {
        carrying.push_back(from_.points[i]);
        break;
      }
  }
  if (carrying.size() < fewest_carrying) carrying = from_.points;
  std::vector<Vec> places, moved;
  for (const std::uint32_t own : carrying) {
    places.push_back(source_.points()[own]);
    moved.push_back(stretch_.of(places.back()) + moves_[own]);
  }
  Stretch out = even_stretch(places, moved, std::vector<double>(places.size(), 1));
  if (!(out.factor[0] > 0)) out.factor.fill(stretch_.factor[0]);
  return out;
}

}  // namespace sinew::operations::weights

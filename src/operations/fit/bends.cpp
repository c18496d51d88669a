// SPDX-License-Identifier: MIT
#include "operations/fit/bends.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numbers>
#include <set>

#include "base/parallel.hpp"
#include "operations/retarget/transfer.hpp"
#include "operations/skeletons/hierarchy.hpp"
#include "operations/weights/surface_transfer.hpp"

#include "sinew/merge.hpp"

namespace sinew::operations::weights {

namespace {

constexpr double bend_angle = 50 * std::numbers::pi / 180;
constexpr std::size_t most_influences_of_clothes = 4;
constexpr double rigid = 0.02;      // of a weight: a place bends with a joint if it has more on both sides of it
constexpr double other_side = 0.5;  // of a weight: places differ by more if they are on different limbs
constexpr double folded = 0.5;      // of the area at rest
constexpr double straight = 0.5;    // least cosine between a normal and what the joints make of it

/// Returns, by joint, whether it is the given one or lies below it.
std::vector<bool> moved_by(const Model& model, const std::vector<Index>& joints, std::uint32_t bent) {
  std::vector<bool> out(joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) out[i] = is_above(model, joints[bent], joints[i]);
  return out;
}

/// Returns what these joints have of the weights of a place.
double share_of(const JointRow& row, const std::vector<bool>& joints) {
  double share = 0;
  for (const auto& [joint, weight] : row)
    if (joints[joint]) share += weight;
  return share;
}

/// Returns the least and the largest share of a joint; both 0 if the place opposite is on another limb.
std::pair<double, double> one_limb(double here, const std::array<double, 3>& there) {
  const auto [least, most] = std::ranges::minmax(there);
  if (here < least - other_side || here > most + other_side) return {0, 0};
  return {std::min(here, least), std::max(here, most)};
}

/// Returns, by joint of clothes, the joint of the body that it or a node above it became.
std::vector<std::optional<std::uint32_t>> joints_on_body(const RiggedSurface& rigged, const std::vector<Index>& joints,
                                                         const Model& clothes, std::span<const Index> twin) {
  std::vector<std::optional<std::uint32_t>> out;
  for (const Index joint : joints) {
    const Index node = matched_at_or_above(clothes, twin, joint);
    const auto found = node == none ? rigged.joints.end() : std::ranges::find(rigged.joints, twin[node]);
    out.emplace_back();
    if (found != rigged.joints.end()) out.back() = static_cast<std::uint32_t>(found - rigged.joints.begin());
  }
  return out;
}

}  // namespace

AllowedJoints limbs_of(const Model& body, const RiggedSurface& rigged, const RiggedSurface& clothes, const WeldedMesh& welded,
                       const Model& model, std::span<const OwnWeights> replaced) {
  const Relatives relatives = relatives_of(body, rigged.joints, rigged.surface);
  AllowedJoints out(welded.points.size());
  std::set<std::uint32_t> on_head;
  Index head = none;
  for (const auto& [node, bone] : human_names(body))
    if (bone == "head") head = node;
  for (const OwnWeights& own : replaced) {
    const auto part = std::ranges::find(clothes.parts, model.nodes[own.node].mesh, &RiggedSurface::Part::mesh);
    if (part == clothes.parts.end()) continue;
    allow_joints(welded, part->first, own.joints, rigged.joints, relatives, out);
    for (std::size_t vertex = 0; vertex < own.joints.size(); ++vertex)  // a hood lies on hair, a collar below it
      if (std::ranges::any_of(own.joints[vertex], [&](Index joint) { return head != none && is_above(body, head, joint); }))
        on_head.insert(welded.point_of[part->first + vertex]);
  }
  for (std::uint32_t point = 0; point < out.size(); ++point) {
    std::vector<std::uint32_t>& joints = out[point];
    if (joints.empty() || head == none) continue;
    if (on_head.contains(point)) {
      joints.push_back(OuterSurface::hair(rigged));
    } else {  // a collar below a large chin must not be lifted out of it
      std::vector<std::uint32_t> others = joints;
      std::erase_if(others, [&](std::uint32_t joint) { return is_above(body, head, rigged.joints[joint]); });
      if (!others.empty()) joints.swap(others);
    }
  }
  return out;
}

JointRows rows_on_body(const RiggedSurface& rigged, const RiggedSurface& clothes, const WeldedMesh& welded, const AllowedJoints& allowed,
                       const Model& model, std::span<const Index> twin, std::span<const OwnWeights> replaced, unsigned threads) {
  const auto joints = joints_on_body(rigged, clothes.joints, model, twin);
  JointRows kept(welded.points.size());
  for (const RiggedSurface::Part& part : clothes.parts) {
    if (std::ranges::any_of(replaced, [&](const OwnWeights& own) { return model.nodes[own.node].mesh == part.mesh; })) continue;
    for (std::size_t vertex = part.first; vertex < part.last; ++vertex) {
      std::map<std::uint32_t, double> sums;
      for (std::size_t i = clothes.surface.first[vertex]; i < clothes.surface.first[vertex + 1]; ++i)
        if (const auto joint = joints[clothes.surface.joint[i]]) sums[*joint] += clothes.surface.weight[i];
      kept[welded.point_of[vertex]].assign(sums.begin(), sums.end());
    }
  }
  if (replaced.empty()) return kept;
  const WeightTransfer settings;
  const double reach = settings.distance * std::min(welded.diagonal, box_diagonal(rigged.surface.vertices));
  JointRows out = SurfaceTransfer(rigged.surface).run(welded, {reach, settings.angle, most_influences_of_clothes, threads, allowed}).rows;
  for (std::size_t point = 0; point < out.size(); ++point)
    if (!kept[point].empty()) out[point] = std::move(kept[point]);
  return out;
}

/// The body and the clothes with one joint bent.
class Bends::Bent {
 public:
  /// A rotation about an axis of the world.
  struct Turn {
    std::size_t axis = 0;
    double sine = 0, cosine = 1;

    [[nodiscard]] Vec operator()(const Vec& v) const {
      Vec out = v;
      const std::size_t a = (axis + 1) % 3, b = (axis + 2) % 3;
      out[a] = cosine * v[a] - sine * v[b];
      out[b] = sine * v[a] + cosine * v[b];
      return out;
    }
  };

  /// What the joint has of the weights of each point, for all bends of it.
  Bent(const Bends& all, std::uint32_t joint, std::span<const Vec> points) : all_(all), pivot_(all.pivots_[joint]), points_(points) {
    const std::vector<bool> moved = moved_by(all.body_, all.rigged_.joints, joint);
    const WeightedSurface& surface = all.rigged_.surface;
    for (std::size_t point = 0; point < all.outer_.corners(); ++point) {
      double share = 0;
      const std::uint32_t vertex = all.outer_.vertex(point);
      for (std::size_t i = surface.first[vertex]; i < surface.first[vertex + 1]; ++i)
        if (moved[surface.joint[i]]) share += surface.weight[i];
      skin_share_.push_back(share);
    }
    for (const auto& [a, b] : all.outer_.halves()) skin_share_.push_back((skin_share_[a] + skin_share_[b]) / 2);
    for (const JointRow& row : all.rows_) cloth_share_.push_back(share_of(row, moved));
  }

  void bend(const Turn& turn) { turn_ = turn; }

  [[nodiscard]] Vec cloth(std::size_t point) const { return moved(points_[point], cloth_share_[point]); }
  [[nodiscard]] Vec skin(std::size_t point) const {
    if (point < all_.outer_.corners()) return moved(all_.outer_.points()[point], skin_share_[point]);
    const auto& [a, b] = all_.outer_.halves()[point - all_.outer_.corners()];
    return 0.5 * (skin(a) + skin(b));
  }
  [[nodiscard]] double cloth_share(std::size_t point) const { return cloth_share_[point]; }
  [[nodiscard]] double skin_share(std::size_t point) const { return skin_share_[point]; }

  /// Returns the normal of a triangle of the body on the side of `normal` (at rest), or nothing in a fold.
  [[nodiscard]] std::optional<Vec> normal(const Triangle& t, const Vec& normal, double share) const {
    const std::vector<Vec>& rest = all_.outer_.points();
    const Vec before = cross(rest[t[1]] - rest[t[0]], rest[t[2]] - rest[t[0]]), origin = skin(t[0]);
    const Vec now = cross(skin(t[1]) - origin, skin(t[2]) - origin);
    const double size = norm(now);
    if (!(size > folded * norm(before))) return std::nullopt;
    const Vec out = (dot(before, normal) < 0 ? -1 / size : 1 / size) * now;
    const Vec expected = (1 - share) * normal + share * turn_(normal);
    if (dot(out, expected) < straight * norm(expected)) return std::nullopt;
    return out;
  }

 private:
  [[nodiscard]] Vec moved(const Vec& point, double share) const {
    const Vec arm = point - pivot_;
    return point + share * (turn_(arm) - arm);
  }

  const Bends& all_;
  Vec pivot_;
  std::span<const Vec> points_;
  Turn turn_;
  std::vector<double> skin_share_, cloth_share_;
};

Bends::Bends(const Model& body, const RiggedSurface& rigged, const OuterSurface& outer, JointRows rows, unsigned threads)
    : body_(body), rigged_(rigged), outer_(outer), rows_(std::move(rows)), threads_(threads) {
  for (const std::vector<Vec>& bone : rigged.surface.bones) pivots_.push_back(bone.front());
  for (std::uint32_t joint = 0; joint < rigged.joints.size(); ++joint) {
    const std::vector<bool> moved = moved_by(body, rigged.joints, joint);
    const bool bends = std::ranges::any_of(rows_, [&](const JointRow& row) {
      const double share = share_of(row, moved);
      return share > rigid && share < 1 - rigid;
    });
    if (bends) bending_.push_back(joint);
  }
}

template <class Choose, class Height>
void Bends::lower(std::span<const Vec> points, const Choose& choose, const Height& height, std::span<double> heights) const {
  std::mutex guard;
  parallel_for(bending_.size(), 1, threads_, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Bent bent(*this, bending_[i], points);
      std::vector<std::pair<std::size_t, double>> chosen;
      for (std::size_t place = 0; place < heights.size(); ++place) {
        const auto [least, most] = choose(bent, place);
        if (most > rigid && least < 1 - rigid) chosen.emplace_back(place, std::numeric_limits<double>::infinity());
      }
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (const double sign : {-1.0, 1.0}) {
          bent.bend({axis, sign * same_everywhere(std::sin(bend_angle)), same_everywhere(std::cos(bend_angle))});
          for (auto& [place, least] : chosen)
            if (const std::optional<double> now = height(bent, place)) least = std::min(least, *now);
        }
      const std::scoped_lock lock(guard);
      for (const auto& [place, least] : chosen)
        if (least < heights[place]) heights[place] = least;
    }
  });
}

void Bends::lower_heights(std::span<const Vec> points, std::span<const OuterSurface::Place> places, std::span<double> heights) const {
  const auto choose = [&](const Bent& bent, std::size_t i) {
    const Triangle& t = places[i].corners;
    return one_limb(bent.cloth_share(i), {bent.skin_share(t[0]), bent.skin_share(t[1]), bent.skin_share(t[2])});
  };
  const auto height = [&](const Bent& bent, std::size_t i) -> std::optional<double> {
    const OuterSurface::Place& place = places[i];
    const auto normal = bent.normal(place.corners, place.normal, bent.cloth_share(i));
    if (!normal) return std::nullopt;
    Vec way = bent.cloth(i);
    for (std::size_t k = 0; k < 3; ++k) way = way - place.nearest.share[k] * bent.skin(place.corners[k]);
    return dot(way, *normal);
  };
  lower(points, choose, height, heights);
}

void Bends::lower_above(std::span<const Vec> points, std::span<const Triangle> triangles, std::span<const std::optional<Nearest>> over,
                        std::span<double> above) const {
  std::vector<std::uint32_t> triangle_of(outer_.points().size(), 0);
  for (std::uint32_t t = 0; t < outer_.triangles().size(); ++t)
    for (const std::uint32_t corner : outer_.triangles()[t]) triangle_of[corner] = t;
  const auto choose = [&](const Bent& bent, std::size_t point) {
    if (!over[point]) return std::pair(0.0, 0.0);
    const Triangle& t = triangles[over[point]->triangle];
    return one_limb(bent.skin_share(point), {bent.cloth_share(t[0]), bent.cloth_share(t[1]), bent.cloth_share(t[2])});
  };
  const auto height = [&](const Bent& bent, std::size_t point) -> std::optional<double> {
    const auto normal = bent.normal(outer_.triangles()[triangle_of[point]], outer_.normal(point), bent.skin_share(point));
    if (!normal) return std::nullopt;
    Vec way = -1.0 * bent.skin(point);
    for (std::size_t k = 0; k < 3; ++k) way = way + over[point]->share[k] * bent.cloth(triangles[over[point]->triangle][k]);
    return dot(way, *normal);
  };
  lower(points, choose, height, above);
}

}  // namespace sinew::operations::weights

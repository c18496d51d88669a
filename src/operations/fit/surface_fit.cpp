// SPDX-License-Identifier: MIT
#include "operations/fit/surface_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "base/parallel.hpp"
#include "operations/fit/bends.hpp"
#include "operations/fit/girth.hpp"
#include "operations/fit/lowering.hpp"
#include "operations/fit/riders.hpp"
#include "operations/fit/shape_fit.hpp"
#include "operations/fit/soles.hpp"
#include "operations/fit/surface_map.hpp"
#include "operations/fit/surfaces.hpp"

namespace sinew::operations::weights {

namespace {

// Relative to the diagonal of the body.
constexpr double clearance = 0.003;        ///< of clothes above the skin: 5 mm on a person
constexpr double reach = 0.06;             ///< points deeper than this are no cloth over this place
constexpr double rigid_reach = 0.15;       ///< of parts without a skin: the crown of a hat
constexpr double fade = 0.05;              ///< layers above the surface move along, less and less up to this height
constexpr double over = 0.03;              ///< how far the body may come out between vertices of the clothes
constexpr double riding_reach = 0.012;     ///< a belt, a button lies this near to the cloth below it
constexpr double close_over = 0.015;       ///< the figure: cloth that lies so close does not hang
constexpr double far_over = 0.025;         ///< the body, beyond the height over the figure: such cloth is far off
constexpr double steep = 2;                ///< cloth is over or below a point of the body up to this slope of the way to it
constexpr double bent_clearance = 0.0015;  ///< above skin that bends
constexpr double most_bent = 0.004;        ///< how far a bend lifts clothes in one round
constexpr std::size_t rounds = 12;
constexpr std::size_t whole_rounds = 8;  ///< of parts without a skin
constexpr double unmoved = 0.02;         ///< how much a point of such a part counts that need not move
constexpr std::size_t bent_rounds = 4;
constexpr std::size_t spreading = 8;      ///< steps in which a lift of the body's surface spreads
constexpr std::size_t smoothing = 6;      ///< steps that even out the moves of neighbours on the clothes
constexpr double hair_stretch = 1.3;      ///< of an edge of hair by lifting
constexpr double most_stretch = 2.6;      ///< of an edge of other clothes; beyond, the body (an ear) may come out
constexpr std::size_t yielding = 40;      ///< steps in which moves that stretch more shrink
constexpr std::size_t rings_at_hems = 4;  ///< of edges, in which bends lift less and less
constexpr std::size_t grain = 256;

/// Returns the points of edges that have one triangle.
std::vector<std::uint32_t> border_points(const std::vector<Triangle>& triangles) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const Triangle& t : triangles)
    for (std::size_t i = 0; i < 3; ++i) edges.push_back(std::minmax(t[i], t[(i + 1) % 3]));
  std::ranges::sort(edges);
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t next = i + 1;
    while (next < edges.size() && edges[next] == edges[i]) ++next;
    if (next == i + 1) out.insert(out.end(), {edges[i].first, edges[i].second});
    i = next;
  }
  return out;
}

/// Lifts clothes out of a body.
class Lifting {
 public:
  /// `allowed`: by point of the clothes, the limbs of the body that it lies on; no list: all.
  /// `least`: by point, the height relative to the diagonal that is enough; no list: the clearance.
  Lifting(const OuterSurface& body, const WeldedMesh& clothes, const AllowedJoints& allowed, unsigned threads,
          std::vector<double> least = {})
      : body_(body),
        allowed_(allowed),
        wanted_(std::move(least)),
        triangles_(clothes.triangles),
        neighbours_(Neighbours::create(clothes)),
        start_(clothes.points),
        points_(clothes.points),
        places_(points_.size()),
        threads_(threads) {
    find_places();
  }

  /// A part that keeps its form: its crown may lie deep inside, and only its outer side counts, not the lining and a closed underside.
  static Lifting of_rigid(const OuterSurface& body, const WeldedMesh& part, const AllowedJoints& allowed, unsigned threads) {
    Lifting out(body, part, allowed, threads);
    out.deepest_ = rigid_reach;
    out.outside_ = part.normals;
    return out;
  }

  [[nodiscard]] const std::vector<Vec>& points() const { return points_; }

  /// Returns how many points lie inside, and sets the depth of the deepest one.
  std::size_t inside(double& deepest) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const double height = places_[i].height / body_.diagonal();
      if (height >= std::min(0.0, wanted(i)) - 1e-6 || height < -deepest_ || faces_body(i)) continue;
      ++count;
      deepest = std::max(deepest, -height);
    }
    return count;
  }

  void run() {
    for (std::size_t round = 0; round < rounds && lift(nullptr); ++round) find_places();
  }

  /// Also lifts what the body comes through when a joint bends.
  void run(const Bends& bends) {
    for (std::size_t round = 0; round < bent_rounds && lift(&bends); ++round) find_places();
    run();
  }

  /// Takes back what stretches the clothes too much: a wing over an ear is worse than the ear.
  void yield(double most) {
    for (std::size_t step = 0; step < yielding; ++step) {
      std::vector<bool> stretched(points_.size());
      bool any = false;
      for (const Triangle& t : triangles_)
        for (std::size_t i = 0; i < 3; ++i) {
          const std::uint32_t a = t[i], b = t[(i + 1) % 3];
          if (norm(points_[a] - points_[b]) <= most * norm(start_[a] - start_[b]) + 1e-4 * body_.diagonal()) continue;
          stretched[a] = stretched[b] = any = true;
        }
      if (!any) break;
      for (std::size_t point = 0; point < points_.size(); ++point)
        if (stretched[point]) points_[point] = start_[point] + 0.85 * (points_[point] - start_[point]);
    }
    find_places();
  }

  /// Takes back what bends moved at hems, and less of it some rings away: a waistband that gapes is worse than skin in a bend.
  void keep_hems(const std::vector<Vec>& before_bends) {
    std::vector<std::size_t> ring(points_.size(), rings_at_hems);
    for (const std::uint32_t point : border_points(triangles_)) ring[point] = 0;
    for (std::size_t step = 1; step < rings_at_hems; ++step)
      for (std::size_t point = 0; point < ring.size(); ++point)
        for (const std::uint32_t other : neighbours_.of(point))
          if (ring[other] == step - 1 && ring[point] > step) ring[point] = step;
    for (std::size_t point = 0; point < points_.size(); ++point) {
      const double share = static_cast<double>(ring[point]) / static_cast<double>(rings_at_hems);
      points_[point] = before_bends[point] + share * (points_[point] - before_bends[point]);
    }
    find_places();
  }

  /// Takes back what came below the soles.
  void keep(const Stance& stance) {
    stance.keep(start_, points_);
    find_places();
  }

 private:
  void find_places() {
    parallel_for(points_.size(), grain, threads_, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) places_[i] = body_.place(points_[i], allowed_[i]);
    });
  }

  /// Returns whether something had to move.
  bool lift(const Bends* bends) {
    const double size = body_.diagonal();
    std::vector<double> lifts(body_.points().size()), heights;
    bool any = false;
    for (const OuterSurface::Place& place : places_) heights.push_back(place.height);
    std::vector<double> least = heights;
    if (bends != nullptr) bends->lower_heights(points_, places_, least);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const double missing = missing_height(heights[i], least[i], wanted(i));
      if (missing <= 1e-6 * size || heights[i] < -deepest_ * size || faces_body(i)) continue;
      any = true;
      for (const std::uint32_t corner : places_[i].corners) lifts[corner] = std::max(lifts[corner], missing);
    }
    any |= lift_over_corners(bends, lifts);
    if (!any) return false;
    spread(lifts);
    std::vector<Vec> moves(points_.size());
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const OuterSurface::Place& place = places_[i];
      if (place.height < -deepest_ * size) continue;
      double amount = 0;
      for (std::size_t k = 0; k < 3; ++k) amount += place.nearest.share[k] * lifts[place.corners[k]];
      const double above = (place.height - clearance * size) / (fade * size);
      moves[i] = (amount * std::clamp(1 - above, 0.0, 1.0)) * place.normal;
    }
    even_out(moves);
    for (std::size_t i = 0; i < moves.size(); ++i) points_[i] = points_[i] + moves[i];
    return true;
  }

  /// The body's points between the vertices of the clothes count, too: a coarse cloth must not cut through a round belly.
  bool lift_over_corners(const Bends* bends, std::vector<double>& lifts) const {
    const double size = body_.diagonal();
    const TriangleTree tree(points_, triangles_);
    const double most_over = deepest_ / reach * over * size, farthest = most_over * most_over;
    std::vector<double> heights(lifts.size(), size), enough(lifts.size(), clearance / 2);
    std::vector<std::optional<Nearest>> cloth(lifts.size());
    parallel_for(lifts.size(), grain, threads_, [&](std::size_t first, std::size_t last) {
      for (std::size_t point = first; point < last; ++point) {
        if (!body_.shows(point)) continue;
        const auto counts = [&](std::uint32_t triangle) {
          return std::ranges::any_of(triangles_[triangle], [&](std::uint32_t corner) {
            return body_.lies_on(point, allowed_[corner]) && (outside_.empty() || dot(outside_[corner], body_.normal(point)) > 0);
          });
        };
        const Nearest nearest = tree.nearest(body_.points()[point], TriangleTree::enough, counts, farthest);
        if (nearest.square > farthest) continue;
        Vec way = -1.0 * body_.points()[point];
        for (std::size_t i = 0; i < 3; ++i) way = way + nearest.share[i] * points_[triangles_[nearest.triangle][i]];
        const double above = dot(way, body_.normal(point)), aside = norm(way - above * body_.normal(point));
        const double most_aside = above < 0 ? steep * -above : above / steep;
        if (aside >= most_aside + 1e-6 * size) continue;  // beyond a hem
        const Triangle& t = triangles_[nearest.triangle];
        enough[point] = std::min({clearance / 2, wanted(t[0]), wanted(t[1]), wanted(t[2])});
        if (above < enough[point] * size && body_.comes_out(point, way)) continue;
        heights[point] = above;
        cloth[point] = nearest;
      }
    });
    std::vector<double> least = heights;
    if (bends != nullptr) bends->lower_above(points_, triangles_, cloth, least);
    bool any = false;
    for (std::size_t point = 0; point < lifts.size(); ++point) {
      const double missing = missing_height(heights[point], least[point], enough[point]);
      if (missing <= 1e-6 * size) continue;
      any = true;
      lifts[point] = std::max(lifts[point], missing);
    }
    return any;
  }

  [[nodiscard]] bool faces_body(std::size_t point) const { return !outside_.empty() && dot(outside_[point], places_[point].normal) <= 0; }
  [[nodiscard]] double wanted(std::size_t point) const { return wanted_.empty() ? clearance : wanted_[point]; }

  /// Returns how much higher a place must lie, by its height at rest and the least one in bends.
  [[nodiscard]] double missing_height(double rest, double bent, double wanted) const {
    const double size = body_.diagonal();
    return std::max(wanted * size - rest, std::min(std::min(bent_clearance, wanted) * size - bent, most_bent * size));
  }

  /// Lets the lifts fade over the neighbours, without lowering any.
  void spread(std::vector<double>& lifts) const {
    std::vector<double> next;
    for (std::size_t step = 0; step < spreading; ++step) {
      next = lifts;
      for (std::size_t point = 0; point < lifts.size(); ++point) {
        const auto around = body_.neighbours().of(point);
        double sum = lifts[point];
        for (const std::uint32_t other : around) sum += lifts[other];
        next[point] = std::max(lifts[point], sum / static_cast<double>(around.size() + 1));
      }
      lifts.swap(next);
    }
  }

  void even_out(std::vector<Vec>& moves) const {
    std::vector<Vec> next;
    for (std::size_t step = 0; step < smoothing; ++step) {
      next = moves;
      for (std::size_t point = 0; point < moves.size(); ++point)
        if (const auto mean = mean_around(neighbours_, point, [&](std::uint32_t other) { return &moves[other]; }))
          next[point] = 0.5 * (moves[point] + *mean);
      moves.swap(next);
    }
  }

  const OuterSurface& body_;
  double deepest_ = reach;
  std::vector<Vec> outside_;  ///< by point: the normal, if only the outer side counts
  const AllowedJoints& allowed_;
  std::vector<double> wanted_;
  const std::vector<Triangle>& triangles_;
  Neighbours neighbours_;
  std::vector<Vec> start_, points_;
  std::vector<OuterSurface::Place> places_;
  unsigned threads_;
};

/// Returns `direction` after the rotation that takes the unit vector `from` to `to`.
Vec turned_with(const Vec& direction, const Vec& from, const Vec& to) {
  const Vec axis = cross(from, to);
  const double c = dot(from, to);
  if (c < -0.999) return direction;
  return direction + cross(axis, direction) + 1 / (1 + c) * cross(axis, cross(axis, direction));
}

/// Stores new places of the vertices of a mesh; its normals and tangents turn from `before` to `after`.
void store(std::span<const Vec> moves, std::span<const Vec> before, std::span<const Vec> after, Mesh& mesh) {
  std::size_t first = 0;
  for (VertexBlock& block : mesh.blocks) {
    if (find_attribute(block.attributes, Semantic::position) == nullptr) continue;
    for (Attribute& attribute : block.attributes) {
      const bool place = attribute.semantic == Semantic::position;
      if (!place && attribute.semantic != Semantic::normal && attribute.semantic != Semantic::tangent) continue;
      std::vector<float> values = attribute.values.read<float>();
      const std::size_t width = attribute.values.width();
      for (std::size_t row = 0; row < block.vertices; ++row) {
        float* const at = &values[row * width];
        const Vec old{static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])};
        const Vec now = place ? old + moves[first + row] : turned_with(old, before[first + row], after[first + row]);
        for (std::size_t i = 0; i < 3; ++i) at[i] = static_cast<float>(now[i]);
      }
      attribute.values = Array::own(std::move(values), width);
    }
    first += block.vertices;
  }
}

/// Returns the height that a point needs over the body if the wearer shows where it lies. Roots may lie as deep as they come to lie.
double least_over(double height_over_wearer) {
  if (height_over_wearer <= 0) return -1;
  return height_over_wearer < clearance ? height_over_wearer / 2 : clearance;
}

/// follow_shape for the whole body. `least`: by point, the height above the wearer, relative to the diagonal, where that is less than the
/// clearance and known to be meant: a beard has roots. That is so on heads, hands and feet, and everywhere if the wearer wears the clothes.
/// `over`: by point, that height.
Result<bool> follow(const Model& body, const RiggedSurface& rigged, const OuterSurface& outer, std::span<const Index> twin,
                    const Wearer& wearer, unsigned threads, const Model& clothes, const WeldedMesh& points,
                    std::span<const std::uint8_t> around, RiggedSurface& surface, std::vector<double>& least, std::vector<double>& over) {
  auto theirs = RiggedSurface::of_figure(wearer.model, threads);
  if (!theirs) return Unexpected(std::move(theirs.error()));
  if (!wearer.dressed) {
    const OuterSurface own(wearer.model, *theirs);
    if (own.empty()) return false;
    lower_below_clothes(own, points, around, clearance, threads, *theirs);
  }
  const OuterSurface shape(wearer.model, *theirs);
  if (shape.empty()) return false;
  const auto mapped =
      follow_shape(figure_of_body(body, rigged, outer), {wearer.model, *theirs, shape, wearer.twin}, twin, clothes, threads, surface);
  if (!mapped) return false;
  std::vector<std::uint8_t> meant(points.points.size(), wearer.dressed ? 1 : 0);
  for (std::size_t vertex = 0; vertex < mapped->size(); ++vertex)
    if ((*mapped)[vertex]) meant[points.point_of[vertex]] = 1;
  least.assign(points.points.size(), clearance);
  over.resize(points.points.size());
  parallel_for(least.size(), grain, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      over[i] = shape.place(points.points[i], {}).height / shape.diagonal();
      if (meant[i] != 0) least[i] = least_over(over[i]);
    }
  });
  return true;
}

/// Stores the moves of the vertices of meshes, and turns their normals and tangents with their surface.
void store_moves(std::span<const Vec> stored, std::span<const Vec> moves, const std::vector<Triangle>& triangles,
                 std::span<const RiggedSurface::Part> parts, Model& clothes) {
  std::vector<Vec> moved;
  for (std::size_t vertex = 0; vertex < stored.size(); ++vertex) moved.push_back(stored[vertex] + moves[vertex]);
  const WeldedMesh before = WeldedMesh::create(stored, triangles), after = WeldedMesh::create(moved, triangles);
  std::vector<Vec> normals_before, normals_after;
  for (std::size_t vertex = 0; vertex < stored.size(); ++vertex) {
    normals_before.push_back(before.normals[before.point_of[vertex]]);
    normals_after.push_back(after.normals[after.point_of[vertex]]);
  }
  for (const RiggedSurface::Part& part : parts) {
    const auto of = [&](std::span<const Vec> all) { return all.subspan(part.first, part.last - part.first); };
    store(of(moves), of(normals_before), of(normals_after), clothes.meshes[part.mesh]);
  }
}

/// By point of clothes: whether it is fitted by itself, as hair, soles and what else lies on heads, hands and feet.
std::vector<std::uint8_t> alone(const RiggedSurface& clothes, const WeldedMesh& points, std::span<const std::uint8_t> around) {
  std::vector<std::uint8_t> out(around.size());
  std::ranges::transform(around, out.begin(), [](std::uint8_t limb) { return limb == 0 ? 1 : 0; });
  for (const RiggedSurface::Part& part : clothes.parts)
    if (part.hair)
      for (std::size_t vertex = part.first; vertex < part.last; ++vertex) out[points.point_of[vertex]] = 1;
  return out;
}

/// Returns the growth and the move that take a part nearest to where its points were lifted. Points that were not count little.
Stretch as_a_whole(std::span<const Vec> points, std::span<const Vec> lifted) {
  double most = 0;
  for (std::size_t i = 0; i < points.size(); ++i) most = std::max(most, norm(lifted[i] - points[i]));
  std::vector<double> share;
  for (std::size_t i = 0; i < points.size(); ++i) share.push_back(unmoved + norm(lifted[i] - points[i]) / most);
  Stretch out = even_stretch(points, lifted, share);
  out.factor.fill(std::max(1.0, out.factor[0]));
  return out;
}

/// Lifts a part out of the body as a whole: it grows and moves, and keeps its form.
void lift_whole(const OuterSurface& outer, const AllowedJoints& all, unsigned threads, WeldedMesh& part) {
  for (std::size_t round = 0; round < whole_rounds; ++round) {
    Lifting lifting = Lifting::of_rigid(outer, part, all, threads);
    lifting.run();
    if (lifting.points() == part.points) return;
    const Stretch whole = as_a_whole(part.points, lifting.points());
    for (Vec& point : part.points) point = whole.of(point);
  }
}

/// Lifts parts without a skin on bones of the body (a hat) out of the body.
Result<> lift_rigid(const OuterSurface& outer, std::span<const Index> twin, unsigned threads, Model& clothes, SurfaceFit& done) {
  const std::vector<Affine> world = need(world_transforms(clothes, clothes.rest_pose));
  const auto scene = DeformedScene::create(clothes, threads);
  if (!scene) return Unexpected(scene.error());
  std::vector<std::pair<Instance, SceneMesh>> meshes;  // the scene follows the model
  for (std::size_t i = 0; i < scene->list().size(); ++i) meshes.emplace_back(scene->list()[i], scene->mesh(i));
  for (const auto& [instance, mesh] : meshes) {
    const Index bone = matched_at_or_above(clothes, twin, instance.node);
    const auto back = inverse(world[instance.node]);
    if (bone == none || instance.skin != none || instance.copy != 0 || mesh.triangles.empty() || !back) continue;
    const WeldedMesh welded = WeldedMesh::create(mesh.vertices, mesh.triangles);
    const AllowedJoints all(welded.points.size());
    done.points += welded.points.size();
    done.inside_before += Lifting::of_rigid(outer, welded, all, threads).inside(done.deepest_before);
    WeldedMesh lifted = welded;
    lift_whole(outer, all, threads, lifted);
    done.inside += Lifting::of_rigid(outer, lifted, all, threads).inside(done.deepest);
    std::vector<Vec> stored = mesh.vertices, moves(stored.size());
    for (std::size_t vertex = 0; vertex < stored.size(); ++vertex) {
      const std::uint32_t point = welded.point_of[vertex];
      const Vec move = lifted.points[point] - welded.points[point];
      done.largest_move = std::max(done.largest_move, norm(move) / outer.diagonal());
      Vec to = stored[vertex] + move;
      back->apply(to, to);
      back->apply(stored[vertex], stored[vertex]);
      moves[vertex] = to - stored[vertex];
    }
    store_moves(stored, moves, mesh.triangles, std::array{RiggedSurface::Part{instance.mesh, 0, stored.size()}}, clothes);
  }
  return {};
}

}  // namespace

Result<SurfaceFit> fit_surface(const Model& body, const RiggedSurface& rigged, std::span<const Index> twin, std::span<const Vec> made,
                               const Wearer* wearer, const Stance& stance, unsigned threads, Model& clothes) {
  auto ours = RiggedSurface::create(clothes, threads);
  if (!ours) return Unexpected(std::move(ours.error()));
  SurfaceFit done;
  const OuterSurface outer(body, rigged);
  if (outer.empty()) return done;
  if (auto lifted = lift_rigid(outer, twin, threads, clothes, done); !lifted) return Unexpected(std::move(lifted.error()));
  if (ours->surface.triangles.empty()) return done;
  const std::vector<Vec> stored = ours->surface.vertices;
  const WeldedMesh before = WeldedMesh::create(stored, ours->surface.triangles);
  done.points += before.points.size();
  const std::vector<OwnWeights> replaced = weights_on_body_bones(clothes, twin);
  const AllowedJoints allowed = limbs_of(body, rigged, *ours, before, clothes, replaced);
  done.inside_before += Lifting(outer, before, allowed, threads).inside(done.deepest_before);
  const std::vector<std::uint8_t> around = around_limbs(body, twin, *ours, before);
  std::vector<double> least, over;
  if (wearer != nullptr) {
    auto followed = follow(body, rigged, outer, twin, *wearer, threads, clothes, before, around, *ours, least, over);
    if (!followed) return Unexpected(std::move(followed.error()));
    done.followed = *followed;
  }
  if (!done.followed) fit_girths(rigged, clothes, twin, clearance * outer.diagonal(), *ours);
  WeldedMesh now = before;
  for (std::size_t vertex = 0; vertex < stored.size(); ++vertex) now.points[now.point_of[vertex]] = ours->surface.vertices[vertex];
  const Stance feet = stance.welded(before.point_of, now.points.size());
  feet.put(now.points);
  const double most = done.followed && wearer->dressed ? hair_stretch : most_stretch;
  Lifting lifting(outer, now, allowed, threads, std::move(least));
  lifting.run();
  WeldedMesh lifted = now;
  lifted.points = lifting.points();
  lifting.run(Bends(body, rigged, outer, rows_on_body(rigged, *ours, lifted, allowed, clothes, twin, replaced, threads), threads));
  lifting.keep_hems(lifted.points);
  lifting.yield(most);
  lifting.keep(feet);
  done.inside += lifting.inside(done.deepest);
  std::vector<Vec> fitted = lifting.points();
  std::vector<Vec> made_points(fitted.size());
  for (std::size_t vertex = 0; vertex < made.size(); ++vertex) made_points[before.point_of[vertex]] = made[vertex];
  carry_riders(before, made_points, alone(*ours, before, around), riding_reach * outer.diagonal(), threads, fitted);
  for (std::size_t point = 0; point < over.size(); ++point) {
    if (over[point] > close_over) continue;
    ++done.close;
    const double height = outer.place(fitted[point], allowed[point]).height / outer.diagonal();
    if (height > std::max(over[point], 0.0) + far_over) ++done.far_off;
  }
  std::vector<Vec> moves(stored.size());
  for (std::size_t vertex = 0; vertex < stored.size(); ++vertex) {
    const std::uint32_t point = before.point_of[vertex];
    moves[vertex] = fitted[point] - before.points[point];
    done.largest_move = std::max(done.largest_move, norm(moves[vertex]) / outer.diagonal());
  }
  store_moves(stored, moves, ours->surface.triangles, ours->parts, clothes);
  return done;
}

}  // namespace sinew::operations::weights

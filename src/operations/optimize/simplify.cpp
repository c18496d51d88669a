// SPDX-License-Identifier: MIT
#include "operations/optimize/simplify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>
#include <span>
#include <utility>

#include "base/deadline.hpp"
#include "operations/weights/triangle_tree.hpp"

namespace sinew::operations {

namespace {

using weights::cross;
using weights::dot;
using weights::Nearest;
using weights::norm;
using weights::Triangle;
using weights::Vec;
using weights::operator-;
using weights::operator*;
using weights::operator+;

constexpr auto no_vertex = static_cast<std::uint32_t>(-1);
constexpr std::size_t most_star = 96;        ///< triangles of a point: all pairs of them are looked at
constexpr std::size_t most_affected = 1024;  ///< points that went and need another triangle, in one collapse

/// The sum of squared distances from planes, weighted: p ↦ pᵀ·A·p + 2·bᵀ·p + c.
struct Quadric {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0, x = 0, y = 0, z = 0, c = 0;

  /// Adds a plane through a point; `normal` has length 1.
  void add(const Vec& normal, const Vec& through, double weight) {
    const double d = -dot(normal, through);
    const auto& [i, j, k] = normal;
    xx += weight * i * i, xy += weight * i * j, xz += weight * i * k, yy += weight * j * j, yz += weight * j * k, zz += weight * k * k;
    x += weight * i * d, y += weight * j * d, z += weight * k * d, c += weight * d * d;
  }
  Quadric& operator+=(const Quadric& other) {
    xx += other.xx, xy += other.xy, xz += other.xz, yy += other.yy, yz += other.yz, zz += other.zz;
    x += other.x, y += other.y, z += other.z, c += other.c;
    return *this;
  }
  [[nodiscard]] double at(const Vec& p) const {
    const auto& [i, j, k] = p;
    return i * (xx * i + 2 * (xy * j + xz * k + x)) + j * (yy * j + 2 * (yz * k + y)) + k * (zz * k + 2 * z) + c;
  }
};

/// A collapse of the edge from `from` to `to`, which stays. Out of date if a stamp of an end has changed.
struct Collapse {
  double cost = 0;
  std::uint32_t from = 0, to = 0, stamps = 0;
  [[nodiscard]] bool operator<(const Collapse& other) const {  // the cheapest comes first
    return cost != other.cost ? cost > other.cost : std::pair(from, to) > std::pair(other.from, other.to);
  }
};

class Collapser {
 public:
  explicit Collapser(const SimplifyInput& input)
      : in_(input),
        poses_(input.poses),
        points_(input.places.size() / std::max<std::size_t>(1, input.poses)),
        triangles_(input.triangles),
        alive_(input.triangles.size(), true),
        star_(points_),
        attached_(input.triangles.size()),
        vertices_(points_),
        locked_(input.locked),
        stamp_(points_),
        slide_(points_),
        quadrics_(points_ * poses_) {}

  Simplified run() {
    locked_.resize(points_);
    for (std::uint32_t v = 0; v < in_.point.size(); ++v) vertices_[in_.point[v]].push_back(v);
    left_ = triangles_.size();
    drop_degenerate();
    lock_irregular();
    find_charts();
    measure_slides();
    add_planes();
    plant_trees();
    // What was refused may be allowed after others.
    for (std::size_t before = 2 * left_; left_ > in_.target && before - left_ > before / 500;) {
      before = left_;
      for (std::uint32_t p = 0; p < points_; ++p) push_edges_of(p, false);
      collapse_all();
      queue_ = {};
    }
    Simplified result;
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
      if (!alive_[t]) continue;
      result.kept.push_back(t);
      result.triangles.push_back(triangles_[t]);
    }
    return result;
  }

 private:
  /// The triangles of a surface before any collapse, of points.
  struct OldSurface {
    std::vector<Triangle> triangles;
    std::optional<weights::TriangleTree> tree;
  };

  [[nodiscard]] const Vec& place(std::uint32_t point, std::size_t pose) const { return in_.places[point * poses_ + pose]; }
  [[nodiscard]] std::uint32_t point(std::uint32_t triangle, std::size_t corner) const { return in_.point[triangles_[triangle][corner]]; }
  [[nodiscard]] std::size_t corner_of(std::uint32_t triangle, std::uint32_t p) const {
    for (std::size_t c = 0; c < 3; ++c)
      if (point(triangle, c) == p) return c;
    return 3;
  }
  [[nodiscard]] bool has(std::uint32_t triangle, std::uint32_t p) const { return corner_of(triangle, p) < 3; }

  /// Triangles with two corners at one point draw nothing in any pose.
  void drop_degenerate() {
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
      const std::uint32_t a = point(t, 0), b = point(t, 1), c = point(t, 2);
      if (a == b || b == c || c == a) {
        alive_[t] = false;
        --left_;
        continue;
      }
      for (const std::uint32_t p : {a, b, c}) star_[p].push_back(t);
    }
  }

  /// The points around a point, each with the number of triangles at its edge.
  struct Around {
    std::uint32_t point = 0;
    std::size_t triangles = 0;
  };
  [[nodiscard]] std::vector<Around> around(std::uint32_t p) const {
    std::vector<Around> found;
    for (const std::uint32_t t : star_[p])
      for (std::size_t c = 0; c < 3; ++c) {
        const std::uint32_t other = point(t, c);
        if (other == p) continue;
        const auto known = std::ranges::find(found, other, &Around::point);
        if (known == found.end())
          found.push_back({other, 1});
        else
          ++known->triangles;
      }
    return found;
  }

  /// Locks points whose triangles are not one fan: at edges of three triangles, and where two sheets meet in a point.
  void lock_irregular() {
    for (std::uint32_t p = 0; p < points_; ++p) {
      if (star_[p].size() > most_star) locked_[p] = true;
      if (star_[p].empty() || locked_[p]) continue;
      const std::vector<Around> ring = around(p);
      const auto ends = std::ranges::count(ring, std::size_t{1}, &Around::triangles);
      if (std::ranges::any_of(ring, [](const Around& one) { return one.triangles > 2; }) || ends > 2 || reached(p) != star_[p].size())
        locked_[p] = true;
    }
  }

  /// Returns the number of triangles of a point that are connected to its first one.
  [[nodiscard]] std::size_t reached(std::uint32_t p) const {
    std::vector<std::uint32_t> rest = star_[p], todo{rest.back()};
    rest.pop_back();
    std::size_t count = 0;
    for (; !todo.empty(); ++count) {
      const std::uint32_t t = todo.back();
      todo.pop_back();
      for (std::size_t i = rest.size(); i-- > 0;) {
        bool joined = false;
        for (std::size_t c = 0; c < 3; ++c) joined |= point(t, c) != p && has(rest[i], point(t, c));
        if (!joined) continue;
        todo.push_back(rest[i]);
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
    return count;
  }

  /// Vertices of a point and a surface that differ at most in their normals have one chart: its first vertex.
  void find_charts() {
    chart_.resize(in_.point.size());
    std::vector<std::uint32_t> surface(in_.point.size(), no_vertex);
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      for (const std::uint32_t v : triangles_[t]) surface[v] = in_.surface[t];
    for (std::uint32_t p = 0; p < points_; ++p) {
      if (vertices_[p].size() > most_star) locked_[p] = true;
      for (const std::uint32_t v : vertices_[p]) {
        chart_[v] = v;
        if (locked_[p] && vertices_[p].size() > most_star) continue;
        for (const std::uint32_t first : vertices_[p]) {
          const bool alike =
              in_.looks.empty() || (in_.looks[v].texcoord == in_.looks[first].texcoord && in_.looks[v].color == in_.looks[first].color);
          if (surface[v] != surface[first] || !alike) continue;
          chart_[v] = first;
          break;
        }
      }
    }
  }

  /// Trees over the old triangles of each surface, at rest.
  void plant_trees() {
    for (std::uint32_t p = 0; p < points_; ++p) rest_.push_back(place(p, 0));
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
      const std::uint32_t surface = in_.surface[t];
      if (surface >= old_.size()) old_.resize(surface + 1);
      old_[surface].triangles.push_back({point(t, 0), point(t, 1), point(t, 2)});
    }
    for (OldSurface& surface : old_) surface.tree.emplace(rest_, surface.triangles);
    old_star_ = star_;
  }

  /// Finds how far the texture coordinate of each point may slide.
  void measure_slides() {
    constexpr double always = 1.0 / 256;  // a few texels: many models take all of a part's colour from one place of a palette
    if (in_.looks.empty()) return;
    std::vector<double> world(points_), texture(points_);
    for (const Triangle& t : triangles_)
      for (std::size_t c = 0; c < 3; ++c) {
        const std::uint32_t a = t[c], b = t[(c + 1) % 3], p = in_.point[a], q = in_.point[b];
        const auto &from = in_.looks[a].texcoord, &to = in_.looks[b].texcoord;
        const double length = norm(place(p, 0) - place(q, 0)),
                     moved = std::hypot(static_cast<double>(from[0] - to[0]), static_cast<double>(from[1] - to[1]));
        for (const std::uint32_t end : {p, q}) world[end] += length, texture[end] += moved;
      }
    for (std::uint32_t p = 0; p < points_; ++p) slide_[p] = std::max(always, world[p] > 0 ? 4 * in_.limit * texture[p] / world[p] : 0);
  }

  /// Returns whether vertices or surfaces differ on both sides of an edge, or there is only one side.
  [[nodiscard]] bool is_border(std::uint32_t a, std::uint32_t b) const {
    if (star_[a].size() > star_[b].size()) std::swap(a, b);
    if (star_[a].size() > most_star) return true;
    std::optional<std::uint32_t> first;
    for (const std::uint32_t t : star_[a]) {
      if (!has(t, b)) continue;
      if (!first) {
        first = t;
        continue;
      }
      for (const std::uint32_t end : {a, b})
        if (chart_[triangles_[t][corner_of(t, end)]] != chart_[triangles_[*first][corner_of(*first, end)]]) return true;
      return in_.surface[t] != in_.surface[*first];
    }
    return true;
  }

  void add_planes() {
    constexpr double of_border = 4;
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
      if (!alive_[t]) continue;
      std::array<bool, 3> border{};
      for (std::size_t c = 0; c < 3; ++c) border[c] = is_border(point(t, c), point(t, (c + 1) % 3));
      for (std::size_t k = 0; k < poses_; ++k) {
        const Vec &a = place(point(t, 0), k), n = cross(place(point(t, 1), k) - a, place(point(t, 2), k) - a);
        const double area = norm(n);
        if (!(area > 0)) continue;
        const Vec normal = (1 / area) * n;
        for (std::size_t c = 0; c < 3; ++c) {
          const std::uint32_t p = point(t, c), q = point(t, (c + 1) % 3);
          quadrics_[p * poses_ + k].add(normal, a, area);
          if (!border[c]) continue;
          const Vec side = place(q, k) - place(p, k), out = cross(side, normal);
          const double length = norm(out);
          if (!(length > 0)) continue;
          for (const std::uint32_t end : {p, q})
            quadrics_[end * poses_ + k].add((1 / length) * out, place(p, k), of_border * length * length);
        }
      }
    }
  }

  [[nodiscard]] double cost(std::uint32_t from, std::uint32_t to) const {
    constexpr double of_length = 1e-6;  // of two collapses without an error, the shorter one
    double sum = 0;
    for (std::size_t k = 0; k < poses_; ++k) {
      const Vec& p = place(to, k);
      sum += quadrics_[from * poses_ + k].at(p) + quadrics_[to * poses_ + k].at(p);
    }
    const Vec side = place(to, 0) - place(from, 0);
    const double square = dot(side, side);
    return std::max(0.0, sum / static_cast<double>(poses_)) + of_length * square * square;
  }

  void push(std::uint32_t from, std::uint32_t to) {
    if (!locked_[from]) queue_.push({cost(from, to), from, to, stamp_[from] + stamp_[to]});
  }

  void push_edges_of(std::uint32_t p, bool both) {
    if (star_[p].size() > most_star) return;
    for (const Around& one : around(p)) {
      push(p, one.point);
      if (both) push(one.point, p);
    }
  }

  void collapse_all() {
    while (left_ > in_.target && !queue_.empty()) {
      ask_deadline();
      const Collapse next = queue_.top();
      queue_.pop();
      if (next.stamps != stamp_[next.from] + stamp_[next.to] || star_[next.from].empty()) continue;
      if (allowed(next.from, next.to)) collapse(next.from, next.to);
    }
  }

  /// Returns whether the edge may collapse; fills gone_, fan_, new_fan_, hosts_.
  bool allowed(std::uint32_t from, std::uint32_t to) {
    gone_.clear();
    fan_.clear();
    if (star_[to].size() > most_star) return false;
    for (const std::uint32_t t : star_[from]) (has(t, to) ? gone_ : fan_).push_back(t);
    if (gone_.empty() || gone_.size() > 2 || fan_.empty()) return false;
    return keeps_topology(from, to) && maps_vertices(from, to) && keeps_sides(from, to) && stays_near(from) && covers_nothing_new(to);
  }

  /// The link condition, and borders.
  [[nodiscard]] bool keeps_topology(std::uint32_t from, std::uint32_t to) const {
    const std::vector<Around> ring = around(from), other = around(to);
    const auto ends = std::ranges::count(ring, std::size_t{1}, &Around::triangles);
    if (ends != 0 && (ends != 2 || gone_.size() != 1)) return false;
    std::size_t common = 0;
    for (const Around& one : ring) common += std::ranges::find(other, one.point, &Around::point) != other.end() ? 1 : 0;
    if (common != gone_.size()) return false;
    for (const std::uint32_t t : fan_) {  // such a triangle exists already
      const std::size_t c = corner_of(t, from);
      const std::uint32_t a = point(t, (c + 1) % 3), b = point(t, (c + 2) % 3);
      for (const std::uint32_t known : star_[to])
        if (has(known, a) && has(known, b)) return false;
    }
    return true;
  }

  /// Finds the vertex of `to` that replaces each vertex of `from`: the one on the same side of the edge.
  bool maps_vertices(std::uint32_t from, std::uint32_t to) {
    struct Map {
      std::uint32_t surface, from, to;
    };
    std::array<Map, 2> maps{};
    std::size_t count = 0;
    for (const std::uint32_t t : gone_) {
      const Map map{in_.surface[t], chart_[triangles_[t][corner_of(t, from)]], chart_[triangles_[t][corner_of(t, to)]]};
      for (std::size_t i = 0; i < count; ++i)
        if (maps[i].from == map.from && maps[i].surface == map.surface && maps[i].to != map.to) return false;
      maps[count++] = map;
    }
    new_fan_.clear();
    for (const std::uint32_t t : fan_) {
      const std::size_t c = corner_of(t, from);
      std::uint32_t now = no_vertex;
      for (std::size_t i = 0; i < count; ++i)
        if (maps[i].from == chart_[triangles_[t][c]] && maps[i].surface == in_.surface[t]) now = maps[i].to;
      if (now != no_vertex) now = with_normal(to, now, triangles_[t][c]);
      if (now == no_vertex) return false;
      Triangle changed = triangles_[t];
      changed[c] = now;
      new_fan_.push_back(changed);
    }
    return true;
  }

  /// Returns the vertex of a point and a chart whose normal is nearest to that of another vertex; none if it turns too far.
  [[nodiscard]] std::uint32_t with_normal(std::uint32_t p, std::uint32_t chart, std::uint32_t old) const {
    constexpr float least_cosine = 0;
    if (in_.looks.empty()) return chart;
    const auto product = [&](std::uint32_t a, std::uint32_t b) {
      const auto &x = in_.looks[a].normal, &y = in_.looks[b].normal;
      return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    };
    const float length = std::sqrt(product(old, old));
    if (!(length > 0)) return chart;
    std::uint32_t best = no_vertex;
    float most = least_cosine * length;
    for (const std::uint32_t v : vertices_[p]) {
      if (chart_[v] != chart) continue;
      const float own = std::sqrt(product(v, v)), cosine = own > 0 ? product(v, old) / own : length;
      if (cosine < most || (best != no_vertex && cosine <= most)) continue;
      best = v;
      most = cosine;
    }
    return best;
  }

  /// No triangle turns over or becomes a sliver, in any pose.
  [[nodiscard]] bool keeps_sides(std::uint32_t from, std::uint32_t to) const {
    constexpr double least = 0.2, thin = 1e-3;
    for (const std::uint32_t t : fan_) {
      const std::size_t c = corner_of(t, from);
      const std::uint32_t a = point(t, (c + 1) % 3), b = point(t, (c + 2) % 3);
      for (std::size_t k = 0; k < poses_; ++k) {
        const Vec &p = place(a, k), &q = place(b, k), &old = place(from, k), &now = place(to, k);
        const Vec before = cross(p - old, q - old), after = cross(p - now, q - now);
        const double area_before = norm(before), area_after = norm(after);
        const auto longest = [&](const Vec& third) {
          return std::max({dot(p - q, p - q), dot(p - third, p - third), dot(q - third, q - third)});
        };
        if (area_after < thin * longest(now) && area_after / longest(now) < area_before / std::max(longest(old), 1e-300)) return false;
        if (dot(before, after) < (k == 0 ? least : 0.0) * area_before * area_after) return false;
      }
    }
    return true;
  }

  [[nodiscard]] std::array<Vec, 3> corners_of(const Triangle& vertices, std::size_t pose) const {
    return {place(in_.point[vertices[0]], pose), place(in_.point[vertices[1]], pose), place(in_.point[vertices[2]], pose)};
  }

  /// The point and all that collapsed before stay near the new triangles. Remembers the nearest one of each.
  bool stays_near(std::uint32_t from) {
    affected_.assign(1, from);
    for (const std::uint32_t t : star_[from]) affected_.insert(affected_.end(), attached_[t].begin(), attached_[t].end());
    if (affected_.size() > most_affected) return false;
    hosts_.clear();
    const double most = in_.limit * in_.limit;
    for (const std::uint32_t p : affected_) {
      std::size_t host = 0;
      Nearest best;
      for (std::size_t j = 0; j < new_fan_.size(); ++j)
        if (const Nearest one = weights::nearest_in(corners_of(new_fan_[j], 0), place(p, 0)); one.square < best.square)
          best = one, host = j;
      if (!(best.square <= most) || !looks_alike(p, new_fan_[host], best.share)) return false;
      for (std::size_t k = 1; k < poses_; ++k)
        if (!near_in_pose(p, k, host, most)) return false;
      hosts_.push_back(host);
    }
    return true;
  }

  /// The middles of the new triangles and of their new edges are near the old surface.
  [[nodiscard]] bool covers_nothing_new(std::uint32_t to) const {
    for (std::size_t j = 0; j < new_fan_.size(); ++j) {
      const OldSurface& old = old_[in_.surface[fan_[j]]];
      std::array<std::uint32_t, 3> p{};
      for (std::size_t c = 0; c < 3; ++c) p[c] = in_.point[new_fan_[j][c]];
      constexpr double third = 1.0 / 3, half = 0.5;
      if (!near_old(old, p, {third, third, third})) return false;
      for (std::size_t c = 0; c < 3; ++c) {
        std::array<double, 3> share{half, half, half};
        share[c] = 0;
        if (p[c] != to && !near_old(old, p, share)) return false;
      }
    }
    return true;
  }

  /// Returns whether a point of a new triangle is near an old one, in every pose: the nearest one at rest, or one beside it.
  [[nodiscard]] bool near_old(const OldSurface& old, const std::array<std::uint32_t, 3>& p, const std::array<double, 3>& share) const {
    const double most = in_.limit * in_.limit;
    const auto in_pose = [&](std::size_t k) {
      Vec at{};
      for (std::size_t c = 0; c < 3; ++c) at = at + share[c] * place(p[c], k);
      return at;
    };
    const Nearest nearest = old.tree->nearest(in_pose(0), weights::TriangleTree::enough);
    if (!(nearest.square <= most)) return false;
    const Triangle& host = old.triangles[nearest.triangle];
    const auto distance = [&](const Triangle& of, std::size_t k, const Vec& at) {
      return weights::nearest_in({place(of[0], k), place(of[1], k), place(of[2], k)}, at).square;
    };
    for (std::size_t k = 1; k < poses_; ++k) {
      const Vec at = in_pose(k);
      if (distance(host, k, at) <= most) continue;
      bool found = false;
      for (std::size_t c = 0; c < 3 && !found; ++c)
        for (const std::uint32_t beside : old_star_[host[c]]) {
          const Triangle& t = in_.triangles[beside];
          found = found || distance({in_.point[t[0]], in_.point[t[1]], in_.point[t[2]]}, k, at) <= most;
        }
      if (!found) return false;
    }
    return true;
  }

  [[nodiscard]] bool near_in_pose(std::uint32_t p, std::size_t pose, std::size_t host, double most) const {
    const Vec& at = place(p, pose);
    if (weights::nearest_in(corners_of(new_fan_[host], pose), at).square <= most) return true;
    return std::ranges::any_of(new_fan_,
                               [&](const Triangle& one) { return weights::nearest_in(corners_of(one, pose), at).square <= most; });
  }

  /// Returns whether one of the old vertices of a point looks like the place that is now nearest.
  [[nodiscard]] bool looks_alike(std::uint32_t p, const Triangle& host, const std::array<double, 3>& share) const {
    constexpr double least_cosine = 0.5, most_color = 0.1;
    if (in_.looks.empty()) return true;
    const auto mixed = [&](auto part) {
      auto sum = in_.looks[host[0]].*part;
      for (std::size_t i = 0; i < sum.size(); ++i) {
        double value = 0;
        for (std::size_t c = 0; c < 3; ++c) value += share[c] * static_cast<double>((in_.looks[host[c]].*part)[i]);
        sum[i] = static_cast<float>(value);
      }
      return sum;
    };
    const auto normal = mixed(&SimplifyInput::Look::normal);
    const auto texcoord = mixed(&SimplifyInput::Look::texcoord);
    const auto color = mixed(&SimplifyInput::Look::color);
    const auto length = [](const std::array<float, 3>& n) { return std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]); };
    return std::ranges::any_of(vertices_[p], [&](std::uint32_t v) {
      const SimplifyInput::Look& look = in_.looks[v];
      const float along = normal[0] * look.normal[0] + normal[1] * look.normal[1] + normal[2] * look.normal[2];
      if (along < static_cast<float>(least_cosine) * length(normal) * length(look.normal)) return false;
      if (std::hypot(static_cast<double>(texcoord[0] - look.texcoord[0]), static_cast<double>(texcoord[1] - look.texcoord[1])) > slide_[p])
        return false;
      for (std::size_t i = 0; i < color.size(); ++i)
        if (std::abs(static_cast<double>(color[i] - look.color[i])) > most_color) return false;
      return true;
    });
  }

  void collapse(std::uint32_t from, std::uint32_t to) {
    for (const std::uint32_t t : gone_) {
      alive_[t] = false;
      --left_;
      attached_[t].clear();
      for (std::size_t c = 0; c < 3; ++c)
        if (point(t, c) != from) std::erase(star_[point(t, c)], t);
    }
    for (std::size_t j = 0; j < fan_.size(); ++j) {
      triangles_[fan_[j]] = new_fan_[j];
      attached_[fan_[j]].clear();
      star_[to].push_back(fan_[j]);
    }
    for (std::size_t i = 0; i < affected_.size(); ++i) attached_[fan_[hosts_[i]]].push_back(affected_[i]);
    star_[from].clear();
    for (std::size_t k = 0; k < poses_; ++k) quadrics_[to * poses_ + k] += quadrics_[from * poses_ + k];
    ++stamp_[from];
    ++stamp_[to];
    push_edges_of(to, true);
  }

  const SimplifyInput& in_;
  std::vector<Vec> rest_;  ///< places of the points at rest
  std::vector<OldSurface> old_;
  std::vector<std::vector<std::uint32_t>> old_star_;
  std::vector<std::uint32_t> chart_;  ///< of each vertex
  std::size_t poses_, points_, left_ = 0;
  std::vector<Triangle> triangles_;
  std::vector<bool> alive_;
  std::vector<std::vector<std::uint32_t>> star_;      ///< of each point: its triangles
  std::vector<std::vector<std::uint32_t>> attached_;  ///< to each triangle: the points that went, near it
  std::vector<std::vector<std::uint32_t>> vertices_;  ///< of each point
  std::vector<bool> locked_;
  std::vector<std::uint32_t> stamp_;
  std::vector<double> slide_;  ///< of each point: how far a texture coordinate may be from its own
  std::vector<Quadric> quadrics_;
  std::priority_queue<Collapse> queue_;
  // Of the collapse that is being tried: triangles that go and that stay, those with their new vertices, points that need a new triangle,
  // and which one they get.
  std::vector<std::uint32_t> gone_, fan_, affected_;
  std::vector<Triangle> new_fan_;
  std::vector<std::size_t> hosts_;
};

}  // namespace

Simplified simplify(const SimplifyInput& input) { return Collapser(input).run(); }

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
// Weights that look wrong without a pose: islands, vertices without weights, and parts that stay behind.
#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/deadline.hpp"
#include "base/disjoint_sets.hpp"
#include "math/row_tree.hpp"
#include "operations/flex/checks.hpp"

namespace sinew::operations::bend {

namespace {

constexpr double least_of_group = 0.05, most_of_ring = 0.01, least_of_island = 0.1;
constexpr std::size_t most_of_island = 3;
constexpr Number least_of_part = 20;

double apart(const Figure& figure, Number a, Number b) {
  double squares = 0;
  for (std::size_t i = 0; i < figure.n; ++i) squares += std::pow(figure.place(a)[i] - figure.place(b)[i], 2);
  return std::sqrt(squares);
}

/// The places with a weight for one joint.
class Groups {
 public:
  explicit Groups(const Figure& figure) : f_(figure), weight_(figure.places()), group_(figure.places(), nothing) {}

  void check(Number joint, std::span<const Number> followers, std::vector<Island>& out) {
    std::vector<Number> places;
    for (const Number twin : followers) {
      const Number place = f_.place_of[twin];
      if (weight_[place] == 0) places.push_back(place);
      weight_[place] = std::max({weight_[place], f_.weight_of(twin, joint), 1e-300});
    }
    std::vector<std::vector<Number>> groups;
    for (const Number place : places) {
      if (weight_[place] < least_of_group || group_[place] != nothing) continue;
      std::vector<Number>& group = groups.emplace_back();
      group.push_back(place);
      group_[place] = 0;
      for (std::size_t i = 0; i < group.size(); ++i)
        for_each_neighbour(group[i], [&](Number other) {
          if (weight_[other] < least_of_group || group_[other] != nothing) return;
          group_[other] = 0;
          group.push_back(other);
        });
    }
    if (groups.size() > 1) {
      const auto main = std::ranges::max_element(groups, {}, [](const std::vector<Number>& group) { return group.size(); });
      for (const std::vector<Number>& group : groups)
        if (&group != &*main && group.size() < main->size()) check_island(joint, group, *main, out);
    }
    for (const Number place : places) {
      weight_[place] = 0;
      group_[place] = nothing;
    }
  }

 private:
  template <class Use>
  void for_each_neighbour(Number place, const Use& use) const {
    for (const Number twin : f_.twins_of[place])
      for (const Number other : f_.next[twin]) use(f_.place_of[other]);
  }
  [[nodiscard]] Number twin(Number place) const { return f_.twins_of[place].front(); }

  void check_island(Number joint, const std::vector<Number>& group, const std::vector<Number>& main, std::vector<Island>& out) const {
    if (group.size() > most_of_island || f_.part_places[f_.part_of[group.front()]] < least_of_part) return;
    double largest = 0, ring_distance = 0;
    std::vector<Number> ring;
    for (const Number place : group) {
      largest = std::max(largest, weight_[place]);
      bool clean = true;
      for_each_neighbour(place, [&](Number other) {
        if (std::ranges::find(group, other) != group.end()) return;
        clean &= weight_[other] <= most_of_ring;
        if (std::ranges::find(ring, other) == ring.end()) {
          ring.push_back(other);
          ring_distance += apart(f_, twin(place), twin(other));
        }
      });
      if (!clean) return;
    }
    if (largest < least_of_island || ring.empty()) return;
    ring_distance /= static_cast<double>(ring.size());
    double nearest = std::numeric_limits<double>::infinity();
    for (const Number place : group)
      for (const Number other : main) nearest = std::min(nearest, apart(f_, twin(place), twin(other)));
    if (nearest > 2 * ring_distance) out.push_back({joint, largest, group, std::move(ring)});
  }

  const Figure& f_;
  std::vector<double> weight_;
  std::vector<Number> group_;
};

/// Returns the topmost joint above a joint.
Number top_of(const Figure& figure, Number joint) {
  Number top = joint;
  for (Number j = joint; j != nothing; j = figure.joints[j].parent)
    if (figure.joints[j].of_skin) top = j;
  return top;
}

/// Pieces of surface that follow only the topmost joint. They are connected by sides of simplexes: a button that shares one corner with a
/// shirt is a piece of its own.
class Lone {
 public:
  explicit Lone(const Figure& figure) : f_(figure), is_lone_(figure.twins()), of_(figure.count(), nothing) {
    for (Number t = 0; t < f_.twins(); ++t) {
      const Number top = top_of(f_, f_.strongest[t]);
      is_lone_[t] = f_.joints[top].of_skin && f_.weight_of(t, top) >= 0.99;
    }
    join();
  }

  struct Sheet {
    Number joint = 0;
    std::vector<Number> twins;
    std::size_t places = 0;
  };
  [[nodiscard]] const std::vector<Sheet>& sheets() const { return sheets_; }
  /// Returns whether a simplex belongs to one of them.
  [[nodiscard]] bool has(Number simplex) const { return of_[simplex] != nothing; }

 private:
  [[nodiscard]] bool all_lone(Number simplex) const {
    const std::span<const Number> corners = f_.simplex(simplex);
    return std::ranges::all_of(corners, [&](Number t) { return is_lone_[t] && f_.strongest[t] == f_.strongest[corners[0]]; });
  }

  void join() {
    std::vector<char> touched(f_.places());
    for (Number s = 0; s < f_.count(); ++s)
      if (all_lone(s))
        for (const Number t : f_.simplex(s)) touched[f_.place_of[t]] = 1;
    const std::size_t width = f_.corners - 1;
    std::vector<Number> places, simplex_of;  // of sides
    std::vector<Number> side(f_.corners);
    for (Number s = 0; s < f_.count(); ++s)
      for (std::size_t without = 0; without < f_.corners; ++without) {
        side.clear();
        for (std::size_t i = 0; i < f_.corners; ++i)
          if (i != without) side.push_back(f_.place_of[f_.simplex(s)[i]]);
        if (!std::ranges::all_of(side, [&](Number place) { return touched[place] != 0; })) continue;
        std::ranges::sort(side);
        places.insert(places.end(), side.begin(), side.end());
        simplex_of.push_back(s);
      }
    const auto row = [&](std::size_t i) { return std::span(places).subspan(i * width, width); };
    std::vector<std::size_t> order(simplex_of.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      const auto compared = std::lexicographical_compare_three_way(row(a).begin(), row(a).end(), row(b).begin(), row(b).end());
      return compared != 0 ? compared < 0 : a < b;
    });
    DisjointSets sets(f_.count());
    for (std::size_t i = 1; i < order.size(); ++i)
      if (std::ranges::equal(row(order[i - 1]), row(order[i]))) sets.join(simplex_of[order[i - 1]], simplex_of[order[i]]);
    collect(sets);
  }

  void collect(DisjointSets& sets) {
    std::vector<char> mixed(f_.count());
    for (Number s = 0; s < f_.count(); ++s)
      if (const auto set = static_cast<Number>(sets.find(s));
          !all_lone(s) || f_.strongest[f_.simplex(s)[0]] != f_.strongest[f_.simplex(set)[0]])
        mixed[set] = 1;
    std::map<Number, Number> number;
    for (Number s = 0; s < f_.count(); ++s) {
      const auto set = static_cast<Number>(sets.find(s));
      if (mixed[set] != 0) continue;
      const auto [known, fresh] = number.try_emplace(set, static_cast<Number>(sheets_.size()));
      if (fresh) sheets_.push_back({top_of(f_, f_.strongest[f_.simplex(s)[0]]), {}, 0});
      of_[s] = known->second;
      for (const Number t : f_.simplex(s)) sheets_[known->second].twins.push_back(t);
    }
    for (Sheet& sheet : sheets_) {
      std::ranges::sort(sheet.twins);
      sheet.twins.erase(std::unique(sheet.twins.begin(), sheet.twins.end()), sheet.twins.end());
      std::vector<Number> places;
      for (const Number t : sheet.twins) places.push_back(f_.place_of[t]);
      std::ranges::sort(places);
      sheet.places = static_cast<std::size_t>(std::unique(places.begin(), places.end()) - places.begin());
    }
  }

  const Figure& f_;
  std::vector<bool> is_lone_;  ///< by twin
  std::vector<Number> of_;     ///< by simplex: its sheet
  std::vector<Sheet> sheets_;
};

/// The surface next to a piece: vertices, and in the plane also the triangles between them.
class Beside {
 public:
  Beside(const Figure& figure, const Lone& lone)
      : f_(figure), twins_(twins_beside(figure, lone)), places_(places_of(figure, twins_)), tree_(places_, figure.n, unlimited_) {
    if (figure.n != 2) return;
    std::vector<Number> triangles;
    for (Number s = 0; s < figure.count(); ++s)
      if (!lone.has(s)) triangles.push_back(s);
    solid_.emplace(figure, nothing, pieces_of(figure, triangles), 3);
    solid_->fit(figure.at, fit_);
  }

  /// Returns the twins that are next to a place: one, or the corners of a triangle; empty: nothing is near.
  [[nodiscard]] std::vector<Number> next_to(Number twin) const {
    if (solid_) {
      const Solid::Near near = solid_->nearest(fit_, f_.at, vec_at(f_, f_.at, twin), limit::near);
      if (near.triangle == nothing) return {};
      const std::span<const Number> corners = f_.simplex(near.triangle);
      return {corners.begin(), corners.end()};
    }
    const std::uint32_t near = tree_.nearest(f_.place(twin), limit::near * limit::near).row;
    return near == tree_.nothing ? std::vector<Number>() : std::vector<Number>{twins_[near]};
  }

 private:
  static std::vector<Number> twins_beside(const Figure& figure, const Lone& lone) {
    std::vector<bool> own(figure.twins());
    for (const Lone::Sheet& sheet : lone.sheets())
      for (const Number t : sheet.twins) own[t] = true;
    std::vector<Number> out;
    for (Number t = 0; t < figure.twins(); ++t)
      if (!own[t]) out.push_back(t);
    return out;
  }

  static std::vector<double> places_of(const Figure& figure, std::span<const Number> twins) {
    std::vector<double> out;
    for (const Number t : twins) out.insert(out.end(), figure.place(t), figure.place(t) + figure.n);
    return out;
  }

  const Figure& f_;
  std::vector<Number> twins_;   ///< beside all pieces
  std::vector<double> places_;  ///< of these twins
  std::uint64_t unlimited_ = ~std::uint64_t{0};
  RowTree<double> tree_;
  std::optional<Solid> solid_;
  Solid::Fit fit_;
};

void find_left_behind(const Figure& figure, Findings& out) {
  const Lone lone(figure);
  if (lone.sheets().empty()) return;
  const Beside beside(figure, lone);
  std::map<Number, Found> by_joint;  // one finding for all pieces on a joint
  for (const Lone::Sheet& sheet : lone.sheets()) {
    if (sheet.places < 3 || 2 * sheet.places > figure.places()) continue;
    const auto is_of_larger = [&](Number t, Number body) {
      const Number part = figure.part_of[figure.place_of[body]];
      const std::size_t welded = part == figure.part_of[figure.place_of[t]] ? sheet.places : 0;
      return figure.part_places[part] > sheet.places + welded;
    };
    const bool left = std::ranges::all_of(sheet.twins, [&](Number t) {
      const std::vector<Number> next = beside.next_to(t);
      return !next.empty() && std::ranges::all_of(next, [&](Number body) {
        return is_of_larger(t, body) && figure.weight_of(body, sheet.joint) < 0.05 && top_of(figure, figure.strongest[body]) == sheet.joint;
      });
    });
    if (!left) continue;
    Found& found = by_joint[sheet.joint];
    found = {FlexKind::unbound,
             Severity::warning,
             sheet.joint,
             1,
             0.99,
             "weight",
             {},
             true,
             0,
             std::move(found.marks),
             "follow only the topmost joint, unlike the surface next to them"};
    for (const Number t : sheet.twins)
      for (const Number vertex : figure.members[t]) found.marks.push_back({1, vertex});
  }
  for (auto& [joint, found] : by_joint) out.offer(std::move(found));
}

}  // namespace

std::vector<Island> list_islands(const Figure& figure) {
  std::vector<Number> joint, twin;
  for (Number t = 0; t < figure.twins(); ++t)
    for (const Influence& i : figure.influences_of(t)) {
      joint.push_back(i.joint);
      twin.push_back(t);
    }
  const Lists lists = Lists::group(figure.joints.size(), joint);
  Groups groups(figure);
  std::vector<Number> followers;
  std::vector<Island> out;
  for (Number j = 0; j < figure.joints.size(); ++j) {
    followers.clear();
    for (const Number item : lists[j]) followers.push_back(twin[item]);
    groups.check(j, followers, out);
    ask_deadline();
  }
  return out;
}

void find_islands(const Figure& figure, Findings& out) {
  std::map<Number, Found> of_joint;
  for (const Island& island : list_islands(figure)) {
    Found& found =
        of_joint
            .try_emplace(island.joint,
                         Found{FlexKind::island, Severity::warning, island.joint, 0, least_of_island, "weight", {}, true, 0, {}, {}})
            .first->second;
    found.value = std::max(found.value, island.largest);
    for (const Number place : island.places)
      for (const Number twin : figure.twins_of[place])
        if (const double weight = figure.weight_of(twin, island.joint); weight >= least_of_group)
          for (const Number vertex : figure.members[twin]) found.marks.push_back({weight, vertex});
  }
  for (auto& [joint, found] : of_joint) out.offer(std::move(found));
}

void find_unbound(const Figure& figure, Findings& out) {
  const bool collapses = !figure.model->binds_by_stored_pose();  // to the origin; otherwise a vertex stays with the skeleton's node
  std::vector<bool> bound(figure.parts);
  for (Number v = 0; v < figure.vertices.size(); ++v)
    if (!figure.unlisted[v]) bound[figure.part_of[figure.place_of[figure.twin_of[v]]]] = true;
  Found found{FlexKind::unbound, collapses ? Severity::error : Severity::warning, nothing, 0, 0.01, "weight", {}, true, 0, {},
              "have no weights"};
  for (Number v = 0; v < figure.vertices.size(); ++v)
    if (figure.unlisted[v] && (collapses || bound[figure.part_of[figure.place_of[figure.twin_of[v]]]]))
      found.marks.push_back({1 - figure.weight_sum[v], v});
  if (!found.marks.empty()) out.offer(std::move(found));
  find_left_behind(figure, out);
}

}  // namespace sinew::operations::bend

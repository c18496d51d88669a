// SPDX-License-Identifier: MIT
// New weights for what FLEX_TEAR and FLEX_ISLAND find.
#include "operations/flex/mend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/disjoint_sets.hpp"
#include "operations/flex/checks.hpp"

namespace sinew::operations::bend {

namespace {

constexpr double least_common = 0.8;  // of the weights that both sides can store
constexpr double least_weight = 1e-4;
constexpr double least_kept = 0.5;  // of the weights besides stray ones
constexpr double blur = 0.05;       // differences of weights that say nothing about which side is right
constexpr double most_spread = 1;   // of the weights around an island, against their mean: half of the weight on other joints

using Weights = std::map<Number, double>;  // by joint

Weights weights_of(const Figure& figure, Number twin) {
  Weights out;
  for (const Influence& i : figure.influences_of(twin)) out[i.joint] += i.weight;
  return out;
}

void add(Weights& to, const Weights& from, double factor) {
  for (const auto& [joint, weight] : from) to[joint] += factor * weight;
}

/// Divides by the sum. Returns false if there is nothing.
bool normalize(Weights& weights) {
  double sum = 0;
  for (const auto& [joint, weight] : weights) sum += weight;
  if (!(sum > 0)) return false;
  for (auto& [joint, weight] : weights) weight /= sum;
  return true;
}

/// Returns the sum of the absolute differences: 2 if no joint is common.
double difference_of(Weights a, const Weights& b) {
  add(a, b, -1);
  double sum = 0;
  for (const auto& [joint, weight] : a) sum += std::abs(weight);
  return sum;
}

/// Collects new weights by vertex.
class Collector {
 public:
  Collector(const Figure& figure, std::size_t most) : f_(figure), most_(most == 0 ? std::numeric_limits<std::size_t>::max() : most) {}

  /// Gives some vertices the same weights, as far as each of them can store them: they keep to joints that all their skins have.
  bool give(const std::vector<Number>& vertices, Weights weights, Mends& out) {
    std::size_t room = most_;
    std::vector<std::map<Number, Number>> slots;  // by vertex: of each joint
    for (const Number vertex : vertices) {
      if (f_.unlisted[vertex]) return leave(vertices, "a vertex there has no weights", out);
      slots.push_back(slots_of(vertex));
      if (slots.back().empty()) return leave(vertices, "a vertex there belongs to a mesh without a skin", out);
      const Influences& stored = f_.model->meshes[f_.vertices[vertex].mesh].blocks[f_.vertices[vertex].primitive].influences;
      if (!stored.sets.empty()) room = std::min(room, 4 * stored.sets.size());
    }
    std::vector<std::pair<double, Number>> strongest;
    double common = 0, kept = 0;
    for (const auto& [joint, weight] : weights) {
      if (!(weight > least_weight) || !std::ranges::all_of(slots, [&](const auto& of) { return of.contains(joint); })) continue;
      strongest.emplace_back(-weight, joint);
      common += weight;
    }
    if (common < least_common) return leave(vertices, "the skin of one side lacks the joints of the other side", out);
    std::ranges::sort(strongest);
    if (strongest.size() > room) strongest.resize(room);
    for (const auto& [weight, joint] : strongest) kept -= weight;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      InfluenceRow row;
      for (const auto& [weight, joint] : strongest) row.push_back({slots[i].at(joint), -weight / kept});
      std::ranges::sort(row, is_stronger);
      rows_.try_emplace(key_of(vertices[i]), f_.vertices[vertices[i]],
                        std::move(row));  // of several instances of a mesh, the first decides
    }
    return true;
  }

  bool leave(const std::vector<Number>& vertices, std::string_view why, Mends& out) const {
    for (const Number vertex : vertices) out.left.push_back({f_.vertices[vertex], why});
    return false;
  }

  void finish(Mends& out) {
    for (auto& [key, row] : rows_) out.vertices.push_back({row.first, std::move(row.second)});
  }

 private:
  using Key = std::tuple<Index, Index, Index>;
  [[nodiscard]] Key key_of(Number vertex) const {
    const FlexVertex& at = f_.vertices[vertex];
    return {at.mesh, at.primitive, at.vertex};
  }

  /// Returns a slot for each joint that a vertex can follow; those that it follows already come first.
  [[nodiscard]] std::map<Number, Number> slots_of(Number vertex) const {
    const Body& body = f_.bodies[f_.body_of[vertex]];
    std::map<Number, Number> out;
    if (body.instance.skin == none) return out;
    for (const Influence& i : f_.influences_of(f_.twin_of[vertex]))
      if (const Carrier& carrier = f_.carriers[i.carrier]; carrier.instance == f_.body_of[vertex] && carrier.slot + 1 < body.carriers)
        out.try_emplace(i.joint, carrier.slot);
    const std::vector<Index>& nodes = f_.model->skins[body.instance.skin].slots;
    for (Number slot = 0; slot + 1 < body.carriers; ++slot)
      if (nodes[slot] != none) out.try_emplace(f_.carriers[body.first_carrier + slot].joint, slot);
    return out;
  }

  const Figure& f_;
  std::size_t most_;
  std::map<Key, std::pair<FlexVertex, InfluenceRow>> rows_;
};

/// The seams that tear: their pairs of twins, of whole seams.
std::vector<SeamPair> torn_pairs(const Figure& figure, const FlexReport& torn) {
  std::set<std::size_t> rows;
  for (const FlexFinding& finding : torn.findings)
    if (is_torn(finding)) rows.insert(finding.rows.begin(), finding.rows.end());
  if (rows.empty()) return {};
  std::vector<SeamPair> pairs = find_seams(figure);
  std::erase_if(pairs, [](const SeamPair& pair) { return pair.rigid; });
  std::vector<bool> of_seam(figure.twins());
  for (const SeamPair& pair : pairs) of_seam[pair.a] = of_seam[pair.b] = true;
  DisjointSets seams(figure.twins());
  for (const SeamPair& pair : pairs) {
    seams.join(pair.a, pair.b);
    for (const Number twin : {pair.a, pair.b})
      for (const Number other : figure.next[twin])
        if (of_seam[other]) seams.join(twin, other);
  }
  std::vector<bool> tears(figure.twins());
  for (Number vertex = 0; vertex < figure.vertices.size(); ++vertex)
    if (of_seam[figure.twin_of[vertex]] && rows.contains(figure.vertices[vertex].row)) tears[seams.find(figure.twin_of[vertex])] = true;
  std::erase_if(pairs, [&](const SeamPair& pair) { return !tears[seams.find(pair.a)]; });
  return pairs;
}

/// Returns the mean weights of the vertices around some twins of one place; of those on no seam, if there are any.
Weights around(const Figure& figure, const std::vector<Number>& twins, const std::vector<bool>& of_seam) {
  for (const bool any : {false, true}) {
    Weights mean;
    for (const Number twin : twins)
      for (const Number other : figure.next[twin])
        if (any || !of_seam[other]) add(mean, weights_of(figure, other), 1);
    if (normalize(mean)) return mean;
  }
  return {};
}

/// Returns the weights of the twins, each by how near it is to what surrounds them.
Weights joined(const Figure& figure, const std::vector<Number>& twins, const std::vector<bool>& of_seam) {
  const Weights right = around(figure, twins, of_seam);
  Weights out;
  for (const Number twin : twins) {
    const Weights own = weights_of(figure, twin);
    const double off = right.empty() ? 0 : difference_of(own, right);
    add(out, own, 1 / ((off + blur) * (off + blur)));
  }
  normalize(out);
  return out;
}

/// Returns whether weights are those of one joint and its parent: between these, a mean is what a smooth skin has.
bool of_neighbours(const Figure& figure, const Weights& weights) {
  std::vector<Number> joints;
  for (const auto& [joint, weight] : weights)
    if (weight > least_weight) joints.push_back(joint);
  return joints.size() == 2 && (figure.joints[joints[0]].parent == joints[1] || figure.joints[joints[1]].parent == joints[0]);
}

/// Returns the weights of the ring around an island by distance from one of its places, without stray ones; empty: they disagree.
Weights of_ring(const Figure& figure, const Island& island, Number place, const std::set<std::pair<Number, Number>>& stray) {
  Weights mean;
  std::vector<Weights> ring;
  for (const Number other : island.ring)
    for (const Number twin : figure.twins_of[other]) {
      Weights own = weights_of(figure, twin);
      std::erase_if(own, [&](const auto& one) { return one.first == island.joint || stray.contains({twin, one.first}); });
      if (!normalize(own)) continue;
      double squares = 0;
      for (std::size_t i = 0; i < figure.n; ++i)
        squares += std::pow(figure.place(twin)[i] - figure.place(figure.twins_of[place].front())[i], 2);
      add(mean, own, 1 / std::max(std::sqrt(squares), 1e-9));
      ring.push_back(std::move(own));
    }
  if (!normalize(mean)) return {};
  const bool agree = std::ranges::all_of(ring, [&](const Weights& own) { return difference_of(own, mean) <= most_spread; });
  return agree || of_neighbours(figure, mean) ? mean : Weights();
}

/// Returns the other weights of a vertex with stray ones, if these are most of it: they say what it follows where its neighbours disagree,
/// as on meshes of few vertices, whose rings reach from one joint to the next.
Weights without(const std::vector<const Island*>& strays, Weights weights) {
  for (const Island* const island : strays) weights.erase(island->joint);
  double sum = 0;
  for (const auto& [joint, weight] : weights) sum += weight;
  if (!(sum >= least_kept) || !normalize(weights)) return {};
  return weights;
}

}  // namespace

bool is_torn(const FlexFinding& finding) {
  return finding.kind == FlexKind::tear && finding.severity <= Severity::warning && finding.pose.kind != FlexPose::Kind::shape;
}

Result<Mends> mend_seams(const Model& model, const MendOptions& options, const FlexReport& torn) {
  auto figure = Figure::create(model, options.scene, options.threads);
  if (!figure) return Unexpected(std::move(figure.error()));
  Mends out;
  const std::vector<SeamPair> pairs = torn_pairs(*figure, torn);
  std::vector<bool> of_seam(figure->twins());
  DisjointSets together(figure->twins());
  for (const SeamPair& pair : pairs) {
    of_seam[pair.a] = of_seam[pair.b] = true;
    together.join(pair.a, pair.b);
  }
  std::map<std::size_t, std::vector<Number>> groups;
  for (Number twin = 0; twin < figure->twins(); ++twin)
    if (of_seam[twin]) groups[together.find(twin)].push_back(twin);
  Collector collector(*figure, options.max_influences);
  for (const auto& [first, twins] : groups) {
    std::vector<Number> vertices;
    for (const Number twin : twins) vertices.insert(vertices.end(), figure->members[twin].begin(), figure->members[twin].end());
    if (collector.give(vertices, joined(*figure, twins, of_seam), out)) ++out.places;
  }
  collector.finish(out);
  return out;
}

Result<Mends> mend_islands(const Model& model, const MendOptions& options) {
  auto figure = Figure::create(model, options.scene, options.threads);
  if (!figure) return Unexpected(std::move(figure.error()));
  const std::vector<Island> islands = list_islands(*figure);
  std::map<Number, std::vector<const Island*>> of_place;
  std::set<std::pair<Number, Number>> stray;  // twin and joint
  for (const Island& island : islands)
    for (const Number place : island.places) {
      of_place[place].push_back(&island);
      for (const Number twin : figure->twins_of[place]) stray.emplace(twin, island.joint);
    }
  Mends out;
  Collector collector(*figure, options.max_influences);
  std::map<Number, Mends::Stray> strays;
  for (const auto& [place, list] : of_place)
    for (const Number twin : figure->twins_of[place]) {
      Weights weights = weights_of(*figure, twin);
      const Weights before = weights;
      const std::vector<Number> vertices(figure->members[twin].begin(), figure->members[twin].end());
      const Weights kept = without(list, before);
      bool clear = true;
      for (const Island* const island : list) {
        Weights right = of_ring(*figure, *island, place, stray);
        if (right.empty()) right = kept;
        clear &= !right.empty();
        const double share = std::exchange(weights[island->joint], 0);
        add(weights, right, share);
      }
      if (!clear) {
        collector.leave(vertices, "most of a vertex is a stray weight, and its neighbours follow different joints", out);
        continue;
      }
      if (difference_of(weights, before) < least_weight || !collector.give(vertices, weights, out)) continue;
      for (const Island* const island : list) {
        const double share = figure->weight_of(twin, island->joint);
        if (!(share > 0)) continue;
        Mends::Stray& one = strays[island->joint];
        one.joint = figure->joints[island->joint].node;
        one.largest = std::max(one.largest, share);
      }
    }
  for (const auto& [joint, one] : strays) out.strays.push_back(one);
  collector.finish(out);
  return out;
}

}  // namespace sinew::operations::bend

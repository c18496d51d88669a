// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "base/message.hpp"
#include "operations/compare/comparer.hpp"

namespace sinew::operations {

namespace {

constexpr double slack = 1e-5;                 ///< relative to the diagonal: closer vertices have the same position
constexpr float weight_of_others = 1.0f / 64;  ///< of other poses than the rest pose in a search

/// Returns, for each row, the candidate with the smallest largest distance over all moments.
Candidates nearest_of(const Candidates& from, const std::vector<double>& furthest) {
  Candidates made;
  for (std::size_t row = 0; row + 1 < from.first.size(); ++row) {
    const auto begin = furthest.begin() + from.first[row], end = furthest.begin() + from.first[row + 1];
    if (begin != end) made.pairs.push_back(from.pairs[static_cast<std::size_t>(std::min_element(begin, end) - furthest.begin())]);
  }
  return made;
}

/// Returns the length of the longest side of the box around rows.
double extent(std::span<const float> rows, std::size_t width) {
  double longest = 0;
  for (std::size_t axis = 0; axis < width; ++axis) {
    float least = std::numeric_limits<float>::max(), most = -least;
    for (std::size_t k = axis; k < rows.size(); k += width) least = std::min(least, rows[k]), most = std::max(most, rows[k]);
    longest = std::max(longest, static_cast<double>(most) - static_cast<double>(least));
  }
  return longest;
}

std::vector<RowPair> unique_pairs(Candidates from) {
  std::ranges::sort(from.pairs);
  from.pairs.erase(std::unique(from.pairs.begin(), from.pairs.end()), from.pairs.end());
  return std::move(from.pairs);
}

/// Returns, for each row, the candidates whose largest distance is within `distance` of the smallest one. Empty `furthest`: all of them.
Candidates alike_of(const Candidates& from, const std::vector<double>& furthest, double distance) {
  if (furthest.empty()) return from;
  Candidates made;
  for (std::size_t row = 0; row + 1 < from.first.size(); ++row) {
    const auto begin = furthest.begin() + from.first[row], end = furthest.begin() + from.first[row + 1];
    for (auto at = begin; at != end; ++at)
      if (*at <= *std::min_element(begin, end) + distance)
        made.pairs.push_back(from.pairs[static_cast<std::size_t>(at - furthest.begin())]);
    made.first.push_back(static_cast<std::uint32_t>(made.pairs.size()));
  }
  return made;
}

/// Chooses one candidate for each of the first `rows` rows (those of A), using no row of B twice: the unused one with the smallest
/// distance. Returns nothing if a row has no unused candidate.
std::optional<std::vector<RowPair>> one_to_one(const Candidates& from, const std::vector<double>& furthest, std::size_t rows) {
  std::vector<RowPair> pairs;
  std::vector<bool> taken(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    std::optional<std::size_t> best;
    for (std::size_t i = from.first[row]; i < from.first[row + 1]; ++i)
      if (!taken[from.pairs[i].b] && (!best || furthest[i] < furthest[*best])) best = i;
    if (!best) return std::nullopt;
    taken[from.pairs[*best].b] = true;
    pairs.push_back(from.pairs[*best]);
  }
  return pairs;
}

/// Returns the candidates of rows that have several with different motions. `a`, `b`: the motion_classes of both meshes.
std::vector<std::size_t> undecided(const Candidates& from, const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<std::size_t> open;
  for (std::size_t row = 0; row + 1 < from.first.size(); ++row) {
    const std::size_t first = from.first[row], last = from.first[row + 1];
    bool alike = true;
    for (std::size_t k = first; k < last; ++k)
      alike &= a[from.pairs[k].a] == a[from.pairs[first].a] && b[from.pairs[k].b] == b[from.pairs[first].b];
    for (std::size_t k = first; !alike && k < last; ++k) open.push_back(k);
  }
  return open;
}

}  // namespace

void Comparer::pair_vertices() {
  for (std::size_t i = 0; i < work_.size(); ++i) {
    InstancePair& pair = result_.instances[i];
    work_[i].squares.assign(pair.parts.size(), 0);
    work_[i].located.assign(pair.parts.size(), 0);
    work_[i].apart.assign(pair.parts.size(), 0);
    if (pair_surfaces(i)) continue;
    if (!by_position(i))
      pair_in_order(i);
    else if ((pair.vertices_a == 0) == (pair.vertices_b == 0))
      pair.pairing = Pairing::position;
    else
      pair.why_not = "only one of the two has vertices";
  }
  pairing_ = true;
  if (!options_.match) find_permutations();
  match();
  pairing_ = false;
  for (std::size_t i = 0; i < work_.size(); ++i) set_apart(i);
}

bool Comparer::pair_known(std::size_t i) {
  InstancePair& pair = result_.instances[i];
  if (made_.known == nullptr || pair.b.mesh >= made_.known->size()) return false;
  const std::vector<std::uint32_t>& known = (*made_.known)[pair.b.mesh];
  if (known.empty() || known.size() != pair.vertices_a) return false;
  std::vector<RowPair> pairs;
  for (const std::uint32_t row : known) {
    if (row >= pair.vertices_b) return false;
    pairs.push_back({static_cast<std::uint32_t>(pairs.size()), row});
  }
  pair.pairing = pair.vertices_a == pair.vertices_b ? Pairing::permutation : Pairing::position;
  work_[i].candidates.pairs = std::move(pairs);
  work_[i].known = true;
  return true;
}

void Comparer::pair_in_order(std::size_t i) {
  if (pair_known(i)) return;
  InstancePair& pair = result_.instances[i];
  Work& work = work_[i];
  if (pair.vertices_a == pair.vertices_b) {
    pair.pairing = Pairing::index;
    work.candidates.pairs = pairs_by_index(pair.vertices_a);
  } else if (auto pairs = pairs_by_corners(a_.mesh(work.a), b_.mesh(work.b), a_.model().dimension)) {
    pair.pairing = Pairing::corners;
    work.candidates.pairs = std::move(*pairs);
  } else {
    pair.why_not = format_text("{} and {} vertices, and their surfaces have different corners; pairing by position may work",
                               pair.vertices_a, pair.vertices_b);
  }
}

bool Comparer::by_position(std::size_t i) const {
  const auto joined = [](const std::vector<Index>& nodes, Index node) { return std::ranges::find(nodes, node) != nodes.end(); };
  return options_.match || joined(joined_a_, result_.instances[i].a.node) || joined(joined_b_, result_.instances[i].b.node);
}

// Returns for each pair the first wanted one of the same two meshes, where a pairing of rows fits one as well as the other: both meshes
// have only one map, that of their node. Else the pair itself.
std::vector<std::size_t> Comparer::first_of_meshes(const std::vector<bool>& wanted) const {
  const auto rigid = [](const Side& side, std::size_t instance) {
    return side.instances()[instance].skin == none && side.mesh(instance).shapes.empty();
  };
  std::vector<std::size_t> first(work_.size());
  std::map<std::pair<Index, Index>, std::size_t> found;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    first[i] = i;
    if (!wanted[i] || !rigid(a_, work_[i].a) || !rigid(b_, work_[i].b)) continue;
    const std::pair meshes(a_.instances()[work_[i].a].mesh, b_.instances()[work_[i].b].mesh);
    first[i] = found.try_emplace(meshes, i).first->second;
  }
  return first;
}

// Takes the pairing of another pair with the same meshes if it pairs rows within `reach` here, too.
bool Comparer::take_pairing(std::size_t i, std::size_t from, double reach) {
  const Work& other = work_[from];
  if (!a_.rows(work_[i].a) || !b_.rows(work_[i].b) || !(distance_at_rest(i, other.candidates.pairs) <= reach)) return false;
  result_.instances[i].pairing = result_.instances[from].pairing;
  work_[i].candidates = other.candidates;
  work_[i].alike = other.alike;
  return true;
}

void Comparer::match() {
  std::vector<bool> wanted;
  for (std::size_t i = 0; i < work_.size(); ++i) wanted.push_back(by_position(i) && !is_by_surfaces(i));
  const std::vector<std::size_t> first = first_of_meshes(wanted);
  std::vector<bool> searched = wanted;
  for (std::size_t i = 0; i < work_.size(); ++i) searched[i] = wanted[i] && first[i] == i;
  match(searched);
  pose_at(moments_.front());
  for (std::size_t i = 0; i < work_.size(); ++i)
    searched[i] = wanted[i] && first[i] != i && !take_pairing(i, first[i], slack * weight_of_others * result_.diagonal);
  match(searched);
}

void Comparer::match(const std::vector<bool>& wanted) {
  if (std::ranges::none_of(wanted, std::identity())) return;
  find_candidates(wanted, false);
  const std::vector<std::vector<double>> furthest = measure_candidates(wanted);
  for (std::size_t i = 0; i < work_.size(); ++i) {
    if (!wanted[i]) continue;
    if (options_.attributes) work_[i].alike = alike_of(work_[i].candidates, furthest[i], slack * result_.diagonal);
    if (!furthest[i].empty()) work_[i].candidates = nearest_of(work_[i].candidates, furthest[i]);
    work_[i].candidates.pairs = unique_pairs(std::exchange(work_[i].candidates, {}));
  }
}

// Detects meshes whose vertices or corners were reordered: another order makes distances much smaller. If vertices were also split or
// welded, several vertices may have the same counterpart.
void Comparer::find_permutations() {
  constexpr double nearer = 0.05;       // relative to the distance in the stored order
  constexpr double near_enough = 1e-2;  // relative to the diagonal
  std::vector<bool> open(work_.size());
  std::vector<double> reach(work_.size());
  pose_at(moments_.front());
  for (std::size_t i = 0; i < work_.size(); ++i) {
    if (work_[i].known) continue;
    const Pairing pairing = result_.instances[i].pairing;
    if (pairing != Pairing::index && pairing != Pairing::corners) continue;
    const double in_order = distance_at_rest(i, work_[i].candidates.pairs);
    reach[i] = std::min(nearer * in_order, near_enough * result_.diagonal);
    const auto rows_a = a_.rows(work_[i].a);
    open[i] = rows_a && b_.rows(work_[i].b) && in_order > slack * std::min(result_.diagonal, extent(*rows_a, a_.model().dimension));
  }
  const std::vector<std::size_t> first = first_of_meshes(open);
  std::vector<bool> searched(work_.size());
  for (std::size_t i = 0; i < work_.size(); ++i) searched[i] = open[i] && first[i] == i;
  find_permutations(searched, reach);
  pose_at(moments_.front());
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const Pairing found = result_.instances[first[i]].pairing;
    const bool other = found == Pairing::permutation || found == Pairing::position;
    searched[i] = open[i] && first[i] != i && !(other && take_pairing(i, first[i], reach[i]));
  }
  find_permutations(searched, reach);
}

// Searches for other orders of some pairs within a distance at rest.
void Comparer::find_permutations(std::vector<bool> wanted, const std::vector<double>& reach) {
  const std::size_t width = a_.model().dimension;
  pose_at(moments_.front());
  for (std::size_t i = 0; i < work_.size(); ++i) {
    if (!wanted[i]) continue;
    const bool corners = result_.instances[i].pairing == Pairing::corners;
    const auto rows_a = a_.rows(work_[i].a), rows_b = b_.rows(work_[i].b);
    wanted[i] = rows_a && rows_b && all_near(*rows_a, *rows_b, width, reach[i], search_left_) &&
                (!corners || all_near(*rows_b, *rows_a, width, reach[i], search_left_));
  }
  if (std::ranges::none_of(wanted, std::identity())) return;
  std::vector<Candidates> in_order(work_.size());
  for (std::size_t i = 0; i < work_.size(); ++i)
    if (wanted[i]) in_order[i] = std::exchange(work_[i].candidates, {});
  find_candidates(wanted, true);
  std::vector<std::vector<double>> furthest = measure_candidates(wanted);
  pose_at(moments_.front());
  for (std::size_t i = 0; i < work_.size(); ++i) {
    if (!wanted[i]) continue;
    furthest[i].resize(work_[i].candidates.pairs.size());  // zeros if no row had several candidates
    const bool corners = result_.instances[i].pairing == Pairing::corners;
    auto pairs = corners ? std::optional(unique_pairs(nearest_of(work_[i].candidates, furthest[i])))
                         : one_to_one(work_[i].candidates, furthest[i], result_.instances[i].vertices_a);
    // Vertices that rounding moved to one place have the same nearest vertex.
    const bool shared = !pairs && all_near_back(i, reach[i]);
    if (shared) pairs = unique_pairs(nearest_of(work_[i].candidates, furthest[i]));
    const bool found = pairs && distance_at_rest(i, *pairs) <= reach[i];
    if (found) result_.instances[i].pairing = corners || shared ? Pairing::position : Pairing::permutation;
    if (found && options_.attributes) work_[i].alike = alike_of(work_[i].candidates, furthest[i], slack * result_.diagonal);
    work_[i].candidates = found ? Candidates{{}, std::move(*pairs)} : std::move(in_order[i]);
  }
}

bool Comparer::all_near_back(std::size_t i, double reach) {
  const auto rows_a = a_.rows(work_[i].a), rows_b = b_.rows(work_[i].b);
  return rows_a && rows_b && all_near(*rows_b, *rows_a, a_.model().dimension, reach, search_left_);
}

double Comparer::distance_at_rest(std::size_t i, std::span<const RowPair> pairs) {
  const std::size_t width = a_.model().dimension;
  const auto rows_a = a_.rows(work_[i].a), rows_b = b_.rows(work_[i].b);
  double most = 0;
  for (const RowPair& rows : pairs)
    if (rows_a && rows_b) most = std::max(most, distance(&(*rows_a)[rows.a * width], &(*rows_b)[rows.b * width], width));
  return most;
}

// Finds the nearest vertices in several poses at once. The other poses have less weight than the rest pose, and no weight is above 1: large
// coordinates would overflow. `rounded`: rounding may have brought vertices as near to others as it moved them, so that those are found,
// too.
void Comparer::find_candidates(const std::vector<bool>& wanted, bool rounded) {
  constexpr std::size_t most_poses = 8;
  constexpr double most_rounding = 5e-4;  // relative to the diagonal
  const std::size_t width = a_.model().dimension, poses = std::min(most_poses, moments_.size()), wide = width * poses;
  if (wide == 0) return;
  const auto used = [&](std::size_t i) { return wanted[i] && result_.instances[i].pairing != Pairing::none; };
  std::vector<std::vector<float>> in_a(work_.size()), in_b(work_.size());
  for (std::size_t p = 0; p < poses; ++p) {
    const ComparedMoment& look = moments_[poses == 1 ? 0 : p * (moments_.size() - 1) / (poses - 1)];
    const auto keep = [&](Side& side, std::size_t instance, std::vector<float>& rows) {
      rows.resize(side.vertices(instance) * wide);
      const auto moved = side.rows(instance);
      for (std::size_t k = 0; moved && k < moved->size(); ++k)
        if (const float value = (*moved)[k]; std::isfinite(value))
          rows[k / width * wide + p * width + k % width] = p == 0 ? value : value * weight_of_others;
    };
    pose_at(look);
    for (std::size_t i = 0; i < work_.size(); ++i) {
      if (!used(i)) continue;
      keep(a_, work_[i].a, in_a[i]);
      keep(b_, work_[i].b, in_b[i]);
    }
  }
  for (std::size_t i = 0; i < work_.size(); ++i) {
    if (!used(i)) continue;
    Candidates& found = work_[i].candidates;
    found = nearest_rows(in_a[i], in_b[i], wide, slack * weight_of_others * result_.diagonal, search_left_);
    double moved = 0;  // the largest distance of a row from the nearest one, at rest
    for (std::size_t row = 0; rounded && row + 1 < found.first.size(); ++row) {
      if (found.first[row] == found.first[row + 1]) continue;
      const RowPair& nearest = found.pairs[found.first[row]];
      moved = std::max(moved, distance(&in_a[i][nearest.a * wide], &in_b[i][nearest.b * wide], width));
    }
    if (moved > slack * result_.diagonal)
      found = nearest_rows(in_a[i], in_b[i], wide, std::min(moved, most_rounding * result_.diagonal), search_left_);
  }
}

// Adds the distances of some candidates at the current pose to the largest ones.
void Comparer::add_distances(std::size_t i, std::span<const std::size_t> some, std::vector<double>& furthest) {
  const std::size_t width = a_.model().dimension;
  const auto rows_a = a_.rows(work_[i].a), rows_b = b_.rows(work_[i].b);
  if (!rows_a || !rows_b) return;
  const std::vector<RowPair>& pairs = work_[i].candidates.pairs;
  for (const std::size_t k : some)
    furthest[k] = std::max(furthest[k], distance(&(*rows_a)[pairs[k].a * width], &(*rows_b)[pairs[k].b * width], width));
}

// Returns the largest distance of each candidate over all moments; empty for meshes without ambiguous rows. Candidates that move alike
// keep the distance at rest.
std::vector<std::vector<double>> Comparer::measure_candidates(const std::vector<bool>& wanted) {
  std::vector<std::vector<double>> furthest(work_.size());
  std::vector<std::vector<std::size_t>> open(work_.size());  // indices of pairs
  bool some = false;
  pose_at(moments_.front());
  for (std::size_t i = 0; i < work_.size(); ++i) {
    if (!wanted[i] || result_.instances[i].pairing == Pairing::none || work_[i].candidates.decided()) continue;
    open[i] = undecided(work_[i].candidates, motion_classes(a_.mesh(work_[i].a)), motion_classes(b_.mesh(work_[i].b)));
    furthest[i].assign(work_[i].candidates.pairs.size(), 0);
    std::vector<std::size_t> all(furthest[i].size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    add_distances(i, all, furthest[i]);
    some |= !open[i].empty();
  }
  if (!some) return furthest;
  total_ += moments_.size();
  for (const ComparedMoment& look : moments_) {
    pose_at(look);
    for (std::size_t i = 0; i < work_.size(); ++i)
      if (!open[i].empty() && looked_at(i, look)) add_distances(i, open[i], furthest[i]);
    step();
  }
  return furthest;
}

// Excludes pairs that the formats define differently, and counts rows without a pair.
void Comparer::set_apart(std::size_t i) {
  if (is_by_surfaces(i)) return;
  InstancePair& pair = result_.instances[i];
  Work& work = work_[i];
  const std::vector<RowPair>& pairs = work.candidates.pairs;
  const auto divides = [](const Mesh& mesh) {
    return std::ranges::any_of(mesh.blocks, [](const VertexBlock& block) { return block.influences.divide_by_sum; });
  };
  const Mesh &a = a_.mesh(work.a), &b = b_.mesh(work.b);
  if (pair.a.skin != none && pair.b.skin != none && divides(a) != divides(b)) {
    const std::vector<bool> odd = odd_weight_sums(divides(a) ? b : a);
    work.odd.resize(pairs.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) work.odd[k] = odd[divides(a) ? pairs[k].b : pairs[k].a];
  }
  pair.apart = static_cast<std::size_t>(std::ranges::count(work.odd, true));
  pair.pairs = pairs.size() - pair.apart;
  std::vector<bool> met_a(pair.vertices_a), met_b(pair.vertices_b);
  for (const RowPair& rows : pairs) met_a[rows.a] = met_b[rows.b] = true;
  pair.unpaired_a = static_cast<std::size_t>(std::ranges::count(met_a, false));
  pair.unpaired_b = static_cast<std::size_t>(std::ranges::count(met_b, false));
  if (work.candidates.pairs.empty() && pair.vertices_a + pair.vertices_b != 0 && pair.pairing != Pairing::none) {
    pair.pairing = Pairing::none;
    pair.why_not = "no vertex of one file has a counterpart in the other";
  }
}

}  // namespace sinew::operations

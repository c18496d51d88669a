// SPDX-License-Identifier: MIT

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "base/parallel.hpp"
#include "model/edit_reporter.hpp"
#include "model/place.hpp"
#include "operations/optimize/steps.hpp"
#include "operations/optimize/weights/influence_motion.hpp"
#include "operations/optimize/weights/weight_fit.hpp"
#include "operations/repair/influence_table.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {

namespace {

constexpr double rounding = 1e-7;  ///< relative to the diagonal: influences that move a vertex less have no effect

/// Adds up repeated slots and sorts by slot, so that vertices with the same influences in another order get the same weights.
InfluenceRow ordered(InfluenceRow row) {
  std::ranges::sort(row, [](const Influence& a, const Influence& b) { return a.slot != b.slot ? a.slot < b.slot : a.weight < b.weight; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (kept != 0 && row[kept - 1].slot == row[i].slot)
      row[kept - 1].weight += row[i].weight;
    else
      row[kept++] = row[i];
  row.resize(kept);
  std::erase_if(row, [](const Influence& entry) { return entry.weight == 0; });
  return row;
}

/// Keeps the strongest influences and the sum.
InfluenceRow strongest(InfluenceRow row, std::size_t most) {
  const double before = sum_of(row);
  std::ranges::sort(row, is_stronger);
  row.resize(std::min(row.size(), most));
  const double after = sum_of(row);
  if (std::isfinite(before / after))
    for (Influence& entry : row) entry.weight *= before / after;
  return row;
}

/// Returns whether integer weights are fractions; integers of another kind cannot be fitted.
bool are_fractions(const Influences& influences) {
  const auto fits = [](const Array& weights) { return is_float(weights.type()) || weights.normalized(); };
  return std::ranges::all_of(influences.sets, [&](const Influences::Set& set) { return fits(set.weights); }) &&
         (influences.first.empty() || fits(influences.weights));
}

std::set<std::uint32_t> slots_in(const Influences& influences) {
  std::set<std::uint32_t> used;
  for (const InfluenceRow& row : weighted_rows(influences))
    for (const Influence& entry : row) used.insert(entry.slot);
  return used;
}

struct Counts {
  std::size_t limited = 0, freed = 0, removed = 0, sets = 0;
  bool retyped = false;

  [[nodiscard]] std::string text(std::size_t most) const {
    std::vector<std::string> parts;
    if (limited != 0) parts.push_back(format_text("limited {} to {} with fitted weights", count_of(limited, "vertex", "vertices"), most));
    if (freed != 0)
      parts.push_back(format_text("removed {} that no measured pose needs from {}", count_of(removed, "influence", "influences"),
                                  count_of(freed, "vertex", "vertices")));
    if (sets != 0) parts.push_back(format_text("removed {}", count_of(sets, "set of influences", "sets of influences")));
    if (retyped) parts.emplace_back("stored the weights with one type for all sets");
    return join_text(parts, "; ");
  }
};

/// Reduces the influences of the vertices of one block.
class BlockReduction {
 public:
  BlockReduction(const StepInput& input, const InfluenceMotion& motion, const VertexBlock& block)
      : input_(input),
        motion_(motion),
        block_(block),
        places_(motion, block),
        posed_(motion.skinned() && find_attribute(block.attributes, Semantic::position) != nullptr && are_fractions(block.influences)) {
    for (InfluenceRow& row : weighted_rows(block.influences)) {
      stored_.push_back(row.size());
      rows_.push_back(ordered(std::move(row)));
    }
    reduced_.resize(rows_.size());
  }

  /// Changes the influences of `to` and returns what changed.
  Counts run(Influences& to) {
    const std::size_t sets = block_.influences.sets.size();
    if (const std::size_t most = input_.options.max_influences; most != 0) {
      limit(most, std::numeric_limits<double>::infinity());
      most_ = most;
    } else {
      for (std::size_t fewer = 1; fewer < sets && most_ == 0; ++fewer)
        if (limit(4 * fewer, input_.distance)) most_ = 4 * fewer;
    }
    if (input_.distance > 0) remove_idle(sets == 0 ? input_.distance : std::min(input_.distance, rounding * input_.diagonal));
    Counts counts = count();
    if (counts.limited + counts.freed == 0 && sets < 2) return counts;
    store(to);
    // A G4MF skeleton reports joints that move nothing, and the step joints cannot remove them.
    if (sets == 0 && most_ == 0 && slots_in(to) != slots_in(block_.influences)) {
      to = block_.influences;
      return {};
    }
    counts.sets = sets - to.sets.size();
    counts.retyped = has_new_types(to, block_.influences.sets);
    return counts;
  }

  [[nodiscard]] std::size_t most() const { return most_; }

 private:
  /// Returns the problem of a vertex; nothing if joints do not move it, no pose shows it, it has too many influences, or its weights are
  /// not those of an average.
  [[nodiscard]] std::optional<WeightFit> fit_of(std::size_t vertex) const {
    if (rows_[vertex].size() > most_fitted) return std::nullopt;
    const InfluenceRow& row = rows_[vertex];
    if (!posed_ || row.empty() || row.back().slot >= motion_.slots()) return std::nullopt;
    if (!std::ranges::all_of(row, [](const Influence& entry) { return entry.weight > 0; })) return std::nullopt;
    std::vector<std::uint32_t> slots;
    std::vector<double> weights;
    const double sum = sum_of(row);
    for (const Influence& entry : row) {
      slots.push_back(entry.slot);
      weights.push_back(entry.weight / sum);
    }
    if (!motion_.shows(slots)) return std::nullopt;
    return WeightFit(input_.model.dimension, std::move(weights), places_.places(vertex, slots));
  }

  void set(std::size_t vertex, const std::vector<double>& weights) {
    const InfluenceRow& row = rows_[vertex];
    const double sum = sum_of(row);
    InfluenceRow& now = reduced_[vertex];
    now.clear();
    for (std::size_t i = 0; i < row.size(); ++i)
      if (weights[i] > 0) now.push_back({row[i].slot, weights[i] * sum});
  }

  /// Gives each vertex at most `most` influences. Returns false, without a change, if this moves a vertex further than `distance`.
  bool limit(std::size_t most, double distance) {
    std::atomic<bool> fits = true;
    parallel_for(rows_.size(), grain, 0, [&](std::size_t first, std::size_t last) {
      for (std::size_t vertex = first; vertex < last && fits; ++vertex) {
        if (rows_[vertex].size() <= most) {
          if (stored_[vertex] > most) reduced_[vertex] = rows_[vertex];  // a slot that is listed twice
          continue;
        }
        const auto problem = fit_of(vertex);
        if (!problem) {
          if (std::isfinite(distance) && motion_.skinned()) fits = false;
          reduced_[vertex] = strongest(rows_[vertex], most);
          continue;
        }
        const std::vector<double> weights = problem->fit(most);
        if (std::isfinite(distance) && problem->error(weights, distance) > distance) fits = false;
        set(vertex, weights);
      }
    });
    if (!fits) std::ranges::fill(reduced_, InfluenceRow{});
    return fits;
  }

  /// Removes influences of the other vertices as long as these move no further than `distance`.
  void remove_idle(double distance) {
    parallel_for(rows_.size(), grain, 0, [&](std::size_t first, std::size_t last) {
      for (std::size_t vertex = first; vertex < last; ++vertex) {
        if (rows_[vertex].size() < 2 || !reduced_[vertex].empty()) continue;
        const auto problem = fit_of(vertex);
        if (!problem) continue;
        const std::vector<double> weights = problem->fit_within(distance);
        if (std::ranges::count(weights, 0.0) != 0) set(vertex, weights);
      }
    });
  }

  [[nodiscard]] Counts count() const {
    Counts counts;
    for (std::size_t vertex = 0; vertex < rows_.size(); ++vertex) {
      if (reduced_[vertex].empty()) continue;
      if (most_ != 0 && stored_[vertex] > most_) {
        ++counts.limited;
      } else {
        ++counts.freed;
        counts.removed += stored_[vertex] - reduced_[vertex].size();
      }
    }
    return counts;
  }

  void store(Influences& to) const {
    if (block_.influences.sets.empty()) {
      std::vector<InfluenceRow> rows = weighted_rows(block_.influences);
      for (std::size_t vertex = 0; vertex < rows.size(); ++vertex) {
        if (reduced_[vertex].empty()) continue;
        rows[vertex] = reduced_[vertex];
        std::ranges::sort(rows[vertex], is_stronger);
      }
      return store_sparse(to, rows);
    }
    DenseInfluences table(block_.influences);
    for (std::size_t vertex = 0; vertex < table.vertices(); ++vertex) {
      if (!reduced_[vertex].empty())
        table.put(vertex, reduced_[vertex]);
      else if (block_.influences.sets.size() > 1)
        table.compact(vertex);
    }
    to.sets = table.sets();
  }

  static constexpr std::size_t grain = 16;
  static constexpr std::size_t most_fitted = 16;  ///< influences of a vertex: the time grows with their fifth power
  const StepInput& input_;
  const InfluenceMotion& motion_;
  const VertexBlock& block_;
  InfluenceMotion::Block places_;
  bool posed_;
  std::vector<InfluenceRow> rows_;     ///< of the file, ordered by slot
  std::vector<std::size_t> stored_;    ///< how many influences the file has, repeated slots included
  std::vector<InfluenceRow> reduced_;  ///< empty: unchanged
  std::size_t most_ = 0;               ///< the limit of all vertices; 0: none
};

/// Returns the number of vertices that influences could be removed from.
std::size_t influenced(const Mesh& mesh) {
  std::size_t count = 0;
  for (const VertexBlock& block : mesh.blocks) count += block.influences.empty() ? 0 : block.vertices;
  return count;
}

bool has_more(const Mesh& mesh, std::size_t most) {
  return std::ranges::any_of(mesh.blocks, [&](const VertexBlock& block) {
    return std::ranges::any_of(weighted_rows(block.influences), [&](const InfluenceRow& row) { return row.size() > most; });
  });
}

}  // namespace

Result<StepResult> reduce_weights(const StepInput& input, FindingSink& changes) {
  Model after = input.model;
  const EditReporter reporter(input.model, changes);
  bool changed = false, limited = false;
  for (Index index = 0; index < after.meshes.size(); ++index) {
    Mesh& mesh = after.meshes[index];
    const std::size_t vertices = influenced(mesh);
    if (mesh.defect != none || vertices == 0) continue;
    const InfluenceMotion motion(input.model, index, vertices);
    for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
      if (mesh.blocks[b].influences.empty()) continue;
      BlockReduction reduction(input, motion, input.model.meshes[index].blocks[b]);
      const Counts counts = reduction.run(mesh.blocks[b].influences);
      if (counts.limited + counts.freed + counts.sets == 0) continue;
      changed = true;
      limited |= counts.limited != 0;
      const auto drawn = std::ranges::find(mesh.surfaces, b, [](const Surface& surface) { return std::size_t{surface.block}; });
      const bool own = !mesh.blocks[b].influences.sets.empty() && drawn != mesh.surfaces.end();
      reporter.changed(own ? drawn->source : mesh.source, counts.text(reduction.most()));
    }
    if (const std::size_t most = input.options.max_influences; most != 0 && has_more(mesh, most))
      return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(input.model, mesh),
                              format_text("the influences of its vertices cannot be limited to {}", most)));
  }
  if (!changed) return StepResult{input.document};
  auto document = edited(input, after, changes);
  if (!document) return Unexpected(std::move(document.error()));
  StepResult result{std::move(*document)};
  result.required = limited && input.options.max_influences != 0;
  return result;
}

}  // namespace sinew::operations

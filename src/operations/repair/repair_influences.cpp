// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "base/message.hpp"
#include "model/edit_reporter.hpp"
#include "operations/files/most_work.hpp"
#include "operations/repair/influence_table.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {
namespace {

/// The requirements for a row.
struct Rules {
  std::size_t slots = std::numeric_limits<std::size_t>::max();  ///< valid slots are below this
  std::uint32_t topmost = 0;                                    ///< glTF: the slot for a vertex without weights
  bool dense = true;  ///< glTF: the sum must be 1, no weight below 0; unused entries have weight 0 and slot 0
  bool descending = false;
  std::size_t most = 0;
  double least = 0;
};

/// The number of vertices by kind of change.
struct Tally {
  std::size_t changed = 0, outside = 0, zero = 0, negative = 0, merged = 0, sorted = 0, scaled = 0, pruned = 0, cut = 0, lost = 0,
              moved = 0, unused_sets = 0;
  double worst_sum = 1, largest_dropped = 0;
  bool retyped = false;

  [[nodiscard]] std::string text() const {
    if (changed == 0) return format_text("removed {} without weights", count_of(unused_sets, "set of joints", "sets of joints"));
    std::vector<std::string> parts;
    const auto say = [&](std::size_t count, const std::string& what) {
      if (count != 0) parts.push_back(format_text("{} {}", count, what));
    };
    say(outside, "used a joint outside the skin");
    say(negative, "had a negative weight, now removed");
    say(merged, "listed a joint twice; the weights are added");
    say(pruned, "lost weights below the limit");
    say(cut, format_text("lost influences beyond the limit, the largest {:.6g}", largest_dropped));
    say(lost, "had no weight and now follow the topmost joint");
    say(scaled, format_text("had weights that did not sum to 1; the worst sum was {:.6g}", worst_sum));
    say(zero, "had weights of 0, now removed");
    say(sorted, "had weights that were not in descending order");
    say(moved, "had unused entries before used ones");
    if (retyped) parts.emplace_back("the weights now have one type for all sets");
    return format_text("changed the weights of {}: {}", count_of(changed, "vertex", "vertices"), join_text(parts, "; "));
  }
};

/// Sums as the Khronos validator does.
float sum_in_float(const InfluenceRow& row) {
  float sum = 0;
  for (const Influence& entry : row) sum = static_cast<float>(sum + entry.weight);
  return sum;
}

/// Tolerance for rounding: that of the Khronos validator in glTF; in G4MF, which divides weights by their sum, one that tools agree on.
bool adds_up(const InfluenceRow& row, const Rules& rules) {
  const auto count = static_cast<double>(row.size());
  if (rules.dense) return std::abs(double{sum_in_float(row)} - 1) <= 2e-7 * count;
  return std::abs(sum_of(row) - 1) <= std::max(1e-3, 6e-8 * count);
}

bool is_descending(const InfluenceRow& row) {
  return std::ranges::is_sorted(row, [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
}

class RowMender {
 public:
  RowMender(const Rules& rules, Tally& tally) : rules_(rules), tally_(tally) {}

  /// Fixes a row and returns whether it changed. Afterwards it contains only valid influences.
  bool mend(InfluenceRow& row) {
    const Tally before = tally_;
    bool changed = drop_outside(row);
    changed |= drop_negative(row);
    const bool dropped = changed;
    const bool zeros = drop_zero(row);
    const bool listed = !row.empty() || zeros || changed;  // G4MF: a vertex without entries stays unchanged
    changed |= zeros;
    changed |= merge(row);
    const bool limited = limit(row);
    changed |= limited;
    if (rules_.dense && row.empty()) {
      row.push_back({rules_.topmost, 1});
      ++tally_.lost;
      changed = true;
    }
    if (listed && !row.empty() && scale(row)) {
      if (!dropped && !limited) note_sum();
      changed = true;
    }
    if (!is_descending(row) && (rules_.descending || changed)) {
      if (rules_.descending) ++tally_.sorted;
      changed = true;
    }
    if (changed) std::ranges::sort(row, is_stronger);
    if (changed)
      ++tally_.changed;
    else
      tally_ = before;
    return changed;
  }

 private:
  bool drop_outside(InfluenceRow& row) {
    if (std::erase_if(row, [&](const Influence& entry) { return entry.slot >= rules_.slots; }) == 0) return false;
    ++tally_.outside;
    return true;
  }

  bool drop_negative(InfluenceRow& row) {
    if (!rules_.dense || std::erase_if(row, [](const Influence& entry) { return entry.weight < 0; }) == 0) return false;
    ++tally_.negative;
    return true;
  }

  /// In glTF zeros fill up a set; only zeros with another slot than 0 are wrong.
  bool drop_zero(InfluenceRow& row) {
    const auto wrong = [&](const Influence& entry) { return entry.weight == 0 && (!rules_.dense || entry.slot != 0); };
    const bool any = std::ranges::any_of(row, wrong);
    std::erase_if(row, [](const Influence& entry) { return entry.weight == 0; });
    if (any) ++tally_.zero;
    return any;
  }

  /// Merges repeated slots. Quadratic, because rows are short.
  bool merge(InfluenceRow& row) {
    const std::size_t old = row.size();
    for (std::size_t i = 0; i < row.size(); ++i)
      for (std::size_t k = row.size() - 1; k > i; --k) {
        if (row[k].slot != row[i].slot) continue;
        row[i].weight += row[k].weight;
        row.erase(row.begin() + static_cast<std::ptrdiff_t>(k));
      }
    if (row.size() == old) return false;
    std::erase_if(row, [](const Influence& entry) { return entry.weight == 0; });
    ++tally_.merged;
    return true;
  }

  bool limit(InfluenceRow& row) {
    bool changed = false;
    if (rules_.least > 0 && row.size() > 1) {
      const Influence strongest = *std::ranges::min_element(row, is_stronger);
      std::erase_if(row, [&](const Influence& entry) {
        const bool goes = entry.weight < rules_.least && entry.slot != strongest.slot;
        changed |= goes;
        return goes;
      });
      if (changed) ++tally_.pruned;
    }
    if (rules_.most == 0 || row.size() <= rules_.most) return changed;
    std::ranges::sort(row, is_stronger);
    tally_.largest_dropped = std::max(tally_.largest_dropped, row[rules_.most].weight);
    row.resize(rules_.most);
    ++tally_.cut;
    return true;
  }

  bool scale(InfluenceRow& row) {
    const double sum = sum_of(row);
    if (adds_up(row, rules_) || !(std::abs(sum) > 0) || !std::isfinite(1 / sum)) return false;
    for (Influence& entry : row) entry.weight /= sum;
    sum_ = sum;
    return true;
  }

  void note_sum() {
    ++tally_.scaled;
    if (std::abs(sum_ - 1) > std::abs(tally_.worst_sum - 1)) tally_.worst_sum = sum_;
  }

  const Rules& rules_;
  Tally& tally_;
  double sum_ = 1;  ///< the divisor of the last row
};

void repair_dense(Influences& influences, const Rules& rules, Tally& tally) {
  DenseInfluences table(influences);
  const std::size_t sets = rules.most == 0 ? influences.sets.size() : std::min(influences.sets.size(), (rules.most + 3) / 4);
  RowMender mender(rules, tally);
  InfluenceRow row;
  for (std::size_t vertex = 0; vertex < table.vertices(); ++vertex) {
    const std::span<const Influence> stored = table[vertex];
    row.assign(stored.begin(), stored.end());
    if (mender.mend(row)) {
      table.put(vertex, row);
    } else if (std::ranges::any_of(stored.subspan(4 * sets), &Influence::weight)) {
      table.compact(vertex);
      ++tally.moved;
      ++tally.changed;
    }
  }
  if (tally.changed == 0 && sets == influences.sets.size()) return;
  auto used = table.sets();
  tally.unused_sets = influences.sets.size() - used.size();
  std::swap(influences.sets, used);
  tally.retyped = has_new_types(influences, used);
}

void repair_sparse(Influences& influences, const Rules& rules, Tally& tally) {
  const InfluenceTable stored(influences);
  std::vector<InfluenceRow> rows;
  RowMender mender(rules, tally);
  for (std::size_t vertex = 0; vertex < stored.size(); ++vertex)
    mender.mend(rows.emplace_back(stored[vertex].begin(), stored[vertex].end()));
  if (tally.changed != 0) store_sparse(influences, rows);
}

/// Returns the skins that a mesh is used with.
std::vector<const Skin*> skins_with(const Model& model, Index mesh) {
  std::vector<const Skin*> skins;
  for (const Node& node : model.nodes)
    if (node.mesh == mesh && node.skin != none && model.skins[node.skin].defect == none) skins.push_back(&model.skins[node.skin]);
  return skins;
}

std::uint32_t topmost_slot(const Model& model, const Skin& skin) {
  std::uint32_t best = 0;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (std::uint32_t slot = 0; slot < skin.slots.size(); ++slot) {
    std::size_t depth = 0;
    for (Index node = skin.slots[slot]; node != none && depth < least; node = model.nodes[node].parent) ++depth;
    if (depth >= least) continue;
    least = depth;
    best = slot;
  }
  return best;
}

/// glTF: every skin must have the slot; G4MF: a slot without a joint has no effect.
Rules rules_of(const Model& model, Index mesh, const Influences& influences, const RepairOptions& options) {
  Rules rules;
  rules.dense = !influences.sets.empty();
  rules.descending = !rules.dense || influences.sets.size() > 1;
  rules.most = options.max_influences;
  rules.least = options.prune;
  const std::vector<const Skin*> skins = skins_with(model, mesh);
  const auto slots = [](const Skin* skin) { return skin->slots.size(); };
  // Without any joint, all influences would be removed.
  const std::size_t least = skins.empty() ? 0 : slots(*std::ranges::min_element(skins, {}, slots));
  const std::size_t most = skins.empty() ? 0 : slots(*std::ranges::max_element(skins, {}, slots));
  if (least == 0) return rules;
  rules.slots = rules.dense ? least : most;
  if (rules.dense) rules.topmost = std::min<std::uint32_t>(topmost_slot(model, *skins.front()), static_cast<std::uint32_t>(least - 1));
  return rules;
}

/// Whether a vertex has more influences than `most`, or glTF's sets have room for more than they need.
bool has_more(const Influences& influences, std::size_t most) {
  if (influences.sets.empty())
    return std::ranges::adjacent_find(influences.first, [&](auto first, auto next) { return next - first > most; }) !=
           influences.first.end();
  if (influences.sets.size() > (most + 3) / 4) return true;
  const std::vector<InfluenceRow> rows = weighted_rows(influences);
  return std::ranges::any_of(rows, [&](const InfluenceRow& row) { return row.size() > most; });
}

}  // namespace

Model limit_influences(const Model& model, std::size_t most, FindingSink& sink) {
  Model limited = model;
  const EditReporter changes(model, sink);
  RepairOptions options;
  options.max_influences = most;
  WorkMeter work = meter_of(model);
  for (Index mesh = 0; mesh < model.meshes.size(); ++mesh) {
    const auto exceeds = [&](const VertexBlock& block) { return has_more(block.influences, most); };
    if (model.meshes[mesh].defect == none && std::ranges::any_of(model.meshes[mesh].blocks, exceeds))
      repair_influences(limited, mesh, options, changes, work);
  }
  return limited;
}

void repair_influences(Model& model, Index index, const RepairOptions& options, const EditReporter& changes, WorkMeter& work) {
  constexpr std::uint64_t steps_per_set = 20, steps_per_entry = 10;  // of a vertex
  Mesh& mesh = model.meshes[index];
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    Influences& influences = mesh.blocks[b].influences;
    if (influences.empty()) continue;
    work.add(
        model.nodes.size() + steps_per_set * influences.sets.size() * mesh.blocks[b].vertices + steps_per_entry * influences.slots.size(),
        "the influences of all meshes");
    const Rules rules = rules_of(model, index, influences, options);
    Tally tally;
    if (rules.dense)
      repair_dense(influences, rules, tally);
    else
      repair_sparse(influences, rules, tally);
    if (tally.changed == 0 && tally.unused_sets == 0) continue;
    const auto drawn = std::ranges::find(mesh.surfaces, b, [](const Surface& surface) { return std::size_t{surface.block}; });
    changes.changed(rules.dense && drawn != mesh.surfaces.end() ? drawn->source : mesh.source, tally.text());
  }
}

}  // namespace sinew::operations

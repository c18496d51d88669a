// SPDX-License-Identifier: MIT
#include "operations/repair/repair_bending.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/edit_reporter.hpp"
#include "model/place.hpp"
#include "operations/flex/findings.hpp"
#include "operations/flex/mend.hpp"
#include "operations/repair/influence_table.hpp"
#include "operations/repair/repair_steps.hpp"

#include "sinew/compare.hpp"
#include "sinew/flex.hpp"

namespace sinew::operations {

namespace {

using bend::Mends;
using AtBlock = std::pair<Index, Index>;  // mesh and block

constexpr int most_rounds = 4;  // what one round changes can show more

AtBlock block_of(const FlexVertex& at) { return {at.mesh, at.primitive}; }

bool is_same(std::span<const Influence> stored, const InfluenceRow& row) {
  InfluenceRow old(stored.begin(), stored.end());
  std::erase_if(old, [](const Influence& entry) { return entry.weight == 0; });
  std::ranges::sort(old, is_stronger);
  return std::ranges::equal(
      old, row, [](const Influence& a, const Influence& b) { return a.slot == b.slot && std::abs(a.weight - b.weight) < 1e-6; });
}

/// Stores the new rows of one block. Returns how many differ from the old ones.
std::size_t store(Influences& influences, std::span<const Mends::Vertex> rows) {
  const InfluenceTable stored(influences);
  std::vector<const Mends::Vertex*> differ;
  for (const Mends::Vertex& row : rows)
    if (row.at.vertex < stored.size() && !is_same(stored[row.at.vertex], row.row)) differ.push_back(&row);
  if (differ.empty()) return 0;
  if (influences.sets.empty()) {
    std::vector<InfluenceRow> all;
    for (std::size_t vertex = 0; vertex < stored.size(); ++vertex) all.emplace_back(stored[vertex].begin(), stored[vertex].end());
    for (const Mends::Vertex* const row : differ) all[row->at.vertex] = row->row;
    store_sparse(influences, all);
  } else {
    DenseInfluences table(influences);
    for (const Mends::Vertex* const row : differ) table.put(row->at.vertex, row->row);
    std::vector<Influences::Set> sets = table.sets();
    influences.sets = std::move(sets);
  }
  return differ.size();
}

SourceId source_of(const Model& model, const AtBlock& at) {
  const Mesh& mesh = model.meshes[at.first];
  if (mesh.blocks[at.second].influences.sets.empty()) return mesh.source;
  const auto drawn = std::ranges::find(mesh.surfaces, std::size_t{at.second}, [](const Surface& s) { return std::size_t{s.block}; });
  return drawn == mesh.surfaces.end() ? mesh.source : drawn->source;
}

/// One of the two repairs of a scene.
class Step {
 public:
  Step(Model& model, Index scene, const RepairOptions& options, const EditReporter& changes, FindingSink& notes)
      : model_(model), before_(model), scene_(scene), options_(options), changes_(changes), notes_(notes) {}

  Result<> join_seams() {
    auto torn = tears();
    if (!torn) return Unexpected(std::move(torn.error()));
    const FlexFinding* const worst = worst_of(*torn);
    if (worst == nullptr) return report_shapes(*torn);
    const std::string was =
        format_text("{:.3g} % of the diagonal{}", 100 * worst->value, space_before(bend::pose_text(model_, worst->pose)));
    Counts changed;
    std::size_t places = 0;
    std::vector<Mends::Left> left;
    for (int round = 0; round < most_rounds && worst_of(*torn) != nullptr; ++round) {
      auto mends = bend::mend_seams(model_, mending(), *torn);
      if (!mends) return Unexpected(std::move(mends.error()));
      left = std::move(mends->left);  // a later round may mend what an earlier one left
      const Counts now = apply(*mends);
      if (now.empty()) break;
      for (const auto& [at, count] : now) changed[at] = std::max(changed[at], count);
      places = std::max(places, mends->places);
      torn = tears();
      if (!torn) return Unexpected(std::move(torn.error()));
    }
    const FlexFinding* const rest = worst_of(*torn);
    if (rest != nullptr) report_left(left);
    const std::string is = rest == nullptr ? std::string("below 0.1 %") : format_text("{:.3g} %", 100 * rest->value);
    if (auto done = report(changed,
                           [&](std::size_t count) {
                             return format_text("joined the weights of {} at {} of seams; the tear was {}, and is {} now",
                                                count_of(count, "vertex", "vertices"), count_of(places, "place", "places"), was, is);
                           });
        !done)
      return done;
    return report_shapes(*torn);
  }

  Result<> remove_islands() {
    Counts changed;
    std::map<Index, double> strays;  // the largest weight of each joint
    std::vector<Mends::Left> left;
    for (int round = 0; round < most_rounds; ++round) {
      auto mends = bend::mend_islands(model_, mending());
      if (!mends) return Unexpected(std::move(mends.error()));
      left = std::move(mends->left);  // a later round may mend what an earlier one left
      const Counts now = apply(*mends);
      if (now.empty()) break;
      for (const auto& [at, count] : now) changed[at] = std::max(changed[at], count);
      for (const Mends::Stray& stray : mends->strays) strays[stray.joint] = std::max(strays[stray.joint], stray.largest);
    }
    report_left(left);
    std::vector<std::string> joints;
    for (const auto& [joint, largest] : strays)
      joints.push_back(format_text("joint \"{}\" by up to {:.3g}", model_.nodes[joint].name, largest));
    return report(changed, [&](std::size_t count) {
      return format_text("removed stray weights of {}, which followed {}", count_of(count, "vertex", "vertices"), join_text(joints, ", "));
    });
  }

 private:
  using Counts = std::map<AtBlock, std::size_t>;  // changed vertices

  [[nodiscard]] bend::MendOptions mending() const { return {scene_, options_.max_influences, options_.threads}; }

  [[nodiscard]] Result<FlexReport> tears() const {
    FlexOptions how;
    how.scene = scene_;
    how.kinds = {FlexKind::tear};
    how.threads = options_.threads;
    return flex(model_, how);
  }

  /// Returns the worst tear that weights cause, or nullptr.
  static const FlexFinding* worst_of(const FlexReport& report) {
    const FlexFinding* worst = nullptr;
    for (const FlexFinding& finding : report.findings)
      if (bend::is_torn(finding) && (worst == nullptr || finding.value > worst->value)) worst = &finding;
    return worst;
  }

  static std::string space_before(const std::string& text) { return text.empty() ? text : " " + text; }

  Counts apply(const Mends& mends) {
    Counts out;
    for (std::size_t first = 0; first < mends.vertices.size();) {
      const AtBlock at = block_of(mends.vertices[first].at);
      std::size_t last = first + 1;
      while (last < mends.vertices.size() && block_of(mends.vertices[last].at) == at) ++last;
      const std::size_t count =
          store(model_.meshes[at.first].blocks[at.second].influences, std::span(mends.vertices).subspan(first, last - first));
      if (count != 0) out[at] = count;
      first = last;
    }
    return out;
  }

  /// Reports the changes of each block, with the largest movement of a vertex of its mesh.
  Result<> report(const Counts& changed, const std::function<std::string(std::size_t)>& text) const {
    if (changed.empty()) return {};
    CompareOptions how;
    how.scene_a = how.scene_b = scene_;
    how.threads = options_.threads;
    const auto comparison = compare(before_, model_, how);
    if (!comparison) return Unexpected(comparison.error());
    std::map<Index, const InstancePair*> farthest;  // by mesh
    for (const InstancePair& pair : comparison->instances) {
      const InstancePair*& known = farthest.try_emplace(pair.a.mesh, &pair).first->second;
      if (pair.max() > known->max()) known = &pair;
    }
    for (const auto& [at, count] : changed) {
      const auto pair = farthest.find(at.first);
      changes_.changed(source_of(model_, at), pair == farthest.end() ? text(count)
                                                                     : format_text("{}; vertices move by up to {}", text(count),
                                                                                   need(in_words(*comparison, *pair->second))));
    }
    return {};
  }

  void report_left(const std::vector<Mends::Left>& left) const {
    std::map<std::pair<AtBlock, std::string_view>, std::set<std::size_t>> vertices;  // instances of a mesh share them
    for (const Mends::Left& one : left) vertices[{block_of(one.at), one.why}].insert(one.at.vertex);
    for (const auto& [key, own] : vertices)
      notes_.add(finding("SINEW_REPAIR_LEFT"_code, pointer_of(model_, source_of(model_, key.first)),
                         own.size() == 1
                             ? format_text("vertex {} keeps its weights: {}", *own.begin(), key.second)
                             : format_text("{} vertices keep their weights, vertex {} first: {}", own.size(), *own.begin(), key.second)));
  }

  Result<> report_shapes(const FlexReport& report) const {
    for (const FlexFinding& torn : report.findings)
      if (torn.severity <= Severity::warning && torn.pose.kind == FlexPose::Kind::shape)
        notes_.add(finding("SINEW_REPAIR_LEFT"_code, "",
                           format_text("a blend shape tears a seam, and no weights can close it: {}", torn.message)));
    return {};
  }

  Model& model_;
  const Model before_;
  Index scene_;
  const RepairOptions& options_;
  const EditReporter& changes_;
  FindingSink& notes_;
};

}  // namespace

Result<> repair_bending(Model& model, const RepairOptions& options, FindingSink& changes, FindingSink& notes) {
  if (!options.seams && !options.islands) return {};
  const std::size_t scenes = std::max<std::size_t>(model.scenes.size(), 1);
  const EditReporter reporter(model, changes);
  for (std::size_t scene = 0; scene < scenes; ++scene) {
    const Index of = model.scenes.empty() ? none : static_cast<Index>(scene);
    Result<> done;
    if (options.islands) done = Step(model, of, options, reporter, notes).remove_islands();
    if (done && options.seams) done = Step(model, of, options, reporter, notes).join_seams();
    if (done) continue;
    // A file that cannot be deformed can still be repaired otherwise.
    Error error = std::move(done.error());
    if (error.failure != Failure::input && error.failure != Failure::unsupported) return Unexpected(std::move(error));
    notes.add(finding("SINEW_REPAIR_LEFT"_code, error.place.pointer.value_or(""),
                      format_text("seams and stray weights stay, because the model cannot be deformed: {}", error.message)));
  }
  return {};
}

}  // namespace sinew::operations

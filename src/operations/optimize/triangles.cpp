// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/edit_reporter.hpp"
#include "model/narrowed.hpp"
#include "model/rows_of.hpp"
#include "operations/compare/compare_sides.hpp"
#include "operations/optimize/simplify.hpp"
#include "operations/optimize/steps.hpp"
#include "operations/optimize/triangle_set.hpp"

namespace sinew::operations {

namespace {

class TriangleReduction {
 public:
  TriangleReduction(const StepInput& input, TriangleSet set) : input_(input), model_(input.model), set_(std::move(set)) {
    for (const Clip& clip : model_.clips) moments_ += moments_of(clip, clip).size();
  }

  [[nodiscard]] std::size_t all() const { return set_.all(); }
  /// A simplified model whose surfaces were measured.
  struct Made {
    Model model;
    std::size_t triangles = 0;
    double error = 0;  ///< a distance of surfaces
  };

  /// Returns the model with the fewest triangles, but not fewer than wanted, whose surfaces stay within the distance.
  Result<std::optional<Made>> run(double ratio) {
    constexpr int rounds = 5, halvings = 4;
    constexpr double part = 0.85;  // the rest is for poses and places that collapsing does not look at
    set_.in.target = static_cast<std::size_t>(std::ceil(ratio * static_cast<double>(set_.usable())));
    set_.in.limit = part * input_.distance;
    std::size_t fewest = 0;
    for (int round = 0; round < rounds; ++round) {
      auto made = attempt(round);
      if (!made || made->error <= input_.distance) return made ? Result<std::optional<Made>>(std::move(*made)) : Unexpected(made.error());
      fewest = made->triangles - set_.others;
    }
    // The start of the same sequence of collapses.
    std::optional<Made> best;
    std::size_t low = fewest, high = set_.usable();
    for (int i = 0; i < halvings && low < high; ++i) {
      set_.in.target = low + (high - low) / 2;
      auto made = attempt(0);
      if (!made) return Unexpected(std::move(made.error()));
      const bool fine = made->error <= input_.distance;
      (fine ? high : low) = set_.in.target;
      if (fine) best = std::move(*made);
    }
    return best;
  }

 private:
  /// Simplifies, and measures. Locks the points near what is too far away; later rounds lock more around them. What is too far in some
  /// moments of many is not looked at in all.
  Result<Made> attempt(int round) {
    const Simplified simple = simplify(set_.in);
    Made made{with(simple), simple.kept.size() + set_.others, 0};
    CompareOptions how;
    how.surfaces = how.distances = true;
    const bool many = moments_ >= 2 * few_moments;
    const double known = many ? 0.9 : 0.8;  // of the distance: bounds up to it are not looked at closely
    how.surface_known = input_.diagonal > 0 ? known * input_.distance / input_.diagonal : 0;
    how.surface_stop = input_.diagonal > 0 ? input_.distance / input_.diagonal : 0;
    how.threads = input_.options.threads;
    for (const std::size_t most : {few_moments, std::size_t{0}}) {
      if (most != 0 && !many) continue;
      const auto compared = compare(model_, made.model, how, {.proof = Proof::left_out, .most_moments = most, .prepared = &prepared_});
      if (!compared) return Unexpected(compared.error());
      made.error = compared->error() * compared->diagonal;
      if (made.error <= input_.distance) continue;
      lock_far(*compared, round);
      break;
    }
    return made;
  }

  void lock_far(const Comparison& compared, int round) {
    std::vector<bool> far(set_.points);
    for (const InstancePair& pair : compared.instances)
      for (const TriangleSet::Part& reduced : set_.surfaces) {
        if (reduced.mesh != pair.a.mesh || pair.distances.empty()) continue;
        const Mesh& mesh = model_.meshes[reduced.mesh];
        const Index block = mesh.surfaces[reduced.surface].block;
        std::size_t row = 0;
        for (Index b = 0; b < block; ++b) row += mesh.blocks[b].vertices;
        for (std::size_t r = 0; r < mesh.blocks[block].vertices; ++r)
          if (static_cast<double>(pair.distances[row + r]) > input_.distance) far[set_.in.point[reduced.first_vertex + r]] = true;
      }
    for (int ring = 0; ring <= round; ++ring) {
      std::vector<bool> wider = far;
      for (const weights::Triangle& t : set_.in.triangles)
        for (const std::uint32_t v : t)
          if (far[set_.in.point[v]])
            for (const std::uint32_t near : t) wider[set_.in.point[near]] = true;
      far = std::move(wider);
    }
    for (std::size_t p = 0; p < set_.points; ++p)
      if (far[p]) set_.in.locked[p] = true;
  }

  /// Returns the model with these triangles. Vertices that no triangle uses go.
  [[nodiscard]] Model with(const Simplified& simple) const {
    std::vector<std::vector<std::uint32_t>> corners = set_.corners_of(simple);
    Model made = model_;
    for (std::size_t s = 0; s < set_.surfaces.size(); ++s) {
      Mesh& mesh = made.meshes[set_.surfaces[s].mesh];
      Surface& surface = mesh.surfaces[set_.surfaces[s].surface];
      if (corners[s].size() == need(elements_of(mesh, surface, 3)).indices.size() || corners[s].empty()) continue;
      keep_rows(mesh.blocks[surface.block], corners[s]);
      surface.indexed = true;
      surface.elements = narrowed_indices(std::move(corners[s]));
    }
    return made;
  }

  /// Keeps the rows of a block that corners use, and makes the corners refer to their new places.
  static void keep_rows(VertexBlock& block, std::vector<std::uint32_t>& corners) {
    std::vector<bool> used(block.vertices);
    for (const std::uint32_t corner : corners) used[corner] = true;
    std::vector<std::uint32_t> place(block.vertices);
    std::vector<std::size_t> order;
    for (std::size_t v = 0; v < used.size(); ++v) {
      place[v] = static_cast<std::uint32_t>(order.size());
      if (used[v]) order.push_back(v);
    }
    for (std::uint32_t& corner : corners) corner = place[corner];
    block.vertices = order.size();
    for (Attribute& attribute : block.attributes) {
      attribute.values = rows_of(attribute.values, order);
      for (Offsets& offsets : attribute.offsets) {
        if (!offsets.sparse()) {
          offsets.values = rows_of(offsets.values, order);
          continue;
        }
        const std::vector<std::uint32_t> rows = offsets.indices.read<std::uint32_t>();
        std::vector<std::uint32_t> numbers;
        std::vector<std::size_t> from;
        for (std::size_t i = 0; i < rows.size(); ++i)
          if (used[rows[i]]) numbers.push_back(place[rows[i]]), from.push_back(i);
        if (numbers.empty() && !rows.empty()) {  // sparse accessors have at least one row: it moves nothing
          offsets.indices = Array::own(std::vector<std::uint32_t>{0}, 1);
          offsets.values = Array::own(std::vector<float>(offsets.values.width()), offsets.values.width());
          continue;
        }
        offsets.indices = Array::own(std::move(numbers), 1);
        offsets.values = rows_of(offsets.values, from);
      }
    }
    for (Influences::Set& set : block.influences.sets) {
      set.joints = rows_of(set.joints, order);
      set.weights = rows_of(set.weights, order);
    }
  }

  const StepInput& input_;
  const Model& model_;
  TriangleSet set_;
  PreparedSides prepared_;
  std::size_t moments_ = 0;  ///< of all clips
};

}  // namespace

Result<StepResult> reduce_triangles(const StepInput& input, FindingSink& changes) {
  StepResult result{input.document};
  if (is_compressed(input.model)) return StepResult{input.document, "the file is already compressed"};
  if (!(input.distance > 0)) return StepResult{input.document, "no error is left for it: --max-error must be above 0"};
  auto set = triangle_set(input);
  if (!set) return Unexpected(std::move(set.error()));
  if (set->usable() == 0) return StepResult{input.document, "no triangles can be collapsed"};
  TriangleReduction reduction(input, std::move(*set));
  auto made = reduction.run(input.options.triangles);
  if (!made) return Unexpected(std::move(made.error()));
  if (!*made || (*made)->triangles == reduction.all())
    return StepResult{input.document, "left out: each collapse would move a surface too far"};
  const double ratio = static_cast<double>((*made)->triangles) / static_cast<double>(reduction.all());
  const EditReporter reporter(changes);
  reporter.changed("/meshes", format_text("kept {} of {} triangles ({:.1f} %)", (*made)->triangles, reduction.all(), 100 * ratio));
  auto document = edited(input, (*made)->model, changes);
  if (!document) return Unexpected(std::move(document.error()));
  result.document = std::move(*document);
  result.required = true;
  result.triangles = ReducedTriangles{reduction.all(), (*made)->triangles, (*made)->error};
  if (ratio > input.options.triangles + 0.005)
    result.note = format_text("{:.3g} of the triangles stay: other collapses would move a surface too far, or tear a seam", ratio);
  return result;
}

}  // namespace sinew::operations

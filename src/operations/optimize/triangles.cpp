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

#include "base/message.hpp"
#include "document/json/json.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/extension.hpp"
#include "model/edit_reporter.hpp"
#include "model/narrowed.hpp"
#include "model/rows_of.hpp"
#include "operations/compare/compare_vertices.hpp"
#include "operations/files/most_work.hpp"
#include "operations/optimize/plain_primitive.hpp"
#include "operations/optimize/simplify.hpp"
#include "operations/optimize/steps.hpp"
#include "operations/optimize/triangle_poses.hpp"

namespace sinew::operations {

namespace {

using weights::Vec;

/// A primitive that can lose triangles, and its place in the lists of SimplifyInput.
struct ReducedSurface {
  std::size_t mesh = 0, surface = 0;
  std::uint32_t first_vertex = 0;
};

class TriangleReduction {
 public:
  explicit TriangleReduction(const StepInput& input) : input_(input), model_(input.model) {}

  /// Collects what can be simplified.
  Result<> prepare() {
    const std::size_t vertices = rows_of_model();
    constexpr std::size_t most_poses = 16, least_poses = 6, most_places = 6'000'000;
    auto poses = triangle_poses(model_, std::clamp(most_places / (vertices + 1), least_poses, most_poses), input_.options.threads);
    if (!poses) return Unexpected(std::move(poses.error()));
    poses_ = std::move(*poses);
    in_.poses = poses_.count;
    const std::vector<document::JsonValue> meshes = document::list_of(input_.document->json().root()["meshes"]);
    for (std::size_t m = 0; m < model_.meshes.size() && m < meshes.size(); ++m) add_mesh(m, meshes[m]);
    lock_shared_places();
    std::uint64_t steps = in_.triangles.size();
    constexpr std::uint64_t per_pose = 64;
    steps *= per_pose * in_.poses;
    return meter_of(model_).allow(steps, "steps of collapsing edges");
  }

  [[nodiscard]] std::size_t usable() const { return in_.triangles.size(); }
  [[nodiscard]] std::size_t all() const { return usable() + others_; }

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
    in_.target = static_cast<std::size_t>(std::ceil(ratio * static_cast<double>(usable())));
    in_.limit = part * input_.distance;
    std::size_t fewest = 0;
    for (int round = 0; round < rounds; ++round) {
      auto made = attempt(round);
      if (!made || made->error <= input_.distance) return made ? Result<std::optional<Made>>(std::move(*made)) : Unexpected(made.error());
      fewest = made->triangles - others_;
    }
    // The start of the same sequence of collapses.
    std::optional<Made> best;
    std::size_t low = fewest, high = usable();
    for (int i = 0; i < halvings && low < high; ++i) {
      in_.target = low + (high - low) / 2;
      auto made = attempt(0);
      if (!made) return Unexpected(std::move(made.error()));
      const bool fine = made->error <= input_.distance;
      (fine ? high : low) = in_.target;
      if (fine) best = std::move(*made);
    }
    return best;
  }

 private:
  [[nodiscard]] std::size_t rows_of_model() const {
    std::size_t rows = 0;
    for (const Mesh& mesh : model_.meshes) rows += vertex_count(mesh);
    return rows;
  }

  void add_mesh(std::size_t m, document::JsonValue json) {
    const Mesh& mesh = model_.meshes[m];
    const std::vector<document::JsonValue> primitives = document::list_of(json["primitives"]);
    const bool shown = !poses_.places[m].empty() && mesh.defect == none && gltf::may_reorder(json);
    std::vector<std::uint32_t> motion;
    if (shown) motion = motion_classes(mesh);
    std::map<std::uint32_t, std::uint32_t> points;  // by motion
    std::size_t row = 0;
    std::vector<std::size_t> first_row;
    for (const VertexBlock& block : mesh.blocks) first_row.push_back(row), row += block.vertices;
    std::vector<std::uint32_t> fixed;  // motions of vertices that other surfaces use
    for (std::size_t s = 0; s < mesh.surfaces.size(); ++s) {
      const Surface& surface = mesh.surfaces[s];
      const VertexBlock& block = mesh.blocks[surface.block];
      const Elements elements = surface.defect == none ? elements_of(mesh, surface, 3) : Elements{};
      const bool alone = std::ranges::count(mesh.surfaces, surface.block, &Surface::block) == 1;
      const bool usable = shown && alone && s < primitives.size() && elements.corners == 3 && surface.primitive == Primitive::simplexes &&
                          is_plain_primitive(primitives[s], surface, block);
      if (!usable) {
        if (elements.corners == 3) others_ += elements.indices.size() / 3;
        for (std::size_t r = 0; shown && r < block.vertices; ++r) fixed.push_back(motion[first_row[surface.block] + r]);
        continue;
      }
      const auto first = static_cast<std::uint32_t>(in_.point.size());
      surfaces_.push_back({m, s, first});
      for (std::size_t r = 0; r < block.vertices; ++r) {
        const std::size_t at = first_row[surface.block] + r;
        const auto [found, is_new] = points.try_emplace(motion[at], static_cast<std::uint32_t>(points_));
        if (is_new) {
          ++points_;
          const auto begin = poses_.places[m].begin() + static_cast<std::ptrdiff_t>(at * poses_.count);
          in_.places.insert(in_.places.end(), begin, begin + static_cast<std::ptrdiff_t>(poses_.count));
        }
        in_.point.push_back(found->second);
      }
      add_looks(block);
      for (std::size_t i = 0; i + 2 < elements.indices.size(); i += 3) {
        in_.triangles.push_back({first + elements.indices[i], first + elements.indices[i + 1], first + elements.indices[i + 2]});
        in_.surface.push_back(static_cast<std::uint32_t>(surfaces_.size() - 1));
      }
    }
    in_.locked.resize(points_);
    for (const std::uint32_t one : fixed)
      if (const auto found = points.find(one); found != points.end()) in_.locked[found->second] = true;
  }

  void add_looks(const VertexBlock& block) {
    const std::size_t first = in_.looks.size();
    in_.looks.resize(first + block.vertices);
    const auto read = [&](Semantic semantic, auto part) {
      const Attribute* const attribute = find_attribute(block.attributes, semantic);
      if (attribute == nullptr || attribute->values.size() != block.vertices) return;
      const std::vector<float> values = attribute->values.read<float>();
      const std::size_t width = attribute->values.width();
      for (std::size_t r = 0; r < block.vertices; ++r) {
        auto& to = in_.looks[first + r].*part;
        for (std::size_t i = 0; i < std::min(width, to.size()); ++i)
          to[i] = std::isfinite(values[r * width + i]) ? values[r * width + i] : 0.0F;
      }
    };
    read(Semantic::normal, &SimplifyInput::Look::normal);
    read(Semantic::texcoord, &SimplifyInput::Look::texcoord);
    read(Semantic::color, &SimplifyInput::Look::color);
  }

  /// Points at one place at rest that do not move alike, or belong to different meshes, would come apart.
  void lock_shared_places() {
    const double cell = 1e-6 * input_.diagonal;
    std::map<std::array<std::int64_t, 3>, std::uint32_t> known;
    for (std::uint32_t p = 0; p < points_; ++p) {
      const Vec& at = in_.places[p * in_.poses];
      std::array<std::int64_t, 3> key{};
      for (std::size_t axis = 0; axis < 3; ++axis) key[axis] = static_cast<std::int64_t>(std::floor(at[axis] / cell + 0.5));
      const auto [found, is_new] = known.try_emplace(key, p);
      if (!is_new) in_.locked[p] = in_.locked[found->second] = true;
    }
  }

  /// Simplifies, and measures. Locks the points near what is too far away; later rounds lock more around them.
  Result<Made> attempt(int round) {
    const Simplified simple = simplify(in_);
    Made made{with(simple), simple.kept.size() + others_, 0};
    CompareOptions how;
    how.surfaces = how.distances = true;
    how.surface_known = input_.diagonal > 0 ? 0.8 * input_.distance / input_.diagonal : 0;
    how.surface_stop = input_.diagonal > 0 ? input_.distance / input_.diagonal : 0;
    how.threads = input_.options.threads;
    const auto compared = compare(model_, made.model, how, {}, Proof::left_out);
    if (!compared) return Unexpected(compared.error());
    made.error = compared->error() * compared->diagonal;
    if (made.error > input_.distance) lock_far(*compared, round);
    return made;
  }

  void lock_far(const Comparison& compared, int round) {
    std::vector<bool> far(points_);
    for (const InstancePair& pair : compared.instances)
      for (const ReducedSurface& reduced : surfaces_) {
        if (reduced.mesh != pair.a.mesh || pair.distances.empty()) continue;
        const Mesh& mesh = model_.meshes[reduced.mesh];
        const Index block = mesh.surfaces[reduced.surface].block;
        std::size_t row = 0;
        for (Index b = 0; b < block; ++b) row += mesh.blocks[b].vertices;
        for (std::size_t r = 0; r < mesh.blocks[block].vertices; ++r)
          if (static_cast<double>(pair.distances[row + r]) > input_.distance) far[in_.point[reduced.first_vertex + r]] = true;
      }
    for (int ring = 0; ring <= round; ++ring) {
      std::vector<bool> wider = far;
      for (const weights::Triangle& t : in_.triangles)
        for (const std::uint32_t v : t)
          if (far[in_.point[v]])
            for (const std::uint32_t near : t) wider[in_.point[near]] = true;
      far = std::move(wider);
    }
    for (std::size_t p = 0; p < points_; ++p)
      if (far[p]) in_.locked[p] = true;
  }

  /// Returns the model with these triangles. Vertices that no triangle uses go.
  [[nodiscard]] Model with(const Simplified& simple) const {
    std::vector<std::vector<std::uint32_t>> corners(surfaces_.size());
    for (std::size_t i = 0; i < simple.kept.size(); ++i) {
      const std::uint32_t surface = in_.surface[simple.kept[i]];
      for (const std::uint32_t vertex : simple.triangles[i]) corners[surface].push_back(vertex - surfaces_[surface].first_vertex);
    }
    Model made = model_;
    for (std::size_t s = 0; s < surfaces_.size(); ++s) {
      Mesh& mesh = made.meshes[surfaces_[s].mesh];
      Surface& surface = mesh.surfaces[surfaces_[s].surface];
      if (corners[s].size() == elements_of(mesh, surface, 3).indices.size() || corners[s].empty()) continue;
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
  TrianglePoses poses_;
  SimplifyInput in_;
  std::vector<ReducedSurface> surfaces_;
  std::size_t points_ = 0, others_ = 0;  ///< `others_`: triangles that stay
};

}  // namespace

Result<StepResult> reduce_triangles(const StepInput& input, FindingSink& changes) {
  StepResult result{input.document};
  if (is_compressed(input.model)) return StepResult{input.document, "the file is already compressed"};
  if (!(input.distance > 0)) return StepResult{input.document, "no error is left for it: --max-error must be above 0"};
  TriangleReduction reduction(input);
  if (auto done = reduction.prepare(); !done) return Unexpected(std::move(done.error()));
  if (reduction.usable() == 0) return StepResult{input.document, "no triangles can be collapsed"};
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

// SPDX-License-Identifier: MIT
#include "operations/optimize/triangle_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/guard.hpp"
#include "document/json/json.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/extension.hpp"
#include "operations/compare/compare_vertices.hpp"
#include "operations/files/most_work.hpp"
#include "operations/optimize/plain_primitive.hpp"
#include "operations/optimize/triangle_poses.hpp"

namespace sinew::operations {

namespace {

class TriangleCollector {
 public:
  explicit TriangleCollector(const StepInput& input) : input_(input), model_(input.model) {}

  Result<TriangleSet> run() {
    if (auto done = prepare(); !done) return Unexpected(std::move(done.error()));
    return std::move(set_);
  }

 private:
  Result<> prepare() {
    const std::size_t vertices = rows_of_model();
    constexpr std::size_t most_poses = 16, least_poses = 6, most_places = 6'000'000;
    auto poses = triangle_poses(model_, std::clamp(most_places / (vertices + 1), least_poses, most_poses), input_.options.threads);
    if (!poses) return Unexpected(std::move(poses.error()));
    poses_ = std::move(*poses);
    set_.in.poses = poses_.count;
    const std::vector<document::JsonValue> meshes = document::list_of(input_.document->json().root()["meshes"]);
    for (std::size_t m = 0; m < model_.meshes.size() && m < meshes.size(); ++m) add_mesh(m, meshes[m]);
    lock_shared_places();
    std::uint64_t steps = set_.in.triangles.size();
    constexpr std::uint64_t per_pose = 64;
    steps *= per_pose * set_.in.poses;
    return meter_of(model_).allow(steps, "steps of collapsing edges");
  }

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
      const Elements elements = surface.defect == none ? need(elements_of(mesh, surface, 3)) : Elements{};
      const bool alone = std::ranges::count(mesh.surfaces, surface.block, &Surface::block) == 1;
      const bool usable = shown && alone && s < primitives.size() && elements.corners == 3 && surface.primitive == Primitive::simplexes &&
                          is_plain_primitive(primitives[s], surface, block);
      if (!usable) {
        if (elements.corners == 3) set_.others += elements.indices.size() / 3;
        for (std::size_t r = 0; shown && r < block.vertices; ++r) fixed.push_back(motion[first_row[surface.block] + r]);
        continue;
      }
      const auto first = static_cast<std::uint32_t>(set_.in.point.size());
      set_.surfaces.push_back({m, s, first});
      for (std::size_t r = 0; r < block.vertices; ++r) {
        const std::size_t at = first_row[surface.block] + r;
        const auto [found, is_new] = points.try_emplace(motion[at], static_cast<std::uint32_t>(set_.points));
        if (is_new) {
          ++set_.points;
          const auto begin = poses_.places[m].begin() + static_cast<std::ptrdiff_t>(at * poses_.count);
          set_.in.places.insert(set_.in.places.end(), begin, begin + static_cast<std::ptrdiff_t>(poses_.count));
        }
        set_.in.point.push_back(found->second);
      }
      add_looks(block);
      for (std::size_t i = 0; i + 2 < elements.indices.size(); i += 3) {
        set_.in.triangles.push_back({first + elements.indices[i], first + elements.indices[i + 1], first + elements.indices[i + 2]});
        set_.in.surface.push_back(static_cast<std::uint32_t>(set_.surfaces.size() - 1));
      }
    }
    set_.in.locked.resize(set_.points);
    for (const std::uint32_t one : fixed)
      if (const auto found = points.find(one); found != points.end()) set_.in.locked[found->second] = true;
  }

  void add_looks(const VertexBlock& block) {
    const std::size_t first = set_.in.looks.size();
    set_.in.looks.resize(first + block.vertices);
    const auto read = [&](Semantic semantic, auto part) {
      const Attribute* const attribute = find_attribute(block.attributes, semantic);
      if (attribute == nullptr || attribute->values.size() != block.vertices) return;
      const std::vector<float> values = attribute->values.read<float>();
      const std::size_t width = attribute->values.width();
      for (std::size_t r = 0; r < block.vertices; ++r) {
        auto& to = set_.in.looks[first + r].*part;
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
    for (std::uint32_t p = 0; p < set_.points; ++p) {
      const weights::Vec& at = set_.in.places[p * set_.in.poses];
      std::array<std::int64_t, 3> key{};
      for (std::size_t axis = 0; axis < 3; ++axis) key[axis] = static_cast<std::int64_t>(std::floor(at[axis] / cell + 0.5));
      const auto [found, is_new] = known.try_emplace(key, p);
      if (!is_new) set_.in.locked[p] = set_.in.locked[found->second] = true;
    }
  }

  const StepInput& input_;
  const Model& model_;
  TrianglePoses poses_;
  TriangleSet set_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> TriangleSet::corners_of(const Simplified& simple) const {
  std::vector<std::vector<std::uint32_t>> corners(surfaces.size());
  for (std::size_t i = 0; i < simple.kept.size(); ++i) {
    const std::uint32_t surface = in.surface[simple.kept[i]];
    for (const std::uint32_t vertex : simple.triangles[i]) corners[surface].push_back(vertex - surfaces[surface].first_vertex);
  }
  return corners;
}

Result<TriangleSet> triangle_set(const StepInput& input) { return TriangleCollector(input).run(); }

}  // namespace sinew::operations

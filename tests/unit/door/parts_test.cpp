// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/guard.hpp"

#include "sinew/pick.hpp"
#include "sinew/sinew.hpp"

namespace sinew::parts_test {
namespace {

const std::string samples = SINEW_SOURCE_DIR "/samples/";

Deformer deformer_of(const std::string& file, const DeformerOptions& options = {}) {
  auto model = load(file);
  if (!model) throw std::runtime_error(model.error().line());
  auto deformer = Deformer::create(*std::move(model), options);
  if (!deformer) throw std::runtime_error(deformer.error().line());
  return *std::move(deformer);
}

/// All samples that can be deformed.
std::vector<std::string> files() {
  std::vector<std::string> list;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(samples)) {
    const std::string kind = entry.path().extension().string();
    if (kind == ".gltf" || kind == ".g4tf" || kind == ".g4b") list.push_back(entry.path().string());
  }
  return list;
}

std::map<Index, float> row_of(const RowInfluences& all, std::size_t row) {
  std::map<Index, float> found;
  for (std::size_t i = all.first[row]; i < all.first[row + 1]; ++i) found.emplace(all.nodes[i], all.weights[i]);
  return found;
}

/// A surface of lines between two of triangles has no range.
TEST(Parts, RangesNameSurfaceAndMaterial) {
  Model globe = *deformer_of(samples + "show/globe.gltf").model();
  Mesh& mesh = globe.meshes[0];
  ASSERT_EQ(mesh.surfaces.size(), 2u);
  mesh.surfaces.push_back(mesh.surfaces[0]);
  mesh.surfaces[2].material = 1;
  const std::size_t count = need(elements_of(mesh, mesh.surfaces[0], 3)).indices.size() / 3;
  const auto deformer = Deformer::create(globe);
  ASSERT_TRUE(deformer);
  const auto ranges = need(deformer->triangle_ranges());
  ASSERT_EQ(ranges.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(ranges[i].first, i * count);
    EXPECT_EQ(ranges[i].count, count);
    EXPECT_EQ(ranges[i].instance, 0u);
    EXPECT_EQ(ranges[i].surface, 2 * i);
    EXPECT_EQ(ranges[i].material, i);
  }
  EXPECT_EQ(need(deformer_of(samples + "gltf/simple_skin.gltf").triangle_ranges()).at(0).material, none);
}

TEST(Parts, RangesCoverTheTrianglesOfTheirInstances) {
  std::size_t seen = 0;
  for (const std::string& file : files()) {
    SCOPED_TRACE(file);
    const Deformer deformer = deformer_of(file);
    const auto triangles = need(deformer.triangles());
    const auto instances = deformer.instances();
    const std::size_t corners = std::max<std::size_t>(deformer.dimension(), 3);
    std::size_t next = 0;
    for (const TriangleRange& range : need(deformer.triangle_ranges())) {
      EXPECT_EQ(range.first, next);
      EXPECT_GT(range.count, 0u);
      next += range.count;
      const InstanceRows& rows = instances[range.instance];
      EXPECT_LT(range.surface, deformer.model()->meshes[rows.mesh].surfaces.size());
      for (std::size_t i = corners * range.first; i < corners * next; ++i) {
        EXPECT_GE(triangles.at(i), rows.first);
        EXPECT_LT(triangles.at(i), rows.first + rows.vertices);
      }
      ++seen;
    }
    EXPECT_EQ(corners * next, triangles.size());
  }
  EXPECT_GT(seen, 20u);
}

/// The weights that the glTF tutorial prints, of the nodes Lower (1) and Upper (2).
TEST(Parts, InfluencesOfTheTutorial) {
  const RowInfluences all = need(deformer_of(samples + "gltf/simple_skin.gltf").influences());
  ASSERT_EQ(all.first.size(), 11u);
  const std::vector<float> lower{1, 1, 0.75f, 0.75f, 0.5f, 0.5f, 0.25f, 0.25f, 0, 0};
  for (std::size_t row = 0; row < 10; ++row) {
    std::map<Index, float> wanted;
    if (lower[row] != 0) wanted[1] = lower[row];
    if (lower[row] != 1) wanted[2] = 1 - lower[row];
    EXPECT_EQ(row_of(all, row), wanted) << row;
  }
  const RowInfluences one = need(deformer_of(samples + "gltf/simple_skin.gltf", {.max_influences = 1}).influences());
  EXPECT_EQ(row_of(one, 2), (std::map<Index, float>{{1, 1.0f}}));
}

TEST(Parts, InfluencesNameEachNodeOnce) {
  for (const std::string& file : files()) {
    SCOPED_TRACE(file);
    const Deformer deformer = deformer_of(file);
    const RowInfluences all = need(deformer.influences());
    ASSERT_EQ(all.first.size(), deformer.vertices() + 1);
    EXPECT_EQ(all.first.back(), all.nodes.size());
    EXPECT_EQ(all.nodes.size(), all.weights.size());
    for (std::size_t row = 0; row < deformer.vertices(); ++row) {
      const auto found = row_of(all, row);
      EXPECT_EQ(found.size(), all.first[row + 1] - all.first[row]);
      float sum = 0;
      for (const auto& [node, weight] : found) {
        EXPECT_LT(node, deformer.model()->nodes.size());
        sum += weight;
      }
      EXPECT_NEAR(sum, 1, 1e-3);
    }
  }
}

TEST(Parts, TextureCoordinatesAsStored) {
  const Deformer globe = deformer_of(samples + "show/globe.gltf");
  const auto found = globe.texture_coordinates(globe.model()->rest());
  ASSERT_TRUE(found);
  const std::vector<VertexBlock>& blocks = globe.model()->meshes[globe.instances()[0].mesh].blocks;
  const auto stored = find_attribute(blocks.at(0).attributes, Semantic::texcoord)->values.read<float>();
  ASSERT_EQ(found->size(), 2 * globe.vertices());
  EXPECT_TRUE(std::ranges::equal(stored, std::span(*found).first(stored.size())));
  EXPECT_LT(stored.size(), found->size());
  EXPECT_TRUE(std::ranges::all_of(std::span(*found).subspan(stored.size()), [](float value) { return std::isnan(value); })) << "lines";
  const auto other = globe.texture_coordinates(globe.model()->rest(), 1);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->size(), 2 * globe.vertices());
  EXPECT_TRUE(std::ranges::all_of(*other, [](float value) { return std::isnan(value); }));
  const Deformer skin = deformer_of(samples + "gltf/simple_skin.gltf");
  EXPECT_EQ(skin.texture_coordinates(globe.model()->rest()).error().failure, Failure::usage) << "a pose of another model";
  const Deformer arm = deformer_of(samples + "g4mf/arm_4d.g4tf");
  EXPECT_EQ(arm.texture_coordinates(arm.model()->rest()).error().failure, Failure::usage);
}

TEST(Parts, BoxesHoldTheRowsOfTheirBones) {
  for (const char* name : {"show/figure.gltf", "gltf/tube_8_influences.gltf", "g4mf/arm_4d.g4tf", "show/globe.gltf"}) {
    SCOPED_TRACE(name);
    Deformer deformer = deformer_of(samples + name);
    const Model& model = *deformer.model();
    const Pose pose = model.clips.empty() ? model.rest() : *sample(model, 0, model.clips[0].duration / 3);
    const auto positions = *deformer.positions(pose);
    const RowInfluences all = need(deformer.influences());
    const std::size_t n = deformer.dimension();
    for (const double above : {0.0, 0.5}) {
      std::vector<float> boxes(model.nodes.size() * 2 * n, 7);
      bone_boxes(all, positions, n, boxes, above);
      for (Index node = 0; node < model.nodes.size(); ++node)
        for (std::size_t c = 0; c < n; ++c) {
          std::set<float> values;
          for (std::size_t row = 0; row < deformer.vertices(); ++row)
            if (const auto of_row = row_of(all, row); of_row.contains(node) && static_cast<double>(of_row.at(node)) > above)
              values.insert(positions[row * n + c]);
          const float low = boxes[node * 2 * n + c], high = boxes[node * 2 * n + n + c];
          if (values.empty()) {
            EXPECT_TRUE(std::isnan(low) && std::isnan(high));
          } else {
            EXPECT_EQ(low, *values.begin());
            EXPECT_EQ(high, *values.rbegin());
          }
        }
    }
  }
}

}  // namespace
}  // namespace sinew::parts_test

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/guard.hpp"

#include "sinew/deform.hpp"
#include "sinew/sinew.hpp"

namespace sinew::door_test {
namespace {

const std::string samples = SINEW_SOURCE_DIR "/samples/";

Model load_sample(const std::string& name) {
  auto model = load(samples + name);
  EXPECT_TRUE(model) << (model ? "" : model.error().line());
  return model ? *std::move(model) : Model{};
}

Deformer deformer_of(const Model& model, const DeformerOptions& options = {}) {
  auto deformer = Deformer::create(model, options);
  if (!deformer) throw std::runtime_error(deformer.error().line());
  return *std::move(deformer);
}

std::array<float, 3> row(const std::vector<float>& positions, std::size_t vertex) {
  return {positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]};
}

void expect_near(const std::array<float, 3>& found, const std::array<float, 3>& expected) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], 1e-6) << i;
}

TEST(Door, PlaysAClipByNameAndByIndex) {
  const Model model = load_sample("gltf/simple_skin.gltf");
  Deformer deformer = deformer_of(model);
  EXPECT_EQ(deformer.vertices(), 10u);
  EXPECT_EQ(deformer.dimension(), 3u);
  ASSERT_EQ(deformer.instances().size(), 1u);
  EXPECT_EQ(deformer.instances()[0].vertices, 10u);
  const auto pose = sample(model, "Swing", 1.375);
  ASSERT_TRUE(pose);
  const auto positions = deformer.positions(*pose);
  ASSERT_TRUE(positions);
  expect_near(row(*positions, 9), {-1, 1.5, 0});
  EXPECT_EQ(*deformer.positions(*sample(model, 0, 1.375)), *positions);
  expect_near(row(*deformer.positions(model.rest()), 9), {0.5, 2, 0});
}

TEST(Door, ManyPosesInOneCallAreThoseOfSingleCalls) {
  for (const char* name : {"gltf/simple_skin.gltf", "gltf/morph_cube.gltf", "g4mf/arm_4d.g4tf"}) {
    const Model model = load_sample(name);
    if (model.clips.empty()) continue;
    Deformer deformer = deformer_of(model);
    const std::size_t size = deformer.vertices() * deformer.dimension(), count = 37;
    std::vector<double> times;
    std::vector<Pose> poses;
    std::vector<float> expected, found(count * size);
    for (std::size_t i = 0; i < count; ++i) {
      times.push_back(model.clips[0].duration * static_cast<double>((i * 17) % count) / 36);
      poses.push_back(*sample(model, 0, times.back()));
      const auto one = deformer.positions(poses.back());
      ASSERT_TRUE(one);
      expected.insert(expected.end(), one->begin(), one->end());
    }
    for (const unsigned threads : {0u, 1u, 2u, 64u}) {
      std::ranges::fill(found, 0.0F);
      ASSERT_TRUE(deformer.positions(0, times, found, threads));
      EXPECT_EQ(found, expected) << name << " " << threads;
      std::ranges::fill(found, 0.0F);
      ASSERT_TRUE(deformer.positions(poses, found, threads));
      EXPECT_EQ(found, expected) << name << " " << threads;
    }
  }
}

TEST(Door, ManyPosesFailWithTheFirstThatDoes) {
  const Model model = load_sample("gltf/simple_skin.gltf");
  Deformer deformer = deformer_of(model);
  std::vector<Pose> poses(40, model.rest());
  std::vector<float> out(poses.size() * 30);
  poses[7].locals[1].translation = {1e300, 0, 0};
  poses[30].locals[2].translation = {1e300, 0, 0};
  for (const unsigned threads : {1u, 0u}) {
    const auto made = deformer.positions(poses, out, threads);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().message, deformer.positions(poses[7]).error().message);
  }
  EXPECT_FALSE(deformer.positions(poses, std::span(out).first(30)));
  const double times[] = {0, NAN};
  EXPECT_FALSE(deformer.positions(0, times, std::span(out).first(60)));
  EXPECT_FALSE(deformer.positions(7, std::span(times).first(1), std::span(out).first(30)));
  EXPECT_TRUE(deformer.positions(std::span<const Pose>{}, {}));
}

TEST(Door, AClipFailsAsItsPosesDo) {
  Model model = load_sample("gltf/simple_skin.gltf");
  model.rest_pose.locals[1].scale = {1e10, 1, 1};
  Clip& clip = model.clips.emplace_back();
  Track& track = clip.tracks.emplace_back();
  track.node = 2;
  track.times = Array::own(std::vector<float>{0, 1}, 1);
  track.values = Array::own(std::vector<float>{0, 0, 0, 3e38F, 0, 0}, 3);
  const auto number = static_cast<Index>(model.clips.size() - 1);
  Deformer deformer = deformer_of(model);
  std::vector<float> out(3 * deformer.vertices() * 3);
  const double times[] = {0, 0.5, 1};
  const auto made = deformer.positions(number, times, out);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, deformer.positions(*sample(model, number, 0.5)).error().message);
  EXPECT_TRUE(deformer.positions(number, std::span(times).first(1), std::span(out).first(deformer.vertices() * 3)));
}

TEST(Door, NamesWhatIsNotThere) {
  const Model model = load_sample("gltf/simple_skin.gltf");
  const auto pose = sample(model, "Swnig", 1);
  ASSERT_FALSE(pose);
  EXPECT_EQ(pose.error().failure, Failure::usage);
  EXPECT_NE(pose.error().message.find("Swing"), std::string::npos) << pose.error().message;
  EXPECT_FALSE(sample(model, 1, 1));
  EXPECT_FALSE(sample(model, 0, std::nan("")));
  EXPECT_FALSE(load(samples + "gltf/missing.gltf"));
  EXPECT_FALSE(Deformer::create(model, {.scene = 7}));
}

TEST(Door, TurnsABoneInItsOwnAxesOnTopOfAClip) {
  const Model model = load_sample("gltf/simple_skin.gltf");
  Deformer deformer = deformer_of(model);
  Pose pose = model.rest();
  ASSERT_TRUE(pose.turn(model, "Upper", Quaternion::about({0, 0, 2}, std::numbers::pi / 2)));
  expect_near(row(*deformer.positions(pose), 9), {-1, 1.5, 0});
  Pose by_rotor = model.rest();
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(by_rotor.turn(model, "Upper", Rotor::in_plane(0, 1, std::numbers::pi / 4)));
  expect_near(row(*deformer.positions(by_rotor), 9), {-1, 1.5, 0});
  ASSERT_TRUE(by_rotor.turn(model, "2", Rotor::in_plane(1, 0, std::numbers::pi / 2)));
  expect_near(row(*deformer.positions(by_rotor), 9), {0.5, 2, 0});

  // First the turn, in the bone's axes: matrix = rotation of the pose · turn.
  Pose twice = model.rest();
  ASSERT_TRUE(twice.turn(model, "Upper", Quaternion::about({0, 0, 1}, std::numbers::pi / 2)));
  ASSERT_TRUE(twice.turn(model, "Upper", Quaternion::about({1, 0, 0}, std::numbers::pi / 2)));
  const Affine map = affine_of(3, twice.locals[2]);
  const double expected[] = {0, 1, 0, 0, 0, 1, 1, 0, 0};  // columns: x→y, y→z, z→x
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(map.values()[i], expected[i], 1e-12) << i;
}

TEST(Door, TurnsABoneWithABasis) {
  const Model model = load_sample("gltf/simple_skin.gltf");
  Pose pose = model.rest();
  pose.locals[2].rotor.clear();
  pose.locals[2].basis = {0, 2, 0, -3, 0, 0, 0, 0, 4};  // a quarter turn of a scale
  ASSERT_TRUE(pose.turn(model, "Upper", Quaternion::about({0, 0, 1}, std::numbers::pi / 2)));
  const Affine map = affine_of(3, pose.locals[2]);
  const double expected[] = {-2, 0, 0, 0, -3, 0, 0, 0, 4};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(map.values()[i], expected[i], 1e-12) << i;
  pose.locals[2].rotor.clear();
  pose.locals[2].scale.clear();
  pose.locals[2].basis = {1, 0, 0, 1, 1, 0, 0, 0, 1};
  const Pose sheared = pose;
  const auto refused = pose.turn(model, "Upper", Quaternion::about({0, 0, 1}, 1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "SINEW_POSE_NEEDS_BASIS");
  EXPECT_EQ(pose.locals, sheared.locals);
}

TEST(Door, TurnsInFourDimensions) {
  const Model model = load_sample("g4mf/arm_4d.g4tf");
  Deformer deformer = deformer_of(model);
  EXPECT_EQ(deformer.dimension(), 4u);
  EXPECT_EQ(need(deformer.triangles()).size() % 4, 0u);
  Pose pose = model.rest();
  const std::string bone = std::to_string(model.nodes.size() - 1);
  ASSERT_TRUE(pose.turn(model, bone, Rotor::in_plane(0, 3, 0.3)));
  EXPECT_TRUE(deformer.positions(pose));
  ASSERT_TRUE(pose.turn(model, bone, Rotor::in_plane(3, 0, 0.3)));
  for (std::size_t i = 0; i < 16; ++i)
    EXPECT_NEAR(affine_of(4, pose.locals.back()).values()[i], affine_of(4, model.rest().locals.back()).values()[i], 1e-12);
}

TEST(Door, RefusesTurnsThatAreNone) {
  const Model model = load_sample("gltf/simple_skin.gltf");
  Pose pose = model.rest();
  const Quaternion no_axis = Quaternion::about({0, 0, 0}, 1);
  for (const Rotor& turn : {Rotor(no_axis), Rotor(std::array<double, 4>{}), Rotor(std::array<double, 5>{1}), Rotor::in_plane(0, 3, 1)}) {
    const auto refused = pose.turn(model, "Upper", turn);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().failure, Failure::usage);
  }
  EXPECT_FALSE(pose.turn(model, "Uper", Quaternion::about({0, 0, 1}, 1)));
  EXPECT_EQ(pose.locals, model.rest().locals);
}

TEST(Door, BlendsByName) {
  const Model model = load_sample("gltf/morph_cube.gltf");
  Deformer deformer = deformer_of(model);
  Pose pose = model.rest();
  ASSERT_FALSE(model.meshes[0].shapes.empty());
  const std::string name = model.meshes[0].shapes[0].name.empty() ? "0" : model.meshes[0].shapes[0].name;
  ASSERT_TRUE(pose.blend(model, name, 0.75));
  EXPECT_NE(*deformer.positions(pose), *deformer.positions(model.rest()));
  EXPECT_FALSE(pose.blend(model, "nothing of the kind", 1));
  EXPECT_FALSE(pose.blend(model, name, std::nan("")));
}

TEST(Door, ADeformerOutlivesItsModel) {
  auto deformer = Deformer::create(*load(samples + "gltf/simple_skin.gltf"));
  ASSERT_TRUE(deformer);
  const Pose pose = deformer->model()->rest();
  expect_near(row(*deformer->positions(pose), 9), {0.5, 2, 0});
  Deformer copy = need(deformer->clone());
  *deformer = deformer_of(load_sample("gltf/morph_cube.gltf"));
  expect_near(row(*copy.positions(pose), 9), {0.5, 2, 0});
  EXPECT_FALSE(deformer->positions(pose)) << "a pose of another model";
}

TEST(Door, ComputesNormalsThatTheFileLacks) {
  const Model model = load_sample("gltf/simple_skin.gltf");
  Deformer off = deformer_of(model);
  std::vector<float> normals(30);
  const deform::Output out{.positions = {}, .normals = {normals.data(), 10, 3}, .tangents = {}};
  const auto refused = off.run(model.rest(), out);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("DeformerOptions::normals"), std::string::npos);

  Deformer stored = deformer_of(model, {.normals = Normals::stored});
  ASSERT_TRUE(stored.run(model.rest(), out));
  for (const float number : normals) EXPECT_TRUE(std::isnan(number));

  Deformer computed = deformer_of(model, {.normals = Normals::computed});
  const auto pose = sample(model, 0, 1.375);
  ASSERT_TRUE(computed.run(*pose, out));
  for (std::size_t vertex = 0; vertex < 10; ++vertex) expect_near(row(normals, vertex), {0, 0, 1});
}

/// Returns smooth normals of the rows of all instances, one block of vertices after the other; NaN where there is no simplex.
std::vector<float> smooth_rows(const Model& model, const Deformer& deformer, const std::vector<float>& positions) {
  const std::size_t n = model.dimension;
  std::vector<float> rows(positions.size(), 0.0F);
  std::size_t first = 0;
  for (const InstanceRows& instance : deformer.instances()) {
    const Mesh& mesh = model.meshes[instance.mesh];
    for (std::size_t b = 0; b < mesh.blocks.size(); first += mesh.blocks[b].vertices, ++b) {
      std::vector<std::uint32_t> corners;
      for (const Surface& surface : mesh.surfaces) {
        const Elements elements = need(elements_of(mesh, surface, n));
        if (surface.block == b && elements.corners == n) corners.insert(corners.end(), elements.indices.begin(), elements.indices.end());
      }
      need(smooth_normals<float>({positions.data() + first * n, mesh.blocks[b].vertices, n}, {corners.data(), corners.size() / n, n},
                                 {rows.data() + first * n, mesh.blocks[b].vertices, n}));
    }
  }
  for (std::size_t row = 0; row < rows.size(); row += n)
    if (std::all_of(&rows[row], &rows[row] + n, [](float x) { return x == 0; }))
      std::fill_n(&rows[row], n, std::numeric_limits<float>::quiet_NaN());
  return rows;
}

TEST(Door, ComputedNormalsAreSmoothNormals) {
  for (const char* name :
       {"gltf/simple_skin.gltf", "show/face.gltf", "show/globe.gltf", "show/arm_4d.g4tf", "show/arm_5d.g4tf", "g4mf/rig_2d.g4tf"}) {
    SCOPED_TRACE(name);
    Model model = load_sample(name);
    for (Mesh& mesh : model.meshes)
      for (VertexBlock& block : mesh.blocks)
        std::erase_if(block.attributes, [](const Attribute& a) { return a.semantic == Semantic::normal; });
    Deformer deformer = deformer_of(model, {.normals = Normals::computed});
    const std::size_t rows = deformer.vertices(), n = model.dimension;
    std::vector<float> positions(rows * n), normals(rows * n), again(rows * n);
    ASSERT_TRUE(deformer.run(model.rest(), {{positions.data(), rows, n}, {normals.data(), rows, n}, {}}, 1));
    ASSERT_TRUE(deformer.run(model.rest(), {{}, {again.data(), rows, n}, {}}, 3));
    EXPECT_EQ(std::memcmp(normals.data(), again.data(), normals.size() * sizeof(float)), 0);
    const std::vector<float> expected = smooth_rows(model, deformer, positions);
    std::size_t found = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (std::isnan(expected[i])) {
        EXPECT_TRUE(std::isnan(normals[i])) << i;
      } else {
        EXPECT_NEAR(normals[i], expected[i], 6e-8) << i;
        ++found;
      }
    }
    EXPECT_EQ(found == 0, std::string_view(name) == "g4mf/rig_2d.g4tf");
  }
}

TEST(Door, StoredNormalsAreThoseOfTheFile) {
  const Model model = load_sample("gltf/morph_cube.gltf");
  for (const Normals which : {Normals::stored, Normals::computed}) {
    Deformer deformer = deformer_of(model, {.normals = which});
    std::vector<float> normals(deformer.vertices() * 3);
    ASSERT_TRUE(deformer.run(model.rest(), {.positions = {}, .normals = {normals.data(), deformer.vertices(), 3}, .tangents = {}}));
    const Attribute* file = find_attribute(model.meshes[0].blocks[0].attributes, Semantic::normal);
    ASSERT_NE(file, nullptr);
    const std::vector<float> expected = file->values.read<float>();
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(normals[i], expected[i], 1e-6) << i;
  }
}

TEST(Door, TrianglesAreRowsOfThePositions) {
  const Model model = load_sample("gltf/simple_skin.gltf");
  const std::vector<std::uint32_t> triangles = need(deformer_of(model).triangles());
  EXPECT_EQ(triangles.size(), 24u);
  EXPECT_EQ(*std::max_element(triangles.begin(), triangles.end()), 9u);
}

TEST(Door, RefusesArraysOfAnotherSize) {
  const Model model = load_sample("gltf/simple_skin.gltf");
  Deformer deformer = deformer_of(model);
  std::vector<float> out(29);
  EXPECT_FALSE(deformer.positions(model.rest(), out));
  EXPECT_FALSE(deformer.run(model.rest(), {.positions = {out.data(), 9, 3}, .normals = {}, .tangents = {}}));
  EXPECT_FALSE(deformer.run(model.rest(), {.positions = {out.data(), 10, 2}, .normals = {}, .tangents = {}}));
  Pose pose = model.rest();
  pose.locals.pop_back();
  EXPECT_FALSE(deformer.positions(pose));
}

/// A sample with one change of its JSON text, and the expected place of the error.
struct Break {
  const char* what;
  const char* from;
  const char* to;
  const char* pointer;
};

class Broken : public testing::TestWithParam<Break> {};

TEST_P(Broken, IsRefusedWithItsPlace) {
  const Break& change = GetParam();
  std::ifstream in(samples + "gltf/simple_skin.gltf");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t at = text.find(change.from);
  ASSERT_NE(at, std::string::npos) << change.from;
  text.replace(at, std::string_view(change.from).size(), change.to);
  const auto path = std::filesystem::temp_directory_path() / ("sinew_door_" + std::string(change.what) + ".gltf");
  std::ofstream(path) << text;
  const auto model = load(path.string());
  std::filesystem::remove(path);
  ASSERT_TRUE(model) << model.error().line();
  const auto deformer = Deformer::create(*model);
  ASSERT_FALSE(deformer);
  EXPECT_EQ(deformer.error().failure, Failure::input);
  EXPECT_EQ(deformer.error().place.file, path.string());
  EXPECT_EQ(deformer.error().place.pointer.value_or("none"), change.pointer) << deformer.error().line();
}

INSTANTIATE_TEST_SUITE_P(
    Door, Broken,
    testing::Values(Break{"joint_slot", "\"bufferView\": 1,\n      \"componentType\": 5121",
                          "\"bufferView\": 0,\n      \"componentType\": 5121", "/meshes/0/primitives/0/attributes/JOINTS_0"},
                    Break{"joint_node", "\"joints\": [\n        1,", "\"joints\": [\n        9,", "/skins/0/joints/0"},
                    Break{"accessor", "\"POSITION\": 0", "\"POSITION\": 99", "/meshes/0/primitives/0/attributes/POSITION"},
                    Break{"loop", "\"children\": [\n        2\n", "\"children\": [\n        1\n", "/nodes/1"},
                    Break{"nan", "base64,AAAAvw", "base64,AADAfw", "/meshes/0"},
                    Break{"skin", "\"inverseBindMatrices\": 4", "\"inverseBindMatrices\": 3", "/skins/0/inverseBindMatrices"},
                    Break{"index", "\"indices\": 3", "\"indices\": 2", "/meshes/0/primitives/0/indices"}),
    [](const auto& tested) { return std::string(tested.param.what); });

}  // namespace
}  // namespace sinew::door_test

// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "base/guard.hpp"
#include "unit/deform/rig.hpp"

#include "sinew/deform.hpp"

namespace sinew::skeleton_pose_test {
namespace {

using namespace test;

// Deforms a mesh with a G4MF skeleton again, with loops over plain arrays that follow the specification: skeleton space, inverse bind
// matrices from the stored pose, weights divided by the sum of those that count.

using Matrix = std::vector<std::vector<double>>;  // homogeneous, [row][column]

Matrix identity(std::size_t size) {
  Matrix m(size, std::vector<double>(size));
  for (std::size_t i = 0; i < size; ++i) m[i][i] = 1;
  return m;
}

Matrix times(const Matrix& a, const Matrix& b) {
  Matrix m(a.size(), std::vector<double>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j)
      for (std::size_t k = 0; k < a.size(); ++k) m[i][j] += a[i][k] * b[k][j];
  return m;
}

/// Gauss–Jordan elimination with row pivoting.
Matrix inverted(Matrix a) {
  Matrix b = identity(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < a.size(); ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (i == k) continue;
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = 0; j < a.size(); ++j) a[i][j] -= factor * a[k][j], b[i][j] -= factor * b[k][j];
    }
    const double p = a[k][k];
    for (std::size_t j = 0; j < a.size(); ++j) a[k][j] /= p, b[k][j] /= p;
  }
  return b;
}

/// Nodes: 0 root, 1 skeleton, 2 to 4 a chain of bones, 5 the mesh's node (child of the skeleton), 6 a fourth bone below bone 2.
/// Slots: bones 4, 2, none, 6, 2 again. Vertices: up to seven influences of slots 0 to 6, of which 5 and 6 do not exist.
struct Rig {
  static constexpr std::size_t vertices = 50, slots = 5;
  std::size_t n;
  std::mt19937 engine;
  std::vector<std::size_t> parent{0, 0, 1, 2, 3, 1, 2};
  std::vector<int> joints{4, 2, -1, 6, 2};
  std::vector<Matrix> rest, pose;
  std::vector<double> position, offset;
  std::vector<std::vector<std::pair<std::size_t, double>>> influences;
  double amount = 0.75;

  explicit Rig(std::size_t dimension) : n(dimension), engine(static_cast<unsigned>(dimension)) {
    for (std::size_t node = 0; node < parent.size(); ++node) rest.push_back(transform()), pose.push_back(transform());
    pose[5] = rest[5];
    for (std::size_t i = 0; i < vertices * n; ++i) position.push_back(number()), offset.push_back(number());
    for (std::size_t v = 0; v < vertices; ++v) {
      influences.emplace_back();
      for (std::size_t k = 0; k < v % 8; ++k) influences.back().emplace_back(engine() % 7, (1 + static_cast<double>(engine() % 64)) / 32);
    }
  }

  /// A multiple of 1/256 in [−2, 2]: floats hold it exactly.
  double number() { return (static_cast<double>(engine() % 1025) - 512) / 256; }
  Matrix transform() {
    Matrix m = identity(n + 1);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= n; ++j) m[i][j] += 0.25 * number();
    return m;
  }

  [[nodiscard]] Matrix below(const std::vector<Matrix>& locals, std::size_t ancestor, std::size_t node) const {
    Matrix m = identity(n + 1);
    for (; node != ancestor; node = parent[node]) m = times(locals[node], m);
    return m;
  }

  [[nodiscard]] std::vector<double> expected() const {
    const Matrix world_from_skeleton = times(pose[0], pose[1]);
    const Matrix l = rest[5];
    std::vector<Matrix> d(slots, identity(n + 1));
    for (std::size_t g = 0; g < slots; ++g) {
      if (joints[g] < 0) continue;
      const auto bone = static_cast<std::size_t>(joints[g]);
      d[g] = times(inverted(l), times(below(pose, 1, bone), times(inverted(below(rest, 1, bone)), l)));
    }
    const Matrix world_from_mesh = times(world_from_skeleton, pose[5]);
    std::vector<double> out;
    for (std::size_t v = 0; v < vertices; ++v) {
      std::vector<double> point(n + 1, 1), moved(n + 1);
      for (std::size_t i = 0; i < n; ++i) point[i] = position[v * n + i] + (v % 3 == 0 ? amount * offset[v * n + i] : 0);
      double sum = 0;
      for (const auto& [g, w] : influences[v])
        if (g < slots) {
          sum += w;
          for (std::size_t i = 0; i <= n; ++i)
            for (std::size_t j = 0; j <= n; ++j) moved[i] += w * d[g][i][j] * point[j];
        }
      for (double& x : moved) x /= sum;
      if (sum == 0) moved = point;
      for (std::size_t i = 0; i < n; ++i) {
        double x = 0;
        for (std::size_t j = 0; j <= n; ++j) x += world_from_mesh[i][j] * moved[j];
        out.push_back(x);
      }
    }
    return out;
  }

  [[nodiscard]] LocalTransform local(const Matrix& m) const {
    LocalTransform out;
    out.basis.assign(n * n, 0);
    out.translation.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      out.translation[i] = m[i][n];
      for (std::size_t j = 0; j < n; ++j) out.basis[j * n + i] = m[i][j];
    }
    return out;
  }

  [[nodiscard]] Model model() const {
    Model out;
    out.dimension = n;
    out.nodes.resize(parent.size());
    for (Index node = 1; node < parent.size(); ++node) {
      out.nodes[node].parent = static_cast<Index>(parent[node]);
      out.nodes[parent[node]].children.push_back(node);
    }
    for (const Matrix& m : rest) out.rest_pose.locals.push_back(local(m));
    out.rest_pose.amounts.resize(parent.size());
    out.rest_pose.amounts[5] = {amount};
    out.nodes[5].mesh = out.nodes[5].skin = 0;
    Skin skin;
    skin.bind = Skin::Bind::skeleton_pose;
    skin.frame = 1;
    for (const int joint : joints) skin.slots.push_back(joint < 0 ? none : static_cast<Index>(joint));
    out.skins.push_back(skin);

    Mesh mesh = mesh_of({position.begin(), position.end()}, n);
    mesh.shapes.resize(1);
    std::vector<std::uint32_t> indices;
    std::vector<float> offsets;
    for (std::size_t v = 0; v < vertices; v += 3) {
      indices.push_back(static_cast<std::uint32_t>(v));
      for (std::size_t i = 0; i < n; ++i) offsets.push_back(static_cast<float>(offset[v * n + i]));
    }
    mesh.blocks[0].attributes[0].offsets = {{0, Array::own(std::move(indices), 1), Array::own(std::move(offsets), n), true}};
    Influences rows;
    rows.divide_by_sum = true;
    rows.first = {0};
    std::vector<std::uint16_t> group;
    std::vector<float> weight;
    for (const auto& list : influences) {
      for (const auto& [g, w] : list) group.push_back(static_cast<std::uint16_t>(g)), weight.push_back(static_cast<float>(w));
      rows.first.push_back(static_cast<std::uint32_t>(group.size()));
    }
    rows.slots = Array::own(std::move(group), 1);
    rows.weights = Array::own(std::move(weight), 1);
    mesh.blocks[0].influences = std::move(rows);
    out.meshes.push_back(std::move(mesh));
    return out;
  }
};

class SkeletonPose : public testing::TestWithParam<std::size_t> {};

TEST_P(SkeletonPose, AgreesWithTheFormatsText) {
  const Rig rig(GetParam());
  const std::size_t n = rig.n;
  const Model model = rig.model();
  Pose pose = model.rest_pose;
  for (std::size_t node = 0; node < rig.pose.size(); ++node) pose.locals[node] = rig.local(rig.pose[node]);
  auto scene = deform::SceneDeformer::create(model, need(instances(model)), {});
  ASSERT_TRUE(scene) << scene.error().line();
  std::vector<float> out(Rig::vertices * n);
  ASSERT_TRUE(scene->run(pose, {{out.data(), Rig::vertices, n}, {}, {}}, 1));

  const std::vector<double> expected = rig.expected();
  double extent = 0, largest = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    extent = std::max(extent, std::abs(expected[i]));
    largest = std::max(largest, std::abs(expected[i] - static_cast<double>(out[i])));
  }
  EXPECT_GT(extent, 1);
  EXPECT_LT(largest, 1e-6 * extent);
}

TEST_P(SkeletonPose, AtRestShowsTheMeshAsStored) {
  Rig rig(GetParam());
  rig.pose = rig.rest;
  const Model model = rig.model();
  auto scene = deform::SceneDeformer::create(model, need(instances(model)), {});
  std::vector<float> out(Rig::vertices * rig.n);
  ASSERT_TRUE(scene->run(model.rest_pose, {{out.data(), Rig::vertices, rig.n}, {}, {}}, 1));
  const Affine world_from_mesh = need(world_transforms(model, model.rest_pose))[5];
  for (std::size_t v = 0; v < Rig::vertices; ++v) {
    std::vector<double> point;
    for (std::size_t i = 0; i < rig.n; ++i)
      point.push_back(rig.position[v * rig.n + i] + (v % 3 == 0 ? rig.amount * rig.offset[v * rig.n + i] : 0));
    world_from_mesh.apply(point, point);
    for (std::size_t i = 0; i < rig.n; ++i) EXPECT_NEAR(out[v * rig.n + i], point[i], 5e-6) << v;
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, SkeletonPose, testing::Values(1, 2, 3, 4, 5, 6, 9));

/// One bone at (5, 0, 0, 0) below a skeleton; the mesh's node beside it has its own rotation and scale; 4D.
struct Small {
  Model model;
  Pose pose;

  Small() {
    model.dimension = 4;
    model.nodes.resize(3);
    model.nodes[0].children = {1, 2};
    model.nodes[1].parent = model.nodes[2].parent = 0;
    model.nodes[2].mesh = model.nodes[2].skin = 0;
    model.meshes.push_back(mesh_of({1, 2, 3, 4}, 4));
    model.skins.resize(1);
    model.skins[0].bind = Skin::Bind::skeleton_pose;
    model.skins[0].frame = 0;
    model.skins[0].slots = {1};
    model.rest_pose.locals.resize(3);
    model.rest_pose.amounts.resize(3);
    model.rest_pose.locals[0].translation = {0, 0, 0, 10};
    model.rest_pose.locals[1].translation = {5, 0, 0, 0};
    model.rest_pose.locals[2].basis = {0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    pose = model.rest_pose;
  }
  Affine map() {
    deform::Palette out;
    const auto made = deform::palette(model, need(instances(model))[0], need(world_transforms(model, pose)),
                                      need(world_transforms(model, model.rest_pose)), out);
    EXPECT_TRUE(made) << made.error().line();
    return out[0];
  }
  Affine node_map() { return need(world_transforms(model, pose))[2]; }
};

double distance(const Affine& a, const Affine& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i) largest = std::max(largest, std::abs(a.values()[i] - b.values()[i]));
  return largest;
}

TEST(SkeletonPosePalette, MovesWhatTheBoneMovesInTheSkeletonsSpace) {
  Small rig;
  rig.pose.locals[1].translation = {5, 7, 0, 0};
  const Affine shift = affine({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, {0, 7, 0, 0});
  EXPECT_LT(distance(rig.map(), shift * rig.node_map()), 1e-14) << "the mesh node's own turn does not turn the shift";
}

TEST(SkeletonPosePalette, ANodeMovedLaterTakesTheDeformedMeshAlong) {
  Small rig;
  rig.pose.locals[1].translation = {5, 7, 0, 0};
  const Affine deformed = rig.map(), before = rig.node_map();
  rig.pose.locals[2].translation = {0, 0, 3, 0};
  rig.pose.locals[2].basis = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2};
  EXPECT_LT(distance(rig.map(), rig.node_map() * *inverse(before) * deformed), 1e-13);
}

TEST(SkeletonPosePalette, WorksBelowASkeletonWithoutSize) {
  Small rig;
  rig.pose.locals[0].scale = {1, 1, 1, 0};
  rig.pose.locals[1].translation = {5, 7, 0, 0};
  const Affine shift = affine({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, {0, 7, 0, 0});
  EXPECT_LT(distance(rig.map(), shift * rig.node_map()), 1e-14);
}

TEST(SkeletonPosePalette, ABoneThatIsFlatAtRestLeavesItsVerticesWithTheMeshsNode) {
  Small rig;
  rig.model.rest_pose.locals[1].scale = {1, 1, 0, 1};
  rig.pose.locals[1].translation = {5, 7, 0, 0};
  EXPECT_EQ(rig.map(), rig.node_map());
}

TEST(SkeletonPosePalette, ASlotWithoutABoneStaysWithTheMeshsNode) {
  Small rig;
  rig.model.skins[0].slots = {none};
  rig.pose.locals[2].translation = {1, 2, 3, 4};
  EXPECT_EQ(rig.map(), rig.node_map());
}

TEST(SkeletonPosePalette, HiddenBonesCount) {
  Small rig;
  rig.pose.locals[1].translation = {5, 7, 0, 0};
  const Affine shown = rig.map();
  rig.model.nodes[1].visible = false;
  EXPECT_EQ(rig.map(), shown);
}

}  // namespace
}  // namespace sinew::skeleton_pose_test

// SPDX-License-Identifier: MIT
// Compiled with -march=native (bench/CMakeLists.txt), unlike the library, which chooses its kernel at run time.
#include <Eigen/Core>
#include <Eigen/Geometry>

#include "baselines.hpp"

namespace baseline {

void eigen(const Arrays& in, float* positions, float* normals) {
  using Vector = Eigen::Vector3f;
  const auto matrix = [&](std::size_t joint) { return Eigen::Map<const Eigen::Matrix4f, Eigen::Aligned64>(in.matrix4(joint)); };
  for (std::size_t v = 0; v < in.vertices; ++v) {
    const std::uint8_t* j = &in.joints[4 * v];
    const float* w = &in.weights[4 * v];
    const Eigen::Matrix4f m = w[0] * matrix(j[0]) + w[1] * matrix(j[1]) + w[2] * matrix(j[2]) + w[3] * matrix(j[3]);
    const float* p = &in.positions[3 * v];
    Eigen::Map<Vector>(positions + 3 * v) = (m * Eigen::Vector4f(p[0], p[1], p[2], 1)).head<3>();
    if (normals == nullptr) continue;
    const float* q = &in.normals[3 * v];
    Eigen::Map<Vector>(normals + 3 * v) = (m * Eigen::Vector4f(q[0], q[1], q[2], 0)).head<3>().normalized();
  }
}

}  // namespace baseline

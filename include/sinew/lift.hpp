// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/convert.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

// Lifting: a rigged surface gets one dimension more (docs/lift.md).

inline constexpr std::size_t most_rings = 1024;  ///< points of a ring

struct LiftOptions {
  io::LoadOptions load;
  OnLoss on_loss = OnLoss::write;
  Index scene = none;               ///< none: the file's default scene
  unsigned threads = 0;             ///< 0 = all cores
  std::optional<double> thickness;  ///< the radius of the rings, in the units of the file; empty: 2 % of the diagonal at rest
  std::size_t rings = 0;            ///< points of a ring, even, at least 4; 0: by the radius and the length of the edges
  /// Joints, by name or index, and angles in degrees: the new clip "into w" turns the direction of each of these bones towards the new axis
  /// by this angle, and back.
  std::vector<std::pair<std::string, double>> into_w;
  /// Called before the work starts.
  std::function<void(std::size_t simplexes, std::size_t vertices)> starts;
};

/// A part of a mesh that is left out, with the reason.
struct LeftOut {
  std::string mesh;
  Index index = none;  ///< of the mesh
  std::size_t simplexes = 0;
  std::string why;
};

/// What lifting made.
struct LiftReport {
  double thickness = 0;
  std::size_t rings = 0;
  std::size_t before = 0;     ///< simplexes of the surfaces
  std::size_t simplexes = 0;  ///< of the new ones
  std::size_t vertices = 0;
  std::size_t borders = 0;  ///< sides of the surfaces that were closed
  std::size_t limited = 0;  ///< places of vertices where the thickness is smaller, so that nothing passes through itself
  double thinnest = 0;      ///< the smallest thickness; thickness: nowhere limited
  std::string thin_mesh;    ///< the mesh where that is
  std::size_t meeting = 0;  ///< simplexes of the surfaces that touch or cross others at rest: their walls cannot be kept apart
  std::vector<LeftOut> left_out;
};

struct Lifted : Written {
  LiftReport report;
};

/// Lifts a model in memory, of N ≥ 3 dimensions: each vertex of a surface becomes a ring of points in the plane of its normal and the new
/// axis, longer along the normal at corners (mitres), so that the surface S becomes S × circle; borders are closed. Vertices are welded by
/// position first. The new surfaces are closed and consistently oriented, and their front faces away from S. Weights, blend shapes, texture
/// coordinates and clips carry over; nodes act in the old axes and rest in the new one. Stored normals become those of the rings. Lines and
/// points are left out, and parts with a side that more than two simplexes share, or without an orientation; `losses` names them.
/// Failure::usage: a joint that does not exist, rings that are odd, fewer than 4 or more than most_rings, a thickness that is not positive
/// or larger than 100 diagonals. Precondition: one block of vertices per mesh, as in models read from G4MF. Failure::input: nothing
/// remains. Failure::limit: more vertices than 32 bits can count, or more work than the model's limit.
[[nodiscard]] Result<Model> lift(const Model& model, const LiftOptions& options, LiftReport& report, FindingSink& losses);

/// Lifts a file: glTF becomes G4MF of four dimensions, with its materials; G4MF of N dimensions becomes G4MF of N + 1, and its materials
/// keep their names only. The file appears whole or not at all.
[[nodiscard]] Result<Lifted> lift(const std::filesystem::path& from, const std::filesystem::path& to, const LiftOptions& options,
                                  FindingSink& sink, FindingSink& losses);

}  // namespace sinew::operations

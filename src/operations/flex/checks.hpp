// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "operations/files/most_work.hpp"
#include "operations/flex/figure.hpp"
#include "operations/flex/findings.hpp"
#include "operations/flex/solid.hpp"

namespace sinew::operations::bend {

/// The limits of the kinds (docs/flex.md gives their reasons).
namespace limit {
inline constexpr double tear = 0.001, tear_error = 0.01;              // of the diagonal
inline constexpr double collapse = 0.4, collapse_error = 0.6;         // 1 − the ratio of the cross-section
inline constexpr double depth = 0.005, depth_error = 0.02;            // of the diagonal
inline constexpr std::size_t few = 3;                                 // vertices or simplexes: fewer occur on good rigs
inline constexpr double near = 0.05;                                  // between cover and body
inline constexpr double spike_small = 3, spike = 4, spike_shape = 6;  // stretch
inline constexpr double spike_angle = 60;                             // degrees: up to here spike_small counts
inline constexpr double shortest = 0.001;                             // edges count as at least so long
inline constexpr double probe_flip = 10, probe_self = 20;             // degrees
inline constexpr double crease = 1.6;                                 // radii of the zone
inline constexpr double moves = 1e-6;                                 // of the diagonal
}  // namespace limit

/// Returns whether a dimension has surfaces that pass through each other: those of solids, and outlines in the plane.
[[nodiscard]] constexpr bool has_crossings(std::size_t n) { return n == 2 || n == 3; }

/// Which kinds are wanted.
class Kinds {
 public:
  explicit Kinds(std::span<const FlexKind> list) {
    on_.fill(list.empty());
    for (const FlexKind kind : list) on_[static_cast<std::size_t>(kind)] = true;
  }
  void drop(FlexKind kind) { on_[static_cast<std::size_t>(kind)] = false; }
  [[nodiscard]] bool operator[](FlexKind kind) const { return on_[static_cast<std::size_t>(kind)]; }

 private:
  std::array<bool, 9> on_{};
};

/// A range of turns of a joint about its origin, in a plane of two axes of its frame.
struct Swing {
  std::array<Index, 2> plane{};
  double low = 0, high = 0;    ///< degrees, around 0
  bool human = false;          ///< the range of a human bone, instead of FlexOptions::angles
  std::vector<double> angles;  ///< to sample, ascending; without the probe angles
};
/// Returns the swings of each joint: all planes and angles, or the ranges of human bones (ranges.cpp).
[[nodiscard]] std::vector<std::vector<Swing>> swings_of(const Figure& figure, const FlexOptions& options);

/// Two twins at one place, on both sides of a seam: of two open ridges that coincide.
struct SeamPair {
  Number a = 0, b = 0;
  bool rigid = false;  ///< both sides are rigid parts
};
[[nodiscard]] std::vector<SeamPair> find_seams(const Figure& figure);
/// Adds tears of blend shapes: vertices of one twin at a seam that a shape moves apart. `offset`: by vertex, N numbers each.
void find_shape_tears(const Figure& figure, std::span<const double> offset, const FlexPose& pose, Findings& out);

/// Oriented areas of simplexes at rest, and what is too small to have one.
class Faces {
 public:
  explicit Faces(const Figure& figure);
  /// Returns whether simplex i is turned over. `turned`: its normal at rest after the mean rotation of its corners, N numbers.
  [[nodiscard]] bool flipped(std::size_t i, std::span<const double> at, std::span<const double> turned) const;
  /// Returns whether the normal in a pose and a vector point to different sides.
  [[nodiscard]] bool against(std::size_t i, std::span<const double> at, std::span<const double> vector) const;
  /// The same as `flipped` for two dimensions.
  [[nodiscard]] bool mirrored(std::size_t i, std::span<const double> at) const;
  [[nodiscard]] const double* normal(std::size_t i) const { return &normals_[i * figure_.n]; }
  [[nodiscard]] double area(std::size_t i) const { return areas_[i]; }
  [[nodiscard]] double median() const { return median_; }
  [[nodiscard]] bool counts(std::size_t i) const { return areas_[i] > 1e-8 * median_; }

 private:
  const Figure& figure_;
  std::vector<double> normals_;  ///< two dimensions: empty
  std::vector<double> areas_;
  double median_ = 0;
};

/// Returns the direction of the bone of each joint at rest, N numbers each; zeros: none.
[[nodiscard]] std::vector<double> bone_directions(const Figure& figure);
/// Returns N numbers for each joint: the direction to the middle of the vertices that mostly follow it; without any, that of its bone
/// (`bones`, from bone_directions). A foot that hangs on an IK joint has its own direction, not that of the joint above.
[[nodiscard]] std::vector<double> limb_directions(const Figure& figure, std::span<const double> bones);
/// Returns the largest and the least singular value of an N×N matrix.
[[nodiscard]] std::array<double, 2> singular_range(std::size_t n, const double* matrix);

/// A few connected places with a weight for a joint that none of the places around them has, far from the others of that joint.
struct Island {
  Number joint = 0;
  double largest = 0;  ///< of the weights
  std::vector<Number> places, ring;
};
[[nodiscard]] std::vector<Island> list_islands(const Figure& figure);

/// Stray weights and unbound vertices need no pose.
void find_islands(const Figure& figure, Findings& out);
void find_unbound(const Figure& figure, Findings& out);

/// Groups of one to eight connected twins that jump together.
struct Jump {
  std::vector<Number> twins;
  std::vector<std::array<Number, 2>> leaving;  ///< edges from the group to others
};
/// Finds groups all of whose leaving edges are long; `edges`: the long ones (a < b).
[[nodiscard]] std::vector<Jump> find_jumps(const Figure& figure, std::span<const std::array<Number, 2>> edges);

/// Triangles of one part that cross in a pose and not at rest; in two dimensions, triangles whose edges do.
struct Crossing {
  Number a, b;
};
/// `zone`: the simplexes of which one must take part.
/// `outline`: in two dimensions the edges that may cross (Checks::outline).
[[nodiscard]] std::vector<Crossing> find_crossings(const Figure& figure, std::span<const Piece> outline, std::span<const Number> zone,
                                                   std::span<const double> at);

class Covers;  // penetration.hpp

/// Everything that the poses share.
struct Checks {
  const Figure& figure;
  Kinds kinds;
  const FlexOptions& options;
  std::vector<std::vector<Swing>> swings;
  std::vector<SeamPair> seams;
  Faces faces;
  std::vector<double> bones, limbs;
  std::vector<Piece> outline;  ///< two dimensions: of all parts
  const Covers* covers = nullptr;
  WorkMeter* work = nullptr;
};

/// Bends every joint. Returns the number of poses.
[[nodiscard]] Result<std::size_t> check_stress(const Checks& checks, Findings& out);
/// Samples clips. Returns the number of moments.
[[nodiscard]] Result<std::size_t> check_clips(const Checks& checks, std::span<const Index> clips, Findings& out);
/// Turns on blend shapes and expressions. Returns the number of poses.
[[nodiscard]] Result<std::size_t> check_shapes(const Checks& checks, Findings& out, std::vector<FlexSkipped>& skipped);

/// Returns all twins at a moment of a clip, or with all shapes as given. For pictures and clips.
class ClipPoser {
 public:
  explicit ClipPoser(const Figure& figure);
  /// Fills the maps of all carriers (N·(N+1) numbers each) at a pose of the model.
  [[nodiscard]] Result<> maps(const Pose& pose, std::vector<double>& out) const;
  /// Deforms all twins: N numbers each.
  void deform(const Pose& pose, std::span<const double> maps, std::vector<double>& out) const;

 private:
  void deform_in_space(std::span<const double> maps, const double* rest, std::vector<double>& out) const;

  const Figure& figure_;
  std::vector<Affine> mesh_from_rest_;  ///< by body, in diagonals
};

/// Turns twins about a joint: adds what the turn moves to the rest positions.
struct Turn {
  const double *from, *to, *center;
  double cosine, sine;

  Turn(const Figure& figure, const Joint& joint, const std::array<Index, 2>& plane, double degrees);
  /// `s`: how much of the turn the point follows.
  void move(std::size_t n, const double* at, double s, double* out) const;
};

/// Adds up the weights of a twin below a joint.
[[nodiscard]] double share_below(const Figure& figure, Number twin, Number joint);

/// What a shape or an expression does: amounts by shape of Figure::shapes.
struct ShapePose {
  std::string name;
  std::vector<std::pair<std::size_t, double>> amounts;
  Index expression = none;
};
[[nodiscard]] std::vector<ShapePose> shape_poses(const Figure& figure);
/// Returns how the shapes move each vertex, N numbers each, against the mesh without shapes.
[[nodiscard]] std::vector<double> shape_offsets(const Figure& figure, std::span<const ShapePose* const> poses, double sign);

}  // namespace sinew::operations::bend

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// The way in which the vertices of two meshes are paired.
enum class Pairing : std::uint8_t {
  index,        ///< vertex i with vertex i: both meshes have the same number
  permutation,  ///< one to one by position at rest: the same number of vertices in another order
  corners,      ///< corner by corner of each surface: vertices were split or welded
  position,     ///< the nearest vertex of the other mesh at rest; among several at that place, the one with the most similar motion
  surfaces,  ///< not paired: every point of each surface of triangles has a distance from the other surface, see CompareOptions::surfaces
  none       ///< not comparable
};
/// Returns the name of the enumerator: "index", …
[[nodiscard]] std::string_view to_string(Pairing pairing) noexcept;

struct CompareOptions {
  Index scene_a = none, scene_b = none;  ///< none: the default one
  bool match = false;                    ///< pair by position
  bool attributes = false;               ///< also compare normals and texture coordinates, at rest
  bool triangles = false;                ///< also compare which vertices form triangles
  /// Three dimensions: of meshes of triangles, compare the surfaces, not the vertices, which then may be others. Distances are upper
  /// bounds, at most 2 % above the largest one, or more where a triangle would need very many pieces. Surface i is compared with surface i,
  /// if both meshes have as many.
  bool surfaces = false;
  double surface_known = 0;                                           ///< with `surfaces`, relative: bounds up to this need not be close
  double surface_stop = 0;                                            ///< with `surfaces`, relative: stop soon after a larger one; 0: never
  bool stored_amounts = false;                                        ///< amounts of blend shapes count from the stored ones, not from 0
  std::size_t worst = 0;                                              ///< the number of furthest vertices to list
  bool distances = false;                                             ///< keep the largest distance of each vertex
  unsigned threads = 0;                                               ///< 0 = all cores
  std::uint64_t comparisons = 1;                                      ///< that share one limit of work (Limits::work)
  std::function<void(std::size_t done, std::size_t total)> progress;  ///< may be empty
};

/// Distances of paired vertices in world space, over a set of times. A value that is not finite has infinite distance.
struct Distance {
  double max = 0;
  double rms = 0;                          ///< root of the mean square, over vertices and times
  std::size_t measured = 0;                ///< pairs of vertices multiplied by times
  double seconds = 0;                      ///< the time of the largest distance, in a clip
  std::size_t vertex_a = 0, vertex_b = 0;  ///< the first vertices at the largest distance: rows over all blocks of the mesh
};

/// One or more compared states:
/// - rest: the stored pose
/// - clip: a clip, at all keys of both models and half-way between them
/// - stress: poses in which every joint is turned by 45° from the stored pose, in one plane of its parent's axes
/// - shown: the stored pose, as it is and with all blend amounts 0; only if a scale next to 0 or a blend amount can hide a part
/// - shape: one blend shape with the amount 1 and all others with 0, in the stored pose
/// All but rest show what a scale next to 0 hides in both models: such a node gets the scale 1, or less if what it hides would then reach
/// further than ten diagonals.
struct Part {
  enum class Kind : std::uint8_t { rest, clip, stress, shown, shape };
  Kind kind = Kind::rest;
  Index a = none, b = none;  ///< index of the clip, or of the shape in its mesh; stress: the two axes of the plane
  std::string name;          ///< in A; stress: the name of the plane ("xy")
  Distance distance;
};
/// Returns "rest", "animation", "stress", "shown" or "blendShape".
[[nodiscard]] std::string_view to_string(Part::Kind kind) noexcept;

/// An object that exists in only one of the models.
struct Alone {
  enum class Kind : std::uint8_t { instance, clip, shape };
  Kind kind = Kind::instance;
  Index index = none;  ///< of the node, the clip, or the shape in its mesh
  Index node = none;   ///< of a shape: the node with its mesh
  std::string name;
};
/// Returns "instance", "animation" or "blendShape".
[[nodiscard]] std::string_view to_string(Alone::Kind kind) noexcept;

/// The proved result for all poses, without sampling (docs/compare.md has the theorem and its proof). A deformed vertex is Σ
/// world_from_joint · (weight · joint_from_mesh · v), which is linear in the joints. So with the same skeleton, equal coefficients weight ·
/// joint_from_mesh · v and equal weights per joint give equal vertices in every pose.
struct EveryPose {
  std::string why_not;  ///< why the skeletons are not the same; empty: they are the same
  /// An upper bound of the distance of any vertex, in scene units. It holds for every pose in which joints only turn about their own
  /// origins (local translations and scales as at rest) and blend amounts are between 0 and 1. Infinite: there is no bound.
  double bound = std::numeric_limits<double>::infinity();
  /// The largest sum, over joints, of the differences of coefficients and of weights (times Comparison::diagonal), in scene units.
  double difference = std::numeric_limits<double>::infinity();

  /// Returns whether the proof shows that vertices agree in every pose, to a distance in scene units.
  [[nodiscard]] bool proved(double distance) const { return why_not.empty() && bound <= distance && difference <= distance; }
};

/// Attributes of paired vertices at rest (CompareOptions::attributes).
struct AttributeDifference {
  std::string name;                        ///< "NORMAL", "TEXCOORD_0", …
  double max = 0;                          ///< normals: the angle in radians; texture coordinates: the distance
  std::size_t vertex_a = 0, vertex_b = 0;  ///< the vertices with the largest difference
  std::string why_not;                     ///< why it was not compared; or empty
};

/// A vertex that is far from its counterpart (listed for CompareOptions::worst).
struct FarVertex {
  std::size_t vertex_a = 0, vertex_b = 0;
  double distance = 0;
  std::size_t part = 0;  ///< index in InstancePair::parts: the part with the largest distance
  double seconds = 0;    ///< the time of the largest distance, in a clip
  Index joint = none;    ///< the node of A whose coefficients differ most; none: all are equal
  std::string joint_name;
};

/// Triangles with an area of a pair (CompareOptions::triangles). Vertices at one position count as one, so that seams do not matter; the
/// direction of the corners does.
struct TriangleDifference {
  std::size_t a = 0, b = 0;            ///< in each mesh
  std::size_t only_a = 0, only_b = 0;  ///< without a counterpart in the other one
};

/// A drawn mesh that exists in both models.
struct InstancePair {
  Instance a, b;
  std::string name;                            ///< of the node in A
  std::size_t vertices_a = 0, vertices_b = 0;  ///< of the mesh
  Pairing pairing = Pairing::none;
  std::string why_not;                         ///< Pairing::none: the reason
  std::size_t pairs = 0;                       ///< number of measured pairs of vertices
  std::size_t unpaired_a = 0, unpaired_b = 0;  ///< vertices that belong to no corner, so they have no pair
  std::size_t apart = 0;                       ///< pairs that are measured separately: see compare
  double apart_max = 0;                        ///< the largest distance of those
  std::vector<Part> parts;
  EveryPose every_pose;
  std::vector<AttributeDifference> attributes;
  std::optional<TriangleDifference> triangles;  ///< of vertices paired by index or permutation, if requested
  std::vector<FarVertex> worst_vertices;        ///< the furthest first
  std::vector<float> distances;                 ///< the largest distance of each vertex of A; NaN: unpaired. Empty if not requested

  /// Returns the part with the largest distance (the first of those that are equal but for rounding), or nullptr.
  [[nodiscard]] const Part* worst() const noexcept;
  [[nodiscard]] double max() const noexcept;
  [[nodiscard]] double rms() const noexcept;  ///< over all parts
  /// A moment of a clip at which only one of the models shows it.
  struct Hidden {
    Index clip = none;  ///< of A
    double seconds = 0;
    bool in_a = false;
  };
  std::optional<Hidden> hidden;  ///< the first such moment

  /// Returns whether only one of the models shows it, as stored or at a time of a clip. Such a pair is different, at any distance.
  [[nodiscard]] bool hidden_in_one() const { return a.visible != b.visible || hidden; }
  /// Returns whether that one is B. Precondition: hidden_in_one().
  [[nodiscard]] bool hidden_in_b() const { return a.visible != b.visible ? a.visible : !hidden->in_a; }
};

/// The result of a comparison.
enum class Verdict : std::uint8_t {
  equal_in_every_pose,  ///< proved, and the clips are equal where sampled
  equal_where_sampled,
  different,
  not_comparable  ///< no difference was found, but something could not be compared
};
/// Returns "equal in every pose", "equal where sampled", "different" or "not comparable".
[[nodiscard]] std::string_view in_words(Verdict verdict) noexcept;

struct Comparison {
  /// Of the bounding box of A's scene at rest; of the scene that shows what is hidden, if at rest it is a point. The unit of relative
  /// distances.
  double diagonal = 0;
  std::vector<InstancePair> instances;
  std::vector<Alone> only_a, only_b;
  std::vector<NotCovered> not_covered;  ///< what can move vertices of either model and was not compared
  std::string why_not;                  ///< why nothing can be compared; empty: something can

  /// Returns the pair with the largest distance (the first of equal ones), or nullptr.
  [[nodiscard]] const InstancePair* worst() const noexcept;
  /// Returns whether the vertices of any instance could be compared, or neither model draws any.
  [[nodiscard]] bool has_distances() const noexcept;
  /// Returns the largest distance of everything that could be compared; infinite if nothing could.
  [[nodiscard]] double max() const noexcept;
  [[nodiscard]] double rms() const noexcept;  ///< over all pairs, weighted by their numbers of measured vertices
  /// Returns distance / diagonal. If the diagonal is 0: 0 for a distance of 0, otherwise infinite.
  [[nodiscard]] double relative(double distance) const noexcept;
  /// Returns the largest distance of any vertex of A from its counterpart, relative to the diagonal, including excluded pairs. Infinite if
  /// an instance, a clip or a blend shape of A has no counterpart or cannot be compared, or if something of A that
  /// is not covered may move vertices and is lost.
  [[nodiscard]] double error() const noexcept;
  /// Returns the proved result over all instances. Its bound is also infinite if an instance or a blend shape has no counterpart, or if
  /// something not covered may move vertices.
  [[nodiscard]] Result<EveryPose> every_pose() const;
  /// `tolerance`: the largest distance, relative to the diagonal, of vertices that count as equal.
  [[nodiscard]] Verdict verdict(double tolerance) const noexcept;
  /// Returns whether the verdict is equal_in_every_pose or equal_where_sampled.
  [[nodiscard]] bool equal_within(double tolerance) const noexcept;
};

/// Compares the deformed vertices of two models of any format, frame by frame, without keeping frames.
///
/// Instances, clips and blend shapes are paired by name if the name is unique in both models. The others are paired in order; extra ones
/// stay unpaired. Vertices are paired by index if both meshes have the same number of vertices. If their positions at rest then differ,
/// vertices are paired one to one by position at rest. Meshes with different numbers of vertices are paired by the corners of surfaces, or
/// not at all. If the corners are then far apart but each vertex has a near one, vertices are paired by position.
/// CompareOptions::match always pairs by position.
/// If only one format divides by the sum of the weights (G4MF does, glTF does not), vertices whose weights do not sum to 1 have different
/// meanings. Such pairs are measured separately (`apart`, `apart_max`); they count for the verdict, and there is no proof for them. Fails
/// like deforming either model.
[[nodiscard]] Result<Comparison> compare(const Model& a, const Model& b, const CompareOptions& options = {});

/// Describes a distance: `0.5 (0.01 of the diagonal)`; without the second number if the diagonal is 0.
[[nodiscard]] Result<std::string> distance_in_words(const Comparison& comparison, double distance);

/// Describes the largest distance of a pair: `0.5 (0.01 of the diagonal), vertex 3, at 1.25 s of animation 0 "Run"`; or why the pair is not
/// comparable.
[[nodiscard]] Result<std::string> in_words(const Comparison& comparison, const InstancePair& pair);

}  // namespace sinew::operations

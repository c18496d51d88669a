// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// How vertices of two meshes are brought together.
enum class Pairing : std::uint8_t {
  index,     ///< vertex i is vertex i: as many on both sides
  corners,   ///< corner by corner of each surface: as many on both sides, of vertices split or welded in between
  position,  ///< each with the nearest one of the other side at rest; of several there, the one that moves most alike
  none       ///< not comparable
};

struct CompareOptions {
  Index scene_a = none, scene_b = none;                               ///< none: the default one
  bool match = false;                                                 ///< pair by position, whatever the counts
  unsigned threads = 0;                                               ///< 0 = all cores
  std::function<void(std::size_t done, std::size_t total)> progress;  ///< may be empty
};

/// Distances of paired vertices in world space, over some moments. What is not finite on either side is infinitely far away.
struct Distance {
  double max = 0;
  double rms = 0;                          ///< root of the mean square, over vertices and moments alike
  std::size_t measured = 0;                ///< pairs of vertices times moments
  double seconds = 0;                      ///< of the largest one, in a clip
  std::size_t vertex_a = 0, vertex_b = 0;  ///< of the largest one (the first of equal ones): rows over all blocks of the mesh
};

/// What was looked at: the file's own state; a clip at all keys of both sides and half-way between them; one blend shape alone, with
/// amount 1, on that state.
struct Part {
  enum class Kind : std::uint8_t { rest, clip, shape };
  Kind kind = Kind::rest;
  Index a = none, b = none;  ///< index of the clip, or of the shape in its mesh
  std::string name;          ///< in A
  Distance distance;
};

/// Something that one side has alone.
struct Alone {
  enum class Kind : std::uint8_t { instance, clip, shape };
  Kind kind = Kind::instance;
  Index index = none;  ///< of the node, the clip, or the shape in its mesh
  Index node = none;   ///< a shape's: the node that carries its mesh
  std::string name;
};

/// One drawn mesh on both sides.
struct InstancePair {
  Instance a, b;
  std::string name;                            ///< of the node in A
  std::size_t vertices_a = 0, vertices_b = 0;  ///< of the mesh
  Pairing pairing = Pairing::none;
  std::string why_not;                         ///< Pairing::none: what stands in the way
  std::size_t pairs = 0;                       ///< pairs of vertices that were measured
  std::size_t unpaired_a = 0, unpaired_b = 0;  ///< vertices in no pair (of no corner)
  std::size_t apart = 0;                       ///< pairs left out: see compare
  double apart_max = 0;                        ///< the largest distance among those
  std::vector<Part> parts;

  /// The part with the largest distance, the first of those that are equal but for rounding; or nullptr.
  [[nodiscard]] const Part* worst() const;
  [[nodiscard]] double max() const;
  [[nodiscard]] double rms() const;  ///< over all parts
};

struct Comparison {
  double diagonal = 0;  ///< of the bounds of A's scene at rest: what relative distances refer to
  std::vector<InstancePair> instances;
  std::vector<Alone> only_a, only_b;
  std::string why_not;  ///< nothing can be compared: what stands in the way; or empty

  /// The pair with the largest distance, the first of equal ones; or nullptr.
  [[nodiscard]] const InstancePair* worst() const;
  [[nodiscard]] double max() const;
  [[nodiscard]] double rms() const;  ///< over all pairs, each with its own number of vertices
  /// distance / diagonal; where the diagonal is 0: 0, or infinite for a distance that is not 0.
  [[nodiscard]] double relative(double distance) const;
  /// The largest distance of any vertex of A from its counterpart, relative to the diagonal, with those that are counted apart. Infinite
  /// where an instance, a clip or a blend shape of A has no counterpart or cannot be compared.
  [[nodiscard]] double error() const;
  /// Everything has its counterpart, and no vertex is further than `tolerance` · diagonal from it.
  [[nodiscard]] bool equal_within(double tolerance) const;
};

/// Where two models put their vertices, of whatever format; frame by frame, without keeping frames.
///
/// Instances, clips and blend shapes are paired by name where it is unique on both sides, the others in order; what is left is alone.
/// Vertices are paired by index where there are as many, else by the corners of surfaces, else not at all; CompareOptions::match pairs them
/// by position. Where one side divides by the sum of weights (G4MF) and the other does not (glTF), vertices whose weights do not sum to 1
/// mean different things by rule: they are counted apart.
/// Failures are those of deforming either model: a defect in what the scene and the clips need.
[[nodiscard]] Result<Comparison> compare(const Model& a, const Model& b, const CompareOptions& options = {});

/// The largest distance of a pair and where it is: `0.5 (0.01 of the diagonal), vertex 3, 1.25 s into clip 0 "Run"`; of a pair that is
/// not comparable: why not.
[[nodiscard]] std::string in_words(const Comparison& comparison, const InstancePair& pair);

}  // namespace sinew::operations

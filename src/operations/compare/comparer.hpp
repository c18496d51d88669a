// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "operations/compare/compare_sides.hpp"
#include "operations/compare/compare_vertices.hpp"
#include "operations/compare/inner/every_pose.hpp"
#include "operations/compare/joint_tree.hpp"
#include "operations/compare/known_rows.hpp"
#include "operations/compare/surface_distance.hpp"

#include "sinew/compare.hpp"

namespace sinew::operations {

/// A state of both models, and the index of its part in the result.
struct ComparedMoment {
  Moment a, b;
  std::size_t part;  ///< order: rest, clips, stress poses, shown, shapes. Beyond the last part for an instance with fewer shapes
};

/// Surfaces of triangles that are compared, and the vertices that they use.
struct PairedSurface {
  std::unique_ptr<SurfaceDistance> distance;
  std::vector<std::uint32_t> used_a, used_b;
};

/// The state of an instance pair besides the result.
struct Work {
  std::size_t a, b;  ///< indices of the instances
  Candidates candidates;
  bool known = false;                           ///< the pairs of rows were given
  bool same_mesh = false;                       ///< row i is paired with row i, and equal maps give equal rows
  Candidates alike;                             ///< with `attributes`, of rows paired by place: all candidates as near as the chosen ones
  std::vector<PairedSurface> surfaces;          ///< Pairing::surfaces
  std::vector<bool> odd;                        ///< excluded pairs; empty = none
  std::vector<std::pair<Index, Index>> shapes;  ///< corresponding shapes
  std::vector<double> squares;                  ///< by part: sum of squared distances
  std::vector<double> located;                  ///< by part: the distance at the reported vertices
  std::vector<double> apart;                    ///< by part: the largest distance of excluded pairs
  std::vector<float> furthest;                  ///< by pair of rows: the largest distance, if it is kept
  std::vector<std::uint32_t> look;              ///< by pair of rows: the moment of that distance
};

/// What clips of both models hide, and the clips.
struct HiddenInClips {
  HiddenParts parts;
  Index a = none, b = none;
};

/// The sum over some pairs of rows, in order, at one moment.
struct Measured {
  double squares = 0, max = 0, apart = 0;
  double located = 0;  ///< the last distance that was `larger`, at pair `at`
  std::size_t at = 0;
};

/// Compares two models step by step.
class Comparer {
 public:
  /// `joined_a`, `joined_b`: nodes whose vertices were joined from several parts, so that their order differs.
  Comparer(Side a, Side b, std::vector<Index> joined_a, std::vector<Index> joined_b, const CompareOptions& options, const MadeFrom& made)
      : a_(std::move(a)),
        b_(std::move(b)),
        joined_a_(std::move(joined_a)),
        joined_b_(std::move(joined_b)),
        options_(options),
        made_(made) {}

  [[nodiscard]] Result<Comparison> run();

 private:
  [[nodiscard]] std::uint64_t allowed_work() const;
  [[nodiscard]] Result<> check_work(std::size_t moments) const;
  // Plans what is compared (compare_plan.cpp).
  /// The size of A's scene at the current pose.
  struct Size {
    double diagonal;
    bool is_point;
  };
  [[nodiscard]] Size size_of_a();
  void pair_instances();
  [[nodiscard]] Result<> plan_clips();
  void thin_out();
  void compare_visibility(const Clip& in_a, Index clip, const Clip& in_b);
  void plan_stress();
  void plan_shapes();

  // Shows what is hidden (compare_shown.cpp).
  void plan_shown(bool point_at_rest);
  void limit_sizes();
  [[nodiscard]] std::vector<double> reaches(const std::vector<Index>& outermost);
  void pose_at(const ComparedMoment& look) { pose_at(look, a_, b_, hidden_in_clips_); }
  void pose_at(const ComparedMoment& look, Side& a, Side& b, HiddenInClips& hidden) const;

  // Pairs vertices (compare_match.cpp).
  void pair_vertices();
  [[nodiscard]] bool pair_known(std::size_t pair);
  void pair_in_order(std::size_t pair);
  [[nodiscard]] bool by_position(std::size_t pair) const;
  [[nodiscard]] std::vector<std::size_t> first_of_meshes(const std::vector<bool>& wanted) const;
  [[nodiscard]] bool take_pairing(std::size_t pair, std::size_t from, double reach);
  void match();
  void match(const std::vector<bool>& wanted);
  void find_permutations();
  void find_permutations(std::vector<bool> wanted, const std::vector<double>& reach);
  void find_candidates(const std::vector<bool>& wanted, bool rounded);
  void add_distances(std::size_t pair, std::span<const std::size_t> some, std::vector<double>& furthest);
  [[nodiscard]] std::vector<std::vector<double>> measure_candidates(const std::vector<bool>& wanted);
  [[nodiscard]] bool all_near_back(std::size_t pair, double reach);
  [[nodiscard]] double distance_at_rest(std::size_t pair, std::span<const RowPair> rows);
  void set_apart(std::size_t pair);

  // Compares surfaces (compare_surfaces.cpp).
  [[nodiscard]] bool pair_surfaces(std::size_t pair);
  void measure_surfaces(std::size_t pair, std::size_t look);
  [[nodiscard]] bool is_by_surfaces(std::size_t pair) const { return result_.instances[pair].pairing == Pairing::surfaces; }

  // Measures (inner/measure.cpp).
  void measure();
  [[nodiscard]] bool by_clips() const;
  std::size_t measure_clips();
  void measure(std::size_t pair, std::size_t look, Side& a, Side& b, unsigned threads);
  [[nodiscard]] Measured measure_rows(Work& work, std::size_t look, const float* rows_a, const float* rows_b, std::size_t begin,
                                      std::size_t end) const;
  void find_same_meshes();

  // Proves and lists (compare.cpp).
  [[nodiscard]] PoseProof proof_of(std::size_t pair);
  void finish(std::size_t pair);
  [[nodiscard]] std::vector<AttributeDifference> compare_attributes(std::size_t pair);
  void compare_triangles(std::size_t pair);
  void list_worst(std::size_t pair, const PoseProof& proof);
  void keep_distances(std::size_t pair);
  [[nodiscard]] bool looked_at(std::size_t pair, const ComparedMoment& look) const {
    return result_.instances[pair].pairing != Pairing::none && look.part < result_.instances[pair].parts.size();
  }
  void step() {
    if (options_.progress) options_.progress(++done_, total_);
  }

  Side a_, b_;
  std::vector<Index> joined_a_, joined_b_;
  const CompareOptions& options_;
  const MadeFrom& made_;
  Comparison result_;
  std::unique_ptr<JointTree> tree_;
  std::vector<Work> work_;
  std::vector<ComparedMoment> moments_;
  HiddenParts hidden_;
  HiddenInClips hidden_in_clips_;  ///< of the last moment with clips
  bool too_far_ = false;           ///< a surface, at this moment: CompareOptions::surface_stop
  bool pairing_ = false;           ///< hidden vertices are in one point: they are paired where the rest pose shows them, too
  std::size_t done_ = 0, total_ = 0;
  SearchSteps search_left_ = 0;
};

}  // namespace sinew::operations

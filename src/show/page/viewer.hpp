// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "show/flatten.hpp"
#include "show/page/page_looks.hpp"
#include "show/page/view_state.hpp"

#include "sinew/bounds.hpp"
#include "sinew/deform.hpp"
#include "sinew/render.hpp"
#include "sinew/slice.hpp"

namespace sinew::show {

/// A surface of an instance that is visible or that a clip may show, as the page draws it: triangles, lines or points between vertices of
/// the scene.
struct DrawnSurface {
  std::size_t instance = 0;
  Index surface = 0;
  std::size_t corners = 3;  ///< 3: triangles, 2: lines, 1: points
  Index material = none;
  bool colors = false;   ///< vertices have colours
  bool normals = false;  ///< vertices have normals; otherwise each triangle is flat
  Index cut = none;      ///< beyond three dimensions: the index of the simplexes whose edges it shows
  std::vector<std::uint32_t> indices;
};

/// The scene at a state; positions are relative to the viewer's origin.
struct Frame {
  Flat flat;
  std::vector<float> normals;        ///< rows of 3; empty if no piece has normals
  std::vector<float> heads, tails;   ///< of all nodes, rows of 3: the origin, and the tail of a bone with a length
  std::vector<float> box;            ///< rows of 3: the 2^N corners of ViewState::box; bit i of a corner's number: the upper side of axis i
  std::vector<float> sides;          ///< of the same box in world space: the minimum of each axis, then the maximum
  std::vector<std::uint32_t> shown;  ///< of each piece: 0 if it is hidden; empty: all are shown
};

/// Values of the corners of simplexes beyond three dimensions: colours (4 numbers), then texture coordinates.
struct CornerLook {
  bool colors = false;
  std::size_t coordinates = 0;     ///< 0, 2 or 3
  const Volume* volume = nullptr;  ///< the volume, if there are three coordinates
};

/// Answers the requests of the page, without the network. Not safe from several threads at once.
class Viewer {
 public:
  /// Keeps a reference to `model` and shows its vertices: in three dimensions with one vertex per combination of corner values.
  [[nodiscard]] static Result<Viewer> create(const Model& model, const ViewOptions& options);

  /// From now on states can be bound: they start from this pose.
  [[nodiscard]] Result<> bind(Pose rest);
  /// Returns, for each row of a frame, the row of `deform` that it shows: where corners have values of their own, several show one.
  [[nodiscard]] std::vector<std::size_t> rows_of_file() const;

  /// Returns JSON: dimension, nodes, clips, expressions, instances with their blend shapes, materials, pieces.
  [[nodiscard]] std::string description() const;
  /// Returns a packet: "pieceK" for each piece of the description; colours, texture coordinates and images (PageLooks).
  [[nodiscard]] std::string geometry() const;
  /// Returns a packet for pages that cannot compute: "pieceK", and the frame of the pose without a clip, without colours and normals.
  /// Coordinates have a precision of 2^-13.
  [[nodiscard]] Result<std::string> stored_pose();
  /// Returns a packet with the frame of a state (read_state), under the names of the members. A slice also has "paintK" and "mapK" if
  /// available: colours (rows of 4, linear) and flat texture coordinates of the corners of "cutK".
  [[nodiscard]] Result<std::string> frame(std::string_view state);
  [[nodiscard]] Result<Frame> frame(const ViewState& state);
  /// Returns a packet with "weights": the weight of a joint (given by its node) for each vertex.
  [[nodiscard]] Result<std::string> weights(Index node) const;
  /// Returns a packet with "distances": ViewOptions::heat of each vertex.
  [[nodiscard]] Result<std::string> distances() const;
  /// Returns the state as a pose file.
  [[nodiscard]] Result<std::string> pose_file(std::string_view state) const;

 private:
  Viewer(std::shared_ptr<const Model> model, deform::SceneDeformer deformer)
      : model_(std::move(model)), deformer_(std::move(deformer)), looks_(*model_, deformer_) {}
  [[nodiscard]] Result<> find_pieces(std::vector<Elements>& simplexes, std::vector<CornerValues>& values);
  [[nodiscard]] CornerValues corner_values(const Surface& surface, Index material, const Elements& simplexes);
  void choose_origin();
  void add_paint(const Flat& flat, Packet& packet) const;
  [[nodiscard]] std::vector<std::uint32_t> shown_at(const ViewState& state) const;
  [[nodiscard]] Result<> add_box(const ViewState& state, const ProjectionChoice& look, Frame& frame);
  [[nodiscard]] Result<> place(const Pose& pose, bool bound);

  std::shared_ptr<const Model> model_;  ///< does not own the caller's
  deform::SceneDeformer deformer_;
  std::shared_ptr<const Model> free_model_;             ///< without the constraints of nodes, which the checks of flex leave out
  std::optional<deform::SceneDeformer> free_deformer_;  ///< of states that are bound, if there are constraints
  PageLooks looks_;
  std::size_t vertices_ = 0;  ///< of the file, without those added for drawing
  Index scene_ = none, clip_ = none;
  unsigned threads_ = 0;
  StartPoses start_;
  std::vector<animate::ExpressionAmount> expressions_;  ///< those that start_ turns on
  std::vector<DrawnSurface> pieces_;
  std::vector<CornerLook> corner_looks_;  ///< of the simplexes that can be cut
  std::optional<Flattener> flattener_;
  std::vector<double> origin_;  ///< near a model far from the world's origin, where floats could not distinguish its vertices; else 0
  bool normals_ = false;
  std::vector<float> rows_, normal_rows_;   ///< of one frame, reused for the next
  std::map<Index, operations::Box> boxes_;  ///< of the requested clips; `none`: of the pose without a clip
};

}  // namespace sinew::show

// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "show/flatten.hpp"
#include "show/page/page_looks.hpp"
#include "show/page/view_state.hpp"

#include "sinew/deform.hpp"
#include "sinew/render.hpp"
#include "sinew/slice.hpp"

namespace sinew::show {

/// A surface of a visible instance, as the page draws it: triangles, lines or points between vertices of the scene.
struct DrawnSurface {
  std::size_t instance = 0;
  Index surface = 0;
  std::size_t corners = 3;  ///< 3: triangles, 2: lines, 1: points
  Index material = none;
  bool colors = false;   ///< vertices have colours
  bool normals = false;  ///< vertices have normals; otherwise each triangle is flat
  Index cut = none;      ///< beyond three dimensions: which of the simplexes it shows the edges of
  std::vector<std::uint32_t> indices;
};

/// The scene at a state, all places relative to the viewer's origin.
struct Frame {
  Flat flat;
  std::vector<float> normals;       ///< rows of 3; empty where no piece has any
  std::vector<float> heads, tails;  ///< of all nodes, rows of 3: the origin, and the tail of a bone that says how long it is
  std::vector<float> box;    ///< rows of 3: the 2^N corners of ViewState::box; bit i of a corner's number: at the upper side of axis i
  std::vector<float> sides;  ///< of the same box in the world: the least of each axis, then the largest
};

/// What the corners of simplexes beyond three dimensions have beside their place: colours (4 numbers), then coordinates of a texture.
struct CornerLook {
  bool colors = false;
  std::size_t coordinates = 0;     ///< 0, 2 or 3
  const Volume* volume = nullptr;  ///< that three of them are of
};

/// Answers the requests of the page, without the network. Not safe from several threads at once.
class Viewer {
 public:
  /// Keeps a reference to `model`, whose vertices it shows: of three dimensions with one vertex for each combination of what corners have.
  [[nodiscard]] static Result<Viewer> create(const Model& model, const ViewOptions& options);

  /// JSON: dimension, nodes, clips, instances with their blend shapes, materials, pieces.
  [[nodiscard]] std::string description() const;
  /// A packet: "pieceK" for each of the description's pieces; colours, texture coordinates and images (PageLooks).
  [[nodiscard]] std::string geometry() const;
  /// A packet of the frame of a state (read_state), under the names of the members; of a slice "paintK" and "mapK", colours (rows of 4,
  /// linear) and flat texture coordinates of the corners of "cutK", where there are any.
  [[nodiscard]] Result<std::string> frame(std::string_view state);
  [[nodiscard]] Result<Frame> frame(const ViewState& state);
  /// A packet with "weights": how much of each vertex follows a node as joint.
  [[nodiscard]] Result<std::string> weights(Index node) const;
  /// A packet with "distances": ViewOptions::heat of each vertex.
  [[nodiscard]] Result<std::string> distances() const;
  /// The state as a pose file.
  [[nodiscard]] Result<std::string> pose_file(std::string_view state) const;

 private:
  Viewer(std::shared_ptr<const Model> model, deform::SceneDeformer deformer)
      : model_(std::move(model)), deformer_(std::move(deformer)), looks_(*model_, deformer_) {}
  [[nodiscard]] Result<> find_pieces(std::vector<Elements>& simplexes, std::vector<CornerValues>& values);
  [[nodiscard]] CornerValues corner_values(const Surface& surface, Index material, const Elements& simplexes);
  void choose_origin();
  void add_paint(const Flat& flat, Packet& packet) const;
  [[nodiscard]] Result<> add_box(const ViewState& state, const ProjectionChoice& look, Frame& frame);
  [[nodiscard]] Result<> place(const Pose& pose);

  std::shared_ptr<const Model> model_;  ///< does not own the caller's
  deform::SceneDeformer deformer_;
  PageLooks looks_;
  std::size_t vertices_ = 0;  ///< of the file, without those that drawing adds
  Index scene_ = none, clip_ = none;
  unsigned threads_ = 0;
  Pose base_;
  PoseEdit edit_;
  std::vector<DrawnSurface> pieces_;
  std::vector<CornerLook> corner_looks_;  ///< of what can be cut
  std::optional<Flattener> flattener_;
  std::vector<double> origin_;  ///< near a model that is far out in the world, where float would not tell its vertices apart; else 0
  bool normals_ = false;
  std::vector<float> rows_, normal_rows_;   ///< of one frame, kept for the next
  std::map<Index, operations::Box> boxes_;  ///< of the clips that were asked for; `none`: of the pose without a clip
};

}  // namespace sinew::show

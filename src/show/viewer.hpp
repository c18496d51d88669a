// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "show/flatten.hpp"
#include "show/view_state.hpp"

#include "sinew/deform_scene.hpp"
#include "sinew/view.hpp"

namespace sinew::show {

/// A surface of a visible instance, as the page draws it: triangles, lines or points between vertices of the scene.
struct Drawing {
  std::size_t instance = 0;
  Index surface = 0;
  std::size_t corners = 3;  ///< 3: triangles, 2: lines, 1: points
  bool normals = false;     ///< vertices have normals; otherwise each triangle is flat
  Index cut = none;         ///< beyond three dimensions: which of the simplexes it shows the edges of
  std::vector<std::uint32_t> indices;
};

/// A model in front of a person: what the page asks for, without the network. Not to be used from several threads at once.
class Viewer {
 public:
  /// Keeps a reference to `model`.
  [[nodiscard]] static Result<Viewer> create(const Model& model, const ViewOptions& options);

  /// JSON: dimension, nodes, clips, instances with their blend shapes, pieces.
  [[nodiscard]] std::string description() const;
  /// A packet: "pieceK" for each of the description's pieces.
  [[nodiscard]] std::string geometry() const;
  /// A packet of the state's pose (read_state): what Flattener says of the vertices, "normals" where there are any, "heads" and "tails" of
  /// all nodes.
  [[nodiscard]] Result<std::string> frame(std::string_view state);
  /// A packet with "weights": how much of each vertex follows a node as joint.
  [[nodiscard]] Result<std::string> weights(Index node) const;
  /// The state as a pose file.
  [[nodiscard]] Result<std::string> pose_file(std::string_view state) const;

 private:
  Viewer(const Model& model, deform::SceneDeformer deformer) : model_(&model), deformer_(std::move(deformer)) {}
  [[nodiscard]] Result<> find_pieces(std::vector<Elements>& simplexes);
  [[nodiscard]] Result<> place(const Pose& pose);

  const Model* model_;
  deform::SceneDeformer deformer_;
  Index scene_ = none, clip_ = none;
  unsigned threads_ = 0;
  Pose base_;
  PoseEdit edit_;
  std::vector<Drawing> pieces_;
  std::optional<Flattener> flattener_;
  bool normals_ = false;
  std::vector<float> rows_, normal_rows_;  ///< of one frame, kept for the next
};

}  // namespace sinew::show

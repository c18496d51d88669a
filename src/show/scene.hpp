// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/guard.hpp"
#include "show/drawable.hpp"

#include "sinew/deform.hpp"
#include "sinew/model.hpp"

namespace sinew::show {

/// Static values of the vertices of a block; empty if missing.
struct BlockLook {
  Texcoords texcoords;        ///< of the first texture that a surface of the block has
  std::vector<float> colors;  ///< four each, linear
};

/// The elements of one surface.
struct Piece {
  std::size_t block = 0;
  std::size_t corners = 3;  ///< of each element: triangles, lines or points
  std::vector<std::uint32_t> elements;
  std::vector<std::uint32_t> edges;  ///< two each, of triangles
  std::size_t surface = 0;
  Index material = none;
};

/// Data shared by the instances of a mesh.
struct Body {
  std::vector<BlockLook> looks;       ///< one per block
  std::vector<std::size_t> vertices;  ///< by block
  std::vector<Piece> pieces;
};

/// A three-dimensional model ready for drawing: values per corner have become vertices.
class Scene {
 public:
  struct Options {
    Index scene = none;
    bool edges = false;
    std::optional<deform::StageOfJoint> stage;
  };
  [[nodiscard]] static Result<Scene> create(const Model& model, const Options& options);

  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const std::vector<Instance>& instances() const { return deformer_->instances(); }
  [[nodiscard]] deform::SceneDeformer& deformer() { return *deformer_; }
  [[nodiscard]] const Body& body(std::size_t instance) const { return *bodies_[instance]; }
  /// Returns the material of a piece in an instance, or nullptr.
  [[nodiscard]] const Appearance* look_of(std::size_t instance, const Piece& piece) const;
  [[nodiscard]] Index material_of(std::size_t instance, const Piece& piece) const;
  [[nodiscard]] const std::vector<Appearance>& appearances() const { return appearances_; }
  [[nodiscard]] std::vector<Error>& notes() { return notes_; }

 private:
  Scene() = default;
  std::unique_ptr<Model> model_;  ///< at a fixed address: the deformer refers to it
  std::unique_ptr<deform::SceneDeformer> deformer_;
  std::vector<std::shared_ptr<const Body>> bodies_;
  std::vector<Appearance> appearances_;
  std::vector<Error> notes_;
};

/// Copies the model with RenderOptions::heat as a vertex attribute. Every instance gets its own mesh.
[[nodiscard]] Model with_heat(const Model& model, const std::vector<std::vector<float>>& heat);
/// Returns that attribute of a vertex block; zeros if missing.
[[nodiscard]] std::vector<float> heat_of(const VertexBlock& block);

/// Returns the weight of a joint (given by its node) for each vertex of a block of an instance.
[[nodiscard]] std::vector<float> weights_of(const Scene& scene, std::size_t instance, const deform::Prepared& prepared, std::size_t block,
                                            Index joint);

}  // namespace sinew::show

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "sinew/deform_scene.hpp"
#include "sinew/model.hpp"
#include "sinew/picture.hpp"
#include "sinew/project.hpp"
#include "sinew/slice.hpp"

namespace sinew::show {

inline constexpr std::size_t most_pixels = std::size_t{1} << 25;  ///< of a picture: 8K UHD

/// From where a model is looked at, in degrees: yaw 0 looks at its front, yaw 90 at its left; pitch 90 from above. The front is seen from
/// +Z, or from −Z where io::faces_back says so.
struct View {
  double yaw = 0;
  double pitch = 0;
};

/// Who moves the vertices; the pictures are the same to some thousandths of a pixel.
enum class DeformBy : std::uint8_t {
  shader,  ///< the vertex shader, with a palette of joints; the library where a driver cannot
  library
};

struct RenderOptions {
  std::size_t width = 800;
  std::size_t height = 600;
  std::optional<View> view;                               ///< nothing: flat things from the front, others from above their left shoulder
  std::optional<std::array<std::uint8_t, 4>> background;  ///< sRGB and opacity; nothing: light grey, dark behind projected edges
  bool edges = false;                                     ///< the edges of simplexes, drawn on them
  bool bones = false;                                     ///< joints and bones, drawn over the mesh
  Index weights_of = none;                                ///< a joint's node: surfaces show its weights instead of their colours
  std::optional<deform::StageOfJoint> stage;              ///< one joint's matrix alone, as SceneDeformer::show_stage
  Index scene = none;                                     ///< none: the default one
  std::vector<ops::Hyperplane> planes;                    ///< cuts first, each in the space of the slice before
  ops::Projection projection;                             ///< of what then has more than three dimensions
  DeformBy deform_by = DeformBy::shader;                  ///< of models of three dimensions without cuts
  std::size_t most_texels = std::size_t{1} << 27;         ///< of one texture
  unsigned threads = 0;                                   ///< of the library; 0 = all cores
};

/// Draws a scene of a model, off screen, by OpenGL 4.3. Hidden instances are left out. Not to be used from several threads at once.
class Renderer {
 public:
  /// Keeps a reference to `model`. Failure::unsupported where there is no OpenGL, with what to install, and in a process that was forked
  /// off one that had drawn (draw() too); failures of closure_defect and deform::prepare; Failure::usage: a picture without pixels or
  /// larger than the driver can draw, a joint that nothing hangs on.
  [[nodiscard]] static Result<Renderer> create(const Model& model, const RenderOptions& options);
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;
  ~Renderer();

  /// The camera stands so that everything drawn at the included poses lies in the picture, exactly. Without any: the pose that is drawn.
  [[nodiscard]] Result<> include(const Pose& pose);
  [[nodiscard]] Result<Picture> draw(const Pose& pose);

  /// What could not be drawn as the file says, one line each: textures that are missing or broken.
  [[nodiscard]] const std::vector<Error>& notes() const;
  /// After drawing: whether nothing of the model was there to be seen, at any included pose.
  [[nodiscard]] bool blank() const;
  /// Whether a picture that was drawn shows anything: from its side a flat model, and from behind a surface with one side, shows nothing.
  [[nodiscard]] bool seen() const;

 private:
  struct State;
  explicit Renderer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sinew::show

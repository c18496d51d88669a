// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/deform.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"
#include "sinew/slice.hpp"

namespace sinew::show {

/// Pixels from the top left, row by row: red, green, blue and opacity, 8 bits each, sRGB, colours not multiplied by the opacity.
struct Picture {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint8_t> rgba;  ///< width · height · 4
};

/// A PNG, JPEG or WebP file's pixels (of an animation the first), told apart by their first bytes. Failure::input where the bytes are none
/// of these or broken, Failure::limit where the picture has more than `most`.
[[nodiscard]] Result<Picture> decode_picture(std::span<const std::byte> bytes, std::size_t most);

/// Writes a picture by the extension of `path`: .png, or .webp without loss. The file appears whole or not at all. Failure::usage: another
/// extension.
[[nodiscard]] Result<> write_picture(const Picture& picture, const std::filesystem::path& path);
[[nodiscard]] bool can_write_picture(const std::filesystem::path& path);

/// An animated WebP, picture by picture; the file appears at `finish`, and plays for ever.
class AnimationWriter {
 public:
  /// Pictures are `width` × `height` (at most 16383 each). `path`: ".webp".
  [[nodiscard]] static Result<AnimationWriter> create(const std::filesystem::path& path, std::size_t width, std::size_t height);
  AnimationWriter(AnimationWriter&&) noexcept;
  AnimationWriter& operator=(AnimationWriter&&) noexcept;
  ~AnimationWriter();  ///< without finish: nothing is left behind

  /// `seconds`: when the picture appears, later than the one before.
  [[nodiscard]] Result<> add(const Picture& picture, double seconds);
  /// `seconds`: when the last picture makes way for the first.
  [[nodiscard]] Result<> finish(double seconds);

 private:
  struct State;
  explicit AnimationWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// A texture of three dimensions in memory. Coordinates go from 0 to 1 along each of its sides: to the right, down and in depth.
class Volume {
 public:
  /// Of a picture's tiles, from left to right and then from top to bottom, each a layer behind the one before; those beyond the depth are
  /// not used. Failure::input where its sides are no multiples of the tiles' or it has too few of them.
  [[nodiscard]] static Result<Volume> create(const Picture& picture, const Appearance::Volume& texture);
  /// The same of the texture's image. Failures of decode_picture.
  [[nodiscard]] static Result<Volume> create(const Appearance::Volume& texture, std::size_t most_texels);
  /// One texel of the colour that stands for an image.
  [[nodiscard]] static Volume placeholder(const Appearance::Volume& texture);

  /// Red, green, blue and opacity at three coordinates, linear: of the nearest texel, or of the eight around blended as light is.
  [[nodiscard]] std::array<float, 4> sample(const float* coordinates) const;

  [[nodiscard]] const std::array<std::size_t, 3>& size() const { return size_; }
  /// As of a Picture, layer by layer.
  [[nodiscard]] const std::vector<std::uint8_t>& rgba() const { return rgba_; }
  [[nodiscard]] const std::array<Appearance::Wrap, 3>& wrap() const { return wrap_; }
  [[nodiscard]] bool nearest() const { return nearest_; }

 private:
  Volume() = default;
  std::array<std::size_t, 3> size_{1, 1, 1};
  std::vector<std::uint8_t> rgba_;
  std::array<Appearance::Wrap, 3> wrap_{};
  bool nearest_ = false;
};

/// Those of a model's materials, each read once. Where an image is missing or broken the texture's placeholder is taken, with a note.
class Volumes {
 public:
  Volumes(const Model& model, std::size_t most_texels);

  /// nullptr: the material has none.
  [[nodiscard]] const Volume* of(Index material) const;
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] const std::vector<Error>& notes() const { return notes_; }

 private:
  std::vector<std::optional<Volume>> volumes_;  ///< by material
  std::size_t count_ = 0;
  std::vector<Error> notes_;
};

/// Gives corners with coordinates in a volume the colour that is there, and takes the coordinates off: for formats without volumes. A
/// surface has the material of the first node that shows it. `losses`: one for each surface that this is done to. Precondition: the volumes
/// are those of the model's materials.
void bake_volumes(const Volumes& volumes, Model& model, FindingSink& losses);

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
  std::vector<std::vector<float>> heat;                   ///< of each node: a number from 0 to 1 per vertex of its mesh, or nothing;
                                                          ///< shown instead of colours. Empty: colours. Three dimensions, without cuts
  std::optional<deform::StageOfJoint> stage;              ///< one joint's matrix alone, as SceneDeformer::show_stage
  Index scene = none;                                     ///< none: the default one
  std::vector<operations::Hyperplane> planes;             ///< cuts first, each in the space of the slice before
  operations::Projection projection;                      ///< of what then has more than three dimensions
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

/// A model to be looked at in a browser.
struct ViewOptions {
  std::string page;                        ///< the HTML of the page (the program carries it; web/view makes it)
  Index scene = none;                      ///< none: the default one
  unsigned threads = 0;                    ///< 0: all cores
  Pose base;                               ///< what poses start from: Model::rest, or another one for the same nodes
  Index clip = none;                       ///< that the page starts with
  PoseEdit edit;                           ///< is applied to every pose after the clip
  std::function<std::string()> findings;   ///< a report as validate::to_json writes it, made when the page first asks; empty: none
  std::string comparison;                  ///< what `sinew compare --json` says of the model and another one; empty: none
  std::vector<std::vector<float>> heat;    ///< of each node: a number from 0 to 1 per vertex of its mesh, as RenderOptions::heat
  std::function<void(const Error&)> note;  ///< called with each texture that is missing or broken; may be empty
};

struct ServeOptions {
  std::uint16_t port = 0;                             ///< 0: a free one
  std::function<void(const std::string& url)> ready;  ///< called once, when the address can be opened
  std::chrono::milliseconds page_silence{90'000};  ///< a page that was not heard of for so long is gone (browsers let hidden pages sleep)
  std::chrono::milliseconds reload_pause{5'000};   ///< how long the last page may be gone before the end: reloading it takes a moment
};

/// Serves the page and its questions on 127.0.0.1 until every page that was opened is closed, or until SIGINT or SIGTERM (both are
/// caught while it runs). Only requests that know the random token in the address and name this host are answered, and nothing but the
/// page and its questions; no file is. One thread, beside those of the deformation. Failure::usage where the port cannot be had.
[[nodiscard]] Result<> serve(const Model& model, const ViewOptions& options, const ServeOptions& how);

struct ExportOptions {
  double fps = 30;                                     ///< frames per second; halved, down to 5, where the page would be too large
  std::uint64_t most_bytes = std::uint64_t{32} << 20;  ///< of all frames; where even that is too much, the last clips are left out
  std::uint64_t memory = std::uint64_t{2} << 30;       ///< bytes that frames may take while they are made; Failure::limit beyond
};

/// What an exported page holds.
struct Exported {
  std::size_t moving = 0;    ///< clips, without the model's own state
  std::size_t left_out = 0;  ///< of them, for want of room
  double fps = 0;
  std::uint64_t bytes = 0;
};

/// Writes one HTML file that shows the model without the program: the page and the frames of ViewOptions::clip, or, where that is `none`,
/// of the model's own state and all clips. Positions are kept to a 65535th of their extent; beyond three dimensions they are projected.
[[nodiscard]] Result<Exported> export_page(const Model& model, const ViewOptions& options, const ExportOptions& how,
                                           const std::filesystem::path& path);

}  // namespace sinew::show

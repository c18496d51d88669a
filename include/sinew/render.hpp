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

#include "sinew/animate.hpp"
#include "sinew/deform.hpp"
#include "sinew/flex.hpp"
#include "sinew/model.hpp"
#include "sinew/project.hpp"
#include "sinew/result.hpp"
#include "sinew/slice.hpp"

namespace sinew::show {

/// Pixels from the top left, row by row: red, green, blue and opacity, 8 bits each, sRGB, colours not multiplied by the opacity.
struct Picture {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint8_t> rgba;  ///< width · height · 4
};

/// Decodes a PNG, JPEG or WebP file (of an animation: the first picture). The first bytes decide the format. Failure::input for broken
/// files and other formats, Failure::limit if the picture has more than `most` pixels.
[[nodiscard]] Result<Picture> decode_picture(std::span<const std::byte> bytes, std::size_t most);

/// Writes a picture. The extension of `path` selects the format: .png, or lossless .webp. The file appears whole or not at all.
/// Failure::usage: another extension.
[[nodiscard]] Result<> write_picture(const Picture& picture, const std::filesystem::path& path, OutputName name = OutputName::given);
[[nodiscard]] bool can_write_picture(const std::filesystem::path& path) noexcept;

/// Writes an animated WebP file, one picture at a time. The file appears at `finish` and loops forever.
class AnimationWriter {
 public:
  static constexpr double most_seconds_of_frame = 16'777, most_seconds = 2'000'000;  ///< WebP counts milliseconds in 24 and 31 bits

  /// Pictures are `width` × `height` (at most 16383 each). `path`: ".webp".
  [[nodiscard]] static Result<AnimationWriter> create(const std::filesystem::path& path, std::size_t width, std::size_t height);
  AnimationWriter(AnimationWriter&&) noexcept;
  AnimationWriter& operator=(AnimationWriter&&) noexcept;
  ~AnimationWriter();  ///< without finish, no file remains

  /// `seconds`: the start of the picture, at most `most_seconds`; later than that of the previous one, by at most `most_seconds_of_frame`.
  [[nodiscard]] Result<> add(const Picture& picture, double seconds);
  /// `seconds`: end of the last picture.
  [[nodiscard]] Result<> finish(double seconds);

 private:
  struct State;
  explicit AnimationWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// A three-dimensional texture in memory. Coordinates go from 0 to 1 along each side: right, down and in depth.
class Volume {
 public:
  /// Makes layers from the tiles of a picture, left to right, then top to bottom. Tiles beyond the depth are ignored. Failure::input if the
  /// sides of the picture are not multiples of those of a tile, or if tiles are missing.
  [[nodiscard]] static Result<Volume> create(const Picture& picture, const Appearance::Volume& texture);
  /// Does the same for the image of the texture. Fails like decode_picture.
  [[nodiscard]] static Result<Volume> create(const Appearance::Volume& texture, std::size_t most_texels);
  /// Makes a volume of one texel, in the colour that replaces a missing image.
  [[nodiscard]] static Result<Volume> placeholder(const Appearance::Volume& texture);

  /// Returns linear red, green, blue and opacity at three coordinates: the nearest texel, or the eight nearest ones blended.
  [[nodiscard]] std::array<float, 4> sample(const float* coordinates) const noexcept;

  [[nodiscard]] const std::array<std::size_t, 3>& size() const { return size_; }
  /// The pixels as in Picture, layer by layer.
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

/// The volumes of a model's materials, each read once. The placeholder replaces a missing or broken image, and a note reports it.
class Volumes {
 public:
  [[nodiscard]] static Result<Volumes> create(const Model& model, std::size_t most_texels);

  /// Returns nullptr if the material has no volume.
  [[nodiscard]] const Volume* of(Index material) const noexcept;
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] const std::vector<Error>& notes() const { return notes_; }

 private:
  Volumes() = default;
  std::vector<std::shared_ptr<const Volume>> volumes_;  ///< by material; equal ones are shared
  std::size_t count_ = 0;
  std::vector<Error> notes_;
};

/// Replaces texture coordinates in a volume by the colours at those coordinates, for formats without volumes. The first node that draws a
/// surface decides its material. `losses` gets one finding per changed surface. Precondition: `volumes` belong to `model`.
[[nodiscard]] Result<> bake_volumes(const Volumes& volumes, Model& model, FindingSink& losses);

inline constexpr std::size_t most_pixels = std::size_t{1} << 25;  ///< of a picture: 8K UHD

/// The direction of the camera in degrees: yaw 0 shows the front, yaw 90 the left side, pitch 90 the top. The camera for the front is at
/// +Z, or at −Z if io::faces_back.
struct View {
  double yaw = 0;
  double pitch = 0;
};

/// What deforms the vertices; pictures differ by at most some thousandths of a pixel.
enum class DeformBy : std::uint8_t {
  shader,  ///< the vertex shader, or the library if the driver lacks storage buffers
  library
};

struct RenderOptions {
  std::size_t width = 800;
  std::size_t height = 600;
  std::optional<View> view;                               ///< empty: flat models from the front, others from above the left shoulder
  std::optional<std::array<std::uint8_t, 4>> background;  ///< sRGB and opacity; empty: light grey, or dark behind projected edges
  bool edges = false;                                     ///< the edges of simplexes, drawn on them
  bool bones = false;                                     ///< joints and bones, drawn over the mesh
  Index weights_of = none;                                ///< node of a joint whose weights surfaces show instead of colours
  std::vector<std::vector<float>> heat;                   ///< of each node: a number from 0 to 1 per vertex of its mesh, or nothing;
                                                          ///< shown instead of colours. Empty: colours. Three dimensions, without cuts
  std::optional<deform::StageOfJoint> stage;              ///< one joint's matrix alone, as SceneDeformer::show_stage
  Index scene = none;                                     ///< none: the default one
  std::vector<operations::Hyperplane> planes;             ///< cuts, each in the space of the previous slice
  operations::Projection projection;                      ///< applied after the cuts, above three dimensions
  DeformBy deform_by = DeformBy::shader;                  ///< of models of three dimensions without cuts
  std::size_t most_texels = std::size_t{1} << 27;         ///< of one texture
  unsigned threads = 0;                                   ///< of the library; 0 = all cores
};

/// Draws a scene of a model off screen with OpenGL 4.3. Hidden instances are left out. Not safe from several threads at once.
class Renderer {
 public:
  /// Keeps a reference to `model`. Failure::unsupported: OpenGL is missing (the message names the packages), or the process was forked
  /// after drawing (draw() fails too). Failure::usage: a picture without pixels or larger than the driver can draw, a joint without
  /// vertices. Also fails like closure_defect and deform::prepare.
  [[nodiscard]] static Result<Renderer> create(const Model& model, const RenderOptions& options);
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;
  ~Renderer();

  /// Extends the camera's view so that the drawn model fits exactly at all included poses. Without a call: at the drawn pose.
  [[nodiscard]] Result<> include(const Pose& pose);
  [[nodiscard]] Result<Picture> draw(const Pose& pose);
  /// From now on includes and draws with other cuts, as many as RenderOptions::planes. Precondition: they cut along the same axes.
  [[nodiscard]] Result<> cut(const std::vector<operations::Hyperplane>& planes);
  /// From now on draws only nodes that are true here (animate::visible_nodes); before, what the stored state shows. Only for models of
  /// three dimensions that are not cut.
  [[nodiscard]] Result<> show(const std::vector<bool>& nodes);

  /// Returns one note for each missing or broken texture.
  [[nodiscard]] const std::vector<Error>& notes() const noexcept;
  /// Returns, after drawing, whether the model had nothing to draw at any included pose.
  [[nodiscard]] bool blank() const noexcept;
  /// Returns whether a drawn picture shows anything. A flat model from its side and a one-sided surface from behind show nothing.
  [[nodiscard]] bool seen() const noexcept;

 private:
  struct State;
  explicit Renderer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Draws a finding of bad deformation: its surroundings in the worst pose, its vertices in a signal colour, the whole model at rest in a
/// corner, and a line that says what it is. Fails like Renderer and flex.
[[nodiscard]] Result<Picture> draw_finding(const Model& model, const operations::FlexFinding& finding,
                                           const operations::FlexOptions& options = {});

/// Options of the page that shows a model in the browser.
struct ViewOptions {
  std::string page;      ///< the HTML of the page (built by web/view, embedded in the program)
  Index scene = none;    ///< none: the default one
  unsigned threads = 0;  ///< 0: all cores
  Pose base;             ///< the start of all poses: Model::rest, or another pose of the same nodes
  Index clip = none;     ///< the first clip of the page
  PoseEdit edit;         ///< applied to every pose after the clip
  /// The expressions that `base` and `edit` turn on: where the page's sliders start.
  std::vector<animate::ExpressionAmount> expressions = {};
  std::function<std::string()> findings;  ///< returns the report of validate::to_json, called at the page's first request; empty: none
  /// Findings about the model, with which the page plays and marks the worst poses; nullptr: none. Must live while the page is made or
  /// served. Precondition: they are of this model and scene.
  const operations::FlexReport* flex = nullptr;
  std::string comparison;                  ///< the report of `sinew compare --json` about the model and another one; empty: none
  std::vector<std::vector<float>> heat;    ///< for each node, a number from 0 to 1 per vertex of its mesh, as RenderOptions::heat
  std::function<void(const Error&)> note;  ///< called for each missing or broken texture; may be empty
};

/// The model of a page with animations of a file that its user dropped on it.
struct WithMotion {
  Model model;                     ///< the model that is shown, with more clips after its own ones
  std::vector<std::string> notes;  ///< for the user, a line each
};

struct ServeOptions {
  std::uint16_t port = 0;                             ///< 0: a free one
  std::function<void(const std::string& url)> ready;  ///< called once, when the page can be opened
  std::chrono::milliseconds page_silence{90'000};     ///< a silent page counts as closed after this time (browsers suspend hidden pages)
  std::chrono::milliseconds reload_pause{5'000};      ///< time to reload the last page before the server ends
  /// Called with the bytes of a file that was dropped on the page, and the model that it shows: returns what it shows from then on, with
  /// its first new clip. An error is shown to the user. Empty: the page takes no files.
  std::function<Result<WithMotion>(std::span<const std::byte> bytes, const Model& shown)> motion = {};
  std::uint64_t most_motion = std::uint64_t{256} << 20;  ///< bytes of such a file
};

/// Serves the page and its requests on 127.0.0.1 until every opened page is closed, or until SIGINT or SIGTERM (both are caught meanwhile).
/// It answers only requests with the random token of the address and the name of this host, and serves no files. It uses one thread besides
/// those of the deformation. Failure::usage: the port is not available.
[[nodiscard]] Result<> serve(const Model& model, const ViewOptions& options, const ServeOptions& how);

struct ExportOptions {
  std::string module;                             ///< the library for WebAssembly, as the page reads it (built by web/view); may be empty
  std::uint64_t memory = std::uint64_t{2} << 30;  ///< memory limit in bytes; Failure::limit beyond
  bool force = false;                             ///< io::LoadOptions::force, with which the model was read
};

/// The result of export_page.
struct Exported {
  std::uint64_t bytes = 0;
  bool moves = false;  ///< it has the module, or worst poses of findings that it can play without
};

/// Writes one HTML file that shows the model without the program: the page, the module, the files of the model (read when the page is
/// written) and the pose that a browser shows without the module. Failure::usage: a model without a source.
[[nodiscard]] Result<Exported> export_page(const Model& model, const ViewOptions& options, const ExportOptions& how,
                                           const std::filesystem::path& path);

/// The same file with several models, of which the reader chooses one. It appears at `finish`, or not at all.
class PageFile {
 public:
  /// `page`: as ViewOptions::page.
  [[nodiscard]] static Result<PageFile> create(std::string page, ExportOptions how, const std::filesystem::path& path);
  PageFile(PageFile&&) noexcept;
  PageFile& operator=(PageFile&&) noexcept;
  ~PageFile();

  /// Adds a model; `name`: for the reader. Fails like export_page; the file then stays as it was before the call.
  [[nodiscard]] Result<> add(const std::string& name, const Model& model, const ViewOptions& options);
  /// Adds the name of a model that the page cannot show, and why.
  [[nodiscard]] Result<> add_missing(const std::string& name, const std::string& why);
  /// Failure::usage if no model was added.
  [[nodiscard]] Result<Exported> finish();

 private:
  struct State;
  explicit PageFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sinew::show

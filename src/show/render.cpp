// SPDX-License-Identifier: MIT
#include "sinew/render.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/check_pose.hpp"
#include "model/place.hpp"
#include "operations/bake/baker.hpp"
#include "operations/slice/cells_as_simplexes.hpp"
#include "show/bones.hpp"
#include "show/camera.hpp"
#include "show/developer.hpp"
#include "show/drawable.hpp"
#include "show/gl/gl_scene.hpp"

#include "sinew/bake.hpp"
#include "sinew/deform.hpp"
#include "sinew/load.hpp"
#include "sinew/project.hpp"
#include "sinew/slice.hpp"

namespace sinew::show {

namespace {

constexpr std::array<std::uint8_t, 4> light{240, 241, 244, 255}, dark{24, 27, 34, 255};  // behind surfaces, and behind coloured edges
constexpr std::size_t most_fine_pixels = std::size_t{1} << 22;                           // up to this size memory is no concern
constexpr std::size_t finest = 2;  // samples of a pixel along each side, in addition to those of the driver

/// Chooses the camera. Without a view, flat models are seen from the front, others from above their left shoulder. Angles are relative to
/// the front of the model.
class CameraChooser {
 public:
  CameraChooser(const RenderOptions& options, const Model& model) : chosen_(options.view.has_value()) {
    const double aspect = static_cast<double>(options.width) / static_cast<double>(options.height);
    const double front = io::faces_back(model) ? 180 : 0;
    const auto from = [&](View view) { return View{view.yaw + front, view.pitch}; };
    fitters_.emplace_back(from(options.view.value_or(View{28, 16})), aspect);
    if (!chosen_) fitters_.emplace_back(from({0, 0}), aspect);
  }
  void include(strided_view<const float> positions) {
    for (CameraFitter& fitter : fitters_) fitter.include(positions);
    for (std::size_t i = 0; i < positions.size(); ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        least_[axis] = std::min(least_[axis], positions[i][axis]);
        most_[axis] = std::max(most_[axis], positions[i][axis]);
      }
  }
  [[nodiscard]] bool empty() const { return fitters_[0].empty(); }
  [[nodiscard]] Camera camera() const {
    const float size = std::max(most_[0] - least_[0], most_[1] - least_[1]);
    const bool flat = !chosen_ && most_[2] - least_[2] <= 1e-4F * size;
    return fitters_[flat ? 1 : 0].camera();
  }

 private:
  static constexpr float infinity_ = std::numeric_limits<float>::infinity();
  bool chosen_;
  std::vector<CameraFitter> fitters_;
  std::array<float, 3> least_{infinity_, infinity_, infinity_}, most_{-infinity_, -infinity_, -infinity_};
};

/// Fails if a picture met a limit or the end of memory: without it, another picture would result.
Result<> without_limits(const std::vector<Error>& notes) {
  const auto met = std::ranges::find_if(notes, is_limit, &Error::failure);
  return met == notes.end() ? Result<>() : Unexpected(*met);
}

/// Removes what a projection of more than three dimensions, which has only edges, does not show.
void keep_edges(Model& model) {
  const auto turned = [](const Attribute& attribute) {
    return attribute.semantic == Semantic::normal || attribute.semantic == Semantic::tangent;
  };
  for (Mesh& mesh : model.meshes) {
    for (VertexBlock& block : mesh.blocks) std::erase_if(block.attributes, turned);
    for (Surface& surface : mesh.surfaces) {
      surface.attributes.clear();
      surface.topology.reset();
    }
  }
}

/// Returns the edges of all meshes of a static model.
void append_positions(const Model& model, std::vector<float>& positions) {
  for (const Mesh& mesh : model.meshes)
    for (const VertexBlock& block : mesh.blocks)
      if (const Attribute* const attribute = find_attribute(block.attributes, Semantic::position)) {
        const std::vector<float> rows = need(deform::blend_rows(*attribute, {}, block.vertices));
        positions.insert(positions.end(), rows.begin(), rows.end());
      }
}

/// Returns whether append_positions appends a row for each vertex.
bool positions_are_whole(const Model& model) {
  return std::ranges::all_of(model.meshes, [](const Mesh& mesh) {
    return std::ranges::all_of(mesh.blocks,
                               [](const VertexBlock& block) { return find_attribute(block.attributes, Semantic::position) != nullptr; });
  });
}

/// Vertices of all meshes, in order.
struct RowRange {
  std::size_t begin, count;
};

/// Returns the rows of the blocks that are drawn. `shown`: the scene of a model with the blocks of `model`.
std::vector<RowRange> drawn_rows(const Model& model, const Scene& shown) {
  std::vector<std::size_t> first;  // of each mesh
  std::size_t rows = 0;
  for (const Mesh& mesh : model.meshes) {
    first.push_back(rows);
    rows += vertex_count(mesh);
  }
  std::vector<RowRange> ranges;
  for (std::size_t i = 0; i < shown.instances().size(); ++i) {
    const Body& body = shown.body(i);
    std::size_t row = first[shown.instances()[i].mesh];
    for (std::size_t block = 0; block < body.vertices.size(); ++block) {
      if (std::ranges::find(body.pieces, block, &Piece::block) != body.pieces.end()) ranges.push_back({row, body.vertices[block]});
      row += body.vertices[block];
    }
  }
  return ranges;
}

}  // namespace

struct Renderer::State {
  const Model* model;
  RenderOptions options;
  gl::Context context;
  std::size_t fineness = finest;
  std::optional<gl::Target> target;
  std::optional<Programs> programs;
  std::optional<Model> painted;  ///< `model` with the values of materials per vertex, simplex or edge
  std::optional<Model> edged;    ///< a model of more than three dimensions, with the edges to draw
  std::optional<Model> filled;   ///< a model that is cut, with simplexes
  std::optional<operations::Baker> baker;
  operations::Projection projection;  ///< fixed for all poses after the first include
  std::optional<Volumes> volumes;
  std::optional<Scene> scene;       ///< of a model of three dimensions
  std::optional<GlScene> uploaded;  ///< the same on the graphics card
  struct Included {
    Pose pose;
    std::vector<operations::Hyperplane> planes;
  };
  std::vector<Included> included;
  bool settled = false;
  bool blank = false;
  bool seen = false;
  Camera camera;
  std::vector<Error> notes;

  State(const Model& drawn, const RenderOptions& wanted, gl::Context made) : model(&drawn), options(wanted), context(std::move(made)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (!context.make_current()) return;
    uploaded.reset();
    programs.reset();
    target.reset();
    context.release();
  }

  [[nodiscard]] Result<> check() const;
  [[nodiscard]] Result<> check_weights() const;
  [[nodiscard]] Result<> prepare();
  /// Creates the scene of a model from as_three, which has only its default scene.
  [[nodiscard]] Result<Scene> scene_of(const Model& three) const { return Scene::create(three, {none, options.edges, {}}); }
  [[nodiscard]] Look look() const {
    const DeformBy by = options.stage ? DeformBy::library : options.deform_by;  // the shader supports only whole palettes
    return {options.edges,       options.weights_of, !options.heat.empty(),        by,
            options.most_texels, options.threads,    volumes ? &*volumes : nullptr};
  }
  /// Makes `baker` for the planes.
  [[nodiscard]] Result<> prepare_baker();
  /// Return a model of another dimension at one pose, before and after the projection.
  [[nodiscard]] Result<Model> unprojected(const Pose& pose);
  [[nodiscard]] Result<Model> as_three(const Pose& pose);
  /// Determines projection and camera once for all included poses.
  [[nodiscard]] Result<> settle();
  [[nodiscard]] Result<> include_all(CameraChooser& chooser);
  /// Determines the projection first, from all poses.
  [[nodiscard]] Result<> include_projected(CameraChooser& chooser);
  /// `first`: the first pose, not cut; `positions`: all rows of each pose.
  [[nodiscard]] Result<> include_rows(const Model& first, const std::vector<float>& positions, CameraChooser& chooser);
  void include_bones(const Pose& pose, CameraChooser& chooser) const;
  /// Calls visit(body, positions of each block) for each instance.
  template <class F>
  [[nodiscard]] Result<> for_each_body(Scene& shown, const Pose& pose, F visit) const;
  [[nodiscard]] Result<> include(const Pose& pose, CameraChooser& chooser);
  [[nodiscard]] Result<> include(Scene& shown, const Pose& pose, CameraChooser& chooser) const;
  [[nodiscard]] Bones bones_at(const Pose& pose) const;
  /// Refuses what the driver would draw for minutes, on a processor: triangles that lie behind each other, without end.
  [[nodiscard]] Result<> check_coverage(Scene& shown, const Pose& pose) const;
  [[nodiscard]] Result<Picture> take(const GlScene& shown, const Pose& pose);
  /// Returns the dimension after the cuts.
  [[nodiscard]] std::size_t dimension() const;
};

Result<> Renderer::State::check() const {
  const auto refuse = [](std::string why) { return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, std::move(why))); };
  if (options.width == 0 || options.height == 0) return refuse("the picture needs at least one pixel on each side");
  const std::size_t most = gl::largest_side();
  if (std::max(options.width, options.height) > most)
    return refuse(format_text("this driver limits a picture to {} pixels on each side", most));
  if (options.width > most_pixels / options.height) return refuse(format_text("a picture has at most {} pixels", most_pixels));
  if (model->dimension == 3 && options.planes.empty()) {
    if (!options.heat.empty() && options.heat.size() != model->nodes.size()) return refuse("heat needs an entry for each node");
    for (Index node = 0; node < options.heat.size(); ++node)
      if (!options.heat[node].empty() &&
          (model->nodes[node].mesh == none || options.heat[node].size() != vertex_count(model->meshes[model->nodes[node].mesh])))
        return refuse(format_text("heat of node {} needs a number for each vertex of its mesh", node));
    return check_weights();
  }
  const std::string_view place = options.planes.empty() ? "of other dimensions than three" : "that are cut";
  if (options.bones && !options.planes.empty()) return refuse("--bones and --slice cannot be combined");
  if (options.weights_of != none) return refuse(format_text("weights cannot be shown on models {}", place));
  if (!options.heat.empty()) return refuse(format_text("distances cannot be shown on models {}", place));
  if (options.stage) return refuse(format_text("a joint's stage cannot be shown on models {}", place));
  return {};
}

/// Fails unless a drawn skin has the joint whose weights are requested.
Result<> Renderer::State::check_weights() const {
  if (options.weights_of == none) return {};
  for (const Instance& instance : need(instances(*model, options.scene)))
    if (instance.visible && instance.skin != none &&
        std::ranges::find(model->skins[instance.skin].slots, options.weights_of) != model->skins[instance.skin].slots.end())
      return {};
  return Unexpected(error("SINEW_USAGE"_code, Failure::usage, place_of(*model, model->nodes[options.weights_of]),
                          format_text("node {} is not a joint of a visible skin", options.weights_of)));
}

Result<> Renderer::State::prepare() {
  if (auto fine = check(); !fine) return fine;
  const std::size_t most = gl::largest_side(), longer = std::max(options.width, options.height);
  fineness = longer * finest <= most && options.width * options.height <= most_fine_pixels ? finest : 1;
  auto made_target = gl::Target::create(options.width * fineness, options.height * fineness);
  if (!made_target) return Unexpected(std::move(made_target.error()));
  target = std::move(*made_target);
  auto made_programs = Programs::create();
  if (!made_programs) return Unexpected(std::move(made_programs.error()));
  programs = std::move(*made_programs);
  projection = options.projection;
  if (dimension() > 3 && options.planes.empty()) {
    auto with_edges = operations::with_shape_edges(*model);
    if (!with_edges) return Unexpected(std::move(with_edges.error()));
    edged = std::move(*with_edges);
    give_flat_cells_edges(*edged);
  }
  if (dimension() <= 3) {
    auto made = with_material_values(*model);
    if (!made) return Unexpected(std::move(made.error()));
    painted = std::move(*made);
    if (painted) model = &*painted;
  }
  if (!options.heat.empty()) {
    painted = with_heat(*model, options.heat);
    model = &*painted;
  }
  if (dimension() == 3) volumes = need(Volumes::create(*model, options.most_texels));
  if (volumes) notes = volumes->notes();
  if (dimension() <= 3 && (model->dimension != 3 || !options.planes.empty())) {
    const std::vector<Error> flat = texture_notes(*model, options.most_texels);
    notes.insert(notes.end(), flat.begin(), flat.end());
  }
  if (options.bones && !has_joints(*model, options.scene))
    notes.push_back({Failure::usage, {}, {}, "no bones are drawn, because the scene has no joints"});
  if (model->dimension != 3 || !options.planes.empty()) return {};
  auto made_scene = Scene::create(*model, {options.scene, options.edges, options.stage});
  if (!made_scene) return Unexpected(std::move(made_scene.error()));
  scene = std::move(*made_scene);
  uploaded.emplace(*scene, *programs, look());
  std::set<std::string> known;
  for (const Error& note : notes) known.insert(note.line());
  for (const Error& note : scene->notes())  // both read the files of volumes
    if (known.insert(note.line()).second) notes.push_back(note);
  return {};
}

Result<> Renderer::State::prepare_baker() {
  if (!options.planes.empty() && !filled) {
    FindingList lost;
    auto made = operations::cells_as_simplexes(*model, lost);
    if (!made) return Unexpected(std::move(made.error()));
    filled = std::move(*made);
  }
  const Model& wanted = !options.planes.empty() ? *filled : edged ? *edged : *model;
  if (baker && &baker->model() == &wanted) return {};
  operations::BakeOptions bake;
  bake.scene = options.scene;
  bake.threads = options.threads;
  auto made = operations::Baker::create(wanted, bake);
  if (made && edged && options.planes.empty()) {  // the model is whole: its normals, too, have been read
    keep_edges(*edged);
    made = operations::Baker::create(*edged, bake);
  }
  if (!made) return Unexpected(std::move(made.error()));
  baker = std::move(*made);
  return {};
}

Result<Model> Renderer::State::unprojected(const Pose& pose) {
  if (auto done = prepare_baker(); !done) return Unexpected(std::move(done.error()));
  FindingList lost;
  auto made = baker->at(pose);
  for (const operations::Hyperplane& plane : options.planes)
    if (made) made = operations::slice(*made, plane, lost);
  return made;
}

Result<Model> Renderer::State::as_three(const Pose& pose) {
  auto made = unprojected(pose);
  return made && made->dimension != 3 ? operations::project(*made, projection) : made;
}

Result<> Renderer::State::settle() {
  CameraChooser chooser(options, *model);
  auto done = dimension() > 3 ? include_projected(chooser) : include_all(chooser);
  if (!done) return done;
  camera = chooser.camera();
  blank = chooser.empty();
  settled = true;
  return {};
}

Result<> Renderer::State::include_all(CameraChooser& chooser) {
  for (const Included& one : included) {
    options.planes = one.planes;
    if (auto done = include(one.pose, chooser); !done) return done;
  }
  return {};
}

Result<> Renderer::State::include_projected(CameraChooser& chooser) {
  const std::size_t n = dimension();
  std::vector<float> positions;  // of all poses
  std::optional<Model> first;    // if its blocks are those of all poses
  for (const Included& one : included) {
    options.planes = one.planes;
    if (first && one.planes.empty()) {
      const auto rows = baker->positions_at(one.pose);
      if (!rows) return Unexpected(rows.error());
      positions.insert(positions.end(), rows->begin(), rows->end());
      continue;
    }
    auto made = unprojected(one.pose);
    if (!made) return Unexpected(std::move(made.error()));
    append_positions(*made, positions);
    if (&one == &included.front() && one.planes.empty() && positions_are_whole(*made)) first = std::move(*made);
  }
  projection = need(operations::fitted(projection, {positions.data(), positions.size() / n, n}));
  const bool alike = first && std::ranges::all_of(included, [](const Included& one) { return one.planes.empty(); });
  return alike ? include_rows(*first, positions, chooser) : include_all(chooser);
}

Result<> Renderer::State::include_rows(const Model& first, const std::vector<float>& positions, CameraChooser& chooser) {
  const auto three = operations::project(first, projection);
  if (!three) return Unexpected(three.error());
  const auto shown = scene_of(*three);
  if (!shown) return Unexpected(shown.error());
  const std::vector<RowRange> drawn = drawn_rows(first, *shown);
  const std::size_t n = dimension(), of_pose = positions.size() / n / included.size();
  const operations::Projector projector(n, projection);
  for (std::size_t i = 0; i < included.size(); ++i) {
    include_bones(included[i].pose, chooser);
    for (const auto& [begin, count] : drawn) {
      std::vector<float> flat(count * 3);
      projector.run({positions.data() + (i * of_pose + begin) * n, count, n}, {flat.data(), count, 3});
      const auto broken = std::ranges::find_if_not(flat, [](float value) { return std::isfinite(value); });
      if (broken != flat.end()) return include(included[i].pose, chooser);
      chooser.include({flat.data(), count, 3});
    }
  }
  return {};
}

std::size_t Renderer::State::dimension() const { return model->dimension - std::min(model->dimension, options.planes.size()); }

void Renderer::State::include_bones(const Pose& pose, CameraChooser& chooser) const {
  if (!options.bones) return;
  std::vector<float> ends;
  const Bones bones = bones_at(pose);
  for (const auto& head : bones.heads) ends.insert(ends.end(), head.begin(), head.end());
  for (const auto& shaft : bones.shafts) ends.insert(ends.end(), shaft[1].begin(), shaft[1].end());
  chooser.include({ends.data(), ends.size() / 3, 3});
}

Result<> Renderer::State::include(const Pose& pose, CameraChooser& chooser) {
  include_bones(pose, chooser);
  if (scene) return include(*scene, pose, chooser);
  const auto three = as_three(pose);
  if (!three) return Unexpected(three.error());
  auto shown = scene_of(*three);
  if (!shown) return Unexpected(std::move(shown.error()));
  return include(*shown, three->rest_pose, chooser);
}

template <class F>
Result<> Renderer::State::for_each_body(Scene& shown, const Pose& pose, F visit) const {
  deform::SceneDeformer& deformer = shown.deformer();
  std::vector<float> positions(deformer.vertices() * 3);
  if (positions.empty()) return {};
  if (auto done = deformer.run(pose, {{positions.data(), deformer.vertices(), 3}, {}, {}}, options.threads); !done) return done;
  for (std::size_t i = 0; i < deformer.instances().size(); ++i) {
    const Body& body = shown.body(i);
    std::vector<strided_view<const float>> blocks;
    const float* row = positions.data() + deformer.first(i) * 3;
    for (const std::size_t vertices : body.vertices) {
      blocks.emplace_back(row, vertices, 3);
      row += vertices * 3;
    }
    visit(body, blocks);
  }
  return {};
}

Result<> Renderer::State::include(Scene& shown, const Pose& pose, CameraChooser& chooser) const {
  return for_each_body(shown, pose, [&](const Body& body, std::span<const strided_view<const float>> blocks) {
    std::vector<bool> drawn(blocks.size());
    for (const Piece& piece : body.pieces) drawn[piece.block] = true;
    for (std::size_t block = 0; block < blocks.size(); ++block)
      if (drawn[block]) chooser.include(blocks[block]);
  });
}

Result<> Renderer::State::check_coverage(Scene& shown, const Pose& pose) const {
  if (!model->source) return {};
  const std::array<std::size_t, 2> pixels{options.width * fineness, options.height * fineness};
  double covered = 0;
  auto done = for_each_body(shown, pose, [&](const Body& body, std::span<const strided_view<const float>> blocks) {
    for (const Piece& piece : body.pieces) {
      covered += covered_pixels(camera, pixels, piece.elements, piece.corners, blocks[piece.block]);
      if (options.edges) covered += covered_pixels(camera, pixels, piece.edges, 2, blocks[piece.block]);
    }
  });
  constexpr double free_layers = 16, steps_per_pixel = 8;  // of a driver that draws on the processor
  const double steps = steps_per_pixel * (covered - free_layers * static_cast<double>(pixels[0] * pixels[1]));
  const std::uint64_t most = model->source->most_work();
  if (!done || steps <= static_cast<double>(most)) return done;
  return Unexpected(error("SINEW_WORK_LIMIT"_code, Failure::limit, place_of(*model), "the pixels of all elements of the picture",
                          format_text("{:.0f}", steps), most));
}

Bones Renderer::State::bones_at(const Pose& pose) const {
  const std::size_t n = model->dimension;
  std::optional<operations::Projector> projector;
  if (n > 3) projector.emplace(n, projection);
  return find_bones(*model, pose, options.scene, [&](const std::vector<double>& point) {
    std::array<double, 3> shown{};
    if (!projector) {
      std::copy(point.begin(), point.end(), shown.begin());
      return shown;
    }
    const std::vector<float> from(point.begin(), point.end());
    std::array<float, 3> to{};
    projector->run({from.data(), 1, n}, {to.data(), 1, 3});
    std::copy(to.begin(), to.end(), shown.begin());
    return shown;
  });
}

Result<Picture> Renderer::State::take(const GlScene& shown, const Pose& pose) {
  target->bind();
  shown.draw(camera, {options.width * fineness, options.height * fineness}, static_cast<double>(fineness));
  if (options.bones) shown.draw_bones(bones_at(pose), {options.width * fineness, options.height * fineness});
  std::vector<float> samples;
  target->read(samples);
  if (auto complete = gl::check_memory(); !complete) return Unexpected(std::move(complete.error()));
  for (std::size_t opacity = 3; !seen && opacity < samples.size(); opacity += 4) seen = samples[opacity] > 0;
  const bool lines = dimension() > 3;
  return Developer(options.background.value_or(lines ? dark : light), fineness)
      .picture(samples, options.width, options.height, options.threads);
}

Renderer::Renderer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;

Result<Renderer> Renderer::create(const Model& model, const RenderOptions& options) SINEW_TRY {
  if (auto defect = closure_defect(model, options.scene)) return Unexpected(std::move(*defect));
  auto context = gl::Context::create();
  if (!context) return Unexpected(std::move(context.error()));
  auto state = std::make_unique<State>(model, options, std::move(*context));
  auto prepared = state->prepare();
  state->context.release();
  if (!prepared) return Unexpected(std::move(prepared.error()));
  if (auto whole = without_limits(state->notes); !whole) return Unexpected(std::move(whole.error()));
  return Renderer(std::move(state));
}
SINEW_CATCH()

Result<> Renderer::include(const Pose& pose) SINEW_TRY {
  if (auto fits = check_pose(*state_->model, pose); !fits) return fits;
  state_->included.push_back({pose, state_->options.planes});
  state_->settled = false;
  return {};
}
SINEW_CATCH()

Result<> Renderer::cut(const std::vector<operations::Hyperplane>& planes) SINEW_TRY {
  state_->options.planes = planes;
  return {};
}
SINEW_CATCH()

Result<> Renderer::show(const std::vector<bool>& nodes) SINEW_TRY {
  if (state_->uploaded) state_->uploaded->show(nodes);
  return {};
}
SINEW_CATCH()

Result<Picture> Renderer::draw(const Pose& pose) SINEW_TRY {
  if (auto usable = gl::usable_here(); !usable) return Unexpected(std::move(usable.error()));
  State& state = *state_;
  if (auto fits = check_pose(*state.model, pose); !fits) return Unexpected(std::move(fits.error()));
  const bool alone = state.included.empty();
  if (alone) state.included.push_back({pose, state.options.planes});
  const std::vector<operations::Hyperplane> planes = state.options.planes;  // of this picture
  auto settled = state.settled ? Result<>() : state.settle();
  state.options.planes = planes;
  if (alone) {
    state.included.clear();
    state.settled = false;
  }
  if (!settled) return Unexpected(std::move(settled.error()));
  if (!state.context.make_current())
    return Unexpected(error("IO_ERROR"_code, Failure::unsupported, {}, "another thread is already drawing"));
  struct Release {
    const gl::Context& context;
    ~Release() { context.release(); }
  } const release{state.context};
  if (state.uploaded) {
    if (auto fits = state.check_coverage(*state.scene, pose); !fits) return Unexpected(std::move(fits.error()));
    if (auto done = state.uploaded->pose(pose); !done) return Unexpected(std::move(done.error()));
    return state.take(*state.uploaded, pose);
  }
  const auto three = state.as_three(pose);
  if (!three) return Unexpected(three.error());
  auto shown = state.scene_of(*three);
  if (!shown) return Unexpected(shown.error());
  if (auto fits = state.check_coverage(*shown, three->rest_pose); !fits) return Unexpected(std::move(fits.error()));
  GlScene uploaded(*shown, *state.programs, state.look());
  if (auto whole = without_limits(shown->notes()); !whole) return Unexpected(std::move(whole.error()));
  if (auto done = uploaded.pose(three->rest_pose); !done) return Unexpected(std::move(done.error()));
  return state.take(uploaded, pose);
}
SINEW_CATCH()

const std::vector<Error>& Renderer::notes() const noexcept { return state_->notes; }

bool Renderer::blank() const noexcept { return state_->blank; }

bool Renderer::seen() const noexcept { return state_->seen; }

}  // namespace sinew::show

// SPDX-License-Identifier: MIT
#include "sinew/render.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "console/joined.hpp"
#include "console/need.hpp"
#include "console/number.hpp"
#include "frame_folder.hpp"
#include "hyperplanes.hpp"
#include "posing.hpp"

#include "sinew/result.hpp"

namespace app {

namespace {

using sinew::Model;
using sinew::Result;
using sinew::Unexpected;

constexpr std::int64_t longest_side = 16384;  // in pixels

struct RenderOptions {
  std::string input, output;
  PoseOptions posing;
  StageChoice stage;
  std::string weights;
  std::vector<std::string> cuts;
  std::string sweep;     ///< "AXIS" or "AXIS=N": a cut that moves through the model
  bool project = false;  ///< the default, requested explicitly
  bool orthographic = false;
  bool with_shadow = false;  ///< beside the cross-section
  sinew::show::RenderOptions picture;
};

// Parses "A,B" or "AxB".
std::optional<std::array<double, 2>> pair_in(const std::string& text, char between) {
  const std::size_t at = text.find(between);
  if (at == std::string::npos) return std::nullopt;
  const auto first = number_in<double>(std::string_view(text).substr(0, at)),
             second = number_in<double>(std::string_view(text).substr(at + 1));
  if (!first || !second) return std::nullopt;
  return std::array{*first, *second};
}

template <class T>
std::string none_of(const std::string& word, const std::map<std::string, T>& words, std::string_view otherwise) {
  std::vector<std::string_view> known;
  for (const auto& [name, unused] : words) known.push_back(name);
  const auto near = need(sinew::nearest_name(word, known));
  return fmt::format("unknown value \"{}\"; expected {} or {}{}", word, joined(known, ", "), otherwise,
                     near ? fmt::format("; did you mean {}?", *near) : "");
}

void add_size(Command command, sinew::show::RenderOptions& picture) {
  command
      .add_text(
          "--size",
          [&picture](const std::string& text) {
            const auto size = *pair_in(text, 'x');
            picture.width = static_cast<std::size_t>(size[0]);
            picture.height = static_cast<std::size_t>(size[1]);
          },
          fmt::format("Set the width and height in pixels, each at most {} and {} in total (default: 800x600)", longest_side,
                      sinew::show::most_pixels))
      .check(Check([](std::string& text) {
        const auto size = pair_in(text, 'x');
        const auto side = [](double value) { return value >= 1 && value <= longest_side && value == std::floor(value); };
        if (!size || !side((*size)[0]) || !side((*size)[1]))
          return fmt::format("\"{}\" is not a size; expected for example 800x600, each number from 1 to {}", text, longest_side);
        if ((*size)[0] * (*size)[1] <= double{sinew::show::most_pixels}) return std::string();
        return fmt::format("\"{}\" has more than {} pixels", text, sinew::show::most_pixels);
      }))
      .type_name("WxH");
}

void add_camera(Command command, sinew::show::RenderOptions& picture) {
  const std::map<std::string, sinew::show::View> views{{"front", {0, 0}},    {"back", {180, 0}}, {"side", {90, 0}},  {"top", {0, 90}},
                                                       {"bottom", {0, -90}}, {"left", {90, 0}},  {"right", {-90, 0}}};
  command
      .add_text(
          "--camera",
          [&picture, views](const std::string& text) {
            const auto named = views.find(text);
            const auto angles = pair_in(text, ',');
            picture.view = named != views.end() ? named->second : sinew::show::View{(*angles)[0], (*angles)[1]};
          },
          "Look from front, back, side (left), right, top or bottom, or from YAW,PITCH in degrees: 90,0 is side, 0,90 is top (default: "
          "front for flat models, an angled view for others)")
      .check(Check([views](std::string& text) {
        return views.contains(text) || pair_in(text, ',') ? std::string() : none_of(text, views, "two angles such as 30,15");
      }))
      .type_name("VIEW");
}

const std::map<std::string, std::array<std::uint8_t, 4>>& color_names() {
  static const std::map<std::string, std::array<std::uint8_t, 4>> names{
      {"black", {0, 0, 0, 255}}, {"gray", {128, 128, 128, 255}}, {"transparent", {0, 0, 0, 0}}, {"white", {255, 255, 255, 255}}};
  return names;
}

// Parses "white", "#fff", "#rrggbb" or "#rrggbbaa".
std::optional<std::array<std::uint8_t, 4>> color_in(const std::string& text) {
  if (const auto named = color_names().find(text); named != color_names().end()) return named->second;
  if (text.size() < 2 || text[0] != '#') return std::nullopt;
  std::string digits = text.substr(1);
  if (digits.size() == 3) digits = {digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]};
  if (digits.size() == 6) digits += "ff";
  const auto value = number_in<std::uint32_t>(digits, 16);
  if (digits.size() != 8 || digits[0] == '+' || !value) return std::nullopt;
  return std::array{static_cast<std::uint8_t>(*value >> 24), static_cast<std::uint8_t>(*value >> 16),
                    static_cast<std::uint8_t>(*value >> 8), static_cast<std::uint8_t>(*value)};
}

void add_background(Command command, sinew::show::RenderOptions& picture) {
  command
      .add_text(
          "--background", [&picture](const std::string& text) { picture.background = *color_in(text); },
          "Set the background colour: #rrggbb, #rrggbbaa, white, black, gray or transparent (default: #f0f1f4, for projections #181b22)")
      .check(Check(
          [](std::string& text) { return color_in(text) ? std::string() : none_of(text, color_names(), "a colour such as #f0f1f4"); }))
      .type_name("COLOR");
}

// Checks options that are wrong for every model.
std::optional<std::string> contradiction(const RenderOptions& options) {
  if (!sinew::show::can_write_picture(options.output)) return fmt::format("{}: unknown extension, expected .png or .webp", options.output);
  if (pattern_count(options.output) > 1) return fmt::format("{}: expected only one pattern such as %04d in the name", options.output);
  if (options.with_shadow && options.cuts.empty() && options.sweep.empty()) return "--with-shadow needs --slice or --sweep";
  if (options.with_shadow && 2 * options.picture.width > static_cast<std::size_t>(longest_side))
    return fmt::format("--with-shadow: two pictures of {} pixels are wider than {}; give a smaller --size", options.picture.width,
                       longest_side);
  return contradiction(options.posing, options.input);
}

// Checks options against the number of dimensions that remain after the cuts.
std::optional<std::string> contradiction(const RenderOptions& options, std::size_t left) {
  if (options.with_shadow) return std::nullopt;
  const char* const projecting = options.project ? "--project" : options.orthographic ? "--orthographic" : nullptr;
  if (projecting != nullptr && left <= 3)
    return fmt::format("{}: only models of more than three dimensions are projected; this one has {} {}", projecting, left,
                       left == 1 ? "dimension" : "dimensions");
  if (options.picture.edges && left > 3) return "--edges has no effect above three dimensions, where only edges are drawn";
  return std::nullopt;
}

/// The cut that moves: its place among the planes, and its offset for each frame.
struct Sweep {
  std::vector<std::vector<sinew::operations::Hyperplane>> planes;  ///< by frame; empty: nothing moves
};

/// Returns the least and the largest coordinate on an axis at all times of the poser.
Result<std::array<double, 2>> range_on(std::size_t axis, const Poser& poser, sinew::Index scene, unsigned threads) {
  auto deformer = sinew::deform::SceneDeformer::create(poser.model, need(sinew::instances(poser.model, scene)), {});
  if (!deformer) return Unexpected(std::move(deformer.error()));
  const std::size_t n = poser.model.dimension;
  std::vector<float> places(deformer->vertices() * n);
  std::vector<float> met;
  sinew::Pose pose;
  for (const double time : poser.times) {
    if (auto done = poser.at(time, pose); !done) return Unexpected(std::move(done.error()));
    if (auto done = deformer->run(pose, {{places.data(), deformer->vertices(), n}, {}, {}}, threads); !done)
      return Unexpected(std::move(done.error()));
    std::vector<float> own;
    for (std::size_t i = axis; i < places.size(); i += n) own.push_back(places[i]);
    if (own.empty()) continue;
    const auto [least, most] = std::ranges::minmax(own);
    met.insert(met.end(), {least, most});
  }
  if (met.empty()) return std::array{0.0, 0.0};
  const auto [least, most] = std::ranges::minmax(met);
  return std::array{static_cast<double>(least), static_cast<double>(most)};
}

/// Plans the frames of --sweep. Repeats the only time of a pose, once for each frame.
Result<Sweep> plan_sweep(const RenderOptions& options, Poser& poser, sinew::Index scene, unsigned threads) {
  Sweep sweep;
  if (options.sweep.empty()) return sweep;
  const std::size_t equals = options.sweep.find('=');
  const std::string axis = options.sweep.substr(0, equals);
  constexpr std::size_t usual = 48, most = 10'000;
  const auto wanted = equals == std::string::npos ? std::optional<std::size_t>(usual)
                                                  : number_in<std::size_t>(std::string_view(options.sweep).substr(equals + 1));
  if (!wanted || *wanted < 2 || *wanted > most)
    return Unexpected(usage_error(fmt::format("--sweep \"{}\": expected AXIS or AXIS=N, N from 2 to {}", options.sweep, most)));
  if (poser.times.size() > 1 && equals != std::string::npos)
    return Unexpected(usage_error("--sweep: the frames of the clip decide how many there are; write the axis alone"));
  if (axis.empty()) return Unexpected(usage_error(fmt::format("--sweep \"{}\": expected AXIS or AXIS=N", options.sweep)));
  std::vector<std::string> cuts = options.cuts;
  cuts.push_back(axis + "=0");
  const auto at_zero = parse_hyperplanes(cuts, poser.model.dimension);
  if (!at_zero) return Unexpected(at_zero.error());
  const auto one = parse_hyperplanes({axis + "=0"}, poser.model.dimension);
  const auto range = range_on(one->front().axis, poser, scene, threads);
  if (!range) return Unexpected(range.error());
  if (poser.times.size() == 1) poser.times.resize(*wanted, poser.times.front());
  for (std::size_t i = 0; i < poser.times.size(); ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(poser.times.size());
    sweep.planes.push_back(*at_zero);
    sweep.planes.back().back().offset = (*range)[0] + share * ((*range)[1] - (*range)[0]);
  }
  return sweep;
}

/// A picture, and the shadow of the whole model beside it where that is wanted.
struct Pictures {
  sinew::show::Renderer main;
  std::optional<sinew::show::Renderer> shadow;

  [[nodiscard]] std::size_t width(std::size_t of_one) const { return shadow ? 2 * of_one : of_one; }
  void show(const std::vector<bool>& nodes) {
    need(main.show(nodes));
    if (shadow) need(shadow->show(nodes));
  }
  Result<sinew::show::Picture> draw(const sinew::Pose& pose) {
    auto left = main.draw(pose);
    if (!left || !shadow) return left;
    const auto right = shadow->draw(pose);
    if (!right) return right;
    sinew::show::Picture both{left->width + right->width, left->height, {}};
    both.rgba.reserve(left->rgba.size() + right->rgba.size());
    for (std::size_t row = 0; row < left->height; ++row)
      for (const sinew::show::Picture& half : {std::cref(*left), std::cref(*right)}) {
        const std::uint8_t* const first = &half.rgba[row * half.width * 4];
        both.rgba.insert(both.rgba.end(), first, first + half.width * 4);
      }
    return both;
  }
};

// The camera is fixed for a clip: it covers the whole clip, regardless of the drawn frames.
Result<> frame(const Poser& poser, const Sweep& sweep, sinew::show::Renderer& renderer) {
  if (!sweep.planes.empty()) {
    sinew::Pose pose;
    for (std::size_t i = 0; i < sweep.planes.size(); ++i) {
      if (auto done = poser.at(poser.times[i], pose); !done) return done;
      need(renderer.cut(sweep.planes[i]));
      if (auto done = renderer.include(pose); !done) return done;
    }
    return {};
  }
  constexpr std::size_t samples = 33;
  std::vector<double> times = poser.times;
  if (poser.clip != nullptr)
    for (const double time : need(sinew::animate::frame_times(poser.clip->duration, samples))) times.push_back(time);
  sinew::Pose pose;
  for (const double time : times) {
    if (auto done = poser.at(time, pose); !done) return done;
    if (auto done = renderer.include(pose); !done) return done;
  }
  return {};
}

/// Returns how long each frame of an animation lasts.
double frame_step(const RenderOptions& options, const Poser& poser) {
  if (options.posing.fps) return 1 / *options.posing.fps;
  const double length = poser.clip == nullptr ? 0.0 : poser.clip->duration;
  return length > 0 ? length / static_cast<double>(poser.times.size()) : 1.0 / 24;
}

bool is_animation(const RenderOptions& options, const Poser& poser) { return poser.times.size() > 1 && pattern_count(options.output) == 0; }

// Checks that the frames fit into the output.
std::optional<std::string> contradiction(const RenderOptions& options, const Poser& poser) {
  using Writer = sinew::show::AnimationWriter;
  if (!is_animation(options, poser)) return std::nullopt;
  const std::size_t count = poser.times.size();
  if (need(sinew::file_extension(options.output)) != ".webp")
    return fmt::format("{} frames need a pattern such as %04d in the name of the output, or a .webp file", count);
  const double step = frame_step(options, poser);
  constexpr double least = 0.001;
  if (step >= least && step <= Writer::most_seconds_of_frame && step * static_cast<double>(count) <= Writer::most_seconds)
    return std::nullopt;
  return fmt::format(
      "{}: each of {} frames would last {:g} s; in a .webp, a frame lasts {} to {} s, and all at most {} s. Give another --fps, or write "
      "pictures with a pattern such as %04d in the name",
      options.output, count, step, least, Writer::most_seconds_of_frame, Writer::most_seconds);
}

bool is_flattened(const sinew::LocalTransform& local) {
  const auto is_zero = [](double value) { return value == 0; };
  return std::ranges::any_of(local.scale, is_zero) || (!local.basis.empty() && std::ranges::all_of(local.basis, is_zero));
}

/// Explains why a picture of vertices shows none of them.
std::string why_unseen(const Poser& poser, const sinew::Pose& pose) {
  for (std::size_t node = 0; node < poser.model.nodes.size(); ++node)
    if (is_flattened(pose.locals[node])) return fmt::format("the scale of node {} {} is 0", node, quoted(poser.model.nodes[node].name));
  return "from this side a flat or one-sided model is invisible; choose another view with --camera";
}

Result<> draw_frames(const RenderOptions& options, const Common& common, const Poser& poser, const Sweep& sweep, Pictures& pictures) {
  sinew::show::Renderer& renderer = pictures.main;
  const std::size_t count = poser.times.size(), width = pictures.width(options.picture.width);
  const double step = frame_step(options, poser);
  std::optional<sinew::show::AnimationWriter> animation;
  if (is_animation(options, poser)) {
    auto made = sinew::show::AnimationWriter::create(options.output, width, options.picture.height);
    if (!made) return Unexpected(made.error());
    animation = std::move(*made);
  }
  auto folder = FrameFolder::create(options.output, count);
  if (!folder) return Unexpected(folder.error());
  Progress progress(common.terminal, "drawing", count);
  sinew::Pose pose;
  for (std::size_t i = 0; i < count; ++i) {
    if (auto done = poser.at(poser.times[i], pose); !done) return done;
    if (poser.clip != nullptr && !poser.clip->visibility.empty())
      pictures.show(need(sinew::animate::visible_nodes(poser.model, poser.clip, poser.times[i])));
    if (!sweep.planes.empty()) need(renderer.cut(sweep.planes[i]));
    const auto picture = pictures.draw(pose);
    if (!picture) return Unexpected(picture.error());
    if (i == 0 && renderer.blank())
      common.terminal.warn(options.cuts.empty() && sweep.planes.empty() ? "the picture is empty: the scene has no visible vertex"
                                                                        : "the picture is empty: the cut does not meet the model");
    const std::string name = *folder ? (*folder)->place(i) : frame_name(options.output, i).value_or(options.output);
    auto done = animation ? animation->add(*picture, static_cast<double>(i) * step)
                          : sinew::show::write_picture(*picture, name, output_name(options.output));
    if (!done) return done;
    progress.step(i + 1);
  }
  if (*folder)
    if (auto done = (*folder)->finish(common.terminal); !done) return done;
  if (animation)
    if (auto done = animation->finish(static_cast<double>(count) * step); !done) return done;
  if (!renderer.blank() && !renderer.seen()) common.terminal.warn("the picture is empty: " + why_unseen(poser, pose));
  const std::string size = fmt::format("{} × {}", width, options.picture.height);
  if (animation)
    common.terminal.talk("{}: {} frames, {}", options.output, count, size);
  else
    common.terminal.talk("{}: {}, {}", frame_name(options.output, 0).value_or(options.output),
                         count == 1 ? "1 picture" : fmt::format("{} pictures", count), size);
  return {};
}

Result<> render(const RenderOptions& options, const Common& common) {
  PoseOptions posing = options.posing;
  posing.looping = pattern_count(options.output) == 0 && need(sinew::file_extension(options.output)) == ".webp";
  auto posed = load_posed(options.input, posing, common);
  if (!posed) return Unexpected(posed.error());
  const Model& model = posed->model();
  if (auto fits = check_surfaces(model, posed->scene, steps_per_drawn_surface); !fits) return fits;
  const auto sweep = plan_sweep(options, posed->poser, posed->scene, common.threads);
  if (!sweep) return Unexpected(sweep.error());
  if (const auto wrong = contradiction(options, posed->poser)) return Unexpected(usage_error(*wrong));
  sinew::show::RenderOptions picture = options.picture;
  picture.scene = posed->scene;
  picture.threads = common.threads;
  const auto stage = find_stage(options.stage, model);
  if (!stage) return Unexpected(stage.error());
  picture.stage = *stage;
  if (!options.weights.empty()) {
    const auto joint = sinew::find_node(options.weights, model);
    if (!joint) return Unexpected(joint.error());
    picture.weights_of = *joint;
  }
  if (!options.cuts.empty()) {
    const auto planes = parse_hyperplanes(options.cuts, model.dimension);
    if (!planes) return Unexpected(planes.error());
    picture.planes = *planes;
  }
  if (!sweep->planes.empty()) picture.planes = sweep->planes.front();
  if (const auto wrong = contradiction(options, model.dimension - picture.planes.size())) return Unexpected(usage_error(*wrong));
  if (options.orthographic) picture.projection.kind = sinew::operations::ProjectionKind::orthographic;
  auto renderer = sinew::show::Renderer::create(model, picture);
  if (!renderer) return Unexpected(renderer.error());
  for (const sinew::Error& note : renderer->notes()) common.terminal.warn(note);
  if (auto done = frame(posed->poser, *sweep, *renderer); !done) return done;
  Pictures pictures{*std::move(renderer), std::nullopt};
  if (options.with_shadow) {
    picture.planes.clear();
    auto shadow = sinew::show::Renderer::create(model, picture);
    if (!shadow) return Unexpected(shadow.error());
    if (auto done = frame(posed->poser, {}, *shadow); !done) return done;
    pictures.shadow = *std::move(shadow);
  }
  return draw_frames(options, common, posed->poser, *sweep, pictures);
}

}  // namespace

Run add_render(Command command, Common& common) {
  auto options = std::make_shared<RenderOptions>();
  common.files.reads(options->input);
  common.files.writes(options->output);
  command.add_option("IN", options->input, "The model; - reads standard input").check(not_empty()).required();
  command.add_option("-o,--output", options->output, "Write the picture, .png or .webp; with %04d in the name, write one picture per frame")
      .check(not_empty())
      .type_name("OUT")
      .required();
  add_size(command, options->picture);
  add_camera(command, options->picture);
  add_background(command, options->picture);
  add_posing(command, options->posing, common);
  command.option("--frames")
      .description("Use N equally spaced times from 0 to the end of the clip, both included; a .webp leaves out the end, to loop evenly");
  command.add_option("--slice", options->cuts, std::string("Draw a cross-section: ") + hyperplane_help + "; repeatable")
      .type_name("AXIS=OFFSET")
      .one_each();
  command
      .add_option(
          "--sweep", options->sweep,
          "Move a cross-section through the model along this axis, from one end to the other: one frame for each moment, or N frames "
          "of one pose (default: 48)")
      .check(not_empty())
      .type_name("AXIS[=N]");
  command.add_flag("--with-shadow", options->with_shadow,
                   "With --slice or --sweep: draw the projection of the whole model beside the cross-section, in the same size");
  command.add_flag("--project", options->project,
                   "Draw the edges of a model of more than three dimensions in perspective (the default for such models)");
  command.add_flag("--orthographic", options->orthographic, "Project without perspective, by dropping the axes beyond the third");
  command.add_flag("--bones", options->picture.bones, "Draw joints and bones over the mesh");
  command.add_flag("--edges", options->picture.edges, "Draw the edges of all triangles");
  command.add_option("--weights", options->weights, "Colour surfaces by the weight of a joint, given by its node")
      .check(not_empty())
      .type_name("JOINT");
  add_stage(command, options->stage);
  add_revision(command, common);
  return [options, &common]() -> int {
    if (const auto wrong = contradiction(*options)) return common.terminal.fail_usage(*wrong);
    const auto done = render(*options, common);
    return done ? Exit::done : common.terminal.fail(done.error());
  };
}

}  // namespace app

// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "command.hpp"
#include "console/joined.hpp"
#include "console/json.hpp"
#include "console/need.hpp"
#include "many.hpp"
#include "posing.hpp"
#include "reports/bounds_text.hpp"
#include "reports/info_avatar.hpp"
#include "reports/info_palette.hpp"
#include "reports/info_skeletons.hpp"

#include "sinew/animate.hpp"
#include "sinew/deadline.hpp"
#include "sinew/model.hpp"
#include "sinew/play.hpp"

namespace app {

namespace {

using sinew::Index;
using sinew::Model;

struct InfoOptions {
  std::vector<std::string> files;
  std::string output;
  Many many;
  bool json = false;
  bool skeletons = false;
  bool palette = false;
  bool bounds = false;
  PoseOptions posing;  ///< for the palette
};

Json index_or_null(Index index) { return index == sinew::none ? Json(nullptr) : Json(index); }

// Slots may be empty (G4MF's −1).
Json indices_or_null(const std::vector<Index>& list) {
  Json out = Json::array();
  for (const Index index : list) out.push_back(index_or_null(index));
  return out;
}

/// Returns the scene of --scene. JSON lists the surfaces of every instance: nodes times surfaces.
sinew::Result<Index> listed_scene(const Model& model, const InfoOptions& options, const Common& common) {
  constexpr std::uint64_t steps_per_surface = 400;
  auto scene = scene_of(model, common);
  if (!scene || !(options.json || options.many.jsonl)) return scene;
  if (auto fits = check_surfaces(model, *scene, steps_per_surface); !fits) return sinew::Unexpected(std::move(fits.error()));
  return scene;
}

Json instances_json(const Model& model, Index scene) {
  Json list = Json::array();
  std::size_t first = 0;
  for (const sinew::Instance& instance : need(sinew::instances(model, scene))) {
    const sinew::Mesh* mesh = instance.mesh < model.meshes.size() ? &model.meshes[instance.mesh] : nullptr;
    Json surfaces = Json::array();
    Index counted = sinew::none;  // a block that surfaces share is counted once
    for (const auto& surface : mesh ? std::span(mesh->surfaces) : std::span<const sinew::Surface>{}) {
      const std::size_t rows = surface.block == counted ? 0 : mesh->blocks[surface.block].vertices;
      counted = surface.block;
      surfaces.push_back({{"vertices", rows}, {"corners", sinew::corner_count(*mesh, surface, model.dimension)}});
    }
    const std::size_t vertices = mesh ? vertex_count(*mesh) : 0;
    list.push_back({{"node", instance.node},
                    {"name", model.nodes[instance.node].name},
                    {"mesh", instance.mesh},
                    {"skin", index_or_null(instance.skin)},
                    {"copy", instance.copy},
                    {"visible", instance.visible},
                    {"amounts", model.rest_pose.amounts[instance.node]},
                    {"first", first},
                    {"vertices", vertices},
                    {"surfaces", surfaces}});
    first += vertices;
  }
  return list;
}

Json meshes_json(const Model& model) {
  Json list = Json::array();
  for (const sinew::Mesh& mesh : model.meshes) {
    Json shapes = Json::array();
    for (const auto& shape : mesh.shapes) shapes.push_back({{"name", shape.name}, {"amount", shape.amount}});
    list.push_back({{"name", mesh.name},
                    {"vertices", vertex_count(mesh)},
                    {"surfaces", mesh.surfaces.size()},
                    {"influences", most_influences(mesh)},
                    {"blendShapes", shapes}});
  }
  return list;
}

/// A bone with a stored length, and its length in the stored pose. Its tail is on the node's +Y axis, which the transforms above it may
/// stretch.
struct BoneLength {
  Index node;
  double length;
  double effective;
};

std::vector<BoneLength> bone_lengths(const Model& model) {
  std::vector<BoneLength> list;
  std::vector<sinew::Affine> world;
  for (Index n = 0; n < model.nodes.size(); ++n) {
    if (!model.nodes[n].bone || !model.nodes[n].bone->length || model.dimension < 2) continue;
    if (world.empty()) world = need(sinew::world_transforms(model, model.rest_pose));
    double squares = 0;
    for (std::size_t axis = 0; axis < model.dimension; ++axis) squares += world[n](axis, 1) * world[n](axis, 1);
    const double length = *model.nodes[n].bone->length;
    list.push_back({n, length, length * std::sqrt(squares)});
  }
  return list;
}

Json to_json(const Model& model, const std::string& file, Index scene) {
  Json out{{"file", file},
           {"format", model.format},
           {"revision", model.revision},
           {"generator", model.generator},
           {"dimension", model.dimension},
           {"extensionsUsed", model.extensions_used},
           {"extensionsRequired", model.extensions_required}};
  out.add("counts", {{"nodes", model.nodes.size()},
                     {"meshes", model.meshes.size()},
                     {"skins", model.skins.size()},
                     {"skeletons", model.skeletons.size()},
                     {"animations", model.clips.size()},
                     {"materials", model.materials.size()},
                     {"scenes", model.scenes.size()}});
  out.add("scene", index_or_null(scene == sinew::none ? model.default_scene : scene));
  out.add("instances", instances_json(model, scene));
  out.add("meshes", meshes_json(model));
  Json skins = Json::array();
  for (const auto& skin : model.skins)
    skins.push_back({{"name", skin.name}, {"joints", indices_or_null(skin.slots)}, {"bind", to_string(skin.bind)}});
  out.add("skins", skins);
  Json skeletons = Json::array();
  for (const auto& skeleton : model.skeletons)
    skeletons.push_back({{"name", skeleton.name}, {"root", index_or_null(skeleton.root)}, {"joints", indices_or_null(skeleton.joints)}});
  out.add("skeletons", skeletons);
  Json bones = Json::array();
  for (const BoneLength& bone : bone_lengths(model))
    bones.push_back(
        {{"node", bone.node}, {"name", model.nodes[bone.node].name}, {"length", bone.length}, {"effectiveLength", bone.effective}});
  out.add("boneLengths", bones);
  Json clips = Json::array();
  for (const auto& clip : model.clips)
    clips.push_back({{"name", clip.name},
                     {"duration", clip.duration},
                     {"start", clip.start},
                     {"end", clip.duration},
                     {"channels", clip.channels},
                     {"pointerChannels", clip.pointer_channels}});
  out.add("animations", clips);
  out.add("avatar", avatar_json(model));
  Json defects = Json::array();
  for (const auto& defect : model.defects) {
    Json row{{"code", defect.code}, {"message", defect.message}};
    if (defect.place.pointer) row.add("pointer", *defect.place.pointer);
    if (defect.place.offset) row.add("offset", *defect.place.offset);
    defects.push_back(row);
  }
  out.add("defects", defects);
  return out;
}

class TextInfo {
 public:
  TextInfo(const Model& model, const Terminal& terminal) : model_(model), terminal_(terminal) {}

  std::string text(const std::string& file, Index scene) {
    print("{}  {} {}, {} dimensions\n", terminal_.bold(printable(file)), model_.format, model_.revision, model_.dimension);
    if (!model_.generator.empty()) print("  generator   {}\n", printable(model_.generator));
    if (!model_.extensions_used.empty()) print("  extensions  {}\n", printable(joined(model_.extensions_used, ", ")));
    const std::vector<sinew::Instance> list = need(sinew::instances(model_, scene));
    std::size_t vertices = 0;
    for (const auto& instance : list) vertices += vertex_count(model_.meshes[instance.mesh]);
    print("  scene       {}, {} drawn with {}\n", count_of(model_.nodes.size(), "node", "nodes"),
          count_of(list.size(), "mesh instance", "mesh instances"), count_of(vertices, "vertex", "vertices"));
    instances(list);
    meshes();
    skins();
    clips();
    text_ += avatar_text(model_, terminal_);
    if (!model_.defects.empty()) print("{}\n", terminal_.bold("Unusable parts"));
    for (const auto& defect : model_.defects) print("  {}\n", printable(defect.line()));
    return std::move(text_);
  }

 private:
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...);
  }

  void title(std::string_view text) { print("{}\n", terminal_.bold(text)); }

  void instances(const std::vector<sinew::Instance>& list) {
    if (list.empty()) return;
    title("Instances (in the order of the vertices that deform writes)");
    std::size_t first = 0;
    for (const auto& instance : list) {
      const std::size_t copies = model_.nodes[instance.node].copies.size();
      if (instance.copy != 0) continue;  // told with the first one
      const std::size_t vertices = vertex_count(model_.meshes[instance.mesh]) * std::max<std::size_t>(copies, 1);
      print("  node {:<4} {}{}  mesh {}{}{}  {}\n", instance.node, quoted(model_.nodes[instance.node].name),
            copies == 0 ? "" : fmt::format(", {}", count_of(copies, "copy", "copies")), instance.mesh,
            instance.skin == sinew::none ? "" : fmt::format(", skin {}", instance.skin), instance.visible ? "" : ", hidden",
            vertices == 0 ? "no vertices" : fmt::format("vertices {}…{}", first, first + vertices - 1));
      amounts(instance);
      first += vertices;
    }
  }

  /// Lists blend shapes that move the instance in the stored pose.
  void amounts(const sinew::Instance& instance) {
    const auto& shapes = model_.meshes[instance.mesh].shapes;
    const std::vector<double>& amounts = model_.rest_pose.amounts[instance.node];
    if (shapes.empty()) return;
    std::vector<std::string> active;
    for (std::size_t s = 0; s < std::min(shapes.size(), amounts.size()); ++s)
      if (amounts[s] != 0)
        active.push_back(fmt::format("{} = {:.6g}", shapes[s].name.empty() ? fmt::format("{}", s) : quoted(shapes[s].name), amounts[s]));
    print("         blend amounts {}\n", active.empty() ? "all 0" : joined(active, ", "));
  }

  void meshes() {
    if (model_.meshes.empty()) return;
    title("Meshes");
    std::vector<bool> skinned(model_.meshes.size());
    for (const auto& node : model_.nodes)
      if (node.mesh < skinned.size() && node.skin != sinew::none) skinned[node.mesh] = true;
    for (std::size_t m = 0; m < model_.meshes.size(); ++m) {
      const auto& mesh = model_.meshes[m];
      const std::size_t influences = most_influences(mesh);
      print("  {:<4} {}  {}, {}{}{}\n", m, quoted(mesh.name), count_of(vertex_count(mesh), "vertex", "vertices"),
            count_of(mesh.surfaces.size(), "surface", "surfaces"),
            influences == 0 ? "" : fmt::format(", up to {}", count_of(influences, "influence", "influences")),
            influences == 0 || skinned[m] ? "" : ", without a skeleton");
      for (std::size_t s = 0; s < mesh.shapes.size(); ++s)
        print("         blend shape {} {} = {}\n", s, quoted(mesh.shapes[s].name), mesh.shapes[s].amount);
    }
  }

  void skins() {
    if (!model_.skins.empty()) title("Skins");
    for (std::size_t s = 0; s < model_.skins.size(); ++s)
      print("  {:<4} {}  {}, bound by {}\n", s, quoted(model_.skins[s].name), count_of(model_.skins[s].slots.size(), "joint", "joints"),
            to_string(model_.skins[s].bind));
    if (!model_.skeletons.empty()) title("Skeletons");
    for (std::size_t s = 0; s < model_.skeletons.size(); ++s)
      print("  {:<4} {}  {}, at node {}\n", s, quoted(model_.skeletons[s].name),
            count_of(model_.skeletons[s].joints.size(), "joint", "joints"),
            model_.skeletons[s].node == sinew::none ? model_.skeletons[s].root : model_.skeletons[s].node);
    const std::vector<BoneLength> bones = bone_lengths(model_);
    if (!bones.empty()) title("Bone lengths");
    for (const BoneLength& bone : bones)
      print("  node {:<4} {}  {:.6g}{}\n", bone.node, quoted(model_.nodes[bone.node].name), bone.length,
            std::abs(bone.effective - bone.length) <= 1e-6 * bone.length ? "" : fmt::format(", scaled to {:.6g}", bone.effective));
  }

  void clips() {
    if (model_.clips.empty()) return;
    title("Animations");
    for (std::size_t c = 0; c < model_.clips.size(); ++c)
      print("  {:<4} {}  {:.6g} to {:.6g} s, {}\n", c, quoted(model_.clips[c].name), model_.clips[c].start, model_.clips[c].duration,
            count_of(model_.clips[c].channels, "channel", "channels"));
  }

  const Model& model_;
  const Terminal& terminal_;
  std::string text_;
};

Json json_of(const Model& model, const std::string& file, const InfoOptions& options, Index scene) {
  return options.skeletons ? skeletons_json(model) : to_json(model, file, scene);
}

int print_palettes(const InfoOptions& options, const Common& common) {
  const auto posed = load_posed(options.files.front(), options.posing, common);
  if (!posed) return common.terminal.fail(posed.error());
  const Model& model = posed->model();
  sinew::Pose pose;
  if (const auto done = posed->poser.at(posed->poser.times.front(), pose); !done) return common.terminal.fail(done.error());
  const auto palettes = palettes_of(model, posed->scene, pose);
  if (!palettes) return common.terminal.fail(palettes.error());
  return print_data(options.json ? palettes_json(model, *palettes).indented() : palettes_text(model, *palettes, common.terminal),
                    common.terminal);
}

int print_bounds(const Model& model, Index scene, const InfoOptions& options, const Common& common) {
  if (const auto fits = check_scene_memory(model, scene, common); !fits) return common.terminal.fail(fits.error());
  sinew::operations::BoundsOptions how;
  how.scene = scene;
  how.threads = common.threads;
  const auto bounds = measure_bounds(model, how, common);
  if (!bounds) return common.terminal.fail(bounds.error());
  const std::string& file = options.files.front();
  return print_data(options.json ? bounds_json(model, *bounds, file).indented() : bounds_text(model, *bounds, file, common.terminal),
                    common.terminal);
}

int print_one(const InfoOptions& options, const Common& common) {
  const std::string& file = options.files.front();
  auto loaded = load(file, common);
  if (!loaded) return common.terminal.fail(loaded.error());
  if (const auto fine = check_revision(loaded->model, common); !fine) return common.terminal.fail(fine.error());
  const auto scene = listed_scene(loaded->model, options, common);
  if (!scene) return common.terminal.fail(scene.error());
  if (options.bounds) return print_bounds(loaded->model, *scene, options, common);
  if (!options.posing.animation.empty()) {
    const auto clip = find_clip(options.posing.animation, loaded->model);
    if (!clip) return common.terminal.fail(clip.error());
    if (auto defect = sinew::closure_defect(loaded->model, *scene, *clip)) return common.terminal.fail(*defect);
    need(sinew::animate::show_at(loaded->model, loaded->model.clips[*clip], options.posing.time.value_or(0)));
  }
  const sinew::Deadline unlimited(0);  // the limit of work ends this in time
  return print_data(options.json        ? json_of(loaded->model, file, options, *scene).indented()
                    : options.skeletons ? skeletons_text(loaded->model, common.terminal)
                                        : TextInfo(loaded->model, common.terminal).text(file, *scene),
                    common.terminal);
}

/// The output for one of several files: a block of text, or JSON.
struct Block {
  std::string text;
  Json json;
  std::optional<sinew::Error> error;
};

Block block_of(const std::string& file, const InfoOptions& options, const Common& common) {
  sinew::FindingList findings;
  const auto model = sinew::io::load(file, common.load_options(), findings);
  if (!model) return {{}, {}, model.error()};
  const auto scene = listed_scene(*model, options, common);
  if (!scene) return {{}, {}, scene.error()};
  const sinew::Deadline unlimited(0);
  if (options.json && options.skeletons) return {{}, {{"file", file}, {"skeletons", skeletons_json(*model)}}, {}};
  if (options.json) return {{}, to_json(*model, file, *scene), {}};
  if (options.skeletons)
    return {fmt::format("{}\n{}", common.terminal.bold(printable(file)), skeletons_text(*model, common.terminal)), {}, {}};
  return {TextInfo(*model, common.terminal).text(file, *scene), {}, {}};
}

/// Prints several files: text blocks separated by empty lines, or {"files": […]}. A file that cannot be read does not stop the others.
int print_several(const InfoOptions& options, const Share& files, const Common& common) {
  std::vector<Block> blocks(files.items.size());
  Json list = Json::array();
  int status = files.status;
  bool first = true;
  const auto emit = [&](std::size_t i) {
    const Block block = std::exchange(blocks[i], {});
    if (block.error) {
      status = std::max(status, common.terminal.fail(*block.error));
      return;
    }
    if (options.json)
      list.push_back(block.json);
    else
      status = std::max(status, print_data((std::exchange(first, false) ? "" : "\n") + block.text, common.terminal));
  };
  const auto work = [&](std::size_t i) {
    const std::filesystem::path& path = files.items[i].path;
    std::optional<sinew::Error>& error = blocks[i].error;
    if (auto late = run_in_time(path, [&] { blocks[i] = block_of(path.string(), options, common); })) error = std::move(late);
    if (error) name_file(*error, path);
  };
  need(sinew::batch::in_order(blocks.size(), common.threads, work, emit));
  if (!options.json) return status;
  return std::max(status, print_data(Json{{"files", std::move(list)}}.indented(), common.terminal));
}

int print_lines(const InfoOptions& options, const Common& common, const Command& command) {
  const sinew::io::LoadOptions how = common.load_options();
  const Share files = share_of(options.files, options.many, common);
  return read_many(command, files, options.many, common, options.output, [&](const std::filesystem::path& path) -> Outcome {
    sinew::FindingList findings;
    const auto model = sinew::io::load(path, how, findings);
    if (!model) return failed(model.error());
    const auto scene = listed_scene(*model, options, common);
    if (!scene) return failed(scene.error());
    const sinew::Deadline unlimited(0);
    Outcome outcome;
    outcome.did = sinew::batch::Did::shown;
    outcome.result = json_of(*model, path.string(), options, *scene).text();
    return outcome;
  });
}

int run_info(const InfoOptions& options, const Common& common, const Command& command) {
  const auto usage = [&](const char* message) { return common.terminal.fail(usage_error(message)); };
  if (options.many.jsonl && options.json) return usage("--jsonl and --json cannot be combined");
  if (options.many.jsonl && options.palette) return usage("--jsonl and --palette cannot be combined");
  if (options.many.jsonl && options.bounds) return usage("--jsonl and --bounds cannot be combined");
  if (options.many.jsonl) return print_lines(options, common, command);
  if (options.many.any() || !options.output.empty()) return usage("--shard, --if-changed and --output need --jsonl");
  if (options.palette && options.files.size() > 1) return usage("--palette accepts one file only");
  if (options.bounds && options.files.size() > 1) return usage("--bounds accepts one file only");
  if (options.palette) return print_palettes(options, common);
  if (!options.posing.animation.empty() && (!options.json || options.skeletons || options.bounds || options.files.size() > 1))
    return usage("--animation needs --palette, or --json and one file");
  const Share files = share_of(options.files, options.many, common);
  if (options.bounds && files.many) return usage("--bounds accepts one file only");
  return files.many ? print_several(options, files, common) : print_one(options, common);
}

}  // namespace

Run add_info(Command command, Common& common) {
  auto options = std::make_shared<InfoOptions>();
  common.files.reads(options->files);
  common.files.writes(options->output);
  command.add_option("FILE", options->files, "Models, or folders to search for models; - reads standard input")
      .check(not_empty())
      .required();
  command.add_flag("--json", options->json, "Write JSON; instances are in the order of the vertices that deform writes");
  const auto skeletons =
      command.add_flag("--skeletons", options->skeletons,
                       "Print only the skeletons: their source, joints, root and ambiguities, and why a skeleton cannot become strict");
  auto palette = command.add_flag(
      "--palette", options->palette,
      "Print the joint matrices of each instance at a pose: world_from_joint * joint_from_mesh, what a vertex shader needs");
  palette.excludes(skeletons);
  command.add_flag("--bounds", options->bounds, "Print boxes that hold every vertex at every time of the animations, as sinew bounds does")
      .excludes(skeletons)
      .excludes(palette);
  add_clip(command, options->posing);
  add_time(command, options->posing);
  add_overrides(command, options->posing, common);
  for (const char* posing : {"--pose", "--blend"}) command.option(posing).needs(palette);
  command.option("--time").needs(command.option("--animation"));
  add_revision(command, common);
  command
      .add_option("-o,--output", options->output,
                  "With --jsonl: write to a file instead of standard output; a failed run leaves no partial file")
      .type_name("FILE")
      .check(not_empty());
  add_many(command, options->many);
  return [options, &common, command] { return run_info(*options, common, command); };
}

}  // namespace app

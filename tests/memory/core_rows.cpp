// SPDX-License-Identifier: MIT
// The calls of the core library, from files to deformed vertices.
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <vector>

#include "trial.hpp"

#include "sinew/animate.hpp"
#include "sinew/deadline.hpp"
#include "sinew/deform.hpp"
#include "sinew/load.hpp"
#include "sinew/pick.hpp"
#include "sinew/play.hpp"

namespace sinew::memory {
namespace {

std::vector<std::byte> bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::byte> bytes(text.size());
  std::ranges::transform(text, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return bytes;
}

std::shared_ptr<const document::Document> opened(const std::filesystem::path& file) {
  FindingList findings;
  return document::open(file, {}, findings).value();
}

deform::SceneDeformer scene_of(const Model& model) {
  return deform::SceneDeformer::create(model, instances(model).value(), {.normals = true}).value();
}

Deformer deformer_of(const Model& model, Normals normals = Normals::off) { return Deformer::create(model, {.normals = normals}).value(); }

/// A prepared mesh with its palette at rest.
struct Packed {
  explicit Packed(const Model& model)
      : prepared(deform::prepare(model.meshes[0], model.dimension, {.normals = true, .slots = model.skins[0].slots.size()}).value()),
        out(prepared.vertices() * model.dimension) {
    const std::vector<Affine> world = world_transforms(model, model.rest()).value();
    if (!deform::palette(model, instances(model)->front(), world, world, palette)) std::abort();
    rows.positions = {out.data(), prepared.vertices(), model.dimension};
  }
  deform::Prepared prepared;
  deform::Palette palette;
  std::vector<float> out;
  deform::Output rows;
};

animate::Player player_of(const Model& model) { return animate::Player::create(model, {{.clip = 0}, {.clip = 0, .weight = 0.5}}).value(); }

/// World matrices of two poses at rest, row by row.
std::vector<double> worlds_of(const Model& model) {
  const std::size_t n = model.dimension;
  std::vector<double> numbers;
  const std::vector<Affine> worlds = world_transforms(model, model.rest()).value();
  for (int pose = 0; pose < 2; ++pose)
    for (const Affine& world : worlds)
      for (std::size_t row = 0; row <= n; ++row)
        for (std::size_t column = 0; column <= n; ++column)
          numbers.push_back(row == n ? (column == n ? 1 : 0) : column == n ? world.translation(row) : world(row, column));
  return numbers;
}

class Package final : public document::FileSource {
 public:
  explicit Package(std::filesystem::path file) : file_(std::move(file)) {}
  [[nodiscard]] Result<document::Bytes> read(std::string_view) const override {
    const auto held = std::make_shared<const std::vector<std::byte>>(bytes_of(file_));
    return document::Bytes{*held, held};
  }

 private:
  std::filesystem::path file_;
};

constexpr Row files[] = {
    {"sinew::load",
     [](const Given& given, Trial& trial) {
       const std::string file = (given.samples / "gltf/simple_skin.gltf").string();
       trial([&] { return load(file); });
     }},
    {"sinew::io::load",
     [](const Given& given, Trial& trial) {
       const auto file = given.samples / "g4mf/arm_4d_2026_07.g4b";
       FindingList findings;
       trial([&] { return io::load(file, {}, findings); });
     }},
    {"sinew::io::load",
     [](const Given& given, Trial& trial) {
       const auto file = given.samples / "show/avatar.vrm";
       FindingList findings;
       trial([&] { return io::load(file, {}, findings); });
     }},
    {"sinew::io::load",
     [](const Given& given, Trial& trial) {
       FindingList findings;
       io::LoadOptions options;
       options.open.files = std::make_shared<const Package>(given.samples / "gltf/morph_cube.gltf");
       const std::filesystem::path name = "pak://cube.gltf";
       trial([&] { return io::load(name, options, findings); });
     }},
    {"sinew::io::load",
     [](const Given& given, Trial& trial) {
       HostMemory memory;
       FindingList findings;
       io::LoadOptions options;
       options.open.memory = &memory;
       const auto file = given.samples / "gltf/morph_cube.gltf";
       trial([&] { return io::load(file, options, findings); });
       trial.check(memory);
     }},
    {"sinew::io::load_memory",
     [](const Given& given, Trial& trial) {
       HostMemory memory;
       FindingList findings;
       io::LoadOptions options;
       options.open.memory = &memory;
       const auto file = given.samples / "g4mf/arm_4d_zstd.g4b";
       const std::vector<std::byte> bytes = bytes_of(file);
       trial([&] { return io::load_memory(bytes, file, options, findings); });
       trial.check(memory);
     }},
    {"sinew::io::load_memory",
     [](const Given& given, Trial& trial) {
       const auto file = given.samples / "g4mf/arm_4d_zstd.g4b";
       const std::vector<std::byte> bytes = bytes_of(file);
       FindingList findings;
       trial([&] { return io::load_memory(bytes, file, {}, findings); });
     }},
    {"sinew::io::load_pose_file",
     [](const Given& given, Trial& trial) {
       const auto file = given.samples / "g4mf/arm_4d.pose.json";
       trial([&] { return io::load_pose_file(file, given.arm); });
     }},
    {"sinew::io::load_appearance",
     [](const Given& given, Trial& trial) {
       const Model model = load((given.samples / "show/globe.gltf").string()).value();  // one that has not kept the picture
       std::optional<Error> note;
       trial([&] { return io::load_appearance(model, 0, note); });
     }},
    {"sinew::io::load_material_values",
     [](const Given& given, Trial& trial) {
       Model copy = given.arm;
       trial([&] { return io::load_material_values(copy); });
     }},
    {"sinew::io::faces_back", [](const Given& given, Trial& trial) { trial([&] { return io::faces_back(given.avatar); }); }},
    {"sinew::document::open",
     [](const Given& given, Trial& trial) {
       const auto file = given.samples / "g4mf/arm_4d.g4b";
       FindingList findings;
       trial([&] { return document::open(file, {}, findings); });
     }},
    {"sinew::document::Document::fetch",
     [](const Given& given, Trial& trial) {
       const auto document = opened(given.samples / "gltf/simple_skin.gltf");
       trial([&] { return document->fetch("data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"); });
     }},
    {"sinew::Error::line",
     [](const Given&, Trial& trial) {
       const Error error{Failure::input, "SINEW_USAGE", {"a/long/name/of/a/file.gltf", "/nodes/12", {}}, "a message that is long enough"};
       trial([&] { return error.line(); });
     }},
    {"sinew::Interrupted::error",
     [](const Given&, Trial& trial) {
       const Interrupted interrupted(Failure::deadline, 2);
       trial([&] { return interrupted.error(); });
     }},
    {"sinew::Deadline::Deadline",
     [](const Given&, Trial& trial) {
       trial([] {
         const Deadline deadline(1000);
         return Deadline::over();
       });
     }},
    {"sinew::edit_distance", [](const Given&, Trial& trial) { trial([] { return edit_distance("Forearm.L", "ForeArm_R"); }); }},
    {"sinew::nearest_name",
     [](const Given&, Trial& trial) {
       const std::vector<std::string_view> names{"the first long name of a node", "another name that is long"};
       trial([&] { return nearest_name("the first long name of a nod", names); });
     }},
    {"sinew::file_extension",
     [](const Given&, Trial& trial) {
       const std::string file = "a/long/folder/with/a/file.gltf";
       trial([&] { return file_extension(file); });
     }},
};

constexpr Row models[] = {
    {"sinew::reached_nodes", [](const Given& given, Trial& trial) { trial([&] { return reached_nodes(given.figure); }); }},
    {"sinew::instances", [](const Given& given, Trial& trial) { trial([&] { return instances(given.figure); }); }},
    {"sinew::constrain",
     [](const Given& given, Trial& trial) {
       Pose pose = given.avatar.rest();
       trial([&] { return constrain(given.avatar, pose); });
     }},
    {"sinew::world_transforms",
     [](const Given& given, Trial& trial) { trial([&] { return world_transforms(given.arm, given.arm.rest()); }); }},
    {"sinew::closure_defect", [](const Given& given, Trial& trial) { trial([&] { return closure_defect(given.figure, none, 0); }); }},
    {"sinew::not_covered", [](const Given& given, Trial& trial) { trial([&] { return not_covered(given.avatar); }); }},
    {"sinew::not_covered", [](const Given& given, Trial& trial) { trial([&] { return not_covered(given.avatar, given.figure); }); }},
    {"sinew::elements_of",
     [](const Given& given, Trial& trial) {
       const Mesh& mesh = given.figure.meshes[0];
       trial([&] { return elements_of(mesh, mesh.surfaces[0], 3); });
     }},
    {"sinew::polytopes_of",
     [](const Given& given, Trial& trial) {
       const Surface& surface = given.arm.meshes[0].surfaces[0];
       trial([&] { return polytopes_of(surface); });
     }},
    {"sinew::topology_corners",
     [](const Given& given, Trial& trial) {
       const Surface& surface = given.arm.meshes[0].surfaces[0];
       trial([&] { return topology_corners(surface, given.arm.dimension, 1'000'000); });
     }},
    {"sinew::simplexes_from_topology",
     [](const Given& given, Trial& trial) {
       const Mesh& mesh = given.arm.meshes[0];
       trial([&] { return simplexes_from_topology(mesh, mesh.surfaces[0], given.arm.dimension, 1'000'000); });
     }},
    {"sinew::find_by_name",
     [](const Given&, Trial& trial) {
       const std::vector<NamedThing> things{{"the first long name of a node", 0}, {"another name that is long", 1}};
       trial([&] { return find_by_name("another name that is long", things, 2, "node"); });
     }},
    {"sinew::find_clip", [](const Given& given, Trial& trial) { trial([&] { return find_clip("Walk", given.figure); }); }},
    {"sinew::find_node", [](const Given& given, Trial& trial) { trial([&] { return find_node("Upper", given.skin); }); }},
    {"sinew::find_shape", [](const Given& given, Trial& trial) { trial([&] { return find_shape("0", given.cube.meshes[0]); }); }},
    {"sinew::parse_blend",
     [](const Given& given, Trial& trial) {
       PoseEdit edit;
       trial([&] { return parse_blend("0=0.5", given.cube, edit); });
     }},
    {"sinew::apply",
     [](const Given& given, Trial& trial) {
       const auto edit = io::load_pose_file(given.samples / "g4mf/arm_4d.pose.json", given.arm).value();
       Pose pose = given.arm.rest();
       trial([&] { return apply(edit, given.arm, pose); });
     }},
    {"sinew::set_default_pose",
     [](const Given& given, Trial& trial) {
       Pose pose = given.figure.rest();
       trial([&] { return set_default_pose(given.figure, pose); });
     }},
    {"sinew::Pose::turn",
     [](const Given& given, Trial& trial) {
       Pose pose = given.arm.rest();
       const std::string node = std::to_string(given.arm.skins[0].slots[0]);
       const Rotor rotor = Rotor::in_plane(0, 3, 0.5);
       trial([&] { return pose.turn(given.arm, node, rotor); });
     }},
    {"sinew::Pose::blend",
     [](const Given& given, Trial& trial) {
       Pose pose = given.cube.rest();
       trial([&] { return pose.blend(given.cube, "0", 0.5); });
     }},
};

constexpr Row motion[] = {
    {"sinew::sample", [](const Given& given, Trial& trial) { trial([&] { return sample(given.figure, "0", 0.1); }); }},
    {"sinew::sample", [](const Given& given, Trial& trial) { trial([&] { return sample(given.figure, 0, 0.1); }); }},
    {"sinew::animate::sample",
     [](const Given& given, Trial& trial) {
       Pose pose;
       pose.locals.resize(given.figure.nodes.size());
       pose.amounts = given.figure.rest().amounts;
       trial([&] { return animate::sample(given.figure, given.figure.clips[0], 0.1, pose); });
     }},
    {"sinew::animate::find_expression",
     [](const Given& given, Trial& trial) { trial([&] { return animate::find_expression("happy", given.avatar); }); }},
    {"sinew::animate::parse_expression",
     [](const Given& given, Trial& trial) { trial([&] { return animate::parse_expression("happy=0.5", given.avatar); }); }},
    {"sinew::animate::express",
     [](const Given& given, Trial& trial) {
       Pose pose = given.avatar.rest();
       const std::vector<animate::ExpressionAmount> on{{animate::find_expression("happy", given.avatar).value(), 0.5}};
       trial([&] { return animate::express(given.avatar, on, pose); });
     }},
    {"sinew::animate::look",
     [](const Given& given, Trial& trial) {
       Pose pose = given.avatar.rest();
       trial([&] { return animate::look(given.avatar, {10, 5}, pose); });
     }},
    {"sinew::animate::look_expressions",
     [](const Given& given, Trial& trial) { trial([&] { return animate::look_expressions(given.avatar, {10, 5}); }); }},
    {"sinew::animate::visible_nodes",
     [](const Given& given, Trial& trial) { trial([&] { return animate::visible_nodes(given.figure, &given.figure.clips[0], 0.1); }); }},
    {"sinew::animate::show_at",
     [](const Given& given, Trial& trial) {
       Model copy = given.figure;
       trial([&] { return animate::show_at(copy, given.figure.clips[0], 0.1); });
     }},
    {"sinew::animate::visibility_times",
     [](const Given& given, Trial& trial) { trial([&] { return animate::visibility_times(given.figure.clips[0]); }); }},
    {"sinew::animate::frame_times", [](const Given&, Trial& trial) { trial([] { return animate::frame_times(2, 20); }); }},
    {"sinew::animate::frame_times_at", [](const Given&, Trial& trial) { trial([] { return animate::frame_times_at(2, 20); }); }},
    {"sinew::animate::Player::create",
     [](const Given& given, Trial& trial) {
       std::vector<animate::PlayedClip> clips{{.clip = 0}, {.clip = 0, .weight = 0.5, .additive = true}};
       trial([&] { return animate::Player::create(given.figure, std::move(clips), 0); });
     }},
    {"sinew::animate::Player::advance",
     [](const Given& given, Trial& trial) {
       auto player = player_of(given.figure);
       trial([&] { return player.advance(0.1); });
     }},
    {"sinew::animate::Player::world",
     [](const Given& given, Trial& trial) {
       const auto player = player_of(given.figure);
       trial([&] { return player.world(Index{3}); });
     }},
    {"sinew::animate::Player::world",
     [](const Given& given, Trial& trial) {
       const auto player = player_of(given.figure);
       trial([&] { return player.world("3"); });
     }},
};

constexpr Row deforming[] = {
    {"sinew::Deformer::create", [](const Given& given, Trial& trial) { trial([&] { return Deformer::create(given.skin); }); }},
    {"sinew::Deformer::create",
     [](const Given& given, Trial& trial) {
       Model copy = given.figure;
       trial([&] { return Deformer::create(std::move(copy), {.normals = Normals::computed, .tangents = true}); });
     }},
    {"sinew::Deformer::create",
     [](const Given& given, Trial& trial) {
       const auto shared = std::make_shared<const Model>(given.arm);
       trial([&] { return Deformer::create(shared); });
     }},
    {"sinew::Deformer::create",
     [](const Given& given, Trial& trial) {
       HostMemory memory;
       const auto shared = std::make_shared<const Model>(given.figure);
       trial([&] { return Deformer::create(shared, {.normals = Normals::computed, .memory = &memory}); });
       trial.check(memory);
     }},
    {"sinew::Deformer::clone",
     [](const Given& given, Trial& trial) {
       const Deformer deformer = deformer_of(given.figure);
       trial([&] { return deformer.clone(); });
     }},
    {"sinew::Deformer::triangles",
     [](const Given& given, Trial& trial) {
       const Deformer deformer = deformer_of(given.figure);
       trial([&] { return deformer.triangles(); });
     }},
    {"sinew::Deformer::triangle_ranges",
     [](const Given& given, Trial& trial) {
       const Deformer deformer = deformer_of(given.figure);
       trial([&] { return deformer.triangle_ranges(); });
     }},
    {"sinew::Deformer::influences",
     [](const Given& given, Trial& trial) {
       const Deformer deformer = deformer_of(given.figure);
       trial([&] { return deformer.influences(); });
     }},
    {"sinew::Deformer::texture_coordinates",
     [](const Given& given, Trial& trial) {
       const Deformer deformer = deformer_of(given.globe);
       trial([&] { return deformer.texture_coordinates(given.globe.rest()); });
     }},
    {"sinew::Deformer::positions",
     [](const Given& given, Trial& trial) {
       Deformer deformer = deformer_of(given.figure);
       trial([&] { return deformer.positions(given.figure.rest(), 1); });
     }},
    {"sinew::Deformer::positions",
     [](const Given& given, Trial& trial) {
       Deformer deformer = deformer_of(given.figure);
       const std::vector<double> seconds{0, 0.1, 0.2};
       std::vector<float> out(3 * deformer.vertices() * 3);
       trial([&] { return deformer.positions(0, seconds, out, 1); });
     }},
    {"sinew::Deformer::positions",
     [](const Given& given, Trial& trial) {
       Deformer deformer = deformer_of(given.arm);
       const std::vector<Pose> poses(2, given.arm.rest());
       std::vector<float> out(2 * deformer.vertices() * 4);
       trial([&] { return deformer.positions(poses, out, 1); });
     }},
    {"sinew::Deformer::positions",
     [](const Given& given, Trial& trial) {
       Deformer deformer = deformer_of(given.figure);
       const std::vector<double> world = worlds_of(given.figure);
       std::vector<float> out(2 * deformer.vertices() * 3);
       trial([&] { return deformer.positions({.poses = 2, .world = world}, out, 1); });
     }},
    {"sinew::Deformer::run",
     [](const Given& given, Trial& trial) {
       Deformer deformer = deformer_of(given.figure, Normals::computed);
       std::vector<float> out(deformer.vertices() * 3);
       const deform::Output rows{{}, {out.data(), deformer.vertices(), 3}, {}};
       trial([&] { return deformer.run(given.figure.rest(), rows, 1); });
     }},
    {"sinew::Deformer::palettes",
     [](const Given& given, Trial& trial) {
       Deformer deformer = deformer_of(given.figure);
       const std::vector<double> world = worlds_of(given.figure);
       std::vector<double> out(2 * deformer.palette_maps() * 16);
       trial([&] { return deformer.palettes({.poses = 2, .world = world}, out, 1); });
     }},
    {"sinew::Deformer::vjp",
     [](const Given& given, Trial& trial) {
       Deformer deformer = deformer_of(given.figure);
       const std::vector<double> world = worlds_of(given.figure);
       const std::vector<float> gradient(2 * deformer.vertices() * 3, 1.0F);
       std::vector<double> matrices(world.size());
       trial([&] { return deformer.vjp({.poses = 2, .world = world}, gradient, {.matrices = matrices}, 1); });
     }},
    {"sinew::hit",
     [](const Given& given, Trial& trial) {
       Deformer deformer = deformer_of(given.figure);
       const auto positions = deformer.positions(given.figure.rest(), 1).value();
       const auto triangles = deformer.triangles().value();
       trial([&] { return hit({{0, 1, 5}, {0, 0, -1}}, positions, triangles, deformer.instances()); });
     }},
    {"sinew::bone_boxes",
     [](const Given& given, Trial& trial) {
       Deformer deformer = deformer_of(given.figure);
       const auto positions = deformer.positions(given.figure.rest(), 1).value();
       const auto influences = deformer.influences().value();
       std::vector<float> boxes(given.figure.nodes.size() * 6);
       trial([&] {
         bone_boxes(influences, positions, 3, boxes);
         return 0;
       });
     }},
};

constexpr Row low_level[] = {
    {"sinew::deform::prepare",
     [](const Given& given, Trial& trial) {
       trial([&] { return deform::prepare(given.arm.meshes[0], 4, {.normals = true, .slots = 2}); });
     }},
    {"sinew::deform::prepare",
     [](const Given& given, Trial& trial) {
       HostMemory memory;
       trial([&] { return deform::prepare(given.arm.meshes[0], 4, {.normals = true, .slots = 2, .sorted = true, .memory = &memory}); });
       trial.check(memory);
     }},
    {"sinew::deform::palette",
     [](const Given& given, Trial& trial) {
       const std::vector<Affine> world = world_transforms(given.arm, given.arm.rest()).value();
       const Instance instance = instances(given.arm)->front();
       trial([&] {
         deform::Palette palette;
         return deform::palette(given.arm, instance, world, world, palette);
       });
     }},
    {"sinew::deform::Palette::push_back",
     [](const Given&, Trial& trial) {
       const Affine one(3);
       trial([&] { return deform::Palette(3).push_back(one); });
     }},
    {"sinew::deform::run",
     [](const Given& given, Trial& trial) {
       const Packed packed(given.skin);
       trial([&] {
         deform::run(packed.prepared, packed.palette, {}, {0, packed.prepared.vertices()}, packed.rows);
         return 0;
       });
     }},
    {"sinew::deform::run_parallel",
     [](const Given& given, Trial& trial) {
       const Packed packed(given.skin);
       trial([&] {
         deform::run_parallel(packed.prepared, packed.palette, {}, packed.rows, 2);
         return 0;
       });
     }},
    {"sinew::deform::SceneDeformer::create",
     [](const Given& given, Trial& trial) {
       auto list = instances(given.arm).value();
       trial([&] { return deform::SceneDeformer::create(given.arm, std::move(list), {.normals = true}); });
     }},
    {"sinew::deform::SceneDeformer::run",
     [](const Given& given, Trial& trial) {
       auto scene = scene_of(given.skin);
       std::vector<float> out(scene.vertices() * 3);
       trial([&] { return scene.run(given.skin.rest(), {{out.data(), scene.vertices(), 3}, {}, {}}, 1); });
     }},
    {"sinew::deform::SceneDeformer::run_poses",
     [](const Given& given, Trial& trial) {
       const auto scene = scene_of(given.skin);
       const std::vector<Pose> poses(2, given.skin.rest());
       std::vector<float> out(2 * scene.vertices() * 3);
       trial([&] { return scene.run_poses(poses, {{out.data(), 2 * scene.vertices(), 3}, {}, {}}, 1); });
     }},
    {"sinew::deform::SceneDeformer::run_clip",
     [](const Given& given, Trial& trial) {
       auto scene = scene_of(given.skin);
       const std::vector<double> seconds{0, 1};
       std::vector<float> out(2 * scene.vertices() * 3);
       trial([&] { return scene.run_clip(0, seconds, {{out.data(), 2 * scene.vertices(), 3}, {}, {}}, 1); });
     }},
    {"sinew::deform::SceneDeformer::run_corner_normals",
     [](const Given& given, Trial& trial) {
       auto scene = scene_of(given.arm);
       std::vector<float> out(scene.corners() * 4);
       trial([&] { return scene.run_corner_normals(given.arm.rest(), {out.data(), scene.corners(), 4}, 1); });
     }},
    {"sinew::deform::SceneDeformer::run_topology_normals",
     [](const Given& given, Trial& trial) {
       auto scene = scene_of(given.arm);
       std::vector<float> out(scene.topology_corners() * 4);
       trial([&] { return scene.run_topology_normals(given.arm.rest(), {out.data(), scene.topology_corners(), 4}, 1); });
     }},
    {"sinew::deform::SceneDeformer::show_stage",
     [](const Given& given, Trial& trial) {
       auto scene = scene_of(given.skin);
       trial([&] { return scene.show_stage({.node = given.skin.skins[0].slots[0]}); });
     }},
    {"sinew::deform::blend_attribute",
     [](const Given& given, Trial& trial) {
       const std::array<double, 2> amounts{0.5, 0.25};
       trial([&] { return deform::blend_attribute(given.cube.meshes[0].blocks[0].attributes[0], amounts); });
     }},
    {"sinew::deform::blend_rows",
     [](const Given& given, Trial& trial) {
       const VertexBlock& block = given.cube.meshes[0].blocks[0];
       trial([&] { return deform::blend_rows(block.attributes[0], {}, block.vertices); });
     }},
    {"sinew::deform::uneven_weights",
     [](const Given& given, Trial& trial) { trial([&] { return deform::uneven_weights(given.figure); }); }},
    {"sinew::deform::kernels", [](const Given&, Trial& trial) { trial([] { return deform::kernels(); }); }},
};

}  // namespace

std::span<const Row> core_rows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> all;
    for (const std::span<const Row> part : {std::span<const Row>(files), std::span<const Row>(models), std::span<const Row>(motion),
                                            std::span<const Row>(deforming), std::span<const Row>(low_level)})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return rows;
}

}  // namespace sinew::memory

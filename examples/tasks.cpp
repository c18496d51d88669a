// SPDX-License-Identifier: MIT
// The tasks of docs/cpp.md, a function each: tasks FIGURE OUT.glb
#include <sinew/animate.hpp>
#include <sinew/convert.hpp>
#include <sinew/load.hpp>
#include <sinew/pick.hpp>
#include <sinew/play.hpp>
#include <sinew/sinew.hpp>

#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace {

using sinew::Result;
using sinew::Unexpected;

Result<> play_a_clip(const sinew::Model& model) {
  auto deformer = sinew::Deformer::create(model);
  if (!deformer) return Unexpected(deformer.error());
  std::vector<float> out(deformer->vertices() * deformer->dimension());
  const sinew::Clip& clip = model.clips[0];
  for (double seconds = 0; seconds <= clip.duration; seconds += 1.0 / 30) {
    const auto pose = sinew::sample(model, clip.name, seconds);
    if (!pose) return Unexpected(pose.error());
    if (auto done = deformer->positions(*pose, out); !done) return done;
    // here: upload or write `out`
  }
  std::printf("played \"%s\": %zu vertices\n", clip.name.c_str(), deformer->vertices());
  return {};
}

Result<> play_clips_together(const sinew::Model& model) {
  const auto walk = sinew::find_clip("Walk", model);
  if (!walk) return Unexpected(walk.error());
  auto player = sinew::animate::Player::create(model, {{.clip = *walk, .weight = 0.75}, {.clip = *walk, .weight = 0.25, .speed = 0.5}});
  if (!player) return Unexpected(player.error());
  auto deformer = sinew::Deformer::create(model);
  if (!deformer) return Unexpected(deformer.error());
  std::vector<float> out(deformer->vertices() * deformer->dimension());
  for (int frame = 0; frame < 60; ++frame) {
    if (auto done = player->advance(1.0 / 60); !done) return done;
    if (auto done = deformer->positions(player->pose(), out); !done) return done;
    // here: upload `out`
  }
  const auto head = player->world("Head");
  if (!head) return Unexpected(head.error());
  std::printf("one second later: clips at %.2f and %.2f s, the head at a height of %.2f m\n", player->clips()[0].seconds,
              player->clips()[1].seconds, head->translation(1));
  return {};
}

Result<> pick_a_triangle(const sinew::Model& model) {
  auto deformer = sinew::Deformer::create(model);
  if (!deformer) return Unexpected(deformer.error());
  const auto positions = deformer->positions(model.rest());
  if (!positions) return Unexpected(positions.error());
  const auto triangles = deformer->triangles();
  if (!triangles) return Unexpected(triangles.error());
  const auto found = sinew::hit({{0, 1, 5}, {0, 0, -1}}, *positions, *triangles, deformer->instances());
  if (found) std::printf("a ray meets triangle %zu at a distance of %.2f m\n", found->triangle, found->distance);
  return {};
}

Result<> bend_a_bone(const sinew::Model& model) {
  sinew::Pose pose = model.rest();  // or one of sinew::sample
  const auto bent = pose.turn(model, "Head", sinew::Quaternion::about({0, 0, 1}, 0.5));
  if (!bent) return bent;
  const auto also = pose.turn(model, "Head", sinew::Rotor::in_plane(0, 1, 0.5));  // the same turn, in any dimension: from x towards y
  if (!also) return also;
  std::printf("bent by 1 radian\n");
  return {};
}

Result<> blend_a_shape(const sinew::Model& model) {
  sinew::Pose pose = model.rest();
  for (const sinew::Mesh& mesh : model.meshes)
    for (const sinew::BlendShape& shape : mesh.shapes)
      if (!shape.name.empty())
        if (auto done = pose.blend(model, shape.name, 0.5); !done) return done;
  return {};
}

Result<> get_normals(const sinew::Model& model) {
  auto deformer = sinew::Deformer::create(model, {.normals = sinew::Normals::computed});
  if (!deformer) return Unexpected(deformer.error());
  struct Vertex {
    float position[3], normal[3], uv[2];
  };
  std::vector<Vertex> vertices(deformer->vertices());
  sinew::deform::Output out;
  out.positions = {vertices[0].position, vertices.size(), 3, sizeof(Vertex)};
  out.normals = {vertices[0].normal, vertices.size(), 3, sizeof(Vertex)};
  if (auto done = deformer->run(model.rest(), out); !done) return done;
  std::printf("normal of vertex 0: %.3f %.3f %.3f\n", vertices[0].normal[0], vertices[0].normal[1], vertices[0].normal[2]);
  return {};
}

Result<> get_triangles(const sinew::Model& model) {
  const auto deformer = sinew::Deformer::create(model);
  if (!deformer) return Unexpected(deformer.error());
  const auto triangles = deformer->triangles();
  if (!triangles) return Unexpected(triangles.error());
  std::printf("%zu triangles\n", triangles->size() / 3);
  for (const sinew::InstanceRows& rows : deformer->instances())
    std::printf("node \"%s\": vertices %zu to %zu\n", model.nodes[rows.node].name.c_str(), rows.first, rows.first + rows.vertices - 1);
  return {};
}

Result<> read_the_skeleton(const sinew::Model& model) {
  const auto world = sinew::world_transforms(model, model.rest());
  if (!world) return Unexpected(world.error());
  for (const sinew::Index joint : model.skins[0].slots) {
    const sinew::Index parent = model.nodes[joint].parent;
    std::printf("%s, below %s, at %.2f %.2f %.2f\n", model.nodes[joint].name.c_str(),
                parent == sinew::none ? "nothing" : model.nodes[parent].name.c_str(), (*world)[joint].translation(0),
                (*world)[joint].translation(1), (*world)[joint].translation(2));
  }
  return {};
}

Result<> run_on_many_threads(const sinew::Model& model) {
  auto deformer = sinew::Deformer::create(model);
  if (!deformer) return Unexpected(deformer.error());
  std::vector<double> seconds;
  for (double t = 0; t < model.clips[0].duration; t += 1.0 / 30) seconds.push_back(t);
  std::vector<float> frames(seconds.size() * deformer->vertices() * deformer->dimension());
  if (auto done = deformer->positions(0, seconds, frames); !done) return done;  // clip 0, a moment per thread
  std::printf("%zu frames of %zu vertices\n", seconds.size(), deformer->vertices());
  return {};
}

Result<> take_the_steps_one_by_one(const sinew::Model& model) {
  const auto drawn = sinew::instances(model);
  if (!drawn) return Unexpected(drawn.error());
  const sinew::Instance& body = drawn->front();
  const auto rest = sinew::world_transforms(model, model.rest());
  if (!rest) return Unexpected(rest.error());
  sinew::deform::PrepareOptions options;
  options.slots = model.skins[body.skin].slots.size();
  const auto prepared = sinew::deform::prepare(model.meshes[body.mesh], model.dimension, options);
  if (!prepared) return Unexpected(prepared.error());
  std::vector<float> rows(prepared->vertices() * model.dimension);
  sinew::deform::Output out;
  out.positions = {rows.data(), prepared->vertices(), model.dimension};

  sinew::Pose pose = model.rest();  // from here on: each frame, in the same memory
  sinew::deform::Palette palette;
  if (auto done = sinew::animate::sample(model, model.clips[0], 0.5, pose); !done) return done;
  const auto world = sinew::world_transforms(model, pose);
  if (!world) return Unexpected(world.error());
  if (auto done = sinew::deform::palette(model, body, *world, *rest, palette); !done) return done;
  sinew::deform::run(*prepared, palette, pose.amounts[body.node], {0, prepared->vertices()}, out);
  std::printf("vertex 0 at %.3f\n", static_cast<double>(rows[0]));
  return {};
}

Result<> pose_by_arrays(const sinew::Model& model) {
  auto deformer = sinew::Deformer::create(model);
  if (!deformer) return Unexpected(deformer.error());
  std::vector<double> rotors(100 * model.nodes.size() * 4);  // 100 poses; a rotor [s, xy, xz, yz] per node
  for (std::size_t i = 0; i < rotors.size(); i += 4) rotors[i] = 1;
  std::vector<float> positions(100 * deformer->vertices() * deformer->dimension());
  if (auto done = deformer->positions({.poses = 100, .rotor = rotors}, positions); !done) return done;
  std::printf("100 poses of %zu nodes\n", model.nodes.size());
  return {};
}

Result<> load_from_a_package(const char* from) {
  struct Package : sinew::document::FileSource {
    std::map<std::string, std::shared_ptr<const std::string>, std::less<>> files;  // of an archive of yours

    Result<sinew::document::Bytes> read(std::string_view name) const override {
      const auto found = files.find(name);
      if (found == files.end())
        return Unexpected(sinew::Error{sinew::Failure::input, "IO_ERROR", {std::string(name), {}, {}}, "not in the package"});
      return sinew::document::Bytes{std::as_bytes(std::span(*found->second)), found->second};  // Sinew keeps what it needs
    }
  };

  std::ifstream file(from, std::ios::binary);
  const auto package = std::make_shared<Package>();
  package->files["pak://hero/body.gltf"] =
      std::make_shared<const std::string>(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  sinew::io::LoadOptions options;
  options.open.files = package;
  sinew::FindingList findings;
  const auto packed = sinew::io::load("pak://hero/body.gltf", options, findings);
  if (!packed) return Unexpected(packed.error());
  std::printf("%zu nodes from the package\n", packed->nodes.size());
  return {};
}

Result<> write_another_file(const char* from, const char* to) {
  sinew::FindingList findings, losses;
  const auto converted = sinew::operations::convert(from, to, {}, findings, losses);
  if (!converted) return Unexpected(converted.error());
  for (const sinew::Finding& loss : losses.list()) std::printf("lost: %s\n", loss.message.c_str());
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: tasks FIGURE OUT\n", stderr), 2;
  const auto model = sinew::load(argv[1]);
  if (!model) return std::fprintf(stderr, "%s\n", model.error().line().c_str()), 1;
  for (auto task : {play_a_clip, play_clips_together, pick_a_triangle, bend_a_bone, blend_a_shape, get_normals, get_triangles,
                    run_on_many_threads, take_the_steps_one_by_one, pose_by_arrays, read_the_skeleton})
    if (const auto done = task(*model); !done) return std::fprintf(stderr, "%s\n", done.error().line().c_str()), 1;
  if (const auto done = load_from_a_package(argv[1]); !done) return std::fprintf(stderr, "%s\n", done.error().line().c_str()), 1;
  if (const auto done = write_another_file(argv[1], argv[2]); !done) return std::fprintf(stderr, "%s\n", done.error().line().c_str()), 1;
  return 0;
}

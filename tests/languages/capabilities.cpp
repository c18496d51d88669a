// SPDX-License-Identifier: MIT
// Runs each capability of capabilities.json once and prints its numbers: capabilities FILE NODE SHAPE
// A line is `ID NUMBER …`. NODE: the node that turns; SHAPE: a blend shape, "-": none. capabilities.c, .py and .mjs do the same.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/bounds.hpp"
#include "sinew/compare.hpp"
#include "sinew/load.hpp"
#include "sinew/pick.hpp"
#include "sinew/play.hpp"
#include "sinew/sinew.hpp"
#include "sinew/validate.hpp"

namespace {

template <class T>
void say(const char* id, std::span<const T> numbers) {
  std::printf("%s", id);
  for (const T number : numbers) std::printf(" %.9g", static_cast<double>(number));
  std::printf("\n");
}
void say(const char* id, const std::vector<double>& numbers) { say(id, std::span<const double>(numbers)); }
void say(const char* id, const std::vector<float>& numbers) { say(id, std::span<const float>(numbers)); }

/// The value of a call that must work.
template <class T>
T value(sinew::Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s\n", result.error().line().c_str());
  std::exit(1);
}

void value(const sinew::Result<>& result) {
  if (result) return;
  std::fprintf(stderr, "%s\n", result.error().line().c_str());
  std::exit(1);
}

void say_worlds(const char* id, const sinew::Model& model, const sinew::Pose& pose) {
  std::vector<double> all;
  for (const sinew::Affine& world : value(sinew::world_transforms(model, pose)))
    all.insert(all.end(), world.values().begin(), world.values().end());
  say(id, all);
}

std::vector<double> rotor_of(std::size_t dimension) {
  std::vector<double> rotor(sinew::rotor_size(dimension));
  rotor[0] = std::cos(0.2);
  rotor[1] = std::sin(0.2);
  return rotor;
}

void poses(const sinew::Model& model, const sinew::Pose& pose, const char* node, const std::string& shape) {
  if (!model.clips.empty()) {
    const std::string& clip = model.clips[0].name;
    say("find", std::vector<double>{static_cast<double>(value(sinew::find_node(node, model))),
                                    static_cast<double>(value(sinew::find_clip(clip.empty() ? "0" : clip, model)))});
    say_worlds("sample", model, pose);
  }
  say_worlds("world", model, model.rest());
  sinew::Pose turned = model.rest();
  value(turned.turn(model, node, sinew::Rotor(std::span<const double>(rotor_of(model.dimension)))));
  say_worlds("turn", model, turned);
  if (shape == "-") return;
  sinew::Pose blended = model.rest();
  value(blended.blend(model, shape, 0.3));
  say("blend", value(value(sinew::Deformer::create(model)).positions(blended, 1)));
}

void channels(const sinew::Model& model, const sinew::Pose& pose) {
  for (const auto normals : {sinew::Normals::stored, sinew::Normals::computed}) {
    auto deformer = value(sinew::Deformer::create(model, {.normals = normals, .tangents = true}));
    const std::size_t n = model.dimension;
    std::vector<float> normal(deformer.vertices() * n), tangent(deformer.vertices() * 4);
    sinew::deform::Output out;
    out.normals = {normal.data(), deformer.vertices(), n};
    out.tangents = {tangent.data(), deformer.vertices(), 4};
    value(deformer.run(pose, out, 1));
    say(normals == sinew::Normals::stored ? "stored_normals" : "computed_normals", normal);
    if (normals == sinew::Normals::stored && n == 3) say("tangents", tangent);
  }
}

void pick(const sinew::Deformer& deformer, const std::vector<float>& positions, const std::vector<std::uint32_t>& triangles) {
  const std::size_t t = triangles.size() / 6;
  sinew::Ray ray;
  ray.direction = {0, 0, -1};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t c = 0; c < 3; ++c) ray.origin[c] += static_cast<double>(positions[3 * triangles[3 * t + k] + c]) / 3;
  ray.origin[2] += 10;
  const auto met = sinew::hit(ray, positions, triangles, deformer.instances());
  if (!met) return say("hit", std::vector<double>{-1});
  say("hit", std::vector<double>{static_cast<double>(met->instance), static_cast<double>(met->triangle), met->barycentric[0],
                                 met->barycentric[1], met->barycentric[2], met->distance});
}

void parts(const sinew::Model& model, const sinew::Pose& pose) {
  auto deformer = value(sinew::Deformer::create(model));
  const std::vector<float> positions = value(deformer.positions(pose, 1));
  const std::vector<std::uint32_t> triangles = value(deformer.triangles());
  say("positions", positions);
  say("triangles", std::span<const std::uint32_t>(triangles));
  std::vector<double> ranges;
  for (const sinew::TriangleRange& range : value(deformer.triangle_ranges()))
    for (const double number :
         {static_cast<double>(range.first), static_cast<double>(range.count), static_cast<double>(range.instance),
          static_cast<double>(range.surface), range.material == sinew::none ? -1.0 : static_cast<double>(range.material)})
      ranges.push_back(number);
  say("ranges", ranges);
  if (const auto coordinates = deformer.texture_coordinates(pose)) say("texture_coordinates", *coordinates);
  const sinew::RowInfluences influences = value(deformer.influences());
  std::vector<double> all(influences.first.begin(), influences.first.end());
  all.insert(all.end(), influences.nodes.begin(), influences.nodes.end());
  all.insert(all.end(), influences.weights.begin(), influences.weights.end());
  say("influences", all);
  std::vector<float> boxes(model.nodes.size() * 2 * model.dimension);
  sinew::bone_boxes(influences, positions, model.dimension, boxes, 0.25);
  say("boxes", boxes);
  if (model.dimension == 3 && !triangles.empty()) pick(deformer, positions, triangles);
}

void looks(const sinew::Model& model) {
  std::vector<double> numbers;
  for (sinew::Index m = 0; m < model.materials.size(); ++m) {
    std::optional<sinew::Error> note;
    const sinew::Appearance look = sinew::io::load_appearance(model, m, note);
    const sinew::Appearance::Texture texture = look.texture.value_or(sinew::Appearance::Texture());
    double bytes = 0;
    for (const std::byte byte : texture.image) bytes += static_cast<double>(byte);
    numbers.insert(numbers.end(), look.color.begin(), look.color.end());
    numbers.insert(numbers.end(), texture.transform.begin(), texture.transform.end());
    numbers.insert(numbers.end(), {static_cast<double>(look.alpha), look.cutoff, look.double_sided ? 1.0 : 0.0, look.unlit ? 1.0 : 0.0,
                                   static_cast<double>(texture.image.size()), bytes, note ? 1.0 : 0.0, static_cast<double>(texture.wrap_s),
                                   static_cast<double>(texture.wrap_t), texture.nearest ? 1.0 : 0.0, static_cast<double>(texture.set)});
  }
  say("looks", numbers);
}

void play(const sinew::Model& model, const char* node) {
  if (model.clips.empty()) return;
  std::vector<float> mask;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) mask.push_back(i % 2 == 0 ? 1.0F : 0.25F);
  const std::vector<sinew::animate::PlayedClip> clips{{.clip = 0, .weight = 0.75, .seconds = 0.2},
                                                      {.clip = 0, .weight = 0.25, .speed = -0.5, .loops = false},
                                                      {.clip = 0, .weight = 0.5, .additive = true, .mask = mask}};
  auto player = value(sinew::animate::Player::create(model, clips));
  for (int frame = 0; frame < 3; ++frame) value(player.advance(0.35));
  player.set_weight(0, 0.5);
  player.set_speed(0, 2);
  player.seek(2, 0.1);
  value(player.advance(0.1));
  say_worlds("player", model, player.pose());
  std::vector<double> seconds;
  for (const auto& clip : player.clips()) seconds.push_back(clip.seconds);
  say("loops", seconds);
  say("socket", std::span<const double>(value(player.world(std::string_view(node))).values()));
  auto walker = value(sinew::animate::Player::create(model, {{.clip = 0}}, value(sinew::find_node(node, model))));
  value(walker.advance(model.clips[0].duration * 1.75));
  say("root_motion", walker.root_motion());
}

void arrays(const sinew::Model& model, const char* node) {
  auto deformer = value(sinew::Deformer::create(model));
  const std::size_t size = sinew::rotor_size(model.dimension), nodes = model.nodes.size();
  std::vector<double> rotors(2 * nodes * size);
  for (std::size_t i = 0; i < 2 * nodes; ++i) rotors[i * size] = 1;
  const std::vector<double> turn = rotor_of(model.dimension);
  std::copy(turn.begin(), turn.end(), rotors.begin() + static_cast<std::ptrdiff_t>((nodes + value(sinew::find_node(node, model))) * size));
  std::vector<float> positions(2 * deformer.vertices() * model.dimension);
  value(deformer.positions({.poses = 2, .rotor = rotors}, positions, 1));
  say("arrays", positions);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fputs("usage: capabilities FILE NODE SHAPE\n", stderr), 2;
  const sinew::Model model = value(sinew::load(argv[1]));
  say("load", std::vector<double>{static_cast<double>(model.dimension), static_cast<double>(model.nodes.size()),
                                  static_cast<double>(model.meshes.size()), static_cast<double>(model.clips.size())});
  const sinew::Pose pose = model.clips.empty() ? model.rest() : value(sinew::sample(model, 0, 0.3 * model.clips[0].duration));
  poses(model, pose, argv[2], argv[3]);
  channels(model, pose);
  parts(model, pose);
  looks(model);
  play(model, argv[2]);
  arrays(model, argv[2]);
  const auto bounds = value(sinew::operations::bounds(model));
  std::vector<float> box = bounds.all.min;
  box.insert(box.end(), bounds.all.max.begin(), bounds.all.max.end());
  say("bounds", box);
  const auto found = value(sinew::operations::compare(model, model));
  say("compare", std::vector<double>{static_cast<double>(found.verdict(1e-5)), found.diagonal, found.max()});
  const auto report = value(sinew::validate::check_file(argv[1], {}));
  say("validate", std::vector<double>{static_cast<double>(report.issues.counts[0] + report.model_issues.counts[0])});
  return 0;
}

// SPDX-License-Identifier: MIT
#include "calls.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "use.hpp"

#include "sinew/sinew.h"

namespace sinew::fuzz {

namespace {

/// Plain data of any kind: numbers that are usual, at the edges, or not finite, and indices in and out of range.
class AnyNumbers {
 public:
  explicit AnyNumbers(Input seed) {
    for (const std::uint8_t byte : seed) state_ = (state_ ^ byte) * 0x100000001b3;
  }

  std::uint64_t bits() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  std::size_t below(std::size_t count) { return bits() % count; }
  double number() {
    constexpr std::array edges{0.0,
                               -0.0,
                               1.0,
                               -1.0,
                               0.5,
                               1e-300,
                               1e30,
                               -1e9,
                               1e300,
                               5e-324,
                               std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()};
    switch (below(16)) {
      case 0:
        return edges[below(edges.size())];
      case 1:
        return std::bit_cast<double>(bits());
      default:
        return static_cast<double>(bits() % 20001) / 10000 - 1;
    }
  }
  std::size_t index(std::size_t count) { return below(8) == 0 ? bits() >> below(64) : below(count + 1); }
  std::vector<double> numbers(std::size_t count) {
    std::vector<double> list(count);
    std::ranges::generate(list, [&] { return number(); });
    return list;
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

/// Checks what sinew.h says of every call: the statuses, and an error for each of them but SINEW_OK.
template <class Call>
bool worked(const char* name, const Call& call) {
  sinew_error* error = nullptr;
  const sinew_status status = call(&error);
  if ((status == SINEW_OK) != (error == nullptr)) broken("a failure has an error, and nothing else", name);
  if (status != SINEW_OK && status != SINEW_USAGE && status != SINEW_INPUT && status != SINEW_UNSUPPORTED && status != SINEW_LIMIT)
    broken("a call returns a status of sinew.h", name + (" " + std::to_string(status)));
  if (error != nullptr && (*sinew_error_code(error) == '\0' || *sinew_error_message(error) == '\0')) broken("an error says what", name);
  sinew_error_free(error);
  return status == SINEW_OK;
}

/// The handles of a model. The arrays have the sizes that sinew.h asks for.
struct Calls {
  AnyNumbers any;
  sinew_model* model = nullptr;
  sinew_pose* pose = nullptr;
  sinew_deformer* deformer = nullptr;
  std::size_t n = 0, nodes = 0;

  ~Calls() {
    sinew_deformer_free(deformer);
    sinew_pose_free(pose);
    sinew_model_free(model);
  }

  void change_pose();
  void read_pose();
  void play();
  void deform();
  void deform_many();
  void read_parts();
  void ask_model();
};

void Calls::change_pose() {
  const std::vector<double> list = any.numbers(std::size_t{1} << std::max<std::size_t>(n * 2, 4));
  const std::size_t node = any.index(nodes), clip = any.index(sinew_model_count(model, SINEW_ANIMATIONS));
  const std::string name = std::to_string(node);
  const double* const numbers = list.data();
  worked("sample", [&](auto error) { return sinew_pose_sample(pose, clip, any.number() * 10, error); });
  worked("translation", [&](auto error) { return sinew_pose_set_translation(pose, node, numbers, error); });
  worked("scale", [&](auto error) { return sinew_pose_set_scale(pose, node, numbers + 1, error); });
  worked("quaternion", [&](auto error) { return sinew_pose_set_quaternion(pose, node, numbers + 2, error); });
  worked("rotor", [&](auto error) { return sinew_pose_set_rotor(pose, node, numbers, any.index(list.size() - 1) % list.size(), error); });
  if (any.below(4) == 0) worked("basis", [&](auto error) { return sinew_pose_set_basis(pose, node, numbers, error); });
  worked("amounts", [&](auto error) {
    const std::size_t shapes = sinew_mesh_shapes(model, sinew_node_mesh(model, node));
    return sinew_pose_set_amounts(pose, node, numbers, std::min(shapes + any.below(2), list.size()), error);
  });
  worked("turn", [&](auto error) { return sinew_pose_turn(pose, name.c_str(), numbers, std::size_t{1} << (n - 1), error); });
  worked("blend", [&](auto error) { return sinew_pose_blend(pose, "0", any.number(), error); });
  const char* const expression = "happy";
  worked("express", [&](auto error) { return sinew_pose_express(pose, &expression, numbers, 1, error); });
  if (any.below(4) == 0) worked("reset", [&](auto error) { return sinew_pose_reset(pose, error); });
}

void Calls::read_pose() {
  std::vector<double> out((nodes + 1) * (n + 1) * n + (std::size_t{1} << n));
  const std::size_t node = any.index(nodes);
  worked("get translation", [&](auto error) { return sinew_pose_get_translation(pose, node, out.data(), error); });
  worked("get scale", [&](auto error) { return sinew_pose_get_scale(pose, node, out.data(), error); });
  worked("get rotor", [&](auto error) { return sinew_pose_get_rotor(pose, node, out.data(), error); });
  worked("get matrix", [&](auto error) { return sinew_pose_get_matrix(pose, node, out.data(), error); });
  worked("get world", [&](auto error) { return sinew_pose_get_world(pose, out.data(), error); });
}

void Calls::play() {
  const std::size_t clips = sinew_model_count(model, SINEW_ANIMATIONS);
  std::vector<float> mask(nodes);
  std::ranges::generate(mask, [&] { return any.below(8) == 0 ? static_cast<float>(any.number()) : 0.5F; });
  std::vector<sinew_played_clip> list(any.below(4));
  for (sinew_played_clip& clip : list)
    clip = {any.index(clips),
            any.number(),
            any.number(),
            any.number(),
            static_cast<int>(any.below(2)),
            static_cast<int>(any.below(2)),
            any.below(2) == 0 ? mask.data() : nullptr};
  sinew_player* player = nullptr;
  std::vector<double> matrix((n + 1) * n);
  if (worked("player", [&](auto error) {
        return sinew_player_create(model, list.data(), list.size(), any.below(2) == 0 ? SINEW_NONE : any.index(nodes), &player, error);
      })) {
    worked("weight", [&](auto error) { return sinew_player_set_weight(player, any.index(list.size()), any.number(), error); });
    worked("speed", [&](auto error) { return sinew_player_set_speed(player, any.index(list.size()), any.number(), error); });
    worked("seek", [&](auto error) { return sinew_player_seek(player, any.index(list.size()), any.number(), error); });
    worked("advance", [&](auto error) { return sinew_player_advance(player, any.number(), pose, matrix.data(), error); });
    worked("player's world", [&](auto error) { return sinew_player_get_world(player, any.index(nodes), matrix.data(), error); });
  }
  sinew_player_free(player);
}

void Calls::deform() {
  const std::size_t rows = sinew_deformer_vertices(deformer);
  std::vector<float> positions(rows * n + 1), normals(rows * n + 1), boxes(nodes * 2 * n + 1);
  sinew_output out{};
  out.positions = positions.data();
  if (any.below(2) == 0) out.normals = normals.data();
  out.positions_stride = any.below(8) == 0 ? any.below(4) : 0;  // shorter than a row, or packed
  if (!worked("deform", [&](auto error) { return sinew_deform(deformer, pose, &out, 1, error); })) return;
  worked("boxes", [&](auto error) { return sinew_deformer_bone_boxes(deformer, positions.data(), any.number(), boxes.data(), error); });
  const std::vector<double> ray = any.numbers(6);
  sinew_ray_hit hit{};
  int found = 0;
  if (worked("hit", [&](auto error) { return sinew_deformer_hit(deformer, positions.data(), &ray[0], &ray[3], &hit, &found, error); }) &&
      found != 0) {
    std::size_t count = 0;
    if (sinew_deformer_triangles(deformer, &count) == nullptr || 3 * hit.triangle + 2 >= count ||
        hit.instance >= sinew_deformer_instances(deformer))
      broken("a hit is on a triangle", std::to_string(hit.triangle));
  }
}

void Calls::deform_many() {
  std::vector<float> positions(2 * sinew_deformer_vertices(deformer) * n + 1);
  const std::vector<double> numbers = any.numbers(2 * (nodes + 1) * std::max((n + 1) * (n + 1), std::size_t{1} << n));
  std::size_t shapes = 0;
  for (std::size_t node = 0; node < nodes; ++node) shapes += sinew_mesh_shapes(model, sinew_node_mesh(model, node));
  const std::vector<double> amounts = any.numbers(2 * (shapes + 1));
  sinew_pose_arrays arrays{};
  arrays.poses = any.below(3);
  arrays.nodes = nodes + (any.below(8) == 0 ? 1 : 0);
  arrays.amounts_per_pose = shapes;
  const auto some = [&](const std::vector<double>& list) { return any.below(3) == 0 ? list.data() : nullptr; };
  arrays.local = some(numbers);
  arrays.world = some(numbers);
  arrays.translation = some(numbers);
  arrays.rotor = some(numbers);
  arrays.scale = some(numbers);
  arrays.amounts = some(amounts);
  sinew_output out{};
  out.positions = positions.data();
  worked("deform many", [&](auto error) { return sinew_deform_many(deformer, &arrays, &out, 1, error); });
}

void Calls::read_parts() {
  std::vector<float> coordinates(2 * sinew_deformer_vertices(deformer) + 1);
  sinew_influences influences{};
  sinew_instance instance{};
  worked("influences", [&](auto error) { return sinew_deformer_influences(deformer, &influences, error); });
  worked("coordinates", [&](auto error) {
    return sinew_deformer_texture_coordinates(deformer, pose, static_cast<std::uint32_t>(any.index(1)), coordinates.data(), error);
  });
  worked("instance",
         [&](auto error) { return sinew_deformer_instance(deformer, any.index(sinew_deformer_instances(deformer)), &instance, error); });
  std::size_t count = 0;
  static_cast<void>(sinew_deformer_triangle_ranges(deformer, &count));
}

void Calls::ask_model() {
  for (const sinew_kind kind : {SINEW_NODES, SINEW_MESHES, SINEW_SKINS, SINEW_ANIMATIONS, SINEW_MATERIALS, SINEW_SCENES}) {
    const std::size_t count = sinew_model_count(model, kind), index = any.index(count);
    if ((sinew_model_name(model, kind, index) != nullptr) != (index < count)) broken("what is in range has a name", std::to_string(index));
    std::size_t found = 0;
    if (worked("find", [&](auto error) { return sinew_model_find(model, kind, std::to_string(index).c_str(), &found, error); }) &&
        found >= count)
      broken("sinew_model_find returns an index in range", std::to_string(found));
  }
  const std::size_t any_index = any.index(nodes);
  static_cast<void>(sinew_animation_duration(model, any_index));
  static_cast<void>(sinew_mesh_shape_name(model, any_index, any.index(2)));
  static_cast<void>(sinew_node_parent(model, any_index));
  static_cast<void>(sinew_skin_joint(model, any.index(2), any_index));
  sinew_appearance* look = nullptr;
  if (worked(
          "appearance",
          [&](auto error) { return sinew_appearance_load(model, any.index(sinew_model_count(model, SINEW_MATERIALS)), &look, error); }) &&
      (look->image == nullptr) != (look->image_size == 0))
    broken("a picture has bytes", std::to_string(look->image_size));
  sinew_appearance_free(look);
}

}  // namespace

void calls(const std::filesystem::path& file, Input bytes) {
  const auto small = loaded(file);
  if (!small || is_large(*small)) return;
  Calls one{AnyNumbers(bytes)};
  sinew_load_options options{};
  options.max_memory = std::uint64_t{64} << 20;
  options.copy = 1;
  const std::string name = file.string();
  if (!worked("load", [&](auto error) { return sinew_load_memory(bytes.data(), bytes.size(), name.c_str(), &options, &one.model, error); }))
    return;
  one.n = sinew_model_dimension(one.model);
  one.nodes = sinew_model_count(one.model, SINEW_NODES);
  if (one.n == 0 || one.n > 6 || one.nodes > 10000) return;
  if (!worked("pose", [&](auto error) { return sinew_pose_create(one.model, &one.pose, error); })) return;
  sinew_deformer_options how{};
  how.normals = static_cast<int>(one.any.below(3));
  how.max_influences = static_cast<std::uint32_t>(one.any.below(3));
  how.choose_scene = one.any.below(4) == 0 ? 1 : 0;
  how.scene = one.any.index(sinew_model_count(one.model, SINEW_SCENES));
  const bool deforms = worked("deformer", [&](auto error) { return sinew_deformer_create(one.model, &how, &one.deformer, error); });
  for (int round = 0; round < 4; ++round) {
    one.ask_model();
    one.change_pose();
    one.read_pose();
    one.play();
    if (!deforms) continue;
    one.deform();
    one.deform_many();
    one.read_parts();
  }
}

}  // namespace sinew::fuzz

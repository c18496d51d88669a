// SPDX-License-Identifier: MIT
// The calls of the C interface.
#include <array>
#include <string>
#include <vector>

#include "trial.hpp"

namespace sinew::memory {
namespace {

/// The handles of a file.
struct Handles {
  explicit Handles(const std::filesystem::path& file) {
    const sinew_played_clip clip{0, 1, 1, 0, 0, 0, nullptr};
    if (sinew_load(file.string().c_str(), nullptr, &model, nullptr) != SINEW_OK || sinew_pose_create(model, &pose, nullptr) != SINEW_OK ||
        sinew_deformer_create(model, nullptr, &deformer, nullptr) != SINEW_OK)
      std::abort();
    if (sinew_model_count(model, SINEW_ANIMATIONS) != 0 && sinew_player_create(model, &clip, 1, SINEW_NONE, &player, nullptr) != SINEW_OK)
      std::abort();
    rows.resize(4 * sinew_deformer_vertices(deformer));
    output.positions = rows.data();
    numbers.resize(20 * sinew_model_count(model, SINEW_NODES));
  }
  ~Handles() {
    sinew_player_free(player);
    sinew_deformer_free(deformer);
    sinew_pose_free(pose);
    sinew_model_free(model);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  sinew_model* model = nullptr;
  sinew_pose* pose = nullptr;
  sinew_deformer* deformer = nullptr;
  sinew_player* player = nullptr;
  std::vector<float> rows;
  sinew_output output{};
  std::vector<double> numbers;
};

Handles skin_of(const Given& given) { return Handles(given.samples / "gltf/simple_skin.gltf"); }
Handles cube_of(const Given& given) { return Handles(given.samples / "gltf/morph_cube.gltf"); }
Handles arm_of(const Given& given) { return Handles(given.samples / "g4mf/arm_4d.g4tf"); }
Handles avatar_of(const Given& given) { return Handles(given.samples / "show/avatar.vrm"); }
Handles globe_of(const Given& given) { return Handles(given.samples / "show/globe.gltf"); }

sinew_memory memory_of(HostMemory& host) {
  return {[](void* user, std::size_t size, std::size_t alignment) { return static_cast<HostMemory*>(user)->allocate(size, alignment); },
          [](void* user, void* memory, std::size_t size, std::size_t alignment) {
            static_cast<HostMemory*>(user)->deallocate(memory, size, alignment);
          },
          &host};
}

constexpr double quarter[] = {0, 0, 0.70710678118654752, 0.70710678118654752};
constexpr double turn[] = {0.70710678118654752, 0.70710678118654752, 0, 0};
constexpr double ones[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/// Of functions without a sinew_error.
template <class Call>
void plain(Trial& trial, const Call& call) {
  trial.c([&](sinew_error**) {
    call();
    return SINEW_OK;
  });
}

constexpr Row models[] = {
    {"sinew_load",
     [](const Given& given, Trial& trial) {
       const std::string file = (given.samples / "gltf/simple_skin.gltf").string();
       sinew_model* model = nullptr;
       trial.c([&](sinew_error** error) { return sinew_load(file.c_str(), nullptr, &model, error); });
       sinew_model_free(model);
     }},
    {"sinew_load",
     [](const Given& given, Trial& trial) {
       const std::string file = (given.samples / "gltf/simple_skin.gltf").string();
       HostMemory host;
       const sinew_memory memory = memory_of(host);
       sinew_load_options options{};
       options.memory = &memory;
       sinew_model* model = nullptr;
       trial.c([&](sinew_error** error) { return sinew_load(file.c_str(), &options, &model, error); });
       trial.check(host);
       sinew_model_free(model);
     }},
    {"sinew_load_memory",
     [](const Given&, Trial& trial) {
       const std::string text =
           R"({"asset": {"version": "2.0"}, "nodes": [{"name": "a name that is long enough"}], "scenes": [{"nodes": [0]}]})";
       sinew_model* model = nullptr;
       trial.c([&](sinew_error** error) { return sinew_load_memory(text.data(), text.size(), nullptr, nullptr, &model, error); });
       sinew_model_free(model);
     }},
    {"sinew_model_find",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       std::size_t index = 0;
       trial.c([&](sinew_error** error) { return sinew_model_find(one.model, SINEW_NODES, "Upper", &index, error); });
     }},
    {"sinew_appearance_load sinew_appearance_free",
     [](const Given& given, Trial& trial) {
       const Handles one = globe_of(given);
       sinew_appearance* appearance = nullptr;
       trial.c([&](sinew_error** error) { return sinew_appearance_load(one.model, 0, &appearance, error); });
       sinew_appearance_free(appearance);
     }},
    // The rest of the interface: what only reads or frees.
    {"sinew_version sinew_model_dimension sinew_model_format sinew_model_revision sinew_model_count sinew_model_name "
     "sinew_animation_duration sinew_mesh_shapes sinew_mesh_shape_name sinew_node_parent sinew_node_mesh sinew_skin_joints "
     "sinew_skin_joint sinew_player_seconds sinew_deformer_vertices sinew_deformer_instances",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       plain(trial, [&] {
         static_cast<void>(sinew_version());
         static_cast<void>(sinew_model_dimension(one.model));
         static_cast<void>(sinew_model_format(one.model));
         static_cast<void>(sinew_model_revision(one.model));
         static_cast<void>(sinew_model_count(one.model, SINEW_NODES));
         static_cast<void>(sinew_model_name(one.model, SINEW_NODES, 2));
         static_cast<void>(sinew_animation_duration(one.model, 0));
         static_cast<void>(sinew_mesh_shapes(one.model, 0));
         static_cast<void>(sinew_mesh_shape_name(one.model, 0, 0));
         static_cast<void>(sinew_node_parent(one.model, 2));
         static_cast<void>(sinew_node_mesh(one.model, 0));
         static_cast<void>(sinew_skin_joints(one.model, 0));
         static_cast<void>(sinew_skin_joint(one.model, 0, 1));
         static_cast<void>(sinew_player_seconds(one.player, 0));
         static_cast<void>(sinew_deformer_vertices(one.deformer));
         static_cast<void>(sinew_deformer_instances(one.deformer));
       });
     }},
    {"sinew_error_code sinew_error_message sinew_error_line sinew_error_file sinew_error_pointer sinew_error_offset sinew_error_free "
     "sinew_model_free sinew_pose_free sinew_player_free sinew_deformer_free sinew_flex_free sinew_string_free",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       std::size_t index = 0;
       sinew_error* error = nullptr;
       if (sinew_model_find(one.model, SINEW_NODES, "Nowhere", &index, &error) != SINEW_USAGE) std::abort();
       sinew_model* none_at_all = nullptr;
       plain(trial, [&] {
         std::uint64_t offset = 0;
         static_cast<void>(sinew_error_code(error));
         static_cast<void>(sinew_error_message(error));
         static_cast<void>(sinew_error_line(error));
         static_cast<void>(sinew_error_file(error));
         static_cast<void>(sinew_error_pointer(error));
         static_cast<void>(sinew_error_offset(error, &offset));
         sinew_error_free(error);
         sinew_model_free(none_at_all);
         sinew_pose_free(nullptr);
         sinew_player_free(nullptr);
         sinew_deformer_free(nullptr);
         sinew_flex_free(nullptr);
         sinew_string_free(nullptr);
       });
     }},
};

constexpr Row poses[] = {
    {"sinew_pose_create",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       sinew_pose* pose = nullptr;
       trial.c([&](sinew_error** error) { return sinew_pose_create(one.model, &pose, error); });
       sinew_pose_free(pose);
     }},
    {"sinew_pose_reset",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       trial.c([&](sinew_error** error) { return sinew_pose_reset(one.pose, error); });
     }},
    {"sinew_pose_sample",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       trial.c([&](sinew_error** error) { return sinew_pose_sample(one.pose, 0, 1, error); });
     }},
    {"sinew_pose_set_translation",
     [](const Given& given, Trial& trial) {
       const Handles one = arm_of(given);
       trial.c([&](sinew_error** error) { return sinew_pose_set_translation(one.pose, 1, ones, error); });
     }},
    {"sinew_pose_set_scale",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       trial.c([&](sinew_error** error) { return sinew_pose_set_scale(one.pose, 1, turn, error); });
     }},
    {"sinew_pose_set_quaternion",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       trial.c([&](sinew_error** error) { return sinew_pose_set_quaternion(one.pose, 1, quarter, error); });
     }},
    {"sinew_pose_set_rotor",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       trial.c([&](sinew_error** error) { return sinew_pose_set_rotor(one.pose, 1, turn, 4, error); });
     }},
    {"sinew_pose_set_basis",
     [](const Given& given, Trial& trial) {
       const Handles one = arm_of(given);
       trial.c([&](sinew_error** error) { return sinew_pose_set_basis(one.pose, 1, ones, error); });
     }},
    {"sinew_pose_set_amounts",
     [](const Given& given, Trial& trial) {
       const Handles one = cube_of(given);
       trial.c([&](sinew_error** error) { return sinew_pose_set_amounts(one.pose, 0, turn, sinew_mesh_shapes(one.model, 0), error); });
     }},
    {"sinew_pose_turn",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       trial.c([&](sinew_error** error) { return sinew_pose_turn(one.pose, "Upper", turn, 4, error); });
     }},
    {"sinew_pose_blend",
     [](const Given& given, Trial& trial) {
       const Handles one = cube_of(given);
       trial.c([&](sinew_error** error) { return sinew_pose_blend(one.pose, "0", 0.5, error); });
     }},
    {"sinew_pose_express",
     [](const Given& given, Trial& trial) {
       const Handles one = avatar_of(given);
       const char* const name = "happy";
       const double amount = 0.5;
       trial.c([&](sinew_error** error) { return sinew_pose_express(one.pose, &name, &amount, 1, error); });
     }},
    {"sinew_pose_get_translation",
     [](const Given& given, Trial& trial) {
       Handles one = arm_of(given);
       trial.c([&](sinew_error** error) { return sinew_pose_get_translation(one.pose, 0, one.numbers.data(), error); });
     }},
    {"sinew_pose_get_scale",
     [](const Given& given, Trial& trial) {
       Handles one = skin_of(given);
       trial.c([&](sinew_error** error) { return sinew_pose_get_scale(one.pose, 0, one.numbers.data(), error); });
     }},
    {"sinew_pose_get_rotor",
     [](const Given& given, Trial& trial) {
       Handles one = skin_of(given);
       trial.c([&](sinew_error** error) { return sinew_pose_get_rotor(one.pose, 0, one.numbers.data(), error); });
     }},
    {"sinew_pose_get_matrix",
     [](const Given& given, Trial& trial) {
       Handles one = arm_of(given);
       trial.c([&](sinew_error** error) { return sinew_pose_get_matrix(one.pose, 0, one.numbers.data(), error); });
     }},
    {"sinew_pose_get_amounts",
     [](const Given& given, Trial& trial) {
       Handles one = cube_of(given);
       trial.c([&](sinew_error** error) {
         return sinew_pose_get_amounts(one.pose, 0, one.numbers.data(), sinew_mesh_shapes(one.model, 0), error);
       });
     }},
    {"sinew_pose_get_world",
     [](const Given& given, Trial& trial) {
       Handles one = arm_of(given);
       trial.c([&](sinew_error** error) { return sinew_pose_get_world(one.pose, one.numbers.data(), error); });
     }},
};

constexpr Row players[] = {
    {"sinew_player_create",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       const sinew_played_clip clip{0, 1, 1, 0, 0, 0, nullptr};
       sinew_player* player = nullptr;
       trial.c([&](sinew_error** error) { return sinew_player_create(one.model, &clip, 1, SINEW_NONE, &player, error); });
       sinew_player_free(player);
     }},
    {"sinew_player_set_weight",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       trial.c([&](sinew_error** error) { return sinew_player_set_weight(one.player, 0, 0.5, error); });
     }},
    {"sinew_player_set_speed",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       trial.c([&](sinew_error** error) { return sinew_player_set_speed(one.player, 0, 0.5, error); });
     }},
    {"sinew_player_seek",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       trial.c([&](sinew_error** error) { return sinew_player_seek(one.player, 0, 0.5, error); });
     }},
    {"sinew_player_advance",
     [](const Given& given, Trial& trial) {
       Handles one = skin_of(given);
       trial.c([&](sinew_error** error) { return sinew_player_advance(one.player, 0.5, one.pose, nullptr, error); });
     }},
    {"sinew_player_get_world",
     [](const Given& given, Trial& trial) {
       Handles one = skin_of(given);
       trial.c([&](sinew_error** error) { return sinew_player_get_world(one.player, 1, one.numbers.data(), error); });
     }},
    {"sinew_player_get_socket",
     [](const Given& given, Trial& trial) {
       Handles one = skin_of(given);
       trial.c([&](sinew_error** error) { return sinew_player_get_socket(one.player, "Upper", one.numbers.data(), error); });
     }},
};

constexpr Row deforming[] = {
    {"sinew_deformer_create",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       sinew_deformer* deformer = nullptr;
       trial.c([&](sinew_error** error) { return sinew_deformer_create(one.model, nullptr, &deformer, error); });
       sinew_deformer_free(deformer);
     }},
    {"sinew_deformer_create",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       HostMemory host;
       const sinew_memory memory = memory_of(host);
       sinew_deformer_options options{};
       options.memory = &memory;
       sinew_deformer* deformer = nullptr;
       trial.c([&](sinew_error** error) { return sinew_deformer_create(one.model, &options, &deformer, error); });
       trial.check(host);
       sinew_deformer_free(deformer);
     }},
    {"sinew_deformer_copy",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       sinew_deformer* copy = nullptr;
       trial.c([&](sinew_error** error) { return sinew_deformer_copy(one.deformer, &copy, error); });
       sinew_deformer_free(copy);
     }},
    {"sinew_deformer_triangles sinew_deformer_triangle_ranges",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       plain(trial, [&] {
         std::size_t count = 0;
         static_cast<void>(sinew_deformer_triangles(one.deformer, &count));
         static_cast<void>(sinew_deformer_triangle_ranges(one.deformer, &count));
       });
     }},
    {"sinew_deformer_influences",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       sinew_influences influences{};
       trial.c([&](sinew_error** error) { return sinew_deformer_influences(one.deformer, &influences, error); });
     }},
    {"sinew_deformer_texture_coordinates",
     [](const Given& given, Trial& trial) {
       Handles one = globe_of(given);
       trial.c([&](sinew_error** error) { return sinew_deformer_texture_coordinates(one.deformer, one.pose, 0, one.rows.data(), error); });
     }},
    {"sinew_deformer_bone_boxes",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       std::vector<float> boxes(6 * sinew_model_count(one.model, SINEW_NODES));
       trial.c([&](sinew_error** error) { return sinew_deformer_bone_boxes(one.deformer, one.rows.data(), 0, boxes.data(), error); });
     }},
    {"sinew_deformer_hit",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       const double origin[] = {0, 0.5, 5}, direction[] = {0, 0, -1};
       sinew_ray_hit hit{};
       int found = 0;
       trial.c(
           [&](sinew_error** error) { return sinew_deformer_hit(one.deformer, one.rows.data(), origin, direction, &hit, &found, error); });
     }},
    {"sinew_deformer_instance",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       sinew_instance instance{};
       trial.c([&](sinew_error** error) { return sinew_deformer_instance(one.deformer, 0, &instance, error); });
     }},
    {"sinew_deform",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       trial.c([&](sinew_error** error) { return sinew_deform(one.deformer, one.pose, &one.output, 1, error); });
     }},
    {"sinew_deform_many",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       const std::vector<double> translation(3 * sinew_model_count(one.model, SINEW_NODES));
       sinew_pose_arrays arrays{};
       arrays.poses = 1;
       arrays.nodes = sinew_model_count(one.model, SINEW_NODES);
       arrays.translation = translation.data();
       trial.c([&](sinew_error** error) { return sinew_deform_many(one.deformer, &arrays, &one.output, 1, error); });
     }},
};

sinew_flex* flexed(const Handles& one) {
  sinew_flex* report = nullptr;
  sinew_flex_options options{};
  options.threads = 1;
  if (sinew_flex_create(one.model, &options, &report, nullptr) != SINEW_OK) std::abort();
  return report;
}

constexpr Row tools[] = {
    {"sinew_bounds",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       std::array<float, 6> box{};
       sinew_bounds_options options{};
       options.threads = 1;
       trial.c([&](sinew_error** error) { return sinew_bounds(one.model, &options, box.data(), nullptr, 0, error); });
     }},
    {"sinew_compare",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       sinew_comparison comparison{};
       trial.c([&](sinew_error** error) { return sinew_compare(one.model, one.model, 0, 1, &comparison, error); });
     }},
    {"sinew_flex_create",
     [](const Given& given, Trial& trial) {
       const Handles one = skin_of(given);
       sinew_flex* report = nullptr;
       sinew_flex_options options{};
       options.threads = 1;
       trial.c([&](sinew_error** error) { return sinew_flex_create(one.model, &options, &report, error); });
       sinew_flex_free(report);
     }},
    {"sinew_flex_get sinew_flex_count sinew_flex_skipped",
     [](const Given& given, Trial& trial) {
       sinew_flex* report = flexed(Handles(given.samples / "show/figure.gltf"));
       sinew_flex_finding finding{};
       trial.c([&](sinew_error** error) {
         static_cast<void>(sinew_flex_skipped(report, 0));
         return sinew_flex_count(report) == 0 ? SINEW_OK : sinew_flex_get(report, 0, &finding, error);
       });
       sinew_flex_free(report);
     }},
    {"sinew_validate",
     [](const Given& given, Trial& trial) {
       const std::string file = (given.samples / "gltf/simple_skin.gltf").string();
       char* json = nullptr;
       trial.c([&](sinew_error** error) { return sinew_validate(file.c_str(), &json, nullptr, error); });
       sinew_string_free(json);
     }},
};

}  // namespace

std::span<const Row> c_rows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> all;
    for (const std::span<const Row> part : {std::span<const Row>(models), std::span<const Row>(poses), std::span<const Row>(players),
                                            std::span<const Row>(deforming), std::span<const Row>(tools)})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return rows;
}

}  // namespace sinew::memory

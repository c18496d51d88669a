// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::khr_audio {

namespace {

constexpr std::string_view emitters_list = "KHR_audio_emitter/emitters", sources_list = "KHR_audio_emitter/sources",
                           audio_list = "KHR_audio_emitter/audio";

constexpr row::TableOf source_table{{row::of_list("audio", audio_list)}};
constexpr row::TableOf emitter_table{{row::indices_of_list("sources", sources_list)}};
constexpr row::TableOf emitter_root_table{{
    row::objects("audio", stored_table),
    row::objects("sources", source_table),
    row::objects("emitters", emitter_table),
}};
constexpr row::TableOf emitter_node_table{{row::of_list("emitter", emitters_list)}};
constexpr row::TableOf emitter_scene_table{{row::indices_of_list("emitters", emitters_list)}};

constexpr row::TableOf heard_table{{row::of_list("audio", audio_list)}};
constexpr row::TableOf listener_table{{row::object("hrtf", heard_table)}};
constexpr row::TableOf reverberant_table{{row::object("reverb", heard_table)}};
constexpr row::TableOf environment_root_table{{
    row::objects("listeners", listener_table),
    row::objects("environments", reverberant_table),
}};
constexpr row::TableOf environment_node_table{{
    row::of_list("listener", "KHR_audio_environment/listeners"),
    row::of_list("environment", "KHR_audio_environment/environments"),
}};

// The nodes of a graph are its own.
constexpr row::TableOf input_table{{row::of_list("source", sources_list)}};
constexpr row::TableOf output_table{{row::of_list("emitter", emitters_list)}};
constexpr row::TableOf graph_table{{row::objects("inputs", input_table), row::objects("outputs", output_table)}};

constexpr Extension list[] = {
    {.name = "KHR_audio_emitter",
     .places = {{.holder = &root_table, .object = &emitter_root_table},
                {.holder = &node_table, .object = &emitter_node_table},
                {.holder = &scene_table, .object = &emitter_scene_table}}},
    {.name = "KHR_audio_environment",
     .places = {{.holder = &root_table, .object = &environment_root_table},
                {.holder = &node_table, .object = &environment_node_table},
                {.holder = &scene_table, .object = &environment_node_table}}},
    {.name = "KHR_audio_graph", .places = {{.holder = &root_table, .object = &graph_table}}, .one_per_file = true},
    {.name = "KHR_audio_*"},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_audio

// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::khr_techniques_webgl {

namespace {

constexpr std::string_view shaders_list = "KHR_techniques_webgl/shaders";
constexpr row::TableOf program_table{{row::of_list("fragmentShader", shaders_list), row::of_list("vertexShader", shaders_list)}};
constexpr row::TableOf uniform_table{{row::index("node", Reference::node)}};
constexpr Property uniform_row = row::loose(row::object("", uniform_table));
constexpr Table uniforms_table{.others = &uniform_row};
constexpr row::TableOf technique_table{{
    row::of_list("program", "KHR_techniques_webgl/programs"),
    row::object("uniforms", uniforms_table),
}};
constexpr row::TableOf techniques_table{{
    row::objects("programs", program_table),
    row::objects("shaders", stored_table),
    row::objects("techniques", technique_table),
}};
constexpr Property value_row = row::loose(row::object("", texture_info_table));
constexpr Table values_table{.others = &value_row};
constexpr row::TableOf used_table{{row::of_list("technique", "KHR_techniques_webgl/techniques"), row::object("values", values_table)}};

constexpr Extension list[] = {
    {.name = "KHR_techniques_webgl",
     .effect = moves,
     .places = {{.holder = &root_table, .object = &techniques_table}, {.holder = &material_table, .object = &used_table}}},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_techniques_webgl

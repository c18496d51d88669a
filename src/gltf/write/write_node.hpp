// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "document/json_writer.hpp"
#include "gltf/write/write_carried.hpp"

#include "sinew/model.hpp"

namespace sinew::gltf {

/// The members nodes, scenes and scene. `mesh_places`: of every mesh of the model in the file, or none.
void write_nodes(JsonWriter& json, const Model& model, const std::vector<Index>& mesh_places, Carried& carried,
                 std::vector<std::string>& notes);
void write_scenes(JsonWriter& json, const Model& model, Carried& carried);

}  // namespace sinew::gltf

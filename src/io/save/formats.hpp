// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/save/gltf_file.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::io {

// One writer per format; save.cpp lists them. `notes` receives a line for everything that the user of the file should know. Preconditions:
// the model is static, its vertices are in world space (operations::bake), and its dimension is 3, except for .off, .npy and G4MF. Surfaces
// have no values per corner if the list has `made_vertices` for the format.

[[nodiscard]] Result<> save_npy(const Model& model, const Target& to, std::vector<std::string>& notes);
[[nodiscard]] Result<> save_ply(const Model& model, const Target& to, std::vector<std::string>& notes);
[[nodiscard]] Result<> save_obj(const Model& model, const Target& to, std::vector<std::string>& notes);
[[nodiscard]] Result<> save_off(const Model& model, const Target& to, std::vector<std::string>& notes);
[[nodiscard]] Result<> save_glb(const Model& model, const Target& to, std::vector<std::string>& notes);
[[nodiscard]] Result<> save_gltf(const Model& model, const Target& to, std::vector<std::string>& notes);
[[nodiscard]] Result<> save_g4b(const Model& model, const Target& to, std::vector<std::string>& notes);
[[nodiscard]] Result<> save_g4tf(const Model& model, const Target& to, std::vector<std::string>& notes);

}  // namespace sinew::io

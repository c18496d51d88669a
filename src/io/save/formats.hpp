// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::io {

// One writer per format; save.cpp lists them. `notes` receives a line for everything that the reader of the file should know about it.
// Preconditions: the model is static, its vertices stand in world space (operations::bake); but for .off, .npy and G4MF its dimension is 3.
// Without `made_vertices` in the list surfaces may have values per corner.

[[nodiscard]] Result<> save_npy(const Model& model, const std::filesystem::path& path, std::vector<std::string>& notes);
[[nodiscard]] Result<> save_ply(const Model& model, const std::filesystem::path& path, std::vector<std::string>& notes);
[[nodiscard]] Result<> save_obj(const Model& model, const std::filesystem::path& path, std::vector<std::string>& notes);
[[nodiscard]] Result<> save_off(const Model& model, const std::filesystem::path& path, std::vector<std::string>& notes);
[[nodiscard]] Result<> save_glb(const Model& model, const std::filesystem::path& path, std::vector<std::string>& notes);
[[nodiscard]] Result<> save_gltf(const Model& model, const std::filesystem::path& path, std::vector<std::string>& notes);
[[nodiscard]] Result<> save_g4b(const Model& model, const std::filesystem::path& path, std::vector<std::string>& notes);
[[nodiscard]] Result<> save_g4tf(const Model& model, const std::filesystem::path& path, std::vector<std::string>& notes);

}  // namespace sinew::io

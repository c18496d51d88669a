// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "sinew/asset_info.hpp"
#include "sinew/document.hpp"
#include "sinew/load.hpp"
#include "sinew/model.hpp"

namespace sinew::io {

/// The formats that files are told apart by; `unknown`: none of them.
enum class Format : std::uint8_t { unknown, gltf, g4mf };

/// What is known of a file after every rule of its format was looked at.
struct Checked {
  Format format = Format::unknown;
  document::Container container = document::Container::json;
  std::shared_ptr<const document::Document> document;  ///< null: the container or the JSON text is broken
  std::optional<Model> model;                          ///< nothing: no model could be made of it
  std::optional<AssetInfo> info;                       ///< nothing: the file is not one of a known version
};

/// Opens a file and checks every rule of its format; findings go to `sink` in the order in which they are met. The error is for files
/// that cannot be opened, or exceed a limit: a broken file is no error but has findings.
[[nodiscard]] Result<Checked> check(const std::filesystem::path& path, const LoadOptions& options, FindingSink& sink);

}  // namespace sinew::io

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/finding.hpp"
#include "sinew/result.hpp"

namespace sinew::document {

/// What a container holds, not yet parsed.
struct Contents {
  std::string_view json;
  std::uint64_t json_offset = 0;  ///< of the text in the container
  std::vector<Bytes> chunks;      ///< binary chunks
  std::optional<Finding> cut;     ///< the file ends before the container does
};

/// By the first bytes; where they say nothing, by the extension of `path`. One file per container reads it: glb.cpp.
[[nodiscard]] Container detect(std::span<const std::byte> bytes, const std::filesystem::path& path);

/// Whether the extension promises binary glTF (.glb, .vrm).
[[nodiscard]] bool has_glb_extension(const std::filesystem::path& path);

/// Binary glTF (glTF 2.0, "GLB File Format Specification"). What is out of order but can be told apart is a finding; an error is
/// returned where no JSON text is left, and is in `sink` too.
[[nodiscard]] Result<Contents> read_glb(const Bytes& file, FindingSink& sink);

}  // namespace sinew::document

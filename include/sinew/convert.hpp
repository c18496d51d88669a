// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "sinew/document.hpp"
#include "sinew/finding.hpp"
#include "sinew/result.hpp"

namespace sinew::io {

/// How buffers are stored in the new file.
enum class Compression : std::uint8_t {
  keep,  ///< each as in the old one
  none,
  zstd
};

struct ConvertOptions {
  document::OpenOptions open;
  Compression compression = Compression::keep;
};

/// Writes a G4MF file in the container that the extension of `to` names: .g4tf holds its buffers in data URIs, .g4b in chunks. The JSON
/// stays byte for byte but for the buffers' objects, the content of buffers too, and chunks that no buffer uses follow the others. What
/// the new file cannot hold goes to `losses`, findings about the old one to `sink`. The file appears whole or not at all.
/// Failure::usage: an unknown extension; Failure::unsupported: a conversion from or to another format.
[[nodiscard]] Result<> convert(const std::filesystem::path& from, const std::filesystem::path& to, const ConvertOptions& options,
                               FindingSink& sink, FindingSink& losses);

/// Writes losses as a JSON array of objects {"pointer", "what"}.
[[nodiscard]] Result<> save_losses(std::span<const Finding> losses, const std::filesystem::path& path);

}  // namespace sinew::io

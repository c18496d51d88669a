// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

// Extraction: rigs as arrays.

struct ExtractOptions {
  Index scene = none;  ///< none: the default one
  double fps = 30;     ///< frames per second of clips, from 0 as long as the clip lasts; more than 0
  std::uint64_t most_bytes = std::uint64_t{8} << 30;
  OutputName name = OutputName::given;
};

/// The contents of a file that extract has written.
struct Extracted {
  std::size_t vertices = 0, joints = 0, shapes = 0, clips = 0, frames = 0;
  std::uint64_t bytes = 0;
};

/// Writes the rig of a scene as arrays, a NumPy `.npz` file (docs/datasets.md lists them). Vertex v at a frame is Σ weight · joint_world ·
/// inverse_bind · (position + Σ amount · offset), for column vectors with a 1 at the end. This equals the result of deform up to the
/// rounding of float32. Clips with a defect are left out. The file appears whole or not at all. Fails like deforming the model;
/// Failure::limit also for arrays of more than `most_bytes`.
[[nodiscard]] Result<Extracted> extract(const Model& model, const std::filesystem::path& to, const ExtractOptions& options = {});

}  // namespace sinew::operations

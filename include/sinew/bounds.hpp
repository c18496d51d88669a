// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "sinew/convert.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

// Bounds: boxes that contain a model in every pose of its clips.

/// The poses that the boxes cover.
struct BoundsOptions {
  Index scene = none;                                                   ///< none: the default one
  std::optional<std::vector<Index>> clips = std::nullopt;               ///< nothing: all clips
  std::optional<std::pair<double, double>> blend_range = std::nullopt;  ///< every blend amount takes all values from the first to the
                                                                        ///< second; nothing: amounts as stored and animated
  double slack = 0.01;   ///< how far a side may lie outside the space that the vertices reach, relative to the diagonal; more than 0
  unsigned threads = 0;  ///< 0 = all cores; the result does not depend on it
  std::function<void(std::size_t done, std::size_t total)> progress = {};  ///< may be empty
};

/// An axis-aligned box: N numbers each, or none if the box contains nothing.
struct Box {
  std::vector<float> min, max;

  [[nodiscard]] bool empty() const { return min.empty(); }
  friend bool operator==(const Box&, const Box&) = default;
};

/// The space that the vertices reach. All boxes except those of joints are in world space.
struct Bounds {
  struct OfClip {
    Index clip = none;
    Box box;
    std::vector<Box> instances;  ///< as Bounds::instances
    std::vector<bool> shown;     ///< of each instance: whether the clip shows it at some time. `box` contains only these
  };
  struct OfInstance {
    Index node = none;
    Index copy = 0;              ///< as in Instance
    bool shown = true;           ///< whether the stored state or a clip shows it at some time
    Box box;                     ///< over the stored pose and the clips, shown or not
    std::vector<double> center;  ///< centre of a ball that contains the same vertices: N numbers, or none
    double radius = 0;
  };
  struct OfJoint {
    Index node = none;
    Box box;  ///< in the joint's space
  };
  std::size_t dimension = 0;
  Box all;   ///< over the stored pose and the clips: `rest` and the boxes of `clips`
  Box rest;  ///< of the stored pose: what the stored state shows
  std::vector<OfClip> clips;
  std::vector<OfInstance> instances;  ///< as sinew::instances
  std::vector<OfJoint> joints;        ///< all joints of used skins, ascending
};

/// Computes boxes that contain every vertex at every time of the clips, also between keys: all float32 results of deform lie inside (proof:
/// docs/bounds.md). No side lies further outside than the slack plus the rounding of float32. The exception is a spline of rotations that
/// passes through zero, where the rotation jumps.
///
/// The box of a joint contains `joint_from_mesh · v` for all vertices with a weight for it, for the stored blend amounts or the whole
/// range. Fails like deforming the model. Failure::input also for boxes that overflow float32, Failure::usage for invalid options.
[[nodiscard]] Result<Bounds> bounds(const Model& model, const BoundsOptions& options = {});

/// How boxes are stored in a file.
struct StoreBoundsOptions : EditOptions {
  /// Which scene and clips, and how tight: asked once, with the loaded model; an error ends the operation. Empty: the defaults.
  std::function<Result<BoundsOptions>(const Model&)> poses;
  bool volumes = false;  ///< also as bounding volumes of nodes: the file is then glTF 2.1 (draft), and older programs may still read it
};

/// Writes a glTF file with its boxes for other programs (docs/SINEW_bounds.md), which replace boxes that it has. Nothing else changes.
/// A volume stands in the space of its node; a node with a skin gets one only if no clip moves it. `changes` gets what is left out.
/// Failure::unsupported: not a glTF file; otherwise as repair.
[[nodiscard]] Result<Written> store_bounds(const std::filesystem::path& from, const std::filesystem::path& to,
                                           const StoreBoundsOptions& options, FindingSink& sink, FindingSink& changes);

}  // namespace sinew::operations

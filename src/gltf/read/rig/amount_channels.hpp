// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "gltf/read/reader.hpp"

namespace sinew::gltf {

/// A channel that sets amounts of blend shapes: of a node, or of all nodes that show a mesh and have no amounts of their own.
struct AmountChannel {
  Index node = none, mesh = none;  ///< one of them
  Index shape = none;              ///< none: all shapes
  Track samples;                   ///< its keys, with one row per key for a single shape. The node is not set
};

/// Adds one track for each node that the channels of a clip move. What a node's own channels set counts before its stored amounts, these
/// before what channels of its mesh set; among channels for one amount the last one counts. Amounts that several channels set get a track
/// with the keys of all of them, which has the same values at all times; jumps become two keys of one time. Precondition: each channel fits
/// its mesh.
[[nodiscard]] Checked<> join_amount_channels(Reader& reader, const std::vector<AmountChannel>& channels, Clip& clip);

}  // namespace sinew::gltf

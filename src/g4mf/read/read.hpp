// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "document/schema/object.hpp"

#include "sinew/document.hpp"
#include "sinew/model.hpp"

namespace sinew::g4mf {

struct ReadOptions {
  // As io::LoadOptions.
  bool force = false;
  std::optional<Revision> revision;
};

/// Reads a G4MF document of any revision into a model. Lenient, as the glTF reader: what cannot be used is kept with a defect, which is
/// also a finding at the place that causes it; what it refers to stays in range. A node that names a missing mesh gets an empty mesh with
/// a defect, appended to the file's own. Refused: what has no usable asset.dimension, and files that require an
/// extension. The scene is what descends from node 0. Skins are made of skeletons: one for every node with a skinned mesh that is a child
/// of a skeleton node, in ascending order of the mesh nodes.
[[nodiscard]] Result<Model> read(std::shared_ptr<const document::Document> document, FindingSink& sink, const ReadOptions& options = {});

}  // namespace sinew::g4mf

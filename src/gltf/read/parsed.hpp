// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "gltf/read/rig/nodes.hpp"

namespace sinew::gltf {

/// A document while it is read: the model, and the views of the document from which it is made.
struct Parsed {
  Parsed(const Document& document, FindingSink& sink) : reader(document, sink, model) {}

  Model model;
  Reader reader;
  std::optional<Buffers> buffers;
  std::optional<Accessors> accessors;
  std::optional<Nodes> nodes;
};

/// Reads the root object and the asset. Refuses files that are not glTF 2.
[[nodiscard]] Result<> parse_asset(Parsed& parsed);
/// Reads everything else. Precondition: parse_asset succeeded.
[[nodiscard]] Result<> parse_contents(Parsed& parsed);

}  // namespace sinew::gltf

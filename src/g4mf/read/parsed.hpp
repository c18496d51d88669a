// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "g4mf/schema/data/accessors.hpp"

namespace sinew::g4mf {

/// A document while it is read: the model, and the views of the document from which it is made.
struct Parsed {
  Parsed(const Document& document, FindingSink& sink, const ReadOptions& options) : reader(document, sink, model, options) {}

  Model model;
  Reader reader;
  std::optional<Buffers> buffers;
  std::optional<Accessors> accessors;
};

/// Reads the root object and the asset. Refuses files without a usable asset.dimension.
[[nodiscard]] Result<> parse_asset(Parsed& parsed);
/// Reads everything else. Precondition: parse_asset succeeded.
[[nodiscard]] Result<> parse_contents(Parsed& parsed);

}  // namespace sinew::g4mf

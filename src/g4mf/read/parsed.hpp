// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "g4mf/read/accessors.hpp"

namespace sinew::g4mf {

/// A document as reading takes it: the model, and the views of the document that the model is made from.
struct Parsed {
  Parsed(const document::Document& document, Checks checks, FindingSink& sink, const ReadOptions& options)
      : reading(document, checks, sink, model, options) {}

  Model model;
  Reading reading;
  std::optional<Buffers> buffers;
  std::optional<Accessors> accessors;
};

/// Refuses what has no usable asset.dimension.
[[nodiscard]] Result<> parse(Parsed& parsed);

}  // namespace sinew::g4mf

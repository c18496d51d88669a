// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::test {

/// An attribute with a packed row of `width` numbers per vertex or corner.
inline Attribute attribute(Semantic semantic, std::vector<float> values, std::size_t width) {
  Attribute made;
  made.semantic = semantic;
  made.values = Array::own(std::move(values), width);
  return made;
}

}  // namespace sinew::test

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <iterator>

#include "sinew/result.hpp"

namespace sinew {

namespace {

// The rows of the catalogue again, for their explanations (base/catalogue.hpp).
constexpr auto explanations = std::to_array<Explanation>({
#define SINEW_FINDING(code, severity, message, formats, source, why, mend, ...) {code, formats, why, mend, source, __VA_ARGS__},
#include "base/catalogue/avatar.inc"
#include "base/catalogue/common.inc"
#include "base/catalogue/edit.inc"
#include "base/catalogue/g4mf.inc"
#include "base/catalogue/gltf.inc"
#include "base/catalogue/model.inc"
#undef SINEW_FINDING
});
static_assert(std::ranges::none_of(explanations, [](const Explanation& row) {
  return row.formats.empty() || row.why.empty() || row.mend.empty() || row.source.empty();
}));

}  // namespace

const Explanation* explain(std::string_view code) noexcept {
  const auto row = std::ranges::find(explanations, code, &Explanation::code);
  return row == std::end(explanations) ? nullptr : &*row;
}

}  // namespace sinew

// SPDX-License-Identifier: MIT
#include "hyperplanes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "command.hpp"
#include "console/number.hpp"

#include "sinew/slice.hpp"

namespace app {

namespace {

sinew::Unexpected wrong(std::string_view text, std::string_view why) {
  return sinew::Unexpected(usage_error(fmt::format("\"{}\": {}", text, why)));
}

}  // namespace

sinew::Result<std::vector<sinew::operations::AxisCut>> parse_cuts(const std::vector<std::string>& texts) {
  std::vector<sinew::operations::AxisCut> cuts;
  for (const std::string_view text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos || equals == 0) return wrong(text, "expected AXIS=OFFSET, for example w=0.3");
    const std::string_view number = text.substr(equals + 1);
    const auto offset = number_in<double>(number);
    if (!offset) return wrong(text, fmt::format("\"{}\" is not a finite number", number));
    cuts.push_back({std::string(text.substr(0, equals)), *offset});
  }
  return cuts;
}

sinew::Result<std::vector<sinew::operations::Hyperplane>> parse_hyperplanes(const std::vector<std::string>& texts, std::size_t dimension) {
  const auto cuts = parse_cuts(texts);
  if (!cuts) return sinew::Unexpected(cuts.error());
  return sinew::operations::hyperplanes_across(*cuts, dimension);
}

}  // namespace app

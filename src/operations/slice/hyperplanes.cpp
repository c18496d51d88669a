// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/number.hpp"
#include "math/axis_letters.hpp"

#include "sinew/slice.hpp"

namespace sinew::operations {

namespace {

std::optional<std::size_t> axis_of(std::string_view name) {
  if (name.size() == 1) {
    const char lower = name[0] >= 'A' && name[0] <= 'Z' ? static_cast<char>(name[0] - 'A' + 'a') : name[0];
    if (const std::size_t place = axis_letters.find(lower); place != axis_letters.npos) return place;
  }
  return number_in<std::size_t>(name);
}

std::string axes_of(std::size_t dimension) {
  std::string list;
  for (std::size_t axis = 0; axis < dimension; ++axis) {
    if (axis != 0) list += ' ';
    if (axis < axis_letters.size())
      list += axis_letters[axis];
    else
      list += std::to_string(axis);
  }
  return list;
}

Unexpected wrong(const AxisCut& cut, std::string_view why) {
  return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, format_text("\"{}={}\": {}", cut.axis, cut.offset, why)));
}

}  // namespace

Result<std::vector<Hyperplane>> hyperplanes_across(std::span<const AxisCut> cuts, std::size_t dimension) SINEW_TRY {
  std::vector<Hyperplane> planes;
  std::vector<std::size_t> done;
  for (const AxisCut& cut : cuts) {
    const auto axis = axis_of(cut.axis);
    if (!axis || *axis >= dimension) return wrong(cut, format_text("the model has the axes {}", axes_of(dimension)));
    if (!std::isfinite(cut.offset)) return wrong(cut, "the offset is not finite");
    if (std::ranges::find(done, *axis) != done.end()) return wrong(cut, "an earlier cut already uses this axis");
    if (done.size() + 1 == dimension) return wrong(cut, "the cuts would remove all dimensions");
    const auto before = static_cast<std::size_t>(std::ranges::count_if(done, [&](std::size_t other) { return other < *axis; }));
    planes.push_back({*axis - before, cut.offset, {}});
    done.push_back(*axis);
  }
  return planes;
}
SINEW_CATCH()

}  // namespace sinew::operations

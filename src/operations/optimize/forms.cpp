// SPDX-License-Identifier: MIT
#ifdef SINEW_USE_MESHOPT
#include "operations/optimize/forms.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "operations/optimize/attribute_errors.hpp"
#include "operations/optimize/meshopt_encode.hpp"

namespace sinew::operations {

namespace {

constexpr std::uint64_t int8 = 5120, int16 = 5122, uint16 = 5123;

/// Returns the largest angle between rows of four numbers, in degrees; too large if a sign of the bitangent changes.
double angle_apart(std::span<const float> a, std::span<const float> b) {
  const std::vector<double> from(a.begin(), a.end()), to(b.begin(), b.end());
  for (std::size_t i = 3; i < from.size(); i += 4)
    if (std::abs(from[i] - to[i]) > 0.01) return 360;
  return degrees(largest_angle(from, to, 4));
}

/// Returns whether all rows have a direction.
bool have_directions(std::span<const float> values) {
  constexpr float least = 0.01F;
  for (std::size_t i = 0; i + 4 <= values.size(); i += 4)
    if (std::abs(values[i]) + std::abs(values[i + 1]) + std::abs(values[i + 2]) < least) return false;
  return true;
}

template <class T>
void shift_row(std::byte* row, int x, int y) {
  T numbers[2];
  std::memcpy(numbers, row, sizeof numbers);
  numbers[0] = static_cast<T>(numbers[0] + x);
  numbers[1] = static_cast<T>(numbers[1] + y);
  std::memcpy(row, numbers, sizeof numbers);
}

/// Replaces filtered rows that lie further away than `limit` by a neighbour that is nearer.
void refine(std::span<const float> values, std::span<std::byte> rows, std::span<std::byte> seen, std::size_t step, double limit) {
  constexpr std::size_t around = 9;
  const std::size_t component = step / 4;
  for (std::size_t row = 0; row < rows.size() / step; ++row) {
    const auto from = values.subspan(row * 4, 4);
    const auto own = rows.subspan(row * step, step), own_seen = seen.subspan(row * step, step);
    double best = angle_apart(from, meshopt::reals_of(own_seen, component));
    if (best <= limit) continue;
    std::vector<std::byte> tried;
    for (std::size_t i = 0; i < around; ++i) {
      tried.insert(tried.end(), own.begin(), own.end());
      const int x = static_cast<int>(i % 3) - 1, y = static_cast<int>(i / 3) - 1;
      component == 1 ? shift_row<std::int8_t>(&tried[i * step], x, y) : shift_row<std::int16_t>(&tried[i * step], x, y);
    }
    const std::vector<std::byte> tried_seen = meshopt::undone_octahedral(tried, step);
    const std::vector<float> numbers = meshopt::reals_of(tried_seen, component);
    for (std::size_t i = 0; i < around; ++i) {
      const double angle = angle_apart(from, std::span(numbers).subspan(i * 4, 4));
      if (!(angle < best)) continue;
      best = angle;
      std::copy_n(&tried[i * step], step, own.begin());
      std::copy_n(&tried_seen[i * step], step, own_seen.begin());
    }
    if (best > limit) return;  // more bits are necessary
  }
}

/// Returns the octahedral form with the fewest bits.
std::optional<Form> octahedral(std::span<const float> values, std::size_t step, std::uint64_t component, double limit) {
  constexpr int least_bits = 4;
  Form form{std::vector<std::byte>(values.size() / 4 * step), step, component, "OCTAHEDRAL"};
  for (int bits = least_bits; bits <= static_cast<int>(step * 2); ++bits) {
    std::vector<std::byte> seen = meshopt::filter_octahedral(values, form.rows, step, bits);
    refine(values, form.rows, seen, step, limit);
    form.errors.normal = angle_apart(values, meshopt::reals_of(seen, step / 4));
    if (form.errors.normal <= limit) return form;
  }
  return std::nullopt;
}

std::optional<Form> in_8_bits(std::span<const float> values, double limit) {
  constexpr float whole = 127;
  Form form{std::vector<std::byte>(values.size()), 4, int8};
  for (std::size_t i = 0; i < values.size(); ++i)
    form.rows[i] = static_cast<std::byte>(static_cast<std::int8_t>(std::lround(values[i] * whole)));
  form.errors.normal = angle_apart(values, meshopt::reals_of(form.rows, 1));
  return form.errors.normal <= limit ? std::optional(std::move(form)) : std::nullopt;
}

}  // namespace

std::vector<Form> direction_forms(std::span<const std::byte> rows, std::uint64_t component, double angle) {
  std::vector<Form> forms;
  const std::vector<float> values = meshopt::reals_of(rows, component == int8 ? 1 : 2);
  const auto add = [&](std::optional<Form> form) {
    if (form) forms.push_back(std::move(*form));
  };
  if (component == int16) add(in_8_bits(values, angle));
  if (!have_directions(values)) return forms;
  add(octahedral(values, 4, int8, angle));
  if (component == int16) add(octahedral(values, 8, int16, angle));
  return forms;
}

std::vector<Form> grid_forms(const PackedView& view, std::span<const std::byte> rows,
                             const std::function<double(const PackedView::Rows&)>& limit_of) {
  Form form{std::vector<std::byte>(rows.begin(), rows.end()), view.step, 0, "EXPONENTIAL"};
  form.seen = form.rows;
  for (const PackedView::Rows& part : view.parts) {
    const double limit = limit_of(part);
    const std::size_t size = part.count * view.step;
    if (!(limit > 0) || !std::isfinite(limit)) return {};
    const auto own = std::span(form.rows).subspan(part.offset, size);
    std::ranges::copy(rows.subspan(part.offset, size), own.begin());
    const auto seen = meshopt::filter_grid(own, static_cast<int>(std::floor(std::log2(2 * limit))));
    if (!seen) return {};
    std::ranges::copy(*seen, form.seen.begin() + static_cast<std::ptrdiff_t>(part.offset));
  }
  return {std::move(form)};
}

Form calm_offsets(std::span<const std::byte> rows, double angle) {
  constexpr double whole = 127;
  const double limit = radians(angle) * whole;  // in units of the integers
  Form form{std::vector<std::byte>(rows.begin(), rows.end()), 4, int8};
  double largest = 0;
  int last[3] = {};
  for (std::size_t at = 0; at + 4 <= rows.size(); at += 4) {
    int own[3], squares = 0, moved = 0;
    for (std::size_t i = 0; i < 3; ++i) own[i] = static_cast<std::int8_t>(rows[at + i]), squares += own[i] * own[i];
    if (squares <= limit * limit) {
      moved = squares;
      std::ranges::fill(own, 0);
    } else {
      for (std::size_t i = 0; i < 3; ++i)
        if (own[i] != last[i] && moved + 1 <= limit * limit) ++moved, own[i] += own[i] < last[i] ? 1 : -1;
    }
    largest = std::max(largest, std::sqrt(moved));
    for (std::size_t i = 0; i < 3; ++i) last[i] = own[i], form.rows[at + i] = static_cast<std::byte>(own[i]);
  }
  form.errors.normal_offset = degrees(largest / whole);
  return form;
}

Form widened(std::span<const std::byte> rows) {
  Form form{std::vector<std::byte>(rows.size() * 2), 2, uint16};
  for (std::size_t i = 0; i < rows.size(); ++i) form.rows[2 * i] = rows[i];
  return form;
}

}  // namespace sinew::operations
#endif

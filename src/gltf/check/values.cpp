// SPDX-License-Identifier: MIT
#include "gltf/check/values.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "base/parallel.hpp"
#include "gltf/read/accessors.hpp"
#include "kernels/scan.hpp"
#include "model/narrowed.hpp"

namespace sinew::gltf {

namespace {

// The allowed difference of a length from 1: that of the Khronos validator for vectors and for quaternions of bytes.
constexpr double vector_tolerance = 0.00674;
constexpr double quaternion_tolerance = 0.00769;
// Per weight that is not zero.
constexpr double weight_tolerance = 2e-7;

constexpr std::size_t block_rows = 512;

/// What a scan looks for.
enum class Rule : std::uint8_t { unit_vector, quaternion, sign, clamped, keys, in_range, restart, degenerate, influences };

std::uint64_t key_of(Rule rule, std::uint64_t parameter = 0) { return (parameter << 8U) | static_cast<std::uint64_t>(rule); }

/// Calls `report(row, values)` for each row for which `passes(values)` is false, with its values as doubles. `all()` may find out quickly
/// whether all pass. Values that several objects share are scanned once. Returns whether all rows pass.
template <class All, class Passes, class Report>
bool check_rows(Checker& checker, Rule rule, const Array& values, const All& all, const Passes& passes, const Report& report) {
  if (checker.sink().full()) return true;  // nothing more is reported
  const std::size_t width = values.width(), most = checker.document().options().limits.findings;
  const Checker::Numbers& failed = checker.scans().of(values, key_of(rule), [&] {
    Checker::Numbers rows;
    if (all()) return rows;
    std::vector<double> block(std::min(block_rows, values.size()) * width);
    for (std::size_t first = 0; first < values.size() && rows.size() < most; first += block_rows) {
      const std::size_t count = std::min(block_rows, values.size() - first);
      values.read(first, count, block.data());
      for (std::size_t i = 0; i < count; ++i)
        if (!passes(block.data() + i * width)) rows.push_back(first + i);
    }
    return rows;
  });
  std::vector<double> row_values(width);
  for (const std::uint64_t row : failed) {
    if (checker.sink().full()) break;
    values.read(row, 1, row_values.data());
    report(static_cast<std::size_t>(row), row_values.data());
  }
  return failed.empty();
}

constexpr auto unknown = [] { return false; };

using kernels::square_of, kernels::UnitTest;

// Whether the first `count` components of every row make a vector of unit length, found out on all cores.
template <std::size_t count>
bool are_unit(const UnitTest& unit, const Array& values) {
  constexpr std::size_t grain = 32 * block_rows;
  std::atomic<bool> all = true;
  parallel_for(values.size(), grain, 0, [&](std::size_t first, std::size_t last) {
    if (values.holds<float>()) {
      if (!kernels::are_unit<count>(unit, values.view<float>().rows(first, last - first))) all = false;
      return;
    }
    std::array<double, 4 * block_rows> block;
    for (; first < last; first += block_rows) {
      const std::size_t rows = std::min(block_rows, last - first);
      values.read(first, rows, block.data());
      if (!kernels::are_unit<count>(unit, strided_view<const double>(block.data(), rows, values.width()))) all = false;
    }
  });
  return all;
}

// Calls `report(row, length)` for each row whose first `count` components are no unit vector. Returns whether there is none.
template <std::size_t count, class Report>
bool check_unit(Checker& checker, Rule rule, const UnitTest& unit, const Array& values, const Report& report) {
  return check_rows(
      checker, rule, values, [&] { return are_unit<count>(unit, values); },
      [&](const double* vector) { return unit.passes(square_of<count>(vector)); },
      [&](std::size_t row, const double* vector) { report(row, std::sqrt(square_of<count>(vector))); });
}

}  // namespace

Array middle_values(const Array& values) {
  return Array::borrow(values.data() + values.stride(), (values.size() + 1) / 3, values.width(), 3 * values.stride(), values.type(),
                       values.normalized(), values.owner());
}

bool check_unit_vectors(Checker& checker, JsonValue at, const Array& values) {
  return check_unit<3>(checker, Rule::unit_vector, UnitTest(vector_tolerance), values, [&](std::size_t row, double length) {
    checker.report("ACCESSOR_VECTOR3_NON_UNIT"_code, {std::abs(length - 1), "vectors"}, at, row, length);
  });
}

bool check_signs(Checker& checker, JsonValue at, const Array& values) {
  return check_rows(
      checker, Rule::sign, values, unknown, [](const double* v) { return v[3] == 1 || v[3] == -1; },
      [&](std::size_t row, const double* v) { checker.report("ACCESSOR_INVALID_SIGN"_code, at, row, v[3]); });
}

bool check_clamped(Checker& checker, JsonValue at, const Array& values) {
  const auto is_off = [](double value) { return value < 0 || value > 1; };
  return check_rows(
      checker, Rule::clamped, values, unknown, [&](const double* v) { return std::ranges::none_of(std::span(v, values.width()), is_off); },
      [&](std::size_t row, const double* v) {
        for (const double value : std::span(v, values.width()))
          if (is_off(value)) checker.report("ACCESSOR_NON_CLAMPED"_code, {std::max(-value, value - 1), "values"}, at, row, value);
      });
}

bool check_quaternions(Checker& checker, JsonValue at, const Array& values, bool cubic) {
  const Array rotations = cubic ? middle_values(values) : values;
  return check_unit<4>(checker, Rule::quaternion, UnitTest(quaternion_tolerance), rotations, [&](std::size_t i, double length) {
    const std::size_t row = cubic ? 3 * i + 1 : i;
    checker.report("ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION"_code, {std::abs(length - 1), "rotations"}, at, row,
                   length);
  });
}

// A negative key is reported only as negative: the next key is compared with the last one that is not negative.
bool check_keys(Checker& checker, JsonValue at, const Array& values) {
  double last = -1;
  const auto passes = [&last](const double* key) {
    if (*key < 0) return false;
    const bool increases = last < 0 || !(*key <= last);
    last = *key;
    return increases;
  };
  return check_rows(checker, Rule::keys, values, unknown, passes, [&](std::size_t row, const double* key) {
    if (*key < 0)
      checker.report("ACCESSOR_ANIMATION_INPUT_NEGATIVE"_code, at, *key);
    else
      checker.report("ACCESSOR_ANIMATION_INPUT_NON_INCREASING"_code, at, row);
  });
}

namespace {

/// Calls `report(place, index)` for each index for which `passes(index)` is false.
template <class Passes, class Report>
void check_indices(Checker& checker, std::uint64_t rule, const Array& indices, const Passes& passes, const Report& report) {
  if (checker.sink().full()) return;
  const std::size_t most = checker.document().options().limits.findings;
  with_unsigned(indices, [&](auto view) {
    const Checker::Numbers& failed = checker.scans().of(indices, rule, [&] {
      Checker::Numbers places;
      for (std::size_t i = 0; i < view.size() && places.size() < most; ++i)
        if (!passes(view[i][0])) places.push_back(i);
      return places;
    });
    for (const std::uint64_t place : failed)
      if (!checker.sink().full()) report(static_cast<std::size_t>(place), std::uint32_t{view[static_cast<std::size_t>(place)][0]});
  });
}

}  // namespace

void check_vertex_indices(Checker& checker, JsonValue at, const Array& indices, std::size_t vertices) {
  check_indices(
      checker, key_of(Rule::in_range, vertices), indices, [&](std::uint32_t index) { return index < vertices; },
      [&](std::size_t place, std::uint32_t index) { checker.report("ACCESSOR_INDEX_OOB"_code, at, place, index, vertices); });
}

void check_restart(Checker& checker, JsonValue at, const Array& indices) {
  const std::uint32_t restart = largest_of(indices.type());
  check_indices(
      checker, key_of(Rule::restart), indices, [&](std::uint32_t index) { return index != restart; },
      [&](std::size_t place, std::uint32_t) { checker.report("ACCESSOR_INDEX_PRIMITIVE_RESTART"_code, at, place, restart); });
}

void check_degenerate(Checker& checker, JsonValue at, const Array& indices) {
  if (checker.sink().full()) return;
  constexpr std::size_t grain = 3 << 16;  // whole triangles
  const Checker::Numbers& counted = checker.scans().of(indices, key_of(Rule::degenerate), [&] {
    std::atomic<std::size_t> count = 0;
    with_unsigned(indices, [&](auto view) {
      parallel_for(view.size(), grain, 0,
                   [&](std::size_t first, std::size_t last) { count += kernels::count_degenerate(view.rows(first, last - first)); });
    });
    return Checker::Numbers{count.load()};
  });
  if (const auto count = static_cast<std::size_t>(counted.front()); count != 0)
    checker.report("ACCESSOR_INDEX_TRIANGLE_DEGENERATE"_code, at, count, indices.size() / 3);
}

namespace {

// Visits the vertices, and for each vertex component 0 of all sets, then component 1, and so on.
class InfluenceCheck {
 public:
  InfluenceCheck(Checker& checker, std::span<const InfluenceSet> sets, Index skin, std::size_t joints)
      : checker_(checker), sets_(sets), skin_(skin), joints_(joints), last_user_(joints), blocks_(sets.size()) {
    for (const InfluenceSet& set : sets) weights_.push_back(as_fractions(set.weights));
  }

  /// Returns the vertices that break a rule, at most about `most`.
  Checker::Numbers find(std::size_t most) {
    Checker::Numbers out;
    const std::size_t vertices = sets_.front().joints.size();
    for (std::size_t first = 0; first < vertices && out.size() < most; first += block_rows) {
      const std::size_t count = std::min(block_rows, vertices - first);
      read(first, count);
      for (std::size_t i = 0; i < count; ++i) {
        passes_ = true;
        vertex(first + i, i);
        if (!passes_) out.push_back(first + i);
      }
    }
    return out;
  }

  void report(const Checker::Numbers& vertices) {
    reports_ = true;
    last_user_.assign(joints_, 0);
    for (const std::uint64_t one : vertices) {
      if (checker_.sink().full()) return;
      read(static_cast<std::size_t>(one), 1);
      vertex(static_cast<std::size_t>(one), 0);
    }
  }

 private:
  struct Block {
    std::array<std::uint32_t, 4 * block_rows> joints;
    std::array<double, 4 * block_rows> weights;
  };

  void read(std::size_t first, std::size_t count) {
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      sets_[s].joints.read(first, count, blocks_[s].joints.data());
      weights_[s].read(first, count, blocks_[s].weights.data());
    }
  }

  void vertex(std::size_t vertex, std::size_t row) {
    float sum = 0;
    double tolerance = 0;
    for (std::size_t c = 0; c < 4; ++c)
      for (std::size_t s = 0; s < sets_.size(); ++s) {
        const std::uint32_t joint = blocks_[s].joints[row * 4 + c];
        const double weight = blocks_[s].weights[row * 4 + c];
        if (joint >= joints_) {
          passes_ = false;
          if (reports_) checker_.report("ACCESSOR_JOINTS_INDEX_OOB"_code, sets_[s].joints_at, vertex, joint, joints_, skin_);
        } else if (weight != 0) {
          if (!use(sets_[s], joint, vertex, c, weight)) continue;
          sum = static_cast<float>(sum + weight);
          tolerance += weight_tolerance;
        } else if (joint != 0) {
          passes_ = false;
          if (reports_) checker_.report("ACCESSOR_JOINTS_USED_ZERO_WEIGHT"_code, sets_[s].joints_at, vertex, c, joint);
        }
      }
    if (std::abs(double{sum} - 1) <= tolerance) return;
    passes_ = false;
    if (reports_)
      for (const InfluenceSet& set : sets_)
        checker_.report("ACCESSOR_WEIGHTS_NON_NORMALIZED"_code, {std::abs(double{sum} - 1), "vertices"}, set.weights_at, vertex, sum);
  }

  bool use(const InfluenceSet& set, std::uint32_t joint, std::size_t vertex, std::size_t component, double weight) {
    const bool again = last_user_[joint] == vertex + 1;
    last_user_[joint] = vertex + 1;
    passes_ &= !again && !(weight < 0);
    if (again && reports_) checker_.report("ACCESSOR_JOINTS_INDEX_DUPLICATE"_code, set.joints_at, vertex, component, joint);
    if (weight < 0 && reports_)
      checker_.report("ACCESSOR_WEIGHTS_NEGATIVE"_code, {-weight, "weights"}, set.weights_at, vertex, component, weight);
    return !again && !(weight < 0);
  }

  Checker& checker_;
  std::span<const InfluenceSet> sets_;
  Index skin_;
  bool passes_ = true, reports_ = false;
  std::size_t joints_;
  std::vector<std::size_t> last_user_;  // for each joint, the last vertex that it moves, plus one
  std::vector<Block> blocks_;
  std::vector<Array> weights_;
};

// Most primitives have one valid set of floats. This test finds them quickly, on all cores.
bool is_plain(const InfluenceSet& set, std::size_t joints) {
  if (!set.weights.holds<float>() || set.joints.type() == ComponentType::uint32) return false;
  constexpr std::size_t grain = 1 << 14;
  std::atomic<bool> plain = true;
  const auto run = [&]<class Joint>(strided_view<const Joint> slots) {
    const auto weights = set.weights.view<float>();
    parallel_for(slots.size(), grain, 0, [&](std::size_t first, std::size_t last) {
      if (!kernels::influences_are_plain(slots, weights, first, last, joints, static_cast<float>(weight_tolerance))) plain = false;
    });
  };
  if (set.joints.type() == ComponentType::uint8)
    run(set.joints.view<std::uint8_t>());
  else
    run(set.joints.view<std::uint16_t>());
  return plain;
}

}  // namespace

void check_influences(Checker& checker, std::span<const InfluenceSet> sets, Index skin, std::size_t joints) {
  if (checker.sink().full()) return;
  std::vector<ArrayKey> arrays;
  for (const InfluenceSet& set : sets) {
    arrays.emplace_back(set.joints);
    arrays.emplace_back(set.weights);
  }
  const std::size_t most = checker.document().options().limits.findings;
  const Checker::Numbers& failed = checker.scans().of(std::move(arrays), key_of(Rule::influences, joints), [&] {
    if (sets.size() == 1 && is_plain(sets.front(), joints)) return Checker::Numbers();
    return InfluenceCheck(checker, sets, skin, joints).find(most);
  });
  if (!failed.empty()) InfluenceCheck(checker, sets, skin, joints).report(failed);
}

}  // namespace sinew::gltf

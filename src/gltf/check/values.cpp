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

// Calls `passes(row, values)` for each row, with its values as doubles, until the sink accepts no more findings. Returns whether all pass.
template <class Passes>
bool all_pass(Checker& checker, const Array& values, Passes passes) {
  const std::size_t width = values.width();
  std::vector<double> block(std::min(block_rows, values.size()) * width);
  bool clean = true;
  for (std::size_t first = 0; first < values.size() && !checker.sink().full(); first += block_rows) {
    const std::size_t count = std::min(block_rows, values.size() - first);
    values.read(first, count, block.data());
    for (std::size_t i = 0; i < count; ++i) clean &= passes(first + i, block.data() + i * width);
  }
  return clean;
}

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
bool check_unit(Checker& checker, const UnitTest& unit, const Array& values, const Report& report) {
  if (are_unit<count>(unit, values)) return true;
  static_cast<void>(all_pass(checker, values, [&](std::size_t row, const double* vector) {
    const double square = square_of<count>(vector);
    if (!unit.passes(square)) report(row, std::sqrt(square));
    return true;
  }));
  return false;
}

}  // namespace

Array middle_values(const Array& values) {
  return Array::borrow(values.data() + values.stride(), (values.size() + 1) / 3, values.width(), 3 * values.stride(), values.type(),
                       values.normalized(), values.owner());
}

bool check_unit_vectors(Checker& checker, JsonValue at, const Array& values) {
  return check_unit<3>(checker, UnitTest(vector_tolerance), values, [&](std::size_t row, double length) {
    checker.report("ACCESSOR_VECTOR3_NON_UNIT"_code, {std::abs(length - 1), "vectors"}, at, row, length);
  });
}

bool check_signs(Checker& checker, JsonValue at, const Array& values) {
  return all_pass(checker, values, [&](std::size_t row, const double* v) {
    const bool passes = v[3] == 1 || v[3] == -1;
    if (!passes) checker.report("ACCESSOR_INVALID_SIGN"_code, at, row, v[3]);
    return passes;
  });
}

bool check_clamped(Checker& checker, JsonValue at, const Array& values) {
  return all_pass(checker, values, [&](std::size_t row, const double* v) {
    bool passes = true;
    for (const double value : std::span(v, values.width())) {
      if (!(value < 0 || value > 1)) continue;
      passes = false;
      checker.report("ACCESSOR_NON_CLAMPED"_code, {std::max(-value, value - 1), "values"}, at, row, value);
    }
    return passes;
  });
}

bool check_quaternions(Checker& checker, JsonValue at, const Array& values, bool cubic) {
  const Array rotations = cubic ? middle_values(values) : values;
  return check_unit<4>(checker, UnitTest(quaternion_tolerance), rotations, [&](std::size_t i, double length) {
    const std::size_t row = cubic ? 3 * i + 1 : i;
    checker.report("ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION"_code, {std::abs(length - 1), "rotations"}, at, row,
                   length);
  });
}

// A negative key is reported only as negative: the next key is compared with the last one that is not negative.
bool check_keys(Checker& checker, JsonValue at, const Array& values) {
  double last = 0;
  return all_pass(checker, values, [&](std::size_t row, const double* key) {
    if (*key < 0) {
      checker.report("ACCESSOR_ANIMATION_INPUT_NEGATIVE"_code, at, *key);
      return false;
    }
    const bool increases = row == 0 || !(*key <= last);
    if (!increases) checker.report("ACCESSOR_ANIMATION_INPUT_NON_INCREASING"_code, at, row);
    last = *key;
    return increases;
  });
}

void check_vertex_indices(Checker& checker, JsonValue at, const Array& indices, std::size_t vertices) {
  with_unsigned(indices, [&](auto view) {
    for (std::size_t i = 0; i < view.size() && !checker.sink().full(); ++i)
      if (view[i][0] >= vertices) checker.report("ACCESSOR_INDEX_OOB"_code, at, i, std::uint32_t{view[i][0]}, vertices);
  });
}

void check_restart(Checker& checker, JsonValue at, const Array& indices) {
  with_unsigned(indices, [&](auto view) {
    const auto restart = std::numeric_limits<std::remove_cvref_t<decltype(view[0][0])>>::max();
    for (std::size_t i = 0; i < view.size() && !checker.sink().full(); ++i)
      if (view[i][0] == restart) checker.report("ACCESSOR_INDEX_PRIMITIVE_RESTART"_code, at, i, std::uint32_t{restart});
  });
}

void check_degenerate(Checker& checker, JsonValue at, const Array& indices) {
  constexpr std::size_t grain = 3 << 16;  // whole triangles
  std::atomic<std::size_t> count = 0;
  with_unsigned(indices, [&](auto view) {
    parallel_for(view.size(), grain, 0,
                 [&](std::size_t first, std::size_t last) { count += kernels::count_degenerate(view.rows(first, last - first)); });
  });
  if (count != 0) checker.report("ACCESSOR_INDEX_TRIANGLE_DEGENERATE"_code, at, count.load(), indices.size() / 3);
}

namespace {

// Visits the vertices, and for each vertex component 0 of all sets, then component 1, and so on.
class InfluenceCheck {
 public:
  InfluenceCheck(Checker& checker, std::span<const InfluenceSet> sets, Index skin, std::size_t joints)
      : checker_(checker), sets_(sets), skin_(skin), joints_(joints), last_user_(joints), blocks_(sets.size()) {
    for (const InfluenceSet& set : sets) weights_.push_back(as_fractions(set.weights));
  }

  void run() {
    const std::size_t vertices = sets_.front().joints.size();
    for (std::size_t first = 0; first < vertices && !checker_.sink().full(); first += block_rows) {
      const std::size_t count = std::min(block_rows, vertices - first);
      for (std::size_t s = 0; s < sets_.size(); ++s) {
        sets_[s].joints.read(first, count, blocks_[s].joints.data());
        weights_[s].read(first, count, blocks_[s].weights.data());
      }
      for (std::size_t i = 0; i < count; ++i) vertex(first + i, i);
    }
  }

 private:
  struct Block {
    std::array<std::uint32_t, 4 * block_rows> joints;
    std::array<double, 4 * block_rows> weights;
  };

  void vertex(std::size_t vertex, std::size_t row) {
    float sum = 0;
    double tolerance = 0;
    for (std::size_t c = 0; c < 4; ++c)
      for (std::size_t s = 0; s < sets_.size(); ++s) {
        const std::uint32_t joint = blocks_[s].joints[row * 4 + c];
        const double weight = blocks_[s].weights[row * 4 + c];
        if (joint >= joints_) {
          checker_.report("ACCESSOR_JOINTS_INDEX_OOB"_code, sets_[s].joints_at, vertex, joint, joints_, skin_);
        } else if (weight != 0) {
          if (!use(sets_[s], joint, vertex, c, weight)) continue;
          sum = static_cast<float>(sum + weight);
          tolerance += weight_tolerance;
        } else if (joint != 0) {
          checker_.report("ACCESSOR_JOINTS_USED_ZERO_WEIGHT"_code, sets_[s].joints_at, vertex, c, joint);
        }
      }
    if (std::abs(double{sum} - 1) > tolerance)
      for (const InfluenceSet& set : sets_)
        checker_.report("ACCESSOR_WEIGHTS_NON_NORMALIZED"_code, {std::abs(double{sum} - 1), "vertices"}, set.weights_at, vertex, sum);
  }

  bool use(const InfluenceSet& set, std::uint32_t joint, std::size_t vertex, std::size_t component, double weight) {
    const bool again = last_user_[joint] == vertex + 1;
    last_user_[joint] = vertex + 1;
    if (again) checker_.report("ACCESSOR_JOINTS_INDEX_DUPLICATE"_code, set.joints_at, vertex, component, joint);
    if (weight < 0) checker_.report("ACCESSOR_WEIGHTS_NEGATIVE"_code, {-weight, "weights"}, set.weights_at, vertex, component, weight);
    return !again && !(weight < 0);
  }

  Checker& checker_;
  std::span<const InfluenceSet> sets_;
  Index skin_;
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
  if (sets.size() > 1 || !is_plain(sets.front(), joints)) InfluenceCheck(checker, sets, skin, joints).run();
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
/// Compares the bounds of a track's motion with the track itself at many times.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "animate/track.hpp"
#include "base/guard.hpp"
#include "operations/bounds/track_growth.hpp"

#include "sinew/bounds.hpp"

namespace sinew::operations {
namespace {

constexpr std::size_t keys = 4, steps = 64;
constexpr double rounding = 1e-9;

/// One node with one track of random keys at 0, 1, 2 and 3 seconds.
struct Moving {
  Model model;
  Track track;
  std::vector<double> times;

  Moving(std::mt19937& numbers, std::size_t dimension, TrackPath path, Interpolation interpolation) {
    model.dimension = dimension;
    model.nodes.resize(1);
    model.rest_pose.locals.resize(1);
    model.rest_pose.amounts.resize(1);
    track.node = 0;
    track.path = path;
    track.interpolation = interpolation;
    track.quaternions = path == TrackPath::rotation && dimension == 3;
    const std::size_t width = path == TrackPath::rotation ? rotor_size(dimension) : dimension;
    const std::size_t parts = interpolation == Interpolation::cubic_spline ? 3 : 1;
    std::normal_distribution<float> any;
    std::vector<float> values, seconds;
    for (std::size_t key = 0; key < keys; ++key) {
      times.push_back(static_cast<double>(key));
      seconds.push_back(static_cast<float>(key));
      for (std::size_t part = 0; part < parts; ++part) {
        const bool value = parts == 1 || part == 1;
        std::vector<float> row(width);
        for (float& x : row) x = any(numbers);
        if (path == TrackPath::rotation && value) row = rotation(numbers, dimension);
        values.insert(values.end(), row.begin(), row.end());
      }
    }
    track.values = Array::own(std::move(values), width);
    track.times = Array::own(std::move(seconds), 1);
  }

  /// A rotor, or a quaternion whose length is a little off one.
  static std::vector<float> rotation(std::mt19937& numbers, std::size_t dimension) {
    std::normal_distribution<double> any;
    if (dimension == 3) {
      std::vector<float> q(4);
      double length = 0;
      std::vector<double> exact(4);
      for (double& x : exact) {
        x = any(numbers);
        length += x * x;
      }
      for (std::size_t i = 0; i < 4; ++i) q[i] = static_cast<float>(exact[i] / std::sqrt(length) * 1.0002);
      return q;
    }
    std::vector<double> rotor(rotor_size(dimension));
    rotor[0] = 1;
    for (std::size_t turn = 0; turn < 3; ++turn) {  // products of turns in one plane each
      std::vector<double> one(rotor.size()), product(rotor.size());
      const double angle = any(numbers);
      one[0] = std::cos(angle / 2);
      one[1 + numbers() % (dimension * (dimension - 1) / 2)] = std::sin(angle / 2);
      need(compose(dimension, rotor, one, product));
      rotor = product;
    }
    std::vector<float> stored(rotor.size());
    std::transform(rotor.begin(), rotor.end(), stored.begin(), [](double x) { return static_cast<float>(x); });
    return stored;
  }

  /// Returns the animated property at a time after `after`: a vector, or the matrix of a rotation. glTF's quaternions are used as they are.
  [[nodiscard]] std::vector<double> at(const Playing& playing, double seconds) const {
    Pose pose = model.rest_pose;
    animate::write(model, track, playing.moment(seconds), pose);
    const LocalTransform& local = pose.locals[0];
    if (track.path == TrackPath::translation) return {local.translation.begin(), local.translation.end()};
    if (track.path == TrackPath::scale) return {local.scale.begin(), local.scale.end()};
    std::vector<double> matrix(model.dimension * model.dimension);
    need(matrix_from_rotor(model.dimension, {local.rotor.data(), local.rotor.size()}, matrix));
    return matrix;
  }
  [[nodiscard]] double size(const std::vector<double>& value) const {
    if (track.path == TrackPath::rotation) {
      const auto n = static_cast<Eigen::Index>(model.dimension);
      return Eigen::MatrixXd(Eigen::Map<const Eigen::MatrixXd>(value.data(), n, n)).jacobiSvd().singularValues()(0);
    }
    double most = 0;
    for (const double x : value) most = std::max(most, std::abs(x));
    return track.path == TrackPath::scale ? most : norm(value);
  }
  [[nodiscard]] Growth growth(const Playing& playing, double begin, double end) const {
    return track.path == TrackPath::rotation ? growth_of_rotation(playing, begin, end, model.dimension)
                                             : growth_of_vector(playing, begin, end);
  }
};

std::vector<double> mixed(const std::vector<double>& a, double by, const std::vector<double>& b) {
  std::vector<double> sum = a;
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += by * b[i];
  return sum;
}

/// Compares the largest distance from the straight line with its bound.
struct Found {
  double furthest = 0, deviation = 0;
};

/// Fails if the track exceeds its bounds of size, speed or distance from the straight line.
Found check(const Moving& moving, const Playing& playing, double begin, double end) {
  const Growth growth = moving.growth(playing, begin, end);
  Found found{0, growth.deviation()};
  std::vector<std::vector<double>> way;
  for (std::size_t step = 0; step <= steps; ++step)
    way.push_back(moving.at(playing, begin + (end - begin) * static_cast<double>(step) / steps));
  for (std::size_t step = 0; step <= steps; ++step) {
    const double t = static_cast<double>(step) / steps;
    EXPECT_LE(moving.size(way[step]), growth.at + growth.jump + rounding) << "at " << t;
    const std::vector<double> chord = mixed(mixed(way[0], -t, way[0]), t, way[steps]);
    found.furthest = std::max(found.furthest, moving.size(mixed(way[step], -1, chord)));
    if (step == 0 || growth.jump > 0) continue;
    EXPECT_LE(moving.size(mixed(way[step], -1, way[step - 1])) * steps, growth.first * (1 + rounding) + rounding) << "at " << t;
  }
  EXPECT_LE(found.furthest, found.deviation + rounding);
  return found;
}

struct Case {
  std::size_t dimension;
  TrackPath path;
  Interpolation interpolation;
};

class GrowthOfTracks : public testing::TestWithParam<Case> {};

TEST_P(GrowthOfTracks, HoldsTheTrackBetweenItsKeys) {
  const auto [dimension, path, interpolation] = GetParam();
  std::mt19937 numbers(7);
  std::uniform_real_distribution<double> part(0, 1);
  for (int round = 0; round < 40; ++round) {
    const Moving moving(numbers, dimension, path, interpolation);
    for (std::size_t key = 0; key + 1 < keys; ++key) {
      const double from = static_cast<double>(key);
      const Playing playing(moving.track, moving.times, from + 0.5, 1, dimension);
      ASSERT_EQ(playing.key, key);
      check(moving, playing, from, from + 1);
      const double begin = from + 0.9 * part(numbers);
      check(moving, playing, begin, begin + 0.1 * part(numbers));
    }
  }
}

/// Halving the time makes the bound about four times smaller, so the search ends.
TEST_P(GrowthOfTracks, BecomesTightAsTimesBecomeShort) {
  const auto [dimension, path, interpolation] = GetParam();
  std::mt19937 numbers(11);
  for (int round = 0; round < 20; ++round) {
    const Moving moving(numbers, dimension, path, interpolation);
    const Playing playing(moving.track, moving.times, 0.5, 1, dimension);
    double last = 0;
    for (const double length : {1.0 / 64, 1.0 / 128, 1.0 / 256}) {
      const Growth growth = moving.growth(playing, 0.4, 0.4 + length);
      const double deviation = growth.deviation() - 2 * growth.jump;
      if (last > 0) {
        EXPECT_LE(deviation, 0.3 * last + rounding);
      }
      last = deviation;
    }
  }
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  const Case& c = info.param;
  const char* const path = c.path == TrackPath::rotation ? "Rotation" : c.path == TrackPath::scale ? "Scale" : "Translation";
  const char* const by = c.interpolation == Interpolation::step ? "Step" : c.interpolation == Interpolation::linear ? "Linear" : "Cubic";
  return std::string(path) + by + std::to_string(c.dimension);
}

INSTANTIATE_TEST_SUITE_P(
    All, GrowthOfTracks,
    testing::Values(Case{3, TrackPath::translation, Interpolation::linear}, Case{3, TrackPath::translation, Interpolation::cubic_spline},
                    Case{5, TrackPath::translation, Interpolation::cubic_spline}, Case{3, TrackPath::scale, Interpolation::linear},
                    Case{3, TrackPath::scale, Interpolation::cubic_spline}, Case{3, TrackPath::rotation, Interpolation::step},
                    Case{3, TrackPath::rotation, Interpolation::linear}, Case{3, TrackPath::rotation, Interpolation::cubic_spline},
                    Case{4, TrackPath::rotation, Interpolation::linear}, Case{4, TrackPath::rotation, Interpolation::cubic_spline},
                    Case{5, TrackPath::rotation, Interpolation::linear}),
    name_of);

TEST(Growth, OfAProductHoldsTheProduct) {
  // f = sin(at), g = cos(bt), both as numbers: the bounds of each are known.
  const double a = 1.3, b = 2.1;
  const Growth f{1, a, a * a, 0}, g{1, b, b * b, 0};
  const Growth product = f * g, sum = f + g;
  for (int step = 0; step <= 100; ++step) {
    const double t = step / 100.0;
    const double first = a * std::cos(a * t) * std::cos(b * t) - b * std::sin(a * t) * std::sin(b * t);
    EXPECT_LE(std::abs(first), product.first);
    EXPECT_LE(std::abs(a * std::cos(a * t) - b * std::sin(b * t)), sum.first);
  }
  EXPECT_DOUBLE_EQ(product.second, a * a + 2 * a * b + b * b);
  EXPECT_DOUBLE_EQ((Growth{0, 0, 0, 0} * Growth::any(2)).deviation(), 0);  // what is nothing stays nothing
  EXPECT_DOUBLE_EQ(Growth::any(2).deviation(), 4);
}

TEST(Bounds, RefusesOptionsThatMakeNoSense) {
  const Model model;
  for (const double slack : {0.0, -1.0, std::nan("")}) {
    BoundsOptions options;
    options.slack = slack;
    const auto found = bounds(model, options);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().failure, Failure::usage);
  }
  BoundsOptions options;
  options.clips = {3};
  EXPECT_FALSE(bounds(model, options));
  options = {};
  options.blend_range = {1, 0};
  EXPECT_FALSE(bounds(model, options));
}

}  // namespace
}  // namespace sinew::operations

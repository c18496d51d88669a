// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/guard.hpp"

#include "sinew/geometry.hpp"

namespace sinew {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

using Numbers = std::vector<double>;
constexpr double c = std::numbers::sqrt2 / 2;
constexpr double degree = std::numbers::pi / 180;

Numbers matrix(std::size_t n, const Numbers& rotor) {
  Numbers out(n * n);
  need(matrix_from_rotor(n, rotor, out));
  return out;
}

Numbers product(std::size_t n, const Numbers& a, const Numbers& b) {
  Numbers out(rotor_size(n));
  need(compose(n, a, b, out));
  return out;
}

Numbers reversed(std::size_t n, Numbers rotor) {
  reverse_rotor(n, rotor, rotor);
  return rotor;
}

Numbers between(std::size_t n, const Numbers& a, const Numbers& b, double t) {
  Numbers out(rotor_size(n));
  need(slerp(n, a, b, t, out));
  return out;
}

Numbers from_matrix(std::size_t n, const Numbers& m) {
  Numbers out(rotor_size(n));
  EXPECT_TRUE(need(rotor_from_matrix(n, m, out)));
  return out;
}

/// The number of e_ij among a rotor's components: bivectors come after the scalar, the higher axis first.
std::size_t place(std::size_t i, std::size_t j) { return 1 + j * (j - 1) / 2 + i; }

Numbers plane(std::size_t n, std::size_t i, std::size_t j, double angle) {
  Numbers rotor(rotor_size(n));
  rotor[0] = std::cos(angle / 2);
  rotor[place(i, j)] = std::sin(angle / 2);
  return rotor;
}

double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double difference(const Numbers& a, const Numbers& b) {
  double largest = a.size() == b.size() ? 0 : 1e9;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}
/// Compares as rotations: R and −R are equal.
double rotation_difference(const Numbers& a, Numbers b) {
  const double straight = difference(a, b);
  for (double& x : b) x = -x;
  return std::min(straight, difference(a, b));
}

/// M_b · M_a, column-major.
Numbers matrix_product(std::size_t n, const Numbers& b, const Numbers& a) {
  Numbers out(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) out[j * n + i] += b[k * n + i] * a[j * n + k];
  return out;
}

const Numbers turned_in_xy_and_zw{0.836516303738, 0.224143868042, 0, 0, 0, 0, 0.482962913145, 0.129409522551};
const Numbers turned_in_xz_and_yw{0.836516303738, 0, 0.224143868042, 0, 0, 0.482962913145, 0, -0.129409522551};

TEST(Compose, IsTheGeometricProductFirstToLast) {
  EXPECT_THAT(product(3, {c, c, 0, 0}, {c, 0, 0, c}), Pointwise(DoubleNear(1e-15), Numbers{0.5, 0.5, 0.5, 0.5}));
  EXPECT_THAT(product(4, plane(4, 0, 1, 30 * degree), plane(4, 2, 3, 60 * degree)), Pointwise(DoubleNear(1e-12), turned_in_xy_and_zw));
  EXPECT_THAT(product(4, plane(4, 0, 2, 30 * degree), plane(4, 1, 3, 60 * degree)), Pointwise(DoubleNear(1e-12), turned_in_xz_and_yw));
}

TEST(Compose, TakesShortOnesAndKeepsLengths) {
  EXPECT_THAT(product(4, {2, 0, 0, 0, 0, 0, 0}, {c, c}), Pointwise(DoubleNear(1e-15), Numbers{2 * c, 2 * c, 0, 0, 0, 0, 0, 0}));
  EXPECT_THAT(product(0, {1}, {1}), ElementsAre(1));
  EXPECT_THAT(product(1, {1}, {1}), ElementsAre(1));
}

TEST(Reverse, ChangesTheSignsOfTwoAndThreeModuloFour) {
  EXPECT_THAT(reversed(4, {1, 2, 3, 4, 5, 6, 7, 8}), ElementsAre(1, -2, -3, -4, -5, -6, -7, 8));
  EXPECT_THAT(reversed(4, {1, 2, 3, 4, 5, 6, 7}), ElementsAre(1, -2, -3, -4, -5, -6, -7));
  Numbers six(rotor_size(6), 1);
  EXPECT_EQ(reversed(6, six).back(), -1);
}

TEST(RotorLength, IsScalarAndBivectorsOrCutAfterACompleteGrade) {
  const auto lengths = [](std::size_t n) {
    std::vector<std::size_t> out;
    for (std::size_t length = 0; length <= rotor_size(n) + 1; ++length)
      if (is_rotor_length(n, length)) out.push_back(length);
    return out;
  };
  EXPECT_THAT(lengths(0), ElementsAre(1));
  EXPECT_THAT(lengths(1), ElementsAre(1));
  EXPECT_THAT(lengths(2), ElementsAre(2));
  EXPECT_THAT(lengths(3), ElementsAre(4));
  EXPECT_THAT(lengths(4), ElementsAre(7, 8));
  EXPECT_THAT(lengths(5), ElementsAre(11, 16));
  EXPECT_THAT(lengths(6), ElementsAre(16, 31, 32));
  EXPECT_THAT(lengths(7), ElementsAre(22, 57, 64));
  EXPECT_THAT(lengths(8), ElementsAre(29, 99, 127, 128));
  EXPECT_THAT(lengths(16), ElementsAre(121, 1941, 9949, 22819, 30827, 32647, 32767, 32768));
}

TEST(ExpandRotor, AppendsZeros) {
  Numbers out(8, 9);
  expand_rotor(Numbers{1, 2, 3, 4, 5, 6, 7}, out);
  EXPECT_THAT(out, ElementsAre(1, 2, 3, 4, 5, 6, 7, 0));
}

TEST(NormalizeRotor, RefusesWhatHasNoDirection) {
  Numbers rotor{0, 3e200, 0, 4e200};
  EXPECT_TRUE(normalize_rotor(rotor));
  EXPECT_THAT(rotor, Pointwise(DoubleNear(1e-15), Numbers{0, 0.6, 0, 0.8}));
  rotor = {0, 0, 0, 0};
  EXPECT_FALSE(normalize_rotor(rotor));
  rotor = {0, NAN, 1, 0};
  EXPECT_FALSE(normalize_rotor(rotor));
  rotor = {0, HUGE_VAL, 1, 0};
  EXPECT_FALSE(normalize_rotor(rotor));
}

TEST(RotorDefect, TellsRotationsFromOtherNumbers) {
  EXPECT_EQ(need(rotor_defect(3, Numbers{1, 2, 3, 4})), 0);
  EXPECT_LT(need(rotor_defect(4, turned_in_xy_and_zw)), 1e-12);
  EXPECT_LT(need(rotor_defect(4, turned_in_xz_and_yw)), 1e-12);
  EXPECT_NEAR(need(rotor_defect(4, Numbers{1, 1, 0, 0, 0, 0, 1})), 1.0 / 3, 1e-15) << "the product of both turns lacks its xyzw";
  EXPECT_NEAR(need(rotor_defect(4, Numbers{2, 0, 0, 0, 0, 0, 0, 2})), 0.5, 1e-15);
  EXPECT_LT(need(rotor_defect(5, product(5, plane(5, 0, 1, 1), plane(5, 2, 4, 2)))), 1e-15);
  EXPECT_GT(need(rotor_defect(5, Numbers{1, 1, 0, 0, 0, 0, 1})), 0.1);
  EXPECT_EQ(need(rotor_defect(4, Numbers{0, 0, 0, 0, 0, 0, 0})), HUGE_VAL);
}

TEST(RotorFromMatrix, FindsTheWorkedNumbers) {
  EXPECT_THAT(from_matrix(2, {0, 1, -1, 0}), Pointwise(DoubleNear(1e-15), Numbers{c, c}));
  EXPECT_THAT(from_matrix(3, {0, 0, 1, 0, 1, 0, -1, 0, 0}), Pointwise(DoubleNear(1e-15), Numbers{c, 0, c, 0}));
  EXPECT_THAT(from_matrix(4, matrix(4, turned_in_xy_and_zw)), Pointwise(DoubleNear(1e-11), turned_in_xy_and_zw));
  EXPECT_THAT(from_matrix(4, matrix(4, turned_in_xz_and_yw)), Pointwise(DoubleNear(1e-11), turned_in_xz_and_yw));
  EXPECT_THAT(from_matrix(0, {}), ElementsAre(1));
  EXPECT_THAT(from_matrix(1, {1}), ElementsAre(1));
}

TEST(RotorFromMatrix, FindsHalfTurnsInEveryPlaneAndInAllAtOnce) {
  for (std::size_t n = 2; n <= 7; ++n) {
    for (std::size_t j = 1; j < n; ++j)
      for (std::size_t i = 0; i < j; ++i) {
        const Numbers half = plane(n, i, j, std::numbers::pi);
        EXPECT_LT(rotation_difference(from_matrix(n, matrix(n, half)), half), 1e-15) << n << i << j;
      }
    if (n % 2 != 0) continue;
    Numbers all(n * n);
    for (std::size_t i = 0; i < n; ++i) all[i * n + i] = -1;
    const Numbers rotor = from_matrix(n, all);
    EXPECT_NEAR(std::abs(rotor.back()), 1, 1e-15) << "the product of all axes";
    EXPECT_LT(difference(matrix(n, rotor), all), 1e-15);
  }
}

TEST(RotorFromMatrix, RefusesWhatIsNoRotation) {
  Numbers out(4);
  EXPECT_FALSE(need(rotor_from_matrix(3, Numbers{-1, 0, 0, 0, 1, 0, 0, 0, 1}, out))) << "a mirror";
  EXPECT_FALSE(need(rotor_from_matrix(3, Numbers{2, 0, 0, 0, 1, 0, 0, 0, 1}, out))) << "a stretch";
  EXPECT_FALSE(need(rotor_from_matrix(3, Numbers{1, 0, 0, 0.5, 1, 0, 0, 0, 1}, out))) << "a shear";
  EXPECT_FALSE(need(rotor_from_matrix(3, Numbers{NAN, 0, 0, 0, 1, 0, 0, 0, 1}, out)));
  Numbers one(1);
  EXPECT_FALSE(need(rotor_from_matrix(1, Numbers{-1}, one)));
}

/// A rotation of N-space: up to N turns by multiples of 15° in coordinate planes, half and full turns among them.
struct Rotation {
  std::size_t n;
  Numbers rotor;
};

Numbers any_rotor(std::size_t n) {
  Numbers rotor(rotor_size(n));
  rotor[0] = 1;
  const int turns = *rc::gen::inRange(0, static_cast<int>(n) + 1);
  for (int k = 0; k < turns; ++k) {
    const std::size_t j = *rc::gen::inRange<std::size_t>(1, n), i = *rc::gen::inRange<std::size_t>(0, j);
    rotor = product(n, rotor, plane(n, i, j, 15 * degree * *rc::gen::inRange(-24, 25)));
  }
  return rotor;
}

std::size_t any_dimension() { return *rc::gen::inRange<std::size_t>(2, 9); }

RC_GTEST_PROP(RotorAlgebra, ComposesAsMatricesDo, ()) {
  const std::size_t n = any_dimension();
  const Numbers a = any_rotor(n), b = any_rotor(n);
  RC_ASSERT(difference(matrix(n, product(n, a, b)), matrix_product(n, matrix(n, b), matrix(n, a))) < 1e-13);
  RC_ASSERT(std::abs(dot(a, a) - 1) < 1e-13);
  RC_ASSERT(need(rotor_defect(n, a)) < 1e-13);
}

RC_GTEST_PROP(RotorAlgebra, ReverseIsTheInverse, ()) {
  const std::size_t n = any_dimension();
  const Numbers a = any_rotor(n);
  Numbers one(rotor_size(n));
  one[0] = 1;
  RC_ASSERT(difference(product(n, a, reversed(n, a)), one) < 1e-13);
}

RC_GTEST_PROP(RotorAlgebra, MatricesLeadBackToTheirRotors, ()) {
  const std::size_t n = any_dimension();
  const Numbers a = any_rotor(n), again = from_matrix(n, matrix(n, a));
  RC_ASSERT(rotation_difference(again, a) < 1e-12);
  RC_ASSERT(again[0] >= 0);
}

RC_GTEST_PROP(RotorSlerp, StartsAndEndsExactly, ()) {
  const std::size_t n = any_dimension();
  const Numbers a = any_rotor(n), b = any_rotor(n);
  RC_ASSERT(between(n, a, b, 0) == a);
  RC_ASSERT(rotation_difference(between(n, a, b, 1), b) == 0);
  RC_ASSERT(difference(between(n, a, b, 1 - 1e-7), between(n, a, b, 1)) < 1e-6);
}

RC_GTEST_PROP(RotorSlerp, PassesThroughRotationsAtConstantSpeed, ()) {
  const std::size_t n = any_dimension();
  const Numbers a = any_rotor(n), b = any_rotor(n);
  const Numbers step = product(n, reversed(n, between(n, a, b, 0)), between(n, a, b, 0.25));
  for (const double t : {0.25, 0.5, 0.75}) {
    const Numbers at = between(n, a, b, t);
    RC_ASSERT(std::abs(dot(at, at) - 1) < 1e-12);
    RC_ASSERT(need(rotor_defect(n, at)) < 1e-12);
    RC_ASSERT(difference(product(n, reversed(n, at), between(n, a, b, t + 0.25)), step) < 1e-6);  // half turns: known to 1e-9 only
  }
}

RC_GTEST_PROP(RotorSlerp, TurnsNoPlaneByMoreThanHalfATurn, ()) {
  // Half the way then turns none by more than a quarter: no vector is turned to its other side.
  const std::size_t n = any_dimension();
  const Numbers a = any_rotor(n), b = any_rotor(n);
  const Numbers m = matrix(n, product(n, reversed(n, a), between(n, a, b, 0.5)));
  Numbers vector(n);
  for (double& x : vector) x = *rc::gen::inRange(-10, 11);
  double along = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) along += vector[i] * m[j * n + i] * vector[j];
  RC_ASSERT(along > -1e-6 * dot(vector, vector));
}

RC_GTEST_PROP(RotorSlerp, IsTheFormulaForQuaternionsWhereOnePlaneTurns, ()) {
  const std::size_t n = any_dimension();
  const std::size_t j = *rc::gen::inRange<std::size_t>(1, n), i = *rc::gen::inRange<std::size_t>(0, j);
  const Numbers a = any_rotor(n), b = product(n, a, plane(n, i, j, 5 * degree * *rc::gen::inRange(-72, 73)));
  const double t = 0.05 * *rc::gen::inRange(0, 21);
  Numbers expected(a.size());
  slerp(a, b, t, expected);
  RC_ASSERT(rotation_difference(between(n, a, b, t), expected) < 1e-8);
}

TEST(RotorSlerp, TurnsTwoPlanesTogether) {
  const Numbers one{1, 0, 0, 0, 0, 0, 0, 0};
  const Numbers third = product(4, plane(4, 0, 1, 10 * degree), plane(4, 2, 3, 20 * degree));
  EXPECT_THAT(between(4, one, turned_in_xy_and_zw, 1.0 / 3), Pointwise(DoubleNear(1e-11), third));
  const Numbers isoclinic = product(4, plane(4, 0, 1, 90 * degree), plane(4, 2, 3, 90 * degree));
  const Numbers half = product(4, plane(4, 0, 1, 45 * degree), plane(4, 2, 3, 45 * degree));
  EXPECT_THAT(between(4, one, isoclinic, 0.5), Pointwise(DoubleNear(1e-14), half));
  EXPECT_THAT(between(4, {1, 0, 0, 0, 0, 0, 0}, turned_in_xy_and_zw, 0), ElementsAre(1, 0, 0, 0, 0, 0, 0, 0));
}

TEST(RotorSlerp, GoesHalfTurnsAsTheSignOfTheEndSays) {
  const Numbers one{1, 0, 0, 0, 0, 0, 0, 0}, forth = plane(4, 1, 3, std::numbers::pi), back = plane(4, 1, 3, -std::numbers::pi);
  EXPECT_THAT(between(4, one, forth, 0.5), Pointwise(DoubleNear(1e-9), plane(4, 1, 3, std::numbers::pi / 2)));
  EXPECT_THAT(between(4, one, back, 0.5), Pointwise(DoubleNear(1e-9), plane(4, 1, 3, -std::numbers::pi / 2)));
}

TEST(RotorSlerp, KnowsSmallAngles) {
  const Numbers one{1, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_NEAR(between(4, one, plane(4, 0, 3, 1e-9), 0.5)[place(0, 3)], 0.25e-9, 1e-15);
}

TEST(RotorAlgebra, FollowsItsMatricesInSixteenDimensions) {
  // Products by terms would take 2³⁰ of them.
  constexpr std::size_t n = 16;
  Numbers a(rotor_size(n)), b;
  a[0] = 1;
  for (std::size_t j = 1; j < n; ++j) a = product(n, a, plane(n, j - 1, j, 0.3 + 0.1 * static_cast<double>(j)));
  b = reversed(n, a);
  for (std::size_t j = 2; j < n; j += 2) b = product(n, b, plane(n, 0, j, 1));
  const Numbers both = product(n, a, b);
  EXPECT_LT(difference(matrix(n, both), matrix_product(n, matrix(n, b), matrix(n, a))), 1e-12);
  EXPECT_LT(difference(product(n, both, reversed(n, b)), a), 1e-12);
  const Numbers half = between(n, a, b, 0.5), step = product(n, reversed(n, a), half);
  EXPECT_LT(rotation_difference(product(n, half, step), b), 1e-9);
}

}  // namespace
}  // namespace sinew

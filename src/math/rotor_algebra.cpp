// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/guard.hpp"
#include "math/blades.hpp"
#include "math/decompositions.hpp"

#include "sinew/geometry.hpp"

namespace sinew {

namespace {

[[maybe_unused]] constexpr std::size_t most = 16;

/// An n×n matrix.
struct Matrix {
  std::size_t n;
  SmallVector<double, 25> values;  ///< column-major

  explicit Matrix(std::size_t size) : n(size), values(size * size) {}
  double& operator()(std::size_t i, std::size_t j) { return values[j * n + i]; }
  double operator()(std::size_t i, std::size_t j) const { return values[j * n + i]; }
};

[[maybe_unused]] Matrix identity(std::size_t n) {
  Matrix m(n);
  for (std::size_t i = 0; i < n; ++i) m(i, i) = 1;
  return m;
}

Matrix matrix_of(std::size_t n, std::span<const double> rotor) {
  Matrix m(n);
  need(matrix_from_rotor(n, rotor, m.values));
  return m;
}

/// Returns a·bᵀ.
[[maybe_unused]] Matrix times_transposed(const Matrix& a, const Matrix& b) {
  Matrix out(a.n);
  for (std::size_t k = 0; k < a.n; ++k)
    for (std::size_t j = 0; j < a.n; ++j)
      for (std::size_t i = 0; i < a.n; ++i) out(i, j) += a(i, k) * b(j, k);
  return out;
}

double dot(const Blades& a, const Blades& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Returns the largest entry of |MᵀM − 1|.
double largest_deviation(const Matrix& m) {
  double largest = 0;
  for (std::size_t j = 0; j < m.n; ++j)
    for (std::size_t i = 0; i <= j; ++i) {
      double sum = i == j ? -1 : 0;
      for (std::size_t k = 0; k < m.n; ++k) sum += m(k, i) * m(k, j);
      if (!std::isfinite(sum)) return HUGE_VAL;
      largest = std::max(largest, std::abs(sum));
    }
  return largest;
}

/// The rotor cos + sin·e_ij, i < j, of half an angle.
struct PlaneRotor {
  std::size_t i = 0, j = 0;
  double cosine = 1, sine = 0;
};

/// Returns half the angle with this cosine and sine, without cancellation at half turns.
PlaneRotor half_angle(std::size_t i, std::size_t j, double cosine, double sine) {
  if (cosine >= 0) {
    const double half = std::sqrt((1 + cosine) / 2);
    return {i, j, half, sine / (2 * half)};
  }
  const double half = std::copysign(std::sqrt((1 - cosine) / 2), sine);
  return {i, j, sine / (2 * half), half};
}

using PlaneRotors = SmallVector<PlaneRotor, 6>;

/// Decomposes an orthonormal matrix into rotations in coordinate planes (Givens): turning one axis after the other back onto itself leaves
/// the identity. The rotor is the product of `out`, in that order. Returns false if the matrix mirrors.
bool plane_rotors(Matrix m, PlaneRotors& out) {
  const std::size_t n = m.n;
  out.assign(n * (n - 1) / 2, PlaneRotor{});
  std::size_t left = out.size();  // M = H₁·H₂ ⋯ for vectors, so that the last one acts first and its rotor comes first
  for (std::size_t j = 0; j + 1 < n; ++j)
    for (std::size_t i = n - 1; i > j; --i) {
      const double a = m(j, j), b = m(i, j), length = std::sqrt(a * a + b * b);  // of an orthonormal matrix: no overflow
      --left;
      if (!(length > 0) || (b == 0 && a > 0)) continue;
      const double cosine = a / length, sine = b / length;
      for (std::size_t c = 0; c < n; ++c) {
        const double upper = m(j, c), lower = m(i, c);
        m(j, c) = cosine * upper + sine * lower;
        m(i, c) = cosine * lower - sine * upper;
      }
      out[left] = half_angle(j, i, cosine, sine);
    }
  return m(n - 1, n - 1) > 0;
}

/// blades ← blades · rotor.
void append(std::size_t n, const PlaneRotor& rotor, Blades& blades) {
  if (rotor.sine == 0 && rotor.cosine == 1) return;
  const Mask plane = (Mask{1} << rotor.i) | (Mask{1} << rotor.j), upper = Mask{1} << rotor.j;
  const auto sign = [&](Mask blade) { return append_sign(blade, rotor.i) * append_sign(blade, rotor.j); };
  for (Mask a = 0; a < (Mask{1} << n); ++a) {
    if ((a & upper) != 0 || (std::popcount(a) & 1) != 0) continue;
    const Mask b = a ^ plane;
    const double at_a = blades[a], at_b = blades[b];
    blades[a] = rotor.cosine * at_a + rotor.sine * sign(b) * at_b;
    blades[b] = rotor.cosine * at_b + rotor.sine * sign(a) * at_a;
  }
}

void append(std::size_t n, const PlaneRotors& rotors, Blades& blades) {
  for (const PlaneRotor& rotor : rotors) append(n, rotor, blades);
}

Blades one(std::size_t n) {
  Blades blades(std::size_t{1} << n);
  blades[0] = 1;
  return blades;
}

void scale(Blades& blades, double factor) {
  for (double& x : blades) x *= factor;
}

/// Returns the blades of a rotor that are not zero.
SmallVector<Mask, 8> blades_of(const Blades& rotor) {
  SmallVector<Mask, 8> masks(rotor.size());
  std::size_t count = 0;
  for (Mask mask = 0; mask < rotor.size(); ++mask)
    if (rotor[mask] != 0) masks[count++] = mask;
  return SmallVector<Mask, 8>(std::span<const Mask>(masks).first(count));
}

/// Computes the geometric product a·b of rotors. With few terms: term by term. With many terms: b's rotation is decomposed into rotations
/// in coordinate planes, so the cost is at most O(N²·2^N). `rotation` returns the matrix of b.
template <class Rotation>
Blades product(std::size_t n, Blades a, const Blades& b, Rotation rotation) {
  const auto blades_a = blades_of(a), blades_b = blades_of(b);
  if (blades_a.size() * blades_b.size() <= (n * n + 1) * a.size()) {
    Blades out(a.size());
    for (const Mask left : blades_a)
      for (const Mask right : blades_b) {
        int passed = 0;  // axes of b that are swapped with axes of a behind them
        for (Mask rest = left >> 1; rest != 0; rest >>= 1) passed += std::popcount(rest & right);
        out[left ^ right] += sign_if_odd(passed) * a[left] * b[right];
      }
    return out;
  }
  PlaneRotors rotors;
  static_cast<void>(plane_rotors(rotation(), rotors));  // the matrix of a rotor does not mirror
  Blades again = one(n);
  append(n, rotors, again);
  append(n, rotors, a);
  scale(a, std::copysign(std::sqrt(dot(b, b)), dot(again, b)));
  return a;
}

#ifndef SINEW_ONLY_3D
/// A turn in one of several perpendicular planes: from column `from` to column `to` of an orthonormal basis.
struct Turn {
  std::size_t from = 0, to = 0;
  double angle = 0;
};
struct Turns {
  Matrix basis;
  SmallVector<Turn, 2> list;

  /// Returns the rotation with all angles multiplied by t.
  [[nodiscard]] Matrix power(double t) const {
    Matrix m = identity(basis.n);
    for (const Turn& turn : list) {
      const auto u = [&](std::size_t i) { return basis(i, turn.from); };
      const auto v = [&](std::size_t i) { return basis(i, turn.to); };
      const double sine = std::sin(t * turn.angle), half = std::sin(t * turn.angle / 2);
      for (std::size_t j = 0; j < m.n; ++j)
        for (std::size_t i = 0; i < m.n; ++i)
          m(i, j) += -2 * half * half * (u(i) * u(j) + v(i) * v(j)) + sine * (v(i) * u(j) - u(i) * v(j));
    }
    return m;
  }
};

/// Uses the real Schur form, which is block-diagonal for orthonormal matrices: 2×2 rotations and ±1 (Golub and Van Loan, Matrix
/// Computations, section 7.4). The −1s occur in pairs; each pair is a half turn.
Turns turns_of(const Matrix& m) {
  Matrix t(m.n), basis(m.n);
  real_schur(m.n, m.values, t.values, basis.values);
  SmallVector<Turn, most / 2> found(most);
  std::size_t count = 0;
  constexpr std::size_t none = most;
  std::size_t reversed = none;
  for (std::size_t i = 0; i < m.n; ++i) {
    if (i + 1 < m.n && t(i + 1, i) != 0) {
      found[count++] = {i, i + 1, std::atan2(t(i + 1, i) - t(i, i + 1), t(i, i) + t(i + 1, i + 1))};
      ++i;
    } else if (t(i, i) < 0) {
      if (reversed != none) found[count++] = {reversed, i, std::numbers::pi};
      reversed = reversed != none ? none : i;
    }
  }
  return {std::move(basis), SmallVector<Turn, 2>(std::span<const Turn>(found).first(count))};
}

#endif

/// Returns the rotor of a power 0 ≤ t ≤ 1 of turns by at most half a turn each. Its scalar, the product of cosines of half angles, is not
/// negative.
Blades rotor_of(std::size_t n, const Matrix& m) {
  PlaneRotors rotors;
  static_cast<void>(plane_rotors(m, rotors));
  Blades blades = one(n);
  append(n, rotors, blades);
  const double length = std::sqrt(dot(blades, blades));
  scale(blades, (blades[0] < 0 ? -1 : 1) / length);
  return blades;
}

#ifndef SINEW_ONLY_3D
/// The direction of an exact half turn is ambiguous. Chooses it so that the path leads to `goal`, not to −goal.
void choose_half_turns(std::size_t n, const Blades& goal, Turns& turns) {
  const auto half_turn = [](const Turn& turn) { return std::abs(turn.angle) > std::numbers::pi - 1e-9; };
  const auto found = std::find_if(turns.list.begin(), turns.list.end(), half_turn);
  if (found == turns.list.end()) return;
  PlaneRotors half;
  static_cast<void>(plane_rotors(turns.power(0.5), half));
  Blades whole = one(n);
  append(n, half, whole);
  append(n, half, whole);  // the square does not depend on the sign of the half
  if (dot(whole, goal) < 0) found->angle -= std::copysign(2 * std::numbers::pi, found->angle);
}
#endif

}  // namespace

bool is_rotor_length(std::size_t dimension, std::size_t length) noexcept {
  if (dimension < 2) return length == 1;
  std::size_t components = 1, blades = dimension * (dimension - 1) / 2;  // blades of the next even grade
  for (std::size_t grade = 2; grade <= dimension; grade += 2) {
    components += blades;
    if (components == length) return true;
    blades = blades * (dimension - grade) / (grade + 1) * (dimension - grade - 1) / (grade + 2);
  }
  return false;
}

void expand_rotor(std::span<const double> rotor, std::span<double> out) noexcept {
  const std::size_t common = std::min(rotor.size(), out.size());
  std::copy_n(rotor.begin(), common, out.begin());
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(common), out.end(), 0.0);
}

bool normalize_rotor(std::span<double> rotor) noexcept {
  double largest = 0;
  for (const double x : rotor) largest = std::max(largest, std::abs(x));
  if (!(largest > 0) || !std::isfinite(largest)) return false;
  double squares = 0;
  for (const double x : rotor) squares += (x / largest) * (x / largest);
  if (!std::isfinite(squares)) return false;
  const double length = std::sqrt(squares);
  for (double& x : rotor) x = x / largest / length;
  return true;
}

void reverse_rotor(std::size_t dimension, std::span<const double> rotor, std::span<double> out) noexcept {
  assert(out.size() == rotor.size());
  std::size_t next = 0;
  for_each_even_blade(dimension, [&](Mask mask) {
    if (next < rotor.size()) out[next] = reverse_sign(mask) * rotor[next];
    ++next;
  });
}

Result<> compose(std::size_t dimension, std::span<const double> a, std::span<const double> b, std::span<double> out) SINEW_TRY {
  assert(out.size() == rotor_size(dimension));
  const Blades right = by_mask_of(dimension, b);
  const auto rotation = [&] {
    Matrix m = matrix_of(dimension, b);
    for (double& value : m.values) value /= dot(right, right);
    return m;
  };
  store(dimension, product(dimension, by_mask_of(dimension, a), right, rotation), out);
  return {};
}
SINEW_CATCH()

Result<double> rotor_defect(std::size_t dimension, std::span<const double> rotor) SINEW_TRY {
  SmallVector<double, 8> unit(rotor);
  if (!normalize_rotor(unit)) return HUGE_VAL;
  if (dimension <= 3) return 0;
  if (dimension > 4) return largest_deviation(matrix_of(dimension, unit));
  const auto part = [&](std::size_t i) { return i < unit.size() ? unit[i] : 0.0; };
  return std::abs(part(0) * part(7) - (part(1) * part(6) - part(2) * part(5) + part(4) * part(3)));
}
SINEW_CATCH()

Result<bool> rotor_from_matrix(std::size_t dimension, std::span<const double> matrix, std::span<double> out) SINEW_TRY {
  assert(matrix.size() == dimension * dimension && out.size() == rotor_size(dimension));
  Matrix m(dimension);
  m.values.assign(matrix);
  std::fill(out.begin(), out.end(), 0.0);
  if (dimension == 0) {
    out[0] = 1;
    return true;
  }
  PlaneRotors rotors;
  if (!(largest_deviation(m) <= 1e-5) || !plane_rotors(m, rotors)) return false;
  store(dimension, rotor_of(dimension, m), out);
  return true;
}
SINEW_CATCH()

Result<> slerp(std::size_t dimension, std::span<const double> a, std::span<const double> b, double t, std::span<double> out) SINEW_TRY {
  assert(out.size() == rotor_size(dimension));
  if (dimension <= 3) {
    std::array<double, 4> from{}, to{};
    std::copy(a.begin(), a.end(), from.begin());
    std::copy(b.begin(), b.end(), to.begin());
    slerp(from, to, t, from);
    std::copy_n(from.begin(), out.size(), out.begin());
    return {};
  }
#ifndef SINEW_ONLY_3D
  const Blades from = by_mask_of(dimension, a);
  Blades to = by_mask_of(dimension, b);
  if (dot(from, to) < 0) scale(to, -1);  // the same rotation by the shorter path
  if (t <= 0 || t >= 1) {
    store(dimension, t <= 0 ? from : to, out);
    return {};
  }
  Blades back = from;
  for (Mask mask = 0; mask < back.size(); ++mask) back[mask] *= reverse_sign(mask);
  const Matrix matrix_a = matrix_of(dimension, a), matrix_b = matrix_of(dimension, b);
  Turns turns = turns_of(times_transposed(matrix_b, matrix_a));
  choose_half_turns(dimension, product(dimension, back, to, [&] { return matrix_b; }), turns);
  const Matrix part = turns.power(t);
  store(dimension, product(dimension, from, rotor_of(dimension, part), [&] { return part; }), out);
#endif
  return {};
}
SINEW_CATCH()

}  // namespace sinew

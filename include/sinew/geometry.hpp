// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/array.hpp"
#include "sinew/result.hpp"

namespace sinew {

/// An affine map of N-space in double precision: p ↦ L·p + t. Named by its spaces where it is used: `world_from_joint * joint_from_mesh`.
/// Stored column-major: N columns of L, then t, N numbers each; column j of L is the image of axis j.
class Affine {
 public:
  Affine() = default;                      ///< dimension 0
  explicit Affine(std::size_t dimension);  ///< the identity
  /// From N·(N+1) numbers in the order of storage.
  Affine(std::size_t dimension, std::span<const double> columns);

  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] double operator()(std::size_t row, std::size_t column) const { return values_[column * dimension_ + row]; }
  [[nodiscard]] double& operator()(std::size_t row, std::size_t column) { return values_[column * dimension_ + row]; }
  [[nodiscard]] double translation(std::size_t row) const { return values_[dimension_ * dimension_ + row]; }
  [[nodiscard]] double& translation(std::size_t row) { return values_[dimension_ * dimension_ + row]; }
  [[nodiscard]] std::span<const double> values() const { return values_; }

  /// L·point + t. `out` has N numbers and may be `point`.
  void apply(std::span<const double> point, std::span<double> out) const;

  friend Affine operator*(const Affine& a, const Affine& b);  ///< first b, then a; equal dimensions
  friend bool operator==(const Affine&, const Affine&) = default;

 private:
  std::size_t dimension_ = 0;
  SmallVector<double, 20> values_;
};

/// det L. Negative: the map mirrors.
[[nodiscard]] double determinant(const Affine& map);
/// Returns nothing if L is singular (to working precision, relative to its size) or not finite.
[[nodiscard]] std::optional<Affine> inverse(const Affine& map);
/// Computes the cofactor matrix of L, N² numbers column-major. It transforms normals; it equals det(L)·L⁻ᵀ if L is regular.
void cofactor(const Affine& map, std::span<double> out);
[[nodiscard]] bool is_finite(const Affine& map);

// Rotors of N-space: even-grade blades ordered by grade, then by the bit mask of their axes (G4MF, transform part; 3D: [s, xy, xz, yz]).
// A rotation by θ from axis i towards axis j (i < j) is s = cos(θ/2), e_ij = sin(θ/2). "First A, then B" is A·B; v' = reverse(R)·v·R.
// Trailing components may be left out and count as 0. All functions work in double precision, allocate nothing for N ≤ 4 and trust N ≤ 16;
// none takes longer than O(N²·2^N).

/// Components of a full rotor: 2^(N−1) (1 for N = 0).
[[nodiscard]] constexpr std::size_t rotor_size(std::size_t dimension) { return dimension == 0 ? 1 : std::size_t{1} << (dimension - 1); }
/// Components of scalar and bivectors: 1 + N(N−1)/2.
[[nodiscard]] constexpr std::size_t rotor_size_bivector(std::size_t dimension) {
  return dimension < 2 ? 1 : 1 + dimension * (dimension - 1) / 2;
}

/// glTF's (x, y, z, w) → [w, z, −y, x] and back.
[[nodiscard]] constexpr std::array<double, 4> rotor_from_quaternion(std::span<const double, 4> q) { return {q[3], q[2], -q[1], q[0]}; }
[[nodiscard]] constexpr std::array<double, 4> quaternion_from_rotor(std::span<const double, 4> r) { return {r[3], -r[2], r[1], r[0]}; }

/// A rotation of space as glTF stores it: a unit quaternion.
struct Quaternion {
  double x = 0, y = 0, z = 0, w = 1;

  /// The rotation about an axis by an angle in radians, counter-clockwise seen from the axis' tip. The axis has any length but 0, which
  /// gives numbers that are not finite.
  [[nodiscard]] static Quaternion about(const std::array<double, 3>& axis, double radians);
};

/// A rotation of N-space: the numbers of a rotor, in the order above.
struct Rotor {
  SmallVector<double, 4> values;

  Rotor() = default;  ///< no rotation
  explicit Rotor(std::span<const double> numbers) : values(numbers) {}
  Rotor(const Quaternion& q) : values({q.w, q.z, -q.y, q.x}) {}  // NOLINT: a quaternion is a rotor

  /// The rotation in the plane of two axes (0 = x, 1 = y, …), from the first towards the second, by an angle in radians. For every space
  /// that has both axes. Precondition: the axes differ and are below 16.
  [[nodiscard]] static Rotor in_plane(std::size_t from, std::size_t to, double radians);
};

/// The N×N matrix (column-major) of the rotor *as stored*, not normalised. N ≤ 3: I + 2·s·A + 2·A² (glTF's 1 − 2(y² + z²) … for 3D);
/// above: column j is the vector part of reverse(R)·e_j·R.
void matrix_from_rotor(std::size_t dimension, std::span<const double> rotor, std::span<double> matrix);

/// Spherical interpolation as glTF's appendix on interpolation modes writes it, for 4 numbers or any unit rotors of equal length:
/// shortest arc, the dot product clamped to 1, the result not normalised; plain interpolation when the angle vanishes.
void slerp(std::span<const double> a, std::span<const double> b, double t, std::span<double> out);

/// The lengths that a stored rotor may have: scalar and bivectors, or cut after any further complete grade, up to rotor_size.
[[nodiscard]] bool is_rotor_length(std::size_t dimension, std::size_t length);
/// Appends the omitted components, up to the size of `out` (rotor_size).
void expand_rotor(std::span<const double> rotor, std::span<double> out);
/// Scales a rotor to length 1. Returns false and changes nothing if the length is zero or not finite.
[[nodiscard]] bool normalize_rotor(std::span<double> rotor);
/// Inverts a unit rotor, with as many components as given. `out` may be `rotor`.
void reverse_rotor(std::size_t dimension, std::span<const double> rotor, std::span<double> out);
/// Composes "first a, then b": the geometric product a·b, rotor_size(dimension) numbers. b is a rotation times a number.
void compose(std::size_t dimension, std::span<const double> a, std::span<const double> b, std::span<double> out);

/// Measures how far a normalised rotor is from a rotation (0). Up to three dimensions: 0. Four: the error of
/// s·p = b01·b23 − b02·b13 + b03·b12. Above: the largest entry of MᵀM − 1. Infinite if the rotor cannot be normalised.
[[nodiscard]] double rotor_defect(std::size_t dimension, std::span<const double> rotor);

/// Computes the unit rotor with s ≥ 0 of an orthonormal, unmirrored N×N matrix (column-major, to 1e-5); rotor_size(dimension) numbers.
/// Returns false for other matrices.
[[nodiscard]] bool rotor_from_matrix(std::size_t dimension, std::span<const double> matrix, std::span<double> out);

/// Interpolates between two unit rotors: a·(a⁻¹·b)^t, 0 ≤ t ≤ 1, rotor_size(dimension) numbers. All planes of the
/// relative rotation turn at constant speed by at most half a turn (the shortest way); which way exact half turns go depends on b's sign.
/// Exactly a at 0, exactly b or −b at 1. Up to three dimensions the slerp above.
void slerp(std::size_t dimension, std::span<const double> a, std::span<const double> b, double t, std::span<double> out);

// Cells of N-space: normals, volumes, and the two forms of a mesh: simplexes, and the hierarchy of its parts.
// Dimensions are at most 16. Positions are rows of N numbers; T is float or double, sums are in double.

/// The vector perpendicular to N−1 vectors (given packed, one after another): n_i = (−1)^(i+N−1) · det(the vectors without axis i). Its
/// length is the volume that they span, and (vectors…, n) is positively oriented; N = 3: the cross product, N = 2: a quarter turn
/// counter-clockwise (G4MF, mesh part, calculating cell normals). `out` has N numbers.
void perpendicular(std::size_t dimension, std::span<const double> vectors, std::span<double> out);

/// The k-dimensional volume of a simplex with k+1 corners, k ≤ N: length, area, volume, …
template <class T>
[[nodiscard]] double simplex_volume(strided_view<const T> positions, std::span<const std::uint32_t> corners);
/// The same with a sign, of a simplex that fills its space (N+1 corners): a triangle of the plane counts as positive counter-clockwise.
template <class T>
[[nodiscard]] double signed_volume(strided_view<const T> positions, std::span<const std::uint32_t> corners);

/// The perpendicular of a boundary simplex (N corners, N ≥ 2): it points to the side that the simplex faces and is (N−1)! times as long
/// as the simplex is large.
template <class T>
void simplex_normal(strided_view<const T> positions, std::span<const std::uint32_t> corners, std::span<double> normal);

/// Computes one unit normal per simplex; zeros for a simplex without volume. `simplexes`: rows of N corners.
template <class T>
void flat_normals(strided_view<const T> positions, strided_view<const std::uint32_t> simplexes, strided_view<T> normals);
/// Computes one unit normal per position: the mean of the surrounding simplexes, weighted by their volume; zeros without any.
template <class T>
void smooth_normals(strided_view<const T> positions, strided_view<const std::uint32_t> simplexes, strided_view<T> normals);

/// Lists of indices of any length, one after another.
struct IndexRows {
  std::vector<std::size_t> first{0};  ///< the start of each row, and the end of the last one
  std::vector<std::uint32_t> indices;

  [[nodiscard]] std::size_t size() const { return first.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t row) const {
    return std::span(indices).subspan(first[row], first[row + 1] - first[row]);
  }
  void end_row() { first.push_back(indices.size()); }
};

using Edge = std::array<std::uint32_t, 2>;

/// A mesh by the hierarchy of its parts: edges over vertices, tier 0 faces over edges, tier 1 volumes over faces, and so on; items of
/// tier t have dimension t + 2. Functions trust that every index is in range.
struct Polytopes {
  std::vector<Edge> edges;
  std::vector<IndexRows> tiers;
};

/// The tier whose items bound the mesh: faces up to three dimensions, volumes in four, …
[[nodiscard]] constexpr std::size_t boundary_tier(std::size_t dimension) { return dimension <= 3 ? 0 : dimension - 3; }

/// Unpacks a stream "count, indices…, count, indices…"; returns nothing if the last item is cut short.
[[nodiscard]] std::optional<IndexRows> unpack_tier(std::span<const std::uint32_t> stream);

/// Returns the vertices of every item of a tier, each once, in the order in which a walk down to the ends of its edges first reaches them
///  (G4MF: topology vertex instances). A face starts with the corner that gives its winding: the free end of its first edge, the
/// vertex shared with the second one, the free end of that. Failure::limit if more than `limit` entries must be visited.
[[nodiscard]] Result<IndexRows> item_vertices(const Polytopes& polytopes, std::size_t tier, std::size_t limit);

/// For every item of a tier the simplex that gives it its orientation: for an item of dimension d, d+1 vertices: a free vertex of its first
/// part, the orientation of what its first two parts share, a free vertex of the second part (faces: winding of the first two edges;
/// volumes: the shared edge in its stored direction; higher ones continue the pattern). An empty row where the first two parts share
/// nothing.
[[nodiscard]] Result<IndexRows> orientation_simplexes(const Polytopes& polytopes, std::size_t tier, std::size_t limit);

/// Simplexes that items were cut into.
struct Triangulation {
  std::size_t corners = 0;               ///< of each simplex
  std::vector<std::uint32_t> simplexes;  ///< rows of `corners`
  std::vector<std::size_t> first;        ///< the first simplex of each item, and the number of all
  std::vector<std::uint32_t> refused;    ///< items without simplexes: not closed, or star-shaped from none of their vertices
};

/// Cuts each item of a tier into simplexes around one vertex: the lowest vertex from which the whole item is visible. Shared parts are cut
/// alike if they are convex. The simplexes of an item start with that vertex and face as their orientation_simplexes do.
/// Simplexes without volume are left out. Failure::limit when more than `limit` simplexes would have to be tried.
[[nodiscard]] Result<Triangulation> triangulate(const Polytopes& polytopes, std::size_t tier, strided_view<const double> positions,
                                                std::size_t limit);

/// The hierarchy of simplexes with `corners` ≥ 3 corners: every part once, in the order of first occurrence, the simplexes as they are
/// in the last tier, facing as before. `edges` come first and keep their place. Failure::limit beyond `limit` parts in all.
[[nodiscard]] Result<Polytopes> polytopes_from_simplexes(std::size_t corners, std::span<const std::uint32_t> simplexes,
                                                         const std::vector<Edge>& edges, std::size_t limit);

/// Returns the edges of simplexes, each once, in the order and direction of first occurrence.
[[nodiscard]] std::vector<Edge> edges_from_simplexes(std::size_t corners, std::span<const std::uint32_t> simplexes);

/// Runs of simplexes with the same first vertex (G4MF's polytopeSimplexes: each run is one star-shaped polytope): the first simplex of each
/// run, and the number of all.
[[nodiscard]] std::vector<std::size_t> polytope_runs(std::size_t corners, std::span<const std::uint32_t> simplexes);

/// The first simplex whose normal differs from that of its run by more than rounding (a cosine under 1 − 1e-4), simplexes without
/// volume aside; the number of simplexes where none does.
[[nodiscard]] std::size_t first_bent_simplex(strided_view<const double> positions, std::size_t corners,
                                             std::span<const std::uint32_t> simplexes, std::span<const std::size_t> runs);

}  // namespace sinew

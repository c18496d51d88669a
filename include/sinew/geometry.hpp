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

/// An affine map of N-space in double precision: p ↦ L·p + t. Variables are named by their spaces: `world_from_joint * joint_from_mesh`.
/// Stored column-major: N columns of L, then t, N numbers each; column j of L is the image of axis j.
class Affine {
 public:
  Affine() = default;                      ///< dimension 0
  explicit Affine(std::size_t dimension);  ///< the identity
  /// Creates a map from N·(N+1) numbers in storage order.
  Affine(std::size_t dimension, std::span<const double> columns);

  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] double operator()(std::size_t row, std::size_t column) const { return values_[column * dimension_ + row]; }
  [[nodiscard]] double& operator()(std::size_t row, std::size_t column) { return values_[column * dimension_ + row]; }
  [[nodiscard]] double translation(std::size_t row) const { return values_[dimension_ * dimension_ + row]; }
  [[nodiscard]] double& translation(std::size_t row) { return values_[dimension_ * dimension_ + row]; }
  [[nodiscard]] std::span<const double> values() const { return values_; }

  /// Computes L·point + t. `out` has N numbers and may be `point`.
  void apply(std::span<const double> point, std::span<double> out) const noexcept;

  friend Affine operator*(const Affine& a, const Affine& b);  ///< first b, then a; equal dimensions
  friend bool operator==(const Affine&, const Affine&) = default;

 private:
  std::size_t dimension_ = 0;
  SmallVector<double, 20> values_;
};

/// Returns det L. A map with a negative determinant mirrors.
[[nodiscard]] double determinant(const Affine& map) noexcept;
/// Returns nothing if L is singular (to working precision, relative to its size) or not finite.
[[nodiscard]] std::optional<Affine> inverse(const Affine& map);
/// Computes the cofactor matrix of L, N² numbers column-major. It transforms normals; it equals det(L)·L⁻ᵀ if L is regular.
void cofactor(const Affine& map, std::span<double> out) noexcept;
[[nodiscard]] bool is_finite(const Affine& map) noexcept;

// Rotors of N-space: even-grade blades ordered by grade, then by the bit mask of their axes (G4MF, transform part; 3D: [s, xy, xz, yz]).
// A rotation by θ from axis i towards axis j (i < j) is s = cos(θ/2), e_ij = sin(θ/2). "First A, then B" is A·B; v' = reverse(R)·v·R.
// Trailing components may be omitted and count as 0. All functions work in double precision, allocate nothing for N ≤ 4 and trust that N ≤
// 16; their cost is at most O(N²·2^N).

/// Returns the number of components of a full rotor: 2^(N−1) (1 for N = 0).
[[nodiscard]] constexpr std::size_t rotor_size(std::size_t dimension) { return dimension == 0 ? 1 : std::size_t{1} << (dimension - 1); }
/// Returns the number of components of scalar and bivectors: 1 + N(N−1)/2.
[[nodiscard]] constexpr std::size_t rotor_size_bivector(std::size_t dimension) {
  return dimension < 2 ? 1 : 1 + dimension * (dimension - 1) / 2;
}

/// Converts glTF's (x, y, z, w) to [w, z, −y, x], and back.
[[nodiscard]] constexpr std::array<double, 4> rotor_from_quaternion(std::span<const double, 4> q) { return {q[3], q[2], -q[1], q[0]}; }
[[nodiscard]] constexpr std::array<double, 4> quaternion_from_rotor(std::span<const double, 4> r) { return {r[3], -r[2], r[1], r[0]}; }

/// A rotation of space as glTF stores it: a unit quaternion.
struct Quaternion {
  double x = 0, y = 0, z = 0, w = 1;

  /// Returns the rotation about an axis by an angle in radians, counter-clockwise seen from the tip of the axis. The axis may have any
  /// length except 0, which gives numbers that are not finite.
  [[nodiscard]] static Quaternion about(const std::array<double, 3>& axis, double radians) noexcept;
};

/// A rotation of N-space: the components of a rotor, in the order above.
struct Rotor {
  SmallVector<double, 4> values;

  Rotor() = default;  ///< no rotation
  explicit Rotor(std::span<const double> numbers) : values(numbers) {}
  Rotor(const Quaternion& q) : values({q.w, q.z, -q.y, q.x}) {}  // NOLINT: a quaternion is a rotor

  /// Returns the rotation in the plane of two axes (0 = x, 1 = y, …), from the first towards the second, by an angle in radians. It is
  /// valid in every space that has both axes. Precondition: the axes differ and are below 16.
  [[nodiscard]] static Rotor in_plane(std::size_t from, std::size_t to, double radians);
};

/// Computes the N×N matrix (column-major) of the rotor *as stored*, without normalisation. N ≤ 3: I + 2·s·A + 2·A² (glTF's 1 − 2(y² + z²) …
/// for 3D). N > 3: column j is the vector part of reverse(R)·e_j·R.
[[nodiscard]] Result<> matrix_from_rotor(std::size_t dimension, std::span<const double> rotor, std::span<double> matrix);

/// Interpolates spherically as in glTF's appendix on interpolation modes, for 4 numbers or any unit rotors of equal length. It takes the
/// shortest arc, clamps the dot product to 1 and does not normalise the result. If the angle vanishes, it interpolates linearly.
void slerp(std::span<const double> a, std::span<const double> b, double t, std::span<double> out) noexcept;

/// Returns whether a stored rotor may have this length: scalar and bivectors, or more complete grades, up to rotor_size.
[[nodiscard]] bool is_rotor_length(std::size_t dimension, std::size_t length) noexcept;
/// Appends the omitted components as zeros, up to the size of `out` (rotor_size).
void expand_rotor(std::span<const double> rotor, std::span<double> out) noexcept;
/// Scales a rotor to length 1. Returns false and changes nothing if the length is zero or not finite.
[[nodiscard]] bool normalize_rotor(std::span<double> rotor) noexcept;
/// Inverts a unit rotor. The result has as many components as `rotor`; `out` may be `rotor`.
void reverse_rotor(std::size_t dimension, std::span<const double> rotor, std::span<double> out) noexcept;
/// Composes "first a, then b": the geometric product a·b, rotor_size(dimension) numbers. b must be a multiple of a rotation.
[[nodiscard]] Result<> compose(std::size_t dimension, std::span<const double> a, std::span<const double> b, std::span<double> out);

/// Measures how far a normalised rotor is from a rotation; 0: it is a rotation. Up to three dimensions: always 0. Four dimensions: the
/// error of s·p = b01·b23 − b02·b13 + b03·b12. More: the largest entry of MᵀM − 1. Infinite if the rotor cannot be normalised.
[[nodiscard]] Result<double> rotor_defect(std::size_t dimension, std::span<const double> rotor);

/// Computes the unit rotor with s ≥ 0 of an orthonormal, unmirrored N×N matrix (column-major, to 1e-5); rotor_size(dimension) numbers.
/// Returns false for other matrices.
[[nodiscard]] Result<bool> rotor_from_matrix(std::size_t dimension, std::span<const double> matrix, std::span<double> out);

/// Interpolates between two unit rotors: a·(a⁻¹·b)^t, 0 ≤ t ≤ 1, rotor_size(dimension) numbers. All planes of the relative rotation turn at
/// constant speed, by at most half a turn (the shortest way). The sign of b decides the direction of exact half turns. The result is
/// exactly a at 0 and exactly b or −b at 1. Up to three dimensions this is the slerp above.
[[nodiscard]] Result<> slerp(std::size_t dimension, std::span<const double> a, std::span<const double> b, double t, std::span<double> out);

// Cells of N-space: normals, volumes, and the two forms of a mesh: simplexes, and the hierarchy of its parts.
// Dimensions are at most 16. Positions are rows of N numbers; T is float or double, sums are in double.

/// Computes the vector perpendicular to N−1 vectors (packed, one after another): n_i = (−1)^(i+N−1) · det(the vectors without axis i). Its
/// length is the volume that they span, and (vectors…, n) is positively oriented. N = 3: the cross product; N = 2: a quarter turn
/// counter-clockwise (G4MF, mesh part, calculating cell normals). `out` has N numbers.
void perpendicular(std::size_t dimension, std::span<const double> vectors, std::span<double> out) noexcept;

/// Returns the k-dimensional volume of a simplex with k+1 corners, k ≤ N: length, area, volume, …
template <class T>
[[nodiscard]] double simplex_volume(strided_view<const T> positions, std::span<const std::uint32_t> corners) noexcept;
/// Returns the signed volume of a simplex that fills its space (N+1 corners). Counter-clockwise triangles of the plane are positive.
template <class T>
[[nodiscard]] double signed_volume(strided_view<const T> positions, std::span<const std::uint32_t> corners) noexcept;

/// Computes the perpendicular of a boundary simplex (N corners, N ≥ 2). It points to the front of the simplex; its length is (N−1)! times
/// the volume of the simplex.
template <class T>
void simplex_normal(strided_view<const T> positions, std::span<const std::uint32_t> corners, std::span<double> normal) noexcept;

/// Computes one unit normal per simplex; zeros for a simplex without volume. `simplexes`: rows of N corners.
template <class T>
void flat_normals(strided_view<const T> positions, strided_view<const std::uint32_t> simplexes, strided_view<T> normals) noexcept;
/// Computes one unit normal per position: the mean of the surrounding simplexes, weighted by volume; zeros without surrounding simplexes.
template <class T>
[[nodiscard]] Result<> smooth_normals(strided_view<const T> positions, strided_view<const std::uint32_t> simplexes,
                                      strided_view<T> normals);

/// Lists of indices of any length, stored one after another.
struct IndexRows {
  std::vector<std::size_t> first;  ///< the start of each row, and the end of the last one
  std::vector<std::uint32_t> indices;

  IndexRows();  ///< no rows
  [[nodiscard]] std::size_t size() const { return first.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t row) const {
    return std::span(indices).subspan(first[row], first[row + 1] - first[row]);
  }
  void end_row();
};

using Edge = std::array<std::uint32_t, 2>;

/// A mesh as the hierarchy of its parts: edges over vertices, tier 0 faces over edges, tier 1 volumes over faces, and so on. Items of tier
/// t have dimension t + 2. Functions trust that every index is in range.
struct Polytopes {
  std::vector<Edge> edges;
  std::vector<IndexRows> tiers;
};

/// Returns the tier whose items bound the mesh: faces up to three dimensions, volumes in four, …
[[nodiscard]] constexpr std::size_t boundary_tier(std::size_t dimension) { return dimension <= 3 ? 0 : dimension - 3; }

/// Unpacks a stream "count, indices…, count, indices…"; returns nothing if the last item is cut short.
[[nodiscard]] Result<std::optional<IndexRows>> unpack_tier(std::span<const std::uint32_t> stream);

/// Returns the vertices of every item of a tier, each once, in the order in which a traversal down to the vertices of its edges reaches
/// them (G4MF: topology vertex instances). A face starts with the corner that defines its winding: the free end of its first edge, then the
/// vertex shared with the second edge, then the free end of the second edge. Failure::limit if more than `limit` entries must be visited.
[[nodiscard]] Result<IndexRows> item_vertices(const Polytopes& polytopes, std::size_t tier, std::size_t limit);

/// Returns, for every item of a tier, the simplex that defines its orientation. For an item of dimension d it has d+1 vertices: a free
/// vertex of the first part, the orientation simplex of the item that the first two parts share, a free vertex of the second part. Faces:
/// the winding of the first two edges. Volumes: the shared edge in its stored direction. The row is empty if the first two parts share
/// nothing.
[[nodiscard]] Result<IndexRows> orientation_simplexes(const Polytopes& polytopes, std::size_t tier, std::size_t limit);

/// Items cut into simplexes.
struct Triangulation {
  std::size_t corners = 0;               ///< of each simplex
  std::vector<std::uint32_t> simplexes;  ///< rows of `corners`
  std::vector<std::size_t> first;        ///< the first simplex of each item, then the number of all simplexes
  std::vector<std::uint32_t> refused;    ///< items without simplexes: not closed, or not star-shaped from any of their vertices
};

/// Cuts each item of a tier into simplexes around one vertex: the lowest vertex from which the whole item is visible. Convex parts that two
/// items share are cut the same way in both. The simplexes of an item start with that vertex and have the orientation of the item
/// (orientation_simplexes). Simplexes without volume are omitted. Failure::limit after `limit` simplexes were tried.
[[nodiscard]] Result<Triangulation> triangulate(const Polytopes& polytopes, std::size_t tier, strided_view<const double> positions,
                                                std::size_t limit);

/// Returns the hierarchy of simplexes with `corners` ≥ 3 corners. Every part occurs once, in the order of first occurrence. The simplexes
/// form the last tier and keep their orientation. `edges` come first and keep their indices. Failure::limit beyond `limit` parts in total.
[[nodiscard]] Result<Polytopes> polytopes_from_simplexes(std::size_t corners, std::span<const std::uint32_t> simplexes,
                                                         const std::vector<Edge>& edges, std::size_t limit);

/// Returns the edges of simplexes, each once, in the order and direction of first occurrence.
[[nodiscard]] Result<std::vector<Edge>> edges_from_simplexes(std::size_t corners, std::span<const std::uint32_t> simplexes);

/// Finds runs of simplexes with the same first vertex (G4MF's polytopeSimplexes: each run is one star-shaped polytope). Returns the first
/// simplex of each run, then the number of all simplexes.
[[nodiscard]] Result<std::vector<std::size_t>> polytope_runs(std::size_t corners, std::span<const std::uint32_t> simplexes);

/// Returns the first simplex whose normal differs from that of its run by more than rounding (a cosine under 1 − 1e-4). Simplexes without
/// volume are ignored. Returns the number of simplexes if there is no such simplex.
[[nodiscard]] std::size_t first_bent_simplex(strided_view<const double> positions, std::size_t corners,
                                             std::span<const std::uint32_t> simplexes, std::span<const std::size_t> runs) noexcept;

}  // namespace sinew

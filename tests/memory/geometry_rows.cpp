// SPDX-License-Identifier: MIT
// The calls of the core library about rotors, simplexes and their hierarchies. In four dimensions, where they allocate most.
#include <array>
#include <vector>

#include "trial.hpp"

#include "sinew/geometry.hpp"

namespace sinew::memory {
namespace {

constexpr std::size_t dimension = 6;
const std::vector<std::uint32_t> tetrahedra{0, 1, 2, 3, 1, 2, 3, 4};
const std::vector<double> places{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};

std::vector<double> turn(std::size_t from, std::size_t to) {
  std::vector<double> numbers(rotor_size(dimension));
  expand_rotor(Rotor::in_plane(from, to, 0.5).values, numbers);
  return numbers;
}

Polytopes hierarchy() { return polytopes_from_simplexes(4, tetrahedra, {}, 1000).value(); }

constexpr Row all[] = {
    {"sinew::matrix_from_rotor",
     [](const Given&, Trial& trial) {
       const std::vector<double> rotor = turn(0, 5);
       std::array<double, dimension * dimension> matrix{};
       trial([&] { return matrix_from_rotor(dimension, rotor, matrix); });
     }},
    {"sinew::compose",
     [](const Given&, Trial& trial) {
       const std::vector<double> a = turn(0, 5), b = turn(1, 2);
       std::vector<double> out(a.size());
       trial([&] { return compose(dimension, a, b, out); });
     }},
    {"sinew::rotor_defect",
     [](const Given&, Trial& trial) {
       const std::vector<double> rotor = turn(0, 5);
       trial([&] { return rotor_defect(dimension, rotor); });
     }},
    {"sinew::rotor_from_matrix",
     [](const Given&, Trial& trial) {
       std::array<double, dimension * dimension> matrix{};
       for (std::size_t i = 0; i < dimension; ++i) matrix[i * dimension + i] = 1;
       std::vector<double> out(rotor_size(dimension));
       trial([&] { return rotor_from_matrix(dimension, matrix, out); });
     }},
    {"sinew::slerp",
     [](const Given&, Trial& trial) {
       const std::vector<double> a = turn(0, 5), b = turn(1, 2);
       std::vector<double> out(a.size());
       trial([&] { return slerp(dimension, a, b, 0.25, out); });
     }},
    {"sinew::determinant",
     [](const Given&, Trial& trial) {
       const Affine one(dimension);
       std::array<double, dimension> point{};
       std::array<double, dimension * dimension> cofactors{};
       trial([&] {
         one.apply(point, point);
         cofactor(one, cofactors);
         return determinant(one);
       });
     }},
    {"sinew::smooth_normals",
     [](const Given&, Trial& trial) {
       const std::vector<std::uint32_t> triangles{0, 1, 2, 1, 2, 3};
       std::vector<double> normals(places.size());
       trial([&] { return smooth_normals<double>({places.data(), 5, 3}, {triangles.data(), 2, 3}, {normals.data(), 5, 3}); });
     }},
    {"sinew::simplex_volume",
     [](const Given&, Trial& trial) {
       trial([] { return simplex_volume<double>({places.data(), 5, 3}, std::span(tetrahedra).first(4)); });
     }},
    {"sinew::unpack_tier",
     [](const Given&, Trial& trial) {
       const std::vector<std::uint32_t> stream{3, 0, 1, 2, 3, 1, 3, 4};
       trial([&] { return unpack_tier(stream); });
     }},
    {"sinew::item_vertices",
     [](const Given&, Trial& trial) {
       const Polytopes polytopes = hierarchy();
       trial([&] { return item_vertices(polytopes, 1, 1000); });
     }},
    {"sinew::orientation_simplexes",
     [](const Given&, Trial& trial) {
       const Polytopes polytopes = hierarchy();
       trial([&] { return orientation_simplexes(polytopes, 1, 1000); });
     }},
    {"sinew::triangulate",
     [](const Given&, Trial& trial) {
       const Polytopes polytopes = hierarchy();
       trial([&] { return triangulate(polytopes, 1, {places.data(), 5, 3}, 1000); });
     }},
    {"sinew::polytopes_from_simplexes",
     [](const Given&, Trial& trial) { trial([] { return polytopes_from_simplexes(4, tetrahedra, {}, 1000); }); }},
    {"sinew::edges_from_simplexes", [](const Given&, Trial& trial) { trial([] { return edges_from_simplexes(4, tetrahedra); }); }},
    {"sinew::polytope_runs", [](const Given&, Trial& trial) { trial([] { return polytope_runs(4, tetrahedra); }); }},
};

}  // namespace

std::span<const Row> geometry_rows() { return all; }

}  // namespace sinew::memory

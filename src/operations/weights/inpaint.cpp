// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/sparse_cholesky.hpp"
#include "operations/weights/weight_field.hpp"

namespace sinew::operations::weights {

namespace {

constexpr double most_cotangent = 20;     // of angles in thin triangles, which would make the matrix indefinite
constexpr double least_mass = 1e-6;       // relative to the mean
constexpr double regularization = 1e-10;  // relative to the mean of the diagonal
constexpr std::uint32_t no_unknown = std::numeric_limits<std::uint32_t>::max();

/// −L by edge and the masses of points.
struct Laplacian {
  std::vector<double> edge;   ///< by entry of Neighbours::point
  std::vector<double> total;  ///< by point: the sum of its edges
  std::vector<double> mass;
};

double& edge_of(Laplacian& out, const Neighbours& neighbours, std::uint32_t a, std::uint32_t b) {
  const auto list = neighbours.of(a);
  return out.edge[neighbours.first[a] + static_cast<std::size_t>(std::ranges::lower_bound(list, b) - list.begin())];
}

void add_up(const Neighbours& neighbours, Laplacian& out) {
  out.total.assign(neighbours.first.size() - 1, 0);
  for (std::size_t i = 0; i < out.total.size(); ++i)
    for (std::size_t k = neighbours.first[i]; k < neighbours.first[i + 1]; ++k) out.total[i] += out.edge[k];
}

Laplacian cotangents(const WeldedMesh& mesh, const Neighbours& neighbours) {
  Laplacian out{std::vector<double>(neighbours.point.size()), {}, std::vector<double>(mesh.points.size())};
  const double scale = mesh.diagonal > 0 ? 1 / mesh.diagonal : 1;
  for (const Triangle& t : mesh.triangles) {
    std::array<Vec, 3> p;
    for (std::size_t i = 0; i < 3; ++i) p[i] = scale * mesh.points[t[i]];
    const double area = norm(cross(p[1] - p[0], p[2] - p[0]));  // twice the area
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[(i + 1) % 3], b = t[(i + 2) % 3];
      const double side = dot(p[(i + 1) % 3] - p[i], p[(i + 2) % 3] - p[i]);
      const double cotangent = area > 0 ? std::clamp(side / area, -most_cotangent, most_cotangent) : std::copysign(most_cotangent, side);
      edge_of(out, neighbours, a, b) += cotangent / 2;
      edge_of(out, neighbours, b, a) += cotangent / 2;
      out.mass[t[i]] += area / 6;
    }
  }
  const double mean =
      std::accumulate(out.mass.begin(), out.mass.end(), 0.0) / static_cast<double>(std::max<std::size_t>(1, out.mass.size()));
  for (double& mass : out.mass) mass = std::max({mass, least_mass * mean, std::numeric_limits<double>::min()});
  add_up(neighbours, out);
  return out;
}

Laplacian of_graph(const Neighbours& neighbours) {
  Laplacian out{std::vector<double>(neighbours.point.size(), 1), {}, std::vector<double>(neighbours.first.size() - 1, 1)};
  add_up(neighbours, out);
  return out;
}

/// The system of the unknown points.
class Inpainting {
 public:
  Inpainting(const Neighbours& neighbours, std::span<const std::uint8_t> known, const WeightField& field)
      : neighbours_(neighbours), field_(field), number_(known.size(), no_unknown) {
    for (std::uint32_t i = 0; i < known.size(); ++i) {
      if (known[i] != 0) continue;
      number_[i] = static_cast<std::uint32_t>(points_.size());
      points_.push_back(i);
    }
  }

  [[nodiscard]] const std::vector<std::uint32_t>& points() const { return points_; }

  /// Returns X, joint after joint, or nothing if the matrix is not positive definite.
  [[nodiscard]] std::vector<double> solve(const Laplacian& laplacian, unsigned threads) const {
    std::vector<SparseEntry> entries;
    std::vector<double> columns(points_.size() * field_.joints());
    std::vector<double> sums(number_.size());
    std::vector<std::uint32_t> touched;
    double diagonal = 0;
    for (std::uint32_t row = 0; row < points_.size(); ++row) {
      fill(laplacian, points_[row], sums, touched);
      diagonal += sums[points_[row]];
      for (const std::uint32_t point : touched) {
        const std::uint32_t column = number_[point];
        if (column == no_unknown) {
          const auto weights = field_.row(point);
          for (std::size_t joint = 0; joint < weights.size(); ++joint)
            if (weights[joint] != 0) columns[joint * points_.size() + row] -= sums[point] * weights[joint];
        } else if (column <= row) {
          entries.push_back({row, column, sums[point]});
        }
        sums[point] = 0;
      }
      touched.clear();
    }
    const double shift = regularization * diagonal / static_cast<double>(std::max<std::size_t>(1, points_.size()));
    for (std::uint32_t row = 0; row < points_.size(); ++row) entries.push_back({row, row, shift});
    if (!solve_positive_definite(points_.size(), entries, columns, threads)) columns.clear();
    return columns;
  }

 private:
  /// Computes one row of Q.
  void fill(const Laplacian& laplacian, std::uint32_t point, std::vector<double>& sums, std::vector<std::uint32_t>& touched) const {
    const auto add = [&](std::uint32_t at, double value) {
      if (sums[at] == 0) touched.push_back(at);
      sums[at] += value != 0 ? value : std::numeric_limits<double>::min();
    };
    const auto add_row = [&](std::uint32_t at, double factor) {  // of −L
      add(at, factor * laplacian.total[at]);
      for (std::size_t k = neighbours_.first[at]; k < neighbours_.first[at + 1]; ++k)
        add(neighbours_.point[k], -factor * laplacian.edge[k]);
    };
    add_row(point, 1 + laplacian.total[point] / laplacian.mass[point]);
    for (std::size_t k = neighbours_.first[point]; k < neighbours_.first[point + 1]; ++k)
      add_row(neighbours_.point[k], -laplacian.edge[k] / laplacian.mass[neighbours_.point[k]]);
    std::ranges::sort(touched);
    const auto repeated = std::ranges::unique(touched);  // a sum that was 0 on the way
    touched.erase(repeated.begin(), repeated.end());
  }

  const Neighbours& neighbours_;
  const WeightField& field_;
  std::vector<std::uint32_t> number_;  ///< by point: its row
  std::vector<std::uint32_t> points_;  ///< by row
};

}  // namespace

bool normalize(std::span<double> row) {
  double sum = 0;
  for (double& weight : row) {
    weight = std::max(weight, 0.0);
    sum += weight;
  }
  if (!(sum > 1e-9)) return false;
  for (double& weight : row) weight /= sum;
  return true;
}

void inpaint(const WeldedMesh& mesh, const Neighbours& neighbours, std::span<const std::uint8_t> known, WeightField& field,
             unsigned threads) {
  const Inpainting system(neighbours, known, field);
  const std::size_t count = system.points().size();
  if (count == 0) return;
  std::vector<double> solution = system.solve(cotangents(mesh, neighbours), threads);
  if (solution.empty()) solution = system.solve(of_graph(neighbours), threads);
  for (std::size_t row = 0; row < count && !solution.empty(); ++row)
    for (std::size_t joint = 0; joint < field.joints(); ++joint) field.row(system.points()[row])[joint] = solution[joint * count + row];
}

}  // namespace sinew::operations::weights

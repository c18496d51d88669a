// SPDX-License-Identifier: MIT
#include "operations/lift/sheet.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/disjoint_sets.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "math/length.hpp"
#include "model/influences.hpp"

namespace sinew::operations {

namespace {

/// One side of a simplex: the corner opposite to it, and the sign of the order of its points against their ascending order.
struct Side {
  std::uint32_t simplex = 0, opposite = 0;
  bool odd = false;
};

/// Makes a Sheet.
class Gatherer {
 public:
  Gatherer(const Mesh& mesh, std::size_t dimension, std::vector<LeftOut>& left_out) : mesh_(mesh), n_(dimension), left_out_(left_out) {
    sheet_.dimension = n_;
  }

  Sheet run() {
    weld();
    for (std::uint32_t s = 0; s < mesh_.surfaces.size(); ++s) add_surface(s);
    if (copies_ != 0) leave_out(copies_, "they lie on another simplex");
    if (flat_ != 0) leave_out(flat_, "two of their corners lie at one place");
    if (parted_ != 0) leave_out(parted_, "these vertices lie at the place of another one, whose weights and blend shapes they now have");
    find_sides();
    orient();
    remove_refused();
    split_fans();
    return std::move(sheet_);
  }

 private:
  void leave_out(std::size_t count, std::string why) { left_out_.push_back({mesh_.name, none, count, std::move(why)}); }

  void weld() {
    const VertexBlock& block = mesh_.blocks.front();
    const Attribute* const stored = find_attribute(block.attributes, Semantic::position);
    places_ = stored->values.read<double>();
    for (double& x : places_) x += 0.0;  // −0 is 0
    std::unordered_map<std::string, std::uint32_t> known;
    for (std::uint32_t row = 0; row < block.vertices; ++row) {
      const std::string key(reinterpret_cast<const char*>(&places_[row * n_]), n_ * sizeof(double));
      first_at_.push_back(known.emplace(key, row).first->second);
    }
    note_parted(block, *stored);
  }

  /// Counts vertices that move apart from the first one at their place: by other weights or in a blend shape.
  void note_parted(const VertexBlock& block, const Attribute& stored) {
    std::vector<bool> parted(block.vertices);
    const InfluenceTable influences(block.influences);
    const auto entry = [](const Influence& a) { return std::pair(a.slot, a.weight); };
    for (std::size_t row = 0; row < influences.size() && row < parted.size(); ++row)
      if (first_at_[row] != row) parted[row] = !std::ranges::equal(influences[row], influences[first_at_[row]], {}, entry, entry);
    for (const Offsets& offsets : stored.offsets) {
      const std::vector<double> values = offsets.values.read<double>();
      const std::vector<std::uint32_t> indices = offsets.indices.read<std::uint32_t>();
      std::vector<double> all(block.vertices * n_);
      for (std::size_t i = 0; i < offsets.values.size(); ++i)
        if (const std::size_t row = offsets.sparse() ? indices[i] : i; row < block.vertices)
          std::copy_n(&values[i * n_], n_, &all[row * n_]);
      for (std::size_t row = 0; row < block.vertices; ++row)
        if (!std::equal(&all[row * n_], &all[row * n_] + n_, &all[first_at_[row] * n_])) parted[row] = true;
    }
    parted_ = static_cast<std::size_t>(std::ranges::count(parted, true));
  }

  void add_surface(std::uint32_t s) {
    const Surface& surface = mesh_.surfaces[s];
    const Elements elements = need(elements_of(mesh_, surface, n_));
    const std::size_t count = count_of(elements);
    if (count == 0) return;
    if (surface.primitive < Primitive::simplexes) return leave_out(count, "they are points or lines");
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<std::uint32_t> points;
      for (std::size_t k = 0; k < n_; ++k) points.push_back(first_at_[elements.indices[i * n_ + k]]);
      std::vector<std::uint32_t> sorted = points;
      std::ranges::sort(sorted);
      if (std::ranges::adjacent_find(sorted) != sorted.end()) {
        ++flat_;
        continue;
      }
      if (!seen_.emplace(std::move(sorted), true).second) {
        ++copies_;
        continue;
      }
      sheet_.surface.push_back(s);
      for (std::size_t k = 0; k < n_; ++k) {
        sheet_.simplexes.push_back(points[k]);
        sheet_.corner.push_back(static_cast<std::uint32_t>(i * n_ + k));
      }
    }
  }

  void find_sides() {
    for (std::uint32_t s = 0; s < sheet_.count(); ++s)
      for (std::uint32_t opposite = 0; opposite < n_; ++opposite) {
        std::vector<std::uint32_t> points;
        for (std::size_t k = 0; k < n_; ++k)
          if (k != opposite) points.push_back(sheet_.simplex(s)[k]);
        const bool odd = sort_odd(std::span(points));
        sides_[std::move(points)].push_back({s, opposite, odd != ((opposite & 1) != 0)});
      }
  }

  /// Turns simplexes so that two that share a side see it in opposite directions.
  void orient() {
    std::vector<std::vector<std::pair<std::uint32_t, bool>>> neighbours(
        sheet_.count());  // and whether one must be turned against the other
    DisjointSets parts(sheet_.count());
    std::vector<bool> crowded(sheet_.count());
    for (const auto& [points, own] : sides_) {
      for (const Side& side : own) parts.join(own.front().simplex, side.simplex);
      if (own.size() == 2) {
        neighbours[own[0].simplex].emplace_back(own[1].simplex, own[0].odd == own[1].odd);
        neighbours[own[1].simplex].emplace_back(own[0].simplex, own[0].odd == own[1].odd);
      } else if (own.size() > 2) {
        crowded[own.front().simplex] = true;
        if (example_.empty()) example_ = format_text("{}", join_text(points, ", "));
      }
    }
    std::vector<std::uint8_t> crowded_part(sheet_.count()), twisted_part(sheet_.count());
    std::vector<std::optional<bool>> turned(sheet_.count());
    for (std::uint32_t s = 0; s < sheet_.count(); ++s)
      if (crowded[s]) crowded_part[parts.find(s)] = 1;
    for (std::uint32_t first = 0; first < sheet_.count(); ++first)
      if (!turned[first] && !spread(first, neighbours, turned)) twisted_part[parts.find(first)] = 1;
    refused_.assign(sheet_.count(), false);
    std::size_t many = 0, twisted = 0;
    for (std::uint32_t s = 0; s < sheet_.count(); ++s) {
      const std::size_t part = parts.find(s);
      refused_[s] = crowded_part[part] != 0 || twisted_part[part] != 0;
      many += crowded_part[part];
      twisted += crowded_part[part] == 0 && twisted_part[part] != 0 ? 1 : 0;
      if (!refused_[s] && *turned[s]) turn(s);
    }
    if (many != 0)
      leave_out(many,
                format_text("more than two simplexes of their part share a side, for example that of the vertices {}; separate them there "
                            "in a modelling program",
                            example_));
    if (twisted != 0) leave_out(twisted, "their part has no orientation, as a Möbius strip");
  }

  /// Decides about all simplexes that are connected with the first one; most of them stay. Returns false if that contradicts itself.
  static bool spread(std::uint32_t first, const std::vector<std::vector<std::pair<std::uint32_t, bool>>>& neighbours,
                     std::vector<std::optional<bool>>& turned) {
    bool fine = true;
    std::vector<std::uint32_t> open{first};
    turned[first] = false;
    std::size_t changed = 0;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const std::uint32_t own = open[i];
      for (const auto& [other, against] : neighbours[own]) {
        const bool wanted = *turned[own] != against;
        if (turned[other]) {
          fine = fine && *turned[other] == wanted;
          continue;
        }
        turned[other] = wanted;
        changed += wanted ? 1 : 0;
        open.push_back(other);
      }
    }
    if (2 * changed > open.size())
      for (const std::uint32_t s : open) turned[s] = !*turned[s];
    return fine;
  }

  void turn(std::uint32_t s) {
    std::swap(sheet_.simplexes[s * n_], sheet_.simplexes[s * n_ + 1]);
    std::swap(sheet_.corner[s * n_], sheet_.corner[s * n_ + 1]);
  }

  void remove_refused() {
    std::vector<std::uint32_t> place(sheet_.count());
    std::uint32_t next = 0;
    for (std::uint32_t s = 0; s < sheet_.count(); ++s) {
      place[s] = next;
      if (refused_[s]) continue;
      std::copy_n(&sheet_.simplexes[s * n_], n_, &sheet_.simplexes[next * n_]);
      std::copy_n(&sheet_.corner[s * n_], n_, &sheet_.corner[next * n_]);
      sheet_.surface[next] = sheet_.surface[s];
      ++next;
    }
    sheet_.surface.resize(next);
    sheet_.simplexes.resize(next * n_);
    sheet_.corner.resize(next * n_);
    sides_.clear();
    find_sides();
  }

  /// Gives each fan of simplexes around a vertex a point of its own, and notes the borders.
  void split_fans() {
    DisjointSets fans(sheet_.simplexes.size());
    for (const auto& [points, own] : sides_) {
      if (own.size() == 1) sheet_.borders.push_back({own[0].simplex, own[0].opposite});
      if (own.size() != 2) continue;
      for (const std::uint32_t point : points) fans.join(corner_at(own[0].simplex, point), corner_at(own[1].simplex, point));
    }
    std::ranges::sort(sheet_.borders);
    std::map<std::size_t, std::uint32_t> number;
    std::vector<std::uint32_t> renumbered(sheet_.simplexes.size());
    for (std::size_t i = 0; i < sheet_.simplexes.size(); ++i) {
      const auto [found, added] = number.emplace(fans.find(i), static_cast<std::uint32_t>(sheet_.row.size()));
      renumbered[i] = found->second;
      if (!added) continue;
      const std::uint32_t row = sheet_.simplexes[i];
      sheet_.row.push_back(row);
      sheet_.welded.push_back(row);
      sheet_.places.insert(sheet_.places.end(), &places_[row * n_], &places_[row * n_] + n_);
    }
    sheet_.simplexes = std::move(renumbered);
  }

  [[nodiscard]] std::size_t corner_at(std::uint32_t simplex, std::uint32_t point) const {
    const auto own = sheet_.simplex(simplex);
    return simplex * n_ + static_cast<std::size_t>(std::ranges::find(own, point) - own.begin());
  }

  const Mesh& mesh_;
  std::size_t n_;
  std::vector<LeftOut>& left_out_;
  Sheet sheet_;
  std::vector<double> places_;
  std::vector<std::uint32_t> first_at_;  ///< by row: the first row at its place
  std::map<std::vector<std::uint32_t>, bool> seen_;
  std::map<std::vector<std::uint32_t>, std::vector<Side>> sides_;
  std::vector<bool> refused_;
  std::string example_;
  std::size_t copies_ = 0, flat_ = 0, parted_ = 0;
};

}  // namespace

Sheet sheet_of(const Mesh& mesh, std::size_t dimension, std::vector<LeftOut>& left_out) {
  return Gatherer(mesh, dimension, left_out).run();
}

namespace {

/// The unit normals of the points: the mean over the simplexes around, weighted by volume.
std::vector<double> normals_of(const Sheet& sheet) {
  const std::size_t n = sheet.dimension;
  std::vector<double> normals(sheet.places.size());
  const strided_view<const double> places{sheet.places.data(), sheet.points(), n};
  std::vector<std::vector<double>> of_simplex;
  for (std::size_t s = 0; s < sheet.count(); ++s) {
    std::vector<double>& own = of_simplex.emplace_back(n);
    simplex_normal(places, sheet.simplex(s), own);
    for (const std::uint32_t point : sheet.simplex(s))
      for (std::size_t i = 0; i < n; ++i) normals[point * n + i] += own[i];
  }
  const auto make_unit = [n](double* v) {
    const double length = length_of(std::span<const double>(v, n));
    for (std::size_t i = 0; length > 0 && i < n; ++i) v[i] /= length;
    return length > 0;
  };
  for (std::size_t s = 0; s < sheet.count(); ++s) {
    if (!make_unit(of_simplex[s].data())) of_simplex[s].front() = 1;
    for (const std::uint32_t point : sheet.simplex(s))  // around a spike the sum can vanish
      if (double* const own = &normals[point * n]; std::all_of(own, own + n, [](double x) { return x == 0; }))
        std::ranges::copy(of_simplex[s], own);
  }
  for (std::size_t point = 0; point < sheet.points(); ++point) make_unit(&normals[point * n]);
  return normals;
}

}  // namespace

std::vector<double> mitres_of(const Sheet& sheet) {
  constexpr double weight_of_mean = 1e-3, longest = 4;
  const std::size_t n = sheet.dimension;
  std::vector<double> normals = normals_of(sheet), own(n), wanted(n), mitre(n);
  const strided_view<const double> places{sheet.places.data(), sheet.points(), n};
  std::vector<Affine> sums(sheet.points(), Affine(n, std::vector<double>(n * (n + 1))));  // Σ w·n·nᵀ, and Σ w·n as translation
  for (std::size_t s = 0; s < sheet.count(); ++s) {
    simplex_normal(places, sheet.simplex(s), own);
    const double size = length_of(own);
    if (!(size > 0)) continue;
    for (const std::uint32_t point : sheet.simplex(s))
      for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t column = 0; column < n; ++column) sums[point](row, column) += own[row] * own[column] / size;
        sums[point].translation(row) += own[row];
      }
  }
  for (std::size_t point = 0; point < sheet.points(); ++point) {
    double* const normal = &normals[point * n];
    double weight = 0;
    for (std::size_t i = 0; i < n; ++i) weight += weight_of_mean * sums[point](i, i);
    if (!(weight > 0)) continue;
    for (std::size_t i = 0; i < n; ++i) {
      sums[point](i, i) += weight;
      wanted[i] = sums[point].translation(i) + weight * normal[i];
      sums[point].translation(i) = 0;
    }
    const auto solved = inverse(sums[point]);
    if (!solved) continue;
    solved->apply(wanted, mitre);
    const double length = length_of(mitre);
    const double along = std::inner_product(mitre.begin(), mitre.end(), normal, 0.0);
    if (!std::isfinite(length) || !(along > 0)) continue;
    for (std::size_t i = 0; i < n; ++i) normal[i] = mitre[i] * std::min(1.0, longest / length);
  }
  return normals;
}

}  // namespace sinew::operations

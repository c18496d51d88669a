// SPDX-License-Identifier: MIT
#include "operations/lift/product.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

namespace sinew::operations {

namespace {

class Multiplier {
 public:
  Multiplier(const Sheet& sheet, std::size_t rings) : sheet_(sheet), n_(sheet.dimension), rings_(static_cast<std::uint32_t>(rings)) {}

  Product run() {
    for (std::uint32_t point = 0; point < sheet_.points(); ++point)
      for (std::uint32_t k = 0; k < rings_; ++k) out_.points.push_back({point, k});
    // ∂(S × D) = ∂S × D + (−1)^dim(S) · S × ∂D
    const bool odd_sheet = (n_ - 1) % 2 == 1;
    for (std::uint32_t s = 0; s < sheet_.count(); ++s) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> base;
      for (std::size_t k = 0; k < n_; ++k) base.emplace_back(sheet_.simplex(s)[k], sheet_.corner[s * n_ + k]);
      const bool odd = sort_odd(std::span(base));
      for (std::uint32_t k = 0; k < rings_; ++k) multiply(base, {k, (k + 1) % rings_}, odd != odd_sheet, s, false);
    }
    centre_of_.assign(sheet_.points(), Product::centre);
    for (const auto& [s, opposite] : sheet_.borders) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> base;
      for (std::size_t k = 0; k < n_; ++k)
        if (k != opposite) base.emplace_back(sheet_.simplex(s)[k], sheet_.corner[s * n_ + k]);
      const bool odd = sort_odd(std::span(base)) != (opposite % 2 == 1);
      for (std::uint32_t k = 0; k < rings_; ++k) multiply(base, {Product::centre, k, (k + 1) % rings_}, odd, s, true);
    }
    return std::move(out_);
  }

 private:
  /// The product of a simplex of the sheet and one of the disc: a simplex for each way through the grid of their ordered corners.
  void multiply(std::span<const std::pair<std::uint32_t, std::uint32_t>> base, std::vector<std::uint32_t> disc, bool odd, std::uint32_t s,
                bool cap) {
    odd = odd != sort_odd(std::span(disc));  // the centre comes last
    const std::size_t along = base.size() - 1, around = disc.size() - 1;
    std::vector<bool> turn(along + around);  // true: a step on the disc
    std::fill(turn.end() - static_cast<std::ptrdiff_t>(around), turn.end(), true);
    do {
      std::size_t i = 0, k = 0, before = 0;
      bool flipped = odd;
      std::vector<std::pair<std::uint32_t, std::uint32_t>> corners{{base[0].first, disc[0]}};
      std::vector<std::uint32_t> sources{base[0].second};
      for (const bool on_disc : turn) {
        if (on_disc) {
          ++k;
          ++before;
        } else {
          ++i;
          if (before % 2 == 1) flipped = !flipped;
        }
        corners.emplace_back(base[i].first, disc[k]);
        sources.push_back(base[i].second);
      }
      if (flipped) {
        std::swap(corners[0], corners[1]);
        std::swap(sources[0], sources[1]);
      }
      for (const auto& [point, ring] : corners) out_.simplexes.push_back(number(point, ring));
      out_.corner.insert(out_.corner.end(), sources.begin(), sources.end());
      out_.surface.push_back(sheet_.surface[s]);
      out_.cap.push_back(cap);
    } while (std::next_permutation(turn.begin(), turn.end()));
  }

  std::uint32_t number(std::uint32_t point, std::uint32_t ring) {
    if (ring != Product::centre) return point * rings_ + ring;
    if (centre_of_[point] == Product::centre) {
      centre_of_[point] = static_cast<std::uint32_t>(out_.points.size());
      out_.points.push_back({point, Product::centre});
    }
    return centre_of_[point];
  }

  const Sheet& sheet_;
  std::size_t n_;
  std::uint32_t rings_;
  Product out_;
  std::vector<std::uint32_t> centre_of_;
};

}  // namespace

ProductSize size_of_product(const Sheet& sheet, std::size_t rings) {
  const std::uint64_t n = sheet.dimension, k = rings;
  std::set<std::uint32_t> on_border;
  for (const auto& [s, opposite] : sheet.borders)
    for (std::size_t corner = 0; corner < n; ++corner)
      if (corner != opposite) on_border.insert(sheet.simplex(s)[corner]);
  return {k * (n * sheet.count() + n * (n - 1) / 2 * sheet.borders.size()), k * sheet.points() + on_border.size()};
}

Product product_of(const Sheet& sheet, std::size_t rings) { return Multiplier(sheet, rings).run(); }

}  // namespace sinew::operations

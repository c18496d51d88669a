// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <numeric>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "operations/slice/hyperplane.hpp"

namespace sinew::operations {

namespace {

constexpr std::size_t most_corners = 16;
constexpr std::size_t most_piece_corners = std::size_t{1} << 28;

/// Sorts a few numbers, and another list in the same order; returns whether the permutation was odd.
bool sort_row(std::span<std::uint32_t> row, std::span<std::uint8_t> along) {
  bool odd = false;
  for (std::size_t i = 1; i < row.size(); ++i)
    for (std::size_t j = i; j > 0 && row[j] < row[j - 1]; --j, odd = !odd) {
      std::swap(row[j], row[j - 1]);
      std::swap(along[j], along[j - 1]);
    }
  return odd;
}

bool has_repeated(std::span<const std::uint32_t> row) {
  for (std::size_t i = 1; i < row.size(); ++i)
    if (std::ranges::find(row.first(i), row[i]) != row.begin() + static_cast<std::ptrdiff_t>(i)) return true;
  return false;
}

/// Walks the staircases of the grid of corners above (rows) and below (columns), from (0, 0) to the far corner.
///
/// Their sign: let u be the steps along the corners above, v those along the corners below, n the up direction, and ν the normal of the
/// simplex, so that (the simplex's edges, ν) is positive. Sorted into (above, below), the edges of the simplex are (u…, −n, v…) up to
/// multiples of the walk's steps. Moving −n behind the q−1 steps v gives (−1)^q (u, v, n). In the slice (u, v, ν) must be positive, with n
/// behind it for the basis of the whole space. There ν and n are swapped, which gives another factor −1. A walk with its steps in another
/// order than u…v… is a permutation of them.
class Staircases {
 public:
  Staircases(std::size_t corners, std::uint32_t above, std::vector<Section::Corner>& pieces, std::vector<std::uint8_t>& odd)
      : pieces_(pieces), odd_(odd) {
    bool mixed = false;  // sorting (above, below) out of the order of vertices
    for (std::size_t c = 0; c < corners; ++c) {
      if ((above >> c & 1) == 0) {
        below_.push_back(static_cast<std::uint8_t>(c));
      } else {
        mixed ^= below_.size() % 2 != 0;
        above_.push_back(static_cast<std::uint8_t>(c));
      }
    }
    walk(0, 0, mixed ^ (below_.size() % 2 == 0));
  }

 private:
  void walk(std::size_t i, std::size_t j, bool odd) {
    path_.push_back({above_[i], below_[j]});
    if (i + 1 == above_.size() && j + 1 == below_.size()) {
      pieces_.insert(pieces_.end(), path_.begin(), path_.end());
      odd_.push_back(odd ? 1 : 0);
    }
    if (i + 1 < above_.size()) walk(i + 1, j, odd ^ (j % 2 != 0));  // past the j steps that are already taken below
    if (j + 1 < below_.size()) walk(i, j + 1, odd);
    path_.pop_back();
  }

  std::vector<std::uint8_t> above_, below_;
  std::vector<Section::Corner> path_;
  std::vector<Section::Corner>& pieces_;
  std::vector<std::uint8_t>& odd_;
};

}  // namespace

void Slicer::Edges::clear() {
  std::ranges::fill(keys_, ~std::uint64_t{0});
  used_ = 0;
}

std::uint32_t Slicer::Edges::number_of(std::uint32_t above, std::uint32_t below, std::uint32_t next) {
  if (used_ * 2 >= keys_.size()) grow();
  const std::uint64_t key = std::uint64_t{above} << 32 | below;
  std::uint64_t mixed = key * 0x9E3779B97F4A7C15u;
  for (std::size_t place = (mixed ^ mixed >> 32) & (keys_.size() - 1);; place = (place + 1) & (keys_.size() - 1)) {
    if (keys_[place] == key) return numbers_[place];
    if (keys_[place] != ~std::uint64_t{0}) continue;
    keys_[place] = key;
    numbers_[place] = next;
    ++used_;
    return next;
  }
}

void Slicer::Edges::grow() {
  const std::vector<std::uint64_t> keys = std::move(keys_);
  const std::vector<std::uint32_t> numbers = std::move(numbers_);
  keys_.assign(std::max<std::size_t>(1024, keys.size() * 2), ~std::uint64_t{0});
  numbers_.assign(keys_.size(), 0);
  used_ = 0;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] != ~std::uint64_t{0}) number_of(static_cast<std::uint32_t>(keys[i] >> 32), static_cast<std::uint32_t>(keys[i]), numbers[i]);
}

Slicer::Slicer(std::size_t dimension) : dimension_(dimension), patterns_(most_corners + 1) {}
Slicer::Slicer(Slicer&&) noexcept = default;
Slicer& Slicer::operator=(Slicer&&) noexcept = default;
Slicer::~Slicer() = default;

Result<Slicer> Slicer::create(std::size_t dimension, std::vector<Elements> groups) SINEW_TRY {
  Slicer made(dimension);
  for (Elements& elements : groups) {
    assert(elements.corners >= 2 && elements.corners <= most_corners);
    const std::size_t k = elements.corners, count = elements.indices.size() / k;
    Sorted sorted{k, k == dimension && k >= 3, std::move(elements.indices), {}, {}};
    sorted.rows.resize(count * k);
    sorted.stored.resize(count * k);
    sorted.odd.resize(count);
    for (std::size_t s = 0; s < count; ++s) {
      const auto places = std::span(sorted.stored).subspan(s * k, k);
      std::iota(places.begin(), places.end(), std::uint8_t{0});
      sorted.odd[s] = sort_row(std::span(sorted.rows).subspan(s * k, k), places) ? 1 : 0;
    }
    made.patterns_[k].resize(std::size_t{1} << k);
    made.groups_.push_back(std::move(sorted));
  }
  return made;
}
SINEW_CATCH()

/// State of one call.
class Slicer::Cut {
 public:
  Cut(Slicer& of, strided_view<const float> positions, const HyperplaneFrame& frame, Section& out)
      : of_(of), positions_(positions), frame_(frame), out_(out), point_(of.dimension_), within_(of.dimension_ - 1) {}

  Result<> run() {
    out_.vertices.clear();
    out_.positions.clear();
    out_.groups.resize(of_.groups_.size());
    of_.edges_.clear();
    of_.heights_.resize(positions_.size());
    bool touches = false;
    for (std::size_t v = 0; v < positions_.size(); ++v) touches |= (of_.heights_[v] = frame_.height(positions_[v])) == 0;
    for (std::size_t g = 0; g < out_.groups.size(); ++g)
      if (auto done = cut_group(of_.groups_[g], out_.groups[g]); !done) return done;
    if (touches) cancel();
    if (touches || dropped_) drop_unused();
    return {};
  }

 private:
  Result<> cut_group(const Sorted& from, Section::Group& to) {
    const std::size_t k = from.corners;
    to.corners = k - 1;
    to.pieces.clear();
    to.simplex.clear();
    to.corner_between.clear();
    const std::uint32_t all = (1u << k) - 1;
    for (std::size_t s = 0; s < from.odd.size(); ++s) {
      std::uint32_t above = 0;
      for (std::size_t c = 0; c < k; ++c) above |= (of_.heights_[from.rows[s * k + c]] >= 0 ? 1u : 0u) << c;
      if (above != 0 && above != all) cut_simplex(from, s, above, to);
      if (to.pieces.size() > most_piece_corners)
        return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, {},
                                format_text("the cross-section has more than {} simplex corners", most_piece_corners)));
    }
    return {};
  }

  void cut_simplex(const Sorted& from, std::size_t simplex, std::uint32_t above, Section::Group& to) {
    const std::size_t k = from.corners;
    const std::uint32_t* row = &from.rows[simplex * k];
    const std::uint8_t* stored = &from.stored[simplex * k];
    const Pattern& pattern = pattern_of(k, above);
    const bool turned = (from.odd[simplex] != 0) ^ frame_.mirrored();
    std::array<std::array<std::uint32_t, most_corners>, most_corners> grid;  // the vertex of every edge between the sides
    for (std::size_t a = 0; a < k; ++a)
      for (std::size_t b = 0; b < k; ++b)
        if ((above >> a & 1) != 0 && (above >> b & 1) == 0) grid[a][b] = vertex_on(row[a], row[b]);
    std::array<std::uint32_t, most_corners> piece{};
    for (std::size_t p = 0; p < pattern.odd.size(); ++p) {
      const Section::Corner* corners = &pattern.pieces[p * (k - 1)];
      for (std::size_t c = 0; c + 1 < k; ++c) piece[c] = grid[corners[c].above][corners[c].below];
      if (has_repeated({piece.data(), k - 1})) {
        dropped_ = true;
        continue;
      }
      to.pieces.insert(to.pieces.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(k - 1));
      for (std::size_t c = 0; c + 1 < k; ++c) to.corner_between.push_back({stored[corners[c].above], stored[corners[c].below]});
      to.simplex.push_back(static_cast<std::uint32_t>(simplex));
      if (k > 2 && turned != (pattern.odd[p] != 0)) {
        std::swap(to.pieces.end()[-1], to.pieces.end()[-2]);
        std::swap(to.corner_between.end()[-1], to.corner_between.end()[-2]);
      }
    }
  }

  const Pattern& pattern_of(std::size_t corners, std::uint32_t above) {
    Pattern& pattern = of_.patterns_[corners][above];
    if (!pattern.made) Staircases(corners, above, pattern.pieces, pattern.odd);
    pattern.made = true;
    return pattern;
  }

  std::uint32_t vertex_on(std::uint32_t above, std::uint32_t below) {
    const double high = of_.heights_[above], low = of_.heights_[below];
    if (high == 0) below = above;
    const auto next = static_cast<std::uint32_t>(out_.vertices.size());
    const std::uint32_t number = of_.edges_.number_of(above, below, next);
    if (number != next) return number;
    const double t = high == 0 ? 0 : high / (high - low);
    out_.vertices.push_back({above, below, t});
    const float *a = positions_[above], *b = positions_[below];
    for (std::size_t i = 0; i < point_.size(); ++i) point_[i] = a[i] + t * (double{b[i]} - double{a[i]});
    frame_.project(point_, within_);
    for (const double x : within_) out_.positions.push_back(static_cast<float>(x));
    return number;
  }

  /// A piece between vertices on the hyperplane: a part of the mesh itself.
  struct Flat {
    std::vector<std::uint32_t> vertices;  ///< sorted
    bool odd;
    std::size_t group, piece;
  };

  /// Where the mesh only touches the hyperplane from below, its slice is folded flat. Pieces with opposite orientations cancel out. Of
  /// equal pieces without orientation, one is kept.
  void cancel() {
    std::vector<Flat> flats;
    for (std::size_t g = 0; g < out_.groups.size(); ++g) add_flats(g, flats);
    std::ranges::sort(flats, [](const Flat& a, const Flat& b) {
      if (a.vertices != b.vertices) return a.vertices < b.vertices;
      return a.group != b.group ? a.group < b.group : a.piece < b.piece;
    });
    std::vector<std::vector<bool>> gone(out_.groups.size());
    for (auto first = flats.begin(); first != flats.end();) {
      const auto last = std::find_if(first, flats.end(), [&](const Flat& flat) { return flat.vertices != first->vertices; });
      mark(std::span(first, last), gone);
      first = last;
    }
    for (std::size_t g = 0; g < gone.size(); ++g)
      if (!gone[g].empty()) remove(gone[g], out_.groups[g]);
  }

  void add_flats(std::size_t g, std::vector<Flat>& flats) const {
    const Section::Group& group = out_.groups[g];
    std::array<std::uint8_t, most_corners> unused{};
    for (std::size_t p = 0; p < group.simplex.size(); ++p) {
      const auto piece = std::span(group.pieces).subspan(p * group.corners, group.corners);
      if (!std::ranges::all_of(piece, [&](std::uint32_t v) { return out_.vertices[v].above == out_.vertices[v].below; })) continue;
      Flat flat{{piece.begin(), piece.end()}, false, g, p};
      flat.odd = sort_row(flat.vertices, unused);
      flats.push_back(std::move(flat));
    }
  }

  /// Marks the pieces to remove: opposite ones cancel in pairs.
  void mark(std::span<const Flat> equal, std::vector<std::vector<bool>>& gone) const {
    if (equal.size() < 2) return;
    const bool bounds = of_.groups_[equal.front().group].bounds;
    const auto odd = static_cast<std::size_t>(std::ranges::count(equal, true, &Flat::odd));
    const std::size_t even = equal.size() - odd;
    std::size_t odd_left = bounds ? odd - std::min(odd, even) : 0, even_left = bounds ? even - std::min(odd, even) : 0;
    bool kept = false;
    for (const Flat& flat : equal) {
      std::size_t& left = flat.odd ? odd_left : even_left;
      const bool keep = bounds ? left != 0 : !kept;
      if (keep && bounds) --left;
      kept = true;
      if (keep) continue;
      if (gone[flat.group].empty()) gone[flat.group].resize(out_.groups[flat.group].simplex.size());
      gone[flat.group][flat.piece] = true;
    }
  }

  static void remove(const std::vector<bool>& gone, Section::Group& group) {
    const std::size_t k = group.corners;
    std::size_t to = 0;
    for (std::size_t p = 0; p < gone.size(); ++p) {
      if (gone[p]) continue;
      for (std::size_t c = 0; c < k; ++c) {
        group.pieces[to * k + c] = group.pieces[p * k + c];
        group.corner_between[to * k + c] = group.corner_between[p * k + c];
      }
      group.simplex[to++] = group.simplex[p];
    }
    group.pieces.resize(to * k);
    group.corner_between.resize(to * k);
    group.simplex.resize(to);
  }

  /// Drops vertices that only dropped pieces used.
  void drop_unused() {
    constexpr std::uint32_t unused = 0xFFFFFFFF;
    std::vector<std::uint32_t> number(out_.vertices.size(), unused);
    for (const Section::Group& group : out_.groups)
      for (const std::uint32_t vertex : group.pieces) number[vertex] = 0;
    const std::size_t n = within_.size();
    std::uint32_t next = 0;
    for (std::size_t v = 0; v < number.size(); ++v) {
      if (number[v] == unused) continue;
      out_.vertices[next] = out_.vertices[v];
      std::copy_n(&out_.positions[v * n], n, &out_.positions[next * n]);
      number[v] = next++;
    }
    out_.vertices.resize(next);
    out_.positions.resize(next * n);
    for (Section::Group& group : out_.groups)
      for (std::uint32_t& vertex : group.pieces) vertex = number[vertex];
  }

  Slicer& of_;
  strided_view<const float> positions_;
  const HyperplaneFrame& frame_;
  Section& out_;
  std::vector<double> point_, within_;
  bool dropped_ = false;
};

Result<> Slicer::run(strided_view<const float> positions, const Hyperplane& plane, Section& out) SINEW_TRY {
  const HyperplaneFrame frame(dimension_, plane);
  return Cut(*this, positions, frame, out).run();
}
SINEW_CATCH()

}  // namespace sinew::operations

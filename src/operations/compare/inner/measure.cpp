// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <limits>
#include <span>
#include <thread>
#include <vector>

#include "base/deadline.hpp"
#include "base/parallel.hpp"
#include "deform/packed.hpp"
#include "kernels/distances.hpp"
#include "kernels/scan.hpp"
#include "operations/compare/comparer.hpp"
#include "operations/compare/larger.hpp"

namespace sinew::operations {

namespace {

bool same_channel(const deform::PackedChannel& a, const deform::PackedChannel& b) {
  return a.values == b.values && std::ranges::equal(a.offsets, b.offsets, [](const auto& x, const auto& y) {
           return x.shape == y.shape && x.sparse == y.sparse && x.rows == y.rows && x.values == y.values;
         });
}

/// Returns whether equal palettes and amounts give equal positions.
bool moves_alike(const deform::Prepared& prepared_a, const deform::Prepared& prepared_b) {
  const deform::Prepared::Packed &a = prepared_a.packed(), &b = prepared_b.packed();
  if (&a == &b) return true;
  return a.slots == b.slots && a.shapes == b.shapes && std::ranges::equal(a.blocks, b.blocks, [](const auto& x, const auto& y) {
           return x.vertices == y.vertices && x.skinned == y.skinned && x.row_first == y.row_first && x.slot == y.slot &&
                  x.weight == y.weight && x.exact_weight == y.exact_weight && same_channel(x.positions, y.positions);
         });
}

}  // namespace

// A file and an edited copy of it often have most meshes in common: what has the same maps as well need not be deformed twice.
void Comparer::find_same_meshes() {
  for (std::size_t i = 0; i < work_.size(); ++i) {
    Work& work = work_[i];
    if (result_.instances[i].pairing == Pairing::none || is_by_surfaces(i)) continue;
    work.same_mesh = moves_alike(a_.prepared(work.a), b_.prepared(work.b)) &&
                     std::ranges::all_of(work.candidates.pairs, [](const RowPair& rows) { return rows.a == rows.b; });
  }
}

void Comparer::measure() {
  find_same_meshes();
  if (options_.worst != 0 || options_.distances)
    for (Work& work : work_) {
      work.furthest.resize(work.candidates.pairs.size());
      work.look.resize(work.furthest.size());
    }
  constexpr std::size_t most_stops = 8;
  const std::size_t end_of_clips = by_clips() ? measure_clips() : 1;
  std::size_t stops = 0;
  for (std::size_t look = 0; look < moments_.size() && stops < most_stops; look = look == 0 ? end_of_clips : look + 1) {
    ask_deadline();
    pose_at(moments_[look]);
    for (std::size_t i = 0; i < work_.size(); ++i)
      if (looked_at(i, moments_[look])) is_by_surfaces(i) ? measure_surfaces(i, look) : measure(i, look, a_, b_, options_.threads);
    if (too_far_) ++stops;
    too_far_ = false;
    step();
  }
  for (std::size_t i = 0; i < work_.size(); ++i)
    for (const double apart : work_[i].apart) result_.instances[i].apart_max = std::max(result_.instances[i].apart_max, apart);
}

/// Returns whether each thread measures whole clips: nothing that is kept then depends on the order of clips.
bool Comparer::by_clips() const {
  for (std::size_t i = 0; i < work_.size(); ++i)
    if (is_by_surfaces(i) || !work_[i].furthest.empty()) return false;
  const std::size_t threads = options_.threads == 0 ? available_threads() : options_.threads;
  return threads > 1;
}

/// Measures all moments of clips, which follow the first moment, and returns the one after them; 1: none was measured.
std::size_t Comparer::measure_clips() {
  std::vector<std::size_t> first{1};  // of each clip, with an end
  for (std::size_t look = 1; look < moments_.size() && moments_[look].a.kind == Part::Kind::clip; ++look)
    if (look + 1 == moments_.size() || moments_[look + 1].part != moments_[look].part) first.push_back(look + 1);
  const std::size_t clips = first.size() - 1;
  // Few clips of large scenes: threads share each instance instead.
  const std::size_t threads = options_.threads == 0 ? available_threads() : options_.threads;
  if (clips < 2 * threads && a_.all_vertices() + b_.all_vertices() >= 16 * deform::grain) return 1;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<std::size_t> done = done_;
  parallel_for(clips, 1, options_.threads, [&](std::size_t begin, std::size_t end) {
    Side a = a_, b = b_;
    a.set_threads(1);
    b.set_threads(1);
    HiddenInClips hidden;
    for (std::size_t look = first[begin]; look < first[end]; ++look) {
      ask_deadline();
      pose_at(moments_[look], a, b, hidden);
      for (std::size_t i = 0; i < work_.size(); ++i)
        if (looked_at(i, moments_[look])) measure(i, look, a, b, 1);
      const std::size_t now = ++done;
      if (options_.progress && std::this_thread::get_id() == caller) options_.progress(now, total_);
    }
  });
  done_ = done;
  return first.back();
}

// Sums up in pieces with separate sums, so that the result does not depend on the number of threads.
void Comparer::measure(std::size_t i, std::size_t look, Side& a, Side& b, unsigned threads) {
  constexpr std::size_t piece = 8192;
  Work& work = work_[i];
  InstancePair& pair = result_.instances[i];
  const std::size_t part = moments_[look].part, count = work.candidates.pairs.size();
  Distance& worst = pair.parts[part].distance;
  worst.measured += pair.pairs;
  const auto rows_a = a.rows(work.a);
  if (work.same_mesh && rows_a && a.moves_like(work.a, b, work.b) &&
      kernels::first_not_finite(strided_view<const float>(rows_a->data(), rows_a->size(), 1)) == rows_a->size())
    return;
  const auto rows_b = b.rows(work.b);
  const float *const from = rows_a && rows_b ? rows_a->data() : nullptr, *const to = from != nullptr ? rows_b->data() : nullptr;
  std::vector<Measured> pieces((count + piece - 1) / piece);
  parallel_for(pieces.size(), 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) pieces[p] = measure_rows(work, look, from, to, p * piece, std::min(count, (p + 1) * piece));
  });
  for (const Measured& sum : pieces) {
    work.apart[part] = std::max(work.apart[part], sum.apart);
    work.squares[part] += sum.squares;
    worst.max = std::max(worst.max, sum.max);
    if (!larger(sum.located, work.located[part])) continue;
    work.located[part] = sum.located;
    worst.seconds = moments_[look].a.seconds;
    worst.vertex_a = work.candidates.pairs[sum.at].a;
    worst.vertex_b = work.candidates.pairs[sum.at].b;
  }
}

/// Without rows, all pairs are infinitely far apart.
Measured Comparer::measure_rows(Work& work, std::size_t look, const float* rows_a, const float* rows_b, std::size_t begin,
                                std::size_t end) const {
  const std::size_t width = a_.model().dimension;
  const std::vector<RowPair>& pairs = work.candidates.pairs;
  Measured sum;
  sum.located = work.located[moments_[look].part];
  const bool plain = rows_a != nullptr && work.odd.empty() && work.furthest.empty();
  if (plain) {
    const auto all = kernels::distances(rows_a, rows_b, width, std::span(pairs).subspan(begin, end - begin));
    sum.squares = all.squares;
    sum.max = all.max;
    if (!larger(sum.max, sum.located)) return sum;
  }
  for (std::size_t k = begin; k < end; ++k) {
    const double d = rows_a != nullptr ? distance(&rows_a[pairs[k].a * width], &rows_b[pairs[k].b * width], width)
                                       : std::numeric_limits<double>::infinity();
    if (!work.odd.empty() && work.odd[k]) {
      sum.apart = std::max(sum.apart, d);
      continue;
    }
    if (!plain) {
      sum.squares += d * d;
      sum.max = std::max(sum.max, d);
    }
    if (larger(d, sum.located)) sum.located = d, sum.at = k;
    if (!work.furthest.empty() && larger(d, static_cast<double>(work.furthest[k]))) {
      work.furthest[k] = static_cast<float>(d);
      work.look[k] = static_cast<std::uint32_t>(look);
    }
  }
  return sum;
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "deform/batch.hpp"

#include <algorithm>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/parallel.hpp"
#include "deform/packed.hpp"
#include "door/state.hpp"

#include "sinew/sinew.hpp"

// Many poses as arrays.

namespace sinew {

namespace {

/// Numbers of the positions that normals are computed from at a time, where nobody asks for them.
constexpr std::size_t scratch_size = std::size_t{1} << 22;

/// Memory that pieces of work leave to those that follow: to get it from the system costs as much as to use it once.
class Scratch {
 public:
  [[nodiscard]] std::vector<double> take() {
    const std::lock_guard lock(busy_);
    if (free_.empty()) return {};
    std::vector<double> taken = std::move(free_.back());
    free_.pop_back();
    return taken;
  }
  void leave(std::vector<double>&& used) {
    const std::lock_guard lock(busy_);
    free_.push_back(std::move(used));
  }

 private:
  std::mutex busy_;
  std::vector<std::vector<double>> free_;
};

/// `may_skip`: an empty array is not wanted.
Result<> check_size(std::size_t found, std::size_t poses, std::size_t rows, std::size_t width, std::string_view what, bool may_skip) {
  const std::size_t each = rows * width;
  if ((each == 0 ? found == 0 : found % each == 0 && found / each == poses) || (may_skip && found == 0)) return {};
  return usage(format_text("{}: found {} numbers, expected {} poses of {} rows of {}", what, found, poses, rows, width));
}

}  // namespace

Result<> Deformer::positions(const PoseArrays& poses, std::span<float> out, unsigned threads) SINEW_TRY {
  if (auto fits = check_size(out.size(), poses.poses, vertices(), dimension(), "positions", false); !fits) return fits;
  return run(poses, {{out.data(), poses.poses * vertices(), dimension()}, {}, {}}, threads);
}
SINEW_CATCH()

Result<> Deformer::run(const PoseArrays& poses, const deform::Output& out, unsigned threads) SINEW_TRY {
  const State& state = *state_;
  const auto batch = deform::Batch::create(state.scene, poses);
  if (!batch) return Unexpected(batch.error());
  if (auto fits = state.check(out, poses.poses * vertices()); !fits) return fits;
  state.fill_missing(out);
  if (!state.computed || out.normals.empty()) return batch->run(out, threads);

  const std::size_t size = vertices() * dimension();
  const std::size_t most = out.positions.empty() ? std::max<std::size_t>(1, scratch_size / std::max<std::size_t>(size, 1)) : poses.poses;
  Scratch scratch_of_normals;
  std::vector<float> scratch(out.positions.empty() ? std::min(most, poses.poses) * size : 0);
  for (std::size_t first = 0, count = 0; first < poses.poses; first += count) {
    count = std::min(most, poses.poses - first);
    deform::Output rows = deform::rows_of(out, first * vertices(), count * vertices());
    if (rows.positions.empty()) rows.positions = {scratch.data(), count * vertices(), dimension()};
    const auto some = deform::Batch::create(state.scene, poses.part(first, count));
    if (!some) return Unexpected(some.error());
    if (auto done = some->run(rows, threads); !done) return done;
    parallel_for(count, 1, threads, [&](std::size_t begin, std::size_t end) {
      std::vector<double> numbers = scratch_of_normals.take();
      for (std::size_t i = begin; i < end; ++i)
        state.computed->run(rows.positions.rows(i * vertices(), vertices()), rows.normals.rows(i * vertices(), vertices()), numbers, 1);
      scratch_of_normals.leave(std::move(numbers));
    });
  }
  return {};
}
SINEW_CATCH()

std::size_t Deformer::palette_maps() const noexcept {
  std::size_t maps = 0;
  for (const Instance& instance : state_->scene.instances())
    maps += 1 + (instance.skin == none ? 0 : state_->model->skins[instance.skin].slots.size());
  return maps;
}

Result<> Deformer::palettes(const PoseArrays& poses, std::span<double> out, unsigned threads) SINEW_TRY {
  const auto batch = deform::Batch::create(state_->scene, poses);
  if (!batch) return Unexpected(batch.error());
  const std::size_t size = (dimension() + 1) * (dimension() + 1);
  if (auto fits = check_size(out.size(), poses.poses, batch->maps(), size, "palettes", false); !fits) return fits;
  return batch->palettes(out, threads);
}
SINEW_CATCH()

Result<> Deformer::vjp(const PoseArrays& poses, std::span<const float> gradient, const deform::Gradients& out, unsigned threads) SINEW_TRY {
  const auto batch = deform::Batch::create(state_->scene, poses);
  if (!batch) return Unexpected(batch.error());
  const std::size_t size = (dimension() + 1) * (dimension() + 1);
  if (auto fits = check_size(gradient.size(), poses.poses, vertices(), dimension(), "gradient", false); !fits) return fits;
  if (auto fits = check_size(out.matrices.size(), poses.poses, model()->nodes.size(), size, "matrices", true); !fits) return fits;
  if (auto fits = check_size(out.amounts.size(), poses.poses, batch->amounts(), 1, "amounts", true); !fits) return fits;
  if (auto fits = check_size(out.rest_positions.size(), 1, vertices(), dimension(), "rest_positions", true); !fits) return fits;
  return batch->vjp(gradient, out, threads);
}
SINEW_CATCH()

}  // namespace sinew

// SPDX-License-Identifier: MIT
#include "sinew/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/parallel.hpp"
#include "deform/rig.hpp"
#include "operations/bounds/clusters.hpp"
#include "operations/bounds/joint_boxes.hpp"
#include "operations/bounds/motion.hpp"
#include "operations/bounds/search.hpp"

#include "sinew/animate.hpp"

namespace sinew::operations {

namespace {

Unexpected usage(const std::string& message) { return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, message)); }

Result<> check(const Model& model, const BoundsOptions& options) {
  if (!(options.slack > 0)) return usage(format_text("the slack of bounds is {}, expected more than 0", options.slack));
  if (options.blend_range) {
    const auto [least, most] = *options.blend_range;
    if (!(std::isfinite(least) && std::isfinite(most) && least <= most))
      return usage(format_text("the range of blend amounts goes from {} to {}, expected two finite numbers in order", least, most));
  }
  if (auto defect = closure_defect(model, options.scene)) return Unexpected(std::move(*defect));
  for (const Index clip : options.clips.value_or(std::vector<Index>{})) {
    if (clip >= model.clips.size()) return usage(format_text("animation {} does not exist; the model has {}", clip, model.clips.size()));
  }
  return {};
}

/// Data prepared once per instance.
struct Prepared {
  deform::Rig rig;
  Clusters clusters;
};

/// Returns which shapes of an instance some pose may blend.
std::vector<bool> counting_shapes(const Model& model, const Instance& instance, const std::vector<Index>& clips, bool all) {
  std::vector<bool> counts(model.meshes[instance.mesh].shapes.size(), all);
  for (const Index clip : clips)
    for (const Track& track : model.clips[clip].tracks)
      if (track.node == instance.node && track.path == TrackPath::amounts) counts.assign(counts.size(), true);
  const std::vector<double>& stored = model.rest_pose.amounts[instance.node];
  for (std::size_t shape = 0; shape < std::min(counts.size(), stored.size()); ++shape)
    if (stored[shape] != 0) counts[shape] = true;
  return counts;
}

Prepared prepare(const Model& model, const deform::SceneDeformer& scene, std::size_t instance, const std::vector<Index>& clips,
                 const std::optional<AmountRange>& range, const deform::Rig::Worlds& rest_world) {
  const Instance& of = scene.instances()[instance];
  deform::Rig rig(model, {&of, 1}, nullptr, rest_world);
  std::vector<Affine> binds;
  for (const deform::Rig::Slot& slot : rig.bound(0).slots) binds.push_back(rig.bind_matrix(slot.bind));
  Clusters clusters(scene.prepared(instance), binds, counting_shapes(model, of, clips, range.has_value()), range);
  return {std::move(rig), std::move(clusters)};
}

class Measurer {
 public:
  Measurer(const Model& model, deform::SceneDeformer scene, std::vector<Index> clips, const BoundsOptions& options)
      : model_(model), scene_(std::move(scene)), clips_(std::move(clips)), options_(options), poses_(model), work_(meter_of(model)) {
    if (options.blend_range) range_ = AmountRange{options.blend_range->first, options.blend_range->second};
    rows_.resize(scene_.vertices() * model.dimension);
  }

  Result<Bounds> run() {
    const std::size_t count = scene_.instances().size();
    total_ = 2 * (clips_.size() + 1) * count;
    const auto rest_world = std::make_shared<const std::vector<Affine>>(need(world_transforms(model_, model_.rest_pose)));
    for (std::size_t i = 0; i < count; ++i) prepared_.push_back(prepare(model_, scene_, i, clips_, range_, rest_world));
    for (const Index clip : clips_) tracks_.push_back(tracks_by_node(model_.clips[clip]));
    tracks_.emplace_back();  // of the stored pose
    boxes_.assign(clips_.size() + 1, std::vector<Extent>(count));
    for (std::size_t clip = 0; clip <= clips_.size(); ++clip)
      if (auto done = run_clip(clip); !done) return Unexpected(std::move(done.error()));
    Bounds out;
    if (auto done = store_boxes(out); !done) return Unexpected(std::move(done.error()));
    for (std::size_t i = 0; i < count; ++i)
      if (auto done = find_ball(i, out.instances[i]); !done) return Unexpected(std::move(done.error()));
    std::vector<const Clusters*> clusters;
    for (const Prepared& prepared : prepared_) clusters.push_back(&prepared.clusters);
    out.joints = joint_boxes(model_, scene_.instances(), clusters, range_);
    return out;
  }

 private:
  /// The requested clips; after the last one nullptr, the stored pose.
  [[nodiscard]] const Clip* clip_at(std::size_t number) const { return number < clips_.size() ? &model_.clips[clips_[number]] : nullptr; }

  void step() {
    if (options_.progress) options_.progress(++done_, total_);
  }

  Result<> run_clip(std::size_t number) {
    const Clip* clip = clip_at(number);
    std::vector<Extent> reached(scene_.instances().size());
    if (auto done = sample(clip, reached); !done) return done;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      auto bound = search(number, i, {options_.slack, range_}, reached[i]);
      if (!bound) return Unexpected(std::move(bound.error()));
      if (!fits(bound->reached, model_.dimension)) return overflow(model_, scene_.instances()[i].node);
      if (!model_.avatar.constraints.empty()) bound->bound.add(reached[i]);  // the search does not know them
      boxes_[number][i] = in_float(bound->bound);
      step();
    }
    return {};
  }

  /// Samples the reach of vertices at some times, as a start for the search; at many where nodes follow others.
  Result<> sample(const Clip* clip, std::vector<Extent>& reached) {
    const std::size_t moments = model_.avatar.constraints.empty() ? 8 : 512, n = model_.dimension;
    Pose pose = model_.rest();
    if (range_)
      for (std::vector<double>& amounts : pose.amounts) amounts.assign(amounts.size(), range_->least);
    for (std::size_t moment = 0; moment < (clip == nullptr ? 1 : moments); ++moment) {
      if (clip != nullptr) {
        const std::vector<std::vector<double>> amounts = pose.amounts;
        need(animate::sample(model_, *clip, clip->duration * (static_cast<double>(moment) + 0.5) / static_cast<double>(moments), pose));
        if (range_) pose.amounts = amounts;
      }
      const strided_view<float> rows(rows_.data(), scene_.vertices(), n);
      if (auto done = scene_.run(pose, {rows, {}, {}}, options_.threads); !done) return done;
      for (std::size_t i = 0; i < reached.size(); ++i)
        for (std::size_t row = scene_.first(i); row < scene_.first(i + 1); ++row)
          for (std::size_t axis = 0; axis < n; ++axis) reached[i].add(axis, rows[row][axis], rows[row][axis]);
    }
    return {};
  }

  struct Found {
    Extent bound, reached;
  };
  /// Searches in parts. The number of parts does not depend on the number of threads.
  Result<Found> search(std::size_t clip, std::size_t instance, Search::Goal goal, const Extent& reached) {
    constexpr std::size_t most_parts = 16, pieces_per_part = 8;
    const Prepared& prepared = prepared_[instance];
    if (prepared.clusters.vertices() == 0) return Found();
    const Motion motion(model_, tracks_[clip], scene_.instances()[instance], prepared.rig);
    const std::size_t pieces = motion.pieces().size(), parts = std::clamp<std::size_t>(pieces / pieces_per_part, 1, most_parts);
    if (motion.still()) goal.slack = 0;  // a still motion gains nothing from a slack
    std::mutex mutex;
    Found found;
    std::optional<Error> failed;
    const auto run_part = [&](std::size_t part) -> Result<> {
      SINEW_TRY {
        Search search(prepared.clusters, motion, poses_, work_, goal, reached);
        if (auto done = search.run(pieces * part / parts, pieces * (part + 1) / parts); !done) return done;
        const std::scoped_lock lock(mutex);
        found.bound.add(search.bound());
        found.reached.add(search.reached());
        return {};
      }
      SINEW_CATCH()
    };
    parallel_for(parts, 1, options_.threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t part = first; part < last; ++part) {
        auto done = run_part(part);
        if (done) continue;
        const std::scoped_lock lock(mutex);
        failed = std::move(done.error());
      }
    });
    if (failed) return Unexpected(std::move(*failed));
    return found;
  }

  Result<> store_boxes(Bounds& out) const {
    const std::size_t count = scene_.instances().size(), n = model_.dimension;
    out.dimension = n;
    Extent all;
    std::vector<Extent> of_instance(count);
    std::vector<bool> shown(count);
    for (std::size_t clip = 0; clip <= clips_.size(); ++clip) {
      Extent of_clip;
      Bounds::OfClip row;
      row.shown = shown_instances(clip_at(clip));
      for (std::size_t i = 0; i < count; ++i) {
        const Extent& box = boxes_[clip][i];
        row.instances.push_back(rounded(box, n));
        if (row.shown[i]) of_clip.add(box);
        shown[i] = shown[i] || row.shown[i];
        of_instance[i].add(box);
      }
      row.box = rounded(of_clip, n);
      all.add(of_clip);
      if (clip == clips_.size()) {
        out.rest = std::move(row.box);
      } else {
        row.clip = clips_[clip];
        out.clips.push_back(std::move(row));
      }
    }
    out.all = rounded(all, n);
    for (std::size_t i = 0; i < count; ++i)
      out.instances.push_back({scene_.instances()[i].node, scene_.instances()[i].copy, shown[i], rounded(of_instance[i], n), {}, 0});
    return {};
  }

  /// Returns of each instance whether a clip shows it at some time; nullptr: the stored state.
  [[nodiscard]] std::vector<bool> shown_instances(const Clip* clip) const {
    std::vector<bool> shown(scene_.instances().size());
    for (const double time : clip == nullptr ? std::vector<double>{0} : need(animate::visibility_times(*clip))) {
      const std::vector<bool> nodes = need(animate::visible_nodes(model_, clip, time));
      for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = shown[i] || nodes[scene_.instances()[i].node];
    }
    return shown;
  }

  /// Finds the ball around the middle of the box. For a range of amounts no search knows the farthest blend, so the ball contains the box.
  Result<> find_ball(std::size_t instance, Bounds::OfInstance& out) {
    const std::size_t n = model_.dimension;
    Extent box, reached, bound;
    double half_diagonal = 0, half_side = 0;
    for (std::size_t axis = 0; !out.box.empty() && axis < n; ++axis) {
      const double low = static_cast<double>(out.box.min[axis]), high = static_cast<double>(out.box.max[axis]);
      box.add(axis, low, high);
      out.center.push_back(low + (high - low) / 2);
      half_diagonal = std::hypot(half_diagonal, high - out.center.back());
      half_side = std::max(half_side, (high - low) / 2);
    }
    out.radius = half_diagonal * (1 + 1e-12);
    const Search::Goal goal{options_.slack, range_, out.center, box.diagonal(n)};
    reached.add(0, 0, std::max(0.0, half_side - options_.slack * goal.diagonal));
    for (std::size_t clip = 0; clip <= clips_.size(); ++clip, step()) {
      if (out.box.empty() || (range_ && prepared_[instance].clusters.blends())) continue;
      auto ball = search(clip, instance, goal, reached);
      if (!ball) return Unexpected(std::move(ball.error()));
      reached.add(ball->reached);
      bound.add(ball->bound);
    }
    if (!bound.empty()) out.radius = std::min(out.radius, bound.high[0] * (1 + 1e-12));
    return {};
  }

  const Model& model_;
  deform::SceneDeformer scene_;
  std::vector<Index> clips_;
  const BoundsOptions& options_;
  std::optional<AmountRange> range_;
  std::vector<Prepared> prepared_;
  std::vector<std::vector<Extent>> boxes_;  ///< by clip, then of the stored pose; each by instance
  std::vector<TracksByNode> tracks_;        ///< by clip, as boxes_
  RestPoses poses_;
  WorkMeter work_;
  std::vector<float> rows_;
  std::size_t done_ = 0, total_ = 0;
};

}  // namespace

Result<Bounds> bounds(const Model& model, const BoundsOptions& options) SINEW_TRY {
  if (auto fine = check(model, options); !fine) return Unexpected(std::move(fine.error()));
  std::vector<Index> clips;
  for (Index clip = 0; !options.clips && clip < model.clips.size(); ++clip) clips.push_back(clip);
  if (options.clips) clips = *options.clips;
  for (const Index clip : clips)
    if (auto defect = closure_defect(model, options.scene, clip)) return Unexpected(std::move(*defect));
  auto scene = deform::SceneDeformer::create(model, need(instances(model, options.scene)), {});
  if (!scene) return Unexpected(std::move(scene.error()));
  return Measurer(model, std::move(*scene), std::move(clips), options).run();
}
SINEW_CATCH()

}  // namespace sinew::operations

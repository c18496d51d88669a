// SPDX-License-Identifier: MIT
// Blend shapes and expressions: each one alone, then pairs that move common vertices.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/parallel.hpp"
#include "operations/flex/checks.hpp"
#include "operations/flex/penetration.hpp"
#include "operations/flex/spike.hpp"

#include "sinew/animate.hpp"

namespace sinew::operations::bend {

namespace {

constexpr std::size_t most_pairs = 2000;
constexpr std::size_t most_small_flips = 5;

/// Returns, by shape of Figure::shapes, whether a clip uses negative amounts of it.
std::vector<bool> negative_shapes(const Figure& figure) {
  const Model& model = *figure.model;
  std::vector<bool> out(figure.shapes.size());
  for (const Clip& clip : model.clips)
    for (const Track& track : clip.tracks) {
      if (track.path != TrackPath::amounts || model.nodes[track.node].mesh == none) continue;
      const std::size_t count = model.meshes[model.nodes[track.node].mesh].shapes.size();
      const std::vector<double> values = track.values.read<double>();
      const bool spline = track.interpolation == Interpolation::cubic_spline;
      for (std::size_t s = 0; s < figure.shapes.size(); ++s) {
        const ShapeMoves& moves = figure.shapes[s];
        if (figure.bodies[moves.body].instance.node != track.node) continue;
        for (std::size_t i = moves.shape; i < values.size(); i += count)
          if (values[i] < -1e-3 && (!spline || i / count % 3 == 1)) out[s] = true;
      }
    }
  return out;
}

/// Adds the expressions, each as a whole, and marks their shapes.
void add_expressions(const Figure& figure, std::vector<ShapePose>& out, std::vector<bool>& used) {
  const Model& model = *figure.model;
  const auto amount_in = [&](const Pose& pose, const ShapeMoves& moves) {
    const std::vector<double>& amounts = pose.amounts[figure.bodies[moves.body].instance.node];
    return moves.shape < amounts.size() ? amounts[moves.shape] : 0.0;
  };
  for (const Expression& expression : model.avatar.expressions)
    for (const ShapeBind& bind : expression.binds)
      for (std::size_t s = 0; s < figure.shapes.size(); ++s)
        if (figure.bodies[figure.shapes[s].body].instance.node == bind.node && figure.shapes[s].shape == bind.shape) used[s] = true;
  for (Index e = 0; e < model.avatar.expressions.size(); ++e) {
    Pose pose = model.rest_pose;
    const animate::ExpressionAmount on{e, 1};
    need(animate::express(model, {&on, 1}, pose));
    const Expression& expression = model.avatar.expressions[e];
    ShapePose& shape = out.emplace_back();
    shape.name = expression.stored.empty() ? expression.name : expression.stored;
    shape.expression = e;
    for (std::size_t s = 0; s < figure.shapes.size(); ++s) {
      const double amount = amount_in(pose, figure.shapes[s]);
      if (expression.clip != none && amount != amount_in(model.rest_pose, figure.shapes[s])) used[s] = true;
      if (amount != 0 && used[s]) shape.amounts.emplace_back(s, amount);
    }
    if (shape.amounts.empty()) out.pop_back();  // bones or materials only
  }
}

/// Looks at single poses; the memory of one thread.
class Face {
 public:
  Face(const Checks& checks, const std::vector<double>& base, const SpikeFinder& spikes)
      : c_(checks), f_(checks.figure), n_(f_.n), base_(base), spikes_(spikes) {}

  void look(std::span<const ShapePose* const> poses, double sign, Findings& out) {
    at_ = {};
    at_.kind = FlexPose::Kind::shape;
    for (const ShapePose* pose : poses) at_.shapes.emplace_back(pose->name, sign);
    const std::vector<double> offset = shape_offsets(f_, poses, sign);
    positions_ = base_;
    moved_.assign(f_.twins(), 0);
    bool any = false;
    for (Number twin = 0; twin < f_.twins(); ++twin)
      for (const Number vertex : f_.members[twin])
        for (std::size_t i = 0; i < n_; ++i) {
          const double by = offset[vertex * n_ + i];
          if (vertex == f_.members[twin].front()) positions_[twin * n_ + i] += by;
          if (by != 0) moved_[twin] = 1, any = true;
        }
    if (!any) return;
    simplexes_.clear();
    for (Number simplex = 0; simplex < f_.count(); ++simplex)
      if (std::ranges::any_of(f_.simplex(simplex), [&](Number twin) { return moved_[twin] != 0; })) simplexes_.push_back(simplex);
    const bool alone = poses.size() == 1;
    if (alone && c_.kinds[FlexKind::tear]) find_shape_tears(f_, offset, at_, out);
    if (c_.kinds[FlexKind::flip]) flips(alone, out);
    if (c_.kinds[FlexKind::spike]) spikes(alone, out);
    if (alone && c_.kinds[FlexKind::self] && has_crossings(n_)) crossings(out);
    if (alone && c_.covers != nullptr) penetrations(out);
  }

 private:
  [[nodiscard]] Found start(FlexKind kind, double limit, std::string_view unit) const {
    return {kind, Severity::information, nothing, 0, limit, unit, at_, false, 0, {}, {}};
  }

  void flips(bool alone, Findings& out) const {
    Found found = start(FlexKind::flip, 3, "count");
    std::size_t large = 0;
    for (const Number simplex : simplexes_) {
      if (!c_.faces.counts(simplex)) continue;
      const bool over =
          n_ == 2 ? c_.faces.mirrored(simplex, positions_) : c_.faces.flipped(simplex, positions_, {c_.faces.normal(simplex), n_});
      if (!over) continue;
      ++found.count;
      large += c_.faces.area(simplex) > c_.faces.median() ? 1 : 0;
      for (const Number twin : f_.simplex(simplex)) found.marks.push_back({c_.faces.area(simplex), f_.members[twin].front()});
    }
    found.value = static_cast<double>(found.count);
    if (alone && large > most_small_flips) found.severity = Severity::warning;
    if (found.count >= 3) out.offer(std::move(found));
  }

  void spikes(bool alone, Findings& out) const {
    Found all = start(FlexKind::spike, limit::spike_shape, "ratio");
    for (auto& [joint, found] : spikes_.find(positions_)) {
      all.value = std::max(all.value, found.value);
      all.marks.insert(all.marks.end(), found.marks.begin(), found.marks.end());
    }
    if (alone) all.severity = severity_of(all.value, limit::spike_shape, 3 * limit::spike_shape);
    if (!all.marks.empty()) out.offer(std::move(all));
  }

  void crossings(Findings& out) const {
    Found found = start(FlexKind::self, 1, "count");
    found.detail = "of its part";
    for (const Crossing& crossing : find_crossings(f_, c_.outline, simplexes_, positions_)) {
      ++found.count;
      for (const Number simplex : {crossing.a, crossing.b})
        for (const Number twin : f_.simplex(simplex)) found.marks.push_back({c_.faces.area(simplex), f_.members[twin].front()});
    }
    found.value = static_cast<double>(found.count);
    if (found.count > 0) out.offer(std::move(found));
  }

  void penetrations(Findings& out) {
    Found found = start(FlexKind::penetration, limit::depth, "diagonal");
    c_.covers->measure(c_.covers->touched(moved_), positions_, trees_, found);
    if (found.marks.empty()) return;
    if (found.marks.size() >= limit::few) found.severity = severity_of(found.value, limit::depth, limit::depth_error);
    out.offer(std::move(found));
  }

  const Checks& c_;
  const Figure& f_;
  std::size_t n_;
  const std::vector<double>& base_;  ///< without shapes
  const SpikeFinder& spikes_;
  FlexPose at_;
  std::vector<double> positions_;
  std::vector<char> moved_;
  std::vector<Number> simplexes_;
  Covers::Trees trees_;
};

/// Returns whether an expression turns another one down or off.
bool excludes(const Model& model, const ShapePose& a, const ShapePose& b) {
  if (a.expression == none || b.expression == none) return false;
  const auto one_way = [&](const Expression& x, const Expression& y) {
    const Expression::Kind kind = kind_of(y);
    return kind != Expression::Kind::other && x.overrides[static_cast<std::size_t>(kind)] != Expression::Override::no;
  };
  const Expression &x = model.avatar.expressions[a.expression], &y = model.avatar.expressions[b.expression];
  return one_way(x, y) || one_way(y, x);
}

struct Pair {
  std::size_t a, b, overlap;
};

/// Returns pairs that move common twins, those with the largest overlap first. A bit for each twin and pose.
std::vector<Pair> pairs_of(const Figure& figure, std::span<const ShapePose> poses) {
  const std::size_t words = figure.twins() / 64 + 1;
  std::vector<std::uint64_t> moved(words * poses.size());
  for (std::size_t p = 0; p < poses.size(); ++p)
    for (const auto& [shape, amount] : poses[p].amounts)
      for (const Number vertex : figure.shapes[shape].vertex) {
        const Number twin = figure.twin_of[vertex];
        moved[p * words + twin / 64] |= std::uint64_t{1} << (twin % 64);
      }
  std::vector<Pair> out;
  for (std::size_t b = 0; b < poses.size(); ++b) {
    ask_deadline();
    for (std::size_t a = 0; a < b; ++a) {
      if (excludes(*figure.model, poses[a], poses[b])) continue;
      std::size_t overlap = 0;
      for (std::size_t w = 0; w < words; ++w)
        overlap += static_cast<std::size_t>(std::popcount(moved[a * words + w] & moved[b * words + w]));
      if (overlap > 0) out.push_back({a, b, overlap});
    }
  }
  std::ranges::sort(out, [](const Pair& x, const Pair& y) {
    return x.overlap != y.overlap ? x.overlap > y.overlap : std::pair(x.a, x.b) < std::pair(y.a, y.b);
  });
  return out;
}

void report_inert_shapes(const Figure& figure, Findings& out) {
  std::map<std::string, bool> moves;
  for (const ShapeMoves& shape : figure.shapes) moves[shape.name] = moves[shape.name] || !shape.vertex.empty();
  for (const auto& [name, any] : moves) {
    if (any) continue;
    Found found{
        FlexKind::inert, Severity::information, nothing, 0, limit::moves, "diagonal", {}, true, 0, {}, "the blend shape moves no vertex"};
    found.pose.kind = FlexPose::Kind::shape;
    found.pose.shapes.emplace_back(name, 1);
    out.offer(std::move(found));
  }
}

}  // namespace

std::vector<ShapePose> shape_poses(const Figure& figure) {
  std::vector<ShapePose> out;
  std::vector<bool> used(figure.shapes.size());
  add_expressions(figure, out, used);
  std::map<std::string, ShapePose> by_name;  // meshes of one character share names, and programs turn them on together
  std::vector<std::string> order;
  for (std::size_t s = 0; s < figure.shapes.size(); ++s) {
    const ShapeMoves& moves = figure.shapes[s];
    if (used[s] || moves.vertex.empty()) continue;
    const std::string name =
        moves.name.empty() ? format_text("mesh {} shape {}", figure.bodies[moves.body].instance.mesh, moves.shape) : moves.name;
    const auto [at, fresh] = by_name.try_emplace(name);
    if (fresh) order.push_back(name);
    at->second.name = name;
    at->second.amounts.emplace_back(s, 1.0);
  }
  for (const std::string& name : order) out.push_back(std::move(by_name[name]));
  return out;
}

std::vector<double> shape_offsets(const Figure& figure, std::span<const ShapePose* const> poses, double sign) {
  std::vector<double> out(figure.vertices.size() * figure.n);
  for (const ShapePose* pose : poses)
    for (const auto& [shape, amount] : pose->amounts) {
      const ShapeMoves& moves = figure.shapes[shape];
      for (std::size_t i = 0; i < moves.vertex.size(); ++i)
        for (std::size_t k = 0; k < figure.n; ++k) out[moves.vertex[i] * figure.n + k] += sign * amount * moves.by[i * figure.n + k];
    }
  return out;
}

Result<std::size_t> check_shapes(const Checks& checks, Findings& out, std::vector<FlexSkipped>& skipped) {
  const Figure& figure = checks.figure;
  if (checks.kinds[FlexKind::inert]) report_inert_shapes(figure, out);
  const std::vector<ShapePose> poses = shape_poses(figure);
  if (poses.empty()) return std::size_t{0};
  std::vector<double> base = figure.at;
  for (const ShapeMoves& moves : figure.shapes)
    for (std::size_t i = 0; i < moves.vertex.size() && moves.stored != 0; ++i) {
      const Number twin = figure.twin_of[moves.vertex[i]];
      if (figure.members[twin].front() == moves.vertex[i])
        for (std::size_t k = 0; k < figure.n; ++k) base[twin * figure.n + k] -= moves.stored * moves.by[i * figure.n + k];
    }
  struct Task {
    std::vector<const ShapePose*> poses;
    double sign = 1;
  };
  std::vector<Task> tasks;
  const std::vector<bool> negative = negative_shapes(figure);
  for (const ShapePose& pose : poses) {
    tasks.push_back({{&pose}, 1});
    if (std::ranges::any_of(pose.amounts, [&](const auto& amount) { return negative[amount.first]; })) tasks.push_back({{&pose}, -1});
  }
  std::vector<Pair> pairs;
  if (checks.kinds[FlexKind::flip] || checks.kinds[FlexKind::spike]) {
    if (auto allowed = checks.work->allow(poses.size() * poses.size() / 16 * (figure.twins() / 64 + 1), "pairs of blend shapes"); !allowed)
      return Unexpected(std::move(allowed.error()));
    pairs = pairs_of(figure, poses);
  }
  std::size_t most = std::min(pairs.size(), most_pairs);
  most = std::min<std::size_t>(most, 100'000'000 / (figure.twins() + 1));
  if (most < pairs.size())
    for (const FlexKind kind : {FlexKind::flip, FlexKind::spike})
      if (checks.kinds[kind])
        skipped.push_back({flex_kinds()[static_cast<std::size_t>(kind)].code,
                           format_text("{} of {} pairs of blend shapes, those with the least overlap", pairs.size() - most, pairs.size())});
  for (std::size_t i = 0; i < most; ++i) tasks.push_back({{&poses[pairs[i].a], &poses[pairs[i].b]}, 1});
  if (auto allowed = checks.work->allow(tasks.size() * 4 * figure.twins(), "vertices of blend shapes"); !allowed)
    return Unexpected(std::move(allowed.error()));
  const SpikeFinder spikes(checks.figure, limit::spike_shape);
  std::vector<Findings> found(tasks.size());
  std::mutex mutex;
  std::size_t done = 0;
  parallel_for(tasks.size(), 1, checks.options.threads, [&](std::size_t first, std::size_t last) {
    Face face(checks, base, spikes);
    for (std::size_t i = first; i < last; ++i) {
      face.look(tasks[i].poses, tasks[i].sign, found[i]);
      const std::lock_guard lock(mutex);
      if (checks.options.progress) checks.options.progress(++done, tasks.size());
    }
  });
  for (Findings& part : found) out.merge(std::move(part));
  return tasks.size();
}

}  // namespace sinew::operations::bend

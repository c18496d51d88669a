// SPDX-License-Identifier: MIT
// Stress poses: one joint turns about its origin, and every vertex follows by the share s of its weights below the joint.
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <utility>

#include "base/parallel.hpp"
#include "operations/flex/checks.hpp"
#include "operations/flex/penetration.hpp"
#include "operations/flex/spike.hpp"

namespace sinew::operations::bend {

namespace {

constexpr double same = 1e-6;         // shares that differ by less are equal
constexpr double almost_rigid = 0.1;  // a triangle with less between its shares: where two of these meet, one limb touches another

/// Bends joints, one after another; the memory of one thread.
class Bender {
 public:
  Bender(const Checks& checks, const Lists& followers)
      : c_(checks), f_(checks.figure), n_(f_.n), followers_(followers), s_(f_.twins()), in_zone_(f_.twins()), plays_(f_.twins()) {}

  /// Returns the number of poses.
  Result<std::size_t> bend(Number joint, Findings& out) {
    joint_ = joint;
    out_ = &out;
    find_zone();
    Result<std::size_t> poses = 0;
    if (!moved_.empty()) {
      if (auto allowed = c_.work->allow(moved_.size() + 40 * zone_.size() * c_.swings[joint].size(), "vertices in stress poses"); !allowed)
        return Unexpected(std::move(allowed.error()));
      for (const Swing& swing : c_.swings[joint]) {
        *poses += swing.angles.size();
        if (auto done = check(swing); !done) return Unexpected(std::move(done.error()));
      }
    }
    for (const Number twin : moved_) s_[twin] = 0;
    for (const Number twin : zone_) in_zone_[twin] = plays_[twin] = false;
    return poses;
  }

 private:
  void find_zone() {
    moved_.clear();
    zone_.clear();
    simplexes_.clear();
    soft_.clear();
    for (Number below = joint_; below < f_.joints[joint_].end; ++below)
      for (const Number twin : followers_[below]) {
        if (s_[twin] == 0) moved_.push_back(twin);
        s_[twin] += f_.weight_of(twin, below);
      }
    const auto add = [this](Number twin) {
      if (in_zone_[twin]) return;
      in_zone_[twin] = true;
      zone_.push_back(twin);
    };
    for (const Number twin : moved_) {
      if (s_[twin] > same && s_[twin] < 1 - same) add(twin);
      for (const Number other : f_.next[twin])
        if (std::abs(s_[twin] - s_[other]) > same) {
          add(twin);
          add(other);
        }
    }
    for (const Number twin : zone_) plays_[twin] = takes_part(twin);
    for (const Number twin : zone_)
      for (const Number simplex : f_.around[twin]) {
        const std::span<const Number> corners = f_.simplex(simplex);
        const auto first = std::ranges::find_if(corners, [this](Number corner) { return in_zone_[corner]; });
        if (*first != twin) continue;  // once
        double least = 1, most = 0;
        for (const Number corner : corners) {
          least = std::min(least, s_[corner]);
          most = std::max(most, s_[corner]);
        }
        const bool plays = std::ranges::all_of(corners, [&](Number corner) { return !in_zone_[corner] || plays_[corner]; });
        if (!plays || !(most - least > same)) continue;
        simplexes_.push_back(simplex);
        if (most - least > almost_rigid) soft_.push_back(simplex);
      }
    radius_ = median_radius();
  }

  // Feet that inverse kinematics hold are no descendants of the shin: turning the body would tear the ankle in a pose that never occurs.
  [[nodiscard]] bool takes_part(Number twin) const {
    std::vector<std::pair<Number, double>> sums;
    const auto add = [&](Number of) {
      for (const Influence& i : f_.influences_of(of)) {
        const auto known = std::ranges::find(sums, i.joint, &std::pair<Number, double>::first);
        if (known == sums.end())
          sums.emplace_back(i.joint, i.weight);
        else
          known->second += i.weight;
      }
    };
    add(twin);
    for (const Number other : f_.next[twin]) add(other);
    for (const Number other : f_.twins_of[f_.place_of[twin]])
      if (other != twin) add(other);
    Number inside = nothing, outside = nothing;
    double most_inside = 0, most_outside = 0;
    for (const auto& [joint, weight] : sums) {
      const bool below = f_.below(joint, joint_);
      double& most = below ? most_inside : most_outside;
      if (weight > most) most = weight, (below ? inside : outside) = joint;
    }
    if (inside == joint_ || (inside != nothing && f_.joints[inside].parent == joint_)) return true;
    return outside != nothing && f_.above(outside, joint_);
  }

  [[nodiscard]] double distance_to(Number joint, const double* at) const {
    double squares = 0;
    for (std::size_t i = 0; i < n_; ++i) squares += std::pow(at[i] - f_.joints[joint].at[i], 2);
    return std::sqrt(squares);
  }

  /// Surfaces also fold at the next joints where those move them, as the armpit does when a collar bone turns.
  [[nodiscard]] double distance_to_crease(const Crossing& crossing, const double* at) const {
    double least = distance_to(joint_, at);
    for (Number j = joint_ + 1; j < f_.joints[joint_].end; j = f_.joints[j].end)
      if (follows(crossing, j)) least = std::min(least, distance_to(j, at));
    return least;
  }

  [[nodiscard]] bool follows(const Crossing& crossing, Number joint) const {
    for (const Number simplex : {crossing.a, crossing.b})
      for (const Number twin : f_.simplex(simplex))
        if (f_.weight_of(twin, joint) > 0) return true;
    return false;
  }

  [[nodiscard]] double median_radius() const {
    if (zone_.empty()) return 0;
    std::vector<double> radii;
    for (const Number twin : zone_) radii.push_back(distance_to(joint_, f_.place(twin)));
    const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
    std::nth_element(radii.begin(), middle, radii.end());
    return *middle;
  }

  [[nodiscard]] FlexPose pose(const Swing& swing, double degrees) const {
    FlexPose out;
    out.kind = FlexPose::Kind::stress;
    out.node = f_.joints[joint_].node;
    out.plane = swing.plane;
    out.degrees = degrees;
    return out;
  }

  Result<> check(const Swing& swing) {
    if (c_.kinds[FlexKind::tear]) tears(swing);
    if (c_.kinds[FlexKind::collapse] && n_ >= 3) collapses(swing);
    if (c_.kinds[FlexKind::spike]) {
      spikes(swing, 0);
      spikes(swing, 1);
    }
    if (c_.kinds[FlexKind::flip]) flips(swing);
    if (c_.kinds[FlexKind::self] && has_crossings(n_))
      if (auto done = crossings(swing); !done) return done;
    if (c_.covers != nullptr && !zone_.empty()) return penetrations(swing);
    return {};
  }

  void tears(const Swing& swing) {
    const double degrees = swing.high >= -swing.low ? swing.high : swing.low;
    const double factor = 2 * std::sin(std::abs(degrees) * std::numbers::pi / 360);
    const Turn turn(f_, f_.joints[joint_], swing.plane, degrees);
    Found soft{FlexKind::tear, Severity::information, joint_, 0, limit::tear, "diagonal", pose(swing, degrees), true, 0, {}, {}};
    Found rigid = soft;
    for (const SeamPair& pair : c_.seams) {
      const double apart = std::abs(s_[pair.a] - s_[pair.b]);
      if (apart * factor < limit::tear) continue;
      double x = 0, y = 0;
      for (std::size_t i = 0; i < n_; ++i) {
        const double d = f_.place(pair.a)[i] - turn.center[i];
        x += d * turn.from[i];
        y += d * turn.to[i];
      }
      const double gap = apart * factor * std::hypot(x, y);
      if (gap < limit::tear || !takes_part(pair.a) || !takes_part(pair.b)) continue;
      Found& found = pair.rigid ? rigid : soft;
      found.value = std::max(found.value, gap);
      for (const Number twin : {pair.a, pair.b})
        for (const Number vertex : f_.members[twin]) found.marks.push_back({gap, vertex});
    }
    soft.severity = severity_of(soft.value, limit::tear, limit::tear_error);
    for (Found* found : {&soft, &rigid})
      if (!found->marks.empty()) out_->offer(std::move(*found));
  }

  // σ = (1, …, q, q): both directions of the plane shrink by q = √(1 − 4s(1 − s)·sin²(θ/2)).
  void collapses(const Swing& swing) {
    const double degrees = swing.high >= -swing.low ? swing.high : swing.low;
    const double half = std::sin(std::abs(degrees) * std::numbers::pi / 360);
    if (1 - half * half > 0.36) return;  // no weights can reach the limit
    const Turn turn(f_, f_.joints[joint_], swing.plane, degrees);
    Found twist{
        FlexKind::collapse, Severity::information, joint_, 0, limit::collapse, "ratio", pose(swing, degrees), true, 0, {}, "twists"};
    Found bend = twist;
    bend.detail = "bends";
    for (const Number twin : zone_) {
      const double s = s_[twin], q = std::sqrt(std::max(0.0, 1 - 4 * s * (1 - s) * half * half));
      if (1 - q < limit::collapse || !plays_[twin]) continue;
      const auto keeps = [&](const double* bone) {
        double x = 0, y = 0, all = 0;
        for (std::size_t i = 0; i < n_; ++i) {
          x += bone[i] * turn.from[i];
          y += bone[i] * turn.to[i];
          all += bone[i] * bone[i];
        }
        return all > 0 && all - (1 - q * q) * (x * x + y * y) >= 0.81;
      };
      const bool twists = keeps(&c_.bones[f_.strongest[twin] * n_]) && keeps(&c_.limbs[joint_ * n_]);
      Found& found = twists ? twist : bend;
      found.value = std::max(found.value, 1 - q);
      for (const Number vertex : f_.members[twin]) found.marks.push_back({1 - q, vertex});
    }
    twist.severity = severity_of(twist.value, limit::collapse, limit::collapse_error);
    for (Found* found : {&twist, &bend})
      if (!found->marks.empty()) out_->offer(std::move(*found));
  }

  /// `side` 0: negative angles, 1: positive ones.
  void spikes(const Swing& swing, int side) {
    double small = 0, large = 0;
    for (const double angle : swing.angles) {
      if ((angle > 0) != (side == 1)) continue;
      if (std::abs(angle) > std::abs(large)) large = angle;
      if (std::abs(angle) <= limit::spike_angle && std::abs(angle) > std::abs(small)) small = angle;
    }
    if (small != 0) spikes(swing, small, limit::spike_small);
    if (large == 0 || large == small) return;
    // Beyond a right angle, the chord of good rigs grows as well.
    const double more = std::max(1.0, std::sin(std::abs(large) * std::numbers::pi / 360) / std::sin(std::numbers::pi / 4));
    spikes(swing, large, limit::spike * more);
  }

  void spikes(const Swing& swing, double degrees, double least) {
    const double theta = degrees * std::numbers::pi / 180;
    const Turn turn(f_, f_.joints[joint_], swing.plane, degrees);
    std::vector<std::array<Number, 2>> edges;
    for (const Number a : zone_)
      for (const Number b : f_.next[a]) {
        if (b < a || !in_zone_[b] || std::abs(s_[a] - s_[b]) <= same) continue;
        const Stretch stretch = stretch_of(f_, turn, a, b, s_[a], s_[b]);
        if (!stretch.stays_below(least) && stretch.most(theta) >= least) edges.push_back({a, b});
      }
    if (edges.empty()) return;
    Found found{FlexKind::spike, Severity::information, joint_, 0, least, "ratio", pose(swing, degrees), true, 0, {}, {}};
    for (const Jump& jump : find_jumps(f_, edges)) {
      if (!std::ranges::any_of(jump.twins, [&](Number twin) { return plays_[twin]; })) continue;
      if (jump.twins.size() > 1 && !has_company(jump)) continue;
      std::vector<Stretch> stretches;
      for (const auto& [a, b] : jump.leaving) stretches.push_back(stretch_of(f_, turn, a, b, s_[a], s_[b]));
      const Peak peak = highest_least(stretches, theta);
      if (peak.value < least) continue;
      if (peak.value > found.value) {
        found.value = peak.value;
        found.pose.degrees = peak.theta * 180 / std::numbers::pi;
      }
      for (const Number twin : jump.twins)
        for (const Number vertex : f_.members[twin]) found.marks.push_back({peak.value, vertex});
    }
    if (found.marks.empty()) return;
    found.severity = severity_of(found.value, least, 3 * least);
    out_->offer(std::move(found));
  }

  // A small hand that turns as a whole is no spike: some other vertices of its part must follow the joint like the group does.
  [[nodiscard]] bool has_company(const Jump& jump) const {
    double mean = 0;
    for (const Number twin : jump.twins) mean += s_[twin] / static_cast<double>(jump.twins.size());
    const Number part = f_.part_of[f_.place_of[jump.twins.front()]];
    const auto like = [&](Number twin) {
      return (s_[twin] > 0.5) == (mean > 0.5) && f_.part_of[f_.place_of[twin]] == part &&
             std::ranges::find(jump.twins, twin) == jump.twins.end();
    };
    if (mean > 0.5) return std::ranges::any_of(moved_, like);
    for (Number twin = 0; twin < f_.twins(); ++twin)
      if (like(twin)) return true;
    return false;
  }

  void pose_twins(const Turn& turn, std::span<const Number> twins) {
    if (at_.empty()) at_ = f_.at;
    for (const Number twin : twins) turn.move(n_, f_.place(twin), s_[twin], &at_[twin * n_]);
  }
  void restore(std::span<const Number> twins) {
    for (const Number twin : twins) std::copy_n(f_.place(twin), n_, &at_[twin * n_]);
  }

  void flips(const Swing& swing) {
    if (simplexes_.empty()) return;
    std::vector<double> angles = swing.angles;
    if (swing.low < -limit::probe_flip) angles.push_back(-limit::probe_flip);
    if (swing.high > limit::probe_flip) angles.push_back(limit::probe_flip);
    for (const double degrees : angles) {
      const bool probe = std::abs(degrees) <= limit::probe_flip;
      const Turn turn(f_, f_.joints[joint_], swing.plane, degrees);
      pose_twins(turn, zone_);
      Found found{
          FlexKind::flip, probe ? Severity::warning : Severity::information, joint_, 0, 3, "count", pose(swing, degrees), false, 0, {}, {}};
      for (const Number simplex : simplexes_) {
        if (!c_.faces.counts(simplex) || !is_flipped(simplex, turn)) continue;
        ++found.count;
        for (const Number twin : f_.simplex(simplex)) found.marks.push_back({c_.faces.area(simplex), f_.members[twin].front()});
      }
      restore(zone_);
      found.value = static_cast<double>(found.count);
      if (found.count >= 3) out_->offer(std::move(found));
    }
  }

  [[nodiscard]] bool is_flipped(Number simplex, const Turn& turn) const {
    if (n_ == 2) return c_.faces.mirrored(simplex, at_);
    double s = 0;
    for (const Number twin : f_.simplex(simplex)) s += s_[twin] / static_cast<double>(f_.corners);
    Turn nearest = turn;  // the polar factor of (1 − s)·I + s·R turns in the same plane
    const double x = 1 - s + s * turn.cosine, y = s * turn.sine, length = std::hypot(x, y);
    if (!(length > 0)) return false;
    nearest.cosine = x / length;
    nearest.sine = y / length;
    std::array<double, 16> origin{}, turned{};
    nearest.center = origin.data();
    nearest.move(n_, c_.faces.normal(simplex), 1, turned.data());
    return c_.faces.flipped(simplex, at_, std::span(turned).first(n_));
  }

  Result<> crossings(const Swing& swing) {
    if (soft_.empty()) return {};
    std::vector<double> angles;
    for (const double angle : swing.angles)  // the largest one shows what smaller ones do; those up to the probe can be warnings
      if (angle == swing.low || angle == swing.high || std::abs(angle) <= limit::probe_self) angles.push_back(angle);
    if (swing.low < -limit::probe_self) angles.push_back(-limit::probe_self);
    if (swing.high > limit::probe_self) angles.push_back(limit::probe_self);
    for (const double degrees : angles) {
      if (auto allowed = c_.work->allow(f_.twins() / 8 + 50 * soft_.size(), "triangles in stress poses"); !allowed) return allowed;
      pose_twins(Turn(f_, f_.joints[joint_], swing.plane, degrees), moved_);
      offer_crossings(find_crossings(f_, c_.outline, soft_, at_), pose(swing, degrees));
      restore(moved_);
    }
    return {};
  }

  void offer_crossings(const std::vector<Crossing>& crossings, const FlexPose& pose) {
    Found crease{FlexKind::self, Severity::information, joint_, 0, 1, "count", pose, false, 0, {}, "in the crease"};
    Found beyond = crease;
    beyond.detail = "beyond the crease";
    for (const Crossing& crossing : crossings) {
      double far = 0;
      for (const Number simplex : {crossing.a, crossing.b}) {
        std::array<double, 3> middle{};
        for (const Number twin : f_.simplex(simplex))
          for (std::size_t i = 0; i < n_; ++i) middle[i] += f_.place(twin)[i] / 3;
        far += distance_to_crease(crossing, middle.data()) / 2;
      }
      Found& found = far > limit::crease * radius_ ? beyond : crease;
      ++found.count;
      for (const Number simplex : {crossing.a, crossing.b})
        for (const Number twin : f_.simplex(simplex)) found.marks.push_back({far, f_.members[twin].front()});
    }
    if (std::abs(pose.degrees) <= limit::probe_self && beyond.count > 0) beyond.severity = Severity::warning;
    for (Found* found : {&crease, &beyond}) {
      found->value = static_cast<double>(found->count);
      if (found->count > 0) out_->offer(std::move(*found));
    }
  }

  Result<> penetrations(const Swing& swing) {
    for (const double degrees : swing.angles) {
      const bool plain = std::abs(degrees) <= 45 || swing.human;
      if (!plain && degrees != swing.low && degrees != swing.high) continue;
      const std::vector<std::size_t> asked = c_.covers->asked(joint_, s_, plays_, in_zone_);
      if (asked.empty()) return {};
      if (auto allowed = c_.work->allow(f_.twins() + 200 * asked.size(), "vertices of covers in stress poses"); !allowed) return allowed;
      pose_twins(Turn(f_, f_.joints[joint_], swing.plane, degrees), moved_);
      Found found{
          FlexKind::penetration, Severity::information, joint_, 0, limit::depth, "diagonal", pose(swing, degrees), false, 0, {}, {}};
      c_.covers->measure(asked, at_, trees_, found);
      restore(moved_);
      if (found.marks.empty()) continue;
      if (plain && found.marks.size() >= limit::few) found.severity = severity_of(found.value, limit::depth, limit::depth_error);
      out_->offer(std::move(found));
    }
    return {};
  }

  const Checks& c_;
  const Figure& f_;
  std::size_t n_;
  const Lists& followers_;
  Findings* out_ = nullptr;
  Number joint_ = 0;
  std::vector<double> s_;              ///< by twin
  std::vector<char> in_zone_, plays_;  ///< by twin
  std::vector<Number> moved_, zone_, simplexes_;
  std::vector<Number> soft_;  ///< of `simplexes_`: not almost rigid
  std::vector<double> at_;    ///< rest, except while a pose is looked at
  Covers::Trees trees_;
  double radius_ = 0;
};

Lists followers_of(const Figure& figure) {
  std::vector<Number> joint, twin;
  for (Number t = 0; t < figure.twins(); ++t)
    for (const Influence& i : figure.influences_of(t)) {
      joint.push_back(i.joint);
      twin.push_back(t);
    }
  Lists out = Lists::group(figure.joints.size(), joint);
  for (Number& item : out.items) item = twin[item];
  return out;
}

}  // namespace

Result<std::size_t> check_stress(const Checks& checks, Findings& out) {
  const Lists followers = followers_of(checks.figure);
  std::vector<Number> joints;
  for (Number j = 0; j < checks.figure.joints.size(); ++j)
    if (checks.figure.joints[j].of_skin) joints.push_back(j);
  std::vector<Findings> found(joints.size());
  std::vector<std::size_t> poses(joints.size());
  std::optional<Error> failed;
  std::mutex mutex;
  std::size_t done = 0;
  parallel_for(joints.size(), 1, checks.options.threads, [&](std::size_t first, std::size_t last) {
    Bender bender(checks, followers);
    for (std::size_t i = first; i < last; ++i) {
      auto result = bender.bend(joints[i], found[i]);
      const std::lock_guard lock(mutex);
      if (!result) {
        if (!failed) failed = std::move(result.error());
        return;
      }
      poses[i] = *result;
      if (checks.options.progress) checks.options.progress(++done, joints.size());
    }
  });
  if (failed) return Unexpected(std::move(*failed));
  std::size_t sum = 0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    out.merge(std::move(found[i]));
    sum += poses[i];
  }
  return sum;
}

}  // namespace sinew::operations::bend

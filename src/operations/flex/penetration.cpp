// SPDX-License-Identifier: MIT
#include "operations/flex/penetration.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/deadline.hpp"

namespace sinew::operations::bend {

namespace {

constexpr Number least_places = 8;
constexpr double outside = 0.3, inside = 0.6;  // winding numbers
constexpr double like = 0.2;                   // shares that differ by less move alike

struct PartBox {
  Vec low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300}, center{};
};

/// Returns whether a part encloses something: its centre, or points below its surface.
bool encloses(const Figure& figure, const Solid& solid, const Solid::Fit& fit, const PartBox& box) {
  if (figure.n == 2) return !solid.pieces().empty();
  if (std::abs(solid.winding(fit, figure.at, box.center)) > outside) return true;
  const Vec size{box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]};
  const double step = 0.02 * weights::norm(size);
  const std::span<const Piece> triangles = solid.pieces();
  std::size_t found = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const std::array<Number, 3>& c = triangles[i * triangles.size() / 8].corner;
    const Vec a = vec_at(figure, figure.at, c[0]), b = vec_at(figure, figure.at, c[1]), d = vec_at(figure, figure.at, c[2]);
    using weights::operator-;
    using weights::operator+;
    using weights::operator*;
    const Vec normal = weights::cross(b - a, d - a);
    const double length = weights::norm(normal);
    if (!(length > 0)) continue;
    const Vec middle = 1.0 / 3 * (a + b + d);
    for (const double side : {-step / length, step / length})
      if (std::abs(solid.winding(fit, figure.at, middle + side * normal)) > inside) {
        ++found;
        break;
      }
  }
  return found >= 3;
}

double difference_of(const Figure& figure, Number a, Number b) {
  double sum = 0;
  for (const Influence& i : figure.influences_of(a)) sum += std::abs(i.weight - figure.weight_of(b, i.joint));
  for (const Influence& i : figure.influences_of(b))
    if (figure.weight_of(a, i.joint) == 0) sum += std::abs(i.weight);
  return sum;
}

/// The parts that may be a cover or a body, from left to right.
class Parts {
 public:
  explicit Parts(const Figure& figure) : f_(figure), triangles_(figure.parts), twins_(figure.parts), boxes_(figure.parts) {
    for (Number s = 0; s < f_.count(); ++s) triangles_[f_.part_of[f_.place_of[f_.simplex(s)[0]]]].push_back(s);
    for (Number t = 0; t < f_.twins(); ++t) {
      const Number part = f_.part_of[f_.place_of[t]];
      PartBox& box = boxes_[part];
      twins_[part].push_back(t);
      const Vec at = vec_at(f_, f_.at, t);
      box.low = lowest(box.low, at);
      box.high = highest(box.high, at);
      for (std::size_t i = 0; i < 3; ++i) box.center[i] += at[i];
    }
    order_.resize(f_.parts);
    std::iota(order_.begin(), order_.end(), Number{0});
    std::erase_if(order_, [&](Number part) { return f_.part_places[part] < least_places || triangles_[part].empty(); });
    for (const Number part : order_)
      for (double& c : boxes_[part].center) c /= static_cast<double>(twins_[part].size());
    std::ranges::sort(
        order_, [&](Number a, Number b) { return boxes_[a].low[0] != boxes_[b].low[0] ? boxes_[a].low[0] < boxes_[b].low[0] : a < b; });
  }

  [[nodiscard]] const std::vector<Number>& order() const { return order_; }
  [[nodiscard]] const std::vector<Number>& twins(Number part) const { return twins_[part]; }
  /// Returns the parts whose boxes overlap that of a body.
  [[nodiscard]] std::vector<Number> next_to(Number body) const {
    std::vector<Number> out;
    for (const Number cover : order_) {
      if (boxes_[cover].low[0] > boxes_[body].high[0] + limit::near) break;
      bool overlap = cover != body;
      for (std::size_t i = 0; i < 3; ++i)
        overlap &= boxes_[cover].low[i] <= boxes_[body].high[i] + limit::near && boxes_[cover].high[i] >= boxes_[body].low[i] - limit::near;
      if (overlap) out.push_back(cover);
    }
    return out;
  }

  struct Closed {
    Solid solid;
    Solid::Fit rest;
    bool encloses;
  };
  /// Returns a part as a solid; made once.
  const Closed& closed(Number part) {
    auto at = closed_.find(part);
    if (at == closed_.end()) {
      const bool flat = f_.n == 2;
      Closed one{Solid(f_, part, flat ? outline_of(f_, triangles_[part]) : pieces_of(f_, triangles_[part]), flat ? 2 : 3), {}, false};
      one.solid.fit(f_.at, one.rest);
      one.encloses = bend::encloses(f_, one.solid, one.rest, boxes_[part]);
      at = closed_.emplace(part, std::move(one)).first;
    }
    return at->second;
  }
  /// Returns how much of a part is inside of another one, of some of its vertices.
  double share_inside(Number part, Number of) {
    const Closed& outer = closed(of);
    if (!outer.encloses) return 0;
    const std::vector<Number>& list = twins_[part];
    const std::size_t step = list.size() / 200 + 1;
    double found = 0, asked = 0;
    for (std::size_t i = 0; i < list.size(); i += step) {
      ++asked;
      found += std::abs(outer.solid.winding(outer.rest, f_.at, vec_at(f_, f_.at, list[i]))) > inside ? 1 : 0;
    }
    return found / asked;
  }

 private:
  const Figure& f_;
  std::vector<std::vector<Number>> triangles_, twins_;
  std::vector<PartBox> boxes_;
  std::vector<Number> order_;
  std::map<Number, Closed> closed_;
};

}  // namespace

Covers::Covers(const Figure& figure) : figure_(figure) {
  Parts parts(figure);
  if (parts.order().size() < 2) return;
  for (const Number body : parts.order()) {
    if (figure.rigid[figure.piece_of[parts.twins(body).front()]] != nothing && figure.shapes.empty()) continue;  // it turns as a whole
    const std::vector<Number> around = parts.next_to(body);
    if (around.empty() || !parts.closed(body).encloses) continue;
    bool used = false;
    for (const Number cover : around) {
      // Of a body and its clothes, the one that is more inside of the other is the body.
      const double covered = parts.share_inside(body, cover), sunk = parts.share_inside(cover, body);
      if (sunk > covered + 0.1) continue;
      if (!used) {
        solids_.push_back(parts.closed(body).solid);
        rest_.push_back(parts.closed(body).rest);
      }
      used = true;
      add(static_cast<Number>(solids_.size() - 1), parts.twins(cover));
    }
    ask_deadline();
  }
}

void Covers::add(Number solid, const std::vector<Number>& twins) {
  for (const Number twin : twins) {
    if (figure_.by_program[twin]) continue;
    const Vec at = vec_at(figure_, figure_.at, twin);
    const Solid::Near near = solids_[solid].nearest(rest_[solid], figure_.at, at, limit::near);
    if (near.triangle == nothing) continue;
    if (std::abs(solids_[solid].winding(rest_[solid], figure_.at, at)) >= outside) continue;
    tested_.push_back({twin, solid, near.triangle});
  }
}

std::vector<std::size_t> Covers::asked(Number joint, std::span<const double> s, std::span<const char> plays,
                                       std::span<const char> in_zone) const {
  std::vector<char> deforms(figure_.parts), follows(figure_.parts);
  for (Number t = 0; t < figure_.twins(); ++t) {
    const Number part = figure_.part_of[figure_.place_of[t]];
    if (in_zone[t] && plays[t]) deforms[part] = 1;
    if (s[t] > 0.5) follows[part] = 1;
  }
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < tested_.size(); ++i) {
    const Tested& tested = tested_[i];
    if (!deforms[solids_[tested.solid].part()] || (in_zone[tested.twin] && !plays[tested.twin])) continue;
    double body = 0;
    bool held = false;
    for (const Number corner : figure_.simplex(tested.triangle)) {
      body += s[corner] / 3;
      held |= in_zone[corner] && !plays[corner];
    }
    const double cover = s[tested.twin];
    if (held || std::abs(cover - body) <= like || body <= 1e-6) continue;
    if (cover > body && (is_rigid(tested.twin) || !follows[solids_[tested.solid].part()])) continue;
    if (related(figure_.strongest[tested.twin], joint)) out.push_back(i);
  }
  return out;
}

// A prop, a helmet or hair that follows one joint is where its joint puts it. A limb that touches another one, or the trunk, is a pose.
bool Covers::is_rigid(Number twin) const { return figure_.rigid[figure_.piece_of[twin]] != nothing; }
bool Covers::related(Number a, Number b) const { return figure_.below(a, b) || figure_.below(b, a); }

std::vector<std::size_t> Covers::asked() const {
  std::set<std::pair<Number, Number>> followed;  // part and joint
  for (Number t = 0; t < figure_.twins(); ++t)
    if (figure_.weight_of(t, figure_.strongest[t]) >= 0.5) followed.emplace(figure_.part_of[figure_.place_of[t]], figure_.strongest[t]);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < tested_.size(); ++i) {
    const Number twin = tested_[i].twin, joint = figure_.strongest[twin];
    const bool in_body = followed.contains({solids_[tested_[i].solid].part(), joint}) && !is_rigid(twin);
    double least = 2;
    bool follows = true;
    for (const Number corner : figure_.simplex(tested_[i].triangle)) {
      least = std::min(least, difference_of(figure_, twin, corner));
      follows &= related(joint, figure_.strongest[corner]) && (in_body || !figure_.above(figure_.strongest[corner], joint));
    }
    if (least > 2 * like && follows) out.push_back(i);
  }
  return out;
}

std::vector<std::size_t> Covers::touched(std::span<const char> moved) const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < tested_.size(); ++i)
    if (std::ranges::any_of(figure_.simplex(tested_[i].triangle), [&](Number corner) { return moved[corner] != 0; })) out.push_back(i);
  return out;
}

void Covers::measure(std::span<const std::size_t> asked, std::span<const double> at, Trees& trees, Found& found) const {
  trees.fits.resize(solids_.size());
  Number fitted = nothing;  // the list is ordered by solids
  for (const std::size_t i : asked) {
    const Tested& tested = tested_[i];
    const Solid& solid = solids_[tested.solid];
    Solid::Fit& fit = trees.fits[tested.solid];
    if (fitted != tested.solid) solid.fit(at, fit);
    fitted = tested.solid;
    const Vec point = vec_at(figure_, at, tested.twin);
    if (!(std::abs(solid.winding(fit, at, point)) > inside)) continue;
    const Solid::Near near = solid.nearest(fit, at, point, 10);
    if (near.triangle == nothing || near.distance < limit::depth) continue;
    found.value = std::max(found.value, near.distance);
    for (const Number vertex : figure_.members[tested.twin]) found.marks.push_back({near.distance, vertex});
  }
}

}  // namespace sinew::operations::bend

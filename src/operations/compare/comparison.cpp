// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "operations/compare/larger.hpp"
#include "operations/compare/names_in_words.hpp"

#include "sinew/compare.hpp"

namespace sinew::operations {

namespace {

double rms_of(std::span<const InstancePair> pairs) {
  double squares = 0, measured = 0;
  for (const InstancePair& pair : pairs) {
    for (const Part& part : pair.parts) {
      if (part.distance.measured == 0) continue;
      const auto count = static_cast<double>(part.distance.measured);
      squares += part.distance.rms * part.distance.rms * count;
      measured += count;
    }
  }
  return measured > 0 ? std::sqrt(squares / measured) : 0;
}

bool moves_and_differs(const NotCovered& one) { return one.moves() && one.differs; }
bool moves_and_is_lost(const NotCovered& one) { return one.moves() && one.lost; }

bool comparable(const InstancePair& pair) { return pair.pairing != Pairing::none; }

/// Returns whether Comparison::every_pose() would be proved, without its text.
bool proved(const Comparison& comparison, double distance) {
  const auto is_clip = [](const Alone& alone) { return alone.kind == Alone::Kind::clip; };
  return comparison.why_not.empty() && distance >= 0 && std::ranges::none_of(comparison.not_covered, &NotCovered::moves) &&
         std::ranges::all_of(comparison.only_a, is_clip) && std::ranges::all_of(comparison.only_b, is_clip) &&
         std::ranges::all_of(comparison.instances, [&](const InstancePair& pair) {
           return comparable(pair) && pair.apart == 0 && !pair.hidden_in_one() && pair.every_pose.proved(distance);
         });
}

}  // namespace

const Part* InstancePair::worst() const noexcept {
  const Part* worst = nullptr;
  for (const Part& part : parts)
    if (worst == nullptr || larger(part.distance.max, worst->distance.max)) worst = &part;
  return worst;
}

double InstancePair::max() const noexcept {
  double most = 0;
  for (const Part& part : parts) most = std::max(most, part.distance.max);
  return most;
}

double InstancePair::rms() const noexcept { return rms_of({this, 1}); }

const InstancePair* Comparison::worst() const noexcept {
  const InstancePair* worst = nullptr;
  for (const InstancePair& pair : instances)
    if (worst == nullptr || larger(pair.max(), worst->max())) worst = &pair;
  return worst;
}

double Comparison::max() const noexcept {
  if (!has_distances()) return infinite;
  double most = 0;
  for (const InstancePair& pair : instances) most = std::max(most, pair.max());
  return most;
}

double Comparison::rms() const noexcept { return rms_of(instances); }

double Comparison::relative(double distance) const noexcept {
  if (diagonal > 0) return distance / diagonal;
  return distance == 0 ? 0 : infinite;
}

double Comparison::error() const noexcept {
  if (!only_a.empty() || !why_not.empty() || std::ranges::any_of(not_covered, moves_and_is_lost)) return infinite;
  double largest = 0;
  for (const InstancePair& pair : instances) {
    if (!comparable(pair) || pair.unpaired_a != 0) return infinite;
    largest = std::max({largest, pair.max(), pair.apart_max});
  }
  return relative(largest);
}

Result<EveryPose> Comparison::every_pose() const SINEW_TRY {
  EveryPose all;
  const auto fail = [&all](std::string why) {
    all = {};
    all.why_not = std::move(why);
    return all;
  };
  if (!why_not.empty()) return fail(why_not);
  if (const auto one = std::ranges::find_if(not_covered, &NotCovered::moves); one != not_covered.end()) return fail(one->what);
  for (const std::vector<Alone>* list : {&only_a, &only_b})
    for (const Alone& alone : *list)
      if (alone.kind != Alone::Kind::clip)
        return fail(alone.kind == Alone::Kind::shape
                        ? format_text("blend shape {}{} has no counterpart", alone.index, quoted_name(alone.name))
                        : format_text("the mesh instance of {} has no counterpart", node_in_words(alone.index, alone.name)));
  all.bound = all.difference = 0;
  for (const InstancePair& pair : instances) {
    if (!comparable(pair)) return fail(format_text("{}: {}", node_in_words(pair.a.node, pair.name), pair.why_not));
    if (pair.apart != 0)
      return fail(format_text("the weights of {} of {} do not sum to 1",
                              pair.apart == 1 ? "1 vertex" : format_text("{} vertices", pair.apart),
                              node_in_words(pair.a.node, pair.name)));
    if (pair.hidden_in_one()) return fail(format_text("{} is hidden in one of the files", node_in_words(pair.a.node, pair.name)));
    if (all.why_not.empty()) all.why_not = pair.every_pose.why_not;
    all.bound = std::max(all.bound, pair.every_pose.bound);
    all.difference = std::max(all.difference, pair.every_pose.difference);
  }
  return all;
}
SINEW_CATCH()

Verdict Comparison::verdict(double tolerance) const noexcept {
  if (!why_not.empty()) return Verdict::not_comparable;
  bool different = !only_a.empty() || !only_b.empty();
  for (const InstancePair& pair : instances)
    different |= pair.hidden_in_one() || (comparable(pair) && !(relative(std::max(pair.max(), pair.apart_max)) <= tolerance));
  if (different) return Verdict::different;
  if (!std::ranges::all_of(instances, comparable) || std::ranges::any_of(not_covered, moves_and_differs)) return Verdict::not_comparable;
  const double distance = diagonal > 0 ? tolerance * diagonal : 0;
  return proved(*this, distance) ? Verdict::equal_in_every_pose : Verdict::equal_where_sampled;
}

bool Comparison::has_distances() const noexcept {
  const auto drawn = [](const Alone& alone) { return alone.kind == Alone::Kind::instance; };
  if (!why_not.empty()) return false;
  return instances.empty() ? std::ranges::none_of(only_a, drawn) && std::ranges::none_of(only_b, drawn)
                           : std::ranges::any_of(instances, comparable);
}

bool Comparison::equal_within(double tolerance) const noexcept {
  const Verdict found = verdict(tolerance);
  return found == Verdict::equal_in_every_pose || found == Verdict::equal_where_sampled;
}

std::string_view to_string(Pairing pairing) noexcept {
  switch (pairing) {
    case Pairing::index:
      return "index";
    case Pairing::permutation:
      return "permutation";
    case Pairing::corners:
      return "corners";
    case Pairing::position:
      return "position";
    case Pairing::surfaces:
      return "surfaces";
    case Pairing::none:
      break;
  }
  return "none";
}

std::string_view to_string(Part::Kind kind) noexcept {
  switch (kind) {
    case Part::Kind::clip:
      return "animation";
    case Part::Kind::stress:
      return "stress";
    case Part::Kind::shown:
      return "shown";
    case Part::Kind::shape:
      return "blendShape";
    case Part::Kind::rest:
      break;
  }
  return "rest";
}

std::string_view to_string(Alone::Kind kind) noexcept {
  return kind == Alone::Kind::instance ? "instance" : kind == Alone::Kind::clip ? "animation" : "blendShape";
}

std::string_view in_words(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::equal_in_every_pose:
      return "equal in every pose";
    case Verdict::equal_where_sampled:
      return "equal where sampled";
    case Verdict::different:
      return "different";
    case Verdict::not_comparable:
      break;
  }
  return "not comparable";
}

Result<std::string> distance_in_words(const Comparison& comparison, double distance) SINEW_TRY {
  if (comparison.diagonal == 0) return format_text("{:.3g}", distance);
  return format_text("{:.3g} ({:.3g} of the diagonal)", distance, comparison.relative(distance));
}
SINEW_CATCH()

Result<std::string> in_words(const Comparison& comparison, const InstancePair& pair) SINEW_TRY {
  const Part* part = pair.worst();
  if (!comparable(pair) || part == nullptr) return pair.why_not;
  const Distance& at = part->distance;
  if (at.max == 0) return "0";
  const std::string_view near = pair.pairing == Pairing::surfaces ? "near " : "";
  const std::string vertex =
      at.vertex_a == at.vertex_b ? format_text("vertex {}", at.vertex_a) : format_text("vertices {} and {}", at.vertex_a, at.vertex_b);
  const std::string distance = format_text("{}, {}{}", need(distance_in_words(comparison, at.max)), near, vertex);
  switch (part->kind) {
    case Part::Kind::rest:
      break;
    case Part::Kind::clip:
      return format_text("{}, at {:.6g} s of animation {}{}", distance, at.seconds, part->a, quoted_name(part->name));
    case Part::Kind::stress:
      return format_text("{}, in stress pose {}", distance, part->name);
    case Part::Kind::shown:
      return distance + ", with all parts shown";
    case Part::Kind::shape:
      return format_text("{}, with only blend shape {}{}", distance, part->a, quoted_name(part->name));
  }
  return distance + ", at rest";
}
SINEW_CATCH()

}  // namespace sinew::operations

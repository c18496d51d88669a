// SPDX-License-Identifier: MIT
#include "comparison/compare_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>

#include "comparison/comparison_text.hpp"
#include "console/need.hpp"
#include "reports/not_covered.hpp"

namespace app {

namespace {

using sinew::operations::Alone;
using sinew::operations::AttributeDifference;
using sinew::operations::Comparison;
using sinew::operations::Distance;
using sinew::operations::EveryPose;
using sinew::operations::FarVertex;
using sinew::operations::InstancePair;
using sinew::operations::Pairing;
using sinew::operations::Part;
using sinew::operations::Verdict;

Json to_json(const Comparison& comparison, const EveryPose& every, double tolerance) {
  Json row{{"proved", every.proved(tolerance * comparison.diagonal)}};
  const double bound = comparison.relative(every.bound);
  row.add("bound", std::isfinite(bound) ? Json(bound) : Json(nullptr));
  if (!every.why_not.empty()) row.add("why", every.why_not);
  return row;
}

Json to_json(const Comparison& comparison, const Part& part) {
  const Distance& at = part.distance;
  Json row{{"kind", to_string(part.kind)}};
  if (part.kind == Part::Kind::stress)
    row.add("name", part.name);
  else if (part.kind == Part::Kind::clip || part.kind == Part::Kind::shape)
    row.add({{"a", part.a}, {"b", part.b}, {"name", part.name}});
  row.add({{"max", json_number(at.max)}, {"relativeMax", json_number(comparison.relative(at.max))}, {"rms", json_number(at.rms)}});
  if (at.max == 0) return row;  // no vertex is further away than others
  row.add({{"vertexA", at.vertex_a}, {"vertexB", at.vertex_b}});
  if (part.kind == Part::Kind::clip) row.add("time", at.seconds);
  return row;
}

Json to_json(const InstancePair& pair, const FarVertex& far) {
  const Part& part = pair.parts[far.part];
  Json row{{"vertexA", far.vertex_a}, {"vertexB", far.vertex_b}, {"distance", json_number(far.distance)}, {"part", to_string(part.kind)}};
  if (!part.name.empty() || part.kind == Part::Kind::clip || part.kind == Part::Kind::shape) row.add("name", part.name);
  if (part.kind == Part::Kind::clip) row.add("time", far.seconds);
  if (far.joint != sinew::none) row.add({{"joint", far.joint}, {"jointName", far.joint_name}});
  return row;
}

Json to_json(const AttributeDifference& attribute) {
  Json row{{"name", attribute.name}};
  if (!attribute.why_not.empty())
    row.add("why", attribute.why_not);
  else
    row.add({{"max", json_number(attribute.max)}, {"vertexA", attribute.vertex_a}, {"vertexB", attribute.vertex_b}});
  return row;
}

Json to_json(const Comparison& comparison, const InstancePair& pair, double tolerance) {
  Json row{{"name", pair.name},    {"nodeA", pair.a.node},         {"nodeB", pair.b.node},         {"copyA", pair.a.copy},
           {"copyB", pair.b.copy}, {"verticesA", pair.vertices_a}, {"verticesB", pair.vertices_b}, {"pairing", to_string(pair.pairing)}};
  if (pair.hidden_in_one()) row.add("hiddenIn", pair.hidden_in_b() ? "b" : "a");
  if (pair.hidden) row.add("hiddenAt", {{"animation", pair.hidden->clip}, {"time", pair.hidden->seconds}});
  if (pair.pairing == Pairing::none) {
    row.add("why", pair.why_not);
    return row;
  }
  row.add({{"pairs", pair.pairs}, {"unpairedA", pair.unpaired_a}, {"unpairedB", pair.unpaired_b}});
  row.add("apart", {{"pairs", pair.apart}, {"max", json_number(pair.apart_max)}});
  row.add(
      {{"max", json_number(pair.max())}, {"relativeMax", json_number(comparison.relative(pair.max()))}, {"rms", json_number(pair.rms())}});
  if (pair.triangles)
    row.add("triangles",
            {{"a", pair.triangles->a}, {"b", pair.triangles->b}, {"onlyA", pair.triangles->only_a}, {"onlyB", pair.triangles->only_b}});
  row.add("everyPose", to_json(comparison, pair.every_pose, tolerance));
  Json parts = Json::array(), attributes = Json::array(), worst = Json::array();
  for (const Part& part : pair.parts) parts.push_back(to_json(comparison, part));
  row.add("parts", parts);
  for (const AttributeDifference& attribute : pair.attributes) attributes.push_back(to_json(attribute));
  if (!pair.attributes.empty()) row.add("attributes", attributes);
  for (const FarVertex& far : pair.worst_vertices) worst.push_back(to_json(pair, far));
  if (!pair.worst_vertices.empty()) row.add("worst", worst);
  return row;
}

Json to_json(const std::vector<Alone>& list) {
  Json rows = Json::array();
  for (const Alone& alone : list) {
    Json row{{"kind", to_string(alone.kind)}, {"index", alone.index}, {"name", alone.name}};
    if (alone.kind == Alone::Kind::shape) row.add("node", alone.node);
    rows.push_back(row);
  }
  return rows;
}

/// The result about all poses, unless the samples already imply it.
std::string every_pose_row(const Comparison& comparison, const InstancePair& pair, double tolerance) {
  const EveryPose& every = pair.every_pose;
  if (every.proved(tolerance * comparison.diagonal)) return {};
  if (every.bound < pair.max()) return {};  // the animations do more than turn joints
  std::string row = std::isfinite(every.bound) ? fmt::format("            where both have the same pose and joints only turn: at most {}",
                                                             need(distance_in_words(comparison, every.bound)))
                                               : "            no bound for other poses";
  if (!every.why_not.empty()) row += fmt::format("; the skeletons differ: {}", printable(every.why_not));
  return row + "\n";
}

std::string row_of(const Comparison& comparison, const InstancePair& pair, double tolerance) {
  std::string row = pair.a.node == pair.b.node ? fmt::format("  node {:<4} {}  ", pair.a.node, quoted(pair.name))
                                               : fmt::format("  nodes {} and {}  {}  ", pair.a.node, pair.b.node, quoted(pair.name));
  if (pair.pairing == Pairing::none) return fmt::format("{}not comparable: {}\n", row, pair.why_not);
  row += fmt::format("{} by {}: largest distance {}", count_of(pair.pairs, "pair", "pairs"), to_string(pair.pairing),
                     printable(need(in_words(comparison, pair))));
  if (pair.max() > 0) row += fmt::format("; RMS {:.3g}", pair.rms());
  row += fmt::format("\n{}", every_pose_row(comparison, pair, tolerance));
  if (pair.hidden_in_one())
    row += fmt::format("            hidden in the {} file only{}\n", pair.hidden_in_b() ? "second" : "first",
                       pair.hidden && pair.a.visible == pair.b.visible
                           ? fmt::format(", at {:.6g} s of animation {}", pair.hidden->seconds, pair.hidden->clip)
                           : "");
  if (pair.apart != 0)
    row += fmt::format("            {} more, up to {}: G4MF divides weights by their sum, and these do not sum to 1\n",
                       count_of(pair.apart, "pair", "pairs"), need(distance_in_words(comparison, pair.apart_max)));
  if (pair.unpaired_a + pair.unpaired_b != 0)
    row += fmt::format("            unpaired: {} of the first file, {} of the second\n", count_of(pair.unpaired_a, "vertex", "vertices"),
                       pair.unpaired_b);
  if (pair.triangles && pair.triangles->only_a + pair.triangles->only_b != 0)
    row += fmt::format("            triangles without a counterpart: {} of {} of the first file, {} of {} of the second\n",
                       pair.triangles->only_a, pair.triangles->a, pair.triangles->only_b, pair.triangles->b);
  for (const AttributeDifference& attribute : pair.attributes) {
    row += fmt::format("            {}: ", attribute.name);
    if (!attribute.why_not.empty())
      row += fmt::format("not compared: {}\n", attribute.why_not);
    else if (attribute.name == "NORMAL")
      row += fmt::format("up to {:.3g} degrees apart, vertex {}\n", attribute.max * 180 / std::numbers::pi, attribute.vertex_a);
    else
      row += fmt::format("up to {:.3g} apart, vertex {}\n", attribute.max, attribute.vertex_a);
  }
  return row;
}

std::string part_name(const Part& part) {
  switch (part.kind) {
    case Part::Kind::rest:
      break;
    case Part::Kind::stress:
      return fmt::format("stress pose {}", part.name);
    case Part::Kind::shown:
      return "all parts shown";
    case Part::Kind::clip:
    case Part::Kind::shape:
      return fmt::format("{} {} {}", part.kind == Part::Kind::clip ? "animation" : "blend shape", part.a, quoted(part.name));
  }
  return "rest";
}

/// A table of all states of a pair, or of its clips.
std::string parts_of(const Comparison& comparison, const InstancePair& pair, bool clips_only) {
  std::string text;
  for (const Part& part : pair.parts) {
    if (clips_only && part.kind != Part::Kind::clip) continue;
    text += fmt::format("            {}: {}", part_name(part), need(distance_in_words(comparison, part.distance.max)));
    if (part.distance.max > 0) text += fmt::format(", vertex {}", part.distance.vertex_a);
    if (part.distance.max > 0 && part.kind == Part::Kind::clip) text += fmt::format(", at {:.6g} s", part.distance.seconds);
    if (clips_only) text += fmt::format("; RMS {:.3g}", part.distance.rms);
    text += "\n";
  }
  return text;
}

std::string worst_of(const InstancePair& pair) {
  std::string text;
  for (const FarVertex& far : pair.worst_vertices) {
    const Part& part = pair.parts[far.part];
    text += fmt::format("            vertex {}: {:.3g}, {}", far.vertex_a, far.distance, part_name(part));
    if (part.kind == Part::Kind::clip) text += fmt::format(" at {:.6g} s", far.seconds);
    if (far.joint != sinew::none) text += fmt::format(", most by joint {} {}", far.joint, quoted(far.joint_name));
    text += "\n";
  }
  return text;
}

std::string rows_of(const std::vector<Alone>& list, std::string_view side) {
  std::string text;
  for (const Alone& alone : list) {
    text += fmt::format("  only in the {} file: {} {} {}", side, noun_of(alone.kind), alone.index, quoted(alone.name));
    text += alone.kind == Alone::Kind::shape ? fmt::format(" of node {}\n", alone.node) : "\n";
  }
  return text;
}

}  // namespace

double CompareOptions::relative_to(const Comparison& comparison) const {
  if (!max_distance) return tolerance;
  if (comparison.diagonal > 0) return *max_distance / comparison.diagonal;
  return comparison.max() <= *max_distance ? std::numeric_limits<double>::infinity() : 0;  // every relative distance is 0 or infinite
}

Json to_json(const Comparison& comparison, const CompareOptions& options) {
  const double tolerance = options.relative_to(comparison);
  const Verdict verdict = comparison.verdict(tolerance);
  Json out{{"a", options.a}, {"b", options.b}, {"tolerance", json_number(tolerance)}};
  if (options.max_distance) out.add("maxDistance", *options.max_distance);
  out.add("equal", comparison.equal_within(tolerance));
  out.add("verdict", in_words(verdict));
  out.add("everyPose", every_pose_json(comparison, tolerance));
  out.add("notCovered", not_covered_json(comparison.not_covered));
  if (!comparison.why_not.empty()) {
    out.add("why", comparison.why_not);
    return out;
  }
  out.add("diagonal", comparison.diagonal);
  const auto number = [&](double value) { return comparison.has_distances() ? json_number(value) : Json(nullptr); };
  out.add({{"max", number(comparison.max())},
           {"relativeMax", number(comparison.relative(comparison.max()))},
           {"rms", number(comparison.rms())}});
  Json instances = Json::array();
  for (const InstancePair& pair : comparison.instances) instances.push_back(to_json(comparison, pair, tolerance));
  out.add("instances", instances);
  out.add("onlyA", to_json(comparison.only_a));
  out.add("onlyB", to_json(comparison.only_b));
  return out;
}

double apart_max(const Comparison& comparison) {
  double largest = 0;
  for (const InstancePair& pair : comparison.instances) largest = std::max(largest, pair.apart_max);
  return largest;
}

namespace {

/// "0.001 of the diagonal", "0.5".
std::string limit_in_words(const CompareOptions& options, double tolerance) {
  return options.max_distance ? fmt::format("{:g}", *options.max_distance) : fmt::format("{:g} of the diagonal", tolerance);
}

}  // namespace

std::string verdict_line(const Comparison& comparison, const CompareOptions& options) {
  const double tolerance = options.relative_to(comparison);
  const Verdict verdict = comparison.verdict(tolerance);
  if (!comparison.why_not.empty()) return fmt::format("not comparable: {}", comparison.why_not);
  if (verdict == Verdict::not_comparable)
    for (const sinew::NotCovered& one : comparison.not_covered)
      if (one.moves() && one.differs) return fmt::format("not comparable: {}", one.what);
  if (!comparison.has_distances()) return fmt::format("{}: no vertices could be compared", in_words(verdict));
  const double largest = std::max(comparison.max(), apart_max(comparison));
  if (const auto hidden = std::ranges::find_if(comparison.instances, &InstancePair::hidden_in_one);
      comparison.relative(largest) <= tolerance && hidden != comparison.instances.end())
    return fmt::format("different: node {} {} is hidden in one of the files", hidden->a.node, quoted(hidden->name));
  if (comparison.diagonal == 0 && largest > tolerance && !options.max_distance)
    return fmt::format("{}: largest distance {:.3g}; the first file has no extent at rest, so use --max-distance", in_words(verdict),
                       largest);
  const std::string limit =
      options.max_distance ? fmt::format("--max-distance {:g}", *options.max_distance) : fmt::format("tolerance {:g}", tolerance);
  const bool equal = verdict == Verdict::equal_in_every_pose || verdict == Verdict::equal_where_sampled;
  const std::string within = equal && largest > 0 ? fmt::format(" within {}", limit_in_words(options, tolerance)) : std::string();
  return fmt::format("{}{}: largest distance {:.3g}, {:.3g} of the diagonal {:.6g} ({})", in_words(verdict), within, largest,
                     comparison.relative(largest), comparison.diagonal, limit);
}

Json every_pose_json(const Comparison& comparison, double tolerance) {
  return to_json(comparison, need(comparison.every_pose()), tolerance);
}

std::string to_text(const Comparison& comparison, const CompareOptions& options, bool reordered, const Terminal& terminal) {
  const double tolerance = options.relative_to(comparison);
  std::string text;
  for (const InstancePair& pair : comparison.instances) {
    text += row_of(comparison, pair, tolerance);
    if (terminal.verbosity() > 1)
      text += parts_of(comparison, pair, false);
    else if (options.clips)
      text += parts_of(comparison, pair, true);
    text += worst_of(pair);
  }
  text += rows_of(comparison.only_a, "first");
  text += rows_of(comparison.only_b, "second");
  text += not_covered_text(comparison.not_covered);
  if (reordered) text += "  pairs by position are much nearer: a tool has reordered vertices or triangles; use --match\n";
  return text + terminal.bold(verdict_line(comparison, options)) + "\n";
}

}  // namespace app

// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include "command.hpp"
#include "comparison_text.hpp"
#include "posing.hpp"

namespace app {

namespace {

using nlohmann::ordered_json;
using sinew::Index;
using sinew::operations::Alone;
using sinew::operations::Comparison;
using sinew::operations::Distance;
using sinew::operations::InstancePair;
using sinew::operations::Pairing;
using sinew::operations::Part;

struct CompareOptions {
  std::string a, b;
  double tolerance = 1e-5;
  bool match = false;
  bool json = false;
};

std::string_view name_of(Pairing pairing) {
  switch (pairing) {
    case Pairing::index:
      return "index";
    case Pairing::corners:
      return "corners";
    case Pairing::position:
      return "position";
    case Pairing::none:
      break;
  }
  return "none";
}

std::string_view name_of(Part::Kind kind) {
  return kind == Part::Kind::rest ? "rest" : kind == Part::Kind::clip ? "animation" : "blendShape";
}

std::string_view name_of(Alone::Kind kind) {
  return kind == Alone::Kind::instance ? "instance" : kind == Alone::Kind::clip ? "animation" : "blendShape";
}

ordered_json to_json(const Comparison& comparison, const Part& part) {
  const Distance& at = part.distance;
  ordered_json row{{"kind", name_of(part.kind)}};
  if (part.kind != Part::Kind::rest) row.update({{"a", part.a}, {"b", part.b}, {"name", part.name}});
  row.update({{"max", json_number(at.max)}, {"relativeMax", json_number(comparison.relative(at.max))}, {"rms", json_number(at.rms)}});
  if (at.max == 0) return row;  // no vertex is further away than others
  row.update({{"vertexA", at.vertex_a}, {"vertexB", at.vertex_b}});
  if (part.kind == Part::Kind::clip) row["time"] = at.seconds;
  return row;
}

ordered_json to_json(const Comparison& comparison, const InstancePair& pair) {
  ordered_json row{{"name", pair.name},
                   {"nodeA", pair.a.node},
                   {"nodeB", pair.b.node},
                   {"verticesA", pair.vertices_a},
                   {"verticesB", pair.vertices_b},
                   {"pairing", name_of(pair.pairing)}};
  if (pair.pairing == Pairing::none) {
    row["why"] = pair.why_not;
    return row;
  }
  row.update({{"pairs", pair.pairs}, {"unpairedA", pair.unpaired_a}, {"unpairedB", pair.unpaired_b}});
  row["apart"] = {{"pairs", pair.apart}, {"max", json_number(pair.apart_max)}};
  row.update(
      {{"max", json_number(pair.max())}, {"relativeMax", json_number(comparison.relative(pair.max()))}, {"rms", json_number(pair.rms())}});
  row["parts"] = ordered_json::array();
  for (const Part& part : pair.parts) row["parts"].push_back(to_json(comparison, part));
  return row;
}

ordered_json to_json(const std::vector<Alone>& list) {
  ordered_json rows = ordered_json::array();
  for (const Alone& alone : list) {
    rows.push_back({{"kind", name_of(alone.kind)}, {"index", alone.index}, {"name", alone.name}});
    if (alone.kind == Alone::Kind::shape) rows.back()["node"] = alone.node;
  }
  return rows;
}

ordered_json to_json(const Comparison& comparison, const CompareOptions& options) {
  ordered_json out{{"a", options.a}, {"b", options.b}, {"tolerance", options.tolerance}};
  out["equal"] = comparison.equal_within(options.tolerance);
  if (!comparison.why_not.empty()) {
    out["why"] = comparison.why_not;
    return out;
  }
  out.update({{"diagonal", comparison.diagonal},
              {"max", json_number(comparison.max())},
              {"relativeMax", json_number(comparison.relative(comparison.max()))},
              {"rms", json_number(comparison.rms())}});
  out["instances"] = ordered_json::array();
  for (const InstancePair& pair : comparison.instances) out["instances"].push_back(to_json(comparison, pair));
  out["onlyA"] = to_json(comparison.only_a);
  out["onlyB"] = to_json(comparison.only_b);
  return out;
}

std::string row_of(const Comparison& comparison, const InstancePair& pair) {
  std::string row = pair.a.node == pair.b.node ? fmt::format("  node {:<4} {}  ", pair.a.node, quoted(pair.name))
                                               : fmt::format("  nodes {} and {}  {}  ", pair.a.node, pair.b.node, quoted(pair.name));
  if (pair.pairing == Pairing::none) return row + "not comparable: " + pair.why_not + "\n";
  row += fmt::format("{} by {}: largest distance {}", count_of(pair.pairs, "pair", "pairs"), name_of(pair.pairing),
                     printable(in_words(comparison, pair)));
  if (pair.max() > 0) row += fmt::format("; RMS {:.3g}", pair.rms());
  row += "\n";
  if (pair.apart != 0)
    row += fmt::format("            {} left out, up to {:.3g} apart: G4MF divides weights by their sum, and these do not sum to 1\n",
                       count_of(pair.apart, "pair", "pairs"), pair.apart_max);
  if (pair.unpaired_a + pair.unpaired_b != 0)
    row += fmt::format("            unpaired: {} of the first file, {} of the second\n", count_of(pair.unpaired_a, "vertex", "vertices"),
                       pair.unpaired_b);
  return row;
}

std::string rows_of(const std::vector<Alone>& list, std::string_view side) {
  std::string text;
  for (const Alone& alone : list) {
    text += fmt::format("  only in the {} file: {} {} {}", side, noun_of(alone.kind), alone.index, quoted(alone.name));
    text += alone.kind == Alone::Kind::shape ? fmt::format(" of node {}\n", alone.node) : "\n";
  }
  return text;
}

/// The largest distance at rest of pairs in their order.
double largest_at_rest(const Comparison& comparison) {
  double largest = 0;
  for (const InstancePair& pair : comparison.instances)
    if (pair.pairing != Pairing::none) largest = std::max(largest, pair.parts.front().distance.max);
  return largest;
}

// A tool that reorders vertices or triangles makes such pairs wrong, and already the file's own pose shows it.
bool may_be_reordered(const Comparison& comparison, double tolerance) {
  return std::ranges::any_of(comparison.instances, [&](const InstancePair& pair) {
    const bool in_order = pair.pairing == Pairing::index || pair.pairing == Pairing::corners;
    return in_order && comparison.relative(pair.parts.front().distance.max) > tolerance;
  });
}

/// Whether pairs by position are much nearer, at rest.
bool is_reordered(const sinew::Model& a, const sinew::Model& b, sinew::operations::CompareOptions how, const Comparison& in_order) {
  sinew::Model still_a = a, still_b = b;
  still_a.clips.clear();
  still_b.clips.clear();
  how.match = true;
  how.progress = {};
  const auto matched = sinew::operations::compare(still_a, still_b, how);
  return matched && largest_at_rest(*matched) < 0.5 * largest_at_rest(in_order);
}

/// With -v: every clip and blend shape of a pair.
std::string parts_of(const Comparison& comparison, const InstancePair& pair) {
  std::string text;
  for (const Part& part : pair.parts) {
    text += fmt::format("            {}{}: {:.3g} ({:.3g} of the diagonal)", name_of(part.kind),
                        part.kind == Part::Kind::rest ? "" : fmt::format(" {} {}", part.a, quoted(part.name)), part.distance.max,
                        comparison.relative(part.distance.max));
    if (part.distance.max > 0) text += fmt::format(", vertex {}", part.distance.vertex_a);
    if (part.distance.max > 0 && part.kind == Part::Kind::clip) text += fmt::format(", at {:.6g} s", part.distance.seconds);
    text += "\n";
  }
  return text;
}

std::string to_text(const Comparison& comparison, const CompareOptions& options, bool reordered, const Terminal& terminal) {
  const bool equal = comparison.equal_within(options.tolerance);
  std::string text;
  for (const InstancePair& pair : comparison.instances) {
    text += row_of(comparison, pair);
    if (terminal.verbosity() > 1) text += parts_of(comparison, pair);
  }
  text += rows_of(comparison.only_a, "first") + rows_of(comparison.only_b, "second");
  std::string verdict;
  if (!comparison.why_not.empty())
    verdict = "not comparable: " + comparison.why_not;
  else if (!equal && std::ranges::all_of(comparison.instances, [](const InstancePair& pair) { return pair.pairing == Pairing::none; }))
    verdict = "different: no vertices could be compared";
  else
    verdict = fmt::format("{}: largest distance {:.3g}, {:.3g} of the diagonal {:.6g} (tolerance {:g})", equal ? "equal" : "different",
                          comparison.max(), comparison.relative(comparison.max()), comparison.diagonal, options.tolerance);
  if (reordered) text += "  pairs by position are much nearer: a tool has reordered vertices or triangles; use --match\n";
  return text + terminal.bold(verdict) + "\n";
}

// --scene is for the files that have several; where neither has, it must name the only one.
sinew::Result<sinew::operations::CompareOptions> compare_options(const sinew::Model& a, const sinew::Model& b, const Common& common) {
  sinew::operations::CompareOptions how;
  how.threads = common.threads;
  const bool several = a.scenes.size() > 1 || b.scenes.size() > 1;
  for (const auto& [model, scene] : {std::pair{&a, &how.scene_a}, std::pair{&b, &how.scene_b}}) {
    if (several && model->scenes.size() <= 1) continue;
    const auto found = scene_of(*model, common);
    if (!found) return sinew::Unexpected(found.error());
    *scene = *found;
  }
  return how;
}

int run_compare(const CompareOptions& options, const Common& common) {
  const auto a = load(options.a, common);
  if (!a) return common.terminal.fail(a.error());
  const auto b = load(options.b, common);
  if (!b) return common.terminal.fail(b.error());
  if (!check_revision(a->model, common))
    if (const auto fine = check_revision(b->model, common); !fine) return common.terminal.fail(fine.error());
  auto how = compare_options(a->model, b->model, common);
  if (!how) return common.terminal.fail(how.error());
  for (const auto& [model, scene] : {std::pair{&a->model, how->scene_a}, std::pair{&b->model, how->scene_b}})
    if (const auto fits = check_scene_memory(*model, scene, common); !fits) return common.terminal.fail(fits.error());
  how->match = options.match;
  std::optional<Progress> progress;
  how->progress = [&](std::size_t done, std::size_t total) {
    if (!progress) progress.emplace(common.terminal, "comparing", total);
    progress->step(done);
  };
  const auto comparison = compare(a->model, b->model, *how);
  progress.reset();
  if (!comparison) return common.terminal.fail(comparison.error());
  std::string text;
  if (options.json) {
    text = to_json(*comparison, options).dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  } else if (common.terminal.verbosity() > 0) {
    const bool reordered = may_be_reordered(*comparison, options.tolerance) && is_reordered(a->model, b->model, *how, *comparison);
    text = to_text(*comparison, options, reordered, common.terminal);
  }
  if (!text.empty())
    if (const int printed = print_data(text, common.terminal); printed != Exit::done) return printed;
  return comparison->equal_within(options.tolerance) ? Exit::done : Exit::findings;
}

}  // namespace

Run add_compare(Command command, Common& common) {
  auto options = std::make_shared<CompareOptions>();
  command.add_option("A", options->a, "The first model; - reads standard input").check(not_empty()).required();
  command.add_option("B", options->b, "The second model, in any supported format").check(not_empty()).required();
  command
      .add_option("--tolerance", options->tolerance,
                  "Count distances up to R as equal; R is relative to the diagonal of A's bounds at rest (default: 1e-5)")
      .type_name("R")
      .check(finite_number())
      .check(not_negative());
  command.add_flag("--match", options->match, "Pair vertices by their position at rest instead of their order");
  command.add_flag("--json", options->json, "Write JSON with every animation and blend shape of every instance");
  add_revision(command, common);
  return [options, &common]() -> int {
    if (options->a == "-" && options->b == "-") return common.terminal.fail_usage("A and B cannot both be standard input");
    return run_compare(*options, common);
  };
}

}  // namespace app

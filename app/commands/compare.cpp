// SPDX-License-Identifier: MIT
#include "sinew/compare.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "comparison/compare_files.hpp"
#include "comparison/compare_flex.hpp"
#include "comparison/compare_report.hpp"
#include "console/json.hpp"
#include "console/need.hpp"
#include "many.hpp"
#include "posing.hpp"

#include "sinew/batch.hpp"
#include "sinew/deadline.hpp"
#include "sinew/render.hpp"

namespace app {

namespace {

using sinew::operations::Comparison;
using sinew::operations::InstancePair;
using sinew::operations::Pairing;

/// The largest distance at rest of pairs in their order.
double largest_at_rest(const Comparison& comparison) {
  double largest = 0;
  for (const InstancePair& pair : comparison.instances)
    if (pair.pairing != Pairing::none) largest = std::max(largest, pair.parts.front().distance.max);
  return largest;
}

// Pairs by index are wrong if a tool has reordered vertices or triangles; the stored pose already shows it.
bool may_be_reordered(const Comparison& comparison, double tolerance) {
  return std::ranges::any_of(comparison.instances, [&](const InstancePair& pair) {
    const bool in_order = pair.pairing == Pairing::index || pair.pairing == Pairing::corners;
    return in_order && comparison.relative(pair.parts.front().distance.max) > tolerance;
  });
}

/// Returns whether pairs by position are much nearer, at rest.
bool is_reordered(const sinew::Model& a, const sinew::Model& b, sinew::operations::CompareOptions how, const Comparison& in_order) {
  sinew::Model still_a = a, still_b = b;
  still_a.clips.clear();
  still_b.clips.clear();
  how.match = true;
  how.progress = {};
  const auto matched = sinew::operations::compare(still_a, still_b, how);
  return matched && largest_at_rest(*matched) < 0.5 * largest_at_rest(in_order);
}

sinew::Result<> draw_heat(const ComparedFiles& files, const CompareOptions& options, const Common& common) {
  if (auto fits = check_surfaces(files.a.model, files.how.scene_a, steps_per_drawn_surface); !fits) return fits;
  auto heat = heat_of(files.a.model, files.comparison);
  if (!heat) return sinew::Unexpected(usage_error(fmt::format("--heat: {}", verdict_line(files.comparison, options))));
  sinew::show::RenderOptions picture;
  picture.scene = files.how.scene_a;
  picture.threads = common.threads;
  picture.heat = *std::move(heat);
  auto renderer = sinew::show::Renderer::create(files.a.model, picture);
  if (!renderer) return sinew::Unexpected(renderer.error());
  if (auto seen = renderer->include(files.a.model.rest()); !seen) return seen;
  const auto drawn = renderer->draw(files.a.model.rest());
  if (!drawn) return sinew::Unexpected(drawn.error());
  if (auto written = sinew::show::write_picture(*drawn, options.heat); !written) return written;
  const double most = files.comparison.max();
  common.terminal.talk("{}: {} × {}, {}", options.heat, picture.width, picture.height,
                       most == 0 ? "all dark: no vertex is apart" : fmt::format("from no distance (dark) to {:.3g} (bright)", most));
  return {};
}

Json json_of(const Comparison& comparison, const CompareOptions& options, const std::optional<ComparedFlex>& flex) {
  Json out = to_json(comparison, options);
  if (flex) out.add("flex", to_json(*flex));
  return out;
}

/// Returns whether the status is that of success. An edit moves vertices: with --flex only findings count.
bool is_fine(const Comparison& comparison, const CompareOptions& options, const std::optional<ComparedFlex>& flex) {
  return flex ? !flex->fails() : comparison.equal_within(options.relative_to(comparison));
}

int run_files(const CompareOptions& options, const Common& common) {
  const auto compared = compare_files(options, common);
  if (!compared) return common.terminal.fail(compared.error());
  const Comparison& comparison = compared->comparison;
  const double tolerance = options.relative_to(comparison);
  if (!options.heat.empty())
    if (const auto drawn = draw_heat(*compared, options, common); !drawn) return common.terminal.fail(drawn.error());
  std::optional<ComparedFlex> flex;
  if (options.flex) {
    auto bent = compare_flex(*compared, options, common);
    if (!bent) return common.terminal.fail(bent.error());
    flex = std::move(*bent);
  }
  std::string text;
  if (options.json) {
    text = json_of(comparison, options, flex).indented();
  } else if (common.terminal.verbosity() > 0) {
    const bool reordered =
        may_be_reordered(comparison, tolerance) && is_reordered(compared->a.model, compared->b.model, compared->how, comparison);
    text = to_text(comparison, options, reordered, common.terminal);
    if (flex) text += to_text(*flex, common.terminal);
  }
  if (!text.empty())
    if (const int printed = print_data(text, common.terminal); printed != Exit::done) return printed;
  return is_fine(comparison, options, flex) ? Exit::done : Exit::findings;
}

/// Pairs the models of two folders by relative path, without the extension.
struct PairedFolders {
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> pairs;
  std::vector<std::string> only_a, only_b;
};

sinew::Result<PairedFolders> pair_folders(const CompareOptions& options, const Common& common) {
  std::map<std::filesystem::path, std::pair<std::filesystem::path, std::filesystem::path>> files;
  const auto add = [&](const std::string& folder, auto side) -> sinew::Result<> {
    const auto list = need(sinew::batch::list_models({&folder, 1}, sinew::batch::Order::sorted, common.allow_outside));
    warn_of_links(list, common.terminal);
    if (!list.unreadable.empty()) return sinew::Unexpected(list.unreadable.front());
    for (const sinew::batch::Item& item : list.items) {
      auto key = item.below;
      std::filesystem::path& path = files[key.replace_extension()].*side;
      if (!path.empty())
        return sinew::Unexpected(usage_error(fmt::format("{}: {} and {} differ only in their extension; compare them one by one", folder,
                                                         path.string(), item.path.string())));
      path = item.path;
    }
    return {};
  };
  using Pair = std::pair<std::filesystem::path, std::filesystem::path>;
  if (auto done = add(options.a, &Pair::first); !done) return sinew::Unexpected(done.error());
  if (auto done = add(options.b, &Pair::second); !done) return sinew::Unexpected(done.error());
  PairedFolders paired;
  for (const auto& [key, pair] : files) {
    if (pair.second.empty())
      paired.only_a.push_back(pair.first.string());
    else if (pair.first.empty())
      paired.only_b.push_back(pair.second.string());
    else
      paired.pairs.push_back(pair);
  }
  return paired;
}

int run_folders(const CompareOptions& options, const Common& common) {
  const auto paired = pair_folders(options, common);
  if (!paired) return common.terminal.fail(paired.error());
  if (paired->pairs.empty() && paired->only_a.empty() && paired->only_b.empty())
    return common.terminal.fail_usage(fmt::format("{} and {} hold no models", options.a, options.b));
  int status = paired->only_a.empty() && paired->only_b.empty() ? Exit::done : Exit::findings;
  std::size_t equal = 0;
  std::string text;
  Json files = Json::array();
  for (const auto& [a, b] : paired->pairs) {
    const sinew::Deadline deadline(common.max_seconds);
    CompareOptions pair = options;
    pair.a = a.string();
    pair.b = b.string();
    std::optional<sinew::Result<ComparedFiles>> compared;
    std::optional<sinew::Result<ComparedFlex>> bent;
    const auto late = run_in_time(a, [&] {
      compared = compare_files(pair, common);
      if (options.flex && *compared) bent = compare_flex(**compared, pair, common);
    });
    const sinew::Deadline unlimited(0);
    if (late || !*compared || (bent && !*bent)) {
      status = std::max(status, common.terminal.fail(late ? *late : !*compared ? compared->error() : bent->error()));
      continue;
    }
    const sinew::operations::Comparison& comparison = (*compared)->comparison;
    std::optional<ComparedFlex> flex;
    if (bent) flex = std::move(**bent);
    equal += comparison.equal_within(options.relative_to(comparison)) ? 1U : 0U;
    if (!is_fine(comparison, options, flex)) status = std::max(status, int{Exit::findings});
    if (options.json) files.push_back(json_of(comparison, pair, flex));
    text += fmt::format("{}: {}\n", printable(pair.a), printable(verdict_line(comparison, pair)));
    if (flex) text += to_text(*flex, common.terminal);
  }
  for (const auto& [list, side] : {std::pair{&paired->only_a, "first"}, std::pair{&paired->only_b, "second"}})
    for (const std::string& path : *list) text += fmt::format("{}: only in the {} folder\n", printable(path), side);
  text += fmt::format("{} of {} equal\n", equal, count_of(paired->pairs.size(), "pair", "pairs"));
  if (options.json)
    text = Json{{"a", options.a},
                {"b", options.b},
                {"equal", equal == paired->pairs.size() && status <= Exit::findings && paired->only_a.empty() && paired->only_b.empty()},
                {"files", std::move(files)},
                {"onlyA", paired->only_a},
                {"onlyB", paired->only_b}}
               .indented();
  if (options.json || common.terminal.verbosity() > 0)
    if (const int printed = print_data(text, common.terminal); printed != Exit::done) return printed;
  return status;
}

int run_compare(const CompareOptions& options, const Common& common) {
  std::error_code unknown;
  const bool folder_a = std::filesystem::is_directory(options.a, unknown), folder_b = std::filesystem::is_directory(options.b, unknown);
  if (folder_a != folder_b)
    return common.terminal.fail_usage(fmt::format("{} is a folder and {} is not; compare two files or two folders",
                                                  folder_a ? options.a : options.b, folder_a ? options.b : options.a));
  if (folder_a && !options.heat.empty()) return common.terminal.fail_usage("--heat draws one pair of files; A and B are folders");
  return folder_a ? run_folders(options, common) : run_files(options, common);
}

}  // namespace

Run add_compare(Command command, Common& common) {
  auto options = std::make_shared<CompareOptions>();
  common.files.reads(options->a);
  common.files.reads(options->b);
  common.files.writes(options->heat);
  command.add_option("A", options->a, "The first model, or a folder of models; - reads standard input").check(not_empty()).required();
  command.add_option("B", options->b, "The second model, in any supported format, or a folder").check(not_empty()).required();
  const Option tolerance =
      command
          .add_option("--tolerance", options->tolerance,
                      "Count distances up to R as equal; R is relative to the diagonal of A's bounds at rest (default: 1e-5)")
          .type_name("R")
          .check(not_negative());
  command.add_option("--max-distance", options->max_distance, "Count distances up to D as equal, in the units of the scene")
      .type_name("D")
      .check(not_negative())
      .excludes(tolerance);
  command.add_flag("--match", options->match, "Pair vertices by their position at rest instead of their order");
  command.add_flag("--surfaces", options->surfaces,
                   "Compare the surfaces of triangle meshes in three dimensions, not the vertices, which may be others (see optimize "
                   "--triangles); the distances are upper bounds");
  command.add_flag("--attributes", options->attributes, "Compare normals and texture coordinates at rest as well");
  command.add_flag("--clips", options->clips, "Print a table of all animations");
  command
      .add_option("--worst", options->worst, "List the N vertices of each mesh that are furthest apart, with the joint that differs most")
      .type_name("N")
      .check(between(1, 1000000));
  command.add_option("--heat", options->heat, "Draw the first model, each vertex coloured by its largest distance, as .png or .webp")
      .type_name("OUT")
      .check(not_empty());
  command.add_flag(
      "--flex", options->flex,
      "Also bend both files, and exit with status 1 if a warning or an error of sinew flex is new or worse in B; distances then do "
      "not change the status");
  command.add_flag("--json", options->json, "Write JSON with every animation and blend shape of every instance");
  add_revision(command, common);
  return [options, &common]() -> int {
    if (options->a == "-" && options->b == "-") return common.terminal.fail_usage("A and B cannot both be standard input");
    if (!options->heat.empty() && !sinew::show::can_write_picture(options->heat))
      return common.terminal.fail_usage(fmt::format("{}: unknown extension, expected .png or .webp", options->heat));
    options->keep_distances = !options->heat.empty();
    return run_compare(*options, common);
  };
}

}  // namespace app

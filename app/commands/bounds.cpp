// SPDX-License-Identifier: MIT
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "console/json.hpp"
#include "console/number.hpp"
#include "edits.hpp"
#include "posing.hpp"
#include "reports/bounds_text.hpp"

#include "sinew/play.hpp"

namespace app {

namespace {

struct BoundsOptions {
  std::string file;
  std::string output;
  std::string gltf;
  std::string animation = "all";
  std::string range;
  double slack = 0.01;
  bool json = false;
  AvatarOptions avatar;
};

/// "MIN:MAX".
std::optional<std::pair<double, double>> range_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  constexpr double largest = 1e30;  // float32 positions have no room for more
  const auto least = number_in<double>(text.substr(0, colon)), most = number_in<double>(text.substr(colon + 1));
  if (!least || !most || *least > *most || *least < -largest || *most > largest) return std::nullopt;
  return std::pair(*least, *most);
}

/// What to bound in a loaded model.
sinew::Result<sinew::operations::BoundsOptions> operation_options(const sinew::Model& model, const BoundsOptions& options,
                                                                  const Common& common) {
  if (auto fine = check_revision(model, common); !fine) return sinew::Unexpected(std::move(fine.error()));
  sinew::operations::BoundsOptions out;
  out.threads = common.threads;
  out.slack = options.slack;
  if (!options.range.empty()) out.blend_range = range_of(options.range);
  const auto scene = scene_of(model, common);
  if (!scene) return sinew::Unexpected(scene.error());
  if (auto fits = check_scene_memory(model, *scene, common); !fits) return sinew::Unexpected(std::move(fits.error()));
  out.scene = *scene;
  if (options.animation == "all") return out;
  out.clips.emplace();
  if (options.animation == "none") return out;
  const auto clip = find_clip(options.animation, model);
  if (!clip) return sinew::Unexpected(clip.error());
  out.clips->push_back(*clip);
  return out;
}

/// Writes the file with its boxes.
int store(const BoundsOptions& options, const Common& common) {
  sinew::operations::StoreBoundsOptions how;
  how.load = common.load_options();
  how.threads = common.threads;
  how.poses = [&](const sinew::Model& model) { return operation_options(model, options, common); };
  how.volumes = options.gltf == "2.1";
  sinew::FindingList found, changes;
  const auto done = sinew::operations::store_bounds(options.file, options.output, how, found, changes);
  print_findings(found, common);
  if (!done) return common.terminal.fail(done.error());
  const Outcome outcome = outcome_of(options.output, *done, changes,
                                     fmt::format("{}: {}, {} bytes, with its boxes", options.output, done->format, done->bytes));
  return print_outcome(outcome, *done, changes, options.json, common);
}

int run_bounds(const BoundsOptions& options, const Common& common) {
  const bool as_stored = options.avatar.expressions.empty() && options.avatar.constraints == AvatarOptions::Constraints::on;
  if (!options.output.empty() && !as_stored)
    return common.terminal.fail(usage_error("--output stores boxes of the file as it is; leave out --expression and --constraints"));
  if (!options.gltf.empty() && options.output.empty()) return common.terminal.fail(usage_error("--gltf needs --output"));
  if (!options.output.empty()) return store(options, common);
  auto loaded = load(options.file, common);
  if (!loaded) return common.terminal.fail(loaded.error());
  if (const auto set = set_avatar(options.avatar, loaded->model); !set) return common.terminal.fail(set.error());
  const auto how = operation_options(loaded->model, options, common);
  if (!how) return common.terminal.fail(how.error());
  const auto bounds = measure_bounds(loaded->model, *how, common);
  if (!bounds) return common.terminal.fail(bounds.error());
  warn(*loaded, common);
  return print_data(options.json ? bounds_json(loaded->model, *bounds, options.file).indented()
                                 : bounds_text(loaded->model, *bounds, options.file, common.terminal),
                    common.terminal);
}

}  // namespace

Run add_bounds(Command command, Common& common) {
  auto options = std::make_shared<BoundsOptions>();
  common.files.reads(options->file);
  common.files.writes(options->output);
  command.add_option("IN", options->file, "The model; - reads standard input").check(not_empty()).required();
  command
      .add_option("-o,--output", options->output,
                  "Write the glTF file with its boxes for other programs (SINEW_bounds) instead of printing them")
      .type_name("FILE")
      .check(not_empty());
  command
      .add_option("--gltf", options->gltf, "2.1: also store a bounding volume for each node with a mesh, as the draft of glTF 2.1 has them")
      .type_name("2.1")
      .check(Check([](std::string& text) { return text == "2.1" ? std::string() : "expected 2.1"; }));
  command
      .add_option("--animation", options->animation,
                  "Animation by name or index; all: every animation (default); none: only the stored pose")
      .type_name("NAME|INDEX|all|none")
      .check(not_empty());
  command
      .add_option("--blend-range", options->range,
                  "Let every blend amount have any value from MIN to MAX (default: amounts as stored and animated)")
      .type_name("MIN:MAX")
      .check(Check([](std::string& text) {
        return range_of(text) ? std::string() : "expected two numbers in order, from -1e30 to 1e30, such as 0:1";
      }));
  command
      .add_option("--slack", options->slack,
                  "Let a side lie up to R outside of what vertices reach; R is relative to the diagonal of the box (default: 0.01)")
      .type_name("R")
      .check(positive());
  add_avatar(command, options->avatar);
  command.add_flag("--json", options->json, "Write JSON, with the box of every instance in every animation");
  add_revision(command, common);
  return [options, &common] { return run_bounds(*options, common); };
}

}  // namespace app

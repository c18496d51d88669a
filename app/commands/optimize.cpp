// SPDX-License-Identifier: MIT
#include "sinew/optimize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "command.hpp"
#include "comparison/comparison_text.hpp"
#include "console/joined.hpp"
#include "console/json.hpp"
#include "console/number.hpp"
#include "edits.hpp"
#include "many.hpp"

namespace app {

namespace {

using sinew::operations::Optimized;
using sinew::operations::OptimizeStep;

struct OptimizeCommand {
  std::vector<std::string> inputs;
  std::string output, steps, lods;
  Many many;
  sinew::operations::OptimizeOptions how;
  bool json = false;
};

std::vector<std::string> names_of_steps() {
  std::vector<std::string> names;
  for (const OptimizeStep step : sinew::operations::optimize_steps()) names.emplace_back(to_string(step));
  return names;
}

/// Returns what stands between the commas of a list; a comma at the end is none.
std::vector<std::string_view> words_in(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    words.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

/// Reads a list such as "prune,keys"; returns an error message or an empty text.
std::string read_steps(std::string_view text, std::vector<OptimizeStep>& steps) {
  const std::span<const OptimizeStep> all = sinew::operations::optimize_steps();
  for (const std::string_view name : words_in(text)) {
    const auto found = std::ranges::find_if(all, [&](OptimizeStep step) { return to_string(step) == name; });
    if (found == all.end()) return fmt::format("--steps: unknown step \"{}\"; the steps are {}", name, joined(names_of_steps(), ", "));
    steps.push_back(*found);
  }
  return {};
}

/// Reads a list such as "0.5,0.25"; returns an error message or an empty text.
std::string read_lods(std::string_view text, std::vector<double>& ratios) {
  for (const std::string_view word : words_in(text)) {
    const auto ratio = number_in<double>(word);
    if (!ratio) return fmt::format("--lods: expected numbers separated by commas, for example 0.5,0.25, found \"{}\"", word);
    ratios.push_back(*ratio);
  }
  return {};
}

/// "; normals turned by up to 0.43°, …": the attributes that changed.
std::string attributes_in_words(const sinew::operations::AttributeErrors& changed) {
  std::string text;
  if (const double turned = std::max(changed.normal, changed.normal_offset); turned > 0)
    text += fmt::format("; normals turned by at most {:.2g}°", turned);
  if (changed.texcoord > 0) text += fmt::format("; texture coordinates changed by at most {:.2g}", changed.texcoord);
  if (changed.color > 0) text += fmt::format("; colours changed by at most {:.2g}", changed.color);
  return text;
}

/// "; textures: 2 images, 81,234 of 214,567 bytes".
std::string textures_in_words(const Optimized& done) {
  if (done.textures.empty()) return {};
  std::uint64_t before = 0, after = 0;
  for (const auto& texture : done.textures) {
    before += texture.before;
    after += texture.after;
  }
  return fmt::format("; {}: {} of {} bytes", count_of(done.textures.size(), "image", "images"), after, before);
}

std::string talk_of(const std::filesystem::path& output, const Optimized& done) {
  const double part = done.bytes_before == 0 ? 100 : 100 * static_cast<double>(done.bytes_after) / static_cast<double>(done.bytes_before);
  std::string text =
      fmt::format("{}: {}, {} of {} bytes ({:.1f} %)", output.string(), done.format, done.bytes_after, done.bytes_before, part);
  for (const auto& step : done.ran)
    if (step.saved != 0) text += fmt::format("; {} saved {}", to_string(step.step), step.saved);
  if (done.triangles) text += fmt::format("; {} of {} triangles", done.triangles->after, done.triangles->before);
  for (const auto& level : done.lods)
    text += fmt::format("; level of {} triangles, surface error {:.2g}", level.triangles, level.surface_error);
  return text + textures_in_words(done) + attributes_in_words(done.attributes);
}

/// Adds the sizes and the steps to the JSON of an edit.
void add_steps(const Optimized& done, Json& row) {
  row.add("bytesBefore", done.bytes_before);
  row.add("bytesAfter", done.bytes_after);
  std::int64_t storage = static_cast<std::int64_t>(done.bytes_before) - static_cast<std::int64_t>(done.bytes_after);
  for (const auto& step : done.ran)
    if (done.refused == sinew::operations::Refused::no) storage -= static_cast<std::int64_t>(step.saved);
  row.add("storageSaved", storage);
  row.add("normalError", json_number(std::max(done.attributes.normal, done.attributes.normal_offset)));
  row.add("texcoordError", json_number(done.attributes.texcoord));
  row.add("colorError", json_number(done.attributes.color));
  if (done.triangles) {
    row.add("triangles", {{"before", done.triangles->before},
                          {"after", done.triangles->after},
                          {"ratio", static_cast<double>(done.triangles->after) / static_cast<double>(done.triangles->before)}});
    row.add("surfaceError", json_number(done.triangles->surface_error));
  }
  if (!done.lods.empty()) {
    auto lods = Json::array();
    for (const auto& level : done.lods)
      lods.push_back({{"ratio", level.ratio}, {"triangles", level.triangles}, {"surfaceError", json_number(level.surface_error)}});
    row.add("lods", std::move(lods));
  }
  auto steps = Json::array();
  for (const auto& step : done.ran) {
    Json item{{"step", to_string(step.step)}, {"saved", step.saved}, {"error", json_number(step.error)}};
    if (!step.note.empty()) item.add("note", step.note);
    steps.push_back(std::move(item));
  }
  row.add("steps", std::move(steps));
  auto textures = Json::array();
  for (const auto& texture : done.textures)
    textures.push_back({{"image", texture.image},
                        {"name", texture.name},
                        {"before", texture.before},
                        {"after", texture.after},
                        {"from", texture.from},
                        {"to", texture.to},
                        {"width", texture.width},
                        {"height", texture.height},
                        {"psnr", json_number(texture.psnr)},
                        {"ssim", json_number(texture.ssim)}});
  row.add("textures", std::move(textures));
}

Outcome optimized(const std::filesystem::path& to, const Optimized& done, const sinew::FindingList& changes) {
  Outcome outcome = outcome_of(to, done, changes, talk_of(to, done), [&](Json& row) { add_steps(done, row); });
  if (done.refused == sinew::operations::Refused::error && !done.ran.empty()) outcome.talk = done.ran.back().note + "; " + outcome.talk;
  return outcome;
}

int run_optimize(const OptimizeCommand& options, const Common& common, const Command& command) {
  auto how = options.how;
  if (const std::string fault = read_steps(options.steps, how.steps); !fault.empty()) return common.terminal.fail_usage(fault);
  if (const std::string fault = read_lods(options.lods, how.lods); !fault.empty()) return common.terminal.fail_usage(fault);
  how.load = common.load_options();
  how.threads = common.threads;
  if (names_file(options.inputs, options.output) && !options.many.any()) {
    sinew::FindingList found, changes;
    const auto done = sinew::operations::optimize(options.inputs.front(), options.output, how, found, changes);
    print_findings(found, common);
    if (!done) return common.terminal.fail(done.error());
    for (const auto& step : done->ran)
      if (!step.note.empty()) common.terminal.talk("{}: {}", to_string(step.step), step.note);
    return print_outcome(optimized(options.output, *done, changes), *done, changes, options.json, common);
  }
  if (options.json) return common.terminal.fail_usage("--json works with one file; use --jsonl for several");
  how.threads = 1;  // the files are processed in parallel
  how.name = output_name(options.inputs, options.output);
  return write_many(command, options.inputs, options.many, common, options.output, {}, {},
                    [&](const std::filesystem::path& from, const std::filesystem::path& to) -> Outcome {
                      sinew::FindingList found, changes;
                      const auto done = sinew::operations::optimize(from, to, how, found, changes);
                      if (!done) return failed(done.error());
                      return optimized(to, *done, changes);
                    });
}

}  // namespace

void add_texture_options(Command command, sinew::operations::OptimizeOptions& how) {
  using sinew::operations::OptimizeTextures;
  add_choice<OptimizeTextures>(
      command, "--textures", how.textures,
      {{"keep", OptimizeTextures::keep}, {"png", OptimizeTextures::png}, {"webp", OptimizeTextures::webp}},
      "glTF: keep images as they are (default); png, store the same pixels as smaller PNG; webp, as the smallest of PNG, lossless and "
      "lossy WebP within --texture-psnr (EXT_texture_webp, which the file then requires). Only smaller images replace the old ones",
      "HOW");
  command
      .add_option("--max-texture", how.max_texture,
                  "glTF: resize images to at most N pixels on a side: colours as light, normals as directions, other data as stored")
      .check(positive())
      .type_name("N");
  command
      .add_option("--texture-psnr", how.texture_psnr,
                  "The least PSNR in decibels that an image keeps, against the old or resized pixels (default: 40); normals and data keep "
                  "it in each channel")
      .check(not_negative())
      .type_name("DB");
  command.add_flag("--drop-names", how.drop_names,
                   "glTF: remove the names of nodes, meshes, materials and other elements, except of animations, of --keep, and those that "
                   "an extension or extras mention. merge and retarget find joints by name: keep the names in files for them");
}

void add_triangle_options(Command command, OptimizeCommand& options) {
  command
      .add_option(
          "--triangles", options.how.triangles,
          "glTF: collapse edges until this part of the triangles is left, for example 0.5, or as few as R allows; R then limits how "
          "far the surfaces lie apart, in all those poses")
      .type_name("RATIO");
  command
      .add_option(
          "--lods", options.lods,
          "glTF: add coarser levels of detail (MSFT_lod) with these parts of the triangles, for example 0.5,0.25. R limits the finest "
          "level; the surface error of each other one is measured and reported")
      .check(not_empty())
      .type_name("LIST");
}

Run add_optimize(Command command, Common& common) {
  auto options = std::make_shared<OptimizeCommand>();
  common.files.reads(options->inputs);
  common.files.writes(options->output);
  command
      .add_option("IN", options->inputs, "The G4MF or glTF file; - reads standard input. Or several files, or folders to search for models")
      .check(not_empty())
      .required();
  command
      .add_option("-o,--output", options->output,
                  "Write the new file, in the same format: .g4tf or .gltf (text), .g4b or .glb (binary); for several files, a folder")
      .required()
      .check(not_empty())
      .type_name("FILE");
  add_edit_options(command, options->how, options->json, {});
  command.option("--max-error")
      .required()
      .description(
          "Move no vertex further than R from where it was, relative to the size of the model, at rest, in any animation, blend shape or "
          "stress pose (see compare); 0: change nothing that can be seen");
  command
      .add_option(
          "--normal-error", options->how.normal_error,
          "glTF: turn normals and tangents by at most this angle in degrees (default: 0.5); if R of --max-error is 0, this and the next "
          "two are 0, too")
      .check(not_negative())
      .type_name("DEG");
  command
      .add_option("--texcoord-error", options->how.texcoord_error,
                  "glTF: change texture coordinates by at most this (default: a quarter of a texel of the largest image, or 1/8192)")
      .check(not_negative())
      .type_name("R");
  command.add_option("--color-error", options->how.color_error, "glTF: change each component of a colour by at most this (default: 1/510)")
      .check(not_negative())
      .type_name("R");
  command.option("--json").description(
      "Write what each step saved, the changes and the largest movement of a vertex as JSON to standard output");
  command
      .add_option("--max-influences", options->how.max_influences,
                  "Give each vertex at most N influences, with fitted weights; write nothing and exit with status 1 if this needs a larger "
                  "error than --max-error")
      .check(positive())
      .type_name("N");
  command
      .add_option("--joint-budget", options->how.joint_budget,
                  "glTF: split meshes so that every skin has at most N joints; a node becomes several nodes: NAME, NAME_2, ...")
      .check(positive())
      .type_name("N");
  add_triangle_options(command, *options);
  add_texture_options(command, options->how);
  command.add_option("--keep", options->how.keep, "Keep the nodes of this name, even if they are empty, and their name")
      .one_each()
      .type_name("NAME");
  command
      .add_option("--steps", options->steps,
                  fmt::format("Run only these steps, separated by commas (default: {})", joined(names_of_steps(), ", ")))
      .check(not_empty())
      .type_name("LIST");
  using sinew::operations::OptimizeCompression;
  add_choice<OptimizeCompression>(command, "--compress", options->how.compression,
                                  {{"none", OptimizeCompression::none},
                                   {"meshopt", OptimizeCompression::meshopt},
                                   {"khr-meshopt", OptimizeCompression::khr_meshopt},
                                   {"zstd", OptimizeCompression::zstd}},
                                  "Compress buffers: none (default); glTF: meshopt (EXT_meshopt_compression) or khr-meshopt "
                                  "(KHR_meshopt_compression); G4MF: zstd",
                                  "HOW");
  using sinew::operations::OptimizeInstances;
  add_choice<OptimizeInstances>(
      command, "--instances", options->how.instances, {{"keep", OptimizeInstances::keep}, {"nodes", OptimizeInstances::nodes}},
      "Nodes that show the same mesh: keep them (default); glTF: nodes, join them to one node with copies (EXT_mesh_gpu_instancing)",
      "HOW");
  add_many(command, options->many);
  return [options, &common, command] { return run_optimize(*options, common, command); };
}

}  // namespace app

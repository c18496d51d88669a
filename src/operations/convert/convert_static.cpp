// SPDX-License-Identifier: MIT
#include "operations/convert/convert_static.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "io/load/detect.hpp"
#include "io/load/read.hpp"
#include "model/edit_reporter.hpp"
#include "model/place.hpp"

#include "sinew/bake.hpp"
#include "sinew/project.hpp"
#include "sinew/save.hpp"
#include "sinew/slice.hpp"

namespace sinew::operations {

namespace {

void report_rig(const Model& model, const EditReporter& losses) {
  std::set<Index> joints;
  for (const Skin& skin : model.skins)
    for (const Index joint : skin.slots)
      if (joint != none) joints.insert(joint);
  std::size_t shapes = 0;
  for (const Mesh& mesh : model.meshes) shapes += mesh.shapes.size();
  const auto report = [&](std::string_view what, std::size_t count) {
    if (count != 0) losses.lost("", format_text("the {} of the model are lost: {}; the new file is static", what, count));
  };
  report("joints", joints.size());
  report("animations", model.clips.size());
  report("blend shapes", shapes);
}

/// Returns whether the default scene draws no vertex.
bool is_empty(const Model& model) {
  return std::ranges::all_of(need(instances(model)),
                             [&](const Instance& instance) { return vertex_count(model.meshes[instance.mesh]) == 0; });
}

Result<Model> flattened(const Model& model, const ConvertOptions& options, FindingSink& losses) {
  BakeOptions bake;
  bake.threads = options.threads;
  if (options.slices.empty()) return project(model, model.rest_pose, {}, bake);
  const auto planes = hyperplanes_across(options.slices, model.dimension);
  if (!planes) return Unexpected(planes.error());
  auto sliced = slice(model, model.rest_pose, *planes, bake, losses);
  return sliced && options.project ? project(*sliced, {}) : sliced;
}

}  // namespace

Result<Written> convert_static(const std::shared_ptr<const document::Document>& document, const std::filesystem::path& to,
                               const ConvertOptions& options, FindingSink& sink, FindingSink& losses) {
  auto model = io::read(document, options.load, sink);
  if (!model) return Unexpected(std::move(model.error()));
  if (auto done = io::load_material_values(*model); !done) return Unexpected(std::move(done.error()));
  FindingList cut;
  const auto flat = flattened(*model, options, cut);
  if (!flat) return Unexpected(flat.error());
  if (is_empty(*flat) && !is_empty(*model))
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, place_of(*model),
                            format_text("the new file would be empty{}{}", cut.list().empty() ? "" : ": ",
                                        cut.list().empty() ? "" : cut.list().back().message)));
  for (const Finding& finding : cut.list()) losses.add(finding);
  const EditReporter reporter(losses);
  if (flat->dimension != model->dimension)
    reporter.lost("", format_text("of the model's {} dimensions the new file has {}: it is a {}", model->dimension, flat->dimension,
                                  options.project ? "projection" : "slice"));
  report_rig(*model, reporter);
  std::vector<std::string> notes;
  if (auto done = io::save(*flat, to, &notes, options.name); !done) return Unexpected(std::move(done.error()));
  for (const std::string& note : notes) reporter.lost("", note);
  Written written;
  written.format = io::promised_by(to).format == io::Format::gltf ? "glTF 2.0" : "G4MF 2026-01";
  std::error_code unknown;
  written.bytes = std::filesystem::file_size(to, unknown);
  return written;
}

}  // namespace sinew::operations

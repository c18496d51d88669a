// SPDX-License-Identifier: MIT
#include "operations/convert/convert_to_gltf.hpp"

#include <utility>
#include <vector>

#include "base/message.hpp"
#include "gltf/write/update.hpp"
#include "io/load/read.hpp"
#include "model/edit_reporter.hpp"
#include "operations/convert/cameras/cameras_to_gltf.hpp"
#include "operations/convert/losses/g4mf_losses.hpp"
#include "operations/convert/materials/materials_to_gltf.hpp"
#include "operations/convert/to_gltf.hpp"
#include "operations/convert/vrm/kept_avatar.hpp"
#include "operations/files/check_deformable.hpp"
#include "operations/skeletons/bone_lengths.hpp"
#include "operations/skeletons/convert_skeletons.hpp"

#include "sinew/load.hpp"

namespace sinew::operations {

namespace {

using document::Document;

Result<Model> with_kept_skeletons(const Model& model, Skeletons kept, FindingSink& losses) {
  FindingList losses_of_skeletons;
  auto marked = with_skeletons(model, kept, losses_of_skeletons);
  if (!marked && marked.error().failure == Failure::unsupported) {
    EditReporter(losses).lost(marked.error().place.pointer.value_or(""),
                              format_text("skeletons are written without {}: {}",
                                          kept == Skeletons::bone ? "KHR_skeleton_bone" : "STAIK_skeletons", marked.error().message));
    return with_skeletons(model, Skeletons::plain, losses);
  }
  for (const Finding& finding : losses_of_skeletons.list()) losses.add(finding);
  return marked;
}

/// Stores skeletons as the option requests; Skeletons::keep: as the glTF file from which the model was made.
Result<Model> with_skeletons_of(const GltfRig& rig, Model model, Skeletons wanted, FindingSink& losses) {
  if (model.skins.empty()) return model;
  const Skeletons kept = rig.skeletons == Skeletons::keep ? Skeletons::strict : rig.skeletons;
  if (rig.skeletons != Skeletons::keep && (wanted == Skeletons::keep ? kept : wanted) != Skeletons::bone) forget_implied_lengths(model);
  return wanted == Skeletons::keep ? with_kept_skeletons(model, kept, losses) : with_skeletons(model, wanted, losses);
}

}  // namespace

Result<std::shared_ptr<const Document>> as_gltf(const std::shared_ptr<const Document>& document, const std::filesystem::path& to,
                                                const ConvertOptions& options, FindingSink& sink, FindingSink& losses) {
  io::LoadOptions reading;
  reading.open = document->options();
  auto model = io::read(document, reading, sink);
  if (!model) return Unexpected(model.error());
  if (auto done = check_deformable(*model, options.threads); !done) return Unexpected(std::move(done.error()));
  const GltfRig rig = gltf_rig_of(*document, *model);
  restore_names(*document, *model);
  if (auto done = io::load_material_values(*model); !done) return Unexpected(std::move(done.error()));
  join_colored_materials(*document, *model);
  const auto converted = to_gltf(*model, rig, losses);
  if (!converted) return Unexpected(converted.error());
  report_not_in_model(*document, losses);
  const auto complete = with_skeletons_of(rig, converted->model, options.skeletons, losses);
  if (!complete) return Unexpected(complete.error());
  const auto empty = gltf::empty_document(to, document->options());
  if (!empty) return Unexpected(empty.error());
  const auto written = gltf::update(*empty, Model{}, *complete, losses);
  if (!written) return Unexpected(written.error());
  const auto seen = with_g4mf_cameras(*written, *document, converted->node_of, losses);
  if (!seen) return Unexpected(seen.error());
  const auto coloured = with_g4mf_materials(*seen, *document, losses);
  if (!coloured) return Unexpected(coloured.error());
  return with_vrm(*coloured, *document, *model, converted->node_of, losses);
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "g4mf/write/update.hpp"
#include "io/load/read.hpp"
#include "operations/convert/cameras/cameras_to_g4mf.hpp"
#include "operations/convert/convert_across.hpp"
#include "operations/convert/losses/gltf_losses.hpp"
#include "operations/convert/materials/materials_to_g4mf.hpp"
#include "operations/convert/to_g4mf.hpp"
#include "operations/convert/vrm/kept_avatar.hpp"
#include "operations/files/check_deformable.hpp"
#include "operations/repair/limit_influences.hpp"

namespace sinew::operations {

Result<std::shared_ptr<const document::Document>> gltf_to_g4mf(const std::shared_ptr<const document::Document>& document,
                                                               const ConvertOptions& options, FindingSink& sink, FindingSink& losses) {
  const auto model = io::read(document, {}, sink);
  if (!model) return Unexpected(model.error());
  if (auto done = check_deformable(*model, options.threads); !done) return Unexpected(std::move(done.error()));
  ToG4mfOptions how{options.max_influences, texture_maps(*document)};
  const auto converted = to_g4mf(*model, how, losses);
  if (!converted) return Unexpected(converted.error());
  if (options.max_influences != 0) {
    FindingList known;
    how.max_influences = 0;
    const auto whole = to_g4mf(*model, how, known);
    if (!whole) return Unexpected(whole.error());
    if (auto done = report_cut(whole->model, converted->model, options.max_influences, losses); !done) return Unexpected(done.error());
  }
  const auto empty = g4mf::empty_document(document->path(), converted->model.dimension, options.load.open);
  if (!empty) return Unexpected(empty.error());
  const auto written = g4mf::update(*empty, Model{}, converted->model, losses);
  if (!written) return Unexpected(written.error());
  report_left_behind(*document, *model, losses);
  const auto described = with_gltf_rig(*written, converted->model, converted->rig);
  if (!described) return Unexpected(described.error());
  const auto known = with_avatar(*described, *document, converted->model);
  if (!known) return Unexpected(known.error());
  const auto seen = with_gltf_cameras(*known, *document, converted->node_of, losses);
  if (!seen) return Unexpected(seen.error());
  return with_gltf_materials(*seen, *document, converted->colors, losses);
}

}  // namespace sinew::operations

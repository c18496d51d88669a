// SPDX-License-Identifier: MIT
#include "sinew/lift.hpp"

#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "g4mf/write/update.hpp"
#include "io/load/detect.hpp"
#include "io/load/read.hpp"
#include "operations/convert/convert_across.hpp"
#include "operations/convert/losses/gltf_losses.hpp"
#include "operations/convert/materials/materials_to_g4mf.hpp"
#include "operations/convert/to_g4mf.hpp"
#include "operations/files/check_deformable.hpp"
#include "operations/files/chosen_scene.hpp"
#include "operations/files/write_file.hpp"
#include "operations/lift/lift_steps.hpp"

namespace sinew::operations {

namespace {

using DocumentPointer = std::shared_ptr<const document::Document>;

/// Colours of the corners of the new surfaces. A surface is known by its material.
std::vector<ColoredMaterial> wider(const Model& before, const SurfaceCorners& corners, std::vector<ColoredMaterial> colors) {
  for (ColoredMaterial& own : colors)
    for (const auto& [mesh, surfaces] : corners)
      for (std::size_t s = 0; s < surfaces.size(); ++s) {
        if (before.meshes[mesh].surfaces[s].material != own.material) continue;
        const std::vector<float> rows = own.colors.read<float>();
        const std::size_t width = own.colors.width();
        std::vector<float> out;
        for (const std::uint32_t corner : surfaces[s])
          for (std::size_t i = 0; i < width && (corner + 1) * width <= rows.size(); ++i) out.push_back(rows[corner * width + i]);
        own.colors = Array::own(std::move(out), width);
      }
  return colors;
}

Result<DocumentPointer> write(const Model& lifted, const DocumentPointer& from, const LiftOptions& options, FindingSink& losses) {
  const auto empty = g4mf::empty_document(from->path(), lifted.dimension, options.load.open);
  if (!empty) return Unexpected(empty.error());
  return g4mf::update(*empty, Model{}, lifted, losses);
}

Result<DocumentPointer> lift_gltf(const DocumentPointer& document, const Model& model, const LiftOptions& options, LiftReport& report,
                                  FindingSink& losses) {
  const auto flat = to_g4mf(model, {0, texture_maps(*document)}, losses);
  if (!flat) return Unexpected(flat.error());
  SurfaceCorners corners;
  const auto lifted = lift_model(flat->model, options, report, corners, losses);
  if (!lifted) return Unexpected(lifted.error());
  const auto written = write(*lifted, document, options, losses);
  if (!written) return Unexpected(written.error());
  report_left_behind(*document, model, losses);
  return with_gltf_materials(*written, *document, wider(flat->model, corners, flat->colors), losses);
}

Result<DocumentPointer> lift_g4mf(const DocumentPointer& document, const Model& model, const LiftOptions& options, LiftReport& report,
                                  FindingSink& losses) {
  SurfaceCorners corners;
  const auto lifted = lift_model(model, options, report, corners, losses);
  if (!lifted) return Unexpected(lifted.error());
  if (!model.materials.empty()) losses.add(finding("SINEW_EDIT_LOST"_code, "/materials", "materials keep their names only"));
  return write(*lifted, document, options, losses);
}

}  // namespace

Result<Lifted> lift(const std::filesystem::path& from, const std::filesystem::path& to, const LiftOptions& options, FindingSink& sink,
                    FindingSink& losses) SINEW_TRY {
  if (io::promised_by(to).format != io::Format::g4mf)
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, Place{path_text(to), {}, {}},
                            "a lifted model has more than three dimensions; expected a name that ends with .g4tf or .g4b"));
  auto document = document::open(from, options.load.open, sink);
  if (!document) return Unexpected(std::move(document.error()));
  if (auto whole = check_whole(**document); !whole) return Unexpected(std::move(whole.error()));
  document = with_scene(*document, options.scene);
  if (!document) return Unexpected(std::move(document.error()));
  const auto model = io::read(*document, options.load, sink);
  if (!model) return Unexpected(model.error());
  if (auto done = check_deformable(*model, options.threads); !done) return Unexpected(std::move(done.error()));
  Lifted out;
  LossWatch lost(losses, options.on_loss);
  const auto made = io::detect(**document) == io::Format::gltf ? lift_gltf(*document, *model, options, out.report, lost)
                                                               : lift_g4mf(*document, *model, options, out.report, lost);
  if (!made) return Unexpected(made.error());
  FindingList ignored;  // the findings concern an intermediate document
  EditOptions writing;
  writing.load = options.load;
  writing.on_loss = options.on_loss;
  writing.threads = options.threads;
  auto written = write_file(*made, to, {.edit = writing, .revision = g4mf::Revision::r2026_01}, ignored, lost);
  if (!written) return Unexpected(std::move(written.error()));
  static_cast<Written&>(out) = *std::move(written);
  return out;
}
SINEW_CATCH({path_text(from), {}, {}})

}  // namespace sinew::operations

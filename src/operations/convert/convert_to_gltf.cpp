// SPDX-License-Identifier: MIT
#include "operations/convert/convert_to_gltf.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "document/json/json_edit.hpp"
#include "document/schema/edited.hpp"
#include "gltf/write/update.hpp"
#include "io/load/read.hpp"
#include "io/save/material_factors.hpp"
#include "model/edit_reporter.hpp"
#include "operations/convert/g4mf_losses.hpp"
#include "operations/convert/to_gltf.hpp"
#include "operations/skeletons/convert_skeletons.hpp"

namespace sinew::operations {

namespace {

using document::Document;
using document::JsonEdit;
using document::JsonValue;

Result<std::shared_ptr<const Document>> with_materials(const std::shared_ptr<const Document>& written, const Document& from) {
  const JsonValue materials = from.json().root()["materials"];
  JsonEdit root(written->json().root());
  JsonEdit* const list = root.find("materials");
  if (materials.size() == 0 || list == nullptr) return written;
  bool strong = false;
  std::size_t index = 0;
  for (const JsonValue material : materials.elements()) strong = io::set_factors(material, list->at(index++)) || strong;
  if (strong) {
    if (root.find("extensionsUsed") == nullptr) root.set("extensionsUsed", JsonEdit::array());
    root.find("extensionsUsed")->push_back(JsonEdit::string(io::emissive_strength));
  }
  return document::with_binary(*written, root.text(), std::nullopt);
}

Result<Model> with_kept_skeletons(const Model& model, FindingSink& losses) {
  FindingList told;
  auto strict = with_skeletons(model, Skeletons::strict, told);
  if (!strict && strict.error().failure == Failure::unsupported) {
    EditReporter(losses).lost(strict.error().place.pointer.value_or(""),
                              fmt::format("skeletons are written without STAIK_skeletons: {}", strict.error().message));
    return with_skeletons(model, Skeletons::plain, losses);
  }
  for (const Finding& finding : told.list()) losses.add(finding);
  return strict;
}

}  // namespace

Result<std::shared_ptr<const Document>> as_gltf(const std::shared_ptr<const Document>& document, const std::filesystem::path& to,
                                                Skeletons skeletons, FindingSink& sink, FindingSink& losses) {
  io::LoadOptions reading;
  reading.open = document->options();
  const auto model = io::read(document, reading, sink);
  if (!model) return Unexpected(model.error());
  const auto converted = to_gltf(*model, gltf_rig_of(*document, *model), losses);
  if (!converted) return Unexpected(converted.error());
  report_not_in_model(*document, losses);
  const auto complete = converted->skins.empty()       ? converted
                        : skeletons == Skeletons::keep ? with_kept_skeletons(*converted, losses)
                                                       : with_skeletons(*converted, skeletons, losses);
  if (!complete) return Unexpected(complete.error());
  const auto empty = gltf::empty_document(to, document->options());
  if (!empty) return Unexpected(empty.error());
  const auto written = gltf::update(*empty, Model{}, *complete, losses);
  if (!written) return Unexpected(written.error());
  return with_materials(*written, *document);
}

}  // namespace sinew::operations

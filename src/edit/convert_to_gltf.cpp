// SPDX-License-Identifier: MIT
#include "edit/convert_to_gltf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/catalogue_edit.hpp"
#include "document/edited.hpp"
#include "document/json_edit.hpp"
#include "edit/convert_skeletons.hpp"
#include "edit/g4mf_losses.hpp"
#include "gltf/update.hpp"
#include "io/read.hpp"

#include "sinew/to_gltf.hpp"

namespace sinew::edit {

namespace {

using document::Document;
using document::JsonEdit;
using document::JsonValue;

/// The first numbers of a channel's factor, or what stands for missing ones, between 0 and 1.
template <std::size_t N>
std::array<double, N> factor_of(JsonValue channel, const std::array<double, N>& missing) {
  std::array<double, N> numbers = missing;
  std::size_t i = 0;
  for (const JsonValue value : channel["factor"].elements()) {
    if (i == N) break;
    if (const auto number = value.number()) numbers[i] = *number;
    ++i;
  }
  return numbers;
}

JsonEdit list_of(std::span<const double> numbers) {
  JsonEdit list = JsonEdit::array();
  for (const double number : numbers) list.push_back(JsonEdit::number(std::clamp(number, 0.0, 1.0)));
  return list;
}

// G4MF, Material: base colour, emission, and occlusion, roughness and metalness in one; of the last the first has no factor in glTF.
void write_factors(JsonValue from, JsonEdit& to, bool& strong) {
  JsonEdit physical = JsonEdit::object();
  if (from["baseColor"]["factor"]) {
    const auto color = factor_of<4>(from["baseColor"], {1, 1, 1, 1});
    physical.set("baseColorFactor", list_of(color));
    if (color[3] < 1) to.set("alphaMode", JsonEdit::string("BLEND"));
  }
  const auto orm = factor_of<3>(from["orm"], {0, 1, 0});
  physical.set("metallicFactor", JsonEdit::number(std::clamp(orm[2], 0.0, 1.0)));  // glTF's own default is metal
  if (orm[1] != 1) physical.set("roughnessFactor", JsonEdit::number(std::clamp(orm[1], 0.0, 1.0)));
  to.set("pbrMetallicRoughness", std::move(physical));
  if (!from["emissive"]["factor"]) return;
  auto light = factor_of<3>(from["emissive"], {0, 0, 0});
  const double most = std::max({light[0], light[1], light[2], 1.0});
  for (double& part : light) part /= most;
  to.set("emissiveFactor", list_of(light));
  if (!(most > 1)) return;
  strong = true;
  JsonEdit strength = JsonEdit::object();
  strength.set("emissiveStrength", JsonEdit::number(most));
  JsonEdit extensions = JsonEdit::object();
  extensions.set("KHR_materials_emissive_strength", std::move(strength));
  to.set("extensions", std::move(extensions));
}

Result<std::shared_ptr<const Document>> with_materials(const std::shared_ptr<const Document>& written, const Document& from) {
  const JsonValue materials = from.json().root()["materials"];
  JsonEdit root(written->json().root());
  JsonEdit* const list = root.find("materials");
  if (materials.size() == 0 || list == nullptr) return written;
  bool strong = false;
  std::size_t index = 0;
  for (const JsonValue material : materials.elements()) write_factors(material, list->at(index++), strong);
  if (strong) {
    if (root.find("extensionsUsed") == nullptr) root.set("extensionsUsed", JsonEdit::array());
    root.find("extensionsUsed")->push_back(JsonEdit::string("KHR_materials_emissive_strength"));
  }
  return document::with_binary(*written, root.text(), std::nullopt);
}

Result<Model> with_kept_skeletons(const Model& model, FindingSink& losses) {
  FindingList told;
  auto strict = with_skeletons(model, Skeletons::strict, told);
  if (!strict && strict.error().failure == Failure::unsupported) {
    losses.add(finding<"SINEW_EDIT_LOST"_code>(strict.error().place.pointer.value_or(""),
                                               fmt::format("skeletons stay without STAIK_skeletons: {}", strict.error().message)));
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
  const auto converted = ops::to_gltf(*model, losses);
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

}  // namespace sinew::edit

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/catalogue_edit.hpp"
#include "edit/convert_across.hpp"
#include "edit/gltf_to_g4mf_carried.hpp"
#include "g4mf/update.hpp"
#include "io/read.hpp"

#include "sinew/compare.hpp"
#include "sinew/to_g4mf.hpp"

namespace sinew::edit {

namespace {

// How far vertices move because influences of theirs went.
Result<> report_cut(const Model& model, const Model& cut, std::size_t most, FindingSink& losses) {
  FindingList known;
  const auto whole = ops::to_g4mf(model, {}, known);
  if (!whole) return Unexpected(whole.error());
  const auto comparison = ops::compare(*whole, cut);
  if (!comparison) return Unexpected(comparison.error());
  const ops::InstancePair* const worst = comparison->worst();
  if (worst == nullptr || worst->max() == 0) return {};
  losses.add(
      finding<"SINEW_EDIT_LOST"_code>("", fmt::format("of each vertex the {} strongest influences are kept; \"{}\" moves by up to {}", most,
                                                      worst->name, ops::in_words(*comparison, *worst))));
  return {};
}

}  // namespace

Result<std::shared_ptr<const document::Document>> gltf_to_g4mf(const std::shared_ptr<const document::Document>& document,
                                                               const ConvertOptions& options, FindingSink& sink, FindingSink& losses) {
  const auto model = io::read(document, {}, sink);
  if (!model) return Unexpected(model.error());
  const auto converted = ops::to_g4mf(*model, {options.max_influences}, losses);
  if (!converted) return Unexpected(converted.error());
  if (options.max_influences != 0)
    if (auto done = report_cut(*model, *converted, options.max_influences, losses); !done) return Unexpected(done.error());
  const auto empty = g4mf::empty_document(document->path(), converted->dimension, options.open);
  if (!empty) return Unexpected(empty.error());
  const auto written = g4mf::update(*empty, Model{}, *converted, losses);
  if (!written) return Unexpected(written.error());
  report_left_behind(*document, losses);
  return with_material_factors(*written, *document);
}

}  // namespace sinew::edit

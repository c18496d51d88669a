// SPDX-License-Identifier: MIT
#include "operations/repair/limit_influences.hpp"

#include "base/guard.hpp"
#include "base/message.hpp"
#include "g4mf/write/update.hpp"
#include "io/load/read.hpp"
#include "model/edit_reporter.hpp"
#include "operations/files/left_behind.hpp"
#include "operations/files/update.hpp"
#include "operations/repair/repair.hpp"

#include "sinew/compare.hpp"

namespace sinew::operations {

Result<> report_cut(const Model& before, const Model& after, std::size_t most, FindingSink& losses) {
  const auto comparison = compare(before, after);
  if (!comparison) return Unexpected(comparison.error());
  const InstancePair* const worst = comparison->worst();
  if (worst == nullptr || worst->max() == 0) return {};
  EditReporter(losses).lost("", format_text("each vertex keeps its {} strongest influences; \"{}\" moves by up to {}", most, worst->name,
                                            need(in_words(*comparison, *worst))));
  return {};
}

Result<std::shared_ptr<const document::Document>> limited(const std::shared_ptr<const document::Document>& document, std::size_t most,
                                                          std::optional<g4mf::Revision> revision, FindingSink& sink, FindingSink& losses) {
  io::LoadOptions reading;
  reading.revision = revision;
  const auto model = io::read(document, reading, sink);
  if (!model) return Unexpected(model.error());
  FindingList changes;
  const Model cut = limit_influences(*model, most, changes);
  if (changes.list().empty()) return document;
  for (const Finding& change : changes.list()) losses.add(change);
  if (auto done = report_cut(*model, cut, most, losses); !done) return Unexpected(done.error());
  auto updated = update(document, *model, cut, losses);
  if (updated) report_left_behind(*document, **updated, losses);
  return updated;
}

}  // namespace sinew::operations

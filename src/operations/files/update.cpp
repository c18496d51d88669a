// SPDX-License-Identifier: MIT
#include "operations/files/update.hpp"

#include <string>
#include <unordered_map>
#include <utility>

#include "base/message.hpp"
#include "document/json/json.hpp"
#include "g4mf/write/update.hpp"
#include "gltf/write/update.hpp"
#include "model/edit_reporter.hpp"

namespace sinew::operations {

using document::Document;

Result<std::shared_ptr<const Document>> update(const std::shared_ptr<const Document>& document, const Model& before, const Model& after,
                                               FindingSink& losses) {
  const auto revision = g4mf::revision_of(after);
  auto written = revision ? g4mf::update(document, before, after, losses) : gltf::update(document, before, after, losses);
  if (!written) return written;
  return without_orphans(document.get(), std::move(*written), revision);
}

namespace {

Result<std::shared_ptr<const Document>> removed(const Document* before, const Document& after, std::optional<g4mf::Revision> revision,
                                                bool all, const std::vector<bool>& kept_skins = {}) {
  return revision ? g4mf::without_orphans(before, after, *revision, all) : gltf::without_orphans(before, after, all, kept_skins);
}

}  // namespace

Result<std::shared_ptr<const Document>> without_orphans(const Document* before, std::shared_ptr<const Document> after,
                                                        std::optional<g4mf::Revision> revision) {
  if (before == after.get()) return after;
  auto smaller = removed(before, *after, revision, false);
  if (!smaller || *smaller != nullptr) return smaller;
  return after;
}

Result<std::shared_ptr<const Document>> pruned(const Document& document, std::optional<g4mf::Revision> revision, FindingSink& changes,
                                               const std::vector<bool>& kept_skins) {
  // Treats the document as an edit of itself: elements of the file stay if an unknown extension may refer to them.
  auto smaller = removed(&document, document, revision, true, kept_skins);
  if (!smaller || *smaller == nullptr) return smaller;
  std::unordered_map<std::string, std::size_t> left;
  for (const document::JsonMember list : (*smaller)->json().root().members()) left.insert_or_assign(list.key.string(), list.value.size());
  for (const document::JsonMember list : document.json().root().members()) {
    if (!list.value.is(document::JsonKind::array)) continue;
    const std::size_t count = list.value.size() - left[list.key.string()];
    if (count != 0)
      EditReporter(changes).changed(list.value.pointer(),
                                    format_text("removed {} that nothing refers to, of {}", count, list.value.size()));
  }
  return smaller;
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "edit/update.hpp"

#include <utility>

#include "g4mf/write/orphans.hpp"
#include "g4mf/write/update.hpp"
#include "gltf/write/orphans.hpp"
#include "gltf/write/update.hpp"

namespace sinew::edit {

using document::Document;

Result<std::shared_ptr<const Document>> update(const std::shared_ptr<const Document>& document, const Model& before, const Model& after,
                                               FindingSink& losses) {
  const auto revision = g4mf::revision_of(after);
  auto written = revision ? g4mf::update(document, before, after, losses) : gltf::update(document, before, after, losses);
  if (!written) return written;
  return without_orphans(document.get(), std::move(*written), revision);
}

Result<std::shared_ptr<const Document>> without_orphans(const Document* before, std::shared_ptr<const Document> after,
                                                        std::optional<g4mf::Revision> revision, bool prune) {
  if (before == after.get() && !prune) return after;
  auto smaller = revision ? g4mf::without_orphans(before, *after, *revision, prune) : gltf::without_orphans(before, *after, prune);
  if (!smaller || *smaller != nullptr) return smaller;
  return after;
}

}  // namespace sinew::edit

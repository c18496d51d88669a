// SPDX-License-Identifier: MIT
#include "edit/update.hpp"

#include <utility>

#include "g4mf/update.hpp"
#include "gltf/orphans.hpp"
#include "gltf/update.hpp"
#include "io/detect.hpp"

namespace sinew::edit {

using document::Document;

Result<std::shared_ptr<const Document>> update(const std::shared_ptr<const Document>& document, const Model& before, const Model& after,
                                               FindingSink& losses) {
  auto written = io::detect(*document) == io::Format::g4mf ? g4mf::update(document, before, after, losses)
                                                           : gltf::update(document, before, after, losses);
  if (!written) return written;
  return without_orphans(document.get(), std::move(*written));
}

Result<std::shared_ptr<const Document>> without_orphans(const Document* before, std::shared_ptr<const Document> after, bool prune) {
  if ((before == after.get() && !prune) || io::detect(*after) != io::Format::gltf) return after;
  auto smaller = gltf::without_orphans(before, *after, prune);
  if (!smaller || *smaller != nullptr) return smaller;
  return after;
}

}  // namespace sinew::edit

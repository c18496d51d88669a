// SPDX-License-Identifier: MIT
#include "gltf/schema/source.hpp"

namespace sinew::gltf {

std::string Source::file() const { return document_->path().string(); }

std::string Source::pointer(SourceId id) const { return value(id).pointer(); }

document::JsonValue Source::value(SourceId id) const {
  if (id == SourceId::nowhere) return {};
  return {document_->json(), static_cast<std::uint32_t>(id)};
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#pragma once

#include "document/schema/source.hpp"

#include "sinew/model.hpp"

namespace sinew::gltf {

class Source final : public document::SourceOf<sinew::Source, SourceId> {
  using SourceOf::SourceOf;
};

[[nodiscard]] inline SourceId source_of(document::JsonValue value) { return Source::id_of(value); }

}  // namespace sinew::gltf

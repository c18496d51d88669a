// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "document/schema/reader.hpp"

#include "sinew/model.hpp"

namespace sinew::g4mf {

struct ReadOptions {
  // As io::LoadOptions.
  bool force = false;
  std::optional<Revision> revision;
};

/// Returns the revision to read the file as: `given`, or the newest one with names in it (2026-01 if no name decides). Reports older names.
[[nodiscard]] Revision find_revision(document::Reader& reader, std::optional<Revision> given);

/// Returns the punctuation that names must not contain (Core part, names): none in 2025-08, then that of paths and quotes, then most of
/// that of patterns, too.
[[nodiscard]] constexpr std::string_view forbidden_in_names(Revision revision) {
  return revision == Revision::r2025_08 ? "" : revision == Revision::r2026_01 ? "\".:@/\\" : "\"#*.:|?@<>{}[]/\\%";
}

}  // namespace sinew::g4mf

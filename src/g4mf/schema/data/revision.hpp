// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

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

}  // namespace sinew::g4mf

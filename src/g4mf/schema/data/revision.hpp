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

/// The revision that a file is read as: the newest whose property names occur (2026-01 where none tells), or the one that is given. Names
/// that are older than it are reported.
[[nodiscard]] Revision find_revision(document::Reader& reader, std::optional<Revision> given);

}  // namespace sinew::g4mf

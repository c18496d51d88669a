// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/convert.hpp"
#include "sinew/result.hpp"

namespace app {

/// The options about clips as they were given.
struct ClipTexts {
  std::vector<std::string> cuts;     ///< "NEW=OLD@START:END"
  std::vector<std::string> appends;  ///< "NEW=A,B"
  std::vector<std::string> renames;  ///< "OLD=NEW"
  std::vector<std::string> drops;    ///< "NAME"
};

/// Parses them. Failure::usage names the wrong text.
[[nodiscard]] sinew::Result<sinew::operations::ClipEdits> parse_clip_edits(const ClipTexts& texts);

}  // namespace app

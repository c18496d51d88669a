// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/check.hpp"
#include "sinew/finding.hpp"
#include "sinew/load.hpp"

namespace sinew::validate {

struct Options {
  io::LoadOptions load;
};

/// What was found in one file. Broken files have a report too.
struct Report {
  std::string uri;  ///< as the caller named it
  std::string mime_type;
  std::vector<Finding> issues;        ///< what the format's rules say: for glTF exactly what the Khronos glTF-Validator reports
  std::vector<Finding> model_issues;  ///< rules of our own (GLTF_*, SINEW_*)
  bool truncated = false;             ///< there are more findings than were kept
  std::optional<AssetInfo> info;
};

/// Checks one file. The error is for what cannot be opened. Safe to call from several threads.
[[nodiscard]] Result<Report> check_file(const std::filesystem::path& path, const Options& options);

/// The report as JSON text, in the shape of the Khronos glTF-Validator's reports with `modelIssues` beside `issues`.
[[nodiscard]] std::string to_json(const Report& report);

}  // namespace sinew::validate

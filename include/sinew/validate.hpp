// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/check.hpp"
#include "sinew/finding.hpp"
#include "sinew/load.hpp"

namespace sinew::validate {

/// Rules about skeletons that models are held against (docs/skeletons.md).
enum class SkeletonDialect : std::uint8_t { staik, skin_strict, skeleton_bone, g4mf };

struct Options {
  /// No limit of findings is meant; this one keeps a hostile file from filling the memory.
  Options() { load.open.limits.findings = 100000; }

  io::LoadOptions load;
  std::optional<SkeletonDialect> profile;  ///< beside the dialects that a file declares itself
  std::vector<std::string> only;           ///< codes that are reported; empty: all
  std::vector<std::string> ignored;        ///< codes that are not
  /// Findings listed about one file, the most severe first and one of each code before others of it; nothing: all.
  std::optional<std::uint64_t> most_listed;
};

/// Findings of one kind. `counts` are of all that were made, by severity; `truncated`: not all of them are listed.
struct Issues {
  std::vector<Finding> list;  ///< with positions, in the order in which they were met
  std::array<std::uint64_t, 4> counts{};
  bool truncated = false;

  /// Whether there is a finding of `least` or severer.
  [[nodiscard]] bool reach(Severity least) const;
};

/// Names of objects by pointer: "/meshes/3". Cut to 64 bytes.
using Names = std::map<std::string, std::string, std::less<>>;

/// What was found in one file. Broken files have a report too.
struct Report {
  std::string uri;  ///< the path as the caller named it, as UTF-8
  std::string mime_type;
  document::Container container = document::Container::json;
  Issues issues;        ///< what the format's rules say: for glTF exactly what the Khronos glTF-Validator reports
  Issues model_issues;  ///< rules of our own (GLTF_*, SINEW_*)
  std::optional<AssetInfo> info;
  Names names;  ///< of the objects that findings lead into

  /// The name of the object that a finding leads into; empty if it has none.
  [[nodiscard]] std::string_view name_of(const Finding& finding) const;
};

/// Checks one file. The error is for what cannot be opened. Safe to call from several threads.
[[nodiscard]] Result<Report> check_file(const std::filesystem::path& path, const Options& options);

/// Checks files on up to `threads` threads (0: all cores); results are in the order of `paths`. `done` is told how many files are
/// checked, from one thread at a time.
[[nodiscard]] std::vector<Result<Report>> check_files(std::span<const std::filesystem::path> paths, const Options& options,
                                                      unsigned threads, const std::function<void(std::size_t)>& done);

/// Findings of one code in one array: their JSON pointers differ in array indices, or in the names of vertex attributes.
struct Group {
  const Finding* shown = nullptr;  ///< the worst if the check measured something, else the first; lives as long as the report
  std::uint64_t count = 0;
  std::uint64_t places = 0;  ///< different pointers
  std::string array;         ///< the pointer with * for each array index: "/nodes/*/rotation"; empty for places in the container
};
enum class GroupBy : std::uint8_t {
  array,
  nothing  ///< each finding is a group
};
/// The groups of one report, the most severe first. `truncated`: groups or findings are missing.
struct Grouped {
  std::vector<Group> groups;
  bool truncated = false;
};
/// `most`: keep no more groups than this, one of each code before others of the same severity.
[[nodiscard]] Grouped group_findings(const Report& report, GroupBy by, std::optional<std::uint64_t> most = {});

/// How often a code was found.
struct CodeCount {
  std::string_view code;
  Severity severity = Severity::error;
  std::uint64_t findings = 0;
  std::uint64_t files = 0;
};
/// The codes of all listed findings, the most severe and most frequent first.
[[nodiscard]] std::vector<CodeCount> count_codes(std::span<const Report> reports);

/// The model files (.gltf .glb .vrm .g4tf .g4b, in any case) in a folder and all folders below it, sorted. Links are followed, each
/// folder is visited once. Failure::input where a folder cannot be read.
[[nodiscard]] Result<std::vector<std::filesystem::path>> models_in(const std::filesystem::path& folder);

/// The report as JSON text, in the shape of the Khronos glTF-Validator's reports with `modelIssues` beside `issues`, and `line`,
/// `column` and `byte` in messages.
[[nodiscard]] std::string to_json(const Report& report);
/// {"reports": […], "summary": {…}}; `unreadable` files have no report.
[[nodiscard]] std::string to_json(std::span<const Report> reports, std::uint64_t unreadable);
/// A log in the Static Analysis Results Interchange Format 2.1.0; `unreadable`: why files and folders have no report.
[[nodiscard]] std::string to_sarif(std::span<const Report> reports, std::span<const Error> unreadable);

}  // namespace sinew::validate

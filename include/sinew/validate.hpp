// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/load.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::io {

/// The result of checking all rules of a file's format.
struct Checked {
  Format format = Format::unknown;
  document::Container container = document::Container::json;
  std::shared_ptr<const document::Document> document;  ///< null if the container or the JSON text is broken
  std::optional<Model> model;                          ///< empty if no model can be made from the file
  std::optional<AssetInfo> info;                       ///< empty if the version of the file is unknown
};

/// Opens a file and checks all rules of its format. Findings go to `sink` in the order in which they are found. Fails only if the file
/// cannot be opened or exceeds a limit: a broken file has findings instead.
[[nodiscard]] Result<Checked> check(const std::filesystem::path& path, const LoadOptions& options, FindingSink& sink);

}  // namespace sinew::io

namespace sinew::validate {

/// Sets of rules about skeletons (docs/skeletons.md).
enum class SkeletonDialect : std::uint8_t { staik, skin_strict, skeleton_bone, g4mf };

struct Options {
  /// The number of findings is limited only so that hostile files cannot exhaust the memory.
  Options() { load.open.limits.findings = 100000; }

  io::LoadOptions load;
  std::optional<SkeletonDialect> profile;  ///< in addition to the dialects that the file declares
  std::vector<std::string> only;           ///< report only these codes, and limits that were met; empty: all
  std::vector<std::string> ignored;        ///< codes that are not reported
  /// The largest number of listed findings per file. The most severe come first, and one of each code before repetitions. Empty: no limit.
  std::optional<std::uint64_t> most_listed;
};

/// Findings of one kind. `counts`: the number of all findings by severity. `truncated`: some findings are not listed.
struct Issues {
  std::vector<Finding> list;  ///< with positions, in the order in which they were found
  std::array<std::uint64_t, 4> counts{};
  bool truncated = false;

  /// Returns whether a finding is at least as severe as `least`.
  [[nodiscard]] bool reach(Severity least) const noexcept;
};

/// Names of objects by pointer: "/meshes/3". Cut to 64 bytes.
using Names = std::map<std::string, std::string, std::less<>>;

/// The findings of one file. Broken files have a report too.
struct Report {
  std::string uri;  ///< the path as the caller gave it, as UTF-8
  std::string mime_type;
  document::Container container = document::Container::json;
  Issues issues;        ///< rules of the format; for glTF exactly the findings of the Khronos glTF-Validator
  Issues model_issues;  ///< additional rules (GLTF_*, SINEW_*)
  std::optional<AssetInfo> info;
  Names names;  ///< of the objects with findings

  /// Returns the name of the object that contains a finding, or an empty string.
  [[nodiscard]] std::string_view name_of(const Finding& finding) const noexcept;
};

/// Checks one file. Fails only if it cannot be opened. Safe to call from several threads.
[[nodiscard]] Result<Report> check_file(const std::filesystem::path& path, const Options& options);

/// Checks files on up to `threads` threads (0: all cores); results are in the order of `paths`. `done` receives the number of
/// checked files, from one thread at a time.
[[nodiscard]] Result<std::vector<Result<Report>>> check_files(std::span<const std::filesystem::path> paths, const Options& options,
                                                              unsigned threads, const std::function<void(std::size_t)>& done);

/// Findings of one code in one array: their JSON pointers differ in array indices, or in the names of vertex attributes.
struct Group {
  const Finding* shown = nullptr;  ///< the worst if the check measured something, else the first; valid as long as the report
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
[[nodiscard]] Result<Grouped> group_findings(const Report& report, GroupBy by, std::optional<std::uint64_t> most = {});

/// The number of times that a code was found.
struct CodeCount {
  std::string_view code;
  Severity severity = Severity::error;
  std::uint64_t findings = 0;
  std::uint64_t files = 0;
};
/// The codes of all listed findings, the most severe and most frequent first.
[[nodiscard]] Result<std::vector<CodeCount>> count_codes(std::span<const Report> reports);

/// The models in a folder.
struct FoundModels {
  std::vector<std::filesystem::path> files;  ///< sorted
  std::size_t outside = 0;                   ///< links to models and folders outside of the folder, which were left out
};
/// Finds the model files (.gltf .glb .vrm .vrma .g4tf .g4b, in any case) in a folder and all folders below it. Visits each folder once.
/// Follows links within the folder, and with `allow_outside` all links. Failure::input if a folder cannot be read.
[[nodiscard]] Result<FoundModels> models_in(const std::filesystem::path& folder, bool allow_outside = false);

/// Writes the report as JSON text, in the shape of the Khronos glTF-Validator's reports with `modelIssues` beside `issues`, and `line`,
/// `column` and `byte` in messages.
[[nodiscard]] Result<std::string> to_json(const Report& report);
/// Returns {"reports": […], "summary": {…}}; `unreadable`: the number of files without a report.
[[nodiscard]] Result<std::string> to_json(std::span<const Report> reports, std::uint64_t unreadable);
/// Returns a log in the Static Analysis Results Interchange Format 2.1.0; `unreadable`: why files and folders have no report.
[[nodiscard]] Result<std::string> to_sarif(std::span<const Report> reports, std::span<const Error> unreadable);

}  // namespace sinew::validate

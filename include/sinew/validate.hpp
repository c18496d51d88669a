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

/// What is known of a file after every rule of its format was looked at.
struct Checked {
  Format format = Format::unknown;
  document::Container container = document::Container::json;
  std::shared_ptr<const document::Document> document;  ///< null: the container or the JSON text is broken
  std::optional<Model> model;                          ///< nothing: no model could be made of it
  std::optional<AssetInfo> info;                       ///< nothing: the file is not one of a known version
};

/// Opens a file and checks every rule of its format; findings go to `sink` in the order in which they are met. The error is for files
/// that cannot be opened, or exceed a limit: a broken file is no error but has findings.
[[nodiscard]] Result<Checked> check(const std::filesystem::path& path, const LoadOptions& options, FindingSink& sink);

}  // namespace sinew::io

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

/// Work over many files: shares of it for many processes, one line of JSON per file, and what is up to date.
namespace sinew::batch {

/// A share of a list of files: those with the numbers index, index + count, index + 2 count, … (all from 1).
struct Shard {
  std::size_t index = 1;
  std::size_t count = 1;
};

/// "K/N" with 1 <= K <= N <= 1,000,000; nothing for any other text.
[[nodiscard]] std::optional<Shard> parse_shard(std::string_view text);

/// A file to work on.
struct Item {
  std::filesystem::path path;
  std::filesystem::path below;  ///< the way to it from the folder that was named; its name where it was named itself
  std::size_t number = 0;       ///< in the list, from 1
};

/// What paths name.
struct List {
  std::vector<Item> items;
  bool many = false;                         ///< several paths were named, or a folder
  std::vector<Error> unreadable;             ///< folders
  std::vector<std::filesystem::path> empty;  ///< folders without a model
};

enum class Order : std::uint8_t {
  named,  ///< as on the command line, the files of a folder sorted
  sorted  ///< by the bytes of their paths: the same in every process
};

/// The files that are named and the models in folders that are named (validate::models_in), none twice.
[[nodiscard]] List list_models(std::span<const std::string> paths, Order order);

/// The files of a shard, in the list's order.
[[nodiscard]] std::vector<Item> share_of(std::span<const Item> items, Shard shard);

/// Where the file that is made of each goes: the same way below `folder`, with `extension` in place of its own (empty: its own).
/// Failure::usage where two would be one file, or where `folder` lies in one of `searched`, so that the next run would find outputs as
/// inputs.
[[nodiscard]] Result<std::vector<std::filesystem::path>> output_paths(std::span<const Item> items, const std::filesystem::path& folder,
                                                                      std::string_view extension, std::span<const std::string> searched);

/// Calls work(i) for every i below `count` on up to `threads` threads (0: all cores), and emit(i) in ascending order, never twice at
/// once, as soon as all before it are done. Neither may throw.
void in_order(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work,
              const std::function<void(std::size_t)>& emit);

/// What became of a file.
enum class Did : std::uint8_t { checked, told, written, unchanged, failed, refused };
[[nodiscard]] std::string_view to_string(Did did);

/// One result, as --jsonl writes it.
struct Line {
  std::string_view command;
  const Item* item = nullptr;
  std::size_t total = 0;  ///< files of all shards
  Shard shard;
  Did did = Did::checked;
  int status = 0;              ///< the exit status that this file alone would give
  std::string key;             ///< content_key; empty: nobody asked
  std::string result;          ///< JSON text of an object; empty: none
  std::optional<Error> error;  ///< why it failed
};

/// A line of JSON with its newline. What is no UTF-8 in paths is replaced.
[[nodiscard]] std::string to_json_line(const Line& line);

/// Where lines go: each with one write to standard output, so that lines of several processes do not mix; or to a file that appears
/// whole when `finish` is called. Failure::output.
class LineWriter {
 public:
  /// Empty or "-": standard output.
  [[nodiscard]] static Result<LineWriter> create(const std::filesystem::path& path);
  LineWriter(LineWriter&&) noexcept;
  LineWriter& operator=(LineWriter&&) noexcept;
  ~LineWriter();
  [[nodiscard]] Result<> write(std::string_view line);
  [[nodiscard]] Result<> finish();

 private:
  struct State;
  explicit LineWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// 32 hexadecimal digits (XXH3, 128 bits) of all that a result depends on: the bytes of the file, those of the buffers and images beside
/// it that it names (or that they cannot be had), `options`, and the version of the library. Failure::input where the file cannot be read.
[[nodiscard]] Result<std::string> content_key(const std::filesystem::path& path, std::string_view options,
                                              const document::OpenOptions& open);

/// What is known of an output: kept beside it, as ".NAME.sinew".
struct Record {
  std::string from;    ///< content_key of the input, with the options
  std::string to;      ///< content_key of the output, without
  std::string result;  ///< Line::result
};
/// The record of an output that is still what was written then, from the same input by the same options; nothing otherwise.
[[nodiscard]] std::optional<Record> find_record(const std::filesystem::path& output, std::string_view from,
                                                const document::OpenOptions& open);
[[nodiscard]] Result<> save_record(const std::filesystem::path& output, std::string_view from, std::string_view result,
                                   const document::OpenOptions& open);

/// Results of an earlier run that are still true.
class Earlier {
 public:
  /// Lines of `command` that have a key, by their uri. A file that is not there is an empty one; lines that are none are passed over.
  [[nodiscard]] static Result<Earlier> read(const std::filesystem::path& path, std::string_view command);
  struct Known {
    int status = 0;
    std::string result;
  };
  /// Nothing where the file is new or its key is another one.
  [[nodiscard]] const Known* find(std::string_view uri, std::string_view key) const;

 private:
  std::map<std::string, std::pair<std::string, Known>, std::less<>> lines_;
};

/// The results of one command.
struct CommandSummary {
  struct Code {
    Severity severity = Severity::error;
    std::uint64_t findings = 0;
    std::uint64_t files = 0;
  };
  struct Bad {
    std::uint64_t number = 0;
    std::string uri;
    int status = 0;
    std::array<std::uint64_t, 4> counts{};
    std::string error;  ///< the error line of a file that could not be worked on
  };
  struct Duplicate {
    std::uint64_t number = 0;
    std::string uri;
    std::uint64_t times = 0;
  };
  struct MissingShard {
    Shard shard;
    std::uint64_t missing = 0;
    std::uint64_t files = 0;
  };

  std::uint64_t files = 0;    ///< that there are to be
  std::uint64_t results = 0;  ///< of them, with a line
  std::map<std::string, std::uint64_t, std::less<>> did;
  std::map<int, std::uint64_t> status;    ///< files by exit status
  std::array<std::uint64_t, 4> counts{};  ///< findings by severity
  std::map<std::string, Code, std::less<>> codes;
  std::vector<Bad> bad;                      ///< files with errors or another status than 0, by number
  std::vector<Duplicate> duplicates;         ///< done more than once, by number; failed and unchanged ones are not done again
  std::vector<MissingShard> missing_shards;  ///< where all lines are of one division into shards
  std::vector<std::uint64_t> lists;          ///< lengths, where lines are of lists of different lengths
};

struct Summary {
  struct Broken {
    std::string file;
    std::uint64_t line = 0;
    std::string why;
  };
  std::map<std::string, CommandSummary, std::less<>> commands;
  std::vector<Broken> broken;  ///< lines that are no result, or that contradict another one

  [[nodiscard]] bool complete() const;  ///< every file of every list has its result, once; not where there is no result at all
  [[nodiscard]] bool clean() const;     ///< no file is bad
};

/// Reads files of lines ("-": standard input), in any order. Of several lines about one file that counts which did the most. The result
/// does not depend on how the work was divided. Failure::input where a file cannot be read.
[[nodiscard]] Result<Summary> summarize(std::span<const std::string> paths);
[[nodiscard]] std::string to_json(const Summary& summary);

}  // namespace sinew::batch

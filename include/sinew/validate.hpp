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
  [[nodiscard]] bool reach(Severity least) const;
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
  [[nodiscard]] std::string_view name_of(const Finding& finding) const;
};

/// Checks one file. Fails only if it cannot be opened. Safe to call from several threads.
[[nodiscard]] Result<Report> check_file(const std::filesystem::path& path, const Options& options);

/// Checks files on up to `threads` threads (0: all cores); results are in the order of `paths`. `done` receives the number of
/// checked files, from one thread at a time.
[[nodiscard]] std::vector<Result<Report>> check_files(std::span<const std::filesystem::path> paths, const Options& options,
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
[[nodiscard]] Grouped group_findings(const Report& report, GroupBy by, std::optional<std::uint64_t> most = {});

/// The number of times that a code was found.
struct CodeCount {
  std::string_view code;
  Severity severity = Severity::error;
  std::uint64_t findings = 0;
  std::uint64_t files = 0;
};
/// The codes of all listed findings, the most severe and most frequent first.
[[nodiscard]] std::vector<CodeCount> count_codes(std::span<const Report> reports);

/// The models in a folder.
struct FoundModels {
  std::vector<std::filesystem::path> files;  ///< sorted
  std::size_t outside = 0;                   ///< links to models and folders outside of the folder, which were left out
};
/// Finds the model files (.gltf .glb .vrm .g4tf .g4b, in any case) in a folder and all folders below it. Visits each folder once. Follows
/// links within the folder, and with `allow_outside` all links. Failure::input if a folder cannot be read.
[[nodiscard]] Result<FoundModels> models_in(const std::filesystem::path& folder, bool allow_outside = false);

/// Writes the report as JSON text, in the shape of the Khronos glTF-Validator's reports with `modelIssues` beside `issues`, and `line`,
/// `column` and `byte` in messages.
[[nodiscard]] std::string to_json(const Report& report);
/// Returns {"reports": […], "summary": {…}}; `unreadable`: the number of files without a report.
[[nodiscard]] std::string to_json(std::span<const Report> reports, std::uint64_t unreadable);
/// Returns a log in the Static Analysis Results Interchange Format 2.1.0; `unreadable`: why files and folders have no report.
[[nodiscard]] std::string to_sarif(std::span<const Report> reports, std::span<const Error> unreadable);

}  // namespace sinew::validate

/// Batch work: shares for many processes, one line of JSON per file, and checks whether outputs are up to date.
namespace sinew::batch {

/// A share of a list of files: the numbers index, index + count, index + 2 count, … (counted from 1).
struct Shard {
  std::size_t index = 1;
  std::size_t count = 1;
};

/// Parses "K/N" with 1 <= K <= N <= 1,000,000; returns nothing for any other text.
[[nodiscard]] std::optional<Shard> parse_shard(std::string_view text);

/// A file to work on.
struct Item {
  std::filesystem::path path;
  std::filesystem::path below;  ///< the path from the listed folder; the file name if the file itself was listed
  std::size_t number = 0;       ///< position in the list, from 1
};

/// The files behind a list of paths.
struct List {
  std::vector<Item> items;
  bool many = false;                                                   ///< several paths or a folder were given
  std::vector<Error> unreadable;                                       ///< folders that cannot be read
  std::vector<std::filesystem::path> empty;                            ///< folders without a model
  std::vector<std::pair<std::filesystem::path, std::size_t>> outside;  ///< folders with links out of them, which were left out
};

enum class Order : std::uint8_t {
  named,  ///< as on the command line, the files of a folder sorted
  sorted  ///< by the bytes of their paths: the same in every process
};

/// Lists the given files and the models in the given folders (validate::models_in), each once.
[[nodiscard]] List list_models(std::span<const std::string> paths, Order order, bool allow_outside = false);

/// Returns the files of a shard, in the order of the list.
[[nodiscard]] std::vector<Item> share_of(std::span<const Item> items, Shard shard);

/// Returns the output path of each item: the same relative path below `folder`, with `extension` instead of its own (empty: unchanged).
/// Failure::usage if two outputs are the same file, if an output is an item, or if `folder` lies in one of `searched`, so that the next run
/// would read outputs as inputs.
[[nodiscard]] Result<std::vector<std::filesystem::path>> output_paths(std::span<const Item> items, const std::filesystem::path& folder,
                                                                      std::string_view extension, std::span<const std::string> searched);

/// Checks the files that a call is about to write: none may be an input or another output, also by another path or a link, or a file that
/// an input refers to (a buffer, an image). `inputs`: files, or folders with models. "-" and what is no regular file are ignored.
/// Failure::usage.
[[nodiscard]] Result<> check_outputs(std::span<const std::string> inputs, std::span<const std::filesystem::path> outputs,
                                     const document::OpenOptions& open);

/// Calls work(i) for every i below `count` on up to `threads` threads (0: all cores), and emit(i) in ascending order, never twice at
/// once, as soon as all earlier ones are done. Neither may throw.
void in_order(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work,
              const std::function<void(std::size_t)>& emit);

/// The outcome for a file.
enum class Did : std::uint8_t { checked, told, written, unchanged, failed, refused };
[[nodiscard]] std::string_view to_string(Did did);

/// One result, as --jsonl writes it.
struct Line {
  std::string_view command;
  const Item* item = nullptr;
  std::size_t total = 0;  ///< files of all shards
  Shard shard;
  Did did = Did::checked;
  int status = 0;              ///< the exit status for this file alone
  std::string key;             ///< content_key; empty if not requested
  std::string result;          ///< JSON text of an object; empty: none
  std::optional<Error> error;  ///< why it failed
};

/// Writes a line of JSON with its newline. Invalid UTF-8 in paths is replaced.
[[nodiscard]] std::string to_json_line(const Line& line);

/// Writes lines to standard output, one system call each, so that lines of several processes do not mix; or to a file that appears whole at
/// `finish`. Failure::output.
class LineWriter {
 public:
  /// Empty or "-": standard output.
  [[nodiscard]] static Result<LineWriter> create(const std::filesystem::path& path, OutputName name = OutputName::given);
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

/// Hashes everything that a result depends on (XXH3, 128 bits, 32 hexadecimal digits): the bytes of the file, of its buffers and of its
/// images (or their absence), `options`, and the version of the library. Failure::input if the file cannot be read.
[[nodiscard]] Result<std::string> content_key(const std::filesystem::path& path, std::string_view options,
                                              const document::OpenOptions& open);

/// The record of an output, stored beside it as ".NAME.sinew".
struct Record {
  std::string from;    ///< content_key of the input, with the options
  std::string to;      ///< content_key of the output, without, and the bytes of the files beside it
  std::string result;  ///< Line::result
};
/// Returns the record of an output if the output and the files beside it are unchanged since then and input and options are the same.
[[nodiscard]] std::optional<Record> find_record(const std::filesystem::path& output, std::string_view from,
                                                const document::OpenOptions& open);
/// `beside`: other files that belong to the output, in its folder; not the buffers and images that it names.
[[nodiscard]] Result<> save_record(const std::filesystem::path& output, std::string_view from, std::string_view result,
                                   std::span<const std::filesystem::path> beside, const document::OpenOptions& open);

/// Results of an earlier run that are still valid.
class Earlier {
 public:
  /// Reads the lines of `command` that have a key. A missing file counts as empty; invalid lines are skipped.
  [[nodiscard]] static Result<Earlier> read(const std::filesystem::path& path, std::string_view command);
  struct Known {
    int status = 0;
    std::string result;
  };
  /// Returns nullptr if the file is new or its key has changed.
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
    std::string error;  ///< the error line of a failed file
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

  std::uint64_t files = 0;    ///< the expected number
  std::uint64_t results = 0;  ///< files with a line
  std::map<std::string, std::uint64_t, std::less<>> did;
  std::map<int, std::uint64_t> status;    ///< files by exit status
  std::array<std::uint64_t, 4> counts{};  ///< findings by severity
  std::map<std::string, Code, std::less<>> codes;
  std::vector<Bad> bad;                      ///< files with errors or another status than 0, by number
  std::vector<Duplicate> duplicates;         ///< completed more than once, by number; failed and unchanged results do not count
  std::vector<MissingShard> missing_shards;  ///< if all lines use the same number of shards
  std::vector<std::uint64_t> lists;          ///< lengths, if the lines come from lists of different lengths
};

struct Summary {
  struct Broken {
    std::string file;
    std::uint64_t line = 0;
    std::string why;
  };
  std::map<std::string, CommandSummary, std::less<>> commands;
  std::vector<Broken> broken;  ///< lines that are no results or contradict other lines

  [[nodiscard]] bool complete() const;  ///< every file of every list has exactly one result, and there is a result
  [[nodiscard]] bool clean() const;     ///< no file is bad
};

/// Reads files of lines ("-": standard input), in any order. Of several lines about one file, the one with the most work counts. The
/// result does not depend on the division of the work. Failure::input if a file cannot be read.
[[nodiscard]] Result<Summary> summarize(std::span<const std::string> paths);
[[nodiscard]] std::string to_json(const Summary& summary);

}  // namespace sinew::batch

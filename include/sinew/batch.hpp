// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

/// Batch work: shares for many processes, one line of JSON per file, and checks whether outputs are up to date.
namespace sinew::batch {

/// A share of a list of files: the numbers index, index + count, index + 2 count, … (counted from 1).
struct Shard {
  std::size_t index = 1;
  std::size_t count = 1;
};

/// Parses "K/N" with 1 <= K <= N <= 1,000,000; returns nothing for any other text.
[[nodiscard]] std::optional<Shard> parse_shard(std::string_view text) noexcept;

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
[[nodiscard]] Result<List> list_models(std::span<const std::string> paths, Order order, bool allow_outside = false);

/// Returns the files of a shard, in the order of the list.
[[nodiscard]] Result<std::vector<Item>> share_of(std::span<const Item> items, Shard shard);

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
[[nodiscard]] Result<> in_order(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work,
                                const std::function<void(std::size_t)>& emit);

/// The outcome for a file.
enum class Did : std::uint8_t { checked, shown, written, unchanged, failed, refused };
[[nodiscard]] std::string_view to_string(Did did) noexcept;

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
[[nodiscard]] Result<std::string> to_json_line(const Line& line);

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
[[nodiscard]] Result<std::optional<Record>> find_record(const std::filesystem::path& output, std::string_view from,
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
  [[nodiscard]] const Known* find(std::string_view uri, std::string_view key) const noexcept;

 private:
  std::map<std::string, std::pair<std::string, Known>, std::less<>> lines_;
};

/// The results of one command.
struct CommandSummary {
  struct Code {
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
  std::map<std::pair<Severity, std::string>, Code> codes;
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

  [[nodiscard]] bool complete() const noexcept;  ///< every file of every list has exactly one result, and there is a result
  [[nodiscard]] bool clean() const noexcept;     ///< no file is bad
};

/// Reads files of lines ("-": standard input), in any order. Of several lines about one file, the one with the most work counts. The
/// result does not depend on the division of the work. Failure::input if a file cannot be read.
[[nodiscard]] Result<Summary> summarize(std::span<const std::string> paths);
[[nodiscard]] Result<std::string> to_json(const Summary& summary);

}  // namespace sinew::batch

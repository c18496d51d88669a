// SPDX-License-Identifier: MIT
#pragma once

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
#include "sinew/result.hpp"

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

}  // namespace sinew::batch

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command.hpp"

#include "sinew/batch.hpp"

namespace app {

/// Options of commands for many files.
struct Many {
  std::optional<sinew::batch::Shard> shard;
  bool jsonl = false;
  bool if_changed = false;

  [[nodiscard]] bool any() const { return shard || jsonl || if_changed; }
};

void add_many(Command command, Many& many);

/// The outcome of one file.
struct Outcome {
  sinew::batch::Did did = sinew::batch::Did::checked;
  int status = Exit::done;
  std::string key;
  std::string result;                   ///< JSON text of an object
  std::optional<sinew::Error> error;    ///< with `failed`
  std::vector<sinew::Finding> changes;  ///< printed with the name of the file
  std::string talk;
  std::vector<std::filesystem::path> beside = {};  ///< files that belong to the one that write_many has named
};

/// Runs `work` for a file. Returns the error of the deadline if that ended it outside of the library.
[[nodiscard]] std::optional<sinew::Error> run_in_time(const std::filesystem::path& file, const std::function<void()>& work);
/// Adds the file to the error of a limit, as not every function knows it.
void name_file(sinew::Error& error, const std::filesystem::path& file);

[[nodiscard]] Outcome failed(sinew::Error error);

/// The files of a command line in the current shard. Unreadable folders are reported and raise `status`. Links that lead
/// out of a folder are left out and reported.
struct Share {
  std::vector<sinew::batch::Item> items;
  std::size_t total = 0;
  bool many = false;
  std::vector<sinew::Error> unreadable;  ///< why folders could not be searched
  int status = Exit::done;
};
/// Says how many links that lead out of a folder the search left out.
void warn_of_links(const sinew::batch::List& list, const Terminal& terminal);

[[nodiscard]] Share share_of(const std::vector<std::string>& paths, const Many& many, const Common& common);
[[nodiscard]] Share share_of(sinew::batch::List list, const Many& many, const Common& common);

/// Returns "2 errors, 1 warning", by severity; empty if there are none.
[[nodiscard]] std::string counted(const std::array<std::uint64_t, 4>& counts);

/// Runs `work` for every file on threads, and prints messages, or lines of JSON to standard output or `output`. Returns the highest exit
/// status.
[[nodiscard]] int run_many(const Command& command, const Share& share, const Many& many, const Common& common, const std::string& output,
                           const std::function<Outcome(std::size_t)>& work);

/// Same as run_many, for commands that write no files: --if-changed reuses valid results in `output`. `make` leaves the key empty.
[[nodiscard]] int read_many(const Command& command, const Share& share, const Many& many, const Common& common, const std::string& output,
                            const std::function<Outcome(const std::filesystem::path&)>& make);

/// Returns whether --output is a file name: there is one input, it is not a folder, and the name has the extension of a model, or
/// `extension`. An existing folder with that name counts as a folder.
[[nodiscard]] bool names_file(const std::vector<std::string>& inputs, const std::string& output, std::string_view extension = {});

/// The same for any extension, also for one that the command does not write.
[[nodiscard]] bool names_any_file(const std::vector<std::string>& inputs, const std::string& output);

/// Returns who chose the names of the files that write_many writes.
[[nodiscard]] sinew::OutputName output_name(const std::vector<std::string>& inputs, const std::string& output);

/// Same as run_many, for commands that write one file per input into `folder`, with another extension if one is given. `folder` may be the
/// output file for a single input (names_file). `endings`: of further files beside each one, instead of its extension. `write` returns the
/// outcome of (from, to), or `failed`.
[[nodiscard]] int write_many(const Command& command, const std::vector<std::string>& paths, const Many& many, const Common& common,
                             const std::string& folder, const std::string& extension, const std::vector<std::string>& endings,
                             const std::function<Outcome(const std::filesystem::path&, const std::filesystem::path&)>& write);

/// Returns the given options that affect results, as text.
[[nodiscard]] std::string options_text(const Command& command);

}  // namespace app

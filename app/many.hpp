// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command.hpp"

#include "sinew/validate.hpp"

namespace app {

/// The options of commands over many files.
struct Many {
  std::optional<sinew::batch::Shard> shard;
  bool jsonl = false;
  bool if_changed = false;

  [[nodiscard]] bool any() const { return shard || jsonl || if_changed; }
};

void add_many(Command command, Many& many);

/// What became of one file.
struct Outcome {
  sinew::batch::Did did = sinew::batch::Did::checked;
  int status = Exit::done;
  std::string key;
  std::string result;                   ///< JSON text of an object
  std::optional<sinew::Error> error;    ///< with `failed`
  std::vector<sinew::Finding> changes;  ///< told with the file's name
  std::string talk;
};

[[nodiscard]] Outcome failed(sinew::Error error);

/// The files of a command line as its shard has them; what cannot be searched is told, and raises `status`.
struct Share {
  std::vector<sinew::batch::Item> items;
  std::size_t total = 0;
  bool many = false;
  std::vector<sinew::Error> unreadable;  ///< why folders could not be searched
  int status = Exit::done;
};
[[nodiscard]] Share share_of(const std::vector<std::string>& paths, const Many& many, const Terminal& terminal);
[[nodiscard]] Share share_of(sinew::batch::List list, const Many& many, const Terminal& terminal);

/// Does `work` for every file, on threads, and prints: lines of JSON to standard output or `output`, or what was done. Returns the exit
/// status: the highest of all.
[[nodiscard]] int run_many(const Command& command, const Share& share, const Many& many, const Common& common, const std::string& output,
                           const std::function<Outcome(std::size_t)>& work);

/// run_many for commands that write no files: with --if-changed what `output` holds of the last time is taken over where it is still true.
/// `make` leaves the key empty.
[[nodiscard]] int read_many(const Command& command, const Share& share, const Many& many, const Common& common, const std::string& output,
                            const std::function<Outcome(const std::filesystem::path&)>& make);

/// Whether --output names a file rather than a folder: there is one input, no folder, and the name has the extension of a model. A folder
/// of that name stays a folder.
[[nodiscard]] bool names_file(const std::vector<std::string>& inputs, const std::string& output);

/// run_many for commands that write a file for each of theirs, into `folder`, with another extension where one is given. `folder` may be
/// the file of the only input (names_file). `write` makes
/// the outcome of (from, to), or `failed`.
[[nodiscard]] int write_many(const Command& command, const std::vector<std::string>& paths, const Many& many, const Common& common,
                             const std::string& folder, const std::string& extension,
                             const std::function<Outcome(const std::filesystem::path&, const std::filesystem::path&)>& write);

/// The options given on the command line that results depend on, as text.
[[nodiscard]] std::string options_text(const Command& command);

}  // namespace app

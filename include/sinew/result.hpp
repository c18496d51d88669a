// SPDX-License-Identifier: MIT
#pragma once

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// The kind of a failure. The program maps each kind to one exit status (in brackets).
enum class Failure : std::uint8_t {
  usage,        ///< the request does not fit the file: an unknown clip, an ambiguous name (2)
  input,        ///< a file is missing, broken or refused (3)
  limit,        ///< a limit or memory ran out; the message names the limit and its option (3)
  output,       ///< the result could not be written; nothing was left behind (4)
  unsupported,  ///< the file is valid, but this build or this CPU lacks a feature: an extension, a kernel (5)
  deadline,     ///< the time of a Deadline is over (3)
  cancelled,    ///< the `stop` of a Deadline asked for the end (3)
};

/// Returns whether more memory, a higher limit or more time can help: limit, deadline and cancelled.
[[nodiscard]] constexpr bool is_limit(Failure failure) {
  return failure == Failure::limit || failure == Failure::deadline || failure == Failure::cancelled;
}

/// A place in the input: a JSON pointer (RFC 6901), a byte offset in the container, or neither.
struct Place {
  std::string file;                     ///< the path as the caller gave it; empty if there is no file
  std::optional<std::string> pointer;   ///< into the JSON text
  std::optional<std::uint64_t> offset;  ///< bytes from the start of the container
};

/// One failure with its place. `code` is a name of the findings catalogue (result.hpp).
struct Error {
  Failure failure = Failure::input;
  std::string code;
  Place place;
  std::string message;  ///< one line: what was found, what was expected

  /// "FILE: PLACE: MESSAGE [CODE]", one line, no newline at its end; "out of memory" if there is none for it.
  [[nodiscard]] std::string line() const noexcept;
};

/// A value or an error. No public function throws. One that allocates returns a Result: Failure::limit SINEW_NO_MEMORY where memory runs
/// out, and a failure of its own at a Deadline; all others are noexcept. Objects that own more than plain data can be moved without
/// allocating, and share their state when copied or have `clone`. Plain data (Model, Pose, Affine, Rotor, options and reports) are standard
/// containers to the language: only making and copying them throws std::bad_alloc, as those do. docs/cpp.md says what is different without
/// exceptions.
template <class T = void>
using Result = tl::expected<T, Error>;

using Unexpected = tl::unexpected<Error>;

/// The four severities of the Khronos glTF-Validator, with its numbers.
enum class Severity : std::uint8_t { error = 0, warning = 1, information = 2, hint = 3 };

[[nodiscard]] std::string_view to_string(Severity severity) noexcept;

/// The line and column of a JSON value. In a binary container, lines count from the start of the JSON chunk.
struct Position {
  std::uint64_t line = 1;
  std::uint64_t column = 1;           ///< in characters (Unicode code points), from 1
  std::optional<std::uint64_t> byte;  ///< from the start of the file; empty if the text was decompressed
  bool operator==(const Position&) const = default;
};

/// The size of a defect. Findings with the same code are compared by it.
struct Measure {
  double off = 0;            ///< distance between the value and what the rule expects
  std::string_view of = {};  ///< the measured objects, in the plural: "vertices"; a static string
};

/// One result of a check. `code` points into the findings catalogue and is valid as long as the program runs.
struct Finding {
  std::string_view code;
  Severity severity = Severity::error;
  std::string pointer;                  ///< JSON pointer; meaningful when `offset` is empty
  std::optional<std::uint64_t> offset;  ///< byte offset in the container, for findings outside the JSON text
  std::string message;
  std::optional<Measure> measure = {};
  std::optional<Position> position = {};  ///< of the value; only validate fills it
  std::uint32_t value = 0;  ///< the value that it is about, as a SourceId of the file's model; 0: the file, or known by `pointer` only
};

/// Receives findings in the order in which they are found. Never called from several threads at once. `add` may throw std::bad_alloc: the
/// function that found it then ends with SINEW_NO_MEMORY.
class FindingSink {
 public:
  virtual ~FindingSink() = default;
  virtual void add(Finding finding) = 0;
};

/// Stores all findings.
class FindingList final : public FindingSink {
 public:
  void add(Finding finding) override;
  [[nodiscard]] const std::vector<Finding>& list() const { return list_; }

 private:
  std::vector<Finding> list_;
};

/// A row of the findings catalogue.
struct CatalogueRow {
  std::string_view code;
  Severity severity;
  std::string_view message;  ///< fmt template; arguments are checked against it at compile time
};
/// Returns the row of a code, or nullptr if the code does not exist.
[[nodiscard]] const CatalogueRow* find_code(std::string_view code) noexcept;
[[nodiscard]] std::span<const CatalogueRow> all_codes() noexcept;

/// Explains the rule behind a code, in whole sentences.
struct Explanation {
  std::string_view code;
  std::string_view formats;         ///< "glTF 2.0", "G4MF", "G4MF 2026-07", "STAIK_skeletons", "any model"; "program": no rule about files
  std::string_view why;             ///< the rule, and the consequence of breaking it
  std::string_view mend;            ///< how to fix it
  std::string_view source;          ///< document and section of the rule
  std::string_view unchecked = {};  ///< why no program can check the rule; empty = it is checked
};
/// Returns nullptr if the code does not exist.
[[nodiscard]] const Explanation* explain(std::string_view code) noexcept;

/// Returns the command that fixes a finding with this code: "sinew repair IN -o OUT". Empty if no command does.
[[nodiscard]] std::string_view fix_of(std::string_view code) noexcept;

/// Limits on untrusted files. Exceeding one is Failure::limit; the message names the member and the program's option.
struct Limits {
  std::uint64_t memory = std::uint64_t{2} << 30;     ///< bytes allocated for one model's data, mapped files not counted
  std::uint64_t json_size = std::uint64_t{1} << 30;  ///< bytes of JSON text
  std::uint64_t json_depth = 512;                    ///< nesting of JSON values
  std::uint64_t node_depth = 4096;                   ///< nesting of nodes
  std::uint64_t dimension = 16;                      ///< dimension of the space
  std::uint64_t expansion = 1000;                    ///< decoded bytes per stored byte of compressed data, beyond the first 64 MiB
  std::uint64_t work = 1'000'000'000;                ///< steps (some nanoseconds) of loops over products of counts; 20 % more per MB
  std::uint64_t findings = 10000;                    ///< findings kept about one file; SINEW_FINDINGS_DROPPED counts the rest
};

/// A member of Limits, for options and pages.
struct LimitRow {
  std::string_view name;  ///< name of the member and of the option: --limit NAME=N
  std::uint64_t Limits::* member = nullptr;
  std::string_view what;                                           ///< what is limited
  std::string_view code;                                           ///< of the error or finding that reports it
  bool bytes = false;                                              ///< the unit is bytes
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();  ///< the largest accepted value
};

/// Every member, in order.
[[nodiscard]] std::span<const LimitRow> all_limits() noexcept;

/// How files are read into memory.
enum class FileAccess : std::uint8_t {
  automatic,  ///< files under 256 KiB are read, larger ones mapped read-only
  copy,       ///< always read: for files that others may shorten while the model lives (a mapping would then fault)
};

/// Who chose the name of an output. Where a symbolic link, a pipe or a device has that name, it is written through, or replaced by the
/// file.
enum class OutputName : std::uint8_t {
  given,  ///< by the user: links are followed
  made,   ///< by the program, from other names: links are replaced, because a stranger may have put them there
};

/// Returns the Damerau–Levenshtein distance (optimal string alignment) in bytes. Letters are compared without case.
[[nodiscard]] Result<std::size_t> edit_distance(std::string_view a, std::string_view b);

/// Returns the candidate nearest to `wanted`, if its distance is at most a third of the length (at least 1).
[[nodiscard]] Result<std::optional<std::string>> nearest_name(std::string_view wanted, const std::vector<std::string_view>& candidates);

/// Returns the extension of a file name with its dot, ASCII letters in lower case: ".glb" for "Arm.GLB"; empty if there is none.
[[nodiscard]] Result<std::string> file_extension(const std::string& file);

/// Returns the semantic version of the running library, "MAJOR.MINOR.PATCH".
[[nodiscard]] std::string_view version() noexcept;

}  // namespace sinew

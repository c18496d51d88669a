// SPDX-License-Identifier: MIT
#pragma once

#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace sinew {

/// Why a call did not deliver. The program maps each to one exit status (in brackets).
enum class Failure : std::uint8_t {
  usage,        ///< what was asked for makes no sense for this file: unknown clip, ambiguous name (2)
  input,        ///< a file is missing, broken or refused (3)
  limit,        ///< a limit or memory ran out; the message names the limit and its option (3)
  output,       ///< the result could not be written; nothing was left behind (4)
  unsupported,  ///< the file is fine, this build cannot do it: required extension, kernel (5)
};

/// Where in the input something is: a JSON pointer (RFC 6901) or a byte offset in the container, or neither.
struct Place {
  std::string file;                     ///< as the caller named it; empty when there is no file
  std::optional<std::string> pointer;   ///< into the JSON text
  std::optional<std::uint64_t> offset;  ///< bytes from the start of the container
};

/// One failure with its place. `code` is a name of the findings catalogue (finding.hpp).
struct Error {
  Failure failure = Failure::input;
  std::string code;
  Place place;
  std::string message;  ///< one line: what was found, what was expected

  /// "FILE: PLACE: MESSAGE [CODE]", one line, no newline at its end.
  [[nodiscard]] std::string line() const;
};

/// A value, or the reason why there is none. Public functions never throw: running out of memory becomes Failure::limit.
template <class T = void>
using Result = tl::expected<T, Error>;

using Unexpected = tl::unexpected<Error>;

}  // namespace sinew

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace sinew {

/// What a file from a stranger may cost. Exceeding one is Failure::limit and names the member and the program's option.
struct Limits {
  std::uint64_t memory = std::uint64_t{2} << 30;     ///< bytes allocated for one model's data, mapped files not counted
  std::uint64_t json_size = std::uint64_t{1} << 30;  ///< bytes of JSON text
  std::uint64_t json_depth = 512;                    ///< nesting of JSON values
  std::uint64_t node_depth = 4096;                   ///< nesting of nodes
  std::uint64_t dimension = 16;                      ///< dimension of the space
  std::uint64_t expansion = 1000;                    ///< decoded bytes per stored byte of compressed data, beyond the first 64 MiB
  std::uint64_t findings = 10000;                    ///< findings kept about one file; SINEW_FINDINGS_DROPPED counts the rest
};

/// A member of Limits, for options and pages.
struct LimitRow {
  std::string_view name;  ///< of the member, and of the option: --limit NAME=N
  std::uint64_t Limits::* member = nullptr;
  std::string_view what;                                           ///< what is limited
  std::string_view code;                                           ///< of the error or the finding that tells
  bool bytes = false;                                              ///< its unit
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();  ///< what it can be raised to
};

/// Every member, in order.
[[nodiscard]] std::span<const LimitRow> all_limits();

/// How files are brought into memory.
enum class FileAccess : std::uint8_t {
  automatic,  ///< files under 64 KiB are read, larger ones mapped read-only
  copy,       ///< always read: for files that others may shorten while the model lives (a mapping would then fault)
};

}  // namespace sinew

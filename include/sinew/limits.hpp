// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew {

/// What a file from a stranger may cost. Exceeding one is Failure::limit and names the member and the program's option.
struct Limits {
  std::uint64_t memory = std::uint64_t{2} << 30;     ///< bytes allocated for one model's data, mapped files not counted (--max-memory)
  std::uint64_t json_size = std::uint64_t{1} << 30;  ///< bytes of JSON text
  std::uint32_t json_depth = 512;                    ///< nesting of JSON values
  std::uint32_t node_depth = 4096;                   ///< nesting of nodes
  std::uint32_t dimension = 16;                      ///< dimension of the space
  std::uint64_t findings = 10000;                    ///< findings kept about one file; SINEW_FINDINGS_DROPPED counts the rest
};

/// How files are brought into memory.
enum class FileAccess : std::uint8_t {
  automatic,  ///< files under 64 KiB are read, larger ones mapped read-only
  copy,       ///< always read: for files that others may shorten while the model lives (a mapping would then fault)
};

}  // namespace sinew

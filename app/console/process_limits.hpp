// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

// Clang has no macros for them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif

namespace app {

/// Limits the memory of the process, with all of its libraries: `models` times `bytes` more than it has now, and room for the stacks of
/// `threads`. An allocation beyond fails (SINEW_NO_MEMORY). The limits of single arrays and outputs give better messages, but one of them
/// may be missing. Does nothing where the system cannot do it, and in builds with a sanitizer, which needs more memory itself.
void limit_memory(std::uint64_t bytes, std::uint64_t models, unsigned threads);

}  // namespace app

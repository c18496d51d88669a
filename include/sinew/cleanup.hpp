// SPDX-License-Identifier: MIT
// For programs that are about to be ended by a signal. What a signal handler must find is the library's only mutable global state.
#pragma once

namespace sinew::document {

/// Removes the temporary files of outputs that are not whole yet. May be called in a signal handler. The process must end after it:
/// an output that begins later waits for ever.
void remove_unfinished_outputs() noexcept;

/// The path of the mapped input file that `address` lies in, as it was opened (cut after 4095 bytes); nullptr where there is none. For
/// handlers of SIGBUS, which the system raises where a mapped file has been shortened. May be called in a signal handler.
[[nodiscard]] const char* mapped_file_at(const void* address) noexcept;

}  // namespace sinew::document

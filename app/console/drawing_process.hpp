// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

namespace app {

/// Runs a command that draws in a child process, and returns its exit status. A driver of OpenGL may end its process where memory ends
/// (`ulimit -v`), or by an error of its own: then this prints one line, and the status is that of a broken input. Signals that end the
/// program end the child first, which removes what is unfinished; other signals that end the child end the program, too. Precondition: the
/// program has no other threads yet. Without a child (no more processes are allowed), runs the command here.
int run_drawing(const std::function<int()>& action);

}  // namespace app

// SPDX-License-Identifier: MIT
#include "console/drawing_process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "console/signals.hpp"
#include "console/terminal.hpp"

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace app {

namespace {

bool is_crash(int signal) {
  return signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGILL || signal == SIGFPE || signal == SIGTRAP;
}

int status_of(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const int signal = WTERMSIG(status);
  if (!is_crash(signal)) {
    std::signal(signal, SIG_DFL);
    ::raise(signal);
  }
  std::fprintf(stderr,
               "sinew: the process that draws ended by signal %d: the driver of OpenGL may need more memory than the system allows (see "
               "ulimit -v, and --max-memory) [SINEW_NO_MEMORY]\n",
               signal);
  return Exit::input;
}

}  // namespace

int run_drawing(const std::function<int()>& action) {
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = fork_and_pass_signals();
  if (child < 0) return action();
  if (child == 0) {
#ifdef __linux__
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(Exit::output);
#endif
    return action();
  }
  int status = 0;
  pid_t ended = 0;
  do ended = ::waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  passed_child_ended();
  return ended == child ? status_of(status) : static_cast<int>(Exit::input);
}

}  // namespace app

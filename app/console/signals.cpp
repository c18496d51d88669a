// SPDX-License-Identifier: MIT
#include "console/signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>

#include "console/hidden_text.hpp"
#include "console/terminal.hpp"

#include "sinew/deadline.hpp"
#include "sinew/document.hpp"

namespace app {

namespace {

// The functions below must be async-signal-safe.

void put(const char* text) { [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text)); }

void put_printable(std::string_view text) {
  while (!text.empty()) {
    const Character next = first_character(text);
    [[maybe_unused]] const auto written =
        next.is_hidden() ? ::write(STDERR_FILENO, "?", 1) : ::write(STDERR_FILENO, text.data(), next.bytes);
    text.remove_prefix(next.bytes);
  }
}

// SA_RESETHAND: raising the signal again has the default effect.
void end(int signal) {
  sinew::document::remove_unfinished_outputs();
  ::raise(signal);
}

void end_by_shortened_file(int, siginfo_t* info, void*) {
  sinew::document::remove_unfinished_outputs();
  const char* file = sinew::document::mapped_file_at(info->si_addr);
  if (file == nullptr) return;  // another cause: the access fails again, without a handler
  put("sinew: ");
  put_printable(file);
  put(": the file became shorter or unreadable while the program used it [IO_ERROR]\n");
  ::_exit(Exit::input);
}

// The end of memory where no handler of exceptions can be: in a destructor that allocates, as that of nlohmann::json, or in a thread.
[[noreturn]] void end_by_exception() {
  sinew::document::remove_unfinished_outputs();
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    put(sinew::Deadline::over() ? out_of_time : out_of_memory);
    ::_exit(Exit::input);
  } catch (...) {
    put("sinew: internal error\n");
  }
  std::abort();
}

}  // namespace

void handle_signals() {
  std::set_terminate(end_by_exception);
  struct sigaction action{};
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  action.sa_handler = end;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction before{};
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_SIGINFO);
  action.sa_sigaction = end_by_shortened_file;
  ::sigaction(SIGBUS, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    // `open` returns the lowest free number, which is `stream`. Errors cannot be reported here, but later writes fail.
    const int opened = ::open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : stream == STDIN_FILENO ? O_WRONLY : O_RDWR);
    if (opened != stream && opened >= 0) ::close(opened);
  }
}

}  // namespace app

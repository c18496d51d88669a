// SPDX-License-Identifier: MIT
#include "console/signals.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
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

constexpr std::array signals_that_end = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

constexpr std::size_t most_groups = 1024;            // as threads
std::array<std::atomic<pid_t>, most_groups> groups;  // of children; 0: none
std::atomic<int> starting = 0;                       // children that start and have no group here yet
std::atomic<bool> ending = false;
std::atomic<const char*> folder_to_remove = nullptr;
std::atomic<pid_t> passed_to = 0;  // the child that gets the signals; 0: none
static_assert(std::atomic<pid_t>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);

/// Replaces the first `old` in the list of groups; false if there is none.
bool replace_group(pid_t old, pid_t group) {
  return std::ranges::any_of(groups, [&](std::atomic<pid_t>& known) {
    pid_t expected = old;
    return known.compare_exchange_strong(expected, group);
  });
}

// glibc's fork may wait for a lock that the interrupted thread has.
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
pid_t fork_in_handler() { return ::_Fork(); }
#else
pid_t fork_in_handler() { return ::fork(); }
#endif

/// Removes what is unfinished: outputs, children, the temporary folder. A child that another thread is starting is waited for.
void clean_up() {
  sinew::document::remove_unfinished_outputs();
  ending = true;
  constexpr timespec pause{0, 1'000'000};
  for (int i = 0; i < 1000 && starting != 0; ++i) ::nanosleep(&pause, nullptr);
  for (const std::atomic<pid_t>& group : groups)
    if (const pid_t running = group.load(); running != 0) ::kill(-running, SIGKILL);
  if (const char* folder = folder_to_remove.load(); folder != nullptr && fork_in_handler() == 0) {
    ::execl("/bin/rm", "rm", "-rf", folder, nullptr);
    ::_exit(Exit::output);
  }
}

// SA_RESETHAND: raising the signal again has the default effect.
void end(int signal) {
  if (const pid_t child = passed_to.load(); child != 0 && ::kill(child, signal) == 0) ::waitpid(child, nullptr, 0);
  clean_up();
  ::raise(signal);
}

void end_by_shortened_file(int, siginfo_t* info, void*) {
  clean_up();
  const char* file = sinew::document::mapped_file_at(info->si_addr);
  if (file == nullptr) return;  // another cause: the access fails again, without a handler
  put("sinew: ");
  put_printable(file);
  put(": the file became shorter or unreadable while the program used it [IO_ERROR]\n");
  ::_exit(Exit::input);
}

// The end of memory where no handler of exceptions can be: in a destructor that allocates or in a thread.
[[noreturn]] void end_by_exception() {
  clean_up();
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const sinew::Interrupted&) {
    put(out_of_time);
    ::_exit(Exit::input);
  } catch (const std::bad_alloc&) {
    put(out_of_memory);
    ::_exit(Exit::input);
  } catch (const tl::bad_expected_access<sinew::Error>&) {
    put(out_of_memory);
    ::_exit(Exit::input);
  } catch (...) {
    put("sinew: internal error\n");
  }
  std::abort();
}

void hold_signals(sigset_t& before) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals_that_end) sigaddset(&set, signal);
  ::pthread_sigmask(SIG_BLOCK, &set, &before);
}

}  // namespace

ChildGroup::ChildGroup() {
  hold_signals(old_mask_);
  ++starting;
}

bool ChildGroup::may_start() const { return !ending; }

void ChildGroup::started(pid_t group) {
  if (group != 0 && replace_group(0, group)) group_ = group;
  --starting;
  ::pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

ChildGroup::~ChildGroup() {
  if (group_ != 0) replace_group(group_, 0);
}

pid_t fork_and_pass_signals() {
  sigset_t before;
  hold_signals(before);
  const pid_t child = ::fork();
  if (child > 0) passed_to = child;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return child;
}

void passed_child_ended() { passed_to = 0; }

void remove_when_interrupted(const char* folder) { folder_to_remove = folder; }

void handle_signals() {
  std::set_terminate(end_by_exception);
  struct sigaction action{};
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  action.sa_handler = end;
  for (const int signal : signals_that_end) {
    struct sigaction before{};
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_SIGINFO);
  action.sa_sigaction = end_by_shortened_file;
  ::sigaction(SIGBUS, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);  // otherwise nothing says how a child ended
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

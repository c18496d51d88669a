// SPDX-License-Identifier: MIT
#include "console/terminal.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "sinew/deadline.hpp"

namespace app {

namespace {

// Ignores errors: work continues even if stderr cannot be written.
void to_stderr(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

/// Returns whether the stream is a pipe whose reader has ended.
bool has_no_reader(int stream) {
  pollfd state{stream, POLLOUT, 0};
  return ::poll(&state, 1, 0) == 1 && (state.revents & POLLERR) != 0;
}

}  // namespace

std::string quoted(const std::string& name) { return name.empty() ? "(unnamed)" : fmt::format("\"{}\"", printable(name)); }

std::string count_of(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

int exit_status(const sinew::Error& error) {
  switch (error.failure) {
    case sinew::Failure::usage:
      return Exit::usage;
    case sinew::Failure::input:
    case sinew::Failure::limit:
    case sinew::Failure::deadline:
    case sinew::Failure::cancelled:
      return Exit::input;
    case sinew::Failure::output:
      return Exit::output;
    case sinew::Failure::unsupported:
      return Exit::unsupported;
  }
  return Exit::input;
}

void Terminal::configure(ColorMode color, int verbosity) {
  verbosity_ = verbosity;
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool wanted = (no_color == nullptr || *no_color == '\0') && (term == nullptr || std::string_view(term) != "dumb");
  const auto on = [&](int descriptor) {
    return color == ColorMode::always || (color == ColorMode::automatic && wanted && isatty(descriptor) == 1);
  };
  color_out_ = on(STDOUT_FILENO);
  color_err_ = on(STDERR_FILENO);
  bars_ = verbosity >= 1 && isatty(STDERR_FILENO) == 1;
}

std::string Terminal::styled(std::string_view text, std::string_view style, bool on) {
  return on ? fmt::format("\x1b[{}m{}\x1b[0m", style, text) : std::string(text);
}

std::string Terminal::colored(std::string_view text, sinew::Severity severity) const {
  constexpr std::array<std::string_view, 4> styles = {"1;31", "1;33", "1;34", "2"};
  return styled(text, styles[static_cast<std::size_t>(severity)], color_out_);
}

int Terminal::fail(const sinew::Error& error) const {
  const sinew::Deadline unlimited(0);  // an allocation of the message must not meet the deadline that it reports
  if (error.failure == sinew::Failure::output && (error.place.file.empty() || error.place.file == "-") && has_no_reader(STDOUT_FILENO))
    return exit_status(error);  // as "sinew ... | head": nobody needs a message
  sinew::Error shown = error;
  if (shown.failure == sinew::Failure::usage) shown.code.clear();  // a usage error needs no code: its message is complete
  fail_usage(shown.line());
  return exit_status(error);
}

int Terminal::fail_usage(std::string_view message) const {
  to_stderr(fmt::format("{} {}\n", styled("sinew:", "1;31", color_err_), printable(message)));
  return Exit::usage;
}

void Terminal::warn(const std::string& line) const {
  if (verbosity_ >= 1) to_stderr(fmt::format("{} {}\n", styled("warning:", "1;33", color_err_), printable(line)));
}

void Terminal::say(const std::string& line) const { to_stderr(printable(line) + "\n"); }

Progress::Progress(const Terminal& terminal, std::string_view title, std::size_t total)
    : on_(terminal.bars() && total > 1), title_(title), total_(total), started_(std::chrono::steady_clock::now()), drawn_(started_) {}

Progress::~Progress() {
  if (shown_) to_stderr("\r\x1b[K");
}

void Progress::step(std::size_t done) {
  using namespace std::chrono_literals;
  if (!on_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - started_ < 333ms || (now - drawn_ < 50ms && done < total_)) return;
  drawn_ = now;
  shown_ = true;
  constexpr std::size_t width = 30;
  const std::size_t filled = done * width / total_;
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  const double left = done == 0 ? 0 : elapsed * static_cast<double>(total_ - done) / static_cast<double>(done);
  to_stderr(fmt::format("\r{} [{:=<{}}{:<{}}] {}/{}  {:.0f} s left\x1b[K", title_, "", filled, "", width - filled, done, total_, left));
}

}  // namespace app

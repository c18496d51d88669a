// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "console/hidden_text.hpp"

#include "sinew/result.hpp"

namespace app {

/// The exit statuses of the command-line contract.
enum Exit : int { done = 0, findings = 1, usage = 2, input = 3, output = 4, unsupported = 5 };

[[nodiscard]] int exit_status(const sinew::Error& error);

enum class ColorMode : std::uint8_t { automatic, always, never };

/// Returns a printable name in quotes; "(unnamed)" if empty.
[[nodiscard]] std::string quoted(const std::string& name);
/// Returns "1 node" or "2 nodes".
[[nodiscard]] std::string count_of(std::size_t count, std::string_view one, std::string_view many);

/// Returns the severity in a short word.
[[nodiscard]] inline std::string_view short_name(sinew::Severity severity) {
  return severity == sinew::Severity::information ? "info" : to_string(severity);
}

/// Messages, warnings and progress bars on stderr, never data. Uses colours and bars only on a terminal without NO_COLOR, unless --color
/// overrides this.
class Terminal {
 public:
  void configure(ColorMode color, int verbosity);

  /// Returns 0 for quiet (-q), 1 for normal, 2 for verbose (-v).
  [[nodiscard]] int verbosity() const { return verbosity_; }

  /// Prints the error line at any verbosity; returns its exit status.
  int fail(const sinew::Error& error) const;
  int fail_usage(std::string_view message) const;

  void warn(const std::string& line) const;
  void warn(const sinew::Error& error) const { warn(error.line()); }
  template <class... Args>
  void talk(fmt::format_string<Args...> format, Args&&... args) const {
    if (verbosity_ >= 1) say(fmt::format(format, std::forward<Args>(args)...));
  }
  template <class... Args>
  void detail(fmt::format_string<Args...> format, Args&&... args) const {
    if (verbosity_ >= 2) say(fmt::format(format, std::forward<Args>(args)...));
  }

  /// Styles text for stdout if colours are enabled there.
  [[nodiscard]] std::string bold(std::string_view text) const { return styled(text, "1", color_out_); }
  [[nodiscard]] std::string dim(std::string_view text) const { return styled(text, "2", color_out_); }
  /// Returns text in the colour of a severity.
  [[nodiscard]] std::string colored(std::string_view text, sinew::Severity severity) const;

  [[nodiscard]] bool bars() const { return bars_; }

 private:
  void say(const std::string& line) const;
  [[nodiscard]] static std::string styled(std::string_view text, std::string_view style, bool on);

  int verbosity_ = 1;
  bool color_out_ = false;
  bool color_err_ = false;
  bool bars_ = false;
};

/// A progress bar on stderr for `total` steps. Shows nothing in the first third of a second or without a terminal.
class Progress {
 public:
  Progress(const Terminal& terminal, std::string_view title, std::size_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  void step(std::size_t done);

 private:
  bool on_;
  bool shown_ = false;
  std::string title_;
  std::size_t total_;
  std::chrono::steady_clock::time_point started_, drawn_;
};

}  // namespace app

// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "sinew/result.hpp"

namespace app {

/// The exit statuses of the command-line contract.
enum Exit : int { done = 0, findings = 1, usage = 2, input = 3, output = 4, unsupported = 5 };

[[nodiscard]] int exit_status(const sinew::Error& error);

enum class ColorMode : std::uint8_t { automatic, always, never };

/// Text with every control character replaced: names come from files and must not steer the terminal or forge lines.
[[nodiscard]] std::string printable(std::string_view text);
/// A name in quotes, printable; "(unnamed)" for none.
[[nodiscard]] std::string quoted(const std::string& name);
/// "1 node", "2 nodes".
[[nodiscard]] std::string count_of(std::size_t count, std::string_view one, std::string_view many);

/// The severity in a word as short as the others.
[[nodiscard]] inline std::string_view short_name(sinew::Severity severity) {
  return severity == sinew::Severity::information ? "info" : to_string(severity);
}

/// What a person sees: talk, warnings and bars on stderr, never data. Colours and bars only where somebody looks (a terminal, no
/// NO_COLOR), unless --color says otherwise.
class Terminal {
 public:
  void configure(ColorMode color, int verbosity);

  /// 0 quiet (-q), 1 normal, 2 verbose (-v).
  [[nodiscard]] int verbosity() const { return verbosity_; }

  /// The error line, printed whatever the verbosity; returns the exit status that goes with it.
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

  /// Wraps text for stdout in a style where colours are on there.
  [[nodiscard]] std::string bold(std::string_view text) const { return styled(text, "1", color_out_); }
  [[nodiscard]] std::string dim(std::string_view text) const { return styled(text, "2", color_out_); }
  /// In the colour of a severity.
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

/// A progress bar on stderr for work of `total` steps; shows nothing where there is no terminal, or before a third of a second.
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

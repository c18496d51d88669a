// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <string>

#include "terminal.hpp"

#include "sinew/load.hpp"

namespace app {

/// The options that every command has.
struct Common {
  bool quiet = false;
  bool verbose = false;
  bool force = false;
  bool allow_outside = false;
  int scene = -1;
  unsigned threads = 0;
  std::uint64_t max_memory = sinew::Limits{}.memory;
  ColorMode color = ColorMode::automatic;
  Terminal terminal;

  [[nodiscard]] sinew::io::LoadOptions load_options() const;
};

/// What a command does once the line is parsed; returns the exit status.
using Run = std::function<int()>;

/// Each adds its options to `command` and returns what to run. The options live as long as the returned function.
[[nodiscard]] Run add_info(CLI::App& command, Common& common);
[[nodiscard]] Run add_deform(CLI::App& command, Common& common);

void add_common(CLI::App& command, Common& common);

/// A model and what reading it had to say.
struct Loaded {
  sinew::Model model;
  sinew::FindingList findings;
};
/// Loads with the common options; with -v every finding is printed.
[[nodiscard]] sinew::Result<Loaded> load(const std::string& path, const Common& common);

/// The scene of --scene, or the default one; Failure::usage where there is no such scene.
[[nodiscard]] sinew::Result<sinew::Index> scene_of(const sinew::Model& model, const Common& common);

/// Options that are finite numbers: "nan" and "inf" are usage errors.
[[nodiscard]] CLI::Validator finite_number();

[[nodiscard]] sinew::Error usage_error(std::string message);

}  // namespace app

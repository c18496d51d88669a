// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace app {

/// The options of a command that name files. Each command says of each of them whether it reads or writes the file, so that one check
/// before any command keeps outputs from replacing inputs and other outputs. The values are read after parsing and must outlive this.
class NamedFiles {
 public:
  void reads(const std::string& name) {
    more_inputs([&name] { return std::vector<std::string>{name}; });
  }
  void reads(const std::vector<std::string>& names) {
    more_inputs([&names] { return names; });
  }
  void writes(const std::string& name) {
    more_outputs([&name] { return std::vector<std::string>{name}; });
  }
  /// For names whose use depends on other options.
  void more_inputs(std::function<std::vector<std::string>()> names) { inputs_.push_back(std::move(names)); }
  void more_outputs(std::function<std::vector<std::string>()> names) { outputs_.push_back(std::move(names)); }

  /// Failure::usage. Outputs that are folders are checked when the names of their files are known (write_many).
  [[nodiscard]] sinew::Result<> check(const sinew::document::OpenOptions& open) const;

 private:
  std::vector<std::function<std::vector<std::string>()>> inputs_, outputs_;
};

}  // namespace app

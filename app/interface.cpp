// SPDX-License-Identifier: MIT
#include "interface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sinew/batch.hpp"

namespace app {

bool OptionText::takes_file() const {
  constexpr std::array<std::string_view, 9> files = {"FILE", "FOLDER", "PATH", "IN", "IN OUT", "BODY", "CLOTHES", "A", "B"};
  return (names.empty() || value.starts_with("F")) && std::ranges::find(files, value) != files.end();
}

std::string CommandText::synopsis() const {
  std::string text = "[OPTIONS]";
  for (const OptionText& option : options) {
    if (!option.names.empty() && option.required) text += fmt::format(" {} {}", option.names.front(), option.value);
    if (!option.names.empty()) continue;
    const std::string argument = option.value + (option.many && option.value != "IN OUT" ? "…" : "");
    text += option.required ? fmt::format(" {}", argument) : fmt::format(" [{}]", argument);
  }
  return text;
}

int save_text(const std::filesystem::path& path, const std::string& text, const Terminal& terminal, sinew::OutputName name) {
  auto file = sinew::batch::LineWriter::create(path, name);
  auto done = file ? file->write(text) : sinew::Unexpected(file.error());
  if (done) done = file->finish();
  return done ? static_cast<int>(Exit::done) : terminal.fail(done.error());
}

}  // namespace app

// SPDX-License-Identifier: MIT
#include "operations/bones/name_pairs.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/files/file.hpp"

namespace sinew::operations {

namespace {

constexpr std::uint64_t most_bytes = 1 << 20;

/// Takes the next name of a line. Nothing at the end, and for a quote that does not end, which stays in the line.
std::optional<std::string> next_name(std::string_view& line) {
  const std::size_t start = std::min(line.find_first_not_of(" \t\r"), line.size());
  line.remove_prefix(line.substr(start).starts_with('#') ? line.size() : start);
  if (line.empty()) return std::nullopt;
  const std::size_t quote = line.starts_with('"') ? 1 : 0;
  const std::size_t end = quote == 1 ? line.find('"', 1) : std::min(line.find_first_of(" \t\r"), line.size());
  if (end == std::string_view::npos) return std::nullopt;
  std::string name(line.substr(quote, end - quote));
  line.remove_prefix(end + quote);
  return name;
}

}  // namespace

Result<NamePairs> read_name_pairs(const std::filesystem::path& path, std::string_view expected) {
  const auto bytes = document::read_file(path, FileAccess::copy, most_bytes);
  if (!bytes) return Unexpected(bytes.error());
  const Place place{path_text(path), {}, {}};
  std::string_view text(reinterpret_cast<const char*>(bytes->view.data()), bytes->view.size());
  NamePairs names;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    auto from = next_name(line);
    if (!from && line.empty()) continue;
    auto to = next_name(line);
    if (!from || !to || next_name(line) || !line.empty())
      return Unexpected(error("SINEW_USAGE"_code, Failure::usage, place,
                              format_text("line {}: expected {}; names with blanks in \"quotes\"", number, expected)));
    names.emplace_back(*std::move(from), *std::move(to));
  }
  if (names.empty())
    return Unexpected(error("IO_ERROR"_code, Failure::input, place,
                            format_text("found no names; expected lines with {}; names with blanks in \"quotes\"", expected)));
  return names;
}

}  // namespace sinew::operations

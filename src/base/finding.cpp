// SPDX-License-Identifier: MIT
#include "sinew/finding.hpp"

#include "base/catalogue.hpp"

namespace sinew {

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::information:
      return "information";
    case Severity::hint:
      return "hint";
  }
  return "";
}

const CatalogueRow* find_code(std::string_view code) {
  for (const CatalogueRow& row : catalogue)
    if (row.code == code) return &row;
  return nullptr;
}

Error error_from(const Finding& finding, std::string file, Failure failure) {
  Place place{std::move(file), std::nullopt, finding.offset};
  if (!finding.offset) place.pointer = finding.pointer;
  return {failure, std::string(finding.code), std::move(place), finding.message};
}

namespace {

// Names and URIs in files can be megabytes; a line is to be read. Cut between UTF-8 characters.
std::string shortened(const std::string& text) {
  std::size_t most = 400;
  if (text.size() <= most) return text;
  while ((static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most) + "…";
}

}  // namespace

std::string Error::line() const {
  std::string line;
  if (!place.file.empty()) line += place.file + ": ";
  if (place.offset)
    line += fmt::format("byte {}: ", *place.offset);
  else if (place.pointer && !place.pointer->empty())
    line += shortened(*place.pointer) + ": ";
  line += shortened(message);
  if (!code.empty()) line += " [" + code + "]";
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';  // names come from files; a message is one line
  return line;
}

}  // namespace sinew

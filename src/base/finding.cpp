// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <iterator>

#include "base/catalogue_avatar.hpp"
#include "base/catalogue_edit.hpp"
#include "base/catalogue_gltf.hpp"
#include "base/catalogue_model.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#ifndef SINEW_NO_G4MF
#include "base/catalogue_g4mf.hpp"
#endif

#include "sinew/result.hpp"

namespace sinew {

std::string_view to_string(Severity severity) noexcept {
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

#ifdef SINEW_NO_G4MF
template <>
struct Rows<Part::g4mf> {
  static constexpr std::array<CatalogueRow, 0> list = {};
};
#endif

namespace {

/// The rows of the parts, in the order of Part.
template <Part... parts>
struct Joined {
  static constexpr std::size_t sizes[] = {Rows<parts>::list.size()...};
  static constexpr auto rows = [] {
    std::array<CatalogueRow, (Rows<parts>::list.size() + ...)> all;
    auto end = all.begin();
    ((end = std::ranges::copy(Rows<parts>::list, end).out), ...);
    return all;
  }();
};
using Catalogue = Joined<Part::common, Part::gltf, Part::g4mf, Part::model, Part::avatar, Part::edit>;
constexpr auto& all = Catalogue::rows;

}  // namespace

const CatalogueRow& Code::operator*() const {
  std::size_t first = 0;
  for (std::size_t before = 0; before < static_cast<std::size_t>(part); ++before) first += Catalogue::sizes[before];
  return all[first + row];
}

std::string cut_middle(std::string message) {
  constexpr std::size_t most = 2000, kept = 900;
  if (message.size() <= most) return message;
  const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(message[at]) & 0xC0) == 0x80; };
  std::size_t first = kept, last = message.size() - kept;
  while (continues(first)) --first;  // at the borders of characters
  while (last < message.size() && continues(last)) ++last;
  return message.replace(first, last - first, " … ");
}

Finding finding_of(Code code, FindingPlace place, std::optional<std::uint64_t> offset, std::initializer_list<Argument> arguments) {
  return {code->code, code->severity, std::move(place.pointer), offset, cut_middle(format_message(code->message, arguments)), {},
          {},         place.value};
}

Error error_of(Code code, Failure failure, Place place, std::initializer_list<Argument> arguments) {
  return {failure, std::string(code->code), std::move(place), cut_middle(format_message(code->message, arguments))};
}

std::span<const CatalogueRow> all_codes() noexcept { return all; }

void FindingList::add(Finding finding) { list_.push_back(std::move(finding)); }

const CatalogueRow* find_code(std::string_view code) noexcept {
  const auto row = std::ranges::find(all, code, &CatalogueRow::code);
  return row == std::end(all) ? nullptr : &*row;
}

Error error_from(const Finding& finding, std::string file, Failure failure) {
  Place place{std::move(file), std::nullopt, finding.offset};
  if (!finding.offset) place.pointer = finding.pointer;
  return {failure, std::string(finding.code), std::move(place), finding.message};
}

namespace {

// Names and URIs in files can have megabytes; messages stay readable. Cut between UTF-8 characters.
std::string shortened(const std::string& text) {
  std::size_t most = 400;
  if (text.size() <= most) return text;
  while ((static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most) + "…";
}

/// Implements Error::line.
std::string line_of(const Error& error) {
  std::string line;
  if (!error.place.file.empty()) line += error.place.file + ": ";
  if (error.place.offset)
    line += format_text("byte {}: ", *error.place.offset);
  else if (error.place.pointer && !error.place.pointer->empty())
    line += shortened(*error.place.pointer) + ": ";
  line += shortened(error.message);
  if (!error.code.empty()) line += " [" + error.code + "]";
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';  // names come from files; a message is one line
  return line;
}

}  // namespace

std::string Error::line() const noexcept {
  return tried_twice([&] { return line_of(*this); }, [] { return std::string("out of memory"); });  // short: allocates nothing
}

}  // namespace sinew

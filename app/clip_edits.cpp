// SPDX-License-Identifier: MIT
#include "clip_edits.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "console/number.hpp"
#include "usage_error.hpp"

namespace app {

namespace {

using Sides = std::pair<std::string, std::string>;

/// Splits at the first "="; both sides have a text.
std::optional<Sides> sides_of(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0 || equals + 1 == text.size()) return std::nullopt;
  return Sides(text.substr(0, equals), text.substr(equals + 1));
}

sinew::Unexpected wrong_edit(std::string_view option, std::string_view text, std::string_view form) {
  return sinew::Unexpected(usage_error(fmt::format("{}: \"{}\": expected {}", option, text, form)));
}

std::optional<sinew::operations::ClipCut> cut_of(std::string_view text) {
  const auto sides = sides_of(text);
  if (!sides) return std::nullopt;
  const std::string_view from = sides->second;
  const std::size_t at = from.rfind('@');
  if (at == from.npos || at == 0) return std::nullopt;
  const std::string_view range = from.substr(at + 1);
  const std::size_t colon = range.find(':');
  if (colon == range.npos) return std::nullopt;
  const auto start = number_in<double>(range.substr(0, colon)), end = number_in<double>(range.substr(colon + 1));
  if (!start || !end) return std::nullopt;
  return sinew::operations::ClipCut{sides->first, std::string(from.substr(0, at)), *start, *end};
}

}  // namespace

sinew::Result<sinew::operations::ClipEdits> parse_clip_edits(const ClipTexts& texts) {
  sinew::operations::ClipEdits edits;
  for (const std::string& text : texts.cuts) {
    auto cut = cut_of(text);
    if (!cut) return wrong_edit("--cut-clip", text, "NEW=OLD@START:END in seconds, for example Walk=Take 001@0.5:1.2");
    edits.cuts.push_back(std::move(*cut));
  }
  for (const std::string& text : texts.appends) {
    const auto sides = sides_of(text);
    if (!sides) return wrong_edit("--append-clips", text, "NEW=A,B, for example All=Walk,Run");
    sinew::operations::ClipSequence& sequence = edits.appends.emplace_back();
    sequence.name = sides->first;
    for (std::string_view rest = sides->second;;) {
      const std::size_t comma = rest.find(',');
      sequence.parts.emplace_back(rest.substr(0, comma));
      if (comma == rest.npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  for (const std::string& text : texts.renames) {
    auto sides = sides_of(text);
    if (!sides) return wrong_edit("--rename-clip", text, "OLD=NEW, for example Take 001=Walk");
    edits.renames.push_back({std::move(sides->first), std::move(sides->second)});
  }
  edits.drops = texts.drops;
  return edits;
}

}  // namespace app

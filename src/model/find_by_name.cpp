// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/ascii.hpp"
#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/number.hpp"
#include "model/name_index.hpp"

#include "sinew/result.hpp"

namespace sinew {

namespace {

constexpr std::size_t most_listed = 20;       // names shown in a message
constexpr std::string_view a_name = "name:";  // what follows is no index

/// "0 \"Walk\", 2 \"Run\" and 5 more".
std::string list_of(const std::vector<NamedThing>& things) {
  std::string text;
  for (std::size_t i = 0; i < std::min(things.size(), most_listed); ++i)
    text += format_text("{}{} \"{}\"", i == 0 ? "" : ", ", things[i].index, things[i].name);
  if (things.size() > most_listed) text += format_text(" and {} more", things.size() - most_listed);
  return text;
}

Unexpected no_such(std::string message) { return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, std::move(message))); }

std::string available(const std::vector<NamedThing>& things, std::size_t count, std::string_view what) {
  if (count == 0) return format_text("the file has no {}", what);
  if (things.empty()) return format_text("all {} are unnamed; use an index from 0 to {}", count, count - 1);
  return "there are: " + list_of(things);
}

Result<Index> by_index(std::string_view digits, const std::vector<NamedThing>& things, std::size_t count, std::string_view what) {
  const auto index = number_in<Index>(digits);
  if (index && *index < count) return *index;
  return no_such(format_text("no {} has the index {}; {}", what, digits, available(things, count, what)));
}

Result<Index> by_name(std::string_view name, const std::vector<NamedThing>& things, std::size_t count, std::string_view what) {
  std::vector<NamedThing> hits;
  std::vector<std::string_view> names;
  for (const NamedThing& thing : things) {
    if (thing.name == name) hits.push_back(thing);
    names.push_back(thing.name);
  }
  if (hits.size() == 1) return hits.front().index;
  if (!hits.empty())
    return no_such(format_text("the {} name \"{}\" is ambiguous: {} share it; use an index: {}", what, name, hits.size(), list_of(hits)));
  const std::optional<std::string> near = need(nearest_name(name, names));
  return no_such(format_text("no {} is named \"{}\"{}; {}", what, name, near ? format_text(" (did you mean \"{}\"?)", *near) : "",
                             available(things, count, what)));
}

}  // namespace

Result<Index> find_by_name(std::string_view wanted, const std::vector<NamedThing>& things, std::size_t count,
                           std::string_view what) SINEW_TRY {
  if (wanted.starts_with(a_name)) return by_name(wanted.substr(a_name.size()), things, count, what);
  if (is_digits(wanted)) return by_index(wanted, things, count, what);
  return by_name(wanted, things, count, what);
}
SINEW_CATCH()

NameIndex::NameIndex(std::vector<NamedThing> things, std::size_t count, std::string_view what)
    : things_(std::move(things)), count_(count), what_(what) {
  for (const NamedThing& thing : things_)
    if (const auto [known, is_new] = unique_.try_emplace(thing.name, thing.index); !is_new) known->second = none;
}

Result<Index> NameIndex::find(std::string_view wanted) const {
  const bool forced = wanted.starts_with(a_name);
  const auto known = unique_.find(forced ? wanted.substr(a_name.size()) : wanted);
  const bool found = known != unique_.end() && known->second != none && (forced || !is_digits(wanted));
  return found ? known->second : find_by_name(wanted, things_, count_, what_);
}

}  // namespace sinew

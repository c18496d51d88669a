// SPDX-License-Identifier: MIT
#include "operations/merge/bone_prefixes.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "operations/bones/bone_names.hpp"

namespace sinew::operations {

namespace {

using Keys = std::vector<std::string_view>;

constexpr std::size_t longest_prefix = 64;  // maximum length of a shared prefix: each length is tried
constexpr std::string_view separators = "_:|.- ";

/// Returns the index of each key; `none` for a key that occurs twice.
std::unordered_map<std::string_view, Index> unique_places(const Keys& keys) {
  std::unordered_map<std::string_view, Index> places;
  for (Index i = 0; i < keys.size(); ++i)
    if (const auto [found, fresh] = places.emplace(keys[i], i); !fresh) found->second = none;
  places.erase(std::string_view());
  return places;
}

std::vector<Index> pair_equal(const Keys& wanted, const Keys& known) {
  const auto ours = unique_places(wanted), theirs = unique_places(known);
  std::vector<Index> pairs(wanted.size(), none);
  for (const auto& [key, place] : ours)
    if (const auto found = theirs.find(key); place != none && found != theirs.end()) pairs[place] = found->second;
  return pairs;
}

std::size_t count_pairs(const std::vector<Index>& pairs) {
  return static_cast<std::size_t>(std::ranges::count_if(pairs, [](Index index) { return index != none; }));
}

Keys mapped(std::span<const std::string> names, std::string_view (*key)(std::string_view)) {
  Keys keys;
  for (const std::string& name : names) keys.push_back(key(name));
  return keys;
}

std::string_view without_vroid(std::string_view name) {
  name = without_namespace(name);
  for (const std::string_view prefix : {"J_Bip_C_", "J_Bip_L_", "J_Bip_R_", "J_Sec_", "J_Adj_"})
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  return name;
}

/// Returns how many leading characters all keys share; at least one character of each key remains.
std::size_t shared_prefix(const Keys& keys) {
  if (keys.size() < 2) return 0;
  std::size_t length = longest_prefix;
  for (const std::string_view key : keys) {
    if (key.empty()) return 0;
    const auto differ = std::ranges::mismatch(key.substr(0, length), keys.front());
    length = std::min(static_cast<std::size_t>(differ.in2 - keys.front().begin()), key.size() - 1);
  }
  return length;
}

Keys cut(Keys keys, std::size_t length) {
  for (std::string_view& key : keys) key.remove_prefix(length);
  return keys;
}

/// Returns the length of the part of a shared prefix that ends with a separator.
std::size_t cut_at_separator(const Keys& keys, std::size_t length) {
  if (length == 0) return 0;
  const std::size_t last = keys.front().substr(0, length).find_last_of(separators);
  return last == std::string_view::npos ? 0 : last + 1;
}

std::vector<Index> pair_without_shared_prefix(const Keys& wanted, const Keys& known) {
  const std::size_t ours = shared_prefix(wanted), theirs = shared_prefix(known);
  std::vector<Index> best = pair_equal(wanted, known);
  const auto attempt = [&](std::size_t from_wanted, std::size_t from_known) {
    std::vector<Index> pairs = pair_equal(cut(wanted, from_wanted), cut(known, from_known));
    if (count_pairs(pairs) > count_pairs(best)) best = std::move(pairs);
  };
  for (std::size_t length = 1; length <= ours; ++length) attempt(length, 0);
  for (std::size_t length = 1; length <= theirs; ++length) attempt(0, length);
  attempt(cut_at_separator(wanted, ours), cut_at_separator(known, theirs));
  return best;
}

}  // namespace

std::vector<Index> pair_without_prefixes(std::span<const std::string> wanted, std::span<const std::string> known) {
  const Keys ours = mapped(wanted, without_namespace), theirs = mapped(known, without_namespace);
  std::vector<Index> pairs = pair_equal(ours, theirs);
  for (const std::vector<Index>& more :
       {pair_equal(mapped(wanted, without_vroid), mapped(known, without_vroid)), pair_without_shared_prefix(ours, theirs)})
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (pairs[i] == none) pairs[i] = more[i];
  return pairs;
}

}  // namespace sinew::operations

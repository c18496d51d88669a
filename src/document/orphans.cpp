// SPDX-License-Identifier: MIT
#include "document/orphans.hpp"

#include <algorithm>

#include "document/renumber.hpp"

namespace sinew::document {

namespace {

using Flags = std::map<std::uint8_t, std::vector<bool>>;

bool holds_whole_numbers(JsonValue value) {
  if (whole_number(value)) return true;
  for (const JsonMember member : value.members())
    if (holds_whole_numbers(member.value)) return true;
  for (const JsonValue element : value.elements())
    if (holds_whole_numbers(element)) return true;
  return false;
}

/// Finds what is used, from the things that are there for their own sake.
class Marking {
 public:
  Marking(JsonValue root, const OwnedLists& lists) : root_(root), lists_(lists) {
    for (const OwnedLists::List& list : lists.lists) used_[list.reference].resize(root[list.name].size());
    renumbering_.index = [this](const Property& row, std::uint64_t index) {
      use(row.reference, index);
      return std::optional(index);
    };
    renumbering_.extensions = [this](JsonEdit& edit, JsonValue source, const Table& holder) {
      for (const JsonMember member : source.members()) {
        const std::string name = member.key.string();
        if (const Table* table = lists_.extension(name, holder)) renumber(*edit.find(name), member.value, *table, renumbering_);
      }
    };
    renumbering_.kind = lists.kind;
  }

  void mark_roots() {
    for (const JsonMember member : root_.members()) {
      const std::string key = member.key.string();
      const bool owned = std::ranges::any_of(lists_.lists, [&](const OwnedLists::List& list) { return list.name == key; });
      const Property* row = owned ? nullptr : find_row(lists_.root->rows, member);
      if (key == "extensions" && member.value.is(JsonKind::object)) {
        JsonEdit edit(member.value);
        renumbering_.extensions(edit, member.value, *lists_.root);
      } else if (row != nullptr && row->of != nullptr) {
        visit(member.value, *row->of);
      }
    }
    sweep();
  }
  void use(std::uint8_t reference, std::uint64_t index) {
    const auto found = used_.find(reference);
    if (found == used_.end() || index >= found->second.size() || found->second[index]) return;
    found->second[index] = true;
    open_.emplace_back(reference, index);
  }
  void sweep() {
    while (!open_.empty()) {
      const auto [reference, index] = open_.back();
      open_.pop_back();
      const auto list = std::ranges::find(lists_.lists, reference, &OwnedLists::List::reference);
      visit(root_[list->name].at(static_cast<std::uint32_t>(index)), *list->table);
    }
  }
  [[nodiscard]] const Flags& used() const { return used_; }

 private:
  void visit(JsonValue value, const Table& table) {
    if (value.is(JsonKind::array)) {
      for (const JsonValue element : value.elements()) visit(element, table);
      return;
    }
    JsonEdit edit(value);
    renumber(edit, value, table, renumbering_);
  }

  JsonValue root_;
  const OwnedLists& lists_;
  Flags used_;
  Renumbering renumbering_;
  std::vector<std::pair<std::uint8_t, std::uint64_t>> open_;
};

}  // namespace

bool Orphans::any() const {
  return std::ranges::any_of(dead, [](const auto& list) { return std::ranges::find(list.second, true) != list.second.end(); });
}

Orphans find_orphans(JsonValue first, JsonValue before, JsonValue after, const OwnedLists& lists) {
  Marking old(before, lists), now(after, lists);
  old.mark_roots();
  now.mark_roots();
  for (const auto& [reference, used] : old.used())  // what nothing used stays, with all that it uses
    for (std::size_t i = 0; i < used.size(); ++i)
      if (!used[i]) now.use(reference, i);
  now.sweep();
  Orphans orphans;
  for (const auto& [reference, used] : now.used())
    for (const bool is_used : used) orphans.dead[reference].push_back(!is_used);
  for (const OwnedLists::List& list : lists.lists) {
    const std::vector<bool>& dead = orphans.dead[list.reference];
    const auto gone = static_cast<std::size_t>(std::ranges::find(dead, true) - dead.begin());
    orphans.renumbers |= gone < first[list.name].size();
  }
  return orphans;
}

JsonEdit without_orphans(JsonValue root, const Orphans& orphans, const OwnedLists& lists,
                         const std::function<void(JsonValue extension)>& stale) {
  std::map<std::uint8_t, std::vector<std::uint64_t>> places;
  for (const auto& [reference, dead] : orphans.dead) {
    std::uint64_t next = 0;
    for (const bool is_dead : dead) places[reference].push_back(is_dead ? next : next++);
  }
  Renumbering renumbering;
  renumbering.index = [&](const Property& row, std::uint64_t index) -> std::optional<std::uint64_t> {
    const auto found = places.find(row.reference);
    return found == places.end() || index >= found->second.size() ? index : found->second[index];
  };
  renumbering.extensions = [&](JsonEdit& edit, JsonValue source, const Table& holder) {
    for (const JsonMember member : source.members()) {
      const std::string name = member.key.string();
      if (const Table* table = lists.extension(name, holder))
        renumber(*edit.find(name), member.value, *table, renumbering);
      else if (orphans.renumbers && (name == "KHR_animation_pointer" || holds_whole_numbers(member.value)))
        stale(member.value);
    }
  };
  renumbering.kind = lists.kind;
  JsonEdit edit(root);
  renumber(edit, root, *lists.root, renumbering);
  for (const OwnedLists::List& list : lists.lists) {
    const std::vector<bool>& dead = orphans.dead.at(list.reference);
    JsonEdit* elements = edit.find(list.name);
    if (elements == nullptr || std::ranges::find(dead, true) == dead.end()) continue;
    JsonEdit kept = JsonEdit::array();
    for (std::size_t i = 0; i < dead.size(); ++i)
      if (!dead[i]) kept.push_back(elements->at(i));
    if (kept.size() == 0)
      edit.erase(list.name);
    else
      edit.set(list.name, std::move(kept));
  }
  return edit;
}

std::vector<ByteRange> removable_bytes(std::vector<ByteRange> dead, std::vector<ByteRange> used, std::uint64_t alignment) {
  std::ranges::sort(dead);
  std::ranges::sort(used);
  std::vector<ByteRange> joined;
  for (const ByteRange& range : dead) {  // padding between two dead ranges is dead too
    if (!joined.empty() && range.first <= (joined.back().second + alignment - 1) / alignment * alignment)
      joined.back().second = std::max(joined.back().second, range.second);
    else
      joined.push_back(range);
  }
  std::vector<ByteRange> removed;
  const auto add = [&](std::uint64_t begin, std::uint64_t end) {
    begin = (begin + alignment - 1) / alignment * alignment;
    end = end / alignment * alignment;
    if (begin < end) removed.emplace_back(begin, end);
  };
  for (const auto& [first, last] : joined) {
    std::uint64_t begin = first;
    for (const auto& [used_first, used_last] : used) {
      if (used_last <= begin || used_first >= last) continue;
      add(begin, used_first);
      begin = std::max(begin, used_last);
    }
    add(begin, last);
  }
  return removed;
}

std::uint64_t moved_place(std::uint64_t place, std::span<const ByteRange> removed) {
  std::uint64_t gone = 0;
  for (const auto& [begin, end] : removed)
    if (begin < place) gone += std::min(end, place) - begin;
  return place - gone;
}

std::vector<std::byte> without_ranges(std::span<const std::byte> bytes, std::span<const ByteRange> removed) {
  std::vector<std::byte> kept;
  std::uint64_t begin = 0;
  for (const auto& [first, last] : removed) {
    kept.insert(kept.end(), bytes.begin() + static_cast<std::ptrdiff_t>(begin), bytes.begin() + static_cast<std::ptrdiff_t>(first));
    begin = last;
  }
  kept.insert(kept.end(), bytes.begin() + static_cast<std::ptrdiff_t>(begin), bytes.end());
  return kept;
}

}  // namespace sinew::document

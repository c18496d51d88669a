// SPDX-License-Identifier: MIT
#include "document/schema/orphans.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "document/schema/reader.hpp"
#include "document/schema/renumber.hpp"

namespace sinew::document {

namespace {

/// The elements that used objects refer to.
class Uses {
 public:
  Uses(JsonValue root, const ReferenceScheme& scheme)
      : scheme_(scheme), elements_(scheme.lists.size()), tables_(scheme.lists.size()), used_(scheme.lists.size()) {
    for (const std::uint8_t kind : scheme.owned) {
      elements_[kind] = list_of(root[scheme.lists[kind]]);
      used_[kind].resize(elements_[kind].size());
      for (const Property& row : scheme.root.rows)
        if (row.name == scheme.lists[kind]) tables_[kind] = row.of;
    }
    for (const JsonMember member : root.members())
      if (std::ranges::any_of(scheme.owned, [&](std::uint8_t kind) { return member.key.equals(scheme.lists[kind]); }))
        unknown_indices_ |= !member.value.is(JsonKind::array) && may_hold_indices(member.value);
      else
        unknown_indices_ |= !renumber_member(nullptr, member, scheme.root, all_);
    follow();
  }

  /// Marks an element, and everything that it refers to.
  void add(std::size_t kind, std::uint64_t index) {
    if (kind >= used_.size() || index >= used_[kind].size() || used_[kind][index]) return;
    if (!referred_.empty()) {
      referred_[kind][index] = true;
      return;
    }
    used_[kind][index] = true;
    waiting_.emplace_back(kind, index);
    if (!following_) follow();
  }

  /// Returns which elements any object refers to, used or not.
  ElementFlags referred() {
    referred_ = used_;
    for (const std::uint8_t kind : scheme_.owned)
      for (std::size_t i = 0; i < elements_[kind].size(); ++i)
        if (!used_[kind][i]) visit(kind, i);
    return std::exchange(referred_, {});
  }

  [[nodiscard]] const ElementFlags& used() const { return used_; }
  [[nodiscard]] bool unknown_indices() const { return unknown_indices_; }

 private:
  void visit(std::size_t kind, std::size_t index) {
    if (tables_[kind] != nullptr) unknown_indices_ |= !renumber(nullptr, elements_[kind][index], *tables_[kind], all_);
  }

  /// Of elements of equal names, the first is meant.
  void add_named(std::size_t kind, std::string_view name) {
    const std::vector<JsonValue>& elements = elements_[kind];
    const auto found = std::ranges::find_if(elements, [&](JsonValue element) { return element["name"].equals(name); });
    if (found != elements.end()) add(kind, static_cast<std::uint64_t>(found - elements.begin()));
  }

  void follow() {
    following_ = true;
    while (!waiting_.empty()) {
      const auto [kind, index] = waiting_.back();
      waiting_.pop_back();
      visit(kind, index);
      if (kind == scheme_.view && !elements_[kind][index]["buffer"]) add(scheme_.buffer, 0);
    }
    following_ = false;
  }

  const ReferenceScheme& scheme_;
  const Renumbering all_{.scheme = scheme_,
                         .index = [this](const Property& row, std::uint64_t index) -> std::optional<std::uint64_t> {
                           add(row.reference, index);
                           return index;
                         },
                         .name =
                             [this](const Property& row, std::string name) {
                               add_named(row.reference, name);
                               return name;
                             }};
  std::vector<std::vector<JsonValue>> elements_;
  std::vector<const Table*> tables_;
  ElementFlags used_;
  ElementFlags referred_;  ///< only while referred() runs
  std::vector<std::pair<std::size_t, std::uint64_t>> waiting_;
  bool following_ = true;  // false after the root was visited
  bool unknown_indices_ = false;
};

/// Keeps only the flags from `first` on that no unflagged element follows.
void keep_all_but_the_end(std::vector<bool>& gone, std::size_t first) {
  std::size_t end = gone.size();
  while (end > first && gone[end - 1]) --end;
  std::fill(gone.begin(), gone.begin() + static_cast<std::ptrdiff_t>(end), false);
}

/// Sorts ranges, and joins those that overlap or touch.
std::vector<ByteRange> united(std::vector<ByteRange> ranges) {
  std::ranges::sort(ranges, {}, &ByteRange::begin);
  std::vector<ByteRange> list;
  for (const ByteRange& range : ranges) {
    if (range.begin >= range.end) continue;
    if (!list.empty() && range.begin <= list.back().end)
      list.back().end = std::max(list.back().end, range.end);
    else
      list.push_back(range);
  }
  return list;
}

/// Extends ranges over gaps shorter than `alignment` before the next range or `size`, unless a kept range is in the gap.
void fill_gaps(std::vector<ByteRange>& ranges, const std::vector<ByteRange>& kept, std::uint64_t size, std::uint64_t alignment) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::uint64_t next = i + 1 < ranges.size() ? ranges[i + 1].begin : size;
    const auto after = std::ranges::upper_bound(kept, ranges[i].end, {}, &ByteRange::end);
    const std::uint64_t limit = after == kept.end() ? next : std::min(next, after->begin);
    if (limit > ranges[i].end && limit - ranges[i].end < alignment) ranges[i].end = limit;
  }
}

}  // namespace

ElementFlags find_orphans(JsonValue before, JsonValue after, const ReferenceScheme& scheme, bool all, const ElementFlags& kept) {
  Uses old(before, scheme);
  Uses now(after, scheme);
  for (std::size_t kind = 0; kind < kept.size(); ++kind)
    for (std::size_t i = 0; i < kept[kind].size(); ++i)
      if (kept[kind][i]) now.add(kind, i);
  if (!all) {
    const ElementFlags referred = old.referred();
    for (const std::uint8_t kind : scheme.owned)
      for (std::size_t i = 0; i < referred[kind].size(); ++i)
        if (!referred[kind][i]) now.add(kind, i);
  }
  ElementFlags gone = now.used();
  for (std::size_t kind = 0; kind < gone.size(); ++kind) {
    gone[kind].flip();
    if (now.unknown_indices()) keep_all_but_the_end(gone[kind], std::min(old.used()[kind].size(), gone[kind].size()));
  }
  return gone;
}

bool any_of(const ElementFlags& flags) {
  return std::ranges::any_of(flags, [](const std::vector<bool>& list) { return std::ranges::find(list, true) != list.end(); });
}

bool visit_references(JsonValue root, const ReferenceScheme& scheme, const std::function<void(const Property&, std::uint64_t)>& visit) {
  return !renumber(nullptr, root, scheme.root,
                   {.scheme = scheme, .index = [&](const Property& row, std::uint64_t index) -> std::optional<std::uint64_t> {
                      visit(row, index);
                      return index;
                    }});
}

void remove_elements(JsonEdit& root, JsonValue source, const ReferenceScheme& scheme, const ElementFlags& gone) {
  std::vector<std::vector<std::optional<std::uint64_t>>> places(gone.size());
  for (std::size_t kind = 0; kind < gone.size(); ++kind) {
    std::uint64_t next = 0;
    for (const bool removed : gone[kind]) places[kind].push_back(removed ? std::nullopt : std::optional(next++));
  }
  // An index out of range stays unchanged, so that it does not become a valid one.
  renumber_references(root, source, scheme, [&](const Property& row, std::uint64_t index) -> std::optional<std::uint64_t> {
    return index < places[row.reference].size() ? places[row.reference][index] : index;
  });
  for (std::size_t kind = 0; kind < gone.size(); ++kind) {
    if (std::ranges::find(gone[kind], true) == gone[kind].end()) continue;
    JsonEdit& list = *root.find(scheme.lists[kind]);
    list.erase_where(gone[kind]);
    if (list.size() == 0) root.erase(scheme.lists[kind]);
  }
}

BufferCompaction::BufferCompaction(std::uint64_t size, std::vector<ByteRange> kept, std::vector<ByteRange> gone, std::uint64_t alignment)
    : old_size_(size) {
  kept = united(std::move(kept));
  std::vector<ByteRange> free;  // removed and not kept
  for (ByteRange range : united(std::move(gone))) {
    range.end = std::min(range.end, size);
    for (auto k = std::ranges::upper_bound(kept, range.begin, {}, &ByteRange::end); k != kept.end() && k->begin < range.end; ++k) {
      if (k->begin > range.begin) free.push_back({range.begin, k->begin});
      range.begin = std::max(range.begin, k->end);
    }
    if (range.begin < range.end) free.push_back(range);
  }
  fill_gaps(free, kept, size, alignment);
  free = united(std::move(free));
  std::uint64_t at = 0;
  const auto keep = [&](std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    const std::uint64_t place = size_ + (begin + alignment - size_ % alignment) % alignment;
    segments_.push_back({{begin, end}, place});
    size_ = place + (end - begin);
  };
  for (const ByteRange& range : free) {
    keep(at, range.begin);
    at = range.end;
  }
  keep(at, size);
}

std::uint64_t BufferCompaction::place(std::uint64_t offset) const {
  auto segment = std::ranges::upper_bound(segments_, offset, {}, [](const Segment& s) { return s.old.begin; });
  if (segment == segments_.begin()) return 0;
  --segment;
  return segment->begin + std::min(offset, segment->old.end) - segment->old.begin;
}

std::vector<std::byte> BufferCompaction::apply(std::span<const std::byte> bytes) const {
  assert(bytes.size() == old_size_);
  std::vector<std::byte> out(size_);
  for (const Segment& segment : segments_)
    std::ranges::copy(bytes.subspan(segment.old.begin, segment.old.end - segment.old.begin),
                      out.begin() + static_cast<std::ptrdiff_t>(segment.begin));
  return out;
}

namespace {

std::optional<ViewRange> range_of(JsonValue object) {
  const auto length = whole_number(object["byteLength"]);
  const std::uint64_t offset = whole_number(object["byteOffset"]).value_or(0);
  if (!length || *length > std::numeric_limits<std::uint64_t>::max() - offset) return std::nullopt;
  return ViewRange{whole_number(object["buffer"]).value_or(0), {offset, offset + *length}};
}

}  // namespace

std::vector<ViewRange> ranges_of(JsonValue view) {
  std::vector<ViewRange> list;
  if (const auto range = range_of(view)) list.push_back(*range);
  for (const JsonMember member : view["extensions"].members())
    if (member.value["buffer"])
      if (const auto range = range_of(member.value)) list.push_back(*range);
  return list;
}

BufferCompaction compaction_of(const std::vector<JsonValue>& views, const std::vector<bool>& gone, std::uint64_t buffer, std::uint64_t size,
                               std::uint64_t alignment, bool all) {
  std::vector<ByteRange> kept, free;
  if (all) free.push_back({0, size});
  for (std::size_t i = 0; i < views.size(); ++i)
    for (const ViewRange& range : ranges_of(views[i]))
      if (range.buffer == buffer) (gone[i] ? free : kept).push_back(range.bytes);
  return {size, std::move(kept), std::move(free), alignment};
}

void visit_ranges(JsonEdit& edit, JsonValue view, const std::function<void(JsonEdit&, JsonValue)>& visit) {
  if (view.is(JsonKind::object)) visit(edit, view);
  for (const JsonMember member : view["extensions"].members())
    if (member.value["buffer"]) visit(*edit.find("extensions")->find(member.key.string()), member.value);
}

void move_ranges(JsonEdit& root, const std::vector<JsonValue>& views, const std::vector<bool>& gone, std::uint64_t buffer,
                 const BufferCompaction& compaction) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (gone[i]) continue;
    visit_ranges(root.find("bufferViews")->at(place++), views[i], [&](JsonEdit& object, JsonValue source) {
      const auto range = range_of(source);
      if (!range || range->buffer != buffer) return;
      const std::uint64_t moved = compaction.place(range->bytes.begin);
      if (moved != range->bytes.begin) object.set("byteOffset", JsonEdit::integer(moved));
    });
  }
}

}  // namespace sinew::document

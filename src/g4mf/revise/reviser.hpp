// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string_view>

#include "g4mf/write/editor.hpp"

namespace sinew::g4mf {

/// One step of a conversion, from a revision to its neighbour or within one.
class Reviser : public Editor {
 public:
  Reviser(const document::Document& document, Revision from, Revision to, FindingSink& losses)
      : Editor(document, from), to_(to), losses_(losses) {}

  [[nodiscard]] Revision from() const { return revision(); }
  [[nodiscard]] Revision to() const { return to_; }

  /// Says that the new revision has no place for something.
  void lost(JsonValue at, std::string_view what);
  /// Says what was changed, without a loss, because the new revision demands it.
  void changed(JsonValue at, std::string_view what);
  /// Says that an object goes, as far as there is something in it that any object may have: a name, a comment, extras, extensions.
  void lost_item(JsonValue object, std::string_view what);
  [[nodiscard]] FindingSink& losses() { return losses_; }

  /// The accessor, or where its numbers are signed one that says that they are not.
  [[nodiscard]] Checked<Index> as_unsigned(Index accessor);

 private:
  Revision to_;
  FindingSink& losses_;
  std::map<Index, Index> unsigned_;
};

/// Items of a list of the old revision that the new one has where they are used. The name of an item is its own: only the first copy has
/// it.
class ItemCopies {
 public:
  ItemCopies(Reviser& reviser, RootObject::Row list)
      : reviser_(reviser), name_(list.property().name), items_(reviser.old_list(list)), used_(items_.size()) {}

  [[nodiscard]] std::size_t size() const { return items_.size(); }
  /// Where the name is lost, says `what` at `at`.
  [[nodiscard]] Checked<JsonEdit> copy(Index item, JsonValue at, std::string_view what);
  /// Takes the list away; says `what` of items that were never copied.
  void drop_list(std::string_view what);

 private:
  Reviser& reviser_;
  std::string_view name_;
  std::vector<JsonValue> items_;
  std::vector<bool> used_;
};

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <map>
#include <string_view>

#include "g4mf/write/editor.hpp"

namespace sinew::g4mf {

/// A conversion step between neighbouring revisions, or within one.
class Reviser : public Editor {
 public:
  Reviser(const Document& document, Revision from, Revision to, FindingSink& losses) : Editor(document, from), to_(to), losses_(losses) {}

  [[nodiscard]] Revision to() const { return to_; }

  /// Reports that the new revision cannot store something.
  void lost(JsonValue at, std::string_view what);
  /// Reports a change without a loss that the new revision requires.
  void changed(JsonValue at, std::string_view what);
  /// Reports the members of a removed object that are lost: `own`, and those that any object may have (name, comment, extras, extensions).
  void lost_item(JsonValue object, std::string_view what, std::initializer_list<std::string_view> own = {});
  [[nodiscard]] FindingSink& losses() { return losses_; }

  /// Returns the accessor, or one for the same bytes with the unsigned type if its type is signed.
  [[nodiscard]] Checked<Index> as_unsigned(Index accessor);

 private:
  Revision to_;
  FindingSink& losses_;
  std::map<Index, Index> unsigned_;
};

/// Moves items from a list of the old revision to their uses. Names must be unique, so only the first copy keeps the name.
class ItemCopies {
 public:
  ItemCopies(Reviser& reviser, RootObject::Row list)
      : reviser_(reviser), name_(list.property().name), items_(reviser.old_list(list)), used_(items_.size()) {}

  [[nodiscard]] std::size_t size() const { return items_.size(); }
  /// Reports a lost name as `what` at `at`.
  [[nodiscard]] Checked<JsonEdit> copy(Index item, JsonValue at, std::string_view what);
  /// Removes the list. Reports items that were never copied as `what`.
  void drop_list(std::string_view what);

 private:
  Reviser& reviser_;
  std::string_view name_;
  std::vector<JsonValue> items_;
  std::vector<bool> used_;
};

}  // namespace sinew::g4mf

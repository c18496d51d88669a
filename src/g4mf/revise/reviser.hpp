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

}  // namespace sinew::g4mf

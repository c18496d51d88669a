// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/schema/tables.hpp"

namespace sinew::g4mf {

/// Calls `use(member, row)` for every property of an object and of the objects in it. `row`: nullptr if no table lists it.
template <class Use>
void walk(document::JsonValue object, const document::Table& table, Use& use) {
  for (const document::JsonMember member : object.members()) {
    const document::Property* row = document::find_row(table.rows, member);
    use(member, row);
    if (row == nullptr || row->of == nullptr) continue;
    if (member.value.is(document::JsonKind::object))
      walk(member.value, *row->of, use);
    else
      for (const document::JsonValue element : member.value.elements()) walk(element, *row->of, use);
  }
}

}  // namespace sinew::g4mf

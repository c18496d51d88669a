// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/schema/tables.hpp"

namespace sinew::g4mf {

/// Calls `use(member, row)` for every property of an object and of the objects in it. `row`: nullptr if no table lists it.
template <class Use>
void walk(JsonValue object, const Table& table, Use& use) {
  for (const JsonMember member : object.members()) {
    const Property* row = find_row(table.rows, member);
    use(member, row);
    if (row == nullptr || row->of == nullptr) continue;
    walk(member.value, *row->of, use);
    for (const JsonValue element : member.value.elements()) walk(element, *row->of, use);
  }
}

}  // namespace sinew::g4mf

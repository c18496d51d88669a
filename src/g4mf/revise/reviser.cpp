// SPDX-License-Identifier: MIT
#include "g4mf/revise/reviser.hpp"

#include "base/message.hpp"
#include "document/schema/revision.hpp"

namespace sinew::g4mf {

void Reviser::lost(JsonValue at, std::string_view what) { losses_.add(finding("SINEW_REVISE_LOST"_code, at.place(), name_of(to_), what)); }

void Reviser::changed(JsonValue at, std::string_view what) {
  losses_.add(finding("SINEW_REVISE_CHANGED"_code, at.place(), name_of(to_), what));
}

void Reviser::lost_item(JsonValue object, std::string_view what, std::initializer_list<std::string_view> own) {
  const auto report = [&](std::string_view key) {
    if (object[key]) lost(object[key], format_text("\"{}\" of {}", key, what));
  };
  for (const std::string_view key : own) report(key);
  for (const std::string_view key : {"name", "comment", "extensions", "extras"}) report(key);
}

Checked<Index> Reviser::as_unsigned(Index accessor) {
  const Checked<Array>& array = accessors().array(accessor);
  if (!array) return Refused(array.error());
  if (is_float(array->type()) || component_name(array->type()).front() == 'u') return accessor;
  if (const auto known = unsigned_.find(accessor); known != unsigned_.end()) return known->second;
  const JsonValue view = old_list("accessors")[accessor]["bufferView"];
  const auto type = static_cast<ComponentType>(static_cast<std::uint8_t>(array->type()) + 1);  // the unsigned type comes next
  const Index index = add_accessor(JsonEdit(view), type, array->width());
  unsigned_.emplace(accessor, index);
  return index;
}

Checked<JsonEdit> ItemCopies::copy(Index item, JsonValue at, std::string_view what) {
  if (auto taken = reviser_.take_copy(items_[item]); !taken) return Refused(taken.error());
  JsonEdit copied(items_[item]);
  if (used_[item] && copied.is(JsonKind::object) && copied.find("name") != nullptr) {
    copied.erase("name");
    reviser_.lost(at, what);
  }
  used_[item] = true;
  return copied;
}

void ItemCopies::drop_list(std::string_view what) {
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (!used_[i]) reviser_.lost(items_[i], what);
  reviser_.root().erase(name_);
}

}  // namespace sinew::g4mf

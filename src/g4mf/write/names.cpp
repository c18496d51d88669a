// SPDX-License-Identifier: MIT
#include "g4mf/write/names.hpp"

#include <algorithm>

#include "base/number.hpp"

namespace sinew::g4mf {

namespace {

/// Decodes the character of a UTF-8 text at `at`, and moves `at` behind it.
char32_t next_character(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  if (first < 0xC0) return first;
  char32_t character = first < 0xE0 ? first & 0x1Fu : first < 0xF0 ? first & 0x0Fu : first & 0x07u;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80)
    character = character << 6 | (static_cast<unsigned char>(text[at++]) & 0x3Fu);
  return character;
}

bool is_forbidden(char32_t character, Revision revision) {
  if (revision == Revision::r2025_08) return false;
  if (character < 0x20 || (character >= 0x7F && character <= 0x9F)) return true;
  return character <= 0x7F && forbidden_in_names(revision).find(static_cast<char>(character)) != std::string_view::npos;
}

std::string unescaped(std::string_view step) {
  std::string key;
  for (std::size_t i = 0; i < step.size(); ++i) key += step[i] != '~' ? step[i] : step[++i] == '1' ? '/' : '~';
  return key;
}

}  // namespace

std::vector<JsonValue> item_names(JsonValue value, bool in_extensions) {
  std::vector<JsonValue> names, open = {value};
  while (!open.empty()) {
    const JsonValue item = open.back();
    open.pop_back();
    for (const JsonMember member : item.members()) {
      if (member.key.equals("extras") || (!in_extensions && member.key.equals("extensions"))) continue;
      if (member.key.equals("name") && member.value.is(JsonKind::string))
        names.push_back(member.value);
      else
        open.push_back(member.value);
    }
    for (const JsonValue element : item.elements()) open.push_back(element);
  }
  std::ranges::sort(names, {}, &JsonValue::id);
  return names;
}

Names::Names(JsonValue root) {
  for (const JsonValue name : item_names(root, true)) add(name.string());
}

JsonEdit renamed_copy(JsonValue value, Names& names) {
  JsonEdit copy(value);
  const std::size_t prefix = value.pointer().size();
  for (const JsonValue name : item_names(value, false)) {
    const std::string pointer = name.pointer();
    if (JsonEdit* const copied = at_pointer(copy, std::string_view(pointer).substr(prefix)))
      *copied = JsonEdit::string(names.take(name.string()));
  }
  return copy;
}

JsonEdit* at_pointer(JsonEdit& root, std::string_view pointer) {
  JsonEdit* value = &root;
  while (value != nullptr && !pointer.empty()) {
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    const std::string_view step = pointer.substr(1, end - 1);
    pointer.remove_prefix(end);
    if (value->is(JsonKind::array)) {
      const auto index = number_in<std::size_t>(step);
      value = index && *index < value->size() ? &value->at(*index) : nullptr;
    } else {
      value = value->find(unescaped(step));
    }
  }
  return value;
}

std::string legal_name(std::string_view name, Revision from, Revision to) {
  std::string legal;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t begin = at;
    const char32_t character = next_character(name, at);
    if (is_forbidden(character, to) && !is_forbidden(character, from))
      legal += '_';
    else
      legal += name.substr(begin, at - begin);
  }
  return legal;
}

std::string legal_name(std::string_view name, Revision revision) { return legal_name(name, Revision::r2025_08, revision); }

}  // namespace sinew::g4mf

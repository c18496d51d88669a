// SPDX-License-Identifier: MIT
#include "document/json/json_edit.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace sinew::document {
namespace {

/// Returns the white space that ends before `end`.
std::string_view space_before(std::string_view text, std::size_t end) {
  const std::size_t last = text.substr(0, end).find_last_not_of(" \t\r\n");
  const std::size_t begin = last == std::string_view::npos ? 0 : last + 1;
  return text.substr(begin, end - begin);
}

std::string_view space_before(JsonValue value) { return value ? space_before(value.json()->text(), value.offset()) : std::string_view(); }

std::size_t end_of(JsonValue value) { return value.offset() + value.text().size(); }

}  // namespace

struct JsonEdit::Container {
  struct Key {
    JsonValue place;                  ///< in the source; missing for a new member
    std::optional<std::string> name;  ///< if it differs from the source's

    [[nodiscard]] bool equals(std::string_view wanted) const { return name ? *name == wanted : place.equals(wanted); }
  };
  using ByName = std::unordered_map<std::string, std::size_t>;

  JsonKind kind = JsonKind::object;
  JsonValue origin;                 ///< the source; missing if it was created here
  std::vector<Key> keys;            ///< of an object's members
  std::vector<JsonEdit> values;     ///< elements, or the members' values
  std::optional<ByName> by_name;    ///< of many members, once one was looked for: where each name is
  std::shared_ptr<Container> next;  ///< used while it waits for destruction

  [[nodiscard]] static std::shared_ptr<Container> share(Container container) { return {new Container(std::move(container)), destroy}; }
  [[nodiscard]] static Container opened(JsonValue origin);

  /// Returns the index of the member that counts (the last one), or the number of members if there is none.
  [[nodiscard]] std::size_t find(std::string_view key) {
    constexpr std::size_t few = 64;
    if (keys.size() > few) {
      if (!by_name) {
        by_name.emplace();
        for (std::size_t i = 0; i < keys.size(); ++i) by_name->insert_or_assign(keys[i].name ? *keys[i].name : keys[i].place.string(), i);
      }
      const auto known = by_name->find(std::string(key));
      return known == by_name->end() ? keys.size() : known->second;
    }
    const auto found = std::find_if(keys.rbegin(), keys.rend(), [&](const Key& other) { return other.equals(key); });
    return found == keys.rend() ? keys.size() : static_cast<std::size_t>(keys.rend() - found) - 1;
  }

  /// Sets the white space before child `i` and writes its key.
  void begin_child(std::size_t i, JsonWriter& out) const;
  void end(JsonWriter& out) const;

 private:
  [[nodiscard]] std::string_view space_before_element(const JsonEdit& element) const;
  /// Returns the child of the origin whose layout new children copy: the second one, because it follows a comma, else the only one.
  [[nodiscard]] JsonValue pattern() const;
  static void destroy(Container* container);
};

JsonEdit::Container JsonEdit::Container::opened(JsonValue origin) {
  Container container;
  container.kind = origin.kind();
  container.origin = origin;
  container.values.reserve(origin.size());
  if (container.kind == JsonKind::object) container.keys.reserve(origin.size());
  for (const JsonMember member : origin.members()) {
    container.keys.push_back({member.key, std::nullopt});
    container.values.emplace_back(member.value);
  }
  for (const JsonValue element : origin.elements()) container.values.emplace_back(element);
  return container;
}

JsonValue JsonEdit::Container::pattern() const {
  if (origin.size() == 0) return {};
  const Json& json = *origin.json();
  const std::uint32_t first = json.below(origin.id());
  if (origin.size() == 1) return {json, first};
  const std::uint32_t first_value = kind == JsonKind::object ? json.next(first) : first;
  return {json, json.next(first_value)};
}

void JsonEdit::Container::begin_child(std::size_t i, JsonWriter& out) const {
  if (kind == JsonKind::array) return out.space(space_before_element(values[i]));
  const Key& key = keys[i];
  const JsonValue like = key.place ? key.place : pattern();
  out.space(space_before(like));
  if (key.name)
    out.key(*key.name);
  else
    out.raw_key(key.place.text());
  if (like) out.space(space_before(JsonValue(*like.json(), like.json()->next(like.id()))));
}

std::string_view JsonEdit::Container::space_before_element(const JsonEdit& element) const {
  const Container* container = element.opened();
  const JsonValue place = container != nullptr ? container->origin : element.source();
  // A value from elsewhere gets the layout of a new one.
  const bool from_here = place && place.json() == origin.json() && place.id() > origin.id() && end_of(place) < end_of(origin);
  return space_before(from_here ? place : pattern());
}

void JsonEdit::Container::end(JsonWriter& out) const {
  if (!values.empty() && origin.size() > 0) out.space(space_before(origin.json()->text(), end_of(origin) - 1));
  if (kind == JsonKind::object)
    out.end_object();
  else
    out.end_array();
}

// Destroys nested containers in a loop, because recursion could overflow the stack.
void JsonEdit::Container::destroy(Container* container) {
  std::shared_ptr<Container> waiting;
  const auto take_children = [&](Container& parent) {
    for (JsonEdit& value : parent.values) {
      auto* held = std::get_if<std::shared_ptr<Container>>(&value.value_);
      if (held == nullptr || held->use_count() != 1) continue;
      std::shared_ptr<Container> child = std::move(*held);
      child->next = std::move(waiting);
      waiting = std::move(child);
    }
  };
  take_children(*container);
  delete container;
  while (waiting) {
    const std::shared_ptr<Container> one = std::move(waiting);
    waiting = std::move(one->next);
    take_children(*one);
  }
}

JsonEdit JsonEdit::object() { return JsonEdit(Container::share({})); }

JsonEdit JsonEdit::array() {
  Container container;
  container.kind = JsonKind::array;
  return JsonEdit(Container::share(std::move(container)));
}

JsonEdit JsonEdit::string(std::string_view utf8) {
  JsonWriter text;
  text.string(utf8);
  return JsonEdit(std::move(text));
}

JsonEdit JsonEdit::number(double value) {
  JsonWriter text;
  text.number(value);
  return JsonEdit(std::move(text));
}

JsonEdit JsonEdit::boolean(bool value) {
  JsonWriter text;
  text.boolean(value);
  return JsonEdit(std::move(text));
}

const JsonEdit::Container* JsonEdit::opened() const {
  const auto* held = std::get_if<std::shared_ptr<Container>>(&value_);
  return held == nullptr ? nullptr : held->get();
}

JsonEdit::Container& JsonEdit::open() {
  if (const auto* source = std::get_if<JsonValue>(&value_)) {
    assert(source->is(JsonKind::object) || source->is(JsonKind::array));
    value_ = Container::share(Container::opened(*source));
  }
  auto& held = std::get<std::shared_ptr<Container>>(value_);
  if (held.use_count() > 1) held = Container::share(*held);
  return *held;
}

JsonKind JsonEdit::kind() const {
  if (const Container* container = opened()) return container->kind;
  if (const auto* text = std::get_if<std::string>(&value_)) {
    const char first = text->front();
    return first == '"' ? JsonKind::string : first == 't' || first == 'f' ? JsonKind::boolean : JsonKind::number;
  }
  const JsonValue value = std::get<JsonValue>(value_);
  return value ? value.kind() : JsonKind::null;
}

JsonValue JsonEdit::source() const {
  const auto* value = std::get_if<JsonValue>(&value_);
  return value == nullptr ? JsonValue() : *value;
}

std::size_t JsonEdit::size() const {
  const Container* container = opened();
  return container != nullptr ? container->values.size() : source().size();
}

JsonEdit* JsonEdit::find(std::string_view key) {
  if (!is(JsonKind::object)) return nullptr;
  Container& container = open();
  const std::size_t place = container.find(key);
  return place == container.keys.size() ? nullptr : &container.values[place];
}

JsonEdit& JsonEdit::at(std::size_t index) {
  assert(is(JsonKind::array) && index < size());
  return open().values[index];
}

JsonEdit& JsonEdit::set(std::string_view key, JsonEdit value) {
  assert(is(JsonKind::object));
  Container& container = open();
  const std::size_t place = container.find(key);
  if (place < container.keys.size()) return container.values[place] = std::move(value);
  if (container.by_name) container.by_name->insert_or_assign(std::string(key), container.keys.size());
  container.keys.push_back({{}, std::string(key)});
  return container.values.emplace_back(std::move(value));
}

JsonEdit& JsonEdit::push_back(JsonEdit value) {
  assert(is(JsonKind::array));
  return open().values.emplace_back(std::move(value));
}

void JsonEdit::erase(std::string_view key) {
  assert(is(JsonKind::object));
  Container& container = open();
  container.by_name.reset();
  for (std::size_t i = container.keys.size(); i-- > 0;) {
    if (!container.keys[i].equals(key)) continue;
    container.keys.erase(container.keys.begin() + static_cast<std::ptrdiff_t>(i));
    container.values.erase(container.values.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void JsonEdit::erase_at(std::size_t index) {
  assert(is(JsonKind::array) && index < size());
  std::vector<JsonEdit>& values = open().values;
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(index));
}

void JsonEdit::erase_where(const std::vector<bool>& flags) {
  assert(is(JsonKind::array) && flags.size() == size());
  std::vector<JsonEdit>& values = open().values;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (!flags[i]) {
      if (kept != i) values[kept] = std::move(values[i]);
      ++kept;
    }
  values.resize(kept);
}

void JsonEdit::rename(std::string_view key, std::string_view new_key) {
  if (key == new_key || find(key) == nullptr) return;
  const std::string name(new_key);  // a copy, because the keys may be views of removed data
  const std::string old_name(key);
  erase(name);
  open().by_name.reset();
  for (Container::Key& other : open().keys)
    if (other.equals(old_name)) other.name = name;
}

std::vector<std::string> JsonEdit::keys() const {
  std::vector<std::string> list;
  if (const Container* container = opened()) {
    for (const Container::Key& key : container->keys) list.push_back(key.name ? *key.name : key.place.string());
  } else {
    for (const JsonMember member : source().members()) list.push_back(member.key.string());
  }
  return list;
}

void JsonEdit::write(JsonWriter& out) const {
  struct Level {
    const Container* container;
    std::size_t next;
  };
  std::vector<Level> levels;
  const auto begin = [&](const JsonEdit& value) {
    if (const Container* container = value.opened()) {
      if (container->kind == JsonKind::object)
        out.begin_object();
      else
        out.begin_array();
      levels.push_back({container, 0});
    } else if (const auto* text = std::get_if<std::string>(&value.value_)) {
      out.raw(*text);
    } else {
      out.raw(value.source() ? value.source().text() : "null");
    }
  };
  begin(*this);
  while (!levels.empty()) {
    const Container& container = *levels.back().container;
    const std::size_t i = levels.back().next++;
    if (i == container.values.size()) {
      container.end(out);
      levels.pop_back();
    } else {
      container.begin_child(i, out);
      begin(container.values[i]);
    }
  }
}

std::string JsonEdit::text() const {
  JsonWriter out;
  const JsonValue place = opened() != nullptr ? opened()->origin : source();
  const bool whole = place && place.id() == 0;
  if (whole) out.space(space_before(place));
  write(out);
  std::string text = std::move(out).take();
  if (whole) text += place.json()->text().substr(end_of(place));
  return text;
}

}  // namespace sinew::document

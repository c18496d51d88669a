// SPDX-License-Identifier: MIT
#include "gltf/write/concatenate_extensions.hpp"

#include <algorithm>

#include "base/message.hpp"
#include "document/json/edit_members.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/references.hpp"

namespace sinew::gltf {

namespace {

/// A text of JSON without the white space between its values.
std::string dense(std::string_view text) {
  std::string out;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\' && i + 1 < text.size()) out += text[i++];
    if (c == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    if (quoted || (c != ' ' && c != '\t' && c != '\n' && c != '\r')) out += text[i];
  }
  return out;
}

bool is_list(const Property& row) { return row.of != nullptr && row.shape == Property::Shape::list; }

JsonEdit filler_object(std::span<const FillerMember> members, const std::string& name) {
  JsonEdit object = JsonEdit::object();
  for (const FillerMember& member : members) switch (member.value) {
      case FillerMember::Value::object:
        object.set(member.key, JsonEdit::object());
        break;
      case FillerMember::Value::text:
        object.set(member.key, JsonEdit::string(member.text));
        break;
      case FillerMember::Value::number:
        object.set(member.key, JsonEdit::integer(member.number));
        break;
      case FillerMember::Value::name:
        object.set(member.key, JsonEdit::string(name));
        break;
    }
  return object;
}

}  // namespace

JoinedExtensions::JoinedExtensions(JsonValue first, JsonValue second, const Renumbering& renumbering,
                                   const std::function<bool(JsonValue node)>& is_shared, const EditReporter& reporter)
    : first_(first), second_(second), renumbering_(renumbering), is_shared_(is_shared), reporter_(reporter) {
  const JsonValue mine = first_["extensions"];
  for (const JsonMember member : second_["extensions"].members()) {
    const std::string name = member.key.string();
    const Extension* const extension = find_extension(name);
    const Table* const table = table_of_extension(name, root_table);
    const bool replaced = extension != nullptr && extension->silent;  // the skeletons of the first file hold for both
    const bool other = extension != nullptr && !extension->other_version.empty() && mine[extension->other_version];
    const bool whole = table == nullptr || !member.value.is(JsonKind::object) || (extension->one_per_file && !mine[name]);
    if (replaced)
      reporter_.changed(member.value.pointer(), "the skeletons of the body replace these skeletons");
    else if (other)
      reporter_.lost(member.value.pointer(), format_text("{} cannot join {} of the body", name, extension->other_version));
    else if (whole)
      reporter_.lost(member.value.pointer(), format_text("{} applies to the whole file", name));
    if (replaced || other || whole)
      left_out_.insert(name);
    else
      number(*extension, *table, mine[name], member.value, name);
  }
}

void JoinedExtensions::number(const Extension& extension, const Table& table, JsonValue mine, JsonValue source, const std::string& path) {
  for (const Property& row : table.rows) {
    const JsonValue value = source[row.name];
    if (!value || row.of == nullptr || row.joining == document::Joining::first) continue;
    const std::string below = format_text("{}/{}", path, row.name);
    if (!is_list(row)) {
      number(extension, *row.of, mine[row.name], value, below);
      continue;
    }
    std::vector<std::optional<std::uint64_t>>& places = places_[below];
    std::uint64_t next = mine[row.name].size();
    for (const JsonValue element : value.elements()) {
      const bool goes = extension.goes_along == nullptr || extension.goes_along(row.name, element, is_shared_);
      places.push_back(goes ? placed(row, mine[row.name], element, next) : std::nullopt);
      if (places.back() == next) ++next;
    }
  }
}

bool JoinedExtensions::is_incomplete(JsonValue source, const Table& table) const {
  return std::ranges::any_of(table.rows, [&](const Property& row) {
    const auto index = row.form == document::ReferenceForm::index ? document::whole_number(source[row.name]) : std::nullopt;
    return row.need == Property::Need::required && row.reference != 0 && index && !renumbering_.index(row, *index);
  });
}

void JoinedExtensions::drop_incomplete(JsonEdit& edit, JsonValue source, const Table& any) const {
  if (!source.is(JsonKind::object)) return;
  const Table& table = document::kind_of(source, any);
  for (const JsonMember member : source.members()) {
    const Property* const row = find_row(table, member);
    JsonEdit* const below = row == nullptr || row->of == nullptr ? nullptr : edit.find(member.key.string());
    if (below == nullptr) continue;
    drop_incomplete(*below, member.value, *row->of);
    if (!member.value.is(JsonKind::array) || row->form == document::ReferenceForm::parallel) continue;
    std::vector<bool> gone;
    for (const JsonValue element : member.value.elements()) {
      drop_incomplete(below->at(gone.size()), element, *row->of);
      gone.push_back(is_incomplete(element, *row->of));
    }
    below->erase_where(gone);
  }
}

std::optional<std::uint64_t> JoinedExtensions::placed(const Property& row, JsonValue mine, JsonValue element, std::uint64_t next) {
  if (is_incomplete(element, *row.of)) return std::nullopt;
  JsonEdit copy(element);
  if (row.joining == document::Joining::once) renumber(&copy, element, *row.of, renumbering_);
  const std::string text = row.joining == document::Joining::once ? dense(copy.text()) : std::string();
  std::uint64_t index = 0;
  for (const JsonValue known : mine.elements()) {
    if (row.joining == document::Joining::once && dense(known.text()) == text) return index;
    if (row.joining == document::Joining::named && element["name"] && known["name"].equals(element["name"].string())) return index;
    ++index;
  }
  return next;
}

std::optional<std::uint64_t> JoinedExtensions::place(std::string_view list, std::uint64_t index) const {
  const auto found = places_.find(list);
  if (found == places_.end()) return std::nullopt;
  return index < found->second.size() ? found->second[index] : std::nullopt;
}

void JoinedExtensions::join(JsonEdit& root) {
  for (const JsonMember member : second_["extensions"].members()) {
    const std::string name = member.key.string();
    if (left_out_.contains(name)) continue;
    const Table& table = *table_of_extension(name, root_table);
    JsonEdit other(member.value);
    renumber(&other, member.value, table, renumbering_);
    join_object(object_in(object_in(root, "extensions"), name), other, member.value, table, name);
  }
  JsonEdit* const extensions = root.find("extensions");
  for (const std::string& name : extensions == nullptr ? std::vector<std::string>() : extensions->keys()) {
    const Extension* const extension = find_extension(name);
    const Table* const table = table_of_extension(name, root_table);
    if (extension != nullptr && table != nullptr && !extension->filler.empty()) fill_parallel(*extensions->find(name), *extension, *table);
  }
}

void JoinedExtensions::join_object(JsonEdit& mine, JsonEdit& other, JsonValue source, const Table& any, const std::string& path) {
  const Table& table = document::kind_of(source, any);
  for (const JsonMember member : source.members()) {
    const std::string key = member.key.string();
    const Property* const row = find_row(table, member);
    JsonEdit* const theirs = other.find(key);
    JsonEdit* const ours = mine.find(key);
    if (theirs == nullptr) continue;
    const std::string below = format_text("{}/{}", path, key);
    if (row != nullptr && row->joining == document::Joining::first && ours != nullptr) {
      if (dense(ours->text()) != dense(theirs->text())) reporter_.changed(member.value.pointer(), format_text("{} of the body stays", key));
    } else if (row != nullptr && is_list(*row) && member.value.is(JsonKind::array)) {
      join_list(list_in(mine, key), *theirs, member.value, *row, below);
    } else if (row != nullptr && row->of != nullptr && member.value.is(JsonKind::object)) {
      join_object(object_in(mine, key), *theirs, member.value, *row->of, below);
    } else if (ours == nullptr) {
      mine.set(key, *theirs);
    } else if (dense(ours->text()) != dense(theirs->text())) {
      reporter_.changed(member.value.pointer(), format_text("{} of the body stays", key));
    }
  }
}

void JoinedExtensions::join_list(JsonEdit& mine, JsonEdit& other, JsonValue source, const Property& row, const std::string& path) {
  if (row.form == document::ReferenceForm::parallel) return;  // fill_parallel
  const auto known = places_.find(path);
  const std::size_t before = mine.size();
  std::size_t index = 0;
  for (const JsonValue element : source.elements()) {
    JsonEdit& theirs = other.at(index);
    const auto place = known == places_.end() ? std::optional<std::uint64_t>(before) : known->second[index];
    ++index;
    if (known == places_.end() && is_incomplete(element, *row.of)) continue;
    if (!place) {
      reporter_.lost(element.pointer(), "it belongs to what the body already has, or to what was left out");
    } else if (*place >= before) {
      drop_incomplete(theirs, element, *row.of);
      mine.push_back(theirs);
    } else if (row.joining == document::Joining::named && mine.at(*place).is(JsonKind::object)) {
      join_object(mine.at(*place), theirs, element, *row.of, path + "/-");
    }
  }
}

void JoinedExtensions::fill_parallel(JsonEdit& object, const Extension& extension, const Table& table) {
  const JsonValue second = left_out_.contains(extension.name) ? JsonValue() : second_["extensions"][extension.name];
  for (const Property& row : table.rows) {
    if (row.form != document::ReferenceForm::parallel) continue;
    JsonEdit& list = list_in(object, row.name);
    const std::string_view described = array_name(static_cast<Reference>(row.reference));
    std::size_t place = list.size();
    for (std::size_t i = place; i < first_[described].size(); ++i)
      list.push_back(filler_object(extension.filler, first_[described].at(static_cast<std::uint32_t>(i))["name"].string()));
    place = 0;
    for (const JsonValue element : second_[described].elements()) {
      const JsonValue theirs = second[row.name].at(static_cast<std::uint32_t>(place++));
      JsonEdit& added =
          list.push_back(theirs ? JsonEdit(theirs) : filler_object(extension.filler, renumbering_.name(row, element["name"].string())));
      if (theirs) renumber(&added, theirs, *row.of, renumbering_);
    }
  }
}

}  // namespace sinew::gltf

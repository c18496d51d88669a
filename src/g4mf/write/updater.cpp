// SPDX-License-Identifier: MIT
#include "g4mf/write/updater.hpp"

#include <algorithm>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "g4mf/write/stored_pose.hpp"
#include "model/place.hpp"

namespace sinew::g4mf {

Result<> Updater::begin() {
  if (auto begun = editor_.begin(); !begun) return Unexpected(editor_.error_of(begun.error()));
  was_stored_ = stored_locals(editor_.reader(), before_);
  auto stored = locals_to_store(before_, was_stored_, after_);
  if (!stored) return refused({}, "a bind pose without inverse cannot be stored");
  stored_ = std::move(*stored);
  return {};
}

bool Updater::same_pose() const {
  const bool before = before_.rest_pose.locals == was_stored_, after = after_.rest_pose.locals == stored_;
  if (before && after) return true;
  return before == after && before_.rest_pose.locals == after_.rest_pose.locals && was_stored_ == stored_;
}

JsonEdit& Updater::item(RootObject::Row array, std::size_t index) {
  JsonEdit& list = editor_.list(array.property().name);
  while (list.size() <= index) list.push_back(JsonEdit::object());
  return list.at(index);
}

Index Updater::mesh_number(Index mesh) const {
  const std::size_t stored = editor_.old_count("meshes");
  if (mesh < before_.meshes.size() || stored > before_.meshes.size()) return mesh;
  return static_cast<Index>(mesh - (before_.meshes.size() - stored));
}

Result<Index> Updater::add(const Array& rows) {
  auto index = editor_.add(rows);
  if (!index) return Unexpected(editor_.error_of(index.error()));
  return *index;
}

const Array* Updater::stored_at(JsonEdit& object, std::string_view key) {
  JsonEdit* const stored = object.find(key);
  return stored == nullptr ? nullptr : editor_.accessors().find(stored->source());
}

Result<> Updater::put(JsonEdit& object, std::string_view key, const Array& rows) {
  if (const Array* const old = stored_at(object, key))
    if (old->type() == rows.type() && old->width() == rows.width() && old->size() == rows.size() && packed(*old) == packed(rows)) return {};
  const auto index = add(rows);
  if (!index) return Unexpected(index.error());
  object.set(key, JsonEdit::integer(*index));
  return {};
}

void Updater::put_name(JsonEdit& item, const Entity* before, const Entity& after, std::string_view otherwise) {
  if (before != nullptr && before->name == after.name) return;
  const std::string name = names_.take(legal_name(after.name.empty() ? otherwise : std::string_view(after.name), revision()));
  if (!after.name.empty() && name != after.name) reporter_.changed(after, format_text("renamed \"{}\" to \"{}\"", after.name, name));
  set_name(item, name);
}

Unexpected Updater::refused(const Entity& entity, std::string_view why) const {
  using operations::operator""_code;
  return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(after_, entity), why));
}

Array floats(const Array& array) { return is_float(array.type()) ? array : Array::own(array.read<float>(), array.width()); }

Array laid_out(const Attribute& attribute) {
  if (attribute.index.empty()) return floats(attribute.values);
  const std::vector<float> values = attribute.values.read<float>();
  const std::size_t width = attribute.values.width();
  std::vector<float> rows;
  for (const std::uint32_t row : attribute.index.read<std::uint32_t>()) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(row * width);
    rows.insert(rows.end(), from, from + static_cast<std::ptrdiff_t>(width));
  }
  return Array::own(std::move(rows), width);
}

void update_materials(Updater& updater) {
  const Model& before = updater.before();
  const Model& after = updater.after();
  for (std::size_t i = 0; i < after.materials.size(); ++i) {
    const Material* const old = find_at(before.materials, i);
    if (old == nullptr || old->name != after.materials[i].name)
      updater.put_name(updater.item("materials", i), old, after.materials[i], "Material");
  }
}

}  // namespace sinew::g4mf

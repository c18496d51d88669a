// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "g4mf/write/editor.hpp"
#include "g4mf/write/names.hpp"
#include "model/edit_reporter.hpp"
#include "model/same.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::g4mf {

/// What the parts of one update share: the document in the making, the models before and after, names, losses.
class Updater {
 public:
  Updater(const document::Document& document, Revision revision, const Model& before, const Model& after, FindingSink& losses)
      : editor_(document, revision), before_(before), after_(after), reporter_(after, losses), names_(document.json().root()) {}

  [[nodiscard]] Editor& editor() { return editor_; }
  [[nodiscard]] const Model& before() const { return before_; }
  [[nodiscard]] const Model& after() const { return after_; }
  [[nodiscard]] Revision revision() const { return editor_.revision(); }

  /// What the parts need to know first. Refused: a bind pose that cannot be stored.
  [[nodiscard]] Result<> begin();
  /// The local transforms that the file stores and is to store, which are not always the pose: see stored_pose.hpp.
  [[nodiscard]] const LocalTransform& was_stored(std::size_t node) const { return was_stored_[node]; }
  [[nodiscard]] const LocalTransform& stored(std::size_t node) const { return stored_[node]; }
  /// Whether the file's own pose, and where that is not what is stored, stays as it is.
  [[nodiscard]] bool same_pose() const;

  /// The JSON of an entity; a new one is an empty object. `array` "meshes" and so on.
  [[nodiscard]] JsonEdit& item(RootObject::Row array, std::size_t index);
  /// The index in the file of a mesh of `after`: new ones stand where `before` may have an empty mesh for a missing one.
  [[nodiscard]] Index mesh_number(Index mesh) const;

  /// Adds an accessor with these rows, or finds the one that has the same.
  [[nodiscard]] Result<Index> add(const Array& rows);
  [[nodiscard]] Result<Index> add(std::vector<std::uint32_t> values, std::size_t width = 1) {
    return add(Array::own(std::move(values), width));
  }
  /// Lets a property name an accessor with these rows: the one that it names already where that has them.
  [[nodiscard]] Result<> put(JsonEdit& object, std::string_view key, const Array& rows);

  /// Writes the name of an entity where it is not what it was; legal, and no other item's.
  void put_name(JsonEdit& item, const Entity* before, const Entity& after, std::string_view otherwise = {});

  /// Reports what the file has no place for, or what else was changed.
  [[nodiscard]] const EditReporter& reporter() const { return reporter_; }
  /// Why there can be no file.
  [[nodiscard]] Unexpected refused(const Entity& entity, std::string_view why) const;

 private:
  Editor editor_;
  const Model& before_;
  const Model& after_;
  EditReporter reporter_;
  Names names_;
  std::vector<LocalTransform> was_stored_, stored_;
};

/// The rows as floats: as they are, where they are some.
[[nodiscard]] Array floats(const Array& array);

/// The values of an attribute row by row, without an index: floats.
[[nodiscard]] Array laid_out(const Attribute& attribute);

// The parts of an update: each writes its kind of entities.
[[nodiscard]] Result<> update_nodes(Updater& updater);
[[nodiscard]] Result<> update_skeletons(Updater& updater);
[[nodiscard]] Result<> update_meshes(Updater& updater);
/// The surfaces of mesh `number` of the file, and its blend shapes; `before`: nullptr for a new mesh.
[[nodiscard]] Result<> update_surfaces(Updater& updater, const Mesh* before, const Mesh& after, std::size_t number);
[[nodiscard]] Result<> update_blend(Updater& updater, const Mesh* before, const Mesh& after, std::size_t number);
/// Clips, and the pose where it is not what nodes store (SINEW_animation).
[[nodiscard]] Result<> update_animation(Updater& updater);
void update_materials(Updater& updater);

}  // namespace sinew::g4mf

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

/// The state that all parts of an update share: the editor, the models before and after, names, losses.
class Updater {
 public:
  Updater(const Document& document, Revision revision, const Model& before, const Model& after, FindingSink& losses)
      : editor_(document, revision), before_(before), after_(after), reporter_(after, losses), names_(document.json().root()) {}

  [[nodiscard]] Editor& editor() { return editor_; }
  [[nodiscard]] const Model& before() const { return before_; }
  [[nodiscard]] const Model& after() const { return after_; }
  [[nodiscard]] Revision revision() const { return editor_.revision(); }

  /// Call this first. Refuses a bind pose that cannot be stored.
  [[nodiscard]] Result<> begin();
  /// The local transforms that the file stores, and those to store. They may differ from the pose: see stored_pose.hpp.
  [[nodiscard]] const LocalTransform& was_stored(std::size_t node) const { return was_stored_[node]; }
  [[nodiscard]] const LocalTransform& stored(std::size_t node) const { return stored_[node]; }
  /// Returns whether the pose is unchanged, or equals the stored transforms in both models.
  [[nodiscard]] bool same_pose() const;

  /// Returns the JSON of an entity; a new one is an empty object. `array`: "meshes", …
  [[nodiscard]] JsonEdit& item(RootObject::Row array, std::size_t index);
  /// Returns the index in the file of a mesh of `after`. New ones follow those of the file; `before` may end with an empty mesh.
  [[nodiscard]] Index mesh_number(Index mesh) const;

  /// Adds an accessor with these rows, or returns an equal one.
  [[nodiscard]] Result<Index> add(const Array& rows);
  /// Returns the unchanged accessor of a property, or nullptr.
  [[nodiscard]] const Array* stored_at(JsonEdit& object, std::string_view key);
  /// Sets a property to an accessor with these rows. Keeps the current one if it has them.
  [[nodiscard]] Result<> put(JsonEdit& object, std::string_view key, const Array& rows);

  /// Writes a changed name of an entity, made legal and unique.
  void put_name(JsonEdit& item, const Entity* before, const Entity& after, std::string_view otherwise = {});

  [[nodiscard]] const EditReporter& reporter() const { return reporter_; }
  /// Returns the error if the file cannot be written.
  [[nodiscard]] Unexpected refused(const Entity& entity, std::string_view why) const;

 private:
  Editor editor_;
  const Model& before_;
  const Model& after_;
  EditReporter reporter_;
  Names names_;
  std::vector<LocalTransform> was_stored_, stored_;
};

/// Returns the rows as floats; unchanged if they are floats.
[[nodiscard]] Array floats(const Array& array);

/// Returns the values of an attribute row by row, as floats without an index.
[[nodiscard]] Array laid_out(const Attribute& attribute);

// Each function writes one kind of entity.
[[nodiscard]] Result<> update_nodes(Updater& updater);
[[nodiscard]] Result<> update_skeletons(Updater& updater);
[[nodiscard]] Result<> update_meshes(Updater& updater);
/// Writes the surfaces and blend shapes of mesh `number` of the file. `before`: nullptr for a new mesh.
[[nodiscard]] Result<> update_surfaces(Updater& updater, const Mesh* before, const Mesh& after, std::size_t number);
[[nodiscard]] Result<> update_blend(Updater& updater, const Mesh* before, const Mesh& after, std::size_t number);
/// Writes clips, and the pose if it differs from the stored transforms (SINEW_animation).
[[nodiscard]] Result<> update_animation(Updater& updater);
void update_materials(Updater& updater);

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#include <algorithm>

#include "g4mf/write/updater.hpp"

namespace sinew::g4mf {

namespace {

class MeshUpdate {
 public:
  MeshUpdate(Updater& updater, std::size_t index)
      : updater_(updater),
        before_(find_at(updater.before().meshes, index)),
        after_(updater.after().meshes[index]),
        number_(updater.mesh_number(static_cast<Index>(index))) {
    if (before_ == nullptr) static_cast<void>(item());
  }

  Result<> run() {
    if (before_ != nullptr && before_->defect != none) return {};  // stays unchanged
    if (after_.blocks.size() != 1) return updater_.refused(after_, "a G4MF mesh has exactly one array of vertices");
    if (before_ == nullptr || before_->name != after_.name) updater_.put_name(item(), before_, after_);
    if (auto done = put_vertices(); !done) return done;
    if (auto done = update_surfaces(updater_, before_, after_, number_); !done) return done;
    if (auto done = update_blend(updater_, before_, after_, number_); !done) return done;
    return put_skin();
  }

 private:
  [[nodiscard]] JsonEdit& item() { return updater_.item("meshes", number_); }

  Result<> put_vertices() {
    const Attribute* const positions = find_attribute(after_.blocks.front().attributes, Semantic::position);
    if (positions == nullptr || !positions->index.empty()) return updater_.refused(after_, "a G4MF mesh needs vertices");
    const Attribute* const old = before_ == nullptr ? nullptr : find_attribute(before_->blocks.front().attributes, Semantic::position);
    if (old != nullptr && same(old->values, positions->values)) return {};
    for (const Attribute& attribute : after_.blocks.front().attributes)
      if (attribute.semantic != Semantic::position)
        return updater_.refused(after_, "G4MF stores all attributes except positions by corner, not by vertex");
    return updater_.put(item(), "vertices", floats(positions->values));
  }

  Result<> put_skin() {
    const Influences& influences = after_.blocks.front().influences;
    const bool same_names = before_ != nullptr && before_->group_names == after_.group_names;
    const bool same_influences = before_ != nullptr && same(before_->blocks.front().influences, influences);
    if (same_influences && (same_names || influences.empty())) return {};
    if (influences.empty()) {
      item().erase("skin");
      return {};
    }
    if (!influences.sets.empty()) return updater_.refused(after_, "G4MF stores influences in one list");
    JsonEdit skin = object_in(item(), "skin");
    if (!same_influences) {
      std::vector<std::uint32_t> vertices;
      vertices.reserve(influences.slots.size());
      for (std::uint32_t vertex = 0; vertex + 1 < influences.first.size(); ++vertex)
        vertices.insert(vertices.end(), influences.first[vertex + 1] - influences.first[vertex], vertex);
      if (auto done = updater_.put(skin, "groups", influences.slots); !done) return done;
      if (auto done = put_vertex_numbers(skin, std::move(vertices)); !done) return done;
      if (auto done = updater_.put(skin, "weights", floats(influences.weights)); !done) return done;
    }
    if (!same_names) put_group_names(skin);
    item().set("skin", std::move(skin));
    return {};
  }

  // Equal numbers stay as stored, in any type.
  Result<> put_vertex_numbers(JsonEdit& skin, std::vector<std::uint32_t> vertices) {
    const Array* const old = updater_.stored_at(skin, "vertices");
    if (old != nullptr && old->width() == 1 && old->read<std::uint32_t>() == vertices) return {};
    return updater_.put(skin, "vertices", Array::own(std::move(vertices), 1));
  }

  // Stored group names are unique and not empty. Otherwise they are omitted, and readers use the names of the bones.
  void put_group_names(JsonEdit& skin) {
    skin.erase("groupNames");
    std::vector<std::string> sorted = after_.group_names;
    std::ranges::sort(sorted);
    if (sorted.empty() || sorted.front().empty() || std::ranges::adjacent_find(sorted) != sorted.end()) return;
    set_names(skin, "groupNames", after_.group_names);
  }

  Updater& updater_;
  const Mesh* before_;
  const Mesh& after_;
  std::size_t number_;
};

}  // namespace

Result<> update_meshes(Updater& updater) {
  for (std::size_t i = 0; i < updater.after().meshes.size(); ++i)
    if (auto done = MeshUpdate(updater, i).run(); !done) return done;
  return {};
}

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <string>
#include <vector>

#include "sinew/array.hpp"
#include "sinew/document.hpp"
#include "sinew/model.hpp"

namespace sinew::gltf::test {

using Json = nlohmann::ordered_json;

/// The result of reading: the model or the error, and all findings in order.
struct Outcome {
  Result<Model> model;
  std::vector<Finding> findings;

  [[nodiscard]] const Model* operator->() const { return &*model; }
  [[nodiscard]] const Model& operator*() const { return *model; }
  /// Returns the defect of an entity; an empty error if there is none.
  [[nodiscard]] Error defect(const Entity& entity) const { return entity.defect == none ? Error{} : model->defects.at(entity.defect); }
};

/// Writes a text as `file name` to a folder of this process and reads it.
[[nodiscard]] Outcome read_text(const std::string& text, const Limits& limits = {}, const std::string& name = "model.gltf");

/// Returns the findings of a check of such a file.
[[nodiscard]] std::vector<Finding> check_text(const std::string& text, const std::string& name = "model.gltf");

/// Builds a small glTF file: values go into one buffer, which becomes a data URI or the chunk of a GLB.
class Builder {
 public:
  Json json = {{"asset", {{"version", "2.0"}}}};

  /// Appends bytes on a 4-byte boundary and returns the index of their view.
  std::size_t view(const void* data, std::size_t size, std::size_t stride = 0);
  template <class T>
  std::size_t view(const std::vector<T>& values, std::size_t stride = 0) {
    return view(values.data(), values.size() * sizeof(T), stride);
  }
  /// Adds an accessor with its own view.
  template <class T>
  std::size_t accessor(const std::vector<T>& values, const char* type) {
    const std::size_t index = view(values);
    return accessor_of(index, component<T>(), values.size() / width(type), type);
  }
  std::size_t accessor_of(std::size_t view, int component, std::size_t count, const char* type);
  /// Appends to an array of the root and returns the index.
  std::size_t add(const char* array, Json value);

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string glb() const;
  [[nodiscard]] Outcome read(const Limits& limits = {}) const { return read_text(text(), limits); }

  template <class T>
  static constexpr int component() {
    constexpr ComponentType type = component_type_of<T>;
    return type == ComponentType::int8     ? 5120
           : type == ComponentType::uint8  ? 5121
           : type == ComponentType::int16  ? 5122
           : type == ComponentType::uint16 ? 5123
           : type == ComponentType::uint32 ? 5125
                                           : 5126;
  }
  static std::size_t width(const std::string& type);

  std::vector<std::byte> bytes;
};

/// A triangle (mesh 0, node 0, scene 0); the accessor of POSITION is 0.
[[nodiscard]] Builder triangle();
/// Nodes 0 (mesh, skin 0), 1 → 2 (joints); two vertices per joint; accessors: 0 POSITION, 1 JOINTS_0, 2 WEIGHTS_0, 3 matrices, 4 indices.
[[nodiscard]] Builder skinned();
/// The triangle with two morph targets, 1 dense and 2 sparse without view, and an animation of everything; accessor 1 has the times.
[[nodiscard]] Builder animated();
/// Everything above in one file, and a skeleton of STAIK_skeletons.
[[nodiscard]] Builder everything();

/// Matches a finding with this code and pointer.
MATCHER_P2(IsFinding, code, pointer, "") { return arg.code == code && arg.pointer == pointer; }
/// Matches an error with this code and place.
MATCHER_P2(IsError, code, pointer, "") { return arg.code == code && arg.place.pointer == pointer; }

/// Checks that every index in entities without defect is in range, and that nodes are trees. Otherwise the test fails.
void expect_in_range(const Model& model);

}  // namespace sinew::gltf::test

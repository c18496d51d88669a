// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <type_traits>
#include <vector>

#include "g4mf/read/read.hpp"

#include "sinew/array.hpp"
#include "sinew/document.hpp"
#include "sinew/model.hpp"

namespace sinew::g4mf::test {

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

struct How {
  Limits limits = {};
  bool check = false;  ///< every rule
  ReadOptions options = {};
  std::string name = "model.g4tf";
};
/// Writes a text to a file in a folder of this process and reads it.
[[nodiscard]] Outcome read_text(const std::string& text, const How& how = {});

/// Returns the name of a component type in G4MF.
template <class T>
[[nodiscard]] std::string component() {
  return (std::is_floating_point_v<T> ? "float" : std::is_unsigned_v<T> ? "uint" : "int") + std::to_string(8 * sizeof(T));
}

/// Builds a small G4MF file: values go into one buffer, which becomes a data URI.
class Builder {
 public:
  Json json;
  explicit Builder(std::size_t dimension) { json["asset"]["dimension"] = dimension; }

  /// Appends bytes at a multiple of 16 and returns the index of their view.
  std::size_t view(const void* data, std::size_t size);
  /// Adds an accessor with its own view.
  template <class T>
  std::size_t accessor(const std::vector<T>& values, std::size_t width = 1) {
    return accessor_of(view(values.data(), values.size() * sizeof(T)), component<T>(), width);
  }
  std::size_t accessor_of(std::size_t view, const std::string& component, std::size_t width = 1);
  /// Appends to an array of the root and returns the index.
  std::size_t add(const char* array, Json value);
  /// Adds a mesh node below node 0, which is created if necessary.
  std::size_t add_node(Json value, std::size_t parent = 0);

  [[nodiscard]] std::string text() const;
  [[nodiscard]] Outcome read(const How& how = {}) const { return read_text(text(), how); }

  std::vector<std::byte> bytes;
};

[[nodiscard]] std::string base64(const std::vector<std::byte>& bytes);

/// One simplex of the dimension (0 and the unit points), in mesh 0 at node 1; accessors: 0 vertices, 1 simplexes.
[[nodiscard]] Builder simplex(std::size_t dimension);
/// Two edges of a chain along X in 4D, skinned: node 1 skeleton, 2 mesh, 3 and 4 bones. Accessors: 0 vertices, 1 edges, 2 groups,
/// 3 vertices, 4 weights.
[[nodiscard]] Builder arm();
/// A square of two triangles and, as a second surface, their outline; normals, texture maps and two blend shapes with every target.
[[nodiscard]] Builder blended();
/// A cube in 4D, as topology with normals and seams.
[[nodiscard]] Builder cube();
/// The square of `blended` in the names of 2026-07.
[[nodiscard]] Builder bound();

/// Matches a finding with this code and pointer.
MATCHER_P2(IsFinding, code, pointer, "") { return arg.code == code && arg.pointer == pointer; }
/// Matches an error with this code and place.
MATCHER_P2(IsError, code, pointer, "") { return arg.code == code && arg.place.pointer == pointer; }

/// Checks that every index in entities without defect is in range, and that nodes are trees. Otherwise the test fails.
void expect_in_range(const Model& model);

}  // namespace sinew::g4mf::test

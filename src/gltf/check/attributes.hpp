// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "gltf/check/checker.hpp"

namespace sinew::gltf {

/// Checks the names of a primitive's attributes.
[[nodiscard]] AttributeNames check_attribute_names(Checker& checker, JsonValue attributes);

/// Rules about accessors that are used as vertex attributes.
class AttributeChecks {
 public:
  explicit AttributeChecks(Checker& checker) : checker_(checker), quantized_(checker.root().uses_extension("KHR_mesh_quantization")) {}

  /// Returns whether the values can be used for the attribute at all.
  [[nodiscard]] bool vertices(JsonValue at, std::string_view key, const AccessorFacts& accessor);
  /// `width`: of the attribute that is moved; 0 where it is not known.
  void target(JsonValue at, std::string_view key, const AccessorFacts& accessor, std::size_t width);
  void values(JsonValue at, std::string_view key, const AccessorFacts& accessor, const Array& values);

 private:
  void report_format(JsonValue at, const ElementFormat& format, const std::string& expected);
  void layout(JsonValue at, const AccessorFacts& accessor);

  Checker& checker_;
  bool quantized_;
  std::map<Index, std::set<Index>> sharers_;       ///< by view without a stride: accessors of attributes in it
  std::set<std::pair<Index, const void*>> clean_;  ///< accessors that passed the values' rule of a row
};

}  // namespace sinew::gltf

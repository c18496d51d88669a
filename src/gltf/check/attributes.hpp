// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "gltf/check/checker.hpp"

namespace sinew::gltf {

[[nodiscard]] AttributeNames check_attribute_names(Checker& checker, JsonValue attributes);

/// Checks accessors that are used as vertex attributes.
class AttributeChecks {
 public:
  explicit AttributeChecks(Checker& checker) : checker_(checker), quantized_(checker.root().uses_extension("KHR_mesh_quantization")) {}

  /// Returns whether the attribute can use the values at all.
  [[nodiscard]] bool vertices(JsonValue at, std::string_view key, const AccessorFacts& accessor);
  /// Checks an attribute of a morph target. `width`: that of the base attribute; 0: unknown.
  void target(JsonValue at, std::string_view key, const AccessorFacts& accessor, std::size_t width);
  void values(JsonValue at, std::string_view key, const AccessorFacts& accessor, const Array& values);

 private:
  void report_format(JsonValue at, const ElementFormat& format, const std::string& expected);
  void layout(JsonValue at, const AccessorFacts& accessor);

  Checker& checker_;
  bool quantized_;
  std::map<Index, std::set<Index>> sharers_;       ///< for each view without a stride, the accessors of attributes in it
  std::set<std::pair<Index, const void*>> clean_;  ///< accessors that passed a table row's rule for values
};

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "gltf/schema/attribute_names.hpp"

namespace sinew::gltf {

/// What the names of a primitive's attributes say together.
struct AttributeNames {
  bool position = false;
  std::size_t joint_sets = 0;  ///< of influences; 0 where their numbers make no sense
};
/// Checks the names of a primitive's attributes.
AttributeNames check_attribute_names(Reading& reading, JsonValue attributes);

/// Whether an accessor has a `min` and a `max` that fit it.
[[nodiscard]] bool has_bounds(const AccessorFormat& format);

/// Rules about accessors that are used as vertex attributes; only for Checks::all.
class AttributeChecks {
 public:
  explicit AttributeChecks(Reading& reading);

  void vertices(JsonValue at, std::string_view key, Index accessor, const AccessorFormat& format);
  void target(JsonValue at, std::string_view key, Index accessor, const AccessorFormat& format);
  void values(JsonValue at, std::string_view key, Index accessor, const AccessorFormat& format, const Array& values);

 private:
  void layout(JsonValue at, Index accessor, const AccessorFormat& format);

  Reading& reading_;
  bool quantized_ = false;                         ///< KHR_mesh_quantization is used
  std::map<Index, std::set<Index>> sharers_;       ///< by view without a stride: accessors of attributes in it
  std::set<std::pair<Index, const void*>> clean_;  ///< accessors that passed the values' rule of a row
};

}  // namespace sinew::gltf

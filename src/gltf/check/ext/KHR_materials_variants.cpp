// SPDX-License-Identifier: MIT
#include "gltf/check/ext/KHR_materials_variants.hpp"

#include <unordered_set>

#include "gltf/check/checked_object.hpp"
#include "gltf/schema/tables_extension.hpp"

namespace sinew::gltf::variants {

void check_primitive(Checking& checking, JsonValue value, const std::function<void(JsonValue at, Index material)>& use) {
  std::unordered_set<std::uint64_t> mapped;
  for (const JsonValue element : CheckedObject(checking, value, mappings_table)["mappings"].elements()) {
    if (!checking.root().file_extension(extension)) {
      checking.report<"UNSATISFIED_DEPENDENCY"_code>(element, "/extensions/KHR_materials_variants");
      continue;
    }
    const CheckedObject mapping(checking, element, mapping_table);
    for (const JsonValue variant : mapping["variants"].elements())
      if (const auto index = document::whole_number(variant); index && !mapped.insert(*index).second)
        checking.report<"KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT"_code>(variant, *index);
    if (const Index material = mapping.index("material", checking); material != none) use(mapping["material"], material);
  }
}

}  // namespace sinew::gltf::variants

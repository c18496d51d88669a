// SPDX-License-Identifier: MIT
#include "gltf/extensions/KHR_materials_variants.hpp"

#include <functional>
#include <unordered_set>

#include "gltf/check/checker.hpp"
#include "gltf/check/checks.hpp"

namespace sinew::gltf::variants {

void check_primitive(Checker& checker, JsonValue value, const std::function<void(JsonValue at, Index material)>& use) {
  std::unordered_set<std::uint64_t> mapped;
  for (const JsonValue element : CheckedObject(checker, value, mappings_table)["mappings"].elements()) {
    if (!checker.root().file_extension(extension)) {
      checker.report("UNSATISFIED_DEPENDENCY"_code, element, "/extensions/KHR_materials_variants");
      continue;
    }
    const CheckedObject mapping(checker, element, mapping_table);
    for (const JsonValue variant : mapping["variants"].elements())
      if (const auto index = whole_number(variant); index && !mapped.insert(*index).second)
        checker.report("KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT"_code, variant, *index);
    if (const Index material = mapping.index("material", checker); material != none) use(mapping["material"], material);
  }
}

}  // namespace sinew::gltf::variants

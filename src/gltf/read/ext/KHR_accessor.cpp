// SPDX-License-Identifier: MIT
#include "gltf/read/ext/KHR_accessor.hpp"

#include "gltf/read/asset.hpp"

namespace sinew::gltf {

bool may_be_wide(const Root& root) {
  const auto version = parse_version(root["asset"]["version"].string());
  return root.uses_extension("KHR_accessor_float64") || root.uses_extension("KHR_accessor_float16") ||
         (version && version->major == 2 && version->minor > 0);
}

}  // namespace sinew::gltf

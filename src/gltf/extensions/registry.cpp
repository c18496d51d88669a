// SPDX-License-Identifier: MIT
#include <algorithm>

#include "gltf/extensions/extension.hpp"

namespace sinew::gltf {

namespace {

#define SINEW_EXTENSIONS(family) &family::extensions,
constexpr const std::span<const Extension>* families[] = {
#include "gltf/extensions/registry.inc"
};
#undef SINEW_EXTENSIONS

template <class Matches>
const Extension* find(const Matches& matches) {
  for (const auto* const family : families)
    for (const Extension& extension : *family)
      if (matches(extension)) return &extension;
  return nullptr;
}

}  // namespace

const Extension* find_extension(std::string_view name) {
  if (const Extension* exact = find([&](const Extension& extension) { return extension.name == name; })) return exact;
  return find([&](const Extension& extension) {
    const std::string_view own = extension.name;
    return own.ends_with('*') && name.starts_with(own.substr(0, own.size() - 1));
  });
}

const Extension* find_checked_extension(std::string_view name) {
  const Extension* const found = find_extension(name);
  return found != nullptr && (found->checked || found->silent) ? found : nullptr;
}

const ExtensionPlace* find_place(const Extension& extension, const Table& holder) {
  const auto* const found = std::ranges::find(extension.places, &holder, &ExtensionPlace::holder);
  return found == std::end(extension.places) ? nullptr : found;
}

ExtensionUse use_of_extension(std::string_view name) {
  const Extension* const extension = find_extension(name);
  return extension == nullptr ? ExtensionUse::refused : extension->use;
}

ExtensionEffect effect_of_extension(std::string_view name) {
  const Extension* const extension = find_extension(name);
  return extension == nullptr ? ExtensionEffect::unknown : extension->effect;
}

ExtensionFate fate_of_extension(std::string_view name) {
  const Extension* const extension = find_extension(name);
  if (extension == nullptr) return ExtensionFate::uncertain;
  if (extension->fate != ExtensionFate::by_use) return extension->fate;
  return extension->use == ExtensionUse::applied   ? ExtensionFate::ended
         : extension->use == ExtensionUse::carried ? ExtensionFate::kept
                                                   : ExtensionFate::uncertain;
}

bool may_reorder(JsonValue object) {
  for (const JsonMember member : object["extensions"].members()) {
    const Extension* const extension = find_extension(member.key.string());
    if (extension == nullptr || extension->counts_elements) return false;
  }
  return true;
}

}  // namespace sinew::gltf

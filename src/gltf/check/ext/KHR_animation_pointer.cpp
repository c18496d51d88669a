// SPDX-License-Identifier: MIT
#include "gltf/extensions/KHR_animation_pointer.hpp"

#include "gltf/check/checker.hpp"
#include "gltf/check/checks.hpp"

namespace sinew::gltf::animation_pointer {

namespace {

constexpr std::string_view extension = "KHR_animation_pointer";

// RFC 6901: a pointer is empty or consists of steps that begin with "/"; "~" occurs only in "~0" and "~1".
bool is_pointer(std::string_view text) {
  if (!text.empty() && text.front() != '/') return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '~' && (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1'))) return false;
  return true;
}

void check_target(Checker& checker, JsonValue target, JsonValue value) {
  const JsonValue pointer = CheckedObject(checker, value, animation_pointer_table)["pointer"];
  if (pointer && !is_pointer(pointer.string())) checker.report("PATTERN_MISMATCH"_code, pointer, excerpt(pointer), "of a JSON pointer");
  if (const Index node = CheckedObject(checker, target, channel_target_table).index("node", checker); node != none)
    checker.report("KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE"_code, value, node);
  if (const JsonValue path = target["path"]; !path.equals("pointer"))
    checker.report("KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_PATH"_code, value, path ? excerpt(path) : "missing");
}

}  // namespace

void check(Checker& checker) {
  if (!checker.root().uses_extension(extension)) return;
  for (const JsonValue animation : checker.root()["animations"].elements())
    for (const JsonValue channel : animation["channels"].elements())
      if (const JsonValue value = channel["target"]["extensions"][extension]) check_target(checker, channel["target"], value);
}

}  // namespace sinew::gltf::animation_pointer

// SPDX-License-Identifier: MIT
#include "gltf/check/ext/KHR_animation_pointer.hpp"

#include "gltf/check/checked_object.hpp"
#include "gltf/schema/tables_extension.hpp"

namespace sinew::gltf::animation_pointer {

namespace {

// RFC 6901: empty, or steps that begin with "/"; "~" is the start of "~0" or "~1".
bool is_pointer(std::string_view text) {
  if (!text.empty() && text.front() != '/') return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '~' && (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1'))) return false;
  return true;
}

void check_target(Reading& reading, JsonValue target, JsonValue value) {
  const JsonValue pointer = CheckedObject(reading, value, animation_pointer_table)["pointer"];
  if (pointer && !is_pointer(pointer.string()))
    reading.report<"PATTERN_MISMATCH"_code>(pointer, document::excerpt(pointer), "of a JSON pointer");
  if (const Index node = CheckedObject(reading, target, channel_target_table).index("node", reading); node != none)
    reading.report<"KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE"_code>(value, node);
  if (const JsonValue path = target["path"]; !path.equals("pointer"))
    reading.report<"KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_PATH"_code>(value, path ? document::excerpt(path) : "missing");
}

}  // namespace

void check(Reading& reading) {
  if (!reading.uses_extension(extension)) return;
  for (const JsonValue animation : reading.root()[RootRow::animations].elements())
    for (const JsonValue channel : animation["channels"].elements())
      if (const JsonValue value = channel["target"]["extensions"][extension]) check_target(reading, channel["target"], value);
}

}  // namespace sinew::gltf::animation_pointer

// SPDX-License-Identifier: MIT
#include <utility>

#include "gltf/read/ext/VRM.hpp"

namespace sinew::gltf {

// Text A of the draft gives a node for each role, text C an object with the node.
bool read_character(Reader& reader) {
  const Root& root = reader.root();
  if (!root.file_extension("KHR_character")) return false;
  Avatar& avatar = reader.model().avatar;
  avatar.format = Avatar::Format::khr_character;
  for (const JsonMember set : root.file_extension("KHR_character_skeleton_mapping")["skeletalRigMappings"].members()) {
    if (!set.value["hips"]) continue;  // of another vocabulary than that of VRM
    for (const JsonMember role : set.value.members())
      add_bone(reader, role.key.string(), role.value.is(document::JsonKind::object) ? role.value["node"] : role.value);
    break;
  }
  for (const JsonValue value : root.file_extension("KHR_character_expression")["expressions"].elements()) {
    Expression expression;
    expression.name = expression.stored = value["expression"].string();
    expression.clip = root.plain_index(value["animation"], Reference::animation);
    expression.source = source_of(value);
    if (expression.clip < reader.model().clips.size() && reader.model().clips[expression.clip].defect == none)
      avatar.expressions.push_back(std::move(expression));
  }
  return true;
}

}  // namespace sinew::gltf

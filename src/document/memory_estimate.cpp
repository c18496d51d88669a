// SPDX-License-Identifier: MIT
#include "document/memory_estimate.hpp"

#include <cstdint>
#include <string_view>

namespace sinew::document {

namespace {

// Measured on files of empty entities and rounded up; a node's world and rest transforms come on top.
constexpr std::uint64_t bytes_per_entity = 512;
constexpr std::uint64_t bytes_per_node = 1024;
constexpr std::uint64_t bytes_per_joint = 512;

/// Two maps of the space: of a node in its parent and in the world, of a joint to bind it and to move by it.
std::uint64_t bytes_of_maps(std::size_t dimension) { return 2 * sizeof(double) * dimension * (dimension + 1); }

/// Entries of lists in the elements of a list: the primitives of all meshes.
std::uint64_t count_in(JsonValue list, std::string_view name) {
  std::uint64_t count = 0;
  for (const JsonValue element : list.elements()) count += element[name].size();
  return count;
}

}  // namespace

Checked<> take_entities(Reader& reader, std::size_t dimension) {
  const JsonValue root = reader.document().json().root();
  std::uint64_t count = 0;
  for (const JsonMember member : root.members()) count += member.value.size();
  for (const JsonValue mesh : root["meshes"].elements())
    for (const std::string_view name : {"primitives", "surfaces"}) {
      const JsonValue parts = mesh[name];
      count += parts.size() + count_in(parts, "targets");
    }
  for (const std::string_view name : {"channels", "samplers"}) count += count_in(root["animations"], name);
  if (auto taken = reader.take(root, count, bytes_per_entity); !taken) return taken;
  if (auto taken = take_joints(reader, root["skins"], count_in(root["skins"], "joints"), dimension); !taken) return taken;
  return reader.take(root["nodes"], root["nodes"].size(), bytes_per_node + bytes_of_maps(dimension));
}

Checked<> take_joints(Reader& reader, JsonValue at, std::uint64_t count, std::size_t dimension) {
  return reader.take(at, count, bytes_per_joint + bytes_of_maps(dimension));
}

}  // namespace sinew::document

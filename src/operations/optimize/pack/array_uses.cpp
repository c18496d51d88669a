// SPDX-License-Identifier: MIT
#include "operations/optimize/pack/array_uses.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/path_text.hpp"
#include "document/schema/object.hpp"
#include "document/schema/orphans.hpp"
#include "gltf/extensions/references.hpp"

namespace sinew::operations {

using document::JsonMember;
using document::JsonValue;
using document::Property;
using gltf::Reference;
using gltf::reference_scheme;

namespace {

class Uses {
 public:
  explicit Uses(JsonValue root) : root_(root), uses_(root["accessors"].size()), counted_(uses_.size()), found_(uses_.size()) {}

  std::vector<ArrayUse> find() {
    std::uint64_t index = 0;
    for (const JsonValue mesh : root_["meshes"].elements()) {
      for (const JsonValue primitive : mesh["primitives"].elements()) find_in(primitive, index);
      ++index;
    }
    for (const JsonValue animation : root_["animations"].elements()) find_channels(animation);
    count_references();
    for (std::size_t i = 0; i < uses_.size(); ++i) uses_[i].data |= counted_[i] > found_[i];
    return std::move(uses_);
  }

 private:
  ArrayUse* at(JsonValue index) {
    const auto number = whole_number(index);
    if (!number || *number >= uses_.size()) return nullptr;
    ++found_[*number];
    return &uses_[*number];
  }

  void find_in(JsonValue primitive, std::uint64_t mesh) {
    for (const JsonMember member : primitive["attributes"].members())
      if (ArrayUse* const use = at(member.value)) {
        set(*use, vertex_use_of(member.key.string()), mesh);
        use->directions |= member.key.equals("NORMAL") || member.key.equals("TANGENT");
      }
    for (const JsonValue target : primitive["targets"].elements())
      for (const JsonMember member : target.members())
        if (ArrayUse* const use = at(member.value)) set(*use, offset_use_of(member.key.string()), mesh);
    const bool triangles = whole_number(primitive["mode"]).value_or(4) == 4;
    if (ArrayUse* const use = at(primitive["indices"])) (triangles ? use->triangles : use->indices) = true;
  }

  static void set(ArrayUse& use, ArrayUse::Vertex vertex, std::uint64_t mesh) {
    use.vertex = !use.vertices || use.vertex == vertex ? vertex : ArrayUse::Vertex::other;
    use.vertices = true;
    use.meshes.push_back(mesh);
  }

  static ArrayUse::Vertex vertex_use_of(std::string_view name) {
    using enum ArrayUse::Vertex;
    constexpr std::pair<std::string_view, ArrayUse::Vertex> names[] = {{"POSITION", position},  {"NORMAL", normal}, {"TANGENT", tangent},
                                                                       {"TEXCOORD_", texcoord}, {"COLOR_", color},  {"JOINTS_", joints},
                                                                       {"WEIGHTS_", weights}};
    for (const auto& [start, use] : names)
      if (name.starts_with(start)) return use;
    return other;
  }

  static ArrayUse::Vertex offset_use_of(std::string_view name) {
    using enum ArrayUse::Vertex;
    return name == "POSITION" ? offset : name == "NORMAL" || name == "TANGENT" ? direction_offset : other;
  }

  void find_channels(JsonValue animation) {
    const JsonValue samplers = animation["samplers"];
    for (const JsonValue channel : animation["channels"].elements()) {
      const auto number = whole_number(channel["sampler"]);
      const auto path = path_of(channel["target"]["path"]);
      const JsonValue sampler = number && *number < samplers.size() ? samplers.at(static_cast<std::uint32_t>(*number)) : JsonValue();
      const auto node = whole_number(channel["target"]["node"]);
      const auto output = whole_number(sampler["output"]);
      if (!path || !node || !output || *output >= uses_.size()) continue;
      uses_[*output].channels.push_back({*node, *path, sampler["interpolation"].equals("CUBICSPLINE")});
    }
    // Each sampler refers to its values once, for all of its channels.
    for (const JsonValue sampler : samplers.elements())
      if (const auto output = whole_number(sampler["output"]); output && *output < uses_.size() && !uses_[*output].channels.empty())
        ++found_[*output];
  }

  static std::optional<TrackPath> path_of(JsonValue path) {
    if (path.equals("translation")) return TrackPath::translation;
    if (path.equals("rotation")) return TrackPath::rotation;
    if (path.equals("scale")) return TrackPath::scale;
    if (path.equals("weights")) return TrackPath::amounts;
    return std::nullopt;
  }

  void count_references() {
    visit_references(root_, reference_scheme(), [&](const Property& row, std::uint64_t index) {
      if (row.reference == static_cast<std::uint8_t>(Reference::accessor) && index < counted_.size()) ++counted_[index];
    });
  }

  JsonValue root_;
  std::vector<ArrayUse> uses_;
  std::vector<std::size_t> counted_, found_;  ///< all references to each accessor, and those that have a use above
};

}  // namespace

bool ArrayUse::only(TrackPath path) const {
  const bool other = vertices || triangles || indices || data || channels.empty();
  return !other && std::ranges::all_of(channels, [&](const Channel& channel) { return channel.path == path && !channel.spline; });
}

std::vector<ArrayUse> array_uses(JsonValue root) { return Uses(root).find(); }

}  // namespace sinew::operations

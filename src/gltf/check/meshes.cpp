// SPDX-License-Identifier: MIT
#include "gltf/read/meshes.hpp"

#include <algorithm>

// The rules of meshes that change nothing about what is read.

namespace sinew::gltf {

void Meshes::check_indices(JsonValue at, const AccessorFormat& format) {
  if (format.strided) reading_.report<"MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE"_code>(at);
  if (format.normalized && format.width() == 1 && is_unsigned(format.component))  // others are refused
    reading_.report<"MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT"_code>(at, format.text());
}

// Whether the corners make whole lines and triangles.
void Meshes::check_mode(const PrimitiveObject& object, const Parts& parts) {
  struct Mode {
    std::string_view what;
    std::uint64_t least, multiple;
  };
  constexpr Mode modes[] = {{"points", 0, 1},    {"lines", 0, 2},           {"line loops", 2, 1},   {"line strips", 2, 1},
                            {"triangles", 0, 3}, {"triangle strips", 3, 1}, {"triangle fans", 3, 1}};
  if (object.value()["mode"] && !object.has(PrimitiveRow::mode)) return;
  if (!parts.corners && parts.counts.empty()) return;
  const std::uint64_t count = parts.corners.value_or(parts.vertices());
  const Mode& mode = modes[object.integer(PrimitiveRow::mode)];
  if (count < mode.least || count % mode.multiple != 0)
    reading_.report<"MESH_PRIMITIVE_INCOMPATIBLE_MODE"_code>(object.value(), count, mode.what);
}

void Meshes::check_influences() {
  const Model& model = reading_.model();
  std::vector<Index> smallest(stored_.size(), none);  // by mesh: the skin
  for (const Node& node : model.nodes) {
    if (node.mesh >= stored_.size() || node.skin == none || model.skins[node.skin].slots.empty()) continue;
    Index& skin = smallest[node.mesh];
    if (skin == none || model.skins[node.skin].slots.size() < model.skins[skin].slots.size()) skin = node.skin;
  }
  std::vector<InfluenceSet> sets;
  for (Index mesh = 0; mesh < stored_.size(); ++mesh) {
    if (smallest[mesh] == none || !all_skinned(mesh)) continue;
    for (Skinned& primitive : stored_[mesh].primitives) {
      sets.clear();
      for (const Skinned::Set& set : primitive.sets) sets.push_back(set.values);
      const auto whole = [&](const InfluenceSet& set) {
        return set.joints.size() == primitive.vertices && set.weights.size() == primitive.vertices && has_data(set.joints_at) &&
               has_data(set.weights_at);
      };
      if (sets.size() != primitive.named || !std::ranges::all_of(sets, whole)) continue;
      primitive.reported = sinew::gltf::check_influences(reading_, sets, smallest[mesh], model.skins[smallest[mesh]].slots.size());
    }
  }
}

// Whether the accessor that an attribute names has bytes in the file.
bool Meshes::has_data(JsonValue at) const {
  const auto index = document::whole_number(at);
  return index && accessors_.format(static_cast<Index>(*index))->has_data();
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#include "gltf/extensions/SINEW_bounds.hpp"

#include <array>
#include <optional>

#include "gltf/read/ext/SINEW_bounds.hpp"

namespace sinew::gltf {

namespace {

void read_stored(Reader& reader, JsonValue value) {
  const auto object = reader.object<StoredBoxObject>(value);
  if (object.defect()) return;
  StoredBox box;
  box.node = reader.root().plain_index(object["node"], Reference::node);
  box.joint = reader.root().plain_index(object["joint"], Reference::node);
  box.clip = reader.root().plain_index(object["animation"], Reference::animation);
  const auto broken = [](JsonValue value, Index index) { return value && index == none; };
  if (broken(object["node"], box.node) || broken(object["joint"], box.joint) || broken(object["animation"], box.clip)) return;
  box.at_rest = object.boolean("rest");
  const auto least = object.numbers<3>("min"), most = object.numbers<3>("max");
  box.min.assign(least.begin(), least.end());
  box.max.assign(most.begin(), most.end());
  box.source = source_of(value);
  reader.model().boxes.push_back(std::move(box));
}

std::optional<std::array<double, 4>> numbers_of(JsonValue list, std::size_t count, std::array<double, 4> fallback) {
  if (!list) return fallback;
  std::size_t i = 0;
  for (const JsonValue element : list.elements()) {
    const auto number = element.number();
    if (i == count || !number) return std::nullopt;
    fallback[i++] = *number;
  }
  return i == count ? std::optional(fallback) : std::nullopt;
}

/// A bounding volume of a node (draft of glTF 2.1). Only boxes hold a box.
void read_volume(Reader& reader, Index node, JsonValue volume) {
  const JsonValue shape = document::element(reader.root().value()["shapes"], volume["shape"]);
  if (!shape["type"].equals("box")) return;
  const auto size = numbers_of(shape["box"]["size"], 3, {1, 1, 1, 0});
  const auto translation = numbers_of(volume["translation"], 3, {}), rotation = numbers_of(volume["rotation"], 4, {0, 0, 0, 1}),
             scale = numbers_of(volume["scale"], 3, {1, 1, 1, 0});
  if (!size || !translation || !rotation || !scale) return;
  LocalTransform local;
  local.translation.assign(std::span(*translation).first(3));
  local.scale.assign(std::span(*scale).first(3));
  local.rotor.assign(rotor_from_quaternion(*rotation));
  StoredBox box;
  box.node = node;
  box.node_from_box = affine_of(3, local);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box.min.push_back(-(*size)[axis] / 2);
    box.max.push_back((*size)[axis] / 2);
  }
  box.source = source_of(volume);
  reader.model().boxes.push_back(std::move(box));
}

}  // namespace

void read_boxes(Reader& reader) {
  for (const JsonValue value : reader.root().file_extension(bounds_extension)["boxes"].elements()) read_stored(reader, value);
  if (!reader.root().value()["shapes"]) return;
  Index index = 0;
  for (const JsonValue node : reader.root()["nodes"].elements()) {
    if (const JsonValue volume = node["boundingVolume"]) read_volume(reader, index, volume);
    ++index;
  }
}

}  // namespace sinew::gltf

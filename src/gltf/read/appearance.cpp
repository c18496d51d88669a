// SPDX-License-Identifier: MIT
#include <cmath>

#include "document/schema/object.hpp"
#include "gltf/read/read.hpp"

namespace sinew::gltf {

using document::Bytes;
using document::JsonValue;
using document::whole_number;

namespace {

/// Reads a list of exactly N numbers; otherwise the default stays.
template <std::size_t N>
void read_numbers(JsonValue list, std::array<double, N>& numbers) {
  std::size_t i = 0;
  for (const JsonValue value : list.elements()) {
    if (i == N) break;
    if (const auto number = value.number()) numbers[i] = *number;
    ++i;
  }
}

Appearance::Wrap wrap_of(JsonValue mode) {
  switch (whole_number(mode).value_or(10497)) {
    case 33071:
      return Appearance::Wrap::clamp;
    case 33648:
      return Appearance::Wrap::mirror;
    default:
      return Appearance::Wrap::repeat;
  }
}

void read_texture(const Source& source, JsonValue info, Appearance& appearance, std::optional<Error>& note) {
  const JsonValue root = source.document().json().root();
  const JsonValue texture = element(root["textures"], info["index"]);
  const JsonValue webp = texture["extensions"]["EXT_texture_webp"]["source"];
  const JsonValue image = element(root["images"], webp ? webp : texture["source"]);
  if (!image) return;
  auto bytes = image_bytes(source.document(), image, &source.fetched());
  if (!bytes && is_limit(bytes.error().failure)) bytes = image_bytes(source.document(), image);  // what was missing then may be there now
  if (!bytes) {
    note = std::move(bytes.error());
    if (!note->place.pointer) note->place.pointer = image.pointer();
    return;
  }
  const JsonValue sampler = element(root["samplers"], texture["sampler"]);
  Appearance::Texture& made = appearance.texture.emplace(Appearance::Texture());
  made.image = bytes->view;
  made.owner = bytes->owner;
  made.wrap_s = wrap_of(sampler["wrapS"]);
  made.wrap_t = wrap_of(sampler["wrapT"]);
  made.nearest = whole_number(sampler["magFilter"]) == 9728U;
  const TextureCoordinates coordinates = texture_coordinates(info);
  made.set = coordinates.set;
  made.transform = coordinates.transform;
}

}  // namespace

Result<Bytes> image_bytes(const document::Document& document, JsonValue image, document::FetchedOnce* fetched) {
  if (const JsonValue uri = image["uri"])
    return fetched == nullptr ? document.fetch(uri.string()) : fetched->of(image, [&] { return document.fetch(uri.string()); });
  return view_bytes(document, element(document.json().root()["bufferViews"], image["bufferView"]), fetched);
}

// KHR_texture_transform: scale first, then rotation, then translation.
TextureCoordinates texture_coordinates(JsonValue info) {
  TextureCoordinates coordinates;
  const JsonValue transform = info["extensions"]["KHR_texture_transform"];
  const auto set = whole_number((transform["texCoord"] ? transform : info)["texCoord"]);
  if (set) coordinates.set = static_cast<Index>(*set);
  if (!transform) return coordinates;
  std::array<double, 2> offset{0, 0}, scale{1, 1};
  read_numbers(transform["offset"], offset);
  read_numbers(transform["scale"], scale);
  const double angle = transform["rotation"].number().value_or(0), c = std::cos(angle), s = std::sin(angle);
  coordinates.transform = {c * scale[0], -s * scale[0], 0, s * scale[1], c * scale[1], 0, offset[0], offset[1], 1};
  return coordinates;
}

Appearance read_appearance(const Source& source, SourceId id, std::optional<Error>& note) {
  Appearance made;
  const JsonValue material = source.value(id);
  const JsonValue physical = material["pbrMetallicRoughness"];
  read_numbers(physical["baseColorFactor"], made.color);
  if (material["alphaMode"].equals("MASK")) made.alpha = Appearance::Alpha::mask;
  if (material["alphaMode"].equals("BLEND")) made.alpha = Appearance::Alpha::blend;
  made.cutoff = material["alphaCutoff"].number().value_or(made.cutoff);
  made.double_sided = material["doubleSided"].boolean().value_or(false);
  made.unlit = static_cast<bool>(material["extensions"]["KHR_materials_unlit"]);
  read_texture(source, physical["baseColorTexture"], made, note);
  return made;
}

bool faces_back(const Source& source) {
  const document::JsonValue extensions = source.document().json().root()["extensions"];
  return extensions["VRM"].is(document::JsonKind::object) && !extensions["VRMC_vrm"];
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#include <utility>

#include "g4mf/read/read.hpp"
#include "g4mf/schema/data/accessors.hpp"

namespace sinew::g4mf {

namespace {

bool is_drawable(JsonValue file) {
  const JsonValue type = file["mimeType"];
  return type.equals("image/png") || type.equals("image/jpeg") || type.equals("image/webp");
}

Appearance::Wrap wrap_of(JsonValue word) {
  if (word.equals("clamp")) return Appearance::Wrap::clamp;
  return word.equals("mirror") ? Appearance::Wrap::mirror : Appearance::Wrap::repeat;
}

/// Returns the image of a texture. Nothing if it has none or, with a note, if its bytes are missing.
std::optional<Bytes> image_bytes(const Source& source, JsonValue texture, std::optional<Error>& note) {
  const JsonValue image = image_of(source.document().json().root(), texture);
  if (!image) return {};
  auto bytes = source.bytes_of(image);
  if (bytes) return std::move(*bytes);
  note = std::move(bytes.error());
  if (!note->place.pointer) note->place.pointer = image.pointer();
  return {};
}

/// `wrap`: one word for all axes, or one per axis.
Appearance::Wrap wrap_along(JsonValue wrap, std::uint32_t axis) {
  return wrap.size() == 0 ? Appearance::Wrap::repeat : wrap_of(wrap.at(wrap.size() > axis ? axis : 0));
}

void read_flat(const Source& source, JsonValue texture, Appearance& appearance, std::optional<Error>& note) {
  auto bytes = image_bytes(source, texture, note);
  if (!bytes) return;
  const JsonValue sampler = texture["sampler"];
  Appearance::Texture& made = appearance.texture.emplace(Appearance::Texture());
  made.image = bytes->view;
  made.owner = bytes->owner;
  made.wrap_s = wrap_along(sampler["wrap"], 0);
  made.wrap_t = wrap_along(sampler["wrap"], 1);
  made.nearest = sampler["magFilter"].equals("nearest");
}

/// One channel, and two (with opacity), are grey.
std::array<double, 4> placeholder_of(JsonValue channels) {
  const std::array<double, 4> numbers = first_numbers<4>(channels, {1, 1, 1, 1});
  if (channels.size() > 2) return numbers;
  std::array<double, 4> color{};
  color.fill(numbers[0]);
  color[3] = numbers[1];
  return color;
}

void read_volume(const Source& source, JsonValue texture, Appearance& appearance, std::optional<Error>& note) {
  Appearance::Volume made;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const auto side = whole_number(texture["size"].at(i));
    if (!side || *side == 0) return;
    made.size[i] = *side;
    made.wrap[i] = wrap_along(texture["sampler"]["wrap"], i);
  }
  made.nearest = texture["sampler"]["magFilter"].equals("nearest");
  made.placeholder = placeholder_of(texture["placeholder"]);
  if (auto bytes = image_bytes(source, texture, note)) {
    made.image = bytes->view;
    made.owner = bytes->owner;
  }
  appearance.volume = std::move(made);
}

/// Reads a texture of two or three dimensions, with the map of the surface or of the channel (add_channel_values).
void read_texture(const Source& source, JsonValue channel, Appearance& appearance, std::optional<Error>& note) {
  const JsonValue texture = element(source.document().json().root()["textures"], channel["texture"]);
  if (channel["topologyTextureMap"] && !channel["textureMap"]) return;
  if (texture["size"].size() == 2) read_flat(source, texture, appearance, note);
  if (texture["size"].size() == 3) read_volume(source, texture, appearance, note);
}

}  // namespace

JsonValue image_of(JsonValue root, JsonValue texture) {
  for (const JsonValue image : texture["images"].elements())
    if (is_drawable(image)) return image;
  for (const JsonValue index : texture["files"].elements())
    if (const JsonValue file = element(root["files"], index); is_drawable(file)) return file;
  return {};
}

Appearance read_appearance(const Source& source, SourceId material, std::optional<Error>& note) {
  Appearance made;
  made.double_sided = true;
  const JsonValue channel = source.value(material)["baseColor"];
  made.color = first_numbers(channel["factor"], made.color);
  if (made.color[3] < 1) made.alpha = Appearance::Alpha::blend;
  read_texture(source, channel, made, note);
  return made;
}

}  // namespace sinew::g4mf

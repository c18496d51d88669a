// SPDX-License-Identifier: MIT
#include "g4mf/appearance.hpp"

#include <utility>

#include "g4mf/buffer.hpp"

namespace sinew::g4mf {

namespace {

using document::Bytes;

JsonValue element(JsonValue list, JsonValue index) {
  const auto number = document::whole_number(index);
  return number && *number < list.size() ? list.at(static_cast<std::uint32_t>(*number)) : JsonValue();
}

/// The bytes of a file reference.
Result<Bytes> file_bytes(const document::Document& document, JsonValue file) {
  if (const JsonValue uri = file["uri"]) return document.fetch(uri.string());
  FindingList ignored;  // validation has told them
  Model model;
  Reading reading(document, Checks::safety, ignored, model, {});
  Buffers buffers(reading);
  const auto index = document::whole_number(file["bufferView"]);
  if (index && *index < document.json().root()["bufferViews"].size()) {
    const auto& view = buffers.view(static_cast<Index>(*index));
    if (view) return view->bytes;
  }
  return Unexpected(
      error<"IO_ERROR"_code>(Failure::input, Place{document.path().string(), file.pointer(), {}}, "the image's bytes are not in the file"));
}

bool is_drawable(JsonValue file) {
  const JsonValue type = file["mimeType"];
  return type.equals("image/png") || type.equals("image/jpeg") || type.equals("image/webp");
}

/// The first image, in the order of priority, that can be drawn; a texture of 2026-07 names files of the document.
JsonValue image_of(JsonValue root, JsonValue texture) {
  for (const JsonValue image : texture["images"].elements())
    if (is_drawable(image)) return image;
  for (const JsonValue index : texture["files"].elements())
    if (const JsonValue file = element(root["files"], index); is_drawable(file)) return file;
  return {};
}

Appearance::Wrap wrap_of(JsonValue word) {
  if (word.equals("clamp")) return Appearance::Wrap::clamp;
  return word.equals("mirror") ? Appearance::Wrap::mirror : Appearance::Wrap::repeat;
}

/// A flat texture, by the map of the surface: one of the channel's own is another.
void read_texture(const document::Document& document, JsonValue channel, Appearance& appearance, std::optional<Error>& note) {
  const JsonValue root = document.json().root();
  const JsonValue texture = element(root["textures"], channel["texture"]);
  if (texture["size"].size() != 2 || channel["textureMap"] || channel["topologyTextureMap"]) return;
  const JsonValue image = image_of(root, texture);
  if (!image) return;
  auto bytes = file_bytes(document, image);
  if (!bytes) {
    note = std::move(bytes.error());
    if (!note->place.pointer) note->place.pointer = image.pointer();
    return;
  }
  const JsonValue sampler = texture["sampler"], wrap = sampler["wrap"];
  Appearance::Texture& made = appearance.texture.emplace(Appearance::Texture());
  made.image = bytes->view;
  made.owner = bytes->owner;
  if (wrap.size() > 0) {
    made.wrap_s = wrap_of(wrap.at(0));
    made.wrap_t = wrap_of(wrap.at(wrap.size() > 1 ? 1 : 0));
  }
  made.nearest = sampler["magFilter"].equals("nearest");
}

}  // namespace

Appearance read_appearance(const Source& source, SourceId material, std::optional<Error>& note) {
  Appearance made;
  made.double_sided = true;
  const JsonValue channel = source.value(material)["baseColor"];
  std::size_t i = 0;
  for (const JsonValue value : channel["factor"].elements()) {
    if (i == made.color.size()) break;
    if (const auto number = value.number()) made.color[i] = *number;
    ++i;
  }
  if (made.color[3] < 1) made.alpha = Appearance::Alpha::blend;
  read_texture(source.document(), channel, made, note);
  return made;
}

}  // namespace sinew::g4mf

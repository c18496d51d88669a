// SPDX-License-Identifier: MIT
#include "gltf/check/images.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "document/image.hpp"
#include "document/uri.hpp"
#include "gltf/check/buffers.hpp"
#include "gltf/check/checked_object.hpp"
#include "gltf/check/ext/EXT_texture_webp.hpp"
#include "gltf/schema/tables_extension.hpp"

namespace sinew::gltf {

namespace {

class ImageCheck {
 public:
  ImageCheck(Reading& reading, Buffers& buffers)
      : reading_(reading),
        buffers_(buffers),
        enabled_(reading.uses_extension(webp::extension) ? std::span<const std::string_view>(image_types_and_webp) : image_types) {}

  /// Returns the media type.
  std::string check(JsonValue value) {
    const CheckedObject image(reading_, value, image_table);
    const JsonValue view = image["bufferView"], uri = image["uri"];
    const JsonValue declared = value["mimeType"].is(JsonKind::string) ? value["mimeType"] : JsonValue();  // also of no known type
    if (view && !declared) reading_.report<"UNSATISFIED_DEPENDENCY"_code>(view, "mimeType");
    if (static_cast<bool>(view) == static_cast<bool>(uri))
      reading_.report<"ONE_OF_MISMATCH"_code>(value, view ? "both" : "neither", "bufferView", "uri");
    const auto bytes = uri ? fetch(uri) : view_bytes(image);
    std::string type = declared.string();
    // An extension of the image may say where its data are.
    if (!bytes || value["extensions"].size() > 0) return type;
    const auto info = document::image_info(bytes->view);
    if (!info) {
      report(value, info.error());
      return type;
    }
    check_info(value, *info, declared, uri ? uri : view);
    return declared ? type : std::string(info->mime_type);
  }

 private:
  [[nodiscard]] bool enabled(std::string_view type) const { return std::ranges::find(enabled_, type) != enabled_.end(); }

  [[nodiscard]] std::optional<document::Bytes> fetch(JsonValue uri) {
    const std::string text = uri.string();
    check_uri(reading_, uri, text);
    auto bytes = reading_.document().fetch(text);
    if (!bytes) {
      reading_.report(uri, bytes.error());
      return std::nullopt;
    }
    if (document::is_data_uri(text)) {
      if (in_glb(reading_)) reading_.report<"DATA_URI_GLB"_code>(uri);
      if (!has_type_of_data_uri(text, bytes->view)) {
        reading_.report<"INVALID_URI"_code>(uri, document::excerpt(uri), "the media type is not that of the data");
        return std::nullopt;
      }
    }
    return std::move(*bytes);
  }

  [[nodiscard]] std::optional<document::Bytes> view_bytes(const CheckedObject& image) {
    const Index index = image.index("bufferView", reading_);
    if (index == none) return std::nullopt;
    if (buffers_.strided(index)) reading_.report<"IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE"_code>(image["bufferView"], index);
    auto view = buffers_.view(index);
    if (!view) return std::nullopt;
    return std::move(view->bytes);
  }

  void report(JsonValue at, const document::ImageFault& fault) {
    switch (fault.kind) {
      case document::ImageFault::Kind::unrecognized:
        return reading_.report<"IMAGE_UNRECOGNIZED_FORMAT"_code>(at);
      case document::ImageFault::Kind::truncated:
        return reading_.report<"IMAGE_UNEXPECTED_EOS"_code>(at);
      case document::ImageFault::Kind::invalid:
        return reading_.report<"IMAGE_DATA_INVALID"_code>(at, fault.reason);
    }
  }

  void check_info(JsonValue value, const document::ImageInfo& info, JsonValue declared, JsonValue data) {
    const auto& [width, height] = std::pair(info.image.width, info.image.height);
    if (!enabled(info.mime_type)) reading_.report<"IMAGE_NON_ENABLED_MIME_TYPE"_code>(value, info.mime_type);
    if (declared && !declared.equals(info.mime_type))
      reading_.report<"IMAGE_MIME_TYPE_INVALID"_code>(data, info.mime_type, document::excerpt(declared));
    if (!std::has_single_bit(width) || !std::has_single_bit(height)) reading_.report<"IMAGE_NPOT_DIMENSIONS"_code>(value, width, height);
    if (!info.unusual.empty()) reading_.report<"IMAGE_FEATURES_UNSUPPORTED"_code>(value, info.unusual);
  }

  Reading& reading_;
  Buffers& buffers_;
  std::span<const std::string_view> enabled_;
};

}  // namespace

bool has_type_of_data_uri(std::string_view uri, std::span<const std::byte> data) {
  const auto parts = document::split_data_uri(uri);
  const auto same = [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b); };
  return parts && std::ranges::equal(document::image_mime_type(data), parts->media_type, same);
}

ImageTypes check_images(Reading& reading, Buffers& buffers) {
  ImageTypes types;
  ImageCheck check(reading, buffers);
  for (const JsonValue value : reading.root()[RootRow::images].elements())
    types.push_back(value.is(JsonKind::object) ? check.check(value) : std::string());
  return types;
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <optional>

#include "base/message.hpp"
#include "document/container/image.hpp"
#include "document/files/uri.hpp"
#include "gltf/check/checker.hpp"
#include "gltf/check/checks.hpp"
#include "gltf/extensions/EXT_texture.hpp"

namespace sinew::gltf {

namespace {

// By ImageFault::Kind.
constexpr Code fault_codes[] = {"IMAGE_UNRECOGNIZED_FORMAT"_code, "IMAGE_UNEXPECTED_EOS"_code, "IMAGE_DATA_INVALID"_code};

class ImageCheck {
 public:
  explicit ImageCheck(Checker& checker)
      : checker_(checker),
        enabled_(checker.root().uses_extension(webp_extension) ? std::span<const std::string_view>(image_types_and_webp) : image_types) {}

  /// Returns the media type.
  std::string check(JsonValue value) {
    const CheckedObject image(checker_, value, image_table);
    const JsonValue view = image["bufferView"], uri = image["uri"];
    const JsonValue declared = value["mimeType"].is(JsonKind::string) ? value["mimeType"] : JsonValue();  // may also be an unknown type
    if (view && !declared) checker_.report("UNSATISFIED_DEPENDENCY"_code, view, "mimeType");
    if (static_cast<bool>(view) == static_cast<bool>(uri))
      checker_.report("ONE_OF_MISMATCH"_code, value, view ? "both" : "neither", "bufferView", "uri");
    const auto bytes = uri ? fetch(uri) : view_bytes(image);
    std::string type = declared.string();
    // An extension of the image may specify where its data is.
    if (!bytes || value["extensions"].size() > 0) return type;
    const auto info = image_info(bytes->view);
    if (!info) {
      checker_.report(fault_codes[static_cast<std::size_t>(info.error().kind)], value, info.error().reason);
      return type;
    }
    check_info(value, *info, declared, uri ? uri : view);
    return declared ? type : std::string(info->mime_type);
  }

 private:
  [[nodiscard]] std::optional<Bytes> fetch(JsonValue uri) {
    const std::string text = uri.string();
    check_uri(checker_, uri, text);
    auto bytes = checker_.document().fetch(text);
    if (!bytes) {
      checker_.report(uri, bytes.error());
      return std::nullopt;
    }
    if (is_data_uri(text)) {
      if (checker_.document().container() == Container::glb) checker_.report("DATA_URI_GLB"_code, uri);
      if (!has_declared_type(text, bytes->view)) {
        checker_.report("INVALID_URI"_code, uri, excerpt(uri), "its media type differs from that of the data");
        return std::nullopt;
      }
    }
    return std::move(*bytes);
  }

  [[nodiscard]] std::optional<Bytes> view_bytes(const CheckedObject& image) {
    const Index index = image.index("bufferView", checker_);
    if (index == none) return std::nullopt;
    if (checker_.parsed().buffers->strided(index)) checker_.report("IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE"_code, image["bufferView"], index);
    const Index buffer = checker_.views[index].buffer;
    const auto& view = checker_.parsed().buffers->view(index);
    if (!view || buffer == none || checker_.lost_buffers[buffer]) return std::nullopt;
    return view->bytes;
  }

  void check_info(JsonValue value, const ImageInfo& info, JsonValue declared, JsonValue data) {
    const auto& [width, height] = std::pair(info.image.width, info.image.height);
    if (std::ranges::find(enabled_, info.mime_type) == enabled_.end())
      checker_.report("IMAGE_NON_ENABLED_MIME_TYPE"_code, value, info.mime_type);
    if (declared && !declared.equals(info.mime_type))
      checker_.report("IMAGE_MIME_TYPE_INVALID"_code, data, info.mime_type, excerpt(declared));
    if (!std::has_single_bit(width) || !std::has_single_bit(height)) checker_.report("IMAGE_NPOT_DIMENSIONS"_code, value, width, height);
    if (!info.unusual.empty()) checker_.report("IMAGE_FEATURES_UNSUPPORTED"_code, value, info.unusual);
  }

  Checker& checker_;
  std::span<const std::string_view> enabled_;
};

void check_source(Checker& checker, const CheckedObject& texture, const ImageTypes& types, std::span<const std::string_view> allowed) {
  const Index image = texture.index("source", checker);
  if (image == none || types[image].empty() || std::ranges::find(allowed, types[image]) != allowed.end()) return;
  checker.report("TEXTURE_INVALID_IMAGE_MIME_TYPE"_code, texture["source"], image, types[image], join_text(allowed, " or "));
}

}  // namespace

ImageTypes check_images(Checker& checker) {
  ImageTypes types;
  ImageCheck check(checker);
  for (const JsonValue value : checker.root()["images"].elements())
    types.push_back(value.is(JsonKind::object) ? check.check(value) : std::string());
  return types;
}

void check_textures(Checker& checker, const ImageTypes& types) {
  constexpr std::string_view webp[] = {"image/webp"};
  for (const JsonValue value : checker.root()["textures"].elements()) {
    check_source(checker, CheckedObject(checker, value, texture_table), types, image_types);
    for_each_extension(checker, value, [&](std::string_view name, JsonValue extension) {
      if (name == webp_extension) check_source(checker, CheckedObject(checker, extension, image_source_table), types, webp);
    });
  }
}

}  // namespace sinew::gltf

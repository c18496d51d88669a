// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "document/container/image.hpp"
#include "g4mf/check/checks.hpp"

namespace sinew::g4mf {

namespace {

/// Compares sizes of textures and images ("Assembling High-Dimensional Textures"). Skips missing images and unknown formats.
class TextureCheck {
 public:
  TextureCheck(Reader& reader, Buffers& buffers) : reader_(reader), buffers_(buffers) {}

  void check(JsonValue texture) {
    std::vector<std::uint64_t> size;
    for (const JsonValue number : texture["size"].elements()) size.push_back(whole_number(number).value_or(0));
    if (size.empty() || std::ranges::find(size, 0U) != size.end()) return;
    const std::vector<JsonValue> images = images_of(texture);
    std::uint64_t pixels = 0;
    bool all_known = true;
    for (std::size_t i = 0; i < images.size(); ++i) {
      const auto info = info_of(images[i]);
      if (!info) {
        all_known = false;
        continue;
      }
      const std::uint64_t width = size[0], height = size.size() > 1 ? size[1] : 1;
      if (info->width % width != 0 || info->height % height != 0)
        reader_.report("G4MF_TEXTURE_IMAGE_NOT_MULTIPLE"_code, texture, i, info->width, info->height, width, height);
      pixels += std::min(info->width * info->height, std::numeric_limits<std::uint64_t>::max() - pixels);  // both sides have 32 bits
    }
    const std::uint64_t wanted = product(size);
    if (all_known && !images.empty() && pixels < wanted) reader_.report("G4MF_TEXTURE_IMAGES_INSUFFICIENT"_code, texture, pixels, wanted);
  }

 private:
  static std::uint64_t product(const std::vector<std::uint64_t>& size) {
    std::uint64_t all = 1;
    for (const std::uint64_t side : size)
      if (__builtin_mul_overflow(all, side, &all)) return std::numeric_limits<std::uint64_t>::max();
    return all;
  }

  /// Returns the texture's own file references, or (2026-07) those in the document's list.
  [[nodiscard]] std::vector<JsonValue> images_of(JsonValue texture) const {
    std::vector<JsonValue> images = list_of(texture["images"]);
    const std::vector<JsonValue> files = list_of(reader_.root()["files"]);
    for (const JsonValue value : texture["files"].elements())
      if (const auto index = whole_number(value); index && *index < files.size()) images.push_back(files[*index]);
    return images;
  }

  [[nodiscard]] std::optional<ResourceInfo::Image> info_of(JsonValue file) {
    Bytes bytes;
    const std::string uri = file["uri"].string();
    if (!uri.empty()) {
      auto fetched = reader_.document().fetch(uri);
      if (fetched) bytes = std::move(*fetched);
    } else if (const auto view = whole_number(file["bufferView"]); view && *view < reader_.count(Reference::buffer_view)) {
      if (const auto& stored = buffers_.view(static_cast<Index>(*view))) bytes = stored->bytes;
    }
    const auto info = image_info(bytes.view);
    return info ? std::optional(info->image) : std::nullopt;
  }

  Reader& reader_;
  Buffers& buffers_;
};

}  // namespace

void check_textures(Reader& reader, Buffers& buffers) {
  TextureCheck check(reader, buffers);
  for (const JsonValue texture : reader.root()["textures"].elements())
    if (texture.is(JsonKind::object)) check.check(texture);
}

}  // namespace sinew::g4mf

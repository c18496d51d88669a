// SPDX-License-Identifier: MIT
#include <png.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "base/suggestion.hpp"
#include "document/files/output.hpp"

#include "sinew/render.hpp"
#include "sinew/result.hpp"

namespace sinew::show {

namespace {

Unexpected not_encoded(const std::filesystem::path& path, std::string_view why) {
  return Unexpected(
      error("IO_ERROR"_code, Failure::output, Place{path_text(path), {}, {}}, format_text("the picture cannot be encoded: {}", why)));
}

Result<> write_whole(const std::filesystem::path& path, std::span<const std::byte> bytes, OutputName name) {
  auto file = document::OutputFile::create(path, name);
  if (!file) return Unexpected(std::move(file.error()));
  if (auto written = file->write(bytes); !written) return written;
  return file->commit();
}

bool is_opaque(const Picture& picture) {
  for (std::size_t i = 3; i < picture.rgba.size(); i += 4)
    if (picture.rgba[i] != 255) return false;
  return true;
}

/// Returns three channels if everything is opaque: smaller, and readable without support for transparency.
Picture without_opacity(const Picture& picture) {
  Picture packed{picture.width, picture.height, {}};
  packed.rgba.reserve(picture.width * picture.height * 3);
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4)
    packed.rgba.insert(packed.rgba.end(), picture.rgba.begin() + static_cast<std::ptrdiff_t>(i),
                       picture.rgba.begin() + static_cast<std::ptrdiff_t>(i + 3));
  return packed;
}

Result<> write_png(const Picture& picture, const std::filesystem::path& path, OutputName name) {
  const bool opaque = is_opaque(picture);
  const Picture packed = opaque ? without_opacity(picture) : Picture();
  const std::vector<std::uint8_t>& pixels = opaque ? packed.rgba : picture.rgba;
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = opaque ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<std::byte> bytes(size);
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr) == 0) return not_encoded(path, image.message);
  bytes.resize(size);
  return write_whole(path, bytes, name);
}

Result<> write_webp(const Picture& picture, const std::filesystem::path& path, OutputName name) {
  if (std::max(picture.width, picture.height) > WEBP_MAX_DIMENSION) return not_encoded(path, "WebP has at most 16383 pixels on a side");
  std::uint8_t* encoded = nullptr;
  const std::size_t size = WebPEncodeLosslessRGBA(picture.rgba.data(), static_cast<int>(picture.width), static_cast<int>(picture.height),
                                                  static_cast<int>(picture.width * 4), &encoded);
  const std::unique_ptr<std::uint8_t, decltype(&WebPFree)> owner(encoded, WebPFree);
  if (size == 0) return not_encoded(path, "out of memory");
  return write_whole(path, std::as_bytes(std::span(encoded, size)), name);
}

}  // namespace

bool can_write_picture(const std::filesystem::path& path) noexcept {
  return sinew::has_extension(path, ".png") || sinew::has_extension(path, ".webp");
}

Result<> write_picture(const Picture& picture, const std::filesystem::path& path, OutputName name) SINEW_TRY {
  if (need(file_extension(path)) == ".png") return write_png(picture, path, name);
  if (need(file_extension(path)) == ".webp") return write_webp(picture, path, name);
  return Unexpected(
      error("SINEW_USAGE"_code, Failure::usage, {}, format_text("{}: unknown extension, expected .png or .webp", path_text(path))));
}
SINEW_CATCH()

struct AnimationWriter::State {
  std::filesystem::path path;
  std::size_t width = 0, height = 0;
  WebPConfig config{};
  std::unique_ptr<WebPAnimEncoder, decltype(&WebPAnimEncoderDelete)> encoder{nullptr, WebPAnimEncoderDelete};
  document::OutputFile file;

  [[nodiscard]] Unexpected failure() const { return not_encoded(path, WebPAnimEncoderGetError(encoder.get())); }
};

AnimationWriter::AnimationWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
AnimationWriter::AnimationWriter(AnimationWriter&&) noexcept = default;
AnimationWriter& AnimationWriter::operator=(AnimationWriter&&) noexcept = default;
AnimationWriter::~AnimationWriter() = default;

namespace {

int milliseconds(double seconds) { return static_cast<int>(std::lround(std::clamp(seconds, 0.0, AnimationWriter::most_seconds) * 1000)); }

}  // namespace

Result<AnimationWriter> AnimationWriter::create(const std::filesystem::path& path, std::size_t width, std::size_t height) SINEW_TRY {
  if (width == 0 || height == 0 || std::max(width, height) > WEBP_MAX_DIMENSION)
    return not_encoded(path, "WebP has at most 16383 pixels on a side");
  auto file = document::OutputFile::create(path);
  if (!file) return Unexpected(std::move(file.error()));
  auto state = std::make_unique<State>(State{path, width, height, {}, {nullptr, WebPAnimEncoderDelete}, std::move(*file)});
  WebPAnimEncoderOptions options;
  if (WebPAnimEncoderOptionsInit(&options) == 0 || WebPConfigInit(&state->config) == 0)
    return not_encoded(path, "another version of libwebp");
  options.minimize_size = 0;
  options.allow_mixed = 1;  // small motion compresses better without loss, large motion with some
  state->config.quality = 85;
  state->config.method = 3;
  state->encoder.reset(WebPAnimEncoderNew(static_cast<int>(width), static_cast<int>(height), &options));
  if (!state->encoder) return not_encoded(path, "out of memory");
  return AnimationWriter(std::move(state));
}
SINEW_CATCH()

Result<> AnimationWriter::add(const Picture& picture, double seconds) SINEW_TRY {
  WebPPicture frame;
  if (WebPPictureInit(&frame) == 0) return not_encoded(state_->path, "another version of libwebp");
  const std::unique_ptr<WebPPicture, decltype(&WebPPictureFree)> owner(&frame, WebPPictureFree);
  frame.width = static_cast<int>(picture.width);
  frame.height = static_cast<int>(picture.height);
  frame.use_argb = 1;
  if (WebPPictureImportRGBA(&frame, picture.rgba.data(), static_cast<int>(picture.width * 4)) == 0)
    return not_encoded(state_->path, "out of memory");
  if (WebPAnimEncoderAdd(state_->encoder.get(), &frame, milliseconds(seconds), &state_->config) == 0) return state_->failure();
  return {};
}
SINEW_CATCH()

Result<> AnimationWriter::finish(double seconds) SINEW_TRY {
  WebPData data;
  WebPDataInit(&data);
  const std::unique_ptr<WebPData, decltype(&WebPDataClear)> owner(&data, WebPDataClear);
  if (WebPAnimEncoderAdd(state_->encoder.get(), nullptr, milliseconds(seconds), nullptr) == 0 ||
      WebPAnimEncoderAssemble(state_->encoder.get(), &data) == 0)
    return state_->failure();
  if (auto written = state_->file.write(std::as_bytes(std::span(data.bytes, data.size))); !written) return written;
  return state_->file.commit();
}
SINEW_CATCH()

}  // namespace sinew::show

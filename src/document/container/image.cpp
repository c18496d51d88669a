// SPDX-License-Identifier: MIT
#include "document/container/image.hpp"

#include <algorithm>
#include <optional>

#include "document/files/uri.hpp"

namespace sinew::document {

namespace {

constexpr std::string_view png = "image/png", jpeg = "image/jpeg", webp = "image/webp", ktx2 = "image/ktx2";
constexpr std::string_view colour_space = "an embedded colour space";

using Facts = tl::expected<ImageInfo, ImageFault>;
using Fault = tl::unexpected<ImageFault>;

Fault truncated() { return Fault({ImageFault::Kind::truncated, {}}); }
Fault invalid(std::string_view reason) { return Fault({ImageFault::Kind::invalid, reason}); }

// Reads bytes at offsets. The caller checks the size.
class Header {
 public:
  explicit Header(std::span<const std::byte> bytes) : bytes_(bytes) {}
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::uint32_t byte(std::size_t at) const { return std::to_integer<std::uint32_t>(bytes_[at]); }
  [[nodiscard]] bool has(std::size_t at, std::string_view text) const {
    if (at + text.size() > bytes_.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (byte(at + i) != static_cast<unsigned char>(text[i])) return false;
    return true;
  }
  [[nodiscard]] std::uint32_t big16(std::size_t at) const { return byte(at) << 8 | byte(at + 1); }
  [[nodiscard]] std::uint32_t big32(std::size_t at) const { return big16(at) << 16 | big16(at + 2); }
  [[nodiscard]] std::uint32_t little16(std::size_t at) const { return byte(at) | byte(at + 1) << 8; }
  [[nodiscard]] std::uint32_t little24(std::size_t at) const { return little16(at) | byte(at + 2) << 16; }

 private:
  std::span<const std::byte> bytes_;
};

// PNG, sections 5 and 11: reads chunks up to the first one with pixels.
class Png {
 public:
  explicit Png(Header header) : header_(header) {}

  Facts read() {
    for (std::size_t at = signature_size;;) {
      if (header_.size() - at < 8) return truncated();
      const std::uint32_t length = header_.big32(at);
      if (header_.has(at + 4, "IDAT")) return facts();
      if (!right_length(at + 4, length)) return invalid("a PNG chunk has a wrong length");
      const std::uint64_t body = at + 8;
      if (header_.size() - body < std::uint64_t{length} + 4) return truncated();  // with its checksum
      chunk(body);
      at = body + length + 4;
    }
  }

 private:
  static constexpr std::size_t signature_size = 8;

  [[nodiscard]] bool right_length(std::size_t type, std::uint32_t length) const {
    struct Fixed {
      std::string_view type;
      std::uint32_t length;
    };
    constexpr Fixed fixed[] = {{"IHDR", 13}, {"cHRM", 32}, {"sRGB", 1}, {"pHYs", 9}, {"gAMA", 4}};
    for (const Fixed& known : fixed)
      if (header_.has(type, known.type)) return length == known.length;
    return true;
  }

  void chunk(std::size_t body) {
    const auto is = [&](std::string_view type) { return header_.has(body - 4, type); };
    if (is("IHDR")) ihdr_ = body;
    if (is("tRNS")) transparent_ = true;
    if (is("sRGB")) primaries_ = transfer_ = "srgb";
    if (is("iCCP")) primaries_ = transfer_ = "custom";
    if (is("cHRM") && primaries_.empty()) primaries_ = chromaticities(body);
    if (is("gAMA") && transfer_.empty()) transfer_ = gamma(header_.big32(body));
    if (is("pHYs") && header_.big32(body) != header_.big32(body + 4)) square_ = false;
  }

  // Returns whether the chromaticities are those of sRGB.
  [[nodiscard]] std::string_view chromaticities(std::size_t body) const {
    constexpr std::uint32_t srgb[] = {31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000};
    for (std::size_t i = 0; i < std::size(srgb); ++i)
      if (header_.big32(body + 4 * i) != srgb[i]) return "custom";
    return "srgb";
  }

  [[nodiscard]] static std::string_view gamma(std::uint32_t value) {
    constexpr std::uint32_t srgb = 45455, linear = 100000;
    return value == srgb ? "srgb" : value == linear ? "linear" : "custom";
  }

  [[nodiscard]] std::string_view format(std::uint32_t colour_type) const {
    switch (colour_type) {
      case 0:
        return transparent_ ? "luminance-alpha" : "luminance";
      case 2:
      case 3:
        return transparent_ ? "rgba" : "rgb";
      case 4:
        return "luminance-alpha";
      case 6:
        return "rgba";
      default:
        return "";
    }
  }

  [[nodiscard]] Facts facts() const {
    if (!ihdr_) return invalid("the PNG has no IHDR chunk");
    ImageInfo info{png, {}, {}};
    info.image.width = header_.big32(*ihdr_);
    info.image.height = header_.big32(*ihdr_ + 4);
    info.image.bits = header_.byte(*ihdr_ + 8);
    info.image.format = format(header_.byte(*ihdr_ + 9));
    info.image.primaries = primaries_.empty() ? "srgb" : primaries_;
    info.image.transfer = transfer_.empty() ? "srgb" : transfer_;
    if (primaries_ == "custom" || transfer_ == "custom")
      info.unusual = colour_space;
    else if (!square_)
      info.unusual = "non-square pixels";
    return info;
  }

  Header header_;
  std::optional<std::size_t> ihdr_;
  bool transparent_ = false;
  bool square_ = true;
  std::string_view primaries_, transfer_;  // empty: not specified
};

// ITU T.81, annex B: reads marker segments up to the frame header.
Facts read_jpeg(Header header) {
  const auto stands_alone = [](std::uint32_t marker) {  // TEM, RSTn, SOI, EOI and fill bytes have no length
    return marker == 0x01 || (marker & 0xF8) == 0xD0 || marker == 0xD8 || marker == 0xD9 || marker == 0xFF;
  };
  const auto begins_frame = [](std::uint32_t marker) {
    return ((marker & 0xF0) == 0xC0 && marker != 0xC4 && marker != 0xC8 && marker != 0xCC) || marker == 0xDE;
  };
  for (std::size_t at = 1;;) {
    while (at < header.size() && stands_alone(header.byte(at))) ++at;
    if (header.size() < at + 3) return truncated();
    const std::uint32_t marker = header.byte(at);
    const std::uint32_t length = header.big16(at + 1);  // includes its own two bytes
    if (length < 2) return invalid("a JPEG marker segment has a wrong length");
    if (header.size() - (at + 1) < length) return truncated();
    if (begins_frame(marker)) {
      if (length < 8) return invalid("the JPEG frame header is too short");
      const std::uint32_t components = header.byte(at + 8);
      if (components != 1 && components != 3) return invalid("the JPEG has neither one nor three colour channels");
      ImageInfo info{jpeg, {}, {}};
      info.image.bits = header.byte(at + 3);
      info.image.height = header.big16(at + 4);
      info.image.width = header.big16(at + 6);
      info.image.format = components == 3 ? "rgb" : "luminance";
      return info;
    }
    at += 1 + length;
  }
}

// RFC 9649: the first chunk has all facts.
Facts read_webp(Header header) {
  constexpr std::size_t lossless_size = 25, other_size = 30;
  const bool lossless = header.has(12, "VP8L");
  if (header.size() < (lossless ? lossless_size : other_size)) return truncated();
  ImageInfo info{webp, {}, {}};
  info.image.bits = 8;
  info.image.primaries = info.image.transfer = "srgb";
  bool alpha = false;
  if (lossless) {  // 14 bits each, then alpha
    info.image.width = 1 + (header.little16(21) & 0x3FFF);
    info.image.height = 1 + (header.byte(22) >> 6 | header.byte(23) << 2 | (header.byte(24) & 0x0F) << 10);
    alpha = (header.byte(24) & 0x10) != 0;
  } else if (header.has(12, "VP8 ")) {
    info.image.width = header.little16(26) & 0x3FFF;
    info.image.height = header.little16(28) & 0x3FFF;
  } else if (header.has(12, "VP8X")) {
    const std::uint32_t flags = header.byte(20);
    info.image.width = header.little24(24) + 1;
    info.image.height = header.little24(27) + 1;
    alpha = (flags & 0x10) != 0;
    if ((flags & 0x20) != 0) {
      info.image.primaries = info.image.transfer = "custom";
      info.unusual = colour_space;
    } else if ((flags & 0x02) != 0) {
      info.unusual = "an animation";
    }
  } else {
    return invalid("the first WebP chunk has an unknown type");
  }
  info.image.format = alpha ? "rgba" : "rgb";
  return info;
}

}  // namespace

std::string_view image_mime_type(std::span<const std::byte> bytes) {
  constexpr std::size_t needed = 14;
  const Header header(bytes);
  if (header.size() < needed) return {};
  if (header.has(0, "\xFF\xD8\xFF")) return jpeg;
  if (header.has(0, "\x89PNG\r\n\x1A\n")) return png;
  if (header.has(0, "RIFF") && header.has(8, "WEBPVP")) return webp;
  if (header.has(0, "\xABKTX 20\xBB\r\n\x1A\n")) return ktx2;
  return {};
}

tl::expected<ImageInfo, ImageFault> image_info(std::span<const std::byte> bytes) {
  const std::string_view type = image_mime_type(bytes);
  const Header header(bytes);
  if (type == png) return Png(header).read();
  if (type == jpeg) return read_jpeg(header);
  if (type == webp) return read_webp(header);
  return Fault({ImageFault::Kind::unrecognized, {}});
}

bool has_declared_type(std::string_view data_uri, std::span<const std::byte> data) {
  const auto parts = split_data_uri(data_uri);
  const auto same = [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b); };
  return parts && std::ranges::equal(image_mime_type(data), parts->media_type, same);
}

}  // namespace sinew::document

// SPDX-License-Identifier: MIT
#ifdef SINEW_USE_IMAGES

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/catalogue.hpp"
#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "codecs/codecs.hpp"
#include "codecs/png_chunks.hpp"

namespace sinew::codecs {

namespace {

constexpr std::size_t most_colors = 256;

/// One way to store the pixels: rows of bytes without filters.
struct Layout {
  PngHeader header;
  std::size_t step = 1;       ///< bytes from a pixel to the same channel of the next one, at least 1
  std::size_t row_bytes = 0;  ///< of a row
  std::vector<std::uint8_t> rows;
  PngBytes chunks;  ///< before the pixels
};

/// What is true of all pixels.
struct Facts {
  bool opaque = true, grey = true;
  unsigned grey_bits = 1;               ///< the fewest that are exact
  std::vector<std::uint32_t> colors{};  ///< different ones, as stored; empty: more than most_colors
};

std::uint32_t pixel_at(const Pixels& pixels, std::size_t i) {
  std::uint32_t value;
  std::memcpy(&value, pixels.rgba.data() + 4 * i, sizeof value);
  return value;
}

std::array<std::uint8_t, 4> channels_of(std::uint32_t pixel) {
  std::array<std::uint8_t, 4> channels{};
  std::memcpy(channels.data(), &pixel, sizeof pixel);
  return channels;
}

Facts facts_of(const Pixels& pixels) {
  Facts facts;
  std::unordered_map<std::uint32_t, bool> seen;
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < pixels.width * pixels.height; ++i) {
    const std::uint32_t pixel = pixel_at(pixels, i);
    if (i != 0 && pixel == last) continue;
    last = pixel;
    const auto [r, g, b, a] = channels_of(pixel);
    facts.opaque &= a == 255;
    facts.grey &= r == g && g == b;
    while (facts.grey_bits < 8 && r % (255U / ((1U << facts.grey_bits) - 1)) != 0) facts.grey_bits *= 2;
    if (seen.size() <= most_colors) seen.try_emplace(pixel, true);
  }
  if (seen.size() > most_colors) return facts;
  for (const auto& [pixel, unused] : seen) facts.colors.push_back(pixel);
  // Transparent ones first, because the table of opacities ends with the last of them; then dark to light, which filters can use.
  std::ranges::sort(facts.colors, {}, [](std::uint32_t pixel) {
    const auto [r, g, b, a] = channels_of(pixel);
    return std::tuple(a == 255, 2 * r + 5 * g + b, r, g, b, a);
  });
  return facts;
}

/// Packs values of fewer than 8 bits, the first one in the highest bits.
void pack_row(std::span<const std::uint8_t> values, unsigned bits, std::uint8_t* out) {
  const unsigned per_byte = 8 / bits;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const unsigned shift = 8 - bits * (static_cast<unsigned>(i % per_byte) + 1);
    out[i / per_byte] = static_cast<std::uint8_t>(out[i / per_byte] | values[i] << shift);
  }
}

Layout packed_layout(const Pixels& pixels, unsigned bits, unsigned type, const std::vector<std::uint8_t>& values) {
  Layout layout{{pixels.width, pixels.height, bits, type}, 1, (pixels.width * bits + 7) / 8, {}, {}};
  layout.rows.resize(layout.row_bytes * pixels.height);
  for (std::size_t y = 0; y < pixels.height; ++y)
    pack_row(std::span(values).subspan(y * pixels.width, pixels.width), bits, layout.rows.data() + y * layout.row_bytes);
  return layout;
}

Layout palette_layout(const Pixels& pixels, const Facts& facts) {
  std::unordered_map<std::uint32_t, std::uint8_t> place;
  PngBytes colors, opacities;
  for (const std::uint32_t color : facts.colors) {
    place.emplace(color, static_cast<std::uint8_t>(place.size()));
    const auto channels = channels_of(color);
    for (std::size_t c = 0; c < 3; ++c) colors.push_back(std::byte{channels[c]});
    if (channels[3] != 255) opacities.push_back(std::byte{channels[3]});
  }
  std::vector<std::uint8_t> values(pixels.width * pixels.height);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = place.find(pixel_at(pixels, i))->second;
  const std::size_t count = facts.colors.size();
  Layout layout = packed_layout(pixels, count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8, 3, values);
  add_chunk(layout.chunks, "PLTE", colors);
  if (!opacities.empty()) add_chunk(layout.chunks, "tRNS", opacities);
  return layout;
}

/// Stores channels as they are: grey, colours, each with opacity or without.
Layout plain_layout(const Pixels& pixels, const Facts& facts) {
  const std::size_t count = pixels.width * pixels.height;
  std::vector<std::uint8_t> values;
  if (facts.grey && facts.opaque) {
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(static_cast<std::uint8_t>(pixels.rgba[4 * i] / (255U / ((1U << facts.grey_bits) - 1))));
    return packed_layout(pixels, facts.grey_bits, 0, values);
  }
  const std::size_t channels = (facts.grey ? 1U : 3U) + (facts.opaque ? 0U : 1U);
  Layout layout{
      {pixels.width, pixels.height, 8, (facts.grey ? 0U : 2U) + (facts.opaque ? 0U : 4U)}, channels, channels * pixels.width, {}, {}};
  layout.rows.reserve(channels * count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* const pixel = pixels.rgba.data() + 4 * i;
    layout.rows.insert(layout.rows.end(), pixel, pixel + (facts.grey ? 1 : 3));
    if (!facts.opaque) layout.rows.push_back(pixel[3]);
  }
  return layout;
}

std::uint8_t paeth(int left, int above, int corner) {
  const int guess = left + above - corner;
  const int to_left = std::abs(guess - left), to_above = std::abs(guess - above), to_corner = std::abs(guess - corner);
  return static_cast<std::uint8_t>(to_left <= to_above && to_left <= to_corner ? left : to_above <= to_corner ? above : corner);
}

constexpr unsigned filters = 5, adaptive = filters;  ///< none, left, above, average, Paeth; or per row the one with the smallest sum

/// Writes a row of differences. `above`: the row before, or zeros.
void filter_row(const std::uint8_t* row, const std::uint8_t* above, std::size_t size, std::size_t step, unsigned filter,
                std::uint8_t* out) {
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint8_t left = i < step ? 0 : row[i - step], corner = i < step ? 0 : above[i - step];
    std::uint8_t guess = 0;
    if (filter == 1) guess = left;
    if (filter == 2) guess = above[i];
    if (filter == 3) guess = static_cast<std::uint8_t>((left + above[i]) / 2);
    if (filter == 4) guess = paeth(left, above[i], corner);
    out[i] = static_cast<std::uint8_t>(row[i] - guess);
  }
}

std::uint64_t size_of_differences(std::span<const std::uint8_t> row) {
  std::uint64_t sum = 0;
  for (const std::uint8_t value : row) sum += value < 128 ? value : 256U - value;
  return sum;
}

std::vector<std::uint8_t> filtered(const Layout& layout, unsigned filter) {
  const std::size_t size = layout.row_bytes;
  std::vector<std::uint8_t> out((size + 1) * layout.header.height), zeros(size), trial(size);
  for (std::size_t y = 0; y < layout.header.height; ++y) {
    const std::uint8_t* const row = layout.rows.data() + y * size;
    const std::uint8_t* const above = y == 0 ? zeros.data() : row - size;
    std::uint8_t* const to = out.data() + y * (size + 1);
    std::uint64_t best = ~std::uint64_t{0};
    for (unsigned each = filter == adaptive ? 0 : filter; each < (filter == adaptive ? filters : filter + 1); ++each) {
      filter_row(row, above, size, layout.step, each, trial.data());
      const std::uint64_t sum = size_of_differences(trial);
      if (sum >= best) continue;
      best = sum;
      to[0] = static_cast<std::uint8_t>(each);
      std::ranges::copy(trial, to + 1);
    }
  }
  return out;
}

/// Returns the compressed bytes; nothing if memory runs out.
std::optional<PngBytes> deflated(std::span<const std::uint8_t> rows, int level, int strategy) {
  ask_deadline();
  constexpr int window = 15, memory = 9;
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, window, memory, strategy) != Z_OK) return std::nullopt;
  const std::unique_ptr<z_stream, decltype(&deflateEnd)> owner(&stream, deflateEnd);
  PngBytes out(deflateBound(&stream, static_cast<uLong>(rows.size())));
  std::size_t in_at = 0, out_at = 0;
  constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits
  for (int state = Z_OK; state != Z_STREAM_END;) {
    const std::size_t in = std::min(most, rows.size() - in_at), room = std::min(most, out.size() - out_at);
    stream.next_in = const_cast<Bytef*>(rows.data() + in_at);
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + out_at);
    stream.avail_out = static_cast<uInt>(room);
    state = deflate(&stream, in_at + in == rows.size() ? Z_FINISH : Z_NO_FLUSH);
    if (state != Z_OK && state != Z_STREAM_END) return std::nullopt;
    in_at += in - stream.avail_in;
    out_at += room - stream.avail_out;
  }
  out.resize(out_at);
  return out;
}

/// Keeps the smallest file.
class Best {
 public:
  /// Returns whether memory sufficed.
  bool try_layout(const Layout& layout) {
    constexpr int fast = 3, slow = 9;
    constexpr std::size_t small = std::size_t{1} << 18;
    std::vector<std::pair<std::size_t, unsigned>> order;
    for (unsigned filter = 0; filter <= adaptive; ++filter) {
      const std::vector<std::uint8_t> rows = filtered(layout, filter);
      const auto packed = deflated(rows, layout.rows.size() <= small ? slow : fast, Z_DEFAULT_STRATEGY);
      if (!packed) return false;
      order.emplace_back(packed->size(), filter);
      take(layout, *packed);
    }
    std::ranges::sort(order);
    for (const auto& [size, filter] : std::span(order).first(2)) {
      const std::vector<std::uint8_t> rows = filtered(layout, filter);
      for (const int strategy : {Z_DEFAULT_STRATEGY, Z_FILTERED}) {
        const auto packed = deflated(rows, slow, strategy);
        if (!packed) return false;
        take(layout, *packed);
      }
    }
    return true;
  }
  [[nodiscard]] PngBytes& file() { return file_; }

 private:
  void take(const Layout& layout, const PngBytes& packed) {
    if (!file_.empty() && packed.size() + layout.chunks.size() >= size_) return;
    size_ = packed.size() + layout.chunks.size();
    file_ = png_file(layout.header, layout.chunks, packed);
  }

  PngBytes file_;
  std::size_t size_ = 0;
};

}  // namespace

Result<Encoded> encode_png(const Pixels& pixels) SINEW_TRY {
  const Facts facts = facts_of(pixels);
  Best best;
  bool fits = best.try_layout(plain_layout(pixels, facts));
  if (fits && !facts.colors.empty()) fits = best.try_layout(palette_layout(pixels, facts));
  if (!fits) return Unexpected(error("SINEW_NO_MEMORY"_code, Failure::limit, {}));
  return std::move(best.file());
}
SINEW_CATCH()

}  // namespace sinew::codecs

#endif

// SPDX-License-Identifier: MIT
// Mode ATTRIBUTES. Elements are stored in blocks. A block stores the first bytes of all its elements, then their second bytes, and so on:
// one plane per byte of the element. Four planes form a channel. A plane stores differences to the previous element, in groups of 16.
#include <algorithm>
#include <bit>
#include <cstring>

#include "meshopt/streams.hpp"
#include "meshopt/vectors.hpp"

namespace sinew::meshopt {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t group_size = 16, block_bytes = 8192, most_elements = 256, most_stride = 256;
// A group has at most 8 packed and 16 plain bytes. The padded tail is as long, so a group that starts before it ends in the stream.
constexpr std::size_t least_tail[] = {32, 24};
// Kinds of planes. Version 1 has four, of which the first two have groups. Version 0 has its own kind.
constexpr unsigned zero = 2, literal = 3, version_0 = 4;
// Bits per difference, by the kind of plane and the group's code.
constexpr unsigned widths[][4] = {{0, 1, 2, 4}, {1, 2, 4, 8}, {}, {}, {0, 2, 4, 8}};

// Returns a mask of the lowest `bits` of every `step` bits.
constexpr std::uint64_t mask(unsigned bits, unsigned step) {
  return (~std::uint64_t{0} / (~std::uint64_t{0} >> (64 - step))) * ((std::uint64_t{1} << bits) - 1);
}

// Expands eight numbers of `width` bits to eight bytes.
template <unsigned width>
std::uint64_t spread(std::uint64_t packed) {
  packed &= mask(8 * width, 64);
  packed = (packed | packed << 4 * (8 - width)) & mask(4 * width, 32);
  packed = (packed | packed << 2 * (8 - width)) & mask(2 * width, 16);
  return (packed | packed << (8 - width)) & mask(width, 8);
}

// Reads a group. A number with all bits set is replaced by a byte after the packed ones. Returns the end of the group.
template <unsigned width>
const std::uint8_t* unpack(const std::uint8_t* in, std::uint8_t* out) {
  std::uint64_t packed = 0;
  std::memcpy(&packed, in, 2 * width);
  in += 2 * width;
  // The first number in a byte has the highest bits, except for one-bit numbers.
  if constexpr (width > 1) packed = (packed & mask(4, 8)) << 4 | (packed >> 4 & mask(4, 8));
  if constexpr (width == 2) packed = (packed & mask(2, 4)) << 2 | (packed >> 2 & mask(2, 4));
  const std::uint64_t bytes[] = {spread<width>(packed), spread<width>(packed >> 8 * width)};
  std::memcpy(out, bytes, sizeof bytes);
  std::uint64_t full = packed;
  for (unsigned bits = 1; bits < width; bits *= 2) full &= full >> bits;
  for (full &= mask(1, width); full != 0; full &= full - 1) out[static_cast<unsigned>(std::countr_zero(full)) / width] = *in++;
  return in;
}

const std::uint8_t* unpack_group(unsigned width, const std::uint8_t* in, std::uint8_t* out) {
  switch (width) {
    case 1:
      return unpack<1>(in, out);
    case 2:
      return unpack<2>(in, out);
    case 4:
      return unpack<4>(in, out);
    case 8:
      std::memcpy(out, in, group_size);
      return in + group_size;
    default:
      std::memset(out, 0, group_size);
      return in;
  }
}

// Reads up to `end`, after which least_tail bytes follow. Returns the end of the plane, or null if it is beyond `end`.
const std::uint8_t* read_groups(const unsigned (&codes)[4], std::size_t groups, const std::uint8_t* in, const std::uint8_t* end,
                                std::uint8_t* out) {
  const std::uint8_t* header = in;
  const std::size_t header_size = (groups + 3) / 4;
  if (header_size > static_cast<std::size_t>(end - in)) return nullptr;
  in += header_size;
  for (std::size_t group = 0; group < groups; ++group) {
    in = unpack_group(codes[header[group / 4] >> group % 4 * 2 & 3], in, out + group * group_size);
    if (in > end) return nullptr;
  }
  return in;
}

// Four elements of a channel.
using Bytes = Vector<std::uint8_t>;

Bytes lower_pairs(Bytes a, Bytes b) { return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23); }
Bytes upper_pairs(Bytes a, Bytes b) { return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31); }

// Modes of a channel: how to decode a stored difference, and how to combine it with the previous value.
template <class T>
struct Sums {
  using Number = T;
  [[nodiscard]] Vector<T> difference(Vector<T> stored) const { return (stored >> 1) ^ -(stored & 1); }
  static Vector<T> join(Vector<T> a, Vector<T> b) { return a + b; }
};
struct Flips {
  using Number = std::uint32_t;
  unsigned rotation;
  [[nodiscard]] Vector<Number> difference(Vector<Number> stored) const { return stored >> rotation | stored << (32 - rotation) % 32; }
  static Vector<Number> join(Vector<Number> a, Vector<Number> b) { return a ^ b; }
};

// Computes the running combination of four elements, starting from the fourth element of `last`.
template <class Mode>
Bytes accumulate(const Mode& mode, Bytes stored, Bytes last) {
  using Numbers = Vector<typename Mode::Number>;
  const auto numbers = [](Bytes bytes) { return std::bit_cast<Numbers>(bytes); };
  const auto bytes = [](Numbers values) { return std::bit_cast<Bytes>(values); };
  const Bytes none = {};
  Numbers sum = mode.difference(numbers(stored));
  sum = Mode::join(sum, numbers(__builtin_shufflevector(none, bytes(sum), 0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27)));
  sum = Mode::join(sum, numbers(__builtin_shufflevector(none, bytes(sum), 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)));
  return bytes(
      Mode::join(sum, numbers(__builtin_shufflevector(last, last, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15))));
}

// Writes `count` elements of a channel from its four planes, `pitch` bytes apart. `last`: the previous element; is updated.
template <class Mode>
void write_channel(const Mode& mode, const std::uint8_t* planes, std::size_t pitch, std::size_t count, std::uint8_t* out,
                   std::size_t stride, Bytes& last) {
  for (std::size_t i = 0; i < count; i += group_size) {
    const auto plane = [&](std::size_t k) { return load<std::uint8_t>(planes + k * pitch + i); };
    const Bytes a = plane(0), b = plane(1), c = plane(2), d = plane(3);
    using Pairs = Vector<std::uint16_t>;
    const Bytes ab[] = {lower_pairs(a, b), upper_pairs(a, b)}, cd[] = {lower_pairs(c, d), upper_pairs(c, d)};
    Bytes elements[4];
    for (std::size_t half = 0; half < 2; ++half) {
      const auto x = std::bit_cast<Pairs>(ab[half]), y = std::bit_cast<Pairs>(cd[half]);
      elements[2 * half] = std::bit_cast<Bytes>(__builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11));
      elements[2 * half + 1] = std::bit_cast<Bytes>(__builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15));
    }
    for (Bytes& four : elements) four = last = accumulate(mode, four, last);
    const auto* const values = reinterpret_cast<const std::uint8_t*>(elements);
    const std::size_t here = std::min(group_size, count - i);
    for (std::size_t k = 0; k < here; ++k) std::memcpy(out + (i + k) * stride, values + 4 * k, 4);
  }
}

class AttributeDecoder {
 public:
  AttributeDecoder(std::span<const std::uint8_t> stream, std::size_t stride)
      : stream_(stream), stride_(stride), block_(std::min(block_bytes / stride & ~(group_size - 1), most_elements)) {}

  std::optional<Damage> run(std::span<std::uint8_t> out) {
    if (const char* problem = read_frame()) return Damage{problem, 0};
    for (std::size_t done = 0; done < out.size(); done += block_ * stride_) {
      const std::size_t count = std::min(block_, (out.size() - done) / stride_);
      if (!read_block(count)) return Damage{"the data ends early", position()};
      for (std::size_t channel = 0; channel < stride_ / 4; ++channel) write(channel, count, out.data() + done + 4 * channel);
    }
    if (in_ != end_) return Damage{"bytes are left over", position()};
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::size_t position() const { return static_cast<std::size_t>(in_ - stream_.data()); }

  // Reads the header and the tail. The tail has the element before the first one and, in version 1, the modes of the channels.
  const char* read_frame() {
    if (stream_.empty() || (stream_[0] & 0xfe) != 0xa0) return "the first byte is neither a0 nor a1";
    version_ = stream_[0] & 1;
    const std::size_t channels = stride_ / 4, tail = stride_ + version_ * channels;
    const std::size_t reserved = std::max(tail, least_tail[version_]);
    if (stream_.size() < 1 + reserved) return "the stream is too short";
    in_ = stream_.data() + 1;
    end_ = stream_.data() + stream_.size() - reserved;
    const auto baseline = stream_.last(tail);
    for (std::size_t channel = 0; channel < channels; ++channel) {
      std::memcpy(reinterpret_cast<std::uint8_t*>(&last_[channel]) + 12, &baseline[4 * channel], 4);
      modes_[channel] = version_ == 1 ? baseline[stride_ + channel] : std::uint8_t{0};
      const unsigned mode = modes_[channel] & 15, rotation = modes_[channel] >> 4;
      if (mode > 2 || (mode < 2 && rotation != 0)) return "a channel has an unknown mode";
    }
    return nullptr;
  }

  // Reads the planes of a block. Returns false if they exceed the data.
  bool read_block(std::size_t count) {
    const auto left = [&] { return static_cast<std::size_t>(end_ - in_); };
    const std::size_t groups = (count + group_size - 1) / group_size;
    const std::uint8_t* control = in_;
    if (version_ == 1 && left() < stride_ / 4) return false;
    in_ += version_ * (stride_ / 4);
    std::uint8_t* plane = planes_;
    for (std::size_t k = 0; k < stride_; ++k, plane += block_) {
      const unsigned kind = version_ == 1 ? unsigned{control[k / 4]} >> k % 4 * 2 & 3 : version_0;
      if (kind == zero) {
        std::memset(plane, 0, groups * group_size);
      } else if (kind == literal) {
        if (left() < count) return false;
        std::memcpy(plane, in_, count);
        in_ += count;
      } else {
        const std::uint8_t* after = read_groups(widths[kind], groups, in_, end_, plane);
        if (after == nullptr) return false;
        in_ = after;
      }
    }
    return true;
  }

  void write(std::size_t channel, std::size_t count, std::uint8_t* out) {
    const std::uint8_t* const planes = planes_ + 4 * channel * block_;
    Bytes& last = last_[channel];
    switch (modes_[channel] & 15) {
      case 0:
        return write_channel(Sums<std::uint8_t>{}, planes, block_, count, out, stride_, last);
      case 1:
        return write_channel(Sums<std::uint16_t>{}, planes, block_, count, out, stride_, last);
      default:
        return write_channel(Flips{static_cast<unsigned>(modes_[channel] >> 4)}, planes, block_, count, out, stride_, last);
    }
  }

  std::span<const std::uint8_t> stream_;
  std::size_t stride_, block_;  ///< bytes per element, elements per block
  unsigned version_ = 0;
  const std::uint8_t* in_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  std::uint8_t modes_[most_stride / 4] = {};
  Bytes last_[most_stride / 4] = {};  ///< per channel, with the last element in the last lane
  std::uint8_t planes_[block_bytes] = {};
};

}  // namespace

std::optional<Damage> decode_attributes(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out, std::size_t stride) {
  return AttributeDecoder(stream, stride).run(out);
}

}  // namespace sinew::meshopt

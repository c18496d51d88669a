// SPDX-License-Identifier: MIT
// Modes TRIANGLES and INDICES.
#include <array>
#include <cstring>

#include "meshopt/streams.hpp"

namespace sinew::meshopt {

namespace {

/// Reads bytes. The caller ensures that enough bytes follow.
struct Input {
  const std::uint8_t* at;
  bool overlong = false;  ///< a number had more than five bytes

  std::uint8_t byte() { return *at++; }
  /// Reads a varint: seven bits per byte, the lowest first.
  std::uint32_t number() {
    std::uint32_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      const std::uint32_t next = byte();
      value |= (next & 127) << shift;
      if (next < 128) return value;
    }
    overlong = true;
    return value;
  }
};

std::uint32_t difference(std::uint32_t stored) { return (stored >> 1) ^ (0 - (stored & 1)); }

template <class Index>
struct Output {
  std::uint8_t* at;

  void write(std::uint32_t value) {
    const auto index = static_cast<Index>(value);
    std::memcpy(at, &index, sizeof index);
    at += sizeof index;
  }
};

/// The last 16 values, the newest first.
template <class T>
class Recent {
 public:
  void push(const T& value) { values_[pushed_++ % 16] = value; }
  [[nodiscard]] bool has(unsigned age) const { return age < pushed_; }
  [[nodiscard]] const T& operator[](unsigned age) const { return values_[(pushed_ - 1 - age) % 16]; }

 private:
  std::array<T, 16> values_ = {};
  std::size_t pushed_ = 0;
};

struct Edge {
  std::uint32_t from, to;
};

constexpr std::size_t table_size = 16;

class TriangleDecoder {
 public:
  /// `table` must follow `data` in memory.
  TriangleDecoder(const std::uint8_t* data, const std::uint8_t* table) : in_{data}, table_(table) {}

  [[nodiscard]] const std::uint8_t* position() const { return in_.at; }
  [[nodiscard]] const char* problem() const {
    if (in_.overlong) return "a number has more than five bytes";
    if (unwritten_) return "a triangle refers to one that does not exist";
    return in_.at > table_ ? "the data ends early" : nullptr;
  }

  /// Reads at most 16 bytes.
  std::array<std::uint32_t, 3> next(std::uint8_t code) {
    const unsigned high = code >> 4, low = code & 15;
    return high == 15 ? without_edge(low) : with_edge(high, low);
  }

 private:
  std::array<std::uint32_t, 3> with_edge(unsigned age, unsigned code) {
    if (!edges_.has(age)) unwritten_ = true;
    const auto [a, b] = edges_[age];
    const bool known = code >= 1 && code <= 12;
    const std::uint32_t c = code == 0 ? new_++ : known ? vertex(code) : code == 13 ? --last_ : code == 14 ? ++last_ : index();
    if (!known) vertices_.push(c);
    edges_.push({c, b});
    edges_.push({a, c});
    return {a, b, c};
  }

  std::array<std::uint32_t, 3> without_edge(unsigned code) {
    const unsigned pair = code < 14 ? table_[code] : in_.byte();
    if (code >= 14 && pair == 0) new_ = 0;
    const unsigned codes[] = {code == 15 ? 15u : 0u, pair >> 4, pair & 15};
    std::array<std::uint32_t, 3> corners = {};
    for (std::size_t i = 0; i < 3; ++i) corners[i] = codes[i] == 0 ? new_++ : codes[i] == 15 ? index() : vertex(codes[i] - 1);
    for (std::size_t i = 0; i < 3; ++i)
      if (codes[i] == 0 || codes[i] == 15) vertices_.push(corners[i]);
    const auto [a, b, c] = corners;
    edges_.push({b, a});
    edges_.push({c, b});
    edges_.push({a, c});
    return corners;
  }

  std::uint32_t vertex(unsigned age) {
    if (!vertices_.has(age)) unwritten_ = true;
    return vertices_[age];
  }
  std::uint32_t index() { return last_ += difference(in_.number()); }

  Input in_;
  const std::uint8_t* table_;
  Recent<Edge> edges_;
  Recent<std::uint32_t> vertices_;
  std::uint32_t new_ = 0, last_ = 0;
  bool unwritten_ = false;
};

const char* table_problem(std::span<const std::uint8_t> table) {
  for (const unsigned pair : table)
    if (pair >> 4 == 15 || (pair & 15) == 15) return "the table has a nibble of f";
  return table[14] != 0 || table[15] != 0 ? "the table does not end in two zeros" : nullptr;
}

template <class Index>
std::optional<Damage> triangles_of(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out) {
  const std::size_t triangles = out.size() / sizeof(Index[3]);
  if (stream.empty() || stream[0] != 0xe1) return Damage{"the first byte is not e1", 0};
  if (stream.size() < 1 + triangles + table_size) return Damage{"the stream is too short", 0};
  const auto codes = stream.subspan(1, triangles), table = stream.last(table_size);
  if (const char* problem = table_problem(table)) return Damage{problem, stream.size() - table_size};
  TriangleDecoder decoder(codes.data() + codes.size(), table.data());
  const auto position = [&] { return static_cast<std::size_t>(decoder.position() - stream.data()); };
  Output<Index> output{out.data()};
  for (const std::uint8_t code : codes) {
    for (const std::uint32_t corner : decoder.next(code)) output.write(corner);
    if (const char* problem = decoder.problem()) return Damage{problem, position()};
  }
  if (decoder.position() != table.data()) return Damage{"bytes are left over", position()};
  return std::nullopt;
}

template <class Index>
std::optional<Damage> indices_of(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out) {
  constexpr std::size_t tail = 4;  // so a number that starts before the tail ends in the stream
  const std::size_t count = out.size() / sizeof(Index);
  if (stream.empty() || stream[0] != 0xd1) return Damage{"the first byte is not d1", 0};
  if (stream.size() < 1 + count + tail) return Damage{"the stream is too short", 0};
  Input in{stream.data() + 1};
  const std::uint8_t* const end = stream.data() + stream.size() - tail;
  const auto position = [&] { return static_cast<std::size_t>(in.at - stream.data()); };
  Output<Index> output{out.data()};
  std::uint32_t last[2] = {};
  for (std::size_t i = 0; i < count; ++i) {
    if (in.at >= end) return Damage{"the data ends early", position()};
    const std::uint32_t stored = in.number();
    if (in.overlong) return Damage{"a number has more than five bytes", position()};
    output.write(last[stored & 1] += difference(stored >> 1));
  }
  if (in.at > end) return Damage{"the data ends early", position()};
  if (in.at < end) return Damage{"bytes are left over", position()};
  return std::nullopt;
}

}  // namespace

std::optional<Damage> decode_triangles(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out, std::size_t stride) {
  return stride == 2 ? triangles_of<std::uint16_t>(stream, out) : triangles_of<std::uint32_t>(stream, out);
}

std::optional<Damage> decode_indices(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out, std::size_t stride) {
  return stride == 2 ? indices_of<std::uint16_t>(stream, out) : indices_of<std::uint32_t>(stream, out);
}

}  // namespace sinew::meshopt

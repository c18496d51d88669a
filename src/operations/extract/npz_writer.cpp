// SPDX-License-Identifier: MIT
#include "operations/extract/npz_writer.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "base/message.hpp"
#include "io/save/npy_header.hpp"

namespace sinew::operations {

namespace {

constexpr std::uint64_t limit_32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint16_t version_64 = 45, flags = 0x0008 | 0x0800;  // sizes follow the data; names are UTF-8
constexpr std::uint16_t date_1980 = 0x0021;                        // the same bytes on every run

std::string little_endian(std::uint64_t value, std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}
std::string u16(std::uint64_t value) { return little_endian(value, 2); }
std::string u32(std::uint64_t value) { return little_endian(value, 4); }
std::string u64(std::uint64_t value) { return little_endian(value, 8); }
std::string capped(std::uint64_t value) { return u32(std::min(value, limit_32)); }

// The remainder of each byte, followed by none to seven bytes of zeros.
constexpr auto crc_tables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? 0xedb88320U ^ value >> 1 : value >> 1;
    tables[0][i] = value;
  }
  for (std::size_t zeros = 1; zeros < tables.size(); ++zeros)
    for (std::size_t i = 0; i < 256; ++i) tables[zeros][i] = tables[0][tables[zeros - 1][i] & 0xff] ^ tables[zeros - 1][i] >> 8;
  return tables;
}();

// Takes eight bytes at a time: three times as fast as one by one.
std::uint32_t crc_of(std::uint32_t crc, std::span<const std::byte> bytes) {
  crc = ~crc;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    std::uint64_t eight;
    std::memcpy(&eight, bytes.data(), sizeof(eight));
    eight ^= crc;
    crc = 0;
    for (std::size_t i = 0; i < 8; ++i) crc ^= crc_tables[7 - i][eight >> 8 * i & 0xff];
  }
  for (const std::byte byte : bytes) crc = crc_tables[0][(crc ^ static_cast<std::uint32_t>(byte)) & 0xff] ^ crc >> 8;
  return ~crc;
}

/// The code points of UTF-8 text. A byte that begins no valid sequence becomes U+FFFD.
std::u32string code_points(std::string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    char32_t point = lead < 0x80 ? lead : lead & (0x7fU >> length);
    bool valid = (lead < 0x80 || (lead >= 0xc2 && lead <= 0xf4)) && i + length <= text.size();
    for (std::size_t k = 1; valid && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      valid = (next & 0xc0U) == 0x80;
      point = point << 6U | (next & 0x3fU);
    }
    out += valid ? point : U'\ufffd';
    i += valid ? length : 1;
  }
  return out;
}

template <class T>
constexpr std::string_view type_name = "";
template <>
constexpr std::string_view type_name<float> = "<f4";
template <>
constexpr std::string_view type_name<double> = "<f8";
template <>
constexpr std::string_view type_name<std::int32_t> = "<i4";
template <>
constexpr std::string_view type_name<std::int64_t> = "<i8";

}  // namespace

Result<NpzWriter> NpzWriter::create(const std::filesystem::path& path, OutputName name) {
  auto file = document::OutputFile::create(path, name);
  if (!file) return Unexpected(std::move(file.error()));
  return NpzWriter(std::move(*file));
}

Result<> NpzWriter::put(std::string_view bytes) {
  written_ += bytes.size();
  return file_.write(bytes);
}

Result<> NpzWriter::write_bytes(std::span<const std::byte> bytes) {
  entries_.back().crc = crc_of(entries_.back().crc, bytes);
  written_ += bytes.size();
  return file_.write(bytes);
}

Result<> NpzWriter::begin_entry(std::string_view name, std::string_view type, const std::vector<std::size_t>& shape,
                                std::uint64_t bytes_of_value) {
  if (auto done = end_entry(); !done) return done;
  const std::string header = io::npy_header(type, shape);
  std::uint64_t size = bytes_of_value;
  for (const std::size_t extent : shape) size *= extent;
  Entry& entry = entries_.emplace_back(Entry{format_text("{}.npy", name), written_, header.size() + size, 0});
  const bool large = entry.size >= limit_32;
  const std::string extra = large ? u16(1) + u16(16) + u64(entry.size) + u64(entry.size) : std::string();
  const std::string sizes = large ? u32(limit_32) + u32(limit_32) : u32(0) + u32(0);
  const std::string local = "PK\x03\x04" + u16(version_64) + u16(flags) + u16(0) + u16(0) + u16(date_1980) + u32(0) + sizes +
                            u16(entry.name.size()) + u16(extra.size()) + entry.name + extra;
  if (auto done = put(local); !done) return done;
  return write_bytes(std::as_bytes(std::span(header)));
}

// Writes the checksum and the sizes after the data.
Result<> NpzWriter::end_entry() {
  if (entries_.empty()) return {};
  const Entry& entry = entries_.back();
  const bool large = entry.size >= limit_32;
  const std::string size = large ? u64(entry.size) : u32(entry.size);
  return put("PK\x07\x08" + u32(entry.crc) + size + size);
}

template <class T>
Result<> NpzWriter::begin(std::string_view name, const std::vector<std::size_t>& shape) {
  return begin_entry(name, type_name<T>, shape, sizeof(T));
}
template Result<> NpzWriter::begin<float>(std::string_view, const std::vector<std::size_t>&);
template Result<> NpzWriter::begin<double>(std::string_view, const std::vector<std::size_t>&);
template Result<> NpzWriter::begin<std::int32_t>(std::string_view, const std::vector<std::size_t>&);
template Result<> NpzWriter::begin<std::int64_t>(std::string_view, const std::vector<std::size_t>&);

Result<> NpzWriter::add(std::string_view name, const std::vector<std::string>& texts, bool scalar) {
  std::vector<std::u32string> wide(texts.size());
  std::ranges::transform(texts, wide.begin(), code_points);
  std::size_t longest = 1;  // NumPy has no texts of width 0
  for (std::u32string& text : wide) longest = std::max(longest, text.size());
  std::u32string all;
  for (std::u32string& text : wide) {
    text.resize(longest);
    all += text;
  }
  const std::vector<std::size_t> shape = scalar ? std::vector<std::size_t>() : std::vector<std::size_t>{texts.size()};
  if (auto done = begin_entry(name, format_text("<U{}", longest), shape, longest * sizeof(char32_t)); !done) return done;
  return write_bytes(std::as_bytes(std::span(all)));
}

Result<std::uint64_t> NpzWriter::finish() {
  if (auto done = end_entry(); !done) return Unexpected(std::move(done.error()));
  const std::uint64_t start = written_;
  for (const Entry& entry : entries_) {
    std::string extra;
    if (entry.size >= limit_32) extra += u64(entry.size) + u64(entry.size);
    if (entry.offset >= limit_32) extra += u64(entry.offset);
    if (!extra.empty()) extra = u16(1) + u16(extra.size()) + extra;
    const std::string record = "PK\x01\x02" + u16(version_64) + u16(version_64) + u16(flags) + u16(0) + u16(0) + u16(date_1980) +
                               u32(entry.crc) + capped(entry.size) + capped(entry.size) + u16(entry.name.size()) + u16(extra.size()) +
                               u16(0) + u16(0) + u16(0) + u32(0) + capped(entry.offset) + entry.name + extra;
    if (auto done = put(record); !done) return Unexpected(std::move(done.error()));
  }
  const std::uint64_t end = written_, count = entries_.size();
  const std::uint64_t short_count = std::min<std::uint64_t>(count, 0xffff);
  std::string tail;
  if (start >= limit_32 || end - start >= limit_32 || count >= 0xffff)
    tail = "PK\x06\x06" + u64(44) + u16(version_64) + u16(version_64) + u32(0) + u32(0) + u64(count) + u64(count) + u64(end - start) +
           u64(start) + "PK\x06\x07" + u32(0) + u64(end) + u32(1);
  tail += "PK\x05\x06" + u16(0) + u16(0) + u16(short_count) + u16(short_count) + capped(end - start) + capped(start) + u16(0);
  if (auto done = put(tail); !done) return Unexpected(std::move(done.error()));
  if (auto done = file_.commit(); !done) return Unexpected(std::move(done.error()));
  return written_;
}

}  // namespace sinew::operations

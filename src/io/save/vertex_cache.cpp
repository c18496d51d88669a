// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "base/suggestion.hpp"
#include "document/files/output.hpp"

#include "sinew/save.hpp"

namespace sinew::io {

namespace {

constexpr std::uint32_t reversed_bytes(std::uint32_t value) {
  return value >> 24U | (value >> 8U & 0xff00U) | (value << 8U & 0xff0000U) | value << 24U;
}

/// The header of PC2, little-endian: one sample per frame, from frame 0.
std::vector<std::uint32_t> pc2_header(std::uint32_t vertices, std::uint32_t frames) {
  std::vector<std::uint32_t> words(3);
  std::memcpy(words.data(), "POINTCACHE2", 12);
  constexpr std::uint32_t version = 1;
  words.insert(words.end(), {version, vertices, std::bit_cast<std::uint32_t>(0.0F), std::bit_cast<std::uint32_t>(1.0F), frames});
  return words;
}

/// The header of MDD, in the byte order of the machine.
std::vector<std::uint32_t> mdd_header(std::uint32_t vertices, std::span<const double> seconds) {
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(seconds.size()), vertices};
  for (const double time : seconds) words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(time)));
  return words;
}

}  // namespace

bool is_vertex_cache(const std::filesystem::path& path) noexcept { return has_extension(path, ".pc2") || has_extension(path, ".mdd"); }

VertexCacheWriter::VertexCacheWriter(std::unique_ptr<document::OutputFile> file, bool big_endian, std::uint64_t missing)
    : file_(std::move(file)), big_endian_(big_endian), missing_(missing) {}
VertexCacheWriter::VertexCacheWriter(VertexCacheWriter&&) noexcept = default;
VertexCacheWriter& VertexCacheWriter::operator=(VertexCacheWriter&&) noexcept = default;
VertexCacheWriter::~VertexCacheWriter() = default;

Result<VertexCacheWriter> VertexCacheWriter::create(const std::filesystem::path& path, std::size_t vertices,
                                                    std::span<const double> seconds) SINEW_TRY {
  assert(is_vertex_cache(path));
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  for (const auto& [count, noun] : {std::pair(vertices, "vertices"), std::pair(seconds.size(), "frames")})
    if (count > most)
      return Unexpected(error("SINEW_OUTPUT"_code, Failure::unsupported, {path_text(path), {}, {}},
                              format_text("found {} {}; a vertex cache has at most {}", count, noun, most)));
  auto file = document::OutputFile::create(path);
  if (!file) return Unexpected(std::move(file.error()));
  const bool mdd = need(file_extension(path)) == ".mdd";
  VertexCacheWriter writer(std::make_unique<document::OutputFile>(std::move(*file)), mdd, std::uint64_t{vertices} * seconds.size());
  const auto rows = static_cast<std::uint32_t>(vertices), frames = static_cast<std::uint32_t>(seconds.size());
  const std::vector<std::uint32_t> header = mdd ? mdd_header(rows, seconds) : pc2_header(rows, frames);
  if (auto done = writer.write_words(std::as_bytes(std::span(header))); !done) return Unexpected(std::move(done.error()));
  return writer;
}
SINEW_CATCH()

Result<> VertexCacheWriter::write_words(std::span<const std::byte> words) {
  if (!big_endian_) return file_->write(words);
  std::array<std::uint32_t, 4096> turned;
  while (!words.empty()) {
    const std::size_t bytes = std::min(words.size(), sizeof turned);
    std::memcpy(turned.data(), words.data(), bytes);
    for (std::size_t i = 0; i < bytes / sizeof turned[0]; ++i) turned[i] = reversed_bytes(turned[i]);
    if (auto done = file_->write(std::as_bytes(std::span(turned)).first(bytes)); !done) return done;
    words = words.subspan(bytes);
  }
  return {};
}

Result<> VertexCacheWriter::write(std::span<const float> positions) SINEW_TRY {
  assert(positions.size() % 3 == 0 && positions.size() / 3 <= missing_);
  missing_ -= positions.size() / 3;
  return write_words(std::as_bytes(positions));
}
SINEW_CATCH()

Result<> VertexCacheWriter::finish() SINEW_TRY {
  assert(missing_ == 0);
  return file_->commit();
}
SINEW_CATCH()

}  // namespace sinew::io

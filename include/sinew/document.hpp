// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/finding.hpp"
#include "sinew/limits.hpp"
#include "sinew/result.hpp"

namespace sinew::document {

class Json;

/// Bytes and what keeps them alive (a mapping, a decoded buffer). Null owner: empty.
struct Bytes {
  std::span<const std::byte> view;
  std::shared_ptr<const void> owner;
};

enum class Container : std::uint8_t { json, glb, g4b };

/// Four characters as the little-endian number that containers store: fourcc("JSON").
[[nodiscard]] consteval std::uint32_t fourcc(const char (&text)[5]) {
  std::uint32_t value = 0;
  for (int i = 4; i-- > 0;) value = (value << 8) | static_cast<unsigned char>(text[i]);
  return value;
}

/// A chunk of a G4B file.
struct Chunk {
  static constexpr std::uint32_t json = fourcc("JSON");
  static constexpr std::uint32_t blob = fourcc("BLOB");
  static constexpr std::uint32_t uncompressed = 0;
  static constexpr std::uint32_t zstd = fourcc("Zstd");

  std::uint32_t type = blob;
  std::uint32_t compression = uncompressed;  ///< 2026-07: "encoding"
  Bytes data;                                ///< as stored; shorter than the chunk says where the file ends in it
  std::uint64_t offset = 0;                  ///< of the chunk's header in the file
};

struct OpenOptions {
  Limits limits;
  FileAccess access = FileAccess::automatic;
  bool allow_outside = false;  ///< let relative URIs leave the file's folder
};

/// A file's container, JSON and bytes, uninterpreted. Immutable; safe on any thread.
class Document {
 public:
  struct Parts;
  explicit Document(std::unique_ptr<const Parts> parts);
  ~Document();

  [[nodiscard]] const std::filesystem::path& path() const;  ///< as given; "-" for standard input
  [[nodiscard]] Container container() const;
  [[nodiscard]] const Json& json() const;
  [[nodiscard]] std::span<const Bytes> chunks() const;      ///< GLB: the binary chunk, if it has one
  [[nodiscard]] std::span<const Chunk> chunk_list() const;  ///< G4B: all chunks in file order, the JSON chunk included
  /// Of the JSON text in the container; nothing where the text was decompressed: places are offsets into that text then.
  [[nodiscard]] std::optional<std::uint64_t> json_offset() const;
  /// Why the container ends before what it announces, as it was reported; nullptr where it is whole. Its last chunk cannot be trusted.
  [[nodiscard]] const Finding* cut() const;
  [[nodiscard]] const OpenOptions& options() const;

  /// The bytes behind a `uri` of the JSON: `data:` decoded, else a file in the document's folder (percent-decoded). Refused: absolute
  /// paths, schemes, ways out of the folder (unless allow_outside), everything relative when read from standard input.
  [[nodiscard]] Result<Bytes> fetch(std::string_view uri) const;

 private:
  std::unique_ptr<const Parts> parts_;
};

/// Opens a file ("-": standard input): container and JSON syntax are checked, nothing is interpreted. Findings about both go to `sink`;
/// those that leave nothing to read are also the returned error.
[[nodiscard]] Result<std::shared_ptr<const Document>> open(const std::filesystem::path& path, const OpenOptions& options,
                                                           FindingSink& sink);

}  // namespace sinew::document

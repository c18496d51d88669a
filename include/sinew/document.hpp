// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/result.hpp"

namespace sinew::g4mf {

/// The three published revisions of the G4MF draft; a later one is greater.
enum class Revision : std::uint8_t { r2025_08, r2026_01, r2026_07 };

/// Their names, indexed by Revision.
inline constexpr std::string_view revision_names[] = {"2025-08", "2026-01", "2026-07"};

}  // namespace sinew::g4mf

namespace sinew {

class MemoryResource;

/// A buffer or image of an asset: how it is stored, and the properties in its first bytes.
struct ResourceInfo {
  struct Image {
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    std::string format;     ///< "rgb", "rgba", "luminance", "luminance-alpha"
    std::string primaries;  ///< "srgb", "custom", …; empty = not known
    std::string transfer;   ///< "srgb", "linear", "custom"; empty = not known
    std::uint64_t bits = 0;
  };
  std::string pointer;    ///< JSON pointer of the object
  std::string mime_type;  ///< empty = not known
  std::string storage;    ///< "data-uri", "buffer-view", "glb", "g4b", "external"; empty = not known
  std::string uri;        ///< of an external one
  std::optional<std::uint64_t> byte_length;
  std::optional<Image> image;
};

/// Facts about a file for a report: the `info` object of the Khronos glTF-Validator, and the same for G4MF. They are counted in the
/// document, not in the model, so broken files have them too.
struct AssetInfo {
  std::string version;                     ///< glTF: asset.version; G4MF: the revision
  std::string min_version;                 ///< empty = absent
  std::string generator;                   ///< empty = absent
  std::optional<std::uint64_t> dimension;  ///< G4MF
  std::vector<std::string> extensions_used;
  std::vector<std::string> extensions_required;
  std::vector<ResourceInfo> resources;
  std::uint64_t animations = 0;
  std::uint64_t materials = 0;
  bool has_morph_targets = false;
  bool has_skins = false;
  bool has_textures = false;
  bool has_default_scene = false;
  std::uint64_t draw_calls = 0;
  std::uint64_t vertices = 0;
  std::uint64_t triangles = 0;  ///< G4MF: simplexes of the highest dimension
  std::uint64_t max_uvs = 0;
  std::uint64_t max_influences = 0;
  std::uint64_t max_attributes = 0;
};

}  // namespace sinew

namespace sinew::document {

class Json;

/// Bytes and the owner that keeps them alive (a mapping, a decoded buffer). Null: there are none, or they outlive all that uses them.
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
  Bytes data;                                ///< as stored; incomplete if the file ends inside the chunk
  std::uint64_t offset = 0;                  ///< of the chunk's header in the file
};

/// Where files come from instead of the file system: the package of an engine, an archive. Calls may come from several threads.
class FileSource {
 public:
  FileSource() = default;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  virtual ~FileSource() = default;

  /// Returns the bytes of a file; their owner keeps them as they are. `name`: the path that was opened, or for what a model refers to the
  /// folder of that path (all up to its last '/') with the decoded relative URI: "pak://hero/body.gltf" and "skin%201.png" make
  /// "pak://hero/skin 1.png". Without OpenOptions::allow_outside no name has "..". Errors without a place get that of the model; those
  /// whose code is not in the catalogue get IO_ERROR.
  [[nodiscard]] virtual Result<Bytes> read(std::string_view name) const = 0;
};

struct OpenOptions {
  Limits limits;
  /// Null: the file system. A file that is larger than `limits.memory` is Failure::limit; `access` has no effect.
  std::shared_ptr<const FileSource> files;
  FileAccess access = FileAccess::automatic;
  bool allow_outside = false;        ///< allow relative URIs to leave the file's folder
  MemoryResource* memory = nullptr;  ///< where the file's data is allocated (memory.hpp); null: by operator new
};

/// The container, JSON and bytes of a file, uninterpreted. Immutable; safe on any thread.
class Document {
 public:
  struct Parts;
  explicit Document(std::unique_ptr<const Parts> parts) noexcept;
  ~Document();

  [[nodiscard]] const std::filesystem::path& path() const noexcept;  ///< as given; "-" for standard input
  [[nodiscard]] Container container() const noexcept;
  [[nodiscard]] const Json& json() const noexcept;
  [[nodiscard]] std::span<const Bytes> chunks() const noexcept;      ///< GLB: the binary chunk, if it has one
  [[nodiscard]] std::span<const Chunk> chunk_list() const noexcept;  ///< G4B: all chunks in file order, the JSON chunk included
  /// Returns the offset of the JSON text in the container. Empty if the text was compressed: offsets then count from the start of the text.
  [[nodiscard]] std::optional<std::uint64_t> json_offset() const noexcept;
  /// Returns the finding about a container that ends early, or nullptr if it is complete. The last chunk of an incomplete container is
  /// short.
  [[nodiscard]] const Finding* cut() const noexcept;
  [[nodiscard]] const OpenOptions& options() const noexcept;

  /// Returns the number of bytes of the file, and of the files beside it that were read.
  [[nodiscard]] std::uint64_t size() const noexcept;

  /// Reads the bytes of a `uri` in the JSON: decodes `data:`, or reads a file in the document's folder (percent-decoded). Refuses absolute
  /// paths, schemes, paths that leave the folder (unless allow_outside), and relative paths for standard input.
  [[nodiscard]] Result<Bytes> fetch(std::string_view uri) const;

 private:
  std::unique_ptr<const Parts> parts_;
};

/// Opens a file ("-": standard input) and checks the syntax of container and JSON. Findings go to `sink`. If a finding makes the file
/// unreadable, it is also the returned error.
[[nodiscard]] Result<std::shared_ptr<const Document>> open(const std::filesystem::path& path, const OpenOptions& options,
                                                           FindingSink& sink);

}  // namespace sinew::document

// For signal handlers. Their data is the library's only mutable global state.

namespace sinew::document {

/// Removes the temporary files of unfinished outputs. Safe in a signal handler. The process must end afterwards: outputs that begin later
/// wait forever.
void remove_unfinished_outputs() noexcept;

/// Returns the path of the mapped input file that contains `address`, cut to 4095 bytes, or nullptr. For handlers of SIGBUS, which the
/// system raises if a program reads a mapped file that has been shortened. Safe in a signal handler.
[[nodiscard]] const char* mapped_file_at(const void* address) noexcept;

}  // namespace sinew::document

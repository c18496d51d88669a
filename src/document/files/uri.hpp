// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::document {

/// Why and where a text is no URI.
struct UriFault {
  std::size_t offset = 0;
  std::string_view expected;
};

/// The parts of "data:[MEDIA TYPE][;NAME=VALUE]…[;base64],PAYLOAD" (RFC 2397), not decoded.
struct DataUri {
  std::string_view media_type;  ///< without parameters; empty if absent
  bool base64 = false;
  std::string_view payload;
  std::size_t payload_offset = 0;  ///< in the URI
};

/// Returns the scheme before the first ':' (RFC 3986, 3.1); empty for relative references.
[[nodiscard]] std::string_view scheme_of(std::string_view uri);
[[nodiscard]] bool is_data_uri(std::string_view uri);

/// Finds an empty scheme, a broken percent escape, or a broken header of a data URI. Does not check the base64 payload.
[[nodiscard]] std::optional<UriFault> find_uri_fault(std::string_view uri);

/// Returns nothing if the header is broken.
[[nodiscard]] std::optional<DataUri> split_data_uri(std::string_view uri);

/// Decodes "%41" to 'A'. Broken escapes stay unchanged; find_uri_fault reports them.
[[nodiscard]] std::string percent_decode(std::string_view text);

/// Returns an upper bound of the bytes that `text` decodes to.
[[nodiscard]] constexpr std::size_t base64_bound(std::size_t text_length) { return text_length / 4 * 3 + 3; }

/// Decodes RFC 4648, both alphabets (sections 4 and 5), with optional padding. Returns the number of bytes, or the fault. `out` has
/// base64_bound(text.size()) bytes.
struct Base64Result {
  std::size_t size = 0;
  std::optional<UriFault> fault;
};
[[nodiscard]] Base64Result base64_decode(std::string_view text, std::byte* out);

/// Encodes by RFC 4648, section 4, with padding.
[[nodiscard]] std::string base64_encode(std::span<const std::byte> bytes);

/// Prefix of an embedded buffer in glTF and G4MF. G4MF allows no other.
inline constexpr std::string_view octet_stream_prefix = "data:application/octet-stream;base64,";
[[nodiscard]] std::string octet_stream_uri(std::span<const std::byte> bytes);

enum class DataUriRules : std::uint8_t {
  any,   ///< any media type and parameters, text or base64, optional padding: RFC 2397 and common deviations
  g4mf,  ///< octet_stream_prefix, then base64 of the standard alphabet with padding (G4MF_BUFFER_DATA_URI_…)
};

/// Decodes the payload of a data URI. `most`: limit in bytes.
[[nodiscard]] Result<Bytes> decode_data_uri(std::string_view uri, std::uint64_t most, DataUriRules rules = DataUriRules::any,
                                            MemoryResource* memory = nullptr);

/// Returns the file of a relative `uri` in a document's `folder`. Refuses absolute paths, schemes, backslashes, NUL and, unless
/// `allow_outside`, paths that leave the folder by ".." or by a symbolic link.
[[nodiscard]] Result<std::filesystem::path> resolve(const std::filesystem::path& folder, std::string_view uri, const OpenOptions& options);

/// Returns the name that a relative `uri` in the document `path` has for a FileSource. Refuses what resolve refuses, by the text alone.
[[nodiscard]] Result<std::string> resolve_name(std::string_view path, std::string_view uri, const OpenOptions& options);

}  // namespace sinew::document

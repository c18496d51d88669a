// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::document {

/// Why a text is no URI, and where.
struct UriFault {
  std::size_t offset = 0;
  std::string_view expected;
};

/// The parts of "data:[MEDIA TYPE][;NAME=VALUE]…[;base64],PAYLOAD" (RFC 2397), not decoded.
struct DataUri {
  std::string_view media_type;  ///< without parameters; empty where not given
  bool base64 = false;
  std::string_view payload;
  std::size_t payload_offset = 0;  ///< in the URI
};

/// The scheme before the first ':' (RFC 3986, 3.1); empty for relative references.
[[nodiscard]] std::string_view scheme_of(std::string_view uri);
[[nodiscard]] bool is_data_uri(std::string_view uri);

/// What makes `uri` invalid: an empty scheme, a broken percent escape, a data URI's header. Its base64 payload is not looked at.
[[nodiscard]] std::optional<UriFault> find_uri_fault(std::string_view uri);

/// Nothing when the header is broken.
[[nodiscard]] std::optional<DataUri> split_data_uri(std::string_view uri);

/// "%41" becomes 'A'. A broken escape stands for itself: find_uri_fault tells.
[[nodiscard]] std::string percent_decode(std::string_view text);

/// Bytes that `text` decodes to at most.
[[nodiscard]] constexpr std::size_t base64_bound(std::size_t text_length) { return text_length / 4 * 3 + 3; }

/// RFC 4648, both alphabets (sections 4 and 5); padding may be missing. Gives the number of bytes, or what is wrong. `out` holds
/// base64_bound(text.size()) bytes.
struct Base64Result {
  std::size_t size = 0;
  std::optional<UriFault> fault;
};
[[nodiscard]] Base64Result base64_decode(std::string_view text, std::byte* out);

/// RFC 4648, section 4, with padding.
[[nodiscard]] std::string base64_encode(std::span<const std::byte> bytes);

/// How G4MF and glTF embed a buffer; G4MF knows no other way.
inline constexpr std::string_view octet_stream_prefix = "data:application/octet-stream;base64,";
[[nodiscard]] std::string octet_stream_uri(std::span<const std::byte> bytes);

enum class DataUriRules : std::uint8_t {
  any,   ///< any media type and parameters, text or base64, padding optional: RFC 2397 and what is met in the wild
  g4mf,  ///< octet_stream_prefix, then base64 of the standard alphabet with padding (G4MF_BUFFER_DATA_URI_…)
};

/// The payload of a data URI. `most`: bytes that it may need.
[[nodiscard]] Result<Bytes> decode_data_uri(std::string_view uri, std::uint64_t most, DataUriRules rules = DataUriRules::any);

/// The file that a relative `uri` names beside a document in `folder`. Refused: absolute paths, schemes, backslashes, NUL and, unless
/// `allow_outside`, ways out of the folder, by ".." or by a symlink.
[[nodiscard]] Result<std::filesystem::path> resolve(const std::filesystem::path& folder, std::string_view uri, const OpenOptions& options);

}  // namespace sinew::document

// SPDX-License-Identifier: MIT
#include "document/files/uri.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <system_error>
#include <utility>

#include "base/ascii.hpp"
#include "base/catalogue.hpp"
#include "base/memory.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/files/file.hpp"
#include "document/files/platform.hpp"

namespace sinew::document {
namespace {

constexpr int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Returns the byte of "%XX" at `at`, or -1 if it is no escape.
int escape_at(std::string_view text, std::size_t at) {
  if (text[at] != '%' || text.size() - at < 3) return -1;
  const int high = hex_digit(text[at + 1]);
  const int low = hex_digit(text[at + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

constexpr std::uint32_t no_digit = 0xFFFFFFFF;

// Four tables with the six bits shifted, so that a group of four characters takes four loads and three ors.
constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr auto base64_tables = [] {
  std::array<std::array<std::uint32_t, 256>, 4> tables{};
  for (std::size_t place = 0; place < 4; ++place) {
    tables[place].fill(no_digit);
    const auto set = [&](char c, std::size_t value) {
      tables[place][static_cast<unsigned char>(c)] = static_cast<std::uint32_t>(value << (18 - 6 * place));
    };
    for (std::size_t i = 0; i < base64_digits.size(); ++i) set(base64_digits[i], i);
    set('-', 62);
    set('_', 63);
  }
  return tables;
}();

std::uint32_t group_of(const char* text, std::size_t count) {
  std::uint32_t group = 0;
  for (std::size_t i = 0; i < count; ++i) group |= base64_tables[i][static_cast<unsigned char>(text[i])];
  return group;
}

std::string excerpt_of(std::string_view uri) {
  constexpr std::size_t shown = 60;  // a data URI may have megabytes
  return std::string(uri.substr(0, shown)) + (uri.size() > shown ? "…" : "");
}

Unexpected invalid_uri(std::string_view uri, const UriFault& fault) {
  return Unexpected(error("INVALID_URI"_code, Failure::input, {}, excerpt_of(uri),
                          format_text("expected {} at character {}", fault.expected, fault.offset)));
}

/// Finds what G4MF forbids in base64 but base64_decode accepts.
std::optional<UriFault> find_g4mf_base64_fault(std::string_view text) {
  if (const std::size_t at = text.find_first_of("-_"); at != std::string_view::npos) return UriFault{at, "a base64 digit"};
  if (text.size() % 4 != 0) return UriFault{text.size(), "padding to a multiple of four"};
  return std::nullopt;
}

Result<Bytes> decode_base64(std::string_view text, std::uint64_t most, MemoryResource* memory, std::optional<UriFault>& fault) {
  const std::size_t bound = base64_bound(text.size());
  if (bound > most) return Unexpected(error("SINEW_MEMORY_LIMIT"_code, Failure::limit, {}, "a data URI", bound, most));
  std::shared_ptr<std::byte[]> bytes = shared_bytes(memory, bound);
  const auto decoded = base64_decode(text, bytes.get());
  fault = decoded.fault;
  const std::span<const std::byte> view(bytes.get(), decoded.size);
  return Bytes{view, std::move(bytes)};
}

Result<Bytes> decode_g4mf_data_uri(std::string_view uri, std::uint64_t most, MemoryResource* memory) {
  if (!uri.starts_with(octet_stream_prefix))
    return Unexpected(error("G4MF_BUFFER_DATA_URI_PREFIX"_code, Failure::input, {}, excerpt_of(uri.substr(0, uri.find(',')))));
  const std::string_view text = uri.substr(octet_stream_prefix.size());
  std::optional<UriFault> fault;
  auto bytes = decode_base64(text, most, memory, fault);
  if (!fault) fault = find_g4mf_base64_fault(text);
  if (bytes && fault)
    return Unexpected(
        error("G4MF_BUFFER_DATA_URI_BASE64"_code, Failure::input, {}, fault->expected, octet_stream_prefix.size() + fault->offset));
  return bytes;
}

Unexpected refused(std::string_view uri, std::string_view why) {
  return Unexpected(error("SINEW_URI_REFUSED"_code, Failure::input, {}, uri, why));
}

}  // namespace

std::string_view scheme_of(std::string_view uri) {
  if (uri.empty() || !is_letter(uri.front())) return {};
  for (std::size_t i = 1; i < uri.size(); ++i) {
    if (uri[i] == ':') return uri.substr(0, i);
    if (!is_letter(uri[i]) && !is_digit(uri[i]) && uri[i] != '+' && uri[i] != '-' && uri[i] != '.') return {};
  }
  return {};
}

bool is_data_uri(std::string_view uri) {
  const std::string_view scheme = scheme_of(uri);
  return std::equal(scheme.begin(), scheme.end(), std::string_view("data").begin(), std::string_view("data").end(),
                    [](char a, char b) { return (a | 0x20) == b; });
}

std::optional<UriFault> find_uri_fault(std::string_view uri) {
  if (uri.starts_with(':')) return UriFault{0, "a scheme before ':'"};
  std::string_view checked = uri;
  if (is_data_uri(uri)) {
    const std::size_t comma = uri.find(',');
    if (comma == std::string_view::npos) return UriFault{uri.size(), "',' before the data"};
    const std::string_view header = uri.substr(0, comma);
    for (std::size_t at = header.find(';'); at != std::string_view::npos;) {
      const std::size_t next = header.find(';', at + 1);
      const std::string_view parameter = header.substr(at + 1, next == std::string_view::npos ? next : next - at - 1);
      const bool last = next == std::string_view::npos;
      if (parameter.find('=') == std::string_view::npos && !(last && parameter == "base64"))
        return UriFault{at + 1 + parameter.size(), "NAME=VALUE or a final \"base64\""};
      at = next;
    }
    if (header.ends_with(";base64")) checked = header;
  }
  for (std::size_t at = checked.find('%'); at != std::string_view::npos; at = checked.find('%', at + 1))
    if (escape_at(checked, at) < 0) return UriFault{at, "two hexadecimal digits after '%'"};
  return std::nullopt;
}

std::optional<DataUri> split_data_uri(std::string_view uri) {
  if (!is_data_uri(uri) || find_uri_fault(uri)) return std::nullopt;
  constexpr std::size_t start = std::string_view("data:").size();
  const std::size_t comma = uri.find(',');
  const std::string_view header = uri.substr(start, comma - start);
  return DataUri{header.substr(0, header.find(';')), header.ends_with(";base64"), uri.substr(comma + 1), comma + 1};
}

std::string percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (const int byte = escape_at(text, at); byte >= 0) {
      out += static_cast<char>(static_cast<unsigned char>(byte));
      at += 3;
    } else {
      out += text[at++];
    }
  }
  return out;
}

Base64Result base64_decode(std::string_view text, std::byte* out) {
  std::size_t length = text.size();
  std::size_t padding = 0;
  while (padding < 2 && length > 0 && text[length - 1] == '=') {
    --length;
    ++padding;
  }
  const auto put = [&out](std::uint32_t group, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) *out++ = static_cast<std::byte>((group >> (16 - 8 * i)) & 0xFF);
  };
  const auto bad_at = [&](std::size_t from) {
    while (from < length && base64_tables[0][static_cast<unsigned char>(text[from])] != no_digit) ++from;
    return Base64Result{0, UriFault{from, "a base64 digit"}};
  };
  std::size_t at = 0;
  for (; at + 4 <= length; at += 4) {
    const std::uint32_t group = group_of(text.data() + at, 4);
    if (group >> 24 != 0) return bad_at(at);
    put(group, 3);
  }
  const std::size_t left = length - at;
  const std::uint32_t group = group_of(text.data() + at, left);
  if (group >> 24 != 0) return bad_at(at);
  if (left == 1) return {0, UriFault{length, "another base64 digit"}};
  if (padding > 0 && (left + padding) % 4 != 0)
    return {0, UriFault{length, left == 0 ? "no padding after whole groups of four" : "padding to a multiple of four"}};
  const std::size_t tail = left == 0 ? 0 : left - 1;
  put(group, tail);
  return {at / 4 * 3 + tail, std::nullopt};
}

std::string base64_encode(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(bytes.size() - at, 3);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) group = group << 8 | (i < count ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0);
    for (std::size_t i = 0; i < 4; ++i) text += i <= count ? base64_digits[(group >> (18 - 6 * i)) & 63] : '=';
  }
  return text;
}

std::string octet_stream_uri(std::span<const std::byte> bytes) { return std::string(octet_stream_prefix) + base64_encode(bytes); }

Result<Bytes> decode_data_uri(std::string_view uri, std::uint64_t most, DataUriRules rules, MemoryResource* memory) {
  if (rules == DataUriRules::g4mf) return decode_g4mf_data_uri(uri, most, memory);
  const auto data = split_data_uri(uri);
  if (!data) return invalid_uri(uri, find_uri_fault(uri).value_or(UriFault{0, "\"data:\""}));
  if (!data->base64) {
    if (data->payload.size() > most)
      return Unexpected(error("SINEW_MEMORY_LIMIT"_code, Failure::limit, {}, "a data URI", data->payload.size(), most));
    const std::string text = percent_decode(data->payload);
    const auto bytes = shared_bytes(memory, text.size());
    std::ranges::copy(std::as_bytes(std::span(text)), bytes.get());
    return Bytes{{bytes.get(), text.size()}, bytes};
  }
  // The padding may be percent-encoded.
  const bool escaped = data->payload.find('%') != std::string_view::npos;
  const std::string unescaped = escaped ? percent_decode(data->payload) : std::string();
  std::optional<UriFault> fault;
  auto bytes = decode_base64(escaped ? unescaped : data->payload, most, memory, fault);
  if (bytes && fault) {
    fault->offset += data->payload_offset;
    return invalid_uri(uri, *fault);
  }
  return bytes;
}

namespace {

/// Returns the decoded text of a relative URI.
Result<std::string> decode_relative(std::string_view uri) {
  if (const auto fault = find_uri_fault(uri)) return invalid_uri(uri, *fault);
  if (!scheme_of(uri).empty()) return refused(uri, "only relative paths and data: URIs are read");
  const std::string decoded = percent_decode(uri);
  if (decoded.empty()) return refused(uri, "it is empty");
  if (decoded.find('\0') != std::string::npos) return refused(uri, "it contains a NUL character");
  if (decoded.find('\\') != std::string::npos) return refused(uri, "it contains a backslash; separate folders with '/'");
  if (decoded.front() == '/' || path_of(decoded).has_root_name()) return refused(uri, "it is an absolute path");
  if (decoded.find_first_of(platform::not_in_names) != std::string::npos)
    return refused(uri, "it contains a character that names of files cannot have");
  return decoded;
}

Unexpected leads_out(std::string_view uri) {
  return refused(uri, "it leads outside the document's folder (allow it with --allow-outside)");
}

}  // namespace

Result<std::filesystem::path> resolve(const std::filesystem::path& folder, std::string_view uri, const OpenOptions& options) {
  const auto decoded = decode_relative(uri);
  if (!decoded) return Unexpected(decoded.error());
  std::filesystem::path relative = path_of(*decoded).lexically_normal();
  if (options.allow_outside) return folder / path_of(*decoded);
  if (*relative.begin() == "..") {  // "../rig/data.bin" in the folder rig
    const std::filesystem::path real = real_folder(folder);
    relative = (real / relative).lexically_normal().lexically_relative(real);
  }
  if (relative.empty() || *relative.begin() == "..") return leads_out(uri);
  if (const auto why = why_outside(folder, relative)) return refused(uri, *why);
  return folder / relative;  // the checked path: for the system, "link/.." may be another folder than in the text
}

Result<std::string> resolve_name(std::string_view path, std::string_view uri, const OpenOptions& options) {
  auto decoded = decode_relative(uri);
  if (!decoded) return decoded;
  const std::filesystem::path relative = path_of(*decoded).lexically_normal();
  if (!options.allow_outside && *relative.begin() == "..") return leads_out(uri);
  const std::size_t folder = path.rfind('/');
  return std::string(path.substr(0, folder == std::string_view::npos ? 0 : folder + 1)) +
         (options.allow_outside ? *decoded : uri_path_text(relative));
}

}  // namespace sinew::document

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "document/json/json.hpp"

#include "sinew/result.hpp"

namespace sinew::document {

/// What a revision says of the control characters U+0080 to U+009F.
enum class C1Controls : std::uint8_t {
  allowed,      ///< 2025-08
  discouraged,  ///< 2026-01: a warning
  forbidden     ///< 2026-07
};

/// G4MF's rules of the text beyond JSON's grammar ("Binary file format", JSON chunks): no control characters but tab and line feed. One
/// finding for each kind, at the first place: `offset` is that of the text in the container; nothing: the text was decompressed, places
/// are offsets into it.
void check_g4mf_text(std::string_view text, std::optional<std::uint64_t> offset, C1Controls c1, FindingSink& sink);

/// `text` (JSON) as G4MF wants it: no byte order mark, no carriage returns, other control characters in strings escaped. Its meaning
/// and all other bytes stay.
[[nodiscard]] std::string to_g4mf_text(std::string text);

/// Gives findings of Json::parse the names and severities of G4MF's rules.
class G4mfJsonSink final : public FindingSink {
 public:
  G4mfJsonSink(std::string_view text, FindingSink& sink);
  void add(Finding found) override;

 private:
  FindingSink& sink_;
  bool awaits_byte_order_mark_;
};

/// The same for the error that Json::parse returns about `text`.
[[nodiscard]] Error to_g4mf_error(Error error, std::string_view text);

}  // namespace sinew::document

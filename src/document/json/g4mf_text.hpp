// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "document/json/json.hpp"

#include "sinew/result.hpp"

namespace sinew::document {

/// The rule of a revision about the control characters U+0080 to U+009F.
enum class C1Controls : std::uint8_t {
  allowed,      ///< 2025-08
  discouraged,  ///< 2026-01: a warning
  forbidden     ///< 2026-07
};

/// Checks G4MF's additional rules about the text ("Binary file format", JSON chunks): no control characters except tab and line feed.
/// Reports each kind once, at its first place. `offset`: position of the text in the container; nothing: the text was decompressed, so
/// places are offsets into it.
void check_g4mf_text(std::string_view text, std::optional<std::uint64_t> offset, C1Controls c1, FindingSink& sink);

/// Converts JSON to the form that G4MF requires: no byte order mark, no carriage returns, other control characters in strings escaped. All
/// other bytes and the meaning stay.
[[nodiscard]] std::string to_g4mf_text(std::string text);

/// Changes findings of Json::parse to the names and severities of G4MF's rules.
class G4mfJsonSink final : public FindingSink {
 public:
  G4mfJsonSink(std::string_view text, FindingSink& sink);
  void add(Finding found) override;

 private:
  FindingSink& sink_;
  bool awaits_byte_order_mark_;
};

/// Does the same for the error that Json::parse returns about `text`.
[[nodiscard]] Error to_g4mf_error(Error error, std::string_view text);

}  // namespace sinew::document

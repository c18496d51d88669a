// SPDX-License-Identifier: MIT
#include "document/json/g4mf_text.hpp"

#include <utility>

#include "base/catalogue.hpp"
#include "document/json/json_text.hpp"

namespace sinew::document {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

/// The first occurrence of a kind of character, and the number of them.
struct Occurrences {
  std::size_t first = 0;
  std::uint64_t count = 0;
  void at(std::size_t place) {
    if (count++ == 0) first = place;
  }
};

constexpr bool is_control(unsigned char c) { return (c < 0x20 && c != '\t' && c != '\n') || c == 0x7F; }

// U+0080 to U+009F are C2 80 to C2 9F in UTF-8.
bool is_c1(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]) == 0xC2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xA0;
}

void rename(Finding& found, Code code) {
  found.code = code->code;
  found.severity = code->severity;
}

}  // namespace

void check_g4mf_text(std::string_view text, std::optional<std::uint64_t> offset, C1Controls c1, FindingSink& sink) {
  Occurrences controls;
  Occurrences c1_controls;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_control(static_cast<unsigned char>(text[at])))
      controls.at(at);
    else if (is_c1(text, at))
      c1_controls.at(at);
  }
  const std::string_view where = offset ? "" : " (the position refers to the decompressed text)";
  const auto place = [&](const Occurrences& found) { return offset.value_or(0) + found.first; };
  if (controls.count > 0)
    sink.add(finding_at("G4MF_JSON_CONTROL_CHARACTER"_code, place(controls), describe_byte(text, controls.first), where, controls.count));
  if (c1_controls.count == 0 || c1 == C1Controls::allowed) return;
  const unsigned character = static_cast<unsigned char>(text[c1_controls.first + 1]);
  if (c1 == C1Controls::forbidden)
    sink.add(finding_at("G4MF_JSON_C1_CONTROL_CHARACTER"_code, place(c1_controls), character, where, c1_controls.count));
  else
    sink.add(finding_at("G4MF_JSON_C1_CONTROL_CHARACTER_OLD"_code, place(c1_controls), character, where, c1_controls.count));
}

std::string to_g4mf_text(std::string text) {
  bool sound = !text.starts_with(byte_order_mark);
  for (std::size_t at = 0; sound && at < text.size(); ++at) sound = !is_control(static_cast<unsigned char>(text[at])) && !is_c1(text, at);
  if (sound) return text;
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    // In JSON, control characters occur only in strings, except the carriage return, which occurs only outside.
    if (c == '\r') {
      if (at + 1 == text.size() || text[at + 1] != '\n') out += '\n';
    } else if (is_control(c) || is_c1(text, at)) {
      const auto character = c == 0xC2 ? static_cast<unsigned char>(text[++at]) : c;
      out += "\\u00";
      out += hex_digits[character >> 4];
      out += hex_digits[character & 15];
    } else {
      out += text[at];
    }
  }
  return out;
}

G4mfJsonSink::G4mfJsonSink(std::string_view text, FindingSink& sink)
    : sink_(sink), awaits_byte_order_mark_(text.starts_with(byte_order_mark)) {}

void G4mfJsonSink::add(Finding found) {
  // Parsing reports the byte order mark first.
  if (found.code == "INVALID_JSON")
    rename(found, std::exchange(awaits_byte_order_mark_, false) ? "G4MF_JSON_BOM"_code : "G4MF_JSON_INVALID"_code);
  else if (found.code == "SINEW_JSON_DUPLICATE_KEY")
    rename(found, "G4MF_JSON_DUPLICATE_KEY"_code);
  sink_.add(std::move(found));
}

Error to_g4mf_error(Error error, std::string_view text) {
  if (error.code == "INVALID_JSON") error.code = find_invalid_utf8(text) ? "G4MF_JSON_NOT_UTF8" : "G4MF_JSON_INVALID";
  return error;
}

}  // namespace sinew::document

// SPDX-License-Identifier: MIT
#include "console/json.hpp"

#include <nlohmann/detail/conversions/to_chars.hpp>

#include <cmath>

namespace app {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Returns the number of bytes of the first character, or 0 if it is not UTF-8. `wrong` gets the number of bytes to replace.
std::size_t first_length(std::string_view text, std::size_t& wrong) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  wrong = 1;
  if (first < 0x80) return 1;
  const std::size_t bytes = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  // RFC 3629 has no surrogates, no longer forms than necessary and nothing after U+10FFFF.
  const unsigned least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80, most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  for (; wrong < bytes; ++wrong)
    if (byte(wrong) < (wrong == 1 ? least : 0x80) || byte(wrong) > (wrong == 1 ? most : 0xBF)) return 0;
  return bytes;
}

void append_control(std::string& out, char c) {
  constexpr std::string_view hex = "0123456789abcdef", named = "\b\t\n\f\r\"\\";
  if (const std::size_t place = named.find(c); place != std::string_view::npos)
    (out += '\\') += "btnfr\"\\"[place];
  else
    ((out += "\\u00") += hex[static_cast<unsigned char>(c) >> 4]) += hex[c & 15];
}

std::string quoted_json(std::string_view text) {
  std::string out = "\"";
  out.reserve(text.size() + 2);
  while (!text.empty()) {
    std::size_t wrong = 0;
    const std::size_t bytes = first_length(text, wrong);
    if (bytes == 0)
      out += replacement;
    else if (text.front() == '"' || text.front() == '\\' || static_cast<unsigned char>(text.front()) < 0x20)
      append_control(out, text.front());
    else
      out += text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? wrong : bytes);
  }
  return out += '"';
}

}  // namespace

Json::Json(double value) : text_("null") {
  if (!std::isfinite(value)) return;
  char digits[64];
  text_.assign(digits, nlohmann::detail::to_chars(digits, digits + sizeof digits, value));
}

Json::Json(std::string_view text) : text_(quoted_json(text)) {}

Json::Json(std::initializer_list<Member> members) : text_("{}") { add(members); }

/// Opens the array or object again, with a comma if it has a value.
void Json::begin_value() {
  text_.pop_back();
  if (text_.size() > 1) text_ += ',';
}

void Json::push_back(const Json& value) {
  begin_value();
  (text_ += value.text_) += ']';
}

void Json::add(std::string_view key, const Json& value) {
  begin_value();
  (((text_ += quoted_json(key)) += ':') += value.text_) += '}';
}

void Json::add(std::initializer_list<Member> members) {
  for (const Member& member : members) add(member.key, member.value);
}

std::string Json::indented() const {
  std::string out;
  std::size_t depth = 0;
  const auto break_line = [&] { (out += '\n').append(2 * depth, ' '); };
  for (std::size_t at = 0; at < text_.size(); ++at) {
    const char c = text_[at];
    if (c == '"') {
      const std::size_t begin = at++;
      for (; text_[at] != '"'; ++at) at += text_[at] == '\\' ? 1 : 0;
      out.append(text_, begin, at + 1 - begin);
    } else if (c == ',') {
      out += c;
      break_line();
    } else if (c == ':') {
      out += ": ";
    } else if (c == ']' || c == '}') {
      --depth;
      break_line();
      out += c;
    } else if (out += c; c == '[' || c == '{') {
      if (text_[at + 1] == c + 2) {  // "[]" and "{}" in ASCII
        out += text_[++at];
        continue;
      }
      ++depth;
      break_line();
    }
  }
  return out += '\n';
}

}  // namespace app

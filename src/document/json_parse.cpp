// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>
#include <span>
#include <tuple>
#include <utility>

#include "base/catalogue.hpp"
#include "document/capped_sink.hpp"
#include "document/decimal.hpp"
#include "document/json.hpp"
#include "document/json_text.hpp"
#include "document/json_tokens.hpp"
#include "document/text_positions.hpp"

namespace sinew::document {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

Finding invalid_json(std::string_view text, std::size_t offset, std::uint64_t base_offset, std::string_view expected) {
  Position at = TextPositions(text).of(offset);
  at.byte = base_offset + offset;
  Finding invalid = finding<"INVALID_JSON"_code>("", at.line, at.column, describe_byte(text, offset), expected);
  invalid.position = at;
  return invalid;
}

Error invalid_json_error(std::string_view text, std::size_t offset, std::uint64_t base_offset, std::string_view expected) {
  Error error = error_from(invalid_json(text, offset, base_offset, expected), {});
  error.place.offset = base_offset + offset;
  return error;
}

/// Something to tell about a value that does not make the text useless.
struct Remark {
  enum class What : std::uint8_t { number, surrogate, duplicate } what;
  std::uint32_t id;
};

/// Checks the grammar over the tokens that were found and writes the tape. No recursion: open containers are a stack of their own.
class TapeBuilder {
 public:
  TapeBuilder(std::string_view text, const Limits& limits, std::uint64_t base_offset) : text_(text), limits_(limits), base_(base_offset) {}

  /// `tokens` are offsets into the text after its first `shift` bytes.
  [[nodiscard]] Result<> run(std::span<const std::uint32_t> tokens, std::uint32_t shift) {
    // Every value but the root is followed by a token of its own (comma, colon or closing bracket).
    if (auto room = check_room(tokens.size()); !room) return room;
    tape_.reserve(tokens.size() / 2 + 1);
    for (const std::uint32_t token : tokens)
      if (!take(token + shift)) return Unexpected(std::move(*error_));
    if (expect_ != Expect::end) {
      fail(text_.size(), expected());
      return Unexpected(std::move(*error_));
    }
    return {};
  }

  /// Whether so many tokens and their values fit into the memory that there is.
  [[nodiscard]] Result<> check_room(std::uint64_t tokens) const {
    const std::uint64_t bytes = tokens * sizeof(std::uint32_t) + (tokens / 2 + 1) * sizeof(Json::Node);
    if (bytes <= limits_.memory) return {};
    return Unexpected(error<"SINEW_MEMORY_LIMIT"_code>(Failure::limit, {}, "the JSON text's structure", bytes, limits_.memory));
  }

  [[nodiscard]] std::vector<Json::Node> take_tape() { return std::move(tape_); }
  [[nodiscard]] std::vector<Remark>& remarks() { return remarks_; }

 private:
  enum class Expect : std::uint8_t { value, value_or_close, key, key_or_close, colon, comma_or_close, end };

  struct Open {
    std::uint32_t node;
    std::uint32_t count;
    std::uint64_t seen;  ///< one bit per hash of a key: a free bit proves that a key is new
    bool object;
    bool maybe_duplicates;
  };

  [[nodiscard]] const char* expected() const {
    switch (expect_) {
      case Expect::value:
        return "a value";
      case Expect::value_or_close:
        return "a value or ']'";
      case Expect::key:
        return "a key";
      case Expect::key_or_close:
        return "a key or '}'";
      case Expect::colon:
        return "':'";
      case Expect::comma_or_close:
        return open_.back().object ? "',' or '}'" : "',' or ']'";
      case Expect::end:
        return "the end of the text";
    }
    return "";
  }

  bool fail(std::size_t offset, std::string_view wanted) {
    error_ = invalid_json_error(text_, offset, base_, wanted);
    return false;
  }
  bool fail_limit(std::size_t offset, std::string_view what, std::uint64_t most, std::string_view member) {
    error_ = error<"SINEW_JSON_LIMIT"_code>(Failure::limit, {{}, std::nullopt, base_ + offset}, what, most, member);
    return false;
  }

  bool take(std::uint32_t at) {
    const char c = text_[at];
    switch (expect_) {
      case Expect::value_or_close:
        if (c == ']') return close(at);
        [[fallthrough]];
      case Expect::value:
        return take_value(at, c);
      case Expect::key_or_close:
        if (c == '}') return close(at);
        [[fallthrough]];
      case Expect::key:
        return take_key(at, c);
      case Expect::colon:
        if (c != ':') break;
        expect_ = Expect::value;
        return true;
      case Expect::comma_or_close:
        if (c == ',') {
          expect_ = open_.back().object ? Expect::key : Expect::value;
          return true;
        }
        if (c == (open_.back().object ? '}' : ']')) return close(at);
        break;
      case Expect::end:
        break;
    }
    return fail(at, expected());
  }

  bool take_value(std::uint32_t at, char c) {
    switch (c) {
      case '{':
        return open(at, JsonKind::object);
      case '[':
        return open(at, JsonKind::array);
      case '"':
        return take_string(at) && value_done();
      case 't':
        return add(at, JsonKind::boolean, scan_word(text_, at, "true")) && value_done();
      case 'f':
        return add(at, JsonKind::boolean, scan_word(text_, at, "false")) && value_done();
      case 'n':
        return add(at, JsonKind::null, scan_word(text_, at, "null")) && value_done();
      case '-':
      case '0':
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7':
      case '8':
      case '9':
        return take_number(at) && value_done();
      default:
        return fail(at, expected());
    }
  }

  bool take_key(std::uint32_t at, char c) {
    if (c != '"') return fail(at, expected());
    if (!take_string(at)) return false;
    const Json::Node& key = tape_.back();
    const std::string_view token = text_.substr(at, key.end - at);
    // Length, first and last character tell the keys of one glTF object apart nearly always; escapes could hide equal keys.
    const std::size_t hash =
        token.size() * 31 + static_cast<unsigned char>(token[1]) * 7u + static_cast<unsigned char>(token[token.size() - 2]);
    const std::uint64_t bit = std::uint64_t{1} << (hash % 64);
    Open& object = open_.back();
    object.maybe_duplicates |= (object.seen & bit) != 0 || key.escaped != 0;
    object.seen |= bit;
    expect_ = Expect::colon;
    return true;
  }

  // Nearly all strings have no escapes and nearly all numbers no exponent: those are told with few looks.
  bool take_string(std::uint32_t at) {
    const std::size_t end = skip_plain(text_, at + std::size_t{1});
    if (end >= text_.size() || text_[end] != '"') return add(at, JsonKind::string, scan_string(text_, at));
    put(at, JsonKind::string, end + 1, false);
    return true;
  }
  bool take_number(std::uint32_t at) {
    const auto end = everyday_number_end(text_, at);
    if (!end) return add(at, JsonKind::number, scan_number(text_, at));
    put(at, JsonKind::number, *end, false);
    return true;
  }

  void put(std::uint32_t at, JsonKind kind, std::size_t end, bool escaped) {
    const auto id = static_cast<std::uint32_t>(tape_.size());
    tape_.push_back({at, static_cast<std::uint32_t>(end), id + 1, 0, static_cast<std::uint32_t>(kind) & 7u, escaped});
  }

  bool add(std::uint32_t at, JsonKind kind, const TokenScan& scan) {
    if (scan.expected) return fail(scan.end, scan.expected);
    const auto id = static_cast<std::uint32_t>(tape_.size());
    if (scan.unrepresentable) remarks_.push_back({kind == JsonKind::number ? Remark::What::number : Remark::What::surrogate, id});
    put(at, kind, scan.end, scan.escaped);
    return true;
  }

  bool open(std::uint32_t at, JsonKind kind) {
    if (open_.size() >= limits_.json_depth) return fail_limit(at, "the nesting", limits_.json_depth, "json_depth");
    open_.push_back({static_cast<std::uint32_t>(tape_.size()), 0, 0, kind == JsonKind::object, false});
    tape_.push_back({at, at, 0, 0, static_cast<std::uint32_t>(kind) & 7u, 0});
    expect_ = kind == JsonKind::object ? Expect::key_or_close : Expect::value_or_close;
    return true;
  }

  bool close(std::uint32_t at) {
    const Open closed = open_.back();
    open_.pop_back();
    constexpr std::uint32_t most = (1u << 28) - 1;  // Json::Node::size
    if (closed.count > most) return fail_limit(tape_[closed.node].offset, "the size of a container", most, "json_size");
    Json::Node& node = tape_[closed.node];
    node.end = at + 1;
    node.next = static_cast<std::uint32_t>(tape_.size());
    node.size = closed.count & most;
    if (closed.maybe_duplicates) find_duplicates(closed.node);
    return value_done();
  }

  bool value_done() {
    if (open_.empty()) {
      expect_ = Expect::end;
    } else {
      ++open_.back().count;
      expect_ = Expect::comma_or_close;
    }
    return true;
  }

  // By sorting, so that no choice of keys makes it quadratic.
  void find_duplicates(std::uint32_t object) {
    std::vector<std::pair<std::string, std::uint32_t>> decoded;
    std::vector<std::pair<std::string_view, std::uint32_t>> keys;
    keys.reserve(tape_[object].size);
    for (std::uint32_t key = object + 1; key < tape_[object].next; key = tape_[key + 1].next) {
      const std::string_view inner = text_.substr(tape_[key].offset + 1, tape_[key].end - tape_[key].offset - 2);
      if (tape_[key].escaped)
        decoded.emplace_back(unescape(inner), key);
      else
        keys.emplace_back(inner, key);
    }
    for (const auto& [key, id] : decoded) keys.emplace_back(key, id);
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 1; i < keys.size(); ++i)
      if (keys[i].first == keys[i - 1].first) remarks_.push_back({Remark::What::duplicate, keys[i].second});
  }

  std::string_view text_;
  const Limits& limits_;
  std::uint64_t base_;
  Expect expect_ = Expect::value;
  std::vector<Open> open_;
  std::vector<Json::Node> tape_;
  std::vector<Remark> remarks_;
  std::optional<Error> error_;
};

void report(const Json& json, std::vector<Remark>& remarks, std::uint64_t most, FindingSink& sink) {
  std::sort(remarks.begin(), remarks.end(),
            [](const Remark& a, const Remark& b) { return std::tie(a.id, a.what) < std::tie(b.id, b.what); });
  CappedSink capped(sink, most);
  for (const Remark& remark : remarks) {
    if (capped.full()) {
      capped.drop();
      continue;
    }
    const JsonValue value(json, remark.id);
    const std::string pointer = value.pointer();
    const std::string_view text = value.text().substr(0, 40);
    switch (remark.what) {
      case Remark::What::number:
        capped.add(finding<"SINEW_JSON_NUMBER_TOO_LARGE"_code>(pointer, text));
        break;
      case Remark::What::surrogate:
        capped.add(finding<"SINEW_JSON_LONE_SURROGATE"_code>(pointer));
        break;
      case Remark::What::duplicate:
        capped.add(finding<"SINEW_JSON_DUPLICATE_KEY"_code>(pointer, text));
        break;
    }
  }
}

Result<> build(TapeBuilder& builder, std::string_view text, std::uint32_t shift, std::uint64_t base_offset, const Limits& limits) {
  const std::string_view body = text.substr(shift);
  // The list of tokens is made in one piece: where it could outgrow the memory that there is, they are counted first.
  if (body.size() > limits.memory / (4 * sizeof(std::uint32_t)))
    if (auto room = builder.check_room(count_tokens(body)); !room) return room;
  if (const auto quick = quick_tokens(body)) return builder.run(quick->list, shift);
  // It gives no place: the plain twin finds the same tokens and goes on, so that the grammar meets the fault.
  if (const auto invalid = find_invalid_utf8(text)) return Unexpected(invalid_json_error(text, *invalid, base_offset, "UTF-8"));
  return builder.run(find_tokens(body), shift);
}

}  // namespace

Result<Json> Json::parse(std::string_view text, const Limits& limits, std::uint64_t base_offset, FindingSink& sink) try {
  constexpr std::uint64_t most = (std::uint64_t{1} << 32) - 1;  // offsets in the tape
  const std::uint64_t allowed = std::min(limits.json_size, most);
  if (text.size() > allowed) return Unexpected(error<"SINEW_JSON_LIMIT"_code>(Failure::limit, {}, "the length", allowed, "json_size"));
  std::uint32_t shift = 0;
  if (text.starts_with(byte_order_mark)) {
    shift = byte_order_mark.size();
    Finding mark = finding<"INVALID_JSON"_code>("", 1, 1, "a byte order mark", "none");
    mark.position = Position{1, 1, base_offset};
    sink.add(std::move(mark));
  }
  // Chunks of binary containers padded with zeros in place of spaces are met in the wild.
  if (const std::size_t end = text.find_last_not_of('\0'); end != std::string_view::npos && end + 1 < text.size()) {
    sink.add(invalid_json(text, end + 1, base_offset, "the end of the text or white space"));
    text = text.substr(0, end + 1);
  }
  TapeBuilder builder(text, limits, base_offset);
  if (auto built = build(builder, text, shift, base_offset, limits); !built) return Unexpected(std::move(built.error()));
  Json json;
  json.text_ = text;
  json.tape_ = builder.take_tape();
  report(json, builder.remarks(), limits.findings, sink);
  return json;
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
}

}  // namespace sinew::document

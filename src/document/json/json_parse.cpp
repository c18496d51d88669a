// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>

#include "base/catalogue.hpp"
#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "document/container/capped_sink.hpp"
#include "document/files/file.hpp"
#include "document/json/decimal.hpp"
#include "document/json/json.hpp"
#include "document/json/json_text.hpp"
#include "document/json/text_positions.hpp"

namespace sinew::document {
namespace {

Finding invalid_json(std::string_view text, std::size_t offset, std::uint64_t base_offset, std::string_view expected) {
  Position at = TextPositions(text).of(offset);
  at.byte = base_offset + offset;
  Finding invalid = finding("INVALID_JSON"_code, "", at.line, at.column, describe_byte(text, offset), expected);
  invalid.position = at;
  return invalid;
}

Error invalid_json_error(std::string_view text, std::size_t offset, std::uint64_t base_offset, std::string_view expected) {
  Error error = error_from(invalid_json(text, offset, base_offset, expected), {});
  error.place.offset = base_offset + offset;
  return error;
}

/// A finding about a value that does not stop parsing.
struct ValueFinding {
  enum class What : std::uint8_t { number, surrogate, duplicate } what;
  std::uint32_t id;
};

/// Reads the text once and writes the tape. Does not recurse: open containers are on a stack. The position is an argument of all inline
/// functions, so that it stays in a register.
///
/// Threads share a long text in parts. A part begins at a guess: a comma that separates two elements of a list in the root object. If the
/// builder of the text before meets that comma in exactly this state, it takes what the builder of the part wrote; otherwise it reads on.
/// So a guess never changes the result.
class TapeBuilder {
 public:
  TapeBuilder(std::string_view text, const Limits& limits, std::uint64_t base_offset) : text_(text), limits_(limits), base_(base_offset) {}

  /// Reads the text from `at` on, which must be one value.
  [[nodiscard]] bool read(std::size_t at, unsigned threads) {
    std::vector<TapeBuilder> parts = split(threads);
    bool read = false;
    const auto read_parts = [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        if (i == 0)
          read = is_utf8() && read_value(at);
        else
          parts[i - 1].is_read_ = parts[i - 1].is_utf8() && parts[i - 1].read_on();
    };
    if (parts.empty())  // short texts, which most are, do not start threads
      read_parts(0, 1);
    else
      parallel_for(1 + parts.size(), 1, threads, read_parts);
    if (!utf8_ || !std::ranges::all_of(parts, &TapeBuilder::utf8_)) return fail(find_invalid_utf8(text_).value_or(0), "UTF-8");
    for (auto part = parts.begin(); read && met_end_; ++part) {
      begin_ = part->begin_;
      end_ = part->end_;
      met_end_ = false;
      read = part->is_read_ ? join(*part) : read_on();
    }
    return read;
  }

  [[nodiscard]] std::shared_ptr<const Json::Entry[]> take_tape(MemoryResource* memory) {
    if (memory == nullptr) return std::move(tape_);
    auto tape = std::allocate_shared_for_overwrite<Json::Entry[]>(ResourceAllocator<Json::Entry>(memory), size_);
    std::copy_n(tape_.get(), size_, tape.get());
    return tape;
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(size_); }
  /// Returns how many parts it took from other builders.
  [[nodiscard]] std::uint32_t joined() const { return joined_; }
  [[nodiscard]] std::vector<ValueFinding>& value_findings() { return value_findings_; }
  [[nodiscard]] const std::vector<std::uint32_t>& suspects() const { return suspects_; }
  [[nodiscard]] Error& error() { return *error_; }

 private:
  static constexpr std::size_t nowhere = std::string_view::npos;

  struct Open {
    std::uint32_t id;
    std::uint32_t count;
    std::uint64_t seen;  ///< one bit per hash of a key: an unset bit proves that a key is new
    char closer;
    bool maybe_duplicates;
  };

  // Reads a value in a container, or at the root, and what follows.
  bool read_value(std::size_t at) {
    for (;;) {
      const char c = look(at);
      if (c != '{' && c != '[') {
        if (!scalar(at, c)) return false;
      } else {
        if (!open(at, c == '{' ? '}' : ']')) return false;
        ++at;
        if (look(at) != open_.back().closer) {
          if (!enter(at, open_.back())) return false;
          continue;
        }
      }
      for (;;) {  // after a value
        const char after = look(at);
        if (open_.empty()) return at == text_.size() || fail(at, "the end of the text");
        Open& container = open_.back();
        if (after == ',') {
          if (at == end_ && is_in_list_of_root()) return met_end_ = true;
          if (!enter(++at, container)) return false;
          break;
        }
        if (after != container.closer) return fail(at, container.closer == '}' ? "',' or '}'" : "',' or ']'");
        if (!close(++at)) return false;
      }
    }
  }

  // Reads on after the comma at `begin_`, in a list.
  bool read_on() {
    ++open_.back().count;
    return read_value(begin_ + 1);
  }

  [[nodiscard]] bool is_in_list_of_root() const { return open_.size() == 2 && open_[0].closer == '}' && open_[1].closer == ']'; }

  bool is_utf8() {
    utf8_ = !find_invalid_utf8(text_.substr(begin_, std::min(end_, text_.size()) - begin_));
    return utf8_;
  }

  // Returns the builders of all parts but the first, whose end it sets.
  std::vector<TapeBuilder> split(unsigned threads) {
    constexpr std::size_t count = 4;  // so that a slow thread keeps the others waiting for a quarter at most
    std::vector<TapeBuilder> parts;
    const bool fits = text_.size() <= limits_.memory / 16;  // all tapes and a copy, if each second byte is a value
    if (text_.size() < std::size_t{1} << 20 || !fits || (threads == 0 ? available_threads() : threads) == 1) return parts;
    parts.reserve(count);
    TapeBuilder* before = this;
    for (std::size_t i = 1; i < count; ++i) {
      const std::size_t comma = find_split(text_.size() / count * i);
      if (comma == nowhere) continue;
      before->end_ = comma;
      before = &parts.emplace_back(text_, limits_, base_);
      before->begin_ = comma;
      before->inherits_ = true;
      before->open_ = {{0, 0, 0, '}', false}, {0, 0, 0, ']', false}};
    }
    return parts;
  }

  // Returns the comma between two objects near a place in the text at which the fewest containers are open.
  [[nodiscard]] std::size_t find_split(std::size_t place) const {
    constexpr std::size_t window = std::size_t{1} << 16;
    std::size_t best = nowhere;
    std::size_t at = text_.find("\":", place);               // the end of a key: not in a string
    int depth = 0, least = std::numeric_limits<int>::max();  // from `at` on
    bool in_string = true;
    for (; at < place + window; ++at) {
      const char c = text_[at];
      if (c == '"' && text_[at - 1] != '\\') in_string = !in_string;
      if (in_string) continue;
      depth += (c == '{' || c == '[') - (c == '}' || c == ']');
      std::size_t comma = at + 1;
      if (c != '}' || depth >= least || look(comma) != ',') continue;
      std::size_t next = comma + 1;
      if (look(next) != '{') continue;
      best = comma;
      least = depth;
    }
    return best;
  }

  // Appends what the builder of the next part wrote. Returns whether it could.
  bool join(TapeBuilder& part) {
    const std::uint32_t shift = size();
    while (room_ - size_ < part.size_)
      if (!grow()) return false;
    std::copy_n(part.tape_.get(), part.size_, tape_.get() + size_);
    for (const Inherited& rest : part.inherited_) {  // the list, then the root
      size_ = rest.size + shift;
      add(rest.container, open_.back());
      if (!close(rest.end)) return false;
    }
    for (std::size_t i = 0; i < part.open_.size(); ++i) {
      if (i < open_.size()) {
        add(part.open_[i], open_[i]);
      } else {
        open_.push_back(part.open_[i]);
        open_.back().id += shift;
      }
    }
    size_ = part.size_ + shift;
    met_end_ = part.met_end_;
    for (const ValueFinding& found : part.value_findings_) value_findings_.push_back({found.what, found.id + shift});
    for (const std::uint32_t object : part.suspects_) suspects_.push_back(object + shift);
    ++joined_;
    return true;
  }
  static void add(const Open& rest, Open& container) {
    container.count += rest.count;
    container.maybe_duplicates |= rest.maybe_duplicates || (container.seen & rest.seen) != 0;
    container.seen |= rest.seen;
  }

  [[gnu::noinline]] bool is_late() {
    auto left = time_left();
    if (!left) error_ = std::move(left.error());
    return !left;
  }
  bool fail(std::size_t offset, std::string_view wanted) {
    error_ = invalid_json_error(text_, offset, base_, wanted);
    return false;
  }
  bool fail_limit(std::size_t offset, std::string_view what, std::uint64_t most, std::string_view member) {
    error_ = sinew::error("SINEW_JSON_LIMIT"_code, Failure::limit, {{}, std::nullopt, base_ + offset}, what, most, member);
    return false;
  }

  // Skips white space and returns the next character. 0 at the end, and for a zero, which is never valid. Most texts have at most a space.
  [[gnu::always_inline]] char look(std::size_t& at) const {
    if (text_.size() - at >= 2) {
      if (text_[at] > ' ') return text_[at];
      if (text_[at] == ' ' && text_[at + 1] > ' ') return text_[++at];
    }
    return look_far(at);
  }
  [[gnu::noinline]] char look_far(std::size_t& at) const {
    at = std::min(text_.find_first_not_of(" \n\t\r", at), text_.size());
    return at < text_.size() ? text_[at] : '\0';
  }

  // Reads what precedes the next value of a container.
  bool enter(std::size_t& at, Open& container) {
    if ((++container.count & 0xFFFFU) == 0 && is_late()) return false;
    return container.closer == ']' || key(at, container);
  }

  bool scalar(std::size_t& at, char c) {
    if (c == '"') return string(at);
    if (c == '-' || is_digit(c)) {
      const auto number = everyday_number(text_, at);
      if (!number) return any_number(at);
      return number->whole ? put_integer(at, *number) : put_real(at, number->end, number->value);
    }
    if (c == 't') return add(JsonKind::boolean, at, scan_word(text_, at, "true"));
    if (c == 'f') return add(JsonKind::boolean, at, scan_word(text_, at, "false"));
    if (c == 'n') return add(JsonKind::null, at, scan_word(text_, at, "null"));
    const bool may_end = !open_.empty() && open_.back().closer == ']' && open_.back().count == 1;
    return fail(at, may_end ? "a value or ']'" : "a value");
  }

  bool key(std::size_t& at, Open& object) {
    if (look(at) != '"') return fail(at, object.count == 1 ? "a key or '}'" : "a key");
    const std::size_t begin = at + 1;
    const std::size_t id = size_;
    if (!string(at)) return false;
    const std::uint64_t bit = std::uint64_t{1} << key_hash(text_.substr(begin, at - 1 - begin));
    object.maybe_duplicates |= (object.seen & bit) != 0 || tape_[id].special();  // escapes may hide equal keys
    object.seen |= bit;
    if (look(at) != ':') return fail(at, "':'");
    ++at;
    return true;
  }

  // Most strings have no escapes; skip_plain finds their end quickly.
  bool string(std::size_t& at) {
    const std::size_t end = skip_plain(text_, at + 1);
    if (end >= text_.size() || text_[end] != '"') return add(JsonKind::string, at, scan_string(text_, at));
    return put(JsonKind::string, at, end + 1, false);
  }

  [[gnu::noinline]] bool any_number(std::size_t& at) {
    const TokenScan scan = scan_number(text_, at);
    if (scan.expected) return fail(scan.end, scan.expected);
    const auto value = to_double(text_.substr(at, scan.end - at));
    if (value && scan.end - at < Json::Entry::most) return put_real(at, scan.end, *value);
    if (!value) value_findings_.push_back({ValueFinding::What::number, size()});
    return put(JsonKind::number, at, scan.end, true);
  }

  [[gnu::noinline]] bool add(JsonKind kind, std::size_t& at, const TokenScan& scan) {
    if (scan.expected) return fail(scan.end, scan.expected);
    if (scan.unrepresentable) value_findings_.push_back({ValueFinding::What::surrogate, size()});
    return put(kind, at, scan.end, scan.escaped);
  }

  // Adds the scalar from `at` to `end`, and advances `at`.
  bool put(JsonKind kind, std::size_t& at, std::size_t end, bool special) {
    if (room_ - size_ < 2 && !grow()) return false;
    const std::size_t length = std::min<std::size_t>(end - at, Json::Entry::most);
    const bool too_long = length == Json::Entry::most;
    tape_[size_++] = entry(kind, at, special, too_long, static_cast<std::uint32_t>(length));
    if (too_long) tape_[size_++] = {static_cast<std::uint32_t>(end), 0};
    at = end;
    return true;
  }
  bool put_integer(std::size_t& at, const EverydayNumber& number) {
    if (room_ == size_ && !grow()) return false;
    tape_[size_++] = entry(JsonKind::number, at, false, false, number.integer);
    at = number.end;
    return true;
  }
  bool put_real(std::size_t& at, std::size_t end, double value) {
    if (room_ - size_ < 2 && !grow()) return false;
    tape_[size_++] = entry(JsonKind::number, at, false, true, static_cast<std::uint32_t>(end - at));
    tape_[size_++] = std::bit_cast<Json::Entry>(value);
    at = end;
    return true;
  }
  [[nodiscard]] static Json::Entry entry(JsonKind kind, std::size_t at, bool special, bool is_double, std::uint32_t amount) {
    const std::uint32_t flags = (special ? 8u : 0u) | (is_double ? 16u : 0u);
    return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(kind) | flags | amount << 5};
  }

  // Reallocates the tape for at least two more entries, if the limit allows it.
  [[gnu::noinline]] bool grow() {
    constexpr std::size_t size = sizeof(Json::Entry);
    const std::size_t length = (inherits_ ? std::min(end_, text_.size()) : text_.size()) - begin_;
    const std::size_t usual = length / 7 + 16;  // most texts have fewer values
    const std::size_t wanted = std::max(usual, room_ * 2);
    const std::size_t most = limits_.memory / size - room_;  // both arrays exist during the copy
    if (most < size_ + 2) {
      error_ = sinew::error("SINEW_MEMORY_LIMIT"_code, Failure::limit, {}, "the JSON text's structure", wanted * size, limits_.memory);
      return false;
    }
    room_ = std::min(wanted, most);
    auto larger = std::make_unique_for_overwrite<Json::Entry[]>(room_);
    prefer_large_pages(larger.get(), room_ * size);
    std::copy_n(tape_.get(), size_, larger.get());
    tape_ = std::move(larger);
    return true;
  }

  bool open(std::size_t at, char closer) {
    if (open_.size() >= limits_.json_depth) return fail_limit(at, "the nesting", limits_.json_depth, "json_depth");
    if (room_ - size_ < 2 && !grow()) return false;
    open_.push_back({size(), 0, 0, closer, false});
    tape_[size_] = entry(closer == '}' ? JsonKind::object : JsonKind::array, at, false, true, 0);
    size_ += 2;
    return true;
  }

  // Closes the innermost container at `end`.
  bool close(std::size_t end) {
    const Open closed = open_.back();
    open_.pop_back();
    if (inherits_ && open_.size() + inherited_.size() < 2) {
      inherited_.push_back({closed, end, size_});
      return true;
    }
    Json::Entry& container = tape_[closed.id];
    if (closed.count > Json::Entry::most) return fail_limit(container.place, "the size of a container", Json::Entry::most, "json_size");
    container.rest |= closed.count << 5;
    tape_[closed.id + 1] = {static_cast<std::uint32_t>(end), size() - closed.id};
    if (closed.maybe_duplicates) suspects_.push_back(closed.id);
    return true;
  }

  /// The rest of a container that was open where a part begins.
  struct Inherited {
    Open container;
    std::size_t end, size;  ///< of its text; of the tape then
  };

  std::string_view text_;
  const Limits& limits_;
  std::uint64_t base_;
  std::vector<Open> open_;
  std::unique_ptr<Json::Entry[]> tape_;
  std::size_t size_ = 0, room_ = 0;        ///< entries of the tape
  std::size_t begin_ = 0, end_ = nowhere;  ///< of the part: two commas
  bool met_end_ = false, utf8_ = false;
  bool inherits_ = false;             ///< it begins in a list of the root, which another builder opened
  bool is_read_ = false;              ///< without error, up to `end_` or the end of the text
  std::vector<Inherited> inherited_;  ///< the list and the root, when they were closed
  std::uint32_t joined_ = 0;
  std::vector<ValueFinding> value_findings_;
  std::vector<std::uint32_t> suspects_;
  std::optional<Error> error_;
};

// Sorts, so that no choice of keys makes it quadratic.
void find_duplicates(JsonValue object, std::vector<ValueFinding>& value_findings) {
  std::vector<std::pair<std::string, std::uint32_t>> decoded;
  std::vector<std::pair<std::string_view, std::uint32_t>> keys;
  keys.reserve(object.size());
  for (const JsonMember member : object.members()) {
    const std::string_view token = member.key.text();
    if (object.json()->entry(member.key.id()).special())
      decoded.emplace_back(member.key.string(), member.key.id());
    else
      keys.emplace_back(token.substr(1, token.size() - 2), member.key.id());
  }
  for (const auto& [key, id] : decoded) keys.emplace_back(key, id);
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (keys[i].first == keys[i - 1].first) value_findings.push_back({ValueFinding::What::duplicate, keys[i].second});
}

void report(const Json& json, std::vector<ValueFinding>& value_findings, std::uint64_t most, FindingSink& sink) {
  std::sort(value_findings.begin(), value_findings.end(),
            [](const ValueFinding& a, const ValueFinding& b) { return std::tie(a.id, a.what) < std::tie(b.id, b.what); });
  CappedSink capped(sink, most);
  for (const ValueFinding& found : value_findings) {
    if (capped.full()) {
      capped.drop();
      continue;
    }
    const JsonValue value(json, found.id);
    const FindingPlace place = value.place();
    const std::string_view text = value.text().substr(0, 40);
    switch (found.what) {
      case ValueFinding::What::number:
        capped.add(finding("SINEW_JSON_NUMBER_TOO_LARGE"_code, place, text));
        break;
      case ValueFinding::What::surrogate:
        capped.add(finding("SINEW_JSON_LONE_SURROGATE"_code, place));
        break;
      case ValueFinding::What::duplicate:
        capped.add(finding("SINEW_JSON_DUPLICATE_KEY"_code, place, text));
        break;
    }
  }
}

}  // namespace

Result<Json> Json::parse(std::string_view text, const Limits& limits, std::uint64_t base_offset, FindingSink& sink, unsigned threads,
                         MemoryResource* memory) SINEW_TRY {
  constexpr std::uint64_t most = (std::uint64_t{1} << 32) - 1;  // largest offset in the tape
  const std::uint64_t allowed = std::min(limits.json_size, most);
  if (text.size() > allowed) return Unexpected(error("SINEW_JSON_LIMIT"_code, Failure::limit, {}, "the length", allowed, "json_size"));
  std::uint32_t shift = 0;
  if (text.starts_with(byte_order_mark)) {
    shift = byte_order_mark.size();
    Finding mark = finding("INVALID_JSON"_code, "", 1, 1, "a byte order mark", "none");
    mark.position = Position{1, 1, base_offset};
    sink.add(std::move(mark));
  }
  // Some writers pad the chunks of binary containers with zeros instead of spaces.
  if (const std::size_t end = text.find_last_not_of('\0'); end != std::string_view::npos && end + 1 < text.size()) {
    sink.add(invalid_json(text, end + 1, base_offset, "the end of the text or white space"));
    text = text.substr(0, end + 1);
  }
  TapeBuilder builder(text, limits, base_offset);
  if (!builder.read(shift, threads)) return Unexpected(std::move(builder.error()));
  Json json;
  json.text_ = text;
  json.tape_ = builder.take_tape(memory);
  json.size_ = builder.size();
  json.joined_ = builder.joined();
  for (const std::uint32_t object : builder.suspects()) find_duplicates({json, object}, builder.value_findings());
  report(json, builder.value_findings(), limits.findings, sink);
  return json;
}
SINEW_CATCH()

}  // namespace sinew::document

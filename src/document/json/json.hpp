// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/json/eight_bytes.hpp"

#include "sinew/result.hpp"

namespace sinew::document {

enum class JsonKind : std::uint8_t { missing, null, boolean, number, string, array, object };

class Json;

/// A value of a parsed text: a light handle (copy it), valid as long as its Json. A default-made one is `missing`: every question
/// to it gets an empty answer, so lookups chain without checks.
class JsonValue {
 public:
  JsonValue() = default;
  JsonValue(const Json& json, std::uint32_t id) : json_(&json), id_(id) {}

  [[nodiscard]] JsonKind kind() const;
  explicit operator bool() const { return json_ != nullptr; }
  [[nodiscard]] bool is(JsonKind kind_wanted) const { return kind() == kind_wanted; }

  /// The number; nothing for other kinds and for numbers that double cannot hold (1e400).
  [[nodiscard]] std::optional<double> number() const;
  /// A number written without fraction or exponent that fits; nothing otherwise. "1.0" is not an integer here: ask number().
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  [[nodiscard]] std::optional<bool> boolean() const;
  /// The unescaped string, UTF-8 (a lone surrogate becomes U+FFFD, see Json); empty for other kinds.
  [[nodiscard]] std::string string() const;
  /// Whether it is a string equal to `wanted`, without allocating where nothing is escaped.
  [[nodiscard]] bool equals(std::string_view wanted) const;
  /// Whether it is a string in which nothing is escaped: `plain_string` then is the part of the text between the quotes.
  [[nodiscard]] bool is_plain_string() const;
  [[nodiscard]] std::string_view plain_string() const;

  /// Children of an array or object (members count once each, duplicates included); 0 for other kinds. O(1).
  [[nodiscard]] std::uint32_t size() const;
  /// The value of a member; the last one where the key occurs twice; missing where it does not, or for other kinds.
  [[nodiscard]] JsonValue operator[](std::string_view key) const;
  /// Element of an array; missing out of range. O(index): iterate where you need all.
  [[nodiscard]] JsonValue at(std::uint32_t index) const;

  /// The bytes of the value in the source text, quotes and brackets included.
  [[nodiscard]] std::string_view text() const;
  /// Byte offset of the value in the JSON text.
  [[nodiscard]] std::uint32_t offset() const;
  /// Its place in the tape: opaque, ascending in text order, the model's SourceId.
  [[nodiscard]] std::uint32_t id() const { return id_; }
  /// What it is a value of; nullptr when missing.
  [[nodiscard]] const Json* json() const { return json_; }
  /// RFC 6901. The first one asked for costs a walk over the whole tape, each after that no more than its own depth: for messages, not
  /// for hot paths. Safe from several threads.
  [[nodiscard]] std::string pointer() const;

  class Iterator;
  struct Members;
  struct Elements;
  /// for (JsonMember m : value.members()); empty for other kinds.
  [[nodiscard]] Members members() const;
  /// for (JsonValue v : value.elements()); empty for other kinds.
  [[nodiscard]] Elements elements() const;

 private:
  [[nodiscard]] std::optional<double> unstored_number() const;
  [[nodiscard]] std::optional<std::int64_t> long_integer() const;

  const Json* json_ = nullptr;
  std::uint32_t id_ = 0;
};

struct JsonMember {
  JsonValue key;  ///< a string
  JsonValue value;
};

/// A JSON text parsed into a tape of offsets: values are slices of the text until they are asked for, so carried JSON stays as it was.
/// The text must outlive it and is not copied. UTF-8, grammar, numbers and strings are checked in one pass that keeps no list of tokens.
/// A number or an escape that cannot be represented is a finding at its value, not the end of the file; so is a duplicate key.
class Json {
 public:
  /// Failure::input INVALID_JSON with the byte offset (text offset + `base_offset`) where the text is no JSON; Failure::limit for size and
  /// depth. The error is returned, not given to `sink`. A byte order mark and zeros at the end are skipped with a finding (INVALID_JSON,
  /// pointer "").
  [[nodiscard]] static Result<Json> parse(std::string_view text, const Limits& limits, std::uint64_t base_offset, FindingSink& sink);

  [[nodiscard]] JsonValue root() const { return {*this, 0}; }
  [[nodiscard]] std::string_view text() const { return text_; }

  /// Eight bytes for most values: they are what a large file's JSON takes in memory. A double entry has a second half behind it: of a
  /// container its end and the value after it and all below it; of a number that is no short integer the double; of a text that is
  /// too long for `amount` its end.
  struct Entry {
    std::uint32_t place;  ///< offset of the first byte of the value; of a second half: one past its last byte
    std::uint32_t rest;   ///< a JsonKind, two flags, and `amount`; of a second half: the place of the next value

    static constexpr std::uint32_t most = (1u << 27) - 1;
    [[nodiscard]] JsonKind kind() const { return static_cast<JsonKind>(rest & 7u); }
    /// Whether a string contains escapes; whether a number is not stored (double cannot hold it, or its text is too long).
    [[nodiscard]] bool special() const { return (rest & 8u) != 0; }
    [[nodiscard]] bool is_double() const { return (rest & 16u) != 0; }
    /// Elements of an array, members of an object, bytes of a scalar (`most`: so many or more); of a short integer its value.
    [[nodiscard]] std::uint32_t amount() const { return rest >> 5; }
    /// Whether it is a number of at most eight digits and nothing else.
    [[nodiscard]] bool is_short_integer() const { return (rest & 31u) == static_cast<std::uint32_t>(JsonKind::number); }
    /// Whether it is a number whose second half is a double.
    [[nodiscard]] bool is_real() const { return (rest & 31u) == (static_cast<std::uint32_t>(JsonKind::number) | 16u); }
  };
  [[nodiscard]] const Entry& entry(std::uint32_t id) const { return tape_[id]; }
  /// One past the last byte of a value.
  [[nodiscard]] std::uint32_t end(std::uint32_t id) const;
  /// The value after that one and all below it. An object's children alternate: key, value, key, value.
  [[nodiscard]] std::uint32_t next(std::uint32_t id) const { return tape_[id].kind() >= JsonKind::array ? tape_[id + 1].rest : below(id); }
  /// The double of a real number.
  [[nodiscard]] double real(std::uint32_t id) const {
    double value;
    std::memcpy(&value, &tape_[id + 1], sizeof(value));  // bit_cast takes the halves one by one: three times the time
    return value;
  }
  /// The first value below that one, of an empty or simple one the next.
  [[nodiscard]] std::uint32_t below(std::uint32_t id) const { return id + (tape_[id].is_double() ? 2 : 1); }
  /// Entries of the tape.
  [[nodiscard]] std::uint32_t size() const { return size_; }

  /// The way up from every value.
  struct Ways {
    std::once_flag made;
    std::vector<std::uint32_t> parent;  ///< tape index of what contains a value
    std::vector<std::uint32_t> child;   ///< its number in an array, its key in an object
  };
  /// Made when it is first asked for: files without findings need none.
  [[nodiscard]] const Ways& ways() const;

 private:
  std::string_view text_;
  std::unique_ptr<Entry[]> tape_;
  std::uint32_t size_ = 0;
  std::unique_ptr<Ways> ways_ = std::make_unique<Ways>();
};

class JsonValue::Iterator {
 public:
  Iterator(const Json* json, std::uint32_t id, std::uint32_t step) : json_(json), id_(id), step_(step) {}
  [[nodiscard]] std::uint32_t id() const { return id_; }
  [[nodiscard]] const Json& json() const { return *json_; }
  Iterator& operator++() {
    for (std::uint32_t i = 0; i < step_; ++i) id_ = json_->next(id_);
    return *this;
  }
  bool operator!=(const Iterator& other) const { return id_ != other.id_; }

 protected:
  const Json* json_;
  std::uint32_t id_;
  std::uint32_t step_;
};

struct JsonValue::Members {
  struct It : Iterator {
    using Iterator::Iterator;
    JsonMember operator*() const { return {JsonValue(*json_, id_), JsonValue(*json_, json_->next(id_))}; }
  };
  It first, last;
  [[nodiscard]] It begin() const { return first; }
  [[nodiscard]] It end() const { return last; }
};

struct JsonValue::Elements {
  struct It : Iterator {
    using Iterator::Iterator;
    JsonValue operator*() const { return {*json_, id_}; }
  };
  It first, last;
  [[nodiscard]] It begin() const { return first; }
  [[nodiscard]] It end() const { return last; }
};

inline std::uint32_t Json::end(std::uint32_t id) const {
  const Entry& entry = tape_[id];
  if (entry.is_short_integer()) return static_cast<std::uint32_t>(skip_digits(text_, entry.place));
  if (entry.kind() >= JsonKind::array || entry.amount() == Entry::most) return tape_[id + 1].place;
  return entry.place + entry.amount();
}

// What every look at a value asks, thousands of times in a small file: inline (a tenth of the time of checking one).
inline JsonKind JsonValue::kind() const { return json_ ? json_->entry(id_).kind() : JsonKind::missing; }
inline std::uint32_t JsonValue::offset() const { return json_ ? json_->entry(id_).place : 0; }
inline std::uint32_t JsonValue::size() const { return kind() >= JsonKind::array ? json_->entry(id_).amount() : 0; }
inline std::string_view JsonValue::text() const {
  if (!json_) return {};
  return {json_->text().data() + offset(), json_->end(id_) - offset()};
}
inline std::optional<double> JsonValue::number() const {
  if (!is(JsonKind::number)) return std::nullopt;
  const Json::Entry& entry = json_->entry(id_);
  if (entry.is_real()) return json_->real(id_);
  if (entry.is_short_integer()) return entry.amount();
  return unstored_number();
}
inline std::optional<std::int64_t> JsonValue::integer() const {
  if (!is(JsonKind::number)) return std::nullopt;
  if (json_->entry(id_).is_short_integer()) return json_->entry(id_).amount();
  return long_integer();
}
inline bool JsonValue::is_plain_string() const { return is(JsonKind::string) && !json_->entry(id_).special(); }
inline std::string_view JsonValue::plain_string() const {
  const std::string_view quoted = text();
  return {quoted.data() + 1, quoted.size() - 2};
}
inline bool JsonValue::equals(std::string_view wanted) const {
  return is_plain_string() ? plain_string() == wanted : is(JsonKind::string) && string() == wanted;
}

inline JsonValue::Members JsonValue::members() const {
  if (!is(JsonKind::object)) return {{nullptr, 0, 2}, {nullptr, 0, 2}};
  return {{json_, json_->below(id_), 2}, {json_, json_->next(id_), 2}};
}

inline JsonValue::Elements JsonValue::elements() const {
  if (!is(JsonKind::array)) return {{nullptr, 0, 1}, {nullptr, 0, 1}};
  return {{json_, json_->below(id_), 1}, {json_, json_->next(id_), 1}};
}

/// Of a key, below 64: length, first and last character tell the keys of one glTF object apart nearly always.
[[nodiscard]] constexpr unsigned key_hash(std::string_view key) {
  if (key.empty()) return 0;
  return static_cast<unsigned>(key.size() + static_cast<unsigned char>(key.front()) * 62u + static_cast<unsigned char>(key.back()) * 25u) %
         64;
}

/// The text of a pointer's last step: "~" and "/" escaped as RFC 6901 says.
[[nodiscard]] std::string escape_pointer(std::string_view key);

}  // namespace sinew::document

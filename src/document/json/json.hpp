// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.hpp"
#include "document/json/eight_bytes.hpp"

#include "sinew/result.hpp"

namespace sinew {
class MemoryResource;
}

namespace sinew::document {

enum class JsonKind : std::uint8_t { missing, null, boolean, number, string, array, object };

class Json;

/// A value of a parsed text: a small handle, valid as long as its Json. A default-constructed one is `missing`: all its functions return
/// empty results, so lookups can be chained without checks.
class JsonValue {
 public:
  JsonValue() = default;
  JsonValue(const Json& json, std::uint32_t id) : json_(&json), id_(id) {}

  [[nodiscard]] JsonKind kind() const;
  explicit operator bool() const { return json_ != nullptr; }
  [[nodiscard]] bool is(JsonKind kind_wanted) const { return kind() == kind_wanted; }

  /// Returns the number; nothing for other kinds and for numbers that double cannot represent (1e400).
  [[nodiscard]] std::optional<double> number() const;
  /// Returns a number without fraction or exponent that fits, otherwise nothing. "1.0" is not an integer here; use number().
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  [[nodiscard]] std::optional<bool> boolean() const;
  /// Returns the unescaped string in UTF-8 (a lone surrogate becomes U+FFFD); empty for other kinds.
  [[nodiscard]] std::string string() const;
  /// Returns whether it is a string equal to `wanted`. Allocates only for strings with escapes.
  [[nodiscard]] bool equals(std::string_view wanted) const;
  /// Returns whether it is a string without escapes. `plain_string` then returns the text between the quotes.
  [[nodiscard]] bool is_plain_string() const;
  [[nodiscard]] std::string_view plain_string() const;

  /// Returns the number of elements or members (duplicates count); 0 for other kinds. O(1).
  [[nodiscard]] std::uint32_t size() const;
  /// Returns the value of a member, the last one of a duplicate key; missing if there is none, and for other kinds.
  [[nodiscard]] JsonValue operator[](std::string_view key) const;
  /// Returns an element of an array; missing if out of range. O(index): to visit all, iterate.
  [[nodiscard]] JsonValue at(std::uint32_t index) const;

  /// Returns the source text of the value, with quotes and brackets.
  [[nodiscard]] std::string_view text() const;
  /// Returns the byte offset of the value in the JSON text.
  [[nodiscard]] std::uint32_t offset() const;
  /// Returns its index in the tape, the model's SourceId: opaque, ascending in text order.
  [[nodiscard]] std::uint32_t id() const { return id_; }
  /// Returns the text that it belongs to; nullptr if missing.
  [[nodiscard]] const Json* json() const { return json_; }
  /// Returns the JSON pointer (RFC 6901). The first call walks the whole tape, later ones cost only the depth: for messages, not for hot
  /// paths. Thread-safe.
  [[nodiscard]] std::string pointer() const;
  /// Returns the place of a finding about it.
  [[nodiscard]] FindingPlace place() const { return {pointer(), id_}; }

  class Iterator;
  struct Members;
  struct Elements;
  /// Use: for (JsonMember m : value.members()). Empty for other kinds.
  [[nodiscard]] Members members() const;
  /// Use: for (JsonValue v : value.elements()). Empty for other kinds.
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

/// A JSON text, parsed into a tape of offsets. Values are read from the text on access, so unchanged JSON can be copied byte for byte. The
/// text must outlive this object and is not copied. One pass checks UTF-8, grammar, numbers and strings. Numbers and escapes that cannot be
/// represented, and duplicate keys, are findings at their value and do not stop parsing.
class Json {
 public:
  /// Failure::input INVALID_JSON with the byte offset (in the text, plus `base_offset`) if the text is no JSON. Failure::limit for size and
  /// depth. The error is returned, not given to `sink`. A byte order mark and trailing zeros are skipped with a finding (INVALID_JSON,
  /// pointer ""). Uses up to four `threads` (0: all) for texts of 1 MiB and more; the values and findings are the same.
  /// `memory`: where the tape is kept.
  [[nodiscard]] static Result<Json> parse(std::string_view text, const Limits& limits, std::uint64_t base_offset, FindingSink& sink,
                                          unsigned threads = 0, MemoryResource* memory = nullptr);

  [[nodiscard]] JsonValue root() const { return {*this, 0}; }
  [[nodiscard]] std::string_view text() const { return text_; }

  /// Eight bytes for most values, because the tape is the memory that a large file's JSON takes. Some values have a second entry: for a
  /// container, its end and the number of its entries; for a number that is no short integer, the double; for a text too long for
  /// `amount`, its end.
  struct Entry {
    std::uint32_t place;  ///< offset of the value's first byte; second entry: one after its last byte
    std::uint32_t rest;   ///< a JsonKind, two flags, and `amount`; second entry: the number of the container's entries

    static constexpr std::uint32_t most = (1u << 27) - 1;
    [[nodiscard]] JsonKind kind() const { return static_cast<JsonKind>(rest & 7u); }
    /// Returns whether a string has escapes, or a number is not stored (double cannot represent it, or its text is too long).
    [[nodiscard]] bool special() const { return (rest & 8u) != 0; }
    [[nodiscard]] bool is_double() const { return (rest & 16u) != 0; }
    /// Elements of an array, members of an object, bytes of a scalar (`most`: at least that many), or the value of a short integer.
    [[nodiscard]] std::uint32_t amount() const { return rest >> 5; }
    /// Returns whether it is an integer of at most eight digits.
    [[nodiscard]] bool is_short_integer() const { return (rest & 31u) == static_cast<std::uint32_t>(JsonKind::number); }
    /// Returns whether it is a number whose second entry is a double.
    [[nodiscard]] bool is_real() const { return (rest & 31u) == (static_cast<std::uint32_t>(JsonKind::number) | 16u); }
  };
  [[nodiscard]] const Entry& entry(std::uint32_t id) const { return tape_[id]; }
  /// Returns the position after the last byte of a value.
  [[nodiscard]] std::uint32_t end(std::uint32_t id) const;
  /// Returns the next value after this one and its contents. An object's children alternate: key, value, key, value.
  [[nodiscard]] std::uint32_t next(std::uint32_t id) const {
    return tape_[id].kind() >= JsonKind::array ? id + tape_[id + 1].rest : below(id);
  }
  [[nodiscard]] double real(std::uint32_t id) const {
    double value;
    std::memcpy(&value, &tape_[id + 1], sizeof(value));  // bit_cast takes the halves one by one: three times slower
    return value;
  }
  /// Returns the first child of a value, or the next value if it has none.
  [[nodiscard]] std::uint32_t below(std::uint32_t id) const { return id + (tape_[id].is_double() ? 2 : 1); }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  /// Returns how many parts of the text had a reader of their own and were joined: with one thread 0.
  [[nodiscard]] std::uint32_t joined() const { return joined_; }

  struct Step {
    std::uint32_t parent = 0;  ///< tape index of the containing value
    std::uint32_t child = 0;   ///< the value's index in an array, or the tape index of its key
  };
  /// Returns the way from the root to a value or a key. The first ones are walked; a text with many findings has a table of all steps.
  [[nodiscard]] std::vector<Step> path(std::uint32_t id) const;

 private:
  struct Parents {
    std::atomic<std::uint32_t> asked = 0;
    std::once_flag made;
    std::vector<Step> steps;
  };
  [[nodiscard]] const Parents& parents() const;

  std::string_view text_;
  std::shared_ptr<const Entry[]> tape_;
  std::uint32_t size_ = 0;
  std::uint32_t joined_ = 0;
  std::unique_ptr<Parents> parents_ = std::make_unique<Parents>();
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

// These are called thousands of times for a small file. Inlining them saves a tenth of the time to check one.
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

/// Hash of a key, below 64: length, first and last character distinguish almost all keys of a glTF object.
[[nodiscard]] constexpr unsigned key_hash(std::string_view key) {
  if (key.empty()) return 0;
  return static_cast<unsigned>(key.size() + static_cast<unsigned char>(key.front()) * 62u + static_cast<unsigned char>(key.back()) * 25u) %
         64;
}

/// Returns the last step of a pointer, with "~" and "/" escaped (RFC 6901).
[[nodiscard]] std::string escape_pointer(std::string_view key);

}  // namespace sinew::document

// SPDX-License-Identifier: MIT
#pragma once

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "base/catalogue.hpp"
#include "document/container/capped_sink.hpp"
#include "document/json/json.hpp"
#include "document/schema/object.hpp"

#include "sinew/document.hpp"

namespace sinew::document {

/// Why something cannot be used: a place in the list of defects.
struct Defect {
  std::uint32_t index = 0;
};
/// A value, or the defect that leaves none. Whoever needs the value takes over the defect: the cause is reported once.
template <class T = void>
using Checked = tl::expected<T, Defect>;
using Refused = tl::unexpected<Defect>;

/// Reports findings about one document: what reading and checking have in common.
class Reporter {
 public:
  Reporter(const Document& document, FindingSink& sink);

  [[nodiscard]] const Document& document() const { return document_; }
  [[nodiscard]] CappedSink& sink() { return sink_; }

  template <Code code, class... Args>
  void report(JsonValue at, Args&&... args) {
    if (sink_.full()) return sink_.drop();
    sink_.add(finding<code>(at.pointer(), std::forward<Args>(args)...));
  }
  /// Reports with a measured value, by which the worst of many findings is found.
  template <Code code, class... Args>
  void report(Measure measure, JsonValue at, Args&&... args) {
    if (sink_.full()) return sink_.drop();
    Finding found = finding<code>(at.pointer(), std::forward<Args>(args)...);
    found.measure = measure;
    sink_.add(std::move(found));
  }
  /// The same with a code of a table, whose message has as many arguments or fewer.
  template <class... Args>
  void report(Code code, JsonValue at, const Args&... args) {
    if (sink_.full()) return sink_.drop();
    sink_.add(finding_of(code, at, args...));
  }
  /// Reports an error of another module, at a place of this file.
  void report(JsonValue at, const Error& error);

 protected:
  template <class... Args>
  [[nodiscard]] static Finding finding_of(Code code, JsonValue at, const Args&... args) {
    return {code->code, code->severity, at.pointer(), std::nullopt, fmt::vformat(code->message, fmt::make_format_args(args...))};
  }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::string message_of(const Error& error) const;

 private:
  const Document& document_;
  CappedSink sink_;
  std::string file_;
};

/// What the parts of one reading share, whatever the format: the document, the findings, the defects, the memory left.
class Reader : public Reporter {
 public:
  Reader(const Document& document, FindingSink& sink, std::vector<Error>& defects);

  /// The object `value` by the table of `Of`; its findings are reported.
  template <class Of>
  [[nodiscard]] Of object(JsonValue value) {
    return Of(value, sink());
  }

  /// Reports and keeps the defect.
  template <Code code, class... Args>
  [[nodiscard]] Refused refuse(JsonValue at, Args&&... args) {
    if (full()) return overflow();
    return keep(finding<code>(at.pointer(), std::forward<Args>(args)...));
  }
  /// The same with a code of a table.
  template <class... Args>
  [[nodiscard]] Refused refuse(Code code, JsonValue at, const Args&... args) {
    if (full()) return overflow();
    return keep(finding_of(code, at, args...));
  }
  /// Keeps the defect of an object, which has been reported already.
  [[nodiscard]] Refused refuse(const Object& object);
  [[nodiscard]] Refused refuse(const Finding& reported);
  /// Reports and keeps an error of another module, at a place of this file.
  [[nodiscard]] Refused refuse(JsonValue at, const Error& error);

  /// The index in `value` (`absent` where that is no index) if it is below `count`; else the defect `code` (arguments: index, count, name).
  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();
  [[nodiscard]] Checked<std::uint32_t> resolve(JsonValue value, std::size_t count, std::string_view name, Code code) {
    const auto index = whole_number(value);
    if (!index) return absent;
    if (*index < count) return static_cast<std::uint32_t>(*index);
    return refuse(code, value, *index, count, name);
  }

  /// The same for what is not needed: `absent` with a finding where there is no such element.
  [[nodiscard]] std::uint32_t resolve_or_none(JsonValue value, std::size_t count, std::string_view name, Code code);

  /// Marks an entity of the model; the first defect stays.
  template <class Entity>
  static void mark(Entity& entity, Defect defect) {
    if (entity.defect == absent) entity.defect = defect.index;
  }

  /// Bytes for decoded data, zeroed, taken from the memory limit.
  [[nodiscard]] Checked<std::shared_ptr<std::vector<std::byte>>> allocate(JsonValue at, std::uint64_t count, std::uint64_t size);
  /// Takes memory from the limit for what somebody else allocates.
  [[nodiscard]] Checked<> take(JsonValue at, std::uint64_t count, std::uint64_t size);
  /// Takes memory for what `stored` compressed bytes turn into, if that is not out of all proportion (Limits::expansion).
  [[nodiscard]] Checked<> take_decoded(JsonValue at, std::uint64_t stored, std::uint64_t count, std::uint64_t size);
  /// Takes memory for a file's bytes where they were read rather than mapped.
  [[nodiscard]] Checked<> take_file(JsonValue at, const Bytes& bytes);
  [[nodiscard]] std::uint64_t memory_left() const { return budget_.left(); }

 private:
  // A hostile file must not make a message of each of its bytes: beyond this many, defects are one.
  static constexpr std::size_t most_defects = 10000;
  [[nodiscard]] bool full() const { return defects_.size() >= most_defects; }
  [[nodiscard]] Refused overflow();
  [[nodiscard]] Refused keep(Finding found);
  [[nodiscard]] Refused keep(Error error);

  std::vector<Error>& defects_;
  Budget budget_;
};

/// Reads a document into a model, in the steps of all formats, whose functions stand beside Parsed. Source: the format's own.
template <class Parsed, class Source, class... Options>
[[nodiscard]] auto read_model(std::shared_ptr<const Document> document, FindingSink& sink, const Options&... options)
    -> Result<decltype(Parsed::model)> try {
  Parsed parsed(*document, sink, options...);
  if (auto asset = parse_asset(parsed); !asset) return Unexpected(std::move(asset.error()));
  if (auto supported = require_support(parsed.reader); !supported)
    return Unexpected(std::move(parsed.model.defects[supported.error().index]));
  if (auto contents = parse_contents(parsed); !contents) return Unexpected(std::move(contents.error()));
  parsed.model.source = std::make_shared<Source>(std::move(document));
  return std::move(parsed.model);
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
} catch (const std::length_error&) {  // more than any vector holds, where the memory limit allows it
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
}

/// The first part of parse_asset: the root is an object, and the format's read_asset accepts its asset.
template <class Parsed>
[[nodiscard]] Result<> read_asset_of(Parsed& parsed) {
  auto& reader = parsed.reader;
  auto asset = reader.root().value().is(JsonKind::object) ? read_asset(reader) : Checked<>(reader.refuse(reader.root()));
  if (!asset) return Unexpected(parsed.model.defects[asset.error().index]);
  return {};
}

/// The elements of an array, for access by index.
[[nodiscard]] std::vector<JsonValue> list_of(JsonValue array);

/// Takes the memory that the entities of a document will need at most beside their arrays: nodes, meshes, surfaces, targets, channels and
/// the like. An empty node is three bytes of JSON, but a kilobyte and its matrices in memory.
[[nodiscard]] Checked<> take_entities(Reader& reader, std::size_t dimension);

/// The same for the joints that a skin lists: two bytes of JSON each, but matrices in memory.
[[nodiscard]] Checked<> take_joints(Reader& reader, JsonValue at, std::uint64_t count, std::size_t dimension);

}  // namespace sinew::document

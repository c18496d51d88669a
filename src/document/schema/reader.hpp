// SPDX-License-Identifier: MIT
#pragma once

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/memory.hpp"
#include "base/path_text.hpp"
#include "base/work.hpp"
#include "document/container/capped_sink.hpp"
#include "document/json/json.hpp"
#include "document/schema/object.hpp"

#include "sinew/document.hpp"

namespace sinew::document {

/// Why something cannot be used: an index in the list of defects.
struct Defect {
  std::uint32_t index = 0;
};
/// A value, or a defect. Objects that need the value copy the defect, so the cause is reported only once.
template <class T = void>
using Checked = tl::expected<T, Defect>;
using Refused = tl::unexpected<Defect>;

/// Reports findings about a document, for reading and checking.
class Reporter {
 public:
  Reporter(const Document& document, FindingSink& sink);

  [[nodiscard]] const Document& document() const { return document_; }
  /// Returns how many steps loops over products of counts may take for this document (Limits::work).
  [[nodiscard]] std::uint64_t most_work() const { return sinew::most_work(document_.size(), document_.options().limits); }
  [[nodiscard]] CappedSink& sink() { return sink_; }

  /// The code is a constant, or one of a table, whose message uses some or all of the arguments.
  template <class... Args>
  void report(CodeFor<std::type_identity_t<Args>...> code, JsonValue at, const Args&... args) {
    add(code, std::nullopt, at, {Argument(args)...});
  }
  /// Reports with a measured value, which allows finding the worst of many findings.
  template <class... Args>
  void report(CodeFor<std::type_identity_t<Args>...> code, Measure measure, JsonValue at, const Args&... args) {
    add(code, measure, at, {Argument(args)...});
  }
  /// Reports another module's error at a place of this file.
  void report(JsonValue at, const Error& error);

 protected:
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::string message_of(const Error& error) const;

 private:
  void add(Code code, std::optional<Measure> measure, JsonValue at, std::initializer_list<Argument> arguments);

  const Document& document_;
  CappedSink sink_;
  std::string file_;
};

/// The state that all parts of a reading share, for any format: the document, the findings, the defects, the memory left.
class Reader : public Reporter {
 public:
  Reader(const Document& document, FindingSink& sink, std::vector<Error>& defects);

  /// Parses `value` by the table of `Of` and reports its findings.
  template <class Of>
  [[nodiscard]] Of object(JsonValue value) {
    return Of(value, sink());
  }

  /// Reports a finding and stores it as a defect.
  template <class... Args>
  [[nodiscard]] Refused refuse(CodeFor<std::type_identity_t<Args>...> code, JsonValue at, const Args&... args) {
    return keep(code, at, {Argument(args)...});
  }
  /// Stores the defect of an object, which is already reported.
  [[nodiscard]] Refused refuse(const Object& object);
  [[nodiscard]] Refused refuse(const Finding& reported);
  /// Reports another module's error at a place of this file, and stores it as a defect.
  [[nodiscard]] Refused refuse(JsonValue at, const Error& error);

  /// Returns the index in `value` (`absent` if it is no index) if it is below `count`, else the defect `code` (index, count, name).
  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();
  [[nodiscard]] Checked<std::uint32_t> resolve(JsonValue value, std::size_t count, std::string_view name, Code code) {
    const auto index = whole_number(value);
    if (!index) return absent;
    if (*index < count) return static_cast<std::uint32_t>(*index);
    return refuse(code, value, *index, count, name);
  }

  /// Does the same for an optional reference: `absent`, with a finding, if no such element exists.
  [[nodiscard]] std::uint32_t resolve_or_none(JsonValue value, std::size_t count, std::string_view name, Code code);

  /// Marks an entity of the model. The first defect stays.
  template <class Entity>
  static void mark(Entity& entity, Defect defect) {
    if (entity.defect == absent) entity.defect = defect.index;
  }

  /// Allocates zeroed bytes for decoded data within the memory limit.
  [[nodiscard]] Checked<std::shared_ptr<std::byte[]>> allocate(JsonValue at, std::uint64_t count, std::uint64_t size);
  /// Makes an array of values whose memory was taken from the limit.
  template <class T>
  [[nodiscard]] Array own(std::vector<T> values, std::size_t width) const {
    return own_in(memory(), std::move(values), width);
  }
  /// Where the data of the model is allocated.
  [[nodiscard]] MemoryResource* memory() const { return document().options().memory; }
  /// Takes memory from the limit for data that another function allocates.
  [[nodiscard]] Checked<> take(JsonValue at, std::uint64_t count, std::uint64_t size);
  /// Takes memory from the limit to decompress `stored` bytes. Fails if the ratio is implausible (Limits::expansion).
  [[nodiscard]] Checked<> take_decoded(JsonValue at, std::uint64_t stored, std::uint64_t count, std::uint64_t size);
  /// Takes memory from the limit for a file's bytes if they were read, not mapped.
  [[nodiscard]] Checked<> take_file(JsonValue at, const Bytes& bytes);
  /// A defect once the time is over: each array asks before it is read.
  [[nodiscard]] Checked<> go_on();
  /// Counts `steps` as work. At its end the reading ends, too.
  [[nodiscard]] Checked<> work(WorkMeter& meter, std::uint64_t steps, const char* what);
  /// Without exceptions: the end of memory, time or work that the reading has met, with which it fails. It reads on to its end, but decodes
  /// nothing any more.
  [[nodiscard]] const std::optional<Error>& ended() const { return ended_; }
  [[nodiscard]] std::uint64_t memory_left() const { return budget_.left(); }

 private:
  // Limits the memory for messages of a hostile file: further defects share one entry.
  static constexpr std::size_t most_defects = 10000;
  [[nodiscard]] bool full() const { return defects_.size() >= most_defects; }
  [[nodiscard]] Refused overflow();
  [[nodiscard]] Refused keep(Code code, JsonValue at, std::initializer_list<Argument> arguments);
  [[nodiscard]] Refused keep(Finding found);
  [[nodiscard]] Refused keep(Error error);
  [[nodiscard]] Refused end(Error error);

  std::vector<Error>& defects_;
  Budget budget_;
  std::optional<Error> ended_;
};

/// Reads a document into a model, with the functions of the format beside Parsed. `Source`: the format's.
template <class Parsed, class Source, class... Options>
[[nodiscard]] auto read_model(const std::shared_ptr<const Document>& document, FindingSink& sink, const Options&... options)
    -> Result<decltype(Parsed::model)> SINEW_TRY {
  Parsed parsed(*document, sink, options...);
  if (auto asset = parse_asset(parsed); !asset) return Unexpected(std::move(asset.error()));
  if (auto supported = require_support(parsed.reader); !supported)
    return Unexpected(std::move(parsed.model.defects[supported.error().index]));
  auto contents = parse_contents(parsed);
  if (const std::optional<Error>& ended = parsed.reader.ended()) return Unexpected(*ended);
  if (!contents) return Unexpected(std::move(contents.error()));
  parsed.model.source = std::make_shared<Source>(document);
  return std::move(parsed.model);
}
SINEW_CATCH({path_text(document->path()), {}, {}})

/// Starts parse_asset: checks that the root is an object, and calls the format's read_asset.
template <class Parsed>
[[nodiscard]] Result<> read_asset_of(Parsed& parsed) {
  auto& reader = parsed.reader;
  auto asset = reader.root().value().is(JsonKind::object) ? read_asset(reader) : Checked<>(reader.refuse(reader.root()));
  if (!asset) return Unexpected(parsed.model.defects[asset.error().index]);
  return {};
}

[[nodiscard]] std::vector<JsonValue> list_of(JsonValue array);

/// Takes the memory that the document's entities may need, without their arrays: nodes, meshes, surfaces, targets, channels and so on.
/// An empty node takes three bytes of JSON, but a kilobyte and its matrices in memory.
[[nodiscard]] Checked<> take_entities(Reader& reader, std::size_t dimension);

/// Does the same for the joints of a skin: two bytes of JSON each, but matrices in memory.
[[nodiscard]] Checked<> take_joints(Reader& reader, JsonValue at, std::uint64_t count, std::size_t dimension);

}  // namespace sinew::document

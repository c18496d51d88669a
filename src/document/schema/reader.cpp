// SPDX-License-Identifier: MIT
#include "document/schema/reader.hpp"

#include <cstdint>
#include <string_view>

#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/files/file.hpp"

namespace sinew::document {

Reporter::Reporter(const Document& document, FindingSink& sink)
    : document_(document), sink_(sink, document.options().limits.findings), file_(path_text(document.path())) {}

Reader::Reader(const Document& document, FindingSink& sink, std::vector<Error>& defects)
    : Reporter(document, sink), defects_(defects), budget_(document.options().limits.memory) {}

Refused Reader::keep(Error error) {
  // The end of memory or time says nothing about the file.
  if (error.code == "SINEW_NO_MEMORY" || error.failure == Failure::deadline || error.failure == Failure::cancelled)
    return end(std::move(error));
  defects_.push_back(std::move(error));
  return Refused(Defect{static_cast<std::uint32_t>(defects_.size() - 1)});
}

Refused Reader::end(Error error) {
  if (error.place.file.empty()) error.place.file = file();
#ifndef SINEW_NO_EXCEPTIONS
  throw_error(std::move(error));
#else
  if (!ended_) ended_ = error;
  if (!full()) defects_.push_back(std::move(error));
  return Refused(Defect{static_cast<std::uint32_t>(defects_.size() - 1)});
#endif
}

Checked<> Reader::work(WorkMeter& meter, std::uint64_t steps, const char* what) {
  ask_deadline();
  if (auto allowed = meter.allow(steps, what); !allowed) return end(std::move(allowed.error()));
  return {};
}

Refused Reader::keep(Finding found) {
  const Refused refused = keep(error_from(found, file()));
  sink().add(std::move(found));
  return refused;
}

Refused Reader::keep(Code code, JsonValue at, std::initializer_list<Argument> arguments) {
  return full() ? overflow() : keep(finding_of(code, at.place(), std::nullopt, arguments));
}

Refused Reader::overflow() {
  sink().drop();
  return Refused(Defect{static_cast<std::uint32_t>(defects_.size() - 1)});
}

Refused Reader::refuse(const Object& object) { return refuse(*object.defect()); }

Refused Reader::refuse(const Finding& reported) {
  if (full()) return overflow();
  return keep(error_from(reported, file()));
}

// An error about another file contains its name.
std::string Reporter::message_of(const Error& error) const {
  const bool elsewhere = !error.place.file.empty() && error.place.file != file_;
  return elsewhere ? format_text("{}: {}", error.place.file, error.message) : error.message;
}

void Reporter::add(Code code, std::optional<Measure> measure, JsonValue at, std::initializer_list<Argument> arguments) {
  if (sink_.full()) return sink_.drop();
  Finding found = finding_of(code, at.place(), std::nullopt, arguments);
  found.measure = measure;
  sink_.add(std::move(found));
}

void Reporter::report(JsonValue at, const Error& error) {
  if (const CatalogueRow* row = find_code(error.code)) sink_.add({row->code, row->severity, at.pointer(), std::nullopt, message_of(error)});
}

Refused Reader::refuse(JsonValue at, const Error& error) {
  if (full()) return overflow();
  report(at, error);
  return keep({error.failure, error.code, Place{file(), at.pointer(), std::nullopt}, message_of(error)});
}

std::uint32_t Reader::resolve_or_none(JsonValue value, std::size_t count, std::string_view name, Code code) {
  const auto index = whole_number(value);
  if (index && *index < count) return static_cast<std::uint32_t>(*index);
  if (index) report(code, value, *index, count, name);
  return absent;
}

Checked<> Reader::go_on() {
  if (ended_) return end(*ended_);
  if (auto left = time_left(); !left) return end(std::move(left.error()));
  return {};
}

Checked<> Reader::take(JsonValue at, std::uint64_t count, std::uint64_t size) {
  if (auto left = go_on(); !left) return left;
  if (budget_.take(count, size)) return {};
  const auto bytes = checked_mul(count, size);
  const std::string needed = bytes ? format_text("{}", *bytes) : format_text("{} times {}", count, size);
  return refuse(at, error("SINEW_MEMORY_LIMIT"_code, Failure::limit, {}, "the data", needed, budget_.left()));
}

Checked<> Reader::take_decoded(JsonValue at, std::uint64_t stored, std::uint64_t count, std::uint64_t size) {
  if (auto taken = take(at, count, size); !taken) return taken;
  const std::uint64_t allowed = most_decoded(stored, document().options().limits);
  if (count * size <= allowed) return {};
  return refuse(at, error("SINEW_EXPANSION_LIMIT"_code, Failure::limit, {}, stored, count * size, allowed));
}

Checked<> Reader::take_file(JsonValue at, const Bytes& bytes) {
  return is_copied(bytes.view.size(), document().options().access) ? take(at, bytes.view.size(), 1) : Checked<>();
}

Checked<std::shared_ptr<std::byte[]>> Reader::allocate(JsonValue at, std::uint64_t count, std::uint64_t size) {
  if (auto taken = take(at, count, size); !taken) return Refused(taken.error());
  std::shared_ptr<std::byte[]> bytes = shared_bytes(memory(), count * size);
  std::fill_n(bytes.get(), count * size, std::byte{0});
  return bytes;
}

std::vector<JsonValue> list_of(JsonValue array) {
  std::vector<JsonValue> list;
  ask_deadline();
  list.reserve(array.size());
  for (const JsonValue element : array.elements()) list.push_back(element);
  return list;
}

namespace {

// Measured with files of empty entities, rounded up; without a node's world and rest transforms.
constexpr std::uint64_t bytes_per_entity = 512;
constexpr std::uint64_t bytes_per_node = 1024;
constexpr std::uint64_t bytes_per_joint = 512;

/// Two maps: node to parent and to world, or the bind and the movement of a joint.
std::uint64_t bytes_of_maps(std::size_t dimension) { return 2 * sizeof(double) * dimension * (dimension + 1); }

/// Counts the entries of a list in each element, such as the primitives of all meshes.
std::uint64_t count_in(JsonValue list, std::string_view name) {
  std::uint64_t count = 0;
  for (const JsonValue element : list.elements()) count += element[name].size();
  return count;
}

}  // namespace

Checked<> take_entities(Reader& reader, std::size_t dimension) {
  const JsonValue root = reader.document().json().root();
  std::uint64_t count = 0;
  for (const JsonMember member : root.members()) count += member.value.size();
  for (const JsonValue mesh : root["meshes"].elements())
    for (const std::string_view name : {"primitives", "surfaces"}) {
      const JsonValue parts = mesh[name];
      count += parts.size() + count_in(parts, "targets");
    }
  for (const std::string_view name : {"channels", "samplers"}) count += count_in(root["animations"], name);
  if (auto taken = reader.take(root, count, bytes_per_entity); !taken) return taken;
  if (auto taken = take_joints(reader, root["skins"], count_in(root["skins"], "joints"), dimension); !taken) return taken;
  return reader.take(root["nodes"], root["nodes"].size(), bytes_per_node + bytes_of_maps(dimension));
}

Checked<> take_joints(Reader& reader, JsonValue at, std::uint64_t count, std::size_t dimension) {
  return reader.take(at, count, bytes_per_joint + bytes_of_maps(dimension));
}

}  // namespace sinew::document

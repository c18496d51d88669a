// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "base/catalogue.hpp"
#include "document/capped_sink.hpp"
#include "document/json.hpp"
#include "gltf/read.hpp"
#include "gltf/source.hpp"
#include "gltf/tables.hpp"

namespace sinew::gltf {

using document::JsonKind;
using document::JsonValue;

/// Why something cannot be used: a place in Model::defects.
struct Defect {
  Index index = none;
};
/// A value, or the defect that leaves none. Whoever needs the value takes over the defect: the cause is reported once.
template <class T = void>
using Checked = tl::expected<T, Defect>;
using Refused = tl::unexpected<Defect>;

/// What the parts of one reading share: the document, the findings, the memory left, the model in the making.
class Reading {
 public:
  Reading(const document::Document& document, Checks checks, FindingSink& sink, Model& model);

  [[nodiscard]] const document::Document& document() const { return document_; }
  [[nodiscard]] const RootObject& root() const { return root_; }
  [[nodiscard]] Checks checks() const { return checks_; }
  [[nodiscard]] Model& model() { return model_; }

  /// The object `value` by the table of `Of`; its findings are reported.
  template <class Of>
  [[nodiscard]] Of object(JsonValue value) {
    return Of(value, sink_, checks_);
  }

  template <Code code, class... Args>
  void report(JsonValue at, Args&&... args) {
    if (sink_.full()) return sink_.drop();
    sink_.add(finding<code>(at.pointer(), std::forward<Args>(args)...));
  }
  /// Reports and keeps the defect.
  template <Code code, class... Args>
  [[nodiscard]] Refused refuse(JsonValue at, Args&&... args) {
    if (full()) return overflow();
    Finding found = finding<code>(at.pointer(), std::forward<Args>(args)...);
    Refused refused = keep(error_from(found, file_));
    sink_.add(std::move(found));
    return refused;
  }
  /// Keeps the defect of an object, which has been reported already.
  [[nodiscard]] Refused refuse(const document::Object& object);
  /// Keeps what has been reported already.
  [[nodiscard]] Refused refuse(const Finding& reported);
  /// Reports and keeps an error of another module, at a place of this file.
  [[nodiscard]] Refused refuse(JsonValue at, const Error& error);
  /// Marks an entity; the first defect stays.
  static void mark(Entity& entity, Defect defect) {
    if (entity.defect == none) entity.defect = defect.index;
  }

  /// Elements of the array that a reference points into.
  [[nodiscard]] std::size_t count(Reference reference) const;
  /// The index in `value` (`none` where that is no index); `code` at it where there is no such element.
  template <Code code = "UNRESOLVED_REFERENCE"_code>
  [[nodiscard]] Checked<Index> resolve(JsonValue value, Reference reference) {
    const auto index = document::whole_number(value);
    if (!index) return none;
    if (*index < count(reference)) return static_cast<Index>(*index);
    return refuse<code>(value, *index, count(reference), array_name(reference));
  }
  /// The same for a row of an object; `none` where it is absent.
  template <Code code = "UNRESOLVED_REFERENCE"_code, class Row, const auto& rows>
  [[nodiscard]] Checked<Index> resolve(const document::ObjectOf<Row, rows>& object, Row row) {
    return resolve<code>(object[row], static_cast<Reference>(object.property(row).reference));
  }

  /// The same for what is not needed: `none` with a finding where there is no such element.
  template <class Row, const auto& rows>
  [[nodiscard]] Index resolve_or_none(const document::ObjectOf<Row, rows>& object, Row row) {
    return resolve_or_none(object[row], static_cast<Reference>(object.property(row).reference));
  }
  [[nodiscard]] Index resolve_or_none(JsonValue value, Reference reference);

  /// Bytes for decoded data, zeroed, taken from the memory limit.
  [[nodiscard]] Checked<std::shared_ptr<std::vector<std::byte>>> allocate(JsonValue at, std::uint64_t count, std::uint64_t size);
  /// Takes memory from the limit for what somebody else allocates.
  [[nodiscard]] Checked<> take(JsonValue at, std::uint64_t count, std::uint64_t size);

  void set_skeletons(std::size_t count) { skeletons_ = count; }

 private:
  // A hostile file must not make a message of each of its bytes: beyond this many, defects are one.
  static constexpr std::size_t most_defects = 10000;
  [[nodiscard]] bool full() const { return model_.defects.size() >= most_defects; }
  [[nodiscard]] Refused overflow();
  [[nodiscard]] Refused keep(Error error);

  const document::Document& document_;
  Checks checks_;
  document::CappedSink sink_;
  Model& model_;
  std::string file_;
  Budget budget_;
  RootObject root_;
  std::size_t skeletons_ = 0;
};

/// The elements of an array, for access by index.
[[nodiscard]] std::vector<JsonValue> list_of(JsonValue array);
/// The name and the source of an entity.
void identify(Entity& entity, JsonValue value);
/// An extension object of an object that has an `extensions` row.
template <class Row, const auto& rows>
[[nodiscard]] JsonValue extension_of(const document::ObjectOf<Row, rows>& object, std::string_view name) {
  return object[Row::extensions][name];
}

}  // namespace sinew::gltf

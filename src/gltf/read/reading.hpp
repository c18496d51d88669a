// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "base/catalogue_gltf.hpp"
#include "document/reading.hpp"
#include "gltf/read/read.hpp"
#include "gltf/schema/root_table.hpp"
#include "gltf/source.hpp"

namespace sinew::gltf {

using document::Checked;
using document::Defect;
using document::JsonKind;
using document::JsonValue;
using document::list_of;
using document::Refused;

/// What the parts of one reading share: the document, the findings, the memory left, the model in the making.
class Reading : public document::Reading {
 public:
  Reading(const document::Document& document, Checks checks, FindingSink& sink, Model& model);

  [[nodiscard]] const RootObject& root() const { return root_; }
  /// Reports what is wrong with the root object's properties; in a file that is not of this version with those alone that tell so.
  void report_root(bool readable);
  [[nodiscard]] Model& model() { return model_; }

  /// The object `value` by the table of `Of`; its findings are reported, once however often it is read.
  template <class Of>
  [[nodiscard]] Of object(JsonValue value) {
    return Of(value, first_sight(value) ? sink() : silence_, checks());
  }
  /// Where every rule is checked: whether nobody asked this about the value before. True else.
  [[nodiscard]] bool first_sight(JsonValue value);
  /// Swallows findings that have been reported.
  [[nodiscard]] document::CappedSink& silence() { return silence_; }

  /// Marks an entity; the first defect stays.
  static void mark(Entity& entity, Defect defect) {
    if (entity.defect == none) entity.defect = defect.index;
  }

  /// The array that a reference points into; missing for samplers of an animation.
  [[nodiscard]] JsonValue array_of(Reference reference) const;
  [[nodiscard]] std::size_t count(Reference reference) const { return array_of(reference).size(); }
  /// The index in `value` (`none` where that is no index); `code` at it where there is no such element.
  template <Code code = "UNRESOLVED_REFERENCE"_code>
  [[nodiscard]] Checked<Index> resolve(JsonValue value, Reference reference) {
    const auto index = document::whole_number(value);
    if (!index) return none;
    const std::size_t size = count(reference);
    if (*index < size) return static_cast<Index>(*index);
    if (first_sight(value)) return refuse<code>(value, *index, size, array_name(reference));
    return refuse_silently<code>(value, *index, size, array_name(reference));
  }
  /// The same for a row of an object; `none` where it is absent.
  template <Code code = "UNRESOLVED_REFERENCE"_code, class Row, const auto& rows, const auto& codes>
  [[nodiscard]] Checked<Index> resolve(const document::ObjectOf<Row, rows, codes>& object, Row row) {
    return resolve<code>(object[row], static_cast<Reference>(object.property(row).reference));
  }

  /// The same for what is not needed: `none` with a finding where there is no such element.
  template <class Row, const auto& rows>
  [[nodiscard]] Index resolve_or_none(const document::ObjectOf<Row, rows>& object, Row row) {
    return resolve_or_none(object[row], static_cast<Reference>(object.property(row).reference));
  }
  [[nodiscard]] Index resolve_or_none(JsonValue value, Reference reference);

  /// Reports and keeps the defect of a rule that has a check of its own where every rule is checked: kept without a word there.
  template <Code code, class... Args>
  [[nodiscard]] Refused refuse_known(JsonValue at, Args&&... args) {
    if (checks() == Checks::safety) return refuse<code>(at, std::forward<Args>(args)...);
    return refuse_silently<code>(at, std::forward<Args>(args)...);
  }
  /// Whether extensionsUsed lists the extension.
  [[nodiscard]] bool uses_extension(std::string_view name) const;
  /// The file's own object of an extension that it uses; missing where that is none.
  [[nodiscard]] JsonValue file_extension(std::string_view name) const;

  void set_skeletons(JsonValue list) { skeletons_ = list; }

  using document::Reading::refuse;

 private:
  static_assert(absent == none);
  Model& model_;
  FindingList root_findings_;
  RootObject root_;
  JsonValue skeletons_;
  struct Nowhere final : FindingSink {
    void add(Finding) override {}
  } nowhere_;
  document::CappedSink silence_{nowhere_};
  std::vector<bool> seen_;  ///< by place in the tape
};

/// The first defect of several parts, where the rest is looked at all the same.
class FirstDefect {
 public:
  /// Keeps the defect of a part, if it has one.
  template <class T>
  void take(const Checked<T>& part) {
    if (!part) take(part.error());
  }
  void take(Refused refused) { take(refused.value()); }
  void take(Defect defect) {
    if (!defect_) defect_ = defect;
  }
  explicit operator bool() const { return defect_.has_value(); }
  /// Precondition: there is one.
  [[nodiscard]] Refused refused() const { return Refused(*defect_); }

 private:
  std::optional<Defect> defect_;
};

/// The name and the source of an entity.
void identify(Entity& entity, JsonValue value);
/// An extension object of an object that has an `extensions` row.
template <class Row, const auto& rows>
[[nodiscard]] JsonValue extension_of(const document::ObjectOf<Row, rows>& object, std::string_view name) {
  return object[Row::extensions][name];
}

}  // namespace sinew::gltf

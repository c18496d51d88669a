// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "document/json_edit.hpp"
#include "g4mf/accessor.hpp"

namespace sinew::g4mf {

using document::JsonEdit;

/// One step of a conversion, from a revision to its neighbour or within one: the file as it is, its JSON in the making, and the data that
/// are new. What is there keeps its index; new accessors and buffer views stand behind it, in one new buffer.
class Revising {
 public:
  Revising(const document::Document& document, Revision from, Revision to, FindingSink& losses);

  /// Refused: what has no usable dimension, or a buffer that stands nowhere. To be called first.
  [[nodiscard]] Checked<> begin();
  /// The result, once all parts of the step are done.
  [[nodiscard]] Result<std::shared_ptr<const document::Document>> finish();
  /// What a refusal means.
  [[nodiscard]] const Error& error_of(document::Defect defect) const { return model_.defects[defect.index]; }

  [[nodiscard]] Revision from() const { return from_; }
  [[nodiscard]] Revision to() const { return to_; }
  [[nodiscard]] Reading& reading() { return reading_; }
  [[nodiscard]] Accessors& accessors() { return accessors_; }
  /// The file as it is.
  [[nodiscard]] JsonValue old_root() const { return document_.json().root(); }
  [[nodiscard]] std::vector<JsonValue> old_list(RootRow array) const { return list_of(reading_.root()[array]); }
  /// The JSON in the making; its lists have the old elements at their old places until a part says otherwise.
  [[nodiscard]] JsonEdit& root() { return root_; }
  /// An element of a list of the root.
  [[nodiscard]] JsonEdit& element(RootRow array, std::size_t index);
  /// A list of the root, made where there is none.
  [[nodiscard]] JsonEdit& list(std::string_view name);

  /// Says that the new revision has no place for something.
  void lost(JsonValue at, std::string_view what);
  /// Says what was changed, without a loss, because the new revision demands it.
  void changed(JsonValue at, std::string_view what);
  /// Says that an object goes, as far as there is something in it that any object may have: a name, a comment, extras, extensions.
  void lost_item(JsonValue object, std::string_view what);
  [[nodiscard]] FindingSink& losses() { return losses_; }

  /// Takes the memory of another copy of a value in the text from the limit: a short list must not make a long file.
  [[nodiscard]] Checked<> take_copy(JsonValue value) { return reading_.take(value, value.text().size(), 2); }
  /// Adds an accessor with these rows, or finds the one that was added with the same.
  [[nodiscard]] Checked<Index> add(const Array& rows);
  [[nodiscard]] Checked<Index> add(std::vector<std::uint32_t> values, std::size_t width = 1) {
    return add(Array::own(std::move(values), width));
  }
  /// An accessor of the numbers from 0 below `count`.
  [[nodiscard]] Checked<Index> add_numbers(std::size_t count, std::size_t width);
  /// The accessor, or where its numbers are signed one that says that they are not.
  [[nodiscard]] Checked<Index> as_unsigned(Index accessor);

 private:
  [[nodiscard]] Index add_accessor(JsonEdit view, ComponentType type, std::size_t width);

  const document::Document& document_;
  Revision from_, to_;
  FindingSink& losses_;
  FindingList ignored_;
  Model model_;
  Reading reading_;
  Buffers buffers_;
  Accessors accessors_;
  JsonEdit root_;
  std::vector<std::byte> data_;
  std::size_t accessor_count_;
  std::size_t view_count_;
  /// By type, width, number of bytes and their hash: the place in `data_` and the accessor.
  std::multimap<std::tuple<ComponentType, std::size_t, std::size_t, std::size_t>, std::pair<std::size_t, Index>> added_;
  std::map<Index, Index> unsigned_;
};

/// The index that a value of the file is; `none` for anything else.
[[nodiscard]] Index index_of(JsonValue value);

}  // namespace sinew::g4mf

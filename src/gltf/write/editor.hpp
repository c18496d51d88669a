// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "document/json/edit_members.hpp"
#include "document/json/json.hpp"
#include "document/json/json_edit.hpp"
#include "gltf/write/write_buffer.hpp"
#include "model/edit_reporter.hpp"

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

using document::JsonEdit;
using document::JsonKind;
using document::JsonMember;
using document::JsonValue;

using document::add_name;
using document::erase_name;
using document::length;
using document::list_in;
using document::numbers;
using document::object_in;
using document::set_index;
using document::set_indices;
using document::set_name;
using document::set_numbers;

/// A document in the making: the file as it is, its JSON with what changes, and the data that are new. What is there keeps its index; new
/// accessors and buffer views stand behind it, their bytes behind those of the first buffer if that is at hand, else in a buffer of their
/// own.
class Editor {
 public:
  Editor(std::shared_ptr<const document::Document> document, FindingSink& losses);

  /// The result, once all parts are written; the document itself where nothing was changed.
  [[nodiscard]] Result<std::shared_ptr<const document::Document>> finish();

  /// The elements of a list of the root, as they are in the file.
  [[nodiscard]] std::vector<JsonValue> old_list(std::string_view name) const;
  [[nodiscard]] const document::Document& document() const { return *document_; }
  [[nodiscard]] JsonValue old_root() const { return document_->json().root(); }
  /// The JSON in the making. To be asked for only where something changes.
  [[nodiscard]] JsonEdit& root() { return root_; }
  /// An element of a list of the root, an object; made where there is none yet. Precondition: the list has `index` elements or more.
  [[nodiscard]] JsonEdit& element(std::string_view list, std::size_t index);

  [[nodiscard]] Index add(const Array& values, AccessorUse use) { return buffer_.add_accessor(values, use); }
  [[nodiscard]] Index add_sparse(std::size_t count, const Array& rows, const Array& values, AccessorUse use) {
    return buffer_.add_sparse(count, rows, values, use);
  }
  /// A buffer view of bytes (an image). Precondition: not empty.
  [[nodiscard]] Index add_bytes(std::span<const std::byte> bytes) { return buffer_.add_bytes(bytes); }
  /// An accessor of matrices, MAT4 of float. Precondition: at least one, of dimension 3.
  [[nodiscard]] Index add_matrices(const std::vector<Affine>& matrices);

  /// Lists an extension as used, and as required.
  void use_extension(std::string_view name);
  void require_extension(std::string_view name);
  /// Takes an extension from both lists if no element of the root's list has its object any more; with `parts`, no element of the lists
  /// of that name in them.
  void end_extension(std::string_view name, std::string_view list, std::string_view parts = {});
  /// The same, whoever has its object.
  void forget_extension(std::string_view name);

  /// Reports what could not be written, or what else was changed.
  [[nodiscard]] const EditReporter& reporter() const { return reporter_; }
  /// What cannot be written, and is more than a loss.
  [[nodiscard]] Unexpected refuse(std::string pointer, std::string_view what) const;

 private:
  [[nodiscard]] Result<std::shared_ptr<const document::Document>> finish_with_data();

  std::shared_ptr<const document::Document> document_;
  EditReporter reporter_;
  JsonEdit root_;
  BufferWriter buffer_;
};

/// The object of an extension, made where there is none; to take it away, with the list of extensions where that is empty then.
JsonEdit& extension_in(JsonEdit& object, std::string_view name);
void erase_extension(JsonEdit& object, std::string_view name);

}  // namespace sinew::gltf

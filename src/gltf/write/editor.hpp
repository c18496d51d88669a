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

using namespace document;

/// Edits a document: the unchanged file, its JSON with changes, and new data. Existing objects keep their indices. New accessors and buffer
/// views are appended; their bytes are appended to the first buffer if it is available, otherwise they form a new buffer.
class Editor : private BufferWriter {
 public:
  Editor(std::shared_ptr<const Document> document, FindingSink& losses);

  /// Returns the result after all parts are written, or the original document if nothing was changed.
  [[nodiscard]] Result<std::shared_ptr<const Document>> finish();

  /// Returns the elements of a list of the root in the original file.
  [[nodiscard]] std::vector<JsonValue> old_list(std::string_view name) const;
  [[nodiscard]] const Document& document() const { return *document_; }
  [[nodiscard]] JsonValue old_root() const { return document_->json().root(); }
  /// Returns the JSON with changes. Call this only to change something.
  [[nodiscard]] JsonEdit& root() { return root_; }
  /// Returns an element of a list of the root as an object, appended if it does not exist. Precondition: `index` ≤ size.
  [[nodiscard]] JsonEdit& element(std::string_view list, std::size_t index);

  using BufferWriter::add, BufferWriter::add_sparse, BufferWriter::add_bytes;

  /// Adds an accessor of matrices, MAT4 of float. Precondition: at least one, of dimension 3.
  [[nodiscard]] Index add_matrices(const std::vector<Affine>& matrices);

  /// Adds an extension to extensionsUsed, and to extensionsRequired.
  void use_extension(std::string_view name);
  void require_extension(std::string_view name);
  /// Removes an extension from both lists if no element of the root's list has its object any more. With `parts`: if no element of the
  /// lists with that name in these elements has it.
  void end_extension(std::string_view name, std::string_view list, std::string_view parts = {});
  /// Removes it from both lists in any case.
  void forget_extension(std::string_view name);

  [[nodiscard]] const EditReporter& reporter() const { return reporter_; }
  /// Reports data that cannot be written and whose loss is not acceptable.
  [[nodiscard]] Unexpected refuse(std::string pointer, std::string_view what) const;

 private:
  [[nodiscard]] Result<std::shared_ptr<const Document>> finish_with_data();
  void end_statements_about_vertices();

  std::shared_ptr<const Document> document_;
  EditReporter reporter_;
  JsonEdit root_;
};

/// Returns the object of an extension, added if it is missing. erase_extension also removes `extensions` if it becomes empty.
JsonEdit& extension_in(JsonEdit& object, std::string_view name);
void erase_extension(JsonEdit& object, std::string_view name);

}  // namespace sinew::gltf

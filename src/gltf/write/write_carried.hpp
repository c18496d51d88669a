// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document/json.hpp"
#include "document/json_writer.hpp"
#include "gltf/write/write_buffer.hpp"

#include "sinew/document.hpp"
#include "sinew/model.hpp"

namespace sinew::gltf {

/// The JSON of the file that a model was read from, as far as it goes into what is written. Without such a file every question gets an
/// empty answer, so that models from elsewhere need no case of their own.
class Carried {
 public:
  /// `document` may be null; it, `buffer` and `notes` outlive this.
  Carried(const document::Document* document, BufferWriter& buffer, std::vector<std::string>& notes);

  /// The object that an entity came from.
  [[nodiscard]] document::JsonValue object(SourceId id) const;

  /// An extension that the writer gives to an object itself.
  struct Extension {
    std::string_view name;
    std::string_view json;
  };
  /// The members `extensions` and `extras` of an object of the source; `own` is added unless the source has it.
  void write_extensions_and_extras(JsonWriter& json, document::JsonValue object, std::optional<Extension> own = {});
  void write_asset(JsonWriter& json);
  /// cameras, samplers, textures, images.
  void write_lists(JsonWriter& json);
  /// extensionsUsed and extensionsRequired: those of the model that did not end, and those that writing made necessary.
  void write_extension_names(JsonWriter& json, const Model& model) const;
  void write_root_extensions_and_extras(JsonWriter& json) { write_extensions_and_extras(json, root()); }

  void use_extension(std::string_view name) { own_extensions_.emplace(name); }
  void use_quantization() { quantization_ = true; }
  [[nodiscard]] std::vector<std::string> take_relative_uris() { return std::move(relative_uris_); }

 private:
  [[nodiscard]] document::JsonValue root() const;
  void write_image(JsonWriter& json, document::JsonValue image);
  /// The view of the new buffer with the bytes of a view of the source; none where they cannot be had.
  Index copy_view(document::JsonValue view_index);
  [[nodiscard]] document::Bytes buffer_bytes(std::uint64_t index);
  void note_once(std::string_view extension, std::string_view text);

  const document::Document* document_;
  BufferWriter& buffer_;
  std::vector<std::string>& notes_;
  std::vector<std::string> relative_uris_;
  std::map<std::uint64_t, document::Bytes> buffers_;
  std::map<std::uint64_t, Index> views_;
  std::set<std::string, std::less<>> noted_;
  std::set<std::string, std::less<>> own_extensions_;
  bool quantization_ = false;
};

}  // namespace sinew::gltf

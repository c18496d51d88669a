// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "gltf/read/reader.hpp"

namespace sinew::gltf {

/// The bytes of a buffer view.
struct View {
  document::Bytes bytes;
  std::uint64_t stride = 0;  ///< 0 = packed
};

/// The file's buffers and buffer views. Bytes are borrowed; compressed views are decoded when first asked for.
class Buffers {
 public:
  explicit Buffers(Reader& reader);

  [[nodiscard]] const Checked<document::Bytes>& bytes(Index buffer) const { return buffers_[buffer]; }
  [[nodiscard]] const Checked<View>& view(Index index);
  [[nodiscard]] bool strided(Index index) const { return views_[index].stride != 0; }
  /// Whether decoding the view rounds its numbers (a filter of KHR_meshopt_compression): other decoders may give others.
  [[nodiscard]] bool filtered(Index index) const;
  /// Part of a buffer; BUFFER_VIEW_TOO_LONG at `at` where it does not lie inside.
  [[nodiscard]] Checked<document::Bytes> range(JsonValue at, Index buffer, std::uint64_t offset, std::uint64_t length);

 private:
  struct Stored {
    std::uint64_t stride = 0;
    JsonValue compressed;  ///< the extensions of a view that one of them compresses; missing = plain
    std::optional<Checked<View>> view;
  };

  [[nodiscard]] Checked<document::Bytes> read_buffer(const BufferObject& buffer, Index index);
  [[nodiscard]] Checked<document::Bytes> fetch(const BufferObject& buffer);
  [[nodiscard]] Checked<document::Bytes> embedded(const BufferObject& buffer, Index index);
  void read_view(JsonValue value);

  Reader& reader_;
  std::vector<Checked<document::Bytes>> buffers_;
  std::vector<Stored> views_;
};

namespace meshopt {

/// Decodes a buffer view with these extensions: one of meshopt_extensions; of two, the first one.
[[nodiscard]] Checked<document::Bytes> decode(Reader& reader, Buffers& buffers, JsonValue extensions);

}  // namespace meshopt

}  // namespace sinew::gltf

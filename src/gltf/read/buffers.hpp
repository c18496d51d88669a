// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "gltf/read/reader.hpp"

namespace sinew::gltf {

struct View {
  Bytes bytes;
  std::uint64_t stride = 0;  ///< 0 = packed
};

/// The file's buffers and buffer views. Borrows bytes, and decodes compressed views on first use.
class Buffers {
 public:
  explicit Buffers(Reader& reader);

  [[nodiscard]] const Checked<Bytes>& bytes(Index buffer) const { return buffers_[buffer]; }
  [[nodiscard]] const Checked<View>& view(Index index);
  [[nodiscard]] bool strided(Index index) const { return views_[index].stride != 0; }
  /// Returns whether decoding the view rounds its numbers (a filter of KHR_meshopt_compression). Other decoders may round differently.
  [[nodiscard]] bool filtered(Index index) const;
  /// Returns part of a buffer. Refuses with BUFFER_VIEW_TOO_LONG at `at` if it is not inside.
  [[nodiscard]] Checked<Bytes> range(JsonValue at, Index buffer, std::uint64_t offset, std::uint64_t length);

 private:
  struct Stored {
    std::uint64_t stride = 0;
    JsonValue compressed;  ///< the `extensions` of a compressed view; missing: not compressed
    std::optional<Checked<View>> view;
  };

  [[nodiscard]] Checked<Bytes> read_buffer(const BufferObject& buffer, Index index);
  [[nodiscard]] Checked<Bytes> fetch(const BufferObject& buffer);
  [[nodiscard]] Checked<Bytes> embedded(const BufferObject& buffer, Index index);
  void read_view(JsonValue value);

  Reader& reader_;
  std::vector<Checked<Bytes>> buffers_;
  std::vector<Stored> views_;
};

namespace meshopt {

/// Decodes a buffer view by the first of meshopt_extensions that it has.
[[nodiscard]] Checked<Bytes> decode(Reader& reader, Buffers& buffers, JsonValue extensions);

}  // namespace meshopt

}  // namespace sinew::gltf

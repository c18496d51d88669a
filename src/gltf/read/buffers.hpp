// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "gltf/read/reading.hpp"

namespace sinew::gltf {

/// The bytes of a buffer view.
struct View {
  document::Bytes bytes;
  std::uint64_t stride = 0;  ///< 0 = packed
};

/// What a buffer view says of itself; empty where that is no possible value.
struct ViewLayout {
  std::optional<std::uint64_t> offset;
  std::optional<std::uint64_t> length;
  std::optional<std::uint64_t> stride;  ///< also empty where absent
};

/// The file's buffers and buffer views. Bytes are borrowed; compressed views are decoded when first asked for.
class Buffers {
 public:
  explicit Buffers(Reading& reading);

  [[nodiscard]] Checked<View> view(Index index);
  [[nodiscard]] bool strided(Index index) const { return views_[index].stride != 0; }
  [[nodiscard]] const ViewLayout& layout(Index index) const { return views_[index].layout; }
  /// Part of a buffer; BUFFER_VIEW_TOO_LONG at `at` where it does not lie inside.
  [[nodiscard]] Checked<document::Bytes> range(JsonValue at, Index buffer, std::uint64_t offset, std::uint64_t length);

 private:
  struct Stored {
    ViewLayout layout;
    std::uint64_t stride = 0;
    JsonValue compressed;  ///< the object of EXT_meshopt_compression; missing = plain
    std::optional<Checked<View>> view;
  };

  struct Buffer {
    Checked<document::Bytes> bytes;
    std::optional<std::uint64_t> length;  ///< what byteLength says
  };

  [[nodiscard]] Checked<document::Bytes> read_buffer(const BufferObject& buffer, Index index);
  [[nodiscard]] Checked<document::Bytes> fetch(const BufferObject& buffer);
  [[nodiscard]] Checked<document::Bytes> embedded(const BufferObject& buffer, Index index);
  void read_view(JsonValue value);

  Reading& reading_;
  std::vector<Buffer> buffers_;
  std::vector<Stored> views_;
};

}  // namespace sinew::gltf

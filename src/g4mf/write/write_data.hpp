// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "document/json_writer.hpp"

#include "sinew/model.hpp"

namespace sinew::g4mf {

using document::JsonWriter;

/// Collects the one buffer of a file with its views and accessors, of float32 and uint32, which every reader knows. Equal data are stored
/// once: no two views and no two accessors are equal, as the schemas want it.
class DataWriter {
 public:
  /// Stores rows of `width` numbers; returns the accessor.
  [[nodiscard]] Index add(std::span<const float> values, std::size_t width) { return add(std::as_bytes(values), "float32", width); }
  [[nodiscard]] Index add(std::span<const std::uint32_t> values, std::size_t width) { return add(std::as_bytes(values), "uint32", width); }

  [[nodiscard]] bool empty() const { return accessors_.empty(); }
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(bytes_); }

  /// The members accessors, bufferViews and buffers; left out where there are none. `uri` empty: the buffer is a chunk.
  void write(JsonWriter& json, std::string_view uri) const;

 private:
  struct View {
    std::size_t offset;
    std::size_t size;
  };
  struct Accessor {
    Index view;
    std::string_view component_type;
    std::size_t width;
    friend bool operator==(const Accessor&, const Accessor&) = default;
  };

  [[nodiscard]] Index add(std::span<const std::byte> values, std::string_view component_type, std::size_t width);
  [[nodiscard]] Index add_view(std::span<const std::byte> values);

  std::vector<std::byte> bytes_;
  std::vector<View> views_;
  std::vector<Accessor> accessors_;
  std::unordered_multimap<std::size_t, Index> views_by_hash_;
};

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document/files/output.hpp"

#include "sinew/result.hpp"

namespace sinew::operations {

/// Writes arrays as a NumPy `.npz` file: a ZIP archive (PKWARE's APPNOTE, with its 64-bit form where sizes need it) of `.npy` files,
/// uncompressed. Arrays are little-endian and in C order. The file appears at `finish`, whole or not at all.
class NpzWriter {
 public:
  [[nodiscard]] static Result<NpzWriter> create(const std::filesystem::path& path, OutputName name);

  /// Begins an array of T: float, double, std::int32_t or std::int64_t. Then `write` takes its values, in any number of pieces.
  template <class T>
  [[nodiscard]] Result<> begin(std::string_view name, const std::vector<std::size_t>& shape);
  template <class T>
  [[nodiscard]] Result<> write(std::span<const T> values) {
    return write_bytes(std::as_bytes(values));
  }
  /// Begins and writes an array.
  template <class T>
  [[nodiscard]] Result<> add(std::string_view name, const std::vector<std::size_t>& shape, const std::vector<T>& values) {
    if (auto done = begin<T>(name, shape); !done) return done;
    return write(std::span<const T>(values));
  }
  /// Adds an array of UTF-8 texts as NumPy's fixed-width Unicode strings; `scalar`: one text without an axis.
  [[nodiscard]] Result<> add(std::string_view name, const std::vector<std::string>& texts, bool scalar = false);

  /// Precondition: every array has all of its values.
  [[nodiscard]] Result<std::uint64_t> finish();  ///< the size of the file

 private:
  struct Entry {
    std::string name;
    std::uint64_t offset = 0, size = 0;
    std::uint32_t crc = 0;
  };
  explicit NpzWriter(document::OutputFile file) : file_(std::move(file)) {}
  [[nodiscard]] Result<> begin_entry(std::string_view name, std::string_view type, const std::vector<std::size_t>& shape,
                                     std::uint64_t bytes_of_value);
  [[nodiscard]] Result<> end_entry();
  [[nodiscard]] Result<> write_bytes(std::span<const std::byte> bytes);
  [[nodiscard]] Result<> put(std::string_view bytes);

  document::OutputFile file_;
  std::vector<Entry> entries_;
  std::uint64_t written_ = 0;
};

}  // namespace sinew::operations

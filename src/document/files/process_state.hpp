// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <utility>

namespace sinew::document {

/// A path in a table that signal handlers can read. The tables are small: handlers do not find a path that does not fit.
class RecordedPath {
 public:
  RecordedPath() = default;
  /// Records a temporary file. Call this before the file is created, so that a signal never misses it.
  [[nodiscard]] static RecordedPath output(const std::filesystem::path& temporary);
  /// Records a file that is mapped at `address`.
  [[nodiscard]] static RecordedPath mapping(const std::filesystem::path& file, const void* address, std::size_t length);

  RecordedPath(RecordedPath&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
  RecordedPath& operator=(RecordedPath&& other) noexcept {
    std::swap(slot_, other.slot_);
    return *this;
  }
  ~RecordedPath();

 private:
  struct Slot;
  struct Table;
  static Table& outputs();
  static Table& mappings();
  friend void remove_unfinished_outputs() noexcept;
  friend const char* mapped_file_at(const void* address) noexcept;

  Slot* slot_ = nullptr;
};

}  // namespace sinew::document

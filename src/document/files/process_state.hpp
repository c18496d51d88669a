// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <utility>

namespace sinew::document {

/// A path in a table that signal handlers can read (sinew/cleanup.hpp). The tables have few places: where all are taken, nothing is
/// noted, and a signal finds less.
class Noted {
 public:
  Noted() = default;
  /// A temporary file: before it is made, so that there is no moment in which only the file is there.
  [[nodiscard]] static Noted output(const std::filesystem::path& temporary);
  /// A file that is mapped at `address`.
  [[nodiscard]] static Noted mapping(const std::filesystem::path& file, const void* address, std::size_t length);

  Noted(Noted&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
  Noted& operator=(Noted&& other) noexcept {
    std::swap(slot_, other.slot_);
    return *this;
  }
  ~Noted();

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

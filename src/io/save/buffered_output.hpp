// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "document/files/output.hpp"

#include "sinew/result.hpp"

namespace sinew::io {

/// An OutputFile behind a buffer, for writers of many small pieces. A failed write is remembered and returned by `commit`.
class BufferedOutput {
 public:
  [[nodiscard]] static Result<BufferedOutput> create(const std::filesystem::path& target, OutputName name) {
    auto file = document::OutputFile::create(target, name);
    if (!file) return Unexpected(std::move(file.error()));
    return BufferedOutput(std::move(*file));
  }

  void text(std::string_view piece) {
    pending_ += piece;
    if (pending_.size() >= flush_at) flush();
  }
  /// Writes the shortest text that reads back as the same number, in any locale.
  template <class T>
  void number(T value) {
    std::array<char, 32> digits;
    const auto [end, failed] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    text({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  /// Writes a line of numbers, separated by spaces.
  template <class T>
  void line(std::span<const T> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i != 0) text(" ");
      number(values[i]);
    }
    text("\n");
  }
  /// Writes the bytes of the value, little endian.
  template <class T>
  void binary(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), &value, sizeof(T));
    text({bytes.data(), bytes.size()});
  }
  void bytes(std::span<const std::byte> block) {
    flush();
    keep_first_error(file_.write(block));
  }

  [[nodiscard]] Result<> commit() {
    flush();
    if (error_) return Unexpected(std::move(*error_));
    return file_.commit();
  }

 private:
  static constexpr std::size_t flush_at = std::size_t{1} << 18;

  explicit BufferedOutput(document::OutputFile file) : file_(std::move(file)) {}
  void flush() {
    keep_first_error(file_.write(pending_));
    pending_.clear();
  }
  void keep_first_error(Result<> result) {
    if (!result && !error_) error_ = std::move(result.error());
  }

  document::OutputFile file_;
  std::string pending_;
  std::optional<Error> error_;
};

}  // namespace sinew::io

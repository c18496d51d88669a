// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "sinew/result.hpp"

namespace sinew::document {

/// Writes a file. A regular target is written beside itself under a temporary name (".NAME.sinew-XXXXXX"), flushed to disk and renamed by
/// `commit`, so the target is always either the old file or the complete new one. Without `commit` nothing remains. Other targets (pipes,
/// /dev/null, "-" for standard output) are written directly. Symbolic links are followed. With OutputName::made, the file replaces links,
/// pipes and devices. Every failure is Failure::output with the target's name.
class OutputFile {
 public:
  [[nodiscard]] static Result<OutputFile> create(const std::filesystem::path& target, OutputName name = OutputName::given);
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) noexcept;
  ~OutputFile();

  [[nodiscard]] Result<> write(std::span<const std::byte> bytes);
  [[nodiscard]] Result<> write(std::string_view text) { return write(std::as_bytes(std::span(text))); }
  /// Replaces bytes that were written. Precondition: a file that is not standard output.
  [[nodiscard]] Result<> write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  [[nodiscard]] Result<> commit();

 private:
  struct State;
  explicit OutputFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Resolves symbolic links at the end of a path. The last one may point to a missing file.
[[nodiscard]] Result<std::filesystem::path> follow_links(const std::filesystem::path& target);

}  // namespace sinew::document

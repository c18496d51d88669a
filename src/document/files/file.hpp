// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::document {

/// Whether a file of that size is read rather than mapped. Reading a small file costs less than the page faults of a mapping.
[[nodiscard]] constexpr bool is_copied(std::uint64_t size, FileAccess access) {
  constexpr std::uint64_t mapped_from = 256 << 10;
  return access == FileAccess::copy || size < mapped_from;
}

/// Reads or maps a regular file or a pipe ("-": standard input), as `access` says. Copies are bounded by `most_copied` bytes
/// (Failure::limit). A mapping must not outlive the file's length: where others may shorten it, ask for FileAccess::copy. Folders and
/// devices are refused.
[[nodiscard]] Result<Bytes> read_file(const std::filesystem::path& path, FileAccess access, std::uint64_t most_copied);

/// Reads a regular file that a model in `folder` names; `path` comes from `resolve`. Refuses pipes, and a file outside of the folder unless
/// `options` allows it. Names that another program turns into symbolic links after this check are not followed.
[[nodiscard]] Result<Bytes> read_named_file(const std::filesystem::path& folder, const std::filesystem::path& path,
                                            const OpenOptions& options);

/// The folder that relative references of a file are about, without symbolic links.
[[nodiscard]] std::filesystem::path canonical_folder_of(const std::filesystem::path& file);

/// Why a file, named from a folder without "..", lies outside of it all the same or cannot be told; nothing: it lies inside.
[[nodiscard]] std::optional<std::string> why_outside(const std::filesystem::path& folder, const std::filesystem::path& file);

/// Asks for large pages for memory that is about to be filled, where the system gives them only then. Faults of small ones took a fifth of
/// the time of loading a large text.
void prefer_large_pages(void* memory, std::size_t size);
/// Reserves such memory for a vector that is about to be filled.
template <class T>
void reserve_large(std::vector<T>& list, std::size_t count) {
  list.reserve(count);
  prefer_large_pages(list.data(), count * sizeof(T));
}

}  // namespace sinew::document

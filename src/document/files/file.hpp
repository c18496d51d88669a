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

/// Returns whether a file of this size is read instead of mapped. Reading a small file is cheaper than the page faults of a mapping.
[[nodiscard]] constexpr bool is_copied(std::uint64_t size, FileAccess access) {
  constexpr std::uint64_t mapped_from = 256 << 10;
  return access == FileAccess::copy || size < mapped_from;
}

/// Reads or maps a regular file or a pipe ("-": standard input), as `access` says. Copies are bounded by `most_copied` bytes
/// (Failure::limit). A mapping must not outlive the file's length: where others may shorten it, ask for FileAccess::copy. Folders and
/// devices are refused.
[[nodiscard]] Result<Bytes> read_file(const std::filesystem::path& path, FileAccess access, std::uint64_t most_copied,
                                      MemoryResource* memory = nullptr);

/// Reads a regular file that a model in `folder` names; `path` comes from `resolve`. Refuses pipes, and a file outside of the folder unless
/// `options` allows it. Names that another program turns into symbolic links after this check are not followed.
[[nodiscard]] Result<Bytes> read_named_file(const std::filesystem::path& folder, const std::filesystem::path& path,
                                            const OpenOptions& options);

/// Reads a file whose name the program made: a regular one of at most `most` bytes, and no symbolic link. Never waits for a pipe.
[[nodiscard]] Result<Bytes> read_made_file(const std::filesystem::path& path, std::uint64_t most);

/// Returns the folder of a file, to which relative references refer, without symbolic links.
[[nodiscard]] std::filesystem::path canonical_folder_of(const std::filesystem::path& file);

/// Returns the folder with all links resolved, as far as it exists; empty: the current one.
[[nodiscard]] std::filesystem::path real_folder(const std::filesystem::path& folder);

/// Returns why a file, named relative to a folder without "..", may be outside of the folder; nothing if it is inside.
[[nodiscard]] std::optional<std::string> why_outside(const std::filesystem::path& folder, const std::filesystem::path& file);

/// Requests large pages for memory that is about to be filled, if the system needs the request. Page faults of small pages took a fifth of
/// the time to load a large text.
void prefer_large_pages(void* memory, std::size_t size);
/// Reserves such memory for a vector that is about to be filled.
template <class T>
void reserve_large(std::vector<T>& list, std::size_t count) {
  list.reserve(count);
  prefer_large_pages(list.data(), count * sizeof(T));
}

}  // namespace sinew::document

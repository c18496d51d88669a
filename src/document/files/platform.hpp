// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace sinew::document {

/// What the core asks of an operating system about files. platform_posix.cpp and platform_windows.cpp implement it; no other source of the
/// core includes a header of a system. A call that fails leaves the reason in `errno`.

/// An open file of the C library.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Descriptor() {
    if (value_ >= 0) static_cast<void>(close());
  }
  [[nodiscard]] int get() const { return value_; }
  [[nodiscard]] explicit operator bool() const { return value_ >= 0; }
  /// Closes the file now, so that an error can be reported.
  [[nodiscard]] bool close();

 private:
  int value_ = -1;
};

[[nodiscard]] inline std::string reason(int number) { return std::generic_category().message(number); }

namespace platform {

enum class FileKind : std::uint8_t { regular, folder, device, socket, pipe, link };

struct FileStatus {
  FileKind kind = FileKind::regular;
  std::uint64_t size = 0;
  unsigned permissions = 0;  ///< for set_permissions
};

enum class Links : std::uint8_t { follow, stay };

[[nodiscard]] std::optional<FileStatus> status_of(const std::filesystem::path& path, Links links);
[[nodiscard]] std::optional<FileStatus> status_of(int file);

enum class Opening : std::uint8_t {
  any,
  without_links,  ///< also none among the folders of the path, where the system can tell; elsewhere not at its end
  made,           ///< no link at its end, and does not wait for a pipe
};
/// Child processes do not inherit what these functions open.
[[nodiscard]] Descriptor open_to_read(const std::filesystem::path& path, Opening how);
[[nodiscard]] Descriptor open_to_write(const std::filesystem::path& path);
/// Creates a file; EEXIST where there is one with that name. `own`: for the user alone.
[[nodiscard]] Descriptor create_new(const std::filesystem::path& path, bool own);
[[nodiscard]] bool set_permissions(int file, unsigned permissions);
[[nodiscard]] bool may_write(const std::filesystem::path& path);

/// Characters with a meaning of their own in paths, as the ':' before a second stream of a file.
#ifdef _WIN32
inline constexpr std::string_view not_in_names = "<>:\"|?*";
#else
inline constexpr std::string_view not_in_names = "";
#endif

inline constexpr int standard_input = 0, standard_output = 1;
/// Turns off what a system does to the ends of lines.
void use_bytes(int standard_stream);

/// Returns the number of bytes, 0 at the end of the file, or −1.
[[nodiscard]] std::ptrdiff_t read(int file, std::span<std::byte> bytes);
[[nodiscard]] std::ptrdiff_t write(int file, std::string_view bytes);
/// Does the same at another place of a file. The next `write` goes on where the last one ended.
[[nodiscard]] std::ptrdiff_t write_at(int file, std::uint64_t offset, std::string_view bytes);
/// Starts writing data to disk while the caller computes more. The system may ignore this.
void begin_storing(int file, std::uint64_t offset, std::size_t size);
/// Returns when the data are on disk.
[[nodiscard]] bool store(int file);
/// Gives a file the name of another one, which it replaces in one step.
[[nodiscard]] bool replace(const std::filesystem::path& from, const std::filesystem::path& to);
/// Tries to store the names in a folder permanently, which not every file system guarantees.
void store_names(const std::filesystem::path& folder);
void remove(const std::filesystem::path& path);

[[nodiscard]] bool random_bytes(std::span<unsigned char> bytes);

/// Maps the first `size` bytes, to be read only. Returns nullptr where it fails.
[[nodiscard]] const void* map(int file, std::size_t size);
void unmap(const void* address, std::size_t size);
/// A hint about memory that is about to be filled.
void prefer_large_pages(void* memory, std::size_t size);

/// For handlers of signals: removes a file by path_text, and waits for the end of the process.
void remove_in_handler(const char* path) noexcept;
void wait_for_end() noexcept;

}  // namespace platform
}  // namespace sinew::document

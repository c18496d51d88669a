// SPDX-License-Identifier: MIT
#include "document/files/file.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/memory.hpp"
#include "base/path_text.hpp"
#include "document/files/platform.hpp"
#include "document/files/process_state.hpp"

namespace sinew::document {
namespace {

class MappedFile {
 public:
  MappedFile(const std::filesystem::path& path, const void* address, std::size_t length)
      : address_(address), length_(length), recorded_(RecordedPath::mapping(path, address, length)) {}
  MappedFile(MappedFile&& other) noexcept
      : address_(std::exchange(other.address_, nullptr)), length_(std::exchange(other.length_, 0)), recorded_(std::move(other.recorded_)) {}
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile() {
    if (address_ != nullptr) platform::unmap(address_, length_);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(address_), length_}; }

 private:
  const void* address_;
  std::size_t length_;
  RecordedPath recorded_;
};

Unexpected io_error(const std::filesystem::path& path, const std::string& message) {
  return Unexpected(error("IO_ERROR"_code, Failure::input, {path_text(path), std::nullopt, std::nullopt}, message));
}
Unexpected too_large(const std::filesystem::path& path, std::uint64_t size, std::uint64_t most) {
  return Unexpected(
      error("SINEW_MEMORY_LIMIT"_code, Failure::limit, {path_text(path), std::nullopt, std::nullopt}, "the file's content", size, most));
}

constexpr std::string_view leads_outside = "a symbolic link leads outside the document's folder (allow it with --allow-outside)";

// Both without symbolic links.
bool is_inside(const std::filesystem::path& folder, const std::filesystem::path& file) {
  return std::ranges::mismatch(folder, file).in1 == folder.end();
}

/// What may be read: a pipe that the user names, but none that a model names, because opening it could wait for ever.
enum class Pipes : std::uint8_t { read, refuse };

std::optional<std::string> why_not_readable(platform::FileKind kind, Pipes pipes) {
  using platform::FileKind;
  if (kind == FileKind::folder) return "is a folder, expected a file";
  if (kind == FileKind::device) return "is a device, expected a file";
  if (kind == FileKind::socket) return "is a socket, expected a file";
  if (kind == FileKind::pipe && pipes == Pipes::refuse) return "is a pipe, expected a file";
  return std::nullopt;
}

/// A growing byte array whose new memory is not cleared.
class Buffer {
 public:
  explicit Buffer(MemoryResource* memory) : memory_(memory) {}
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    auto grown = shared_bytes(memory_, capacity);
    if (memory_ == nullptr) prefer_large_pages(grown.get(), capacity);
    std::copy_n(data_.get(), size_, grown.get());
    data_ = std::move(grown);
    capacity_ = capacity;
  }
  [[nodiscard]] std::span<std::byte> free() { return {data_.get() + size_, capacity_ - size_}; }
  void filled(std::size_t count) { size_ += count; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] Bytes take() {
    if (size_ == 0) return {};
    return {{data_.get(), size_}, data_};
  }

 private:
  MemoryResource* memory_;
  std::shared_ptr<std::byte[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// Reads to the end. `size_hint` (0: unknown) avoids reallocations.
Result<Bytes> read_all(int descriptor, const std::filesystem::path& path, std::uint64_t size_hint, std::uint64_t most,
                       MemoryResource* memory) {
  if (size_hint > most) return too_large(path, size_hint, most);
  Buffer buffer(memory);
  buffer.reserve(static_cast<std::size_t>(size_hint) + 1);  // one more byte, to detect the end without growing
  for (;;) {
    if (buffer.free().empty()) buffer.reserve(std::max<std::size_t>(buffer.capacity() * 2, 64 << 10));
    const std::ptrdiff_t count = platform::read(descriptor, buffer.free());
    if (count < 0) return io_error(path, "cannot be read: " + reason(errno));
    if (count == 0) return buffer.take();
    buffer.filled(static_cast<std::size_t>(count));
    if (buffer.size() > most) return too_large(path, buffer.size(), most);
  }
}

Result<Bytes> map_all(int descriptor, const std::filesystem::path& path, std::size_t size) {
  const void* address = platform::map(descriptor, size);
  if (address == nullptr) return io_error(path, "cannot be mapped: " + reason(errno));
  MappedFile mapping(path, address, size);
  auto owner = std::make_shared<const MappedFile>(std::move(mapping));
  return Bytes{owner->bytes(), owner};
}

/// `shown` is the name for messages.
Result<Bytes> read_with(platform::Opening opening, const std::filesystem::path& path, const std::filesystem::path& shown, FileAccess access,
                        std::uint64_t most_copied, Pipes pipes, MemoryResource* memory) {
  // Checks the type before opening, because opening a device can have effects.
  auto status = platform::status_of(path, platform::Links::follow);
  if (!status) return io_error(shown, "cannot be opened: " + reason(errno));
  if (const auto why = why_not_readable(status->kind, pipes)) return io_error(shown, *why);
  const Descriptor file = platform::open_to_read(path, opening);
  if (file) status = platform::status_of(file.get());
  if (!file || !status) return io_error(shown, "cannot be opened: " + reason(errno));
  if (const auto why = why_not_readable(status->kind, pipes)) return io_error(shown, *why);
  if (status->kind != platform::FileKind::regular) return read_all(file.get(), shown, 0, most_copied, memory);
  if (is_copied(status->size, access)) return read_all(file.get(), shown, status->size, most_copied, memory);
  return map_all(file.get(), shown, static_cast<std::size_t>(status->size));
}

}  // namespace

Result<Bytes> read_file(const std::filesystem::path& path, FileAccess access, std::uint64_t most_copied, MemoryResource* memory) SINEW_TRY {
  if (path == "-") {
    platform::use_bytes(platform::standard_input);
    return read_all(platform::standard_input, path, 0, most_copied, memory);
  }
  return read_with(platform::Opening::any, path, path, access, most_copied, Pipes::read, memory);
}
SINEW_CATCH({path_text(path), std::nullopt, std::nullopt})

Result<Bytes> read_named_file(const std::filesystem::path& folder, const std::filesystem::path& path,
                              const OpenOptions& options) SINEW_TRY {
  std::error_code unknown;  // a file that is not there is reported when it is opened
  const std::filesystem::path real = std::filesystem::weakly_canonical(absolute(path, unknown), unknown);
  if (!options.allow_outside && !is_inside(real_folder(folder), real)) return io_error(path, std::string(leads_outside));
  return read_with(platform::Opening::without_links, real, path, options.access, options.limits.memory, Pipes::refuse, options.memory);
}
SINEW_CATCH({path_text(path), std::nullopt, std::nullopt})

Result<Bytes> read_made_file(const std::filesystem::path& path, std::uint64_t most) SINEW_TRY {
  return read_with(platform::Opening::made, path, path, FileAccess::copy, most, Pipes::refuse, nullptr);
}
SINEW_CATCH({path_text(path), std::nullopt, std::nullopt})

std::filesystem::path canonical_folder_of(const std::filesystem::path& file) {
  std::error_code unknown;
  return weakly_canonical(absolute(file, unknown).parent_path(), unknown);
}

std::filesystem::path real_folder(const std::filesystem::path& folder) {
  std::error_code unknown;
  return std::filesystem::weakly_canonical(folder.empty() ? "." : folder, unknown);
}

std::optional<std::string> why_outside(const std::filesystem::path& folder, const std::filesystem::path& file) {
  std::error_code status;
  const std::filesystem::path real_folder = std::filesystem::weakly_canonical(folder.empty() ? "." : folder, status);
  if (status) return "the document's folder cannot be resolved: " + status.message();
  const std::filesystem::path real_file = std::filesystem::weakly_canonical(real_folder / file, status);
  if (status) return "it cannot be resolved: " + status.message();
  if (!is_inside(real_folder, real_file)) return std::string(leads_outside);
  return std::nullopt;
}

void prefer_large_pages(void* memory, std::size_t size) { platform::prefer_large_pages(memory, size); }

}  // namespace sinew::document

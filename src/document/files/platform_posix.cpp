// SPDX-License-Identifier: MIT
#include "document/files/platform.hpp"

#ifndef _WIN32

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if __has_include(<sys/random.h>)
#include <sys/random.h>
#endif
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#include <cerrno>
#include <cstdio>
#include <memory>

namespace sinew::document {

bool Descriptor::close() { return ::close(std::exchange(value_, -1)) == 0; }

namespace platform {
namespace {

FileStatus status_from(const struct stat& status) {
  FileStatus found{FileKind::regular, static_cast<std::uint64_t>(status.st_size), static_cast<unsigned>(status.st_mode & 07777)};
  if (S_ISDIR(status.st_mode)) found.kind = FileKind::folder;
  if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) found.kind = FileKind::device;
  if (S_ISSOCK(status.st_mode)) found.kind = FileKind::socket;
  if (S_ISFIFO(status.st_mode)) found.kind = FileKind::pipe;
  if (S_ISLNK(status.st_mode)) found.kind = FileKind::link;
  return found;
}

// Follows no symbolic link, also where a folder of the path has become one. An old kernel, or a sandbox, looks at the last name only.
Descriptor open_without_links(const std::filesystem::path& path) {
#ifdef SYS_openat2
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  Descriptor file(static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof(how))));
  if (file || (errno != ENOSYS && errno != EPERM)) return file;
#endif
  return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
}

}  // namespace

std::optional<FileStatus> status_of(const std::filesystem::path& path, Links links) {
  struct stat status{};
  if ((links == Links::follow ? ::stat(path.c_str(), &status) : ::lstat(path.c_str(), &status)) != 0) return std::nullopt;
  return status_from(status);
}

std::optional<FileStatus> status_of(int file) {
  struct stat status{};
  if (::fstat(file, &status) != 0) return std::nullopt;
  return status_from(status);
}

Descriptor open_to_read(const std::filesystem::path& path, Opening how) {
  if (how == Opening::without_links) return open_without_links(path);
  return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | (how == Opening::made ? O_NOFOLLOW | O_NONBLOCK : 0)));
}

Descriptor open_to_write(const std::filesystem::path& path) { return Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC)); }

Descriptor create_new(const std::filesystem::path& path, bool own) {
  return Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, own ? 0600 : 0666));
}

bool set_permissions(int file, unsigned permissions) { return ::fchmod(file, static_cast<mode_t>(permissions)) == 0; }

bool may_write(const std::filesystem::path& path) { return ::access(path.c_str(), W_OK) == 0; }

void use_bytes(int /*standard_stream*/) {}

std::ptrdiff_t read(int file, std::span<std::byte> bytes) {
  for (;;)
    if (const ssize_t count = ::read(file, bytes.data(), bytes.size()); count >= 0 || errno != EINTR) return count;
}

std::ptrdiff_t write(int file, std::string_view bytes) {
  for (;;)
    if (const ssize_t count = ::write(file, bytes.data(), bytes.size()); count >= 0 || errno != EINTR) return count;
}

std::ptrdiff_t write_at(int file, std::uint64_t offset, std::string_view bytes) {
  for (;;)
    if (const ssize_t count = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset)); count >= 0 || errno != EINTR)
      return count;
}

void begin_storing([[maybe_unused]] int file, [[maybe_unused]] std::uint64_t offset, [[maybe_unused]] std::size_t size) {
#ifdef SYNC_FILE_RANGE_WRITE
  static_cast<void>(::sync_file_range(file, static_cast<off_t>(offset), static_cast<off_t>(size), SYNC_FILE_RANGE_WRITE));
#endif
}

bool store(int file) { return ::fsync(file) == 0; }

bool replace(const std::filesystem::path& from, const std::filesystem::path& to) { return ::rename(from.c_str(), to.c_str()) == 0; }

void store_names(const std::filesystem::path& folder) {
  if (const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); opened) static_cast<void>(::fsync(opened.get()));
}

void remove(const std::filesystem::path& path) { ::unlink(path.c_str()); }

bool random_bytes(std::span<unsigned char> bytes) { return ::getentropy(bytes.data(), bytes.size()) == 0; }

const void* map(int file, std::size_t size) {
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  return address == MAP_FAILED ? nullptr : address;
}

void unmap(const void* address, std::size_t size) { ::munmap(const_cast<void*>(address), size); }

void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t size) {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t page = 4096, large = std::size_t{2} << 20;
  if (size < 2 * large || std::align(page, size - page, memory, size) == nullptr) return;
  static_cast<void>(::madvise(memory, size, MADV_HUGEPAGE));
#endif
}

void remove_in_handler(const char* path) noexcept { ::unlink(path); }

void wait_for_end() noexcept { ::pause(); }

}  // namespace platform
}  // namespace sinew::document

#endif

// SPDX-License-Identifier: MIT
#if defined(_WIN32) && !defined(_CRT_RAND_S)
#define _CRT_RAND_S  // for rand_s: random numbers of the system, which need no other library
#endif

#include "document/files/platform.hpp"

#ifdef _WIN32

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <limits>

namespace sinew::document {

bool Descriptor::close() { return ::_close(std::exchange(value_, -1)) == 0; }

namespace platform {
namespace {

void set_errno() {
  switch (::GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_BAD_NETPATH:
    case ERROR_INVALID_DRIVE:
      errno = ENOENT;
      break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_WRITE_PROTECT:
    case ERROR_USER_MAPPED_FILE:
      errno = EACCES;
      break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      errno = EEXIST;
      break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
    case ERROR_COMMITMENT_LIMIT:
      errno = ENOMEM;
      break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      errno = ENOSPC;
      break;
    case ERROR_TOO_MANY_OPEN_FILES:
      errno = EMFILE;
      break;
    default:
      errno = EIO;
  }
}

std::uint64_t joined(DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; }

FileStatus status_from(DWORD attributes, std::uint64_t size) {
  return {(attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? FileKind::folder : FileKind::regular, size, attributes};
}

Descriptor descriptor_of(HANDLE handle, int flags) {
  if (handle == INVALID_HANDLE_VALUE) {
    set_errno();
    return {};
  }
  const int file = ::_open_osfhandle(reinterpret_cast<std::intptr_t>(handle), flags | _O_BINARY | _O_NOINHERIT);
  if (file < 0) ::CloseHandle(handle);
  return Descriptor(file);
}

// Others may read, rename and remove a file that is open.
constexpr DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

HANDLE open_handle(const wchar_t* path, DWORD access, DWORD creation, DWORD flags) {
  return ::CreateFileW(path, access, shared, nullptr, creation, FILE_ATTRIBUTE_NORMAL | flags, nullptr);
}

DWORD chunk_of(std::size_t size) { return static_cast<DWORD>(std::min<std::size_t>(size, std::numeric_limits<int>::max())); }

}  // namespace

std::optional<FileStatus> status_of(const std::filesystem::path& path, Links links) {
  WIN32_FILE_ATTRIBUTE_DATA data{};
  if (::GetFileAttributesExW(path.c_str(), GetFileExInfoStandard, &data) == 0) {
    set_errno();
    return std::nullopt;
  }
  FileStatus found = status_from(data.dwFileAttributes, joined(data.nFileSizeHigh, data.nFileSizeLow));
  if ((data.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0) return found;
  std::error_code unknown;  // other things than links are reparse points, too, as files that are stored in a network
  if (!std::filesystem::is_symlink(path, unknown)) return found;
  if (links == Links::stay) {
    found.kind = FileKind::link;
    return found;
  }
  const Descriptor file = descriptor_of(open_handle(path.c_str(), 0, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS), _O_RDONLY);
  return file ? status_of(file.get()) : std::nullopt;
}

std::optional<FileStatus> status_of(int file) {
  const auto handle = reinterpret_cast<HANDLE>(::_get_osfhandle(file));
  switch (::GetFileType(handle)) {
    case FILE_TYPE_CHAR:
      return FileStatus{FileKind::device, 0, 0};
    case FILE_TYPE_PIPE:
      return FileStatus{FileKind::pipe, 0, 0};
    default:
      break;
  }
  BY_HANDLE_FILE_INFORMATION data{};
  if (::GetFileInformationByHandle(handle, &data) == 0) {
    set_errno();
    return std::nullopt;
  }
  return status_from(data.dwFileAttributes, joined(data.nFileSizeHigh, data.nFileSizeLow));
}

Descriptor open_to_read(const std::filesystem::path& path, Opening how) {
  const DWORD flags = how == Opening::any ? 0 : FILE_FLAG_OPEN_REPARSE_POINT;
  Descriptor file = descriptor_of(open_handle(path.c_str(), GENERIC_READ, OPEN_EXISTING, flags), _O_RDONLY);
  if (!file || how == Opening::any) return file;
  FILE_ATTRIBUTE_TAG_INFO tag{};
  const auto handle = reinterpret_cast<HANDLE>(::_get_osfhandle(file.get()));
  if (::GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &tag, sizeof tag) != 0 &&
      (tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 && IsReparseTagNameSurrogate(tag.ReparseTag)) {
    static_cast<void>(file.close());
    errno = ELOOP;
  }
  return file;
}

Descriptor open_to_write(const std::filesystem::path& path) {
  return descriptor_of(open_handle(path.c_str(), GENERIC_WRITE, OPEN_EXISTING, 0), _O_WRONLY);
}

// A new file has the rights of its folder.
Descriptor create_new(const std::filesystem::path& path, bool /*own*/) {
  return descriptor_of(open_handle(path.c_str(), GENERIC_WRITE, CREATE_NEW, 0), _O_WRONLY);
}

bool set_permissions(int /*file*/, unsigned /*permissions*/) { return true; }

bool may_write(const std::filesystem::path& path) {
  const DWORD attributes = ::GetFileAttributesW(path.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES) {
    set_errno();
    return false;
  }
  if ((attributes & FILE_ATTRIBUTE_READONLY) == 0) return true;
  errno = EACCES;
  return false;
}

void use_bytes(int standard_stream) { static_cast<void>(::_setmode(standard_stream, _O_BINARY)); }

std::ptrdiff_t read(int file, std::span<std::byte> bytes) { return ::_read(file, bytes.data(), chunk_of(bytes.size())); }

std::ptrdiff_t write(int file, std::string_view bytes) { return ::_write(file, bytes.data(), chunk_of(bytes.size())); }

std::ptrdiff_t write_at(int file, std::uint64_t offset, std::string_view bytes) {
  const auto end = ::_telli64(file);
  if (end < 0 || ::_lseeki64(file, static_cast<long long>(offset), SEEK_SET) < 0) return -1;
  const std::ptrdiff_t count = ::_write(file, bytes.data(), chunk_of(bytes.size()));
  return ::_lseeki64(file, end, SEEK_SET) < 0 ? -1 : count;
}

void begin_storing(int /*file*/, std::uint64_t /*offset*/, std::size_t /*size*/) {}

bool store(int file) { return ::_commit(file) == 0; }

bool replace(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0) return true;
  set_errno();
  return false;
}

void store_names(const std::filesystem::path& /*folder*/) {}

void remove(const std::filesystem::path& path) { ::DeleteFileW(path.c_str()); }

bool random_bytes(std::span<unsigned char> bytes) {
  for (unsigned char& byte : bytes) {
    unsigned number = 0;
    if (const auto failed = ::rand_s(&number); failed != 0) {
      errno = failed;
      return false;
    }
    byte = static_cast<unsigned char>(number);
  }
  return true;
}

const void* map(int file, std::size_t size) {
  const HANDLE mapping = ::CreateFileMappingW(reinterpret_cast<HANDLE>(::_get_osfhandle(file)), nullptr, PAGE_READONLY,
                                              static_cast<DWORD>(std::uint64_t{size} >> 32), static_cast<DWORD>(size), nullptr);
  const void* const address = mapping != nullptr ? ::MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, size) : nullptr;
  if (address == nullptr) set_errno();
  if (mapping != nullptr) ::CloseHandle(mapping);  // the view keeps it
  return address;
}

void unmap(const void* address, std::size_t /*size*/) { ::UnmapViewOfFile(address); }

void prefer_large_pages(void* /*memory*/, std::size_t /*size*/) {}

void remove_in_handler(const char* path) noexcept {
  std::array<wchar_t, 4096> wide{};
  if (::MultiByteToWideChar(CP_UTF8, 0, path, -1, wide.data(), static_cast<int>(wide.size())) > 0) ::DeleteFileW(wide.data());
}

void wait_for_end() noexcept { ::Sleep(INFINITE); }

}  // namespace platform
}  // namespace sinew::document

#endif

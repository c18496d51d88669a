// SPDX-License-Identifier: MIT
// Files of the machine, by program.js: what the library asks of an operating system, and the functions of <filesystem>.
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "document/files/platform.hpp"
#include "program/host.hpp"

namespace {

/// 0 or an error: as 0 or −1 with errno.
bool done(int number) {
  if (number != 0) errno = number;
  return number == 0;
}
/// A number or, below zero, an error.
std::ptrdiff_t found(int number) {
  if (number >= 0) return number;
  errno = -number;
  return -1;
}

std::optional<host::Status> host_status_at(const std::filesystem::path& path, bool follow) {
  host::Status status{};
  if (!done(host_status(path.native().data(), path.native().size(), follow ? 1 : 0, &status))) return std::nullopt;
  return status;
}

bool host_does(host::PathWork work, const std::filesystem::path& path, const std::filesystem::path& other = {}) {
  return done(host_path_work(work, path.native().data(), path.native().size(), other.native().data(), other.native().size()));
}

std::optional<std::string> host_text(host::PathText what, const std::filesystem::path& path) {
  const std::ptrdiff_t size = found(host_path_text(what, path.native().data(), path.native().size()));
  if (size < 0) return std::nullopt;
  std::string text(static_cast<std::size_t>(size), '\0');
  host_take(text.data());
  return text;
}

}  // namespace

// For batch/file_id.hpp, by the linker (--wrap).
extern "C" int __wrap_stat(const char* __restrict path, struct stat* __restrict status) {
  const auto found = host_status_at(path, true);
  if (!found) return -1;
  *status = {};
  status->st_mode = found->kind == 0 ? S_IFREG : S_IFDIR;
  status->st_dev = static_cast<dev_t>(found->device);
  status->st_ino = static_cast<ino_t>(found->number);
  return 0;
}

namespace sinew::document {

bool Descriptor::close() { return done(host_close(std::exchange(value_, -1))); }

namespace platform {
namespace {

FileStatus status_from(const host::Status& status) {
  return {static_cast<FileKind>(static_cast<int>(status.kind)), static_cast<std::uint64_t>(status.size),
          static_cast<unsigned>(status.permissions)};
}

Descriptor open_by_host(const std::filesystem::path& path, host::Opening how, int permissions = 0) {
  return Descriptor(static_cast<int>(found(host_open(path.native().data(), path.native().size(), how, permissions))));
}

}  // namespace

std::optional<FileStatus> status_of(const std::filesystem::path& path, Links links) {
  const auto status = host_status_at(path, links == Links::follow);
  if (!status) return std::nullopt;
  return status_from(*status);
}

std::optional<FileStatus> status_of(int file) {
  host::Status status{};
  if (!done(host_status_of(file, &status))) return std::nullopt;
  return status_from(status);
}

Descriptor open_to_read(const std::filesystem::path& path, Opening) { return open_by_host(path, host::to_read); }
Descriptor open_to_write(const std::filesystem::path& path) { return open_by_host(path, host::to_write); }
Descriptor create_new(const std::filesystem::path& path, bool own) { return open_by_host(path, host::new_file, own ? 0600 : 0666); }
bool set_permissions(int file, unsigned permissions) { return done(host_permissions(file, static_cast<int>(permissions))); }
bool may_write(const std::filesystem::path& path) { return host_does(host::work_may_write, path); }
void use_bytes(int) {}

std::ptrdiff_t read(int file, std::span<std::byte> bytes) { return found(host_read(file, bytes.data(), bytes.size())); }
std::ptrdiff_t write(int file, std::string_view bytes) { return found(host_write(file, bytes.data(), bytes.size(), -1)); }
std::ptrdiff_t write_at(int file, std::uint64_t offset, std::string_view bytes) {
  return found(host_write(file, bytes.data(), bytes.size(), static_cast<double>(offset)));
}
void begin_storing(int, std::uint64_t, std::size_t) {}
bool store(int file) { return done(host_store(file)); }
bool replace(const std::filesystem::path& from, const std::filesystem::path& to) { return host_does(host::work_rename, from, to); }
void store_names(const std::filesystem::path&) {}
void remove(const std::filesystem::path& path) { static_cast<void>(host_does(host::work_remove_file, path)); }

bool random_bytes(std::span<unsigned char> bytes) { return ::getentropy(bytes.data(), bytes.size()) == 0; }

// A copy: there are no mapped files.
const void* map(int file, std::size_t size) {
  auto* const bytes = static_cast<std::byte*>(std::malloc(size));
  for (std::size_t at = 0; bytes != nullptr && at < size;) {
    const std::ptrdiff_t count = read(file, {bytes + at, size - at});
    if (count > 0) {
      at += static_cast<std::size_t>(count);
      continue;
    }
    if (count == 0) errno = EIO;
    std::free(bytes);
    return nullptr;
  }
  return bytes;
}
void unmap(const void* address, std::size_t) { std::free(const_cast<void*>(address)); }
void prefer_large_pages(void*, std::size_t) {}

void remove_in_handler(const char*) noexcept {}
void wait_for_end() noexcept {}

}  // namespace platform
}  // namespace sinew::document

_LIBCPP_BEGIN_NAMESPACE_FILESYSTEM

namespace {

/// Reports what errno says, in `ec` or as an exception.
template <class T>
T failed(const char* what, error_code* ec, T value, const path& where = {}) {
  const error_code code(errno, generic_category());
  if (ec == nullptr) throw filesystem_error(what, where, code);
  *ec = code;
  return value;
}
template <class T>
T succeeded(error_code* ec, T value) {
  if (ec != nullptr) ec->clear();
  return value;
}

file_status as_status(const host::Status& found) {
  constexpr array kinds = {file_type::regular, file_type::directory, file_type::character,
                           file_type::socket,  file_type::fifo,      file_type::symlink};
  return file_status(kinds.at(static_cast<std::size_t>(found.kind)), static_cast<perms>(static_cast<unsigned>(found.permissions)));
}

file_status status_or_none(const path& p, bool follow, error_code* ec) {
  if (const auto status = host_status_at(p, follow)) return succeeded(ec, as_status(*status));
  if (errno == ENOENT || errno == ENOTDIR) {
    if (ec != nullptr) *ec = error_code(errno, generic_category());
    return file_status(file_type::not_found);
  }
  return failed("status", ec, file_status(file_type::none), p);
}

}  // namespace

file_status __status(const path& p, error_code* ec) { return status_or_none(p, true, ec); }
file_status __symlink_status(const path& p, error_code* ec) { return status_or_none(p, false, ec); }

path __current_path(error_code* ec) {
  if (const auto text = host_text(host::text_current, {})) return succeeded(ec, path(*text));
  return failed("current_path", ec, path());
}
path __absolute(const path& p, error_code* ec) {
  if (p.is_absolute()) return succeeded(ec, p);
  const path folder = __current_path(ec);
  return folder.empty() ? path() : folder / p;
}
path __canonical(const path& p, error_code* ec) {
  if (const auto text = host_text(host::text_real, p)) return succeeded(ec, path(*text));
  return failed("canonical", ec, path(), p);
}
path __weakly_canonical(const path& p, error_code* ec) {
  path first = p, rest;
  while (!first.empty() && !host_status_at(first, true)) {
    if (errno != ENOENT && errno != ENOTDIR) return failed("weakly_canonical", ec, path(), p);
    rest = rest.empty() ? first.filename() : first.filename() / rest;
    if (first == first.parent_path()) break;
    first = first.parent_path();
  }
  if (first.empty()) return succeeded(ec, p.lexically_normal());
  const path real = __canonical(first, ec);
  if (real.empty()) return {};
  return rest.empty() ? real : (real / rest).lexically_normal();
}
path __read_symlink(const path& p, error_code* ec) {
  if (const auto text = host_text(host::text_link, p)) return succeeded(ec, path(*text));
  return failed("read_symlink", ec, path(), p);
}

uintmax_t __file_size(const path& p, error_code* ec) {
  const auto status = host_status_at(p, true);
  if (status && status->kind == 0) return succeeded(ec, static_cast<uintmax_t>(status->size));
  if (status) errno = status->kind == 1 ? EISDIR : ENOTSUP;
  return failed("file_size", ec, static_cast<uintmax_t>(-1), p);
}

bool __create_directory(const path& p, error_code* ec) {
  if (host_does(host::work_make_folder, p)) return succeeded(ec, true);
  const int reason = errno;
  if (const auto status = host_status_at(p, true); reason == EEXIST && status && status->kind == 1) return succeeded(ec, false);
  errno = reason;
  return failed("create_directory", ec, false, p);
}
bool __create_directories(const path& p, error_code* ec) {
  if (const auto status = host_status_at(p, true)) {
    if (status->kind == 1) return succeeded(ec, false);
    errno = ENOTDIR;
    return failed("create_directories", ec, false, p);
  }
  if (const path parent = p.parent_path(); !parent.empty() && parent != p) {
    error_code above;
    __create_directories(parent, &above);
    if (above) {
      errno = above.value();
      return failed("create_directories", ec, false, p);
    }
  }
  return p.has_filename() ? __create_directory(p, ec) : succeeded(ec, true);
}

bool __remove(const path& p, error_code* ec) {
  const auto status = host_status_at(p, false);
  if (status && host_does(status->kind == 1 ? host::work_remove_folder : host::work_remove_file, p)) return succeeded(ec, true);
  return errno == ENOENT ? succeeded(ec, false) : failed("remove", ec, false, p);
}
uintmax_t __remove_all(const path& p, error_code* ec) {
  if (!host_status_at(p, false)) return succeeded(ec, uintmax_t{0});
  return host_does(host::work_remove_all, p) ? succeeded(ec, uintmax_t{1}) : failed("remove_all", ec, static_cast<uintmax_t>(-1), p);
}
void __rename(const path& from, const path& to, error_code* ec) {
  host_does(host::work_rename, from, to) ? succeeded(ec, 0) : failed("rename", ec, 0, from);
}
path __temp_directory_path(error_code* ec) {
  const char* const folder = std::getenv("TMPDIR");
  return succeeded(ec, path(folder == nullptr ? "/tmp" : folder));
}

error_code directory_entry::__do_refresh() noexcept {
  __data_.__reset();
  error_code failure;
  const file_status link = status_or_none(__p_, false, &failure);
  if (!status_known(link)) return failure;
  __data_.__cache_type_ = directory_entry::_RefreshNonSymlink;
  __data_.__type_ = link.type();
  __data_.__non_sym_perms_ = link.permissions();
  if (link.type() != file_type::symlink) return failure;
  const file_status target = status_or_none(__p_, true, &failure);
  __data_.__cache_type_ = directory_entry::_RefreshSymlink;
  __data_.__type_ = target.type();
  __data_.__non_sym_perms_ = target.permissions();
  return failure;
}

/// The names in a folder.
class __dir_stream {
 public:
  vector<directory_entry> entries;
  size_t at = 0;
};

directory_iterator::directory_iterator(const path& p, error_code* ec, directory_options) {
  const auto names = host_text(host::text_names, p);
  if (!names) {
    failed("directory_iterator", ec, 0, p);
    return;
  }
  auto stream = make_shared<__dir_stream>();
  for (std::string_view rest = *names; !rest.empty();) {
    const std::size_t end = rest.find('\0');
    error_code unknown;
    stream->entries.emplace_back(p / rest.substr(0, end), unknown);
    rest.remove_prefix(end + 1);
  }
  if (!stream->entries.empty()) __imp_ = std::move(stream);
  succeeded(ec, 0);
}
directory_iterator& directory_iterator::__increment(error_code* ec) {
  if (++__imp_->at == __imp_->entries.size()) __imp_.reset();
  succeeded(ec, 0);
  return *this;
}
const directory_entry& directory_iterator::__dereference() const { return __imp_->entries[__imp_->at]; }

_LIBCPP_END_NAMESPACE_FILESYSTEM

// Mentioned by CLI11, which reads no file here.
template class std::basic_filebuf<char>;
template class std::basic_ifstream<char>;

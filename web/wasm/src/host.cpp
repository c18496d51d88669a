// SPDX-License-Identifier: MIT
// What the library has from an operating system elsewhere, and from JavaScript here: files, and an end to calls that run out of memory.
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "base/catalogue.hpp"
#include "base/memory.hpp"
#include "base/path_text.hpp"
#include "document/files/file.hpp"
#include "document/json/json_text.hpp"

#define HOST(name) extern "C" __attribute__((import_module("sinew"), import_name(#name)))

/// Looks for the file and keeps it for read_file: its size in bytes, or -1 where there is none.
HOST(open_file) double host_open_file(const char* name, std::size_t length);
/// Copies the file that was opened last.
HOST(read_file) void host_read_file(std::byte* to);
/// Throws in JavaScript, which unwinds all frames up to the call that came from there. Nothing is destroyed on the way.
HOST(out_of_memory) [[noreturn]] void host_out_of_memory();

namespace sinew::document {

Result<Bytes> read_file(const std::filesystem::path& path, FileAccess, std::uint64_t most_copied, MemoryResource* memory) {
  const Place place{path_text(path), std::nullopt, std::nullopt};
  const std::string& name = path.native();
  const double found = host_open_file(name.data(), name.size());
  if (found < 0) return Unexpected(error("IO_ERROR"_code, Failure::input, place, "cannot be opened: No such file or directory"));
  const auto size = static_cast<std::uint64_t>(found);
  if (size > most_copied)
    return Unexpected(error("SINEW_MEMORY_LIMIT"_code, Failure::limit, place, "the file's content", size, most_copied));
  if (size == 0) return Bytes{};
  auto owner = shared_bytes(memory, static_cast<std::size_t>(size));
  host_read_file(owner.get());
  const std::span<const std::byte> view(owner.get(), static_cast<std::size_t>(size));
  return Bytes{view, std::move(owner)};
}

// There are no links, and JavaScript decides what a name means.
Result<Bytes> read_named_file(const std::filesystem::path&, const std::filesystem::path& path, const OpenOptions& options) {
  return read_file(path, options.access, options.limits.memory, options.memory);
}
std::filesystem::path real_folder(const std::filesystem::path& folder) { return folder; }
std::optional<std::string> why_outside(const std::filesystem::path&, const std::filesystem::path&) { return std::nullopt; }

void prefer_large_pages(void*, std::size_t) {}

}  // namespace sinew::document

// Exceptions are compiled out, and all that the library throws says that memory ran out. Those of the standard library are of that kind
// too: sizes beyond what the address space holds.
extern "C" {
void* __cxa_allocate_exception(std::size_t) { host_out_of_memory(); }
[[noreturn]] void __cxa_throw(void*, void*, void (*)(void*)) { host_out_of_memory(); }
}
void std::__libcpp_verbose_abort(const char*, ...) { host_out_of_memory(); }

namespace {
void* allocate(std::size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) host_out_of_memory();
  return memory;
}
void* allocate(std::size_t size, std::align_val_t alignment) {
  void* memory = nullptr;
  if (::posix_memalign(&memory, static_cast<std::size_t>(alignment), size == 0 ? 1 : size) != 0) host_out_of_memory();
  return memory;
}
}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) { return allocate(size, alignment); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return allocate(size, alignment); }

// SPDX-License-Identifier: MIT
#include "document/files/output.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>
#include <system_error>

#include "base/catalogue.hpp"
#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/files/platform.hpp"
#include "document/files/process_state.hpp"

namespace sinew::document {
namespace {

Error output_error(const std::filesystem::path& target, std::string_view what) {
  return error("SINEW_OUTPUT"_code, Failure::output, {path_text(target), std::nullopt, std::nullopt}, what);
}
Error output_error(const std::filesystem::path& target, std::string_view what, int number) {
  return output_error(target, format_text("{}: {}", what, reason(number)));
}

std::filesystem::path folder_of(const std::filesystem::path& file) { return file.has_parent_path() ? file.parent_path() : "."; }

// Returns ".NAME.sinew-XXXXXX" beside `path`.
std::optional<std::filesystem::path> temporary_name(const std::filesystem::path& path) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz012345";  // 32 letters: no bias
  constexpr std::size_t longest_name = 200;                                 // below NAME_MAX with the added characters
  std::array<unsigned char, 6> random{};
  if (!platform::random_bytes(random)) return std::nullopt;
  std::string name = format_text(".{}.sinew-", path_text(path.filename()).substr(0, longest_name));
  for (const unsigned char byte : random) name += letters[byte % letters.size()];
  return folder_of(path) / path_of(name);
}

}  // namespace

// std::filesystem cannot resolve a link to a missing file.
Result<std::filesystem::path> follow_links(const std::filesystem::path& target) {
  constexpr int most_links = 40;  // as in Linux
  std::filesystem::path path = target;
  for (int i = 0; i < most_links; ++i) {
    std::error_code status;
    const std::filesystem::path next = std::filesystem::read_symlink(path, status);
    if (status) return path;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return Unexpected(output_error(target, "cannot be written: too many symbolic links"));
}

struct OutputFile::State {
  std::filesystem::path target;     ///< as the caller gave it
  std::filesystem::path path;       ///< with links resolved
  std::filesystem::path temporary;  ///< empty: written directly
  RecordedPath recorded;            ///< of the temporary file
  Descriptor owned;
  int descriptor = -1;
  std::uint64_t written = 0;
  std::string pending;          ///< small writes are collected
  std::optional<Error> failed;  ///< the first failed write; the file must not be committed

  State(std::filesystem::path target_, std::filesystem::path path_) : target(std::move(target_)), path(std::move(path_)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (temporary.empty()) return;
    static_cast<void>(owned ? owned.close() : true);  // some systems keep a file that is open
    platform::remove(temporary);
  }

  [[nodiscard]] Result<> open_direct() {
    owned = platform::open_to_write(path);
    descriptor = owned.get();
    if (!owned) return Unexpected(output_error(target, "cannot be opened for writing", errno));
    return {};
  }

  // `old_mode`: the permissions of the file if it `exists`.
  [[nodiscard]] Result<> open_temporary(bool exists, unsigned old_mode) {
    for (int tries = 0; tries < 100; ++tries) {
      const auto name = temporary_name(path);
      if (!name) break;
      recorded = RecordedPath::output(*name);
      // Never more permissive than the final file; a new file follows the umask.
      owned = platform::create_new(*name, exists);
      if (!owned && errno == EEXIST) continue;
      if (!owned) break;
      temporary = *name;
      descriptor = owned.get();
      if (exists && !platform::set_permissions(descriptor, old_mode))
        return Unexpected(output_error(target, "its permissions cannot be preserved", errno));
      return {};
    }
    return Unexpected(output_error(target, "cannot create a file in its folder", errno));
  }

  [[nodiscard]] Result<> put(const char* data, std::size_t size) {
    const std::size_t all = size;
    while (size > 0) {
      const std::ptrdiff_t count = platform::write(descriptor, {data, size});
      if (count < 0) {
        failed = output_error(target, "cannot be written", errno);
        return Unexpected(*failed);
      }
      data += count;
      size -= static_cast<std::size_t>(count);
    }
    begin_storing(all);
    return {};
  }

  // Starts writing the last data to disk while the caller computes more, so that fsync is fast at the end (100 frames of 1.2 MB: 1 ms
  // instead of 55). The system may ignore this.
  void begin_storing(std::size_t size) {
    constexpr std::size_t worth_it = 256 << 10;
    if (!temporary.empty() && size >= worth_it) platform::begin_storing(descriptor, written, size);
    written += size;
  }

  [[nodiscard]] Result<> flush() {
    auto done = put(pending.data(), pending.size());
    pending.clear();
    return done;
  }

  [[nodiscard]] Result<> put_in_place() {
    if (!platform::store(descriptor) || !owned.close()) return Unexpected(output_error(target, "cannot be written", errno));
    if (!platform::replace(temporary, path)) return Unexpected(output_error(target, "cannot be replaced", errno));
    temporary.clear();
    recorded = {};
    platform::store_names(folder_of(path));  // the file is complete and in place
    return {};
  }
};

OutputFile::OutputFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

Result<OutputFile> OutputFile::create(const std::filesystem::path& target, OutputName name) SINEW_TRY {
  const bool made = name == OutputName::made;
  ask_deadline();  // here for the last time: a file that refers to others is written after them
  if (target == "-" && !made) {
    OutputFile output(std::make_unique<State>(target, target));
    platform::use_bytes(platform::standard_output);
    output.state_->descriptor = platform::standard_output;
    return output;
  }
  if (!target.has_filename()) return Unexpected(output_error(target, "is the name of a folder, expected a file"));
  auto path = made ? Result<std::filesystem::path>(target) : follow_links(target);
  if (!path) return Unexpected(std::move(path.error()));
  OutputFile output(std::make_unique<State>(target, std::move(*path)));
  State& state = *output.state_;
  using platform::FileKind;
  const auto old = platform::status_of(state.path, made ? platform::Links::stay : platform::Links::follow);
  bool exists = old.has_value();
  if (!exists && errno != ENOENT) return Unexpected(output_error(target, "cannot be written", errno));
  if (exists && old->kind == FileKind::folder) return Unexpected(output_error(target, "is a folder, expected a file"));
  if (made && exists && old->kind != FileKind::regular) exists = false;  // the file takes its place
  if (exists && old->kind != FileKind::regular) {
    if (auto opened = state.open_direct(); !opened) return Unexpected(std::move(opened.error()));
    return output;
  }
  if (!platform::status_of(folder_of(state.path), platform::Links::follow))
    return Unexpected(output_error(target, "its folder cannot be reached", errno));
  // Renaming would replace a read-only file.
  if (exists && !platform::may_write(state.path)) return Unexpected(output_error(target, "cannot be replaced", errno));
  if (auto opened = state.open_temporary(exists, old ? old->permissions : 0); !opened) return Unexpected(std::move(opened.error()));
  return output;
}
SINEW_CATCH()

Result<> OutputFile::write(std::span<const std::byte> bytes) SINEW_TRY {
  constexpr std::size_t gathered = 64 << 10;
  const char* data = reinterpret_cast<const char*>(bytes.data());
  if (state_->pending.size() + bytes.size() < gathered) {
    state_->pending.append(data, bytes.size());
    return {};
  }
  if (auto done = state_->flush(); !done) return done;
  return state_->put(data, bytes.size());
}
SINEW_CATCH()

Result<> OutputFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) SINEW_TRY {
  if (auto done = state_->flush(); !done) return done;
  std::string_view left(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  while (!left.empty()) {
    const std::ptrdiff_t count = platform::write_at(state_->descriptor, offset, left);
    if (count < 0) {
      state_->failed = output_error(state_->target, "cannot be written", errno);
      return Unexpected(*state_->failed);
    }
    offset += static_cast<std::uint64_t>(count);
    left.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}
SINEW_CATCH()

Result<> OutputFile::commit() SINEW_TRY {
  if (state_->failed) return Unexpected(*state_->failed);
  if (auto done = state_->flush(); !done) return done;
  if (!state_->temporary.empty()) return state_->put_in_place();
  if (state_->owned && !state_->owned.close()) return Unexpected(output_error(state_->target, "cannot be written", errno));
  return {};
}
SINEW_CATCH()

}  // namespace sinew::document

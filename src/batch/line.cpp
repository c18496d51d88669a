// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/files/output.hpp"
#include "document/files/platform.hpp"
#include "document/json/json_text.hpp"
#include "document/json/json_writer.hpp"

#include "sinew/batch.hpp"
#include "sinew/result.hpp"

namespace sinew::batch {

namespace {

// JSON must be UTF-8, but a path may be any bytes.
std::string to_utf8(std::string text) {
  while (const auto invalid = document::find_invalid_utf8(text)) text.replace(*invalid, 1, "\xEF\xBF\xBD");
  return text;
}

void write_error(document::JsonWriter& json, const Error& error) {
  json.begin_object();
  json.key("code").string(error.code);
  json.key("message").string(to_utf8(error.message));
  if (error.place.pointer) json.key("pointer").string(*error.place.pointer);
  if (error.place.offset) json.key("offset").integer(*error.place.offset);
  json.key("line").string(to_utf8(error.line()));
  json.end_object();
}

}  // namespace

std::string_view to_string(Did did) noexcept {
  constexpr std::array<std::string_view, 6> names = {"checked", "shown", "written", "unchanged", "failed", "refused"};
  return names[static_cast<std::size_t>(did)];
}

Result<std::string> to_json_line(const Line& line) SINEW_TRY {
  document::JsonWriter json;
  json.begin_object();
  json.key("command").string(line.command);
  json.key("version").string(version());
  json.key("uri").string(to_utf8(path_text(line.item->path)));
  json.key("number").integer(line.item->number);
  json.key("files").integer(line.total);
  json.key("shard").string(format_text("{}/{}", line.shard.index, line.shard.count));
  json.key("did").string(to_string(line.did));
  json.key("status").integer(line.status);
  if (!line.key.empty()) json.key("key").string(line.key);
  if (line.error) {
    json.key("error");
    write_error(json, *line.error);
  }
  if (!line.result.empty()) json.key("result").raw(line.result);
  json.end_object();
  return std::move(json).take() + '\n';
}
SINEW_CATCH()

struct LineWriter::State {
  std::optional<document::OutputFile> file;  ///< empty: standard output
};

LineWriter::LineWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
LineWriter::LineWriter(LineWriter&&) noexcept = default;
LineWriter& LineWriter::operator=(LineWriter&&) noexcept = default;
LineWriter::~LineWriter() = default;

Result<LineWriter> LineWriter::create(const std::filesystem::path& path, OutputName name) SINEW_TRY {
  auto state = std::make_unique<State>();
  if (!path.empty() && path != "-") {
    auto file = document::OutputFile::create(path, name);
    if (!file) return Unexpected(std::move(file.error()));
    state->file = std::move(*file);
  }
  return LineWriter(std::move(state));
}
SINEW_CATCH({path_text(path), {}, {}})

Result<> LineWriter::write(std::string_view line) SINEW_TRY {
  if (state_->file) return state_->file->write(line);
  while (!line.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      return Unexpected(
          error("SINEW_OUTPUT"_code, Failure::output, {}, format_text("cannot write to standard output: {}", document::reason(errno))));
    line.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}
SINEW_CATCH()

Result<> LineWriter::finish() SINEW_TRY { return state_->file ? state_->file->commit() : Result<>(); }
SINEW_CATCH()

}  // namespace sinew::batch

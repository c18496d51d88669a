// SPDX-License-Identifier: MIT
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/files/file.hpp"
#include "document/files/output.hpp"
#include "document/json/json.hpp"
#include "document/json/json_writer.hpp"

#include "sinew/batch.hpp"
#include "sinew/result.hpp"

namespace sinew::batch {

namespace {

using document::JsonValue;

/// Hashes parts; the boundaries between them count.
class Hash {
 public:
  Hash() { XXH3_128bits_reset(&state_); }

  void part(std::span<const std::byte> bytes) {
    const std::uint64_t size = bytes.size();
    XXH3_128bits_update(&state_, &size, sizeof size);
    XXH3_128bits_update(&state_, bytes.data(), bytes.size());
  }
  void part(std::string_view text) { part(std::as_bytes(std::span(text))); }

  [[nodiscard]] std::string digits() const {
    const XXH128_hash_t value = XXH3_128bits_digest(&state_);
    return format_text("{:016x}{:016x}", value.high64, value.low64);
  }

 private:
  XXH3_state_t state_;
};

// Hashes the files beside the document: their contents, or that they cannot be read.
void add_named(const document::Document& document, std::string_view list, Hash& hash) {
  for (const JsonValue named : document.json().root()[list].elements()) {
    const JsonValue uri = named["uri"];
    if (!uri.is(document::JsonKind::string)) continue;
    const std::string text = uri.string();
    if (text.starts_with("data:")) continue;  // its bytes are in the file itself
    const auto bytes = document.fetch(text);
    hash.part(text);
    hash.part(bytes ? std::string_view("there") : std::string_view(bytes.error().code));
    if (bytes) hash.part(bytes->view);
  }
}

std::filesystem::path record_path(const std::filesystem::path& output) {
  return output.parent_path() / path_of(format_text(".{}.sinew", path_text(output.filename())));
}

}  // namespace

Result<std::string> content_key(const std::filesystem::path& path, std::string_view options, const document::OpenOptions& open) SINEW_TRY {
  const auto bytes = document::read_file(path, open.access, open.limits.memory);
  if (!bytes) return Unexpected(bytes.error());
  Hash hash;
  hash.part(version());
  hash.part(options);
  hash.part(bytes->view);
  FindingList ignored;  // a broken file refers to no other file
  if (const auto document = document::open(path, open, ignored))
    for (const std::string_view list : {"buffers", "images"}) add_named(**document, list, hash);
  return hash.digits();
}
SINEW_CATCH({path_text(path), {}, {}})

namespace {

constexpr std::uint64_t most_record = 64 << 20;

/// content_key of an output, and the bytes of the files beside it. Waits for no pipe that has taken their places.
Result<std::string> output_key(const std::filesystem::path& output, std::span<const std::filesystem::path> beside,
                               const document::OpenOptions& open) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(output, unknown))
    return Unexpected(error("IO_ERROR"_code, Failure::input, Place{path_text(output), {}, {}}, "is no regular file"));
  auto key = content_key(output, {}, open);
  if (!key || beside.empty()) return key;
  Hash hash;
  hash.part(*key);
  for (const std::filesystem::path& file : beside) {
    const auto bytes = document::read_made_file(output.parent_path() / file.filename(), open.limits.memory);
    if (!bytes) return Unexpected(bytes.error());
    hash.part(bytes->view);
  }
  return hash.digits();
}

}  // namespace

Result<std::optional<Record>> find_record(const std::filesystem::path& output, std::string_view from,
                                          const document::OpenOptions& open) SINEW_TRY {
  const auto bytes = document::read_made_file(record_path(output), most_record);
  if (!bytes) return std::nullopt;
  const std::string_view text(reinterpret_cast<const char*>(bytes->view.data()), bytes->view.size());
  FindingList ignored;
  const auto json = document::Json::parse(text, open.limits, 0, ignored);
  if (!json || !json->root()["from"].equals(from)) return std::nullopt;
  std::vector<std::filesystem::path> beside;
  for (const JsonValue name : json->root()["beside"].elements()) beside.push_back(path_of(name.string()));
  const auto to = output_key(output, beside, open);
  if (!to || !json->root()["to"].equals(*to)) return std::nullopt;
  return Record{std::string(from), *to, std::string(json->root()["result"].text())};
}
SINEW_CATCH()

Result<> save_record(const std::filesystem::path& output, std::string_view from, std::string_view result,
                     std::span<const std::filesystem::path> beside, const document::OpenOptions& open) SINEW_TRY {
  const auto to = output_key(output, beside, open);
  if (!to) return Unexpected(to.error());
  document::JsonWriter json;
  json.begin_object();
  json.key("from").string(from);
  json.key("to").string(*to);
  if (!beside.empty()) {
    json.key("beside").begin_array();
    for (const std::filesystem::path& file : beside) json.string(path_text(file.filename()));
    json.end_array();
  }
  json.key("result").raw(result);
  json.end_object();
  auto file = document::OutputFile::create(record_path(output), OutputName::made);
  if (!file) return Unexpected(std::move(file.error()));
  if (auto done = file->write(std::move(json).take() + '\n'); !done) return done;
  return file->commit();
}
SINEW_CATCH({path_text(output), {}, {}})

}  // namespace sinew::batch

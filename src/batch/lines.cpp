// SPDX-License-Identifier: MIT
#include "batch/lines.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/files/file.hpp"

#include "sinew/batch.hpp"

namespace sinew::batch {

namespace {

/// Returns the name of a missing member that every result has.
std::string_view missing_member(document::JsonValue value) {
  using document::JsonKind;
  if (!value.is(JsonKind::object)) return "no object";
  for (const std::string_view name : {"command", "uri", "shard", "did"})
    if (!value[name].is(JsonKind::string)) return name;
  for (const std::string_view name : {"number", "files", "status"})
    if (value[name].integer().value_or(-1) < 0) return name;
  return {};
}

void read_line(std::string_view text, ReadLine line, const std::function<void(const ReadLine&)>& take) {
  FindingList ignored;
  const auto json = document::Json::parse(text, Limits{}, 0, ignored);
  if (!json) {
    line.why = "expected a result, found no JSON";
  } else if (const std::string_view missing = missing_member(json->root()); !missing.empty()) {
    line.why = missing == "no object" ? "found no object, expected a result" : format_text("found no \"{}\", expected a result", missing);
  } else {
    line.value = json->root();
  }
  take(line);
}

}  // namespace

Result<> read_lines(const std::filesystem::path& path, const std::function<void(const ReadLine&)>& take) SINEW_TRY {
  const auto bytes = document::read_file(path, FileAccess::automatic, Limits{}.memory);
  if (!bytes) return Unexpected(bytes.error());
  std::string_view rest(reinterpret_cast<const char*>(bytes->view.data()), bytes->view.size());
  for (std::uint64_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (text.find_first_not_of(" \t\r") != std::string_view::npos) read_line(text, {number, {}, {}}, take);
  }
  return {};
}
SINEW_CATCH({path_text(path), {}, {}})

Result<Earlier> Earlier::read(const std::filesystem::path& path, std::string_view command) SINEW_TRY {
  Earlier earlier;
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) return earlier;
  const auto done = read_lines(path, [&](const ReadLine& line) {
    const document::JsonValue value = line.value;
    if (!value["command"].equals(command) || !value["key"] || !value["result"]) return;
    earlier.lines_[value["uri"].string()] = {value["key"].string(),
                                             {static_cast<int>(*value["status"].integer()), std::string(value["result"].text())}};
  });
  if (!done) return Unexpected(done.error());
  return earlier;
}
SINEW_CATCH({path_text(path), {}, {}})

const Earlier::Known* Earlier::find(std::string_view uri, std::string_view key) const noexcept {
  const auto line = lines_.find(uri);
  return line == lines_.end() || line->second.first != key ? nullptr : &line->second.second;
}

}  // namespace sinew::batch

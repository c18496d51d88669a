// SPDX-License-Identifier: MIT
#include "operations/files/left_behind.hpp"

#include <array>
#include <map>
#include <set>
#include <tuple>

#include "base/message.hpp"
#include "document/json/json.hpp"
#include "document/schema/reader.hpp"
#include "gltf/schema/element_format.hpp"
#include "gltf/schema/tables.hpp"
#include "io/load/detect.hpp"
#include "model/edit_reporter.hpp"

namespace sinew::operations {

namespace {

using document::JsonValue;
using document::whole_number;

std::uint64_t element_size(JsonValue accessor) {
  constexpr std::array<std::uint64_t, 7> widths = {1, 2, 3, 4, 4, 9, 16};  // as accessor_types
  for (std::size_t i = 0; i < widths.size(); ++i)
    if (accessor["type"].equals(gltf::accessor_types[i]))
      return widths[i] * byte_size(gltf::component_of(whole_number(accessor["componentType"]).value_or(0)));
  return 0;
}

/// Returns the bytes in views of accessors that no accessor reads.
std::uint64_t unread_bytes(JsonValue root) {
  const std::vector<JsonValue> views = document::list_of(root["bufferViews"]);
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> known;
  std::map<std::uint64_t, std::uint64_t> read;
  for (const JsonValue accessor : root["accessors"].elements()) {
    const auto view = whole_number(accessor["bufferView"]);
    if (!view || *view >= views.size()) continue;
    const std::uint64_t bytes = whole_number(accessor["count"]).value_or(0) * element_size(accessor);
    if (known.emplace(*view, whole_number(accessor["byteOffset"]).value_or(0), bytes).second) read[*view] += bytes;
  }
  std::uint64_t unread = 0;
  for (const auto& [view, bytes] : read)
    if (const auto all = whole_number(views[view]["byteLength"]); all && *all > bytes) unread += *all - bytes;
  return unread;
}

}  // namespace

void report_left_behind(const document::Document& before, const document::Document& after, FindingSink& changes) {
  if (io::detect(before) != io::Format::gltf) return;
  const std::uint64_t old = unread_bytes(before.json().root()), now = unread_bytes(after.json().root());
  if (now > old)
    EditReporter(changes).changed(
        "/bufferViews", format_text("{} bytes of replaced arrays stay inside views that other arrays use; `sinew optimize` removes "
                                    "them",
                                    now - old));
}

}  // namespace sinew::operations

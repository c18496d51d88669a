// SPDX-License-Identifier: MIT
#include "operations/optimize/decoded_view.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "document/schema/object.hpp"
#include "gltf/extensions/KHR_meshopt_compression.hpp"
#include "gltf/write/buffer_content.hpp"
#include "meshopt/streams.hpp"

namespace sinew::operations {

using document::JsonValue;
using document::whole_number;

namespace {

/// Returns the place of a word in a list, or nothing.
template <class Choice, std::size_t size>
std::optional<Choice> choice_of(JsonValue word, const std::string_view (&words)[size]) {
  const auto* const found = std::ranges::find_if(words, [&](std::string_view known) { return word.equals(known); });
  if (found == std::end(words)) return std::nullopt;
  return static_cast<Choice>(found - words);
}

}  // namespace

std::optional<std::vector<std::byte>> decoded_view(const document::Document& document, JsonValue view) {
  JsonValue stored;
  for (const std::string_view name : gltf::meshopt_extensions)
    if (!stored) stored = view["extensions"][name];
  if (!stored || view["extensions"].size() != 1) return std::nullopt;
  const auto mode = choice_of<sinew::meshopt::Mode>(stored["mode"], gltf::meshopt_modes);
  const auto filter = stored["filter"] ? choice_of<sinew::meshopt::Filter>(stored["filter"], gltf::meshopt_filters)
                                       : std::optional(sinew::meshopt::Filter::nothing);
  const auto buffer = whole_number(stored["buffer"]), length = whole_number(stored["byteLength"]);
  const std::uint64_t offset = whole_number(stored["byteOffset"]).value_or(0), count = whole_number(stored["count"]).value_or(0),
                      stride = whole_number(stored["byteStride"]).value_or(0);
  if (!mode || !filter || !buffer || !length || count == 0 || stride == 0 || stride > 256) return std::nullopt;
  const sinew::meshopt::Layout layout{*mode, *filter, stride, count};
  if (sinew::meshopt::problem_of(layout) != nullptr || count > document.options().limits.memory / stride) return std::nullopt;
  const auto content = gltf::buffer_content(document, static_cast<std::size_t>(*buffer), gltf::BufferFrom::anywhere);
  if (!content || !*content || offset > (*content)->view.size() || *length > (*content)->view.size() - offset) return std::nullopt;
  const std::span<const std::byte> from = (*content)->view.subspan(offset, *length);
  std::vector<std::byte> out(count * stride);
  const auto damage = sinew::meshopt::decode(layout, {reinterpret_cast<const std::uint8_t*>(from.data()), from.size()},
                                             {reinterpret_cast<std::uint8_t*>(out.data()), out.size()});
  if (damage) return std::nullopt;
  return out;
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "operations/repair/mend_accessors.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "document/json/edit_members.hpp"
#include "document/json/json_edit.hpp"
#include "document/schema/reader.hpp"
#include "gltf/read/parsed.hpp"
#include "gltf/write/editor.hpp"
#include "gltf/write/write_buffer.hpp"
#include "model/edit_reporter.hpp"
#include "operations/files/update.hpp"

namespace sinew::operations {

namespace {

using document::JsonEdit;
using document::JsonValue;

// Each finding is at a member of the accessor, or at a reference to it.
constexpr std::string_view wrong_bounds[] = {"ACCESSOR_MIN_MISMATCH", "ACCESSOR_MAX_MISMATCH"};
constexpr std::string_view without_bounds[] = {"MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS",
                                               "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS"};

constexpr std::string_view with_stride = "ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE";
constexpr std::string_view wrong_format = "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT";

bool is_one_of(std::span<const std::string_view> codes, std::string_view code) { return std::ranges::find(codes, code) != codes.end(); }

std::optional<Index> index_of(std::string_view text) {
  Index index = 0;
  const auto [rest, wrong] = std::from_chars(text.data(), text.data() + text.size(), index);
  return wrong == std::errc() && rest == text.data() + text.size() ? std::optional(index) : std::nullopt;
}

/// Returns the value at a pointer whose steps need no escapes.
JsonValue value_at(JsonValue value, std::string_view pointer) {
  while (!pointer.empty()) {
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    const std::string_view step = pointer.substr(1, end - 1);
    const auto index = value.is(document::JsonKind::array) ? index_of(step) : std::nullopt;
    value = index ? value.at(*index) : value[step];
    pointer.remove_prefix(end);
  }
  return value;
}

/// The accessors that a finding is about, by the fix that they need.
struct Wrong {
  std::set<Index> bounds, integers, strided;

  Wrong(JsonValue root, std::span<const Finding> found) {
    constexpr std::string_view list = "/accessors/";
    for (const Finding& finding : found) {
      const std::string_view pointer = finding.pointer;
      if (is_one_of(wrong_bounds, finding.code) && pointer.starts_with(list))
        add(bounds, index_of(pointer.substr(list.size(), pointer.find('/', list.size()) - list.size())));
      else if (is_one_of(without_bounds, finding.code))
        add(bounds, index_of(value_at(root, pointer).text()));
      else if (finding.code == with_stride)
        add(strided, index_of(value_at(root, pointer).text()));
      else if (finding.code == wrong_format && holds_fractions(pointer))
        add(integers, index_of(value_at(root, pointer).text()));
    }
  }
  [[nodiscard]] bool any() const { return !bounds.empty() || !integers.empty() || !strided.empty(); }

 private:
  static void add(std::set<Index>& wrong, std::optional<Index> index) {
    if (index) wrong.insert(*index);
  }
  static bool holds_fractions(std::string_view pointer) {
    const std::string_view name = pointer.substr(pointer.rfind('/') + 1);
    return name.starts_with("WEIGHTS_") || name.starts_with("COLOR_");
  }
};

class AccessorMender {
 public:
  AccessorMender(gltf::Editor& editor, gltf::Parsed& parsed, FindingSink& changes)
      : editor_(editor), parsed_(parsed), reporter_(changes), accessors_(editor.old_list("accessors")) {}

  void mend_bounds(Index index) {
    if (index >= accessors_.size() || (!accessors_[index]["bufferView"] && !accessors_[index]["sparse"]))
      return;  // a Draco stream has them
    const auto& values = parsed_.accessors->array(index);
    std::vector<double> least, most;
    if (values && !values->empty()) gltf::bounds(*values, least, most);
    if (least.empty()) return;
    JsonEdit& accessor = editor_.element("accessors", index);
    document::set_numbers(accessor, "min", least);
    document::set_numbers(accessor, "max", most);
    report(index, "stored the `min` and `max` of the values");
  }

  void mend_integers(Index index) {
    const auto& format = parsed_.accessors->format(index);
    if (index >= accessors_.size() || !format || format->normalized) return;
    if (format->component != ComponentType::uint8 && format->component != ComponentType::uint16) return;
    editor_.element("accessors", index).set("normalized", JsonEdit::boolean(true));
    report(index, "set `normalized`: integers that are weights or colours stand for fractions of 1");
  }

  void pack(Index index) {
    if (index >= accessors_.size()) return;
    const auto& values = parsed_.accessors->array(index);
    if (!values || values->empty()) return;
    std::optional<Index> times, data;
    std::size_t animation = 0;
    for (const JsonValue clip : editor_.old_list("animations")) {
      std::size_t number = 0;
      for (const JsonValue sampler : clip["samplers"].elements()) {
        for (const auto& [name, packed, use] :
             {std::tuple{"input", &times, gltf::AccessorUse::times}, std::tuple{"output", &data, gltf::AccessorUse::data}}) {
          if (index_of(sampler[name].text()) != index) continue;
          if (!*packed) *packed = editor_.add(*values, use);
          document::list_in(editor_.element("animations", animation), "samplers").at(number).set(name, JsonEdit::integer(**packed));
        }
        ++number;
      }
      ++animation;
    }
    report(index, "stored the values without a stride");
  }

 private:
  void report(Index index, const std::string& what) const { reporter_.changed(format_text("/accessors/{}", index), what); }

  gltf::Editor& editor_;
  gltf::Parsed& parsed_;
  EditReporter reporter_;
  std::vector<JsonValue> accessors_;
};

}  // namespace

bool concerns_accessors(std::string_view code) {
  return is_one_of(wrong_bounds, code) || is_one_of(without_bounds, code) || code == with_stride || code == wrong_format;
}

Result<std::shared_ptr<const document::Document>> mend_accessors(const std::shared_ptr<const document::Document>& document,
                                                                 std::span<const Finding> found, FindingSink& changes) {
  const Wrong wrong(document->json().root(), found);
  if (!wrong.any()) return document;
  FindingList ignored;  // those of the file were already reported
  gltf::Parsed parsed(*document, ignored);
  if (auto read = gltf::parse_asset(parsed); !read) return Unexpected(std::move(read.error()));
  if (auto read = gltf::parse_contents(parsed); !read) return Unexpected(std::move(read.error()));
  gltf::Editor editor(document, changes);
  AccessorMender mender(editor, parsed, changes);
  for (const Index index : wrong.bounds) mender.mend_bounds(index);
  for (const Index index : wrong.integers) mender.mend_integers(index);
  for (const Index index : wrong.strided) mender.pack(index);
  auto mended = editor.finish();
  if (!mended) return mended;
  return without_orphans(document.get(), std::move(*mended), std::nullopt);
}

}  // namespace sinew::operations

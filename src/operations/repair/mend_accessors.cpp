// SPDX-License-Identifier: MIT
#include "operations/repair/mend_accessors.hpp"

#include <algorithm>
#include <map>
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
#include "document/json/pointer.hpp"
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
constexpr std::string_view weights_count = "MESH_INVALID_WEIGHTS_COUNT";
constexpr std::string_view wrong_format = "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT";

bool is_one_of(std::span<const std::string_view> codes, std::string_view code) { return std::ranges::find(codes, code) != codes.end(); }

/// The accessors that a finding is about, by the fix that they need, and the meshes with a wrong number of weights.
struct Wrong {
  std::set<Index> bounds, integers, strided;
  std::map<Index, const Finding*> weights;

  Wrong(JsonValue root, std::span<const Finding> found) {
    for (const Finding& finding : found) {
      const std::vector<document::PointerStep> steps = document::steps_of(finding.pointer);
      if (steps.size() < 2) continue;
      if (is_one_of(wrong_bounds, finding.code) && steps[0].text == "accessors")
        add(bounds, steps[1].index());
      else if (is_one_of(without_bounds, finding.code))
        add(bounds, accessor_at(root, finding));
      else if (finding.code == with_stride)
        add(strided, accessor_at(root, finding));
      else if (finding.code == wrong_format && holds_fractions(steps.back().text))
        add(integers, accessor_at(root, finding));
      else if (finding.code == weights_count && steps[1].index())
        weights.emplace(*steps[1].index(), &finding);
    }
  }
  [[nodiscard]] bool any() const { return !bounds.empty() || !integers.empty() || !strided.empty() || !weights.empty(); }

 private:
  static void add(std::set<Index>& wrong, std::optional<Index> index) {
    if (index) wrong.insert(*index);
  }
  static std::optional<Index> accessor_at(JsonValue root, const Finding& finding) {
    const auto index = document::whole_number(JsonValue(*root.json(), finding.value));
    return index && *index < none ? std::optional(static_cast<Index>(*index)) : std::nullopt;
  }
  static bool holds_fractions(std::string_view attribute) { return attribute.starts_with("WEIGHTS_") || attribute.starts_with("COLOR_"); }
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

  /// Gives a mesh one weight per target: the weights that Sinew reads. Zeros are the default.
  void mend_weights(Index index, const Finding& finding) {
    const JsonValue mesh = editor_.old_root()["meshes"].at(index);
    std::size_t count = 0;
    for (const JsonValue primitive : mesh["primitives"].elements()) count = std::max<std::size_t>(count, primitive["targets"].size());
    std::vector<double> weights;
    for (const JsonValue weight : mesh["weights"].elements()) weights.push_back(weight.number().value_or(0));
    weights.resize(count);
    JsonEdit& edit = editor_.element("meshes", index);
    if (std::ranges::any_of(weights, [](double weight) { return weight != 0; }))
      document::set_numbers(edit, "weights", weights);
    else
      edit.erase("weights");
    reporter_.changed(finding.pointer, format_text("stored the value that Sinew reads here: {}", finding.message));
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
          if (document::whole_number(sampler[name]) != index) continue;
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
  return is_one_of(wrong_bounds, code) || is_one_of(without_bounds, code) || code == with_stride || code == wrong_format ||
         code == weights_count;
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
  for (const auto& [index, finding] : wrong.weights) mender.mend_weights(index, *finding);
  auto mended = editor.finish();
  if (!mended) return mended;
  return without_orphans(document.get(), std::move(*mended), std::nullopt);
}

}  // namespace sinew::operations

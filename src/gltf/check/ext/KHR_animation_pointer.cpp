// SPDX-License-Identifier: MIT
#include "gltf/extensions/KHR_animation_pointer.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gltf/check/checker.hpp"
#include "gltf/check/checks.hpp"
#include "gltf/check/values.hpp"

namespace sinew::gltf::animation_pointer {

namespace {

constexpr std::string_view extension = "KHR_animation_pointer";

// RFC 6901: a pointer is empty or consists of steps that begin with "/"; "~" occurs only in "~0" and "~1".
bool is_pointer(std::string_view text) {
  if (!text.empty() && text.front() != '/') return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '~' && (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1'))) return false;
  return true;
}

/// Checks what the pointers of one animation name, and whether their values fit.
class PointerCheck {
 public:
  PointerCheck(Checker& checker, JsonValue animation) : checker_(checker), animation_(animation) {}

  void run() {
    for (const JsonValue channel : animation_["channels"].elements()) {
      const JsonValue target = channel["target"];
      if (const JsonValue value = target["extensions"][extension]) check_target(target, value);
      if (const JsonValue pointer = pointer_of_target(target); pointer && is_pointer(pointer.string())) check_pointer(channel, pointer);
    }
    check_duplicates();
  }

 private:
  void check_target(JsonValue target, JsonValue value) {
    const JsonValue pointer = CheckedObject(checker_, value, animation_pointer_table)["pointer"];
    if (pointer && !is_pointer(pointer.string())) checker_.report("PATTERN_MISMATCH"_code, pointer, excerpt(pointer), "of a JSON pointer");
    if (const Index node = CheckedObject(checker_, target, channel_target_table).index("node", checker_); node != none)
      checker_.report("KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE"_code, value, node);
    if (const JsonValue path = target["path"]; !path.equals("pointer"))
      checker_.report("KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_PATH"_code, value, path ? excerpt(path) : "missing");
  }

  void check_pointer(JsonValue channel, JsonValue pointer) {
    using Fate = PointerTarget::Fate;
    const PointerTarget target = pointer_target(checker_.root().value(), checker_.model(), pointer.string());
    switch (target.fate) {
      case Fate::nothing:
        return checker_.report("GLTF_POINTER_UNRESOLVED"_code, pointer, excerpt(pointer));
      case Fate::not_mutable:
        return checker_.report("GLTF_POINTER_NOT_MUTABLE"_code, pointer, excerpt(pointer));
      case Fate::of_matrix:
        return checker_.report("GLTF_POINTER_NODE_MATRIX"_code, pointer, excerpt(pointer));
      case Fate::carried:
        return;
      case Fate::usable:
        break;
    }
    if (target.mesh != none && target.node == none) checker_.report("GLTF_POINTER_OLD_MODEL"_code, pointer, excerpt(pointer));
    check_values(channel, target);
    if (target.moves() == MutableProperty::Moves::nothing) check_range(channel, pointer);
  }

  void check_values(JsonValue channel, const PointerTarget& target) {
    const JsonValue sampler = document::element(animation_["samplers"], channel["sampler"]);
    const AccessorFacts* const keys = checker_.accessor(sampler["input"]);
    const AccessorFacts* const values = checker_.accessor(sampler["output"]);
    if (!sampler || values == nullptr) return;
    const JsonValue interpolation = sampler["interpolation"];
    if (target.moves() == MutableProperty::Moves::visibility) {
      if (values->width() != 1 || values->component != ComponentType::uint8 || !interpolation.equals("STEP"))
        checker_.report("GLTF_POINTER_BOOL"_code, channel, values->text(), interpolation ? interpolation.string() : "LINEAR");
    } else if (values->width() != target.property->width) {
      checker_.report("GLTF_POINTER_OUTPUT_TYPE"_code, channel, values->text(),
                      target.property->path.substr(target.property->path.rfind('/') + 1), accessor_types[target.property->width - 1]);
      return;
    }
    if (keys == nullptr) return;
    const std::uint64_t shapes = target.moves() == MutableProperty::Moves::weights ? checker_.model().meshes[target.mesh].shapes.size() : 1;
    const auto count = checked_mul(keys->count, shapes * (interpolation.equals("CUBICSPLINE") ? 3 : 1));
    if (!count || values->count != *count)
      checker_.report("GLTF_POINTER_OUTPUT_COUNT"_code, channel, values->count, count.value_or(std::numeric_limits<std::uint64_t>::max()));
  }

  // Values between the keys of a cubic spline may lie elsewhere.
  void check_range(JsonValue channel, JsonValue pointer) {
    const Property* const row = row_of_pointer(checker_.root().value(), pointer.string());
    const JsonValue sampler = document::element(animation_["samplers"], channel["sampler"]);
    const AccessorFacts* const facts = checker_.accessor(sampler["output"]);
    if (row == nullptr || facts == nullptr || !facts->has_data()) return;
    const std::optional<Array> stored = checker_.array(*facts);
    if (!stored) return;
    const bool cubic = sampler["interpolation"].equals("CUBICSPLINE");
    const Array values = cubic ? middle_values(*stored) : *stored;
    const std::size_t width = values.width();
    std::vector<double> key(width);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ask_deadline();
      values.read(i, 1, key.data());
      const auto wrong = std::ranges::find_if(key, [&](double number) { return !is_in_range(*row, number); });
      if (wrong != key.end()) return checker_.report("GLTF_POINTER_VALUE_RANGE"_code, channel, i, *wrong, row->name, range_text(*row));
    }
  }

  // Weights of a node or a mesh as a whole are also each of them.
  void check_duplicates() {
    std::map<std::string, Index> seen;  // by property: the first channel
    Index number = 0;
    for (const JsonValue channel : animation_["channels"].elements()) {
      const JsonValue target = channel["target"], pointer = pointer_of_target(target);
      const Index node = checker_.root().plain_index(target["node"], Reference::node);
      std::string text = pointer ? pointer.string() : std::string();
      if (!pointer && node != none && target["path"].is(JsonKind::string))
        text = "/nodes/" + std::to_string(node) + "/" + target["path"].string();
      if (!text.empty()) {
        const std::optional<Index> earlier = earlier_of(text, seen);
        if (earlier && (pointer || by_pointer_[*earlier])) checker_.report("GLTF_POINTER_DUPLICATE"_code, target, *earlier);
        seen.try_emplace(text, number);
      }
      by_pointer_.push_back(bool(pointer));
      ++number;
    }
  }

  static std::optional<Index> earlier_of(const std::string& text, const std::map<std::string, Index>& seen) {
    if (const auto same = seen.find(text); same != seen.end()) return same->second;
    const std::size_t last = text.rfind('/');
    constexpr std::string_view all = "/weights";
    if (text.ends_with(all)) {
      const auto part = seen.lower_bound(text + "/");
      if (part != seen.end() && part->first.starts_with(text + "/")) return part->second;
    } else if (const auto whole = seen.find(text.substr(0, last)); whole != seen.end() && whole->first.ends_with(all)) {
      return whole->second;
    }
    return std::nullopt;
  }

  Checker& checker_;
  JsonValue animation_;
  std::vector<bool> by_pointer_;  ///< by channel
};

}  // namespace

void check(Checker& checker) {
  if (!checker.root().uses_extension(extension)) return;
  for (const JsonValue animation : checker.root()["animations"].elements()) PointerCheck(checker, animation).run();
}

}  // namespace sinew::gltf::animation_pointer

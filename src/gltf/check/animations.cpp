// SPDX-License-Identifier: MIT
#include "gltf/read/rig/animations.hpp"

#include <cstdint>
#include <limits>
#include <vector>

#include "gltf/check/checks.hpp"
#include "gltf/check/values.hpp"

namespace sinew::gltf {

namespace {

class AnimationCheck {
 public:
  explicit AnimationCheck(Checker& checker) : checker_(checker), kept_(checker.accessors.size()) {}

  void run(JsonValue value) {
    const auto object = checker_.object<AnimationObject>(value);
    if (object.defect()) return;
    samplers_.clear();
    samplers_.reserve(object["samplers"].size());
    for (const JsonValue sampler : object["samplers"].elements())
      check_sampler(samplers_.emplace_back(checker_.object<SamplerObject>(sampler)));
    for (const JsonValue channel : object["channels"].elements()) check_channel(channel);
  }

 private:
  static bool is_cubic(const SamplerObject& sampler) {
    return static_cast<Interpolation>(sampler.word("interpolation")) == Interpolation::cubic_spline;
  }

  void check_sampler(const SamplerObject& sampler) {
    const JsonValue at = sampler["input"];
    const AccessorFacts* keys = checker_.accessor(at);
    const AccessorFacts* values = checker_.accessor(sampler["output"]);
    if (values != nullptr && values->strided) checker_.report("ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE"_code, sampler["output"]);
    if (keys == nullptr) return;
    if (keys->strided) checker_.report("ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE"_code, at);
    if (!keeps(*keys, bounded, [&] { return keys->has_bounds(); }))
      checker_.report("ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS"_code, at);
    if (is_cubic(sampler) && keys->count < 2)
      checker_.report("ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS"_code, at, keys->count, 2, "CUBICSPLINE");
    if (keys->width() != 1 || keys->component != ComponentType::float32)
      checker_.report("ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT"_code, at, keys->text());
    if (keys->width() != 1) return;
    if (keys->view == none && !keys->sparse && keys->count > 1)
      return checker_.report("GLTF_ANIMATION_INPUT_NO_DATA"_code, at, keys->count);
    if (keys->component != ComponentType::float32 || !keys->has_data()) return;
    keeps(*keys, increasing, [&] {
      const auto times = checker_.array(*keys);
      return times && check_keys(checker_, at, *times);
    });
  }

  void check_channel(JsonValue value) {
    const auto object = checker_.object<ChannelObject>(value);
    if (!object.has("target")) return;
    const auto target = checker_.object<ChannelTargetObject>(object["target"]);
    if (!target.has("path") || target.defect() || object.defect()) return;
    const std::uint64_t number = *object.index("sampler");
    if (number >= samplers_.size()) return;
    const SamplerObject& sampler = samplers_[number];
    const auto path = static_cast<TrackPath>(target.word("path"));
    const std::uint64_t per_key = check_node(target, path) * (is_cubic(sampler) ? 3 : 1);
    const AccessorFacts* keys = checker_.accessor(sampler["input"]);
    const AccessorFacts* values = checker_.accessor(sampler["output"]);
    if (values == nullptr) return;
    const JsonValue at = object["sampler"];
    check_format(at, *values, path);
    const auto count = checked_mul(keys != nullptr ? keys->count : 0, per_key).value_or(std::numeric_limits<std::uint64_t>::max());
    if (count != 0 && values->count != count)
      checker_.report("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT"_code, at, values->count, count);
    if (path == TrackPath::rotation) check_rotations(at, *values, is_cubic(sampler));
  }

  // Returns the number of values per key, or 0 if it is unknown.
  std::uint64_t check_node(const ChannelTargetObject& target, TrackPath path) {
    const Model& model = checker_.model();
    const bool amounts = path == TrackPath::amounts;
    const Index index = checker_.index(target, "node");
    if (index == none) return amounts ? 0 : 1;
    const Node& node = model.nodes[index];
    if (!amounts) {
      if (!model.rest_pose.locals[index].basis.empty()) checker_.report("ANIMATION_CHANNEL_TARGET_NODE_MATRIX"_code, target.value());
      if (node.skin != none) checker_.report("ANIMATION_CHANNEL_TARGET_NODE_SKIN"_code, target.value()["path"]);
      return 1;
    }
    const std::size_t shapes = shapes_of(node.mesh);
    if (shapes == 0) checker_.report("ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS"_code, target.value());
    return shapes;
  }

  // Uses the JSON if the mesh cannot be used.
  std::size_t shapes_of(Index index) {
    const JsonValue meshes = checker_.root()["meshes"];
    if (index >= meshes.size()) return 0;
    const Mesh& mesh = checker_.model().meshes[index];
    if (mesh.defect == none) return mesh.shapes.size();
    const JsonValue primitive = checker_.object<MeshObject>(meshes.at(index))["primitives"].at(0);
    return primitive ? target_count(checker_.object<PrimitiveObject>(primitive)) : 0;
  }

  // Floats, or normalised integers for properties without a unit.
  void check_format(JsonValue at, const AccessorFacts& values, TrackPath path) {
    const std::size_t width = path_width(path);
    const std::string_view moved = channel_paths[static_cast<std::size_t>(path)];
    const bool part = (path == TrackPath::rotation || path == TrackPath::amounts) && values.normalized && byte_size(values.component) <= 2;
    if (values.width() != width)
      checker_.report("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT"_code, at, values.text(), moved, accessor_types[width - 1]);
    else if (!part && values.component != ComponentType::float32)
      checker_.report("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT"_code, at, values.text(), moved, "float");
  }

  void check_rotations(JsonValue at, const AccessorFacts& values, bool cubic) {
    if (values.width() != 4 || !values.has_data()) return;
    keeps(values, cubic ? unit_splines : unit, [&] {
      const auto rotations = checker_.array(values);
      return rotations && check_quaternions(checker_, at, *rotations, cubic);
    });
  }

  enum Rule : std::uint8_t { bounded = 1, increasing = 2, unit = 4, unit_splines = 8 };

  // Returns whether an accessor keeps a rule: asks `check` until it does.
  template <class Check>
  bool keeps(const AccessorFacts& accessor, Rule rule, Check check) {
    unsigned& kept = kept_[checker_.index_of(accessor)];
    if ((kept & rule) == 0 && check()) kept |= rule;
    return (kept & rule) != 0;
  }

  Checker& checker_;
  std::vector<SamplerObject> samplers_;
  std::vector<unsigned> kept_;  ///< by accessor: the rules that it follows
};

}  // namespace

void check_animations(Checker& checker) {
  AnimationCheck check(checker);
  for (const JsonValue value : checker.root()["animations"].elements()) check.run(value);
}

}  // namespace sinew::gltf

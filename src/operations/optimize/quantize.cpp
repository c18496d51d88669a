// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "gltf/extensions/KHR_draco_mesh_compression.hpp"
#include "gltf/extensions/KHR_meshopt_compression.hpp"
#include "model/edit_reporter.hpp"
#include "model/narrowed.hpp"
#include "operations/optimize/attribute_errors.hpp"
#include "operations/optimize/integers.hpp"
#include "operations/optimize/levers.hpp"
#include "operations/optimize/quantize_attributes.hpp"
#include "operations/optimize/quantize_positions.hpp"
#include "operations/optimize/steps.hpp"
#include "operations/optimize/weights/round_weights.hpp"
#include "operations/repair/influence_table.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {

namespace {

bool lies_within(std::span<const double> values, double least, double most) {
  return std::ranges::all_of(values, [&](double value) { return value >= least && value <= most; });
}

class Quantizer {
 public:
  Quantizer(const StepInput& input, Model& after)
      : model_(after), limit_(input.distance), key_limit_(input.key_distance), diagonal_(input.diagonal) {}

  void indices() {
    for (Mesh& mesh : model_.meshes)
      if (mesh.defect == none)
        for (Surface& surface : mesh.surfaces) narrow(surface);
  }

  /// Stores weights with 8 or 16 bits, and joints with as few as they need.
  void influences(const Model& before, int bits) {
    for (Index m = 0; m < model_.meshes.size(); ++m) {
      Mesh& mesh = model_.meshes[m];
      if (mesh.defect != none) continue;
      std::size_t vertices = 0;
      for (const VertexBlock& block : mesh.blocks) vertices += block.influences.empty() ? 0 : block.vertices;
      std::optional<InfluenceMotion> motion;
      if (bits == 8 && limit_ > 0 && vertices != 0) motion.emplace(before, m, vertices);
      for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
        std::optional<WeightRounding> rounding;
        const VertexBlock& source = before.meshes[m].blocks[b];
        constexpr double enough = 0.25;  // of the limit: the positions need a part of it
        if (motion && motion->skinned() && find_attribute(source.attributes, Semantic::position) != nullptr)
          rounding.emplace(before, *motion, source, enough * limit_);
        quantize(mesh.blocks[b].influences, bits, rounding ? &*rounding : nullptr);
      }
    }
  }

  void clips() {
    const Levers levers = levers_of(model_, diagonal_);
    for (Clip& clip : model_.clips)
      for (Track& track : clip.tracks)
        if (clip.defect == none && track.node < model_.nodes.size() && track.interpolation != Interpolation::cubic_spline &&
            track.values.holds<float>())
          quantize(track, levers);
  }

  /// Writes the transforms of nodes without a mesh with as few decimals as their part of the limit allows. Returns the number of nodes.
  std::size_t nodes() {
    constexpr double part = 0.03;  // of the limit: errors add up along a chain of joints
    if (!(limit_ > 0)) return 0;
    const Levers levers = levers_of(model_, diagonal_);
    std::size_t count = 0;
    for (Index node = 0; node < model_.nodes.size(); ++node) {
      LocalTransform& local = model_.rest_pose.locals[node];
      if (model_.nodes[node].mesh != none || model_.nodes[node].defect != none || !local.basis.empty()) continue;
      const LocalTransform before = local;
      constexpr double unit_length = 5e-6;  // programs expect it of a rotation
      shorten(local.translation, part * limit_ / levers.scale[node]);
      shorten(local.rotor, std::min(unit_length, part * limit_ / (2 * levers.reach[node])));
      shorten(local.scale, part * limit_ / levers.reach[node]);
      count += local == before ? 0 : 1;
    }
    return count;
  }

  [[nodiscard]] std::size_t changed() const { return changed_; }

 private:
  void set(Array& array, Array smaller) {
    array = std::move(smaller);
    ++changed_;
  }

  void quantize(Influences& influences, int bits, const WeightRounding* rounding) {
    for (Influences::Set& set : influences.sets) {
      if (set.joints.type() == ComponentType::uint8) continue;
      const std::vector<std::uint32_t> joints = set.joints.read<std::uint32_t>();
      if (std::ranges::all_of(joints, [](std::uint32_t joint) { return joint <= 0xff; }))
        this->set(set.joints, narrowed<std::uint8_t>(joints, set.joints.width()));
    }
    if (limit_ > 0) bits == 8 ? quantize_weights<std::uint8_t>(influences, rounding) : quantize_weights<std::uint16_t>(influences, nullptr);
  }

  template <class T>
  void quantize_weights(Influences& influences, const WeightRounding* rounding) {
    std::vector<std::vector<double>> sets;
    std::vector<std::vector<std::uint32_t>> joints;
    for (const Influences::Set& set : influences.sets) {
      const bool larger = set.weights.holds<float>() || (set.weights.type() == ComponentType::uint16 && sizeof(T) == 1);
      if (!larger || set.weights.width() != 4) return;
      sets.push_back(set.weights.read<double>());
      joints.push_back(set.joints.read<std::uint32_t>());
    }
    if (sets.empty()) return;
    constexpr double whole = std::numeric_limits<T>::max(), most_from_1 = 1e-3;
    for (std::size_t vertex = 0; vertex * 4 < sets.front().size(); ++vertex) {
      std::vector<double> weights;
      std::vector<std::uint32_t> slots;
      for (std::size_t s = 0; s < sets.size(); ++s)
        for (std::size_t i = vertex * 4; i < vertex * 4 + 4; ++i) weights.push_back(sets[s][i]), slots.push_back(joints[s][i]);
      const std::vector<double> exact = weights;
      if (!lies_within(weights, 0, 1) || std::abs(std::accumulate(weights.begin(), weights.end(), -1.0)) > most_from_1) return;
      apportion(weights, whole);
      if (rounding != nullptr) rounding->improve(vertex, slots, exact, weights, whole);
      for (std::size_t i = 0; i < weights.size(); ++i) sets[i / 4][vertex * 4 + i % 4] = weights[i];
    }
    for (std::size_t i = 0; i < sets.size(); ++i) {
      free_joints(influences.sets[i], sets[i]);
      set(influences.sets[i].weights, normalized_as<T>(sets[i], 4));
    }
  }

  /// Gives joints whose weight is rounded to 0 the number 0, as glTF recommends for unused ones.
  static void free_joints(Influences::Set& set, std::span<const double> rounded) {
    const std::vector<double> weights = set.weights.read<double>();
    std::vector<std::uint32_t> joints = set.joints.read<std::uint32_t>();
    bool changed = false;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (rounded[i] != 0 || weights[i] == 0 || joints[i] == 0) continue;
      joints[i] = 0;
      changed = true;
    }
    if (!changed) return;
    set.joints = set.joints.type() == ComponentType::uint8 ? narrowed<std::uint8_t>(joints, 4) : narrowed<std::uint16_t>(joints, 4);
  }

  void narrow(Surface& surface) {
    if (!surface.indexed || surface.elements.type() != ComponentType::uint32) return;
    Array narrow = narrowed_indices(surface.elements.read<std::uint32_t>());
    if (narrow.type() == ComponentType::uint16) set(surface.elements, std::move(narrow));
  }

  /// Rounds to the fewest decimals that change no number by more than `tolerance`.
  static void shorten(std::span<double> values, double tolerance) {
    if (!(tolerance > 0) || !std::isfinite(tolerance)) return;
    const double decimals = std::ceil(-std::log10(2 * tolerance));
    if (decimals < 0 || decimals > 15) return;
    const double factor = std::pow(10, decimals);
    for (double& value : values)
      if (const double rounded = std::round(value * factor) / factor; std::abs(rounded - value) <= tolerance) value = rounded;
  }

  void quantize(Track& track, const Levers& levers) {
    const std::vector<double> values = track.values.read<double>();
    const std::size_t width = track.values.width();
    if (track.path == TrackPath::rotation && track.quaternions && lies_within(values, -1, 1)) {
      Array smaller = normalized_as<std::int16_t>(values, width);
      const double error = 2 * levers.reach[track.node] * largest_distance(values, smaller.read<double>(), width);
      if (error <= key_limit_) set(track.values, std::move(smaller));
    } else if (track.path == TrackPath::amounts && lies_within(values, 0, 1)) {
      const std::vector<double>& shapes = levers.shapes[track.node];
      const double reach = std::accumulate(shapes.begin(), shapes.end(), 0.0);
      if (reach * 0.5 / 255 <= key_limit_)
        set(track.values, normalized_as<std::uint8_t>(values, width));
      else if (reach * 0.5 / 65535 <= key_limit_)
        set(track.values, normalized_as<std::uint16_t>(values, width));
    }
  }

  Model& model_;
  double limit_, key_limit_, diagonal_;
  std::size_t changed_ = 0;
};

}  // namespace

bool is_compressed(const Model& model) {
  return std::ranges::any_of(model.extensions_used, [](const std::string& name) {
    return name == gltf::draco_extension || std::ranges::find(gltf::meshopt_extensions, name) != std::end(gltf::meshopt_extensions);
  });
}

Result<StepResult> quantize_influences(const StepInput& input, FindingSink& changes) {
  Model after = input.model;
  Quantizer quantizer(input, after);
  quantizer.influences(input.model, input.weight_bits);
  if (quantizer.changed() == 0) return StepResult{input.document};
  EditReporter(changes).changed("/meshes",
                                format_text("stored {} in smaller types",
                                            count_of(quantizer.changed(), "array of weights or joints", "arrays of weights or joints")));
  auto document = edited(input, after, changes);
  if (!document) return Unexpected(std::move(document.error()));
  return StepResult{std::move(*document)};
}

Result<StepResult> quantize(const StepInput& input, FindingSink& changes) {
  if (input.revision) return StepResult{input.document, "works on glTF only"};
  if (is_compressed(input.model)) return StepResult{input.document, "the file is already compressed"};
  if (input.weight_bits != 0) return quantize_influences(input, changes);
  Model after = input.model;
  const std::size_t sparse = make_offsets_sparse(input, after, 4);  // less than offsets in 8 bits
  const std::size_t positions = quantize_positions(input, after);
  Quantizer quantizer(input, after);
  quantizer.indices();
  if (!input.strict) quantizer.clips();
  const std::size_t nodes = quantizer.nodes();
  const QuantizedAttributes attributes = quantize_attributes(input, after);
  const std::size_t others = quantizer.changed() + attributes.changed;
  if (sparse + positions + others + nodes == 0) return StepResult{input.document};
  const EditReporter reporter(changes);
  if (sparse != 0) reporter.changed("/meshes", format_text("stored {} of blend shapes as sparse", count_of(sparse, "array", "arrays")));
  if (positions != 0)
    reporter.changed("/meshes", format_text("stored the positions of {} as integers", count_of(positions, "mesh", "meshes")));
  if (nodes != 0)
    reporter.changed("/nodes", format_text("stored the transforms of {} with fewer digits", count_of(nodes, "node", "nodes")));
  if (others != 0) reporter.changed("", format_text("stored {} in smaller types", count_of(others, "other array", "other arrays")));
  auto document = edited(input, after, changes);
  if (!document) return Unexpected(std::move(document.error()));
  return StepResult{.document = std::move(*document), .attributes = attributes.errors};
}

}  // namespace sinew::operations

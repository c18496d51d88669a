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
  void influences(int bits) {
    for (Mesh& mesh : model_.meshes)
      if (mesh.defect == none)
        for (VertexBlock& block : mesh.blocks) quantize(block.influences, bits);
  }

  void clips() {
    const Levers levers = levers_of(model_, diagonal_);
    for (Clip& clip : model_.clips)
      for (Track& track : clip.tracks)
        if (clip.defect == none && track.node < model_.nodes.size() && track.interpolation != Interpolation::cubic_spline &&
            track.values.holds<float>())
          quantize(track, levers);
  }

  [[nodiscard]] std::size_t changed() const { return changed_; }

 private:
  void set(Array& array, Array smaller) {
    array = std::move(smaller);
    ++changed_;
  }

  void quantize(Influences& influences, int bits) {
    for (Influences::Set& set : influences.sets) {
      if (set.joints.type() == ComponentType::uint8) continue;
      const std::vector<std::uint32_t> joints = set.joints.read<std::uint32_t>();
      if (std::ranges::all_of(joints, [](std::uint32_t joint) { return joint <= 0xff; }))
        this->set(set.joints, narrowed<std::uint8_t>(joints, set.joints.width()));
    }
    if (limit_ > 0) bits == 8 ? quantize_weights<std::uint8_t>(influences) : quantize_weights<std::uint16_t>(influences);
  }

  template <class T>
  void quantize_weights(Influences& influences) {
    std::vector<std::vector<double>> sets;
    for (const Influences::Set& set : influences.sets) {
      const bool larger = set.weights.holds<float>() || (set.weights.type() == ComponentType::uint16 && sizeof(T) == 1);
      if (!larger || set.weights.width() != 4) return;
      sets.push_back(set.weights.read<double>());
    }
    if (sets.empty()) return;
    constexpr double whole = std::numeric_limits<T>::max();
    for (std::size_t vertex = 0; vertex * 4 < sets.front().size(); ++vertex) {
      std::vector<double> weights;
      for (const std::vector<double>& set : sets)
        for (std::size_t i = 0; i < 4; ++i) weights.push_back(set[vertex * 4 + i]);
      if (!lies_within(weights, 0, 1) || std::abs(std::accumulate(weights.begin(), weights.end(), -1.0)) > 1e-3) return;
      apportion(weights, whole);
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
  quantizer.influences(input.weight_bits);
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
  const QuantizedAttributes attributes = quantize_attributes(input, after);
  const std::size_t others = quantizer.changed() + attributes.changed;
  if (sparse + positions + others == 0) return StepResult{input.document};
  const EditReporter reporter(changes);
  if (sparse != 0) reporter.changed("/meshes", format_text("stored {} of blend shapes as sparse", count_of(sparse, "array", "arrays")));
  if (positions != 0)
    reporter.changed("/meshes", format_text("stored the positions of {} as integers", count_of(positions, "mesh", "meshes")));
  if (others != 0) reporter.changed("", format_text("stored {} in smaller types", count_of(others, "other array", "other arrays")));
  auto document = edited(input, after, changes);
  if (!document) return Unexpected(std::move(document.error()));
  return StepResult{.document = std::move(*document), .attributes = attributes.errors};
}

}  // namespace sinew::operations

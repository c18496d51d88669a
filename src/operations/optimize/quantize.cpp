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
#include "operations/optimize/integers.hpp"
#include "operations/optimize/levers.hpp"
#include "operations/optimize/quantize_positions.hpp"
#include "operations/optimize/steps.hpp"
#include "operations/repair/influence_table.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {

namespace {

bool lies_within(std::span<const double> values, double least, double most) {
  return std::ranges::all_of(values, [&](double value) { return value >= least && value <= most; });
}

/// The largest distance between a row of two arrays of the same size.
double largest_distance(std::span<const double> a, std::span<const double> b, std::size_t width) {
  double largest = 0;
  for (std::size_t at = 0; at + width <= a.size(); at += width) {
    double squares = 0;
    for (std::size_t i = at; i < at + width; ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
    largest = std::max(largest, squares);
  }
  return std::sqrt(largest);
}

class Quantizer {
 public:
  Quantizer(const StepInput& input, Model& after)
      : model_(after),
        limit_(input.distance),
        relative_(input.diagonal > 0 ? input.distance / input.diagonal : 0),
        diagonal_(input.diagonal) {}

  void vertices() {
    for (Mesh& mesh : model_.meshes) {
      if (mesh.defect != none) continue;
      for (VertexBlock& block : mesh.blocks) {
        for (Attribute& attribute : block.attributes) quantize(attribute);
        quantize(block.influences);
      }
      for (Surface& surface : mesh.surfaces) narrow(surface);
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

  [[nodiscard]] std::size_t changed() const { return changed_; }

 private:
  void set(Array& array, Array smaller) {
    array = std::move(smaller);
    ++changed_;
  }

  void quantize(Attribute& attribute) {
    if (!attribute.values.holds<float>()) return;
    const std::vector<double> values = attribute.values.read<double>();
    const std::size_t width = attribute.values.width();
    const bool direction = attribute.semantic == Semantic::normal || attribute.semantic == Semantic::tangent;
    if (direction && lies_within(values, -1, 1)) {
      // Rounding moves each of three numbers by half a step: an error of the direction.
      const double root = std::sqrt(3) / 2;
      const auto quantize_all = [&]<class T>(T) {
        set(attribute.values, normalized_as<T>(values, width));
        for (Offsets& offsets : attribute.offsets) {
          const std::vector<double> moved = offsets.values.read<double>();
          if (!offsets.sparse() && offsets.values.holds<float>() && lies_within(moved, -1, 1))
            set(offsets.values, normalized_as<T>(moved, offsets.values.width()));
        }
      };
      if (relative_ >= root / 127)
        quantize_all(std::int8_t{});
      else if (relative_ >= root / 32767)
        quantize_all(std::int16_t{});
    } else if (attribute.semantic == Semantic::texcoord && attribute.offsets.empty() && lies_within(values, 0, 1)) {
      if (relative_ >= 0.5 / 65535) set(attribute.values, normalized_as<std::uint16_t>(values, width));
    }
  }

  void quantize(Influences& influences) {
    for (Influences::Set& set : influences.sets) {
      if (set.joints.type() == ComponentType::uint8) continue;
      const std::vector<std::uint32_t> joints = set.joints.read<std::uint32_t>();
      if (std::ranges::all_of(joints, [](std::uint32_t joint) { return joint <= 0xff; }))
        this->set(set.joints, narrowed<std::uint8_t>(joints, set.joints.width()));
    }
    quantize_weights<std::uint8_t>(influences) || quantize_weights<std::uint16_t>(influences);
  }

  template <class T>
  bool quantize_weights(Influences& influences) {
    std::vector<std::vector<double>> sets;
    for (const Influences::Set& set : influences.sets) {
      if (!set.weights.holds<float>() || set.weights.width() != 4) return false;
      sets.push_back(set.weights.read<double>());
    }
    if (sets.empty()) return false;
    constexpr double whole = std::numeric_limits<T>::max();
    double worst = 0;
    for (std::size_t vertex = 0; vertex * 4 < sets.front().size(); ++vertex) {
      std::vector<double> weights, exact;
      for (const std::vector<double>& set : sets)
        for (std::size_t i = 0; i < 4; ++i) weights.push_back(set[vertex * 4 + i]);
      exact = weights;
      if (!lies_within(weights, 0, 1) || std::abs(std::accumulate(weights.begin(), weights.end(), -1.0)) > 1e-3) return false;
      apportion(weights, whole);
      double error = 0;
      for (std::size_t i = 0; i < weights.size(); ++i) error += std::abs(weights[i] - exact[i]);
      worst = std::max(worst, error);
      for (std::size_t i = 0; i < weights.size(); ++i) sets[i / 4][vertex * 4 + i % 4] = weights[i];
    }
    // Rounding moves weight from one joint to another. The two joints of a vertex move it to places that are about a hundredth of the
    // diagonal apart in real files. The comparison finds files where they are further apart.
    if (worst / 100 * diagonal_ > limit_) return false;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      free_joints(influences.sets[i], sets[i]);
      set(influences.sets[i].weights, normalized_as<T>(sets[i], 4));
    }
    return true;
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
      if (error <= limit_) set(track.values, std::move(smaller));
    } else if (track.path == TrackPath::amounts && lies_within(values, 0, 1)) {
      const std::vector<double>& shapes = levers.shapes[track.node];
      const double reach = std::accumulate(shapes.begin(), shapes.end(), 0.0);
      if (reach * 0.5 / 255 <= limit_)
        set(track.values, normalized_as<std::uint8_t>(values, width));
      else if (reach * 0.5 / 65535 <= limit_)
        set(track.values, normalized_as<std::uint16_t>(values, width));
    }
  }

  Model& model_;
  double limit_, relative_, diagonal_;
  std::size_t changed_ = 0;
};

}  // namespace

bool is_compressed(const Model& model) {
  return std::ranges::any_of(model.extensions_used, [](const std::string& name) {
    return name == gltf::draco_extension || std::ranges::find(gltf::meshopt_extensions, name) != std::end(gltf::meshopt_extensions);
  });
}

Result<StepResult> quantize(const StepInput& input, FindingSink& changes) {
  if (input.revision) return StepResult{input.document, "works on glTF only"};
  if (is_compressed(input.model)) return StepResult{input.document, "the file is already compressed"};
  Model after = input.model;
  const std::size_t sparse = make_offsets_sparse(input, after, 4);  // less than offsets in 8 bits
  const std::size_t positions = quantize_positions(input, after);
  Quantizer quantizer(input, after);
  quantizer.vertices();
  quantizer.clips();
  if (sparse + positions + quantizer.changed() == 0) return StepResult{input.document};
  const EditReporter reporter(changes);
  if (sparse != 0) reporter.changed("/meshes", format_text("stored {} of blend shapes as sparse", count_of(sparse, "array", "arrays")));
  if (positions != 0)
    reporter.changed("/meshes", format_text("stored the positions of {} as integers", count_of(positions, "mesh", "meshes")));
  if (quantizer.changed() != 0)
    reporter.changed("", format_text("stored {} in smaller types", count_of(quantizer.changed(), "other array", "other arrays")));
  auto document = edited(input, after, changes);
  if (!document) return Unexpected(std::move(document.error()));
  return StepResult{std::move(*document)};
}

}  // namespace sinew::operations

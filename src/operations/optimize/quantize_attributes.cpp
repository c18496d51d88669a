// SPDX-License-Identifier: MIT
#include "operations/optimize/quantize_attributes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "operations/optimize/attribute_errors.hpp"
#include "operations/optimize/integers.hpp"

namespace sinew::operations {

namespace {

bool are_within(std::span<const double> values, double least) {
  return std::ranges::all_of(values, [&](double value) { return value >= least && value <= 1; });
}

class AttributeQuantizer {
 public:
  AttributeQuantizer(const StepInput& input, QuantizedAttributes& done)
      : limits_(input.attributes), compressed_(input.options.compression != OptimizeCompression::none), done_(done) {}

  void quantize(Attribute& attribute) {
    if (attribute.semantic == Semantic::normal || attribute.semantic == Semantic::tangent)
      directions(attribute);
    else if (attribute.semantic == Semantic::texcoord && attribute.offsets.empty() && !compressed_)
      fractions(attribute.values, limits_.texcoord, done_.errors.texcoord);
    else if (attribute.semantic == Semantic::color && attribute.offsets.empty())
      fractions(attribute.values, limits_.color, done_.errors.color);
    for (Offsets& offsets : attribute.offsets)
      if (!offsets.sparse()) narrow(offsets.values);
  }

 private:
  void set(Array& array, Array smaller, double error, double& largest) {
    array = std::move(smaller);
    largest = std::max(largest, error);
    ++done_.changed;
  }

  void directions(Attribute& attribute) {
    const std::vector<double> values = attribute.values.read<double>();
    constexpr double longest = 1.01;  // rounding of unit vectors
    const bool units = std::ranges::all_of(values, [](double value) { return std::abs(value) <= longest; });
    if (attribute.values.holds<float>() && attribute.values.width() >= 3 && units)
      compressed_ || !direction<std::int8_t>(attribute.values, values) ? direction<std::int16_t>(attribute.values, values) : true;
    for (Offsets& offsets : attribute.offsets) {
      if (offsets.sparse() || !offsets.values.holds<float>()) continue;
      const std::vector<double> moved = offsets.values.read<double>();
      if (are_within(moved, -1)) offset<std::int8_t>(offsets.values, moved) || offset<std::int16_t>(offsets.values, moved);
    }
  }

  template <class T>
  bool direction(Array& array, const std::vector<double>& values) {
    Array smaller = normalized_as<T>(values, array.width());
    const std::vector<double> rounded = smaller.read<double>();
    const double angle = degrees(largest_angle(values, rounded, array.width()));
    if (!(angle <= limits_.normal)) return false;
    if (array.width() == 4)  // the sign of the bitangent
      for (std::size_t i = 3; i < values.size(); i += 4)
        if (values[i] != rounded[i]) return false;
    set(array, std::move(smaller), angle, done_.errors.normal);
    return true;
  }

  template <class T>
  bool offset(Array& array, const std::vector<double>& values) {
    Array smaller = normalized_as<T>(values, array.width());
    const double angle = degrees(largest_distance(values, smaller.read<double>(), array.width()));
    if (!(angle <= limits_.normal_offset)) return false;
    set(array, std::move(smaller), angle, done_.errors.normal_offset);
    return true;
  }

  void fractions(Array& array, double limit, double& largest) {
    const bool real = array.holds<float>();
    if (!real && (array.type() != ComponentType::uint16 || !array.normalized())) return;
    const std::vector<double> values = array.read<double>();
    if (!are_within(values, 0)) return;
    const auto store = [&](Array smaller) {
      const double error = largest_difference(values, smaller.read<double>());
      if (!(error <= limit * (1 + 1e-9))) return false;
      set(array, std::move(smaller), error, largest);
      return true;
    };
    if (store(normalized_as<std::uint8_t>(values, array.width()))) return;
    if (real) store(normalized_as<std::uint16_t>(values, array.width()));
  }

  /// Stores integers in 8 bits if they all fit.
  void narrow(Array& array) {
    if (array.empty() || array.normalized() || array.type() != ComponentType::int16) return;
    const std::vector<double> values = array.read<double>();
    if (!std::ranges::all_of(values, [](double value) { return value >= -127 && value <= 127; })) return;
    array = Array::own(rounded_to<std::int8_t>(values, 1), array.width());
    ++done_.changed;
  }

  const AttributeErrors limits_;
  const bool compressed_;
  QuantizedAttributes& done_;
};

}  // namespace

QuantizedAttributes quantize_attributes(const StepInput& input, Model& model) {
  QuantizedAttributes done;
  AttributeQuantizer quantizer(input, done);
  for (Mesh& mesh : model.meshes)
    if (mesh.defect == none)
      for (VertexBlock& block : mesh.blocks)
        for (Attribute& attribute : block.attributes) quantizer.quantize(attribute);
  return done;
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "operations/convert/vrm/half_turn.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace sinew::operations::vrm {

namespace {

constexpr double signs[] = {-1, 1, -1};

/// Negates x and z of arrays. Primitives often share one array: it is turned once.
class ArrayTurner {
 public:
  [[nodiscard]] Array turned(const Array& array) {
    if (array.empty() || array.width() < 3) return array;
    const Key key{array.data(), array.size(), array.width(), array.stride(), array.type(), array.normalized()};
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second.second;
    Array made = negated(array);
    known_.emplace(key, std::pair(array, made));
    return made;
  }

 private:
  using Key = std::tuple<const std::byte*, std::size_t, std::size_t, std::size_t, ComponentType, bool>;

  template <class T>
  static void negate_rows(std::vector<T>& values, std::size_t width) {
    for (std::size_t at = 0; at < values.size(); at += width)
      for (const std::size_t column : {at, at + 2}) values[column] = static_cast<T>(T{0} - values[column]);
  }

  /// Returns nothing if a value has no negative one in its type.
  template <class T>
  static std::optional<Array> negated_integers(const Array& array) {
    const auto rows = array.view<T>();
    std::vector<T> values;
    values.reserve(array.size() * array.width());
    for (std::size_t row = 0; row < array.size(); ++row)
      for (std::size_t column = 0; column < array.width(); ++column) {
        const T value = rows[row][column];
        if (column != 1 && value == std::numeric_limits<T>::min()) return std::nullopt;
        values.push_back(value);
      }
    negate_rows(values, array.width());
    return Array::own(std::move(values), array.width(), array.normalized());
  }

  static Array negated(const Array& array) {
    std::optional<Array> small;
    if (array.type() == ComponentType::int8) small = negated_integers<std::int8_t>(array);
    if (array.type() == ComponentType::int16) small = negated_integers<std::int16_t>(array);
    if (small) return *small;
    std::vector<float> values = array.read<float>();
    negate_rows(values, array.width());
    return Array::own(std::move(values), array.width());
  }

  std::map<Key, std::pair<Array, Array>> known_;  ///< keeps the source, so that no other array gets its address
};

Affine turned(const Affine& map) {
  Affine out = map;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) out(row, column) = map(row, column) * (signs[row] * signs[column]) + 0.0;
    out.translation(row) = map.translation(row) * signs[row] + 0.0;
  }
  return out;
}

LocalTransform turned(const LocalTransform& local) {
  LocalTransform out = local;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, out.translation.size()); ++i)
    out.translation[i] = out.translation[i] * signs[i] + 0.0;
  for (const std::size_t plane : {1u, 3u})  // xy and yz; the rotation in xz has the axis of the turn
    if (plane < out.rotor.size()) out.rotor[plane] = 0.0 - out.rotor[plane];
  for (std::size_t i = 0; i < out.basis.size(); ++i) out.basis[i] = out.basis[i] * (signs[i / 3] * signs[i % 3]) + 0.0;
  return out;
}

void turn_attribute(Attribute& attribute, ArrayTurner& arrays) {
  const Semantic kind = attribute.semantic;
  if (kind != Semantic::position && kind != Semantic::normal && kind != Semantic::tangent) return;
  attribute.values = arrays.turned(attribute.values);
  for (Offsets& offsets : attribute.offsets) offsets.values = arrays.turned(offsets.values);
}

}  // namespace

Model half_turned(const Model& model) {
  Model out = model;
  ArrayTurner arrays;
  for (Mesh& mesh : out.meshes)
    for (VertexBlock& block : mesh.blocks)
      for (Attribute& attribute : block.attributes) turn_attribute(attribute, arrays);
  for (Skin& skin : out.skins)
    for (Affine& matrix : skin.joint_from_mesh) matrix = turned(matrix);
  for (Skeleton& skeleton : out.skeletons)
    for (Affine& matrix : skeleton.joint_from_mesh) matrix = turned(matrix);
  for (LocalTransform& local : out.rest_pose.locals) local = turned(local);
  for (Clip& clip : out.clips)
    for (Track& track : clip.tracks)
      if (track.path == TrackPath::translation || track.path == TrackPath::rotation) track.values = arrays.turned(track.values);
  return out;
}

}  // namespace sinew::operations::vrm

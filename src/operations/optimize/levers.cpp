// SPDX-License-Identifier: MIT
#include "operations/optimize/levers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "base/guard.hpp"
#include "math/length.hpp"
#include "model/influences.hpp"
#include "operations/compare/hidden_parts.hpp"

#include "sinew/deform.hpp"

namespace sinew::operations {

namespace {

/// The largest length of an image of a unit vector, or somewhat more: the root of the sum of squares.
double size_of(const Affine& map) {
  const std::size_t n = map.dimension();
  return length_of(map.values().first(n * n)) / std::sqrt(std::max(1.0, static_cast<double>(n)));
}

class Reaches {
 public:
  explicit Reaches(const Model& model)
      : model_(model),
        rest_world_(need(world_transforms(model, model.rest_pose))),
        world_(world_without_hiding(model)),
        own_(model.nodes.size(), -1),
        links_(model.nodes.size()) {
    levers_.reach.assign(model.nodes.size(), -1);
    levers_.scale.assign(model.nodes.size(), 1);
    levers_.shapes.resize(model.nodes.size());
    levers_.meshes.resize(model.meshes.size());
  }

  Levers run(double otherwise) {
    measure_links();
    for (Index node = 0; node < model_.nodes.size(); ++node) {
      const Node& at = model_.nodes[node];
      if (at.parent != none) levers_.scale[node] = size_of(world_[at.parent]);
      if (at.mesh != none && at.defect == none && model_.meshes[at.mesh].defect == none) add_instance(node);
    }
    // Children pass their reach on to their parents.
    for (const Index node : children_first()) {
      double& reach = levers_.reach[node];
      reach = std::max(reach, own_[node]);
      const Index parent = model_.nodes[node].parent;
      if (reach >= 0 && parent != none) levers_.reach[parent] = std::max(levers_.reach[parent], reach + links_[node]);
    }
    for (double& reach : levers_.reach)
      if (reach < 0) reach = otherwise;
    return std::move(levers_);
  }

 private:
  [[nodiscard]] std::span<const double> origin(Index node) const {
    const std::size_t n = model_.dimension;
    return world_[node].values().subspan(n * n, n);
  }

  [[nodiscard]] double distance(Index node, std::span<const double> point) const {
    const std::span<const double> from = origin(node);
    double squares = 0;
    for (std::size_t i = 0; i < point.size(); ++i) squares += (point[i] - from[i]) * (point[i] - from[i]);
    return std::sqrt(squares);
  }

  /// The largest distance of each node from its parent, at rest and in the clips.
  void measure_links() {
    for (Index node = 0; node < model_.nodes.size(); ++node)
      if (const Index parent = model_.nodes[node].parent; parent != none) links_[node] = distance(parent, origin(node));
    for (const Clip& clip : model_.clips)
      for (const Track& track : clip.tracks)
        if (clip.defect == none && track.path == TrackPath::translation && track.node < model_.nodes.size() &&
            track.interpolation != Interpolation::cubic_spline && model_.nodes[track.node].parent != none)
          add_track(track);
  }

  void add_track(const Track& track) {
    const std::vector<double> values = track.values.read<double>();
    const double scale = size_of(world_[model_.nodes[track.node].parent]);
    const std::size_t width = track.values.width();
    for (std::size_t at = 0; at + width <= values.size(); at += width)
      links_[track.node] = std::max(links_[track.node], scale * length_of(std::span(values).subspan(at, width)));
  }

  void add_instance(Index node) {
    const Node& at = model_.nodes[node];
    const Mesh& mesh = model_.meshes[at.mesh];
    deform::Palette palette(model_.dimension);
    const bool usable = at.skin == none || model_.skins[at.skin].defect == none;
    if (!usable || !deform::palette(model_, {node, at.mesh, at.skin, true}, world_, rest_world_, palette)) return;
    std::vector<Index> joints;
    if (at.skin != none) joints = model_.skins[at.skin].slots;
    double largest = 0;
    std::vector<Affine> maps;
    for (std::size_t slot = 0; slot < palette.size(); ++slot) {
      maps.push_back(palette[slot]);
      largest = std::max(largest, size_of(maps.back()));
      levers_.meshes[at.mesh] = std::max(levers_.meshes[at.mesh], palette.map_size(slot).linear);
    }
    levers_.shapes[node].assign(mesh.shapes.size(), 0);
    for (const VertexBlock& block : mesh.blocks) {
      const Attribute* const position = find_attribute(block.attributes, Semantic::position);
      if (position == nullptr) continue;
      add_vertices(node, block, *position, joints, maps);
      for (const Offsets& offsets : position->offsets) add_shape(levers_.shapes[node][offsets.shape], offsets, largest);
    }
  }

  void add_vertices(Index node, const VertexBlock& block, const Attribute& position, const std::vector<Index>& joints,
                    const std::vector<Affine>& maps) {
    const std::vector<double> points = position.values.read<double>();
    const std::size_t n = model_.dimension;
    std::vector<double> world(n);
    const auto add = [&](std::size_t vertex, Index to, const Affine& map, double weight) {
      if ((vertex + 1) * n > points.size()) return;
      map.apply(std::span(points).subspan(vertex * n, n), world);
      own_[to] = std::max(own_[to], std::min(1.0, std::abs(weight)) * distance(to, world));
    };
    if (joints.empty() || block.influences.empty()) {
      for (std::size_t vertex = 0; vertex < block.vertices; ++vertex) add(vertex, node, maps.back(), 1);
      return;
    }
    const InfluenceTable influences(block.influences);
    for (std::size_t vertex = 0; vertex < influences.size(); ++vertex)
      for (const auto [slot, weight] : influences[vertex])
        if (weight != 0 && slot < joints.size()) add(vertex, joints[slot] == none ? node : joints[slot], maps[slot], weight);
  }

  static void add_shape(double& largest, const Offsets& offsets, double scale) {
    const std::vector<double> values = offsets.values.read<double>();
    const std::size_t width = offsets.values.width();
    for (std::size_t at = 0; width != 0 && at + width <= values.size(); at += width)
      largest = std::max(largest, scale * length_of(std::span(values).subspan(at, width)));
  }

  [[nodiscard]] std::vector<Index> children_first() const {
    std::vector<Index> order;
    for (Index node = 0; node < model_.nodes.size(); ++node)
      if (model_.nodes[node].parent == none) order.push_back(node);
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const Index child : model_.nodes[order[i]].children) order.push_back(child);
    std::ranges::reverse(order);
    return order;
  }

  const Model& model_;
  std::vector<Affine> rest_world_, world_;  ///< poses can show what is hidden at rest
  std::vector<double> own_, links_;
  Levers levers_;
};

}  // namespace

Levers levers_of(const Model& model, double otherwise) { return Reaches(model).run(otherwise); }

}  // namespace sinew::operations

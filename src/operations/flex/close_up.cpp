// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include "base/guard.hpp"
#include "model/place.hpp"
#include "operations/flex/checks.hpp"

#include "sinew/animate.hpp"
#include "sinew/flex.hpp"

namespace sinew::operations {

namespace bend {

namespace {

constexpr std::array<float, 3> neutral = {0.55F, 0.56F, 0.58F}, signal = {0.9F, 0.12F, 0.05F};  // linear
constexpr double least_view = 0.06;                                                             // of the diagonal

/// Returns the twins in the pose of a finding.
Result<std::vector<double>> positions_in(const Figure& figure, const FlexPose& pose) {
  std::vector<double> at = figure.at;
  switch (pose.kind) {
    case FlexPose::Kind::rest:
      return at;
    case FlexPose::Kind::stress: {
      const Number joint = figure.joint_of_node[pose.node];
      const Turn turn(figure, figure.joints[joint], pose.plane, pose.degrees);
      for (Number twin = 0; twin < figure.twins(); ++twin)
        turn.move(figure.n, figure.place(twin), share_below(figure, twin, joint), &at[twin * figure.n]);
      return at;
    }
    case FlexPose::Kind::clip: {
      Pose now = figure.model->rest_pose;
      need(animate::sample(*figure.model, figure.model->clips[pose.clip], pose.seconds, now));
      const ClipPoser poser(figure);
      std::vector<double> maps;
      if (auto done = poser.maps(now, maps); !done) return Unexpected(std::move(done.error()));
      poser.deform(now, maps, at);
      return at;
    }
    case FlexPose::Kind::shape: {
      const std::vector<ShapePose> all = shape_poses(figure);
      std::vector<const ShapePose*> on;
      double sign = 1;
      for (const auto& [name, amount] : pose.shapes) {
        const auto found = std::ranges::find(all, name, &ShapePose::name);
        if (found != all.end()) on.push_back(&*found);
        sign = amount;
      }
      const std::vector<double> offset = shape_offsets(figure, on, sign);
      for (Number twin = 0; twin < figure.twins(); ++twin)
        for (std::size_t i = 0; i < figure.n; ++i) at[twin * figure.n + i] += offset[figure.members[twin].front() * figure.n + i];
      return at;
    }
  }
  return at;
}

/// Builds the picture's model.
class CloseUp {
 public:
  CloseUp(const Figure& figure, const FlexFinding& finding, std::vector<double> at) : f_(figure), at_(std::move(at)), marked_(f_.twins()) {
    for (Number v = 0; v < f_.vertices.size(); ++v)
      if (std::ranges::binary_search(finding.rows, f_.vertices[v].row)) marked_[f_.twin_of[v]] = 1;
    for (const FlexVertex& worst : finding.vertices) {
      if (center_known_) break;
      for (Number v = 0; v < f_.vertices.size(); ++v)
        if (f_.vertices[v].row == worst.row) look_at(f_.twin_of[v]);
    }
  }

  FlexCloseUp make(bool whole) {
    double radius = least_view;
    for (Number twin = 0; twin < f_.twins(); ++twin)
      if (marked_[twin] != 0) radius = std::max(radius, std::min(1.3 * distance(twin), 0.2));
    std::array<double, 3> normal{};
    for (Number s = 0; s < f_.count(); ++s) {
      const std::span<const Number> corners = f_.simplex(s);
      const bool near = std::ranges::any_of(corners, [&](Number twin) { return distance(twin) <= radius; });
      if (!whole && !near && center_known_) continue;
      const bool has_mark = std::ranges::any_of(corners, [&](Number twin) { return marked_[twin] != 0; });
      for (std::size_t a = 0; a < corners.size(); ++a)
        for (std::size_t b = a + 1; b < corners.size(); ++b)
          for (std::size_t c = b + 1; c < corners.size(); ++c) {
            const auto area = add(corners[a], corners[b], corners[c]);
            for (std::size_t i = 0; i < 3 && has_mark; ++i) normal[i] += area[i];
          }
    }
    FlexCloseUp out;
    out.model = model();
    const double length = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (length > 0 && !whole) {
      out.yaw = std::atan2(normal[0], normal[2]) * 180 / std::numbers::pi;
      out.pitch = std::clamp(std::asin(std::clamp(normal[1] / length, -1.0, 1.0)) * 180 / std::numbers::pi, -75.0, 75.0);
    } else if (f_.n > 2) {
      out.yaw = 25;
      out.pitch = 10;
    }
    return out;
  }

 private:
  void look_at(Number twin) {
    center_known_ = true;
    center_ = twin;
  }
  [[nodiscard]] double distance(Number twin) const {
    if (!center_known_) return 0;
    double squares = 0;
    for (std::size_t i = 0; i < f_.n; ++i) squares += std::pow(at_[twin * f_.n + i] - at_[center_ * f_.n + i], 2);
    return std::sqrt(squares);
  }
  std::array<double, 3> point(Number twin) const {
    std::array<double, 3> out{};
    for (std::size_t i = 0; i < std::min<std::size_t>(3, f_.n); ++i) out[i] = at_[twin * f_.n + i];
    return out;
  }

  /// Adds a triangle with both sides; returns its area vector.
  std::array<double, 3> add(Number a, Number b, Number c) {
    const std::array<std::array<double, 3>, 3> p = {point(a), point(b), point(c)};
    std::array<double, 3> u, v;
    for (std::size_t i = 0; i < 3; ++i) {
      u[i] = p[1][i] - p[0][i];
      v[i] = p[2][i] - p[0][i];
    }
    const std::array<Number, 3> twins = {a, b, c};
    for (const bool back : {false, true})
      for (const std::size_t i : back ? std::array<std::size_t, 3>{0, 2, 1} : std::array<std::size_t, 3>{0, 1, 2}) {
        indices_.push_back(static_cast<std::uint32_t>(positions_.size() / 3));
        for (const double x : p[i]) positions_.push_back(static_cast<float>(x));
        const auto& color = marked_[twins[i]] != 0 ? signal : neutral;
        colors_.insert(colors_.end(), color.begin(), color.end());
      }
    return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  }

  Model model() {
    Model out;
    out.format = "glTF";
    out.revision = "2.0";
    Mesh& mesh = out.meshes.emplace_back();
    VertexBlock& block = mesh.blocks.emplace_back();
    block.vertices = positions_.size() / 3;
    Attribute& positions = block.attributes.emplace_back();
    positions.semantic = Semantic::position;
    positions.values = Array::own(std::move(positions_), 3);
    Attribute& colors = block.attributes.emplace_back();
    colors.semantic = Semantic::color;
    colors.values = Array::own(std::move(colors_), 3);
    Surface& surface = mesh.surfaces.emplace_back();
    surface.elements = Array::own(std::move(indices_), 1);
    surface.indexed = true;
    Node& node = out.nodes.emplace_back();
    node.mesh = 0;
    out.rest_pose.locals.resize(1);
    out.rest_pose.amounts.resize(1);
    return out;
  }

  const Figure& f_;
  std::vector<double> at_;
  std::vector<char> marked_;
  bool center_known_ = false;
  Number center_ = 0;
  std::vector<float> positions_, colors_;
  std::vector<std::uint32_t> indices_;
};

}  // namespace

}  // namespace bend

Result<FlexCloseUp> flex_close_up(const Model& model, const FlexFinding& finding, bool at_rest, const FlexOptions& options) SINEW_TRY {
  auto figure = bend::Figure::create(model, options.scene, options.threads);
  if (!figure) return Unexpected(std::move(figure.error()));
  auto at = bend::positions_in(*figure, at_rest ? FlexPose{} : finding.pose);
  if (!at) return Unexpected(std::move(at.error()));
  return bend::CloseUp(*figure, finding, std::move(*at)).make(at_rest);
}
SINEW_CATCH(place_of(model))

}  // namespace sinew::operations

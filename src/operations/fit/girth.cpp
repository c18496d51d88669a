// SPDX-License-Identifier: MIT
#include "operations/fit/girth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "math/extent.hpp"

namespace sinew::operations::weights {

namespace {

constexpr std::size_t fewest = 8;   ///< vertices that tell a cross-section
constexpr std::size_t sectors = 8;  ///< of the directions around a bone; all but one must have a vertex
constexpr double loosest = 1.7;     ///< times the width of the body: clothes that are wider still are drawn in
constexpr double widest = 3;        ///< times its own width: no cloth is stretched further
constexpr std::size_t passes = 4;   ///< of passing corrections on to neighbours

/// A bone and two directions across it.
struct BoneFrame {
  Vec origin{}, along{};
  std::array<Vec, 2> across{};
};

std::optional<BoneFrame> frame_of(const std::vector<Vec>& bone) {
  if (bone.size() < 2) return std::nullopt;
  Vec end{};
  for (std::size_t i = 1; i < bone.size(); ++i) end = end + 1.0 / static_cast<double>(bone.size() - 1) * bone[i];
  BoneFrame out{bone[0], end - bone[0], {}};
  const double length = norm(out.along);
  if (!(length > 0)) return std::nullopt;
  out.along = (1 / length) * out.along;
  const auto absolute = [&](double x) { return std::abs(x); };
  const auto least = static_cast<std::size_t>(std::ranges::min_element(out.along, {}, absolute) - out.along.begin());
  Vec axis{};
  axis[least] = 1;
  axis = axis - dot(axis, out.along) * out.along;
  out.across[0] = (1 / norm(axis)) * axis;
  out.across[1] = cross(out.along, out.across[0]);
  return out;
}

/// The box of vertices around a bone, across it.
struct Section {
  std::array<double, 2> low{}, high{};
  bool closed = false;  ///< there are vertices all around its centre

  [[nodiscard]] double centre(std::size_t axis) const { return (low[axis] + high[axis]) / 2; }
  [[nodiscard]] double width(std::size_t axis) const { return high[axis] - low[axis]; }
};

Section section_of(const BoneFrame& frame, const std::vector<Vec>& points) {
  Section out;
  if (points.size() < fewest) return out;
  std::vector<std::array<double, 2>> flat;
  for (const Vec& point : points) flat.push_back({dot(point - frame.origin, frame.across[0]), dot(point - frame.origin, frame.across[1])});
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto [least, most] = std::ranges::minmax(flat, {}, [&](const auto& p) { return p[axis]; });
    out.low[axis] = least[axis];
    out.high[axis] = most[axis];
  }
  std::array<bool, sectors> met{};
  for (const auto& p : flat) {
    const double turn = same_everywhere(std::atan2(p[1] - out.centre(1), p[0] - out.centre(0))) / (2 * std::numbers::pi) + 0.5;
    met[std::min(sectors - 1, static_cast<std::size_t>(turn * sectors))] = true;
  }
  out.closed = std::ranges::count(met, true) >= static_cast<std::ptrdiff_t>(sectors) - 1;
  return out;
}

/// What one bone does to the vertices that follow it.
struct Correction {
  BoneFrame frame;
  std::array<double, 2> centre{}, shift{}, stretch{1, 1};
  std::optional<double> whole;  ///< of the last bone of a chain: one factor in all directions from its origin, and nothing else

  [[nodiscard]] Vec of(const Vec& point) const {
    if (whole) return (*whole - 1) * (point - frame.origin);
    Vec out{};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double place = dot(point - frame.origin, frame.across[axis]);
      out = out + (shift[axis] + (stretch[axis] - 1) * (place - centre[axis])) * frame.across[axis];
    }
    return out;
  }
};

/// Compares the cross-sections of the clothes and the body.
class Girths {
 public:
  Girths(const RiggedSurface& body, const Model& model, std::span<const Index> twin, double clearance, RiggedSurface& clothes)
      : body_(body),
        model_(model),
        twin_(twin),
        clearance_(clearance),
        clothes_(clothes),
        of_body_(strongest_joints(body.surface)),
        of_clothes_(strongest_joints(clothes.surface)) {}

  void run() {
    mark_above();
    gather(body_, of_body_, false, body_vertices_);
    gather(clothes_, of_clothes_, true, clothes_vertices_);
    for (std::uint32_t joint = 0; joint < clothes_.joints.size(); ++joint) correct(joint);
    if (corrections_.empty()) return;
    pass_on();
    std::vector<Vec>& points = clothes_.surface.vertices;
    for (std::size_t vertex = 0; vertex < points.size(); ++vertex) {
      Vec move{};
      for (std::size_t i = clothes_.surface.first[vertex]; i < clothes_.surface.first[vertex + 1]; ++i) {
        const Index node = clothes_.joints[clothes_.surface.joint[i]];
        if (const auto own = corrections_.find(node); own != corrections_.end())
          move = move + clothes_.surface.weight[i] * own->second.of(points[vertex]);
        else if (const auto passed = shifts_.find(node); passed != shifts_.end())
          move = move + clothes_.surface.weight[i] * passed->second;
      }
      points[vertex] = points[vertex] + move;
    }
  }

 private:
  static void gather(const RiggedSurface& rigged, const std::vector<std::optional<std::uint32_t>>& of, bool hair,
                     std::vector<std::vector<std::uint32_t>>& vertices) {
    vertices.resize(rigged.joints.size());
    for (const RiggedSurface::Part& part : rigged.parts)
      for (auto vertex = static_cast<std::uint32_t>(part.first); vertex < part.last && (hair || !part.hair); ++vertex)
        if (of[vertex]) vertices[*of[vertex]].push_back(vertex);
  }

  void correct(std::uint32_t joint) {
    const Index node = clothes_.joints[joint];
    const auto theirs = std::ranges::find(body_.joints, twin_[node]);
    if (twin_[node] == none || theirs == body_.joints.end()) return;
    const auto number = static_cast<std::uint32_t>(theirs - body_.joints.begin());
    const auto frame = frame_of(body_.surface.bones[number]);
    if (!frame) return;
    std::vector<Vec> ours;
    Extent along;
    for (const std::uint32_t vertex : clothes_vertices_[joint]) {
      ours.push_back(clothes_.surface.vertices[vertex]);
      along.add(0, dot(ours.back() - frame->origin, frame->along));
    }
    if (ours.size() < fewest) return;
    std::vector<Vec> skin;
    for (const std::uint32_t vertex : body_vertices_[number]) {
      const double place = dot(body_.surface.vertices[vertex] - frame->origin, frame->along);
      if (place >= along.low[0] && place <= along.high[0]) skin.push_back(body_.surface.vertices[vertex]);
    }
    const Section cloth = section_of(*frame, ours), inner = section_of(*frame, skin);
    if (!cloth.closed || !inner.closed) return;
    Correction out{*frame, {}, {}, {1, 1}, {}};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double wanted = inner.width(axis) + 2 * clearance_, fitting = std::clamp(cloth.width(axis), wanted, loosest * wanted);
      if (cloth.width(axis) > 0) out.stretch[axis] = std::clamp(fitting / cloth.width(axis), 1 / widest, widest);
      out.centre[axis] = cloth.centre(axis);
      const double apart = inner.centre(axis) - cloth.centre(axis), play = (fitting - wanted) / 4;
      out.shift[axis] = apart - std::clamp(apart, -play, play);  // a loose garment may hang to one side
    }
    if (!has_below_[node]) out.whole = std::sqrt(out.stretch[0] * out.stretch[1]);  // a hood leaves the face open: no centre is known
    corrections_.emplace(node, out);
  }

  /// Marks the nodes above matched bones: the others are the last ones of their chains.
  void mark_above() {
    has_below_.assign(model_.nodes.size(), false);
    for (const Index joint : clothes_.joints) {
      if (twin_[joint] == none) continue;
      for (Index up = model_.nodes[joint].parent; up != none && !has_below_[up]; up = model_.nodes[up].parent) has_below_[up] = true;
    }
  }

  /// Bones without a correction of their own get the mean shift of their neighbours.
  void pass_on() {
    std::map<Index, Vec> known;
    for (const auto& [node, own] : corrections_)
      if (!own.whole) known[node] = own.shift[0] * own.frame.across[0] + own.shift[1] * own.frame.across[1];
    for (std::size_t round = 0; round < passes; ++round) {
      std::map<Index, std::pair<Vec, double>> sums;
      const auto give = [&](Index to, const Vec& shift) {
        if (to == none || known.contains(to)) return;
        auto& [sum, count] = sums[to];
        sum = sum + shift;
        ++count;
      };
      for (const auto& [node, shift] : known) {
        give(model_.nodes[node].parent, shift);
        for (const Index child : model_.nodes[node].children) give(child, shift);
      }
      for (const auto& [node, sum] : sums) known[node] = shifts_[node] = (1 / sum.second) * sum.first;
    }
  }

  const RiggedSurface& body_;
  const Model& model_;
  std::span<const Index> twin_;
  double clearance_;
  RiggedSurface& clothes_;
  std::vector<std::optional<std::uint32_t>> of_body_, of_clothes_;
  std::vector<std::vector<std::uint32_t>> body_vertices_, clothes_vertices_;  ///< by joint: those that follow it most
  std::vector<bool> has_below_;
  std::map<Index, Correction> corrections_;
  std::map<Index, Vec> shifts_;
};

}  // namespace

std::map<Index, JointBox> boxes_at_joints(const RiggedSurface& rigged) {
  std::map<std::uint32_t, std::pair<Extent, std::size_t>> boxes;
  const auto joints = strongest_joints(rigged.surface);
  for (std::size_t vertex = 0; vertex < joints.size(); ++vertex) {
    if (!joints[vertex]) continue;
    auto& [box, count] = boxes[*joints[vertex]];
    for (std::size_t axis = 0; axis < 3; ++axis) box.add(axis, rigged.surface.vertices[vertex][axis]);
    ++count;
  }
  std::map<Index, JointBox> sizes;
  for (const auto& [joint, own] : boxes) {
    const auto& [box, count] = own;
    const double volume = (box.high[0] - box.low[0]) * (box.high[1] - box.low[1]) * (box.high[2] - box.low[2]);
    if (count >= fewest && volume > 0)
      sizes[rigged.joints[joint]] = {same_everywhere(std::cbrt(volume)),
                                     {(box.low[0] + box.high[0]) / 2, (box.low[1] + box.high[1]) / 2, (box.low[2] + box.high[2]) / 2}};
  }
  return sizes;
}

void fit_girths(const RiggedSurface& body, const Model& clothes_model, std::span<const Index> twin, double clearance,
                RiggedSurface& clothes) {
  Girths(body, clothes_model, twin, clearance, clothes).run();
}

}  // namespace sinew::operations::weights

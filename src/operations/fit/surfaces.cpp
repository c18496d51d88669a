// SPDX-License-Identifier: MIT
#include "operations/fit/surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "operations/retarget/transfer.hpp"

namespace sinew::operations::weights {

namespace {

constexpr double longest_edge = 0.015;  ///< of the outer surface, relative to the diagonal: what happens at a corner stays near it
constexpr std::size_t most_triangles = 1 << 19;
constexpr double layer = 0.03;  ///< how far clothes lie above the skin of the same body at most, relative to the diagonal of the body

/// Marks the nodes of chains that swing, with everything below them.
std::vector<bool> swinging(const Model& model) {
  std::vector<bool> marked(model.nodes.size());
  std::vector<Index> open;
  for (const Spring& spring : model.avatar.springs) open.insert(open.end(), spring.joints.begin(), spring.joints.end());
  while (!open.empty()) {
    const Index node = open.back();
    open.pop_back();
    if (node >= marked.size() || marked[node]) continue;
    marked[node] = true;
    open.insert(open.end(), model.nodes[node].children.begin(), model.nodes[node].children.end());
  }
  return marked;
}

/// Whether a name has a word that ends with it (`whole`) or may go on: "h_wig" and "HairBack001" have wig and hair, "chair" has not.
bool names(std::string_view name, std::string_view word, bool whole) {
  const auto letter = [&](std::size_t at) { return at < name.size() && to_lower(name[at]) >= 'a' && to_lower(name[at]) <= 'z'; };
  const std::string lower = to_lower(std::string(name));
  for (std::size_t at = lower.find(word); at != std::string::npos; at = lower.find(word, at + 1)) {
    const bool capital = name[at] != lower[at], begins = at == 0 || !letter(at - 1) || (capital && name[at - 1] == lower[at - 1]);
    if (begins && (!whole || !letter(at + word.size()))) return true;
  }
  return false;
}

bool names_hair(std::string_view name) { return names(name, "hair", false) || names(name, "wig", true); }
bool names_eyes(std::string_view name) { return names(name, "eye", true) || names(name, "eyes", true); }

/// Splits the longest edges at their middles, again and again, until none is longer than the limit. The surface stays.
class Refining {
 public:
  using Halves = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  Refining(WeldedMesh& mesh, std::vector<std::optional<std::uint32_t>>& joints, Halves& halves)
      : mesh_(mesh), joints_(joints), halves_(halves) {}

  void run() {
    while (mesh_.triangles.size() < most_triangles && split()) {
    }
  }

 private:
  bool split() {
    middles_.clear();
    std::vector<Triangle> triangles;
    for (const Triangle& t : mesh_.triangles) {
      std::size_t longest = 3;
      double most = longest_edge * mesh_.diagonal;
      for (std::size_t i = 0; i < 3; ++i)
        if (const double length = norm(mesh_.points[t[i]] - mesh_.points[t[(i + 1) % 3]]); length > most) {
          most = length;
          longest = i;
        }
      if (longest < 3) middle(t[longest], t[(longest + 1) % 3]);
    }
    if (middles_.empty()) return false;
    for (const Triangle& t : mesh_.triangles) divide(t, triangles);
    mesh_.triangles.swap(triangles);
    return true;
  }

  /// Divides a triangle at the first of its edges that has a middle, and the halves at the others.
  void divide(const Triangle& whole, std::vector<Triangle>& out) const {
    std::vector<Triangle> open{whole};
    while (!open.empty()) {
      const Triangle t = open.back();
      open.pop_back();
      std::optional<std::uint32_t> middle;
      std::size_t side = 0;
      for (std::size_t i = 0; i < 3 && !middle; ++i)
        if (const auto found = middles_.find(std::minmax(t[i], t[(i + 1) % 3])); found != middles_.end()) {
          middle = found->second;
          side = i;
        }
      if (!middle) {
        out.push_back(t);
        continue;
      }
      open.push_back({t[side], *middle, t[(side + 2) % 3]});
      open.push_back({*middle, t[(side + 1) % 3], t[(side + 2) % 3]});
    }
  }

  void middle(std::uint32_t a, std::uint32_t b) {
    const auto [place, added] = middles_.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(mesh_.points.size()));
    if (!added) return;
    mesh_.points.push_back(0.5 * (mesh_.points[a] + mesh_.points[b]));
    const Vec normal = mesh_.normals[a] + mesh_.normals[b];
    const double length = norm(normal);
    mesh_.normals.push_back(length > 0 ? (1 / length) * normal : mesh_.normals[a]);
    mesh_.piece_of.push_back(mesh_.piece_of[a]);
    joints_.push_back(joints_[std::min(a, b)]);
    halves_.emplace_back(a, b);
  }

  WeldedMesh& mesh_;
  std::vector<std::optional<std::uint32_t>>& joints_;
  Halves& halves_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles_;  ///< of edges that are split
};

/// The parts of a character without skins: each moves with the nearest bone above it.
void append_rigid_parts(const Model& model, const DeformedScene& scene, RiggedSurface& out) {
  const std::map<Index, std::string> bones = human_names(model);
  for (std::size_t i = 0; i < scene.list().size(); ++i) {
    const Instance& instance = scene.list()[i];
    Index bone = instance.node;
    while (bone != none && !bones.contains(bone)) bone = model.nodes[bone].parent;
    if (bone == none || instance.copy != 0) continue;
    const std::size_t first = out.surface.vertices.size();
    append_rigid(scene.mesh(i), bone, out.joints, out.surface);
    out.parts.push_back({instance.mesh, first, out.surface.vertices.size()});
  }
}

}  // namespace

Result<RiggedSurface> RiggedSurface::create(const Model& model, unsigned threads) {
  const auto scene = DeformedScene::create(model, threads);
  if (!scene) return Unexpected(scene.error());
  RiggedSurface out;
  for (std::size_t i = 0; i < scene->list().size(); ++i) {
    const Instance& instance = scene->list()[i];
    if (instance.skin == none || instance.copy != 0 || std::ranges::find(out.parts, instance.mesh, &Part::mesh) != out.parts.end())
      continue;
    const std::size_t first = out.surface.vertices.size();
    if (append_surface(model, instance, scene->mesh(i), out.joints, out.surface))
      out.parts.push_back({instance.mesh, first, out.surface.vertices.size(),
                           names_hair(model.meshes[instance.mesh].name) || names_hair(model.nodes[instance.node].name),
                           names_eyes(model.meshes[instance.mesh].name) || names_eyes(model.nodes[instance.node].name)});
  }
  out.surface.bones = bones_of(model, out.joints);
  return out;
}

Result<RiggedSurface> RiggedSurface::of_figure(const Model& model, unsigned threads) {
  if (!model.skins.empty()) return create(model, threads);
  const auto scene = DeformedScene::create(model, threads);
  if (!scene) return Unexpected(scene.error());
  RiggedSurface out;
  append_rigid_parts(model, *scene, out);
  out.surface.bones = bones_of(model, out.joints);
  return out;
}

OuterSurface::OuterSurface(const Model& body, const RiggedSurface& rigged) {
  const std::vector<bool> swings = swinging(body);
  const auto joints = strongest_joints(rigged.surface);
  std::vector<Triangle> firm;
  for (const Triangle& t : rigged.surface.triangles)
    if (std::ranges::none_of(t, [&](std::uint32_t corner) { return joints[corner] && swings[rigged.joints[*joints[corner]]]; }))
      firm.push_back(t);
  mesh_ = WeldedMesh::create(rigged.surface.vertices, firm);
  joints_.resize(mesh_.points.size());
  vertex_.resize(mesh_.points.size());
  for (std::uint32_t vertex = 0; vertex < mesh_.point_of.size(); ++vertex) vertex_[mesh_.point_of[vertex]] = vertex;
  for (const Triangle& t : firm)
    for (const std::uint32_t corner : t) {
      joints_[mesh_.point_of[corner]] = joints[corner];
      vertex_[mesh_.point_of[corner]] = corner;
    }
  limbs_ = joints_;
  for (const RiggedSurface::Part& part : rigged.parts) {
    if (!part.hair) continue;
    for (std::size_t vertex = part.first; vertex < part.last; ++vertex) limbs_[mesh_.point_of[vertex]] = hair(rigged);
  }
  Refining(mesh_, joints_, halves_).run();
  for (const auto& [a, b] : halves_) limbs_.push_back(limbs_[std::min(a, b)]);
  neighbours_ = Neighbours::create(mesh_);
  std::vector<Triangle> skin;  // hair covers nothing
  for (const Triangle& t : mesh_.triangles)
    if (limbs_[t[0]] != hair(rigged)) skin.push_back(t);
  const TriangleTree over(mesh_.points, skin);
  std::vector<bool> covered(mesh_.points.size());
  for (std::uint32_t point = 0; point < covered.size(); ++point)
    covered[point] = over.leaves(point, layer * mesh_.diagonal * mesh_.normals[point]);
  for (const Triangle& t : mesh_.triangles)
    if (!std::ranges::all_of(t, [&](std::uint32_t corner) { return covered[corner]; })) triangles_.push_back(t);
  shown_.assign(mesh_.points.size(), false);
  for (const Triangle& t : triangles_)
    for (const std::uint32_t corner : t) shown_[corner] = true;
  tree_.emplace(mesh_.points, triangles_);
}

OuterSurface::Place OuterSurface::place(const Vec& point, std::span<const std::uint32_t> allowed) const {
  Place out;
  if (!allowed.empty())
    out.nearest = tree_->nearest(point, TriangleTree::enough, [&](std::uint32_t triangle) {
      return std::ranges::any_of(triangles_[triangle], [&](std::uint32_t corner) { return lies_on(corner, allowed); });
    });
  if (!std::isfinite(out.nearest.square)) out.nearest = tree_->nearest(point, TriangleTree::enough);
  out.corners = triangles_[out.nearest.triangle];
  Vec on{};
  for (std::size_t i = 0; i < 3; ++i) {
    on = on + out.nearest.share[i] * mesh_.points[out.corners[i]];
    out.normal = out.normal + out.nearest.share[i] * mesh_.normals[out.corners[i]];
  }
  const double length = norm(out.normal);
  if (length > 0) out.normal = (1 / length) * out.normal;
  out.height = std::sqrt(out.nearest.square) * (dot(point - on, out.normal) < 0 ? -1 : 1);
  return out;
}

}  // namespace sinew::operations::weights

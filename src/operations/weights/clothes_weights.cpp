// SPDX-License-Identifier: MIT
#include "operations/weights/clothes_weights.hpp"

#include <algorithm>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/suggestion.hpp"
#include "model/place.hpp"
#include "operations/files/most_work.hpp"
#include "operations/weights/skinned_surface.hpp"
#include "operations/weights/stored_weights.hpp"
#include "operations/weights/surface_transfer.hpp"

#include "sinew/deform.hpp"

namespace sinew::operations {

namespace {

using weights::DeformedScene;
using weights::PointClass;
using weights::Vec;

constexpr std::size_t most_listed = 100;
constexpr std::uint64_t steps_per_weight = 32;  // of smoothing, solving and cutting

bool is_chosen(const Model& body, const Node& node, const std::vector<std::string>& wanted) {
  if (wanted.empty()) return true;
  return std::ranges::any_of(wanted, [&](const std::string& name) {
    return name == body.meshes[node.mesh].name || name == node.name || name == format_text("{}", node.mesh);
  });
}

Result<> check_from(const Model& body, const std::vector<std::string>& wanted) {
  std::vector<std::string_view> known;
  for (const Mesh& mesh : body.meshes) known.push_back(mesh.name);
  for (const Node& node : body.nodes)
    if (node.mesh != none) known.push_back(node.name);
  std::erase(known, std::string_view());
  for (const std::string& name : wanted) {
    const bool found =
        std::ranges::any_of(body.nodes, [&](const Node& node) { return node.mesh != none && is_chosen(body, node, {name}); });
    if (!found)
      return Unexpected(error("SINEW_USAGE"_code, Failure::usage, place_of(body),
                              format_text("no mesh of the body is named \"{}\"{}", name, suggestion(name, known))));
  }
  return {};
}

/// Returns the smallest distance of two boxes of points along an axis; 0 if they overlap in all axes.
double gap_between(std::span<const Vec> a, std::span<const Vec> b) {
  double gap = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [a_low, a_high] = std::ranges::minmax(a, {}, [&](const Vec& point) { return point[axis]; });
    const auto [b_low, b_high] = std::ranges::minmax(b, {}, [&](const Vec& point) { return point[axis]; });
    gap = std::max({gap, a_low[axis] - b_high[axis], b_low[axis] - a_high[axis]});
  }
  return gap;
}

bool below_joint(const Model& model, Index node, const std::vector<bool>& joint) {
  for (; node != none; node = model.nodes[node].parent)
    if (node < joint.size() && joint[node]) return true;
  return false;
}

}  // namespace

struct WeightDonor::Data {
  WeightTransfer options;
  unsigned threads = 0;
  std::vector<Index> slots;  ///< of new skins
  std::vector<bool> joint;   ///< by node of the body
  Relatives relatives;
  std::vector<std::string> meshes;  ///< names
  weights::WeightedSurface surface;
  std::optional<weights::SurfaceTransfer> transfer;  ///< nothing: the body has no skinned surface
  weights::WeightStorage storage;
  double diagonal = 0;

  [[nodiscard]] Result<> collect(const Model& body, std::span<const Index> joints);
  [[nodiscard]] Result<std::vector<Affine>> binds(const Model& model, Index node, const std::vector<Affine>& world) const;
  [[nodiscard]] double reach(const weights::SceneMesh& clothes) const {
    return options.distance * std::min(weights::box_diagonal(clothes.vertices), diagonal);
  }
  [[nodiscard]] std::string why_not(const Model& model, Index node, std::span<const Vec> vertices, double reach) const;
  TransferredWeights dress(Model& model, Index mesh, const weights::SceneMesh& clothes, double reach, const OwnWeights* own) const;
};

Result<> WeightDonor::Data::collect(const Model& body, std::span<const Index> joints) {
  joint.assign(body.nodes.size(), false);
  for (const Index node : joints) joint[node] = true;
  auto scene = DeformedScene::create(body, threads);
  if (!scene) return Unexpected(std::move(scene.error()));
  std::size_t most = 0;
  for (std::size_t i = 0; i < scene->list().size(); ++i) {
    const Instance& instance = scene->list()[i];
    if (instance.skin == none || body.skins[instance.skin].defect != none || !is_chosen(body, body.nodes[instance.node], options.from))
      continue;
    const Skin& skin = body.skins[instance.skin];
    if (std::ranges::none_of(skin.slots, [&](Index node) { return std::ranges::binary_search(joints, node); })) continue;
    const weights::SceneMesh mesh = scene->mesh(i);
    if (mesh.triangles.empty() || !append_surface(body, instance, mesh, slots, surface)) continue;
    storage.widen(body.meshes[instance.mesh]);
    most = std::max(most, most_influences(body.meshes[instance.mesh]));
    meshes.push_back(body.meshes[instance.mesh].name);
  }
  if (options.max_influences == 0) options.max_influences = std::max<std::size_t>(4, most);
  surface.bones = weights::bones_of(body, slots);
  relatives = relatives_of(body, slots, surface);
  diagonal = weights::box_diagonal(surface.vertices);
  if (!surface.triangles.empty()) transfer.emplace(surface);
  return {};
}

Result<std::vector<Affine>> WeightDonor::Data::binds(const Model& model, Index node, const std::vector<Affine>& world) const {
  std::vector<Affine> out;
  for (const Index slot : slots) {
    const auto back = inverse(world[slot]);
    if (!back)
      return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(model, model.nodes[slot]),
                              format_text("the transform of the joint \"{}\" of the body has no inverse", model.nodes[slot].name)));
    out.push_back(*back * world[node]);
  }
  return out;
}

/// Returns why a mesh stays as it is; empty: it gets weights.
std::string WeightDonor::Data::why_not(const Model& model, Index node, std::span<const Vec> vertices, double reach) const {
  if (!model.nodes[node].copies.empty()) return "it is drawn as copies";
  const double gap = gap_between(vertices, surface.vertices);
  if (gap > reach) return format_text("it lies {:.3g} away from the skinned meshes of the body, expected at most {:.3g}", gap, reach);
  return {};
}

TransferredWeights WeightDonor::Data::dress(Model& model, Index mesh, const weights::SceneMesh& clothes, double reach,
                                            const OwnWeights* own) const {
  const weights::WeldedMesh welded = weights::WeldedMesh::create(clothes.vertices, clothes.triangles);
  AllowedJoints only(own != nullptr ? welded.points.size() : 0);
  if (own != nullptr) allow_joints(welded, 0, own->joints, slots, relatives, only);
  const weights::TransferredField field = transfer->run(welded, {reach, options.angle, options.max_influences, threads, only});
  TransferredWeights out;
  out.mesh = model.meshes[mesh].name;
  out.mode = options.mode;
  out.from = meshes;
  out.vertices = clothes.vertices.size();
  for (std::size_t row = 0; row < out.vertices; ++row) {
    const PointClass own = field.classes[welded.point_of[row]];
    ++(own == PointClass::matched ? out.matched : own == PointClass::inpainted ? out.inpainted : out.far);
    if (own == PointClass::far && out.far_vertices.size() < most_listed) out.far_vertices.push_back(row);
  }
  out.pieces = welded.pieces;
  out.pieces_without_match = field.pieces_without_match;
  for (const auto& row : field.rows) out.most_influences = std::max(out.most_influences, row.size());
  out.dropped = field.dropped;
  out.largest_dropped = field.largest_dropped;
  const double size = welded.diagonal > 0 ? welded.diagonal : 1;
  if (!field.distances.empty()) {
    out.median_distance = field.distances[field.distances.size() / 2] / size;
    out.largest_distance = field.distances.back() / size;
  }
  out.distance_limit = reach / size;
  out.angle = options.angle;
  storage.store(welded.point_of, field.rows, model.meshes[mesh]);
  return out;
}

WeightDonor::WeightDonor(std::unique_ptr<Data> data) : data_(std::move(data)) {}
WeightDonor::~WeightDonor() = default;
WeightDonor::WeightDonor(WeightDonor&&) noexcept = default;

Result<WeightDonor> WeightDonor::create(const Model& body, std::span<const Index> joints, const WeightTransfer& options, unsigned threads) {
  auto data = std::make_unique<Data>();
  data->options = options;
  data->threads = threads;
  if (auto done = check_from(body, options.from); !done) return Unexpected(std::move(done.error()));
  if (auto done = data->collect(body, joints); !done) return Unexpected(std::move(done.error()));
  if (!data->transfer && (options.mode == ClothesWeights::transfer || !options.from.empty()))
    return Unexpected(error("SINEW_WEIGHTS_NO_SOURCE"_code, Failure::input, place_of(body), body.meshes.size()));
  return WeightDonor(std::move(data));
}

Result<std::optional<Model>> WeightDonor::give(const Model& dressed, std::span<const Index> nodes, std::span<const OwnWeights> fitted,
                                               FindingSink& notes, std::vector<TransferredWeights>& report) const {
  if (!data_->transfer) return std::optional<Model>();
  const WeightTransfer& options = data_->options;
  const auto scene = DeformedScene::create(dressed, data_->threads);
  if (!scene) return Unexpected(scene.error());
  const std::vector<Affine> world = need(world_transforms(dressed, dressed.rest_pose));
  std::optional<Model> out;
  WorkMeter meter = meter_of(dressed);
  for (std::size_t i = 0; i < scene->list().size(); ++i) {
    const Instance& instance = scene->list()[i];
    if (std::ranges::find(nodes, instance.node) == nodes.end() || instance.skin != none || instance.copy != 0) continue;
    const bool always = options.mode == ClothesWeights::transfer;
    const auto own = std::ranges::find(fitted, instance.node, &OwnWeights::node);
    const bool lies_on = own != fitted.end();
    if (!always && !lies_on && below_joint(dressed, dressed.nodes[instance.node].parent, data_->joint)) continue;
    const weights::SceneMesh clothes = scene->mesh(i);
    if (clothes.vertices.empty()) continue;
    const double reach = data_->reach(clothes);
    const std::string& name = dressed.meshes[instance.mesh].name;
    const std::string reason = lies_on ? std::string() : data_->why_not(dressed, instance.node, clothes.vertices, reach);
    if (!reason.empty()) {
      if (always) return Unexpected(error("SINEW_WEIGHTS_NO_OVERLAP"_code, Failure::input, place_of(dressed), name, reason));
      notes.add(finding("SINEW_WEIGHTS_ELSEWHERE"_code, "", name, reason));
      continue;
    }
    const std::uint64_t steps = steps_per_weight * clothes.vertices.size() * data_->slots.size();
    if (auto done = meter.allow(steps, "the transferred weights"); !done) return Unexpected(std::move(done.error()));
    auto binds = data_->binds(dressed, instance.node, world);
    if (!binds) return Unexpected(std::move(binds.error()));
    if (!out) out = dressed;
    const Index mesh = weights::own_mesh(*out, instance.node);
    TransferredWeights row = data_->dress(*out, mesh, clothes, reach, lies_on ? &*own : nullptr);
    weights::add_skin(*out, instance.node, data_->slots, std::move(*binds));
    row.node = instance.node;
    row.reason = always ? "requested" : lies_on ? "fitted to the surface" : "no skin, box overlaps";
    if (row.far > 0) {
      const Finding far = finding("SINEW_WEIGHTS_FAR"_code, "", name, row.far, row.vertices);
      row.warnings.push_back(far.message);
      notes.add(far);
    }
    report.push_back(std::move(row));
  }
  return out;
}

Result<WeightDonor::Coverage> WeightDonor::coverage(const Model& clothes, const OwnWeights& own) const {
  Coverage out;
  if (!data_->transfer) return out;
  const auto scene = DeformedScene::create(clothes, data_->threads);
  if (!scene) return Unexpected(scene.error());
  for (std::size_t i = 0; i < scene->list().size(); ++i) {
    if (scene->list()[i].node != own.node || scene->list()[i].copy != 0) continue;
    const weights::SceneMesh mesh = scene->mesh(i);
    if (mesh.vertices.empty()) continue;
    const weights::WeldedMesh welded = weights::WeldedMesh::create(mesh.vertices, mesh.triangles);
    AllowedJoints only(welded.points.size());
    allow_joints(welded, 0, own.joints, data_->slots, data_->relatives, only);
    out.all += welded.points.size();
    out.matched +=
        data_->transfer->matches(welded, {data_->reach(mesh), data_->options.angle, data_->options.max_influences, data_->threads, only});
  }
  return out;
}

}  // namespace sinew::operations

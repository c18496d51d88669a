// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/number.hpp"
#include "math/rotation_scale.hpp"
#include "model/name_index.hpp"
#include "model/place.hpp"

#include "sinew/model.hpp"

namespace sinew {

namespace {

void scale_columns(std::size_t n, SmallVector<double, 1>& matrix, const SmallVector<double, 3>& scale) {
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) matrix[j * n + i] *= scale[j];
}

Error needs_basis(const PoseEdit& edit, const NodeEdit& node) {
  return error("SINEW_POSE_NEEDS_BASIS"_code, Failure::input, Place{edit.file, node.pointer, std::nullopt});
}

Result<> apply_to(const PoseEdit& edit, const NodeEdit& node, std::size_t n, LocalTransform& local) {
  const LocalTransform& change = node.local;
  if (!change.translation.empty()) local.translation = change.translation;
  if (!change.basis.empty()) {
    local.basis = change.basis;
    local.rotor.clear();
    local.scale.clear();
    return {};
  }
  if (change.rotor.empty() && change.scale.empty()) return {};
  if (local.basis.empty() || (!change.rotor.empty() && !change.scale.empty())) {
    local.basis.clear();
    if (!change.rotor.empty()) local.rotor = change.rotor;
    if (!change.scale.empty()) local.scale = change.scale;
    return {};
  }
  const auto parts = rotation_and_scale(n, local.basis);
  if (!parts) return Unexpected(needs_basis(edit, node));
  if (!change.rotor.empty()) {
    local.rotor = change.rotor;
    local.scale = parts->scale;
    local.basis.clear();
  } else {
    local.basis.assign(parts->rotation);
    scale_columns(n, local.basis, change.scale);
  }
  return {};
}

Error usage_error(std::string message) { return error("SINEW_USAGE"_code, Failure::usage, {}, message); }

void set_amount(const AmountEdit& change, Pose& pose) {
  std::vector<double>& amounts = pose.amounts[change.node];
  if (amounts.size() <= change.shape) amounts.resize(change.shape + 1, 0.0);
  amounts[change.shape] = change.amount;
}

// Appends an amount for every node in [first, last) whose mesh has the shape. `failure` gets the first error of the others.
bool find_blend(std::string_view shape_name, const Model& model, Index first, Index last, double amount, PoseEdit& edit,
                std::optional<Error>& failure) {
  bool found = false;
  for (Index node = first; node < last; ++node) {
    if (model.nodes[node].mesh == none) continue;
    const auto shape = find_shape(shape_name, model.meshes[model.nodes[node].mesh]);
    if (shape)
      edit.amounts.push_back({node, *shape, amount});
    else if (!failure)
      failure = shape.error();
    found = found || shape.has_value();
  }
  return found;
}

}  // namespace

Result<> apply(const PoseEdit& edit, const Model& model, Pose& pose) SINEW_TRY {
  for (const NodeEdit& change : edit.nodes)
    if (auto done = apply_to(edit, change, model.dimension, pose.locals[change.node]); !done) return done;
  for (const AmountEdit& change : edit.amounts) set_amount(change, pose);
  return {};
}
SINEW_CATCH()

Result<Index> find_node(std::string_view wanted, const Model& model) SINEW_TRY {
  return find_by_name(wanted, named_things(model.nodes), model.nodes.size(), "node");
}
SINEW_CATCH()

Result<Index> find_shape(std::string_view wanted, const Mesh& mesh) SINEW_TRY {
  return find_by_name(wanted, named_things(mesh.shapes), mesh.shapes.size(), "blend shape");
}
SINEW_CATCH()

namespace {

/// Appends an amount of "SHAPE" or "NODE:SHAPE" to an edit.
Result<> add_blend(std::string_view name, double amount, const Model& model, PoseEdit& edit) {
  // Try the whole name first, for the meshes of all nodes, then NODE:SHAPE: names may contain colons.
  std::optional<Error> failure;
  if (find_blend(name, model, 0, static_cast<Index>(model.nodes.size()), amount, edit, failure)) return {};
  for (std::size_t colon = name.rfind(':'); colon != std::string_view::npos && colon != 0; colon = name.rfind(':', colon - 1)) {
    const auto node = name.substr(0, colon) == "name" ? Result<Index>(Unexpected(Error{})) : find_node(name.substr(0, colon), model);
    if (!node || model.nodes[*node].mesh == none) continue;
    failure.reset();
    if (find_blend(name.substr(colon + 1), model, *node, *node + 1, amount, edit, failure)) return {};
  }
  if (failure) return Unexpected(*failure);
  return Unexpected(usage_error("no mesh in this file has blend shapes"));
}

/// The largest rotor_defect of a rotor that counts as a rotation.
constexpr double most_defect = 1e-6;

}  // namespace

Result<> parse_blend(std::string_view text, const Model& model, PoseEdit& edit) SINEW_TRY {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0)
    return Unexpected(usage_error(format_text("--blend {}: expected SHAPE=AMOUNT", text)));
  const auto amount = number_in<double>(text.substr(equals + 1));
  if (!amount || !std::isfinite(*amount))
    return Unexpected(usage_error(format_text("--blend {}: \"{}\" is not a finite number", text, text.substr(equals + 1))));
  return add_blend(text.substr(0, equals), *amount, model, edit);
}
SINEW_CATCH()

Result<> Pose::blend(const Model& model, std::string_view shape, double amount) SINEW_TRY {
  if (!std::isfinite(amount)) return Unexpected(usage_error(format_text("the amount of the blend shape \"{}\" must be finite", shape)));
  PoseEdit edit;
  if (auto found = add_blend(shape, amount, model, edit); !found) return found;
  return apply(edit, model, *this);
}
SINEW_CATCH()

Result<> Pose::turn(const Model& model, std::string_view node, const Rotor& turn) SINEW_TRY {
  const std::size_t n = model.dimension;
  const auto found = find_node(node, model);
  if (!found) return Unexpected(found.error());
  if (locals.size() != model.nodes.size()) return Unexpected(usage_error("the pose belongs to another model"));
  if (turn.values.empty()) return {};
  if (turn.values.size() > rotor_size_bivector(n) && !is_rotor_length(n, turn.values.size()))
    return Unexpected(usage_error(format_text("turn: {} numbers do not form a rotor of {} dimensions", turn.values.size(), n)));
  std::vector<double> unit(rotor_size(n)), now(rotor_size(n)), turned(rotor_size(n));
  std::copy(turn.values.begin(), turn.values.end(), unit.begin());
  if (!normalize_rotor(unit) || need(rotor_defect(n, unit)) > most_defect)
    return Unexpected(usage_error("turn: the numbers are no rotation"));
  LocalTransform& local = locals[*found];
  if (!local.basis.empty()) {
    const auto parts = rotation_and_scale(n, local.basis);
    if (!parts) return Unexpected(error("SINEW_POSE_NEEDS_BASIS"_code, Failure::input, place_of(model, model.nodes[*found])));
    now = parts->rotor();
    local.basis.clear();
    local.scale = parts->scale;
  } else if (local.rotor.empty()) {
    now[0] = 1;
  } else {
    expand_rotor(local.rotor, now);
  }
  need(compose(n, unit, now, turned));
  local.rotor.assign(turned);
  return {};
}
SINEW_CATCH()

namespace {

/// Returns the world transform of a node. `known`: those of other nodes; gets this one and its ancestors.
const Affine& world_of(const Model& model, const Pose& pose, Index node, std::unordered_map<Index, Affine>& known) {
  std::vector<Index> unknown;
  for (Index above = node; above != none && !known.contains(above); above = model.nodes[above].parent) unknown.push_back(above);
  for (; !unknown.empty(); unknown.pop_back()) {
    const Index parent = model.nodes[unknown.back()].parent;
    const Affine local = affine_of(model.dimension, pose.locals[unknown.back()]);
    known.emplace(unknown.back(), parent == none ? local : known.at(parent) * local);
  }
  return known.at(node);
}

}  // namespace

Result<std::size_t> set_default_pose(const Model& model, Pose& pose) SINEW_TRY {
  std::size_t posed = 0;
  for (const Skeleton& skeleton : model.skeletons) {
    if (skeleton.defect != none || skeleton.joint_from_mesh.size() < skeleton.joints.size() || skeleton.joints.empty()) continue;
    std::unordered_map<Index, Affine> world;  // not of all nodes: a file may have many skeletons
    const Index frame = model.nodes[skeleton.root].parent;
    const Affine world_from_frame = frame == none ? Affine(model.dimension) : world_of(model, pose, frame, world);
    for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
      const auto mesh_from_joint = inverse(skeleton.joint_from_mesh[j]);
      if (!mesh_from_joint) return Unexpected(error("SINEW_SINGULAR_BIND"_code, Failure::input, place_of(model, skeleton), j));
      world.insert_or_assign(skeleton.joints[j], world_from_frame * *mesh_from_joint);
    }
    for (const Index joint : skeleton.joints) {
      const Index parent = model.nodes[joint].parent;
      const auto parent_from_world =
          parent == none ? std::optional(Affine(model.dimension)) : inverse(world_of(model, pose, parent, world));
      if (!parent_from_world) continue;  // nothing is visible below a scale of zero
      const Affine local = *parent_from_world * world.at(joint);
      LocalTransform& out = pose.locals[joint];
      const std::size_t n = model.dimension;
      out.rotor.clear();
      out.scale.clear();
      out.basis.assign(local.values().first(n * n));
      out.translation.assign(local.values().subspan(n * n));
    }
    ++posed;
  }
  return posed;
}
SINEW_CATCH()

}  // namespace sinew

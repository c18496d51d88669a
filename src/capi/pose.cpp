// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "capi/guard.hpp"

#include "sinew/animate.hpp"
#include "sinew/geometry.hpp"
#include "sinew/model.hpp"

namespace {

using sinew::Index;
using sinew::Result;
using sinew::Unexpected;
using sinew::capi::guarded;
using sinew::capi::usage;

template <std::size_t Inline>
sinew::SmallVector<double, Inline> small(const double* values, std::size_t count) {
  return sinew::SmallVector<double, Inline>(std::span<const double>(values, count));
}

Result<> check(const sinew_pose* pose, std::size_t node, const double* values, std::size_t count, const char* what) {
  if (pose == nullptr || values == nullptr) return usage(sinew::format_text("{}: pose or numbers are NULL", what));
  if (node >= pose->model->nodes.size()) return usage(sinew::format_text("{}: node {} does not exist", what, node));
  for (std::size_t i = 0; i < count; ++i)
    if (!std::isfinite(values[i])) return usage(sinew::format_text("{}: number {} is not finite", what, i));
  return {};
}

/// Changes one node: `fill` sets the change in the edit.
template <class Fill>
sinew_status change(sinew_pose* pose, std::size_t node, const double* values, std::size_t count, const char* what, sinew_error** error,
                    Fill&& fill) {
  return guarded(error, [&]() -> Result<> {
    if (auto checked = check(pose, node, values, count, what); !checked) return checked;
    sinew::PoseEdit edit;
    edit.nodes.emplace_back().node = static_cast<Index>(node);
    if (auto filled = fill(edit.nodes.back().local); !filled) return filled;
    return sinew::apply(edit, *pose->model, pose->pose);
  });
}

std::size_t dimension_of(const sinew_pose* pose) { return pose == nullptr ? 0 : pose->model->dimension; }

/// Reads a property of a node: `read` copies it to the caller's memory.
template <class Read>
sinew_status read_part(const sinew_pose* pose, size_t node, const double* out, const char* what, sinew_error** error, Read&& read) {
  return guarded(error, [&]() -> Result<> {
    if (auto checked = check(pose, node, out, 0, what); !checked) return checked;
    return read(pose->pose.locals[node]);
  });
}

Result<> need_parts(const sinew::LocalTransform& local, const char* what) {
  if (!local.basis.empty()) return usage(sinew::format_text("{}: the node has a basis; read its matrix", what));
  return {};
}

/// Copies the numbers of a part, or its neutral values.
void copy_part(std::span<const double> part, std::size_t n, double neutral, double* out) {
  std::fill_n(out, n, neutral);
  std::copy(part.begin(), part.end(), out);
}

}  // namespace

sinew_status sinew_pose_create(const sinew_model* model, sinew_pose** pose, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (model == nullptr || pose == nullptr) return usage("sinew_pose_create: model or pose is NULL");
    *pose = new sinew_pose{model->model, model->model->rest_pose};
    return {};
  });
}

void sinew_pose_free(sinew_pose* pose) { delete pose; }

sinew_status sinew_pose_reset(sinew_pose* pose, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (pose == nullptr) return usage("sinew_pose_reset: pose is NULL");
    pose->pose = pose->model->rest_pose;
    return {};
  });
}

sinew_status sinew_pose_sample(sinew_pose* pose, size_t animation, double seconds, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (pose == nullptr) return usage("sinew_pose_sample: pose is NULL");
    if (animation >= pose->model->clips.size()) return usage(sinew::format_text("animation {} does not exist", animation));
    if (!std::isfinite(seconds)) return usage("sinew_pose_sample: the time is not finite");
    const sinew::Clip& clip = pose->model->clips[animation];
    if (clip.defect != sinew::none) return Unexpected(pose->model->defects[clip.defect]);
    need(sinew::animate::sample(*pose->model, clip, seconds, pose->pose));
    return {};
  });
}

sinew_status sinew_pose_set_translation(sinew_pose* pose, size_t node, const double* translation, sinew_error** error) {
  const std::size_t n = dimension_of(pose);
  return change(pose, node, translation, n, "translation", error, [&](sinew::LocalTransform& edit) -> Result<> {
    edit.translation = small<3>(translation, n);
    return {};
  });
}

sinew_status sinew_pose_set_scale(sinew_pose* pose, size_t node, const double* scale, sinew_error** error) {
  const std::size_t n = dimension_of(pose);
  return change(pose, node, scale, n, "scale", error, [&](sinew::LocalTransform& edit) -> Result<> {
    edit.scale = small<3>(scale, n);
    return {};
  });
}

sinew_status sinew_pose_set_quaternion(sinew_pose* pose, size_t node, const double* quaternion, sinew_error** error) {
  return change(pose, node, quaternion, 4, "quaternion", error, [&](sinew::LocalTransform& edit) -> Result<> {
    if (pose->model->dimension != 3) return usage("quaternions exist only in 3 dimensions; use a rotor or a basis");
    const auto parts = sinew::rotor_from_quaternion(std::span<const double, 4>(quaternion, 4));
    edit.rotor = small<4>(parts.data(), parts.size());
    return {};
  });
}

sinew_status sinew_pose_set_rotor(sinew_pose* pose, size_t node, const double* rotor, size_t count, sinew_error** error) {
  const std::size_t n = dimension_of(pose);
  const bool fits = pose != nullptr && sinew::is_rotor_length(n, count);
  return change(pose, node, rotor, fits ? count : 0, "rotor", error, [&](sinew::LocalTransform& edit) -> Result<> {
    if (!fits) return usage(sinew::format_text("{} numbers do not form a rotor of {} dimensions", count, n));
    edit.rotor = small<4>(rotor, count);
    // G4MF uses only the direction of rotors; glTF uses rotations as they are.
    if (pose->model->normalizes_rotors() && !sinew::normalize_rotor(edit.rotor)) return usage("rotor: all numbers are zero");
    return {};
  });
}

sinew_status sinew_pose_set_basis(sinew_pose* pose, size_t node, const double* basis, sinew_error** error) {
  const std::size_t n = dimension_of(pose);
  return change(pose, node, basis, n * n, "basis", error, [&](sinew::LocalTransform& edit) -> Result<> {
    edit.basis = small<1>(basis, n * n);
    return {};
  });
}

sinew_status sinew_pose_set_amounts(sinew_pose* pose, size_t node, const double* amounts, size_t count, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (auto checked = check(pose, node, amounts, count, "amounts"); !checked) return checked;
    std::vector<double>& now = pose->pose.amounts[node];
    if (pose->model->nodes[node].mesh == sinew::none) return usage(sinew::format_text("node {} has no mesh", node));
    if (count != now.size()) return usage(sinew::format_text("amounts: found {}, expected {}, one per blend shape", count, now.size()));
    now.assign(amounts, amounts + count);
    return {};
  });
}

sinew_status sinew_pose_turn(sinew_pose* pose, const char* node, const double* rotor, size_t count, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (pose == nullptr || node == nullptr || rotor == nullptr) return usage("sinew_pose_turn: pose, node or rotor is NULL");
    return pose->pose.turn(*pose->model, node, sinew::Rotor(std::span(rotor, count)));
  });
}

sinew_status sinew_pose_blend(sinew_pose* pose, const char* shape, double amount, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (pose == nullptr || shape == nullptr) return usage("sinew_pose_blend: pose or shape is NULL");
    return pose->pose.blend(*pose->model, shape, amount);
  });
}

sinew_status sinew_pose_express(sinew_pose* pose, const char* const* expressions, const double* amounts, size_t count,
                                sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (pose == nullptr || (count > 0 && (expressions == nullptr || amounts == nullptr)))
      return usage("sinew_pose_express: pose, expressions or amounts is NULL");
    std::vector<sinew::animate::ExpressionAmount> on;
    for (std::size_t i = 0; i < count; ++i) {
      if (expressions[i] == nullptr) return usage(sinew::format_text("sinew_pose_express: expression {} is NULL", i));
      if (!(amounts[i] >= 0 && amounts[i] <= 1))
        return usage(sinew::format_text("\"{}\": found {}, expected 0 to 1", expressions[i], amounts[i]));
      const auto found = sinew::animate::find_expression(expressions[i], *pose->model);
      if (!found) return Unexpected(found.error());
      on.push_back({*found, amounts[i]});
    }
    need(sinew::animate::express(*pose->model, on, pose->pose));
    return {};
  });
}

sinew_status sinew_pose_get_translation(const sinew_pose* pose, size_t node, double* translation, sinew_error** error) {
  return read_part(pose, node, translation, "translation", error, [&](const sinew::LocalTransform& local) -> Result<> {
    copy_part(local.translation, dimension_of(pose), 0, translation);
    return {};
  });
}

sinew_status sinew_pose_get_scale(const sinew_pose* pose, size_t node, double* scale, sinew_error** error) {
  return read_part(pose, node, scale, "scale", error, [&](const sinew::LocalTransform& local) -> Result<> {
    if (auto fits = need_parts(local, "scale"); !fits) return fits;
    copy_part(local.scale, dimension_of(pose), 1, scale);
    return {};
  });
}

sinew_status sinew_pose_get_rotor(const sinew_pose* pose, size_t node, double* rotor, sinew_error** error) {
  return read_part(pose, node, rotor, "rotor", error, [&](const sinew::LocalTransform& local) -> Result<> {
    if (auto fits = need_parts(local, "rotor"); !fits) return fits;
    const std::span<double> all(rotor, sinew::rotor_size(dimension_of(pose)));
    sinew::expand_rotor(local.rotor, all);
    if (local.rotor.empty()) all[0] = 1;
    return {};
  });
}

sinew_status sinew_pose_get_matrix(const sinew_pose* pose, size_t node, double* matrix, sinew_error** error) {
  return read_part(pose, node, matrix, "matrix", error, [&](const sinew::LocalTransform& local) -> Result<> {
    const sinew::Affine map = sinew::affine_of(dimension_of(pose), local);
    std::copy(map.values().begin(), map.values().end(), matrix);
    return {};
  });
}

sinew_status sinew_pose_get_amounts(const sinew_pose* pose, size_t node, double* amounts, size_t count, sinew_error** error) {
  return read_part(pose, node, amounts, "amounts", error, [&](const sinew::LocalTransform&) -> Result<> {
    const std::vector<double>& now = pose->pose.amounts[node];
    if (count != now.size()) return usage(sinew::format_text("amounts: found {}, expected {}, one per blend shape", count, now.size()));
    std::copy(now.begin(), now.end(), amounts);
    return {};
  });
}

sinew_status sinew_pose_get_world(const sinew_pose* pose, double* matrices, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (pose == nullptr || matrices == nullptr) return usage("sinew_pose_get_world: pose or matrices is NULL");
    sinew::Pose posed = pose->pose;
    need(sinew::constrain(*pose->model, posed));
    for (const sinew::Affine& map : need(sinew::world_transforms(*pose->model, posed)))
      matrices = std::copy(map.values().begin(), map.values().end(), matrices);
    return {};
  });
}

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <span>

#include "capi/guard.hpp"

#include "sinew/animate.hpp"
#include "sinew/deform_scene.hpp"
#include "sinew/pose_edit.hpp"
#include "sinew/rotor.hpp"

struct sinew_deformer {
  std::shared_ptr<const sinew::Model> model;
  sinew::deform::SceneDeformer scene;
  bool normals = false;
  bool tangents = false;
};

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
  if (pose == nullptr || values == nullptr) return usage(fmt::format("{}: pose or numbers are NULL", what));
  if (node >= pose->model->nodes.size()) return usage(fmt::format("{}: node {} does not exist", what, node));
  for (std::size_t i = 0; i < count; ++i)
    if (!std::isfinite(values[i])) return usage(fmt::format("{}: number {} is not finite", what, i));
  return {};
}

/// One change of a node: `fill` puts it into the edit.
template <class Fill>
sinew_status change(sinew_pose* pose, std::size_t node, const double* values, std::size_t count, const char* what, sinew_error** error,
                    Fill&& fill) {
  return guarded(error, [&]() -> Result<> {
    if (auto checked = check(pose, node, values, count, what); !checked) return checked;
    sinew::PoseEdit edit;
    edit.nodes.emplace_back().node = static_cast<Index>(node);
    if (auto filled = fill(edit.nodes.back()); !filled) return filled;
    return sinew::apply(edit, *pose->model, pose->pose);
  });
}

std::size_t dimension_of(const sinew_pose* pose) { return pose == nullptr ? 0 : pose->model->dimension; }

Result<sinew::strided_view<float>> rows(float* values, std::size_t stride, std::size_t count, std::size_t width, const char* what) {
  if (values == nullptr) return sinew::strided_view<float>();
  if (stride == 0) return sinew::strided_view<float>(values, count, width);
  if (stride < width * sizeof(float) || stride % alignof(float) != 0)
    return usage(fmt::format("{}: a stride of {} bytes does not fit rows of {} numbers", what, stride, width));
  return sinew::strided_view<float>(values, count, width, stride);
}

}  // namespace

sinew_status sinew_pose_create(const sinew_model* model, sinew_pose** pose, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (model == nullptr || pose == nullptr) return usage("sinew_pose_create: model or pose is NULL");
    *pose = new sinew_pose{model->model, model->model->rest};
    return {};
  });
}

void sinew_pose_free(sinew_pose* pose) { delete pose; }

sinew_status sinew_pose_reset(sinew_pose* pose, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (pose == nullptr) return usage("sinew_pose_reset: pose is NULL");
    pose->pose = pose->model->rest;
    return {};
  });
}

sinew_status sinew_pose_sample(sinew_pose* pose, size_t animation, double seconds, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (pose == nullptr) return usage("sinew_pose_sample: pose is NULL");
    if (animation >= pose->model->clips.size()) return usage(fmt::format("animation {} does not exist", animation));
    if (!std::isfinite(seconds)) return usage("sinew_pose_sample: the time is not finite");
    const sinew::Clip& clip = pose->model->clips[animation];
    if (clip.defect != sinew::none) return Unexpected(pose->model->defects[clip.defect]);
    sinew::animate::sample(*pose->model, clip, seconds, pose->pose);
    return {};
  });
}

sinew_status sinew_pose_set_translation(sinew_pose* pose, size_t node, const double* translation, sinew_error** error) {
  const std::size_t n = dimension_of(pose);
  return change(pose, node, translation, n, "translation", error, [&](sinew::NodeEdit& edit) -> Result<> {
    edit.translation = small<3>(translation, n);
    return {};
  });
}

sinew_status sinew_pose_set_scale(sinew_pose* pose, size_t node, const double* scale, sinew_error** error) {
  const std::size_t n = dimension_of(pose);
  return change(pose, node, scale, n, "scale", error, [&](sinew::NodeEdit& edit) -> Result<> {
    edit.scale = small<3>(scale, n);
    return {};
  });
}

sinew_status sinew_pose_set_quaternion(sinew_pose* pose, size_t node, const double* quaternion, sinew_error** error) {
  return change(pose, node, quaternion, 4, "quaternion", error, [&](sinew::NodeEdit& edit) -> Result<> {
    if (pose->model->dimension != 3) return usage("quaternions exist only in 3 dimensions; use a rotor or a basis");
    const auto parts = sinew::rotor_from_quaternion(std::span<const double, 4>(quaternion, 4));
    edit.rotor = small<4>(parts.data(), parts.size());
    return {};
  });
}

sinew_status sinew_pose_set_rotor(sinew_pose* pose, size_t node, const double* rotor, size_t count, sinew_error** error) {
  const std::size_t n = dimension_of(pose);
  const bool fits = pose != nullptr && sinew::is_rotor_length(n, count);
  return change(pose, node, rotor, fits ? count : 0, "rotor", error, [&](sinew::NodeEdit& edit) -> Result<> {
    if (!fits) return usage(fmt::format("{} numbers do not form a rotor of {} dimensions", count, n));
    edit.rotor = small<4>(rotor, count);
    // G4MF's rotors count by their direction, glTF's rotations as they are.
    if (pose->model->normalizes_rotors() && !sinew::normalize_rotor(*edit.rotor)) return usage("rotor: all numbers are zero");
    return {};
  });
}

sinew_status sinew_pose_set_basis(sinew_pose* pose, size_t node, const double* basis, sinew_error** error) {
  const std::size_t n = dimension_of(pose);
  return change(pose, node, basis, n * n, "basis", error, [&](sinew::NodeEdit& edit) -> Result<> {
    edit.basis = small<1>(basis, n * n);
    return {};
  });
}

sinew_status sinew_pose_set_amounts(sinew_pose* pose, size_t node, const double* amounts, size_t count, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (auto checked = check(pose, node, amounts, count, "amounts"); !checked) return checked;
    std::vector<double>& now = pose->pose.amounts[node];
    if (pose->model->nodes[node].mesh == sinew::none) return usage(fmt::format("node {} has no mesh", node));
    if (count != now.size()) return usage(fmt::format("amounts: found {}, expected {}, one per blend shape", count, now.size()));
    now.assign(amounts, amounts + count);
    return {};
  });
}

sinew_status sinew_deformer_create(const sinew_model* model, const sinew_deformer_options* options, sinew_deformer** deformer,
                                   sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (model == nullptr || deformer == nullptr) return usage("sinew_deformer_create: model or deformer is NULL");
    const sinew_deformer_options how = options == nullptr ? sinew_deformer_options{} : *options;
    if (how.choose_scene != 0 && how.scene >= model->model->scenes.size()) return usage(fmt::format("scene {} does not exist", how.scene));
    const Index scene = how.choose_scene == 0 ? sinew::none : static_cast<Index>(how.scene);
    if (const auto defect = sinew::closure_defect(*model->model, scene)) return Unexpected(*defect);
    sinew::deform::PrepareOptions channels;
    channels.tangents = how.tangents != 0;
    channels.normals = how.normals != 0 || channels.tangents;
    channels.max_influences = how.max_influences;
    auto made = sinew::deform::SceneDeformer::create(*model->model, sinew::instances(*model->model, scene), channels);
    if (!made) return Unexpected(made.error());
    *deformer = new sinew_deformer{model->model, std::move(*made), channels.normals, channels.tangents};
    return {};
  });
}

void sinew_deformer_free(sinew_deformer* deformer) { delete deformer; }

sinew_status sinew_deformer_copy(const sinew_deformer* deformer, sinew_deformer** copy, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (deformer == nullptr || copy == nullptr) return usage("sinew_deformer_copy: deformer or copy is NULL");
    *copy = new sinew_deformer(*deformer);
    return {};
  });
}

size_t sinew_deformer_vertices(const sinew_deformer* deformer) { return deformer == nullptr ? 0 : deformer->scene.vertices(); }
size_t sinew_deformer_instances(const sinew_deformer* deformer) { return deformer == nullptr ? 0 : deformer->scene.instances().size(); }

sinew_status sinew_deformer_instance(const sinew_deformer* deformer, size_t index, sinew_instance* instance, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (deformer == nullptr || instance == nullptr) return usage("sinew_deformer_instance: deformer or instance is NULL");
    if (index >= deformer->scene.instances().size()) return usage(fmt::format("instance {} does not exist", index));
    const sinew::Instance& drawn = deformer->scene.instances()[index];
    const std::size_t first = deformer->scene.first(index);
    *instance = {drawn.node, drawn.mesh, first, deformer->scene.first(index + 1) - first};
    return {};
  });
}

sinew_status sinew_deform(sinew_deformer* deformer, const sinew_pose* pose, const sinew_output* output, unsigned threads,
                          sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (deformer == nullptr || pose == nullptr || output == nullptr) return usage("sinew_deform: deformer, pose or output is NULL");
    if (pose->model != deformer->model) return usage("sinew_deform: the pose belongs to another model");
    if (output->normals != nullptr && !deformer->normals) return usage("sinew_deform: the deformer was created without normals");
    if (output->tangents != nullptr && !deformer->tangents) return usage("sinew_deform: the deformer was created without tangents");
    const std::size_t count = deformer->scene.vertices();
    const std::size_t n = deformer->model->dimension;
    const auto positions = rows(output->positions, output->positions_stride, count, n, "positions");
    const auto normals = rows(output->normals, output->normals_stride, count, n, "normals");
    const auto tangents = rows(output->tangents, output->tangents_stride, count, 4, "tangents");
    for (const auto* view : {&positions, &normals, &tangents})
      if (!*view) return Unexpected(view->error());
    return deformer->scene.run(pose->pose, {*positions, *normals, *tangents}, threads);
  });
}

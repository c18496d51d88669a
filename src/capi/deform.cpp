// SPDX-License-Identifier: MIT

#include <cmath>
#include <span>
#include <vector>

#include "base/message.hpp"
#include "capi/deformer.hpp"
#include "capi/guard.hpp"

#include "sinew/sinew.hpp"

namespace {

using sinew::Index;
using sinew::Result;
using sinew::Unexpected;
using sinew::capi::guarded;
using sinew::capi::usage;

Result<sinew::strided_view<float>> rows(float* values, std::size_t stride, std::size_t count, std::size_t width, const char* what) {
  if (values == nullptr) return sinew::strided_view<float>();
  if (stride == 0) return sinew::strided_view<float>(values, count, width);
  if (stride < width * sizeof(float) || stride % alignof(float) != 0)
    return usage(sinew::format_text("{}: a stride of {} bytes does not fit rows of {} numbers", what, stride, width));
  return sinew::strided_view<float>(values, count, width, stride);
}

/// The views of an output for so many rows.
Result<sinew::deform::Output> views(const sinew_output& output, std::size_t count, std::size_t n) {
  const auto positions = rows(output.positions, output.positions_stride, count, n, "positions");
  const auto normals = rows(output.normals, output.normals_stride, count, n, "normals");
  const auto tangents = rows(output.tangents, output.tangents_stride, count, 4, "tangents");
  for (const auto* view : {&positions, &normals, &tangents})
    if (!*view) return Unexpected(view->error());
  return sinew::deform::Output{*positions, *normals, *tangents};
}

Result<sinew::PoseArrays> arrays_of(const sinew::Model& model, const sinew_pose_arrays& poses) {
  std::size_t amounts = 0;
  for (const std::vector<double>& own : model.rest().amounts) amounts += own.size();
  if (poses.nodes != model.nodes.size())
    return usage(sinew::format_text("poses: found {} nodes, expected the {} of the model", poses.nodes, model.nodes.size()));
  if (poses.amounts != nullptr && poses.amounts_per_pose != amounts)
    return usage(sinew::format_text("amounts: found {} a pose, expected the model's {} blend shapes", poses.amounts_per_pose, amounts));
  const std::size_t n = model.dimension, matrix = poses.nodes * (n + 1) * (n + 1);
  const auto span = [&](const double* numbers, std::size_t size) {
    return numbers == nullptr ? std::span<const double>() : std::span(numbers, poses.poses * size);
  };
  return sinew::PoseArrays{poses.poses,
                           span(poses.local, matrix),
                           span(poses.world, matrix),
                           span(poses.translation, poses.nodes * n),
                           span(poses.rotor, poses.nodes * sinew::rotor_size(n)),
                           span(poses.scale, poses.nodes * n),
                           span(poses.amounts, amounts)};
}

}  // namespace

sinew_status sinew_deformer_create(const sinew_model* model, const sinew_deformer_options* options, sinew_deformer** deformer,
                                   sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (model == nullptr || deformer == nullptr) return usage("sinew_deformer_create: model or deformer is NULL");
    const sinew_deformer_options how = options == nullptr ? sinew_deformer_options{} : *options;
    if (how.normals < SINEW_NORMALS_OFF || how.normals > SINEW_NORMALS_COMPUTED)
      return usage(sinew::format_text("normals: found {}, expected a value of sinew_normals", how.normals));
    if (how.choose_scene != 0 && how.scene >= model->model->scenes.size())
      return usage(sinew::format_text("scene {} does not exist", how.scene));
    auto memory = sinew::capi::host_memory(how.memory);
    if (!memory) return Unexpected(memory.error());
    auto made = sinew::Deformer::create(model->model, {.normals = static_cast<sinew::Normals>(how.normals),
                                                       .tangents = how.tangents != 0,
                                                       .max_influences = how.max_influences,
                                                       .scene = how.choose_scene == 0 ? sinew::none : static_cast<Index>(how.scene),
                                                       .memory = memory->get()});
    if (!made) return Unexpected(std::move(made.error()));
    *deformer = new sinew_deformer{*std::move(memory), std::move(*made), {}, {}, {}};
    return {};
  });
}

void sinew_deformer_free(sinew_deformer* deformer) { delete deformer; }

sinew_status sinew_deformer_copy(const sinew_deformer* deformer, sinew_deformer** copy, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (deformer == nullptr || copy == nullptr) return usage("sinew_deformer_copy: deformer or copy is NULL");
    auto made = deformer->deformer.clone();
    if (!made) return Unexpected(std::move(made.error()));
    *copy = new sinew_deformer{deformer->memory, std::move(*made), deformer->triangles, deformer->ranges, deformer->influences};
    return {};
  });
}

size_t sinew_deformer_vertices(const sinew_deformer* deformer) { return deformer == nullptr ? 0 : deformer->deformer.vertices(); }
size_t sinew_deformer_instances(const sinew_deformer* deformer) { return deformer == nullptr ? 0 : deformer->deformer.instances().size(); }

sinew_status sinew_deformer_instance(const sinew_deformer* deformer, size_t index, sinew_instance* instance, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (deformer == nullptr || instance == nullptr) return usage("sinew_deformer_instance: deformer or instance is NULL");
    const std::span<const sinew::InstanceRows> all = deformer->deformer.instances();
    if (index >= all.size()) return usage(sinew::format_text("instance {} does not exist", index));
    *instance = {all[index].node, all[index].mesh, all[index].first, all[index].vertices};
    return {};
  });
}

sinew_status sinew_deform(sinew_deformer* deformer, const sinew_pose* pose, const sinew_output* output, unsigned threads,
                          sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (deformer == nullptr || pose == nullptr || output == nullptr) return usage("sinew_deform: deformer, pose or output is NULL");
    if (pose->model != deformer->deformer.model()) return usage("sinew_deform: the pose belongs to another model");
    const auto out = views(*output, deformer->deformer.vertices(), deformer->deformer.dimension());
    return out ? deformer->deformer.run(pose->pose, *out, threads) : Unexpected(out.error());
  });
}

sinew_status sinew_deform_many(sinew_deformer* deformer, const sinew_pose_arrays* poses, const sinew_output* output, unsigned threads,
                               sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (deformer == nullptr || poses == nullptr || output == nullptr) return usage("sinew_deform_many: deformer, poses or output is NULL");
    const auto arrays = arrays_of(*deformer->deformer.model(), *poses);
    if (!arrays) return Unexpected(arrays.error());
    const auto out = views(*output, poses->poses * deformer->deformer.vertices(), deformer->deformer.dimension());
    return out ? deformer->deformer.run(*arrays, *out, threads) : Unexpected(out.error());
  });
}

// SPDX-License-Identifier: MIT
#include "sinew/bounds.hpp"

#include <algorithm>
#include <limits>

#include "capi/guard.hpp"

using sinew::Result;
using sinew::Unexpected;
using sinew::capi::guarded;
using sinew::capi::usage;
using sinew::operations::Box;

namespace {

void store(const Box& box, std::size_t dimension, float* out) {
  std::fill_n(out, 2 * dimension, std::numeric_limits<float>::quiet_NaN());
  std::copy(box.min.begin(), box.min.end(), out);
  std::copy(box.max.begin(), box.max.end(), out + dimension);
}

Result<sinew::operations::BoundsOptions> options_of(const sinew::Model& model, const sinew_bounds_options& given) {
  sinew::operations::BoundsOptions out;
  if (given.slack != 0) out.slack = given.slack;
  if (given.choose_range != 0) out.blend_range = {given.least_amount, given.most_amount};
  if (given.choose_scene != 0) {
    if (given.scene >= model.scenes.size()) return usage("sinew_bounds: no such scene");
    out.scene = static_cast<sinew::Index>(given.scene);
  }
  if (given.choose_animation != 0) {
    out.clips.emplace();
    if (given.animation != SINEW_NONE) {
      if (given.animation >= model.clips.size()) return usage("sinew_bounds: no such animation");
      out.clips->push_back(static_cast<sinew::Index>(given.animation));
    }
  }
  out.threads = given.threads;
  return out;
}

}  // namespace

sinew_status sinew_bounds(const sinew_model* model, const sinew_bounds_options* options, float* all, float* instances, size_t count,
                          sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (model == nullptr) return usage("sinew_bounds: model is NULL");
    const auto how = options_of(*model->model, options == nullptr ? sinew_bounds_options{} : *options);
    if (!how) return Unexpected(how.error());
    const auto bounds = sinew::operations::bounds(*model->model, *how);
    if (!bounds) return Unexpected(bounds.error());
    if (instances != nullptr && count != bounds->instances.size()) return usage("sinew_bounds: count is not the number of drawn meshes");
    if (all != nullptr) store(bounds->all, bounds->dimension, all);
    for (std::size_t i = 0; instances != nullptr && i < count; ++i)
      store(bounds->instances[i].box, bounds->dimension, instances + i * 2 * bounds->dimension);
    return {};
  });
}

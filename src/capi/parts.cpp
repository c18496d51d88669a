// SPDX-License-Identifier: MIT
// What belongs to the rows and triangles of a deformer besides positions.

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "capi/deformer.hpp"
#include "capi/guard.hpp"

#include "sinew/pick.hpp"
#include "sinew/sinew.hpp"

namespace {

using sinew::Result;
using sinew::Unexpected;
using sinew::capi::guarded;
using sinew::capi::usage;

std::vector<sinew_triangle_range> ranges_of(const sinew::Deformer& deformer) {
  std::vector<sinew_triangle_range> list;
  for (const sinew::TriangleRange& range : sinew::need(deformer.triangle_ranges()))
    list.push_back({range.first, range.count, range.instance, range.surface,
                    range.material == sinew::none ? SINEW_NONE : static_cast<std::size_t>(range.material)});
  return list;
}

/// Returns a list that is made on the first request, and its size.
template <class T, class Make>
const T* kept(std::shared_ptr<const std::vector<T>>& list, size_t* count, Make make) {
  if (!list) list = std::make_shared<const std::vector<T>>(make());
  if (count != nullptr) *count = list->size();
  return list->empty() ? nullptr : list->data();
}

const sinew::RowInfluences& influences_of(const sinew_deformer& deformer) {
  if (!deformer.influences) deformer.influences = std::make_shared<const sinew::RowInfluences>(sinew::need(deformer.deformer.influences()));
  return *deformer.influences;
}

const std::uint32_t* triangles_of(const sinew_deformer& deformer, size_t* count) {
  return kept(deformer.triangles, count, [&] { return sinew::need(deformer.deformer.triangles()); });
}

}  // namespace

const uint32_t* sinew_deformer_triangles(const sinew_deformer* deformer, size_t* count) {
  if (count != nullptr) *count = 0;
  if (deformer == nullptr) return nullptr;
  return sinew::tried([&] { return triangles_of(*deformer, count); }, []() -> const uint32_t* { return nullptr; });
}

const sinew_triangle_range* sinew_deformer_triangle_ranges(const sinew_deformer* deformer, size_t* count) {
  if (count != nullptr) *count = 0;
  if (deformer == nullptr) return nullptr;
  return sinew::tried([&] { return kept(deformer->ranges, count, [&] { return ranges_of(deformer->deformer); }); },
                      []() -> const sinew_triangle_range* { return nullptr; });
}

sinew_status sinew_deformer_influences(const sinew_deformer* deformer, sinew_influences* influences, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (deformer == nullptr || influences == nullptr) return usage("sinew_deformer_influences: deformer or influences is NULL");
    const sinew::RowInfluences& all = influences_of(*deformer);
    *influences = {all.first.data(), all.nodes.empty() ? nullptr : all.nodes.data(), all.nodes.empty() ? nullptr : all.weights.data()};
    return {};
  });
}

sinew_status sinew_deformer_texture_coordinates(const sinew_deformer* deformer, const sinew_pose* pose, uint32_t set, float* coordinates,
                                                sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (deformer == nullptr || pose == nullptr || coordinates == nullptr)
      return usage("sinew_deformer_texture_coordinates: deformer, pose or coordinates is NULL");
    if (pose->model != deformer->deformer.model()) return usage("sinew_deformer_texture_coordinates: the pose belongs to another model");
    const auto values = deformer->deformer.texture_coordinates(pose->pose, set);
    if (!values) return Unexpected(values.error());
    std::ranges::copy(*values, coordinates);
    return {};
  });
}

sinew_status sinew_deformer_bone_boxes(const sinew_deformer* deformer, const float* positions, double above, float* boxes,
                                       sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (deformer == nullptr || positions == nullptr || boxes == nullptr)
      return usage("sinew_deformer_bone_boxes: deformer, positions or boxes is NULL");
    if (!std::isfinite(above) || above < 0) return usage("sinew_deformer_bone_boxes: the least weight is not a number of at least 0");
    const std::size_t n = deformer->deformer.dimension(), nodes = deformer->deformer.model()->nodes.size();
    sinew::bone_boxes(influences_of(*deformer), std::span(positions, deformer->deformer.vertices() * n), n, std::span(boxes, nodes * 2 * n),
                      above);
    return {};
  });
}

sinew_status sinew_deformer_hit(const sinew_deformer* deformer, const float* positions, const double* origin, const double* direction,
                                sinew_ray_hit* hit, int* found, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (deformer == nullptr || positions == nullptr || origin == nullptr || direction == nullptr || hit == nullptr || found == nullptr)
      return usage("sinew_deformer_hit: an argument is NULL");
    if (deformer->deformer.dimension() != 3) return usage("sinew_deformer_hit: the model does not have three dimensions");
    sinew::Ray ray;
    bool finite = true, moves = false;
    for (std::size_t i = 0; i < 3; ++i) {
      ray.origin[i] = origin[i];
      ray.direction[i] = direction[i];
      finite = finite && std::isfinite(origin[i]) && std::isfinite(direction[i]);
      moves = moves || direction[i] != 0;
    }
    if (!finite || !moves) return usage("sinew_deformer_hit: the ray is not finite, or its direction is 0");
    std::size_t count = 0;
    const std::uint32_t* const triangles = triangles_of(*deformer, &count);
    const auto met = sinew::hit(ray, std::span(positions, 3 * deformer->deformer.vertices()), std::span(triangles, count),
                                deformer->deformer.instances());
    *found = met ? 1 : 0;
    if (met) *hit = {met->instance, met->triangle, {met->barycentric[0], met->barycentric[1], met->barycentric[2]}, met->distance};
    return {};
  });
}

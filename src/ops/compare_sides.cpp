// SPDX-License-Identifier: MIT
#include "ops/compare_sides.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sinew/animate.hpp"

namespace sinew::ops {

Side::Side(const Model& model, deform::SceneDeformer deformer, unsigned threads)
    : model_(&model), deformer_(std::move(deformer)), threads_(threads), rest_world_(world_transforms(model, model.rest)) {}

Result<Side> Side::create(const Model& model, Index scene, unsigned threads) {
  if (auto defect = closure_defect(model, scene)) return Unexpected(std::move(*defect));
  auto deformer = deform::SceneDeformer::create(model, sinew::instances(model, scene), {});
  if (!deformer) return Unexpected(std::move(deformer.error()));
  return Side(model, std::move(*deformer), threads);
}

void Side::pose_at(const Moment& moment) {
  pose_ = model_->rest;
  if (moment.kind == Part::Kind::clip) animate::sample(*model_, model_->clips[moment.clip], moment.seconds, pose_);
  for (std::size_t i = 0; i < moment.shapes.size(); ++i) {
    std::vector<double>& amounts = pose_.amounts[instances()[i].node];
    amounts.assign(mesh(i).shapes.size(), 0);
    if (moment.shapes[i] != none) amounts[moment.shapes[i]] = 1;
  }
  world_ = world_transforms(*model_, pose_);
}

std::optional<std::span<const float>> Side::rows(std::size_t instance) {
  const std::size_t count = vertices(instance), width = model_->dimension;
  if (auto made = deform::palette(*model_, instances()[instance], world_, rest_world_, palette_); !made) return std::nullopt;
  rows_.resize(count * width);
  deform::run_parallel(deformer_.prepared(instance), palette_, pose_.amounts[instances()[instance].node],
                       {strided_view<float>(rows_.data(), count, width), {}, {}}, threads_);
  return rows_;
}

Paired pair_by_name(std::span<const std::string> a, std::span<const std::string> b) {
  const auto unique_names = [](std::span<const std::string> names) {
    std::map<std::string_view, Index> unique;
    for (Index i = 0; i < names.size(); ++i)
      if (const auto [found, added] = unique.emplace(names[i], i); !added) found->second = none;
    return unique;
  };
  const std::map<std::string_view, Index> in_a = unique_names(a), in_b = unique_names(b);
  std::vector<Index> of_a(a.size(), none), of_b(b.size(), none);
  for (const auto& [name, i] : in_a) {
    const auto found = in_b.find(name);
    if (name.empty() || i == none || found == in_b.end() || found->second == none) continue;
    of_a[i] = found->second;
    of_b[found->second] = i;
  }
  Paired paired;
  Index next = 0;  // of B, in order
  for (Index i = 0; i < of_a.size(); ++i) {
    if (of_a[i] == none) {
      while (next < of_b.size() && of_b[next] != none) ++next;
      if (next == of_b.size()) {
        paired.only_a.push_back(i);
        continue;
      }
      of_a[i] = next;
      of_b[next] = i;
    }
    paired.pairs.emplace_back(i, of_a[i]);
  }
  for (Index i = 0; i < of_b.size(); ++i)
    if (of_b[i] == none) paired.only_b.push_back(i);
  return paired;
}

std::vector<double> moments_of(const Clip& a, const Clip& b) {
  std::vector<double> times;
  for (const Clip* clip : {&a, &b})
    for (const Track& track : clip->tracks) {
      const std::vector<double> keys = track.times.read<double>();
      times.insert(times.end(), keys.begin(), keys.end());
    }
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const std::size_t keys = times.size();
  for (std::size_t i = 0; i + 1 < keys; ++i) times.push_back(times[i] + (times[i + 1] - times[i]) / 2);
  std::ranges::sort(times);
  return times;
}

}  // namespace sinew::ops

// SPDX-License-Identifier: MIT
#include "operations/compare/compare_sides.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "sinew/animate.hpp"

namespace sinew::operations {

namespace {

/// Shapes that are prepared together, and from how many on.
constexpr Index few = 64, many = 1024;

/// The positions of a mesh with the shapes [first, first + few).
Mesh positions_with_few(const Mesh& mesh, Index first) {
  Mesh part;
  part.name = mesh.name;
  part.shapes.resize(few);
  for (const VertexBlock& block : mesh.blocks) {
    VertexBlock& kept = part.blocks.emplace_back();
    kept.vertices = block.vertices;
    kept.influences = block.influences;
    const Attribute* positions = find_attribute(block.attributes, Semantic::position);
    if (positions == nullptr) continue;
    kept.attributes.push_back({positions->semantic, positions->set, positions->custom, positions->values, positions->index, {}});
    for (const Offsets& offsets : positions->offsets)
      if (offsets.shape >= first && offsets.shape - first < few)
        kept.attributes.back().offsets.emplace_back(offsets).shape = offsets.shape - first;
  }
  return part;
}

}  // namespace

Side::Side(const Model& model, deform::SceneDeformer deformer, unsigned threads)
    : model_(&model),
      deformer_(std::move(deformer)),
      threads_(threads),
      rest_world_(world_transforms(model, model.rest_pose)),
      few_(deformer_.instances().size()) {}

Result<Side> Side::create(const Model& model, Index scene, unsigned threads) {
  if (auto defect = closure_defect(model, scene)) return Unexpected(std::move(*defect));
  auto deformer = deform::SceneDeformer::create(model, sinew::instances(model, scene), {});
  if (!deformer) return Unexpected(std::move(deformer.error()));
  return Side(model, std::move(*deformer), threads);
}

void Side::pose_at(const Moment& moment) {
  const bool shapes_alone = moment.kind == Part::Kind::shape && !shown_.empty();  // all else is what it was
  if (!shapes_alone) pose_ = model_->rest_pose;
  if (moment.kind == Part::Kind::clip) animate::sample(*model_, model_->clips[moment.clip], moment.seconds, pose_);
  for (std::size_t i = 0; i < moment.shapes.size(); ++i) {
    std::vector<double>& amounts = pose_.amounts[instances()[i].node];
    if (!shapes_alone)
      amounts.assign(mesh(i).shapes.size(), 0);
    else if (shown_[i] != none)
      amounts[shown_[i]] = 0;
  }
  for (std::size_t i = 0; i < moment.shapes.size(); ++i)
    if (moment.shapes[i] != none) pose_.amounts[instances()[i].node][moment.shapes[i]] = 1;
  if (!shapes_alone) world_ = world_transforms(*model_, pose_);
  shown_ = moment.shapes;
}

const Side::FewShapes* Side::few_shapes(std::size_t instance, Index shape) {
  std::optional<FewShapes>& made = few_[instance];
  const Index first = shape / few * few;
  if (made && made->first == first) return &*made;
  const Index skin = instances()[instance].skin;
  deform::PrepareOptions options;
  options.skinned = skin != none;
  options.slots = options.skinned ? model_->skins[skin].slots.size() : 0;
  auto prepared = deform::prepare(positions_with_few(mesh(instance), first), model_->dimension, options);
  if (!prepared) return nullptr;
  made.emplace(FewShapes{first, std::move(*prepared)});
  return &*made;
}

std::optional<std::span<const float>> Side::rows(std::size_t instance) {
  const std::size_t count = vertices(instance), width = model_->dimension;
  if (auto made = deform::palette(*model_, instances()[instance], world_, rest_world_, palette_); !made) return std::nullopt;
  rows_.resize(count * width);
  const deform::Output out{strided_view<float>(rows_.data(), count, width), {}, {}};
  const Index shape = shown_.empty() || mesh(instance).shapes.size() < many ? none : shown_[instance];
  if (const FewShapes* one = shape == none ? nullptr : few_shapes(instance, shape)) {
    std::array<double, few> amounts{};
    amounts[shape - one->first] = 1;
    deform::run_parallel(one->prepared, palette_, amounts, out, threads_);
  } else {
    deform::run_parallel(deformer_.prepared(instance), palette_, pose_.amounts[instances()[instance].node], out, threads_);
  }
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
  std::size_t known = 0;  // of them, sorted and each once
  const auto unify = [&] {
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    known = times.size();
  };
  std::set<std::pair<const std::byte*, std::size_t>> read;  // most tracks of a clip share their keys
  for (const Clip* clip : {&a, &b})
    for (const Track& track : clip->tracks) {
      if (!read.emplace(track.times.data(), track.times.size()).second) continue;
      const std::vector<double> keys = track.times.read<double>();
      times.insert(times.end(), keys.begin(), keys.end());
      if (times.size() > 2 * known + keys.size()) unify();
    }
  unify();
  for (std::size_t i = 0; i + 1 < known; ++i) times.push_back(times[i] + (times[i + 1] - times[i]) / 2);
  std::ranges::sort(times);
  return times;
}

}  // namespace sinew::operations

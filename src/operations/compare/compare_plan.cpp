// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "math/axis_letters.hpp"
#include "math/extent.hpp"
#include "operations/compare/comparer.hpp"
#include "operations/compare/larger.hpp"

#include "sinew/animate.hpp"

namespace sinew::operations {

namespace {

std::vector<std::string> names_of(const Side& side) {
  std::vector<std::string> names;
  // Copies have the names that nodes of a format without copies get.
  for (const Instance& instance : side.instances()) {
    names.push_back(side.model().nodes[instance.node].name);
    if (instance.copy != 0) names.back() += format_text("_{}", instance.copy + 1);
  }
  return names;
}

template <class Things>
std::vector<std::string> names_of(const Things& things) {
  std::vector<std::string> names;
  for (const Entity& thing : things) names.push_back(thing.name);
  return names;
}

}  // namespace

// A point has a size of rounding only.
Comparer::Size Comparer::size_of_a() {
  const std::size_t width = a_.model().dimension;
  Extent box;
  for (std::size_t i = 0; i < a_.instances().size(); ++i) {
    const auto rows = a_.rows(i);
    for (std::size_t k = 0; rows && k < rows->size(); ++k) {
      const auto value = static_cast<double>((*rows)[k]);
      if (std::isfinite(value)) box.add(k % width, value);
    }
  }
  constexpr double rounding = 1e-6;
  double furthest = 0;
  for (std::size_t c = 0; c < width; ++c)
    if (box.high[c] >= box.low[c]) furthest = std::max({furthest, -box.low[c], box.high[c]});
  const double diagonal = box.diagonal(width);
  return {diagonal, diagonal <= rounding * furthest};
}

void Comparer::pair_instances() {
  const std::vector<std::string> names = names_of(a_);
  const Paired paired = pair_by_name(names, names_of(b_));
  for (const auto& [a, b] : paired.pairs) {
    InstancePair& pair = result_.instances.emplace_back();
    pair.a = a_.instances()[a];
    pair.b = b_.instances()[b];
    pair.name = names[a];
    pair.vertices_a = a_.vertices(a);
    pair.vertices_b = b_.vertices(b);
    pair.parts.emplace_back();  // rest
    Work& work = work_.emplace_back();
    work.a = a;
    work.b = b;
  }
  moments_.push_back({{}, {}, 0});
  const auto alone = [](const Side& side, const std::vector<Index>& list, std::vector<Alone>& out) {
    for (const Index i : list) {
      const Index node = side.instances()[i].node;
      out.push_back({Alone::Kind::instance, node, node, side.model().nodes[node].name});
    }
  };
  alone(a_, paired.only_a, result_.only_a);
  alone(b_, paired.only_b, result_.only_b);
}

Result<> Comparer::plan_clips() {
  const std::vector<Clip>&in_a = a_.model().clips, &in_b = b_.model().clips;
  const Paired paired = pair_by_name(names_of(in_a), names_of(in_b));
  std::size_t part = 1;
  for (const auto& [a, b] : paired.pairs) {
    if (auto defect = closure_defect(a_.model(), options_.scene_a, a)) return Unexpected(std::move(*defect));
    if (auto defect = closure_defect(b_.model(), options_.scene_b, b)) return Unexpected(std::move(*defect));
    compare_visibility(in_a[a], a, in_b[b]);
    for (InstancePair& pair : result_.instances) pair.parts.push_back({Part::Kind::clip, a, b, in_a[a].name, {}});
    for (const double time : moments_of(in_a[a], in_b[b])) {
      ComparedMoment& look = moments_.emplace_back();
      look.part = part;
      look.a.kind = look.b.kind = Part::Kind::clip;
      look.a.clip = a;
      look.b.clip = b;
      look.a.seconds = look.b.seconds = time;
    }
    ++part;
  }
  for (const Index a : paired.only_a) result_.only_a.push_back({Alone::Kind::clip, a, none, in_a[a].name});
  for (const Index b : paired.only_b) result_.only_b.push_back({Alone::Kind::clip, b, none, in_b[b].name});
  return {};
}

// Visibility changes only at keys.
void Comparer::compare_visibility(const Clip& in_a, Index clip, const Clip& in_b) {
  if (in_a.visibility.empty() && in_b.visibility.empty()) return;
  std::vector<double> times = need(animate::visibility_times(in_a));
  std::ranges::copy(need(animate::visibility_times(in_b)), std::back_inserter(times));
  std::ranges::sort(times);
  for (const double time : times) {
    const std::vector<bool> a = need(animate::visible_nodes(a_.model(), &in_a, time)),
                            b = need(animate::visible_nodes(b_.model(), &in_b, time));
    for (InstancePair& pair : result_.instances)
      if (!pair.hidden && a[pair.a.node] != b[pair.b.node]) pair.hidden = {clip, time, !a[pair.a.node]};
  }
}

// Turns the joints that both models have, and joints of A without a counterpart if they move vertices. Joints that only B has were probably
// added by a tool and stay at rest, unless A also has joints without a counterpart.
void Comparer::plan_stress() {
  std::vector<Index> in_a, in_b;
  for (const PairedJoint& joint : tree_->joints()) {
    if (has_shear(a_.model(), joint.a) || has_shear(b_.model(), joint.b)) continue;
    in_a.push_back(joint.a);
    in_b.push_back(joint.b);
  }
  const std::size_t paired = in_a.size();
  for (const Index joint : a_.moving_joints())
    if (tree_->nodes().b_of[joint] == none) in_a.push_back(joint);
  if (in_a.size() != paired)
    for (const Index joint : b_.moving_joints())
      if (tree_->nodes().a_of[joint] == none) in_b.push_back(joint);
  for (std::vector<Index>* const list : {&in_a, &in_b}) {
    std::ranges::sort(*list);
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  if (in_a.empty() && in_b.empty()) return;
  a_.set_stressed(std::move(in_a));
  b_.set_stressed(std::move(in_b));
  std::size_t part = result_.instances.empty() ? 0 : result_.instances.front().parts.size();
  const auto dimension = static_cast<Index>(a_.model().dimension);
  for (Index to = 1; to < dimension; ++to)
    for (Index from = 0; from < to; ++from) {
      const std::string name{axis_letters[from], axis_letters[to]};
      for (InstancePair& pair : result_.instances) pair.parts.push_back({Part::Kind::stress, from, to, name, {}});
      ComparedMoment& look = moments_.emplace_back();
      look.part = part++;
      look.a.kind = look.b.kind = Part::Kind::stress;
      look.a.plane = look.b.plane = {from, to};
    }
}

// Compares the first shapes of all meshes together, then the second ones, and so on.
void Comparer::plan_shapes() {
  const std::size_t first = result_.instances.empty() ? 0 : result_.instances.front().parts.size();
  std::vector<ComparedMoment> shapes;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    InstancePair& pair = result_.instances[i];
    const std::vector<BlendShape>&in_a = a_.mesh(work_[i].a).shapes, &in_b = b_.mesh(work_[i].b).shapes;
    Paired paired = pair_by_name(names_of(in_a), names_of(in_b));
    for (std::size_t k = 0; k < paired.pairs.size(); ++k) {
      const auto [a, b] = paired.pairs[k];
      if (k == shapes.size()) {
        ComparedMoment& look = shapes.emplace_back();
        look.part = first + k;
        look.a.kind = look.b.kind = Part::Kind::shape;
        look.a.shapes.assign(a_.instances().size(), none);
        look.b.shapes.assign(b_.instances().size(), none);
      }
      shapes[k].a.shapes[work_[i].a] = a;
      shapes[k].b.shapes[work_[i].b] = b;
      pair.parts.push_back({Part::Kind::shape, a, b, in_a[a].name, {}});
    }
    for (const Index a : paired.only_a) result_.only_a.push_back({Alone::Kind::shape, a, pair.a.node, in_a[a].name});
    for (const Index b : paired.only_b) result_.only_b.push_back({Alone::Kind::shape, b, pair.b.node, in_b[b].name});
    work_[i].shapes = std::move(paired.pairs);
  }
  std::ranges::move(shapes, std::back_inserter(moments_));
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "operations/compare/comparer.hpp"
#include "operations/compare/larger.hpp"

namespace sinew::operations {

namespace {

/// Returns, by node, the outermost node above it (or the node itself) that hides what follows it; none: no node does.
std::vector<Index> outermost_of(const Model& model, const std::vector<HiddenAxis>& hidden) {
  std::vector<Index> outermost(model.nodes.size(), none);
  for (const HiddenAxis& one : hidden) outermost[one.node] = one.node;
  std::vector<bool> known(model.nodes.size());
  std::vector<Index> chain;
  for (Index start = 0; start < model.nodes.size(); ++start) {
    for (Index node = start; node < model.nodes.size() && !known[node]; node = model.nodes[node].parent) {
      known[node] = true;
      chain.push_back(node);
    }
    for (; !chain.empty(); chain.pop_back())
      if (const Index parent = model.nodes[chain.back()].parent; parent < model.nodes.size() && outermost[parent] != none)
        outermost[chain.back()] = outermost[parent];
  }
  return outermost;
}

}  // namespace

// A scene that is a point at rest has the size that poses can give it.
void Comparer::plan_shown(bool point_at_rest) {
  hidden_ = hidden_at_rest(a_.model(), b_.model(), tree_->nodes());
  Moment all;
  all.kind = Part::Kind::shown;
  all.unblended = true;
  if (point_at_rest) {
    a_.pose_at(all, hidden_at_rest(a_.model()));
    result_.diagonal = std::max(result_.diagonal, size_of_a().diagonal);
  } else if (!hidden_.empty()) {
    a_.pose_at(all, hidden_.a);
    limit_sizes();
  }
  const bool blended = is_blended(a_.model()) || is_blended(b_.model());
  if (hidden_.empty() && !blended) return;
  const std::size_t part = result_.instances.empty() ? 0 : result_.instances.front().parts.size();
  for (InstancePair& pair : result_.instances) pair.parts.push_back({Part::Kind::shown, none, none, {}, {}});
  for (const bool unblended : {false, true}) {
    if (unblended ? !blended : hidden_.empty()) continue;
    ComparedMoment& look = moments_.emplace_back();
    look.part = part;
    look.a.kind = look.b.kind = Part::Kind::shown;
    look.a.unblended = look.b.unblended = unblended;
  }
}

// At the current pose, which shows everything. A hidden part becomes at most ten times as large as the scene: its mesh may have other
// units, and the tolerance is relative to what the rest pose shows.
void Comparer::limit_sizes() {
  const std::vector<Index> in_a = outermost_of(a_.model(), hidden_.a), in_b = outermost_of(b_.model(), hidden_.b);
  const std::vector<double> reach = reaches(in_a);
  const double furthest = reach.empty() ? 0 : *std::ranges::max_element(reach);
  const auto size_within = [&](double far) { return std::min(1.0, 10 * result_.diagonal / far); };
  for (HiddenAxis& one : hidden_.a)
    if (in_a[one.node] == one.node) one.size = size_within(reach[one.node]);
  for (HiddenAxis& one : hidden_.b) {
    if (in_b[one.node] != one.node) continue;
    const Index other = tree_->nodes().a_of[one.node];
    one.size = size_within(other != none && in_a[other] == other ? reach[other] : furthest);
  }
}

// Returns, by node of A, how far vertices are from the outermost hidden node that they follow, at the current pose.
std::vector<double> Comparer::reaches(const std::vector<Index>& outermost) {
  const Model& model = a_.model();
  const std::size_t width = model.dimension;
  std::vector<double> reach(model.nodes.size());
  if (std::ranges::all_of(outermost, [](Index node) { return node == none; })) return reach;
  const std::vector<Affine> world = a_.world();
  for (std::size_t i = 0; i < a_.instances().size(); ++i) {
    const Instance& instance = a_.instances()[i];
    const PackedMesh mesh(a_.prepared(i));
    const auto rows = a_.rows(i);
    for (std::size_t row = 0; rows && row < a_.vertices(i); ++row)
      mesh.for_each_influence(mesh.vertex(row), [&](std::size_t slot, double) {
        const bool joint = instance.skin != none && slot < model.skins[instance.skin].slots.size();
        const Index follows = joint ? model.skins[instance.skin].slots[slot] : none;
        const Index hidden = outermost[follows == none ? instance.node : follows];
        if (hidden == none) return;
        const std::span<const double> origin = world[hidden].values().subspan(width * width, width);
        double squares = 0;
        for (std::size_t c = 0; c < width; ++c) {
          const double d = static_cast<double>((*rows)[row * width + c]) - origin[c];
          squares += d * d;
        }
        if (std::isfinite(squares)) reach[hidden] = std::max(reach[hidden], std::sqrt(squares));
      });
  }
  return reach;
}

void Comparer::pose_at(const ComparedMoment& look, Side& a, Side& b, HiddenInClips& hidden) const {
  const HiddenParts* shown = &hidden_;
  if (look.a.kind == Part::Kind::clip) {
    if (look.a.clip != hidden.a || look.b.clip != hidden.b)
      hidden = {
          hidden_in_clips(a_.model(), a_.model().clips[look.a.clip], b_.model(), b_.model().clips[look.b.clip], tree_->nodes(), hidden_),
          look.a.clip, look.b.clip};
    shown = &hidden.parts;
  }
  static const HiddenParts nothing;
  if (look.a.kind == Part::Kind::rest && !pairing_) shown = &nothing;
  a.pose_at(look.a, shown->a);
  b.pose_at(look.b, shown->b);
}

}  // namespace sinew::operations

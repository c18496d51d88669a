// SPDX-License-Identifier: MIT
#include "sinew/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "base/catalogue.hpp"
#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/parallel.hpp"
#include "operations/compare/comparer.hpp"
#include "operations/compare/inner/every_pose.hpp"
#include "operations/compare/joined_parts.hpp"
#include "operations/compare/larger.hpp"
#include "operations/files/most_work.hpp"

namespace sinew::operations {

Result<Comparison> Comparer::run() {
  if (auto fits = check_work(1); !fits) return Unexpected(std::move(fits.error()));
  a_.pose_at({}, {});
  const Size at_rest = size_of_a();
  result_.diagonal = at_rest.diagonal;
  pair_instances();
  tree_ = std::make_unique<JointTree>(a_.model(), b_.model(), result_.instances);
  if (auto done = plan_clips(); !done) return Unexpected(std::move(done.error()));
  if (made_.most_moments != 0) thin_out();
  plan_stress();
  plan_shown(at_rest.is_point);
  plan_shapes();
  total_ = moments_.size();
  if (auto fits = check_work(moments_.size()); !fits) return Unexpected(std::move(fits.error()));
  constexpr std::uint64_t steps_per_visit = 6;
  const std::uint64_t work = allowed_work();
  search_left_ = work / steps_per_visit;
  pair_vertices();
  if (search_left_ == 0)
    return Unexpected(error("SINEW_WORK_LIMIT"_code, Failure::limit, {}, "searches for the nearest vertices", "too many", work));
  measure();
  for (std::size_t i = 0; i < work_.size(); ++i)
    if (made_.proof == Proof::wanted && result_.instances[i].pairing != Pairing::none && !is_by_surfaces(i)) proof_of(i).add_reaches();
  tree_->set_measures(result_.diagonal);
  for (std::size_t i = 0; i < work_.size(); ++i) finish(i);
  return std::move(result_);
}

/// Leaves out moments of clips.
void Comparer::thin_out() {
  const auto of_clip = [](const ComparedMoment& look) { return look.a.kind == Part::Kind::clip; };
  const auto all = static_cast<std::size_t>(std::ranges::count_if(moments_, of_clip));
  std::size_t i = 0;
  std::erase_if(moments_, [&](const ComparedMoment& look) {
    if (!of_clip(look) || all <= made_.most_moments) return false;
    const std::size_t part = i * made_.most_moments / all;  // of as many equal ones as are wanted: the first moment of each stays
    const bool stays = i == 0 || part != (i - 1) * made_.most_moments / all;
    ++i;
    return !stays && std::ranges::find(made_.also, ClipMoment{look.a.clip, look.a.seconds}) == made_.also.end();
  });
}

std::uint64_t Comparer::allowed_work() const { return std::max(most_work(a_.model()), most_work(b_.model())); }

// Every moment poses every node with its blend shapes and moves every vertex. A channel of a few bytes can add thousands of moments.
Result<> Comparer::check_work(std::size_t moments) const {
  constexpr std::uint64_t steps_to_begin = 80'000, steps_per_node = 64, steps_per_vertex = 2, steps_per_amount = 6;
  std::uint64_t each = 0;  // cannot overflow: nodes and vertices take memory
  for (const Side* side : {&a_, &b_}) {
    const Model& model = side->model();
    each += steps_per_node * model.nodes.size();
    for (const std::vector<double>& amounts : model.rest_pose.amounts) each += steps_per_amount * amounts.size();
    for (std::size_t i = 0; i < side->instances().size(); ++i) each += steps_per_vertex * side->vertices(i);
  }
  const std::uint64_t most = allowed_work();
  const auto posing = checked_mul(moments, each);
  const auto one = posing ? checked_add(*posing, steps_to_begin) : std::nullopt;
  const auto steps = one ? checked_mul(*one, options_.comparisons) : std::nullopt;
  if (steps && *steps <= most) return {};
  const std::string scenes = options_.comparisons > 1 ? format_text(" in each of {} scenes", options_.comparisons) : std::string();
  const std::string what = format_text("{} moments of {} and {} nodes, their blend shapes and vertices{}", moments, a_.model().nodes.size(),
                                       b_.model().nodes.size(), scenes);
  return Unexpected(error("SINEW_WORK_LIMIT"_code, Failure::limit, {}, what, steps.value_or(most), most));
}

PoseProof Comparer::proof_of(std::size_t i) {
  const Work& work = work_[i];
  const InstancePair& pair = result_.instances[i];
  return {{a_.model(), pair.a, a_.prepared(work.a), a_.rest_world(), a_.base_amounts(work.a)},
          {b_.model(), pair.b, b_.prepared(work.b), b_.rest_world(), b_.base_amounts(work.b)},
          {work.candidates.pairs, work.odd, work.shapes},
          *tree_};
}

void Comparer::finish(std::size_t i) {
  Work& work = work_[i];
  InstancePair& pair = result_.instances[i];
  for (std::size_t part = 0; part < work.squares.size(); ++part) {
    Distance& distance = pair.parts[part].distance;
    if (distance.measured != 0) distance.rms = std::sqrt(work.squares[part] / static_cast<double>(distance.measured));
  }
  if (is_by_surfaces(i)) pair.every_pose.why_not = "surfaces were compared, which follow from vertices only";
  if (pair.pairing == Pairing::none || is_by_surfaces(i)) return;
  PoseProof proof = proof_of(i);
  if (made_.proof == Proof::wanted) pair.every_pose = proof.run(options_.threads);
  if (options_.triangles) compare_triangles(i);
  if (options_.attributes) pair.attributes = compare_attributes(i);
  if (options_.worst != 0) list_worst(i, proof);
  if (options_.distances) keep_distances(i);
}

void Comparer::list_worst(std::size_t i, const PoseProof& proof) {
  const Work& work = work_[i];
  std::vector<std::uint32_t> order;
  for (std::uint32_t k = 0; k < work.furthest.size(); ++k)
    if (work.furthest[k] > 0) order.push_back(k);
  std::ranges::sort(order, [&](std::uint32_t x, std::uint32_t y) {
    return work.furthest[x] != work.furthest[y] ? work.furthest[x] > work.furthest[y] : x < y;
  });
  a_.pose_at({}, hidden_.a);
  const auto rest = a_.rows(work.a);
  const std::size_t width = a_.model().dimension;
  std::set<std::vector<float>> places;  // a vertex that is stored several times counts once
  for (const std::uint32_t k : order) {
    if (result_.instances[i].worst_vertices.size() == options_.worst) break;
    const auto row = rest ? rest->subspan(work.candidates.pairs[k].a * width, width) : std::span<const float>();
    if (rest && !places.emplace(row.begin(), row.end()).second) continue;
    const RowPair& rows = work.candidates.pairs[k];
    const ComparedMoment& look = moments_[work.look[k]];
    const Index joint = proof.most_different_joint(rows);
    result_.instances[i].worst_vertices.push_back({rows.a, rows.b, static_cast<double>(work.furthest[k]), look.part, look.a.seconds, joint,
                                                   joint == none ? std::string() : a_.model().nodes[joint].name});
  }
}

void Comparer::keep_distances(std::size_t i) {
  const Work& work = work_[i];
  std::vector<float>& distances = result_.instances[i].distances;
  distances.assign(result_.instances[i].vertices_a, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t k = 0; k < work.furthest.size(); ++k) {
    float& distance = distances[work.candidates.pairs[k].a];
    distance = std::fmax(distance, work.furthest[k]);
  }
}

namespace {

Result<Side> side_of(const Model& a, const JoinedParts& joined, const CompareOptions& options, PreparedSides* prepared) {
  if (prepared == nullptr || !joined.nodes.empty())
    return Side::create(joined.nodes.empty() ? a : joined.model, options.scene_a, options.threads);
  if (const auto found = prepared->find(options.scene_a); found != prepared->end()) return *found->second;
  auto made = Side::create(a, options.scene_a, options.threads);
  if (made) prepared->emplace(options.scene_a, std::make_shared<const Side>(*made));
  return made;
}

}  // namespace

Result<Comparison> compare(const Model& a, const Model& b, const CompareOptions& options) SINEW_TRY {
  return compare(a, b, options, MadeFrom());
}
SINEW_CATCH()

Result<Comparison> compare(const Model& a, const Model& b, const CompareOptions& options, const MadeFrom& made) SINEW_TRY {
  if (a.dimension != b.dimension) {
    Comparison different;
    different.why_not = format_text("a model of {} dimensions and one of {}", a.dimension, b.dimension);
    return different;
  }
  auto not_covered = need(sinew::not_covered(a, b));
  const JoinedParts joined_b = join_parts(a, options.scene_a, b, options.scene_b);
  const JoinedParts joined_a = joined_b.nodes.empty() ? join_parts(b, options.scene_b, a, options.scene_a) : JoinedParts{};
  auto side_a = side_of(a, joined_a, options, made.prepared);
  if (!side_a) return Unexpected(std::move(side_a.error()));
  auto side_b = Side::create(joined_b.nodes.empty() ? b : joined_b.model, options.scene_b, options.threads);
  if (!side_b) return Unexpected(std::move(side_b.error()));
  for (Side* side : {&*side_a, &*side_b})
    if (options.stored_amounts) side->keep_stored_amounts();
  auto compared = Comparer(std::move(*side_a), std::move(*side_b), joined_a.nodes, joined_b.nodes, options, made).run();
  const auto restore = [](const Model& model, const JoinedParts& joined, Instance& instance) {  // the first of the parts
    if (joined.nodes.empty()) return;
    instance.mesh = model.nodes[instance.node].mesh;
    instance.skin = model.nodes[instance.node].skin;
  };
  for (std::size_t i = 0; compared && i < compared->instances.size(); ++i) {
    restore(a, joined_a, compared->instances[i].a);
    restore(b, joined_b, compared->instances[i].b);
  }
  if (compared) compared->not_covered = std::move(not_covered);
  return compared;
}
SINEW_CATCH()

}  // namespace sinew::operations

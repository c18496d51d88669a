// SPDX-License-Identifier: MIT
#include <cstdint>

#include "base/guard.hpp"
#include "model/transforms/affine_of.hpp"

#include "sinew/model.hpp"

namespace sinew {

namespace {

/// Computes world transforms in place. `world`: any map per node.
template <class D>
void fill_worlds(D n, const Model& model, const Pose& pose, std::vector<Affine>& world) {
  enum class State : std::uint8_t { unseen, open, done };
  const std::size_t count = world.size();
  std::vector<State> state(count);
  std::vector<Index> chain;  // a node and its ancestors without a world transform, bottom up; avoids recursion for deep rigs
  Affine room(n);
  double* const local = &room(0, 0);
  const auto compute = [&](Index node, Index parent) {
    state[node] = State::done;
    double* const own = &world[node](0, 0);
    if (parent >= count || state[parent] != State::done) return write_local(n, pose.locals[node], own);  // the latter: a cycle of defects
    write_local(n, pose.locals[node], local);
    detail::multiply_columns(n, world[parent].values().data(), local, own, n);
  };
  for (Index start = 0; start < count; ++start) {
    Index node = start;
    for (; node < count && state[node] == State::unseen; node = model.nodes[node].parent) {
      state[node] = State::open;
      chain.push_back(node);
    }
    for (; !chain.empty(); chain.pop_back()) {
      compute(chain.back(), node);
      node = chain.back();
    }
  }
}

}  // namespace

Result<std::vector<Affine>> world_transforms(const Model& model, const Pose& pose) SINEW_TRY {
  assert(pose.locals.size() == model.nodes.size());
  std::vector<Affine> world(model.nodes.size(), Affine(model.dimension));
  if (model.dimension > 0) detail::with_map_dimension(model.dimension, [&](auto n) { fill_worlds(n, model, pose, world); });
  return world;
}
SINEW_CATCH()

}  // namespace sinew

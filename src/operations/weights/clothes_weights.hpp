// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "operations/weights/own_weights.hpp"

#include "sinew/merge.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// The body's part of a transfer of weights.
class WeightDonor {
 public:
  /// `joints`: of the body's skeleton, ascending. Failure::usage: a name in WeightTransfer::from that is not in the body. Failure::input:
  /// no mesh with triangles and weights follows these joints, and the options require one.
  static Result<WeightDonor> create(const Model& body, std::span<const Index> joints, const WeightTransfer& options, unsigned threads);
  ~WeightDonor();
  WeightDonor(WeightDonor&&) noexcept;
  WeightDonor& operator=(WeightDonor&&) = delete;
  WeightDonor(const WeightDonor&) = delete;
  WeightDonor& operator=(const WeightDonor&) = delete;

  /// Gives skins and weights to the meshes of `nodes` of a model whose first nodes are those of the body. At rest nothing moves. `notes`
  /// gets warnings and meshes that stay as they are. Returns nothing if no mesh gets weights. Failure::input: a mesh that must have weights
  /// lies elsewhere. Failure::limit: more work than allowed. `fitted`: those of the nodes that lie on the body for sure, and get weights
  /// even below one of its bones; a vertex gets weights on the limb that it had weights on.
  [[nodiscard]] Result<std::optional<Model>> give(const Model& dressed, std::span<const Index> nodes, std::span<const OwnWeights> fitted,
                                                  FindingSink& notes, std::vector<TransferredWeights>& report) const;

  /// How many places of a mesh of clothes would get the weights of the body's surface below them.
  struct Coverage {
    std::size_t matched = 0, all = 0;
    /// Where most of it hangs free (a hood, a shoe), the artist's weights are better than a continuation of a few.
    [[nodiscard]] bool enough() const { return 10 * matched >= all; }
  };
  [[nodiscard]] Result<Coverage> coverage(const Model& clothes, const OwnWeights& own) const;

 private:
  struct Data;
  explicit WeightDonor(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

/// Returns the clothes without the skins and weights of these nodes; meshes stay in their places at rest. Failure::unsupported: a mesh that
/// its skin deforms at rest, or that a node without a skin cannot put there.
[[nodiscard]] Result<Model> without_clothes_skins(const Model& clothes, std::span<const Index> nodes);

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "operations/skeletons/strict_skeletons.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/edit_reporter.hpp"
#include "model/place.hpp"
#include "operations/skeletons/default_bind.hpp"
#include "operations/skeletons/skeleton_edit.hpp"
#include "operations/skeletons/skeleton_groups.hpp"
#include "operations/skeletons/skeleton_roots.hpp"

namespace sinew::operations {

namespace {

/// State of one call: the result and its groups.
class Strict {
 public:
  Strict(const Model& model, const StrictOptions& options, FindingSink& sink)
      : model_(model), sink_(sink), result_(model), groups_(group_skins(model)), roots_(model, options, groups_) {}

  Result<Model> run() {
    if (auto done = store_matrices(result_, Implied::all); !done) return Unexpected(std::move(done.error()));
    std::vector<Skeleton> skeletons;
    for (StrictGroup& group : groups_) {
      number_ = skeletons.size();
      tell_between(group);
      auto root = find_root(group);
      if (!root) return Unexpected(std::move(root.error()));
      skeletons.push_back(skeleton_of(group, *root));
      for (const Index skin : group.skins) result_.skins[skin].root_hint = *root;
    }
    result_.skeletons = std::move(skeletons);
    return std::move(result_);
  }

 private:
  void tell(const Entity& at, const std::string& what) {
    EditReporter(model_, sink_).changed(at, format_text("skeleton {}: {}", number_, what));
  }

  void tell_between(const StrictGroup& group) {
    const std::size_t count = group.joints.size() - group.given;
    if (count == 0) return;
    const Index first = group.joints[group.given];
    tell(model_.nodes[first],
         count == 1 ? format_text("{} is between its joints and becomes a joint", label(model_, first))
                    : format_text("{} and {} more nodes are between its joints and become joints", label(model_, first), count - 1));
  }

  Result<Index> find_root(StrictGroup& group) {
    if (group.tops.size() == 1) return group.tops.front();
    const Entity& at = model_.nodes[group.tops.front()];
    if (!group.joinable) return refuse(model_, at, several_trees(model_, group));
    const std::optional<std::string> obstacle = roots_.obstacle_to(group);
    if (!obstacle) {
      tell(model_.nodes[group.parent],
           format_text("{}, the parent of its {} topmost joints, becomes its root joint", label(model_, group.parent), group.tops.size()));
      group.joints.push_back(group.parent);
      return group.parent;
    }
    return insert_root(group, *obstacle);
  }

  Result<Index> insert_root(StrictGroup& group, const std::string& obstacle) {
    const auto root = put_above(result_, group.tops, group.parent);
    if (!root) return root;
    tell(model_.nodes[group.tops.front()],
         format_text("a new node {} \"{}\" above its {} topmost joints becomes its root joint, because {}", *root,
                     result_.nodes[*root].name, group.tops.size(), obstacle));
    group.joints.push_back(*root);
    return root;
  }

  Skeleton skeleton_of(const StrictGroup& group, Index root) const {
    Skeleton skeleton;
    if (group.skeleton != none) skeleton = model_.skeletons[group.skeleton];
    skeleton.root = root;
    skeleton.joints = group.joints;
    skeleton.joint_from_mesh = default_bind(result_, model_, group, root);
    return skeleton;
  }

  const Model& model_;
  FindingSink& sink_;
  Model result_;
  std::vector<StrictGroup> groups_;
  Roots roots_;
  std::size_t number_ = 0;  ///< of the current skeleton
};

}  // namespace

Result<Model> make_strict(const Model& model, const StrictOptions& options, FindingSink& sink) SINEW_TRY {
  if (auto checked = check_skins(model); !checked) return Unexpected(std::move(checked.error()));
  return Strict(model, options, sink).run();
}
SINEW_CATCH(place_of(model))

Result<Model> make_plain(const Model& model) SINEW_TRY {
  Model plain = model;
  if (auto done = store_matrices(plain, Implied::stored_pose); !done) return Unexpected(std::move(done.error()));
  plain.skeletons.clear();
  return plain;
}
SINEW_CATCH(place_of(model))

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "base/message.hpp"
#include "g4mf/revise/revise_nodes.hpp"
#include "g4mf/revise/revise_steps.hpp"

namespace sinew::g4mf {

namespace {

class GroupNameUpdate : SkinStep {
 public:
  explicit GroupNameUpdate(Reviser& reviser) : SkinStep(reviser) {}

  void drop() {
    for (Index mesh = 0; mesh < meshes_.size(); ++mesh) {
      const JsonValue names = meshes_[mesh]["skin"]["groupNames"];
      if (!names.is(JsonKind::array)) continue;
      const std::set<Index> skeletons = skeletons_of(mesh);
      if (skeletons.size() != 1)
        keep(names, format_text("{} skeletons use the mesh; readers find the names only if exactly one does", skeletons.size()));
      else if (!std::ranges::equal(list_of(names), bone_names(*skeletons.begin()), &JsonValue::equals))
        keep(names, "they differ from the names of the bones");
      else
        reviser_.element("meshes", mesh).find("skin")->erase("groupNames");
    }
  }

  void write() {
    for (Index mesh = 0; mesh < meshes_.size(); ++mesh) {
      const JsonValue skin = meshes_[mesh]["skin"];
      if (!skin.is(JsonKind::object) || skin["groupNames"].size() != 0) continue;
      const std::set<Index> skeletons = skeletons_of(mesh);
      if (skeletons.empty()) {
        keep(skin, "no skeleton uses the mesh");
        continue;
      }
      const std::vector<std::string> names = bone_names(*skeletons.begin());
      const std::set<std::string> unique(names.begin(), names.end());
      if (names.empty() || unique.size() != names.size() || unique.contains(""))
        keep(skin, "the names of the joints are empty or not unique");
      else
        set_names(*reviser_.element("meshes", mesh).find("skin"), "groupNames", names);
    }
  }

 private:
  void keep(JsonValue at, std::string_view why) { reviser_.losses().add(finding("SINEW_CONVERT_GROUP_NAMES_KEPT"_code, at.place(), why)); }

  [[nodiscard]] std::set<Index> skeletons_of(Index mesh) const {
    std::set<Index> skeletons;
    for (const Index node : users_[mesh]) skeletons.insert(tree_.parents[node]);
    return skeletons;
  }

  // Returns the names of bones; empty for slots without a bone.
  [[nodiscard]] std::vector<std::string> bone_names(Index skeleton) const {
    std::vector<std::string> names;
    for (const JsonValue joint : nodes_[skeleton]["skeleton"]["joints"].elements())
      names.push_back(index_of(joint) < nodes_.size() ? nodes_[index_of(joint)]["name"].string() : std::string());
    return names;
  }
};

}  // namespace

void revise_group_names(Reviser& reviser, GroupNames wanted) {
  if (wanted == GroupNames::drop) GroupNameUpdate(reviser).drop();
  if (wanted == GroupNames::write) GroupNameUpdate(reviser).write();
}

}  // namespace sinew::g4mf

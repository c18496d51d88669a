// SPDX-License-Identifier: MIT
#include <algorithm>

#include "g4mf/check/checks.hpp"

namespace sinew::g4mf {

namespace {

class NodeChecks {
 public:
  explicit NodeChecks(Reader& reader) : reader_(reader), model_(reader.model()), values_(list_of(reader.root()["nodes"])) {}

  void run() {
    check_reached();
    for (Index i = 0; i < values_.size(); ++i) {
      check_rotor(values_[i]["rotor"]);
      check_unit_range(reader_, values_[i]["meshInstance"]["blendAmounts"], "G4MF_MESH_INSTANCE_BLEND_AMOUNT_RANGE"_code);
      if (model_.nodes[i].parent == 0) check_top(i);
    }
  }

 private:
  // Children that a node adds to those of its model instance are descendants, too.
  void check_reached() {
    std::vector<bool> reached(values_.size());
    std::vector<Index> open;
    const auto reach = [&](std::uint64_t node) {
      if (node >= reached.size() || reached[node]) return;
      reached[node] = true;
      open.push_back(static_cast<Index>(node));
    };
    reach(0);
    while (!open.empty()) {
      const Index node = open.back();
      open.pop_back();
      for (const Index child : model_.nodes[node].children) reach(child);
      for (const JsonMember added : values_[node]["modelInstance"]["nodeAdditionalChildren"].members())
        for (const JsonValue child : added.value.elements())
          if (const auto index = whole_number(child)) reach(*index);
    }
    for (Index i = 0; i < values_.size(); ++i)
      if (!reached[i]) reader_.report("G4MF_NODE_UNREACHABLE"_code, values_[i]);
  }

  void check_rotor(JsonValue rotor) {
    if (reader_.dimension() < 7 || rotor.size() == 0) return;
    std::size_t turning = 0, place = 0;
    for (const JsonValue number : rotor.elements()) turning += place++ > 0 && number.number().value_or(0) != 0 ? 1 : 0;
    if (turning > 1) reader_.report("G4MF_NODE_ROTOR_PREFER_BASIS"_code, rotor, reader_.dimension());
  }

  // Reports a top node with a mesh above nodes without physics and skeletons: moving the mesh moves the whole subtree.
  void check_top(Index top) {
    const auto carries = [&](Index node, std::initializer_list<const char*> names) {
      return std::ranges::any_of(names, [&](const char* name) { return static_cast<bool>(values_[node][name]); });
    };
    if (model_.nodes[top].children.empty() || !carries(top, {"meshInstance", "mesh", "modelInstance", "model"})) return;
    std::vector<Index> open = {top};
    while (!open.empty()) {
      const Index node = open.back();
      open.pop_back();
      if (carries(node, {"physics", "skeleton"})) return;
      open.insert(open.end(), model_.nodes[node].children.begin(), model_.nodes[node].children.end());
    }
    reader_.report("G4MF_NODE_MESH_ON_TOP"_code, values_[top]);
  }

  Reader& reader_;
  const Model& model_;
  std::vector<JsonValue> values_;
};

}  // namespace

void check_nodes(Reader& reader) { NodeChecks(reader).run(); }

}  // namespace sinew::g4mf

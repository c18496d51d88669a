// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "base/message.hpp"
#include "gltf/check/ext/VRM.hpp"

namespace sinew::gltf::vrm {

namespace {

constexpr std::string_view constraint_extension = "VRMC_node_constraint";

struct Constraint {
  Index node = none;
  Index source = none;
  JsonValue at;  ///< the extension's object
};

/// Finds constraints that depend on themselves: a constraint depends on those of its source, of nodes above the source, and of nodes above
/// its own node.
class CycleSearch {
 public:
  CycleSearch(Checker& checker, const std::vector<Constraint>& list)
      : checker_(checker), list_(list), by_node_(checker.model().nodes.size(), none), state_(list.size()) {
    for (Index i = 0; i < list.size(); ++i) by_node_[list[i].node] = i;
  }

  void run() {
    for (Index i = 0; i < list_.size(); ++i)
      if (state_[i] == State::unseen) visit(i);
  }

 private:
  enum class State : std::uint8_t { unseen, open, done };
  struct Step {
    Index constraint = none;
    std::vector<Index> needs;
    std::size_t next = 0;
  };

  [[nodiscard]] std::vector<Index> needs_of(Index constraint) const {
    const std::vector<Node>& nodes = checker_.model().nodes;
    std::vector<Index> needs;
    const auto add = [&](Index node) {
      while (node != none && by_node_[node] == none) node = nodes[node].parent;
      if (node != none) needs.push_back(by_node_[node]);  // which depends on those above
    };
    add(list_[constraint].source);
    add(nodes[list_[constraint].node].parent);
    return needs;
  }

  // Without recursion, because a file may chain any number of constraints.
  void visit(Index start) {
    std::vector<Step> way;
    const auto enter = [&](Index constraint) {
      state_[constraint] = State::open;
      way.push_back({constraint, needs_of(constraint)});
    };
    enter(start);
    while (!way.empty()) {
      Step& step = way.back();
      if (step.next == step.needs.size()) {
        state_[step.constraint] = State::done;
        way.pop_back();
        continue;
      }
      const Index need = step.needs[step.next++];
      if (state_[need] == State::open) report(way, need);
      if (state_[need] == State::unseen) enter(need);
    }
  }

  void report(const std::vector<Step>& way, Index first) {
    std::vector<Index> nodes;
    for (auto step = std::ranges::find(way, first, &Step::constraint); step != way.end() && nodes.size() < 8; ++step)
      nodes.push_back(list_[step->constraint].node);
    checker_.report("VRM_CONSTRAINT_CYCLE"_code, list_[first].at, list_[first].node, join_text(nodes, ", "));
  }

  Checker& checker_;
  const std::vector<Constraint>& list_;
  std::vector<Index> by_node_;
  std::vector<State> state_;
};

}  // namespace

void check_constraints(Checker& checker, const std::vector<bool>& swinging) {
  std::vector<Constraint> list;
  Index node = 0;
  for (const JsonValue value : checker.root()["nodes"].elements()) {
    const Index number = node++;
    const JsonValue object = value["extensions"][constraint_extension];
    if (!object || !check_object(checker, constraint_extension, object, node_table)) continue;
    const JsonValue constraint = object["constraint"];
    std::size_t kinds = 0;
    Constraint found{number, none, object};
    for (const std::string_view kind : {"roll", "aim", "rotation"}) {
      const JsonValue one = constraint[kind];
      if (!one) continue;
      ++kinds;
      found.source = checker.root().plain_index(one["source"], Reference::node);
      if (found.source == number) checker.report("VRM_CONSTRAINT_SELF"_code, one["source"], number);
    }
    if (constraint.is(JsonKind::object) && kinds != 1) checker.report("VRM_CONSTRAINT_KIND"_code, constraint, kinds);
    if (swinging[number]) checker.report("VRM_CONSTRAINT_ON_SPRING"_code, object, number);
    if (found.source != none && found.source != number) list.push_back(found);
  }
  if (!list.empty()) CycleSearch(checker, list).run();
}

}  // namespace sinew::gltf::vrm

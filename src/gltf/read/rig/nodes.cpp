// SPDX-License-Identifier: MIT
#include "gltf/read/rig/nodes.hpp"

#include <algorithm>
#include <utility>

#include "document/files/file.hpp"
#include "gltf/extensions/KHR_node_visibility.hpp"
#include "gltf/extensions/KHR_skeleton_bone.hpp"
#include "model/trees.hpp"

#include "sinew/geometry.hpp"

namespace sinew::gltf {

NodeTree::NodeTree(const std::vector<Node>& nodes) : first_(nodes.size()), end_(nodes.size()), root_(nodes.size()) {
  Index next = 0;
  struct Step {
    Index node;
    std::size_t child;
  };
  std::vector<Step> open;
  const auto enter = [&](Index node) {
    first_[node] = next++;
    root_[node] = open.empty() ? node : open.front().node;
    open.push_back({node, 0});
    depth_ = std::max(depth_, open.size());
  };
  for (const Node& node : nodes) parent_.push_back(node.parent);
  for (Index root = 0; root < parent_.size(); ++root) {
    if (parent_[root] != none) continue;
    enter(root);
    while (!open.empty()) {
      Step& step = open.back();
      if (step.child < nodes[step.node].children.size()) {
        enter(nodes[step.node].children[step.child++]);
      } else {
        end_[step.node] = next;
        open.pop_back();
      }
    }
  }
}

namespace {

void read_transform(Reader& reader, const NodeObject& object, LocalTransform& local) {
  if (object.has("matrix")) {
    if (object.has("translation") || object.has("rotation") || object.has("scale")) reader.report("NODE_MATRIX_TRS"_code, object["matrix"]);
    const auto matrix = object.numbers("matrix");  // column-major 4 × 4; the fourth row must be 0 0 0 1
    local.basis.assign(9, 0.0);
    for (std::size_t column = 0; column < 3; ++column)
      for (std::size_t row = 0; row < 3; ++row) local.basis[column * 3 + row] = matrix[column * 4 + row];
    local.translation = {matrix[12], matrix[13], matrix[14]};
  }
  const bool counts = local.basis.empty();  // otherwise the matrix counts
  if (counts && object.has("translation")) local.translation = object.numbers<3>("translation");
  if (counts && object.has("rotation")) {
    const auto quaternion = object.numbers<4>("rotation");
    const auto rotor = rotor_from_quaternion(std::span<const double, 4>(quaternion.data(), 4));
    local.rotor.assign(std::span<const double>(rotor));
  }
  if (counts && object.has("scale")) local.scale = object.numbers<3>("scale");
}

}  // namespace

Nodes::Nodes(Reader& reader) : reader_(reader), model_(reader.model()) {
  const JsonValue nodes = reader.root()["nodes"];
  stored_.reserve(nodes.size());
  reserve_large(model_.nodes, nodes.size());
  reserve_large(model_.rest_pose.locals, nodes.size());
  links_.reserve(nodes.size());
  for (const JsonValue value : nodes.elements()) read_node(value);
  if (!link_plainly()) link_and_report();
  make_trees();
}

JsonValue Nodes::json(std::uint32_t id) const { return id != 0 ? JsonValue(reader_.document().json(), id) : JsonValue(); }

void Nodes::read_node(JsonValue value) {
  Node& node = model_.nodes.emplace_back();
  const auto object = reader_.object<NodeObject>(value);
  identify(node, value, object["name"]);
  const JsonValue children = object["children"];
  stored_.push_back({value.id(), children.id(), object["weights"].id()});
  const auto parent = static_cast<Index>(stored_.size() - 1);
  for (const JsonValue child : children.elements()) links_.push_back({parent, reader_.root().plain_index(child, Reference::node)});
  if (object.has("skin") && !object.has("mesh")) reader_.report("UNSATISFIED_DEPENDENCY"_code, object["skin"], "mesh");
  if (object.defect()) Reader::mark(node, reader_.refuse(object).value());
  read_transform(reader_, object, model_.rest_pose.locals.emplace_back());
  const auto mesh = reader_.resolve(object, "mesh");
  const auto skin = reader_.resolve(object, "skin");
  if (!mesh) Reader::mark(node, mesh.error());
  if (!skin) Reader::mark(node, skin.error());
  // An unusable node may have had a mesh. A missing mesh gets the index after the file's last mesh; read() appends an empty mesh there.
  const bool unknown = node.defect != none && (!value.is(JsonKind::object) || value["mesh"].is(JsonKind::number));
  const bool missing = !mesh || (*mesh == none && unknown);
  node.mesh = missing ? static_cast<Index>(reader_.count(Reference::mesh)) : *mesh;
  if (node.mesh != none && !missing) meshed_.push_back(parent);
  node.skin = skin ? *skin : none;
  if (const JsonValue bone = extension_of(object, skeleton_bone_extension))
    node.bone.emplace().length = reader_.object<BoneObject>(bone)["length"].number();
  if (const JsonValue visibility = extension_of(object, visibility_extension))
    node.visible = reader_.object<VisibilityObject>(visibility).boolean("visible");
}

// Links nodes without reading the text again. Returns false if there is something to report, which is rare.
bool Nodes::link_plainly() {
  parents_.assign(stored_.size(), none);
  for (const auto& [parent, child] : links_)
    if (child == none || std::exchange(parents_[child], parent) != none) return false;
  return true;
}

// The last parent that lists a node counts.
void Nodes::link_and_report() {
  std::vector<Node>& nodes = model_.nodes;
  parents_.assign(nodes.size(), none);
  for (Index parent = 0; parent < nodes.size(); ++parent)
    for (const JsonValue value : json(stored_[parent].children).elements()) {
      const auto child = reader_.resolve(value, Reference::node);
      if (!child) Reader::mark(nodes[parent], child.error());
      if (!child || *child == none) continue;  // not an index: reported by the table
      const Index known = std::exchange(parents_[*child], parent);
      if (known != none && known != parent)
        Reader::mark(nodes[*child], reader_.refuse("NODE_PARENT_OVERRIDE"_code, value, *child, known).value());
      else if (known == parent)  // listed twice
        reader_.report("NODE_PARENT_OVERRIDE"_code, value, *child, known);
    }
}

// Cuts loops. Marks nodes below the depth limit as unusable, and reports the limit once.
void Nodes::make_trees() {
  std::vector<Node>& nodes = model_.nodes;
  std::vector<Index> parents = parents_;
  open_cycles(parents,
              [&](Index node, Index) { Reader::mark(nodes[node], reader_.refuse("NODE_LOOP"_code, json(stored_[node].value)).value()); });
  for (const auto& [parent, child] : links_) {
    if (child == none || parents[child] != parent || nodes[child].parent != none) continue;  // a parent may list a child twice
    nodes[child].parent = parent;
    nodes[parent].children.push_back(child);
  }
  tree_ = NodeTree(nodes);
  const std::uint64_t limit = reader_.document().options().limits.node_depth;
  if (tree_.depth() <= limit) return;
  std::optional<Defect> defect;
  for_each_deeper(nodes, limit, [&](Index node) {
    if (!defect) {
      const Error too_deep = error("SINEW_NODE_DEPTH_LIMIT"_code, Failure::limit, {}, limit);
      defect = reader_.refuse(json(stored_[node].value), too_deep).value();
    }
    Reader::mark(nodes[node], *defect);
  });
}

Checked<> Nodes::link(Meshes& meshes) {
  std::uint64_t amounts = 0;
  for (const Index i : meshed_) amounts += model_.meshes[model_.nodes[i].mesh].shapes.size();
  if (auto taken = reader_.take(reader_.root()["nodes"], amounts, 2 * sizeof(double)); !taken) return taken;
  model_.rest_pose.amounts.resize(model_.nodes.size());
  for (const Index i : meshed_) {
    const Node& node = model_.nodes[i];
    const JsonValue weights = json(stored_[i].weights);
    if (const auto targets = meshes.targets(node.mesh); weights && targets && weights.size() != *targets)
      reader_.report("NODE_WEIGHTS_INVALID"_code, weights, weights.size(), *targets);
    set_amounts(i, model_.meshes[node.mesh]);
    check_skin(i, meshes);
  }
  return {};
}

void Nodes::set_amounts(Index node, const Mesh& mesh) {
  std::vector<double>& amounts = model_.rest_pose.amounts[node];
  amounts.resize(mesh.shapes.size());
  const JsonValue weights = json(stored_[node].weights);
  if (!weights) {
    std::ranges::transform(mesh.shapes, amounts.begin(), &BlendShape::amount);
    return;
  }
  // The node's weights replace the mesh's as a whole.
  std::size_t shape = 0;
  for (const JsonValue weight : weights.elements())
    if (shape < amounts.size()) amounts[shape++] = weight.number().value_or(0);
}

void Nodes::check_skin(Index index, Meshes& meshes) {
  Node& node = model_.nodes[index];
  const JsonValue value = json(stored_[index].value);
  if (!meshes.targets(node.mesh)) return;  // no primitives
  const bool skinned = meshes.all_skinned(node.mesh);
  if (node.skin == none) {
    if (skinned) reader_.report("NODE_SKINNED_MESH_WITHOUT_SKIN"_code, value);
    return;
  }
  if (!skinned) reader_.report("NODE_SKIN_WITH_NON_SKINNED_MESH"_code, value);
  if (model_.skins[node.skin].defect != none) return;
  if (auto fits = meshes.check_joints(node.mesh, node.skin, model_.skins[node.skin].slots.size()); !fits) Reader::mark(node, fits.error());
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#include "g4mf/read/rig/nodes.hpp"

#include <algorithm>
#include <optional>

#include "g4mf/read/mesh/meshes.hpp"
#include "g4mf/schema/data/transforms.hpp"
#include "model/trees.hpp"

namespace sinew::g4mf {

Nodes::Nodes(Reader& reader) : reader_(reader), model_(reader.model()) {
  const JsonValue nodes = reader.root()["nodes"];
  stored_.reserve(nodes.size());
  model_.nodes.reserve(nodes.size());
  model_.rest_pose.locals.reserve(nodes.size());
  for (const JsonValue value : nodes.elements()) read_node(value);
  for (Index i = 0; i < stored_.size(); ++i) read_children(i);
  std::vector<Index> parents(stored_.size());
  std::ranges::transform(model_.nodes, parents.begin(), &Node::parent);
  open_cycles(parents, [&](Index node, Index parent) {
    std::erase(model_.nodes[parent].children, node);
    model_.nodes[node].parent = none;
    Reader::mark(model_.nodes[node], reader_.refuse("G4MF_NODE_CYCLE"_code, stored_[node].value).value());
  });
  // Nodes below the depth limit cannot be used; the limit is reported once.
  const std::uint64_t depth = reader_.document().options().limits.node_depth;
  std::optional<Defect> too_deep;
  for_each_deeper(model_.nodes, depth, [&](Index node) {
    if (!too_deep) {
      const Error error = sinew::error("SINEW_NODE_DEPTH_LIMIT"_code, Failure::limit, {}, depth);
      too_deep = reader_.refuse(stored_[node].value, error).value();
    }
    Reader::mark(model_.nodes[node], *too_deep);
  });
}

void Nodes::read_node(JsonValue value) {
  Node& node = model_.nodes.emplace_back();
  const auto object = reader_.object<NodeObject>(value);
  identify(node, value);
  Stored& stored = stored_.emplace_back();
  stored.value = value;
  stored.children = object["children"];
  stored.skeleton = object["skeleton"];
  if (object.defect()) Reader::mark(node, reader_.refuse(object).value());
  const bool root = model_.nodes.size() == 1;
  if (root && (object.has("position") || object.has("basis") || object.has("rotor") || object.has("scale")))
    reader_.report("G4MF_NODE_ROOT_TRANSFORM"_code, value);
  auto local = read_transform(reader_, object);
  if (!local) Reader::mark(node, local.error());
  model_.rest_pose.locals.push_back(local ? std::move(*local) : LocalTransform{});
  node.visible = object.boolean("visible");
  read_mesh(object, node, stored);
  read_bone(object, node);
  static_cast<void>(reader_.resolve_or_none(object, {"light", PropertyType::index}));
  static_cast<void>(reader_.resolve_or_none(object, "model"));
  check_components(object);
}

// The mesh is that of a mesh instance or (2025-08) `mesh`. An unusable node may have had one. A missing mesh gets the index after the
// file's last mesh; read() appends an empty mesh there.
void Nodes::read_mesh(const NodeObject& object, Node& node, Stored& stored) {
  Checked<Index> mesh = none;
  const JsonValue instance = object["meshInstance"];
  if (instance) {
    const auto instance_object = reader_.object<MeshInstanceObject>(instance);
    stored.amounts = instance_object["blendAmounts"];
    stored.materials = instance_object["materials"];
    mesh = instance_object.defect() ? Checked<Index>(reader_.refuse(instance_object)) : reader_.resolve(instance_object, "mesh");
  } else {
    mesh = reader_.resolve(object, "mesh");
  }
  if (!mesh) Reader::mark(node, mesh.error());
  const JsonValue value = object.value();
  const bool unknown = node.defect != none && (!value.is(JsonKind::object) || value["meshInstance"] || value["mesh"]);
  const bool missing = !mesh || (*mesh == none && unknown);
  node.mesh = missing ? static_cast<Index>(reader_.count(Reference::mesh)) : *mesh;
}

// A stored length of −1 means that the node is no bone (2025-08), and so does any other negative number.
void Nodes::read_bone(const NodeObject& object, Node& node) {
  if (const JsonValue value = object["bone"]) {
    const auto bone = reader_.object<BoneObject>(value);
    if (bone.defect()) Reader::mark(node, reader_.refuse(bone).value());
    node.bone.emplace();
    if (const JsonValue length = bone["length"]) node.bone->length = length.number();
    if (const JsonValue mass = bone["mass"]) node.bone->mass = mass.number();
    static_cast<void>(reader_.resolve_or_none(bone, "shape"));
    if (bone.has("shape") && !bone.has("length")) reader_.report("G4MF_BONE_SHAPE_WITHOUT_LENGTH"_code, value);
    return;
  }
  const JsonValue value = object["boneLength"];
  if (!value) return;
  const double length = object.number("boneLength");
  if (length >= 0)
    node.bone = Bone{length, std::nullopt};
  else if (length == -1)
    reader_.report("G4MF_BONE_LENGTH_DEFAULT_WRITTEN"_code, value);
  else
    reader_.report("G4MF_BONE_LENGTH_NEGATIVE"_code, value, excerpt(value));
}

// A node should have only one component (core part, Node). All are read, because they do not conflict.
void Nodes::check_components(const NodeObject& object) {
  constexpr NodeObject::Row components[] = {"bone",         "boneLength", "camera", "light",         {"light", PropertyType::index},
                                            "meshInstance", "mesh",       "model",  "modelInstance", "physics",
                                            "skeleton"};
  if (std::ranges::count_if(components, [&](NodeObject::Row row) { return object.has(row); }) < 2) return;
  const bool oldest = reader_.revision() == Revision::r2025_08;
  reader_.report(oldest ? "G4MF_NODE_COMPONENTS_EXCLUSIVE_2025_08"_code : "G4MF_NODE_COMPONENTS_EXCLUSIVE"_code, object.value());
}

// The first parent that lists a node counts.
void Nodes::read_children(Index parent) {
  std::vector<Node>& nodes = model_.nodes;
  const Property& property = NodeObject::property("children");
  for (const JsonValue value : stored_[parent].children.elements()) {
    const auto child = reader_.resolve(value, property);
    if (!child) {
      Reader::mark(nodes[parent], child.error());
      continue;
    }
    if (*child == none) continue;  // not an index: reported by the table
    if (*child == 0) {
      Reader::mark(nodes[parent], reader_.refuse("G4MF_NODE_ROOT_IS_CHILD"_code, value).value());
      continue;
    }
    const Index known = nodes[*child].parent;
    if (known == parent) {
      reader_.report("G4MF_NODE_CHILD_DUPLICATE"_code, value, *child);
      continue;
    }
    if (known != none) {
      Reader::mark(nodes[*child], reader_.refuse("G4MF_NODE_TWO_PARENTS"_code, value, *child, known).value());
      continue;
    }
    nodes[*child].parent = parent;
    nodes[parent].children.push_back(*child);
  }
}

Checked<> Nodes::link() {
  std::uint64_t amounts = 0;
  for (const Node& node : model_.nodes)
    if (node.mesh < reader_.count(Reference::mesh)) amounts += model_.meshes[node.mesh].shapes.size();
  if (auto taken = reader_.take(reader_.root()["nodes"], amounts, 2 * sizeof(double)); !taken) return taken;
  model_.rest_pose.amounts.resize(model_.nodes.size());
  for (Index i = 0; i < model_.nodes.size(); ++i) {
    if (model_.nodes[i].mesh >= reader_.count(Reference::mesh)) continue;  // no mesh, or a missing one
    set_amounts(i);
    set_materials(i);
  }
  return {};
}

// The node's amounts replace the mesh's as a whole.
void Nodes::set_amounts(Index index) {
  Node& node = model_.nodes[index];
  const Mesh& mesh = model_.meshes[node.mesh];
  std::vector<double>& amounts = model_.rest_pose.amounts[index];
  amounts.resize(mesh.shapes.size());
  const JsonValue given = stored_[index].amounts;
  if (!given) {
    std::ranges::transform(mesh.shapes, amounts.begin(), &BlendShape::amount);
    return;
  }
  if (mesh.defect != none) return;
  const Code code = mesh.shapes.empty() ? "G4MF_MESH_INSTANCE_BLEND_AMOUNTS_NO_BLEND"_code : "G4MF_MESH_INSTANCE_BLEND_AMOUNTS_LENGTH"_code;
  if (const auto fitting = read_amounts(reader_, given, code, amounts); !fitting) Reader::mark(node, fitting.error());
}

// −1 keeps the material of the surface. Unusable materials are only ignored, because they move nothing.
void Nodes::set_materials(Index index) {
  const JsonValue materials = stored_[index].materials;
  if (materials.size() == 0) return;
  Node& node = model_.nodes[index];
  const Mesh& mesh = model_.meshes[node.mesh];
  if (materials.size() != 1 && materials.size() != mesh.surfaces.size()) {
    if (mesh.defect == none) reader_.report("G4MF_MESH_INSTANCE_MATERIALS_LENGTH"_code, materials, materials.size(), mesh.surfaces.size());
    return;
  }
  const std::size_t count = reader_.count(Reference::material);
  for (const JsonValue value : materials.elements()) {
    const auto material = whole_number(value);
    const bool known = material && *material < count;
    if (!known && value.number() != -1.0) reader_.report("G4MF_MESH_INSTANCE_MATERIAL_RANGE"_code, value, excerpt(value), count);
    node.materials.push_back(known ? static_cast<Index>(*material) : none);
  }
}

}  // namespace sinew::g4mf

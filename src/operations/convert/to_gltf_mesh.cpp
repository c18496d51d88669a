// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/edit_reporter.hpp"
#include "model/influences.hpp"
#include "model/narrowed.hpp"
#include "model/split_surface.hpp"
#include "operations/convert/to_gltf_steps.hpp"

namespace sinew::operations {

namespace {

/// Returns the influences of a vertex that count: with a weight, and below `slots`. Rows whose weights cancel are empty.
InfluenceRow counting(const InfluenceTable& stored, std::size_t vertex, std::size_t slots) {
  if (vertex >= stored.size()) return {};
  InfluenceRow row(stored[vertex].begin(), stored[vertex].end());
  std::erase_if(row, [&](const Influence& entry) { return entry.weight == 0 || entry.slot >= slots; });
  if (sum_of(row) == 0) row.clear();
  return row;
}

/// Merges by joint, sorts by weight, and normalises the sum to 1.
InfluenceRow normalized(const JointMap& joints, InfluenceRow row) {
  const double sum = sum_of(row);
  for (Influence& entry : row) entry = {joints.of_slot[entry.slot], entry.weight / sum};
  row = without_repeats(row);
  std::erase_if(row, [](const Influence& entry) { return static_cast<float>(entry.weight) == 0; });
  if (row.empty()) row.push_back({joints.still, 1});
  std::ranges::sort(row, is_stronger);
  return row;
}

Influences sets_of(const Influences& influences, std::size_t vertices, const JointMap& joints) {
  constexpr std::size_t width = 4;
  const InfluenceTable stored(influences);
  std::vector<std::vector<std::uint16_t>> numbers;
  std::vector<std::vector<float>> weights;
  for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
    const InfluenceRow row = normalized(joints, counting(stored, vertex, joints.of_slot.size()));
    while (numbers.size() * width < row.size()) {
      numbers.emplace_back(vertices * width);
      weights.emplace_back(vertices * width);
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      numbers[i / width][vertex * width + i % width] = static_cast<std::uint16_t>(row[i].slot);
      weights[i / width][vertex * width + i % width] = static_cast<float>(row[i].weight);
    }
  }
  Influences made;
  for (std::size_t set = 0; set < numbers.size(); ++set)
    made.sets.push_back({Array::own(std::move(numbers[set]), width), Array::own(std::move(weights[set]), width)});
  return made;
}

Array as_float(const Array& values) {
  return values.holds<float>() || values.width() == 0 ? values : Array::own(values.read<float>(), values.width());
}

void make_float(Attribute& attribute) {
  attribute.values = as_float(attribute.values);
  for (Offsets& offsets : attribute.offsets) offsets.values = as_float(offsets.values);
}

/// glTF requires unit normals. Deviations within the rounding of small types stay.
void make_unit(Attribute& normals) {
  std::vector<float> values = normals.values.read<float>();
  const std::size_t width = normals.values.width();
  bool changed = false;
  for (std::size_t i = 0; i + width <= values.size(); i += width) {
    double squares = 0;
    for (std::size_t c = 0; c < width; ++c) squares += static_cast<double>(values[i + c]) * static_cast<double>(values[i + c]);
    const double length = std::sqrt(squares);
    if (!(length > 0) || std::abs(length - 1) <= 1e-4) continue;
    for (std::size_t c = 0; c < width; ++c) values[i + c] = static_cast<float>(static_cast<double>(values[i + c]) / length);
    changed = true;
  }
  if (changed) normals.values = Array::own(std::move(values), width);
}

/// Removes what glTF primitives cannot store.
void clean(Surface& surface, const EditReporter* losses) {
  const auto lost = [&](std::string what) {
    if (losses != nullptr) losses->lost(surface.source, what);
  };
  std::erase_if(surface.attributes, [&](const Attribute& attribute) {
    if (attribute.semantic == Semantic::texcoord && attribute.values.width() != 2) {
      lost(format_text("its texture coordinates of {} numbers are lost: glTF stores two numbers", attribute.values.width()));
      return true;
    }
    if (!attribute.values.empty()) return false;
    if (!attribute.offsets.empty()) lost("the effect of blend shapes on flat normals is lost: glTF changes only stored normals");
    return true;
  });
  for (Attribute& attribute : surface.attributes) {
    make_float(attribute);
    if (attribute.semantic == Semantic::normal) make_unit(attribute);
  }
  if (surface.primitive >= Primitive::simplexes && !surface.edges.empty())
    lost("its edges are lost: a glTF primitive has either triangles or lines");
  if (surface.topology) lost("its topology is lost: glTF cannot store it");
  if (surface.polytope_simplexes) lost("the grouping of its simplexes into polytopes is lost");
  surface.edges = {};
  surface.topology.reset();
  surface.polytope_simplexes = false;
}

/// Returns the number of surfaces per block.
std::vector<std::size_t> surfaces_of_blocks(const Mesh& mesh) {
  std::vector<std::size_t> counts(mesh.blocks.size());
  for (const Surface& surface : mesh.surfaces) ++counts[surface.block];
  return counts;
}

/// Stores elements with width 1, as glTF does.
void flatten(const Mesh& mesh, Surface& surface) {
  if (!surface.indexed) return;
  Elements elements = need(elements_of(mesh, surface, 3));
  surface.elements = narrowed_indices(std::move(elements.indices));
  if (elements.corners == 3) surface.primitive = Primitive::simplexes;
  if (elements.corners == 2) surface.primitive = Primitive::lines;
}

/// Returns the vertices that no surface of the block uses.
std::vector<std::uint32_t> loose_vertices(const Mesh& mesh, Index block) {
  std::vector<std::uint8_t> used(mesh.blocks[block].vertices);
  for (const Surface& surface : mesh.surfaces)
    if (surface.block == block)
      for (const std::uint32_t vertex : need(elements_of(mesh, surface, 3)).indices) used[vertex] = 1;
  std::vector<std::uint32_t> loose;
  for (auto at = used.begin(); (at = std::find(at, used.end(), 0)) != used.end(); ++at)
    loose.push_back(static_cast<std::uint32_t>(at - used.begin()));
  return loose;
}

bool has_corners(const Mesh& mesh) {
  return std::ranges::any_of(mesh.surfaces, [&](const Surface& surface) { return !need(elements_of(mesh, surface, 3)).indices.empty(); });
}

bool names_groups(const Model& model, const MeshUse& use) {
  const std::vector<std::string>& names = model.meshes[use.mesh].group_names;
  for (std::size_t i = 0; i < names.size() && i < use.joints.of_slot.size(); ++i) {
    const Index joint = use.joints.of_slot[i];
    const Index node = joint == none ? none : use.joints.nodes[joint];
    if (!names[i].empty() && (node == none || model.nodes[node].name != names[i])) return true;
  }
  return false;
}

}  // namespace

JointMap joint_map(const Mesh& mesh, const Skin& skin, const std::function<bool(std::size_t)>& is_bound, std::span<const Index> order) {
  JointMap joints;
  joints.of_slot.assign(skin.slots.size(), none);
  std::vector<bool> used(skin.slots.size());
  bool still = false;
  for (const VertexBlock& block : mesh.blocks) {
    const InfluenceTable stored(block.influences);
    still |= stored.size() < block.vertices;
    for (std::size_t vertex = 0; vertex < stored.size(); ++vertex) {
      const InfluenceRow row = counting(stored, vertex, skin.slots.size());
      still |= row.empty();
      for (const Influence& entry : row) used[entry.slot] = true;
    }
  }
  std::map<Index, Index> known;  // node to joint
  const auto joint_of = [&](Index node) {
    const auto [joint, added] = known.emplace(node, static_cast<Index>(joints.nodes.size()));
    if (added) joints.nodes.push_back(node);
    return joint->second;
  };
  for (const Index node : order) static_cast<void>(joint_of(node));
  std::vector<std::size_t> on_still;
  for (std::size_t slot = 0; slot < used.size(); ++slot) {
    const bool bound = is_bound(slot);
    if (bound && (used[slot] || order.empty() || known.contains(skin.slots[slot])))
      joints.of_slot[slot] = joint_of(skin.slots[slot]);
    else if (!bound && used[slot])
      on_still.push_back(slot);
  }
  if (still || !on_still.empty()) {
    joints.still = static_cast<Index>(joints.nodes.size());
    joints.nodes.push_back(none);
    for (const std::size_t slot : on_still) joints.of_slot[slot] = joints.still;
  }
  return joints;
}

Mesh gltf_mesh(const Model& model, const MeshUse& use, const EditReporter* losses) {
  Mesh mesh = model.meshes[use.mesh];
  if (losses != nullptr && names_groups(model, use))
    losses->lost(mesh.source, "the names of its groups are lost: glTF uses the names of the joint nodes");
  mesh.group_names.clear();
  for (VertexBlock& block : mesh.blocks) {
    for (Attribute& attribute : block.attributes) make_float(attribute);
    if (!use.skinned)
      block.influences = {};
    else if (block.influences.sets.empty())
      block.influences = sets_of(block.influences, block.vertices, use.joints);
  }
  if (!has_corners(mesh) && !mesh.blocks.empty()) {
    Surface& points = mesh.surfaces.emplace_back();
    points.primitive = Primitive::points;
    if (losses != nullptr) losses->changed(mesh.source, "no surface uses its vertices; they become points");
  }
  std::vector<VertexBlock> blocks;
  std::vector<Surface> surfaces;
  const bool splits =
      mesh.blocks.size() == 1 &&
      (mesh.surfaces.size() > 1 || std::ranges::any_of(mesh.surfaces, [](const Surface& surface) { return !surface.attributes.empty(); }));
  std::vector<std::uint32_t> loose = splits ? loose_vertices(mesh, 0) : std::vector<std::uint32_t>();
  const std::vector<std::size_t> sharing = surfaces_of_blocks(mesh);
  for (std::size_t s = 0; s < mesh.surfaces.size(); ++s) {
    Surface surface = mesh.surfaces[s];
    clean(surface, losses);
    if (s < use.materials.size() && use.materials[s] != none) surface.material = use.materials[s];
    if (!surface.attributes.empty() || sharing[surface.block] > 1) {
      blocks.push_back(split_surface(mesh, 3, VertexOrder::stored, surface, loose));
      if (!surface.elements.empty()) loose.clear();  // added only once
    } else {
      flatten(mesh, surface);
      blocks.push_back(mesh.blocks[surface.block]);
    }
    surface.block = static_cast<Index>(s);
    surfaces.push_back(std::move(surface));
  }
  mesh.surfaces = std::move(surfaces);
  mesh.blocks = std::move(blocks);
  return mesh;
}

}  // namespace sinew::operations

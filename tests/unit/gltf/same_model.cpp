// SPDX-License-Identifier: MIT
#include "unit/gltf/same_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace sinew::gltf::test {
namespace {

/// Compares two models and stores the places of differences.
class Comparison {
 public:
  std::vector<std::string> found;

  void expect(bool same, const std::string& where) {
    if (!same && found.size() < 20) found.push_back(where);
  }

  void arrays(const Array& a, const Array& b, const std::string& where) {
    const bool alike = a.size() == b.size() && (a.width() == b.width() || a.empty()) && a.normalized() == b.normalized();
    expect(alike && a.read<double>() == b.read<double>(), where);
  }

  void offsets(const Attribute& a, const Attribute& b, const std::string& where) {
    std::map<Index, const Offsets*> of_b;
    for (const Offsets& one : b.offsets) of_b[one.shape] = &one;
    for (const Offsets& one : a.offsets) {
      const auto other = of_b.find(one.shape);
      expect(other != of_b.end(), fmt::format("{} shape {}", where, one.shape));
      if (other == of_b.end()) continue;
      expect(one.sparse() == other->second->sparse(), fmt::format("{} shape {}: sparse", where, one.shape));
      if (one.sparse())
        expect(one.indices.read<std::uint32_t>() == other->second->indices.read<std::uint32_t>(), fmt::format("{} rows", where));
      arrays(one.values, other->second->values, fmt::format("{} values of shape {}", where, one.shape));
    }
    expect(a.offsets.size() == b.offsets.size(), where + " number of offsets");
  }

  void blocks(const VertexBlock& a, const VertexBlock& b, const std::string& where) {
    expect(a.vertices == b.vertices, where + " vertices");
    expect(a.attributes.size() == b.attributes.size(), where + " number of attributes");
    for (const Attribute& one : a.attributes) {
      const auto other = std::ranges::find_if(b.attributes, [&](const Attribute& candidate) {
        return candidate.semantic == one.semantic && candidate.set == one.set && candidate.custom == one.custom;
      });
      const std::string name = fmt::format("{} attribute {} {} {}", where, static_cast<int>(one.semantic), one.set, one.custom);
      expect(other != b.attributes.end(), name);
      if (other == b.attributes.end()) continue;
      arrays(one.values, other->values, name);
      offsets(one, *other, name);
    }
    expect(a.influences.sets.size() == b.influences.sets.size(), where + " sets");
    for (std::size_t i = 0; i < std::min(a.influences.sets.size(), b.influences.sets.size()); ++i) {
      arrays(a.influences.sets[i].joints, b.influences.sets[i].joints, fmt::format("{} joints {}", where, i));
      arrays(a.influences.sets[i].weights, b.influences.sets[i].weights, fmt::format("{} weights {}", where, i));
    }
  }

  void meshes(const Mesh& a, const Mesh& b, const std::string& where) {
    expect(a.name == b.name, where + " name");
    expect(a.surfaces.size() == b.surfaces.size(), where + " number of surfaces");
    for (std::size_t i = 0; i < std::min(a.surfaces.size(), b.surfaces.size()); ++i) {
      const std::string surface = fmt::format("{} surface {}", where, i);
      expect(a.surfaces[i].primitive == b.surfaces[i].primitive && a.surfaces[i].indexed == b.surfaces[i].indexed, surface + " form");
      expect(a.surfaces[i].material == b.surfaces[i].material, surface + " material");
      arrays(a.surfaces[i].elements, b.surfaces[i].elements, surface + " elements");
      blocks(a.blocks[a.surfaces[i].block], b.blocks[b.surfaces[i].block], surface);
    }
    expect(std::ranges::equal(a.shapes, b.shapes,
                              [](const BlendShape& x, const BlendShape& y) { return x.name == y.name && x.amount == y.amount; }),
           where + " shapes");
  }

  void skins(const Skin& a, const Skin& b, const std::string& where) {
    expect(a.name == b.name && a.slots == b.slots && a.root_hint == b.root_hint, where);
    expect(a.bind == b.bind && a.frame == b.frame && a.joint_from_mesh == b.joint_from_mesh, where + " bind");
  }

  void clips(const Clip& a, const Clip& b, const std::string& where) {
    expect(a.name == b.name && a.tracks.size() == b.tracks.size() && a.duration == b.duration, where);
    for (std::size_t i = 0; i < std::min(a.tracks.size(), b.tracks.size()); ++i) {
      const Track &x = a.tracks[i], &y = b.tracks[i];
      const std::string track = fmt::format("{} track {}", where, i);
      expect(x.node == y.node && x.path == y.path && x.interpolation == y.interpolation && x.quaternions == y.quaternions, track);
      arrays(x.times, y.times, track + " times");
      arrays(x.values, y.values, track + " values");
    }
  }

  void nodes(const Model& a, const Model& b, std::size_t i) {
    const Node &x = a.nodes[i], &y = b.nodes[i];
    const std::string where = fmt::format("node {}", i);
    expect(x.name == y.name, where + " name");
    expect(x.parent == y.parent && x.children == y.children, where + " place");
    expect(x.mesh == y.mesh && x.skin == y.skin, where + " mesh and skin");
    expect(x.visible == y.visible, where + " visible");
    expect(x.bone.has_value() == y.bone.has_value() && (!x.bone || x.bone->length == y.bone->length), where + " bone");
    expect(affine_of(3, a.rest_pose.locals[i]) == affine_of(3, b.rest_pose.locals[i]), where + " transform");
    expect(a.rest_pose.amounts[i] == b.rest_pose.amounts[i], where + " amounts");
  }
};

template <class T, class Compare>
void each(Comparison& comparison, const std::vector<T>& a, const std::vector<T>& b, const std::string& name, Compare compare) {
  comparison.expect(a.size() == b.size(), fmt::format("number of {}: {} and {}", name, a.size(), b.size()));
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) compare(a[i], b[i], fmt::format("{} {}", name, i));
}

}  // namespace

std::vector<std::string> differences(const Model& a, const Model& b) {
  Comparison compare;
  compare.expect(a.nodes.size() == b.nodes.size(), "number of nodes");
  for (std::size_t i = 0; i < std::min(a.nodes.size(), b.nodes.size()); ++i) compare.nodes(a, b, i);
  each(compare, a.meshes, b.meshes, "mesh", [&](const auto&... is) { compare.meshes(is...); });
  each(compare, a.skins, b.skins, "skin", [&](const auto&... is) { compare.skins(is...); });
  each(compare, a.clips, b.clips, "clip", [&](const auto&... is) { compare.clips(is...); });
  each(compare, a.scenes, b.scenes, "scene",
       [&](const Scene& x, const Scene& y, const std::string& where) { compare.expect(x.name == y.name && x.roots == y.roots, where); });
  each(compare, a.materials, b.materials, "material",
       [&](const Material& x, const Material& y, const std::string& where) { compare.expect(x.name == y.name, where); });
  each(compare, a.skeletons, b.skeletons, "skeleton", [&](const Skeleton& x, const Skeleton& y, const std::string& where) {
    compare.expect(x.name == y.name && x.root == y.root && x.joints == y.joints && x.joint_from_mesh == y.joint_from_mesh, where);
  });
  compare.expect(a.default_scene == b.default_scene, "default scene");
  return compare.found;
}

}  // namespace sinew::gltf::test

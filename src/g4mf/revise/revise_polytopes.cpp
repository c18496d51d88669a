// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "g4mf/revise/revise_binding.hpp"
#include "g4mf/revise/revise_steps.hpp"

#include "sinew/geometry.hpp"

namespace sinew::g4mf {

namespace {

/// For the cosine between unit normals in one plane.
constexpr double parallel_tolerance = 1e-4;

class Orienter {
 public:
  explicit Orienter(Reviser& reviser) : reviser_(reviser), dimension_(reviser.reader().dimension()) {}

  Checked<> orient(Index mesh, JsonValue value) {
    const auto is_polytope = [](JsonValue surface) { return polytopes_of(surface).boolean().value_or(false); };
    const std::vector<JsonValue> surfaces = list_of(value["surfaces"]);
    if (dimension_ < 3 || std::ranges::none_of(surfaces, is_polytope)) return {};
    const auto layouts = read_layout(reviser_, value);
    if (!layouts) return Refused(layouts.error());
    const auto& vertices = reviser_.accessors().array(index_of(value["vertices"]));
    if (!vertices || vertices->width() != dimension_) return {};
    if (auto taken = reviser_.reader().take(value, vertices->size(), dimension_ * 8); !taken) return taken;
    const std::vector<double> positions = vertices->read<double>();
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
      if (!is_polytope(surfaces[i]) || !(*layouts)[i].has_simplexes()) continue;
      JsonEdit& edit = reviser_.element("meshes", mesh).find("surfaces")->at(i);
      if (auto done = orient(value, surfaces[i], (*layouts)[i].surface.elements, positions, edit); !done) return done;
    }
    return {};
  }

 private:
  static JsonValue polytopes_of(JsonValue surface) {
    return surface["polytopeCells"] ? surface["polytopeCells"] : surface["polytopeSimplexes"];
  }

  Checked<> orient(JsonValue mesh, JsonValue surface, const Array& simplexes, const std::vector<double>& positions, JsonEdit& edit) {
    if (auto taken = reviser_.reader().take(surface, simplexes.size(), dimension_ * 12); !taken) return taken;
    std::vector<std::uint32_t> corners = simplexes.read<std::uint32_t>();
    std::vector<double> normals(simplexes.size() * dimension_);
    flat_normals<double>({positions.data(), positions.size() / dimension_, dimension_}, {corners.data(), simplexes.size(), dimension_},
                         {normals.data(), simplexes.size(), dimension_});
    std::size_t turned = 0;
    bool askew = false;
    const double* reference = nullptr;
    for (std::size_t i = 0; i < simplexes.size(); ++i) {
      const double* const normal = &normals[i * dimension_];
      if (i == 0 || corners[i * dimension_] != corners[(i - 1) * dimension_]) reference = nullptr;
      if (std::all_of(normal, normal + dimension_, [](double x) { return x == 0; })) continue;
      if (reference == nullptr) reference = normal;
      const double cosine = std::inner_product(normal, normal + dimension_, reference, 0.0);
      if (std::abs(cosine) < 1 - parallel_tolerance) askew = true;
      if (cosine >= 0) continue;
      ++turned;
      std::swap(corners[(i + 1) * dimension_ - 1], corners[(i + 1) * dimension_ - 2]);
    }
    if (turned == 0 && !askew) return {};
    const JsonValue flag = polytopes_of(surface);
    if (askew || has_corner_values(mesh, surface)) {
      reviser_.lost(flag, "polytopes whose simplexes face different ways; the surface now has single simplexes");
      edit.erase(surface["polytopeCells"] ? "polytopeCells" : "polytopeSimplexes");
      return {};
    }
    const std::string_view name = surface["cells"] ? "cells" : "simplexes";
    if (auto done = set_accessor(edit, name, reviser_.add(std::move(corners), dimension_)); !done) return done;
    reviser_.changed(flag, format_text("{} simplexes are reversed, so that those of each polytope face the same way", turned));
    return {};
  }

  // Returns whether corners have values whose order reversing would break.
  bool has_corner_values(JsonValue mesh, JsonValue surface) const {
    if (surface["normals"] || surface["textureMap"]) return true;
    for (const JsonValue shape : mesh["blend"]["shapes"].elements())
      if (shape["normal"] || shape["textureMap"]) return true;
    const std::vector<JsonValue> materials = reviser_.old_list("materials");
    const Index material = index_of(surface["material"]);
    if (material >= materials.size()) return false;
    return std::ranges::any_of(channel_names, [&](std::string_view name) {
      return static_cast<bool>(materials[material][name]["perVertex"]) || static_cast<bool>(materials[material][name]["textureMap"]);
    });
  }

  Reviser& reviser_;
  std::size_t dimension_;
};

}  // namespace

Checked<> orient_polytopes(Reviser& reviser) {
  Orienter orienter(reviser);
  const std::vector<JsonValue> meshes = reviser.old_list("meshes");
  for (Index mesh = 0; mesh < meshes.size(); ++mesh)
    if (auto done = orienter.orient(mesh, meshes[mesh]); !done) return done;
  return {};
}

}  // namespace sinew::g4mf

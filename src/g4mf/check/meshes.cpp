// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "base/guard.hpp"
#include "g4mf/check/checks.hpp"
#include "model/scan_memo.hpp"

#include "sinew/geometry.hpp"

namespace sinew::g4mf {

namespace {

struct Faults {
  std::size_t first = 0;
  std::size_t count = 0;
  void at(std::size_t row) {
    if (count++ == 0) first = row;
  }
};

Faults repeating_rows(const Array& array) {
  Faults faults;
  const std::size_t width = array.width(), most = std::max<std::size_t>(1, 4096 / std::max<std::size_t>(width, 1));
  std::vector<std::uint32_t> block(most * width);
  for (std::size_t first = 0; first < array.size(); first += most) {
    const std::size_t rows = std::min(most, array.size() - first);
    array.read(first, rows, block.data());
    for (std::size_t row = 0; row < rows; ++row) {
      const std::uint32_t* const corners = &block[row * width];
      bool twice = false;
      for (std::size_t a = 1; a < width; ++a)
        for (std::size_t b = 0; b < a; ++b) twice = twice || corners[a] == corners[b];
      if (twice) faults.at(first + row);
    }
  }
  return faults;
}

/// Rows whose length is not 1, with the Khronos validator's tolerance.
struct Lengths : Faults {
  double length = 1;
};
Lengths lengths_off(const Array& array) {
  constexpr double tolerance = 0.00674;
  Lengths faults;
  const std::size_t width = array.width(), most = std::max<std::size_t>(1, 4096 / std::max<std::size_t>(width, 1));
  std::vector<double> block(most * width);
  for (std::size_t first = 0; first < array.size(); first += most) {
    const std::size_t rows = std::min(most, array.size() - first);
    array.read(first, rows, block.data());
    for (std::size_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (std::size_t c = 0; c < width; ++c) sum += block[row * width + c] * block[row * width + c];
      const double length = std::sqrt(sum);
      if (std::abs(length - 1) <= tolerance || std::isnan(length)) continue;
      if (faults.count == 0) faults.length = length;
      faults.at(first + row);
    }
  }
  return faults;
}

/// What scans found, so that arrays that surfaces share are scanned once.
struct Scans {
  explicit Scans(std::uint64_t most) : work(most) {}

  const Faults& repeats(const Array& array) {
    return repeating.of(array, 0, [&] { return repeating_rows(array); });
  }
  const Lengths& off(const Array& array) {
    return lengths.of(array, 0, [&] { return lengths_off(array); });
  }

  WorkMeter work;
  ScanMemo<Faults> repeating{work};
  ScanMemo<Lengths> lengths{work};
};

class SurfaceChecks {
 public:
  SurfaceChecks(Reader& reader, Scans& scans, JsonValue value, const Mesh& mesh, const Surface& surface)
      : reader_(reader), scans_(scans), value_(value), mesh_(mesh), surface_(surface) {}

  void run() {
    check_texture_transform();
    check_tiers();
    if (surface_.defect != none || mesh_.blocks.front().attributes.empty()) return;
    check_degenerate();
    check_normals();
    check_texture_map();
    check_polytopes();
    if (surface_.topology && reader_.revision() != Revision::r2025_08) {
      constexpr std::uint64_t steps_per_number = 8;
      scans_.work.add(steps_per_number * numbers_of_topology(), "the checked topologies");
      check_topology(reader_, geometry(), mesh_, surface_);
    }
  }

 private:
  [[nodiscard]] JsonValue simplexes() const { return value_["simplexes"] ? value_["simplexes"] : value_["cells"]; }
  [[nodiscard]] JsonValue geometry() const { return value_["topology"] ? value_["topology"]["geometry"] : value_["geometry"]; }

  void check_degenerate() {
    if (surface_.primitive == Primitive::simplexes)
      if (const Faults& found = scans_.repeats(surface_.elements); found.count > 0)
        reader_.report("G4MF_SURFACE_SIMPLEX_DEGENERATE"_code, simplexes(), found.first, found.count);
    if (!surface_.edges.empty())
      if (const Faults& found = scans_.repeats(surface_.edges); found.count > 0)
        reader_.report("G4MF_SURFACE_EDGE_DEGENERATE"_code, value_["edges"], found.first, found.count);
  }

  void check_normals() {
    const JsonValue at = value_["normals"];
    const Attribute* attribute = find_attribute(surface_.attributes, Semantic::normal);
    if (attribute == nullptr && at["values"] && surface_.topology)
      attribute = find_attribute(surface_.topology->attributes, Semantic::normal);
    if (attribute == nullptr) return;
    const Lengths& found = scans_.off(attribute->values);
    if (found.count == 0) return;
    const bool bound = at.is(JsonKind::object);
    const Code code = bound ? "G4MF_SURFACE_NORMALS_BINDING_NOT_UNIT"_code : "G4MF_SURFACE_NORMALS_NOT_UNIT"_code;
    reader_.report(code, bound ? at["values"] : at, found.first, found.length, found.count);
  }

  void check_texture_map() {
    const Attribute* const map = find_attribute(surface_.attributes, Semantic::texcoord);
    if (map != nullptr && reader_.dimension() == 4 && map->values.width() == 2)
      reader_.report("G4MF_SURFACE_TEXTURE_MAP_DIMENSION"_code, value_["textureMap"], map->values.width(), reader_.dimension());
  }

  // G4MF has no such extension; converters from glTF may leave it in the file.
  void check_texture_transform() {
    for (const JsonValue holder : {value_, value_["textureMap"]})
      for (const JsonMember extension : holder["extensions"].members())
        if (const std::string name = extension.key.string(); name.ends_with("texture_transform"))
          reader_.report("G4MF_SURFACE_TEXTURE_TRANSFORM"_code, value_["textureMap"] ? value_["textureMap"] : extension.value, name);
  }

  void check_polytopes() {
    const std::size_t corners = surface_.elements.width();
    if (!surface_.polytope_simplexes || corners != reader_.dimension() || reader_.revision() == Revision::r2025_08) return;
    const Array& vertices = mesh_.blocks.front().attributes.front().values;
    scans_.work.add(vertices.size() * vertices.width() + surface_.elements.size() * corners, "the checked polytopes");
    const std::vector<double> positions = vertices.read<double>();
    const std::vector<std::uint32_t> indices = surface_.elements.read<std::uint32_t>();
    const std::vector<std::size_t> runs = need(polytope_runs(corners, indices));
    const strided_view<const double> view(positions.data(), vertices.size(), vertices.width());
    const std::size_t bent = first_bent_simplex(view, corners, indices, runs);
    if (bent >= surface_.elements.size()) return;
    const std::size_t run = *std::prev(std::ranges::upper_bound(runs, bent));
    const JsonValue at = value_["polytopeSimplexes"] ? value_["polytopeSimplexes"] : value_["polytopeCells"];
    reader_.report("G4MF_SURFACE_POLYTOPE_ORIENTATION"_code, at, run, bent);
  }

  [[nodiscard]] std::uint64_t numbers_of_topology() const {
    const Array& vertices = mesh_.blocks.front().attributes.front().values;
    std::uint64_t numbers = std::uint64_t{vertices.size()} * vertices.width() + 2 * std::uint64_t{surface_.edges.size()};
    for (const Array& tier : surface_.topology->tiers) numbers += tier.size();
    return numbers;
  }

  // Checks the rules about tiers that need no other data.
  void check_tiers() {
    const JsonValue tiers = geometry();
    if (!tiers.is(JsonKind::array)) return;
    std::unordered_set<std::string> seen;
    for (const JsonValue tier : tiers.elements())
      if (!seen.insert(canonical(tier)).second) reader_.report("G4MF_TOPOLOGY_GEOMETRY_DUPLICATE"_code, tiers, excerpt(tier));
    const std::size_t dimension = reader_.dimension(), count = tiers.size();
    if (dimension >= 2 && count > 0 && count != dimension - 2 && count != dimension - 1)
      reader_.report("G4MF_TOPOLOGY_GEOMETRY_COUNT"_code, tiers, count, dimension - 2, dimension - 1);
  }

  Reader& reader_;
  Scans& scans_;
  JsonValue value_;
  const Mesh& mesh_;
  const Surface& surface_;
};

}  // namespace

void check_meshes(Reader& reader) {
  Scans scans(reader.most_work());
  std::size_t index = 0;
  for (const JsonValue value : reader.root()["meshes"].elements()) {
    const Mesh& mesh = reader.model().meshes[index++];
    const std::vector<JsonValue> surfaces = list_of(value["surfaces"]);
    std::unordered_map<std::string, std::size_t> known;
    for (std::size_t s = 0; s < surfaces.size() && s < mesh.surfaces.size(); ++s) {
      const auto [first, fresh] = known.try_emplace(canonical(surfaces[s]), s);
      if (!fresh) reader.report("G4MF_MESH_SURFACES_EQUAL"_code, value["surfaces"], s, first->second);
      if (!mesh.blocks.empty()) SurfaceChecks(reader, scans, surfaces[s], mesh, mesh.surfaces[s]).run();
    }
  }
}

}  // namespace sinew::g4mf

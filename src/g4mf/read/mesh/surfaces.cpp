// SPDX-License-Identifier: MIT
#include <algorithm>

#include "g4mf/read/mesh/bindings.hpp"
#include "g4mf/read/mesh/meshes.hpp"
#include "g4mf/read/mesh/topology.hpp"

namespace sinew::g4mf {

namespace {

struct IndexCodes {
  Code type, width, range;
};
constexpr IndexCodes simplex_codes = {"G4MF_SURFACE_SIMPLEXES_NOT_INTEGER"_code, "G4MF_SURFACE_SIMPLEXES_VECTOR_SIZE"_code,
                                      "G4MF_SURFACE_SIMPLEXES_INDEX_RANGE"_code};
constexpr IndexCodes edge_codes = {"G4MF_SURFACE_EDGES_NOT_INTEGER"_code, "G4MF_SURFACE_EDGES_VECTOR_SIZE"_code,
                                   "G4MF_SURFACE_EDGES_INDEX_RANGE"_code};

struct ValueCodes {
  Code type, width, count;
};
constexpr ValueCodes normal_codes = {"G4MF_SURFACE_NORMALS_NOT_FLOAT"_code, "G4MF_SURFACE_NORMALS_VECTOR_SIZE"_code,
                                     "G4MF_SURFACE_NORMALS_COUNT"_code};
constexpr ValueCodes map_codes = {"G4MF_SURFACE_TEXTURE_MAP_NOT_FLOAT"_code, "G4MF_SURFACE_TEXTURE_MAP_NOT_FLOAT"_code,
                                  "G4MF_SURFACE_TEXTURE_MAP_COUNT"_code};
constexpr ValueCodes topology_normal_codes = {"G4MF_TOPOLOGY_NORMALS_NOT_FLOAT"_code, "G4MF_TOPOLOGY_NORMALS_VECTOR_SIZE"_code,
                                              "G4MF_TOPOLOGY_NORMALS_COUNT"_code};
constexpr ValueCodes topology_map_codes = {"G4MF_TOPOLOGY_TEXTURE_MAP_NOT_FLOAT"_code, "G4MF_TOPOLOGY_TEXTURE_MAP_NOT_FLOAT"_code,
                                           "G4MF_TOPOLOGY_TEXTURE_MAP_COUNT"_code};

class SurfaceReader {
 public:
  SurfaceReader(Reader& reader, Accessors& accessors, const MeshParts& parts, Surface& surface)
      : reader_(reader), accessors_(accessors), parts_(parts), surface_(surface) {}

  Checked<MeshParts::SurfaceCounts> read(JsonValue value) {
    const auto object = reader_.object<SurfaceObject>(value);
    surface_.material = reader_.resolve_or_none(object, "material");
    Checked<> done;
    if (object.defect()) done = reader_.refuse(object);
    if (done) done = read_elements(object);
    if (done) done = read_topology(object);
    if (done) done = read_attributes(object);
    if (!done) return Refused(done.error());
    return counts_;
  }

 private:
  template <const auto& table>
  Checked<Array> read_vertex_indices(const Item<table>& object, typename Item<table>::Row row, std::size_t width, const IndexCodes& with) {
    auto indices = accessors_.array(object, row, {AccessorRequirement::Type::integer, width, with.type, with.width});
    if (!indices) return indices;
    if (const auto outside = first_outside(*indices, parts_.vertices))
      return reader_.refuse(with.range, object[row], *outside, text_of_row(*indices, *outside), parts_.vertices);
    return indices;
  }

  // Vertex instances come from the simplexes, else from the edges, else from the vertices (mesh part, Vertex Instances).
  Checked<> read_elements(const SurfaceObject& object) {
    const std::size_t dimension = reader_.dimension();
    const JsonValue simplexes = object["simplexes"];
    if (object.has("edges")) {
      auto edges = read_vertex_indices(object, "edges", 2, edge_codes);
      if (!edges) return Refused(edges.error());
      surface_.edges = std::move(*edges);
      surface_.elements = surface_.edges;
      surface_.indexed = true;
      surface_.primitive = Primitive::lines;
    } else {
      surface_.primitive = Primitive::points;
    }
    if (simplexes) {
      if (dimension < 2) return reader_.refuse("G4MF_SURFACE_SIMPLEXES_DIMENSION"_code, simplexes, dimension);
      // In the plane, triangles have three corners. In other dimensions a simplex has as many corners as the space has dimensions.
      auto elements = read_vertex_indices(object, "simplexes", std::max<std::size_t>(dimension, 3), simplex_codes);
      if (!elements) return Refused(elements.error());
      surface_.elements = std::move(*elements);
      surface_.indexed = true;
      surface_.primitive = Primitive::simplexes;
    }
    counts_.corners = surface_.indexed ? surface_.elements.size() * surface_.elements.width() : parts_.vertices;
    surface_.polytope_simplexes = object.boolean("polytopeSimplexes");
    if (surface_.polytope_simplexes && !simplexes) {
      reader_.report("G4MF_SURFACE_POLYTOPE_WITHOUT_SIMPLEXES"_code, object["polytopeSimplexes"]);
      surface_.polytope_simplexes = false;
    }
    return {};
  }

  // The topology is an object (up to 2026-01), or its members are in the surface.
  Checked<> read_topology(const SurfaceObject& object) {
    const JsonValue inside = object["topology"];
    if (!inside && !object.has("geometry") && !object.has("seams")) return {};
    Topology& topology = surface_.topology.emplace();
    TopologyReader reader(reader_, accessors_, surface_.edges, parts_.vertices, topology);
    if (!object.has("edges")) {
      if (const JsonValue holder = inside ? inside : object["geometry"]) reader_.report("G4MF_TOPOLOGY_WITHOUT_EDGES"_code, holder);
      if (object.has("seams")) reader_.report("G4MF_SURFACE_SEAMS_WITHOUT_EDGES"_code, object["seams"]);
    }
    if (inside) {
      const auto inner = reader_.object<TopologyObject>(inside);
      if (inner.defect()) return reader_.refuse(inner);
      if (!inner.has("geometry") && reader_.revision() != Revision::r2025_08)
        reader_.report("G4MF_TOPOLOGY_GEOMETRY_MISSING"_code, inside, "geometry");
      if (auto done = read_tiers(reader, inner["geometry"], inner.property("geometry"), inner["seams"], inner.property("seams")); !done)
        return done;
      return read_topology_attributes(inner);
    }
    return read_tiers(reader, object["geometry"], object.property("geometry"), object["seams"], object.property("seams"));
  }

  Checked<> read_tiers(TopologyReader& reader, JsonValue geometry, const Property& geometry_row, JsonValue seams,
                       const Property& seams_row) {
    if (auto done = reader.read(geometry, geometry_row, seams, seams_row); !done) return done;
    instances_ = reader.instances();
    tiers_ = reader.tiers();
    counts_.instances = instances_.vertices.size();
    if (auto taken = reader_.take(reader_.value(surface_), counts_.instances, 4); !taken) return taken;
    surface_.topology->instances = reader_.own(instances_.vertices, 1);
    return {};
  }

  Checked<> read_topology_attributes(const TopologyObject& object) {
    std::vector<Attribute>& attributes = surface_.topology->attributes;
    if (auto done = add_values(object, "normals", Semantic::normal, counts_.instances, topology_normal_codes, attributes); !done)
      return done;
    return add_values(object, "textureMap", Semantic::texcoord, counts_.instances, topology_map_codes, attributes);
  }

  Checked<> read_attributes(const SurfaceObject& object) {
    std::vector<Attribute>& attributes = surface_.attributes;
    const JsonValue normals = object[{"normals", PropertyType::object}], map = object[{"textureMap", PropertyType::object}];
    const auto done = normals ? add_binding(normals, Semantic::normal, reader_.dimension(), "G4MF_SURFACE_NORMALS_BINDING"_code)
                              : add_values(object, "normals", Semantic::normal, counts_.corners, normal_codes, attributes);
    if (!done) return done;
    return map ? add_binding(map, Semantic::texcoord, 0, "G4MF_SURFACE_TEXTURE_MAP_BINDING"_code)
               : add_values(object, "textureMap", Semantic::texcoord, counts_.corners, map_codes, attributes);
  }

  // Adds the values if the object has the row: one per vertex instance. Extra texture coordinates are allowed and ignored; extra normals
  // are an error.
  template <const auto& table>
  Checked<> add_values(const Item<table>& object, typename Item<table>::Row row, Semantic semantic, std::size_t count,
                       const ValueCodes& with, std::vector<Attribute>& attributes) {
    const JsonValue at = object[row];
    if (!at) return {};
    const bool normals = semantic == Semantic::normal;
    auto values = accessors_.array(object, row, {AccessorRequirement::Type::floating, normals ? parts_.width : 0, with.type, with.width});
    if (!values) return Refused(values.error());
    if (values->size() < count) return reader_.refuse(with.count, at, values->size(), count);
    if (values->size() > count && normals) reader_.report(with.count, at, values->size(), count);
    Checked<Array> rows_used = first_rows(*values, count);
    if (normals) rows_used = with_width(reader_, at, *rows_used, reader_.dimension());
    if (!rows_used) return Refused(rows_used.error());
    attributes.push_back({semantic, 0, {}, std::move(*rows_used), {}, {}});
    return {};
  }

  Checked<> add_binding(JsonValue value, Semantic semantic, std::size_t width, Code wrong_values) {
    const BindingPlace place{surface_, surface_.primitive == Primitive::simplexes, counts_.corners, instances_, tiers_};
    auto bound = read_binding(reader_, accessors_, value, place, semantic, width, wrong_values);
    if (!bound) return Refused(bound.error());
    if (bound->corners) surface_.attributes.push_back(std::move(*bound->corners));
    if (bound->instances && surface_.topology) surface_.topology->attributes.push_back(std::move(*bound->instances));
    return {};
  }

  Reader& reader_;
  Accessors& accessors_;
  const MeshParts& parts_;
  Surface& surface_;
  MeshParts::SurfaceCounts counts_;
  VertexLists instances_;
  std::size_t tiers_ = 0;
};

}  // namespace

Checked<> read_surface(Reader& reader, Accessors& accessors, JsonValue value, MeshParts& parts, Surface& surface) {
  const auto counts = SurfaceReader(reader, accessors, parts, surface).read(value);
  parts.surfaces.push_back(counts ? *counts : MeshParts::SurfaceCounts{});
  if (!counts) return Refused(counts.error());
  return {};
}

}  // namespace sinew::g4mf

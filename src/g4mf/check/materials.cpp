// SPDX-License-Identifier: MIT
#include "base/message.hpp"
#include "g4mf/check/checks.hpp"

namespace sinew::g4mf {

namespace {

/// A surface that uses a material, with the number of its parts that need values.
struct Part {
  Index mesh = 0, surface = 0;
  std::size_t simplexes = 0, edges = 0, corners = 0, instances = 0;
};

/// A list of one value per part of a surface (up to 2026-01).
struct PartValues {
  ChannelObject::Row row;
  std::size_t Part::* count;
  Code type, counts;
};
constexpr Code topology_code = "G4MF_CHANNEL_TOPOLOGY_TEXTURE_MAP"_code;
constexpr PartValues part_values[] = {
    {"perSimplex", &Part::simplexes, "G4MF_CHANNEL_PER_SIMPLEX_NOT_FLOAT"_code, "G4MF_CHANNEL_PER_SIMPLEX_COUNT"_code},
    {"perEdge", &Part::edges, "G4MF_CHANNEL_PER_EDGE_NOT_FLOAT"_code, "G4MF_CHANNEL_PER_EDGE_COUNT"_code},
    {"perVertex", &Part::corners, "G4MF_CHANNEL_PER_VERTEX_NOT_FLOAT"_code, "G4MF_CHANNEL_PER_VERTEX_COUNT"_code},
    {"textureMap", &Part::corners, "G4MF_CHANNEL_TEXTURE_MAP_NOT_FLOAT"_code, "G4MF_CHANNEL_TEXTURE_MAP_COUNT"_code},
    {"topologyTextureMap", &Part::instances, topology_code, topology_code},
};

constexpr MaterialObject::Row channels[] = {"baseColor", "emissive", "normal", "orm"};
constexpr ChannelObject::Row bindings[] = {{"textureMap", PropertyType::object}, "elementMap"};

class MaterialChecks {
 public:
  MaterialChecks(Reader& reader, Accessors& accessors)
      : reader_(reader), accessors_(accessors), model_(reader.model()), users_(model_.materials.size()) {
    for (Index mesh = 0; mesh < reader.count(Reference::mesh); ++mesh)
      for (Index s = 0; s < model_.meshes[mesh].surfaces.size(); ++s) add_user(mesh, s, model_.meshes[mesh].surfaces[s].material);
    for (const Node& node : model_.nodes) {
      if (node.mesh >= reader.count(Reference::mesh) || node.materials.empty()) continue;
      for (Index s = 0; s < model_.meshes[node.mesh].surfaces.size(); ++s)
        add_user(node.mesh, s, node.materials.size() == 1 ? node.materials[0] : node.materials[s]);
    }
  }

  void run() {
    std::size_t index = 0;
    for (const JsonValue value : reader_.root()["materials"].elements()) {
      const std::vector<Part>& users = users_[index++];
      const auto material = reader_.object<MaterialObject>(value);
      for (const MaterialObject::Row row : channels)
        if (material.has(row)) check_channel(material[row], row, users);
    }
  }

 private:
  void add_user(Index mesh, Index index, Index material) {
    if (material >= users_.size()) return;
    const Surface& surface = model_.meshes[mesh].surfaces[index];
    if (surface.defect != none || model_.meshes[mesh].blocks.empty()) return;
    Part part{mesh, index};
    if (surface.primitive == Primitive::simplexes) part.simplexes = surface.elements.size();
    part.edges = surface.edges.size();
    part.corners = surface.indexed ? surface.elements.size() * surface.elements.width() : model_.meshes[mesh].blocks.front().vertices;
    if (surface.topology) part.instances = surface.topology->instances.size();
    users_[material].push_back(part);
  }

  void check_channel(JsonValue value, MaterialObject::Row kind, const std::vector<Part>& users) {
    const auto channel = reader_.object<ChannelObject>(value);
    if (kind == "baseColor" || kind == "orm") check_unit_range(reader_, channel["factor"], "G4MF_CHANNEL_FACTOR_RANGE"_code);
    for (const PartValues& list : part_values) check_values(channel, list, users);
    for (const ChannelObject::Row row : bindings)
      if (channel.has(row)) check_tree(reader_, channel[row], channel_binding_table);
    const Index texture = reader_.resolve_or_none(channel, "texture");
    if (texture == none) return;
    const std::size_t dimension = reader_.root()["textures"].at(texture)["size"].size();
    if (dimension == 0) return;
    if (const Array* const map = accessors_.find(channel["textureMap"])) {
      if (map->width() != dimension)
        reader_.report("G4MF_CHANNEL_TEXTURE_MAP_VECTOR_SIZE"_code, channel["textureMap"], Accessors::text(*map),
                       format_text("vectorSize {}", dimension));
    } else if (!channel.has({"textureMap", PropertyType::object})) {
      for (const Part& part : users) check_surface_map(part, texture, dimension, channel.has("topologyTextureMap"));
    }
  }

  void check_values(const ChannelObject& channel, const PartValues& list, const std::vector<Part>& users) {
    if (!channel.has(list.row) || reader_.resolve_or_none(channel, list.row) == none) return;
    const JsonValue at = channel[list.row];
    const Array* const values = accessors_.find(at);
    if (values == nullptr) return;
    if (!is_float(values->type()))
      return reader_.report(list.type, at, Accessors::text(*values), std::string_view("floating point numbers"));
    for (const Part& part : users)
      if (values->size() < part.*list.count)
        return reader_.report(list.counts, at, values->size(), part.surface, part.mesh, part.*list.count);
  }

  // A texture without its own texture map uses that of the surface.
  void check_surface_map(const Part& part, Index texture, std::size_t dimension, bool topology_mapped) {
    const Surface& surface = model_.meshes[part.mesh].surfaces[part.surface];
    const JsonValue value = reader_.root()["meshes"].at(part.mesh)["surfaces"].at(part.surface);
    if (const Attribute* const map = find_attribute(surface.attributes, Semantic::texcoord);
        map != nullptr && map->values.width() != dimension) {
      const JsonValue at = value["textureMap"];
      if (at.is(JsonKind::object))
        reader_.report("G4MF_SURFACE_TEXTURE_MAP_BINDING"_code, at["values"], Accessors::text(map->values),
                       format_text("the {} dimensions of texture {}", dimension, texture));
      else
        reader_.report("G4MF_SURFACE_TEXTURE_MAP_VECTOR_SIZE"_code, at, map->values.width(), dimension, texture);
    }
    if (!surface.topology || topology_mapped || !value["topology"]) return;
    const Attribute* const map = find_attribute(surface.topology->attributes, Semantic::texcoord);
    if (map != nullptr && map->values.width() != dimension)
      reader_.report("G4MF_TOPOLOGY_TEXTURE_MAP_VECTOR_SIZE"_code, value["topology"]["textureMap"], map->values.width(), dimension,
                     texture);
  }

  Reader& reader_;
  Accessors& accessors_;
  const Model& model_;
  std::vector<std::vector<Part>> users_;  ///< of each material
};

}  // namespace

void check_materials(Reader& reader, Accessors& accessors) { MaterialChecks(reader, accessors).run(); }

}  // namespace sinew::g4mf

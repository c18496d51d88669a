// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_set>

#include "g4mf/read/mesh/meshes.hpp"

namespace sinew::g4mf {

namespace {

/// The instances that the indices of a target count.
enum class Domain : std::uint8_t { corners, topology };

class BlendReader {
 public:
  BlendReader(Reader& reader, Accessors& accessors, const MeshParts& parts, Mesh& mesh)
      : reader_(reader), accessors_(accessors), parts_(parts), mesh_(mesh) {}

  Checked<> read(JsonValue value) {
    const auto object = reader_.object<BlendObject>(value);
    if (object.defect()) return reader_.refuse(object);
    const JsonValue shapes = object["shapes"];
    std::vector<double> amounts(shapes.size());
    Checked<> fitting;
    if (object.has("amounts")) fitting = read_amounts(reader_, object["amounts"], "G4MF_BLEND_AMOUNTS_LENGTH"_code, amounts);
    mesh_.shapes.resize(shapes.size());  // even if a shape is broken: amounts are stored per shape
    Index index = 0;
    for (const JsonValue element : shapes.elements()) {
      BlendShape& shape = mesh_.shapes[index];
      identify(shape, element);
      shape.amount = amounts[index++];
    }
    index = 0;
    for (const JsonValue element : shapes.elements()) {
      if (auto done = read_shape(element, index); !done) {
        Reader::mark(mesh_.shapes[index], done.error());
        return done;
      }
      ++index;
    }
    return fitting;
  }

 private:
  Checked<> read_shape(JsonValue value, Index shape) {
    const auto object = reader_.object<ShapeObject>(value);
    if (object.defect()) return reader_.refuse(object);
    Checked<> done;
    if (object.has("position")) done = read_position(object["position"], shape);
    const auto concatenated = [&](ShapeObject::Row row, Semantic semantic, Domain domain) {
      if (done && object.has(row)) done = read_concatenated(object[row], shape, semantic, domain);
    };
    concatenated("normal", Semantic::normal, Domain::corners);
    concatenated("textureMap", Semantic::texcoord, Domain::corners);
    concatenated("topologyNormal", Semantic::normal, Domain::topology);
    concatenated("topologyTextureMap", Semantic::texcoord, Domain::topology);
    if (done) done = read_surfaces(object["surfaces"], shape);
    return done;
  }

  Checked<> check_range(const BlendTarget& target, std::size_t items) {
    const auto outside = first_outside(target.indices, items);
    if (!outside) return {};
    return reader_.refuse("G4MF_BLEND_INDEX_OUT_OF_RANGE"_code, target.indices_at, *outside, text_of_row(target.indices, *outside), items);
  }

  // Offsets of positions and normals have the width of the space or of the stored vertices; those of texture maps have that of the map.
  Checked<Array> fitting_offsets(const BlendTarget& target, const Array& base, Semantic semantic) {
    const std::size_t stored = target.offsets.width();
    const std::size_t wanted = semantic == Semantic::texcoord ? base.width() : reader_.dimension();
    const bool fits = stored == wanted || (semantic != Semantic::texcoord && stored == parts_.width);
    if (!fits) return reader_.refuse("G4MF_BLEND_OFFSETS_VECTOR_SIZE"_code, target.offsets_at, Accessors::text(target.offsets), wanted);
    return with_width(reader_, target.offsets_at, target.offsets, wanted);
  }

  static void put(Attribute& attribute, Index shape, Array indices, Array values) {
    Offsets offsets{shape, std::move(indices), std::move(values), true};
    if (!attribute.offsets.empty() && attribute.offsets.back().shape == shape)
      attribute.offsets.back() = std::move(offsets);
    else
      attribute.offsets.push_back(std::move(offsets));
  }

  Checked<> read_position(JsonValue value, Index shape) {
    const auto target = read_target(reader_, accessors_, value);
    if (!target) return Refused(target.error());
    if (auto fits = check_range(*target, parts_.vertices); !fits) return fits;
    Attribute& positions = mesh_.blocks.front().attributes.front();
    auto values = fitting_offsets(*target, positions.values, Semantic::position);
    if (!values) return Refused(values.error());
    put(positions, shape, target->indices, std::move(*values));
    return {};
  }

  static Attribute* find(std::vector<Attribute>& attributes, Semantic semantic) {
    const auto found = std::ranges::find(attributes, semantic, &Attribute::semantic);
    return found == attributes.end() ? nullptr : &*found;
  }
  Attribute* find(Surface& surface, Semantic semantic, Domain domain) {
    if (domain == Domain::corners) return find(surface.attributes, semantic);
    return surface.topology ? find(surface.topology->attributes, semantic) : nullptr;
  }

  /// The number of the first instance of each surface, and that of all of them. All targets share it.
  const std::vector<std::size_t>& bases_of(Domain domain) {
    std::vector<std::size_t>& bases = bases_[domain == Domain::corners ? 0 : 1];
    if (!bases.empty()) return bases;
    bases.push_back(0);
    for (const MeshParts::SurfaceCounts& counts : parts_.surfaces)
      bases.push_back(bases.back() + (domain == Domain::corners ? counts.corners : counts.instances));
    return bases;
  }
  bool has_topology() {
    if (!has_topology_)
      has_topology_ = std::ranges::any_of(mesh_.surfaces, [](const Surface& surface) { return surface.topology.has_value(); });
    return *has_topology_;
  }

  // Up to 2026-01, indices of a target count the instances of all surfaces, one surface after another, even those without the attribute.
  Checked<> read_concatenated(JsonValue value, Index shape, Semantic semantic, Domain domain) {
    const auto target = read_target(reader_, accessors_, value);
    if (!target) return Refused(target.error());
    if (mesh_.defect != none) return {};  // the number of instances of an unusable surface is unknown
    const std::vector<std::size_t>& bases = bases_of(domain);
    if (domain == Domain::topology && !has_topology()) reader_.report("G4MF_BLEND_TOPOLOGY_WITHOUT_TOPOLOGY"_code, value);
    if (auto fits = check_range(*target, bases.back()); !fits) return fits;
    if (auto taken = reader_.take(value, target->indices.size(), 12); !taken) return taken;
    const std::vector<std::uint32_t> indices = target->indices.read<std::uint32_t>();
    std::map<std::size_t, std::vector<std::uint32_t>> entries;  // of the target, by surface
    for (std::uint32_t entry = 0; entry < indices.size(); ++entry) {
      const auto above = std::ranges::upper_bound(bases, indices[entry]);
      entries[static_cast<std::size_t>(above - bases.begin()) - 1].push_back(entry);
    }
    bool baseless = false;
    for (auto& [s, own] : entries) {
      Attribute* attribute = find(mesh_.surfaces[s], semantic, domain);
      if (attribute == nullptr || attribute->values.empty()) baseless = true;
      if (attribute == nullptr && semantic == Semantic::normal) attribute = &add_flat_normals(mesh_.surfaces[s], domain);
      if (attribute == nullptr) continue;
      if (auto done = put_entries(*target, indices, own, bases[s], shape, *attribute); !done) return done;
    }
    if (baseless) report_baseless(value, semantic, "it moves their flat normals");
    return {};
  }

  // Instances may have offsets without normals. They are added to the flat normal of the blended geometry.
  static Attribute& add_flat_normals(Surface& surface, Domain domain) {
    std::vector<Attribute>& attributes = domain == Domain::corners ? surface.attributes : surface.topology->attributes;
    return attributes.emplace_back(Attribute{Semantic::normal, 0, {}, {}, {}, {}});
  }

  Checked<> put_entries(const BlendTarget& target, const std::vector<std::uint32_t>& indices, std::vector<std::uint32_t>& entries,
                        std::size_t base, Index shape, Attribute& attribute) {
    if (attribute.semantic == Semantic::texcoord && target.offsets.width() != attribute.values.width())
      return reader_.refuse("G4MF_BLEND_TEXTURE_MAP_MIXED_DIMENSIONS"_code, target.value, target.offsets.width(), attribute.values.width());
    auto values = fitting_offsets(target, attribute.values, attribute.semantic);
    if (!values) return Refused(values.error());
    const std::vector<std::uint32_t> rows = attribute.index.read<std::uint32_t>();  // of a binding; otherwise each instance has its row
    const auto row_of = [&](std::uint32_t entry) {
      const std::size_t instance = indices[entry] - base;
      return rows.empty() ? static_cast<std::uint32_t>(instance) : rows[instance];
    };
    if (!rows.empty()) {  // several instances may share a row, which is moved only once
      std::unordered_set<std::uint32_t> seen;
      std::erase_if(entries, [&](std::uint32_t entry) { return !seen.insert(row_of(entry)).second; });
    } else if (base == 0 && entries.size() == indices.size()) {
      put(attribute, shape, target.indices, std::move(*values));
      return {};
    }
    std::vector<std::uint32_t> moved(entries.size());
    std::ranges::transform(entries, moved.begin(), row_of);
    auto gathered = gather_rows(reader_, target.offsets_at, *values, entries);
    if (!gathered) return Refused(gathered.error());
    put(attribute, shape, reader_.own(std::move(moved), 1), std::move(*gathered));
    return {};
  }

  void report_baseless(JsonValue value, Semantic semantic, std::string_view taken_as) {
    const bool normals = semantic == Semantic::normal;
    reader_.report(normals ? "G4MF_BLEND_NORMAL_WITHOUT_NORMALS"_code : "G4MF_BLEND_TEXTURE_MAP_WITHOUT_MAP"_code, value, taken_as);
  }

  // 2026-07: targets are listed by surface. Indices are rows of a binding's values, which corners and topology vertex instances share.
  Checked<> read_surfaces(JsonValue list, Index shape) {
    if (list.size() > mesh_.surfaces.size()) reader_.report("G4MF_BLEND_SURFACES_TOO_MANY"_code, list, list.size(), mesh_.surfaces.size());
    std::unordered_set<Index> seen;
    for (const JsonValue value : list.elements()) {
      const auto object = reader_.object<ShapeSurfaceObject>(value);
      if (object.defect()) return reader_.refuse(object);
      const JsonValue at = object["surface"];
      const auto index = reader_.resolve(at, mesh_.surfaces.size(), "surfaces", "G4MF_BLEND_SURFACE_INDEX_RANGE"_code);
      if (!index) return Refused(index.error());
      if (!seen.insert(*index).second) reader_.report("G4MF_BLEND_SURFACE_INDEX_DUPLICATE"_code, at, *index);
      if (!object.has("normal") && !object.has("textureMap")) reader_.report("G4MF_BLEND_SURFACE_ENTRY_EMPTY"_code, value);
      Surface& surface = mesh_.surfaces[*index];
      if (surface.defect != none) continue;
      if (object.has("normal"))
        if (auto done = read_bound(object["normal"], shape, surface, Semantic::normal); !done) return done;
      if (object.has("textureMap"))
        if (auto done = read_bound(object["textureMap"], shape, surface, Semantic::texcoord); !done) return done;
    }
    return {};
  }

  Checked<> read_bound(JsonValue value, Index shape, Surface& surface, Semantic semantic) {
    const auto target = read_target(reader_, accessors_, value);
    if (!target) return Refused(target.error());
    bool moved = false;
    for (const Domain domain : {Domain::corners, Domain::topology}) {
      Attribute* const attribute = find(surface, semantic, domain);
      if (attribute == nullptr) continue;
      if (auto fits = check_range(*target, attribute->values.size()); !fits) return fits;
      auto values = fitting_offsets(*target, attribute->values, semantic);
      if (!values) return Refused(values.error());
      put(*attribute, shape, target->indices, std::move(*values));
      moved = true;
    }
    if (!moved) report_baseless(value, semantic, "Sinew ignores it there");  // there is nothing to index
    return {};
  }

  Reader& reader_;
  Accessors& accessors_;
  const MeshParts& parts_;
  std::array<std::vector<std::size_t>, 2> bases_;  ///< by domain
  std::optional<bool> has_topology_;
  Mesh& mesh_;
};

}  // namespace

// There is one index per offset. The specification does not say so, but nothing else makes sense.
Checked<BlendTarget> read_target(Reader& reader, Accessors& accessors, JsonValue value) {
  const auto object = reader.object<TargetObject>(value);
  if (object.defect()) return reader.refuse(object);
  auto indices = accessors.array(
      object, "indices",
      {AccessorRequirement::Type::unsigned_integer, 1, "G4MF_BLEND_INDICES_NOT_UNSIGNED"_code, "G4MF_BLEND_INDICES_VECTOR_SIZE"_code});
  if (!indices) return Refused(indices.error());
  auto offsets = accessors.array(object, "offsets", {});
  if (!offsets) return Refused(offsets.error());
  const JsonValue at = object["offsets"];
  if (!is_float(offsets->type())) reader.report("G4MF_BLEND_OFFSETS_NOT_FLOAT"_code, at, Accessors::text(*offsets));
  if (indices->size() != offsets->size()) {
    if (!reader.forced()) return reader.refuse("G4MF_BLEND_OFFSETS_COUNT"_code, value, indices->size(), offsets->size());
    reader.report("G4MF_BLEND_OFFSETS_COUNT"_code, value, indices->size(), offsets->size());
    const std::size_t count = std::min(indices->size(), offsets->size());
    *indices = first_rows(*indices, count);
    *offsets = first_rows(*offsets, count);
  }
  return BlendTarget{value, object["indices"], at, std::move(*indices), std::move(*offsets)};
}

Checked<> read_blend(Reader& reader, Accessors& accessors, JsonValue value, const MeshParts& parts, Mesh& mesh) {
  return BlendReader(reader, accessors, parts, mesh).read(value);
}

Checked<> read_amounts(Reader& reader, JsonValue list, Code wrong_length, std::span<double> amounts) {
  std::size_t shape = 0;
  for (const JsonValue amount : list.elements())
    if (shape < amounts.size()) amounts[shape++] = amount.number().value_or(0);
  if (list.size() == amounts.size()) return {};
  if (!reader.forced()) return reader.refuse(wrong_length, list, list.size(), amounts.size());
  reader.report(wrong_length, list, list.size(), amounts.size());
  return {};
}

}  // namespace sinew::g4mf

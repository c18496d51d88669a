// SPDX-License-Identifier: MIT
#include "gltf/read/meshes.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/message.hpp"
#include "document/files/file.hpp"
#include "gltf/extensions/KHR_draco_mesh_compression.hpp"
#include "gltf/extensions/extension.hpp"
#include "gltf/read/ext/KHR_draco_mesh_compression.hpp"
#include "kernels/scan.hpp"

namespace sinew::gltf {

std::size_t target_count(const PrimitiveObject& object) {
  const JsonValue targets = object["targets"];
  for (const JsonValue target : targets.elements())
    if (target.size() == 0) return 0;
  return targets.size();
}

namespace {

/// Returns the names in `extras.targetNames`: of the mesh, or else of the first primitive with the right number of names (VRM 0.x).
std::vector<JsonValue> shape_names(const MeshObject& mesh, std::size_t count) {
  std::vector<JsonValue> names = list_of(mesh["extras"]["targetNames"]);
  if (!names.empty()) return names;
  for (const JsonValue primitive : mesh["primitives"].elements())
    if (names = list_of(primitive["extras"]["targetNames"]); names.size() == count) return names;
  return {};
}

}  // namespace

Meshes::Meshes(Reader& reader, Accessors& accessors, Buffers& buffers) : reader_(reader), accessors_(accessors), buffers_(buffers) {
  const JsonValue meshes = reader.root()["meshes"];
  reserve_large(reader.model().meshes, meshes.size());
  stored_.reserve(meshes.size() + 1);
  primitives_.reserve(meshes.size());
  for (const JsonValue value : meshes.elements()) read_mesh(value);
  stored_.push_back({primitives_.size(), {}});
}

std::span<Meshes::Skinned> Meshes::primitives(Index mesh) {
  const std::size_t first = stored_[mesh].first_primitive;
  return std::span(primitives_).subspan(first, stored_[mesh + 1].first_primitive - first);
}

bool Meshes::all_skinned(Index mesh) {
  return std::ranges::all_of(primitives(mesh), [](const Skinned& primitive) { return primitive.named != 0; });
}

void Meshes::read_mesh(JsonValue value) {
  Mesh& mesh = reader_.model().meshes.emplace_back();
  Stored& stored = stored_.emplace_back(Stored{primitives_.size(), {}});
  const auto object = reader_.object<MeshObject>(value);
  identify(mesh, value, object["name"]);
  if (object.defect()) Reader::mark(mesh, reader_.refuse(object).value());
  targets_.clear();
  const JsonValue primitives = object["primitives"];
  mesh.surfaces.reserve(primitives.size());
  mesh.blocks.reserve(primitives.size());
  for (const JsonValue primitive : primitives.elements()) {
    const auto primitive_object = reader_.object<PrimitiveObject>(primitive);
    Targets& targets = targets_.emplace_back(Targets{primitive, primitive_object["targets"], target_count(primitive_object), false});
    Surface& surface = mesh.surfaces.emplace_back();
    surface.source = source_of(primitive);
    surface.block = static_cast<Index>(mesh.blocks.size());
    surface.primitive = static_cast<Primitive>(primitive_object.integer("mode"));
    surface.material = reader_.resolve_or_none(primitive_object, "material");
    Parts parts;
    if (const auto read = read_primitive(primitive_object, parts); read) {
      if (parts.triangles) surface.primitive = Primitive::simplexes;
      surface.elements = std::move(parts.elements);
      surface.indexed = parts.indexed;
      mesh.blocks.push_back(std::move(parts.block));
      targets.read = true;
    } else {
      Reader::mark(surface, read.error());
      Reader::mark(mesh, read.error());
      mesh.blocks.emplace_back();
    }
    primitives_.push_back(std::move(parts.skinned));
  }
  if (!targets_.empty()) stored.targets = targets_.front().count;
  check_target_counts(object);
  read_shapes(object, mesh);
}

void Meshes::check_target_counts(const MeshObject& object) {
  if (targets_.empty()) return;
  const std::size_t expected = targets_.front().count;
  for (const auto& [value, list, count, read] : targets_)
    if (count != expected) reader_.report("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT"_code, count != 0 ? list : value, count, expected);
  const JsonValue weights = object["weights"];
  if (weights && weights.size() != expected) reader_.report("MESH_INVALID_WEIGHTS_COUNT"_code, weights, weights.size(), expected);
}

void Meshes::read_shapes(const MeshObject& object, Mesh& mesh) {
  std::size_t count = 0;
  for (const Targets& targets : targets_)
    if (targets.read) count = std::max<std::size_t>(count, targets.list.size());
  if (count == 0) return;
  const auto amounts = object.numbers("weights");
  const std::vector<JsonValue> names = shape_names(object, count);
  mesh.shapes.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i < names.size()) mesh.shapes[i].name = names[i].string();
    if (i < amounts.size()) mesh.shapes[i].amount = amounts[i];
  }
  for (const Targets& targets : targets_) {
    auto shape = mesh.shapes.begin();
    if (!targets.read) continue;
    for (const JsonValue target : targets.list.elements()) {
      if (shape->source == SourceId::nowhere) shape->source = source_of(target);
      ++shape;
    }
  }
}

Checked<> Meshes::read_primitive(const PrimitiveObject& object, Parts& parts) {
  parts.names = read_attribute_names(object["attributes"]);
  parts.skinned.named = parts.names.influence_sets();
  if (object.defect()) return reader_.refuse(object);
  if (auto read = read_attributes(object, parts); !read) return read;
  if (parts.names.position)
    if (auto read = read_indices(object, parts); !read) return read;
  Index shape = 0;
  for (const JsonValue target : object["targets"].elements()) {
    for (const JsonMember member : target.members())
      if (auto read = read_target_attribute(member, shape, parts); !read) return read;
    ++shape;
  }
  return {};
}

AttributeNames Meshes::read_attribute_names(JsonValue attributes) {
  if (!attributes) return {};
  const AttributeNames names = attribute_names(attributes);
  for (const JsonMember& member : names.unknown) reader_.report("MESH_PRIMITIVE_INVALID_ATTRIBUTE"_code, member.value, member.key.string());
  if (!names.position) reader_.report("MESH_PRIMITIVE_NO_POSITION"_code, attributes);
  if (names.joints.sets() != names.weights.sets())
    reader_.report("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH"_code, attributes, names.joints.count, names.weights.count);
  return names;
}

Checked<> Meshes::read_compressed(const PrimitiveObject& object, JsonValue compressed, Parts& parts) {
  std::optional<std::uint64_t> corners;
  if (object.has("indices")) {
    const auto index = reader_.resolve(object, "indices");
    if (!index) return Refused(index.error());
    const auto& format = accessors_.format(*index);
    if (!format) return Refused(format.error());
    corners = format->count;
  }
  auto decoded = draco::decode(reader_, buffers_, compressed, corners);
  if (!decoded) return Refused(decoded.error());
  parts.decoded = std::move(*decoded);
  parts.triangles = true;
  return {};
}

Checked<> Meshes::read_attributes(const PrimitiveObject& object, Parts& parts) {
  attributes_.clear();
  const JsonValue attributes = object["attributes"];
  if (!attributes) return {};
  const JsonValue compressed = extension_of(object, draco_extension);
  if (compressed)
    if (auto read = read_compressed(object, compressed, parts); !read) return read;
  std::unordered_map<std::string, std::size_t> places;  // for many attributes; few are searched linearly
  const auto find_place = [&](const std::string& key) {
    if (attributes.size() > 16) return places.emplace(key, places.size()).first->second;
    return static_cast<std::size_t>(std::ranges::find(attributes_, key, &Read::key) - attributes_.begin());
  };
  for (const JsonMember member : attributes.members()) {
    if (auto read = read_attribute(member, compressed["attributes"], parts); !read) return read;
    const std::size_t place = find_place(attributes_.back().key);
    if (place + 1 == attributes_.size()) continue;
    attributes_[place] = std::move(attributes_.back());  // duplicate key: the last one counts
    attributes_.pop_back();
  }
  if (!parts.names.position) return {};  // no vertices
  read_influences(parts);
  parts.block.vertices = vertices();
  for (const Read& read : attributes_) {
    if (read.is.role != AttributeName::Role::attribute) continue;
    const bool first = read.is.semantic == Semantic::position;
    Attribute attribute{read.is.semantic, read.is.set, read.is.semantic == Semantic::custom ? read.key : std::string(),
                        read.values,      {},          {}};
    parts.block.attributes.insert(first ? parts.block.attributes.begin() : parts.block.attributes.end(), std::move(attribute));
  }
  return {};
}

// Reads from the compressed geometry if it contains the attribute, otherwise from the accessor.
Checked<> Meshes::read_attribute(const JsonMember& member, JsonValue compressed, const Parts& parts) {
  Read& read = attributes_.emplace_back(Read{member.key.string(), {}, member.value, {}, 0});
  const auto name = parse_attribute_name(read.key);
  if (name) read.is = *name;
  const auto index = accessor_of(member.value);
  if (!index) return Refused(index.error());
  const AccessorFormat& format = *accessors_.format(*index);
  const JsonValue id = parts.decoded ? compressed[read.key] : JsonValue();
  read.count = id ? draco::vertices(*parts.decoded) : format.count;
  if (read.count != format.count) reader_.report("GLTF_DRACO_COUNT"_code, read.at, read.count, "vertices", format.count);
  if (read.count != vertices() && parts.names.position)  // all attributes must have the same count as the first one
    return reader_.refuse("MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT"_code, read.at, read.count, vertices());
  if (const AttributeRow* row = row_of_attribute(read.key); row != nullptr && name && !row->is_usable(format))
    return reader_.refuse("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT"_code, read.at, format.text(), row->expected());
  if (read.is.semantic == Semantic::position && !format.has_bounds())
    reader_.report("MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS"_code, read.at);
  auto values = id ? draco::attribute(reader_, *parts.decoded, id, format) : accessors_.array(*index);
  if (!values) return Refused(values.error());
  read.values = read.is.role == AttributeName::Role::joints ? as_integers(*values) : std::move(*values);
  return {};
}

// Pairs JOINTS_n with WEIGHTS_n, in ascending n.
void Meshes::read_influences(Parts& parts) {
  std::map<Index, std::pair<const Read*, const Read*>> pairs;
  for (const Read& read : attributes_) {
    if (read.is.role == AttributeName::Role::joints) pairs[read.is.set].first = &read;
    if (read.is.role == AttributeName::Role::weights) pairs[read.is.set].second = &read;
  }
  for (const auto& [set, pair] : pairs) {
    const auto& [joints, weights] = pair;
    if (joints == nullptr || weights == nullptr) continue;
    parts.block.influences.sets.push_back({joints->values, weights->values});
    parts.skinned.sets.push_back({joints->at, joints->values, std::nullopt});
  }
}

Checked<> Meshes::read_indices(const PrimitiveObject& object, Parts& parts) {
  std::uint32_t largest = 0;
  if (auto read = read_elements(object, parts, largest); !read || !parts.indexed) return read;
  const std::size_t vertices = this->vertices();
  const Array& elements = parts.elements;
  if (elements.empty() || largest < vertices) return {};
  const std::size_t element = with_unsigned(elements, [&](auto view) { return kernels::first_at_least(view, vertices); });
  const JsonValue at = object.has("indices") ? object["indices"] : object.value();
  const auto found = with_unsigned(elements, [&](auto view) { return std::uint32_t{view[element][0]}; });
  return reader_.refuse("ACCESSOR_INDEX_OOB"_code, at, element, found, vertices);
}

// Finds the largest index, which shows whether any index is out of range.
Checked<> Meshes::read_elements(const PrimitiveObject& object, Parts& parts, std::uint32_t& largest) {
  if (parts.decoded) {
    auto elements = draco::indices(reader_, *parts.decoded, object.value());
    if (!elements) return Refused(elements.error());
    largest = largest_value(*elements);
    parts.elements = std::move(*elements);
    parts.indexed = true;
    return {};
  }
  const JsonValue at = object["indices"];
  const auto index = reader_.resolve(object, "indices");
  if (!index) return Refused(index.error());
  if (*index == none) return {};
  const auto& format = accessors_.format(*index);
  if (!format) return Refused(format.error());
  if (format->width() != 1 || !is_unsigned(format->component))
    return reader_.refuse("MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT"_code, at, format->text());
  const auto& elements = accessors_.array(*index);
  if (!elements) return Refused(elements.error());
  largest = accessors_.largest(*index);
  parts.elements = as_integers(*elements);
  parts.indexed = true;
  return {};
}

Checked<> Meshes::read_target_attribute(const JsonMember& member, Index shape, Parts& parts) {
  const JsonValue at = member.value;
  const std::string key = member.key.string();
  const auto name = parse_attribute_name(key);
  const bool moves = name && name->role == AttributeName::Role::attribute;
  if (!moves) {
    reader_.report("MESH_PRIMITIVE_INVALID_ATTRIBUTE"_code, at, key);
    return {};
  }
  const auto known = std::ranges::find(attributes_, key, &Read::key);
  if (known == attributes_.end()) {
    reader_.report("MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR"_code, at, key);
    return {};
  }
  const auto index = accessor_of(at);
  if (!index) return Refused(index.error());
  const AccessorFormat& format = *accessors_.format(*index);
  if (format.count != known->count)
    return reader_.refuse("MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT"_code, at, format.count, known->count);
  const auto base = std::ranges::find_if(parts.block.attributes, [&](const Attribute& attribute) {
    return attribute.semantic == name->semantic && attribute.set == name->set &&
           (name->semantic != Semantic::custom || attribute.custom == key);
  });
  if (base == parts.block.attributes.end()) return {};  // there are no vertices, and the reason is already reported
  auto offsets = read_offsets(at, *index, shape, *base);
  if (!offsets) return Refused(offsets.error());
  if (!base->offsets.empty() && base->offsets.back().shape == shape)
    base->offsets.back() = std::move(*offsets);  // duplicate key
  else
    base->offsets.push_back(std::move(*offsets));
  return {};
}

// Offsets of tangents have three components, because blend shapes do not change w.
Checked<Offsets> Meshes::read_offsets(JsonValue at, Index accessor, Index shape, const Attribute& base) {
  const AccessorFormat& format = *accessors_.format(accessor);
  const std::size_t width = base.semantic == Semantic::tangent ? 3 : base.values.width();
  if (format.width() != width)
    return reader_.refuse("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT"_code, at, format.text(), format_text("{} components", width));
  Offsets offsets;
  offsets.shape = shape;
  if (format.view == none) {
    const auto& replaced = accessors_.replaced(accessor);
    if (!replaced) return Refused(replaced.error());
    offsets.sparse_ = true;
    offsets.indices = replaced->indices;
    offsets.values = replaced->values;
    return offsets;
  }
  const auto& values = accessors_.array(accessor);
  if (!values) return Refused(values.error());
  offsets.values = *values;
  return offsets;
}

Checked<Index> Meshes::accessor_of(JsonValue at) {
  if (!whole_number(at)) return reader_.refuse("INVALID_INDEX"_code, at, excerpt(at));
  const auto index = reader_.resolve(at, Reference::accessor);
  if (!index) return index;
  const auto& format = accessors_.format(*index);
  if (!format) return Refused(format.error());
  return index;
}

Checked<> Meshes::check_joints(Index mesh, Index skin, std::size_t joints) {
  for (Skinned& primitive : primitives(mesh))
    for (Skinned::Set& set : primitive.sets) {
      const Array& values = set.joints;
      if (values.empty()) continue;
      if (!set.largest) set.largest = largest_value(values);
      if (*set.largest < joints) continue;
      const std::size_t row = with_unsigned(values, [&](auto view) { return kernels::first_at_least(view, joints); });
      return reader_.refuse("ACCESSOR_JOINTS_INDEX_OOB"_code, set.at, row, *set.largest, joints, skin);
    }
  return {};
}

}  // namespace sinew::gltf

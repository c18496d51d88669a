// SPDX-License-Identifier: MIT
#include "gltf/mesh.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

#include "gltf/ext/KHR_draco_mesh_compression.hpp"
#include "kernels/scan.hpp"

namespace sinew::gltf {

namespace {

struct KnownName {
  std::string_view name;
  bool numbered;
  AttributeName is;
  std::uint8_t least_width, most_width;
};
using Role = AttributeName::Role;
constexpr KnownName known_names[] = {
    {"POSITION", false, {Role::attribute, Semantic::position}, 3, 3},
    {"NORMAL", false, {Role::attribute, Semantic::normal}, 3, 3},
    {"TANGENT", false, {Role::attribute, Semantic::tangent}, 4, 4},
    {"TEXCOORD_", true, {Role::attribute, Semantic::texcoord}, 2, 2},
    {"COLOR_", true, {Role::attribute, Semantic::color}, 3, 4},
    {"JOINTS_", true, {Role::joints}, 4, 4},
    {"WEIGHTS_", true, {Role::weights}, 4, 4},
};

std::string expected_format(const KnownName& known) {
  std::string widths = fmt::format("{}", accessor_types[known.least_width - 1]);
  if (known.most_width != known.least_width) widths += fmt::format(" or {}", accessor_types[known.most_width - 1]);
  return known.is.role == Role::joints ? widths + " of unsigned integers" : widths;
}

bool same_kind(const AttributeName& a, const AttributeName& b) { return a.role == b.role && a.semantic == b.semantic; }

// Joints and indices are numbers whatever their accessor says about normalising.
Array as_integers(const Array& values) {
  return Array::borrow(values.data(), values.size(), values.width(), values.stride(), values.type(), false, values.owner());
}

}  // namespace

std::optional<AttributeName> parse_attribute_name(std::string_view name) {
  if (name.starts_with('_')) return AttributeName{};
  for (const KnownName& known : known_names) {
    if (!known.numbered) {
      if (name == known.name) return known.is;
      continue;
    }
    if (!name.starts_with(known.name)) continue;
    const std::string_view digits = name.substr(known.name.size());
    AttributeName parsed = known.is;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), parsed.set);
    const bool canonical = problem == std::errc{} && end == digits.data() + digits.size() && (digits == "0" || digits.front() != '0');
    if (canonical && parsed.set != none) return parsed;
  }
  return std::nullopt;
}

Meshes::Meshes(Reading& reading, Accessors& accessors, Buffers& buffers) : reading_(reading), accessors_(accessors), buffers_(buffers) {
  const JsonValue meshes = reading.root()[RootRow::meshes];
  reading.model().meshes.reserve(meshes.size());
  joint_sets_.reserve(meshes.size());
  for (const JsonValue value : meshes.elements()) read_mesh(value);
}

void Meshes::read_mesh(JsonValue value) {
  Mesh& mesh = reading_.model().meshes.emplace_back();
  joint_sets_.emplace_back();
  const auto object = reading_.object<MeshObject>(value);
  identify(mesh, value);
  if (object.defect()) Reading::mark(mesh, reading_.refuse(object).value());
  std::vector<std::vector<JsonValue>> targets;
  for (const JsonValue primitive : object[MeshRow::primitives].elements()) {
    const auto primitive_object = reading_.object<PrimitiveObject>(primitive);
    Surface surface;
    surface.source = source_of(primitive);
    surface.block = static_cast<Index>(mesh.blocks.size());
    surface.primitive = static_cast<Primitive>(primitive_object.integer(PrimitiveRow::mode));
    surface.material = reading_.resolve_or_none(primitive_object, PrimitiveRow::material);
    auto parts = read_primitive(primitive_object);
    if (parts) {
      for (JointSet& set : parts->joint_sets) joint_sets_.back().push_back(std::move(set));
      if (parts->triangles) surface.primitive = Primitive::simplexes;
      surface.elements = std::move(parts->elements);
      surface.indexed = parts->indexed;
      mesh.blocks.push_back(std::move(parts->block));
      targets.push_back(std::move(parts->targets));
    } else {
      Reading::mark(surface, parts.error());
      Reading::mark(mesh, parts.error());
      mesh.blocks.emplace_back();
    }
    mesh.surfaces.push_back(std::move(surface));
  }
  read_shapes(object, mesh, targets);
}

void Meshes::read_shapes(const MeshObject& object, Mesh& mesh, const std::vector<std::vector<JsonValue>>& targets) {
  std::size_t count = 0;
  for (const auto& list : targets) {
    if (list.size() != targets.front().size())
      reading_.report<"MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT"_code>(object[MeshRow::primitives], list.size(), targets.front().size());
    count = std::max(count, list.size());
  }
  const JsonValue weights = object[MeshRow::weights];
  if (weights && weights.size() != count) reading_.report<"MESH_INVALID_WEIGHTS_COUNT"_code>(weights, weights.size(), count);
  const auto amounts = object.numbers(MeshRow::weights);
  std::vector<JsonValue> names;
  if (count != 0) names = list_of(object[MeshRow::extras]["targetNames"]);  // the custom that exporters share
  mesh.shapes.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i < names.size()) mesh.shapes[i].name = names[i].string();
    if (i < amounts.size()) mesh.shapes[i].amount = amounts[i];
    for (const auto& list : targets)
      if (i < list.size() && mesh.shapes[i].source == SourceId::nowhere) mesh.shapes[i].source = source_of(list[i]);
  }
}

Checked<Meshes::Parts> Meshes::read_primitive(const PrimitiveObject& object) {
  if (object.defect()) return reading_.refuse(object);
  Parts parts;
  const auto list = read_attributes(object, parts);
  if (!list) return Refused(list.error());
  const auto position = std::ranges::find_if(*list, [](const Read& read) { return read.is.semantic == Semantic::position; });
  if (position == list->end()) {
    reading_.report<"MESH_PRIMITIVE_NO_POSITION"_code>(object[PrimitiveRow::attributes]);
  } else {
    parts.block.vertices = position->values.size();
    for (const Read& read : *list) {
      if (read.values.size() != parts.block.vertices)
        return reading_.refuse<"MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT"_code>(read.at, read.values.size(), parts.block.vertices);
      if (read.is.role != Role::attribute) continue;
      Attribute attribute{read.is.semantic, read.is.set, read.is.semantic == Semantic::custom ? read.key : std::string(),
                          read.values,      {},          {}};
      const bool first = read.is.semantic == Semantic::position;
      parts.block.attributes.insert(first ? parts.block.attributes.begin() : parts.block.attributes.end(), std::move(attribute));
    }
    read_influences(object[PrimitiveRow::attributes], *list, parts);
    if (auto read = read_indices(object, parts); !read) return Refused(read.error());
  }
  for (const JsonValue target : object[PrimitiveRow::targets].elements()) {
    if (auto read = read_target(target, static_cast<Index>(parts.targets.size()), parts.block); !read) return Refused(read.error());
    parts.targets.push_back(target);
  }
  return parts;
}

Checked<> Meshes::read_compressed(const PrimitiveObject& object, JsonValue compressed, Parts& parts) {
  std::optional<std::uint64_t> corners;
  if (object.has(PrimitiveRow::indices)) {
    const auto index = reading_.resolve(object, PrimitiveRow::indices);
    if (!index) return Refused(index.error());
    const auto& format = accessors_.format(*index);
    if (!format) return Refused(format.error());
    corners = format->count;
  }
  auto decoded = draco::decode(reading_, buffers_, compressed, corners);
  if (!decoded) return Refused(decoded.error());
  parts.decoded = std::move(*decoded);
  parts.triangles = true;
  return {};
}

Checked<std::vector<Meshes::Read>> Meshes::read_attributes(const PrimitiveObject& object, Parts& parts) {
  const JsonValue compressed = extension_of(object, draco::extension);
  if (compressed)
    if (auto read = read_compressed(object, compressed, parts); !read) return Refused(read.error());
  std::vector<Read> list;
  std::unordered_map<std::string, std::size_t> places;
  for (const document::JsonMember member : object[PrimitiveRow::attributes].members()) {
    auto read = read_attribute(member, compressed["attributes"], parts);
    if (!read) return Refused(read.error());
    const auto [place, fresh] = places.emplace(read->key, list.size());
    if (fresh)
      list.push_back(std::move(*read));
    else
      list[place->second] = std::move(*read);  // a key that occurs twice: the last one counts
  }
  return list;
}

// From the compressed geometry where that has the attribute, else from its accessor.
Checked<Meshes::Read> Meshes::read_attribute(const document::JsonMember& member, JsonValue compressed, const Parts& parts) {
  Read read{member.key.string(), {}, member.value, {}};
  if (const auto name = parse_attribute_name(read.key))
    read.is = *name;
  else
    reading_.report<"MESH_PRIMITIVE_INVALID_ATTRIBUTE"_code>(member.value, read.key);
  const auto index = accessor_of(member.value);
  if (!index) return Refused(index.error());
  const AccessorFormat& format = *accessors_.format(*index);
  for (const KnownName& known : known_names) {
    if (!same_kind(known.is, read.is)) continue;
    const bool integers = read.is.role != Role::joints || is_unsigned(format.component);
    if (format.width() < known.least_width || format.width() > known.most_width || !integers)
      return reading_.refuse<"MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT"_code>(read.at, format.text(), expected_format(known));
  }
  if (read.is.semantic == Semantic::position && (!format.value["min"] || !format.value["max"]))
    reading_.report<"MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS"_code>(read.at);
  const JsonValue id = parts.decoded ? compressed[read.key] : JsonValue();
  auto values = id ? draco::attribute(reading_, *parts.decoded, id, format) : accessors_.array(*index);
  if (!values) return Refused(values.error());
  read.values = read.is.role == Role::joints ? as_integers(*values) : std::move(*values);
  return read;
}

// Pairs JOINTS_n with WEIGHTS_n, in ascending n.
void Meshes::read_influences(JsonValue attributes, const std::vector<Read>& list, Parts& parts) {
  std::map<Index, std::pair<const Read*, const Read*>> pairs;
  for (const Read& read : list) {
    if (read.is.role == Role::joints) pairs[read.is.set].first = &read;
    if (read.is.role == Role::weights) pairs[read.is.set].second = &read;
  }
  std::size_t joints = 0, weights = 0;
  for (const auto& [set, pair] : pairs) {
    if (pair.first != nullptr) ++joints;
    if (pair.second != nullptr) ++weights;
    if (pair.first == nullptr || pair.second == nullptr) continue;
    parts.block.influences.sets.push_back({pair.first->values, pair.second->values});
    parts.joint_sets.push_back({pair.first->at, pair.first->values, std::nullopt});
  }
  const std::size_t used = parts.block.influences.sets.size();
  if (joints != used || weights != used) reading_.report<"MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH"_code>(attributes, joints, weights, used);
}

Checked<> Meshes::read_indices(const PrimitiveObject& object, Parts& parts) {
  const JsonValue at = object[PrimitiveRow::indices];
  std::uint32_t largest = 0;
  if (parts.decoded) {
    auto elements = draco::indices(reading_, *parts.decoded, object.value());
    if (!elements) return Refused(elements.error());
    largest = largest_value(*elements);
    parts.elements = std::move(*elements);
  } else {
    const auto index = reading_.resolve(object, PrimitiveRow::indices);
    if (!index) return Refused(index.error());
    if (*index == none) return {};
    const auto& format = accessors_.format(*index);
    if (!format) return Refused(format.error());
    if (format->width() != 1 || !is_unsigned(format->component))
      return reading_.refuse<"MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT"_code>(at, format->text());
    const auto elements = accessors_.array(*index);
    if (!elements) return Refused(elements.error());
    largest = accessors_.largest(*index);
    parts.elements = as_integers(*elements);
  }
  parts.indexed = true;
  if (parts.elements.empty() || largest < parts.block.vertices) return {};
  const std::size_t vertices = parts.block.vertices;
  const std::size_t element = with_unsigned(parts.elements, [&](auto view) { return kernels::first_at_least(view, vertices); });
  const auto found = with_unsigned(parts.elements, [&](auto view) { return std::uint32_t{view[element][0]}; });
  return reading_.refuse<"ACCESSOR_INDEX_OOB"_code>(at ? at : object.value(), element, found, vertices);
}

Checked<> Meshes::read_target(JsonValue target, Index shape, VertexBlock& block) {
  for (const document::JsonMember member : target.members()) {
    const std::string key = member.key.string();
    const auto name = parse_attribute_name(key);
    if (!name || name->role != Role::attribute) {
      reading_.report<"MESH_PRIMITIVE_INVALID_ATTRIBUTE"_code>(member.value, key);
      continue;
    }
    const auto base = std::ranges::find_if(block.attributes, [&](const Attribute& attribute) {
      return attribute.semantic == name->semantic && attribute.set == name->set &&
             (name->semantic != Semantic::custom || attribute.custom == key);
    });
    if (base == block.attributes.end()) {
      reading_.report<"MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR"_code>(member.value, key);
      continue;
    }
    auto offsets = read_offsets(member.value, shape, *base);
    if (!offsets) return Refused(offsets.error());
    if (!base->offsets.empty() && base->offsets.back().shape == shape)
      base->offsets.back() = std::move(*offsets);  // the key occurs twice
    else
      base->offsets.push_back(std::move(*offsets));
  }
  return {};
}

// A tangent's w is not moved: its offsets have three components.
Checked<Offsets> Meshes::read_offsets(JsonValue at, Index shape, const Attribute& base) {
  const auto index = accessor_of(at);
  if (!index) return Refused(index.error());
  const AccessorFormat& format = *accessors_.format(*index);
  const std::size_t width = base.semantic == Semantic::tangent ? 3 : base.values.width();
  if (format.width() != width)
    return reading_.refuse<"MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT"_code>(at, format.text(),
                                                                                     fmt::format("{} components", width));
  if (format.count != base.values.size())
    return reading_.refuse<"MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT"_code>(at, format.count, base.values.size());
  Offsets offsets;
  offsets.shape = shape;
  if (format.view == none) {
    auto replaced = accessors_.replaced(*index);
    if (!replaced) return Refused(replaced.error());
    offsets.sparse_ = true;
    offsets.indices = std::move(replaced->indices);
    offsets.values = std::move(replaced->values);
    return offsets;
  }
  auto values = accessors_.array(*index);
  if (!values) return Refused(values.error());
  offsets.values = std::move(*values);
  return offsets;
}

Checked<Index> Meshes::accessor_of(JsonValue at) {
  if (!document::whole_number(at)) return reading_.refuse_known<"INVALID_INDEX"_code>(at, document::excerpt(at));
  const auto index = reading_.resolve(at, Reference::accessor);
  if (!index) return index;
  const auto& format = accessors_.format(*index);
  if (!format) return Refused(format.error());
  return index;
}

Checked<> Meshes::check_joints(Index mesh, Index skin, std::size_t joints) {
  for (JointSet& set : joint_sets_[mesh]) {
    if (set.joints.empty()) continue;
    if (!set.largest) set.largest = largest_value(set.joints);
    if (*set.largest < joints) continue;
    const std::size_t row = with_unsigned(set.joints, [&](auto view) { return kernels::first_at_least(view, joints); });
    return reading_.refuse<"ACCESSOR_JOINTS_INDEX_OOB"_code>(set.at, row, *set.largest, joints, skin);
  }
  return {};
}

}  // namespace sinew::gltf

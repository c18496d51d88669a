// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/message.hpp"
#include "gltf/check/checks.hpp"
#include "gltf/check/values.hpp"

namespace sinew::gltf {

namespace {

AttributeNames check_attribute_names(Checker& checker, JsonValue attributes) {
  AttributeNames names = attribute_names(attributes);
  for (const JsonMember& member : names.unknown) checker.report("MESH_PRIMITIVE_INVALID_ATTRIBUTE"_code, member.value, member.key.string());
  if (!names.position) checker.report("MESH_PRIMITIVE_NO_POSITION"_code, attributes);
  if (names.tangent && !names.normal) checker.report("MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL"_code, attributes["TANGENT"]);
  const std::pair<std::string_view, NumberedNames> kinds[] = {
      {"COLOR", names.colors}, {"TEXCOORD", names.texcoords}, {"JOINTS", names.joints}, {"WEIGHTS", names.weights}};
  for (const auto& [name, kind] : kinds)
    if (kind.count != kind.end)
      checker.report("MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY"_code, attributes, name, kind.end - 1, kind.count);
  if (names.joints.sets() != names.weights.sets())
    checker.report("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH"_code, attributes, names.joints.count, names.weights.count);
  return names;
}

/// Checks accessors that are used as vertex attributes.
class AttributeChecks {
 public:
  explicit AttributeChecks(Checker& checker) : checker_(checker), quantized_(checker.root().uses_extension("KHR_mesh_quantization")) {}

  /// Returns whether the attribute can use the values at all.
  [[nodiscard]] bool vertices(JsonValue at, std::string_view key, const AccessorFacts& accessor) {
    const AttributeRow* row = row_of_attribute(key);
    if (row != nullptr && !row->allows(accessor, quantized_)) report_format(at, accessor, row->expected());
    if (row == nullptr && accessor.component == ComponentType::uint32)
      checker_.report("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT"_code, at, accessor.text());
    layout(at, key, accessor);
    return row == nullptr || row->is_usable(accessor);
  }

  /// Checks an attribute of a morph target. `width`: that of the base attribute; 0: unknown. Offsets of tangents have three components,
  /// because blend shapes do not change w.
  void target(JsonValue at, std::string_view key, const AccessorFacts& accessor, std::size_t width) {
    const AttributeRow* row = row_of_attribute(key);
    const std::size_t moved = key == "TANGENT" && width != 0 ? 3 : width;
    if (row != nullptr && !row->allows_in_target(accessor, quantized_))
      report_format(at, accessor, row->expected());
    else if (moved != 0 && accessor.width() != moved)
      report_format(at, accessor, format_text("{} components", moved));
    layout(at, key, accessor);
  }

  void values(JsonValue at, std::string_view key, const AccessorFacts& accessor, const Array& values) {
    const AttributeRow* row = row_of_attribute(key);
    if (!accessor.has_data() || row == nullptr || !row->allows(accessor, quantized_)) return;
    const bool normals = key == "NORMAL", tangents = key == "TANGENT", colors = key == "COLOR_0" && is_float(accessor.component);
    const std::pair<Index, const void*> known(checker_.index_of(accessor), row);
    if (!(normals || tangents || colors) || clean_.contains(known)) return;
    bool clean = colors ? check_clamped(checker_, at, values) : check_unit_vectors(checker_, at, values);
    if (tangents) clean &= check_signs(checker_, at, values);
    if (clean) clean_.insert(known);
  }

 private:
  void report_format(JsonValue at, const ElementFormat& format, const std::string& expected) {
    checker_.report("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT"_code, at, format.text(), expected);
  }

  // Vertices must start at multiples of four bytes. Attributes that share a view are interleaved, so the view needs a stride.
  void layout(JsonValue at, std::string_view key, const AccessorFacts& accessor) {
    if (key == "POSITION" && !accessor.has_bounds()) checker_.report("MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS"_code, at);
    const bool packed = accessor.view != none && !accessor.strided;
    if (accessor.offset % 4 != 0 || (packed && accessor.packed_size() % 4 != 0))
      checker_.report("MESH_PRIMITIVE_ACCESSOR_UNALIGNED"_code, at, accessor.offset, accessor.packed_size());
    if (!packed) return;
    std::set<Index>& sharers = sharers_[accessor.view];
    if (sharers.insert(checker_.index_of(accessor)).second && sharers.size() > 1)
      checker_.report("MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE"_code, at, accessor.view);
  }

  Checker& checker_;
  bool quantized_;
  std::map<Index, std::set<Index>> sharers_;       ///< for each view without a stride, the accessors of attributes in it
  std::set<std::pair<Index, const void*>> clean_;  ///< accessors that passed a table row's rule for values
};

class MeshCheck {
 public:
  explicit MeshCheck(Checker& checker) : checker_(checker), attributes_(checker) {}

  /// `skin`: the smallest skin that is used with the mesh, or `none`.
  void run(JsonValue value, Index skin) {
    std::vector<Primitive> primitives;
    for (const JsonValue primitive : checker_.object<MeshObject>(value)["primitives"].elements())
      primitives.push_back(check_primitive(checker_.object<PrimitiveObject>(primitive)));
    const bool skinned = std::ranges::all_of(primitives, [](const Primitive& primitive) { return primitive.influence_sets != 0; });
    if (skin == none || !skinned) return;
    for (const Primitive& primitive : primitives) check_influences(primitive, skin);
  }

 private:
  /// An attribute with a known accessor.
  struct Attribute {
    std::string key;
    std::uint64_t count;
    std::size_t width;  ///< 0: it cannot be used
  };
  struct Primitive {
    JsonValue value;
    std::vector<Attribute> attributes;  ///< in the file's order
    bool unknown = false;               ///< an attribute has an unknown accessor, so the number of vertices is uncertain
    std::optional<std::uint64_t> corners;
    std::size_t influence_sets = 0;  ///< counted by the names of the attributes
    std::map<Index, InfluenceSet> influences;

    [[nodiscard]] std::uint64_t vertices() const { return attributes.empty() ? 0 : attributes.front().count; }
  };

  Primitive check_primitive(const PrimitiveObject& object) {
    Primitive primitive;
    primitive.value = object.value();
    const JsonValue attributes = object["attributes"];
    if (attributes.size() != 0) {
      primitive.influence_sets = check_attribute_names(checker_, attributes).influence_sets();
      for (const JsonMember member : attributes.members()) check_attribute(member, primitive);
    }
    check_indices(object, primitive);
    check_mode(object, primitive);
    for (const JsonValue target : object["targets"].elements())
      for (const JsonMember member : target.members()) check_target(member, primitive);
    return primitive;
  }

  void check_attribute(const JsonMember& member, Primitive& primitive) {
    const JsonValue at = member.value;
    const std::string key = member.key.string();
    const AccessorFacts* accessor = checker_.accessor(at);
    if (accessor == nullptr) {
      const auto index = whole_number(at);
      primitive.unknown |= !index || *index < checker_.accessors.size();
      return;
    }
    bool fits = true;
    if (accessor->usable || accessor->count != 0 || !primitive.attributes.empty()) {
      primitive.attributes.push_back({key, accessor->count, 0});
      fits = accessor->count == primitive.vertices();
      if (!fits) checker_.report("MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT"_code, at, accessor->count, primitive.vertices());
    }
    fits &= attributes_.vertices(at, key, *accessor);
    if (fits && accessor->usable) primitive.attributes.back().width = accessor->width();
    if (!fits || !accessor->has_data()) return;
    const auto values = checker_.array(*accessor);
    if (!values) return;
    attributes_.values(at, key, *accessor, *values);
    const auto name = parse_attribute_name(key);
    if (!name || name->role == AttributeName::Role::attribute) return;
    InfluenceSet& set = primitive.influences[name->set];
    const bool joints = name->role == AttributeName::Role::joints;
    (joints ? set.joints_at : set.weights_at) = at;
    (joints ? set.joints : set.weights) = joints ? as_integers(*values) : *values;
  }

  void check_indices(const PrimitiveObject& object, Primitive& primitive) {
    const JsonValue at = object["indices"];
    const AccessorFacts* accessor = checker_.accessor(at);
    if (accessor == nullptr) return;
    if (accessor->count != 0) primitive.corners = accessor->count;
    if (accessor->strided) checker_.report("MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE"_code, at);
    const bool usable = accessor->width() == 1 && is_unsigned(accessor->component);
    if (!usable || accessor->normalized) checker_.report("MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT"_code, at, accessor->text());
    if (!usable || (!accessor->has_data() && (primitive.attributes.empty() || !accessor->in_place)))
      return;  // there are no values to check
    const auto elements = checker_.array(*accessor);
    if (!elements || elements->empty()) return;
    const std::uint32_t largest = checker_.parsed().accessors->largest(checker_.index_of(*accessor));
    if (accessor->has_data() && !accessor->normalized) {
      if (largest == largest_of(accessor->component)) check_restart(checker_, at, *elements);
      if (object.integer("mode") == 4) check_degenerate(checker_, at, *elements);
    }
    if (!primitive.unknown && largest >= primitive.vertices()) check_vertex_indices(checker_, at, *elements, primitive.vertices());
  }

  // Checks that the corners form complete lines and triangles.
  void check_mode(const PrimitiveObject& object, const Primitive& primitive) {
    struct Mode {
      std::string_view what;
      std::uint64_t least, multiple;
    };
    constexpr Mode modes[] = {{"points", 0, 1},    {"lines", 0, 2},           {"line loops", 2, 1},   {"line strips", 2, 1},
                              {"triangles", 0, 3}, {"triangle strips", 3, 1}, {"triangle fans", 3, 1}};
    if (object.value()["mode"] && !object.has("mode")) return;
    if (!primitive.corners && primitive.attributes.empty()) return;
    const std::uint64_t count = primitive.corners.value_or(primitive.vertices());
    const Mode& mode = modes[object.integer("mode")];
    if (count < mode.least || count % mode.multiple != 0)
      checker_.report("MESH_PRIMITIVE_INCOMPATIBLE_MODE"_code, object.value(), count, mode.what);
  }

  void check_target(const JsonMember& member, const Primitive& primitive) {
    const JsonValue at = member.value;
    const std::string key = member.key.string();
    const auto name = parse_attribute_name(key);
    const bool moves = name && name->role == AttributeName::Role::attribute;
    if (!moves) checker_.report("MESH_PRIMITIVE_INVALID_ATTRIBUTE"_code, at, key);
    const AccessorFacts* accessor = checker_.accessor(at);
    if (accessor == nullptr) return;
    const auto base = std::ranges::find(primitive.attributes, key, &Attribute::key);
    const bool known = base != primitive.attributes.end();
    if (!known) checker_.report("MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR"_code, at, key);
    const bool counts = known && accessor->count == base->count;
    attributes_.target(at, key, *accessor, counts && moves && accessor->usable ? base->width : 0);
    if (known && !counts) checker_.report("MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT"_code, at, accessor->count, base->count);
  }

  void check_influences(const Primitive& primitive, Index skin) {
    std::vector<InfluenceSet> sets;
    for (const auto& [number, set] : primitive.influences)
      if (set.joints.size() == primitive.vertices() && set.weights.size() == primitive.vertices()) sets.push_back(set);
    if (sets.empty() || sets.size() != primitive.influence_sets) return;
    gltf::check_influences(checker_, sets, skin, checker_.model().skins[skin].slots.size());
  }

  Checker& checker_;
  AttributeChecks attributes_;
};

}  // namespace

void check_meshes(Checker& checker) {
  const Model& model = checker.model();
  const JsonValue meshes = checker.root()["meshes"];
  std::vector<Index> smallest(meshes.size(), none);  // the skin for each mesh
  for (const Node& node : model.nodes) {
    if (node.mesh >= smallest.size() || node.skin == none || model.skins[node.skin].slots.empty()) continue;
    Index& skin = smallest[node.mesh];
    if (skin == none || model.skins[node.skin].slots.size() < model.skins[skin].slots.size()) skin = node.skin;
  }
  MeshCheck check(checker);
  std::size_t index = 0;
  for (const JsonValue mesh : meshes.elements()) check.run(mesh, smallest[index++]);
}

}  // namespace sinew::gltf

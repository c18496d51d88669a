// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "gltf/check/attributes.hpp"
#include "gltf/check/checks.hpp"
#include "gltf/check/values.hpp"

namespace sinew::gltf {

namespace {

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
      if (!fits) checker_.report<"MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT"_code>(at, accessor->count, primitive.vertices());
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
    (name->role == AttributeName::Role::joints ? set.joints_at : set.weights_at) = at;
    (name->role == AttributeName::Role::joints ? set.joints : set.weights) =
        name->role == AttributeName::Role::joints ? as_integers(*values) : *values;
  }

  void check_indices(const PrimitiveObject& object, Primitive& primitive) {
    const JsonValue at = object["indices"];
    const AccessorFacts* accessor = checker_.accessor(at);
    if (accessor == nullptr) return;
    if (accessor->count != 0) primitive.corners = accessor->count;
    if (accessor->strided) checker_.report<"MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE"_code>(at);
    const bool usable = accessor->width() == 1 && is_unsigned(accessor->component);
    if (!usable || accessor->normalized) checker_.report<"MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT"_code>(at, accessor->text());
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
      checker_.report<"MESH_PRIMITIVE_INCOMPATIBLE_MODE"_code>(object.value(), count, mode.what);
  }

  void check_target(const JsonMember& member, const Primitive& primitive) {
    const JsonValue at = member.value;
    const std::string key = member.key.string();
    const auto name = parse_attribute_name(key);
    const bool moves = name && name->role == AttributeName::Role::attribute;
    if (!moves) checker_.report<"MESH_PRIMITIVE_INVALID_ATTRIBUTE"_code>(at, key);
    const AccessorFacts* accessor = checker_.accessor(at);
    if (accessor == nullptr) return;
    const auto base = std::ranges::find(primitive.attributes, key, &Attribute::key);
    const bool known = base != primitive.attributes.end();
    if (!known) checker_.report<"MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR"_code>(at, key);
    const bool counts = known && accessor->count == base->count;
    attributes_.target(at, key, *accessor, counts && moves && accessor->usable ? base->width : 0);
    if (known && !counts) checker_.report<"MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT"_code>(at, accessor->count, base->count);
  }

  void check_influences(const Primitive& primitive, Index skin) {
    std::vector<InfluenceSet> sets;
    for (const auto& [number, set] : primitive.influences)
      if (set.joints.size() == primitive.vertices() && set.weights.size() == primitive.vertices()) sets.push_back(set);
    if (sets.empty() || sets.size() != primitive.influence_sets) return;
    if (gltf::check_influences(checker_, sets, skin, checker_.model().skins[skin].slots.size()))
      checker_.checked_influences.insert(primitive.value.pointer());
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

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "base/ascii.hpp"
#include "base/message.hpp"
#include "gltf/check/checks.hpp"
#include "gltf/extensions/KHR_draco_mesh_compression.hpp"
#include "gltf/extensions/KHR_meshopt_compression.hpp"
#include "gltf/extensions/KHR_skeleton_bone.hpp"
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf {

namespace {

/// Names of a usage for messages. An accessor or buffer view may have only one of them; "": any. Indexed by Usage.
struct UseName {
  std::string_view accessor, view;
};
constexpr UseName use_names[] = {{"", ""},
                                 {"", "other data"},
                                 {"", "an image"},
                                 {"vertex attributes", "vertex attributes"},
                                 {"indices", "indices"},
                                 {"inverse bind matrices", "inverse bind matrices"},
                                 {"animation key times", "other data"},
                                 {"animation values", "other data"},
                                 {"", ""}};
static_assert(std::size(use_names) == static_cast<std::size_t>(Usage::mention) + 1);

std::string_view accessor_use(Usage usage) { return use_names[static_cast<std::size_t>(usage)].accessor; }
std::string_view view_use(Usage usage) { return use_names[static_cast<std::size_t>(usage)].view; }

/// An element of an array that references point into.
struct Element {
  JsonValue value;
  bool used = false;
  std::string_view use = {};  ///< usage of an accessor or a buffer view
};

class Walk {
 public:
  explicit Walk(Checker& checker) : checker_(checker) {
    for (std::size_t i = 0; i < arrays_.size(); ++i)
      for (const JsonValue value : checker.root().array_of(static_cast<Reference>(i)).elements()) arrays_[i].push_back({value});
    for (Element& view : elements(Reference::buffer_view)) {
      const auto target = whole_number(view.value["target"]);
      if (target == 34962) view.use = view_use(Usage::vertex_attribute);
      if (target == 34963) view.use = view_use(Usage::primitive_indices);
    }
    for (const JsonValue name : checker.root()["extensionsUsed"].elements()) {
      declared_.push_back(name.string());
      const Extension* known = find_checked_extension(declared_.back());
      if (known == nullptr) continue;
      if (known->widens != nullptr) widening_.push_back(known);
      if (const ExtensionPlace* place = find_place(*known, root_table); place != nullptr && !known->silent) find_lists(*known, *place);
    }
  }

  void run() {
    // The order matters: the first usage of data counts, and later ones conflict with it.
    constexpr RootObject::Row order[] = {"bufferViews", "accessors", "images", "textures",  "materials",
                                         "meshes",      "nodes",     "skins",  "animations"};
    const RootObject& root = checker_.root();
    for (const RootObject::Row row : order) property(root.property(row), root[row], true);
    for (std::size_t i = 0; i < root_table.rows.size(); ++i) {
      const RootObject::Row row(i);
      if (std::ranges::find(order, row) == std::end(order)) property(root_table.rows[i], root[row], true, &root_table);
    }
    use_compressed_views();
    for (std::size_t i = 0; i < arrays_.size(); ++i)
      if (is_reported(static_cast<Reference>(i))) report_unused(arrays_[i]);
    for (const auto& [name, list] : lists_) report_unused(list);
    report_unused_weights();
  }

 private:
  /// An object whose values are accessed by row.
  struct Rows : Object {
    using Object::at;
    using Object::Object;
  };

  [[nodiscard]] std::vector<Element>& elements(Reference reference) { return arrays_[static_cast<std::size_t>(reference)]; }

  /// Returns the element that an index refers to, or nullptr.
  [[nodiscard]] static Element* find(std::vector<Element>& list, JsonValue index) {
    const auto place = whole_number(index);
    return place && *place < list.size() ? &list[*place] : nullptr;
  }

  // Scenes and animations need no references.
  static bool is_reported(Reference reference) { return reference != Reference::scene && reference != Reference::animation; }

  /// The lists of the root's object of an extension, to which indices refer.
  void find_lists(const Extension& extension, const ExtensionPlace& place) {
    for (const Property& row : place.object->rows) {
      if (row.of == nullptr || row.shape != Property::Shape::list) continue;
      std::vector<Element>& list = lists_[format_text("{}/{}", extension.name, row.name)];
      for (const JsonValue value : checker_.root().file_extension(extension.name)[row.name].elements()) list.push_back({value});
    }
  }

  /// Returns the list that a row's index refers to.
  [[nodiscard]] std::vector<Element>& elements_of(const Property& row) {
    return row.of_list.empty() ? elements(static_cast<Reference>(row.reference)) : lists_[std::string(row.of_list)];
  }

  void report_unused(const std::vector<Element>& list) {
    for (const Element& element : list)
      if (!element.used && element.value.is(JsonKind::object)) checker_.report("UNUSED_OBJECT"_code, element.value);
  }

  Element* mark(std::vector<Element>& list, JsonValue index) {
    Element* const found = find(list, index);
    if (found != nullptr) found->used = true;
    return found;
  }

  // The tables describe extensions of which the Khronos validator checks the content, and KHR_draco_mesh_compression is none of them.
  void use_compressed_views() {
    for (const JsonValue mesh : checker_.root()["meshes"].elements())
      for (const JsonValue primitive : mesh["primitives"].elements())
        mark(elements(Reference::buffer_view), primitive["extensions"][draco_extension]["bufferView"]);
  }

  // The Khronos validator does not shorten its path after a channel without a sampler, so it reports "/animations/0/channels/samplers/1"
  // from then on. Reports are compared by pointer, so this code does the same.
  void report_unused_samplers(JsonValue animation, const std::vector<JsonValue>& channels) {
    const auto lost = std::ranges::count_if(channels, [](JsonValue channel) { return !whole_number(channel["sampler"]); });
    if (lost == 0) return report_unused(elements(Reference::animation_sampler));
    std::string place = animation.pointer() + "/channels";
    for (std::ptrdiff_t i = 0; i + 1 < lost; ++i) place += format_text("/{}", i);
    const std::vector<Element>& samplers = elements(Reference::animation_sampler);
    for (std::size_t i = 0; i < samplers.size(); ++i)
      if (!samplers[i].used && samplers[i].value.is(JsonKind::object))
        checker_.sink().add(finding("UNUSED_OBJECT"_code, FindingPlace(format_text("{}/samplers/{}", place, i), samplers[i].value.id())));
  }

  // A mesh's weights apply to nodes without their own weights.
  void report_unused_weights() {
    std::set<const Element*> counted;
    for (const Element& node : elements(Reference::node))
      if (!node.value["weights"]) counted.insert(find(elements(Reference::mesh), node.value["mesh"]));
    for (const Element& mesh : elements(Reference::mesh))
      if (const JsonValue weights = mesh.value["weights"]; weights && mesh.used && !counted.contains(&mesh))
        checker_.report("UNUSED_MESH_WEIGHTS"_code, weights);
  }

  // `linked`: references of the object count as uses.
  void object(JsonValue value, const Table& table, bool linked) {
    if (table.others != nullptr) {
      if (value.size() == 0) checker_.report("EMPTY_ENTITY"_code, value);
      for (const JsonMember member : value.members()) {
        if (!whole_number(member.value)) checker_.report("INVALID_INDEX"_code, member.value, excerpt(member.value));
        index(*table.others, member.value, linked);
      }
      return;
    }
    const Table& kind = document::kind_of(value, table);
    const Table& properties = widened(kind);
    const Rows rows(value, properties.rows, khronos_codes, checker_.sink(), document::Unknown::report);
    linked = linked && !(table.whole && lacks(rows));
    if (&table == &animation_table) {
      std::vector<Element> samplers;
      for (const JsonValue sampler : rows.at(AnimationObject::Row("samplers").place).elements()) samplers.push_back({sampler});
      elements(Reference::animation_sampler) = std::move(samplers);
    }
    for (std::size_t row = 0; row < kind.rows.size(); ++row) property(kind.rows[row], usable(rows, row), linked, &table);
    if (&table == &animation_table) {
      if (linked) report_unused_samplers(value, list_of(rows.at(AnimationObject::Row("channels").place)));
      elements(Reference::animation_sampler).clear();
    }
  }

  // Returns a list of indices without the invalid ones.
  static JsonValue usable(const Rows& rows, std::size_t row) {
    const Property& property = rows.table()[row];
    if (rows.at(row) || property.reference == 0 || property.shape != Property::Shape::list) return rows.at(row);
    return rows.value()[property.name];
  }

  [[nodiscard]] const Table& widened(const Table& table) const {
    for (const Extension* extension : widening_)
      if (extension->widens == &table) return *extension->wider;
    return table;
  }

  static bool lacks(const Rows& rows) {
    for (std::size_t row = 0; row < rows.table().size(); ++row)
      if (rows.table()[row].need == row::Need::required && !rows.at(row)) return true;
    return false;
  }

  void property(const Property& property, JsonValue value, bool linked, const Table* holder = nullptr) {
    if (!value) return;
    if (holder != nullptr && property.name == row::extras.name) {
      if (!value.is(JsonKind::object) && !value.is(JsonKind::null)) checker_.report("NON_OBJECT_EXTRAS"_code, value);
      return;
    }
    if (holder != nullptr && property.name == row::extensions.name) return extensions(value, *holder, linked);
    const bool list = property.shape == Property::Shape::list;
    if (property.of != nullptr) {
      if (!list) return object(value, *property.of, linked);
      for (const JsonValue element : value.elements()) object(element, *property.of, linked);
    } else if (property.reference != 0) {
      if (!list) return index(property, value, linked);
      for (const JsonValue element : value.elements()) index(property, element, linked);
    }
  }

  void index(const Property& property, JsonValue value, bool linked) {
    const auto place = whole_number(value);
    if (!place || !linked) return;
    std::vector<Element>& list = elements_of(property);
    Element* const found = find(list, value);
    if (found == nullptr || !found->value.is(JsonKind::object))
      return checker_.report(property.unresolved.value_or("UNRESOLVED_REFERENCE"_code), value, *place, list.size(), list_name(property));
    const auto usage = static_cast<Usage>(property.usage);
    if (usage == Usage::mention) return;
    found->used = true;
    if (usage == Usage::nothing) return;
    if (static_cast<Reference>(property.reference) == Reference::accessor)
      use_accessor(*found, value, usage);
    else
      use_view(*found, value, usage);
  }

  void use_accessor(Element& accessor, JsonValue at, Usage usage) {
    const std::string_view use = accessor_use(usage);
    if (accessor.use.empty())
      accessor.use = use;
    else if (accessor.use != use)
      checker_.report("ACCESSOR_USAGE_OVERRIDE"_code, at, use, accessor.use);
    Element* const view = find(elements(Reference::buffer_view), accessor.value["bufferView"]);
    if (view == nullptr || !view->value.is(JsonKind::object)) return;
    use_view(*view, at, usage);
    if (usage == Usage::animation_output) use_view(*view, at, usage);  // the Khronos validator reports it twice
  }

  void use_view(Element& view, JsonValue at, Usage usage) {
    const std::string_view use = view_use(usage);
    view.used = true;
    if (view.use == use) return;
    if (!view.use.empty()) return checker_.report("BUFFER_VIEW_TARGET_OVERRIDE"_code, at, use, view.use);
    view.use = use;
    if (usage == Usage::vertex_attribute) checker_.report("BUFFER_VIEW_TARGET_MISSING"_code, at, "ARRAY_BUFFER");
    if (usage == Usage::primitive_indices) checker_.report("BUFFER_VIEW_TARGET_MISSING"_code, at, "ELEMENT_ARRAY_BUFFER");
  }

  void extensions(JsonValue value, const Table& holder, bool linked) {
    for (const JsonMember member : value.members()) {
      const std::string name = member.key.string();
      const bool declared = std::ranges::find(declared_, name) != declared_.end();
      const Extension* any = find_extension(name);
      const Extension* known = declared ? find_checked_extension(name) : nullptr;
      const ExtensionPlace* place = known != nullptr ? find_place(*known, holder) : nullptr;
      if (known != nullptr && known->silent) {
        use_bind_matrices(member.value);
        continue;
      }
      // Reading reports everything else about these extensions.
      if (const ExtensionPlace* applied = any != nullptr ? find_place(*any, holder) : nullptr;
          applied != nullptr && applied->unknown != nullptr)
        report_unknown(member.value, applied->object->rows, applied->unknown->unknown, checker_.sink());
      if (!member.value.is(JsonKind::object)) checker_.report("TYPE_MISMATCH"_code, member.value, excerpt(member.value), "object");
      if (!declared)
        checker_.report("UNDECLARED_EXTENSION"_code, member.value, name);
      else if (known != nullptr && place == nullptr)
        checker_.report("UNEXPECTED_EXTENSION_OBJECT"_code, member.value, name);
      if (place == nullptr) continue;
      if (place->alone && value.size() > 1) checker_.report("MULTIPLE_EXTENSIONS"_code, member.value, name);
      if (place->partial) checker_.report("INCOMPLETE_EXTENSION_SUPPORT"_code, member.value, name);
      if (place->object == nullptr) continue;
      if (!member.value.is(JsonKind::object)) {  // the Khronos validator also treats it as an empty object
        for (const Property& row : place->object->rows)
          if (row.need == Property::Need::required) checker_.report("UNDEFINED_PROPERTY"_code, member.value, row.name);
        continue;
      }
      object(member.value, *place->object, linked && (!place->of_file || checker_.root().file_extension(name)));
    }
  }

  // The rules of STAIK_skeletons check its indices. This function only marks the matrices as used.
  void use_bind_matrices(JsonValue extension) {
    for (const JsonValue skeleton : extension["skeletons"].elements())
      if (const Element* accessor = mark(elements(Reference::accessor), skeleton["inverseBindMatrices"]))
        mark(elements(Reference::buffer_view), accessor->value["bufferView"]);
  }

  Checker& checker_;
  std::array<std::vector<Element>, static_cast<std::size_t>(Reference::count)> arrays_;
  std::vector<std::string> declared_;
  std::map<std::string, std::vector<Element>> lists_;  ///< of extensions, by Property::of_list
  std::vector<const Extension*> widening_;             ///< declared extensions that allow more in other objects
};

// Adds to the extension's name which rules of Sinew check its data.
std::string without_khronos_rules(const std::string& name) {
  return name == "KHR_skeleton_bone" ? name + "; Sinew checks it with its own rules, as `--profile skeleton-bone` does" : name;
}

// "KHR_materials_unlit": a prefix of capitals and digits, then a name.
bool is_extension_name(std::string_view name) {
  const auto capital = [](char c) { return is_upper(c) || is_digit(c); };
  const auto letter = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
  const std::size_t end = name.find('_');
  return end != std::string_view::npos && end > 0 && end + 1 < name.size() && std::ranges::all_of(name.substr(0, end), capital) &&
         std::ranges::all_of(name.substr(end + 1), letter);
}

}  // namespace

void check_objects(Checker& checker) { Walk(checker).run(); }

void check_extension_lists(Checker& checker) {
  const JsonValue used = checker.root()["extensionsUsed"];
  const JsonValue required = checker.root()["extensionsRequired"];
  const JsonValue written = checker.root().value()["extensionsRequired"];
  if (written && !checker.root().value()["extensionsUsed"]) checker.report("UNSATISFIED_DEPENDENCY"_code, written, "extensionsUsed");
  std::set<std::string> all_required;
  for (const JsonValue value : required.elements()) all_required.insert(value.string());
  for (const JsonValue value : used.elements()) {
    const std::string name = value.string();
    if (!is_extension_name(name)) checker.report("INVALID_EXTENSION_NAME_FORMAT"_code, value, name);
    const Extension* known = find_checked_extension(name);
    if (known == nullptr)
      checker.report("UNSUPPORTED_EXTENSION"_code, value, without_khronos_rules(name));
    else if (known->never_optional && !all_required.contains(name))
      checker.report("NON_REQUIRED_EXTENSION"_code, value, name);
  }
  for (const JsonValue value : required.elements())
    if (const std::string name = value.string(); !checker.root().uses_extension(name))
      checker.report("UNUSED_EXTENSION_REQUIRED"_code, value, name);
}

}  // namespace sinew::gltf

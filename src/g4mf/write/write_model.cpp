// SPDX-License-Identifier: MIT
#include "g4mf/write/write_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "base/catalogue.hpp"
#include "base/unique_names.hpp"
#include "document/g4mf_text.hpp"
#include "document/reading.hpp"
#include "g4mf/source.hpp"
#include "g4mf/write/write_data.hpp"

#include "sinew/version.hpp"

namespace sinew::g4mf {
namespace {

using document::JsonValue;

/// Names of items: unique in the file, without characters that names must not have (core part, Item).
class LegalNames {
 public:
  /// The name itself, or one like it; empty stays empty.
  [[nodiscard]] std::string take(std::string_view wanted) { return names_.take(made_legal(wanted)); }

 private:
  static std::string made_legal(std::string_view name) {
    constexpr std::string_view forbidden = "\".:@/\\";
    std::string legal;
    for (std::size_t i = 0; i < name.size(); ++i) {
      const auto c = static_cast<unsigned char>(name[i]);
      const bool c1 = c == 0xC2 && i + 1 < name.size() && static_cast<unsigned char>(name[i + 1]) < 0xA0;  // U+0080 to U+009F
      if (c1) ++i;
      legal += c1 || c < 0x20 || c == 0x7F || forbidden.find(name[i]) != std::string_view::npos ? '_' : name[i];
    }
    return legal;
  }

  UniqueNames names_;
};

/// A mesh of the file: some blocks of an instance's mesh, and the surfaces on them.
struct Part {
  const Instance* instance;
  std::size_t first_block, last_block;
  std::string name;
};

/// The values of an attribute for some of its rows: vertices or corners.
std::vector<float> rows_of(const Attribute& attribute, std::span<const std::uint32_t> wanted) {
  const std::vector<float> values = attribute.values.read<float>();
  const std::vector<std::uint32_t> index = attribute.index.read<std::uint32_t>();
  const std::size_t width = attribute.values.width();
  std::vector<float> rows;
  rows.reserve(wanted.size() * width);
  for (const std::uint32_t row : wanted) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>((index.empty() ? row : index[row]) * width);
    rows.insert(rows.end(), from, from + static_cast<std::ptrdiff_t>(width));
  }
  return rows;
}

std::vector<std::uint32_t> numbers_to(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

class ModelWriter {
 public:
  explicit ModelWriter(const Model& model)
      : model_(model), source_(dynamic_cast<const Source*>(model.source.get())), instances_(instances(model)) {}

  Result<Written> write(const WriteOptions& options) {
    find_carried();
    make_parts();
    json_.begin_object();
    json_.key("asset").begin_object();
    json_.key("dimension").integer(model_.dimension);
    json_.key("generator").string(fmt::format("Sinew {}", version()));
    json_.end_object();
    write_nodes();
    if (auto done = write_meshes(); !done) return Unexpected(std::move(done.error()));
    write_materials();
    data_.write(json_, options.name_buffer && !data_.empty() ? options.name_buffer(data_.bytes()) : std::string());
    json_.end_object();
    return Written{document::to_g4mf_text(std::move(json_).take()), !data_.empty(), std::move(data_).take(), notes()};
  }

 private:
  // Points are all vertices of a mesh: beside other surfaces they need one of their own, and so do those, for the order of vertices.
  void make_parts() {
    for (const Instance& instance : instances_) {
      const Mesh& mesh = model_.meshes[instance.mesh];
      const bool points = std::ranges::any_of(mesh.surfaces, [](const Surface& surface) { return surface.primitive == Primitive::points; });
      const std::size_t step = points ? 1 : std::max<std::size_t>(mesh.blocks.size(), 1);
      for (std::size_t first = 0; first == 0 || first < mesh.blocks.size(); first += step)
        parts_.push_back({&instance, first, std::min(first + step, mesh.blocks.size()), names_.take(model_.nodes[instance.node].name)});
    }
  }

  // Of a file of the same format: cameras, lights and extras stay where they are. Names inside them are taken first.
  void find_carried() {
    if (source_ == nullptr) return;
    for (const Index node : reached_nodes(model_)) {
      const JsonValue value = source_->value(model_.nodes[node].source);
      const JsonValue camera = value["camera"], light = light_of(value);
      if (!camera && !light && (!value["extras"] || node == 0)) continue;
      for (const JsonValue part : {camera, light})
        if (!part["name"].string().empty()) static_cast<void>(names_.take(part["name"].string()));
      carried_.push_back(node);
    }
  }

  // An object, or (2025-08) the number of one.
  [[nodiscard]] JsonValue light_of(JsonValue node) const {
    const JsonValue light = node["light"];
    if (light.is(document::JsonKind::object)) return light;
    const auto index = document::whole_number(light);
    if (!index) return {};
    const auto lights = document::list_of(source_->document().json().root()["lights"]);
    return *index < lights.size() ? lights[*index] : JsonValue();
  }

  void write_nodes() {
    const Entity* root = source_ != nullptr && !model_.nodes.empty() && model_.nodes.front().mesh == none ? &model_.nodes.front() : nullptr;
    json_.key("nodes").begin_array();
    json_.begin_object();
    if (root != nullptr) write_name(names_.take(root->name));
    if (!parts_.empty() || !carried_.empty()) {
      json_.key("children").begin_array();
      for (std::size_t i = 1; i <= parts_.size() + carried_.size(); ++i) json_.integer(i);
      json_.end_array();
    }
    if (root != nullptr) write_extras(root->source);
    json_.end_object();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      json_.begin_object();
      write_name(parts_[i].name);
      if (!parts_[i].instance->visible) json_.key("visible").boolean(false);
      json_.key("meshInstance").begin_object();
      json_.key("mesh").integer(i);
      json_.end_object();
      json_.end_object();
    }
    const std::vector<Affine> world = carried_.empty() ? std::vector<Affine>() : world_transforms(model_, model_.rest);
    for (const Index node : carried_) write_carried(node, world[node]);
    json_.end_array();
  }

  void write_carried(Index index, const Affine& world) {
    const Node& node = model_.nodes[index];
    const JsonValue value = source_->value(node.source);
    const std::size_t n = model_.dimension;
    json_.begin_object();
    write_name(names_.take(node.name));
    bool visible = true;
    for (Index up = index; up != none; up = model_.nodes[up].parent) visible = visible && model_.nodes[up].visible;
    if (!visible) json_.key("visible").boolean(false);
    if (is_finite(world)) {
      const Affine unmoved(n);
      const auto write_unless = [&](std::string_view key, std::span<const double> numbers, std::span<const double> neutral) {
        if (!std::ranges::equal(numbers, neutral)) write_numbers(key, numbers);
      };
      write_unless("position", world.values().subspan(n * n), unmoved.values().subspan(n * n));
      write_unless("basis", world.values().first(n * n), unmoved.values().first(n * n));
    }
    if (const JsonValue camera = value["camera"]) json_.key("camera").raw(camera.text());
    if (const JsonValue light = light_of(value)) json_.key("light").raw(light.text());
    write_extras(node.source);
    json_.end_object();
  }

  void write_numbers(std::string_view key, std::span<const double> numbers) {
    json_.key(key).begin_array();
    for (const double number : numbers) json_.number(number);
    json_.end_array();
  }

  void write_extras(SourceId id) {
    if (source_ == nullptr) return;
    if (const JsonValue extras = source_->value(id)["extras"]) json_.key("extras").raw(extras.text());
  }

  Result<> write_meshes() {
    if (parts_.empty()) return {};
    json_.key("meshes").begin_array();
    for (const Part& part : parts_)
      if (auto done = write_mesh(part); !done) return done;
    json_.end_array();
    return {};
  }

  Result<> write_mesh(const Part& part) {
    const Mesh& mesh = model_.meshes[part.instance->mesh];
    std::vector<float> positions;
    std::vector<std::uint32_t> first(mesh.blocks.size());
    for (std::size_t b = part.first_block; b < part.last_block; ++b) {
      const VertexBlock& block = mesh.blocks[b];
      const std::size_t before = positions.size() / std::max<std::size_t>(model_.dimension, 1);
      if (block.vertices >= none - before)
        return Unexpected(error<"SINEW_OUTPUT"_code>(Failure::unsupported, {},
                                                     fmt::format("mesh \"{}\" has more than {} vertices", mesh.name, none - 1)));
      first[b] = static_cast<std::uint32_t>(before);
      const Attribute* stored = find_attribute(block.attributes, Semantic::position);
      if (stored == nullptr) continue;
      const std::vector<float> rows = rows_of(*stored, numbers_to(block.vertices));
      positions.insert(positions.end(), rows.begin(), rows.end());
    }
    json_.begin_object();
    write_name(names_.take(mesh.name));
    json_.key("vertices").integer(data_.add(positions, model_.dimension));
    json_.key("surfaces").begin_array();
    bool any = false;
    std::set<std::string> texts;
    for (const Surface& surface : mesh.surfaces) {
      if (surface.block < part.first_block || surface.block >= part.last_block) continue;
      write_distinct_surface(mesh, surface, first[surface.block], texts);
      any = true;
    }
    if (!any) write_empty_surface();
    json_.end_array();
    write_extras(mesh.source);
    json_.end_object();
    return {};
  }

  // A mesh needs a surface, and one without anything would be all its points.
  void write_empty_surface() {
    json_.begin_object();
    json_.key("edges").integer(data_.add(std::span<const std::uint32_t>(), 2));
    json_.end_object();
  }

  // No two surfaces of a mesh may be equal: another one of the kind gets a name.
  void write_distinct_surface(const Mesh& mesh, const Surface& surface, std::uint32_t first, std::set<std::string>& texts) {
    std::string text = surface_text(mesh, surface, first, names_.take(surface.name));
    if (!texts.insert(text).second) text = surface_text(mesh, surface, first, names_.take("Surface"));
    json_.raw(text);
  }

  std::string surface_text(const Mesh& mesh, const Surface& surface, std::uint32_t first, const std::string& name) {
    JsonWriter outer = std::exchange(json_, JsonWriter());
    write_surface(mesh, surface, first, name);
    return std::move(std::exchange(json_, std::move(outer))).take();
  }

  void write_surface(const Mesh& mesh, const Surface& surface, std::uint32_t first, const std::string& name) {
    const VertexBlock& block = mesh.blocks[surface.block];
    Elements elements = elements_of(mesh, surface, model_.dimension);
    if (surface.primitive == Primitive::points) {
      std::vector<bool> drawn(block.vertices);
      for (const std::uint32_t vertex : elements.indices) drawn[vertex] = true;
      points_added_ += static_cast<std::size_t>(std::ranges::count(drawn, false));
      elements.indices = numbers_to(block.vertices);
    }
    json_.begin_object();
    write_name(name);
    if (surface.primitive >= Primitive::simplexes) {
      json_.key("simplexes").integer(add_indices(elements.indices, elements.corners, first));
      if (surface.polytope_simplexes) json_.key("polytopeSimplexes").boolean(true);
      if (!surface.edges.empty()) json_.key("edges").integer(add_indices(surface.edges.read<std::uint32_t>(), 2, first));
    } else if (surface.primitive != Primitive::points) {
      json_.key("edges").integer(add_indices(elements.indices, 2, first));
    }
    write_values("normals", Semantic::normal, block, surface, elements.indices);
    write_values("textureMap", Semantic::texcoord, block, surface, elements.indices);
    if (surface.material != none) json_.key("material").integer(surface.material);
    if (surface.topology && !surface.topology->tiers.empty() && !surface.edges.empty()) write_topology(*surface.topology);
    write_extras(surface.source);
    json_.end_object();
  }

  [[nodiscard]] Index add_indices(std::vector<std::uint32_t> indices, std::size_t width, std::uint32_t first) {
    for (std::uint32_t& index : indices) index += first;
    return data_.add(indices, width);
  }

  // Those of the corners, else those of the vertices, repeated for every corner.
  void write_values(std::string_view key, Semantic semantic, const VertexBlock& block, const Surface& surface,
                    std::span<const std::uint32_t> corners) {
    const Attribute* own = find_attribute(surface.attributes, semantic);
    const auto rows = [](const Attribute& attribute) { return attribute.index.empty() ? attribute.values.size() : attribute.index.size(); };
    if (own != nullptr && rows(*own) >= corners.size())  // fewer: points that were listed, of which all are drawn now
      json_.key(key).integer(data_.add(rows_of(*own, numbers_to(corners.size())), own->values.width()));
    else if (const Attribute* of_vertices = find_attribute(block.attributes, semantic))
      json_.key(key).integer(data_.add(rows_of(*of_vertices, corners), of_vertices->values.width()));
  }

  void write_topology(const Topology& topology) {
    json_.key("topology").begin_object();
    json_.key("geometry").begin_array();
    for (const Array& tier : topology.tiers) json_.integer(data_.add(tier.read<std::uint32_t>(), 1));
    json_.end_array();
    if (!topology.seams.empty()) json_.key("seams").integer(data_.add(topology.seams.read<std::uint32_t>(), 1));
    const std::vector<std::uint32_t> instances = numbers_to(topology.instances.size());
    const auto values = [&](std::string_view key, Semantic semantic) {
      if (const Attribute* attribute = find_attribute(topology.attributes, semantic))
        json_.key(key).integer(data_.add(rows_of(*attribute, instances), attribute->values.width()));
    };
    values("normals", Semantic::normal);
    values("textureMap", Semantic::texcoord);
    json_.end_object();
  }

  // No two may be equal: each has a name.
  void write_materials() {
    if (model_.materials.empty()) return;
    json_.key("materials").begin_array();
    for (const Material& material : model_.materials) {
      json_.begin_object();
      write_name(names_.take(material.name.empty() ? "Material" : material.name));
      if (source_ != nullptr) write_factors(source_->value(material.source));
      write_extras(material.source);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_factors(JsonValue material) {
    for (const std::string_view channel : {"baseColor", "emissive", "normal", "orm"}) {
      const JsonValue object = material[channel];
      std::size_t others = object.size();
      if (const JsonValue factor = object["factor"]) {
        --others;
        json_.key(channel).begin_object();
        json_.key("factor").raw(factor.text());
        json_.end_object();
      }
      if (others != 0) ++poorer_channels_;
    }
  }

  void write_name(const std::string& name) {
    if (!name.empty()) json_.key("name").string(name);
  }

  [[nodiscard]] std::vector<std::string> notes() const {
    std::vector<std::string> list;
    if (points_added_ != 0) list.push_back(fmt::format("G4MF draws all vertices of a mesh of points, {} more than before", points_added_));
    if (poorer_channels_ != 0) list.push_back("materials keep only their factors; textures and colours by element are lost");
    if (!model_.materials.empty() && source_ == nullptr) list.push_back("materials keep only their names");
    std::set<std::string> lost;
    for (const Instance& instance : instances_)
      for (const VertexBlock& block : model_.meshes[instance.mesh].blocks)
        for (const Attribute& attribute : block.attributes)
          if (std::string name = name_of_lost(attribute); !name.empty()) lost.insert(std::move(name));
    if (!lost.empty()) list.push_back(fmt::format("G4MF cannot store {}", fmt::join(lost, ", ")));
    return list;
  }

  static std::string name_of_lost(const Attribute& attribute) {
    switch (attribute.semantic) {
      case Semantic::position:
      case Semantic::normal:
        return {};
      case Semantic::tangent:
        return "tangents";
      case Semantic::texcoord:
        return attribute.set == 0 ? "" : "further texture coordinates";
      case Semantic::color:
        return "colours of vertices";
      case Semantic::custom:
        break;
    }
    return "custom attributes";
  }

  const Model& model_;
  const Source* source_;  ///< the file that the model was read from, if it was a G4MF one
  std::vector<Instance> instances_;
  std::vector<Index> carried_;  ///< nodes that say more than where meshes are
  std::vector<Part> parts_;
  LegalNames names_;
  DataWriter data_;
  JsonWriter json_;
  std::size_t points_added_ = 0;
  std::size_t poorer_channels_ = 0;
};

}  // namespace

Result<Written> write(const Model& model, const WriteOptions& options) { return ModelWriter(model).write(options); }

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#include "g4mf/write/write.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "document/json/edit_members.hpp"
#include "document/json/g4mf_text.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/reader.hpp"
#include "g4mf/schema/source.hpp"
#include "g4mf/schema/tables.hpp"
#include "g4mf/write/update.hpp"

namespace sinew::g4mf {
namespace {

using document::JsonEdit;
using document::JsonValue;
using document::list_in;

/// A mesh of the file: some blocks of an instance's mesh, with their surfaces.
struct Part {
  const Instance* instance;
  std::size_t first_block, last_block;
};

/// Returns the values of an attribute for some rows: vertices or corners.
Attribute rows_of(const Attribute& attribute, std::span<const std::uint32_t> wanted) {
  const std::vector<float> values = attribute.values.read<float>();
  const std::vector<std::uint32_t> index = attribute.index.read<std::uint32_t>();
  const std::size_t width = attribute.values.width();
  std::vector<float> rows;
  rows.reserve(wanted.size() * width);
  for (const std::uint32_t row : wanted) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>((index.empty() ? row : index[row]) * width);
    rows.insert(rows.end(), from, from + static_cast<std::ptrdiff_t>(width));
  }
  return {attribute.semantic, 0, {}, Array::own(std::move(rows), width), {}, {}};
}

std::vector<std::uint32_t> numbers_to(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

Array indices_from(std::vector<std::uint32_t> indices, std::size_t width, std::uint32_t first) {
  for (std::uint32_t& index : indices) index += first;
  return Array::own(std::move(indices), width);
}

/// Converts a static model to one that G4MF can store. Fills a JSON text with data to copy from the source file; its indices are those of
/// the new model.
class StaticModelBuilder {
 public:
  StaticModelBuilder(const Model& model, JsonEdit& root)
      : model_(model), source_(document::source_as<Source>(model.source.get())), root_(root), instances_(need(instances(model))) {}

  Result<Model> run() {
    flat_.dimension = model_.dimension;
    find_carried();
    make_parts();
    add_root();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      Node& node = add_node(model_.nodes[parts_[i].instance->node].name, SourceId::nowhere);
      node.visible = parts_[i].instance->visible;
      node.mesh = static_cast<Index>(i);
      if (auto done = add_mesh(parts_[i]); !done) return Unexpected(std::move(done.error()));
    }
    const std::vector<Affine> world = carried_.empty() ? std::vector<Affine>() : need(world_transforms(model_, model_.rest_pose));
    for (const Index node : carried_) add_carried(node, world[node]);
    add_materials();
    return std::move(flat_);
  }

  [[nodiscard]] std::vector<std::string> notes() const {
    std::vector<std::string> list;
    if (points_added_ != 0) list.push_back(format_text("G4MF draws all vertices of a mesh of points, {} more than before", points_added_));
    if (poorer_channels_ != 0) list.emplace_back("materials keep only their factors; textures and colours by element are lost");
    if (!model_.materials.empty() && source_ == nullptr) list.emplace_back("materials keep only their names");
    std::set<std::string_view> lost;
    for (const Instance& instance : instances_)
      for (const VertexBlock& block : model_.meshes[instance.mesh].blocks)
        for (const Attribute& attribute : block.attributes) lost.insert(name_of_lost(attribute));
    lost.erase("");
    if (!lost.empty()) list.push_back(format_text("G4MF cannot store {}", join_text(lost, ", ")));
    return list;
  }

 private:
  // A surface of points draws all vertices of its mesh. So if a mesh has points, each of its blocks becomes a separate mesh.
  void make_parts() {
    for (const Instance& instance : instances_) {
      const Mesh& mesh = model_.meshes[instance.mesh];
      const bool points = std::ranges::any_of(mesh.surfaces, [](const Surface& surface) { return surface.primitive == Primitive::points; });
      const std::size_t step = points ? 1 : std::max<std::size_t>(mesh.blocks.size(), 1);
      for (std::size_t first = 0; first == 0 || first < mesh.blocks.size(); first += step)
        parts_.push_back({&instance, first, std::min(first + step, mesh.blocks.size())});
    }
  }

  // Finds the nodes of a G4MF source with cameras, lights or extras, which are copied.
  void find_carried() {
    if (source_ == nullptr) return;
    for (const Index node : need(reached_nodes(model_))) {
      const JsonValue value = source_->value(model_.nodes[node].source);
      if (value["camera"] || light_of(value) || (value["extras"] && node != 0)) carried_.push_back(node);
    }
  }

  // A light is an object or (2025-08) an index.
  [[nodiscard]] JsonValue light_of(JsonValue node) const {
    const JsonValue light = node["light"];
    if (light.is(document::JsonKind::object)) return light;
    const auto index = document::whole_number(light);
    if (!index) return {};
    const auto lights = document::list_of(source_->document().json().root()["lights"]);
    return *index < lights.size() ? lights[*index] : JsonValue();
  }

  /// Returns the JSON of an entity, or a missing value if its source is not G4MF.
  [[nodiscard]] JsonValue value_of(SourceId id) const { return source_ == nullptr ? JsonValue() : source_->value(id); }

  /// Appends an object with the extras of an entity.
  JsonEdit& add_item(JsonEdit& list, SourceId id) {
    JsonEdit& item = list.push_back(JsonEdit::object());
    if (const JsonValue extras = value_of(id)["extras"]) item.set("extras", JsonEdit(extras));
    return item;
  }

  Node& add_node(std::string_view name, SourceId id) {
    add_item(list_in(root_, "nodes"), id);
    if (!flat_.nodes.empty()) flat_.nodes.front().children.push_back(static_cast<Index>(flat_.nodes.size()));
    flat_.rest_pose.locals.emplace_back();
    flat_.rest_pose.amounts.emplace_back();
    flat_.nodes.emplace_back().name = name;
    return flat_.nodes.back();
  }

  void add_root() {
    const bool known = source_ != nullptr && !model_.nodes.empty() && model_.nodes.front().mesh == none;
    add_node(known ? model_.nodes.front().name : std::string(), known ? model_.nodes.front().source : SourceId::nowhere);
  }

  void add_carried(Index index, const Affine& world) {
    const Node& from = model_.nodes[index];
    Node& node = add_node(from.name, from.source);
    for (Index up = index; up != none; up = model_.nodes[up].parent) node.visible = node.visible && model_.nodes[up].visible;
    const std::size_t n = model_.dimension;
    if (is_finite(world)) {
      flat_.rest_pose.locals.back().translation.assign(world.values().subspan(n * n));
      flat_.rest_pose.locals.back().basis.assign(world.values().first(n * n));
    }
    JsonEdit& nodes = list_in(root_, "nodes");
    JsonEdit& item = nodes.at(nodes.size() - 1);
    const JsonValue value = value_of(from.source);
    if (const JsonValue camera = value["camera"]) item.set("camera", JsonEdit(camera));
    if (const JsonValue light = light_of(value)) item.set("light", JsonEdit(light));
  }

  Result<> add_mesh(const Part& part) {
    const Mesh& mesh = model_.meshes[part.instance->mesh];
    Mesh made;
    made.name = mesh.name;
    JsonEdit& item = add_item(list_in(root_, "meshes"), mesh.source);
    std::vector<float> positions;
    std::vector<std::uint32_t> first(mesh.blocks.size());
    for (std::size_t b = part.first_block; b < part.last_block; ++b) {
      const VertexBlock& block = mesh.blocks[b];
      const std::size_t before = positions.size() / std::max<std::size_t>(model_.dimension, 1);
      if (block.vertices >= none - before)
        return Unexpected(error("SINEW_OUTPUT"_code, Failure::unsupported, {},
                                format_text("mesh \"{}\" has more than {} vertices", mesh.name, none - 1)));
      first[b] = static_cast<std::uint32_t>(before);
      const Attribute* stored = find_attribute(block.attributes, Semantic::position);
      if (stored == nullptr) continue;
      const std::vector<float> rows = rows_of(*stored, numbers_to(block.vertices)).values.read<float>();
      positions.insert(positions.end(), rows.begin(), rows.end());
    }
    VertexBlock& block = made.blocks.emplace_back();
    block.vertices = positions.size() / std::max<std::size_t>(model_.dimension, 1);
    block.attributes.push_back({Semantic::position, 0, {}, Array::own(std::move(positions), model_.dimension), {}, {}});
    for (const Surface& surface : mesh.surfaces) {
      if (surface.block < part.first_block || surface.block >= part.last_block) continue;
      made.surfaces.push_back(flat_surface(mesh, surface, first[surface.block]));
      add_item(list_in(item, "surfaces"), surface.source);
    }
    // A mesh needs a surface, and a surface without elements would draw all points.
    if (made.surfaces.empty()) set_elements(made.surfaces.emplace_back(), Primitive::lines, Array::own(std::vector<std::uint32_t>(), 2));
    flat_.meshes.push_back(std::move(made));
    return {};
  }

  static void set_elements(Surface& surface, Primitive primitive, Array elements) {
    surface.primitive = primitive;
    surface.indexed = true;
    surface.elements = std::move(elements);
  }

  Surface flat_surface(const Mesh& mesh, const Surface& surface, std::uint32_t first) {
    const VertexBlock& block = mesh.blocks[surface.block];
    Elements elements = need(elements_of(mesh, surface, model_.dimension));
    Surface made;
    made.name = surface.name;
    made.material = surface.material;
    if (surface.primitive == Primitive::points) {
      std::vector<bool> drawn(block.vertices);
      for (const std::uint32_t vertex : elements.indices) drawn[vertex] = true;
      points_added_ += static_cast<std::size_t>(std::ranges::count(drawn, false));
      elements.indices = numbers_to(block.vertices);
    }
    for (const Semantic semantic : {Semantic::normal, Semantic::texcoord}) add_values(made, semantic, block, surface, elements.indices);
    if (surface.primitive >= Primitive::simplexes) {
      set_elements(made, Primitive::simplexes, indices_from(std::move(elements.indices), elements.corners, first));
      made.polytope_simplexes = surface.polytope_simplexes;
      if (!surface.edges.empty()) made.edges = indices_from(surface.edges.read<std::uint32_t>(), 2, first);
    } else if (surface.primitive == Primitive::points) {
      made.primitive = Primitive::points;
    } else {
      set_elements(made, Primitive::lines, indices_from(std::move(elements.indices), 2, first));
    }
    if (surface.topology && !surface.edges.empty()) made.topology = surface.topology;
    return made;
  }

  // Uses the values of corners, otherwise those of vertices, repeated for every corner.
  static void add_values(Surface& made, Semantic semantic, const VertexBlock& block, const Surface& surface,
                         std::span<const std::uint32_t> corners) {
    const Attribute* own = find_attribute(surface.attributes, semantic);
    const auto rows = [](const Attribute& attribute) { return attribute.index.empty() ? attribute.values.size() : attribute.index.size(); };
    if (own != nullptr && rows(*own) >= corners.size())  // fewer: listed points, but all points are drawn now
      made.attributes.push_back(rows_of(*own, numbers_to(corners.size())));
    else if (const Attribute* of_vertices = find_attribute(block.attributes, semantic))
      made.attributes.push_back(rows_of(*of_vertices, corners));
  }

  void add_materials() {
    for (const Material& material : model_.materials) {
      flat_.materials.emplace_back().name = material.name;
      JsonEdit& item = add_item(list_in(root_, "materials"), material.source);
      for (const std::string_view channel : channel_names) {
        const JsonValue object = value_of(material.source)[channel], factor = object["factor"];
        if (object.size() > (factor ? 1 : 0)) ++poorer_channels_;
        if (factor) item.set(channel, JsonEdit::object()).set("factor", JsonEdit(factor));
      }
    }
  }

  // Empty: G4MF stores the attribute.
  static std::string_view name_of_lost(const Attribute& attribute) {
    if (attribute.semantic == Semantic::texcoord) return attribute.set == 0 ? "" : "further texture coordinates";
    if (attribute.semantic == Semantic::tangent) return "tangents";
    if (attribute.semantic == Semantic::color) return "colours of vertices";
    return attribute.semantic == Semantic::custom ? "custom attributes" : "";
  }

  const Model& model_;
  const Source* source_;  ///< the source file, if it is G4MF; otherwise null
  JsonEdit& root_;
  std::vector<Instance> instances_;
  std::vector<Index> carried_;  ///< nodes with data to copy
  std::vector<Part> parts_;
  Model flat_;
  std::size_t points_added_ = 0;
  std::size_t poorer_channels_ = 0;
};

}  // namespace

Result<Written> write(const Model& model, const WriteOptions& options) {
  document::OpenOptions limits;
  // The caller already has the arrays.
  limits.limits.memory = limits.limits.dimension = limits.limits.json_depth = std::numeric_limits<std::uint64_t>::max();
  const auto empty = empty_document({}, model.dimension, limits);
  if (!empty) return Unexpected(empty.error());
  JsonEdit carried((*empty)->json().root());
  StaticModelBuilder builder(model, carried);
  const auto flat = builder.run();
  if (!flat) return Unexpected(flat.error());
  const auto base = document::from_text({}, document::to_g4mf_text(carried.text()), document::Container::json, limits);
  if (!base) return Unexpected(base.error());
  FindingList losses;
  const auto document = update(*base, Model(), *flat, losses);
  if (!document) return Unexpected(document.error());

  Written written;
  written.notes = builder.notes();
  for (const Finding& loss : losses.list())
    if (loss.severity != Severity::hint) written.notes.push_back(format_text("{}: {}", loss.pointer, loss.message));
  JsonEdit root((*document)->json().root());
  written.has_buffer = (*document)->chunk_list().size() > 1;
  if (written.has_buffer) written.buffer = (*document)->chunk_list()[1].data;
  if (written.has_buffer && options.name_buffer)
    root.find("buffers")->at(0).set("uri", JsonEdit::string(options.name_buffer(written.buffer.view)));
  written.json = document::to_g4mf_text(root.text());
  return written;
}

}  // namespace sinew::g4mf

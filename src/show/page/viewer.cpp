// SPDX-License-Identifier: MIT
#include "show/page/viewer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "document/json/json_writer.hpp"
#include "model/bones.hpp"
#include "model/place.hpp"
#include "show/drawable.hpp"
#include "show/mirrored.hpp"
#include "show/no_memory.hpp"
#include "show/page/packet.hpp"
#include "show/scene.hpp"

#include "sinew/animate.hpp"
#include "sinew/bounds.hpp"
#include "sinew/deform.hpp"
#include "sinew/geometry.hpp"
#include "sinew/load.hpp"
#include "sinew/model.hpp"
#include "sinew/project.hpp"

namespace sinew::show {

namespace {

using document::JsonWriter;

constexpr std::size_t most_simplexes = 1 << 26;  // cut from topologies
constexpr std::size_t most_box_axes = 8;         // a box has 2^N corners

/// Returns the name without its folder, which a shared page must not reveal.
std::string file_name(const Model& model) {
  const std::string path = model.source ? model.source->file() : std::string();
  return path.substr(path.find_last_of('/') + 1);
}

void write_nodes(JsonWriter& json, const Model& model, Index scene) {
  const std::vector<bool> joints = bones_of(model);
  std::vector<bool> reached(model.nodes.size());
  for (const Index node : need(reached_nodes(model, scene))) reached[node] = true;
  json.key("nodes").begin_array();
  for (Index n = 0; n < model.nodes.size(); ++n) {
    const Node& node = model.nodes[n];
    json.begin_object();
    json.key("name").string(node.name);
    write_index(json, "parent", node.parent);
    json.key("joint").boolean(joints[n]);
    json.key("reached").boolean(reached[n]);
    json.key("tail").boolean(node.bone && node.bone->length);
    json.key("pointer").string(pointer_of(model, node));
    if (const auto bone = std::ranges::find(model.avatar.bones, n, &HumanBone::node); bone != model.avatar.bones.end())
      json.key("bone").string(bone->name);
    json.end_object();
  }
  json.end_array();
}

/// Returns whether an avatar has something to look with.
bool has_gaze(const Avatar& avatar) {
  if (avatar.look_at.kind == LookAt::Kind::bone) return avatar.bone("leftEye") != none || avatar.bone("rightEye") != none;
  return avatar.look_at.kind == LookAt::Kind::expression && std::ranges::any_of(avatar.expressions, [](const Expression& expression) {
           return kind_of(expression) == Expression::Kind::look_at && !expression.binds.empty();
         });
}

/// Those that move a vertex or a node.
void write_expressions(JsonWriter& json, const Model& model, std::span<const animate::ExpressionAmount> amounts) {
  json.key("expressions").begin_array();
  for (Index i = 0; i < model.avatar.expressions.size(); ++i) {
    const Expression& expression = model.avatar.expressions[i];
    if (expression.binds.empty() && expression.clip == none) continue;
    const auto stored = std::ranges::find(amounts, i, &animate::ExpressionAmount::expression);
    json.begin_object();
    json.key("index").integer(i);
    json.key("name").string(expression.name);
    json.key("stored").string(expression.stored);
    json.key("binary").boolean(expression.binary);
    json.key("amount").number(stored == amounts.end() ? 0 : stored->amount);
    json.end_object();
  }
  json.end_array();
}

void write_clips(JsonWriter& json, const Model& model) {
  json.key("clips").begin_array();
  for (const Clip& clip : model.clips) {
    json.begin_object();
    json.key("name").string(clip.name);
    json.key("duration").number(clip.duration);
    json.key("usable").boolean(clip.defect == none);
    json.key("pointer").string(pointer_of(model, clip));
    json.end_object();
  }
  json.end_array();
}

void write_instance(JsonWriter& json, const Model& model, const Instance& instance, const Pose& pose, std::size_t first,
                    std::size_t vertices) {
  const Mesh& mesh = model.meshes[instance.mesh];
  json.begin_object();
  json.key("node").integer(instance.node);
  const std::string& name = model.nodes[instance.node].name;
  json.key("name").string(cut_middle(name.empty() ? mesh.name : name));  // many instances may share a mesh with a very long name
  json.key("visible").boolean(instance.visible);
  json.key("first").integer(first);
  json.key("vertices").integer(vertices);
  json.key("skinned").boolean(instance.skin != none);
  json.key("pointer").string(pointer_of(model, mesh));
  json.key("shapes").begin_array();
  const std::vector<double>& amounts = pose.amounts[instance.node];
  for (std::size_t s = 0; s < mesh.shapes.size(); ++s) {
    json.begin_object();
    json.key("name").string(cut_middle(mesh.shapes[s].name));
    json.key("amount").number(s < amounts.size() && std::isfinite(amounts[s]) ? amounts[s] : 0);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

bool has_normals(const VertexBlock& block) { return find_attribute(block.attributes, Semantic::normal) != nullptr; }

/// Returns triangles (or tetrahedra, …), lines or points of a surface, with vertex indices of its block.
Result<Elements> elements(const Mesh& mesh, const Surface& surface, std::size_t dimension) {
  Elements out = need(elements_of(mesh, surface, dimension));
  if (!out.indices.empty() || !surface.topology) return out;
  auto cut = simplexes_from_topology(mesh, surface, dimension, most_simplexes);
  if (!cut) return Unexpected(cut.error());
  return Elements{cut->corners, std::move(cut->simplexes)};
}

/// Computes the head of each node and the tail of each bone (the head if it has no length): rows of N numbers.
void ends_of_bones(const Model& model, const std::vector<Affine>& world, const std::vector<double>& origin, std::vector<float>& heads,
                   std::vector<float>& tails) {
  const std::size_t n = model.dimension;
  heads.resize(world.size() * n);
  tails.resize(world.size() * n);
  for (Index node = 0; node < world.size(); ++node) {
    const std::optional<Bone>& bone = model.nodes[node].bone;
    const double length = bone && bone->length && n > 1 ? *bone->length : 0;
    for (std::size_t axis = 0; axis < n; ++axis) {
      const double head = world[node].translation(axis) - origin[axis];
      heads[node * n + axis] = static_cast<float>(head);
      tails[node * n + axis] = static_cast<float>(length == 0 ? head : head + length * world[node](axis, 1));
    }
  }
}

constexpr std::string_view number_name = "_VERTEX";

/// Numbers the vertices of the file, before some get copies.
void number_vertices(Mesh& mesh) {
  float next = 0;  // exact for all meshes that a browser can draw
  for (VertexBlock& block : mesh.blocks) {
    std::vector<float> numbers(block.vertices);
    for (float& number : numbers) number = next++;
    Attribute& attribute = block.attributes.emplace_back();
    attribute.custom = number_name;
    attribute.values = Array::own(std::move(numbers), 1);
  }
}

/// Returns the model to draw: itself, or a copy with the values of its materials and, if corners have values of their
/// own, with vertices for those.
Result<std::shared_ptr<const Model>> drawable(const Model& given) {
  std::shared_ptr<const Model> same(std::shared_ptr<const Model>(), &given);
  auto painted = with_material_values(given);
  if (!painted) return Unexpected(std::move(painted.error()));
  if (*painted) same = std::make_shared<const Model>(std::move(**painted));
  const Model& model = *same;
  const auto by_corners = [](const Mesh& mesh) {
    return std::any_of(mesh.surfaces.begin(), mesh.surfaces.end(),
                       [](const Surface& surface) { return surface.topology || !surface.attributes.empty(); });
  };
  if (model.dimension != seen || std::none_of(model.meshes.begin(), model.meshes.end(), by_corners)) return same;
  auto copy = std::make_shared<Model>(model);
  for (Mesh& mesh : copy->meshes) {
    number_vertices(mesh);
    if (auto done = make_drawable(mesh); !done) return Unexpected(done.error());
  }
  return copy;
}

}  // namespace

Result<Viewer> Viewer::create(const Model& model, const ViewOptions& options) SINEW_TRY {
  if (auto defect = closure_defect(model, options.scene, options.clip)) return Unexpected(*defect);
  deform::PrepareOptions channels;
  channels.normals = model.dimension == seen;
  std::optional<Model> heated;
  if (!options.heat.empty()) heated = with_heat(model, options.heat);
  auto drawn = drawable(heated ? *heated : model);
  if (drawn && heated && drawn->get() == &*heated) drawn = std::make_shared<const Model>(*std::move(heated));
  if (!drawn) return Unexpected(drawn.error());
  auto deformer = deform::SceneDeformer::create(**drawn, need(instances(**drawn, options.scene)), channels);
  if (!deformer) return Unexpected(deformer.error());
  Viewer viewer(*drawn, *std::move(deformer));
  for (const Instance& instance : need(instances(model, options.scene))) viewer.vertices_ += vertex_count(model.meshes[instance.mesh]);
  viewer.scene_ = options.scene;
  viewer.clip_ = options.clip;
  viewer.threads_ = options.threads;
  viewer.start_ = {options.base, options.edit, std::nullopt};
  viewer.expressions_ = options.expressions;
  if (options.note) {
    for (const Error& note : viewer.looks_.volumes().notes()) options.note(note);
    for (const Error& note : texture_notes(model, most_texels)) options.note(note);
  }
  std::vector<Elements> simplexes;
  std::vector<CornerValues> values;
  if (auto found = viewer.find_pieces(simplexes, values); !found) return Unexpected(found.error());
  Pose first = options.base;
  if (auto done = apply(options.edit, model, first); !done) return Unexpected(done.error());
  viewer.origin_.assign(model.dimension, 0.0);
  if (auto done = viewer.place(first, false); !done) return Unexpected(done.error());
  viewer.choose_origin();
  if (auto done = viewer.place(first, false); !done) return Unexpected(done.error());
  viewer.flattener_.emplace(model.dimension, strided_view<const float>(viewer.rows_.data(), viewer.deformer_.vertices(), model.dimension),
                            std::move(simplexes), std::move(values));
  return viewer;
}
SINEW_CATCH()

/// The interpolated values of corners in a cut: colours and texture coordinates.
CornerValues Viewer::corner_values(const Surface& surface, Index material, const Elements& simplexes) {
  CornerLook& look = corner_looks_.emplace_back();
  const std::size_t corners = simplexes.indices.size();
  const auto rows_of = [&](Semantic semantic) {
    const Attribute* const found = find_attribute(surface.attributes, semantic);
    const bool fits = found != nullptr && (found->index.empty() ? found->values.size() : found->index.size()) == corners;
    return fits ? need(deform::blend_rows(*found, {}, corners)) : std::vector<float>();
  };
  const std::vector<float> colors = rows_of(Semantic::color), places = rows_of(Semantic::texcoord);
  const std::size_t color_width = corners == 0 ? 0 : colors.size() / corners, width = corners == 0 ? 0 : places.size() / corners;
  look.colors = color_width == 3 || color_width == 4;
  look.volume = width == 3 ? looks_.volumes().of(material) : nullptr;
  look.coordinates = look.volume != nullptr || (width == 2 && looks_.textured(material)) ? width : 0;
  CornerValues out{(look.colors ? 4 : 0) + look.coordinates, {}};
  for (std::size_t i = 0; out.width != 0 && i < corners; ++i) {
    for (std::size_t k = 0; look.colors && k < 4; ++k) out.rows.push_back(k < color_width ? colors[i * color_width + k] : 1.0F);
    for (std::size_t k = 0; k < look.coordinates; ++k) out.rows.push_back(places[i * width + k]);
  }
  return out;
}

/// Moves the origin to the model, because the precision of floats depends on the distance from the origin.
void Viewer::choose_origin() {
  constexpr double far_away = 64;  // in sizes of the model
  const std::size_t n = model_->dimension, vertices = deformer_.vertices();
  if (vertices == 0) return;
  std::vector<double> least(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(n)), most = least;
  for (std::size_t v = 0; v < vertices; ++v)
    for (std::size_t i = 0; i < n; ++i) {
      least[i] = std::min(least[i], double{rows_[v * n + i]});
      most[i] = std::max(most[i], double{rows_[v * n + i]});
    }
  double size = 0, distance = 0;
  for (std::size_t i = 0; i < n; ++i) {
    size = std::max(size, most[i] - least[i]);
    distance = std::max(distance, std::abs(most[i] + least[i]) / 2);
  }
  if (distance <= far_away * size) return;
  for (std::size_t i = 0; i < n; ++i) origin_[i] = static_cast<float>((most[i] + least[i]) / 2);
}

Result<> Viewer::find_pieces(std::vector<Elements>& simplexes, std::vector<CornerValues>& values) {
  // Above three dimensions, draw the edges of cells: those of the file, or those of its stored shape.
  auto edged = model_->dimension > seen ? operations::with_shape_edges(*model_) : Result<Model>(*model_);
  if (!edged) return Unexpected(edged.error());
  if (model_->dimension > seen) give_flat_cells_edges(*edged);
  const std::vector<Affine> world = need(world_transforms(*model_, start_.base));
  for (std::size_t i = 0; i < deformer_.instances().size(); ++i) {
    const Instance& instance = deformer_.instances()[i];
    if (!instance.visible && !may_appear(*model_, instance.node)) continue;
    const Mesh& mesh = edged->meshes[instance.mesh];
    std::vector<std::size_t> first_of_block;
    for (std::size_t first = deformer_.first(i); const VertexBlock& block : mesh.blocks) {
      first_of_block.push_back(first);
      first += block.vertices;
    }
    const bool turned = model_->dimension == seen && is_mirrored(*model_, instance, world);
    for (Index s = 0; s < mesh.surfaces.size(); ++s) {
      const Surface& surface = mesh.surfaces[s];
      auto found = elements(mesh, surface, model_->dimension);
      if (!found) return Unexpected(found.error());
      const auto shift = [&](std::vector<std::uint32_t>& indices) {
        for (std::uint32_t& index : indices) index += static_cast<std::uint32_t>(first_of_block[surface.block]);
      };
      shift(found->indices);
      DrawnSurface piece;
      piece.instance = i;
      piece.surface = s;
      piece.corners = found->corners;
      piece.material = material_of(model_->nodes[instance.node], s, surface.material);
      piece.colors = looks_.colored(i, surface.block);
      if (found->corners > seen) {
        piece.corners = 2;
        piece.indices = surface.edges.read<std::uint32_t>();
        shift(piece.indices);
        piece.cut = static_cast<Index>(simplexes.size());
        values.push_back(corner_values(surface, piece.material, *found));
        simplexes.push_back(*std::move(found));
      } else {
        piece.indices = std::move(found->indices);
        for (std::size_t at = 0; turned && piece.corners == 3 && at + 2 < piece.indices.size(); at += 3)
          std::swap(piece.indices[at + 1], piece.indices[at + 2]);
      }
      piece.normals = piece.corners == 3 && model_->dimension == seen && has_normals(mesh.blocks[surface.block]);
      normals_ = normals_ || piece.normals;
      if (!piece.indices.empty()) pieces_.push_back(std::move(piece));
    }
  }
  return {};
}

Result<> Viewer::bind(Pose rest) {
  start_.bound = std::move(rest);
  if (model_->avatar.constraints.empty()) return {};
  auto free = std::make_shared<Model>(*model_);
  free->avatar.constraints.clear();
  deform::PrepareOptions channels;
  channels.normals = model_->dimension == seen;
  auto deformer = deform::SceneDeformer::create(*free, need(instances(*free, scene_)), channels);
  if (!deformer) return Unexpected(deformer.error());
  free_model_ = std::move(free);
  free_deformer_ = *std::move(deformer);
  return {};
}

/// Fills rows_ and normal_rows_.
Result<> Viewer::place(const Pose& pose, bool bound) {
  const std::size_t n = model_->dimension, vertices = deformer_.vertices();
  rows_.resize(vertices * n);
  if (normals_) normal_rows_.resize(vertices * n);
  deform::Output rows{{rows_.data(), vertices, n}, {}, {}};
  if (normals_) rows.normals = {normal_rows_.data(), vertices, n};
  deform::SceneDeformer& deformer = bound && free_deformer_ ? *free_deformer_ : deformer_;
  if (auto done = deformer.run(pose, rows, threads_); !done) return done;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t v = 0; origin_[i] != 0 && v < vertices; ++v)
      rows_[v * n + i] = static_cast<float>(double{rows_[v * n + i]} - origin_[i]);
  return {};
}

std::vector<std::size_t> Viewer::rows_of_file() const {
  std::vector<std::size_t> out;
  for (std::size_t before = 0; const Instance& instance : deformer_.instances()) {
    std::size_t next = before;
    for (const VertexBlock& block : model_->meshes[instance.mesh].blocks) {
      const auto numbered = std::ranges::find(block.attributes, number_name, &Attribute::custom);
      std::vector<float> numbers;
      if (numbered != block.attributes.end()) numbers = need(deform::blend_rows(*numbered, {}, block.vertices));
      for (std::size_t v = 0; v < block.vertices; ++v)
        out.push_back(numbers.empty() ? next + v : before + static_cast<std::size_t>(numbers[v]));
      next = std::max(
          next, block.vertices == 0 ? next : *std::max_element(out.end() - static_cast<std::ptrdiff_t>(block.vertices), out.end()) + 1);
    }
    before = next;
  }
  return out;
}

std::string Viewer::description() const {
  JsonWriter json;
  json.begin_object();
  json.key("file").string(file_name(*model_));
  json.key("format").string(model_->format);
  json.key("revision").string(model_->revision);
  json.key("dimension").integer(model_->dimension);
  json.key("facesBack").boolean(io::faces_back(*model_));
  json.key("vertices").integer(vertices_);
  json.key("rows").integer(deformer_.vertices());
  write_index(json, "clip", clip_);
  json.key("center").begin_array();
  for (std::size_t i = 0; i < flattener_->center().size(); ++i) json.number(flattener_->center()[i] + origin_[i]);
  json.end_array();
  json.key("radius").number(flattener_->radius());
  json.key("boxes").boolean(start_.edit.nodes.empty() && start_.edit.amounts.empty() && model_->dimension <= most_box_axes);
  write_nodes(json, *model_, scene_);
  write_clips(json, *model_);
  write_expressions(json, *model_, expressions_);
  json.key("gaze").boolean(has_gaze(model_->avatar));
  json.key("instances").begin_array();
  Pose pose = start_.base;
  const bool edited = apply(start_.edit, *model_, pose).has_value();
  for (std::size_t i = 0; i < deformer_.instances().size(); ++i)
    write_instance(json, *model_, deformer_.instances()[i], edited ? pose : start_.base, deformer_.first(i),
                   deformer_.first(i + 1) - deformer_.first(i));
  json.end_array();
  looks_.write_materials(json);
  json.key("pieces").begin_array();
  for (const DrawnSurface& piece : pieces_) {
    json.begin_object();
    json.key("instance").integer(piece.instance);
    json.key("surface").integer(piece.surface);
    json.key("corners").integer(piece.corners);
    write_index(json, "material", piece.material);
    json.key("colors").boolean(piece.colors);
    json.key("normals").boolean(piece.normals);
    write_index(json, "cut", piece.cut);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return std::move(json).take();
}

std::string Viewer::geometry() const {
  Packet packet;
  for (std::size_t p = 0; p < pieces_.size(); ++p) packet.add(format_text("piece{}", p), pieces_[p].indices, pieces_[p].corners);
  looks_.add_to(packet);
  return std::move(packet).take();
}

Result<std::string> Viewer::stored_pose() SINEW_TRY {
  ViewState state;
  state.look.offsets.assign(model_->dimension > seen ? model_->dimension - seen : 0, 0.0);
  auto shown = frame(state);
  if (!shown) return Unexpected(shown.error());
  // The bits that a picture shows: all others would not compress.
  for (std::vector<float>* const list : {&shown->flat.positions, &shown->flat.hidden})
    for (float& value : *list) value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xFFFFFC00u);
  Packet packet;
  for (std::size_t p = 0; p < pieces_.size(); ++p) packet.add(format_text("piece{}", p), pieces_[p].indices, pieces_[p].corners);
  shown->flat.add_to(packet);
  packet.add("heads", shown->heads, seen);
  packet.add("tails", shown->tails, seen);
  if (!shown->shown.empty()) packet.add("shown", shown->shown, 1);
  return std::move(packet).take();
}
SINEW_CATCH()

Result<Frame> Viewer::frame(const ViewState& state) {
  const auto pose = pose_at(*model_, start_, state);
  if (!pose) return Unexpected(pose.error());
  if (auto done = place(*pose, state.bound); !done) return Unexpected(done.error());
  const auto as_rows = [n = model_->dimension](const std::vector<float>& values) {
    return strided_view<const float>(values.data(), n == 0 ? 0 : values.size() / n, n);
  };
  ProjectionChoice look = state.look;
  for (std::size_t i = 0; i < look.offsets.size(); ++i) look.offsets[i] -= origin_[seen + i];
  auto flat = flattener_->vertices(as_rows(rows_), look);
  if (!flat) return Unexpected(flat.error());
  std::vector<float> heads, tails;
  ends_of_bones(*model_, need(world_transforms(*model_, *pose)), origin_, heads, tails);
  Frame frame{*std::move(flat), normal_rows_, flattener_->points(as_rows(heads), look), flattener_->points(as_rows(tails), look), {}, {},
              shown_at(state)};
  if (auto done = add_box(state, look, frame); !done) return Unexpected(done.error());
  return frame;
}

std::vector<std::uint32_t> Viewer::shown_at(const ViewState& state) const {
  const std::vector<bool> visible =
      need(animate::visible_nodes(*model_, state.clip == none ? nullptr : &model_->clips[state.clip], state.time));
  std::vector<std::uint32_t> shown;
  for (const DrawnSurface& piece : pieces_) shown.push_back(visible[deformer_.instances()[piece.instance].node] ? 1 : 0);
  if (std::ranges::find(shown, 0u) == shown.end()) shown.clear();
  return shown;
}

// The box is that of the stored clip. Bones that were turned by hand may leave it; the page says so.
Result<> Viewer::add_box(const ViewState& state, const ProjectionChoice& look, Frame& frame) {
  const std::size_t n = model_->dimension;
  if (!state.box || n > most_box_axes) return {};
  auto known = boxes_.find(state.clip);
  if (known == boxes_.end()) {
    Model based = *model_;
    based.rest_pose = start_.base;
    operations::BoundsOptions options;
    options.scene = scene_;
    options.clips.emplace();
    if (state.clip != none) options.clips->push_back(state.clip);
    options.threads = threads_;
    auto found = operations::bounds(based, options);
    if (!found) return Unexpected(found.error());
    known = boxes_.emplace(state.clip, state.clip == none ? std::move(found->rest) : std::move(found->clips.front().box)).first;
  }
  const operations::Box& box = known->second;
  if (box.empty()) return {};
  std::vector<float> corners;
  for (std::size_t corner = 0; corner < std::size_t{1} << n; ++corner)
    for (std::size_t i = 0; i < n; ++i)
      corners.push_back(static_cast<float>(double{(corner >> i & 1) != 0 ? box.max[i] : box.min[i]} - origin_[i]));
  frame.box = flattener_->points({corners.data(), corners.size() / std::max<std::size_t>(n, 1), n}, look);
  frame.sides = box.min;
  frame.sides.insert(frame.sides.end(), box.max.begin(), box.max.end());
  return {};
}

void Viewer::add_paint(const Flat& flat, Packet& packet) const {
  for (const Flat::Cut& cut : flat.cuts) {
    const CornerLook& look = corner_looks_[cut.simplexes];
    const std::size_t before = look.colors ? 4 : 0, width = before + look.coordinates;
    std::vector<float> paint, map;
    for (std::size_t at = 0; width != 0 && at + width <= cut.values.size(); at += width) {
      const float* const row = &cut.values[at];
      std::array<float, 4> color{1, 1, 1, 1};
      if (look.volume != nullptr) color = look.volume->sample(row + before);
      for (std::size_t k = 0; k < before; ++k) color[k] *= row[k];
      if (look.colors || look.volume != nullptr) paint.insert(paint.end(), color.begin(), color.end());
      if (look.coordinates == 2) map.insert(map.end(), row + before, row + width);
    }
    if (!paint.empty()) packet.add(format_text("paint{}", cut.simplexes), paint, 4);
    if (!map.empty()) packet.add(format_text("map{}", cut.simplexes), map, 2);
  }
}

Result<std::string> Viewer::frame(std::string_view state) SINEW_TRY {
  const auto chosen = read_state(state, *model_);
  if (!chosen) return Unexpected(chosen.error());
  const auto seen_now = frame(*chosen);
  if (!seen_now) return Unexpected(seen_now.error());
  Packet packet;
  seen_now->flat.add_to(packet);
  add_paint(seen_now->flat, packet);
  if (normals_) packet.add("normals", seen_now->normals, seen);
  packet.add("heads", seen_now->heads, seen);
  packet.add("tails", seen_now->tails, seen);
  if (!seen_now->box.empty()) {
    packet.add("box", seen_now->box, seen);
    packet.add("sides", seen_now->sides, model_->dimension);
  }
  if (!seen_now->shown.empty()) packet.add("shown", seen_now->shown, 1);
  return std::move(packet).take();
}
SINEW_CATCH()

// Uses a palette in which every map moves all points to one point: to 1 on the first axis for the slots of the joint, to 0 for all others.
// The deformed vertex is then the sum of its weights for the joint.
Result<std::string> Viewer::weights(Index node) const SINEW_TRY {
  const std::size_t n = model_->dimension;
  if (node >= model_->nodes.size() || n == 0)
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, format_text("node {} does not exist", node)));
  std::vector<float> points(deformer_.vertices() * n), weights(deformer_.vertices());
  for (std::size_t i = 0; i < deformer_.instances().size(); ++i) {
    const Instance& instance = deformer_.instances()[i];
    if (instance.skin == none) continue;
    Affine nothing(n, std::vector<double>(n * (n + 1)));
    Affine one = nothing;
    one.translation(0) = 1;
    deform::Palette palette(n);
    for (const Index slot : model_->skins[instance.skin].slots) need(palette.push_back(slot == node ? one : nothing));
    need(palette.push_back(nothing));
    const strided_view<float> all(points.data(), deformer_.vertices(), n);
    const std::size_t count = deformer_.first(i + 1) - deformer_.first(i);
    deform::run_parallel(deformer_.prepared(i), palette, {}, {all.rows(deformer_.first(i), count), {}, {}}, threads_);
  }
  for (std::size_t v = 0; v < weights.size(); ++v) weights[v] = points[v * n];
  Packet packet;
  packet.add("weights", weights, 1);
  return std::move(packet).take();
}
SINEW_CATCH()

Result<std::string> Viewer::distances() const SINEW_TRY {
  std::vector<float> heat;
  for (const Instance& instance : deformer_.instances())
    for (const VertexBlock& block : model_->meshes[instance.mesh].blocks) {
      const std::vector<float> own = heat_of(block);
      heat.insert(heat.end(), own.begin(), own.end());
    }
  Packet packet;
  packet.add("distances", heat, 1);
  return std::move(packet).take();
}
SINEW_CATCH()

Result<std::string> Viewer::pose_file(std::string_view state) const SINEW_TRY {
  const auto chosen = read_state(state, *model_);
  if (!chosen) return Unexpected(chosen.error());
  const auto pose = pose_at(*model_, start_, *chosen);
  if (!pose) return Unexpected(pose.error());
  return pose_text(*model_, *pose);
}
SINEW_CATCH()

}  // namespace sinew::show

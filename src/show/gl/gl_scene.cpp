// SPDX-License-Identifier: MIT
#include "show/gl/gl_scene.hpp"

#include <algorithm>
#include <bit>

#include "base/guard.hpp"
#include "deform/packed.hpp"
#include "show/gl/functions.hpp"
#include "show/gl/shaders.hpp"
#include "show/mirrored.hpp"

namespace sinew::show {

using namespace gl;

namespace {

/// Two vec4 for each offset of a vertex: the shape and the position offset, then the normal offset.
struct OffsetRow {
  float shape_bits, x, y, z;
  float normal_x, normal_y, normal_z, unused;
};

/// The offsets of a block by vertex, stored like influences; zero offsets are omitted.
struct OffsetRows {
  std::vector<std::uint32_t> first;
  std::vector<OffsetRow> rows;
};

void scatter(const deform::PackedChannel& channel, bool normals, std::vector<std::vector<OffsetRow>>& by_vertex) {
  for (const deform::PackedOffsets& offsets : channel.offsets) {
    const std::size_t count = offsets.sparse ? offsets.rows.size() : by_vertex.size();
    for (std::size_t i = 0; i < count; ++i) {
      const float* d = offsets.values.data() + i * 3;
      if (d[0] == 0 && d[1] == 0 && d[2] == 0) continue;
      const float shape = std::bit_cast<float>(static_cast<std::uint32_t>(offsets.shape));
      by_vertex[offsets.sparse ? offsets.rows[i] : i].push_back(normals ? OffsetRow{shape, 0, 0, 0, d[0], d[1], d[2], 0}
                                                                        : OffsetRow{shape, d[0], d[1], d[2], 0, 0, 0, 0});
    }
  }
}

OffsetRows offset_rows(const deform::PackedBlock& block) {
  std::vector<std::vector<OffsetRow>> by_vertex(block.vertices);
  scatter(block.positions, false, by_vertex);
  scatter(block.normals, true, by_vertex);
  OffsetRows out;
  out.first.push_back(0);
  for (const auto& rows : by_vertex) {
    out.rows.insert(out.rows.end(), rows.begin(), rows.end());
    out.first.push_back(static_cast<std::uint32_t>(out.rows.size()));
  }
  return out;
}

/// Interleaves slots and weights.
std::vector<std::uint32_t> influence_rows(const deform::PackedBlock& block) {
  std::vector<std::uint32_t> rows;
  rows.reserve(block.slot.size() * 2);
  for (std::size_t i = 0; i < block.slot.size(); ++i) {
    rows.push_back(block.slot[i]);
    rows.push_back(std::bit_cast<std::uint32_t>(block.weight[i]));
  }
  return rows;
}

bool has_offsets(const deform::PackedBlock& block) { return !block.positions.offsets.empty() || !block.normals.offsets.empty(); }

}  // namespace

Result<Programs> Programs::create() {
  const std::string vertex = shaders::vertex(), surface = shaders::surface(), lines = shaders::thick_lines(), discs = shaders::discs(),
                    thick = shaders::thick_fragment();
  auto surfaces = gl::make_program({.vertex = vertex, .fragment = surface});
  if (!surfaces) return Unexpected(surfaces.error());
  auto line_program = gl::make_program({.vertex = vertex, .geometry = lines, .fragment = thick});
  if (!line_program) return Unexpected(line_program.error());
  auto point_program = gl::make_program({.vertex = vertex, .geometry = discs, .fragment = thick});
  if (!point_program) return Unexpected(point_program.error());
  return Programs{std::move(*surfaces), std::move(*line_program), std::move(*point_program)};
}

GlScene::GlScene(Scene& scene, const Programs& programs, const Look& look)
    : scene_(scene), programs_(programs), look_(look), vertex_array_(gl::make_vertex_array()) {
  if (!gl::has_vertex_storage(shaders::storage_buffers)) look_.deform_by = DeformBy::library;
  std::map<const void*, std::shared_ptr<Mesh>> made;
  for (std::size_t i = 0; i < scene.instances().size(); ++i) {
    gl::keep_room(room_to_upload);
    InstanceState& state = instances_.emplace_back();
    const deform::Prepared& prepared = scene.deformer().prepared(i);
    // If the library deforms, every instance has its own vertices.
    std::shared_ptr<Mesh> own;
    std::shared_ptr<Mesh>& mesh = look_.deform_by == DeformBy::shader ? made[&prepared.packed()] : own;
    if (!mesh) mesh = std::make_shared<Mesh>(upload(i));
    state.mesh = mesh;
    state.shown = scene.instances()[i].visible;
    state.palette = gl::make_buffer(std::vector<float>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0});
    state.amounts = gl::make_buffer(std::span<const std::byte>());
    for (const Piece& piece : scene.body(i).pieces)
      if (piece.corners == 1) points_ += piece.elements.size();
    if (!look_.has_heat()) continue;
    for (std::size_t b = 0; b < mesh->blocks.size(); ++b)
      state.heat.push_back(gl::make_buffer(look_.heat ? heat_of(scene.model().meshes[scene.instances()[i].mesh].blocks[b])
                                                      : weights_of(scene, i, prepared, b, look_.weights_of)));
  }
  load_textures(look.most_texels);
  rest_world_ = need(world_transforms(scene.model(), scene.model().rest_pose));
}

GlScene::Mesh GlScene::upload(std::size_t instance) const {
  const Body& body = scene_.body(instance);
  const deform::Prepared::Packed& packed = scene_.deformer().prepared(instance).packed();
  std::vector<bool> used(packed.blocks.size());
  Mesh mesh;
  for (std::size_t p = 0; p < body.pieces.size(); ++p) {
    const Piece& piece = body.pieces[p];
    used[piece.block] = true;
    Part& part = mesh.parts.emplace_back();
    part.piece = p;
    part.elements = gl::make_buffer(piece.elements);
    part.element_count = piece.elements.size();
    part.edges = gl::make_buffer(piece.edges);
    part.edge_count = piece.edges.size();
  }
  for (std::size_t b = 0; b < packed.blocks.size(); ++b) {
    const deform::PackedBlock& from = packed.blocks[b];
    Block& block = mesh.blocks.emplace_back();
    block.vertices = from.vertices;
    block.has_normals = !from.normals.empty();
    if (!used[b]) continue;
    block.positions = gl::make_buffer(from.positions.values);
    block.normals = gl::make_buffer(from.normals.values);
    block.texcoord_width = body.looks[b].texcoords.width;
    if (block.texcoord_width != 0) block.texcoords = gl::make_buffer(body.looks[b].texcoords.values);
    if (!body.looks[b].colors.empty()) block.colors = gl::make_buffer(body.looks[b].colors);
    if (look_.deform_by == DeformBy::library) continue;
    block.skinned = from.skinned;
    block.blended = has_offsets(from);
    if (block.skinned) {
      block.influence_first = gl::make_buffer(from.row_first);
      block.influences = gl::make_buffer(influence_rows(from));
    }
    if (block.blended) {
      const OffsetRows offsets = offset_rows(from);
      block.offset_first = gl::make_buffer(offsets.first);
      block.offsets = gl::make_buffer(offsets.rows);
    }
  }
  return mesh;
}

void GlScene::show(const std::vector<bool>& nodes) {
  for (std::size_t i = 0; i < instances_.size(); ++i) instances_[i].shown = nodes[scene_.instances()[i].node];
}

Result<> GlScene::pose(const Pose& pose) {
  const std::vector<Affine> world = need(world_transforms(scene_.model(), pose));
  for (std::size_t i = 0; i < instances_.size(); ++i) instances_[i].mirrored = is_mirrored(scene_.model(), scene_.instances()[i], world);
  return look_.deform_by == DeformBy::shader ? pose_by_shader(pose) : pose_by_library(pose);
}

Result<> GlScene::pose_by_shader(const Pose& pose) {
  const std::vector<Affine> world = need(world_transforms(scene_.model(), pose));
  deform::Palette palette(3);
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    const Instance& instance = scene_.instances()[i];
    if (auto made = deform::palette(scene_.model(), instance, world, rest_world_, palette); !made) return made;
    InstanceState& state = instances_[i];
    state.node_map = static_cast<int>(palette.size()) - 1;
    gl::fill_buffer(state.palette, palette.columns<float>());
    std::vector<float> amounts(scene_.deformer().prepared(i).shapes(), 0.0F);
    const std::vector<double>& given = pose.amounts[instance.node];
    for (std::size_t s = 0; s < std::min(amounts.size(), given.size()); ++s) amounts[s] = static_cast<float>(given[s]);
    gl::fill_buffer(state.amounts, std::span<const float>(amounts));
  }
  return {};
}

Result<> GlScene::pose_by_library(const Pose& pose) {
  deform::SceneDeformer& deformer = scene_.deformer();
  const std::size_t rows = deformer.vertices();
  std::vector<float> positions(rows * 3), normals(rows * 3);
  const deform::Output output{{positions.data(), rows, 3}, {normals.data(), rows, 3}, {}};
  if (auto done = deformer.run(pose, output, look_.threads); !done) return done;
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    std::size_t first = deformer.first(i);
    for (const Block& block : instances_[i].mesh->blocks) {
      const auto part = [&](const std::vector<float>& values) { return std::span(values).subspan(first * 3, block.vertices * 3); };
      if (block.positions) gl::fill_buffer(block.positions, part(positions));
      if (block.positions && block.has_normals) gl::fill_buffer(block.normals, part(normals));
      first += block.vertices;
    }
  }
  return {};
}

Result<std::vector<float>> GlScene::deformed() const {
  const std::string vertex = shaders::vertex(), fragment = shaders::surface();
  const auto program = gl::make_program({.vertex = vertex, .fragment = fragment, .captured = {"Vertex.seen", "Vertex.normal"}});
  if (!program) return Unexpected(program.error());
  std::vector<float> all(scene_.deformer().vertices() * 6, 0.0F);
  glUseProgram(program->name());
  glUniform1f(glGetUniformLocation(program->name(), "scale"), 1);   // world coordinates
  glUniform1i(glGetUniformLocation(program->name(), "volume"), 1);  // samplers of different types need different units
  glBindVertexArray(vertex_array_.name());
  glEnable(GL_RASTERIZER_DISCARD);
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    std::size_t first = scene_.deformer().first(i);
    const InstanceState& instance = instances_[i];
    for (std::size_t b = 0; b < instance.mesh->blocks.size(); ++b) {
      const Block& block = instance.mesh->blocks[b];
      if (block.positions && block.vertices != 0) {
        const std::span<float> rows = std::span(all).subspan(first * 6, block.vertices * 6);
        const gl::Object captured = gl::make_buffer(std::as_bytes(rows));
        bind_block(instance, b);
        glUniform1i(glGetUniformLocation(program->name(), "skinned"), block.skinned);
        glUniform1i(glGetUniformLocation(program->name(), "blended"), block.blended);
        glUniform1i(glGetUniformLocation(program->name(), "node_map"), instance.node_map);
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, captured.name());
        glBeginTransformFeedback(GL_POINTS);
        glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(block.vertices));
        glEndTransformFeedback();
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
        glBindBuffer(GL_ARRAY_BUFFER, captured.name());
        glGetBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(rows.size_bytes()), rows.data());
      }
      first += block.vertices;
    }
  }
  glDisable(GL_RASTERIZER_DISCARD);
  return all;
}

}  // namespace sinew::show

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "model/place.hpp"
#include "show/distinct_pictures.hpp"
#include "show/gl/functions.hpp"
#include "show/gl/gl_scene.hpp"
#include "show/gl/shaders.hpp"

namespace sinew::show {

using namespace gl;

namespace {

using Color = std::array<float, 4>;  // linear

constexpr Color clay{0.50F, 0.58F, 0.70F, 1};  // surfaces without a material
constexpr Color ink{0.03F, 0.14F, 0.40F, 1};   // lines and points without a material
constexpr Color edge{0.02F, 0.03F, 0.05F, 0.8F};

constexpr Color bone{0.92F, 0.30F, 0.03F, 1};
constexpr Color joint{0.30F, 0.07F, 0.01F, 1};

constexpr double joint_size = 9;
constexpr double line_width = 2.6, edge_width = 1.3;        // in pixels, for a picture whose shorter side has 600
constexpr double smallest_point = 3.2, largest_point = 16;  // diameters

// viridis (Smith and van der Walt, matplotlib, CC0), 16 samples, linear.
constexpr float heat_colors[16 * 3] = {
#include "show/heat_colors.inc"
};

/// Uniforms by name; those that a program does not use are ignored.
class Uniforms {
 public:
  explicit Uniforms(const gl::Object& program) : program_(program.name()) { glUseProgram(program_); }
  void set(const char* name, int value) const { glUniform1i(at(name), value); }
  void set(const char* name, bool value) const { glUniform1i(at(name), value ? 1 : 0); }
  void set(const char* name, double value) const { glUniform1f(at(name), static_cast<float>(value)); }
  void set(const char* name, const Color& value) const { glUniform4fv(at(name), 1, value.data()); }
  void set(const char* name, const std::array<double, 3>& v) const {
    glUniform3f(at(name), static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2]));
  }
  void set(const char* name, const Matrix4& value) const { glUniformMatrix4fv(at(name), 1, GL_FALSE, value.data()); }
  [[nodiscard]] GLint at(const char* name) const { return glGetUniformLocation(program_, name); }

 private:
  gl::Name program_;
};

void bind_attribute(shaders::Attribute place, const gl::Object* buffer, GLint width, Color otherwise) {
  if (buffer == nullptr || !*buffer) {
    glDisableVertexAttribArray(place);
    glVertexAttrib4fv(place, otherwise.data());
    return;
  }
  glBindBuffer(GL_ARRAY_BUFFER, buffer->name());
  glEnableVertexAttribArray(place);
  glVertexAttribPointer(place, width, GL_FLOAT, GL_FALSE, 0, nullptr);
}

void bind_storage(shaders::Binding place, const gl::Object& buffer) {
  if (buffer) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, place, buffer.name());
}

GLint wrap_of(Appearance::Wrap wrap) {
  switch (wrap) {
    case Appearance::Wrap::clamp:
      return GL_CLAMP_TO_EDGE;
    case Appearance::Wrap::mirror:
      return GL_MIRRORED_REPEAT;
    case Appearance::Wrap::repeat:
      break;
  }
  return GL_REPEAT;
}

gl::Object make_texture(const Picture& picture, const Appearance::Texture& how) {
  gl::Name name = 0;
  glGenTextures(1, &name);
  gl::Object texture(name, [](gl::Name gone) { glDeleteTextures(1, &gone); });
  glBindTexture(GL_TEXTURE_2D, name);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, static_cast<GLsizei>(picture.width), static_cast<GLsizei>(picture.height), 0, GL_RGBA,
               GL_UNSIGNED_BYTE, picture.rgba.data());
  glGenerateMipmap(GL_TEXTURE_2D);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap_of(how.wrap_s));
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap_of(how.wrap_t));
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, how.nearest ? GL_NEAREST : GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  return texture;
}

gl::Object make_texture(const Volume& volume) {
  gl::Name name = 0;
  glGenTextures(1, &name);
  gl::Object texture(name, [](gl::Name gone) { glDeleteTextures(1, &gone); });
  glBindTexture(GL_TEXTURE_3D, name);
  const auto side = [&](std::size_t axis) { return static_cast<GLsizei>(volume.size()[axis]); };
  glTexImage3D(GL_TEXTURE_3D, 0, GL_SRGB8_ALPHA8, side(0), side(1), side(2), 0, GL_RGBA, GL_UNSIGNED_BYTE, volume.rgba().data());
  glGenerateMipmap(GL_TEXTURE_3D);
  constexpr std::array<GLenum, 3> axes{GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R};
  for (std::size_t axis = 0; axis < axes.size(); ++axis) glTexParameteri(GL_TEXTURE_3D, axes[axis], wrap_of(volume.wrap()[axis]));
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, volume.nearest() ? GL_NEAREST : GL_LINEAR);
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  return texture;
}

}  // namespace

void GlScene::load_textures(std::size_t most_texels) {
  std::vector<bool> used(scene_.appearances().size());
  for (std::size_t i = 0; i < instances_.size(); ++i)
    for (const Piece& piece : scene_.body(i).pieces)
      if (const Index material = scene_.material_of(i, piece); material != none) used[material] = true;
  GLint side = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
  GLint deepest = 0;
  glGetIntegerv(GL_MAX_3D_TEXTURE_SIZE, &deepest);
  DistinctPictures pictures;
  using Shared = std::shared_ptr<const gl::Object>;
  std::map<const Volume*, Shared> volumes;
  std::map<std::tuple<std::size_t, Appearance::Wrap, Appearance::Wrap, bool>, Result<Shared>> textures;
  for (Index m = 0; m < used.size(); ++m) {
    const Volume* const volume = used[m] && look_.volumes != nullptr ? look_.volumes->of(m) : nullptr;
    if (volume != nullptr && std::ranges::max(volume->size()) <= static_cast<std::size_t>(deepest)) {
      Shared& made = volumes[volume];
      if (!made) made = std::make_shared<const gl::Object>(make_texture(*volume));
      volumes_.emplace(m, made);
    }
    const auto& texture = scene_.appearances()[m].texture;
    if (!used[m] || !texture) continue;
    const auto [known, is_new] = textures.try_emplace({pictures.number(*texture), texture->wrap_s, texture->wrap_t, texture->nearest});
    Result<Shared>& made = known->second;
    if (is_new) {
      keep_room(room_to_upload);
      auto picture = decode_picture(texture->image, most_texels);
      if (!picture)
        made = Unexpected(std::move(picture.error()));
      else if (std::max(picture->width, picture->height) <= static_cast<std::size_t>(side))
        made = std::make_shared<const gl::Object>(make_texture(*picture, *texture));
    }
    if (made && *made) textures_.emplace(m, *made);
    if (made) continue;
    Error note = made.error();
    const Model& model = scene_.model();
    if (model.source) note.place = place_of(model, model.materials[m]);
    scene_.notes().push_back(std::move(note));
  }
}

void GlScene::bind_block(const InstanceState& instance, std::size_t number) const {
  const Block& block = instance.mesh->blocks[number];
  bind_attribute(shaders::position, &block.positions, 3, {0, 0, 0, 1});
  bind_attribute(shaders::normal, block.has_normals ? &block.normals : nullptr, 3, {0, 0, 0, 0});
  bind_attribute(shaders::texcoord, &block.texcoords, static_cast<GLint>(block.texcoord_width), {0, 0, 0, 0});
  bind_attribute(shaders::color, &block.colors, 4, {1, 1, 1, 1});
  bind_attribute(shaders::heat, instance.heat.empty() ? nullptr : &instance.heat[number], 1, {0, 0, 0, 0});
  bind_storage(shaders::palette, instance.palette);
  bind_storage(shaders::amounts, instance.amounts);
  bind_storage(shaders::influence_first, block.influence_first);
  bind_storage(shaders::influences, block.influences);
  bind_storage(shaders::offset_first, block.offset_first);
  bind_storage(shaders::offsets, block.offsets);
}

/// One surface of one instance.
struct GlScene::Draw {
  const InstanceState* instance;
  const Part* part;
  const Piece* piece;
  const Appearance* look;
  const gl::Object *texture, *volume;
};

void GlScene::set_uniforms(const gl::Object& program, const Camera& camera, std::array<std::size_t, 2> pixels, double scale) const {
  const Uniforms uniforms(program);
  uniforms.set("clip_from_seen", camera.clip_from_seen);
  uniforms.set("scale", camera.scale);
  uniforms.set("origin", camera.origin);
  uniforms.set("eye", camera.eye);
  std::array<double, 3> lamp{};
  for (std::size_t i = 0; i < 3; ++i) lamp[i] = -0.42 * camera.right[i] + 0.55 * camera.up[i] + 0.72 * camera.back[i];
  const double length = std::sqrt(std::inner_product(lamp.begin(), lamp.end(), lamp.begin(), 0.0));
  for (double& part : lamp) part /= length;
  uniforms.set("lamp", lamp);
  uniforms.set("up", std::array<double, 3>{0, 1, 0});
  uniforms.set("camera_right", camera.right);
  uniforms.set("camera_up", camera.up);
  uniforms.set("camera_back", camera.back);
  glUniform2f(uniforms.at("pixels"), static_cast<float>(pixels[0]), static_cast<float>(pixels[1]));
  glUniform3fv(uniforms.at("heat_colors"), 16, heat_colors);
  uniforms.set("picture", 0);
  uniforms.set("volume", 1);
  const double unit = static_cast<double>(std::min(pixels[0], pixels[1])) / 600;
  if (program.name() == programs_.lines.name()) uniforms.set("width", std::max(line_width * unit, 1.2 * scale));
  const double share = points_ == 0 ? 0 : 0.8 * std::sqrt(static_cast<double>(pixels[0] * pixels[1]) / static_cast<double>(points_));
  if (program.name() == programs_.points.name()) uniforms.set("width", std::clamp(share, smallest_point * unit, largest_point * unit));
  uniforms.set("nearer", 0.0);
}

void GlScene::draw_part(const Draw& draw) const {
  const Piece& piece = *draw.piece;
  const Block& block = draw.instance->mesh->blocks[piece.block];
  const gl::Object& program = piece.corners == 3 ? programs_.surfaces : piece.corners == 2 ? programs_.lines : programs_.points;
  const Uniforms uniforms(program);
  bind_block(*draw.instance, piece.block);
  uniforms.set("skinned", block.skinned);
  uniforms.set("blended", block.blended);
  uniforms.set("node_map", draw.instance->node_map);
  Color base = block.colors ? Color{1, 1, 1, 1} : piece.corners == 3 ? clay : ink;
  if (draw.look != nullptr)
    std::transform(draw.look->color.begin(), draw.look->color.end(), base.begin(), [](double part) { return static_cast<float>(part); });
  uniforms.set("base", base);
  uniforms.set("balls", piece.corners == 1);
  uniforms.set("heat_map", look_.has_heat());
  uniforms.set("smooth_normals", block.has_normals);
  uniforms.set("unlit", draw.look != nullptr && draw.look->unlit);
  uniforms.set("alpha_mode", draw.look == nullptr ? 0 : static_cast<int>(draw.look->alpha));
  uniforms.set("cutoff", draw.look == nullptr ? 0.5 : draw.look->cutoff);
  uniforms.set("textured", draw.texture != nullptr && block.texcoord_width == 2);
  uniforms.set("in_volume", draw.volume != nullptr && block.texcoord_width == 3);
  if (draw.volume != nullptr) {
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_3D, draw.volume->name());
  }
  if (draw.texture != nullptr) {
    float matrix[9];
    std::transform(draw.look->texture->transform.begin(), draw.look->texture->transform.end(), matrix,
                   [](double part) { return static_cast<float>(part); });
    glUniformMatrix3fv(uniforms.at("texture_from_texcoord"), 1, GL_FALSE, matrix);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, draw.texture->name());
  }
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, draw.part->elements.name());
  const GLenum kind = piece.corners == 3 ? GL_TRIANGLES : piece.corners == 2 ? GL_LINES : GL_POINTS;
  const auto count = static_cast<GLsizei>(draw.part->element_count);
  if (piece.corners != 3 || draw.look == nullptr || draw.look->alpha != Appearance::Alpha::blend || look_.has_heat()) {
    const bool cull = piece.corners == 3 && draw.look != nullptr && !draw.look->double_sided;
    cull ? glEnable(GL_CULL_FACE) : glDisable(GL_CULL_FACE);
    glCullFace(GL_BACK);
    glFrontFace(draw.instance->mirrored ? GL_CW : GL_CCW);
    glDrawElements(kind, count, GL_UNSIGNED_INT, nullptr);
    return;
  }
  // Transparent: draw the back faces first, without writing depth.
  glEnable(GL_CULL_FACE);
  glFrontFace(draw.instance->mirrored ? GL_CW : GL_CCW);
  glDepthMask(GL_FALSE);
  for (const GLenum hidden : {GLenum{GL_FRONT}, GLenum{GL_BACK}}) {
    if (hidden == GL_FRONT && !draw.look->double_sided) continue;
    glCullFace(hidden);
    glDrawElements(kind, count, GL_UNSIGNED_INT, nullptr);
  }
  glDepthMask(GL_TRUE);
}

std::vector<GlScene::Draw> GlScene::order() const {
  std::vector<Draw> draws;
  for (std::size_t i = 0; i < instances_.size(); ++i)
    for (const Part& part : instances_[i].shown ? std::span<const Part>(instances_[i].mesh->parts) : std::span<const Part>()) {
      const Piece& piece = scene_.body(i).pieces[part.piece];
      const auto of_material = [material =
                                    scene_.material_of(i, piece)](const std::map<Index, std::shared_ptr<const gl::Object>>& textures) {
        const auto found = textures.find(material);
        return found == textures.end() ? nullptr : found->second.get();
      };
      draws.push_back({&instances_[i], &part, &piece, scene_.look_of(i, piece), of_material(textures_), of_material(volumes_)});
    }
  const auto covers = [](const Draw& draw) { return draw.look == nullptr || draw.look->alpha != Appearance::Alpha::blend; };
  std::vector<Draw> ordered;
  std::copy_if(draws.begin(), draws.end(), std::back_inserter(ordered), covers);
  std::copy_if(draws.begin(), draws.end(), std::back_inserter(ordered), [&](const Draw& draw) { return !covers(draw); });
  return ordered;
}

void GlScene::draw(const Camera& camera, std::array<std::size_t, 2> pixels, double scale) const {
  for (const gl::Object* program : {&programs_.surfaces, &programs_.lines, &programs_.points})
    set_uniforms(*program, camera, pixels, scale);
  glBindVertexArray(vertex_array_.name());
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  const std::vector<Draw> draws = order();
  keep_room(room_to_draw + room_to_draw_one * draws.size() + room_to_draw_point * points_);
  for (const Draw& draw : draws) draw_part(draw);
  if (!look_.edges) return;
  const Uniforms uniforms(programs_.lines);
  const double unit = static_cast<double>(std::min(pixels[0], pixels[1])) / 600;
  uniforms.set("width", std::max(edge_width * unit, 0.8 * scale));
  uniforms.set("nearer", 6e-4);
  uniforms.set("base", edge);
  uniforms.set("balls", false);
  glDisable(GL_CULL_FACE);
  for (const Draw& draw : draws) {
    if (draw.part->edge_count == 0) continue;
    const Block& block = draw.instance->mesh->blocks[draw.piece->block];
    bind_block(*draw.instance, draw.piece->block);
    bind_attribute(shaders::color, nullptr, 4, {1, 1, 1, 1});
    uniforms.set("skinned", block.skinned);
    uniforms.set("blended", block.blended);
    uniforms.set("node_map", draw.instance->node_map);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, draw.part->edges.name());
    glDrawElements(GL_LINES, static_cast<GLsizei>(draw.part->edge_count), GL_UNSIGNED_INT, nullptr);
  }
}

void GlScene::draw_bones(const Bones& bones, std::array<std::size_t, 2> pixels) const {
  std::vector<float> heads;
  for (const auto& head : bones.heads)
    for (const double value : head) heads.push_back(static_cast<float>(value));
  const gl::Object still = gl::make_buffer(std::vector<float>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0});
  glClear(GL_DEPTH_BUFFER_BIT);  // draw over the mesh, but with depth among the bones
  glDisable(GL_CULL_FACE);
  const auto draw = [&](const gl::Object& program, const std::vector<float>& positions, GLenum kind, const Color& color) {
    if (positions.empty()) return;
    const Uniforms uniforms(program);
    const gl::Object buffer = gl::make_buffer(positions);
    bind_attribute(shaders::position, &buffer, 3, {});
    bind_attribute(shaders::normal, nullptr, 3, {});
    bind_attribute(shaders::texcoord, nullptr, 2, {});
    bind_attribute(shaders::color, nullptr, 4, {1, 1, 1, 1});
    bind_attribute(shaders::heat, nullptr, 1, {});
    bind_storage(shaders::palette, still);
    for (const char* off : {"skinned", "blended", "heat_map", "smooth_normals", "unlit", "textured", "in_volume"}) uniforms.set(off, false);
    uniforms.set("node_map", 0);
    uniforms.set("alpha_mode", 0);
    uniforms.set("base", color);
    uniforms.set("balls", true);
    uniforms.set("nearer", 2e-3);
    uniforms.set("width", joint_size * static_cast<double>(std::min(pixels[0], pixels[1])) / 600);
    glDrawArrays(kind, 0, static_cast<GLsizei>(positions.size() / 3));
  };
  draw(programs_.surfaces, bone_triangles(bones), GL_TRIANGLES, bone);
  draw(programs_.points, heads, GL_POINTS, joint);
}

}  // namespace sinew::show

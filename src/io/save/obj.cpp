// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/save/buffered_output.hpp"
#include "io/save/flat_scene.hpp"
#include "io/save/formats.hpp"
#include "io/save/vertex_domain.hpp"

namespace sinew::io {
namespace {

/// The start of a block's lists. All lists of a Wavefront file count from 1 over the whole file. 0 = the block has no such list.
struct BlockStart {
  std::size_t vertex, texcoord, normal;
};

/// Returns a name as one word, because names end at white space.
std::string as_word(std::string name) {
  std::ranges::replace_if(name, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; }, '_');
  return name;
}
std::string material_word(const Model& model, Index material) {
  if (material == none) return "none";
  const std::string& name = model.materials[material].name;
  return name.empty() ? "material_" + std::to_string(material) : as_word(name);
}

class ObjWriter {
 public:
  ObjWriter(const Model& model, BufferedOutput& out) : model_(model), out_(out) {}

  void write(const FlatScene& scene) {
    uses_materials_ = std::ranges::any_of(scene.instances, [](const FlatInstance& instance) {
      return std::ranges::any_of(instance.surfaces, [](const FlatSurface& surface) { return surface.surface->material != none; });
    });
    if (uses_materials_) out_.text("# usemtl names the materials of the model; there is no .mtl file\n");
    for (const FlatInstance& instance : scene.instances) {
      out_.text("o " + as_word(instance.name) + "\n");
      std::vector<BlockStart> starts;
      for (const FlatBlock& block : instance.blocks) starts.push_back(write_block(*block.block));
      for (const FlatSurface& surface : instance.surfaces) write_surface(surface, starts[surface.block]);
    }
  }

 private:
  BlockStart write_block(const VertexBlock& block) {
    const BlockStart start{next_.vertex, write_rows("vt", rows_of(block, Semantic::texcoord), block.vertices, next_.texcoord),
                           write_rows("vn", rows_of(block, Semantic::normal), block.vertices, next_.normal)};
    write_rows("v", rows_of(block, Semantic::position), block.vertices, next_.vertex);
    return start;
  }

  /// Writes rows; returns the number of the first one, or 0 if there are none.
  std::size_t write_rows(std::string_view keyword, const FlatRows& rows, std::size_t count, std::size_t& next) {
    if (rows.empty()) return 0;
    const bool texcoords = keyword == "vt";
    for (std::size_t r = 0; r < count; ++r) {
      out_.text(keyword);
      out_.text(" ");
      // The origin of texture coordinates is the upper left corner in glTF, but the lower left corner in OBJ.
      if (texcoords)
        out_.line<float>(std::array{rows[r][0], 1.0F - rows[r][1]});
      else
        out_.line<float>(std::span(rows[r], 3));
    }
    const std::size_t first = next;
    next += count;
    return first;
  }

  /// The lists that the corners of a surface refer to: those of the block (numbered like its vertices) or of the surface.
  struct Corners {
    std::size_t vertex, texcoord, normal;
    FlatCorners own_texcoords, own_normals;
  };

  void write_surface(const FlatSurface& surface, const BlockStart& start) {
    const std::size_t size = surface.elements.corners;
    Corners corners{start.vertex, start.texcoord, start.normal, {}, {}};
    if (size >= 2) take_own("vt", corners_of(surface, Semantic::texcoord), next_.texcoord, corners.texcoord, corners.own_texcoords);
    if (size >= 3) take_own("vn", corners_of(surface, Semantic::normal), next_.normal, corners.normal, corners.own_normals);
    if (uses_materials_) out_.text("usemtl " + material_word(model_, surface.surface->material) + "\n");
    const std::string_view keyword = size == 1 ? "p" : size == 2 ? "l" : "f";
    const std::vector<std::uint32_t>& indices = surface.elements.indices;
    for (std::size_t i = 0; i + size <= indices.size(); i += size) {
      out_.text(keyword);
      for (std::size_t c = i; c < i + size; ++c) write_corner(c, indices[c], corners, size);
      out_.text("\n");
    }
  }

  void take_own(std::string_view keyword, FlatCorners corners, std::size_t& next, std::size_t& first, FlatCorners& own) {
    if (corners.index.empty() || (keyword == "vt" && corners.rows.width != 2)) return;
    own = std::move(corners);
    first = write_rows(keyword, own.rows, own.rows.values.size() / own.rows.width, next);
  }

  /// Writes v, v/vt, v//vn or v/vt/vn. Lines have no normals; points have only the vertex.
  void write_corner(std::size_t corner, std::uint32_t index, const Corners& corners, std::size_t size) {
    const auto place = [&](const FlatCorners& own) { return own.index.empty() ? index : own.index[corner]; };
    out_.text(" ");
    out_.number(corners.vertex + index);
    const bool texcoord = corners.texcoord != 0 && size >= 2, normal = corners.normal != 0 && size >= 3;
    if (texcoord || normal) out_.text("/");
    if (texcoord) out_.number(corners.texcoord + place(corners.own_texcoords));
    if (normal) {
      out_.text("/");
      out_.number(corners.normal + place(corners.own_normals));
    }
  }

  const Model& model_;
  BufferedOutput& out_;
  BlockStart next_{1, 1, 1};
  bool uses_materials_ = false;
};

}  // namespace

Result<> save_obj(const Model& model, const Target& to, std::vector<std::string>& notes) {
  note_what_only_g4mf_holds(model, notes);
  const FlatScene scene = flatten(model);
  auto out = BufferedOutput::create(to.path, to.name);
  if (!out) return Unexpected(std::move(out.error()));
  ObjWriter(model, *out).write(scene);
  return out->commit();
}

}  // namespace sinew::io

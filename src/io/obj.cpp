// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/buffered_output.hpp"
#include "io/flat_scene.hpp"
#include "io/formats.hpp"

namespace sinew::io {
namespace {

/// Where the lists of a block start; all lists of a Wavefront file count from 1 over the whole file. 0 = the block has no such list.
struct BlockStart {
  std::size_t vertex, texcoord, normal;
};

/// A name as one word: names end at white space and lines.
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

  /// Returns the number of the first row, or 0 where there are none.
  std::size_t write_rows(std::string_view keyword, const FlatRows& rows, std::size_t count, std::size_t& next) {
    if (rows.empty()) return 0;
    const bool texcoords = keyword == "vt";
    for (std::size_t r = 0; r < count; ++r) {
      out_.text(keyword);
      out_.text(" ");
      // The origin of texture coordinates is the upper left corner in glTF, the lower left one here.
      if (texcoords)
        out_.line<float>(std::array{rows[r][0], 1.0F - rows[r][1]});
      else
        out_.line<float>(std::span(rows[r], 3));
    }
    const std::size_t first = next;
    next += count;
    return first;
  }

  void write_surface(const FlatSurface& surface, const BlockStart& start) {
    if (uses_materials_) out_.text("usemtl " + material_word(model_, surface.surface->material) + "\n");
    const std::size_t corners = surface.elements.corners;
    const std::string_view keyword = corners == 1 ? "p" : corners == 2 ? "l" : "f";
    const std::vector<std::uint32_t>& indices = surface.elements.indices;
    for (std::size_t i = 0; i + corners <= indices.size(); i += corners) {
      out_.text(keyword);
      for (std::size_t c = 0; c < corners; ++c) write_corner(indices[i + c], start, corners);
      out_.text("\n");
    }
  }

  /// v, v/vt, v//vn or v/vt/vn; lines take no normals, points nothing but the vertex.
  void write_corner(std::uint32_t index, const BlockStart& start, std::size_t corners) {
    out_.text(" ");
    out_.number(start.vertex + index);
    const bool texcoord = start.texcoord != 0 && corners >= 2, normal = start.normal != 0 && corners >= 3;
    if (texcoord || normal) out_.text("/");
    if (texcoord) out_.number(start.texcoord + index);
    if (normal) {
      out_.text("/");
      out_.number(start.normal + index);
    }
  }

  const Model& model_;
  BufferedOutput& out_;
  BlockStart next_{1, 1, 1};
  bool uses_materials_ = false;
};

}  // namespace

Result<> save_obj(const Model& model, const std::filesystem::path& path, std::vector<std::string>& /*notes*/) {
  const FlatScene scene = flatten(model);
  auto out = BufferedOutput::create(path);
  if (!out) return Unexpected(std::move(out.error()));
  ObjWriter(model, *out).write(scene);
  return out->commit();
}

}  // namespace sinew::io

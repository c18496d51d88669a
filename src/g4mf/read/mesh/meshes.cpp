// SPDX-License-Identifier: MIT
#include "g4mf/read/mesh/meshes.hpp"

#include <algorithm>
#include <cstring>

#include "g4mf/read/mesh/blend_shapes.hpp"
#include "g4mf/read/mesh/influences.hpp"
#include "g4mf/read/mesh/surfaces.hpp"

namespace sinew::g4mf {

Array first_rows(const Array& array, std::size_t count) {
  return Array::borrow(array.data(), count, array.width(), array.stride(), array.type(), false, array.owner());
}

Checked<Array> with_width(Reading& reading, JsonValue at, const Array& array, std::size_t width) {
  if (array.width() == width) return array;
  if (array.width() > width) return Array::borrow(array.data(), array.size(), width, array.stride(), array.type(), false, array.owner());
  const std::size_t size = byte_size(array.type()), stored = array.width() * size;
  auto memory = reading.allocate(at, array.size(), width * size);  // zero bytes are the number 0 in every component type
  if (!memory) return Refused(memory.error());
  std::byte* const out = (*memory)->data();
  for (std::size_t i = 0; i < array.size(); ++i) std::memcpy(out + i * width * size, array.data() + i * array.stride(), stored);
  return Array::borrow(out, array.size(), width, width * size, array.type(), false, std::move(*memory));
}

Checked<Array> gather_rows(Reading& reading, JsonValue at, const Array& array, std::span<const std::uint32_t> rows) {
  const std::size_t size = array.width() * byte_size(array.type());
  auto memory = reading.allocate(at, rows.size(), size);
  if (!memory) return Refused(memory.error());
  std::byte* const out = (*memory)->data();
  for (std::size_t i = 0; i < rows.size(); ++i) std::memcpy(out + i * size, array.data() + rows[i] * array.stride(), size);
  return Array::borrow(out, rows.size(), array.width(), size, array.type(), false, std::move(*memory));
}

namespace {

class MeshReader {
 public:
  MeshReader(Reading& reading, Accessors& accessors, Mesh& mesh) : reading_(reading), accessors_(accessors), mesh_(mesh) {}

  void read(JsonValue value) {
    mesh_.blocks.emplace_back();
    const auto object = reading_.object<MeshObject>(value);
    identify(mesh_, value);
    if (object.defect()) return Reading::mark(mesh_, reading_.refuse(object).value());
    if (auto done = read_vertices(object); !done) return Reading::mark(mesh_, done.error());
    read_surfaces(object[MeshRow::surfaces]);
    if (const JsonValue blend = object[MeshRow::blend])
      if (auto done = read_blend(reading_, accessors_, blend, parts_, mesh_); !done) Reading::mark(mesh_, done.error());
    if (const JsonValue skin = object[MeshRow::skin])
      if (auto done = read_influences(reading_, accessors_, skin, mesh_); !done) Reading::mark(mesh_, done.error());
  }

 private:
  // Missing coordinates are 0, those beyond the dimension are left out.
  Checked<> read_vertices(const MeshObject& object) {
    const JsonValue at = object[MeshRow::vertices];
    const auto stored = accessors_.array(object, MeshRow::vertices, {});
    if (!stored) return Refused(stored.error());
    if (stored->size() >= none)
      return reading_.refuse(at, error<"SINEW_TOO_MANY_VERTICES"_code>(Failure::limit, {}, stored->size(), none - 1));
    if (!is_float(stored->type())) reading_.report<"G4MF_MESH_VERTICES_NOT_FLOAT"_code>(at, Accessors::text(*stored));
    if (stored->width() != reading_.dimension())
      reading_.report<"G4MF_MESH_VERTICES_VECTOR_SIZE"_code>(at, Accessors::text(*stored), reading_.dimension());
    auto values = with_width(reading_, at, *stored, reading_.dimension());
    if (!values) return Refused(values.error());
    parts_.vertices = stored->size();
    parts_.width = stored->width();
    VertexBlock& block = mesh_.blocks.front();
    block.vertices = stored->size();
    block.attributes.push_back({Semantic::position, 0, {}, std::move(*values), {}, {}});
    return {};
  }

  void read_surfaces(JsonValue list) {
    mesh_.surfaces.reserve(list.size());
    for (const JsonValue value : list.elements()) {
      Surface& surface = mesh_.surfaces.emplace_back();
      identify(surface, value);
      if (auto done = read_surface(reading_, accessors_, value, parts_, surface); !done) {
        Reading::mark(surface, done.error());
        Reading::mark(mesh_, done.error());
        surface.elements = {};
        surface.edges = {};
        surface.attributes.clear();
        surface.topology.reset();
        surface.primitive = Primitive::points;
        surface.indexed = true;  // nothing of it is drawn
      }
    }
  }

  Reading& reading_;
  Accessors& accessors_;
  Mesh& mesh_;
  MeshParts parts_;
};

}  // namespace

void read_meshes(Reading& reading, Accessors& accessors) {
  const JsonValue meshes = reading.root()[RootRow::meshes];
  reading.model().meshes.reserve(meshes.size());
  for (const JsonValue value : meshes.elements()) MeshReader(reading, accessors, reading.model().meshes.emplace_back()).read(value);
}

}  // namespace sinew::g4mf

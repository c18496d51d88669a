// SPDX-License-Identifier: MIT
#include "g4mf/read/mesh/meshes.hpp"

#include <cstring>

namespace sinew::g4mf {

Array first_rows(const Array& array, std::size_t count) {
  return Array::borrow(array.data(), count, array.width(), array.stride(), array.type(), false, array.owner());
}

Checked<Array> with_width(Reader& reader, JsonValue at, const Array& array, std::size_t width) {
  if (array.width() == width) return array;
  if (array.width() > width) return Array::borrow(array.data(), array.size(), width, array.stride(), array.type(), false, array.owner());
  const std::size_t size = byte_size(array.type()), stored = array.width() * size;
  auto memory = reader.allocate(at, array.size(), width * size);  // zero bytes are 0 in every component type
  if (!memory) return Refused(memory.error());
  std::byte* const out = memory->get();
  for (std::size_t i = 0; i < array.size(); ++i) std::memcpy(out + i * width * size, array.data() + i * array.stride(), stored);
  return Array::borrow(out, array.size(), width, width * size, array.type(), false, std::move(*memory));
}

Checked<Array> gather_rows(Reader& reader, JsonValue at, const Array& array, std::span<const std::uint32_t> rows) {
  const std::size_t size = array.width() * byte_size(array.type());
  auto memory = reader.allocate(at, rows.size(), size);
  if (!memory) return Refused(memory.error());
  std::byte* const out = memory->get();
  for (std::size_t i = 0; i < rows.size(); ++i) std::memcpy(out + i * size, array.data() + rows[i] * array.stride(), size);
  return Array::borrow(out, rows.size(), array.width(), size, array.type(), false, std::move(*memory));
}

namespace {

class MeshReader {
 public:
  MeshReader(Reader& reader, Accessors& accessors, Mesh& mesh) : reader_(reader), accessors_(accessors), mesh_(mesh) {}

  void read(JsonValue value) {
    mesh_.blocks.emplace_back();
    const auto object = reader_.object<MeshObject>(value);
    identify(mesh_, value);
    if (object.defect()) return Reader::mark(mesh_, reader_.refuse(object).value());
    if (auto done = read_vertices(object); !done) return Reader::mark(mesh_, done.error());
    read_surfaces(object["surfaces"]);
    if (const JsonValue blend = object["blend"])
      if (auto done = read_blend(reader_, accessors_, blend, parts_, mesh_); !done) Reader::mark(mesh_, done.error());
    if (const JsonValue skin = object["skin"])
      if (auto done = read_influences(reader_, accessors_, skin, mesh_); !done) Reader::mark(mesh_, done.error());
  }

 private:
  // Missing coordinates are 0, extra ones are dropped.
  Checked<> read_vertices(const MeshObject& object) {
    const JsonValue at = object["vertices"];
    const auto stored = accessors_.array(object, "vertices", {});
    if (!stored) return Refused(stored.error());
    if (stored->size() >= none)
      return reader_.refuse(at, error("SINEW_TOO_MANY_VERTICES"_code, Failure::limit, {}, stored->size(), none - 1));
    if (!is_float(stored->type())) reader_.report("G4MF_MESH_VERTICES_NOT_FLOAT"_code, at, Accessors::text(*stored));
    if (stored->width() != reader_.dimension())
      reader_.report("G4MF_MESH_VERTICES_VECTOR_SIZE"_code, at, Accessors::text(*stored), reader_.dimension());
    auto values = with_width(reader_, at, *stored, reader_.dimension());
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
      if (auto done = read_surface(reader_, accessors_, value, parts_, surface); !done) {
        Reader::mark(surface, done.error());
        Reader::mark(mesh_, done.error());
        surface.elements = {};
        surface.edges = {};
        surface.attributes.clear();
        surface.topology.reset();
        surface.primitive = Primitive::points;
        surface.indexed = true;  // so that it draws nothing
      }
    }
  }

  Reader& reader_;
  Accessors& accessors_;
  Mesh& mesh_;
  MeshParts parts_;
};

}  // namespace

void read_meshes(Reader& reader, Accessors& accessors) {
  const JsonValue meshes = reader.root()["meshes"];
  reader.model().meshes.reserve(meshes.size());
  for (const JsonValue value : meshes.elements()) MeshReader(reader, accessors, reader.model().meshes.emplace_back()).read(value);
}

}  // namespace sinew::g4mf

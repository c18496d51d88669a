// SPDX-License-Identifier: MIT
#include "gltf/read/buffers.hpp"

#ifdef SINEW_USE_MESHOPT
#include <meshoptimizer.h>
#else
#include "base/catalogue.hpp"
#endif

#include "gltf/read/buffers.hpp"
#include "gltf/schema/tables_applied.hpp"

namespace sinew::gltf::meshopt {

#ifdef SINEW_USE_MESHOPT

namespace {

enum class Mode : std::uint8_t { attributes, triangles, indices };
enum class Filter : std::uint8_t { nothing, octahedral, quaternion, exponential };

// What the extension's text (section "Bitstreams" and "Filters") demands of stride and count. The decoders assert it.
const char* shape_problem(Mode mode, Filter filter, std::uint64_t stride, std::uint64_t count) {
  if (mode == Mode::attributes) {
    if (stride % 4 != 0) return "the stride of ATTRIBUTES is not a multiple of 4";
    if (filter == Filter::octahedral && stride != 4 && stride != 8) return "the stride with OCTAHEDRAL is neither 4 nor 8";
    if (filter == Filter::quaternion && stride != 8) return "the stride with QUATERNION is not 8";
    return nullptr;
  }
  if (filter != Filter::nothing) return "indices must not have a filter";
  if (stride != 2 && stride != 4) return "the stride of indices is neither 2 nor 4";
  if (mode == Mode::triangles && count % 3 != 0) return "the count of TRIANGLES is not a multiple of 3";
  return nullptr;
}

bool decode_bytes(Mode mode, std::vector<std::byte>& out, std::size_t count, std::size_t stride, std::span<const std::byte> in) {
  const auto* data = reinterpret_cast<const unsigned char*>(in.data());
  switch (mode) {
    case Mode::attributes:
      return meshopt_decodeVertexBuffer(out.data(), count, stride, data, in.size()) == 0;
    case Mode::triangles:
      return meshopt_decodeIndexBuffer(out.data(), count, stride, data, in.size()) == 0;
    case Mode::indices:
      return meshopt_decodeIndexSequence(out.data(), count, stride, data, in.size()) == 0;
  }
  return false;
}

void apply(Filter filter, std::vector<std::byte>& bytes, std::size_t count, std::size_t stride) {
  switch (filter) {
    case Filter::nothing:
      return;
    case Filter::octahedral:
      return meshopt_decodeFilterOct(bytes.data(), count, stride);
    case Filter::quaternion:
      return meshopt_decodeFilterQuat(bytes.data(), count, stride);
    case Filter::exponential:
      return meshopt_decodeFilterExp(bytes.data(), count, stride);
  }
}

}  // namespace

Checked<document::Bytes> decode(Reader& reader, Buffers& buffers, JsonValue value) {
  const auto object = reader.object<MeshoptObject>(value);
  if (object.defect()) return reader.refuse(object);
  const auto buffer = reader.resolve(object, "buffer");
  if (!buffer) return Refused(buffer.error());
  const auto stride = object.integer("byteStride"), count = object.integer("count");
  const auto mode = static_cast<Mode>(object.word("mode"));
  const auto filter = static_cast<Filter>(object.word("filter"));
  if (const char* problem = shape_problem(mode, filter, stride, count)) return reader.refuse<"GLTF_MESHOPT_INVALID"_code>(value, problem);
  auto source = buffers.range(value, *buffer, object.integer("byteOffset"), object.integer("byteLength"));
  if (!source) return source;
  if (auto taken = reader.take_decoded(value, source->view.size(), count, stride); !taken) return Refused(taken.error());
  auto decoded = std::make_shared<std::vector<std::byte>>(count * stride);
  std::vector<std::byte>& bytes = *decoded;
  if (!bytes.empty()) {
    if (!decode_bytes(mode, bytes, count, stride, source->view))
      return reader.refuse<"GLTF_MESHOPT_INVALID"_code>(value, "the data is damaged");
    apply(filter, bytes, count, stride);
  }
  return document::Bytes{bytes, std::move(decoded)};
}

#else

Checked<document::Bytes> decode(Reader& reader, Buffers&, JsonValue value) {
  return reader.refuse(value, error<"SINEW_LEFT_OUT"_code>(Failure::unsupported, {}, "EXT_meshopt_compression", "SINEW_MESHOPT"));
}

#endif

}  // namespace sinew::gltf::meshopt

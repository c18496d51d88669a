// SPDX-License-Identifier: MIT
// Also reads EXT_meshopt_compression: its streams have version 0, and it has one filter fewer.

#include "gltf/extensions/KHR_meshopt_compression.hpp"

#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "gltf/read/buffers.hpp"
#include "meshopt/streams.hpp"

namespace sinew::gltf::meshopt {

namespace {

using namespace sinew::meshopt;

template <class Object>
Checked<Bytes> decode_object(Reader& reader, Buffers& buffers, JsonValue value) {
  const auto object = reader.object<Object>(value);
  if (object.defect()) return reader.refuse(object);
  const JsonValue filter = value["filter"];  // ignoring an unknown filter would give wrong numbers
  if (filter && !filter.equals(meshopt_filters[object.word("filter")]))
    return reader.refuse("GLTF_MESHOPT_INVALID"_code, value, "the filter is unknown");
  const auto buffer = reader.resolve(object, "buffer");
  if (!buffer) return Refused(buffer.error());
  const Layout layout = {static_cast<Mode>(object.word("mode")), static_cast<Filter>(object.word("filter")), object.integer("byteStride"),
                         object.integer("count")};
  if (const char* problem = problem_of(layout)) return reader.refuse("GLTF_MESHOPT_INVALID"_code, value, problem);
  auto source = buffers.range(value, *buffer, object.integer("byteOffset"), object.integer("byteLength"));
  if (!source) return source;
  if (auto taken = reader.take_decoded(value, source->view.size(), layout.count, layout.stride); !taken) return Refused(taken.error());
  const std::size_t size = layout.count * layout.stride;
  std::shared_ptr<std::byte[]> decoded = shared_bytes(reader.memory(), size);
  std::fill_n(decoded.get(), size, std::byte{0});
  const std::span out(reinterpret_cast<std::uint8_t*>(decoded.get()), size);
  const std::span stream(reinterpret_cast<const std::uint8_t*>(source->view.data()), source->view.size());
  if constexpr (std::is_same_v<Object, ExtMeshoptObject>)
    if (layout.mode == Mode::attributes && !stream.empty() && stream[0] == 0xa1)
      return reader.refuse("GLTF_MESHOPT_INVALID"_code, value, "version 1 needs KHR_meshopt_compression");
  if (const auto damage = decode(layout, stream, out))
    return reader.refuse("GLTF_MESHOPT_INVALID"_code, value, format_text("{}, at byte {}", damage->what, damage->byte));
  const std::span<const std::byte> view(decoded.get(), size);
  return Bytes{view, std::move(decoded)};
}

}  // namespace

Checked<Bytes> decode(Reader& reader, Buffers& buffers, JsonValue extensions) {
  if (const JsonValue value = extensions[meshopt_extension]) return decode_object<MeshoptObject>(reader, buffers, value);
  return decode_object<ExtMeshoptObject>(reader, buffers, extensions[ext_meshopt_extension]);
}

}  // namespace sinew::gltf::meshopt

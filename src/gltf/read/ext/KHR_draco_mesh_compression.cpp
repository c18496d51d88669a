// SPDX-License-Identifier: MIT
#include "gltf/read/ext/KHR_draco_mesh_compression.hpp"

#ifdef SINEW_USE_DRACO
#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/metadata/metadata_decoder.h>
#endif

#include <exception>
#include <new>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/left_out.hpp"
#include "base/message.hpp"
#include "gltf/extensions/KHR_draco_mesh_compression.hpp"

namespace sinew::gltf::draco {

#ifdef SINEW_USE_DRACO

struct Decoded {
  std::unique_ptr<::draco::Mesh> mesh;
  JsonValue at;
};

namespace {

struct Counts {
  std::uint8_t method = 0;
  std::uint64_t faces = 0;
  std::uint64_t points = 0;
};

// Reads the counts for which the decoder will allocate memory, as the Draco bitstream specification describes (sections Draco header,
// Metadata, Connectivity decoder). Returns nothing if this is no triangular mesh or the data is too short.
std::optional<Counts> declared_counts(std::span<const std::byte> bytes) {
  ::draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  char magic[5];
  std::uint8_t major = 0, minor = 0, type = 0, method = 0;
  std::uint16_t flags = 0;
  if (!buffer.Decode(magic, sizeof magic) || std::string_view(magic, 5) != "DRACO") return std::nullopt;
  if (!buffer.Decode(&major) || !buffer.Decode(&minor) || !buffer.Decode(&type) || !buffer.Decode(&method) || !buffer.Decode(&flags))
    return std::nullopt;
  if (type != ::draco::TRIANGULAR_MESH) return std::nullopt;
  const auto version = static_cast<std::uint16_t>(major << 8 | minor);
  buffer.set_bitstream_version(version);
  if (version >= 0x0103 && (flags & METADATA_FLAG_MASK) != 0) {
    ::draco::GeometryMetadata metadata;
    if (!::draco::MetadataDecoder().DecodeGeometryMetadata(&buffer, &metadata)) return std::nullopt;
  }
  const auto count = [&](std::uint16_t varint_since) -> std::optional<std::uint32_t> {
    std::uint32_t value = 0;
    const bool done = version >= varint_since ? ::draco::DecodeVarint(&value, &buffer) : buffer.Decode(&value);
    return done ? std::optional(value) : std::nullopt;
  };
  if (method == ::draco::MESH_SEQUENTIAL_ENCODING) {
    const auto faces = count(0x0202);
    const auto points = faces ? count(0x0202) : std::nullopt;
    if (!points) return std::nullopt;
    return Counts{method, *faces, *points};
  }
  std::uint8_t traversal = 0;
  if (!buffer.Decode(&traversal)) return std::nullopt;
  if (version < 0x0202 && !count(0x0200)) return std::nullopt;  // number of new vertices
  const auto vertices = count(0x0200);
  const auto faces = vertices ? count(0x0200) : std::nullopt;
  if (!faces) return std::nullopt;
  return Counts{method, *faces, std::uint64_t{*faces} * 3};
}

// The decoder's memory per face and per point (corner table, attribute maps, values), rounded up; derived from its sources.
constexpr std::uint64_t bytes_per_face = 64;
constexpr std::uint64_t bytes_per_point = 32;

/// A decoder that checks the limit before it allocates values: a header of a few bytes can specify attributes of up to 2 KiB per point.
template <class Decoder>
class Bounded final : public Decoder {
 public:
  Bounded(Reader& reader, JsonValue at) : reader_(reader), at_(at) {}
  [[nodiscard]] const std::optional<Refused>& refused() const { return refused_; }

 private:
  bool DecodeAllAttributes() override {
    std::uint64_t bytes = 0;
    for (std::int32_t i = 0; i < this->point_cloud()->num_attributes(); ++i)
      bytes += static_cast<std::uint64_t>(this->point_cloud()->attribute(i)->byte_stride());
    if (auto taken = reader_.take(at_, this->point_cloud()->num_points(), bytes); !taken) {
      refused_ = Refused(taken.error());
      return false;
    }
    return Decoder::DecodeAllAttributes();
  }

  Reader& reader_;
  JsonValue at_;
  std::optional<Refused> refused_;
};

template <class Decoder>
Checked<std::unique_ptr<::draco::Mesh>> decode_mesh(Reader& reader, JsonValue at, std::span<const std::byte> bytes) {
  ::draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  Bounded<Decoder> decoder(reader, at);
  auto mesh = std::make_unique<::draco::Mesh>();
  const ::draco::DecoderOptions options;
  const ::draco::Status status = decoder.Decode(options, &buffer, mesh.get());
  if (decoder.refused()) return *decoder.refused();
  if (!status.ok()) return reader.refuse("GLTF_DRACO_INVALID"_code, at, status.error_msg());
  return mesh;
}

template <class T>
bool convert(const ::draco::PointAttribute& source, std::size_t points, std::size_t width, std::byte* out) {
  for (std::size_t i = 0; i < points; ++i, out += width * sizeof(T)) {
    const auto row = source.mapped_index(::draco::PointIndex(static_cast<std::uint32_t>(i)));
    if (row.value() >= source.size()) return false;
    if (!source.ConvertValue(row, static_cast<std::int8_t>(width), reinterpret_cast<T*>(out))) return false;
  }
  return true;
}

}  // namespace

Checked<std::shared_ptr<const Decoded>> decode(Reader& reader, Buffers& buffers, JsonValue value, std::optional<std::uint64_t> corners) {
  const auto object = reader.object<DracoObject>(value);
  if (object.defect()) return reader.refuse(object);
  const auto index = reader.resolve(object, "bufferView");
  if (!index) return Refused(index.error());
  const auto& view = buffers.view(*index);
  if (!view) return Refused(view.error());
  const auto damaged = [&](std::string_view problem) { return reader.refuse("GLTF_DRACO_INVALID"_code, value, problem); };
  const std::span<const std::byte> bytes = view->bytes.view;
  try {
    const auto counts = declared_counts(bytes);
    if (!counts) return damaged("it is not a Draco mesh");
    if (corners && counts->faces * 3 != *corners)
      reader.report("GLTF_DRACO_COUNT"_code, value, counts->faces * 3, "corners of triangles", *corners);
    constexpr std::uint64_t bytes_of_indices = 12;
    if (auto taken = reader.take_decoded(value, bytes.size(), counts->faces, bytes_of_indices); !taken) return Refused(taken.error());
    if (auto taken = reader.take(value, counts->faces, bytes_per_face); !taken) return Refused(taken.error());
    if (auto taken = reader.take(value, counts->points, bytes_per_point); !taken) return Refused(taken.error());
    auto mesh = counts->method == ::draco::MESH_SEQUENTIAL_ENCODING ? decode_mesh<::draco::MeshSequentialDecoder>(reader, value, bytes)
                                                                    : decode_mesh<::draco::MeshEdgebreakerDecoder>(reader, value, bytes);
    if (!mesh) return Refused(mesh.error());
    return std::make_shared<const Decoded>(Decoded{std::move(*mesh), value});
  } catch (const std::bad_alloc&) {
    return reader.refuse(value, error_of_exception());
  } catch (const std::exception&) {  // std::length_error: counts that the checks above cannot see
    return damaged("it declares more than fits into memory");
  }
}

std::size_t vertices(const Decoded& decoded) { return decoded.mesh->num_points(); }

Checked<Array> attribute(Reader& reader, const Decoded& decoded, JsonValue id, const AccessorFormat& format) {
  const auto damaged = [&](std::string_view problem) { return reader.refuse("GLTF_DRACO_INVALID"_code, decoded.at, problem); };
  const auto wanted = whole_number(id);
  const ::draco::PointAttribute* source =
      wanted && *wanted <= 0xFFFFFFFFu ? decoded.mesh->GetAttributeByUniqueId(static_cast<std::uint32_t>(*wanted)) : nullptr;
  if (source == nullptr) return damaged(format_text("it has no attribute {}", excerpt(id)));
  const std::size_t points = vertices(decoded);
  auto memory = reader.allocate(format.value, points, format.packed_size());
  if (!memory) return Refused(memory.error());
  const bool fits =
      with_type(format.component, [&](auto sample) { return convert<decltype(sample)>(*source, points, format.width(), memory->get()); });
  if (!fits) return damaged(format_text("the values of attribute {} do not fit the accessor's component type", *wanted));
  const std::byte* data = memory->get();
  return Array::borrow(data, points, format.width(), format.packed_size(), format.component, format.normalized, std::move(*memory));
}

Checked<Array> indices(Reader& reader, const Decoded& decoded, JsonValue at) {
  const std::size_t faces = decoded.mesh->num_faces(), points = decoded.mesh->num_points();
  auto memory = reader.allocate(at, std::uint64_t{faces} * 3, sizeof(std::uint32_t));
  if (!memory) return Refused(memory.error());
  auto* out = reinterpret_cast<std::uint32_t*>(memory->get());
  for (std::size_t f = 0; f < faces; ++f)
    for (const ::draco::PointIndex& corner : decoded.mesh->face(::draco::FaceIndex(static_cast<std::uint32_t>(f)))) {
      if (corner.value() >= points)
        return reader.refuse("GLTF_DRACO_INVALID"_code, decoded.at, "a triangle uses a vertex that does not exist");
      *out++ = corner.value();
    }
  const std::byte* data = memory->get();
  return Array::borrow(data, faces * 3, 1, sizeof(std::uint32_t), ComponentType::uint32, false, std::move(*memory));
}

#else

struct Decoded {};

namespace {

Refused left_out(Reader& reader, JsonValue at) {
  return reader.refuse(at, error("SINEW_LEFT_OUT"_code, Failure::unsupported, {}, "KHR_draco_mesh_compression", draco_switch));
}

}  // namespace

Checked<std::shared_ptr<const Decoded>> decode(Reader& reader, Buffers&, JsonValue value, std::optional<std::uint64_t>) {
  return left_out(reader, value);
}
std::size_t vertices(const Decoded&) { return 0; }
Checked<Array> attribute(Reader& reader, const Decoded&, JsonValue id, const AccessorFormat&) { return left_out(reader, id); }
Checked<Array> indices(Reader& reader, const Decoded&, JsonValue at) { return left_out(reader, at); }

#endif

}  // namespace sinew::gltf::draco

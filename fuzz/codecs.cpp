// SPDX-License-Identifier: MIT
#include "codecs.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#ifdef SINEW_FUZZ_MESHOPT
#include <meshoptimizer.h>
#endif
#ifdef SINEW_FUZZ_DRACO
#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#endif

#include "conformance/suite.hpp"
#include "document/json/json.hpp"
#include "meshopt/streams.hpp"
#include "mutate.hpp"
#include "taker.hpp"
#include "unit/meshopt/encoder.hpp"
#include "use.hpp"

namespace sinew::fuzz {

namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

/// `unique`: no object has a key twice.
void expect_same(document::JsonValue ours, const ordered_json& theirs, bool unique) {
  const auto same = [](bool equal) {
    if (!equal) broken("JSON is read as another parser reads it", "a value differs");
  };
  if (theirs.is_object()) {
    same(ours.is(document::JsonKind::object) && (!unique || ours.size() == theirs.size()));
    for (const auto& [key, value] : theirs.items()) expect_same(ours[key], value, unique);
  } else if (theirs.is_array()) {
    same(ours.is(document::JsonKind::array) && ours.size() == theirs.size());
    std::size_t i = 0;
    for (const document::JsonValue element : ours.elements()) expect_same(element, theirs[i++], unique);
  } else if (theirs.is_string()) {
    same(ours.is(document::JsonKind::string) && ours.string() == theirs.get_ref<const std::string&>() && ours.equals(ours.string()));
  } else if (theirs.is_number()) {
    same(ours.number() == theirs.get<double>());
    if (theirs.is_number_integer() && ours.integer()) same(static_cast<std::uint64_t>(*ours.integer()) == theirs.get<std::uint64_t>());
  } else if (theirs.is_boolean()) {
    same(ours.boolean() == theirs.get<bool>());
  } else {
    same(ours.is(document::JsonKind::null));
  }
}

/// Changes some bytes of a stream that an encoder has written.
template <class Bytes>
bool damage(Taker& taker, Bytes& stream) {
  const std::uint32_t times = taker.take(4);
  for (std::uint32_t i = 0; i < times && !stream.empty(); ++i) {
    const std::size_t high = taker.take(256), low = taker.take(256), at = (high << 8 | low) % stream.size();
    stream[at] = static_cast<typename Bytes::value_type>(static_cast<std::uint8_t>(stream[at]) ^ taker.take(256));
  }
  return times != 0;
}

using Stream = std::vector<std::uint8_t>;

/// Returns the elements of a layout from the input, the last ones 0.
Stream elements_of(Input bytes, const meshopt::Layout& layout) {
  Stream elements(layout.stride * layout.count);
  std::copy_n(bytes.begin(), std::min(bytes.size(), elements.size()), elements.begin());
  if (layout.mode == meshopt::Mode::attributes) return elements;
  for (std::size_t i = 0; i < layout.count; ++i)  // small indices: as those of meshes
    for (std::size_t b = 1; b < layout.stride; ++b) elements[i * layout.stride + b] = 0;
  return elements;
}

Stream encoded(Taker& taker, const Stream& elements, const meshopt::Layout& layout) {
  using meshopt::Mode;
  if (layout.mode == Mode::attributes && taker.take(2) != 0) {
    constexpr std::array<unsigned, 4> modes = {0, 1, 2, 0x32};
    return gltf::test::encode_attributes(elements, layout.stride, {1, modes[taker.take(4)]});
  }
#ifdef SINEW_FUZZ_MESHOPT
  if (layout.mode == Mode::attributes) {
    Stream stream(meshopt_encodeVertexBufferBound(layout.count, layout.stride));
    stream.resize(meshopt_encodeVertexBuffer(stream.data(), stream.size(), elements.data(), layout.count, layout.stride));
    return stream;
  }
  std::vector<unsigned> indices(layout.count);
  for (std::size_t i = 0; i < layout.count; ++i) indices[i] = elements[i * layout.stride];
  meshopt_encodeIndexVersion(1);
  Stream stream(layout.mode == Mode::triangles ? meshopt_encodeIndexBufferBound(layout.count, 256)
                                               : meshopt_encodeIndexSequenceBound(layout.count, 256));
  stream.resize(layout.mode == Mode::triangles ? meshopt_encodeIndexBuffer(stream.data(), stream.size(), indices.data(), indices.size())
                                               : meshopt_encodeIndexSequence(stream.data(), stream.size(), indices.data(), indices.size()));
  return stream;
#else
  return {};
#endif
}

#ifdef SINEW_FUZZ_MESHOPT
/// Decodes by meshoptimizer; false for a stream that it refuses.
bool decoded_by_library(Input stream, Stream& out, const meshopt::Layout& layout) {
  using meshopt::Mode;
  const auto [to, count, stride] = std::tuple(out.data(), layout.count, layout.stride);
  switch (layout.mode) {
    case Mode::attributes:
      return meshopt_decodeVertexBuffer(to, count, stride, stream.data(), stream.size()) == 0;
    case Mode::triangles:
      return meshopt_decodeIndexBuffer(to, count, stride, stream.data(), stream.size()) == 0;
    default:
      return meshopt_decodeIndexSequence(to, count, stride, stream.data(), stream.size()) == 0;
  }
}
#endif

/// Triangles may start at any of their corners.
void expect_same_elements(Stream ours, Stream theirs, const meshopt::Layout& layout) {
  const std::size_t triangle = 3 * layout.stride;
  if (layout.mode == meshopt::Mode::triangles)
    for (Stream* elements : {&ours, &theirs})
      for (std::size_t at = 0; at + triangle <= elements->size(); at += triangle) {
        const auto first = elements->begin() + static_cast<std::ptrdiff_t>(at), last = first + static_cast<std::ptrdiff_t>(triangle);
        const auto corner = static_cast<std::ptrdiff_t>(layout.stride);
        std::vector<Stream> turns;
        for (int turn = 0; turn < 3; ++turn) {
          turns.emplace_back(first, last);
          std::rotate(first, first + corner, last);
        }
        std::ranges::copy(std::ranges::min(turns), first);
      }
  if (ours != theirs) broken("a meshopt stream is decoded as it was encoded", "an element differs");
}

}  // namespace

/// Compares the parser with nlohmann's: each text that it accepts is accepted, with the same values, and each that is accepted without a
/// finding is accepted by it.
void json(const fs::path&, Input bytes) {
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  FindingList findings;
  const auto ours = document::Json::parse(text, small_limits().open.limits, 0, findings);
  if (text.find('\0') != std::string::npos) return;  // where the other parser stops
  const auto theirs = ordered_json::parse(text, nullptr, false);
  if (!ours) {
    if (!theirs.is_discarded() && ours.error().failure != Failure::limit) broken("JSON is read", ours.error().line());
    return;
  }
  if (!theirs.is_discarded()) return expect_same(ours->root(), theirs, findings.list().empty());
  if (findings.list().empty()) broken("what is no JSON is a finding", text);
}

/// A stream with a layout: the bytes themselves, or a damaged result of an encoder.
void meshopt(const fs::path&, Input bytes) {
  namespace codec = sinew::meshopt;
  Taker taker(bytes);
  codec::Layout layout;
  layout.mode = static_cast<codec::Mode>(taker.take(3));
  const bool attributes = layout.mode == codec::Mode::attributes, raw = taker.take(2) == 0;
  if (attributes && raw) layout.filter = static_cast<codec::Filter>(taker.take(5));
  const bool wide = layout.filter == codec::Filter::nothing || layout.filter == codec::Filter::exponential;
  layout.stride = !attributes ? 2 + 2 * taker.take(2) : wide ? 4 * (1 + taker.take(64)) : 4 + 4 * taker.take(2);
  layout.count = taker.take(256);
  layout.count += 256 * taker.take(2);
  if (layout.mode == codec::Mode::triangles) layout.count -= layout.count % 3;
  if (layout.count == 0 || codec::problem_of(layout) != nullptr) return;
  Stream out(layout.stride * layout.count);
  if (raw) {
    static_cast<void>(codec::decode(layout, taker.rest(), out));
    return;
  }
  const std::uint32_t shift = taker.take(4);
  Taker damages(taker.rest().first(std::min<std::size_t>(taker.rest().size(), shift * 3)));
  const Stream elements = elements_of(taker.rest(), layout);
  Stream stream = encoded(taker, elements, layout);
  if (stream.empty()) return;  // an encoder needs some elements
  const bool damaged = damage(damages, stream);
  const auto problem = codec::decode(layout, stream, out);
  if (!damaged) {
    if (problem) broken("a meshopt stream of an encoder is decoded", problem->what);
    return expect_same_elements(out, elements, layout);
  }
#ifdef SINEW_FUZZ_MESHOPT
  Stream theirs(out.size());
  if (!problem && decoded_by_library(stream, theirs, layout)) expect_same_elements(out, theirs, layout);
#endif
}

namespace {

/// A Draco stream, with its numbers of vertices and corners. Without `positions`, the stream may be anything.
struct DracoStream {
  std::string bytes;
  std::size_t vertices = 0, corners = 0;
  std::vector<std::array<float, 3>> positions;  ///< of the corners, sorted
};

#ifdef SINEW_FUZZ_DRACO
/// Encodes triangles between few places, so that they share vertices.
std::optional<DracoStream> encoded_triangles(Taker& taker) {
  const auto faces = 1 + taker.take(30);
  const auto method = static_cast<int>(taker.take(2)), bits = static_cast<int>(taker.take(16)), speed = static_cast<int>(taker.take(11));
  Taker damages(taker.rest().first(std::min<std::size_t>(taker.rest().size(), 10)));
  DracoStream stream;
  ::draco::TriangleSoupMeshBuilder builder;
  builder.Start(static_cast<int>(faces));
  const int position = builder.AddAttribute(::draco::GeometryAttribute::POSITION, 3, ::draco::DT_FLOAT32);
  for (std::uint32_t f = 0; f < faces; ++f) {
    std::array<std::array<float, 3>, 3> corners{};
    for (auto& corner : corners) {
      const auto x = static_cast<float>(taker.take(8)), y = static_cast<float>(taker.take(4));
      corner = {x, y, x * y};
      stream.positions.push_back(corner);
    }
    builder.SetAttributeValuesForFace(position, ::draco::FaceIndex(f), corners[0].data(), corners[1].data(), corners[2].data());
  }
  const auto mesh = builder.Finalize();
  if (mesh == nullptr || mesh->num_faces() == 0) return std::nullopt;
  ::draco::Encoder encoder;
  encoder.SetEncodingMethod(method);
  encoder.SetSpeedOptions(speed, speed);
  encoder.SetTrackEncodedProperties(true);
  if (bits > 0) encoder.SetAttributeQuantization(::draco::GeometryAttribute::POSITION, bits);
  ::draco::EncoderBuffer buffer;
  if (!encoder.EncodeMeshToBuffer(*mesh, &buffer).ok()) return std::nullopt;
  stream.bytes.assign(buffer.data(), buffer.size());
  stream.vertices = encoder.num_encoded_points();
  stream.corners = encoder.num_encoded_faces() * 3;
  const bool whole = bits == 0 && stream.corners == stream.positions.size();  // one method leaves out triangles without an area
  if (damage(damages, stream.bytes) || !whole) stream.positions.clear();
  std::ranges::sort(stream.positions);
  return stream;
}
#endif

void expect_positions(const Model& model, const DracoStream& stream) {
  if (model.meshes[0].defect != none) broken("a Draco stream of the encoder is decoded", model.defects[model.meshes[0].defect].line());
  const std::vector<double> positions = model.meshes[0].blocks[0].attributes[0].values.read<double>();
  std::vector<std::array<float, 3>> found;
  for (const double corner : model.meshes[0].surfaces[0].elements.read<double>()) {
    const double* const place = &positions[static_cast<std::size_t>(corner) * 3];
    found.push_back({static_cast<float>(place[0]), static_cast<float>(place[1]), static_cast<float>(place[2])});
  }
  std::ranges::sort(found);
  if (found != stream.positions) broken("a Draco stream is decoded as it was encoded", "a position differs");
}

}  // namespace

/// A model whose triangles are a Draco stream: the bytes themselves, or a result of the encoder, which may be damaged.
void draco(const fs::path& file, Input bytes) {
  Taker taker(bytes);
  DracoStream stream;
#ifdef SINEW_FUZZ_DRACO
  if (taker.take(4) != 0) {
    auto encoded = encoded_triangles(taker);
    if (!encoded) return;
    stream = std::move(*encoded);
  } else
#endif
  {
    stream.vertices = 1 + taker.take(100);
    stream.corners = 3 * (1 + taker.take(30));
    stream.bytes.assign(reinterpret_cast<const char*>(taker.rest().data()), taker.rest().size());
  }
  nlohmann::json primitive = {{"attributes", {{"POSITION", 0}}},
                              {"indices", 1},
                              {"extensions", {{"KHR_draco_mesh_compression", {{"bufferView", 0}, {"attributes", {{"POSITION", 0}}}}}}}};
  const nlohmann::json document = {{"asset", {{"version", "2.0"}}},
                                   {"extensionsUsed", {"KHR_draco_mesh_compression"}},
                                   {"buffers", {{{"byteLength", stream.bytes.size()}, {"uri", "data.bin"}}}},
                                   {"bufferViews", {{{"buffer", 0}, {"byteLength", stream.bytes.size()}}}},
                                   {"accessors",
                                    {{{"componentType", 5126}, {"type", "VEC3"}, {"count", stream.vertices}},
                                     {{"componentType", 5125}, {"type", "SCALAR"}, {"count", stream.corners}}}},
                                   {"meshes", {{{"primitives", {primitive}}}}},
                                   {"nodes", {{{"mesh", 0}}}}};
  {
    std::ofstream out(file, std::ios::binary), binary(file.parent_path() / "data.bin", std::ios::binary);
    out << document.dump();
    binary << stream.bytes;
  }
  static_cast<void>(validated(file));
  const auto model = loaded(file);
  if (!model) broken("the document is sound whatever its stream is", file.string());
  if (!stream.positions.empty()) expect_positions(*model, stream);
  deform_all(*model);
}

void suite(const fs::path& file, Input bytes) {
  const fs::path folder = file.parent_path() / "suite", one = folder / "cases" / "one";
  static const bool made = [&] {
    fs::create_directories(one);
    fs::copy_file(fs::path(SINEW_SOURCE_DIR) / "conformance/cases/normals/normal_scaled_by_axis/vertices.npy", one / "vertices.npy",
                  fs::copy_options::overwrite_existing);
    return true;
  }();
  static_cast<void>(made);
  constexpr std::array<std::uint8_t, 6> numpy = {0x93, 'N', 'U', 'M', 'P', 'Y'};
  if (bytes.size() >= numpy.size() && std::equal(numpy.begin(), numpy.end(), bytes.begin())) {
    constexpr std::size_t most = 1 << 20;
    const auto numbers = app::read_npy(file, most);
    if (!numbers) return;
    std::size_t product = 1;
    for (const std::size_t count : numbers->shape) product *= count;
    if (product != numbers->values.size()) broken("a .npy file has the numbers of its shape", std::to_string(product));
    return;
  }
  std::ofstream(one / "case.json", std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const auto cases = app::read_suite(folder, {});
  if (!cases) return;
  app::ConformanceResult result;
  for (const app::ConformanceCase& known : *cases)
    for (std::size_t moment = 0; moment < known.moments.size(); ++moment) {
      app::Numbers found{{known.rows(), known.width()}, {}};
      found.values.assign(known.expected.values.begin() + static_cast<std::ptrdiff_t>(moment * known.rows() * known.width()),
                          known.expected.values.begin() + static_cast<std::ptrdiff_t>((moment + 1) * known.rows() * known.width()));
      app::compare_rows(known, moment, found, result);
      if (result.error != 0) broken("what a suite expects passes", result.reason);
    }
}

}  // namespace sinew::fuzz

// SPDX-License-Identifier: MIT
#include "sinew/save.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>

#include "unit/document/files.hpp"
#include "unit/model/attributes.hpp"

namespace sinew::io {
namespace {

using sinew::test::add_instance;
using sinew::test::attribute;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

Mesh mesh_of(std::vector<Attribute> attributes, Primitive primitive, std::vector<std::uint8_t> indices) {
  Mesh mesh;
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = attributes.at(0).values.size();
  block.attributes = std::move(attributes);
  Surface& surface = mesh.surfaces.emplace_back();
  surface.primitive = primitive;
  surface.indexed = !indices.empty();
  if (surface.indexed) surface.elements = Array::own(std::move(indices), 1);
  return mesh;
}

/// A triangle with everything, the same one mirrored along x as baking leaves it (turned round, without attributes), two lines, a point.
Model scene() {
  Model model;
  Mesh full = mesh_of(
      {attribute(Semantic::position, {0, 0, 0, 1, 0, 0, 0, 0.1F, 0}, 3), attribute(Semantic::normal, {0, 0, 1, 0, 0, 1, 0, 0, 1}, 3),
       attribute(Semantic::texcoord, {0, 0, 1, 0, 0, 0.75F}, 2), attribute(Semantic::color, {1, 0, 0, 0, 0.5F, 0, 0, 0, 2}, 3)},
      Primitive::simplexes, {});
  full.surfaces[0].material = 0;
  model.materials.emplace_back().name = "red skin";
  add_instance(model, std::move(full), "body");
  add_instance(model, mesh_of({attribute(Semantic::position, {0, 0, 0, -1, 0, 0, 0, 0.1F, 0}, 3)}, Primitive::simplexes, {0, 2, 1}),
               "its mirror");
  add_instance(model, mesh_of({attribute(Semantic::position, {0, 0, 0, 0, 0, 1, 0, 0, 2}, 3)}, Primitive::line_strip, {}), "");
  add_instance(model, mesh_of({attribute(Semantic::position, {5, 6, 7}, 3)}, Primitive::points, {}), "dot");
  return model;
}

Model of_dimension(std::size_t dimension) {
  Model model;
  model.dimension = dimension;
  const std::size_t corners = std::max<std::size_t>(dimension, 3);
  std::vector<float> positions(corners * dimension);
  std::vector<std::uint8_t> simplex;
  for (std::size_t c = 0; c < corners; ++c) {
    positions[c * dimension + c % dimension] = static_cast<float>(c) + 0.5F;
    simplex.push_back(static_cast<std::uint8_t>(c));
  }
  add_instance(model, mesh_of({attribute(Semantic::position, positions, dimension)}, Primitive::simplexes, simplex), "simplex");
  return model;
}

template <class T>
T take(std::string_view& bytes) {
  T value{};
  EXPECT_GE(bytes.size(), sizeof(T));
  if (bytes.size() < sizeof(T)) return value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes.remove_prefix(sizeof(T));
  return value;
}
template <class T>
std::vector<T> take(std::string_view& bytes, std::size_t count) {
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(take<T>(bytes));
  return values;
}

class Save : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path at(std::string_view name) const { return folder_ / name; }
  [[nodiscard]] std::string read(std::string_view name) const { return folder_.read(name); }
  /// Names in the folder, sorted.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) list.push_back(entry.path().filename().string());
    std::ranges::sort(list);
    return list;
  }
  void save_well(const Model& model, const std::string& name) {
    const auto saved = save(model, at(name));
    EXPECT_TRUE(saved) << saved.error().line();
  }

 private:
  document::Folder folder_;
};

TEST_F(Save, ObjHasOneObjectPerInstanceAndGlobalIndices) {
  save_well(scene(), "a.obj");
  EXPECT_EQ(read("a.obj"),
            "# usemtl names the materials of the model; there is no .mtl file\n"
            "o body\n"
            "vt 0 1\nvt 1 1\nvt 0 0.25\n"
            "vn 0 0 1\nvn 0 0 1\nvn 0 0 1\n"
            "v 0 0 0\nv 1 0 0\nv 0 0.1 0\n"
            "usemtl red_skin\n"
            "f 1/1/1 2/2/2 3/3/3\n"
            "o its_mirror\n"
            "v 0 0 0\nv -1 0 0\nv 0 0.1 0\n"
            "usemtl none\n"
            "f 4 6 5\n"
            "o mesh_2\n"
            "v 0 0 0\nv 0 0 1\nv 0 0 2\n"
            "usemtl none\n"
            "l 7 8\nl 8 9\n"
            "o dot\n"
            "v 5 6 7\n"
            "usemtl none\n"
            "p 10\n");
}

TEST_F(Save, ObjWritesOnlyTheIndicesThatThereAre) {
  Model model;
  add_instance(
      model,
      mesh_of({attribute(Semantic::position, {0, 0, 0, 1, 0, 0, 0, 1, 0}, 3), attribute(Semantic::normal, {0, 0, 1, 0, 0, 1, 0, 0, 1}, 3)},
              Primitive::simplexes, {}),
      "n");
  add_instance(
      model,
      mesh_of({attribute(Semantic::position, {0, 0, 0, 1, 0, 0, 0, 1, 0}, 3), attribute(Semantic::texcoord, {0, 0, 1, 0, 0, 1}, 2)},
              Primitive::simplexes, {}),
      "t");
  save_well(model, "a.obj");
  EXPECT_THAT(read("a.obj"), AllOf(HasSubstr("f 1//1 2//2 3//3\n"), HasSubstr("f 4/1 5/2 6/3\n")));
}

TEST_F(Save, PlyIsOneListOfVerticesFilledWhereAnInstanceLacksAChannel) {
  save_well(scene(), "a.ply");
  const std::string file = read("a.ply");
  const std::string header =
      "ply\nformat binary_little_endian 1.0\nelement vertex 10\n"
      "property float x\nproperty float y\nproperty float z\n"
      "property float nx\nproperty float ny\nproperty float nz\n"
      "property float s\nproperty float t\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n"
      "element face 2\nproperty list uchar uint vertex_indices\n"
      "element edge 2\nproperty uint vertex1\nproperty uint vertex2\n"
      "end_header\n";
  ASSERT_THAT(file, StartsWith(header));
  std::string_view rest = std::string_view(file).substr(header.size());
  ASSERT_EQ(rest.size(), 10u * (8 * 4 + 4) + 2 * (1 + 12) + 2 * 8);
  std::vector<std::vector<float>> floats;
  std::vector<std::vector<std::uint8_t>> colors;
  for (int v = 0; v < 10; ++v) {
    floats.push_back(take<float>(rest, 8));
    colors.push_back(take<std::uint8_t>(rest, 4));
  }
  EXPECT_THAT(floats[2], ElementsAre(0, 0.1F, 0, 0, 0, 1, 0, 0.25F));
  EXPECT_THAT(colors[0], ElementsAre(255, 0, 0, 255));
  EXPECT_THAT(colors[1], ElementsAre(0, 128, 0, 255));
  EXPECT_THAT(colors[2], ElementsAre(0, 0, 255, 255));
  EXPECT_THAT(floats[4], ElementsAre(-1, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(colors[4], ElementsAre(255, 255, 255, 255));
  EXPECT_THAT(floats[9], ElementsAre(5, 6, 7, 0, 0, 0, 0, 0));
  EXPECT_EQ(take<std::uint8_t>(rest), 3);
  EXPECT_THAT(take<std::uint32_t>(rest, 3), ElementsAre(0, 1, 2));
  EXPECT_EQ(take<std::uint8_t>(rest), 3);
  EXPECT_THAT(take<std::uint32_t>(rest, 3), ElementsAre(3, 5, 4));
  EXPECT_THAT(take<std::uint32_t>(rest, 4), ElementsAre(6, 7, 7, 8));
}

TEST_F(Save, PlyOfPointsHasVerticesAlone) {
  Model model;
  add_instance(model, mesh_of({attribute(Semantic::position, {5, 6, 7}, 3)}, Primitive::points, {}), "dot");
  save_well(model, "a.ply");
  EXPECT_THAT(read("a.ply"), StartsWith("ply\nformat binary_little_endian 1.0\nelement vertex 1\n"
                                        "property float x\nproperty float y\nproperty float z\nend_header\n"));
}

TEST_F(Save, OffListsAllVerticesThenFaces) {
  save_well(scene(), "a.off");
  EXPECT_EQ(read("a.off"),
            "OFF\n10 4 0\n"
            "0 0 0\n1 0 0\n0 0.1 0\n0 0 0\n-1 0 0\n0 0.1 0\n0 0 0\n0 0 1\n0 0 2\n5 6 7\n"
            "3 0 1 2\n3 3 5 4\n2 6 7\n2 7 8\n");
}

TEST_F(Save, OffOfOtherDimensionsNamesThem) {
  save_well(of_dimension(4), "a.off");
  EXPECT_EQ(read("a.off"), "nOFF\n4\n4 1 0\n0.5 0 0 0\n0 1.5 0 0\n0 0 2.5 0\n0 0 0 3.5\n4 0 1 2 3\n");
  save_well(of_dimension(2), "b.off");
  EXPECT_EQ(read("b.off"), "nOFF\n2\n3 1 0\n0.5 0\n0 1.5\n2.5 0\n3 0 1 2\n");
}

/// Returns the text of the header without padding; checks the requirements of numpy.lib.format, version 1.0.
std::string npy_dictionary(std::string_view& file) {
  EXPECT_EQ(file.substr(0, 8), std::string_view("\x93NUMPY\x01\x00", 8));
  file.remove_prefix(8);
  const auto length = take<std::uint16_t>(file);
  EXPECT_EQ((10u + length) % 64, 0u);
  std::string text(file.substr(0, length));
  EXPECT_EQ(text.back(), '\n');
  file.remove_prefix(length);
  text.pop_back();
  EXPECT_EQ(text.find_last_not_of(' '), text.rfind('}'));
  return text.substr(0, text.rfind('}') + 1);
}

TEST_F(Save, NpyHoldsThePositionsOfAllInstances) {
  save_well(scene(), "a.npy");
  const std::string file = read("a.npy");
  std::string_view rest = file;
  EXPECT_EQ(npy_dictionary(rest), "{'descr': '<f4', 'fortran_order': False, 'shape': (10, 3), }");
  ASSERT_EQ(rest.size(), 120u);
  const auto values = take<float>(rest, 30);
  EXPECT_EQ(values[12], -1);
  EXPECT_EQ(values[29], 7);
}

TEST_F(Save, NpyHeadersOfEveryShapeArePaddedTo64Bytes) {
  const std::vector<std::pair<std::vector<std::size_t>, std::string>> shapes = {
      {{}, "()"}, {{3}, "(3,)"}, {{0, 3}, "(0, 3)"}, {{2, 1, 3}, "(2, 1, 3)"}, {{10, 1000000007, 0, 3}, "(10, 1000000007, 0, 3)"}};
  for (const auto& [shape, text] : shapes) {
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    auto writer = NpyWriter::create(at("a.npy"), shape);
    ASSERT_TRUE(writer);
    const std::vector<float> values(count, 1.5F);
    ASSERT_TRUE(writer->write(std::span(values).first(count / 2)));
    ASSERT_TRUE(writer->write(std::span(values).subspan(count / 2)));
    ASSERT_TRUE(writer->finish());
    const std::string file = read("a.npy");
    std::string_view rest = file;
    EXPECT_EQ(npy_dictionary(rest), "{'descr': '<f4', 'fortran_order': False, 'shape': " + text + ", }");
    EXPECT_EQ(rest.size(), count * 4);
  }
}

TEST_F(Save, NpyWithoutFinishLeavesNothing) {
  {
    auto writer = NpyWriter::create(at("a.npy"), {2, 3});
    ASSERT_TRUE(writer);
    const std::vector<float> row(3);
    ASSERT_TRUE(writer->write(row));
  }
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(Save, NpyWrittenBehindIsTheSameInOrder) {
  constexpr std::size_t size = 50'000;  // more than the write buffer
  auto plain = NpyWriter::create(at("a.npy"), {4, size}), behind = NpyWriter::create(at("b.npy"), {4, size});
  ASSERT_TRUE(plain && behind);
  std::vector<float> given;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::vector<float> values(size, static_cast<float>(k));
    ASSERT_TRUE(plain->write(values));
    given = values;
    ASSERT_TRUE(k == 2 ? behind->write(given) : behind->write_behind(given));
    if (k == 0) {
      EXPECT_EQ(given, std::vector<float>());
    }
    if (k == 1) {
      EXPECT_EQ(given, std::vector<float>(size, 0.0F));
    }
  }
  given.assign(size, -1);
  ASSERT_TRUE(plain->finish() && behind->finish());
  EXPECT_EQ(read("a.npy"), read("b.npy"));
}

TEST_F(Save, GlbHasTwoPaddedChunks) {
  save_well(scene(), "a.glb");
  const std::string file = read("a.glb");
  std::string_view rest = file;
  EXPECT_EQ(rest.substr(0, 4), "glTF");
  rest.remove_prefix(4);
  EXPECT_EQ(take<std::uint32_t>(rest), 2u);
  EXPECT_EQ(take<std::uint32_t>(rest), file.size());
  const auto json_size = take<std::uint32_t>(rest);
  EXPECT_EQ(json_size % 4, 0u);
  EXPECT_EQ(rest.substr(0, 4), "JSON");
  rest.remove_prefix(4);
  const std::string_view json = rest.substr(0, json_size);
  EXPECT_THAT(std::string(json), AllOf(StartsWith("{\"asset\""), HasSubstr("\"buffers\":[{\"byteLength\":")));
  EXPECT_EQ(json.find_last_not_of(' '), json.rfind('}'));
  rest.remove_prefix(json_size);
  const auto bin_size = take<std::uint32_t>(rest);
  EXPECT_EQ(bin_size % 4, 0u);
  EXPECT_EQ(rest.substr(0, 4), std::string_view("BIN\0", 4));
  EXPECT_EQ(rest.size(), bin_size + 4u);
}

TEST_F(Save, GlbWithoutAMeshHasNoBinaryChunk) {
  Model model;
  model.scenes.emplace_back();
  save_well(model, "a.glb");
  EXPECT_THAT(read("a.glb"), AllOf(Not(HasSubstr("BIN")), Not(HasSubstr("buffers"))));
}

TEST_F(Save, GltfPutsItsBufferBesideItUnderTheNameOfItsContent) {
  save_well(scene(), "a b.gltf");
  save_well(scene(), "a b.gltf");
  const auto list = names();
  ASSERT_THAT(list, SizeIs(2));
  EXPECT_THAT(list[0], AllOf(StartsWith("a b."), EndsWith(".bin")));
  EXPECT_THAT(read("a b.gltf"), HasSubstr("\"uri\":\"a%20b." + list[0].substr(4) + "\""));
  Model other = scene();
  other.meshes[0].blocks[0].attributes[0].values = Array::own(std::vector<float>(9), 3);
  save_well(other, "a b.gltf");
  EXPECT_THAT(names(), SizeIs(3));
}

TEST_F(Save, AFailedGltfLeavesNoBuffer) {
  std::filesystem::create_directory(at("a.gltf"));
  const auto saved = save(scene(), at("a.gltf"));
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().failure, Failure::output);
  EXPECT_THAT(names(), ElementsAre("a.gltf"));
}

/// Limits the size of all files of this process to `bytes` while it lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

TEST_F(Save, NpyWrittenBehindTellsLaterThatItFailed) {
  {
    std::vector<float> values(1'000'000);
    const FileSizeLimit limit(1 << 20);
    auto writer = NpyWriter::create(at("a.npy"), {2, values.size()});
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->write_behind(values));
    values.assign(1'000'000, 1);
    const auto later = writer->write_behind(values);
    ASSERT_FALSE(later);
    EXPECT_EQ(later.error().failure, Failure::output);
  }
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(Save, AFailureMidwayLeavesTheOldFileAndNothingElse) {
  for (const char* name : {"a.npy", "a.ply", "a.obj", "a.off", "a.glb", "a.gltf"}) {
    std::ofstream(at(name)) << "old";
    Result<> saved;
    {
      const FileSizeLimit limit(100);
      saved = save(scene(), at(name));
    }
    ASSERT_FALSE(saved) << name;
    EXPECT_EQ(saved.error().failure, Failure::output);
    EXPECT_THAT(names(), ElementsAre(name));
    EXPECT_EQ(read(name), "old");
    std::filesystem::remove(at(name));
  }
}

TEST_F(Save, AMissingFolderIsOneClearError) {
  for (const char* name : {"no/a.npy", "no/a.ply", "no/a.obj", "no/a.off", "no/a.glb", "no/a.gltf", "no/a.g4b", "no/a.g4tf"}) {
    const auto saved = save(scene(), at(name));
    ASSERT_FALSE(saved) << name;
    EXPECT_EQ(saved.error().failure, Failure::output);
    EXPECT_THAT(saved.error().line(), HasSubstr(name));
  }
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(Save, ExtensionsAreKnownInEitherCase) {
  save_well(scene(), "A.OFF");
  EXPECT_THAT(read("A.OFF"), StartsWith("OFF"));
  EXPECT_TRUE(can_save("x.GlTf"));
  EXPECT_TRUE(can_save("x.G4tf"));
  EXPECT_FALSE(can_save("glb"));
}

TEST_F(Save, AnUnknownExtensionIsAUsageErrorThatListsTheKnownOnes) {
  const auto saved = save(scene(), at("a.stl"));
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().failure, Failure::usage);
  EXPECT_THAT(saved.error().message, AllOf(HasSubstr(".stl"), HasSubstr(".npy .ply .obj .off .glb .gltf .g4b .g4tf")));
}

TEST_F(Save, FormatsOfThreeDimensionsRefuseOthersWithAHint) {
  for (const char* name : {"a.ply", "a.obj", "a.glb", "a.gltf"}) {
    const auto saved = save(of_dimension(4), at(name));
    ASSERT_FALSE(saved) << name;
    EXPECT_EQ(saved.error().failure, Failure::usage);
    EXPECT_THAT(saved.error().message, AllOf(HasSubstr("4"), HasSubstr(".off or .npy")));
  }
}

TEST_F(Save, ARiggedModelIsRefused) {
  Model shapes = scene(), skins = scene(), moving = scene();
  shapes.meshes[1].shapes.emplace_back();
  skins.skins.emplace_back();
  moving.clips.emplace_back().tracks.emplace_back();
  for (const auto& [model, name] : {std::pair(&shapes, "a.ply"), {&shapes, "a.g4b"}, {&skins, "a.glb"}, {&moving, "a.glb"}}) {
    const auto saved = save(*model, at(name));
    ASSERT_FALSE(saved) << name;
    EXPECT_EQ(saved.error().failure, Failure::usage);
  }
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(Save, AVertexCacheHasSignedCounts) {
  for (const char* name : {"a.pc2", "a.MDD"}) {
    ASSERT_TRUE(is_vertex_cache(name));
    const double time = 0;
    const auto refused = VertexCacheWriter::create(at(name), std::size_t{1} << 31U, {&time, 1});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().failure, Failure::unsupported);
    EXPECT_THAT(refused.error().message, HasSubstr("2147483648 vertices; a vertex cache has at most 2147483647"));
    {
      auto unfinished = VertexCacheWriter::create(at(name), 1, {&time, 1});
      ASSERT_TRUE(unfinished);
      ASSERT_TRUE(unfinished->write(std::vector<float>{1, 2, 3}));
    }
  }
  EXPECT_THAT(names(), IsEmpty());
}

}  // namespace
}  // namespace sinew::io

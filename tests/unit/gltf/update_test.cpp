// SPDX-License-Identifier: MIT
// Reads documents back after an update. Uses the corpus if its folder is present.
#include "gltf/write/update.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "document/json/json.hpp"
#include "gltf/read/read.hpp"
#include "unit/gltf/builder.hpp"
#include "unit/gltf/same_model.hpp"

namespace sinew::gltf::test::update_test {
namespace {

using testing::IsEmpty;
using testing::Not;

using DocumentPtr = std::shared_ptr<const document::Document>;

/// A document and its model.
struct Opened {
  DocumentPtr document;
  Model model;
};

Opened opened(DocumentPtr document) {
  FindingList findings;
  auto model = read(document, findings);
  EXPECT_TRUE(model) << model.error().line();
  return {std::move(document), model ? std::move(*model) : Model()};
}

Opened open_file(const std::filesystem::path& path) {
  FindingList findings;
  auto document = document::open(path, {}, findings);
  EXPECT_TRUE(document) << document.error().line();
  return opened(*document);
}

Opened open_builder(const Builder& builder) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("sinew-update-{}.gltf", ::getpid());
  std::ofstream(path) << builder.text();
  return open_file(path);
}

/// Writes `after` into the document and reads it back; no data may be lost.
Opened updated(const Opened& from, const Model& after) {
  FindingList losses;
  const auto document = update(from.document, from.model, after, losses);
  EXPECT_TRUE(document) << document.error().line();
  for (const Finding& loss : losses.list()) ADD_FAILURE() << loss.pointer << ": " << loss.message;
  return document ? opened(*document) : Opened{};
}

Opened written_afresh(const Model& model) {
  auto empty = empty_document("new.glb", {});
  EXPECT_TRUE(empty);
  return updated({*empty, Model()}, model);
}

std::string text_of(const DocumentPtr& document) { return std::string(document->json().text()); }

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> list;
  const std::filesystem::path folder = std::filesystem::path(SINEW_SHARED) / "corpus";
  if (!std::filesystem::is_directory(folder)) return list;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (extension == ".gltf" || extension == ".glb" || extension == ".vrm") list.push_back(entry.path());
  }
  return list;
}

TEST(Update, GivesTheDocumentItselfWhereNothingChanged) {
  const Opened file = open_builder(everything());
  FindingList losses;
  const auto same = update(file.document, file.model, file.model, losses);
  ASSERT_TRUE(same);
  EXPECT_EQ(*same, file.document);
  const Model copy = file.model;
  EXPECT_EQ(*update(file.document, file.model, copy, losses), file.document);
}

TEST(Update, WritesAWholeModelIntoAnEmptyDocument) {
  const Opened file = open_builder(everything());
  EXPECT_THAT(differences(file.model, written_afresh(file.model).model), IsEmpty());
}

/// One kind of change.
struct Change {
  const char* name;
  void (*apply)(Model&);
};
void PrintTo(const Change& change, std::ostream* out) { *out << change.name; }

Attribute& position_of(Model& model) { return model.meshes[0].blocks[0].attributes[0]; }

Array moved(const Array& values) {
  std::vector<float> numbers = values.read<float>();
  for (float& number : numbers) number += 0.5f;
  return Array::own(std::move(numbers), values.width());
}

const Change changes[] = {
    {"NodeName", [](Model& model) { model.nodes[0].name = "renamed"; }},
    {"NodeWithoutName", [](Model& model) { model.nodes[1].name.clear(); }},
    {"Translation", [](Model& model) { model.rest_pose.locals[0].translation.assign(std::array<double, 3>{1, 2, 3}); }},
    {"Matrix",
     [](Model& model) {
       model.rest_pose.locals[0] = {};
       model.rest_pose.locals[0].basis.assign(std::array<double, 9>{0, 1, 0, -1, 0, 0, 0, 0, 2});
     }},
    {"NewNode",
     [](Model& model) {
       const auto added = static_cast<Index>(model.nodes.size());
       Node node;
       node.name = "added";
       node.parent = 0;
       model.nodes.push_back(node);
       model.nodes[0].children.push_back(added);
       model.rest_pose.locals.emplace_back();
       model.rest_pose.amounts.emplace_back();
     }},
    {"Hidden", [](Model& model) { model.nodes[0].visible = false; }},
    {"Bone", [](Model& model) { model.nodes[1].bone = Bone{2.5, {}}; }},
    {"Amounts",
     [](Model& model) {
       for (auto& amounts : model.rest_pose.amounts)
         for (double& amount : amounts) amount = 0.25;
     }},
    {"DefaultAmounts",
     [](Model& model) {
       for (Mesh& mesh : model.meshes)
         for (BlendShape& shape : mesh.shapes) shape.amount += 0.125;
     }},
    {"ShapeNames",
     [](Model& model) {
       for (Mesh& mesh : model.meshes)
         for (BlendShape& shape : mesh.shapes) shape.name += "!";
     }},
    {"Positions", [](Model& model) { position_of(model).values = moved(position_of(model).values); }},
    {"NewAttribute",
     [](Model& model) {
       VertexBlock& block = model.meshes[0].blocks[0];
       Attribute color;
       color.semantic = Semantic::color;
       color.values = Array::own(std::vector<std::uint8_t>(block.vertices * 3, 7), 3, true);
       block.attributes.push_back(color);
     }},
    {"Influences",
     [](Model& model) {
       for (Mesh& mesh : model.meshes)
         for (VertexBlock& block : mesh.blocks)
           for (Influences::Set& set : block.influences.sets) set.weights = Array::own(std::vector<float>(block.vertices * 4, 0.25f), 4);
     }},
    {"MoreSets",
     [](Model& model) {
       for (Mesh& mesh : model.meshes)
         for (VertexBlock& block : mesh.blocks)
           if (!block.influences.sets.empty()) block.influences.sets.push_back(block.influences.sets.front());
     }},
    {"NoInfluences",
     [](Model& model) {
       for (Node& node : model.nodes) node.skin = none;
       for (Mesh& mesh : model.meshes)
         for (VertexBlock& block : mesh.blocks) block.influences = {};
     }},
    {"Offsets",
     [](Model& model) {
       for (Mesh& mesh : model.meshes)
         for (VertexBlock& block : mesh.blocks)
           for (Attribute& attribute : block.attributes)
             for (Offsets& offsets : attribute.offsets) offsets.values = moved(offsets.values);
     }},
    {"OneShapeLess",
     [](Model& model) {
       model.clips.front().tracks.erase(std::remove_if(model.clips.front().tracks.begin(), model.clips.front().tracks.end(),
                                                       [](const Track& track) { return track.path == TrackPath::amounts; }),
                                        model.clips.front().tracks.end());
       for (std::size_t n = 0; n < model.nodes.size(); ++n)
         if (!model.rest_pose.amounts[n].empty()) model.rest_pose.amounts[n].pop_back();
       for (Mesh& mesh : model.meshes) {
         if (mesh.shapes.empty()) continue;
         mesh.shapes.pop_back();
         for (VertexBlock& block : mesh.blocks)
           for (Attribute& attribute : block.attributes)
             std::erase_if(attribute.offsets, [&](const Offsets& offsets) { return offsets.shape >= mesh.shapes.size(); });
       }
     }},
    {"Elements",
     [](Model& model) {
       Surface& surface = model.meshes[0].surfaces[0];
       surface.indexed = true;
       surface.elements = Array::own(std::vector<std::uint32_t>{0, 2, 1}, 1);
     }},
    {"BindMatrices",
     [](Model& model) {
       for (Skin& skin : model.skins) {
         skin.bind = Skin::Bind::matrices;
         skin.joint_from_mesh.assign(skin.slots.size(), Affine(3));
         skin.joint_from_mesh.front().translation(1) = 0.5;
       }
     }},
    {"Slots", [](Model& model) { std::ranges::reverse(model.skins[0].slots); }},
    {"TrackValues", [](Model& model) { model.clips[0].tracks[0].values = moved(model.clips[0].tracks[0].values); }},
    {"OneTrackLess", [](Model& model) { model.clips[0].tracks.pop_back(); }},
    {"ClipName", [](Model& model) { model.clips[0].name = "other"; }},
    {"NewClip",
     [](Model& model) {
       Clip clip = model.clips[0];
       clip.name = "copy";
       model.clips.push_back(clip);
     }},
    {"SceneRoots", [](Model& model) { model.scenes[0].roots.pop_back(); }},
    {"NewScene", [](Model& model) { model.scenes.push_back(model.scenes[0]); }},
    {"NewMaterial",
     [](Model& model) {
       model.materials.emplace_back().name = "added";
       model.meshes[0].surfaces[0].material = static_cast<Index>(model.materials.size() - 1);
     }},
    {"SkeletonName", [](Model& model) { model.skeletons[0].name = "renamed"; }},
    {"NoSkeletons", [](Model& model) { model.skeletons.clear(); }},
};

class UpdateOf : public testing::TestWithParam<Change> {};

TEST_P(UpdateOf, ReadsBackAsWhatWasAskedFor) {
  const Opened file = open_builder(everything());
  Model after = file.model;
  GetParam().apply(after);
  EXPECT_THAT(differences(file.model, after), Not(IsEmpty())) << "the change changes nothing";
  EXPECT_THAT(differences(after, updated(file, after).model), IsEmpty());
}

TEST_P(UpdateOf, CanBeTakenBack) {
  const Opened file = open_builder(everything());
  Model after = file.model;
  GetParam().apply(after);
  const Opened changed = updated(file, after);
  Model back = changed.model;
  // Elements appended to a list stay; everything else is unchanged.
  const auto restore = [](auto& list, const auto& old) { std::copy(old.begin(), old.end(), list.begin()); };
  if (back.meshes.size() == file.model.meshes.size() && back.nodes.size() == file.model.nodes.size() &&
      back.clips.size() == file.model.clips.size() && back.scenes.size() == file.model.scenes.size() &&
      back.materials.size() == file.model.materials.size()) {
    restore(back.nodes, file.model.nodes);
    back.rest_pose = file.model.rest_pose;
    back.meshes = file.model.meshes;
    back.skins = file.model.skins;
    back.clips = file.model.clips;
    back.scenes = file.model.scenes;
    back.skeletons = file.model.skeletons;
    EXPECT_THAT(differences(file.model, updated(changed, back).model), IsEmpty());
  }
}

INSTANTIATE_TEST_SUITE_P(Everything, UpdateOf, testing::ValuesIn(changes), [](const auto& test) { return std::string(test.param.name); });

// Only the requested parts of the text change.
TEST(Update, KeepsTheRestOfTheTextByteForByte) {
  Builder builder = everything();
  builder.json["nodes"][0]["extras"] = {{"kept", 1.5}};
  const Opened file = open_builder(builder);
  Model after = file.model;
  after.nodes[0].name = "renamed";
  std::string text = text_of(updated(file, after).document);
  const std::string name = R"(,"name":"renamed")";
  const auto at = text.find(name);
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_EQ(text.erase(at, name.size()), text_of(file.document));
}

TEST(Update, PutsNewBytesBehindTheBinaryChunk) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("sinew-update-{}.glb", ::getpid());
  std::ofstream(path, std::ios::binary) << everything().glb();
  const Opened file = open_file(path);
  Model after = file.model;
  position_of(after).values = moved(position_of(after).values);
  const Opened changed = updated(file, after);
  ASSERT_EQ(changed.document->chunks().size(), 1u);
  const auto old = file.document->chunks().front().view, now = changed.document->chunks().front().view;
  ASSERT_GE(now.size(), old.size());
  EXPECT_TRUE(std::ranges::equal(old, now.first(old.size())));
  EXPECT_EQ(changed.document->json().root()["buffers"].size(), 1u);
}

// An external buffer is not changed.
TEST(Update, PutsNewBytesIntoABufferOfTheirOwnWhereTheFirstIsElsewhere) {
  Builder builder = triangle();
  builder.add("buffers", {{"byteLength", builder.bytes.size()}, {"uri", "https://example.org/far.bin"}});
  const Opened file = open_builder(builder);
  Model after = file.model;
  Skin skin;
  skin.slots = {0};
  skin.bind = Skin::Bind::matrices;
  skin.joint_from_mesh.assign(1, Affine(3));
  after.skins.push_back(skin);
  const Opened changed = updated(file, after);
  EXPECT_EQ(changed.model.skins.at(0).joint_from_mesh, skin.joint_from_mesh);
  EXPECT_EQ(changed.document->json().root()["buffers"].size(), 2u);
}

TEST(Update, RefusesWhatGltfCannotHold) {
  const Opened file = open_builder(skinned());
  FindingList losses;
  const auto refused = [&](auto change) {
    Model after = file.model;
    change(after);
    const auto document = update(file.document, file.model, after, losses);
    return !document && document.error().failure == Failure::unsupported && document.error().code == "SINEW_EDIT_REFUSED";
  };
  EXPECT_TRUE(refused([](Model& model) { model.skins[0].slots[0] = none; }));
  EXPECT_TRUE(refused([](Model& model) { model.skins[0].bind = Skin::Bind::skeleton_pose; }));
  EXPECT_TRUE(refused([](Model& model) { model.meshes[0].blocks[0].influences.first.assign(5, 0); }));
  EXPECT_TRUE(refused(
      [](Model& model) { model.meshes[0].blocks[0].influences.sets[0].joints = Array::own(std::vector<std::uint32_t>(16, 65536), 4); }));
}

TEST(Update, TellsWhatIsLost) {
  FindingList losses;
  const auto empty = empty_document("new.glb", {});
  ASSERT_TRUE(empty);
  Model model;
  model.nodes.resize(1);
  model.rest_pose.locals.resize(1);
  model.rest_pose.amounts.resize(1);
  model.nodes[0].mesh = 0;
  model.nodes[0].bone = Bone{1.0, 2.0};
  model.meshes.resize(1);
  model.meshes[0].blocks.resize(1);
  model.meshes[0].surfaces.resize(1);
  model.clips.resize(1);
  const auto document = update(*empty, Model(), model, losses);
  ASSERT_TRUE(document);
  EXPECT_EQ(losses.list().size(), 3u);
  for (const Finding& loss : losses.list()) EXPECT_EQ(loss.code, "SINEW_EDIT_LOST");
  EXPECT_EQ(opened(*document).model.nodes.at(0).mesh, none);
}

// Stores `connected` if the next bone starts where a bone ends.
TEST(Update, SaysWhichBonesAreConnected) {
  const Opened file = open_builder(skinned());
  Model after = file.model;
  after.nodes[1].bone = Bone{1.0, {}};
  after.nodes[2].bone = Bone{};  // at (0, 1, 0)
  const Opened changed = updated(file, after);
  const auto nodes = changed.document->json().root()["nodes"];
  EXPECT_EQ(nodes.at(1)["extensions"]["KHR_skeleton_bone"].text(), R"({"length":1})");
  EXPECT_EQ(nodes.at(2)["extensions"]["KHR_skeleton_bone"].text(), R"({"connected":true})");
  Model without = changed.model;
  without.nodes[1].bone.reset();
  without.nodes[2].bone.reset();
  EXPECT_EQ(text_of(updated(changed, without).document).find("KHR_skeleton_bone"), std::string::npos);
}

TEST(Update, SortsSparseOffsets) {
  const Opened file = open_builder(animated());
  Model after = file.model;
  Offsets& offsets = position_of(after).offsets[1];
  offsets.indices = Array::own(std::vector<std::uint32_t>{2, 0, 2}, 1);
  offsets.values = Array::own(std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1}, 3);
  Model back = updated(file, after).model;
  const Offsets& read = position_of(back).offsets[1];
  EXPECT_THAT(read.indices.read<std::uint32_t>(), testing::ElementsAre(0, 2));
  EXPECT_THAT(read.values.read<float>(), testing::ElementsAre(0, 1, 0, 1, 0, 1));
}

TEST(Update, UnpacksACompressedPrimitiveThatChanges) {
  const auto path = std::filesystem::path(SINEW_SHARED) / "corpus/d_fox_draco/d_fox_draco.glb";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no file " << path;
  const Opened file = open_file(path);
  Model after = file.model;
  position_of(after).values = moved(position_of(after).values);
  FindingList losses;
  const auto document = update(file.document, file.model, after, losses);
  ASSERT_TRUE(document);
  ASSERT_EQ(losses.list().size(), 1u);
  EXPECT_EQ(losses.list()[0].code, "SINEW_EDIT_CHANGED");
  EXPECT_EQ(text_of(*document).find("KHR_draco_mesh_compression"), std::string::npos);
  EXPECT_THAT(differences(after, opened(*document).model), IsEmpty());
  // A change outside its geometry keeps it compressed.
  Model moved_elsewhere = file.model;
  moved_elsewhere.nodes[0].name = "renamed";
  EXPECT_NE(text_of(updated(file, moved_elsewhere).document).find("KHR_draco_mesh_compression"), std::string::npos);
}

TEST(Update, OfTheCorpusIsTheDocumentItself) {
  const auto files = corpus();
  if (files.empty()) GTEST_SKIP() << "no folder " << SINEW_SHARED << "/corpus";
  for (const auto& path : files) {
    SCOPED_TRACE(path.string());
    const Opened file = open_file(path);
    FindingList losses;
    const auto same = update(file.document, file.model, file.model, losses);
    ASSERT_TRUE(same);
    EXPECT_EQ(*same, file.document);
  }
  EXPECT_GE(files.size(), 20u);
}

TEST(Update, WritesTheCorpusAfresh) {
  const auto files = corpus();
  if (files.empty()) GTEST_SKIP() << "no folder " << SINEW_SHARED << "/corpus";
  for (const auto& path : files) {
    SCOPED_TRACE(path.string());
    const Opened file = open_file(path);
    EXPECT_THAT(differences(file.model, written_afresh(file.model).model), IsEmpty());
  }
}

}  // namespace
}  // namespace sinew::gltf::test::update_test

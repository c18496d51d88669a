// SPDX-License-Identifier: MIT
#include "g4mf/write/update.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "document/json/json.hpp"
#include "g4mf/check/check.hpp"
#include "g4mf/revise/revise.hpp"
#include "unit/g4mf/builder.hpp"

#include "sinew/model.hpp"

namespace sinew::g4mf::test::update_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Document = std::shared_ptr<const document::Document>;

Document open(const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("sinew-update-{}.g4tf", ::getpid());
  std::ofstream(path, std::ios::binary) << text;
  FindingList ignored;
  auto document = document::open(path, {}, ignored);
  std::filesystem::remove(path);
  EXPECT_TRUE(document) << document.error().line();
  return *document;
}

/// A document and its model.
struct Read {
  Document document;
  Model model;
  std::vector<Finding> errors;  ///< from all checks
};
Read read_all(Document document, std::optional<Revision> revision = {}) {
  FindingList found;
  ReadOptions options;
  options.revision = revision;
  auto model = check(document, found, options);
  EXPECT_TRUE(model) << model.error().line();
  Read result{std::move(document), std::move(*model), {}};
  for (const Finding& finding : found.list())
    if (finding.severity == Severity::error) result.errors.push_back(finding);
  return result;
}
Read file(const Builder& builder) { return read_all(open(builder.text())); }

struct Updated {
  Json json;
  Read read;
  std::vector<std::string> losses;

  [[nodiscard]] const Model* operator->() const { return &read.model; }
};
Updated updated(const Read& file, const Model& after, std::optional<Revision> revision = {}) {
  FindingList losses;
  auto done = update(file.document, file.model, after, losses);
  EXPECT_TRUE(done) << done.error().line();
  Updated result{Json::parse((*done)->json().text()), read_all(*done, revision), {}};
  for (const Finding& loss : losses.list()) result.losses.push_back(fmt::format("{} {}", loss.code, loss.message));
  return result;
}
Updated afresh(const Model& model) {
  const Document empty = *empty_document("new.g4b", model.dimension, {});
  FindingList losses;
  auto done = update(empty, Model{}, model, losses);
  EXPECT_TRUE(done) << done.error().line();
  Updated result{Json::parse((*done)->json().text()), read_all(*done), {}};
  for (const Finding& loss : losses.list()) result.losses.push_back(fmt::format("{} {}", loss.code, loss.message));
  return result;
}

std::string text_of(const Array& array) { return fmt::format("{}:{}", array.width(), fmt::join(array.read<double>(), " ")); }
std::string text_of(const std::vector<Attribute>& attributes) {
  std::string text;
  for (const Attribute& attribute : attributes) {
    text += fmt::format("[{} {} by {}", static_cast<int>(attribute.semantic), text_of(attribute.values), text_of(attribute.index));
    for (const Offsets& offsets : attribute.offsets)
      text += fmt::format(" {}: {} += {}", offsets.shape, text_of(offsets.indices), text_of(offsets.values));
    text += "]";
  }
  return text;
}
/// Returns a description of everything in a mesh.
std::string text_of(const Mesh& mesh) {
  const VertexBlock& block = mesh.blocks.front();
  std::string text = mesh.name + text_of(block.attributes);
  text += fmt::format(" skin {} {} {} {}", fmt::join(block.influences.first, ","), text_of(block.influences.slots),
                      text_of(block.influences.weights), fmt::join(mesh.group_names, ","));
  for (const Surface& surface : mesh.surfaces) {
    text += fmt::format(" surface {} {} {} {} {} {}", surface.name, static_cast<int>(surface.primitive), text_of(surface.elements),
                        text_of(surface.edges), surface.material, surface.polytope_simplexes);
    text += text_of(surface.attributes);
    if (!surface.topology) continue;
    for (const Array& tier : surface.topology->tiers) text += text_of(tier);
    text += text_of(surface.topology->seams) + text_of(surface.topology->attributes);
  }
  for (const BlendShape& shape : mesh.shapes) text += fmt::format(" shape {} {}", shape.name, shape.amount);
  return text;
}
void expect_equal(const Model& a, const Model& b) {
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    EXPECT_EQ(a.nodes[i].name, b.nodes[i].name);
    EXPECT_EQ(a.nodes[i].children, b.nodes[i].children);
    EXPECT_EQ(a.nodes[i].mesh, b.nodes[i].mesh);
    EXPECT_EQ(a.nodes[i].skin, b.nodes[i].skin);
    EXPECT_EQ(a.nodes[i].visible, b.nodes[i].visible);
    EXPECT_EQ(a.nodes[i].materials, b.nodes[i].materials);
    EXPECT_EQ(a.nodes[i].bone.has_value(), b.nodes[i].bone.has_value());
    if (a.nodes[i].bone && b.nodes[i].bone) {
      EXPECT_EQ(a.nodes[i].bone->length, b.nodes[i].bone->length);
    }
    EXPECT_EQ(a.rest_pose.locals[i], b.rest_pose.locals[i]);
    EXPECT_EQ(a.rest_pose.amounts[i], b.rest_pose.amounts[i]);
  }
  ASSERT_EQ(a.meshes.size(), b.meshes.size());
  for (std::size_t i = 0; i < a.meshes.size(); ++i) EXPECT_EQ(text_of(a.meshes[i]), text_of(b.meshes[i]));
  ASSERT_EQ(a.skeletons.size(), b.skeletons.size());
  for (std::size_t i = 0; i < a.skeletons.size(); ++i) EXPECT_EQ(a.skeletons[i].joints, b.skeletons[i].joints);
  ASSERT_EQ(a.materials.size(), b.materials.size());
  for (std::size_t i = 0; i < a.materials.size(); ++i) EXPECT_EQ(a.materials[i].name, b.materials[i].name);
}

template <class Numbers>
void put(Numbers& to, const std::vector<double>& numbers) {
  to.assign(std::span<const double>(numbers));
}

Builder in_2025_08(Builder b) {
  for (Json& accessor : b.json["accessors"]) {
    accessor["primitiveType"] = accessor["componentType"];
    accessor.erase("componentType");
  }
  for (Json& node : b.json["nodes"]) {
    if (node.contains("meshInstance")) node["mesh"] = node["meshInstance"]["mesh"];
    if (node.contains("bone")) node["boneLength"] = node["bone"].value("length", 0.0);
    node.erase("meshInstance");
    node.erase("bone");
  }
  return b;
}

TEST(Update, WhatIsTheSameStaysByteForByte) {
  for (const Builder& builder : {arm(), blended(), cube(), bound(), in_2025_08(arm())}) {
    const Read before = file(builder);
    FindingList losses;
    const auto done = update(before.document, before.model, before.model, losses);
    ASSERT_TRUE(done) << done.error().line();
    EXPECT_EQ((*done)->json().text(), before.document->json().text());
    EXPECT_THAT(losses.list(), IsEmpty());
  }
}

TEST(Update, AnEmptyDocumentTakesAWholeModel) {
  for (const Builder& builder : {arm(), blended(), cube()}) {
    const Read before = file(builder);
    const Updated after = afresh(before.model);
    EXPECT_THAT(after.losses, IsEmpty());
    EXPECT_THAT(after.read.errors, IsEmpty()) << after.read.errors.front().message;
    expect_equal(before.model, after.read.model);
  }
}

TEST(Update, OnlyTheChangedNodeIsWritten) {
  Builder b = arm();
  b.json["nodes"][3]["extras"] = {{"kept", 1}};
  b.json["nodes"][3]["bone"]["extras"] = {{"kept", 2}};
  const Read before = file(b);
  Model model = before.model;
  put(model.rest_pose.locals[3].translation, {0, 2, 0, 0});
  model.nodes[3].bone->mass = 2;
  model.nodes[4].name = "Fore arm: 1";
  model.nodes[2].visible = false;
  const Updated after = updated(before, model);
  Json expected = b.json;
  expected["nodes"][3]["position"] = {0, 2, 0, 0};
  expected["nodes"][3]["bone"]["mass"] = 2;
  expected["nodes"][4]["name"] = "Fore arm_ 1";
  expected["nodes"][2]["visible"] = false;
  expected["buffers"] = after.json["buffers"];
  EXPECT_EQ(Json(after.json["nodes"]), Json(expected["nodes"]));
  EXPECT_EQ(after.json["accessors"], expected["accessors"]);
  EXPECT_THAT(after.losses, ElementsAre(HasSubstr("renamed \"Fore arm: 1\" to \"Fore arm_ 1\"")));
}

// A bone is added, listed, and takes a vertex over.
Model with_finger(const Read& before) {
  Model model = before.model;
  model.nodes.push_back({});
  model.nodes.back().name = "Lower";
  model.nodes.back().parent = 4;
  model.nodes.back().bone = Bone{};
  model.nodes[4].children = {5};
  put(model.rest_pose.locals.emplace_back().translation, {1, 0, 0, 0});
  model.rest_pose.amounts.emplace_back();
  model.skeletons[0].joints = {3, 4, 5};
  model.skins[0].slots = {3, 4, 5};
  Influences& influences = model.meshes[0].blocks[0].influences;
  influences.first = {0, 1, 3, 5};
  influences.slots = Array::own(std::vector<std::uint32_t>{0, 1, 0, 2, 1}, 1);
  influences.weights = Array::own(std::vector<float>{1, 0.75F, 0.25F, 0.5F, 0.5F}, 1);
  return model;
}

TEST(Update, SkeletonAndInfluences) {
  const Read before = file(arm());
  const Updated after = updated(before, with_finger(before));
  EXPECT_THAT(after.read.errors, IsEmpty());
  EXPECT_EQ(after->nodes[5].name, "Lower_2");
  EXPECT_EQ(after->nodes[5].parent, 4u);
  EXPECT_THAT(after->skins.at(0).slots, ElementsAre(3, 4, 5));
  const Influences& influences = after->meshes[0].blocks[0].influences;
  EXPECT_THAT(influences.first, ElementsAre(0, 1, 3, 5));
  EXPECT_THAT(influences.slots.read<std::uint32_t>(), ElementsAre(0, 1, 0, 2, 1));
  EXPECT_THAT(influences.weights.read<float>(), ElementsAre(1, 0.75F, 0.25F, 0.5F, 0.5F));
  EXPECT_EQ(after.json["meshes"][0]["vertices"], 0) << "stays where it was";
  EXPECT_EQ(after.json["meshes"][0]["name"], "Chain");
}

TEST(Update, OldNamesOfOldRevisions) {
  const Read before = file(in_2025_08(arm()));
  ASSERT_EQ(before.model.revision, "2025-08");
  const Updated after = updated(before, with_finger(before), Revision::r2025_08);
  EXPECT_TRUE(after.json["accessors"].back().contains("primitiveType"));
  EXPECT_EQ(after.json["nodes"][5]["boneLength"], 0);
  EXPECT_THAT(after->skins.at(0).slots, ElementsAre(3, 4, 5));
  EXPECT_THAT(after->meshes[0].blocks[0].influences.slots.read<std::uint32_t>(), ElementsAre(0, 1, 0, 2, 1));
}

TEST(Update, RowsThatAreEqualKeepTheirAccessor) {
  const Read before = file(arm());
  Model model = before.model;
  Influences& influences = model.meshes[0].blocks[0].influences;
  influences.weights = Array::own(std::vector<float>{1, 0.5F, 0.5F, 1}, 1);
  influences.slots = Array::own(influences.slots.read<std::uint32_t>(), 1);
  const Updated after = updated(before, model);
  EXPECT_EQ(after.json["meshes"][0]["skin"]["vertices"], 3);
  EXPECT_EQ(after.json["meshes"][0]["skin"]["weights"], 6);
}

TEST(Update, Vertices) {
  const Read before = file(arm());
  Model model = before.model;
  model.meshes[0].blocks[0].attributes[0].values = Array::own(std::vector<double>(12, 0.5), 4);
  const Updated after = updated(before, model);
  EXPECT_EQ(after->meshes[0].blocks[0].attributes[0].values.type(), ComponentType::float64);
  EXPECT_EQ(after->meshes[0].blocks[0].attributes[0].values.read<double>(), std::vector<double>(12, 0.5));
}

TEST(Update, ANewSurfaceMovesWhatShapesCountThrough) {
  const Read before = file(blended());
  Model model = before.model;
  Mesh& mesh = model.meshes[0];
  Surface& surface = mesh.surfaces[0];
  surface.elements = Array::own(std::vector<std::uint32_t>{0, 1, 2}, 3);
  Attribute& normals = surface.attributes[0];
  ASSERT_EQ(normals.semantic, Semantic::normal);
  normals.values = Array::own(std::vector<float>{0, 0, 1, 0, 1, 0, 1, 0, 0}, 3);
  normals.offsets[0].indices = Array::own(std::vector<std::uint32_t>{2}, 1);
  normals.offsets[0].values = Array::own(std::vector<float>{0, 3, 0}, 3);
  surface.attributes.pop_back();
  const Updated after = updated(before, model);
  EXPECT_THAT(after.read.errors, IsEmpty());
  EXPECT_EQ(text_of(after->meshes[0]).substr(0, 400), text_of(mesh).substr(0, 400));
  // The second surface's targets begin after three corners now, not six.
  const Mesh& read = after->meshes[0];
  ASSERT_THAT(read.surfaces[1].attributes.at(0).offsets, SizeIs(1));
  EXPECT_EQ(text_of(read.surfaces[1].attributes[0].offsets[0].indices), text_of(mesh.surfaces[1].attributes[0].offsets[0].indices));
}

TEST(Update, TheNewestRevisionHasBindings) {
  const Read before = file(bound());
  ASSERT_EQ(before.model.revision, "2026-07");
  Model model = before.model;
  Mesh copy = model.meshes[0];
  copy.name = "Copy";
  copy.surfaces[0].topology.reset();
  copy.shapes[0].name = "Copied";
  model.meshes.push_back(copy);
  const Updated after = updated(before, model, Revision::r2026_07);
  EXPECT_THAT(after.read.errors, IsEmpty());
  EXPECT_EQ(text_of(after->meshes.at(1)), text_of(copy));
  EXPECT_EQ(after.json["meshes"][0], Json::parse(before.document->json().text())["meshes"][0]);
}

TEST(Update, TransformsThatG4mfCannotSayBecomeABasis) {
  const Read before = file(simplex(3));
  Model model = before.model;
  put(model.rest_pose.locals[1].scale, {1, -1, 2});
  const Updated after = updated(before, model);
  EXPECT_EQ(after.json["nodes"][1]["basis"], Json::parse("[1,0,0,0,-1,0,0,0,2]"));
  EXPECT_FALSE(after.json["nodes"][1].contains("scale"));
}

/// A bone turns; a second clip has nothing in it.
Model with_clips(const Model& before) {
  Model model = before;
  Clip& clip = model.clips.emplace_back();
  clip.name = "Wave";
  Track& track = clip.tracks.emplace_back();
  track.node = 4;
  track.path = TrackPath::translation;
  track.interpolation = Interpolation::cubic_spline;
  track.times = Array::own(std::vector<float>{0.5F, 2}, 1);
  track.values = Array::own(std::vector<float>(24, 0.25F), 4);
  model.clips.emplace_back().name = "Rest";
  return model;
}

TEST(Update, ClipsStandInAnExtension) {
  const Read before = file(arm());
  const Model model = with_clips(before.model);
  const Updated after = updated(before, model);
  EXPECT_THAT(after.read.errors, IsEmpty());
  EXPECT_EQ(after.json["asset"]["extensionsUsed"], Json::array({"SINEW_animation"}));
  ASSERT_THAT(after->clips, SizeIs(2));
  EXPECT_EQ(after->clips[0].name, "Wave");
  EXPECT_EQ(after->clips[0].duration, 2);
  const Track& track = after->clips[0].tracks.at(0);
  EXPECT_EQ(track.node, 4u);
  EXPECT_EQ(track.path, TrackPath::translation);
  EXPECT_EQ(track.interpolation, Interpolation::cubic_spline);
  EXPECT_EQ(text_of(track.values), text_of(model.clips[0].tracks[0].values));
  // Reading it again and writing it without a change keeps it; without clips the extension is removed.
  FindingList losses;
  const auto again = update(after.read.document, after.read.model, after.read.model, losses);
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)->json().text(), after.read.document->json().text());
  Model none_left = after.read.model;
  none_left.clips.clear();
  EXPECT_FALSE(updated(after.read, none_left).json["extensions"].contains("SINEW_animation"));
}

TEST(Update, RotorsOfThreeDimensionsAreQuaternions) {
  const Read before = file(simplex(3));
  Model model = before.model;
  Track& track = model.clips.emplace_back().tracks.emplace_back();
  track.node = 1;
  track.path = TrackPath::rotation;
  track.quaternions = true;
  track.times = Array::own(std::vector<float>{0, 1}, 1);
  track.values = Array::own(std::vector<std::int16_t>{0, 0, 0, 32767, 0, 0, -32767, 0}, 4, true);
  const Updated after = updated(before, model);
  ASSERT_THAT(after->clips.at(0).tracks, SizeIs(1));
  EXPECT_TRUE(after->clips[0].tracks[0].quaternions);
  EXPECT_THAT(after->clips[0].tracks[0].values.read<float>(), ElementsAre(0, 0, 0, 1, 0, 0, -1, 0));
}

// The upper bone is bound one unit beside its present position.
Model with_pose(const Model& before) {
  Model model = before;
  Affine upper(4), lower(4);
  upper.translation(1) = -1;
  lower.translation(1) = -1;
  lower.translation(0) = -1;
  model.skeletons[0].joint_from_mesh = {upper, lower};
  model.skins[0].bind = Skin::Bind::matrices;
  model.skins[0].joint_from_mesh = {upper, lower};
  return model;
}

TEST(Update, APoseThatIsNotTheBindPose) {
  const Read before = file(arm());
  const Model model = with_pose(before.model);
  const Updated after = updated(before, model);
  EXPECT_THAT(after.read.errors, IsEmpty());
  EXPECT_EQ(after.json["nodes"][3]["position"], Json::parse("[0,1,0,0]"));
  EXPECT_EQ(after.json["nodes"][4]["position"], Json::parse("[1,0,0,0]")) << "as it was to the bone above";
  EXPECT_EQ(after.json["extensions"]["SINEW_animation"]["pose"], Json::parse(R"([{"node":3}])"));
  EXPECT_EQ(after->rest_pose.locals[3], model.rest_pose.locals[3]);
  ASSERT_EQ(after->skins.at(0).bind, Skin::Bind::matrices);
  EXPECT_EQ(after->skins[0].joint_from_mesh, model.skins[0].joint_from_mesh);
  EXPECT_EQ(after->skeletons[0].joint_from_mesh, model.skeletons[0].joint_from_mesh);
  // Another pose keeps the stored data.
  Model other = after.read.model;
  put(other.rest_pose.locals[4].translation, {1, 2, 3, 4});
  const Updated moved = updated(after.read, other);
  EXPECT_EQ(moved.json["nodes"], after.json["nodes"]);
  EXPECT_EQ(moved->rest_pose.locals[4], other.rest_pose.locals[4]);
  EXPECT_EQ(moved->skins[0].joint_from_mesh, model.skins[0].joint_from_mesh);
}

TEST(Update, WhatIsWrongInTheExtensionIsADefectOfItsClip) {
  const Read before = file(arm());
  Builder b = arm();
  const std::size_t times = b.accessor<float>({1, 0}), good = b.accessor<float>({0, 1}),
                    values = b.accessor<float>(std::vector<float>(8), 4);
  const auto clip = [&](Json track) { return Json{{"tracks", Json::array({std::move(track)})}}; };
  const Json fine = {{"node", 3}, {"path", "position"}, {"times", good}, {"values", values}};
  Json clips = Json::array({clip(fine)});
  for (const Json& patch : {Json{{"times", times}}, Json{{"path", "turn"}}, Json{{"node", 9}}, Json{{"values", good}},
                            Json{{"path", "rotor"}}, Json{{"path", "blendAmounts"}}}) {
    Json track = fine;
    track.update(patch);
    clips.push_back(clip(track));
  }
  b.json["extensions"]["SINEW_animation"]["clips"] = clips;
  b.json["asset"]["extensionsUsed"] = Json::array({"SINEW_animation"});
  const Outcome read = b.read();
  ASSERT_THAT(read->clips, SizeIs(7));
  EXPECT_EQ(read->clips[0].defect, none);
  for (std::size_t i = 1; i < read->clips.size(); ++i) {
    EXPECT_NE(read->clips[i].defect, none) << i;
    EXPECT_THAT(*read.defect(read->clips[i]).place.pointer, HasSubstr(fmt::format("/extensions/SINEW_animation/clips/{}/tracks/0", i)));
  }
}

TEST(Update, WhatCannotBeSaidIsRefused) {
  const Read before = file(arm());
  const auto refusal = [&](const Model& after) {
    FindingList losses;
    const auto done = update(before.document, before.model, after, losses);
    return done ? std::string() : done.error().line();
  };
  Model other_skin = before.model;
  other_skin.skins[0].slots = {4, 3};
  EXPECT_THAT(refusal(other_skin), HasSubstr("/nodes/2: its skin does not match the skeleton above it"));
  Model fewer = before.model;
  fewer.meshes.clear();
  EXPECT_THAT(refusal(fewer), HasSubstr("cannot be removed"));
  Model moved_root = before.model;
  put(moved_root.rest_pose.locals[0].translation, {1, 0, 0, 0});
  EXPECT_THAT(refusal(moved_root), HasSubstr("node 0 of a G4MF file is the root"));
  Model infinite = before.model;
  put(infinite.rest_pose.locals[3].translation, {std::numeric_limits<double>::infinity(), 0, 0, 0});
  EXPECT_THAT(refusal(infinite), HasSubstr("not finite"));
}

}  // namespace
}  // namespace sinew::g4mf::test::update_test

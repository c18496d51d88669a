// SPDX-License-Identifier: MIT
// Real files, if the folder with them is present.
#include <filesystem>

#include "base/guard.hpp"
#include "gltf/read/read.hpp"
#include "unit/gltf/builder.hpp"

namespace sinew::gltf::test {
namespace {

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

Outcome read_file(const std::filesystem::path& path) {
  FindingList findings;
  auto document = document::open(path, {}, findings);
  if (!document) return {Unexpected(document.error()), findings.list()};
  Result<Model> model = read(std::move(*document), findings);
  return {std::move(model), findings.list()};
}

TEST(Corpus, IsReadWithoutDefects) {
  const auto files = corpus();
  if (files.empty()) GTEST_SKIP() << "no folder " << SINEW_SHARED << "/corpus";
  for (const auto& path : files) {
    SCOPED_TRACE(path.string());
    const Outcome outcome = read_file(path);
    ASSERT_TRUE(outcome.model) << outcome.model.error().line();
    for (const Error& defect : outcome->defects) ADD_FAILURE() << defect.line();
    expect_in_range(*outcome);
  }
  EXPECT_GE(files.size(), 20u);
}

// The same model, plain and compressed, must deform equally; only results of reading are compared here.
TEST(Corpus, CompressedFilesHoldWhatThePlainOnesHold) {
  const std::filesystem::path folder = std::filesystem::path(SINEW_SHARED) / "corpus";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no folder " << folder;
  const Outcome plain = read_file(folder / "fox/Fox.glb");
  ASSERT_TRUE(plain.model);
  for (const char* name : {"d_fox_draco/d_fox_draco.glb", "d_fox_meshopt/d_fox_meshopt.glb"}) {
    const Outcome packed = read_file(folder / name);
    ASSERT_TRUE(packed.model) << name;
    EXPECT_EQ(packed->skins.at(0).slots.size(), plain->skins.at(0).slots.size());
    ASSERT_EQ(packed->clips.size(), plain->clips.size());
    for (std::size_t i = 0; i < plain->clips.size(); ++i) EXPECT_NEAR(packed->clips[i].duration, plain->clips[i].duration, 1e-5);
    const auto corners = [](const Outcome& outcome) {
      return need(elements_of(outcome->meshes[0], outcome->meshes[0].surfaces[0], 3)).indices.size();
    };
    EXPECT_EQ(corners(packed), corners(plain));
  }
}

}  // namespace
}  // namespace sinew::gltf::test

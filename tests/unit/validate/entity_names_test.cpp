// SPDX-License-Identifier: MIT
#include "validate/entity_names.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace sinew::validate::test {
namespace {

TEST(EntityNames, OfObjectsInListsOfTheRoot) {
  const auto path = std::filesystem::temp_directory_path() / ("sinew-names-" + std::to_string(::getpid()) + ".gltf");
  std::ofstream(path, std::ios::binary) << R"({"nodes": [{"name": "Hip", "x": [1]}, {}, {"name": 5}], "asset": {"0": {"name": "No"}},)"
                                        << R"( "meshes": [{"name": ")" << std::string(100, 'x') << R"("}]})";
  FindingList ignored;
  const auto document = document::open(path, {{}, nullptr, FileAccess::copy}, ignored);
  std::filesystem::remove(path);
  ASSERT_TRUE(document);
  Report report;
  for (const char* pointer :
       {"/nodes/0", "/nodes/0/x/0", "/nodes/1", "/nodes/2/name", "/nodes/9", "/nodes", "/asset/0", "", "/", "/meshes/0/a"})
    report.issues.list.push_back({"TYPE_MISMATCH", Severity::error, pointer, std::nullopt, ""});
  add_names(**document, report.issues.list, report.names);
  EXPECT_EQ(report.names.size(), 2u);
  EXPECT_EQ(report.name_of(report.issues.list[0]), "Hip");
  EXPECT_EQ(report.name_of(report.issues.list[1]), "Hip");
  for (std::size_t i = 2; i < 9; ++i) EXPECT_EQ(report.name_of(report.issues.list[i]), "") << report.issues.list[i].pointer;
  EXPECT_EQ(report.name_of(report.issues.list[9]), std::string(64, 'x') + "…");
}

}  // namespace
}  // namespace sinew::validate::test

// SPDX-License-Identifier: MIT
// Truncated files, at every byte of their first 4 KiB: each has a report, and none crashes the program.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sinew/validate.hpp"

namespace sinew::validate::test::truncation_test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> models() {
  std::vector<fs::path> list;
  for (const char* folder : {"conformance", "corpus"})
    if (fs::is_directory(fs::path(SINEW_SHARED) / folder)) {
      const auto found = models_in(fs::path(SINEW_SHARED) / folder);
      EXPECT_TRUE(found);
      list.insert(list.end(), found->files.begin(), found->files.end());
    }
  return list;
}

std::vector<fs::path> samples() { return models_in(fs::path(SINEW_SOURCE_DIR) / "samples").value().files; }

/// Checks ever shorter prefixes of a file; returns the number of reports with errors.
std::size_t truncated(const fs::path& model, const fs::path& folder) {
  constexpr std::size_t most = 4096;
  std::string bytes(most, '\0');
  std::ifstream file(model, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(most));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  const fs::path cut = folder / ("cut" + model.extension().string());
  std::ofstream(cut, std::ios::binary) << bytes;
  std::size_t broken = 0;
  for (std::size_t length = bytes.size(); length-- > 0;) {
    EXPECT_EQ(::truncate(cut.c_str(), static_cast<off_t>(length)), 0);
    const auto report = check_file(cut, {});
    EXPECT_TRUE(report) << model << " cut to " << length << " bytes: " << report.error().line();
    broken += report && report->issues.reach(Severity::error);
  }
  fs::remove(cut);
  return broken;
}

std::size_t truncated(const std::vector<fs::path>& models) {
  const fs::path folder = fs::temp_directory_path() / ("sinew-truncation-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  std::size_t broken = 0;
  for (const fs::path& model : models) broken += truncated(model, folder);
  fs::remove_all(folder);
  return broken;
}

TEST(Truncation, SamplesAtEveryByte) { EXPECT_GT(truncated(samples()), 10000u); }

TEST(Truncation, RealAndBrokenFilesAtEveryByte) {
  const auto files = models();
  if (files.empty()) GTEST_SKIP() << "no files in " << SINEW_SHARED;
  EXPECT_GE(files.size(), 150u);
  EXPECT_GT(truncated(files), 100000u);
}

TEST(Truncation, WholeFilesHaveReports) {
  for (const fs::path& model : models()) {
    const auto report = check_file(model, {});
    EXPECT_TRUE(report) << report.error().line();
  }
}

}  // namespace
}  // namespace sinew::validate::test::truncation_test

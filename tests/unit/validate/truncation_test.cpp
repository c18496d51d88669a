// SPDX-License-Identifier: MIT
// Truncated files, at every byte of their first 4 KiB: each has a report, and none crashes the program.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <span>
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

constexpr std::size_t longest = 4096, on_disk = 101;  // of which every such length is also cut on the disk

std::string beginning(const fs::path& model) {
  std::string bytes(longest, '\0');
  std::ifstream file(model, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(longest));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

/// A file that is cut, and no other. Each read has memory of its own, which ends where the file does.
class CutFile : public document::FileSource {
 public:
  explicit CutFile(const std::string& bytes) : bytes_(bytes) {}
  Result<document::Bytes> read(std::string_view name) const override {
    if (!name.starts_with("cut.")) return Unexpected(Error{Failure::input, "IO_ERROR", {}, "no such file"});
    const auto prefix = std::as_bytes(std::span(bytes_).first(length));
    const auto copy = std::make_shared<std::vector<std::byte>>(prefix.begin(), prefix.end());
    return document::Bytes{*copy, copy};
  }
  std::size_t length = 0;

 private:
  const std::string& bytes_;
};

/// Checks ever shorter prefixes of files. Those with which a file of the same kind began before are not checked again.
class Cutter {
 public:
  Cutter() : folder_(fs::temp_directory_path() / ("sinew-truncation-" + std::to_string(::getpid()))) { fs::create_directory(folder_); }
  Cutter(const Cutter&) = delete;
  ~Cutter() { fs::remove_all(folder_); }

  void cut(const fs::path& model) {
    const std::string bytes = beginning(model), name = "cut" + model.extension().string();
    const auto file = std::make_shared<CutFile>(bytes);
    Options options;
    options.load.open.files = file;
    for (std::size_t length = bytes.size(), known = known_prefixes(bytes, name); length-- > known;) {
      file->length = length;
      look_at(check_file(name, options), model, length);
      if (length % on_disk != 0) continue;
      std::ofstream(folder_ / name, std::ios::binary) << bytes.substr(0, length);
      look_at(check_file(folder_ / name, {}), model, length);
    }
    known_[name].push_back(bytes);
  }

  [[nodiscard]] std::size_t broken() const { return broken_; }

 private:
  /// Returns how many lengths, from 0 on, a file before had with the same bytes.
  [[nodiscard]] std::size_t known_prefixes(const std::string& bytes, const std::string& name) {
    std::size_t most = 0;
    for (const std::string& other : known_[name]) {
      const auto alike = static_cast<std::size_t>(std::ranges::mismatch(bytes, other).in1 - bytes.begin());
      most = std::max(most, std::min(alike + 1, other.size()));
    }
    return most;
  }
  void look_at(const Result<Report>& report, const fs::path& model, std::size_t length) {
    EXPECT_TRUE(report) << model << " cut to " << length << " bytes: " << report.error().line();
    broken_ += report && report->issues.reach(Severity::error);
  }

  fs::path folder_;
  std::map<std::string, std::vector<std::string>> known_;  ///< by name, and so by extension
  std::size_t broken_ = 0;
};

std::size_t truncated(const std::vector<fs::path>& models) {
  Cutter cutter;
  for (const fs::path& model : models) cutter.cut(model);
  return cutter.broken();
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

// SPDX-License-Identifier: MIT
#include "document/files/platform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "base/guard.hpp"
#include "base/path_text.hpp"
#include "document/files/file.hpp"
#include "document/files/output.hpp"
#include "document/files/uri.hpp"

#include "sinew/document.hpp"

namespace sinew::document {
namespace {

/// A new folder whose name no code page of eight bits can hold.
class Utf8Folder {
 public:
  Utf8Folder() {
    std::array<unsigned char, 4> bytes{};
    EXPECT_TRUE(platform::random_bytes(bytes));
    std::string name = "sinew-Ärmel-骨-";
    for (const unsigned char byte : bytes) name += static_cast<char>('a' + byte % 26);
    path_ = std::filesystem::temp_directory_path() / path_of(name);
    std::filesystem::create_directory(path_);
  }
  Utf8Folder(const Utf8Folder&) = delete;
  Utf8Folder& operator=(const Utf8Folder&) = delete;
  ~Utf8Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return path_ / path_of(name); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void write_text_to(const std::filesystem::path& path, std::string_view text) {
  auto output = OutputFile::create(path);
  ASSERT_TRUE(output) << output.error().line();
  ASSERT_TRUE(output->write(text));
  const auto done = output->commit();
  ASSERT_TRUE(done) << done.error().line();
}

std::string text_read_from(const std::filesystem::path& path, FileAccess access = FileAccess::automatic) {
  const auto bytes = read_file(path, access, 1 << 24);
  if (!bytes) return bytes.error().line();
  return {reinterpret_cast<const char*>(bytes->view.data()), bytes->view.size()};
}

TEST(Platform, PathsAreUtf8) {
  const std::string text = "Ärmel/骨.glb";
  EXPECT_EQ(path_text(path_of(text)), std::string("Ärmel/骨.glb"));
  EXPECT_EQ(uri_path_text(path_of("a") / path_of("骨")), "a/骨");
  EXPECT_EQ(need(file_extension("Ärmel.骨.GLB")), ".glb");
}

TEST(Platform, MessagesNameAFileInUtf8) {
  const Utf8Folder folder;
  const auto bytes = read_file(folder / "没有.glb", FileAccess::copy, 100);
  ASSERT_FALSE(bytes);
  EXPECT_NE(bytes.error().place.file.find("没有.glb"), std::string::npos);
  EXPECT_EQ(bytes.error().message, "cannot be opened: No such file or directory");
}

// Also the ends of lines, and the character that ends a text on some systems.
TEST(Platform, FilesKeepTheirBytes) {
  const Utf8Folder folder;
  const std::string text("a\nb\r\nc\x1A\0d", 9);
  write_text_to(folder / "骨.bin", text);
  EXPECT_EQ(text_read_from(folder / "骨.bin"), text);
}

TEST(Platform, AWrittenFileReplacesTheOldOne) {
  const Utf8Folder folder;
  write_text_to(folder / "骨.bin", "old and longer");
  write_text_to(folder / "骨.bin", "new");
  EXPECT_EQ(text_read_from(folder / "骨.bin"), "new");
}

TEST(Platform, WithoutCommitNothingRemains) {
  const Utf8Folder folder;
  {
    auto output = OutputFile::create(folder / "骨.bin");
    ASSERT_TRUE(output);
    ASSERT_TRUE(output->write(std::string(1 << 20, 'x')));
    EXPECT_FALSE(std::filesystem::is_empty(folder.path()));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Platform, LargeFilesAreMapped) {
  const Utf8Folder folder;
  std::string text(300 << 10, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 31 >> 3);
  write_text_to(folder / "骨.bin", text);
  EXPECT_EQ(text_read_from(folder / "骨.bin"), text);
  EXPECT_EQ(text_read_from(folder / "骨.bin", FileAccess::copy), text);
}

TEST(Platform, CreatesAFileOnlyOnce) {
  const Utf8Folder folder;
  EXPECT_TRUE(platform::create_new(folder / "骨", true));
  EXPECT_FALSE(platform::create_new(folder / "骨", true));
  EXPECT_EQ(errno, EEXIST);
}

TEST(Platform, AFolderIsNoFile) {
  const Utf8Folder folder;
  const auto bytes = read_file(folder.path(), FileAccess::copy, 100);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message, "is a folder, expected a file");
  const auto output = OutputFile::create(folder.path());
  ASSERT_FALSE(output);
}

TEST(Platform, RandomBytesDiffer) {
  std::set<std::array<unsigned char, 8>> seen;
  for (int i = 0; i < 100; ++i) {
    std::array<unsigned char, 8> bytes{};
    ASSERT_TRUE(platform::random_bytes(bytes));
    seen.insert(bytes);
  }
  EXPECT_EQ(seen.size(), 100U);
}

TEST(Platform, UrisFindFilesInTheFolder) {
  const Utf8Folder folder;
  write_text_to(folder / "骨 1.bin", "data");
  const auto path = resolve(folder.path(), "%E9%AA%A8%201.bin", {});
  ASSERT_TRUE(path) << path.error().line();
  const auto bytes = read_named_file(folder.path(), *path, {});
  ASSERT_TRUE(bytes) << bytes.error().line();
  EXPECT_EQ(bytes->view.size(), 4U);
}

TEST(Platform, UrisDoNotLeaveTheFolder) {
  const Utf8Folder folder;
  for (const std::string_view uri : {"../x.bin", "/etc/passwd", "%2Fetc/passwd", "C:/x.bin", "a/../../x.bin"})
    EXPECT_FALSE(resolve(folder.path(), uri, {})) << uri;
#ifdef _WIN32
  for (const std::string_view uri : {"%43:/x.bin", "x.bin%3Astream", "a%5Cb.bin", "x%3F.bin"})
    EXPECT_FALSE(resolve(folder.path(), uri, {})) << uri;
#endif
}

}  // namespace
}  // namespace sinew::document

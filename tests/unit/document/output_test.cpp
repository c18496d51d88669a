// SPDX-License-Identifier: MIT
#include "document/files/output.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "unit/document/files.hpp"

namespace sinew::document {
namespace {

using ::testing::HasSubstr;

mode_t mode_of(const std::filesystem::path& path) {
  struct stat status{};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

void write_whole(const std::filesystem::path& path, std::string_view text) {
  auto output = OutputFile::create(path);
  ASSERT_TRUE(output) << output.error().line();
  ASSERT_TRUE(output->write(text));
  ASSERT_TRUE(output->commit());
}

std::string why_not(const std::filesystem::path& path) {
  const auto output = OutputFile::create(path);
  if (output) return "";
  EXPECT_EQ(output.error().failure, Failure::output);
  EXPECT_EQ(output.error().place.file, path);
  return output.error().message;
}

TEST(Output, NewFileIsThereWhenCommitted) {
  const Folder folder;
  auto output = OutputFile::create(folder / "a.npy");
  ASSERT_TRUE(output);
  ASSERT_TRUE(output->write("abc"));
  ASSERT_TRUE(output->write(std::string(100000, 'x')));
  ASSERT_TRUE(output->write("end"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a.npy"));
  ASSERT_TRUE(output->commit());
  EXPECT_EQ(folder.read("a.npy"), "abc" + std::string(100000, 'x') + "end");
  EXPECT_EQ(folder.entries(), 1);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  EXPECT_EQ(mode_of(folder / "a.npy"), 0666 & ~mask);
}

TEST(Output, BytesAreReplacedAfterwards) {
  const Folder folder;
  auto output = OutputFile::create(folder / "a.exr");
  ASSERT_TRUE(output);
  ASSERT_TRUE(output->write("head....body"));
  ASSERT_TRUE(output->write_at(4, std::as_bytes(std::span("1234", 4))));  // what waits is written first
  ASSERT_TRUE(output->write("end"));
  ASSERT_TRUE(output->commit());
  EXPECT_EQ(folder.read("a.exr"), "head1234bodyend");
}

TEST(Output, WithoutCommitTheOldFileStaysAndNothingIsLeft) {
  const Folder folder;
  folder.write("a", "old");
  {
    auto output = OutputFile::create(folder / "a");
    ASSERT_TRUE(output);
    ASSERT_TRUE(output->write(std::string(100000, 'x')));
    EXPECT_EQ(folder.entries(), 2);
    OutputFile moved = std::move(*output);
    EXPECT_EQ(folder.read("a"), "old");
  }
  EXPECT_EQ(folder.read("a"), "old");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Output, ReplacedFileKeepsItsMode) {
  const Folder folder;
  for (const mode_t mode : {0600u, 0755u, 0664u}) {
    ASSERT_EQ(::chmod(folder.write("a", "old").c_str(), mode), 0);
    write_whole(folder / "a", "new");
    EXPECT_EQ(folder.read("a"), "new");
    EXPECT_EQ(mode_of(folder / "a"), mode);
  }
}

TEST(Output, TemporaryIsBesideTheTargetAndHidden) {
  const Folder folder;
  const auto output = OutputFile::create(folder / "a.glb");
  ASSERT_TRUE(output);
  EXPECT_THAT(std::filesystem::directory_iterator(folder.path())->path().filename().string(), testing::StartsWith(".a.glb.sinew-"));
}

TEST(Output, LongNamesFit) {
  const Folder folder;
  const std::string name(255, 'n');
  write_whole(folder / name, "x");
  EXPECT_EQ(folder.read(name), "x");
}

TEST(Output, SymlinksAreFollowed) {
  const Folder folder;
  std::filesystem::create_directory(folder / "sub");
  folder.write("sub/real", "old");
  std::filesystem::create_symlink("sub/real", folder / "link");
  std::filesystem::create_symlink("link", folder / "link2");
  std::filesystem::create_symlink("sub/new", folder / "dangling");
  std::filesystem::create_symlink("loop", folder / "loop");
  write_whole(folder / "link2", "new");
  EXPECT_EQ(folder.read("sub/real"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link2"));
  write_whole(folder / "dangling", "made");
  EXPECT_EQ(folder.read("sub/new"), "made");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "dangling"));
  EXPECT_THAT(why_not(folder / "loop"), HasSubstr("symbolic links"));
}

TEST(Output, RelativeTargetsAreInTheWorkingFolder) {
  const Folder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  write_whole("plain", "x");
  std::filesystem::current_path(before);
  EXPECT_EQ(folder.read("plain"), "x");
}

TEST(Output, DevicesAndPipesAreWrittenDirectly) {
  write_whole("/dev/null", "gone");
  struct stat status{};
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::string got;
  {
    std::jthread reader([&] { got = folder.read("pipe"); });
    write_whole(folder / "pipe", "through");
  }
  EXPECT_EQ(got, "through");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Output, WhatCannotBeWrittenIsSaidAtOnce) {
  const Folder folder;
  EXPECT_THAT(why_not(folder.path()), HasSubstr("is a folder"));
  EXPECT_THAT(why_not(folder / "sub/"), HasSubstr("is the name of a folder"));
  EXPECT_THAT(why_not(""), HasSubstr("is the name of a folder"));
  EXPECT_THAT(why_not(folder / "missing/a"), HasSubstr("its folder cannot be reached: No such file"));
  folder.write("file", "x");
  EXPECT_THAT(why_not(folder / "file/a"), HasSubstr("Not a directory"));
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Output, ReadOnlyFoldersAndFilesAreRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const Folder folder;
  ASSERT_EQ(::chmod(folder.write("kept", "old").c_str(), 0444), 0);
  EXPECT_THAT(why_not(folder / "kept"), HasSubstr("Permission denied"));
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  EXPECT_THAT(why_not(folder / "a"), HasSubstr("Permission denied"));
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
}

TEST(Output, FullDeviceIsAnErrorAndStaysOne) {
  auto output = OutputFile::create("/dev/full");
  ASSERT_TRUE(output) << output.error().line();
  ASSERT_TRUE(output->write("small, so gathered"));
  const auto committed = output->commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().failure, Failure::output);
  EXPECT_THAT(committed.error().line(), HasSubstr("/dev/full: cannot be written: No space left on device"));
  EXPECT_FALSE(output->commit());
}

/// Redirects standard output to a pipe.
class StandardOutput {
 public:
  StandardOutput() : saved_(::dup(STDOUT_FILENO)) {
    if (::pipe(ends_.data()) != 0) ADD_FAILURE();
    ::dup2(ends_[1], STDOUT_FILENO);
    ::close(ends_[1]);
  }
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;
  ~StandardOutput() {
    restore();
    if (!closed_) ::close(ends_[0]);
  }
  void restore() {
    if (saved_ < 0) return;
    ::dup2(saved_, STDOUT_FILENO);
    ::close(saved_);
    saved_ = -1;
  }
  void close_reader() {
    ::close(ends_[0]);
    closed_ = true;
  }
  [[nodiscard]] std::string got() {
    restore();
    std::string text(100, '\0');
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(ends_[0], text.data(), text.size()), 0)));
    return text;
  }

 private:
  int saved_;
  std::array<int, 2> ends_{};
  bool closed_ = false;
};

TEST(Output, StandardOutputIsWrittenAndStaysOpen) {
  StandardOutput standard;
  write_whole("-", "a");
  write_whole("-", "b");
  EXPECT_EQ(standard.got(), "ab");
}

TEST(Output, PipeWithoutReaderIsAnErrorWhereTheSignalIsIgnored) {
  const IgnoreSigpipe ignore;
  std::optional<Result<>> committed;
  {
    StandardOutput standard;
    standard.close_reader();
    auto output = OutputFile::create("-");
    ASSERT_TRUE(output);
    ASSERT_TRUE(output->write("x"));
    committed = output->commit();
  }
  ASSERT_FALSE(*committed);
  EXPECT_THAT(committed->error().message, HasSubstr("Broken pipe"));
}

}  // namespace
}  // namespace sinew::document

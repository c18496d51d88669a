// SPDX-License-Identifier: MIT
#include "sinew/document.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "document/json/json.hpp"
#include "unit/document/files.hpp"

namespace sinew::document {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

const std::string small_glb = "glTF\2\0\0\0\x2C\0\0\0\x0C\0\0\0JSON{\"a\":\"b\"}   \4\0\0\0BIN\0abcd"s;

struct Opened {
  FindingList findings;
  Result<std::shared_ptr<const Document>> document;
  explicit Opened(const std::filesystem::path& path, const OpenOptions& options = {}) : document(open(path, options, findings)) {}
  [[nodiscard]] std::string failed() const { return document ? "" : document.error().code; }
};

TEST(Open, JsonText) {
  const Folder folder;
  const Opened opened(folder.write("a.gltf", R"({"asset":{"version":"2.0"}})"));
  ASSERT_TRUE(opened.document);
  const Document& document = **opened.document;
  EXPECT_EQ(document.container(), Container::json);
  EXPECT_EQ(document.path(), folder / "a.gltf");
  EXPECT_TRUE(document.json().root()["asset"]["version"].equals("2.0"));
  EXPECT_TRUE(document.chunks().empty());
  EXPECT_TRUE(opened.findings.list().empty());
}

TEST(Open, BinaryWhateverItsName) {
  const Folder folder;
  for (const char* name : {"a.glb", "a.vrm", "a.gltf", "a"}) {
    const Opened opened(folder.write(name, small_glb));
    ASSERT_TRUE(opened.document) << opened.document.error().line();
    const Document& document = **opened.document;
    EXPECT_EQ(document.container(), Container::glb);
    EXPECT_TRUE(document.json().root()["a"].equals("b"));
    ASSERT_EQ(document.chunks().size(), 1u);
    EXPECT_EQ(text_of(document.chunks()[0].view), "abcd");
  }
}

TEST(Open, TextInAFileNamedGlbIsRead) {
  const Folder folder;
  const Opened opened(folder.write("a.glb", "{}"));
  ASSERT_TRUE(opened.document);
  EXPECT_EQ((*opened.document)->container(), Container::json);
}

TEST(Open, UnreadableContentIsNamedByTheExtension) {
  const Folder folder;
  EXPECT_EQ(Opened(folder.write("a.glb", "nonsense, no magic")).failed(), "GLB_INVALID_MAGIC");
  EXPECT_EQ(Opened(folder.write("b.glb", "{ no JSON either")).failed(), "GLB_INVALID_MAGIC");
  EXPECT_EQ(Opened(folder.write("c.glb", "")).failed(), "GLB_UNEXPECTED_END_OF_HEADER");
  const Opened text(folder.write("a.gltf", "{]"));
  EXPECT_EQ(text.failed(), "INVALID_JSON");
  EXPECT_EQ(text.document.error().place.file, folder / "a.gltf");
  EXPECT_EQ(text.document.error().place.offset, 1u);
  ASSERT_EQ(text.findings.list().size(), 1u);
  EXPECT_EQ(text.findings.list()[0].code, "INVALID_JSON");
  EXPECT_EQ(text.findings.list()[0].pointer, "");
  EXPECT_FALSE(text.findings.list()[0].offset);
  EXPECT_EQ(Opened(folder.write("b.gltf", "")).failed(), "INVALID_JSON");
}

TEST(Open, BrokenJsonInBinaryHasItsOffsetInTheFile) {
  const Folder folder;
  std::string file = small_glb;
  file[20] = '[';
  const Opened opened(folder.write("a.glb", file));
  EXPECT_EQ(opened.failed(), "INVALID_JSON");
  EXPECT_EQ(opened.document.error().place.offset, 24u);
}

TEST(Open, EveryTruncationIsAnErrorOrASoundDocument) {
  const Folder folder;
  int sound = 0;
  for (std::size_t length = 0; length < small_glb.size(); ++length) {
    const Opened opened(folder.write("a.glb", small_glb.substr(0, length)));
    EXPECT_FALSE(opened.findings.list().empty()) << length;
    if (!opened.document) continue;
    ++sound;
    EXPECT_EQ((*opened.document)->json().root().size(), 1u);
  }
  EXPECT_EQ(sound, 12);
}

TEST(Open, WhatIsNoFileIsRefusedInWords) {
  const Folder folder;
  EXPECT_THAT(Opened(folder.path()).document.error().message, HasSubstr("is a folder"));
  EXPECT_THAT(Opened("/dev/zero").document.error().message, HasSubstr("is a device"));
  const Opened missing(folder / "missing.gltf");
  EXPECT_EQ(missing.failed(), "IO_ERROR");
  EXPECT_EQ(missing.document.error().failure, Failure::input);
  EXPECT_THAT(missing.document.error().line(), HasSubstr("missing.gltf: cannot be opened: No such file or directory"));
}

TEST(Open, LargeFilesMappedOrCopiedAreTheSame) {
  const Folder folder;
  std::string text = "[";
  for (int i = 0; i < 30000; ++i) text += std::to_string(i) + ",";
  text.back() = ']';
  const auto path = folder.write("a.gltf", text);
  for (const FileAccess access : {FileAccess::automatic, FileAccess::copy}) {
    OpenOptions options;
    options.access = access;
    const Opened opened(path, options);
    ASSERT_TRUE(opened.document);
    EXPECT_EQ((*opened.document)->json().text(), text);
    EXPECT_EQ((*opened.document)->json().root().size(), 30000u);
  }
  OpenOptions options;
  options.access = FileAccess::copy;
  options.limits.memory = 1000;
  EXPECT_EQ(Opened(path, options).document.error().failure, Failure::limit);
}

TEST(Open, PipesAreReadToTheirEnd) {
  const Folder folder;
  const auto path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string text = "[";
  for (int i = 0; i < 50000; ++i) text += "1,";
  text.back() = ']';
  {
    std::jthread writer([&] { std::ofstream(path) << text; });
    const Opened opened(path);
    ASSERT_TRUE(opened.document);
    EXPECT_EQ((*opened.document)->json().root().size(), 50000u);
  }
  const IgnoreSigpipe ignore;  // the reader stops early
  std::jthread writer([&] { std::ofstream(path) << '{' << std::string(100000, ' ') << '}'; });
  OpenOptions options;
  options.limits.memory = 70000;
  const Opened too_long(path, options);
  ASSERT_FALSE(too_long.document);
  EXPECT_EQ(too_long.document.error().code, "SINEW_MEMORY_LIMIT");
}

/// Redirects standard input to a file while it lives.
class StandardInput {
 public:
  explicit StandardInput(const std::filesystem::path& path) : saved_(::dup(STDIN_FILENO)) {
    const int file = ::open(path.c_str(), O_RDONLY);
    ::dup2(file, STDIN_FILENO);
    ::close(file);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;
  ~StandardInput() {
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
};

TEST(Open, StandardInputHasNoFolder) {
  const Folder folder;
  const StandardInput input(folder.write("a.glb", small_glb));
  const Opened opened("-");
  ASSERT_TRUE(opened.document);
  const Document& document = **opened.document;
  EXPECT_EQ(document.container(), Container::glb);
  EXPECT_EQ(document.fetch("x.bin").error().code, "SINEW_URI_NO_FOLDER");
  EXPECT_EQ(document.fetch("http://host/x").error().code, "SINEW_URI_REFUSED");
  EXPECT_EQ(text_of(document.fetch("data:,x")->view), "x");
}

// Reports of the Khronos glTF-Validator (its own test suite) about containers and JSON syntax.
TEST(Open, AgreesWithTheKhronosReports) {
  const std::filesystem::path suite = std::filesystem::path(SINEW_SHARED) / "conformance/khronos";
  if (!std::filesystem::is_directory(suite)) GTEST_SKIP() << "no reports under " << suite << " (CMake variable SINEW_SHARED)";
  const auto decided_here = [](std::string_view code) { return code.starts_with("GLB_") || code == "INVALID_JSON"; };
  int files = 0;
  int messages = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(suite)) {
    const std::filesystem::path report_path = entry.path().string() + ".report.json";
    if (!std::filesystem::exists(report_path)) continue;
    const Opened report(report_path);
    ASSERT_TRUE(report.document) << report_path;
    std::vector<std::string> expected;
    for (const JsonValue message : (*report.document)->json().root()["issues"]["messages"].elements()) {
      if (!decided_here(message["code"].string())) continue;
      expected.push_back(fmt::format("{} {}", message["code"].string(), message["offset"].text()));
    }
    const Opened opened(entry.path());
    std::vector<std::string> found;
    for (const Finding& finding : opened.findings.list()) {
      if (!decided_here(finding.code)) continue;
      found.push_back(fmt::format("{} {}", finding.code, finding.offset ? std::to_string(*finding.offset) : ""));
      EXPECT_EQ(finding.pointer, "");
    }
    EXPECT_EQ(found, expected) << entry.path();
    ++files;
    messages += static_cast<int>(expected.size());
  }
  EXPECT_GE(files, 170);
  EXPECT_GE(messages, 12);
}

TEST(Fetch, FilesBesideTheDocumentAndDataUris) {
  const Folder folder;
  folder.write("a b.bin", "beside");
  std::filesystem::create_directory(folder / "sub");
  folder.write("sub/c.bin", "below");
  const Opened opened(folder.write("a.gltf", "{}"));
  const Document& document = **opened.document;
  EXPECT_EQ(text_of(document.fetch("a%20b.bin")->view), "beside");
  EXPECT_EQ(text_of(document.fetch("sub/c.bin")->view), "below");
  EXPECT_EQ(text_of(document.fetch("data:application/octet-stream;base64,YWJj")->view), "abc");
  const auto missing = document.fetch("missing.bin");
  EXPECT_EQ(missing.error().code, "IO_ERROR");
  EXPECT_EQ(missing.error().place.file, folder / "missing.bin");
  EXPECT_THAT(document.fetch("sub").error().message, HasSubstr("is a folder"));
  const auto out = document.fetch("../x");
  EXPECT_EQ(out.error().code, "SINEW_URI_REFUSED");
  EXPECT_EQ(out.error().place.file, folder / "a.gltf");
}

/// Files in memory, with the names that were asked for.
struct Package : FileSource {
  std::map<std::string, std::string, std::less<>> files;
  mutable std::vector<std::string> asked;

  Result<Bytes> read(std::string_view name) const override {
    asked.emplace_back(name);
    const auto found = files.find(name);
    if (found == files.end()) return Unexpected(Error{Failure::input, "IO_ERROR", {std::string(name), {}, {}}, "not in the package"});
    const auto owner = std::make_shared<const std::string>(found->second);
    return Bytes{std::as_bytes(std::span(*owner)), owner};
  }
};

TEST(Fetch, FromASourceOfFiles) {
  const auto package = std::make_shared<Package>();
  package->files = {{"pak://hero/body.gltf", R"({"a":1})"},
                    {"pak://hero/skin 1.bin", "skin"},
                    {"pak://common.bin", "common"},
                    {"plain.gltf", "{}"},
                    {"b.bin", "b"}};
  OpenOptions options;
  options.files = package;
  const Opened opened("pak://hero/body.gltf", options);
  ASSERT_TRUE(opened.document) << opened.document.error().line();
  const Document& document = **opened.document;
  EXPECT_EQ(text_of(document.fetch("skin%201.bin")->view), "skin");
  EXPECT_EQ(text_of(document.fetch("./x/../skin%201.bin")->view), "skin");
  EXPECT_EQ(text_of(document.fetch("data:application/octet-stream;base64,YWJj")->view), "abc");
  EXPECT_EQ(document.size(), 7u + 2 * 4);
  const auto missing = document.fetch("none.bin");
  EXPECT_EQ(missing.error().place.file, "pak://hero/none.bin");
  EXPECT_EQ(missing.error().message, "not in the package");
  const std::size_t before = package->asked.size();
  for (const char* refused :
       {"../common.bin", "x/../../common.bin", "/common.bin", "pak://common.bin", "a%00b", "a%5Cb", "", "%2e%2e/common.bin"})
    EXPECT_EQ(document.fetch(refused).error().code, "SINEW_URI_REFUSED") << refused;
  EXPECT_EQ(package->asked.size(), before);
  EXPECT_EQ(text_of((*Opened("plain.gltf", options).document)->fetch("b.bin")->view), "b");
  options.allow_outside = true;
  EXPECT_EQ((*Opened("pak://hero/body.gltf", options).document)->fetch("../common.bin").error().place.file, "pak://hero/../common.bin");
  options.limits.memory = 5;
  EXPECT_EQ(Opened("pak://hero/body.gltf", options).failed(), "SINEW_MEMORY_LIMIT");
  EXPECT_EQ(Opened("pak://none.gltf", options).failed(), "IO_ERROR");
}

TEST(Fetch, FromASourceWithErrorsAndBytesOfItsOwn) {
  static constexpr std::string_view static_bytes = "static";
  struct Own : Package {
    Error own;
    Result<Bytes> read(std::string_view name) const override {
      if (name == "static.bin") return Bytes{std::as_bytes(std::span(static_bytes)), nullptr};
      return name == "a.gltf" ? Package::read(name) : Result<Bytes>(Unexpected(own));
    }
  };
  const auto package = std::make_shared<Own>();
  package->files = {{"a.gltf", "{}"}};
  OpenOptions options;
  options.files = package;
  const auto said = [&](const Error& own) {
    package->own = own;
    return (*Opened("a.gltf", options).document)->fetch("b.bin").error().line();
  };
  EXPECT_EQ(text_of((*Opened("a.gltf", options).document)->fetch("static.bin")->view), "static");
  EXPECT_EQ(said({}), "a.gltf: cannot be read [IO_ERROR]");
  EXPECT_EQ(said({Failure::input, "PAK_MISSING", {"b.bin", {}, {}}, "not there"}), "b.bin: not there [IO_ERROR]");
  EXPECT_EQ(said({Failure::limit, "SINEW_NO_MEMORY", {}, "none left"}), "a.gltf: none left [SINEW_NO_MEMORY]");
}

TEST(Fetch, OutlivesTheDocument) {
  const Folder folder;
  folder.write("large.bin", std::string(100000, 'x'));
  Bytes bytes;
  {
    const Opened opened(folder.write("a.gltf", "{}"));
    bytes = *(*opened.document)->fetch("large.bin");
  }
  EXPECT_EQ(text_of(bytes.view), std::string(100000, 'x'));
}

}  // namespace
}  // namespace sinew::document

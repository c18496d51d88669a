// SPDX-License-Identifier: MIT
#include "document/files/uri.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "document/files/file.hpp"
#include "rapidcheck.h"
#include "unit/document/files.hpp"

namespace sinew::document {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

TEST(Uri, Schemes) {
  EXPECT_EQ(scheme_of("http://x/y"), "http");
  EXPECT_EQ(scheme_of("DATA:,"), "DATA");
  EXPECT_EQ(scheme_of("a+b-c.1:x"), "a+b-c.1");
  EXPECT_EQ(scheme_of("file.bin"), "");
  EXPECT_EQ(scheme_of("folder/a:b"), "");
  EXPECT_EQ(scheme_of("1a:b"), "");
  EXPECT_EQ(scheme_of(":b"), "");
  EXPECT_EQ(scheme_of(""), "");
  EXPECT_TRUE(is_data_uri("data:,x"));
  EXPECT_TRUE(is_data_uri("Data:,x"));
  EXPECT_FALSE(is_data_uri("data"));
  EXPECT_FALSE(is_data_uri("database:x"));
  EXPECT_FALSE(is_data_uri("file.bin"));
}

TEST(Uri, FaultsHaveTheirPlace) {
  struct Case {
    std::string_view uri;
    std::size_t offset;
  };
  for (const auto& [uri, offset] : {Case{":", 0}, Case{"a%", 1}, Case{"a%2", 1}, Case{"%41%4G", 3}, Case{"data:x", 6},
                                    Case{"data:application/octet-stream;;base64,AA==", 30}, Case{"data:;base64;a=b,AA", 12},
                                    Case{"data:;name,AA", 10}, Case{"data:,%x", 6}}) {
    const auto fault = find_uri_fault(uri);
    ASSERT_TRUE(fault) << uri;
    EXPECT_EQ(fault->offset, offset) << uri;
    EXPECT_FALSE(fault->expected.empty());
  }
  for (const std::string_view uri : {"", "a b", "%41", "a:b", "data:,", "data:;base64,", "data:a/b;c=d;base64,x%", "http://[::1]/x"})
    EXPECT_FALSE(find_uri_fault(uri)) << uri;
}

TEST(Uri, PercentDecoding) {
  EXPECT_EQ(percent_decode("a%20b%2Fc%c3%A9"), "a b/c\xC3\xA9");
  EXPECT_EQ(percent_decode("100%"), "100%");
  EXPECT_EQ(percent_decode("%4"), "%4");
  EXPECT_EQ(percent_decode("%zz%00"), "%zz\0"s);
}

TEST(Uri, PartsOfDataUris) {
  const auto plain = split_data_uri("data:text/plain;charset=utf-8,a%20b");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->media_type, "text/plain");
  EXPECT_FALSE(plain->base64);
  EXPECT_EQ(plain->payload, "a%20b");
  EXPECT_EQ(plain->payload_offset, 30u);
  const auto binary = split_data_uri("data:;base64,AAAA");
  ASSERT_TRUE(binary);
  EXPECT_EQ(binary->media_type, "");
  EXPECT_TRUE(binary->base64);
  EXPECT_FALSE(split_data_uri("data:x"));
  EXPECT_FALSE(split_data_uri("file.bin"));
}

std::string decode(std::string_view text) {
  const auto out = std::make_unique_for_overwrite<std::byte[]>(base64_bound(text.size()));
  const Base64Result result = base64_decode(text, out.get());
  if (result.fault) return "fault at " + std::to_string(result.fault->offset);
  return std::string(text_of({out.get(), result.size}));
}

// The test vectors of RFC 4648, section 10, and related cases.
TEST(Base64, Vectors) {
  EXPECT_EQ(decode(""), "");
  EXPECT_EQ(decode("Zg=="), "f");
  EXPECT_EQ(decode("Zm8="), "fo");
  EXPECT_EQ(decode("Zm9v"), "foo");
  EXPECT_EQ(decode("Zm9vYg=="), "foob");
  EXPECT_EQ(decode("Zm9vYmE="), "fooba");
  EXPECT_EQ(decode("Zm9vYmFy"), "foobar");
  EXPECT_EQ(decode("+/+/"), "\xFB\xFF\xBF");
  EXPECT_EQ(decode("-_-_"), "\xFB\xFF\xBF");
}

TEST(Base64, MissingPaddingIsTolerated) {
  EXPECT_EQ(decode("Zg"), "f");
  EXPECT_EQ(decode("Zm8"), "fo");
}

TEST(Base64, FaultsHaveTheirPlace) {
  EXPECT_EQ(decode("`"), "fault at 0");
  EXPECT_EQ(decode("Zm9v*m9v"), "fault at 4");
  EXPECT_EQ(decode("Zm9vZm9 "), "fault at 7");
  EXPECT_EQ(decode("Zm9vZ\n=="), "fault at 5");
  EXPECT_EQ(decode("Zm=v"), "fault at 2");
  EXPECT_EQ(decode("Zm9v\x80"), "fault at 4");
  EXPECT_EQ(decode("Zm9vZ"), "fault at 5") << "one digit is no byte";
  EXPECT_EQ(decode("Z==="), "fault at 1");
  EXPECT_EQ(decode("Zg="), "fault at 2") << "half a padding";
  EXPECT_EQ(decode("Zm8=="), "fault at 3");
  EXPECT_EQ(decode("Zm9v="), "fault at 4");
  EXPECT_EQ(decode("="), "fault at 0");
  EXPECT_EQ(decode("=="), "fault at 0");
}

// A plain encoder for the tests.
std::string encode(const std::vector<std::uint8_t>& bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (i + k < bytes.size() ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : digits[(group >> (18 - 6 * k)) & 63];
  }
  return out;
}

TEST(Base64, DecodesWhatWasEncoded) {
  EXPECT_TRUE(rc::check("any bytes", [](const std::vector<std::uint8_t>& bytes) {
    RC_ASSERT(decode(encode(bytes)) == std::string(bytes.begin(), bytes.end()));
    RC_ASSERT(base64_encode(std::as_bytes(std::span(bytes))) == encode(bytes));
  }));
}

TEST(Base64, EncodesWithPadding) {
  const auto encoded = [](std::string_view text) { return base64_encode(std::as_bytes(std::span(text))); };
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encoded("\xFB\xFF\xBF"), "+/+/");
  EXPECT_EQ(octet_stream_uri(std::as_bytes(std::span("foo", 3))), "data:application/octet-stream;base64,Zm9v");
}

TEST(DataUri, G4mfKnowsOneFormOnly) {
  const auto content = [](std::string_view uri) {
    const auto bytes = decode_data_uri(uri, 1000, DataUriRules::g4mf);
    return bytes ? std::string(text_of(bytes->view)) : bytes.error().code + ": " + bytes.error().message;
  };
  EXPECT_EQ(content("data:application/octet-stream;base64,Zm8="), "fo");
  EXPECT_EQ(content("data:application/octet-stream;base64,"), "");
  for (const std::string_view uri : {"data:application/gltf-buffer;base64,Zg==", "data:application/octet-stream,Zg==", "data:;base64,Zg==",
                                     "DATA:application/octet-stream;base64,Zg==", "data:application/octet-stream;charset=x;base64,Zg=="})
    EXPECT_THAT(content(uri), testing::StartsWith("G4MF_BUFFER_DATA_URI_PREFIX: found a data URI that starts with \"")) << uri;
  const std::string wrong = "G4MF_BUFFER_DATA_URI_BASE64: the base64 text is malformed: expected ";
  EXPECT_EQ(content("data:application/octet-stream;base64,Zg"),
            wrong + "padding to a multiple of four at character 39 of the URI (accept other forms with --force)");
  EXPECT_EQ(content("data:application/octet-stream;base64,Zm9v-_-_"),
            wrong + "a base64 digit at character 41 of the URI (accept other forms with --force)");
  EXPECT_EQ(content("data:application/octet-stream;base64,Zg%3D%3D"),
            wrong + "a base64 digit at character 39 of the URI (accept other forms with --force)");
  const auto large = decode_data_uri("data:application/octet-stream;base64," + std::string(2000, 'A'), 1000, DataUriRules::g4mf);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().failure, Failure::limit);
}

TEST(DataUri, Payloads) {
  const auto content = [](std::string_view uri) {
    const auto bytes = decode_data_uri(uri, 1000);
    return bytes ? std::string(text_of(bytes->view)) : bytes.error().code + ": " + bytes.error().message;
  };
  EXPECT_EQ(content("data:application/octet-stream;base64,Zm9v"), "foo");
  EXPECT_EQ(content("data:application/gltf-buffer;base64,Zg%3D%3D"), "f");
  EXPECT_EQ(content("data:whatever/else;base64,Zg"), "f");
  EXPECT_EQ(content("data:application/gltf-buffer,0"), "0");
  EXPECT_EQ(content("data:,a%00b"), "a\0b"s);
  EXPECT_EQ(content("data:,"), "");
  EXPECT_EQ(content("data:image/png;base64,`"),
            "INVALID_URI: the URI \"data:image/png;base64,`\" is not valid: expected a base64 digit at character 22");
  EXPECT_THAT(content("data:;;base64,AA=="), HasSubstr("INVALID_URI"));
  const auto large = decode_data_uri("data:;base64," + std::string(2000, 'A'), 1000);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().failure, Failure::limit);
}

TEST(Resolve, StaysInTheFolder) {
  const Folder folder;
  std::filesystem::create_directory(folder / "sub");
  folder.write("a b.bin", "x");
  const auto code = [&](std::string_view uri) {
    const auto path = resolve(folder.path(), uri, {});
    return path ? path->lexically_relative(folder.path()).string() : path.error().code;
  };
  EXPECT_EQ(code("a%20b.bin"), "a b.bin");
  EXPECT_EQ(code("sub/x.bin"), "sub/x.bin");
  EXPECT_EQ(code("./sub/../x.bin"), "x.bin");
  EXPECT_EQ(code("..x"), "..x");
  for (const std::string_view uri : {"", "..", "../x", "sub/../../x", "%2e%2e/x", "sub/%2E%2E/..%2Fx", "/etc/passwd", "%2Fetc/passwd",
                                     "..\\x", "a%5Cb", "a%00.bin", "http://host/x", "file:///etc/passwd", "C:x"})
    EXPECT_EQ(code(uri), "SINEW_URI_REFUSED") << uri;
  EXPECT_EQ(code("%zz"), "INVALID_URI");
  EXPECT_EQ(code(":"), "INVALID_URI");
}

TEST(Resolve, SymlinksOutOfTheFolderAreRefused) {
  const Folder outside;
  outside.write("secret", "x");
  const Folder folder;
  folder.write("inside", "y");
  std::filesystem::create_symlink(outside / "secret", folder / "link");
  std::filesystem::create_directory_symlink(outside.path(), folder / "way");
  std::filesystem::create_symlink("inside", folder / "alias");
  EXPECT_FALSE(resolve(folder.path(), "link", {}));
  EXPECT_FALSE(resolve(folder.path(), "way/secret", {}));
  EXPECT_EQ(resolve(folder.path(), "way/../inside", {}), folder / "inside") << "not what is beside the link's target";
  EXPECT_TRUE(resolve(folder.path(), "alias", {}));
}

TEST(ReadNamedFile, ALinkThatAppearsAfterTheCheckIsNotFollowed) {
  const Folder outside;
  outside.write("secret", "x");
  const Folder folder;
  folder.write("file", "y");
  std::filesystem::create_directory(folder / "way");
  folder.write("way/secret", "y");
  const auto file = resolve(folder.path(), "file", {}), below = resolve(folder.path(), "way/secret", {});
  ASSERT_TRUE(file && below);
  EXPECT_TRUE(read_named_file(folder.path(), *file, {}));
  std::filesystem::remove(folder / "file");
  std::filesystem::remove_all(folder / "way");
  std::filesystem::create_symlink(outside / "secret", folder / "file");
  std::filesystem::create_directory_symlink(outside.path(), folder / "way");
  EXPECT_FALSE(read_named_file(folder.path(), *file, {}));
  EXPECT_FALSE(read_named_file(folder.path(), *below, {}));
  OpenOptions options;
  options.allow_outside = true;
  EXPECT_TRUE(read_named_file(folder.path(), *file, options));
}

// The file is replaced by a link to a secret and back, as fast as possible, while it is read.
TEST(ReadNamedFile, ALinkThatAppearsDuringTheCheckIsNotFollowed) {
  const Folder outside;
  outside.write("secret", "x");
  const Folder folder;
  folder.write("good", "y");
  std::filesystem::create_symlink(outside / "secret", folder / "bad");
  std::atomic<bool> done = false;
  std::thread swapper([&] {
    while (!done) {
      std::filesystem::create_hard_link(folder / "good", folder / "next");
      std::filesystem::rename(folder / "next", folder / "file");
      std::filesystem::copy_symlink(folder / "bad", folder / "next");
      std::filesystem::rename(folder / "next", folder / "file");
    }
  });
  std::size_t secrets = 0;
  for (int i = 0; i < 400; ++i) {
    const auto file = resolve(folder.path(), "file", {});
    if (!file) continue;
    const auto bytes = read_named_file(folder.path(), *file, {});
    if (bytes && bytes->view.size() == 1 && bytes->view[0] == std::byte{'x'}) ++secrets;
  }
  done = true;
  swapper.join();
  EXPECT_EQ(secrets, 0u);
}

TEST(Resolve, AFolderBehindASymlinkIsAFolder) {
  const Folder real;
  real.write("x.bin", "x");
  const Folder other;
  std::filesystem::create_directory_symlink(real.path(), other / "models");
  EXPECT_TRUE(resolve(other / "models", "x.bin", {}));
}

TEST(Resolve, OutsideWhereAllowed) {
  const Folder folder;
  OpenOptions options;
  options.allow_outside = true;
  EXPECT_EQ(resolve(folder.path(), "../x", options), folder.path() / "../x");
  EXPECT_FALSE(resolve(folder.path(), "/etc/passwd", options));
  EXPECT_FALSE(resolve(folder.path(), "http://host/x", options));
}

}  // namespace
}  // namespace sinew::document

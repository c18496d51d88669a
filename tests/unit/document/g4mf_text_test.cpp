// SPDX-License-Identifier: MIT
#include "document/json/g4mf_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "document/json/json_writer.hpp"
#include "unit/document/files.hpp"

#include "sinew/document.hpp"

namespace sinew::document::g4mf_text_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// "CODE@OFFSET" or "CODE@POINTER" of each finding.
std::vector<std::string> lines(const FindingList& findings) {
  std::vector<std::string> list;
  for (const Finding& found : findings.list())
    list.push_back(std::string(found.code) + "@" + (found.offset ? std::to_string(*found.offset) : found.pointer));
  return list;
}
std::vector<std::string> checked(std::string_view text, C1Controls c1 = C1Controls::forbidden, std::optional<std::uint64_t> offset = 100) {
  FindingList findings;
  check_g4mf_text(text, offset, c1, findings);
  return lines(findings);
}

TEST(G4mfText, ControlCharactersButTabAndLineFeed) {
  EXPECT_THAT(checked("{\n\t\"a\": \"\xC3\x80 \xC2\xA0 \xE2\x82\x80\" }\n"), IsEmpty());
  EXPECT_THAT(checked("{}\r\n{}\r\n"), ElementsAre("G4MF_JSON_CONTROL_CHARACTER@102"));
  EXPECT_THAT(checked("\"\x7F\""), ElementsAre("G4MF_JSON_CONTROL_CHARACTER@101"));
  for (unsigned char c = 0; c < 0x20; ++c)
    EXPECT_EQ(checked(std::string(1, static_cast<char>(c))).size(), c == '\t' || c == '\n' ? 0u : 1u) << int{c};
}

TEST(G4mfText, C1ControlsByRevision) {
  const std::string_view text = "\"x\xC2\x80\xC2\x9F\"";
  EXPECT_THAT(checked(text, C1Controls::allowed), IsEmpty());
  EXPECT_THAT(checked(text, C1Controls::discouraged), ElementsAre("G4MF_JSON_C1_CONTROL_CHARACTER_OLD@102"));
  EXPECT_THAT(checked(text, C1Controls::forbidden), ElementsAre("G4MF_JSON_C1_CONTROL_CHARACTER@102"));
  EXPECT_THAT(checked("\xC2", C1Controls::forbidden), IsEmpty());
}

TEST(G4mfText, MessagesCountAndNameThePlace) {
  FindingList findings;
  check_g4mf_text("a\r\n\r\xC2\x85", std::nullopt, C1Controls::forbidden, findings);
  ASSERT_EQ(findings.list().size(), 2u);
  EXPECT_THAT(findings.list()[0].message, HasSubstr("found byte 0x0d in the JSON text (the position refers to the decompressed text)"));
  EXPECT_THAT(findings.list()[0].message, HasSubstr("(2 in all)"));
  EXPECT_EQ(findings.list()[0].offset, 1u);
  EXPECT_THAT(findings.list()[1].message, HasSubstr("U+0085"));
}

TEST(G4mfText, IsMadeOfAnyJson) {
  EXPECT_EQ(to_g4mf_text("\xEF\xBB\xBF{\r\n\"a\":\r\"\x7F\xC2\x85\xC3\x85\"}\r\n"), "{\n\"a\":\n\"\\u007f\\u0085\xC3\x85\"}\n");
  EXPECT_EQ(to_g4mf_text("{\"a\":1}"), "{\"a\":1}");
  EXPECT_THAT(checked(to_g4mf_text("{\r\"a\":\"\x7F\xC2\x9F\"}\r\n")), IsEmpty());
}

TEST(G4mfText, TheWriterEscapesWhatIsForbidden) {
  JsonWriter json;
  json.string("\x01\b\r\n\t\"\\/\x7F\xC2\x80\xC2\x9F\xC2\xA0\xC3\xA4");
  const std::string text = std::move(json).take();
  EXPECT_EQ(text, "\"\\u0001\\u0008\\r\\n\\t\\\"\\\\/\\u007f\\u0080\\u009f\xC2\xA0\xC3\xA4\"");
  EXPECT_THAT(checked(text), IsEmpty());
}

struct Opened {
  const Folder folder;
  FindingList findings;
  Result<std::shared_ptr<const Document>> document;
  Opened(std::string_view name, std::string_view text) : document(open(folder.write(name, text), {}, findings)) {}
};

TEST(OpenG4mfText, FindingsHaveTheNamesOfItsRules) {
  const std::string_view text = "\xEF\xBB\xBF{\"asset\":{\"dimension\":4},\"x\":1,\"x\":1e400}";
  for (const char* name : {"a.g4tf", "a.json", "a.gltf"}) {
    const Opened opened(name, text);
    ASSERT_TRUE(opened.document);
    EXPECT_EQ((*opened.document)->json_offset(), 0u);
    EXPECT_THAT(lines(opened.findings), ElementsAre("G4MF_JSON_BOM@", "G4MF_JSON_DUPLICATE_KEY@/x", "SINEW_JSON_NUMBER_TOO_LARGE@/x"));
    EXPECT_EQ(opened.findings.list()[1].severity, Severity::error);
  }
  const Opened gltf("a.gltf", "{\"asset\":{\"version\":\"2.0\"},\"x\":1,\"x\":1}");
  EXPECT_THAT(lines(gltf.findings), ElementsAre("SINEW_JSON_DUPLICATE_KEY@/x"));
}

TEST(OpenG4mfText, ErrorsHaveTheNamesOfItsRules) {
  const Opened broken("a.g4tf", "{\"a\" 1}");
  ASSERT_FALSE(broken.document);
  EXPECT_EQ(broken.document.error().code, "G4MF_JSON_INVALID");
  EXPECT_EQ(broken.document.error().place.offset, 5u);
  EXPECT_THAT(lines(broken.findings), ElementsAre("G4MF_JSON_INVALID@"));
  const Opened latin("a.g4tf", "{\"a\":\"\xE4\"}");
  ASSERT_FALSE(latin.document);
  EXPECT_EQ(latin.document.error().code, "G4MF_JSON_NOT_UTF8");
  const Opened gltf("a.gltf", "{\"a\" 1}");
  EXPECT_EQ(gltf.document.error().code, "INVALID_JSON");
  const Opened zeros("a.g4tf", std::string_view("{}\0", 3));
  ASSERT_TRUE(zeros.document);
  EXPECT_THAT(lines(zeros.findings), ElementsAre("G4MF_JSON_INVALID@"));
}

}  // namespace
}  // namespace sinew::document::g4mf_text_test

// SPDX-License-Identifier: MIT
#include "document/schema/orphans.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "rapidcheck.h"

namespace sinew::document {
namespace {

using ::testing::ElementsAre;

// A small format: nodes refer to meshes, meshes to accessors, accessors to views, views to buffers.
enum Kind : std::uint8_t { nothing, mesh, accessor, view, buffer };
constexpr std::string_view lists[] = {"", "meshes", "accessors", "views", "buffers"};
constexpr std::uint8_t owned[] = {mesh, accessor, view, buffer};
constexpr Property view_rows[] = {{.name = "buffer", .type = PropertyType::index, .reference = buffer}};
constexpr Table view_table{view_rows};
constexpr Property accessor_rows[] = {{.name = "view", .type = PropertyType::index, .reference = view}};
constexpr Table accessor_table{accessor_rows};
constexpr Property mesh_rows[] = {{.name = "data", .type = PropertyType::index, .shape = Property::Shape::list, .reference = accessor},
                                  {.name = "extensions", .type = PropertyType::object}};
constexpr Table mesh_table{mesh_rows};
constexpr Property node_rows[] = {{.name = "mesh", .type = PropertyType::index, .reference = mesh}};
constexpr Table node_table{node_rows};
constexpr Table buffer_table{};
constexpr Property row_of(std::string_view name, const Table& of) {
  return {.name = name, .type = PropertyType::object, .shape = Property::Shape::list, .of = &of};
}
constexpr Property root_rows[] = {row_of("nodes", node_table), row_of("meshes", mesh_table), row_of("accessors", accessor_table),
                                  row_of("views", view_table), row_of("buffers", buffer_table)};
constexpr Table root_table{root_rows};
const ReferenceScheme scheme{.root = root_table,
                             .lists = lists,
                             .owned = owned,
                             .buffer = buffer,
                             .view = view,
                             .extension = [](std::string_view, const Table&) -> const Table* { return nullptr; }};

struct Text {
  std::string bytes;
  FindingList findings;
  Result<Json> json;
  explicit Text(std::string text) : bytes(std::move(text)), json(Json::parse(bytes, {}, 0, findings)) {}
};

constexpr const char* two_meshes = R"({"nodes":[{"mesh":0},{"mesh":1}],"meshes":[{"data":[0]},{"data":[1,2]}],
"accessors":[{"view":0},{"view":1},{"view":1},{"view":2}],"views":[{"buffer":0},{"buffer":0},{"buffer":0}],"buffers":[{}]})";
// The first node lost its mesh.
constexpr const char* one_mesh = R"({"nodes":[{},{"mesh":1}],"meshes":[{"data":[0]},{"data":[1,2]}],
"accessors":[{"view":0},{"view":1},{"view":1},{"view":2}],"views":[{"buffer":0},{"buffer":0},{"buffer":0}],"buffers":[{}]})";

std::string without(const Text& before, const Text& after, bool all) {
  const ElementFlags gone = find_orphans(before.json->root(), after.json->root(), scheme, all);
  JsonEdit root(after.json->root());
  remove_elements(root, after.json->root(), scheme, gone);
  return root.text();
}

TEST(Orphans, WhatAnEditLeftGoesAndWhatWasUnusedStays) {
  EXPECT_EQ(without(Text(two_meshes), Text(one_mesh), false), R"({"nodes":[{},{"mesh":0}],"meshes":[{"data":[0,1]}],
"accessors":[{"view":0},{"view":0},{"view":1}],"views":[{"buffer":0},{"buffer":0}],"buffers":[{}]})");
}

TEST(Orphans, AllThatIsUnusedGoesWhereThatIsAskedFor) {
  EXPECT_EQ(without(Text(two_meshes), Text(one_mesh), true), R"({"nodes":[{},{"mesh":0}],"meshes":[{"data":[0,1]}],
"accessors":[{"view":0},{"view":0}],"views":[{"buffer":0}],"buffers":[{}]})");
}

TEST(Orphans, WhatAnUnusedElementRefersToStays) {
  const Text before(R"({"nodes":[{"mesh":0}],"meshes":[{"data":[0]},{"data":[0]}],"accessors":[{}]})");
  const Text after(R"({"nodes":[{}],"meshes":[{"data":[0]},{"data":[0]}],"accessors":[{}]})");
  EXPECT_EQ(without(before, after, false), R"({"nodes":[{}],"meshes":[{"data":[0]}],"accessors":[{}]})");
}

TEST(Orphans, WhatAnUnusedElementReferredToBeforeGoes) {
  const Text before(R"({"nodes":[{}],"meshes":[{"data":[0]}],"accessors":[{}]})");
  const Text after(R"({"nodes":[{}],"meshes":[{"data":[1]}],"accessors":[{},{}]})");
  EXPECT_EQ(without(before, after, false), R"({"nodes":[{}],"meshes":[{"data":[0]}],"accessors":[{}]})");
}

TEST(Orphans, IndicesThatCannotFollowKeepTheirMeaning) {
  const std::string before =
      R"({"nodes":[{"mesh":0},{"mesh":1}],"meshes":[{"data":[0]},{"data":[1],"extensions":{"X":{"m":1}}}],"accessors":[{},{}]})";
  const std::string after =
      R"({"nodes":[{},{"mesh":1}],"meshes":[{"data":[0]},{"data":[1],"extensions":{"X":{"m":1}}}],"accessors":[{},{},{},{}]})";
  EXPECT_EQ(without(Text(before), Text(after), false),
            R"({"nodes":[{},{"mesh":1}],"meshes":[{"data":[0]},{"data":[1],"extensions":{"X":{"m":1}}}],"accessors":[{},{}]})");
}

TEST(Orphans, AListThatIsEmptyGoes) {
  const Text before(R"({"nodes":[{"mesh":0}],"meshes":[{}]})"), after(R"({"nodes":[{}],"meshes":[{}]})");
  EXPECT_EQ(without(before, after, false), R"({"nodes":[{}]})");
}

TEST(BufferCompaction, KeptBytesStayAndKeepTheirAlignment) {
  const BufferCompaction compaction(20, {{0, 6}, {14, 18}}, {{6, 12}}, 4);
  EXPECT_TRUE(compaction.changes());
  EXPECT_EQ(compaction.place(0), 0);
  EXPECT_EQ(compaction.place(14), 6);
  EXPECT_EQ(compaction.size(), 12);
}

TEST(BufferCompaction, NothingChangesWhereAllIsKept) {
  const BufferCompaction compaction(20, {{0, 20}}, {{6, 12}}, 4);
  EXPECT_FALSE(compaction.changes());
}

// Every byte of a kept range must be at its new place, with the same offset from a multiple of the alignment.
TEST(BufferCompaction, IsRightForAnyRanges) {
  EXPECT_TRUE(rc::check([] {
    const auto size = *rc::gen::inRange<std::size_t>(1, 200);
    const auto ranges = [&] {
      std::vector<ByteRange> list;
      for (const auto begin : *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, size)))
        list.push_back({begin, *rc::gen::inRange<std::size_t>(begin, size) + 1});
      return list;
    };
    const std::vector<ByteRange> kept = ranges(), gone = ranges();
    const std::uint64_t alignment = *rc::gen::element<std::uint64_t>(1, 4, 16);
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i);
    const BufferCompaction compaction(size, kept, gone, alignment);
    const std::vector<std::byte> compact = compaction.apply(bytes);
    RC_ASSERT(compact.size() == compaction.size());
    RC_ASSERT(compact.size() <= size);
    for (const ByteRange& range : kept) {
      const std::uint64_t place = compaction.place(range.begin);
      RC_ASSERT(place % alignment == range.begin % alignment);
      for (std::uint64_t i = range.begin; i < range.end; ++i) RC_ASSERT(compact[place + (i - range.begin)] == bytes[i]);
    }
  }));
}

}  // namespace
}  // namespace sinew::document

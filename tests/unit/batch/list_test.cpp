// SPDX-License-Identifier: MIT
// Lists of files, shards, and output paths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "base/guard.hpp"
#include "unit/document/files.hpp"

#include "sinew/batch.hpp"

namespace sinew::batch {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> below(const std::vector<Item>& items) {
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(item.below.generic_string());
  return names;
}

class Lists : public testing::Test {
 protected:
  std::string folder(const std::string& name) {
    fs::create_directories(files_.path() / name);
    return (files_.path() / name).string();
  }
  std::string file(const std::string& name) {
    fs::create_directories((files_.path() / name).parent_path());
    return files_.write(name, "{}").string();
  }
  document::Folder files_;
};

TEST(Shards, OnlyPlacesWithinACountAreShards) {
  const auto shard = parse_shard("2/3");
  ASSERT_TRUE(shard);
  EXPECT_EQ(shard->index, 2u);
  EXPECT_EQ(shard->count, 3u);
  EXPECT_TRUE(parse_shard("1/1"));
  EXPECT_TRUE(parse_shard("1000000/1000000"));
  for (const char* text : {"", "/", "1", "1/", "/1", "0/1", "2/1", "-1/2", "+1/2", "1/1000001", "1/2/3", " 1/2", "1/2 ", "a/b", "1/0",
                           "1.5/2", "18446744073709551617/18446744073709551617"})
    EXPECT_FALSE(parse_shard(text)) << text;
}

TEST(Shards, SharesAreDisjointAndTogetherAll) {
  for (const std::size_t files : {0u, 1u, 5u, 12u})
    for (const std::size_t count : {1u, 2u, 3u, 7u, 20u}) {
      std::vector<Item> items(files);
      for (std::size_t i = 0; i < files; ++i) items[i].number = i + 1;
      std::vector<std::size_t> all;
      for (std::size_t index = 1; index <= count; ++index) {
        const auto share = need(share_of(items, {index, count}));
        EXPECT_LE(share.size(), files / count + 1);
        for (std::size_t i = 0; i < share.size(); ++i) {
          EXPECT_EQ(share[i].number, index + i * count);
          all.push_back(share[i].number);
        }
      }
      EXPECT_EQ(std::set<std::size_t>(all.begin(), all.end()).size(), files);
      EXPECT_THAT(all, SizeIs(files));
    }
}

TEST_F(Lists, FoldersGiveTheirModelsInOrderAndNoneTwice) {
  const std::string models = folder("models");
  file("models/b.glb");
  file("models/sub/c.g4tf");
  const std::string a = file("models/a.gltf");
  file("models/notes.txt");
  const List list = need(list_models(std::vector<std::string>{a, models, a}, Order::named));
  EXPECT_THAT(below(list.items), ElementsAre("a.gltf", "b.glb", "sub/c.g4tf"));
  EXPECT_EQ(list.items[2].number, 3u);
  EXPECT_TRUE(list.many);
  EXPECT_THAT(list.unreadable, IsEmpty());
  EXPECT_THAT(list.empty, IsEmpty());
  EXPECT_FALSE(need(list_models(std::vector<std::string>{a}, Order::named)).many);
}

TEST_F(Lists, SortedIsTheSameHoweverItIsNamed) {
  const std::string a = file("a.glb"), b = file("b.glb"), c = file("c.glb");
  const List one = need(list_models(std::vector<std::string>{c, a, b}, Order::sorted)),
             other = need(list_models(std::vector<std::string>{b, c, a}, Order::sorted));
  EXPECT_THAT(below(one.items), ElementsAre("a.glb", "b.glb", "c.glb"));
  EXPECT_EQ(below(one.items), below(other.items));
  EXPECT_THAT(below(need(list_models(std::vector<std::string>{c, a, b}, Order::named)).items), ElementsAre("c.glb", "a.glb", "b.glb"));
}

TEST_F(Lists, EmptyFoldersAndMissingFilesAreKept) {
  const std::string empty = folder("empty");
  const List list = need(list_models(std::vector<std::string>{empty, (files_.path() / "missing.glb").string()}, Order::named));
  EXPECT_THAT(list.empty, ElementsAre(fs::path(empty)));
  EXPECT_THAT(below(list.items), ElementsAre("missing.glb"));  // opening it reports the error
}

TEST_F(Lists, OutputsLieAsTheirInputsDo) {
  const std::string models = folder("models"), a = file("models/sub/a.gltf"), b = file("models/b.gltf");
  const List list = need(list_models(std::vector<std::string>{models}, Order::named));
  const fs::path out = files_.path() / "out";
  const auto outputs = output_paths(list.items, out, ".glb", std::vector<std::string>{models});
  ASSERT_TRUE(outputs) << outputs.error().line();
  EXPECT_THAT(*outputs, ElementsAre(out / "b.glb", out / "sub" / "a.glb"));
  EXPECT_THAT(*output_paths(list.items, out, "", {}), ElementsAre(out / "b.gltf", out / "sub" / "a.gltf"));
}

TEST_F(Lists, OutputsThatCollideOrWouldBeFoundAgainAreRefused) {
  const std::string models = folder("models");
  file("models/a.gltf");
  file("models/a.glb");
  const List list = need(list_models(std::vector<std::string>{models}, Order::named));
  const auto collide = output_paths(list.items, files_.path() / "out", ".g4b", {});
  ASSERT_FALSE(collide);
  EXPECT_EQ(collide.error().failure, Failure::usage);
  EXPECT_THAT(collide.error().message, testing::AllOf(HasSubstr("a.gltf"), HasSubstr("a.glb")));
  for (const fs::path& inside : {fs::path(models), fs::path(models) / "out", fs::path(models) / "." / "x" / ".." / "out"}) {
    const auto found = output_paths(list.items, inside, "", std::vector<std::string>{models});
    ASSERT_FALSE(found) << inside;
    EXPECT_EQ(found.error().failure, Failure::usage);
  }
  const List alone = need(list_models(std::vector<std::string>{models + "/a.gltf"}, Order::named));
  EXPECT_FALSE(output_paths(alone.items, models, "", {}));  // the output is its own input
  EXPECT_TRUE(output_paths(alone.items, models, ".glb", {}));
  EXPECT_TRUE(output_paths(list.items, models + "-out", "", std::vector<std::string>{models}));  // only the prefix is the same
}

TEST(InOrder, EmitsAscendingWhateverFinishesFirst) {
  for (const unsigned threads : {1u, 2u, 4u})
    for (const std::size_t count : {0u, 1u, 3u, 200u}) {
      std::vector<std::atomic<int>> worked(count);
      std::vector<std::size_t> emitted;
      need(in_order(
          count, threads,
          [&](std::size_t i) {
            // With a second thread, the first item finishes last; with one thread it must not wait forever.
            const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
            while (i == 0 && threads > 1 && count > 1 && worked[count - 1] == 0 && std::chrono::steady_clock::now() < until)
              std::this_thread::yield();
            ++worked[i];
          },
          [&](std::size_t i) {
            EXPECT_EQ(worked[i].load(), 1);
            emitted.push_back(i);
          }));
      std::vector<std::size_t> wanted(count);
      for (std::size_t i = 0; i < count; ++i) wanted[i] = i;
      EXPECT_EQ(emitted, wanted);
    }
}

}  // namespace
}  // namespace sinew::batch

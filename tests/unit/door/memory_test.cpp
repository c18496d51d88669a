// SPDX-License-Identifier: MIT
// Memory of the host (sinew/memory.hpp).
#include "sinew/memory.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sinew/deform.hpp"
#include "sinew/load.hpp"
#include "sinew/sinew.hpp"

namespace sinew::memory_test {
namespace {

// docs/engines.md shows this class and `load_hero`.

/// The memory of a level. What does not fit is refused.
class Budget final : public sinew::MemoryResource {
 public:
  explicit Budget(std::size_t bytes) : left_(bytes) {}

  void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
    if (bytes > left_) return nullptr;  // the call fails with SINEW_NO_MEMORY, if exceptions are on
    void* const memory = ::operator new(bytes, std::align_val_t(alignment), std::nothrow);
    if (memory != nullptr) left_ -= bytes;
    return memory;
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
    ::operator delete(memory, std::align_val_t(alignment));
    left_ += bytes;
  }

  [[nodiscard]] std::size_t left() const { return left_; }

 private:
  std::size_t left_;
};

sinew::Result<sinew::Deformer> load_hero(const std::string& file, Budget& budget) {
  sinew::io::LoadOptions options;
  options.open.memory = &budget;
  sinew::FindingList findings;
  auto model = sinew::io::load(file, options, findings);
  if (!model) return sinew::Unexpected(model.error());
  return sinew::Deformer::create(*std::move(model), {.memory = &budget});
}

const std::string samples = SINEW_SOURCE_DIR "/samples/";
/// All samples. If the shared folder is present: its compressed glTF files, too.
std::vector<std::string> files() {
  std::vector<std::string> all;
  for (const char* const folder : {"gltf", "show", "g4mf"})
    for (const auto& entry : std::filesystem::directory_iterator(samples + folder))
      if (const std::string name = entry.path().extension().string(); name != ".json" && name != ".md")
        all.push_back(entry.path().string());
  EXPECT_GT(all.size(), 25u);
  for (const char* const name : {"d_fox_draco/d_fox_draco.glb", "d_fox_meshopt/d_fox_meshopt.glb"})
    if (const std::string file = std::string(SINEW_SHARED) + "/corpus/" + name; std::filesystem::exists(file)) all.push_back(file);
  return all;
}

/// Counts what is allocated, and can have none.
class Counting final : public MemoryResource {
 public:
  void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
    EXPECT_GT(bytes, 0u);
    EXPECT_EQ(alignment, alignof(std::max_align_t));
    EXPECT_EQ(std::this_thread::get_id(), thread_);
    if (made++ == none_at) return nullptr;
    void* const memory = ::operator new(bytes, std::align_val_t(64));
    live_[memory] = bytes;
    return memory;
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
    EXPECT_EQ(alignment, alignof(std::max_align_t));
    const auto found = live_.find(memory);
    ASSERT_NE(found, live_.end());
    EXPECT_EQ(found->second, bytes);
    live_.erase(found);
    ::operator delete(memory, std::align_val_t(64));
  }

  [[nodiscard]] std::size_t blocks() const { return live_.size(); }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& block : live_) sum += block.second;
    return sum;
  }
  /// Returns whether a block has this byte.
  [[nodiscard]] bool has(const void* byte) const {
    const auto after = live_.upper_bound(const_cast<void*>(byte));
    if (after == live_.begin()) return false;
    const auto& [begin, size] = *std::prev(after);
    return static_cast<const std::byte*>(byte) < static_cast<const std::byte*>(begin) + size;
  }

  std::size_t made = 0;
  std::size_t none_at = static_cast<std::size_t>(-1);

 private:
  std::map<void*, std::size_t> live_;
  std::thread::id thread_ = std::this_thread::get_id();
};

Result<Model> loaded(const std::string& file, MemoryResource* memory, FileAccess access = FileAccess::copy) {
  io::LoadOptions options;
  options.open.memory = memory;
  options.open.access = access;
  FindingList findings;
  return io::load(file, options, findings);
}

Result<Model> loaded_from(const std::string& text, MemoryResource& memory) {
  io::LoadOptions options;
  options.open.memory = &memory;
  FindingList findings;
  return io::load_memory(std::as_bytes(std::span(text)), "a.gltf", options, findings);
}

Result<Deformer> deformer_of(const Model& model, MemoryResource* memory) {
  return Deformer::create(model, {.normals = Normals::computed, .tangents = model.dimension == 3, .memory = memory});
}

/// Calls `use` for the arrays of meshes and clips.
void for_each_array(const Model& model, const std::function<void(const Array&)>& use) {
  const auto attributes = [&](const std::vector<Attribute>& list) {
    for (const Attribute& attribute : list) {
      use(attribute.values);
      use(attribute.index);
      for (const Offsets& offsets : attribute.offsets) {
        use(offsets.indices);
        use(offsets.values);
      }
    }
  };
  for (const Mesh& mesh : model.meshes) {
    for (const VertexBlock& block : mesh.blocks) {
      attributes(block.attributes);
      use(block.influences.slots);
      use(block.influences.weights);
      for (const Influences::Set& set : block.influences.sets) {
        use(set.joints);
        use(set.weights);
      }
    }
    for (const Surface& surface : mesh.surfaces) {
      attributes(surface.attributes);
      use(surface.elements);
      use(surface.edges);
      if (!surface.topology) continue;
      attributes(surface.topology->attributes);
      use(surface.topology->instances);
      use(surface.topology->seams);
    }
  }
  for (const Clip& clip : model.clips)
    for (const Track& track : clip.tracks) {
      use(track.times);
      use(track.values);
    }
}

TEST(Memory, AllArraysAreInTheResourceAndAllComesBack) {
  for (const std::string& file : files()) {
    SCOPED_TRACE(file);
    Counting memory;
    {
      const auto model = loaded(file, &memory);
      ASSERT_TRUE(model) << model.error().line();
      std::size_t arrays = 0;
      for_each_array(*model, [&](const Array& array) {
        if (array.empty()) return;
        ++arrays;
        EXPECT_TRUE(memory.has(array.data())) << array.size() << " of " << array.width();
      });
      EXPECT_GT(arrays, 0u);
      const std::size_t of_model = memory.bytes();
      auto deformer = deformer_of(*model, &memory);
      ASSERT_TRUE(deformer) << deformer.error().line();
      EXPECT_GT(memory.bytes(), of_model + deformer->vertices() * deformer->dimension() * sizeof(float));
      const std::size_t of_both = memory.bytes();
      auto plain = deformer_of(*loaded(file, nullptr), nullptr);
      ASSERT_TRUE(plain);
      EXPECT_EQ(*deformer->positions(model->rest()), *plain->positions(plain->model()->rest()));
      EXPECT_EQ(memory.bytes(), of_both) << "a pose needs none";
    }
    EXPECT_EQ(memory.blocks(), 0u);
  }
}

TEST(Memory, NoneForEachAllocationInTurnIsAnErrorAndAllComesBack) {
  const auto each = [](Counting& memory, const auto& call) {
    std::size_t failures = 0;
    for (bool failed = true; failed; ++failures) {
      const std::size_t before = memory.blocks();
      memory.made = 0;
      memory.none_at = failures;
      const auto result = call();
      failed = memory.made > failures;
      EXPECT_EQ(result.has_value(), !failed) << failures;
      if (result) continue;
      EXPECT_EQ(result.error().code, "SINEW_NO_MEMORY");
      EXPECT_EQ(result.error().failure, Failure::limit);
      EXPECT_EQ(memory.blocks(), before);
    }
    memory.none_at = static_cast<std::size_t>(-1);
    return failures - 1;
  };
  std::size_t failures = 0;
  for (const std::string& file : files()) {
    SCOPED_TRACE(file);
    Counting memory;
    failures += each(memory, [&] { return loaded(file, &memory); });
    EXPECT_EQ(memory.blocks(), 0u);
    const Model model = loaded(file, &memory).value();
    failures += each(memory, [&] { return deformer_of(model, &memory); });
  }
  EXPECT_GT(failures, 100u);
  static_assert(noexcept(std::declval<MemoryResource&>().allocate(1, 1)), "null is the only way to have none");
}

TEST(Memory, CopiesShareIt) {
  Counting memory;
  auto model = std::make_unique<Model>(loaded(samples + "show/avatar.vrm", &memory).value());
  const std::size_t blocks = memory.blocks();
  auto copy = std::make_unique<Model>(*model);
  EXPECT_EQ(memory.blocks(), blocks);
  std::optional<Deformer> deformer = deformer_of(*copy, &memory).value();
  const std::size_t with_deformer = memory.blocks();
  EXPECT_GT(with_deformer, blocks);
  std::optional<Deformer> clone = deformer->clone().value();
  EXPECT_EQ(memory.blocks(), with_deformer);
  model.reset();
  copy.reset();
  deformer.reset();
  EXPECT_EQ(memory.blocks(), with_deformer) << "the clone has the model";
  EXPECT_TRUE(clone->positions(clone->model()->rest()));
  clone.reset();
  EXPECT_EQ(memory.blocks(), 0u);
}

TEST(Memory, EachObjectHasItsOwn) {
  Counting first, second;
  {
    const Model model = loaded(samples + "show/avatar.vrm", &first).value();
    const std::size_t blocks = first.blocks();
    const auto deformer = deformer_of(model, &second);
    ASSERT_TRUE(deformer);
    EXPECT_EQ(first.blocks(), blocks);
    EXPECT_GT(second.blocks(), 0u);
    const auto other = loaded(samples + "gltf/simple_skin.gltf", nullptr);
    EXPECT_EQ(first.blocks(), blocks);
  }
  EXPECT_EQ(first.blocks() + second.blocks(), 0u);
}

TEST(Memory, ASortedMeshIsThereToo) {
  const Model model = loaded(samples + "show/avatar.vrm", nullptr).value();
  Counting memory;
  {
    const deform::PrepareOptions options{.normals = true, .slots = model.skins[0].slots.size(), .sorted = true, .memory = &memory};
    const auto prepared = deform::prepare(model.meshes[0], 3, options);
    ASSERT_TRUE(prepared);
    EXPECT_TRUE(memory.has(prepared->order().data()));
    const deform::Prepared copy = *prepared;
    EXPECT_EQ(&copy.packed(), &prepared->packed());
  }
  EXPECT_EQ(memory.blocks(), 0u);
}

// Four threads read such a text, and two look for the largest index.
TEST(Memory, AllocatesOnTheThreadOfTheCall) {
  std::string nodes = "{}";
  for (int i = 0; i < 100'000; ++i) nodes += R"(,{"translation":[1,2,3]})";
  Counting memory;
  {
    const auto model = loaded_from(R"({"asset":{"version":"2.0"},"nodes":[)" + nodes + "]}", memory);
    ASSERT_TRUE(model) << model.error().line();
    EXPECT_EQ(model->nodes.size(), 100'001u);
    EXPECT_GT(memory.bytes(), 2'000'000u + 100'000 * 8 * 6);
  }
  EXPECT_EQ(memory.blocks(), 0u);
}

TEST(Memory, MappedFilesAreNotThere) {
  const std::string file = testing::TempDir() + "sinew_mapped.gltf";
  std::ofstream(file) << R"({"asset":{"version":"2.0"},"nodes":[{}],"extras":")" << std::string(300'000, 'x') << "\"}";
  Counting copied, mapped;
  const auto one = loaded(file, &copied), other = loaded(file, &mapped, FileAccess::automatic);
  ASSERT_TRUE(one && other);
  EXPECT_GT(copied.bytes(), 300'000u);
  EXPECT_LT(mapped.bytes(), 1000u);
}

TEST(Memory, TheExampleOfThePage) {
  Budget budget(std::size_t{1} << 20);
  const std::size_t all = budget.left();
  {
    auto hero = load_hero(samples + "show/figure.gltf", budget);
    ASSERT_TRUE(hero) << hero.error().line();
    EXPECT_LT(budget.left(), all - 100'000);
    Budget small(1000);
    hero = load_hero(samples + "show/figure.gltf", small);
    EXPECT_EQ(hero.error().code, "SINEW_NO_MEMORY");
    EXPECT_EQ(small.left(), 1000u);
  }
  EXPECT_EQ(budget.left(), all);
}

}  // namespace
}  // namespace sinew::memory_test

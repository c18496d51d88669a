// SPDX-License-Identifier: MIT
#include "unit/gltf/builder.hpp"

namespace sinew::gltf::test {
namespace {

using testing::ElementsAre;

/// A file whose only primitive has the accessor as the custom attribute `_X`, and as many positions.
Outcome read_custom(Builder& b, std::size_t accessor, std::size_t count) {
  const auto position = b.accessor<float>(std::vector<float>(3 * count), "VEC3");
  b.json["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", position}, {"_X", accessor}}}}}}}};
  Outcome outcome = b.read();
  EXPECT_TRUE(outcome.model && outcome->meshes[0].defect == none) << outcome->defects.at(0).line();
  return outcome;
}

const Array& custom(const Outcome& outcome) { return outcome->meshes[0].blocks[0].attributes.at(1).values; }

template <class T>
class EveryComponentType : public testing::Test {};
using ComponentTypes = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::uint32_t, float>;
TYPED_TEST_SUITE(EveryComponentType, ComponentTypes);

TYPED_TEST(EveryComponentType, IsReadAsStored) {
  Builder b;
  const auto accessor = b.accessor<TypeParam>({1, 2, 3, 100}, "VEC2");
  const Outcome outcome = read_custom(b, accessor, 2);
  EXPECT_EQ(custom(outcome).type(), component_type_of<TypeParam>);
  EXPECT_THAT(custom(outcome).template read<double>(), ElementsAre(1, 2, 3, 100));
}

TEST(Accessor, NormalisedIntegersAreUnitNumbers) {
  Builder b;
  const auto accessor = b.accessor<std::int8_t>({-128, -127, 0, 127}, "SCALAR");
  b.json["accessors"][accessor]["normalized"] = true;
  const Outcome outcome = read_custom(b, accessor, 4);
  EXPECT_THAT(custom(outcome).read<double>(), ElementsAre(-1, -1, 0, 1));
}

TEST(Accessor, NormalisedFloatsAreUsedAsTheyAre) {
  Builder b;
  const auto accessor = b.accessor<float>({5, 6}, "SCALAR");
  b.json["accessors"][accessor]["normalized"] = true;
  const Outcome outcome = read_custom(b, accessor, 2);
  EXPECT_THAT(custom(outcome).read<double>(), ElementsAre(5, 6));
  EXPECT_THAT(outcome.findings, testing::Contains(IsFinding("ACCESSOR_NORMALIZED_INVALID", "/accessors/0/normalized")));
}

TEST(Accessor, StridedRowsAreBorrowed) {
  Builder b;
  const auto view = b.view<float>({9, 1, 2, 9, 3, 4}, 12);
  const auto accessor = b.accessor_of(view, 5126, 2, "VEC2");
  b.json["accessors"][accessor]["byteOffset"] = 4;
  const Outcome outcome = read_custom(b, accessor, 2);
  EXPECT_EQ(custom(outcome).stride(), 12u);
  EXPECT_THAT(custom(outcome).read<double>(), ElementsAre(1, 2, 3, 4));
}

TEST(Accessor, MisalignedRowsAreCopied) {
  Builder b;
  std::vector<std::byte> bytes(9);
  const float values[] = {1.5f, -2};
  std::memcpy(bytes.data() + 1, values, 8);
  const auto accessor = b.accessor_of(b.view(bytes), 5126, 2, "SCALAR");
  b.json["accessors"][accessor]["byteOffset"] = 1;
  const Outcome outcome = read_custom(b, accessor, 2);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(custom(outcome).data()) % 4, 0u);
  EXPECT_THAT(custom(outcome).read<double>(), ElementsAre(1.5, -2));
}

TEST(Accessor, MatrixColumnsStartAtMultiplesOfFourBytes) {
  Builder b;
  const auto small = b.accessor_of(b.view<std::uint8_t>({1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0, 7, 8}), 5121, 2, "MAT2");
  EXPECT_THAT(custom(read_custom(b, small, 2)).read<double>(), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  Builder c;
  const auto bytes = c.accessor_of(c.view<std::uint8_t>({1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9}), 5121, 1, "MAT3");
  EXPECT_THAT(custom(read_custom(c, bytes, 1)).read<double>(), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
  Builder d;
  const auto shorts = d.accessor_of(d.view<std::uint16_t>({1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9}), 5123, 1, "MAT3");
  EXPECT_THAT(custom(read_custom(d, shorts, 1)).read<double>(), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST(Accessor, WithoutViewIsZeros) {
  Builder b;
  const auto accessor = b.add("accessors", {{"componentType", 5123}, {"count", 3}, {"type", "VEC2"}});
  EXPECT_THAT(custom(read_custom(b, accessor, 3)).read<double>(), testing::Each(0.0));
}

Json sparse(Builder& b, std::size_t count) {
  const auto rows = b.view<std::uint8_t>({0, 2});
  const auto values = b.view<float>({10, 20});
  return {{"count", count}, {"indices", {{"bufferView", rows}, {"componentType", 5121}}}, {"values", {{"bufferView", values}}}};
}

TEST(Accessor, SparseElementsReplaceThoseOfTheView) {
  Builder b;
  const auto accessor = b.accessor<float>({1, 2, 3, 4}, "SCALAR");
  b.json["accessors"][accessor]["sparse"] = sparse(b, 2);
  EXPECT_THAT(custom(read_custom(b, accessor, 4)).read<double>(), ElementsAre(10, 2, 20, 4));
}

TEST(Accessor, SparseElementsReplaceZeros) {
  Builder b;
  const auto accessor = b.add("accessors", {{"componentType", 5126}, {"count", 3}, {"type", "SCALAR"}});
  b.json["accessors"][accessor]["sparse"] = sparse(b, 2);
  EXPECT_THAT(custom(read_custom(b, accessor, 3)).read<double>(), ElementsAre(10, 0, 20));
}

TEST(Accessor, SparseChangesKeepOtherUsersOfTheViewUnchanged) {
  Builder b;
  const auto plain = b.accessor<float>({1, 2, 3}, "SCALAR");
  Json changed = b.json["accessors"][plain];
  changed["sparse"] = sparse(b, 2);
  b.add("accessors", changed);
  EXPECT_THAT(custom(read_custom(b, plain, 3)).read<double>(), ElementsAre(1, 2, 3));
}

TEST(Buffer, TheFirstOneOfAGlbIsItsChunk) {
  const Outcome outcome = read_text(triangle().glb(), {}, "model.glb");
  ASSERT_TRUE(outcome.model);
  EXPECT_THAT(outcome->defects, testing::IsEmpty());
  EXPECT_THAT(outcome->meshes[0].blocks[0].attributes[0].values.read<double>(), ElementsAre(0, 0, 0, 1, 0, 0, 0, 1, 0));
}

TEST(Buffer, TheModelKeepsItsBytesAlive) {
  Array kept;
  {
    const Outcome outcome = read_text(triangle().glb(), {}, "model.glb");
    kept = outcome->meshes[0].blocks[0].attributes[0].values;
  }
  EXPECT_THAT(kept.read<double>(), ElementsAre(0, 0, 0, 1, 0, 0, 0, 1, 0));
}

}  // namespace
}  // namespace sinew::gltf::test

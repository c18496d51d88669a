// SPDX-License-Identifier: MIT
#include <algorithm>

#include "gltf/check/checks.hpp"
#include "gltf/extensions/STAIK_skeletons.hpp"
#include "gltf/read/rig/bind_matrices.hpp"

namespace sinew::gltf {

namespace {

void check_bind_matrices(Checker& checker, const BindCodes& codes, JsonValue at, std::size_t count) {
  const AccessorFacts* accessor = checker.accessor(at);
  if (accessor == nullptr) return;
  const bool fits = are_bind_matrices(*accessor);
  if (!fits) checker.report(codes.format, at, accessor->text());
  if (accessor->count < count) checker.report(codes.count, at, accessor->count, count);
  if (accessor->strided) checker.report(codes.stride, at, "a view with a stride");
  if (!fits || !accessor->has_data()) return;
  const auto matrices = checker.array(*accessor);
  if (!matrices) return;
  for_each_wrong_last_row(*matrices, [&](std::size_t i) {
    checker.report(codes.last_row, at, i);
    return !checker.sink().full();
  });
  if (judge_rows(*matrices, count) == BindRows::by_rows) checker.report("GLTF_BIND_MATRICES_BY_ROWS"_code, at);
}

// Checks a skeleton whose root and joints can be used.
void check_skeleton(Checker& checker, const SkeletonObject& object) {
  const JsonValue joints = object["joints"];
  const auto is_node = [&](JsonValue joint) { return checker.root().has(joint, Reference::node); };
  if (object.defect() || checker.index(object, "root") == none || !std::ranges::all_of(list_of(joints), is_node)) return;
  check_bind_matrices(checker, skeleton_bind_codes, object["inverseBindMatrices"], joints.size());
}

}  // namespace

void check_skins(Checker& checker) {
  for (const JsonValue value : skeletons_in(extension_of(checker.root(), staik_extension), checker.silence()).elements())
    check_skeleton(checker, checker.object<SkeletonObject>(value));
  std::size_t index = 0;
  for (const JsonValue value : checker.root()["skins"].elements())
    check_bind_matrices(checker, skin_bind_codes, checker.object<SkinObject>(value)["inverseBindMatrices"],
                        checker.model().skins[index++].slots.size());
}

}  // namespace sinew::gltf

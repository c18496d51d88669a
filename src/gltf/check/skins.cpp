// SPDX-License-Identifier: MIT
#include <algorithm>

#include "gltf/check/checks.hpp"
#include "gltf/read/rig/bind_matrices.hpp"
#include "gltf/schema/tables_applied.hpp"

namespace sinew::gltf {

namespace {

void check_bind_matrices(Checking& checking, const BindCodes& codes, JsonValue at, std::size_t count) {
  const AccessorFacts* accessor = checking.accessor(at);
  if (accessor == nullptr) return;
  const bool fits = are_bind_matrices(*accessor);
  if (!fits) checking.report(codes.format, at, accessor->text());
  if (accessor->count < count) checking.report(codes.count, at, accessor->count, count);
  if (accessor->strided) checking.report(codes.stride, at, "a view with a stride");
  if (!fits || !accessor->has_data()) return;
  if (const auto matrices = checking.array(*accessor))
    for_each_wrong_last_row(*matrices, [&](std::size_t i) {
      checking.report(codes.last_row, at, i);
      return !checking.sink().full();
    });
}

// Of skeletons whose root and joints can be used.
void check_skeleton(Checking& checking, const SkeletonObject& object) {
  const JsonValue joints = object[SkeletonRow::joints];
  const auto is_node = [&](JsonValue joint) { return checking.root().has(joint, Reference::node); };
  if (object.defect() || checking.index(object, SkeletonRow::root) == none || !std::ranges::all_of(list_of(joints), is_node)) return;
  check_bind_matrices(checking, skeleton_bind_codes, object[SkeletonRow::inverseBindMatrices], joints.size());
}

}  // namespace

void check_skins(Checking& checking) {
  for (const JsonValue value : checking.root().array_of(Reference::skeleton).elements())
    check_skeleton(checking, checking.object<SkeletonObject>(value));
  std::size_t index = 0;
  for (const JsonValue value : checking.root()[RootRow::skins].elements())
    check_bind_matrices(checking, skin_bind_codes, checking.object<SkinObject>(value)[SkinRow::inverseBindMatrices],
                        checking.model().skins[index++].slots.size());
}

}  // namespace sinew::gltf

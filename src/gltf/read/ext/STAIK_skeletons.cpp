// SPDX-License-Identifier: MIT
#include "gltf/read/ext/STAIK_skeletons.hpp"

namespace sinew::gltf::staik {

namespace {

enum class SkeletonsRow : std::uint8_t { skeletons, extensions, extras, end };
constexpr row::Property skeletons_table[] = {
    {.name = "skeletons", .type = row::PropertyType::object, .shape = row::Property::Shape::list, .empty = "STAIK_SKELETONS_EMPTY"_code},
    row::extensions,
    row::extras,
};
using SkeletonsObject = document::ObjectOf<SkeletonsRow, skeletons_table>;

enum class SkeletonRow : std::uint8_t { root, joints, inverseBindMatrices, name, extensions, extras, end };
constexpr row::Property skeleton_table[] = {
    {.name = "root",
     .type = row::PropertyType::index,
     .need = row::Need::required,
     .reference = static_cast<std::uint8_t>(Reference::node),
     .missing = "STAIK_ROOT_MISSING"_code},
    {.name = "joints",
     .type = row::PropertyType::index,
     .need = row::Need::required,
     .shape = row::Property::Shape::list,
     .items = row::Property::Items::unique,
     .reference = static_cast<std::uint8_t>(Reference::node),
     .missing = "STAIK_JOINTS_MISSING"_code,
     .empty = "STAIK_JOINTS_EMPTY"_code},
    row::index("inverseBindMatrices", Reference::accessor),
    row::name,
    row::extensions,
    row::extras,
};
constexpr document::ObjectCodes skeleton_codes = {.duplicate = "STAIK_JOINT_DUPLICATE"_code};
using SkeletonObject = document::ObjectOf<SkeletonRow, skeleton_table, skeleton_codes>;

enum class OwnerRow : std::uint8_t { skeleton_owner, extensions, extras, end };
constexpr row::Property owner_table[] = {
    {.name = "skeleton_owner",
     .type = row::PropertyType::index,
     .need = row::Need::required,
     .reference = static_cast<std::uint8_t>(Reference::skeleton),
     .missing = "STAIK_SKIN_OWNER_MISSING"_code},
    row::extensions,
    row::extras,
};
constexpr document::ObjectCodes owner_codes = {.wrong_index = "STAIK_SKIN_OWNER_NOT_INDEX"_code,
                                               .negative_index = "STAIK_SKIN_OWNER_NOT_INDEX"_code};
using OwnerObject = document::ObjectOf<OwnerRow, owner_table, owner_codes>;

constexpr BindCodes bind_codes = {"STAIK_IBM_FORMAT"_code, "STAIK_IBM_FORMAT"_code, "STAIK_IBM_COUNT"_code, "STAIK_IBM_LAST_ROW"_code};

Checked<> read_skeleton(Reading& reading, Accessors& accessors, const SkeletonObject& object, Skeleton& skeleton) {
  if (object.defect()) return reading.refuse(object);
  const auto root = reading.resolve<"STAIK_ROOT_RANGE"_code>(object, SkeletonRow::root);
  if (!root) return Refused(root.error());
  skeleton.root = *root;
  for (const JsonValue value : object[SkeletonRow::joints].elements()) {
    const auto joint = reading.resolve<"STAIK_JOINT_RANGE"_code>(value, Reference::node);
    if (!joint) return Refused(joint.error());
    skeleton.joints.push_back(*joint);
  }
  const auto accessor = reading.resolve<"STAIK_IBM_RANGE"_code>(object, SkeletonRow::inverseBindMatrices);
  if (!accessor) return Refused(accessor.error());
  if (*accessor == none) return {};
  auto matrices =
      read_bind_matrices<bind_codes>(reading, accessors, object[SkeletonRow::inverseBindMatrices], *accessor, skeleton.joints.size());
  if (!matrices) return Refused(matrices.error());
  skeleton.joint_from_mesh = std::move(*matrices);
  return {};
}

}  // namespace

void read_skeletons(Reading& reading, Accessors& accessors) {
  const JsonValue value = extension_of(reading.root(), extension);
  if (!value) return;
  const auto object = reading.object<SkeletonsObject>(value);
  const JsonValue list = object[SkeletonsRow::skeletons];
  reading.set_skeletons(list);
  for (const JsonValue element : list.elements()) {
    Skeleton skeleton;
    identify(skeleton, element);
    if (auto read = read_skeleton(reading, accessors, reading.object<SkeletonObject>(element), skeleton); !read) {
      Reading::mark(skeleton, read.error());
      skeleton.root = none;
      skeleton.joints.clear();
    }
    reading.model().skeletons.push_back(std::move(skeleton));
  }
}

Checked<Index> owner_of(Reading& reading, const SkinObject& skin) {
  const JsonValue value = extension_of(skin, extension);
  if (!value) return none;
  const auto object = reading.object<OwnerObject>(value);
  if (object.defect()) return reading.refuse(object);
  const auto owner = reading.resolve<"STAIK_SKIN_OWNER_RANGE"_code>(object, OwnerRow::skeleton_owner);
  if (!owner) return owner;
  const Skeleton& skeleton = reading.model().skeletons[*owner];
  if (skeleton.defect != none) return Refused(Defect{skeleton.defect});
  return owner;
}

}  // namespace sinew::gltf::staik

// SPDX-License-Identifier: MIT
#include "gltf/extensions/STAIK_skeletons.hpp"

#include "gltf/read/rig/skins.hpp"

namespace sinew::gltf::staik {

namespace {

Checked<> read_skeleton(Reader& reader, Accessors& accessors, const SkeletonObject& object, Skeleton& skeleton) {
  if (object.defect()) return reader.refuse(object);
  const auto root = reader.resolve(object, "root", "STAIK_ROOT_RANGE"_code);
  if (!root) return Refused(root.error());
  skeleton.root = *root;
  for (const JsonValue value : object["joints"].elements()) {
    const auto joint = reader.resolve(value, Reference::node, "STAIK_JOINT_RANGE"_code);
    if (!joint) return Refused(joint.error());
    skeleton.joints.push_back(*joint);
  }
  const auto accessor = reader.resolve(object, "inverseBindMatrices", "STAIK_IBM_RANGE"_code);
  if (!accessor) return Refused(accessor.error());
  if (*accessor == none) return {};
  auto matrices =
      read_bind_matrices(skeleton_bind_codes, reader, accessors, object["inverseBindMatrices"], *accessor, skeleton.joints.size());
  if (!matrices) return Refused(matrices.error());
  skeleton.joint_from_mesh = std::move(*matrices);
  return {};
}

}  // namespace

void read_skeletons(Reader& reader, Accessors& accessors) {
  const JsonValue value = extension_of(reader.root(), staik_extension);
  for (const JsonValue element : skeletons_in(value, reader.sink()).elements()) {
    Skeleton skeleton;
    identify(skeleton, element, element["name"]);
    if (auto read = read_skeleton(reader, accessors, reader.object<SkeletonObject>(element), skeleton); !read) {
      Reader::mark(skeleton, read.error());
      skeleton.root = none;
      skeleton.joints.clear();
    }
    reader.model().skeletons.push_back(std::move(skeleton));
  }
}

Checked<Index> owner_of(Reader& reader, const SkinObject& skin) {
  const JsonValue value = extension_of(skin, staik_extension);
  if (!value) return none;
  const auto object = reader.object<OwnerObject>(value);
  if (object.defect()) return reader.refuse(object);
  const std::size_t count = reader.model().skeletons.size();
  const auto owner = static_cast<sinew::document::Reader&>(reader).resolve(object["skeleton_owner"], count, list_name(owner_table.rows.front()),
                                                      "STAIK_SKIN_OWNER_RANGE"_code);
  if (!owner) return owner;
  const Skeleton& skeleton = reader.model().skeletons[*owner];
  if (skeleton.defect != none) return Refused(Defect{skeleton.defect});
  return owner;
}

}  // namespace sinew::gltf::staik

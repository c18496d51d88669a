// SPDX-License-Identifier: MIT
#include "gltf/read/animations.hpp"

#include "gltf/check/attributes.hpp"
#include "gltf/check/values.hpp"

// The rules of animations that change nothing about what is read.

namespace sinew::gltf {

void Animations::check_bounds(JsonValue at, const AccessorFormat& format) {
  if (!has_bounds(format)) reading_.report<"ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS"_code>(at);
}

void Animations::check_skinned(const Channel& channel) {
  reading_.report<"ANIMATION_CHANNEL_TARGET_NODE_SKIN"_code>(channel.target["path"]);
}

// Floats, and normalised integers for what has no unit. Others of the right width can be used, but glTF does not allow them.
void Animations::check_format(const Channel& channel, const AccessorFormat& format) {
  const bool part =
      (channel.path == TrackPath::rotation || channel.path == TrackPath::amounts) && format.normalized && byte_size(format.component) <= 2;
  if (!part && format.component != ComponentType::float32)
    reading_.report<"ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT"_code>(
        channel.at, format.text(), channel_paths[static_cast<std::size_t>(*channel.path)], "float");
}

void Animations::check_rotations(const Channel& channel, Index accessor, bool cubic) {
  const AccessorFormat& format = *accessors_.format(accessor);
  bool& unit = unit_[{accessor, cubic}];
  if (unit || format.width() != 4 || !format.has_data()) return;
  if (const auto values = accessors_.array(accessor)) unit = check_quaternions(reading_, channel.at, *values, cubic);
}

}  // namespace sinew::gltf

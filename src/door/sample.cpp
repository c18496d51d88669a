// SPDX-License-Identifier: MIT
#include <cmath>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "door/clip.hpp"

#include "sinew/animate.hpp"
#include "sinew/play.hpp"
#include "sinew/sinew.hpp"

namespace sinew {

Result<> check_clip(const Model& model, Index clip) {
  if (clip >= model.clips.size())
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {},
                            format_text("animation {} does not exist; the file has {}", clip, model.clips.size())));
  if (const Index defect = model.clips[clip].defect; defect != none) return Unexpected(model.defects[defect]);
  return {};
}

Result<Pose> sample(const Model& model, std::string_view clip, double seconds) SINEW_TRY {
  const auto found = find_clip(clip, model);
  if (!found) return Unexpected(found.error());
  return sample(model, *found, seconds);
}
SINEW_CATCH()

Result<Pose> sample(const Model& model, Index clip, double seconds) SINEW_TRY {
  if (auto played = check_clip(model, clip); !played) return Unexpected(std::move(played.error()));
  if (!std::isfinite(seconds))
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, std::string("the time of a pose must be finite")));
  Pose pose = model.rest();
  need(animate::sample(model, model.clips[clip], seconds, pose));
  return pose;
}
SINEW_CATCH()

}  // namespace sinew

// SPDX-License-Identifier: MIT
#include <cmath>
#include <optional>

#include "base/guard.hpp"
#include "base/path_text.hpp"
#include "document/json/json_writer.hpp"

#include "sinew/retarget.hpp"

namespace sinew::operations {

namespace {

class ReportWriter {
 public:
  explicit ReportWriter(const Retargeted& done) : done_(done) {}

  std::string write() && {
    json_.begin_object();
    write_map();
    json_.key("unmapped").begin_object();
    json_.key("motion").begin_array();
    for (const RetargetedMotion& motion : done_.motions)
      for (const std::string& name : motion.unmapped) json_.string(name);
    json_.end_array();
    json_.key("target").begin_array();
    for (const std::string& name : done_.unmapped) json_.string(name);
    json_.end_array();
    json_.end_object();
    number("lean", done_.motions.front().lean);
    number("scale", done_.motions.front().scale);
    json_.key("scaleFrom").string(done_.motions.front().scale_from);
    json_.key("clips").begin_array();
    for (const RetargetedClip& clip : done_.clips) write_clip(clip);
    json_.end_array();
    json_.key("lostExpressions").begin_array();
    for (const RetargetedMotion& motion : done_.motions)
      for (const std::string& name : motion.lost_expressions) json_.string(name);
    json_.end_array();
    json_.key("warnings").begin_array();
    for (const Finding& warning : done_.warnings.list()) {
      json_.begin_object();
      json_.key("code").string(warning.code);
      json_.key("text").string(warning.message);
      json_.end_object();
    }
    json_.end_array();
    json_.end_object();
    return std::move(json_).take();
  }

 private:
  void number(std::string_view key, std::optional<double> value) {
    json_.key(key);
    if (value && std::isfinite(*value))
      json_.number(*value);
    else
      json_.raw("null");
  }

  void write_map() {
    json_.key("map").begin_array();
    for (const RetargetedMotion& motion : done_.motions)
      for (const RetargetedMotion::Bone& bone : motion.bones) {
        json_.begin_object();
        json_.key("bone");
        if (bone.bone.empty())
          json_.raw("null");
        else
          json_.string(bone.bone);
        json_.key("motion").string(bone.motion);
        json_.key("target").string(bone.target);
        json_.key("how").string(to_string(bone.how));
        if (done_.motions.size() > 1) json_.key("file").string(path_text(motion.file));
        json_.end_object();
      }
    json_.end_array();
  }

  void write_clip(const RetargetedClip& clip) {
    const RetargetedMotion& motion = done_.motions[clip.motion];
    json_.begin_object();
    json_.key("name").string(clip.name);
    json_.key("motion").string(path_text(motion.file));
    json_.key("animation").integer(clip.made);
    number("duration", clip.duration);
    json_.key("channels").integer(clip.channels);
    number("scale", motion.scale);
    json_.key("footSlide").begin_object();
    number("left", clip.slide.left);
    number("right", clip.slide.right);
    number("contactSeconds", clip.slide.contact_seconds);
    json_.end_object();
    number("depth", clip.depth);
    number("depthSeconds", clip.depth_seconds);
    json_.end_object();
  }

  const Retargeted& done_;
  document::JsonWriter json_;
};

}  // namespace

Result<std::string> report_json(const Retargeted& done) SINEW_TRY { return ReportWriter(done).write(); }
SINEW_CATCH()

}  // namespace sinew::operations

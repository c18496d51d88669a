// SPDX-License-Identifier: MIT
#include "reports/retarget_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>

#include "command.hpp"
#include "console/html.hpp"
#include "console/joined.hpp"

namespace app {

namespace {

using sinew::operations::Retargeted;
using sinew::operations::RetargetedClip;
using sinew::operations::RetargetedMotion;
using Lines = std::vector<std::array<double, 6>>;

/// Draws lines as seen along an axis: 0 from the side, 2 from the front.
std::string drawing(const Lines& lines, std::size_t across) {
  if (lines.empty()) return {};
  double left = std::numeric_limits<double>::infinity(), right = -left, low = left, high = -left;
  for (const auto& line : lines)
    for (const std::size_t end : {std::size_t{0}, std::size_t{3}}) {
      left = std::min(left, line[end + across]);
      right = std::max(right, line[end + across]);
      low = std::min(low, line[end + 1]);
      high = std::max(high, line[end + 1]);
    }
  const double size = std::max({right - left, high - low, 1e-9}), scale = 220 / size;
  std::string out = R"(<svg width="240" height="240" role="img" aria-label="skeleton">)";
  const auto x = [&](double value) { return 10 + (value - left) * scale; };
  const auto y = [&](double value) { return 230 - (value - low) * scale; };
  for (const auto& line : lines)
    out += fmt::format(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>)", x(line[across]), y(line[1]), x(line[3 + across]),
                       y(line[4]));
  return out + "</svg>";
}

std::string slide_text(const std::optional<double>& slide) { return slide ? fmt::format("{:.3g}", *slide) : "–"; }

void add_clip(const RetargetedClip& clip, const RetargetedMotion& motion, std::string& page) {
  page += fmt::format("<h3>{}</h3><p>from {}; {:.4g} s, {} channels. Foot slide, in heights of the hips per second: left {}, right {}. ",
                      html_text(clip.name), html_text(motion.file.filename().string()), clip.duration, clip.channels,
                      slide_text(clip.slide.left), slide_text(clip.slide.right));
  page += fmt::format("Deepest below the ground: {:.3g} m at {:.3g} s.</p>", clip.depth, clip.depth_seconds);
  if (clip.target_lines.empty()) return;
  page += fmt::format("<figure><figcaption>At {:.3g} s: the motion and the target, from the front and from the side</figcaption>",
                      clip.shown_seconds);
  for (const Lines* lines : {&clip.motion_lines, &clip.target_lines})
    for (const std::size_t across : {std::size_t{0}, std::size_t{2}}) page += drawing(*lines, across);
  page += "</figure>";
}

}  // namespace

std::string retarget_page(const Retargeted& done, const std::string& target) {
  std::string page = fmt::format(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">"
      "<title>Retargeting {0}</title><style>body{{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}}"
      "table{{border-collapse:collapse}}td,th{{padding:.1rem .8rem .1rem 0;text-align:left}}svg{{background:#8881}}"
      "line{{stroke:currentColor;stroke-width:3;stroke-linecap:round}}:root{{color-scheme:light dark}}</style><h1>Retargeting {0}</h1>",
      html_text(target));
  if (!done.warnings.list().empty()) page += "<h2>Warnings</h2><ul>";
  for (const sinew::Finding& warning : done.warnings.list())
    page += fmt::format("<li><code>{}</code> {}</li>", html_text(warning.code), html_text(warning.message));
  if (!done.warnings.list().empty()) page += "</ul>";
  page += "<h2>Clips</h2>";
  for (const RetargetedClip& clip : done.clips) add_clip(clip, done.motions[clip.motion], page);
  page += "<h2>Bones</h2>";
  for (const RetargetedMotion& motion : done.motions) {
    page += fmt::format("<h3>{}</h3><p>scale {:.4g}, from {}</p><table><tr><th>bone</th><th>motion</th><th>target</th><th>by</th></tr>",
                        html_text(motion.file.filename().string()), motion.scale, motion.scale_from);
    for (const RetargetedMotion::Bone& bone : motion.bones)
      page += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>", bone.bone, html_text(bone.motion),
                          html_text(bone.target), to_string(bone.how));
    page += "</table>";
    if (!motion.unmapped.empty()) page += fmt::format("<p>Without a counterpart: {}</p>", html_text(joined(motion.unmapped, ", ")));
  }
  if (!done.unmapped.empty())
    page += fmt::format("<p>Bones of the target that nothing moves: {}</p>", html_text(joined(done.unmapped, ", ")));
  return page + "</html>\n";
}

}  // namespace app

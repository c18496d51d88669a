// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "base/message.hpp"
#include "show/caption.hpp"

#include "sinew/flex.hpp"
#include "sinew/render.hpp"

namespace sinew::show {

namespace {

constexpr std::size_t picture_width = 640, picture_height = 480, inset_side = 150, margin = 8;

/// Counts the pixels that show marked vertices: clearly red.
std::size_t marked_pixels(const Picture& picture) {
  constexpr int clearly = 60;
  std::size_t count = 0;
  for (std::size_t at = 0; at + 4 <= picture.rgba.size(); at += 4) {
    const int red = picture.rgba[at], others = std::max(picture.rgba[at + 1], picture.rgba[at + 2]);
    count += red > others + clearly ? 1 : 0;
  }
  return count;
}

/// Draws the view of the close-up; if something hides the place there, the view from around it that shows most of it.
Result<Picture> draw_close_up(const operations::FlexCloseUp& close_up, std::size_t width, std::size_t height) {
  constexpr double turns[] = {0, 60, -60, 120, -120, 180};  // degrees
  const std::size_t enough = width * height / 2000;
  Result<Picture> best = Picture();
  std::size_t most = 0;
  for (const double turn : turns) {
    RenderOptions options;
    options.width = width;
    options.height = height;
    options.view = View{close_up.yaw + turn, close_up.pitch};
    auto renderer = Renderer::create(close_up.model, options);
    if (!renderer) return Unexpected(std::move(renderer.error()));
    auto picture = renderer->draw(close_up.model.rest_pose);
    if (!picture) return picture;
    const std::size_t count = marked_pixels(*picture);
    if (turn == 0 || count > most) {
      most = count;
      best = std::move(picture);
    }
    if (most >= enough) break;
  }
  return best;
}

}  // namespace

Result<Picture> draw_finding(const Model& model, const operations::FlexFinding& finding, const operations::FlexOptions& options) {
  auto posed = operations::flex_close_up(model, finding, false, options), rest = operations::flex_close_up(model, finding, true, options);
  if (!posed) return Unexpected(std::move(posed.error()));
  if (!rest) return Unexpected(std::move(rest.error()));
  auto picture = draw_close_up(*posed, picture_width, picture_height);
  if (!picture) return picture;
  const auto inset = draw_close_up(*rest, inset_side, inset_side);
  if (!inset) return Unexpected(inset.error());
  put_inset(*inset, picture_width - inset_side - margin, margin, *picture);
  write_caption(format_text("{}: {}", finding.code, finding.message), 2, *picture);
  return picture;
}

}  // namespace sinew::show

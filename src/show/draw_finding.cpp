// SPDX-License-Identifier: MIT
#include <utility>

#include "base/message.hpp"
#include "show/caption.hpp"

#include "sinew/flex.hpp"
#include "sinew/render.hpp"

namespace sinew::show {

namespace {

constexpr std::size_t picture_width = 640, picture_height = 480, inset_side = 150, margin = 8;

Result<Picture> draw_close_up(const operations::FlexCloseUp& close_up, std::size_t width, std::size_t height) {
  RenderOptions options;
  options.width = width;
  options.height = height;
  options.view = View{close_up.yaw, close_up.pitch};
  auto renderer = Renderer::create(close_up.model, options);
  if (!renderer) return Unexpected(std::move(renderer.error()));
  return renderer->draw(close_up.model.rest_pose);
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

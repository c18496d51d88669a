// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "show/caption.hpp"

#include "sinew/flex.hpp"
#include "sinew/render.hpp"

namespace sinew::show {

namespace {

constexpr std::size_t picture_width = 640, picture_height = 480, inset_side = 150, margin = 8;

/// Whether a pixel shows a marked vertex: clearly red.
bool is_marked(const std::uint8_t* pixel) {
  constexpr int clearly = 60;
  return pixel[0] > std::max(pixel[1], pixel[2]) + clearly;
}

/// Counts the pixels that show marked vertices.
std::size_t marked_pixels(const Picture& picture) {
  std::size_t count = 0;
  for (std::size_t at = 0; at + 4 <= picture.rgba.size(); at += 4) count += is_marked(&picture.rgba[at]) ? 1 : 0;
  return count;
}

/// Whether a colour is the signal colour of a close-up, more or less.
bool signals(const float* color) { return color[0] > 2 * std::max(color[1], color[2]); }

/// Returns the close-up without the triangles that have no marked vertex. They keep one corner each, so that the view stays the same.
Model marks_of(const Model& close_up) {
  Model out = close_up;
  Mesh& mesh = out.meshes[0];
  const Attribute* const attribute = find_attribute(mesh.blocks[0].attributes, Semantic::color);
  const std::vector<float> colors = attribute->values.read<float>();
  std::vector<std::uint32_t> corners = mesh.surfaces[0].elements.read<std::uint32_t>();
  for (std::size_t i = 0; i + 3 <= corners.size(); i += 3) {
    const auto marked = [&](std::size_t k) { return signals(&colors[std::size_t{corners[i + k]} * 3]); };
    if (!marked(0) && !marked(1) && !marked(2)) corners[i + 1] = corners[i + 2] = corners[i];
  }
  mesh.surfaces[0].elements = Array::own(std::move(corners), 1);
  return out;
}

/// Lets marks shine through what hides them.
void shine_through(const Picture& marks, Picture& picture) {
  for (std::size_t at = 0; at + 4 <= picture.rgba.size(); at += 4) {
    if (!is_marked(&marks.rgba[at])) continue;
    for (std::size_t i = 0; i < 3; ++i)
      picture.rgba[at + i] = static_cast<std::uint8_t>((picture.rgba[at + i] + 2 * marks.rgba[at + i]) / 3);
  }
}

Result<Picture> draw_from(const Model& model, const RenderOptions& options) {
  auto renderer = Renderer::create(model, options);
  if (!renderer) return Unexpected(std::move(renderer.error()));
  return renderer->draw(model.rest_pose);
}

/// Draws the view of the close-up; if something hides the place there, the view from around it that shows most of it. Marks shine through
/// if all views hide them: an arm that went into the chest.
Result<Picture> draw_close_up(const operations::FlexCloseUp& close_up, std::size_t width, std::size_t height) {
  constexpr double turns[] = {0, 60, -60, 120, -120, 180};  // degrees
  const std::size_t enough = width * height / 2000;
  Result<Picture> best = Picture();
  std::size_t most = 0;
  double seen_from = 0;
  RenderOptions options;
  options.width = width;
  options.height = height;
  for (const double turn : turns) {
    options.view = View{close_up.yaw + turn, close_up.pitch};
    auto picture = draw_from(close_up.model, options);
    if (!picture) return picture;
    const std::size_t count = marked_pixels(*picture);
    if (turn == 0 || count > most) {
      most = count;
      best = std::move(picture);
      seen_from = turn;
    }
    if (most >= enough) return best;
  }
  options.view = View{close_up.yaw + seen_from, close_up.pitch};
  const auto marks = draw_from(marks_of(close_up.model), options);
  if (!marks) return marks;
  shine_through(*marks, *best);
  return best;
}

}  // namespace

Result<Picture> draw_finding(const Model& model, const operations::FlexFinding& finding, const operations::FlexOptions& options) SINEW_TRY {
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
SINEW_CATCH()

}  // namespace sinew::show

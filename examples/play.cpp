// SPDX-License-Identifier: MIT
// Fades from one animation to another, holds a sword, moves by its steps, and is picked: play FIGURE
#include <sinew/pick.hpp>
#include <sinew/play.hpp>
#include <sinew/sinew.hpp>

#include <algorithm>
#include <cstdio>

namespace {

using sinew::Result;
using sinew::Unexpected;

Result<> play(const char* file) {
  const auto model = sinew::load(file);
  if (!model) return Unexpected(model.error());
  const auto hips = sinew::find_node("Hips", *model);
  if (!hips) return Unexpected(hips.error());
  const auto walk = sinew::find_clip("Walk", *model);
  if (!walk) return Unexpected(walk.error());

  // Cross-fade: in 15 frames the walk turns into a slow one. The hips stay; their movement is the root motion.
  auto player = sinew::animate::Player::create(*model, {{.clip = *walk}, {.clip = *walk, .weight = 0, .speed = 0.5}}, *hips);
  if (!player) return Unexpected(player.error());
  double moved[3] = {};
  for (int frame = 1; frame <= 15; ++frame) {
    player->set_weight(0, 1 - frame / 15.0);
    player->set_weight(1, frame / 15.0);
    if (auto done = player->advance(1.0 / 60); !done) return done;
    for (std::size_t i = 0; i < 3; ++i) moved[i] += player->root_motion()[i];
  }
  std::printf("times: %.3f and %.3f s\n", player->clips()[0].seconds, player->clips()[1].seconds);
  std::printf("root motion: %.3f m up\n", moved[1]);

  // A sword in the hand: draw its model with this matrix; hand->apply moves a point of it.
  const auto hand = player->world("Hand.R");
  if (!hand) return Unexpected(hand.error());
  std::printf("right hand: %.3f %.3f %.3f\n", hand->translation(0), hand->translation(1), hand->translation(2));

  // Pick: the material of the triangle, and the bone that moves its nearest corner most.
  auto deformer = sinew::Deformer::create(*model);
  if (!deformer) return Unexpected(deformer.error());
  const auto positions = deformer->positions(player->pose());
  if (!positions) return Unexpected(positions.error());
  const auto triangles = deformer->triangles();
  if (!triangles) return Unexpected(triangles.error());
  const auto hit = sinew::hit({{0, 1.3, 5}, {0, 0, -1}}, *positions, *triangles, deformer->instances());
  if (!hit) return {};
  const auto ranges = deformer->triangle_ranges();
  if (!ranges) return Unexpected(ranges.error());
  const auto range = std::ranges::find_if(*ranges, [&](const auto& r) { return hit->triangle - r.first < r.count; });
  const auto corner = std::ranges::max_element(hit->barycentric) - hit->barycentric.begin();
  const std::uint32_t row = (*triangles)[3 * hit->triangle + static_cast<std::size_t>(corner)];
  const auto all = deformer->influences();
  if (!all) return Unexpected(all.error());
  const auto weights = std::span(all->weights).subspan(all->first[row], all->first[row + 1] - all->first[row]);
  const auto most = std::ranges::max_element(weights) - weights.begin();
  const sinew::Index bone = all->nodes[all->first[row] + static_cast<std::size_t>(most)];
  std::printf("picked: %s of %s, %.3f m away\n", model->materials[range->material].name.c_str(), model->nodes[bone].name.c_str(),
              hit->distance);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: play FIGURE\n", stderr), 2;
  const auto done = play(argv[1]);
  if (!done) std::fprintf(stderr, "%s\n", done.error().line().c_str());
  return done ? 0 : 1;
}

// SPDX-License-Identifier: MIT
#include "sinew/play.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "capi/guard.hpp"

#include "sinew/model.hpp"

struct sinew_player {
  std::shared_ptr<const sinew::Model> model;
  sinew::animate::Player player;
};

namespace {

using sinew::Index;
using sinew::Result;
using sinew::Unexpected;
using sinew::animate::PlayedClip;
using sinew::capi::guarded;
using sinew::capi::usage;

Index index_of(size_t number) { return number < sinew::none ? static_cast<Index>(number) : sinew::none; }

/// Changes one clip by a finite number.
template <class Change>
sinew_status change_clip(sinew_player* player, size_t clip, double number, const char* what, sinew_error** error, Change&& change) {
  return guarded(error, [&]() -> Result<> {
    if (player == nullptr) return usage(sinew::format_text("{}: player is NULL", what));
    if (clip >= player->player.clips().size()) return usage(sinew::format_text("{}: clip {} does not exist", what, clip));
    if (!std::isfinite(number)) return usage(sinew::format_text("{}: the number is not finite", what));
    return change(player->player);
  });
}

}  // namespace

sinew_status sinew_player_create(const sinew_model* model, const sinew_played_clip* clips, size_t count, size_t root, sinew_player** player,
                                 sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (model == nullptr || player == nullptr || (clips == nullptr && count != 0))
      return usage("sinew_player_create: model, clips or player is NULL");
    std::vector<PlayedClip> list;
    for (const sinew_played_clip& given : std::span(clips, count)) {
      PlayedClip& made = list.emplace_back();
      made.clip = index_of(given.animation);
      made.weight = given.weight;
      made.speed = given.speed;
      made.seconds = given.seconds;
      made.loops = given.holds == 0;
      made.additive = given.additive != 0;
      if (given.mask != nullptr) made.mask.assign(given.mask, given.mask + model->model->nodes.size());
    }
    if (root != SINEW_NONE && root >= model->model->nodes.size()) return usage(sinew::format_text("node {} does not exist", root));
    auto made = sinew::animate::Player::create(*model->model, std::move(list), index_of(root));
    if (!made) return Unexpected(std::move(made.error()));
    *player = new sinew_player{model->model, std::move(*made)};
    return {};
  });
}

void sinew_player_free(sinew_player* player) { delete player; }

sinew_status sinew_player_set_weight(sinew_player* player, size_t clip, double weight, sinew_error** error) {
  return change_clip(player, clip, weight, "sinew_player_set_weight", error, [&](sinew::animate::Player& played) -> Result<> {
    if (weight < 0) return usage("sinew_player_set_weight: the weight is negative");
    played.set_weight(clip, weight);
    return {};
  });
}

sinew_status sinew_player_set_speed(sinew_player* player, size_t clip, double speed, sinew_error** error) {
  return change_clip(player, clip, speed, "sinew_player_set_speed", error, [&](sinew::animate::Player& played) -> Result<> {
    played.set_speed(clip, speed);
    return {};
  });
}

sinew_status sinew_player_seek(sinew_player* player, size_t clip, double seconds, sinew_error** error) {
  return change_clip(player, clip, seconds, "sinew_player_seek", error, [&](sinew::animate::Player& played) -> Result<> {
    played.seek(clip, seconds);
    return {};
  });
}

double sinew_player_seconds(const sinew_player* player, size_t clip) {
  return player == nullptr || clip >= player->player.clips().size() ? 0 : player->player.clips()[clip].seconds;
}

sinew_status sinew_player_advance(sinew_player* player, double seconds, sinew_pose* pose, double* root_motion, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (player == nullptr) return usage("sinew_player_advance: player is NULL");
    if (!std::isfinite(seconds)) return usage("sinew_player_advance: the time is not finite");
    if (pose != nullptr && pose->model != player->model) return usage("sinew_player_advance: the pose belongs to another model");
    if (auto done = player->player.advance(seconds); !done) return done;
    if (pose != nullptr) pose->pose = player->player.pose();
    if (root_motion != nullptr) std::ranges::copy(player->player.root_motion(), root_motion);
    return {};
  });
}

sinew_status sinew_player_get_world(const sinew_player* player, size_t node, double* matrix, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (player == nullptr || matrix == nullptr) return usage("sinew_player_get_world: player or matrix is NULL");
    if (node >= player->model->nodes.size()) return usage(sinew::format_text("node {} does not exist", node));
    const auto world = player->player.world(static_cast<Index>(node));
    if (!world) return Unexpected(world.error());
    std::ranges::copy(world->values(), matrix);
    return {};
  });
}

sinew_status sinew_player_get_socket(const sinew_player* player, const char* node, double* matrix, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (player == nullptr || node == nullptr || matrix == nullptr) return usage("sinew_player_get_socket: player, node or matrix is NULL");
    const auto world = player->player.world(std::string_view(node));
    if (!world) return Unexpected(world.error());
    std::ranges::copy(world->values(), matrix);
    return {};
  });
}

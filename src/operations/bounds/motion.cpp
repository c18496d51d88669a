// SPDX-License-Identifier: MIT
#include "operations/bounds/motion.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <new>
#include <tuple>

#include "animate/track.hpp"
#include "math/spectral_norm.hpp"
#include "model/relative.hpp"
#include "model/same.hpp"

namespace sinew::operations {

namespace {

Growth constant(double norm) { return {norm, 0, 0, 0}; }

MapGrowth constant(const Affine& map) {
  Growth translation;
  for (std::size_t i = 0; i < map.dimension(); ++i) translation.at = std::hypot(translation.at, map.translation(i));
  return {constant(spectral_norm(map)), translation};
}

LocalTransform only_rotor(const LocalTransform& local) {
  LocalTransform out;
  out.rotor = local.rotor;
  return out;
}

}  // namespace

TracksByNode tracks_by_node(const Clip& clip) {
  TracksByNode tracks;
  for (const Track& track : clip.tracks) tracks[track.node].push_back(&track);
  return tracks;
}

Motion::Motion(const Model& model, const TracksByNode& clip, const Instance& instance, const deform::Rig& rig)
    : model_(&model), instance_(&instance), rig_(&rig), animated_(rig.steps().size(), Animated{{no_part, no_part, no_part}}) {
  collect(clip);
  cut();
  measure_stored();
}

std::size_t Motion::shapes() const { return model_->meshes[instance_->mesh].shapes.size(); }

/// Collects the tracks that move the instance. If several tracks animate one property, the last one counts.
void Motion::collect(const TracksByNode& clip) {
  std::vector<const Array*> arrays;
  const auto times_of = [&](const Array& times) {
    for (std::size_t i = arrays.size(); i-- > 0;)
      if (same(*arrays[i], times)) return static_cast<std::uint32_t>(i);
    arrays.push_back(&times);
    times_.push_back(times.read<double>());
    return static_cast<std::uint32_t>(arrays.size() - 1);
  };
  const auto add = [&](Index node, auto part_of) {
    const auto found = clip.find(node);
    if (found == clip.end()) return;
    for (const Track* const track : found->second) {
      std::uint32_t* const part = track->times.empty() ? nullptr : part_of(track->path);
      if (part == nullptr) continue;
      if (*part == no_part) {
        *part = static_cast<std::uint32_t>(tracks_.size());
        tracks_.emplace_back();
      }
      tracks_[*part] = {track, times_of(track->times)};
    }
  };
  for (std::size_t step = 0; step < animated_.size(); ++step)
    add(rig_->steps()[step].node,
        [&](TrackPath path) { return path == TrackPath::amounts ? nullptr : &animated_[step].parts[static_cast<std::size_t>(path)]; });
  add(instance_->node, [&](TrackPath path) { return path == TrackPath::amounts && shapes() != 0 ? &amounts_ : nullptr; });
}

void Motion::cut() {
  std::vector<double> cuts;
  for (const std::vector<double>& times : times_) cuts.insert(cuts.end(), times.begin(), times.end());
  std::ranges::sort(cuts);
  // Of several keys at the first time, the first one counts before it.
  if (cuts.size() > 1 && cuts[0] == cuts[1] && cuts[0] > 0) cuts.insert(cuts.begin(), 0.0);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) pieces_.push_back({cuts[i], cuts[i + 1]});
  // Adds the time of the last key, because step tracks reach their last value only there.
  const double last = cuts.empty() ? 0 : cuts.back();
  pieces_.push_back({last, last});
}

void Motion::measure_stored() {
  for (std::size_t step = 0; step < animated_.size(); ++step) {
    LocalTransform local = model_->rest_pose.locals[rig_->steps()[step].node];
    const auto& parts = animated_[step].parts;
    const auto replaces_basis = [&](std::uint32_t part) { return part != no_part && !tracks_[part].track->keeps_basis; };
    if (std::ranges::any_of(parts, replaces_basis)) local.basis.clear();  // as sample does
    stored_.push_back(constant(affine_of(model_->dimension, local)));
    double scale = local.scale.empty() ? 1 : 0;
    for (const double x : local.scale) scale = std::max(scale, std::abs(x));
    stored_scale_.push_back(scale);
    stored_rotation_.push_back(spectral_norm(affine_of(model_->dimension, only_rotor(local))));
  }
}

/// Returns whether the skin follows changes of the mesh's own node in the skeleton (Skin::Bind::skeleton_pose), and the clip has such
/// changes.
bool Motion::moved_with_node() const {
  return rig_->bound(0).always_asked || std::ranges::any_of(rig_->bound(0).still, [&](std::uint32_t step) {
           return std::ranges::any_of(animated_[step].parts, [](std::uint32_t part) { return part != no_part; });
         });
}

Pose RestPoses::take() {
  {
    const std::scoped_lock lock(mutex_);
    if (!spare_.empty()) {
      Pose pose = std::move(spare_.back());
      spare_.pop_back();
      return pose;
    }
  }
  return rest_;  // several threads may copy at once
}

void RestPoses::give(Pose&& pose) {
  const std::scoped_lock lock(mutex_);
  spare_.push_back(std::move(pose));
}

Motion::Player::Player(const Motion& motion, RestPoses& poses)
    : motion_(&motion), poses_(poses), pose_(poses.take()), locals_(motion.rig_->table()), world_(locals_) {}

Motion::Player::~Player() {
  try {
    for (const Part& part : motion_->tracks_) {
      const Index node = part.track->node;
      pose_.locals[node] = poses_.rest().locals[node];
      pose_.amounts[node] = poses_.rest().amounts[node];
    }
    poses_.give(std::move(pose_));
  } catch (const std::bad_alloc&) {  // one copy fewer
  }
}

void Motion::Player::enter(std::size_t piece) {
  const Piece& at = motion_->pieces_[piece];
  const double inside = at.begin + (at.end - at.begin) / 2;
  playing_.clear();
  for (const Part& part : motion_->tracks_) {
    const std::size_t shapes = part.track->path == TrackPath::amounts ? motion_->shapes() : 1;
    playing_.emplace_back(*part.track, motion_->times_[part.times], inside, shapes, motion_->model_->dimension);
  }
}

Result<> Motion::Player::look(double seconds, Look& out) {
  for (const Playing& playing : playing_) animate::write(*motion_->model_, *playing.track, playing.moment(seconds), pose_);
  out.seconds = seconds;
  out.amounts = pose_.amounts[motion_->instance_->node];
  motion_->rig_->locals(pose_, locals_);
  motion_->rig_->world(locals_, world_);
  return motion_->rig_->palette(0, locals_, world_, out.palette);
}

MapGrowth Motion::Player::local(std::size_t step, double begin, double end) const {
  const auto& parts = motion_->animated_[step].parts;
  MapGrowth out = motion_->stored_[step];
  constexpr auto translation = static_cast<std::size_t>(TrackPath::translation), rotation = static_cast<std::size_t>(TrackPath::rotation),
                 scale = static_cast<std::size_t>(TrackPath::scale);
  if (parts[translation] != no_part) out.translation = growth_of_vector(playing_[parts[translation]], begin, end);
  if (parts[rotation] == no_part && parts[scale] == no_part) return out;
  const Growth turned = parts[rotation] == no_part ? constant(motion_->stored_rotation_[step])
                                                   : growth_of_rotation(playing_[parts[rotation]], begin, end, motion_->model_->dimension);
  const Growth scaled =
      parts[scale] == no_part ? constant(motion_->stored_scale_[step]) : growth_of_vector(playing_[parts[scale]], begin, end);
  out.linear = turned * scaled;
  return out;
}

void Motion::Player::between(double begin, double end, Between& out) {
  begin_ = begin;
  end_ = end;
  const auto steps = motion_->rig_->steps();
  local_.resize(steps.size());
  grown_.resize(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    local_[i] = local(i, begin, end);
    grown_[i] = steps[i].parent == deform::Rig::nowhere ? local_[i] : grown_[steps[i].parent] * local_[i];
  }
  const deform::Rig::Bound& bound = motion_->rig_->bound(0);
  const bool moved = motion_->moved_with_node();
  out.slots.resize(bound.slots.size());
  for (std::size_t slot = 0; slot < bound.slots.size(); ++slot) {
    const auto [place, bind] = bound.slots[slot];
    out.slots[slot] = place == deform::Rig::nowhere ? MapGrowth{} : grown_[place];
    if (moved && bind != deform::Rig::nowhere) out.slots[slot] = moved_with_node(slot);
  }
  out.amounts.clear();
  if (motion_->amounts_ != no_part) {
    growth_of_amounts(playing_[motion_->amounts_], begin, end, out.amounts);
  } else {
    for (const double amount : motion_->model_->rest_pose.amounts[motion_->instance_->node])
      out.amounts.push_back(constant(std::abs(amount)));
  }
}

/// W·L·L°⁻¹·G: W is the frame's world transform, L the transform from the mesh's node to the frame, G that from the joint to the frame; °
/// marks the stored value (see Skin::Bind::skeleton_pose and deform::palette). If W may have no inverse, deform::palette omits L·L°⁻¹; then
/// only the norms of both cases are known.
MapGrowth Motion::Player::moved_with_node(std::size_t slot) const {
  const Model& model = *motion_->model_;
  const deform::Rig& rig = *motion_->rig_;
  const Skin& skin = model.skins[motion_->instance_->skin];
  const auto way = [&](Index node) -> std::optional<MapGrowth> {  // transform of a node in the frame
    MapGrowth out;
    while (node != skin.frame) {
      if (node == none || rig.place(node) == deform::Rig::nowhere) return std::nullopt;
      out = local_[rig.place(node)] * out;
      node = model.nodes[node].parent;
    }
    return out;
  };
  const MapGrowth unmoved = grown_[rig.bound(0).slots[slot].place];
  const auto to_mesh = way(motion_->instance_->node), to_joint = way(skin.slots[slot]);
  const auto rest_mesh_from_frame = relative_transform(model, model.rest_pose, rig.rest_world(), motion_->instance_->node, skin.frame);
  if (!rest_mesh_from_frame) return unmoved;
  if (!to_mesh || !to_joint) return {Growth::any(HUGE_VAL), Growth::any(HUGE_VAL)};  // no bound is known
  MapGrowth out = grown_[rig.place(skin.frame)] * *to_mesh * constant(*rest_mesh_from_frame) * *to_joint;
  for (Index node = skin.frame; node != none; node = model.nodes[node].parent) {
    const std::uint32_t part = motion_->animated_[rig.place(node)].parts[static_cast<std::size_t>(TrackPath::scale)];
    if (part == no_part || least_component(playing_[part], begin_, end_) > 1e-9 * local_[rig.place(node)].linear.at) continue;
    out = {Growth::any(std::max(out.linear.at, unmoved.linear.at)), Growth::any(std::max(out.translation.at, unmoved.translation.at))};
  }
  return out;
}

}  // namespace sinew::operations

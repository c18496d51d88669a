// SPDX-License-Identifier: MIT
#include "operations/retarget/transfer.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/unique_names.hpp"
#include "model/human_bones.hpp"
#include "model/place.hpp"
#include "operations/repair/repair_steps.hpp"
#include "operations/retarget/bound_rest.hpp"
#include "operations/retarget/curves.hpp"

namespace sinew::operations {

namespace {

Unexpected mirrored(const Model& model, Index node) {
  return Unexpected(
      error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(model, model.nodes[node]),
            format_text("the transform of the bone \"{}\" mirrors or has no size at rest, so it has no rotation", model.nodes[node].name)));
}

/// Returns the pair of the nearest node above that has one.
std::size_t above(const Model& model, Index node, const std::vector<std::size_t>& pair_at) {
  for (Index up = model.nodes[node].parent; up != none; up = model.nodes[up].parent)
    if (pair_at[up] != npos) return pair_at[up];
  return npos;
}

/// The bones whose direction has no meaning, or does not belong to a limb: hips, and ends of chains.
bool keeps_direction(std::string_view bone) {
  return bone == "hips" || bone == "head" || bone == "jaw" || bone.ends_with("Eye") || bone.ends_with("Hand") || bone.ends_with("Foot") ||
         bone.ends_with("Toes") || bone.ends_with("Distal");
}

/// Characters have the joint of a collarbone or a thumb in different places, so its direction says little about the rest pose.
bool begins_anywhere(std::string_view bone) { return bone.ends_with("Shoulder") || bone.find("Thumb") != std::string_view::npos; }

std::vector<double> direction(const RestSide& side, Index from, Index to) { return difference(side.place(to), side.place(from)); }

/// TransferredBone::stiff. `ours`, `theirs`: the bones of a humanoid that the motion and the target have.
bool is_stiff(const BonePair& pair, const std::map<Index, std::string>& ours, const std::map<Index, std::string>& theirs) {
  const std::string_view bone = pair.bone;
  if (pair.how == BonePair::How::map || (!bone.ends_with("Foot") && !bone.ends_with("Toes"))) return false;
  const std::string shin = std::string(bone.substr(0, bone.size() - 4)) + "LowerLeg";
  const auto has_shin = [&](const std::map<Index, std::string>& bones) {
    return std::ranges::any_of(bones, [&](const auto& own) { return own.second == shin; });
  };
  return has_shin(ours) && !has_shin(theirs);
}

}  // namespace

Transfer::Transfer(const Model& motion, const Model& target, const RetargetOptions& options)
    : a_(motion_side(motion)), b_(target_side(target)), options_(options) {}

Result<> Transfer::add_bones(std::span<const BonePair> pairs) {
  const Affine still(b_.model.dimension);
  const auto turn = [&](const RestSide& side, Index node) -> Result<Affine> {
    if (node == none) return still;
    auto own = turn_of(side.world[node]);
    if (!own) return mirrored(side.model, node);
    return std::move(own->rotation);
  };
  std::vector<std::size_t> in_a(a_.model.nodes.size(), npos), in_b(b_.model.nodes.size(), npos);
  for (std::size_t i = 0; i < pairs.size(); ++i) in_a[pairs[i].motion] = in_b[pairs[i].target] = i;
  const std::map<Index, std::string> ours = human_names(a_.model), theirs = human_names(b_.model);
  for (const BonePair& pair : pairs) {
    TransferredBone& bone = bones_.emplace_back();
    bone.pair = pair;
    bone.stiff = is_stiff(pair, ours, theirs);
    bone.above_a = above(a_.model, pair.motion, in_a);
    bone.above_b = above(b_.model, pair.target, in_b);
    auto a = turn(a_, pair.motion), a_parent = turn(a_, a_.model.nodes[pair.motion].parent), b = turn(b_, pair.target),
         b_parent = turn(b_, b_.model.nodes[pair.target].parent);
    for (const auto* each : {&a, &a_parent, &b, &b_parent})
      if (!*each) return Unexpected(each->error());
    bone.a = *std::move(a);
    bone.a_parent = *std::move(a_parent);
    bone.b = *std::move(b);
    bone.b_parent = *std::move(b_parent);
  }
  return {};
}

/// Returns the bone at the other end of a bone's limb, or npos.
std::size_t Transfer::next_of(std::size_t index) const {
  const std::string_view bone = bones_[index].pair.bone;
  if (!bone.empty() && keeps_direction(bone)) return npos;
  const bool central = !bone.starts_with("left") && !bone.starts_with("right");
  std::size_t found = npos;
  for (std::size_t i = 0; i < bones_.size(); ++i) {
    const std::string_view name = bones_[i].pair.bone;
    if (bones_[i].above_b != index || bones_[i].above_a != index) continue;
    if (bone.empty() != name.empty() || name == "jaw" || name.ends_with("Eye")) continue;
    if (!bone.empty() && central && (name.starts_with("left") || name.starts_with("right"))) continue;  // a chest points to the neck
    if (found != npos) return npos;                                                                     // a branch has no direction
    found = i;
  }
  return found;
}

/// Turns limbs of the target in the direction of those of the motion, from the hips down, if the options ask for it.
void Transfer::align(double least, FindingSink& warnings) {
  std::vector<std::size_t> order(bones_.size());  // parents first
  std::vector<std::size_t> depth(bones_.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
    for (std::size_t up = bones_[i].above_b; up != npos; up = bones_[up].above_b) ++depth[i];
  }
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(depth[i], i); });
  std::vector<Affine> extra(bones_.size(), Affine(b_.model.dimension));  // of the world, against the stored rest
  std::vector<std::string> names;
  for (const std::size_t i : order) {
    TransferredBone& bone = bones_[i];
    if (bone.above_b != npos) extra[i] = extra[bone.above_b];
    bone.aligned = bone.above_b != npos && bones_[bone.above_b].aligned;
    bone.b_parent = extra[i] * bone.b_parent;
    const bool counts = least < differs || !begins_anywhere(bone.pair.bone);  // clothes take every direction of the body
    if (const std::size_t next = counts ? next_of(i) : npos; next != npos) {
      const auto wanted = turned(facing(), direction(a_, bone.pair.motion, bones_[next].pair.motion));
      const auto found = turned(extra[i], direction(b_, bone.pair.target, bones_[next].pair.target));
      const double angle = angle_between(found, wanted);
      if (angle > least) {
        names.push_back(b_.model.nodes[bone.pair.target].name);
        if (options_.align) {
          extra[i] = turn_between(found, wanted) * extra[i];
          bone.aligned = true;
        }
      }
    }
    bone.b = extra[i] * bone.b;
  }
  if (!names.empty() && !options_.align) warnings.add(finding("RETARGET_REST_DIFFERS"_code, "", names.size(), join_text(names, ", ")));
}

std::size_t Transfer::hips_of(const Clip& clip) const {
  for (std::size_t i = 0; i < bones_.size(); ++i)
    if (bones_[i].pair.bone == "hips") return i;
  std::size_t best = npos, least = npos;
  for (std::size_t i = 0; i < bones_.size(); ++i) {
    const Index node = bones_[i].pair.motion;
    const bool moves =
        std::ranges::any_of(clip.tracks, [&](const Track& track) { return track.path == TrackPath::translation && track.node == node; });
    std::size_t depth = 0;
    for (Index up = node; up != none; up = a_.model.nodes[up].parent) ++depth;
    if (!moves || depth >= least) continue;
    best = i;
    least = depth;
  }
  return best;
}

Result<Transfer> Transfer::create(const Model& motion, const Model& target, std::span<const BonePair> pairs, const RetargetOptions& options,
                                  FindingSink& warnings, double least) {
  Transfer out(motion, target, options);
  if (motion.dimension != target.dimension)
    return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(motion),
                            format_text("the motion has {} dimensions, the target {}", motion.dimension, target.dimension)));
  if (auto done = out.add_bones(pairs); !done) return Unexpected(std::move(done.error()));
  out.facing_ = facing_of(out.a_, out.b_, pairs);
  if (out.facing_.measured && out.facing_.degrees > 1) warnings.add(finding("RETARGET_TURNED"_code, "", out.facing_.degrees));
  std::vector<std::string> uneven;
  for (const BonePair& pair : pairs) {
    if (const auto turn = turn_of(out.a_.world[pair.motion]); turn && turn->uneven) uneven.push_back(motion.nodes[pair.motion].name);
    if (const auto turn = turn_of(out.b_.world[pair.target]); turn && turn->uneven) uneven.push_back(target.nodes[pair.target].name);
  }
  if (!uneven.empty()) warnings.add(finding("RETARGET_NONUNIFORM_SCALE"_code, "", uneven.size(), join_text(uneven, ", ")));
  out.align(least, warnings);
  const BonePair* const hips = find_bone(pairs, "hips");
  out.scale_ = scale_of(out.a_, out.b_, pairs, hips == nullptr ? npos : static_cast<std::size_t>(hips - pairs.data()));
  return out;
}

double Transfer::factor() const {
  if (options_.root_motion == RootMotion::none) return 0;
  return options_.root_motion == RootMotion::keep ? 1 : scale_.factor;
}

std::vector<BonePair> Transfer::pairs() const {
  std::vector<BonePair> pairs;
  for (const TransferredBone& bone : bones_) pairs.push_back(bone.pair);
  return pairs;
}

Result<Clip> Transfer::clip(Index index, FindingSink& warnings, std::vector<std::string>& lost_expressions) {
  const Clip& from = a_.model.clips[index];
  const std::size_t hips = hips_of(from);
  if (scale_.from == "none" && hips != npos) scale_ = scale_of(a_, b_, pairs(), hips);
  if (scale_.from == "none" && options_.root_motion == RootMotion::scale && hips != npos)
    warnings.add(finding("RETARGET_NO_SCALE"_code, ""));
  Clip made;
  made.name = from.name;
  Curves curves(*this, from, hips, factor());
  made.tracks = curves.tracks();
  curves.list_ignored(scaled_, shifted_);
  std::vector<Track> faces = transfer_expressions(a_.model, from, b_.model, lost_expressions);
  made.tracks.insert(made.tracks.end(), std::make_move_iterator(faces.begin()), std::make_move_iterator(faces.end()));
  if (made.tracks.empty()) return Unexpected(error("RETARGET_MOVES_NOTHING"_code, Failure::input, place_of(a_.model, from), from.name));
  keep_duration(made.tracks, from.duration);
  for (const Track& track : made.tracks) {
    double last = 0;
    track.times.read(track.times.size() - 1, 1, &last);
    made.duration = std::max(made.duration, last);
  }
  made.channels = made.tracks.size();
  return made;
}

void Transfer::report_ignored(FindingSink& warnings) const {
  if (!scaled_.empty())
    warnings.add(finding("RETARGET_SCALE_IGNORED"_code, "", count_of(scaled_.size(), "bone", "bones"), join_text(scaled_, ", ")));
  if (!shifted_.empty()) warnings.add(finding("RETARGET_TRANSLATION_IGNORED"_code, "", join_text(shifted_, ", ")));
}

Result<> append_transferred(const Model& motion, std::span<const Index> clips, std::span<const BonePair> pairs,
                            const RetargetOptions& options, const std::string& prefix, Model& target, FindingSink& warnings) {
  std::vector<Clip> made;  // the target must not change before the last one is made
  for (const Index index : clips) {
    auto transferred = transfer_clip(motion, index, target, pairs, options);
    if (!transferred) return Unexpected(std::move(transferred.error()));
    for (const Finding& warning : transferred->warnings.list()) warnings.add(warning);
    made.push_back(std::move(transferred->clip));
  }
  UniqueNames names;
  for (const Clip& clip : target.clips) names.add(clip.name);
  for (Clip& clip : made) {
    clip.name = names.take(names.contains(clip.name) ? prefix + clip.name : clip.name);
    target.clips.push_back(std::move(clip));
  }
  return {};
}

Result<TransferredClip> transfer_clip(const Model& motion, Index clip, const Model& target, std::span<const BonePair> pairs,
                                      const RetargetOptions& options) SINEW_TRY {
  if (motion.clips[clip].defect != none) return Unexpected(motion.defects[motion.clips[clip].defect]);
  TransferredClip out;
  const auto bound = options.align ? with_bound_rest(motion, pairs) : std::nullopt;
  auto transfer = Transfer::create(bound ? bound->model : motion, target, pairs, options, out.warnings);
  if (!transfer) return Unexpected(std::move(transfer.error()));
  auto made = transfer->clip(clip, out.warnings, out.lost_expressions);
  if (!made) return Unexpected(std::move(made.error()));
  transfer->report_ignored(out.warnings);
  out.clip = *std::move(made);
  out.scale = transfer->scale().factor;
  out.scale_from = transfer->scale().from;
  return out;
}
SINEW_CATCH(place_of(motion))

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "sinew/retarget.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "base/unique_names.hpp"
#include "model/bones.hpp"
#include "model/human_bones.hpp"
#include "model/name_index.hpp"
#include "model/place.hpp"
#include "model/trees.hpp"
#include "operations/bones/name_pairs.hpp"
#include "operations/files/changed_file.hpp"
#include "operations/files/update.hpp"
#include "operations/merge/merge_rig.hpp"
#include "operations/retarget/bound_rest.hpp"
#include "operations/retarget/feet.hpp"
#include "operations/retarget/transfer.hpp"

#include "sinew/load.hpp"

namespace sinew::operations {

namespace {

Result<std::vector<Index>> choose_clips(const Model& model, const std::vector<std::string>& wanted) {
  std::vector<Index> clips;
  if (wanted.empty()) {
    for (Index i = 0; i < model.clips.size(); ++i)
      if (model.clips[i].defect == none) clips.push_back(i);
    if (clips.empty()) return Unexpected(error("RETARGET_NO_ANIMATION"_code, Failure::input, place_of(model)));
    return clips;
  }
  for (const std::string& name : wanted) {
    const auto found = find_by_name(name, named_things(model.clips), model.clips.size(), "animation");
    if (!found) return Unexpected(found.error());
    if (model.clips[*found].defect != none) return Unexpected(model.defects[model.clips[*found].defect]);
    if (std::ranges::find(clips, *found) == clips.end()) clips.push_back(*found);
  }
  return clips;
}

/// Returns the first names for a message.
std::string some(const std::vector<std::string>& names, std::size_t most = 5) {
  const std::span<const std::string> first(names.data(), std::min(most, names.size()));
  return names.empty() ? "nothing" : format_text("{}{}", join_text(first, ", "), names.size() > most ? ", …" : "");
}

constexpr std::size_t listed = 60;  // names that somebody needs who writes a file of pairs

std::string name_of(const Model& model, Index node) {
  const std::string& name = model.nodes[node].name;
  return name.empty() ? format_text("node {}", node) : name;
}

/// Returns the names of nodes that are flagged and in no pair.
std::vector<std::string> without_pair(const Model& model, const std::vector<bool>& flagged, std::span<const BonePair> pairs,
                                      Index BonePair::* side) {
  std::vector<bool> paired(model.nodes.size());
  for (const BonePair& pair : pairs) paired[pair.*side] = true;
  std::vector<std::string> names;
  for (Index node = 0; node < flagged.size(); ++node)
    if (flagged[node] && !paired[node]) names.push_back(name_of(model, node));
  return names;
}

std::vector<bool> moved_bones(const Model& motion, std::span<const Index> clips) {
  std::vector<bool> moved(motion.nodes.size());
  for (const Index clip : clips)
    for (const Track& track : motion.clips[clip].tracks)
      if (track.path != TrackPath::amounts && track.node < moved.size()) moved[track.node] = true;
  for (const Expression& expression : motion.avatar.expressions)
    if (expression.amount != none) moved[expression.amount] = false;
  for (const HumanBone& bone : motion.avatar.bones) moved[bone.node] = true;
  return moved;
}

/// Without skins and skeletons: the nodes above meshes.
std::vector<bool> joints_of(const Model& model) {
  std::vector<bool> joints = bones_of(model);
  for (const HumanBone& bone : model.avatar.bones) joints[bone.node] = true;
  if (std::ranges::find(joints, true) != joints.end()) return joints;
  for (Index node = 0; node < joints.size(); ++node)
    if (model.nodes[node].mesh != none && model.nodes[node].parent != none) joints[model.nodes[node].parent] = true;
  mark_above(model.nodes, joints);
  return joints;
}

/// Sorts names: bones that every humanoid has, from the trunk outwards, then its other bones, then unknown ones.
void sort_by_bone(const Model& model, std::vector<std::string>& names) {
  std::map<std::string_view, std::size_t> ranks;
  const std::size_t count = human_bones().size();
  for (const auto& [node, name] : human_names(model)) {
    const HumanBoneKind* const bone = find_human_bone(name);
    const auto place = static_cast<std::size_t>(bone - human_bones().data());
    ranks.emplace(model.nodes[node].name, bone->required || bone->required_in_old ? place : count + place);
  }
  std::vector<std::pair<std::size_t, std::size_t>> order;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto rank = ranks.find(names[i]);
    order.emplace_back(rank == ranks.end() ? 2 * count : rank->second, i);
  }
  std::ranges::sort(order);
  std::vector<std::string> sorted;
  for (const auto& [rank, i] : order) sorted.push_back(std::move(names[i]));
  names.swap(sorted);
}

/// Finds the pairs of bones of a motion. Fails as `retarget` if there are none.
Result<std::vector<BonePair>> some_pairs(const Model& motion, std::span<const Index> clips, const Model& target,
                                         const RetargetOptions& options, const NamePairs& map) {
  auto pairs = pair_bones(motion, target, options, map);
  if (!pairs || !pairs->empty()) return pairs;
  return Unexpected(error("RETARGET_NO_MATCH"_code, Failure::input, place_of(motion), target.nodes.size(),
                          path_text(path_of(place_of(target).file).filename()),
                          some(without_pair(motion, moved_bones(motion, clips), {}, &BonePair::motion), listed),
                          some(without_pair(target, joints_of(target), {}, &BonePair::target), listed)));
}

/// Transfers the clips of all motions to one target.
class Retargeting {
 public:
  Retargeting(const OpenFile& file, const RetargetOptions& options, const NamePairs& map, Retargeted& out)
      : file_(file), options_(options), map_(map), out_(out), after_(file.model), paired_(file.model.nodes.size()) {
    for (const Clip& clip : file.model.clips) names_.add(clip.name);
  }

  Result<> add(const std::filesystem::path& path, FindingSink& sink) {
    auto motion = io::load(path, options_.load, sink);
    if (!motion) return Unexpected(std::move(motion.error()));
    const auto clips = choose_clips(*motion, options_.clips);
    if (!clips) return Unexpected(clips.error());
    const Model& target = file_.model;
    const auto pairs = some_pairs(*motion, *clips, target, options_, map_);
    if (!pairs) return Unexpected(pairs.error());
    const std::vector<bool> moved = moved_bones(*motion, *clips);
    RetargetedMotion& row = out_.motions.emplace_back();
    row.file = path;
    for (const BonePair& pair : *pairs) {
      row.bones.push_back({pair.bone, name_of(*motion, pair.motion), name_of(target, pair.target), pair.how});
      paired_[pair.target] = true;
    }
    row.unmapped = without_pair(*motion, moved, *pairs, &BonePair::motion);
    sort_by_bone(*motion, row.unmapped);
    if (auto bound = options_.align ? with_bound_rest(*motion, *pairs) : std::nullopt) {
      *motion = std::move(bound->model);
      row.lean = bound->lean;
    }
    auto transfer = Transfer::create(*motion, target, *pairs, options_, out_.warnings);
    if (!transfer) return Unexpected(std::move(transfer.error()));
    for (const Index clip : *clips)
      if (auto done = add_clip(*motion, clip, *transfer, row); !done) return done;
    transfer->report_ignored(out_.warnings);
    warn_of_few(row.unmapped, moved, *pairs);
    row.scale = transfer->scale().factor;
    row.scale_from = transfer->scale().from;
    return {};
  }

  /// The reason why there is no clip, if there is none.
  [[nodiscard]] std::optional<Error> failure() const { return out_.clips.empty() ? failure_ : std::nullopt; }
  [[nodiscard]] const Model& after() const { return after_; }
  [[nodiscard]] std::vector<std::string> unmapped() const {
    const std::vector<bool> joints = joints_of(file_.model);
    std::vector<std::string> names;
    for (Index node = 0; node < joints.size(); ++node)
      if (joints[node] && !paired_[node]) names.push_back(name_of(file_.model, node));
    return names;
  }

 private:
  /// A limb that does not move looks like a fault of the file. A figure of blocks without knees has none: all of it moves.
  void warn_of_few(const std::vector<std::string>& still, const std::vector<bool>& moved, std::span<const BonePair> pairs) {
    constexpr std::size_t body = 15;  // the bones that every humanoid has
    const auto humanoid = std::ranges::count_if(pairs, [](const BonePair& pair) { return !pair.bone.empty(); });
    const auto matched =
        static_cast<std::size_t>(std::ranges::count_if(pairs, [&](const BonePair& pair) { return bool(moved[pair.motion]); }));
    const auto all = static_cast<std::size_t>(std::ranges::count(moved, true));
    if (static_cast<std::size_t>(humanoid) >= body || 3 * matched >= all) return;
    const std::vector<std::string> free =
        without_pair(file_.model, carrying_joints(file_.model, joints_of(file_.model)), pairs, &BonePair::target);
    if (free.empty()) return;
    out_.warnings.add(finding("RETARGET_FEW_BONES"_code, "", matched, all, some(still),
                              format_text("of the target: {}; name pairs of bones in a file for --map", some(free))));
  }

  Result<> add_clip(const Model& motion, Index clip, Transfer& transfer, RetargetedMotion& row) {
    std::vector<std::string> lost;
    auto made = transfer.clip(clip, out_.warnings, lost);
    if (!made) {
      if (made.error().code != "RETARGET_MOVES_NOTHING") return Unexpected(std::move(made.error()));
      if (!failure_) failure_ = std::move(made.error());  // another clip may move something
      return {};
    }
    for (std::string& name : lost)
      if (std::ranges::find(row.lost_expressions, name) == row.lost_expressions.end()) row.lost_expressions.push_back(std::move(name));
    RetargetedClip& told = out_.clips.emplace_back();
    told.name = made->name = new_name(made->name, path_text(row.file.stem()));
    told.motion = out_.motions.size() - 1;
    told.clip = clip;
    told.made = static_cast<Index>(after_.clips.size());
    told.duration = made->duration;
    told.channels = made->tracks.size();
    measure_feet(transfer, motion.clips[clip], *made, told);
    if (auto done = measure_depth(transfer, *made, options_.threads, told); !done) return done;
    draw_worst(transfer, motion.clips[clip], *made, told);
    after_.clips.push_back(*std::move(made));
    return {};
  }

  std::string new_name(const std::string& name, const std::string& stem) {
    const std::string& wanted = name.empty() ? stem : name;
    return names_.take(names_.contains(wanted) ? stem + "_" + wanted : wanted);
  }

  const OpenFile& file_;
  const RetargetOptions& options_;
  const NamePairs& map_;
  Retargeted& out_;
  Model after_;
  std::vector<bool> paired_;
  UniqueNames names_;
  std::optional<Error> failure_;
};

}  // namespace

Result<RetargetedModel> retarget_model(const Model& motion, const Model& target, const RetargetOptions& options) SINEW_TRY {
  const auto clips = choose_clips(motion, options.clips);
  if (!clips) return Unexpected(clips.error());
  const auto pairs = some_pairs(motion, *clips, target, options, {});
  if (!pairs) return Unexpected(pairs.error());
  RetargetedModel out{target, {}};
  if (auto done = append_transferred(motion, *clips, *pairs, options, {}, out.model, out.warnings); !done)
    return Unexpected(std::move(done.error()));
  return out;
}
SINEW_CATCH(place_of(motion))

Result<Retargeted> retarget(const std::filesystem::path& target, std::span<const std::filesystem::path> motions,
                            const std::filesystem::path& to, const RetargetOptions& options, FindingSink& sink,
                            FindingSink& losses) SINEW_TRY {
  const auto map = options.map.empty() ? NamePairs() : read_name_pairs(options.map, "MOTION_BONE TARGET_BONE");
  if (!map) return Unexpected(map.error());
  const auto file = open_file(target, to, options.load, sink);
  if (!file) return Unexpected(file.error());
  Retargeted out;
  Retargeting work(*file, options, *map, out);
  for (const std::filesystem::path& motion : motions)
    if (auto done = work.add(motion, sink); !done) return Unexpected(std::move(done.error()));
  if (auto failed = work.failure()) return Unexpected(*std::move(failed));
  if (out.clips.empty())
    return Unexpected(
        error("RETARGET_MOVES_NOTHING"_code, Failure::input, {path_text(motions.front()), {}, {}}, "all of a file without any"));
  out.unmapped = work.unmapped();
  LossWatch lost(losses, options.on_loss);
  const auto document = update(file->document, file->model, work.after(), lost);
  if (!document) return Unexpected(document.error());
  auto written = write_changed(*file, *document, to, options, out.clips.size(), sink, lost);
  if (!written) return Unexpected(std::move(written.error()));
  static_cast<Written&>(out) = *std::move(written);
  return out;
}
SINEW_CATCH({path_text(target), {}, {}})

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "sinew/merge.hpp"

#include <algorithm>
#include <memory>

#include "command.hpp"
#include "console/json.hpp"
#include "edits.hpp"

namespace app {

namespace {

// Nothing would follow the body, or move, or follow it in the right place.
constexpr std::string_view without_effect[] = {"SINEW_MERGE_NO_MATCH",     "SINEW_MERGE_FEW_BONES",          "SINEW_MERGE_CANNOT_FIT",
                                               "SINEW_MERGE_DOES_NOT_FIT", "SINEW_MERGE_CLIP_MOVES_NOTHING", "SINEW_WEIGHTS_NO_SOURCE",
                                               "SINEW_WEIGHTS_NO_OVERLAP"};

struct MergeOptions {
  std::string body, output, made_for;
  std::vector<std::string> clothes, rename, fit;
  sinew::operations::MergeOptions how;
  bool json = false;
};

using sinew::operations::ClothesWeights;

/// `weights`: a mesh of the clothes got weights of the body.
void print_bones(const sinew::operations::MergedClothes& clothes, bool weights, const Common& common) {
  const auto say_fitted = [&] {
    if (!clothes.fitted.empty()) common.terminal.talk("{} was fitted: {}", clothes.path.string(), clothes.fitted);
  };
  if (clothes.bones.empty() && weights) return say_fitted();
  if (!clothes.retargeted.empty()) return common.terminal.talk("{}: {}", clothes.path.string(), clothes.retargeted);
  if (!clothes.attached.empty())
    return common.terminal.talk("{} hangs on {}{}{}", clothes.path.string(), clothes.attached, clothes.fitted.empty() ? "" : ", ",
                                clothes.fitted);
  if (clothes.bones.empty())
    return common.terminal.talk("{} has {}", clothes.path.string(),
                                clothes.meshes ? "no bones: its meshes follow no skeleton" : "no bones and no meshes");
  if (clothes.matched == 0) common.terminal.warn(clothes.path.string() + " follows no bone of the body: --keep-separate allows it");
  const auto moving = static_cast<std::size_t>(std::ranges::count_if(clothes.bones, &sinew::operations::MergedBone::moves));
  common.terminal.talk("{} of {} of {} matched; {} of them {} it", clothes.matched, count_of(clothes.bones.size(), "bone", "bones"),
                       clothes.path.string(), moving, moving == 1 ? "moves" : "move");
  std::size_t idle = 0;
  std::vector<std::string> still;  // matched bones that move nothing
  for (const sinew::operations::MergedBone& bone : clothes.bones) {
    const bool far = bone.distance > 1e-3 * clothes.tolerance;  // more than rounding
    if (bone.name == bone.becomes && !bone.added && !(far && bone.moves) && !common.verbose) continue;
    if (bone.added && !bone.moves && !common.verbose) {
      ++idle;
      continue;
    }
    if (bone.added)
      common.terminal.talk("  {} is added as {} below {}", bone.name, bone.becomes, bone.parent.empty() ? "the scene" : bone.parent);
    else if (!bone.moves && !far && !common.verbose)
      still.push_back(fmt::format("{} is {}", bone.name, bone.becomes));
    else if (far)
      common.terminal.talk("  {} is {}; their pivots are {:.3g} apart", bone.name, bone.becomes, bone.distance);
    else
      common.terminal.talk("  {} is {}", bone.name, bone.becomes);
  }
  if (!still.empty()) common.terminal.talk("  and, moving nothing: {}", fmt::join(still, ", "));
  if (idle > 0)
    common.terminal.talk("  {} that {} nothing {} added (-v names them)", count_of(idle, "bone", "bones"), idle == 1 ? "moves" : "move",
                         idle == 1 ? "is" : "are");
  say_fitted();
}

/// A mesh without a name has its index.
void print_weights(const sinew::operations::TransferredWeights& done, const Common& common) {
  common.terminal.talk("{}: weights transferred from {} ({}): {} vertices matched, {} inpainted, {} far; at most {}",
                       done.mesh.empty() ? "mesh without a name" : done.mesh, fmt::join(done.from, ", "), done.reason, done.matched,
                       done.inpainted, done.far, count_of(done.most_influences, "influence", "influences"));
}

Json weights_json(const sinew::operations::Merged& done) {
  auto list = Json::array();
  for (const sinew::operations::TransferredWeights& own : done.weights)
    list.push_back({{"mesh", own.mesh},
                    {"node", own.node},
                    {"file", own.file.string()},
                    {"mode", own.mode == ClothesWeights::transfer ? "transfer" : "auto"},
                    {"from", own.from},
                    {"reason", own.reason},
                    {"vertices", {{"total", own.vertices}, {"matched", own.matched}, {"inpainted", own.inpainted}, {"far", own.far}}},
                    {"pieces", {{"total", own.pieces}, {"withoutMatch", own.pieces_without_match}}},
                    {"influences", {{"max", own.most_influences}, {"dropped", own.dropped}, {"largestDroppedWeight", own.largest_dropped}}},
                    {"distance", {{"median", own.median_distance}, {"max", own.largest_distance}, {"limit", own.distance_limit}}},
                    {"angle", own.angle},
                    {"farVertices", own.far_vertices},
                    {"warnings", own.warnings}});
  return list;
}

sinew::Result<> parse_renames(const std::vector<std::string>& texts, sinew::operations::MergeOptions& how) {
  for (const std::string& text : texts) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size())
      return sinew::Unexpected(usage_error(fmt::format("--rename \"{}\": expected OLD=NEW", text)));
    how.rename.emplace_back(text.substr(0, sign), text.substr(sign + 1));
  }
  return {};
}

/// "none", "auto", or some of "scale", "turn", "pose" and "surface".
sinew::Result<> parse_fit(const std::vector<std::string>& texts, sinew::operations::ClothesFit& fit) {
  for (const std::string& text : texts)
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      const bool all = word == "auto";
      if (!all && word != "none" && word != "scale" && word != "turn" && word != "pose" && word != "surface")
        return sinew::Unexpected(
            usage_error(fmt::format("--fit \"{}\": expected none, auto, or a list of scale, turn, pose and surface", text)));
      fit.scale |= all || word == "scale";
      fit.turn |= all || word == "turn";
      fit.pose |= all || word == "pose";
      fit.surface |= all || word == "surface";
    }
  return {};
}

int run_merge(const MergeOptions& options, const Common& common) {
  sinew::operations::MergeOptions how = options.how;
  if (const auto parsed = parse_fit(options.fit, how.fit); !parsed) return common.terminal.fail(parsed.error());
  if (how.attach.empty() && (how.grip || how.scale))
    return common.terminal.fail(
        usage_error(fmt::format("{} needs --attach BONE, the bone that carries CLOTHES", how.grip ? "--grip" : "--scale")));
  how.made_for = options.made_for;
  if (options.fit.empty() && !options.made_for.empty()) how.fit = {true, true, true, true};
  how.load = common.load_options();
  how.threads = common.threads;
  how.measure = options.json;
  if (const auto parsed = parse_renames(options.rename, how); !parsed) return common.terminal.fail(parsed.error());
  sinew::FindingList found, losses;
  const auto done =
      sinew::operations::merge(options.body, {options.clothes.begin(), options.clothes.end()}, options.output, how, found, losses);
  print_findings(found, common);
  if (!done && std::ranges::find(without_effect, done.error().code) != std::end(without_effect)) {
    static_cast<void>(common.terminal.fail(done.error()));
    return Exit::findings;
  }
  if (!done) return common.terminal.fail(done.error());
  if (done->refused == sinew::operations::Refused::no)
    for (const sinew::operations::MergedClothes& clothes : done->clothes)
      print_bones(clothes,
                  std::ranges::find(done->weights, clothes.path, &sinew::operations::TransferredWeights::file) != done->weights.end(),
                  common);
  if (done->refused == sinew::operations::Refused::no)
    for (const sinew::operations::TransferredWeights& weights : done->weights) print_weights(weights, common);
  const Outcome outcome =
      outcome_of(options.output, *done, losses, fmt::format("{}: {}, {} bytes", options.output, done->format, done->bytes),
                 [&](Json& row) { row.add("weights", weights_json(*done)); });
  return print_outcome(outcome, *done, losses, options.json, common);
}

void add_weight_options(Command& command, sinew::operations::WeightTransfer& weights) {
  add_choice<ClothesWeights>(command, "--weights", weights.mode,
                             {{"auto", ClothesWeights::automatic}, {"keep", ClothesWeights::keep}, {"transfer", ClothesWeights::transfer}},
                             "Copy weights from the surface of BODY: to meshes without a skin that touch it (auto, the default), to none "
                             "(keep), or to all (transfer; "
                             "their skins are dropped)",
                             "MODE");
  command
      .add_option("--weights-from", weights.from, "Copy weights from this mesh or node of BODY; repeatable (default: all of the skeleton)")
      .type_name("NAME")
      .check(not_empty())
      .take_all();
  command
      .add_option(
          "--weights-distance", weights.distance,
          "Copy weights over a distance of up to R, relative to the diagonal of the mesh; farther vertices continue the weights beside "
          "them (default: 0.05)")
      .type_name("R")
      .check(positive());
  command.add_option("--weights-angle", weights.angle, "Copy weights only if the normals differ by up to DEG degrees (default: 30)")
      .type_name("DEG")
      .check(positive());
  command
      .add_option("--max-influences", weights.max_influences,
                  "Keep the N strongest copied weights of a vertex (default: the largest number in BODY, at least 4)")
      .type_name("N")
      .check(positive());
}

}  // namespace

Run add_merge(Command command, Common& common) {
  auto options = std::make_shared<MergeOptions>();
  common.files.reads(options->body);
  common.files.reads(options->clothes);
  common.files.reads(options->how.names);
  common.files.reads(options->made_for);
  common.files.writes(options->output);
  sinew::operations::MergeOptions& how = options->how;
  command.add_option("BODY", options->body, "The file with the skeleton to use; - reads standard input").required();
  command.add_option("CLOTHES", options->clothes, "The files with meshes to put on that skeleton, in order").required();
  command.add_option("-o,--output", options->output, "Write the new file").required().type_name("FILE").check(not_empty());
  const auto list = [&](const char* name, auto& values, const char* help, const char* type) {
    command.add_option(name, values, help).type_name(type).check(not_empty()).take_all();
  };
  command.add_option("--skeleton", how.skeleton, "Use this skeleton of BODY, by name or index (default: its only one)")
      .type_name("NAME|INDEX")
      .check(not_empty());
  list("--rename", options->rename, "Rename a bone of CLOTHES before names are compared; repeatable", "OLD=NEW");
  list("--keep-separate", how.keep_separate, "Keep a bone of CLOTHES separate from a bone of BODY with the same name; repeatable", "NAME");
  list("--animation", how.animations, "Keep an animation of CLOTHES, or all of them; repeatable (default: none)", "NAME|all");
  list("--mesh", how.meshes, "Take only this mesh of CLOTHES, by name or index; repeatable (default: all)", "NAME|INDEX");
  command
      .add_option("--names", how.names,
                  "Set the naming scheme of the bones of CLOTHES: vrm, mixamo, unreal and others, auto, or a file with lines OLD NEW "
                  "(default: what "
                  "the files say of a humanoid, otherwise the names of BODY)")
      .type_name("PROFILE|FILE")
      .check(not_empty());
  command
      .add_option("--tolerance", how.tolerance,
                  "Let pivots of bones that move a vertex lie up to R apart; R is relative to the diagonal of BODY at rest (default: 0.01)")
      .type_name("R")
      .check(positive());
  command
      .add_option("--attach", how.attach,
                  "Put CLOTHES without bones (a sword, a hat) on this bone of BODY: their root nodes become its children")
      .type_name("BONE")
      .check(not_empty());
  command.add_flag("--grip", how.grip,
                   "With --attach and a hand: put the origin of CLOTHES into the palm, and their longest way out of the thumb's side");
  command
      .add_option("--scale", how.scale,
                  "With --attach: make CLOTHES F times as large (default: 1, or as BODY is to the figure of --made-for)")
      .type_name("F")
      .check(positive());
  command
      .add_option("--fit", options->fit,
                  "Bring CLOTHES to BODY where they do not fit: scale, turn, pose and surface, or a list of these (default: none; glTF)")
      .type_name("none|auto|LIST")
      .check(not_empty());
  command
      .add_option("--made-for", options->made_for,
                  "The figure that CLOTHES were made for: they will lie on BODY as on this file (without --fit: --fit auto)")
      .type_name("FILE")
      .check(not_empty());
  add_weight_options(command, how.weights);
  command.add_flag("--join", how.join, "Join all meshes of the skeleton into one mesh");
  add_edit_options(command, how, options->json);
  return [options, &common] { return run_merge(*options, common); };
}

}  // namespace app

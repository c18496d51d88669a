// SPDX-License-Identifier: MIT
#include "sinew/merge.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/ascii.hpp"
#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "base/suggestion.hpp"
#include "document/files/file.hpp"
#include "g4mf/revise/revise.hpp"
#include "g4mf/write/concatenate.hpp"
#include "g4mf/write/update.hpp"
#include "gltf/write/concatenate.hpp"
#include "io/load/read.hpp"
#include "operations/bones/name_pairs.hpp"
#include "operations/files/update.hpp"
#include "operations/files/write_file.hpp"
#include "operations/fit/far_fit.hpp"
#include "operations/fit/fit.hpp"
#include "operations/fit/girth.hpp"
#include "operations/merge/grip.hpp"
#include "operations/merge/join.hpp"
#include "operations/merge/merge_clips.hpp"
#include "operations/merge/merge_plan.hpp"
#include "operations/merge/merge_rig.hpp"
#include "operations/merge/mesh_choice.hpp"
#include "operations/retarget/transfer.hpp"
#include "operations/weights/clothes_weights.hpp"

namespace sinew::operations {

namespace {

using DocumentPointer = std::shared_ptr<const document::Document>;

/// A file and its model.
struct Opened {
  DocumentPointer document;
  Model model;
  std::vector<Index> emptied = {};           ///< nodes that only held parts which are left out
  std::vector<Index> bones = {};             ///< joints before parts were left out
  std::shared_ptr<const Model> wearer = {};  ///< the figure of the clothes, for fitting; null: not known
  bool undressed = false;                    ///< the wearer does not wear these clothes
  std::vector<OwnWeights> reweighted = {};   ///< nodes whose skins are replaced by the weights of the body's surface
};

Unexpected usage(const std::filesystem::path& path, std::string message) {
  return Unexpected(error("SINEW_USAGE"_code, Failure::usage, Place{path_text(path), {}, {}}, std::move(message)));
}

Result<Model> read(const DocumentPointer& document, const MergeOptions& options, std::optional<g4mf::Revision> revision,
                   FindingSink& sink) {
  io::LoadOptions how;
  how.open = options.load.open;
  how.revision = revision;
  auto model = io::read(document, how, sink);
  if (!model) return model;
  if (auto defect = closure_defect(*model)) return Unexpected(std::move(*defect));
  return model;
}

Result<Opened> open(const std::filesystem::path& path, const MergeOptions& options, FindingSink& sink) {
  auto document = document::open(path, options.load.open, sink);
  if (!document) return Unexpected(std::move(document.error()));
  auto model = read(*document, options, std::nullopt, sink);
  if (!model) return Unexpected(std::move(model.error()));
  return Opened{std::move(*document), std::move(*model)};
}

/// Opens clothes in the format (G4MF: and the revision) of the body.
Result<Opened> open_like(const Opened& body, const std::filesystem::path& path, const MergeOptions& options, FindingSink& sink,
                         FindingSink& losses) {
  auto file = open(path, options, sink);
  if (!file) return file;
  if (file->model.format != body.model.format)
    return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, Place{path_text(path), {}, {}},
                            format_text("found {}, expected {}, the format of the body; convert the file with `sinew convert` first",
                                        file->model.format, body.model.format)));
  const auto revision = g4mf::revision_of(body.model);
  if (!revision || file->model.revision == body.model.revision) return file;
  g4mf::ReviseOptions reviser;
  reviser.to = revision;
  auto revised = g4mf::revise(file->document, reviser, losses);
  if (!revised) return Unexpected(std::move(revised.error()));
  FindingList ignored;  // the findings concern an intermediate document
  auto model = read(revised->document, options, revision, ignored);
  if (!model) return Unexpected(std::move(model.error()));
  return Opened{std::move(revised->document), std::move(*model)};
}

/// Returns a prefix such as "shirt_" from the file name of the clothes, in characters that every format allows in names.
std::string prefix_of(const std::filesystem::path& path) {
  std::string prefix = path_text(path.stem());
  for (char& c : prefix)
    if (static_cast<unsigned char>(c) < 0x80 && !is_letter(c) && !is_digit(c)) c = '_';
  return prefix + '_';
}

bool has(const std::vector<std::string>& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

/// Converts the options for the plan and reads the file of names.
Result<PlanOptions> planned(const MergeOptions& options) {
  PlanOptions plan;
  plan.skeleton = options.skeleton;
  plan.rename = options.rename;
  plan.keep_separate = options.keep_separate;
  plan.names = options.names;
  plan.tolerance = options.tolerance;
  plan.all_animations = has(options.animations, "all");
  plan.fitted = options.fit.any();
  plan.threads = options.threads;
  std::error_code unknown;
  if (options.names.empty() || !std::filesystem::is_regular_file(options.names, unknown)) return plan;
  plan.names.clear();
  auto names = read_name_pairs(options.names, "OLD NEW");
  if (!names) return Unexpected(std::move(names.error()));
  plan.rename.insert(plan.rename.end(), names->begin(), names->end());
  return plan;
}

/// Fails for requested names that no file has. `plan` has all renamings.
Result<> check_names(const std::vector<Opened>& clothes, const MergeOptions& options, const PlanOptions& plan) {
  std::vector<std::string_view> known, clips;
  for (const Opened& file : clothes) {
    for (const Node& node : file.model.nodes) known.push_back(node.name);
    for (const Clip& clip : file.model.clips) clips.push_back(clip.name);
  }
  const auto expect = [](std::string_view wanted, const std::vector<std::string_view>& names, std::string_view what) -> Result<> {
    if (std::ranges::find(names, wanted) != names.end()) return {};
    return usage({}, format_text("the clothes have no {} \"{}\"{}", what, wanted, suggestion(wanted, names)));
  };
  for (const auto& [from, to] : options.rename)
    if (auto done = expect(from, known, "node"); !done) return done;
  for (const auto& renamed : plan.rename) known.emplace_back(renamed.second);
  for (const std::string& name : options.keep_separate)
    if (auto done = expect(name, known, "node"); !done) return done;
  for (const std::string& name : options.animations)
    if (name != "all")
      if (auto done = expect(name, clips, "animation"); !done) return done;
  return {};
}

/// Finds the bone that carries clothes without bones.
Result<> find_attachment(const Model& body, const std::vector<Opened>& clothes, const MergeOptions& options, PlanOptions& plan) {
  if (options.attach.empty()) return {};
  const auto named = std::ranges::find(body.nodes, options.attach, &Node::name);
  plan.attach = named != body.nodes.end() ? static_cast<Index>(named - body.nodes.begin()) : none;
  if (plan.attach == none)
    for (const auto& [node, bone] : human_names(body))
      if (bone == options.attach) plan.attach = node;
  if (plan.attach == none) {
    std::vector<std::string_view> known;
    const std::map<Index, std::string> human = human_names(body);
    for (const auto& [node, bone] : human) known.push_back(bone);
    for (const Node& node : body.nodes)
      if (!node.name.empty()) known.push_back(node.name);
    return usage(body.source ? body.source->file() : std::string(),
                 format_text("no bone of the body is named \"{}\"{}", options.attach, suggestion(options.attach, known)));
  }
  if (std::ranges::all_of(clothes, [](const Opened& file) { return !file.bones.empty() || !rigs_of(file.model).empty(); }))
    return usage(
        clothes.front().document->path(),
        "--attach is for clothes without bones, and all of these have some; a part on one bone, taken with --mesh, keeps its bone: use "
        "--names auto --fit auto instead");
  return {};
}

MergedClothes report(const std::filesystem::path& path, const Model& clothes, const Model& merged, const MergePlan& plan) {
  MergedClothes out;
  out.path = path;
  out.tolerance = plan.tolerance;
  out.meshes = std::ranges::any_of(clothes.nodes, [](const Node& node) { return node.mesh != none; });
  for (const PlannedBone& bone : plan.bones) {
    out.matched += bone.body != none ? 1 : 0;
    const Index node = bone.body != none ? bone.body : plan.nodes.place[bone.clothes];
    out.bones.push_back({clothes.nodes[bone.clothes].name, merged.nodes[node].name, bone.body == none, bone.moves,
                         bone.parent == none ? std::string() : merged.nodes[bone.parent].name, bone.distance});
  }
  return out;
}

/// Concatenates both files into one document.
Result<DocumentPointer> concatenate(const Opened& body, const Opened& clothes, const MergePlan& plan, FindingSink& losses) {
  if (const auto revision = g4mf::revision_of(body.model))
    return g4mf::concatenate(*body.document, *clothes.document, *revision, plan.nodes, losses);
  return gltf::concatenate(*body.document, *clothes.document, plan.nodes, losses);
}

/// Changes a file to a new state of its model, and reads what was written. Returns the model before.
Result<Model> change(Opened& file, const Model& to, const MergeOptions& options, FindingSink& losses) {
  auto document = update(file.document, file.model, to, losses);
  if (!document) return Unexpected(std::move(document.error()));
  FindingList ignored;  // of the same file
  auto model = read(*document, options, g4mf::revision_of(file.model), ignored);
  if (!model) return model;
  file.document = std::move(*document);
  return std::exchange(file.model, std::move(*model));
}

/// Finds the figures that the clothes were made for: MergeOptions::made_for, else the other meshes of their files.
void find_wearers(std::vector<Opened>& clothes, const std::optional<Opened>& made_for) {
  for (Opened& file : clothes) {
    if (file.model.binds_by_stored_pose()) continue;
    file.undressed = made_for.has_value();
    file.wearer = std::make_shared<const Model>(made_for ? made_for->model : file.model);
  }
}

/// Reduces the clothes to the meshes that the options select.
Result<> take_parts(std::vector<Opened>& clothes, const MergeOptions& options) {
  if (options.meshes.empty()) return {};
  std::vector<const Model*> models;
  for (const Opened& file : clothes) models.push_back(&file.model);
  const auto chosen = choose_meshes(models, options.meshes);
  if (!chosen) return Unexpected(chosen.error());
  for (std::size_t i = 0; i < clothes.size(); ++i) {
    Opened& file = clothes[i];
    FindingList ignored;  // removed parts are no loss
    const auto whole = change(file, with_meshes(file.model, (*chosen)[i]), options, ignored);
    if (!whole) return Unexpected(whole.error());
    file.emptied = emptied_nodes(*whole, file.model);
    if (file.wearer && !file.undressed) {
      std::vector<bool> others = (*chosen)[i];
      others.flip();
      file.undressed = std::ranges::find(others, true) != others.end();
      if (file.undressed) file.wearer = std::make_shared<const Model>(with_meshes(*whole, others));
    }
    for (const Rig& rig : rigs_of(*whole)) file.bones.insert(file.bones.end(), rig.joints.begin(), rig.joints.end());
  }
  return {};
}

/// Matches the bones of the figure that the clothes were made for.
Result<Match> match_wearer(const Opened& body, const Rig& rig, const Opened& clothes, const PlanOptions& plan) {
  PlanOptions same = plan;
  same.moved.clear();
  same.bones.clear();
  same.attach = none;
  return match_bones(body.model, rig, *clothes.wearer, same);
}

/// Chooses the meshes of fitted clothes that get the weights of the body. Returns which ones keep their own, in words.
Result<std::string> choose_reweighted(Opened& clothes, const Match& match, const std::optional<WeightDonor>& donor, bool moved,
                                      const MergeOptions& options) {
  std::string told;
  if (!moved || !donor || options.weights.mode != ClothesWeights::automatic) return told;
  for (OwnWeights& own : weights_on_body_bones(clothes.model, match.twin)) {
    const auto coverage = donor->coverage(clothes.model, own);
    if (!coverage) return Unexpected(coverage.error());
    if (coverage->enough())
      clothes.reweighted.push_back(std::move(own));
    else
      told += format_text("{}\"{}\" keeps its weights, because {} of {} places lie on the body", told.empty() ? "; " : ", ",
                          clothes.model.meshes[clothes.model.nodes[own.node].mesh].name, coverage->matched, coverage->all);
  }
  return told;
}

/// Brings clothes to the body (MergeOptions::fit). Returns what was done, in words.
Result<std::string> fit(const Opened& body, Opened& clothes, const PlanOptions& plan, const std::optional<WeightDonor>& donor,
                        const MergeOptions& options, FindingSink& losses) {
  if (!options.animations.empty())
    return usage(clothes.document->path(),
                 "--fit changes the rest pose, which animations of the clothes do not follow; use sinew retarget");
  const auto rig = find_rig(body.model, options.skeleton);
  if (!rig) return Unexpected(rig.error());
  const auto match = match_bones(body.model, *rig, clothes.model, plan);
  if (!match) return Unexpected(match.error());
  if (auto done = check_bends(*rig, clothes.model, *match); !done) return Unexpected(std::move(done.error()));
  std::optional<Match> of_wearer;
  std::string left;
  if (clothes.wearer) {
    auto found = match_wearer(body, *rig, clothes, plan);
    if (!found && !options.made_for.empty()) return Unexpected(std::move(found.error()));
    if (!found && clothes.undressed) left = format_text("; the rest of its file is no figure for it: {}", found.error().message);
    if (found) of_wearer = std::move(*found);
  }
  std::optional<KnownWearer> wearer;
  if (of_wearer) wearer.emplace(KnownWearer{*clothes.wearer, *of_wearer, clothes.undressed, options.made_for.empty()});
  FitMeasures done;
  const auto fitted = fit_clothes(body.model, clothes.model, *match, options.fit, wearer ? &*wearer : nullptr, options.threads, done);
  if (!fitted) return Unexpected(fitted.error());
  if (auto before = change(clothes, *fitted, options, losses); !before) return Unexpected(std::move(before.error()));
  const bool known = wearer && wearer->shapes;
  report_far_fit(done, !known ? WearerGiven::none : options.made_for.empty() ? WearerGiven::same_file : WearerGiven::made_for, losses);
  const auto kept = choose_reweighted(clothes, *match, donor, done.surface.largest_move > 0, options);
  if (!kept) return Unexpected(kept.error());
  return done.text() + *kept + left;
}

/// Returns how many times as large a thing must be for the body as for the figure that it was made for: the ratio of their heights. Bones
/// and hands of drawn figures differ much more from those of people.
Result<double> ratio_to_wearer(const Opened& body, const Opened& clothes, const MergeOptions& options) {
  std::array<double, 2> height{};
  for (const auto& [model, size] : {std::pair(&*clothes.wearer, &height[0]), std::pair(&body.model, &height[1])}) {
    const auto surface = weights::RiggedSurface::of_figure(*model, options.threads);
    if (!surface) return Unexpected(surface.error());
    const auto up = std::ranges::minmax(surface->surface.vertices, {}, [](const weights::Vec& point) { return point[1]; });
    if (!surface->surface.vertices.empty()) *size = up.max[1] - up.min[1];
  }
  return height[0] > 0 && height[1] > 0 ? height[1] / height[0] : 1;
}

/// Brings clothes without bones into the size and the grip that the options ask for. Returns what was done, in words.
Result<std::string> hold(const Opened& body, Opened& clothes, const PlanOptions& plan, const MergeOptions& options, FindingSink& losses) {
  if (plan.attach == none || !rigs_of(clothes.model).empty() || clothes.model.binds_by_stored_pose()) return std::string();
  double factor = options.scale.value_or(1);
  if (!options.scale && clothes.undressed) {
    const auto ratio = ratio_to_wearer(body, clothes, options);
    if (!ratio) return Unexpected(ratio.error());
    factor = *ratio;
  }
  if (factor == 1 && !options.grip) return std::string();
  Model model = scaled(clothes.model, factor);
  if (options.grip) {
    auto held = held_by(body.model, plan.attach, model, options.threads);
    if (!held) return Unexpected(std::move(held.error()));
    model = std::move(*held);
  }
  if (auto before = change(clothes, model, options, losses); !before) return Unexpected(std::move(before.error()));
  std::string told = options.grip ? "held by the palm" : "";
  if (factor != 1) told += format_text("{}{:.4g} times as large", told.empty() ? "" : ", ", factor);
  return told;
}

/// Returns the body with one file of clothes merged.
Result<Opened> dress(const Opened& body, const Opened& clothes, const MergePlan& plan, const MergeOptions& options, FindingSink& losses) {
  const auto revision = g4mf::revision_of(body.model);
  auto document = concatenate(body, clothes, plan, losses);
  if (!document) return Unexpected(std::move(document.error()));
  FindingList ignored;  // the losses of both input files were already reported
  auto whole = read(*document, options, revision, ignored);
  if (!whole) return Unexpected(std::move(whole.error()));
  const Model merged = apply_merge(body.model, clothes.model, plan, *whole);
  // Skins of the clothes are new to the strict skeletons of the body, so they must be marked.
  if (!revision && !body.model.skeletons.empty())
    for (std::size_t s = body.model.skins.size(); s < whole->skins.size(); ++s) whole->skins[s].slots.clear();
  auto updated = update(*document, *whole, merged, losses);
  if (updated) updated = without_orphans(body.document.get(), std::move(*updated), revision);
  if (!updated) return Unexpected(std::move(updated.error()));
  auto model = read(*updated, options, revision, ignored);
  if (!model) return Unexpected(std::move(model.error()));
  return Opened{std::move(*updated), std::move(*model)};
}

/// Adds clips of a file without meshes to the body, made for its skeleton. Returns what was done, in words; empty: no bone matched.
Result<std::string> add_retargeted(Opened& body, const Opened& clothes, std::span<const Index> clips, const PlanOptions& plan,
                                   const MergeOptions& options, FindingSink& losses) {
  const auto made = retarget_clips(body.model, clothes.model, clips, plan, losses);
  if (!made) return Unexpected(made.error());
  if (!*made) return std::string();
  if (auto before = change(body, (*made)->model, options, losses); !before) return Unexpected(std::move(before.error()));
  return (*made)->text;
}

/// Removes the skins of clothes that get weights of the body, and the nodes that were only their joints.
Result<> drop_skins(Opened& clothes, const MergeOptions& options, FindingSink& losses) {
  std::vector<Index> nodes;
  for (const OwnWeights& own : clothes.reweighted) nodes.push_back(own.node);
  if (options.weights.mode == ClothesWeights::transfer) {
    nodes.resize(clothes.model.nodes.size());
    std::iota(nodes.begin(), nodes.end(), Index{0});
  }
  if (nodes.empty() || clothes.model.skins.empty()) return {};
  auto bare = without_clothes_skins(clothes.model, nodes);
  if (!bare) return Unexpected(std::move(bare.error()));
  const auto before = change(clothes, *bare, options, losses);
  if (!before) return Unexpected(before.error());
  const std::vector<Index> emptied = emptied_nodes(*before, clothes.model);
  clothes.emptied.insert(clothes.emptied.end(), emptied.begin(), emptied.end());
  std::ranges::sort(clothes.emptied);
  const auto repeated = std::ranges::unique(clothes.emptied);
  clothes.emptied.erase(repeated.begin(), repeated.end());
  return {};
}

/// Returns what can give weights to clothes, or nothing if the options ask for none.
Result<std::optional<WeightDonor>> donor_of(const Opened& body, const MergeOptions& options) {
  if (options.weights.mode == ClothesWeights::keep) return std::optional<WeightDonor>();
  if (body.model.binds_by_stored_pose()) {
    if (options.weights.mode == ClothesWeights::automatic && options.weights.from.empty()) return std::optional<WeightDonor>();
    return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, Place{path_text(body.document->path()), {}, {}},
                            "weights of clothes can be transferred in glTF only; convert both files to glTF first, or use --weights keep"));
  }
  const auto rig = find_rig(body.model, options.skeleton);
  if (!rig) return Unexpected(rig.error());
  auto donor = WeightDonor::create(body.model, rig->joints, options.weights, options.threads);
  if (!donor) return Unexpected(std::move(donor.error()));
  return std::optional(std::move(*donor));
}

/// Returns the nodes of the clothes that kept clips move, with all nodes below them.
std::vector<bool> moved_by_clips(const Model& clothes, std::span<const Index> clips) {
  std::vector<bool> own(clothes.nodes.size()), all(clothes.nodes.size());
  for (const Index clip : clips)
    for (const Track& track : clothes.clips[clip].tracks)
      if (track.node < own.size() && track.path != TrackPath::amounts) own[track.node] = true;
  for (Index node = 0; node < own.size(); ++node)
    for (Index up = node; up != none && !all[node]; up = clothes.nodes[up].parent) all[node] = own[up];
  return all;
}

/// Gives weights to the meshes of the clothes in a dressed body. A mesh that moves by itself gets none unless all must get some.
Result<> give_weights(Opened& dressed, const Opened& clothes, const MergePlan& plan, const WeightDonor& donor, const MergeOptions& options,
                      FindingSink& losses, std::vector<TransferredWeights>& report) {
  std::vector<Index> nodes;
  std::vector<OwnWeights> fitted;
  const std::vector<bool> moved = moved_by_clips(clothes.model, plan.nodes.clips);
  for (Index node = 0; node < clothes.model.nodes.size(); ++node) {
    if (plan.nodes.place[node] == none || clothes.model.nodes[node].mesh == none) continue;
    if (!moved[node] || options.weights.mode == ClothesWeights::transfer) nodes.push_back(plan.nodes.place[node]);
    const auto own = std::ranges::find(clothes.reweighted, node, &OwnWeights::node);
    if (own != clothes.reweighted.end()) fitted.push_back({plan.nodes.place[node], own->joints});
  }
  const std::size_t first = report.size();
  auto given = donor.give(dressed.model, nodes, fitted, losses, report);
  if (!given) return Unexpected(std::move(given.error()));
  for (std::size_t i = first; i < report.size(); ++i) report[i].file = clothes.document->path();
  if (!*given) return {};
  if (auto before = change(dressed, **given, options, losses); !before) return Unexpected(std::move(before.error()));
  return {};
}

/// Joins everything that the skeleton moves into one mesh.
Result<DocumentPointer> join(const Opened& whole, const MergeOptions& options, FindingSink& losses) {
  if (auto done = check_no_expressions(*whole.document); !done) return Unexpected(std::move(done.error()));
  const auto joined = join_meshes(whole.model, options.skeleton, losses);
  if (!joined) return Unexpected(joined.error());
  return update(whole.document, whole.model, *joined, losses);
}

/// Adds one file of clothes to the body.
Result<> add_file(Opened& body, Opened& file, PlanOptions& plan_options, const std::optional<WeightDonor>& donor,
                  const MergeOptions& options, FindingSink& losses, Merged& merged) {
  plan_options.prefix = prefix_of(file.document->path());
  plan_options.animations.clear();
  std::vector<Index> kept;
  for (Index i = 0; i < file.model.clips.size(); ++i) {
    const std::string& name = file.model.clips[i].name;
    if (has(options.animations, name)) plan_options.animations.push_back(format_text("name:{}", name));
    if (plan_options.all_animations || has(options.animations, name)) kept.push_back(i);
  }
  if (auto done = check_clips_usable(file.model, kept); !done) return Unexpected(std::move(done.error()));
  plan_options.moved = bones_of_clips(*file.document, file.model, kept);
  plan_options.bones = file.bones;
  plan_options.posed = options.fit.pose;
  auto held = hold(body, file, plan_options, options, losses);
  if (!held) return Unexpected(std::move(held.error()));
  std::string fitted = *std::move(held);
  if (options.fit.any() && (plan_options.attach == none || !rigs_of(file.model).empty())) {
    auto told = fit(body, file, plan_options, donor, options, losses);
    if (!told) return Unexpected(std::move(told.error()));
    fitted = *std::move(told);
  }
  if (auto done = drop_skins(file, options, losses); !done) return Unexpected(std::move(done.error()));
  plan_options.left_out = file.emptied;
  std::erase_if(plan_options.bones, [&](Index node) { return std::ranges::binary_search(file.emptied, node); });
  FindingList notes;  // of a plan that fails for a clip that is then retargeted they say nothing
  const auto plan = plan_merge(body.model, file.model, plan_options, notes);
  if (!plan && !kept.empty() && file.model.meshes.empty() &&
      (plan.error().failure == Failure::input || plan.error().failure == Failure::unsupported)) {
    auto told = add_retargeted(body, file, kept, plan_options, options, losses);
    if (!told && told.error().code != "RETARGET_MOVES_NOTHING") return Unexpected(std::move(told.error()));
    if (!told || told->empty()) return Unexpected(plan.error());
    merged.clothes.emplace_back().path = file.document->path();
    merged.clothes.back().retargeted = *std::move(told);
    return {};
  }
  for (const Finding& note : notes.list()) losses.add(note);
  if (!plan) return Unexpected(plan.error());
  auto dressed = dress(body, file, *plan, options, losses);
  if (!dressed) return Unexpected(std::move(dressed.error()));
  if (donor)
    if (auto done = give_weights(*dressed, file, *plan, *donor, options, losses, merged.weights); !done)
      return Unexpected(std::move(done.error()));
  const std::size_t before_clips = body.model.clips.size();
  body = std::move(*dressed);
  if (auto done = check_clips_move(*body.document, body.model, before_clips, file.model, plan->nodes.clips); !done)
    return Unexpected(std::move(done.error()));
  merged.clothes.push_back(report(file.document->path(), file.model, body.model, *plan));
  merged.clothes.back().fitted = std::move(fitted);
  if (plan_options.attach != none && plan->bones.empty()) merged.clothes.back().attached = body.model.nodes[plan_options.attach].name;
  return {};
}

Result<Merged> merge_files(Opened body, std::vector<Opened>& clothes, const std::filesystem::path& to, const MergeOptions& options,
                           FindingSink& sink, LossWatch& losses) {
  auto planning = planned(options);
  if (!planning) return Unexpected(std::move(planning.error()));
  if (auto done = check_names(clothes, options, *planning); !done) return Unexpected(std::move(done.error()));
  if (auto done = find_attachment(body.model, clothes, options, *planning); !done) return Unexpected(std::move(done.error()));
  const bool clips = std::ranges::any_of(clothes, [](const Opened& file) { return !file.model.clips.empty(); });
  if (clips && !options.animations.empty() && g4mf::revision_of(body.model))
    return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, Place{path_text(body.document->path()), {}, {}},
                            "animations of clothes can be kept in glTF only; merge without --animation"));
  std::optional<Model> before;
  if ((options.measure && !options.join) || options.max_error) before = body.model;  // a joined mesh has no counterpart
  Merged merged;
  const auto donor = donor_of(body, options);
  if (!donor) return Unexpected(donor.error());
  for (Opened& file : clothes)
    if (auto done = add_file(body, file, *planning, *donor, options, losses, merged); !done) return Unexpected(std::move(done.error()));
  if (options.join) {
    auto joined = join(body, options, losses);
    if (!joined) return Unexpected(std::move(joined.error()));
    body.document = std::move(*joined);
  }
  WriteOptions writing{options};
  writing.revision = g4mf::revision_of(body.model);
  if (before) writing.before = &*before;
  auto written = write_file(body.document, to, writing, sink, losses);
  if (!written) return Unexpected(std::move(written.error()));
  static_cast<Written&>(merged) = std::move(*written);
  return merged;
}

}  // namespace

Result<Merged> merge(const std::filesystem::path& body, const std::vector<std::filesystem::path>& clothes, const std::filesystem::path& to,
                     const MergeOptions& options, FindingSink& sink, FindingSink& losses) SINEW_TRY {
  if (options.join && options.max_error)
    return usage(to, "the error of joined meshes cannot be measured: merge with --join or with --max-error");
  if (auto fine = check_extension(to); !fine) return Unexpected(std::move(fine.error()));
  LossWatch lost(losses, options.on_loss);
  auto opened = open(body, options, sink);
  if (!opened) return Unexpected(std::move(opened.error()));
  std::vector<Opened> files;
  for (const std::filesystem::path& path : clothes) {
    auto file = open_like(*opened, path, options, sink, lost);
    if (!file) return Unexpected(std::move(file.error()));
    files.push_back(std::move(*file));
  }
  if (options.fit.any() || !options.attach.empty()) {
    std::optional<Opened> made_for;
    if (!options.made_for.empty()) {
      auto figure = open_like(*opened, options.made_for, options, sink, lost);
      if (!figure) return Unexpected(std::move(figure.error()));
      made_for = std::move(*figure);
    }
    find_wearers(files, made_for);
  }
  if (auto done = take_parts(files, options); !done) return Unexpected(std::move(done.error()));
  return merge_files(std::move(*opened), files, to, options, sink, lost);
}
SINEW_CATCH({path_text(body), {}, {}})

}  // namespace sinew::operations

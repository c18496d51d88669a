// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "results.hpp"

#include "sinew/convert.hpp"
#include "sinew/merge.hpp"
#include "sinew/optimize.hpp"
#include "sinew/rebind.hpp"
#include "sinew/repair.hpp"

namespace python {

namespace {

using std::filesystem::path;

/// The result of an operation on a file, for all operations.
struct Edited {
  sinew::operations::Written written;
  std::vector<sinew::Finding> changes;   ///< intended changes, and losses
  std::vector<sinew::Finding> findings;  ///< from reading
  std::vector<sinew::operations::MergedClothes> clothes;
  std::vector<sinew::operations::OptimizedStep> steps;             ///< of optimize
  std::vector<sinew::operations::OptimizedTexture> textures{};     ///< of optimize
  std::optional<sinew::operations::ReducedTriangles> triangles{};  ///< of optimize
  std::vector<sinew::operations::LevelOfDetail> lods{};            ///< of optimize
};

bool is_written(const Edited& done) { return !done.written.format.empty() && done.written.refused == sinew::operations::Refused::no; }

std::vector<sinew::Finding> losses(const Edited& done) {
  std::vector<sinew::Finding> list;
  std::copy_if(done.changes.begin(), done.changes.end(), std::back_inserter(list),
               [](const sinew::Finding& finding) { return finding.severity != sinew::Severity::hint; });
  return list;
}

/// Checks that a largest error is a number that is not negative.
std::optional<double> checked(std::optional<double> max_error) {
  if (max_error && !(*max_error >= 0)) raise_usage("max_error: expected a number that is not negative, or None");
  return max_error;
}

Edited convert(const path& from, const path& to, const std::optional<std::string>& revision, const std::string& compress,
               const std::string& group_names, const std::string& skeletons, std::size_t max_influences, bool prune_unused,
               std::optional<double> max_error, bool allow_outside, std::uint64_t max_memory) {
  sinew::operations::ConvertOptions how;
  how.load.open = open_options(allow_outside, max_memory);
  how.revision = revision_of(revision);
  how.compression = static_cast<sinew::operations::Compression>(choice(compress, "compress", {"keep", "none", "zstd"}));
  how.group_names = static_cast<sinew::operations::GroupNames>(choice(group_names, "group_names", {"keep", "drop", "write"}));
  how.skeletons = static_cast<sinew::operations::Skeletons>(choice(skeletons, "skeletons", {"keep", "strict", "bone", "plain"}));
  how.max_influences = max_influences;
  how.prune_unused = prune_unused;
  how.max_error = checked(max_error);
  sinew::FindingList found, lost;
  auto done = value_of(without_lock([&] { return sinew::operations::convert(from, to, how, found, lost); }));
  return {std::move(done), lost.list(), found.list(), {}, {}};
}

/// Reads what brings clothes to a body: None ("auto" with the figure that they were made for), "none", "auto", or names of parts.
sinew::operations::ClothesFit fit_of(const py::object& fit, bool made_for) {
  sinew::operations::ClothesFit out;
  const std::vector<std::string> words = !fit.is_none() ? strings(fit)
                                         : made_for     ? std::vector<std::string>{"auto"}
                                                        : std::vector<std::string>();
  for (const std::string& word : words) {
    const std::size_t part = choice(word, "fit", {"none", "auto", "scale", "turn", "pose", "surface"});
    if (part == 1) out = {true, true, true, true};
    if (part == 2) out.scale = true;
    if (part == 3) out.turn = true;
    if (part == 4) out.pose = true;
    if (part == 5) out.surface = true;
  }
  return out;
}

Edited merge(const path& body, const std::vector<path>& clothes, const path& to, const sinew::operations::MergeOptions& how) {
  sinew::FindingList found, lost;
  auto done = value_of(without_lock([&] { return sinew::operations::merge(body, clothes, to, how, found, lost); }));
  return {std::move(done), lost.list(), found.list(), std::move(done.clothes), {}};
}

Edited repair(const path& from, const std::optional<path>& to, std::size_t max_influences, double prune, const std::string& bind_matrices,
              bool names, bool seams, bool islands, bool prune_unused, std::optional<double> max_error, bool force, unsigned threads,
              bool allow_outside, std::uint64_t max_memory) {
  sinew::operations::RepairOptions how;
  const std::uint64_t findings = how.load.open.limits.findings;
  how.load.open = open_options(allow_outside, max_memory);
  how.load.open.limits.findings = findings;
  how.bind_matrices =
      static_cast<sinew::operations::BindMatrices>(choice(bind_matrices, "bind_matrices", {"certain", "transpose", "identity"}));
  how.load.force = force;
  how.max_influences = max_influences;
  how.prune = prune;
  how.names = names;
  how.seams = seams;
  how.islands = islands;
  how.prune_unused = prune_unused;
  how.max_error = checked(max_error);
  how.threads = threads;
  if (!(prune >= 0 && prune <= 1)) raise_usage("prune: expected a number from 0 to 1");
  sinew::FindingList found, changes;
  auto done = value_of(without_lock([&] { return sinew::operations::repair(from, to.value_or(path()), how, found, changes); }));
  return {std::move(done), changes.list(), found.list(), {}, {}};
}

Edited rebind(const path& from, const path& to, const std::string& pose, const py::object& animation, double seconds, bool unify,
              bool bake_shapes, bool world, bool keep_vertices, const std::vector<std::pair<std::string, std::string>>& joints,
              const std::string& skin, double tolerance, bool prune_unused, std::optional<double> max_error, bool force, unsigned threads,
              bool allow_outside, std::uint64_t max_memory) {
  sinew::operations::RebindOptions how;
  how.load.open = open_options(allow_outside, max_memory);
  how.load.force = force;
  how.to = static_cast<sinew::operations::BindPose>(choice(pose, "to", {"keep", "rest", "clip", "default", "identity"}));
  if (!animation.is_none()) how.animation = std::string(py::str(animation));
  how.seconds = seconds;
  how.unify = unify;
  how.bake_shapes = bake_shapes;
  how.world = world;
  how.keep_vertices = keep_vertices;
  for (const auto& [slot, bone] : joints) how.joints.push_back({slot, bone});
  how.skin = skin;
  how.tolerance = tolerance;
  how.prune_unused = prune_unused;
  how.max_error = checked(max_error);
  how.threads = threads;
  if (how.to == sinew::operations::BindPose::keep && !unify && !bake_shapes && !world && !keep_vertices && joints.empty())
    raise_usage("expected to, joints, unify or bake_shapes");
  sinew::FindingList found, changes;
  auto done = value_of(without_lock([&] { return sinew::operations::rebind(from, to, how, found, changes); }));
  return {std::move(done), changes.list(), found.list(), {}, {}};
}

Edited optimize(const path& from, const std::optional<path>& to, double max_error, const py::object& steps, const py::object& keep,
                std::size_t max_influences, std::size_t joint_budget, const std::string& compress, const std::string& instances,
                double triangles, const py::object& lods, const std::string& textures, std::size_t max_texture, double texture_psnr,
                bool drop_names, bool force, unsigned threads, bool allow_outside, std::uint64_t max_memory) {
  using sinew::operations::OptimizeCompression, sinew::operations::OptimizeInstances, sinew::operations::OptimizeTextures;
  sinew::operations::OptimizeOptions how;
  how.load.open = open_options(allow_outside, max_memory);
  how.load.force = force;
  how.max_error = checked(max_error);
  std::vector<std::string> names;
  for (const auto step : sinew::operations::optimize_steps()) names.emplace_back(to_string(step));
  for (const std::string& step : strings(steps)) {
    const auto known = std::find(names.begin(), names.end(), step);
    if (known == names.end()) raise_usage(fmt::format("steps: expected names of {}, found \"{}\"", fmt::join(names, ", "), step));
    how.steps.push_back(sinew::operations::optimize_steps()[static_cast<std::size_t>(known - names.begin())]);
  }
  how.keep = strings(keep);
  how.max_influences = max_influences;
  how.joint_budget = joint_budget;
  how.compression = static_cast<OptimizeCompression>(choice(compress, "compress", {"none", "meshopt", "khr-meshopt", "zstd"}));
  how.instances = static_cast<OptimizeInstances>(choice(instances, "instances", {"keep", "nodes"}));
  how.triangles = triangles;
  for (const py::handle ratio : lods) how.lods.push_back(py::cast<double>(ratio));
  how.textures = static_cast<OptimizeTextures>(choice(textures, "textures", {"keep", "png", "webp"}));
  how.max_texture = max_texture;
  if (!(texture_psnr >= 0)) raise_usage("texture_psnr: expected a number that is not negative");
  how.texture_psnr = texture_psnr;
  how.drop_names = drop_names;
  how.threads = threads;
  sinew::FindingList found, changes;
  auto done = value_of(without_lock([&] { return sinew::operations::optimize(from, to.value_or(path()), how, found, changes); }));
  return {std::move(done),     changes.list(),           found.list(),   {},
          std::move(done.ran), std::move(done.textures), done.triangles, std::move(done.lods)};
}

py::list bones_of(const Edited& done) {
  py::list out;
  for (const auto& clothes : done.clothes)
    for (const auto& bone : clothes.bones) {
      py::dict row;
      row["file"] = clothes.path;
      row["name"] = text(bone.name);
      row["becomes"] = text(bone.becomes);
      row["added"] = bone.added;
      row["parent"] = text(bone.parent);
      row["distance"] = bone.distance;
      out.append(row);
    }
  return out;
}

}  // namespace

PYTHON_MEMBERS(sinew::operations::Written, format, bytes, refused, changes, movement, scenes);
PYTHON_MEMBERS(sinew::operations::MergedBone, name, becomes, added, moves, parent, distance);
PYTHON_MEMBERS(sinew::operations::MergedClothes, path, bones, matched, tolerance, meshes, fitted, retargeted, attached);
PYTHON_MEMBERS(sinew::operations::OptimizedStep, step, saved, error, note);
PYTHON_MEMBERS(sinew::operations::OptimizedTexture, image, name, before, after, from, to, width, height, psnr, ssim);
PYTHON_MEMBERS(sinew::operations::ReducedTriangles, before, after, surface_error);
PYTHON_MEMBERS(sinew::operations::LevelOfDetail, triangles, ratio, surface_error);
PYTHON_MEMBERS(Edited, written, changes, findings, clothes, steps, textures, triangles, lods);

namespace {

void bind_edited(py::module_& module) {
  py::class_<Edited> type(module, "Edited", "The result of an operation on a file.");
  bind_state(type);
  type.def_property_readonly(
          "format", [](const Edited& e) -> py::object { return is_written(e) ? py::object(text(e.written.format)) : py::none(); },
          "Format of the new file, for example \"glTF 2.0\" or \"G4MF 2026-01\"; None if nothing was written.")
      .def_property_readonly(
          "bytes", [](const Edited& e) -> py::object { return is_written(e) ? py::object(py::int_(e.written.bytes)) : py::none(); },
          "Size of the new file in bytes, without a .bin file beside it; or None.")
      .def_readonly("changes", &Edited::changes, "Findings with their places: changes (hints) and losses (warnings).")
      .def_property_readonly("losses", losses, "The changes that are losses.")
      .def_readonly("findings", &Edited::findings, "Findings from reading the input.")
      .def_property_readonly("written", is_written, "False for repair and optimize without a target, and where max_error was exceeded.")
      .def_property_readonly(
          "movement", [](const Edited& e) { return e.written.movement; },
          "A Comparison with the distances that vertices moved: of repair and rebind if something changed, of all with max_error; or None.")
      .def_property_readonly("bones", bones_of,
                             "merge: a dict per bone of the clothes, with file, name, becomes, added, parent and distance.")
      .def_property_readonly(
          "steps", [](const Edited& e) { return as_dicts(e.steps); },
          "optimize: a dict per step, with step, saved (bytes), error (relative to the diagonal) and note.")
      .def_property_readonly(
          "textures", [](const Edited& e) { return as_dicts(e.textures); },
          "optimize: a dict per changed image, with image (its index in the input), name, before and after (bytes), from\n"
          "and to (media types), width, height, psnr (decibels; inf: no pixel differs) and ssim.")
      .def_property_readonly(
          "triangles", [](const Edited& e) -> py::object { return e.triangles ? py::object(as_dict(*e.triangles)) : py::none(); },
          "optimize: a dict with the triangles before and after, and surface_error; or None if all of them stayed.")
      .def_property_readonly(
          "lods", [](const Edited& e) { return as_dicts(e.lods); },
          "optimize: a dict per coarser level of detail, with ratio, triangles and surface_error (relative to the\n"
          "diagonal).")
      .def("__repr__", [](const Edited& e) {
        const std::string what = is_written(e) ? fmt::format("{}, {} bytes", e.written.format, e.written.bytes) : "nothing written";
        return text(fmt::format("<Edited: {}, {} changes, {} of them losses>", what, e.changes.size(), losses(e).size()));
      });
}

}  // namespace

namespace {

void bind_merge(py::module_& module) {
  module.def(
      "merge",
      [](const path& body, const std::vector<path>& clothes, const path& target, const std::string& skeleton, const py::object& rename,
         const py::object& keep_separate, const py::object& animations, const py::object& meshes, const std::string& names,
         const py::object& fit, const std::optional<path>& made_for, double tolerance, const std::string& attach, bool grip,
         std::optional<double> scale, const std::string& weights, const py::object& weights_from, double weights_distance,
         double weights_angle, std::size_t max_influences, bool join, bool prune_unused, std::optional<double> max_error, unsigned threads,
         bool allow_outside, std::uint64_t max_memory) {
        sinew::operations::MergeOptions how;
        how.load.open = open_options(allow_outside, max_memory);
        how.skeleton = skeleton;
        how.rename = pairs<std::string, std::string>(rename, "rename: expected names, {old: new}");
        how.keep_separate = strings(keep_separate);
        how.animations = strings(animations);
        how.meshes = strings(meshes);
        how.names = names;
        how.fit = fit_of(fit, made_for.has_value());
        how.made_for = made_for.value_or(path());
        how.tolerance = tolerance;
        how.attach = attach;
        how.grip = grip;
        how.scale = scale;
        how.weights = {static_cast<sinew::operations::ClothesWeights>(choice(weights, "weights", {"auto", "keep", "transfer"})),
                       strings(weights_from), weights_distance, weights_angle, max_influences};
        how.join = join;
        how.prune_unused = prune_unused;
        how.max_error = checked(max_error);
        how.threads = threads;
        return merge(body, clothes, target, how);
      },
      py::arg("body"), py::arg("clothes"), py::arg("target"), py::kw_only(), py::arg("skeleton") = "", py::arg("rename") = py::none(),
      py::arg("keep_separate") = py::tuple(), py::arg("animations") = py::tuple(), py::arg("meshes") = py::tuple(), py::arg("names") = "",
      py::arg("fit") = py::none(), py::arg("made_for") = py::none(), py::arg("tolerance") = sinew::operations::MergeOptions{}.tolerance,
      py::arg("attach") = "", py::arg("grip") = false, py::arg("scale") = py::none(), py::arg("weights") = "auto",
      py::arg("weights_from") = py::tuple(), py::arg("weights_distance") = sinew::operations::WeightTransfer{}.distance,
      py::arg("weights_angle") = sinew::operations::WeightTransfer{}.angle, py::arg("max_influences") = 0, py::arg("join") = false,
      py::arg("prune_unused") = false, py::arg("max_error") = py::none(), py::arg("threads") = 0, py::arg("allow_outside") = false,
      py::arg("max_memory") = default_memory,
      "Puts the meshes of other files (clothes: a list of paths) on one skeleton of body, without moving them at rest (docs/merge.md).\n\n"
      "rename: {old: new} for bones of the clothes. names: \"auto\", a naming scheme, or a file with lines OLD NEW. animations: names of\n"
      "clips of the clothes to keep, or \"all\". meshes: names of the meshes to take; default: all. join: join all meshes.\n"
      "fit: bring clothes of another figure to body: \"auto\", or a list of \"scale\", \"turn\", \"pose\" and \"surface\"; None: \"auto\" "
      "with\n"
      "made_for, the figure that they were made for, else not at all. tolerance: of pivots. attach: a bone that carries things without\n"
      "bones; grip: it is a hand; scale: of such things. weights: \"auto\" gives some to meshes without a skin, \"keep\" to none,\n"
      "\"transfer\" to all; weights_from, weights_distance, weights_angle and max_influences say how.\n"
      "prune_unused: remove what nothing in the file refers to.\n"
      "Raises InputError with the code SINEW_MERGE_NO_MATCH if clothes have bones and none matches.");
}

}  // namespace

void bind_edit(py::module_& module) {
  bind_edited(module);
  module.def(
      "convert", convert, py::arg("source"), py::arg("target"), py::kw_only(), py::arg("revision") = py::none(),
      py::arg("compress") = "keep", py::arg("group_names") = "keep", py::arg("skeletons") = "keep", py::arg("max_influences") = 0,
      py::arg("prune_unused") = false, py::arg("max_error") = py::none(), py::arg("allow_outside") = false,
      py::arg("max_memory") = default_memory,
      "Converts a file to the format of the extension of target (.gltf, .glb, .g4tf, .g4b).\n\n"
      "revision: revision of G4MF to write. compress: \"keep\", \"none\", \"zstd\" (G4MF). group_names: \"keep\", \"drop\", "
      "\"write\" (G4MF).\n"
      "skeletons: \"keep\", \"strict\", \"bone\", \"plain\" (glTF). max_influences: keep the strongest influences of each vertex; 0 "
      "keeps all.\n"
      "prune_unused: remove what nothing in the file refers to. max_error: write nothing if a vertex moves further than this, relative\n"
      "to the size of the model. Edited.losses lists what "
      "the new file cannot store.");
  bind_merge(module);
  module.def("repair", repair, py::arg("source"), py::arg("target") = py::none(), py::kw_only(), py::arg("max_influences") = 0,
             py::arg("prune") = 0.0, py::arg("bind_matrices") = "certain", py::arg("names") = false, py::arg("seams") = false,
             py::arg("islands") = false, py::arg("prune_unused") = false, py::arg("max_error") = py::none(), py::arg("force") = false,
             py::arg("threads") = 0, py::arg("allow_outside") = false, py::arg("max_memory") = default_memory,
             "Fixes what can be fixed unambiguously and lists the changes (docs/repair.md). target: None writes no file.\n\n"
             "max_influences: keep the strongest influences of each vertex; 0 keeps all.\n"
             "bind_matrices: what to do if their fourth row is not 0 0 0 1: \"certain\", \"transpose\" or \"identity\".\n"
             "seams: join the weights of vertices that coincide at rest and part in a pose. islands: remove stray weights.\n"
             "prune: remove weights below this. prune_unused: remove what nothing in the file refers to.");
  module.def(
      "optimize", optimize, py::arg("source"), py::arg("target") = py::none(), py::kw_only(), py::arg("max_error"),
      py::arg("steps") = py::tuple(), py::arg("keep") = py::tuple(), py::arg("max_influences") = 0, py::arg("joint_budget") = 0,
      py::arg("compress") = "none", py::arg("instances") = "keep", py::arg("triangles") = 1.0, py::arg("lods") = py::tuple(),
      py::arg("textures") = "keep", py::arg("max_texture") = 0, py::arg("texture_psnr") = 40.0, py::arg("drop_names") = false,
      py::arg("force") = false, py::arg("threads") = 0, py::arg("allow_outside") = false, py::arg("max_memory") = default_memory,
      "Makes a file smaller and measures how far vertices move (docs/optimize.md). target: None writes no file.\n\n"
      "max_error: the largest allowed movement of a vertex, relative to the size of the model. steps: names of the steps to run;\n"
      "default: all. keep: names of nodes that stay. max_influences: the most influences of a vertex, with fitted weights; nothing is\n"
      "written if this needs a larger error. joint_budget: the most joints of a skin (glTF); 0: any number. compress: \"none\", "
      "\"meshopt\", \"khr-meshopt\" (glTF) or \"zstd\" (G4MF). instances: \"nodes\" joins nodes that show the same mesh to one node with\n"
      "copies (glTF). triangles: the part of the triangles to keep, by collapsing edges; max_error then limits the distance of the\n"
      "surfaces (glTF). lods: parts of the triangles of coarser levels of detail, descending (MSFT_lod of glTF). textures: \"png\" or "
      "\"webp\" stores images in fewer bytes, with at least texture_psnr decibels (glTF).\n"
      "max_texture: the most pixels on a side of an image; 0: any number. drop_names: remove names that nothing mentions (glTF).\n"
      "Edited.steps lists what each step saved, Edited.textures the changed images, and Edited.lods the levels.");
  module.def(
      "rebind",
      [](const path& source, const path& target, const std::string& to, const py::object& animation, double seconds, bool unify,
         bool bake_shapes, bool world, bool keep_vertices, const py::object& joints, const std::string& skin, double tolerance,
         bool prune_unused, std::optional<double> max_error, bool force, unsigned threads, bool allow_outside, std::uint64_t max_memory) {
        return rebind(source, target, to, animation, seconds, unify, bake_shapes, world, keep_vertices,
                      pairs<std::string, std::string>(joints, "joints: expected names, {slot: bone}"), skin, tolerance, prune_unused,
                      max_error, force, threads, allow_outside, max_memory);
      },
      py::arg("source"), py::arg("target"), py::kw_only(), py::arg("to") = "keep", py::arg("animation") = py::none(),
      py::arg("seconds") = 0.0, py::arg("unify") = false, py::arg("bake_shapes") = false, py::arg("world") = false,
      py::arg("keep_vertices") = false, py::arg("joints") = py::none(), py::arg("skin") = "",
      py::arg("tolerance") = sinew::operations::RebindOptions{}.tolerance, py::arg("prune_unused") = false,
      py::arg("max_error") = py::none(), py::arg("force") = false, py::arg("threads") = 0, py::arg("allow_outside") = false,
      py::arg("max_memory") = default_memory,
      "Binds skins to another pose without changing the deformation (docs/rebind.md).\n\n"
      "to: \"keep\", \"rest\", \"clip\" (with animation and seconds), \"default\", \"identity\". joints: {slot: bone or \"none\"}.\n"
      "bake_shapes: add the stored amounts of blend shapes to the meshes. world: with rest or clip, store vertices in the space of the\n"
      "scene. keep_vertices: with rest or clip, bind the vertices as they are stored; this changes the deformation.\n"
      "tolerance: how far vertices may move, relative to the diagonal of their mesh. prune_unused: remove what nothing in the file\n"
      "refers to.");
}

}  // namespace python

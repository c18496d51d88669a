// SPDX-License-Identifier: MIT
#ifdef SINEW_USE_MESHOPT
#include <meshoptimizer.h>

#include "base/guard.hpp"
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "base/unique_names.hpp"
#include "document/json/json.hpp"
#include "document/json/json_edit.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/MSFT_lod.hpp"
#include "gltf/write/editor.hpp"
#include "io/load/read.hpp"
#include "model/edit_reporter.hpp"
#include "model/narrowed.hpp"
#include "operations/compare/compare_vertices.hpp"
#include "operations/optimize/pack/compact.hpp"
#include "operations/optimize/steps.hpp"
#include "operations/optimize/triangle_set.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {

namespace {

using document::JsonEdit;
using document::JsonKind;
using document::JsonValue;
using Corners = std::vector<std::uint32_t>;

/// The triangles of one level.
struct Level {
  std::size_t triangles = 0;     ///< of all meshes
  std::vector<Corners> corners;  ///< of each surface of the TriangleSet
};

/// Finds the triangles of each level. Each one starts from the finest level; the distance that a collapse may cause grows until there are
/// as few triangles as wanted, so that no level is worse than necessary.
std::vector<Level> find_levels(const StepInput& input, TriangleSet& set, std::string& note) {
  constexpr double least = 1e-3, most = 0.1, step = 2;  // of the diagonal
  std::vector<Level> levels;
  const double before = static_cast<double>(input.triangles == 0 ? set.all() : input.triangles);
  const auto add = [&](const std::string& what) { note += (note.empty() ? "" : "; ") + what; };
  std::vector<std::size_t> sizes(set.surfaces.size());
  for (const std::uint32_t surface : set.in.surface) ++sizes[surface];
  std::size_t finer = set.all();
  double limit = least;
  for (const double ratio : input.options.lods) {
    const auto wanted = static_cast<std::size_t>(std::ceil(ratio * before));
    set.in.target = wanted - std::min(wanted, set.others);
    Simplified best;
    for (;; limit = std::min(most, step * limit)) {
      set.in.limit = limit * input.diagonal;
      best = simplify(set.in);
      if (best.kept.size() <= set.in.target || limit >= most) break;
    }
    std::vector<Corners> corners = set.corners_of(best);
    std::size_t triangles = set.others;
    for (std::size_t part = 0; part < sizes.size(); ++part)  // one whose triangles draw nothing stays
      triangles += corners[part].empty() ? sizes[part] : corners[part].size() / 3;
    if (triangles >= finer) {
      add(format_text("no level of {:g}: no more triangles can go", ratio));
      break;
    }
    if (static_cast<double>(triangles) > before * (ratio + 0.005))
      add(format_text("{:.3g} of the triangles stay in the level of {:g}: other collapses would move a surface too far, or tear a seam",
                      static_cast<double>(triangles) / before, ratio));
    finer = triangles;
    levels.push_back({triangles, std::move(corners)});
  }
  return levels;
}

/// Writes levels: meshes with other indices, nodes that show them, and what refers to those.
class LevelWriter {
 public:
  LevelWriter(const StepInput& input, const TriangleSet& set, std::vector<Level> levels, FindingSink& changes)
      : input_(input),
        model_(input.model),
        set_(set),
        levels_(std::move(levels)),
        editor_(input.document, changes),
        nodes_(editor_.old_list("nodes")),
        meshes_(editor_.old_list("meshes")),
        next_mesh_(meshes_.size()),
        next_node_(nodes_.size()) {
    for (const Node& node : model_.nodes) names_.add(node.name);
  }

  Result<StepResult> run() {
    StepResult result{input_.document};
    std::set<Index> seen;  // a node with copies is several instances
    for (const Instance& instance : need(instances(model_))) {
      if (instance.node >= nodes_.size() || !seen.insert(instance.node).second) continue;
      const std::vector<std::size_t>& meshes = meshes_of(instance.mesh);
      if (meshes.empty()) continue;
      if (const std::optional<Why> why = obstacle(instance.node)) {
        ++left_[static_cast<std::size_t>(*why)];
        continue;
      }
      result.levels.push_back({instance.node, add_nodes(instance.node, meshes)});
    }
    result.note = left_in_words();
    if (result.levels.empty()) return result;
    copy_channels(result.levels);
    editor_.use_extension(gltf::lod_extension);
    auto document = editor_.finish();
    if (!document) return Unexpected(std::move(document.error()));
    document = pack_views(*document);
    if (!document) return Unexpected(std::move(document.error()));
    result.document = std::move(*document);
    result.required = true;
    return result;
  }

 private:
  enum class Why : std::uint8_t { children, extension, extras };

  /// A node whose place another one takes must not have anything else.
  [[nodiscard]] std::optional<Why> obstacle(Index node) const {
    if (!model_.nodes[node].children.empty()) return Why::children;
    if (nodes_[node]["extensions"]) return Why::extension;
    if (const JsonValue extras = nodes_[node]["extras"]; extras && !extras.is(JsonKind::object)) return Why::extras;
    return std::nullopt;
  }

  [[nodiscard]] std::string left_in_words() const {
    constexpr std::array<std::string_view, 3> why{"with children", "with an extension", "whose extras are no object"};
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < why.size(); ++i)
      if (left_[i] != 0) parts.push_back(format_text("{} {}", left_[i], why[i]));
    return parts.empty() ? "" : "nodes without levels: " + join_text(parts, ", ");
  }

  /// Returns the mesh of each level, made once; nothing if no level has fewer triangles of this mesh.
  const std::vector<std::size_t>& meshes_of(Index mesh) {
    const auto [known, added] = made_.try_emplace(mesh);
    if (!added) return known->second;
    std::vector<std::size_t> parts;
    for (std::size_t s = 0; s < set_.surfaces.size(); ++s)
      if (set_.surfaces[s].mesh == mesh) parts.push_back(s);
    std::vector<std::size_t> meshes;
    std::size_t last = mesh;
    std::vector<std::size_t> sizes;
    for (const std::size_t part : parts) sizes.push_back(size_now(part));
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      std::vector<std::size_t> fewer;
      for (const std::size_t part : parts) fewer.push_back(levels_[level].corners[part].size());
      if (fewer != sizes) last = add_mesh(mesh, parts, level);
      sizes = std::move(fewer);
      meshes.push_back(last);
    }
    if (last != mesh) known->second = std::move(meshes);
    return known->second;
  }

  [[nodiscard]] std::size_t size_now(std::size_t part) const {
    const Mesh& mesh = model_.meshes[set_.surfaces[part].mesh];
    return need(elements_of(mesh, mesh.surfaces[set_.surfaces[part].surface], 3)).indices.size();
  }

  std::size_t add_mesh(Index mesh, const std::vector<std::size_t>& parts, std::size_t level) {
    const std::size_t made = next_mesh_++;
    JsonEdit& json = editor_.element("meshes", made);
    json = JsonEdit(meshes_[mesh]);
    if (const std::string& name = model_.meshes[mesh].name; !name.empty())
      json.set("name", JsonEdit::string(format_text("{}_LOD{}", name, level + 1)));
    for (const std::size_t part : parts) {
      const Corners& corners = levels_[level].corners[part];
      if (corners.empty() || corners.size() == size_now(part)) continue;
      const std::size_t surface = set_.surfaces[part].surface;
      const std::size_t vertices = model_.meshes[mesh].blocks[model_.meshes[mesh].surfaces[surface].block].vertices;
      const Index indices = editor_.add(narrowed_indices(ordered(corners, vertices)), gltf::AccessorUse::indices);
      json.find("primitives")->at(surface).set("indices", JsonEdit::integer(indices));
    }
    return made;
  }

  /// Returns the triangles in an order that is faster to draw, or smaller to compress.
  [[nodiscard]] Corners ordered(const Corners& corners, [[maybe_unused]] std::size_t vertices) const {
#ifdef SINEW_USE_MESHOPT
    Corners sorted(corners.size());
    if (input_.options.compression == OptimizeCompression::none)
      meshopt_optimizeVertexCache(sorted.data(), corners.data(), corners.size(), vertices);
    else
      meshopt_optimizeVertexCacheStrip(sorted.data(), corners.data(), corners.size(), vertices);
    return sorted;
#else
    return corners;
#endif
  }

  /// Nodes of levels stand outside of every scene: a reader puts them in the place of the finest one.
  std::vector<Index> add_nodes(Index node, const std::vector<std::size_t>& meshes) {
    std::vector<Index> made;
    JsonEdit ids = JsonEdit::array();
    for (std::size_t level = 0; level < meshes.size(); ++level) {
      made.push_back(static_cast<Index>(next_node_++));
      JsonEdit& json = editor_.element("nodes", made.back());
      if (const std::string& name = model_.nodes[node].name; !name.empty())
        json.set("name", JsonEdit::string(names_.take(format_text("{}_LOD{}", name, level + 1))));
      json.set("mesh", JsonEdit::integer(meshes[level]));
      for (const std::string_view member : {"skin", "weights", "translation", "rotation", "scale", "matrix"})
        if (const JsonValue value = nodes_[node][member]) json.set(member, JsonEdit(value));
      ids.push_back(JsonEdit::integer(made.back()));
    }
    gltf::extension_in(editor_.element("nodes", node), gltf::lod_extension).set("ids", std::move(ids));
    return made;
  }

  /// What moves or bends a node must do so with its levels.
  void copy_channels(const std::vector<NodeLevels>& levels) {
    std::map<std::uint64_t, const NodeLevels*> of_node;
    for (const NodeLevels& one : levels) of_node.emplace(one.node, &one);
    std::size_t place = 0;
    for (const JsonValue animation : editor_.old_list("animations")) {
      const std::size_t at = place++;
      for (const JsonValue channel : animation["channels"].elements()) {
        const JsonValue target = channel["target"];
        const auto found = of_node.find(document::whole_number(target["node"]).value_or(nodes_.size()));
        if (found == of_node.end() || target["extensions"]) continue;
        const bool skinned = model_.nodes[found->second->node].skin != none;
        if (skinned && target["path"].string() != "weights") continue;
        for (const Index level : found->second->levels) {
          JsonEdit copy(channel);
          copy.find("target")->set("node", JsonEdit::integer(level));
          editor_.element("animations", at).find("channels")->push_back(std::move(copy));
        }
      }
    }
  }

  const StepInput& input_;
  const Model& model_;
  const TriangleSet& set_;
  const std::vector<Level> levels_;
  gltf::Editor editor_;
  const std::vector<JsonValue> nodes_, meshes_;
  std::size_t next_mesh_, next_node_;
  UniqueNames names_;
  std::map<Index, std::vector<std::size_t>> made_;  ///< by mesh: that of each level
  std::array<std::size_t, 3> left_{};               ///< nodes without levels, by Why
};

/// Rounds up to four digits.
double rounded_up(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 0;
  const double scale = std::pow(10, 3 - std::floor(std::log10(value)));
  return std::ceil(value * scale) / scale;
}

/// Returns, for each level but the last, the part of the height of a picture down to which it is worth drawing: there, the error of the
/// next level is as large as a pixel. The last level has no end.
std::vector<double> coverages(const std::vector<LevelOfDetail>& lods) {
  constexpr double rows = 1080;
  std::vector<double> found;
  double last = 1;
  for (const LevelOfDetail& level : lods) {
    last = std::min(last, level.surface_error > 0 ? 1 / (rows * level.surface_error) : 1);
    found.push_back(std::round(last * 1e4) / 1e4);
  }
  found.push_back(0);
  return found;
}

}  // namespace

Result<StepResult> add_levels(const StepInput& input, FindingSink& changes) {
  if (is_compressed(input.model)) return StepResult{input.document, "the file is already compressed"};
  auto set = triangle_set(input);
  if (!set) return Unexpected(std::move(set.error()));
  if (set->usable() == 0) return StepResult{input.document, "no triangles can be collapsed"};
  std::string note;
  std::vector<Level> levels = find_levels(input, *set, note);
  if (levels.empty()) return StepResult{input.document, std::move(note)};
  std::vector<LevelOfDetail> lods;
  const double before = static_cast<double>(input.triangles == 0 ? set->all() : input.triangles);
  for (const Level& level : levels) lods.push_back({level.triangles, static_cast<double>(level.triangles) / before, 0});
  auto made = LevelWriter(input, *set, std::move(levels), changes).run();
  if (!made || made->levels.empty()) return made;
  EditReporter(changes).changed("/nodes", format_text("added {} to {} ({})", count_of(lods.size(), "coarser level", "coarser levels"),
                                                      count_of(made->levels.size(), "node", "nodes"), gltf::lod_extension));
  made->lods = std::move(lods);
  if (!note.empty()) made->note = made->note.empty() ? note : made->note + "; " + note;
  return made;
}

Result<std::shared_ptr<const document::Document>> state_levels(const std::shared_ptr<const document::Document>& document,
                                                               const Model& original, const OptimizeOptions& options,
                                                               const std::vector<NodeLevels>& levels, std::vector<LevelOfDetail>& lods) {
  FindingList ignored;
  io::LoadOptions reading = options.load;
  const auto model = io::read(document, reading, ignored);
  if (!model) return Unexpected(model.error());
  PreparedSides prepared;
  for (std::size_t level = 0; level < lods.size(); ++level) {
    Model shown = *model;
    for (const NodeLevels& one : levels) shown.nodes[one.node].mesh = model->nodes[one.levels[level]].mesh;
    CompareOptions how;
    how.surfaces = true;
    how.threads = options.threads;
    const auto compared = compare(original, shown, how, {.proof = Proof::left_out, .prepared = &prepared});
    if (!compared) return Unexpected(compared.error());
    lods[level].surface_error = compared->error();
  }
  JsonEdit root(document->json().root());
  for (const NodeLevels& one : levels) {
    JsonEdit& node = root.find("nodes")->at(one.node);
    JsonEdit* extras = node.find("extras");
    if (extras == nullptr) extras = &node.set("extras", JsonEdit::object());
    JsonEdit coverage = JsonEdit::array(), errors = JsonEdit::array();
    for (const double part : coverages(lods)) coverage.push_back(JsonEdit::number(part));
    for (const LevelOfDetail& level : lods) errors.push_back(JsonEdit::number(rounded_up(level.surface_error)));
    extras->set(gltf::screen_coverage, std::move(coverage));
    extras->set("surfaceErrors", std::move(errors));
  }
  return document::with_binary(*document, root.text(), std::nullopt);
}

}  // namespace sinew::operations

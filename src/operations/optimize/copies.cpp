// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "document/json/json.hpp"
#include "document/schema/orphans.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/EXT_mesh_gpu_instancing.hpp"
#include "gltf/extensions/KHR_node_visibility.hpp"
#include "gltf/extensions/references.hpp"
#include "gltf/schema/tables.hpp"
#include "gltf/write/editor.hpp"
#include "math/extent.hpp"
#include "math/length.hpp"
#include "math/rotation_scale.hpp"
#include "model/edit_reporter.hpp"
#include "operations/optimize/joint_slots.hpp"
#include "operations/optimize/pack/compact.hpp"
#include "operations/optimize/steps.hpp"

namespace sinew::operations {

namespace {

using document::JsonEdit;
using document::JsonMember;
using document::JsonValue;

/// Why a node keeps its mesh.
enum class Stays : std::uint8_t { no, skin, children, animated, used, kept, transform, order };
constexpr std::array<std::string_view, 7> reasons{
    "{} with a skin",
    "{} with children",
    "{} that an animation moves or hides",
    "{} that something else refers to, or with an extension or a camera",
    "{} that --keep names",
    "{} whose transform float32 numbers without shear cannot hold well enough",
    "{} whose rows do not follow those of a node with the same parent, weights, extras, visibility and mesh",
};

/// The transform of a copy as the file stores it.
struct StoredTransform {
  std::array<float, 3> translation{};
  std::array<float, 4> rotation{0, 0, 0, 1};
  std::array<float, 3> scale{1, 1, 1};

  [[nodiscard]] Affine affine() const {
    LocalTransform local;
    local.translation.assign(std::array<double, 3>{translation[0], translation[1], translation[2]});
    local.scale.assign(std::array<double, 3>{scale[0], scale[1], scale[2]});
    const std::array<double, 4> quaternion{rotation[0], rotation[1], rotation[2], rotation[3]};
    local.rotor.assign(rotor_from_quaternion(quaternion));
    return affine_of(3, local);
  }
};

/// Returns nothing for a transform with shear, a scale of 0, or a rotation that is not of unit length.
std::optional<StoredTransform> stored_transform(const LocalTransform& local) {
  StoredTransform stored;
  std::array<double, 4> rotor{1, 0, 0, 0};
  std::array<double, 3> scale{1, 1, 1};
  const Affine identity(3);
  if (!local.basis.empty() && !std::ranges::equal(local.basis, identity.values().first(9))) {
    const auto parts = rotation_and_scale(3, local.basis);
    if (!parts) return std::nullopt;
    std::ranges::copy(parts->rotor(), rotor.begin());
    std::ranges::copy(parts->scale, scale.begin());
  } else if (local.basis.empty()) {
    if (!local.rotor.empty()) std::ranges::copy(local.rotor, rotor.begin());
    if (!local.scale.empty()) std::ranges::copy(local.scale, scale.begin());
  }
  constexpr double tolerance = 0.005;  // as for rotations of nodes
  if (!(std::abs(length_of(rotor) - 1) <= tolerance)) return std::nullopt;
  const auto quaternion = quaternion_from_rotor(rotor);
  const auto narrow = [](double value) { return static_cast<float>(value) + 0.0F; };  // no "-0"
  std::ranges::transform(quaternion, stored.rotation.begin(), narrow);
  std::ranges::transform(scale, stored.scale.begin(), narrow);
  if (!local.translation.empty()) std::ranges::transform(local.translation, stored.translation.begin(), narrow);
  const auto is_usable = [](float value) { return std::isfinite(value) && value != 0; };
  if (!std::ranges::all_of(stored.scale, is_usable)) return std::nullopt;
  if (!std::ranges::all_of(stored.translation, [](float value) { return std::isfinite(value); })) return std::nullopt;
  return stored;
}

/// One node and the nodes after it that it shows as copies.
struct Run {
  std::vector<Index> nodes;
  std::vector<StoredTransform> transforms;
};

class CopyFinder {
 public:
  explicit CopyFinder(const StepInput& input)
      : input_(input),
        model_(input.model),
        stored_(document::list_of(input.document->json().root()["nodes"])),
        world_(need(world_transforms(input.model, input.model.rest_pose))),
        reasons_(input.model.nodes.size(), Stays::no) {
    for (Index node = 0; node < model_.nodes.size(); ++node) named_.emplace(model_.nodes[node].name, node);
    mark();
  }

  /// Returns the runs of two nodes or more. Nodes follow each other in the order of rows, so that no row changes its place.
  std::vector<Run> runs() {
    std::vector<Run> found;
    Run run;
    std::string key;
    const auto finish = [&] {
      if (run.nodes.size() > 1 && names_agree(run)) {
        found.push_back(std::move(run));
      } else {
        for (const Index node : run.nodes) reasons_[node] = Stays::order;
      }
      run = {};
    };
    for (Index node = 0; node < model_.nodes.size(); ++node) {
      if (model_.nodes[node].mesh == none) continue;
      const auto transform = reasons_[node] == Stays::no ? exact_enough(node) : std::nullopt;
      if (!transform) {
        finish();
        if (reasons_[node] == Stays::no) reasons_[node] = Stays::transform;
        continue;
      }
      std::string own = key_of(node);
      if (!run.nodes.empty() && own != key) finish();
      key = std::move(own);
      run.nodes.push_back(node);
      run.transforms.push_back(*transform);
    }
    finish();
    return found;
  }

  /// Says how many nodes keep a mesh that others show, too.
  [[nodiscard]] std::string left_out() const {
    std::map<Index, std::size_t> shown;
    for (const Node& node : model_.nodes)
      if (node.mesh != none) ++shown[node.mesh];
    std::array<std::size_t, reasons.size()> counts{};
    for (Index node = 0; node < model_.nodes.size(); ++node)
      if (reasons_[node] != Stays::no && shown[model_.nodes[node].mesh] > 1) ++counts[static_cast<std::size_t>(reasons_[node]) - 1];
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (counts[i] != 0) {
        std::string part(reasons[i]);
        parts.push_back(part.replace(0, 2, std::to_string(counts[i])));
      }
    return parts.empty() ? "" : "nodes that stay: " + join_text(parts, "; ");
  }

 private:
  void stay(Index node, Stays why) {
    if (node < reasons_.size() && model_.nodes[node].mesh != none && reasons_[node] == Stays::no) reasons_[node] = why;
  }

  void mark() {
    for (Index i = 0; i < model_.nodes.size(); ++i) {
      const Node& node = model_.nodes[i];
      const JsonValue stored = i < stored_.size() ? stored_[i] : JsonValue();
      if (node.skin != none) stay(i, Stays::skin);
      if (!node.children.empty()) stay(i, Stays::children);
      if (std::ranges::find(input_.options.keep, node.name) != input_.options.keep.end()) stay(i, Stays::kept);
      bool special = !stored || node.bone || node.defect != none || stored["camera"];
      for (const JsonMember member : stored["extensions"].members()) special |= !member.key.equals(gltf::visibility_extension);
      if (special) stay(i, Stays::used);
    }
    for (const Clip& clip : model_.clips) {
      for (const Track& track : clip.tracks) stay(track.node, Stays::animated);
      for (const VisibilityTrack& track : clip.visibility) stay(track.node, Stays::animated);
    }
    const document::Property* const known[] = {&gltf::NodeObject::property("children"), &gltf::SceneObject::property("nodes"),
                                               &gltf::ChannelTargetObject::property("node")};
    document::visit_references(input_.document->json().root(), gltf::reference_scheme(),
                               [&](const document::Property& row, std::uint64_t index) {
                                 if (row.reference != static_cast<std::uint8_t>(gltf::Reference::node)) return;
                                 if (std::ranges::find(known, &row) == std::end(known) || &row == known[2])
                                   stay(static_cast<Index>(std::min<std::uint64_t>(index, none)), Stays::used);
                               });
    for (Index scene = 0; scene < model_.scenes.size(); ++scene)
      for (const Index root : model_.scenes[scene].roots) scenes_of_[root].insert(scene);
  }

  /// Returns the transform for a copy, if no vertex of the mesh is further from its place than allowed.
  [[nodiscard]] std::optional<StoredTransform> exact_enough(Index node) {
    const LocalTransform& local = model_.rest_pose.locals[node];
    const auto stored = stored_transform(local);
    if (!stored) return std::nullopt;
    const Affine wanted = affine_of(3, local), got = stored->affine();
    if (wanted == got) return stored;
    if (input_.distance == 0) return std::nullopt;
    double furthest = 0;  // of the corners of the mesh's box, and so of its vertices
    for (const std::array<double, 3>& corner : corners_of(model_.nodes[node].mesh)) {
      double square = 0;
      for (std::size_t r = 0; r < 3; ++r) {
        double difference = wanted.values()[9 + r] - got.values()[9 + r];
        for (std::size_t c = 0; c < 3; ++c) difference += (wanted.values()[3 * c + r] - got.values()[3 * c + r]) * corner[c];
        square += difference * difference;
      }
      furthest = std::max(furthest, std::sqrt(square));
    }
    const Index parent = model_.nodes[node].parent;
    const double growth = parent == none ? 1 : length_of(world_[parent].values().first(9));
    return furthest * growth <= input_.distance ? stored : std::nullopt;
  }

  const std::vector<std::array<double, 3>>& corners_of(Index mesh) {
    const auto [known, added] = corners_by_mesh_.try_emplace(mesh);
    std::vector<std::array<double, 3>>& corners = known->second;
    if (!added) return corners;
    Extent box;
    for (const VertexBlock& block : model_.meshes[mesh].blocks)
      if (const Attribute* positions = find_attribute(block.attributes, Semantic::position)) {
        const std::vector<double> values = positions->values.read<double>();
        for (std::size_t i = 0; i < values.size(); ++i) box.add(i % 3, values[i]);
      }
    for (unsigned corner = 0; corner < 8 && box.low[0] <= box.high[0]; ++corner) {
      std::array<double, 3>& point = corners.emplace_back();
      for (std::size_t c = 0; c < 3; ++c) point[c] = (corner >> c & 1U) != 0 ? box.high[c] : box.low[c];
    }
    return corners;
  }

  /// Returns what nodes have in common that one node can show: all members but the name and the transform, the parent, and the scenes.
  [[nodiscard]] std::string key_of(Index node) const {
    std::map<std::string, std::string_view> members;
    for (const JsonMember member : stored_[node].members()) {
      constexpr std::array<std::string_view, 5> own{"name", "translation", "rotation", "scale", "matrix"};
      if (std::ranges::none_of(own, [&](std::string_view name) { return member.key.equals(name); }))
        members[member.key.string()] = member.value.text();
    }
    std::string key = format_text("{}", model_.nodes[node].parent);
    if (const auto found = scenes_of_.find(node); found != scenes_of_.end())
      for (const Index scene : found->second) key += format_text(",{}", scene);
    for (const auto& [name, text] : members) key.append(1, '\n').append(name).append(1, ' ').append(text);
    return key;
  }

  /// Copies are called NAME, NAME_2, ... in reports. Returns false if another node has such a name, which would then mean two things.
  [[nodiscard]] bool names_agree(const Run& run) const {
    const std::string& first = model_.nodes[run.nodes.front()].name;
    for (std::size_t copy = 1; copy < run.nodes.size(); ++copy) {
      const auto [begin, end] = named_.equal_range(format_text("{}_{}", first, copy + 1));
      if (std::any_of(begin, end, [&](const auto& other) { return other.second != run.nodes[copy]; })) return false;
    }
    return true;
  }

  const StepInput& input_;
  const Model& model_;
  std::vector<JsonValue> stored_;
  std::vector<Affine> world_;
  std::vector<Stays> reasons_;
  std::map<Index, std::set<Index>> scenes_of_;
  std::multimap<std::string, Index, std::less<>> named_;                 ///< all nodes
  std::map<Index, std::vector<std::array<double, 3>>> corners_by_mesh_;  ///< so far
};

/// Stores one part of all transforms, unless all have the default.
template <std::size_t Width>
void add_attribute(gltf::Editor& editor, JsonEdit& attributes, std::string_view name, const Run& run,
                   std::array<float, Width> StoredTransform::* part) {
  const bool needed = std::ranges::any_of(run.transforms, [&](const StoredTransform& t) { return t.*part != StoredTransform().*part; });
  const bool last = Width == 3 && name == "SCALE" && attributes.size() == 0;  // the count needs one attribute
  if (!needed && !last) return;
  std::vector<float> rows;
  for (const StoredTransform& transform : run.transforms) rows.insert(rows.end(), (transform.*part).begin(), (transform.*part).end());
  attributes.set(name, JsonEdit::integer(editor.add(Array::own(std::move(rows), Width), gltf::AccessorUse::data)));
}

void show_copies(gltf::Editor& editor, const Model& model, const Run& run) {
  const Index node = run.nodes.front();
  JsonEdit& stored = editor.element("nodes", node);
  for (const std::string_view part : {"translation", "rotation", "scale", "matrix"}) stored.erase(part);
  JsonEdit attributes = JsonEdit::object();
  add_attribute(editor, attributes, "TRANSLATION", run, &StoredTransform::translation);
  add_attribute(editor, attributes, "ROTATION", run, &StoredTransform::rotation);
  add_attribute(editor, attributes, "SCALE", run, &StoredTransform::scale);
  gltf::extension_in(stored, gltf::instancing_extension).set("attributes", std::move(attributes));
  const std::string& name = model.nodes[node].name;
  editor.reporter().changed(format_text("/nodes/{}", node),
                            format_text("{}shows the mesh of {} nodes as copies; the names of the others are gone",
                                        name.empty() ? "" : format_text("\"{}\" ", name), run.nodes.size()));
}

}  // namespace

Result<StepResult> join_nodes(const StepInput& input, FindingSink& changes) {
  if (has_unknown_indices(*input.document))
    return StepResult{input.document, "left out: an extension, or a value of a wrong type, may refer to nodes by index"};
  CopyFinder finder(input);
  const std::vector<Run> runs = finder.runs();
  std::string note = finder.left_out();
  if (runs.empty()) return StepResult{input.document, std::move(note)};
  gltf::Editor editor(input.document, changes);
  std::vector<bool> gone(input.model.nodes.size());
  for (const Run& run : runs) {
    show_copies(editor, input.model, run);
    for (const Index node : std::span(run.nodes).subspan(1)) gone[node] = true;
  }
  editor.use_extension(gltf::instancing_extension);
  editor.require_extension(gltf::instancing_extension);  // without it a reader would show one mesh
  auto document = editor.finish();
  if (!document) return Unexpected(std::move(document.error()));
  Compacted ignored;
  document = compact(*document, gone, ignored);
  if (!document) return Unexpected(std::move(document.error()));
  return StepResult{std::move(*document), std::move(note), true};
}

}  // namespace sinew::operations

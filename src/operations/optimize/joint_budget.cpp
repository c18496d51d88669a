// SPDX-License-Identifier: MIT
#include "operations/optimize/joint_budget.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/unique_names.hpp"
#include "document/json/edit_members.hpp"
#include "document/json/json.hpp"
#include "document/json/json_edit.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/KHR_draco_mesh_compression.hpp"
#include "gltf/extensions/MSFT_lod.hpp"
#include "model/narrowed.hpp"
#include "model/place.hpp"
#include "model/same.hpp"
#include "model/split_surface.hpp"
#include "operations/optimize/joint_slots.hpp"
#include "operations/repair/influence_table.hpp"
#include "operations/skeletons/hierarchy.hpp"

namespace sinew::operations {

namespace {

using SlotSet = std::set<std::uint32_t>;

/// The surfaces of one skin of the result.
struct Chunk {
  SlotSet slots;
  std::vector<std::uint32_t> order;  ///< of the slots in the new skin
  struct Part {
    Index surface;
    std::vector<std::uint32_t> corners, loose;  ///< vertices; no corners: the whole surface
  };
  std::vector<Part> parts;

  Part& part_of(Index surface) {
    if (parts.empty() || parts.back().surface != surface) parts.push_back({surface, {}, {}});
    return parts.back();
  }
};

std::size_t growth(const SlotSet& slots, const SlotSet& added) {
  return static_cast<std::size_t>(std::ranges::count_if(added, [&](std::uint32_t slot) { return !slots.contains(slot); }));
}

/// Distributes the surfaces of a mesh: whole ones if they fit, otherwise element by element.
class Distribution {
 public:
  Distribution(const Mesh& mesh, std::size_t dimension, std::size_t budget) : mesh_(mesh), dimension_(dimension), budget_(budget) {}

  /// Returns nothing if an element needs too many joints; `needed` then has their number.
  std::optional<std::vector<Chunk>> run(std::size_t& needed) {
    for (Index surface = 0; surface < mesh_.surfaces.size(); ++surface) {
      rows_ = weighted_rows(mesh_.blocks[mesh_.surfaces[surface].block].influences);
      SlotSet all;
      for (const InfluenceRow& row : rows_)
        for (const Influence& entry : row) all.insert(entry.slot);
      if (all.size() <= budget_) {
        chunk_for(all, chunks_)->part_of(surface);
      } else if (!split(surface, needed)) {
        return std::nullopt;
      }
    }
    return std::move(chunks_);
  }

 private:
  /// Returns the chunk that grows least, or a new one.
  std::vector<Chunk>::iterator chunk_for(const SlotSet& slots, std::vector<Chunk>& chunks) {
    auto best = chunks.end();
    std::size_t least = budget_ + 1;
    for (auto chunk = chunks.begin(); chunk != chunks.end() && least != 0; ++chunk)
      if (const std::size_t more = growth(chunk->slots, slots); more < least && chunk->slots.size() + more <= budget_) {
        least = more;
        best = chunk;
      }
    if (best == chunks.end()) best = chunks.insert(chunks.end(), Chunk{});
    best->slots.insert(slots.begin(), slots.end());
    return best;
  }

  bool split(Index surface, std::size_t& needed) {
    const Elements elements = need(elements_of(mesh_, mesh_.surfaces[surface], dimension_));
    for (std::size_t first = 0; first + elements.corners <= elements.indices.size(); first += elements.corners) {
      const auto corners = elements.indices.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = corners + static_cast<std::ptrdiff_t>(elements.corners);
      SlotSet slots;
      for (auto corner = corners; corner != end; ++corner)
        for (const Influence& entry : rows_[*corner]) slots.insert(entry.slot);
      needed = slots.size();
      if (needed > budget_) return false;
      std::vector<std::uint32_t>& part = chunk_for(slots, chunks_)->part_of(surface).corners;
      part.insert(part.end(), corners, end);
    }
    return place_loose(surface, elements, needed);
  }

  // Vertices without an element move like others, too. Several surfaces often share one list of vertices.
  bool place_loose(Index surface, const Elements& elements, std::size_t& needed) {
    const VertexBlock& block = mesh_.blocks[mesh_.surfaces[surface].block];
    std::vector<bool> used(block.vertices);
    for (const std::uint32_t vertex : elements.indices) used[vertex] = true;
    for (const Surface& other : mesh_.surfaces)
      if (shares(mesh_.blocks[other.block], block))
        for (const std::uint32_t vertex : need(elements_of(mesh_, other, dimension_)).indices) used[vertex] = true;
    for (std::uint32_t vertex = 0; vertex < used.size(); ++vertex) {
      if (used[vertex]) continue;
      SlotSet slots;
      for (const Influence& entry : rows_[vertex]) slots.insert(entry.slot);
      const auto chunk = std::ranges::find_if(chunks_, [&](const Chunk& other) {
        return !other.parts.empty() && other.parts.back().surface == surface && other.slots.size() + growth(other.slots, slots) <= budget_;
      });
      needed = slots.size();
      if (chunk == chunks_.end()) return false;
      chunk->slots.insert(slots.begin(), slots.end());
      chunk->parts.back().loose.push_back(vertex);
    }
    return true;
  }

  static bool shares(const VertexBlock& a, const VertexBlock& b) {
    return a.vertices == b.vertices && same(a.attributes.front(), b.attributes.front()) &&
           std::ranges::equal(a.influences.sets, b.influences.sets, [](const Influences::Set& x, const Influences::Set& y) {
             return same(x.joints, y.joints) && same(x.weights, y.weights);
           });
  }

  const Mesh& mesh_;
  std::size_t dimension_, budget_;
  std::vector<InfluenceRow> rows_;
  std::vector<Chunk> chunks_;
};

class SkinSplit {
 public:
  SkinSplit(const StepInput& input, Model& model, std::size_t budget)
      : input_(input), model_(model), budget_(budget), nodes_(document::list_of(input.document->json().root()["nodes"])) {
    for (const Node& node : model.nodes) names_.add(node.name);
    for (Index node = 0; node < nodes_.size(); ++node)
      for (const std::uint64_t level : gltf::levels_of_detail(nodes_[node])) {
        levels_.insert(node);
        if (level < nodes_.size()) levels_.insert(static_cast<Index>(level));
      }
    std::set<std::pair<Index, Index>> seen;
    for (const Node& node : model.nodes) {
      if (node.mesh == none || node.skin == none || model.skins[node.skin].slots.size() <= budget) continue;
      if (!seen.emplace(node.mesh, node.skin).second) continue;
      std::vector<bool>& used = used_[node.skin];
      used.resize(model.skins[node.skin].slots.size());
      mark_weighted(model.meshes[node.mesh], used);
    }
    roots_.assign(model.nodes.size(), none);
    std::vector<Index> path;
    for (Index node = 0; node < roots_.size(); ++node) {
      Index top = node;
      for (; roots_[top] == none && model.nodes[top].parent != none; top = model.nodes[top].parent) path.push_back(top);
      if (roots_[top] == none) roots_[top] = top;
      for (; !path.empty(); path.pop_back()) roots_[path.back()] = roots_[top];
    }
  }

  Result<std::vector<SplitPart>> run() {
    for (Index mesh = 0; mesh < input_.model.meshes.size(); ++mesh) {
      std::size_t most = 0;
      for (const Node& node : model_.nodes)
        if (node.mesh == mesh && node.skin != none) most = std::max(most, model_.skins[node.skin].slots.size());
      if (most <= budget_) continue;
      if (auto done = split(mesh); !done) return Unexpected(std::move(done.error()));
    }
    return std::move(parts_);
  }

 private:
  [[nodiscard]] Unexpected refuse(Index mesh, const std::string& why) const {
    return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(input_.model, model_.meshes[mesh]), why));
  }

  Result<> split(Index mesh) {
    if (has_unknown_indices(*input_.document))
      return refuse(mesh, "it cannot be split for --joint-budget: an extension, or a value of a wrong type, may refer to meshes by index");
    if (!shows_influences(model_.meshes[mesh])) return refuse(mesh, "it cannot be split for --joint-budget: a primitive has no positions");
    std::vector<Index> nodes;
    for (Index node = 0; node < model_.nodes.size(); ++node)
      if (model_.nodes[node].mesh == mesh) nodes.push_back(node);
    if (std::ranges::any_of(nodes, [&](Index node) { return !model_.nodes[node].copies.empty(); }))
      return refuse(mesh, "it cannot be split for --joint-budget: a node shows copies of it");
    if (std::ranges::any_of(nodes, [&](Index node) { return levels_.contains(node); }))
      return refuse(mesh, "it cannot be split for --joint-budget: a node has levels of detail, which would not be split alike");
    std::size_t needed = 0;
    auto chunks = distribute(mesh, nodes, needed);
    if (!chunks)
      return refuse(mesh, format_text("a triangle uses {} joints, more than --joint-budget {}; reduce influences with --max-influences",
                                      needed, budget_));
    for (Chunk& chunk : *chunks)
      if (!arrange(nodes, chunk)) return refuse(mesh, "it cannot be split for --joint-budget: its joints have no common root");
    std::vector<Index> meshes;
    for (Chunk& chunk : *chunks) meshes.push_back(add_mesh(mesh, chunk));
    for (const Index node : nodes) {
      const Index skin = model_.nodes[node].skin;
      for (std::size_t i = 0; i < chunks->size(); ++i) {
        const Index drawn = i == 0 ? node : add_node(node);
        model_.nodes[drawn].mesh = meshes[i];
        model_.nodes[drawn].skin = skin == none ? none : skin_of(skin, (*chunks)[i].order);
      }
    }
    return {};
  }

  /// Returns chunks with room for the sockets, which may need smaller parts; if there is none, the largest parts.
  std::optional<std::vector<Chunk>> distribute(Index mesh, const std::vector<Index>& nodes, std::size_t& needed) const {
    std::optional<std::vector<Chunk>> first;
    for (std::size_t less = 0; less < budget_; less = less == 0 ? 1 : 2 * less) {
      std::size_t most = 0;
      auto chunks = Distribution(model_.meshes[mesh], model_.dimension, budget_ - less).run(less == 0 ? needed : most);
      if (!chunks) break;
      if (add_sockets(nodes, *chunks)) return chunks;
      if (!first) first = std::move(chunks);
    }
    return first;
  }

  /// Joints that move nothing stay where there is room. Returns whether none of the lost ones becomes an empty node.
  bool add_sockets(const std::vector<Index>& nodes, std::vector<Chunk>& chunks) const {
    std::size_t slots = 0;
    for (const Index node : nodes) slots = std::max(slots, slots_of(node).size());
    bool fit = true;
    for (const bool bare : {true, false})
      for (std::uint32_t slot = 0; slot < slots; ++slot) {
        if (std::ranges::any_of(chunks, [&](const Chunk& chunk) { return chunk.slots.contains(slot); })) continue;
        if (std::ranges::any_of(nodes, [&](Index node) { return is_used(model_.nodes[node].skin, slot); })) continue;
        if (bare && std::ranges::none_of(nodes, [&](Index node) { return slot < slots_of(node).size() && is_bare(slots_of(node)[slot]); }))
          continue;
        const auto room = std::ranges::find_if(chunks, [&](const Chunk& chunk) { return chunk.slots.size() < budget_; });
        if (room != chunks.end())
          room->slots.insert(slot);
        else
          fit &= !bare;
      }
    for (Chunk& chunk : chunks)
      if (chunk.slots.empty()) chunk.slots.insert(0);  // a skin has a joint
    return fit;
  }

  [[nodiscard]] bool is_bare(Index joint) const {
    return joint != none && is_bare_joint(model_.nodes[joint], joint < nodes_.size() ? nodes_[joint] : document::JsonValue());
  }

  /// Returns whether the joint moves another mesh, whose parts then have it.
  [[nodiscard]] bool is_used(Index skin, std::uint32_t slot) const {
    const auto known = used_.find(skin);
    return known != used_.end() && slot < known->second.size() && known->second[slot];
  }

  [[nodiscard]] std::span<const Index> slots_of(Index node) const {
    const Index skin = model_.nodes[node].skin;
    return skin == none ? std::span<const Index>() : model_.skins[skin].slots;
  }

  /// Orders the slots of a new skin. Joints without a common root are an error of the input. The Khronos validator finds it only if the
  /// last joint belongs to another tree than those before it, so that another order could add it to the findings. Returns false if all do.
  bool arrange(const std::vector<Index>& nodes, Chunk& chunk) const {
    std::set<Index> skins;
    std::size_t least = std::numeric_limits<std::size_t>::max();  // larger skins have further slots, which come last
    for (const Index node : nodes)
      if (const Index skin = model_.nodes[node].skin; skin != none && skins.insert(skin).second)
        least = std::min(least, model_.skins[skin].slots.size());
    for (std::uint32_t other = 0;; ++other) {
      if (find_order(skins, least, chunk)) return true;
      while (other < least && chunk.slots.contains(other)) ++other;
      if (other >= least || chunk.slots.size() >= budget_) return false;
      chunk.slots.insert(other);
    }
  }

  bool find_order(const std::set<Index>& skins, std::size_t least, Chunk& chunk) const {
    const auto fine = [&] {
      return std::ranges::none_of(skins, [&](Index skin) { return lacks_root(model_.skins[skin].slots, chunk.order); });
    };
    for (const Index skin : skins) {
      const std::vector<Index>& joints = model_.skins[skin].slots;
      const auto root = [&](std::uint32_t slot) { return joints[slot] == none ? none : roots_[joints[slot]]; };
      std::map<Index, std::size_t> trees;
      for (const std::uint32_t slot : chunk.slots)
        if (slot < least) ++trees[root(slot)];
      const auto place = [&](std::uint32_t slot) {  // the largest tree is the last one
        return slot < least ? std::tuple(false, trees[root(slot)], root(slot), slot) : std::tuple(true, std::size_t{0}, none, slot);
      };
      chunk.order.assign(chunk.slots.begin(), chunk.slots.end());
      std::ranges::sort(chunk.order, {}, place);
      const auto end = std::ranges::find_if(chunk.order, [&](std::uint32_t slot) { return slot >= least; });
      for (auto first = chunk.order.begin(); first != end; ++first) {
        if (fine()) return true;
        std::rotate(chunk.order.begin(), chunk.order.begin() + 1, end);
      }
    }
    return fine();
  }

  [[nodiscard]] bool lacks_root(const std::vector<Index>& joints, const std::vector<std::uint32_t>& order) const {
    Index tree = none;
    for (const std::uint32_t slot : order) {
      if (slot >= joints.size() || joints[slot] == none) continue;
      const Index root = roots_[joints[slot]];
      tree = tree == none ? root : tree == root ? tree : none;
    }
    return tree == none;
  }

  Index add_mesh(Index from, Chunk& chunk) {
    const Mesh& old = model_.meshes[from];
    Mesh made;
    made.name = old.name;
    made.shapes = old.shapes;
    SplitPart part{static_cast<Index>(model_.meshes.size()), from, {}};
    for (Chunk::Part& piece : chunk.parts) {
      Surface surface = old.surfaces[piece.surface];
      if (piece.corners.empty()) {
        made.blocks.push_back(old.blocks[surface.block]);
      } else {
        const std::size_t corners = need(elements_of(old, surface, model_.dimension)).corners;
        surface.primitive = corners == 1 ? Primitive::points : corners == 2 ? Primitive::lines : Primitive::simplexes;
        surface.indexed = true;
        surface.elements = narrowed_indices(std::move(piece.corners));
        made.blocks.push_back(split_surface(old, model_.dimension, VertexOrder::stored, surface, piece.loose));
      }
      surface.block = static_cast<Index>(made.blocks.size() - 1);
      made.surfaces.push_back(std::move(surface));
      part.surfaces.push_back(piece.surface);
    }
    std::vector<std::uint32_t> places(*chunk.slots.rbegin() + 1);
    std::uint32_t next = 0;
    for (const std::uint32_t slot : chunk.order) places[slot] = next++;
    renumber_slots(made, places);
    model_.meshes.push_back(std::move(made));
    parts_.push_back(std::move(part));
    return parts_.back().mesh;
  }

  Index skin_of(Index from, const std::vector<std::uint32_t>& slots) {
    const auto [known, added] = skins_.try_emplace({from, slots}, static_cast<Index>(model_.skins.size()));
    if (!added) return known->second;
    const Skin& old = model_.skins[from];
    Skin made;
    made.name = old.name;
    made.bind = old.bind;
    made.frame = old.frame;
    for (const std::uint32_t slot : slots) {
      if (slot >= old.slots.size()) continue;
      made.slots.push_back(old.slots[slot]);
      if (old.bind == Skin::Bind::matrices) made.joint_from_mesh.push_back(old.joint_from_mesh[slot]);
    }
    const auto below_hint = [&](Index joint) { return is_above(model_, old.root_hint, joint); };
    if (old.root_hint != none && std::ranges::all_of(made.slots, below_hint)) made.root_hint = old.root_hint;
    model_.skins.push_back(std::move(made));
    return known->second;
  }

  /// Adds a node that draws another part: beside a skinned one, which follows its joints only, or below another one.
  Index add_node(Index of) {
    const auto added = static_cast<Index>(model_.nodes.size());
    Node node;
    node.name = names_.take(model_.nodes[of].name.empty() ? split_name : model_.nodes[of].name);
    if (node.name == split_name) node.name = names_.take(split_name);
    node.parent = model_.nodes[of].skin == none ? of : model_.nodes[of].parent;
    node.visible = model_.nodes[of].visible;
    if (node.parent != none) {
      model_.nodes[node.parent].children.push_back(added);
    } else {
      for (Scene& scene : model_.scenes)
        if (std::ranges::find(scene.roots, of) != scene.roots.end()) scene.roots.push_back(added);
    }
    model_.nodes.push_back(std::move(node));
    model_.rest_pose.locals.emplace_back();
    model_.rest_pose.amounts.push_back(std::vector<double>(model_.rest_pose.amounts[of]));
    for (Clip& clip : model_.clips) {
      const auto track =
          std::ranges::find_if(clip.tracks, [&](const Track& other) { return other.node == of && other.path == TrackPath::amounts; });
      if (clip.defect != none || track == clip.tracks.end()) continue;
      Track copy = *track;
      copy.node = added;
      clip.tracks.push_back(std::move(copy));
    }
    return added;
  }

  static constexpr std::string_view split_name = "Part";  ///< of parts of nodes without a name
  const StepInput& input_;
  Model& model_;
  std::size_t budget_;
  UniqueNames names_;
  std::vector<document::JsonValue> nodes_;   ///< of the input
  std::set<Index> levels_;                   ///< nodes with coarser levels of detail, and those levels
  std::vector<Index> roots_;                 ///< of each node: the topmost one above it
  std::map<Index, std::vector<bool>> used_;  ///< slots that move a vertex, by skin of the input with more joints than the budget
  std::vector<SplitPart> parts_;
  std::map<std::pair<Index, std::vector<std::uint32_t>>, Index> skins_;
};

/// Copies the members of an object that are not in `except`.
void copy_members(document::JsonValue from, std::span<const std::string_view> except, document::JsonEdit& to) {
  for (const document::JsonMember member : from.members())
    if (std::ranges::none_of(except, [&](std::string_view key) { return member.key.equals(key); }))
      to.set(member.key.string(), document::JsonEdit(member.value));
}

}  // namespace

Result<std::vector<SplitPart>> split_skins(const StepInput& input, Model& model, std::size_t budget) {
  return SkinSplit(input, model, budget).run();
}

Result<std::shared_ptr<const document::Document>> with_copied_members(std::shared_ptr<const document::Document> document,
                                                                      const std::vector<SplitPart>& parts) {
  static constexpr std::array<std::string_view, 3> of_mesh{"primitives", "weights", "name"};
  static constexpr std::array<std::string_view, 5> of_primitive{"attributes", "indices", "mode", "targets", "material"};
  if (parts.empty()) return document;
  const document::JsonValue meshes = document->json().root()["meshes"];
  document::JsonEdit root(document->json().root());
  for (const SplitPart& part : parts) {
    if (part.mesh >= meshes.size()) continue;
    document::JsonEdit& made = root.find("meshes")->at(part.mesh);
    const document::JsonValue old = meshes.at(part.from);
    copy_members(old, of_mesh, made);
    for (std::size_t i = 0; i < part.surfaces.size(); ++i) {
      document::JsonEdit& primitive = made.find("primitives")->at(i);
      copy_members(old["primitives"].at(part.surfaces[i]), of_primitive, primitive);
      document::JsonEdit* const extensions = primitive.find("extensions");
      if (extensions == nullptr) continue;
      extensions->erase(gltf::draco_extension);
      if (extensions->size() == 0) primitive.erase("extensions");
    }
  }
  return document::with_binary(*document, root.text(), std::nullopt);
}

}  // namespace sinew::operations

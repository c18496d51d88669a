// SPDX-License-Identifier: MIT
#ifdef SINEW_USE_MESHOPT
#include <meshoptimizer.h>

#include "base/guard.hpp"
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "document/json/json.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/extension.hpp"
#include "model/edit_reporter.hpp"
#include "model/influences.hpp"
#include "model/narrowed.hpp"
#include "model/rows_of.hpp"
#include "operations/files/most_work.hpp"
#include "operations/optimize/pack/compact.hpp"
#include "operations/optimize/plain_primitive.hpp"
#include "operations/optimize/steps.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {

namespace {

#ifdef SINEW_USE_MESHOPT

/// Calls `use(array)` for all arrays of a block, of its offsets too.
template <class Block, class Use>
void for_each_array(Block& block, Use use) {
  for (auto& attribute : block.attributes) {
    use(attribute.values);
    for (auto& offsets : attribute.offsets) {
      use(offsets.indices);
      use(offsets.values);
    }
  }
  for (auto& set : block.influences.sets) {
    use(set.joints);
    use(set.weights);
  }
}

/// Primitives with the same vertices: places of blocks, and the surfaces that use them.
struct SharedVertices {
  std::vector<VertexBlock*> blocks;
  std::vector<Surface*> surfaces;
  std::vector<std::vector<std::uint32_t>> corners;  ///< of each surface
  bool usable = true;
};

class Ordering {
 public:
  Ordering(const StepInput& input, Model& model) : input_(input), model_(model) {}

  void run() {
    std::vector<std::vector<std::size_t>> sizes;
    for (const Mesh& mesh : model_.meshes)
      for (sizes.emplace_back(); const VertexBlock& block : mesh.blocks) sizes.back().push_back(block.vertices);
    find_groups();
    for (auto& [arrays, group] : groups_)
      if (group.usable) arrange(group);
    for (std::size_t mesh = 0; mesh < sizes.size(); ++mesh) rows.push_back(rows_of_mesh(model_.meshes[mesh], sizes[mesh]));
  }

  std::size_t surfaces = 0;  ///< whose triangles or vertices have another order now
  std::size_t welded = 0;    ///< removed vertices
  KnownRows rows;

 private:
  /// Returns the new row of each old row; empty: all stay. `sizes`: numbers of old rows of each block.
  [[nodiscard]] std::vector<std::uint32_t> rows_of_mesh(const Mesh& mesh, const std::vector<std::size_t>& sizes) const {
    std::vector<std::uint32_t> made;
    std::uint32_t first = 0;
    bool moved = false;
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      const auto found = moved_.find(&mesh.blocks[b]);
      moved |= found != moved_.end();
      for (std::uint32_t row = 0; row < sizes[b]; ++row) made.push_back(first + (found == moved_.end() ? row : found->second[row]));
      first += static_cast<std::uint32_t>(mesh.blocks[b].vertices);
    }
    return moved ? made : std::vector<std::uint32_t>();
  }

  void find_groups() {
    const document::JsonValue meshes = input_.document->json().root()["meshes"];
    std::map<const std::byte*, std::set<const SharedVertices*>> users;
    for (std::size_t m = 0; m < model_.meshes.size() && m < meshes.size(); ++m) {
      Mesh& mesh = model_.meshes[m];
      const std::vector<document::JsonValue> primitives = document::list_of(meshes.at(static_cast<std::uint32_t>(m))["primitives"]);
      for (std::size_t s = 0; s < mesh.surfaces.size() && s < primitives.size(); ++s) {
        Surface& surface = mesh.surfaces[s];
        VertexBlock& block = mesh.blocks[surface.block];
        std::vector<const std::byte*> arrays;
        for_each_array(block, [&](const Array& array) { arrays.push_back(array.data()); });
        SharedVertices& group = groups_[arrays];
        for (const std::byte* const array : arrays)
          if (array != nullptr) users[array].insert(&group);
        group.blocks.push_back(&block);
        group.surfaces.push_back(&surface);
        group.usable &= mesh.defect == none && surface.defect == none && gltf::may_reorder(meshes.at(static_cast<std::uint32_t>(m))) &&
                        is_plain_primitive(primitives[s], surface, block);
        if (group.usable) group.corners.push_back(need(elements_of(mesh, surface, model_.dimension)).indices);
      }
    }
    for (auto& [arrays, group] : groups_)  // arrays that other primitives use in part cannot get another order
      for (const std::byte* const array : arrays)
        if (array != nullptr && users[array].size() > 1) group.usable = false;
  }

  /// Returns the steps of libmeshoptimizer: for each triangle of a vertex, it looks at all of them.
  static std::uint64_t steps_of(const SharedVertices& group) {
    std::uint64_t steps = 0;
    for (const std::vector<std::uint32_t>& corners : group.corners) {
      std::vector<std::uint64_t> triangles(group.blocks.front()->vertices);
      for (const std::uint32_t corner : corners) steps += 2 * triangles[corner]++ + 1;
    }
    return steps;
  }

  void arrange(SharedVertices& group) {
    const VertexBlock& block = *group.blocks.front();
    if (std::ranges::any_of(group.surfaces, [](const Surface* surface) { return surface->primitive == Primitive::points; })) {
      if (group.surfaces.size() == 1) arrange_points(group, block);
      return;
    }
    if (std::ranges::any_of(group.corners, [](const auto& corners) { return corners.empty(); })) return;  // an accessor is never empty
    std::vector<std::uint32_t> first = equal_vertices(block);
    std::size_t distinct = 0;
    for (std::size_t v = 0; v < first.size(); ++v) distinct += first[v] == v ? 1 : 0;
    if (!saves(group, block, distinct)) std::iota(first.begin(), first.end(), 0U);
    std::vector<std::uint32_t> all;
    for (std::vector<std::uint32_t>& corners : group.corners)
      for (std::uint32_t& corner : corners) corner = first[corner];
    const std::uint64_t steps = steps_of(group), most = most_work(model_);
    if (steps > most - std::min(most, steps_)) return;  // all keep their order
    steps_ += steps;
    for (std::vector<std::uint32_t>& corners : group.corners) {
      std::vector<std::uint32_t> sorted(corners.size());
      if (input_.options.compression == OptimizeCompression::none)
        meshopt_optimizeVertexCache(sorted.data(), corners.data(), corners.size(), block.vertices);
      else  // strips take fewer bytes, and are nearly as fast
        meshopt_optimizeVertexCacheStrip(sorted.data(), corners.data(), corners.size(), block.vertices);
      corners = std::move(sorted);
      all.insert(all.end(), corners.begin(), corners.end());
    }
    std::vector<std::uint32_t> place(block.vertices);
    std::size_t used = meshopt_optimizeVertexFetchRemap(place.data(), all.data(), all.size(), block.vertices);
    for (std::size_t v = 0; v < place.size(); ++v)  // vertices of no triangle stay, at the end
      if (first[v] == v && place[v] == ~0U) place[v] = static_cast<std::uint32_t>(used++);
    std::vector<std::size_t> order(used);
    for (std::size_t v = 0; v < place.size(); ++v)
      if (first[v] == v) order[place[v]] = v;
    store(group, order, place, first);
  }

  /// Stores points near to each other one after the other, which compresses better.
  void arrange_points(SharedVertices& group, const VertexBlock& block) {
    const Attribute* const positions = find_attribute(block.attributes, Semantic::position);
    if (input_.options.compression == OptimizeCompression::none || positions == nullptr || positions->values.width() != 3) return;
    const std::vector<float> values = positions->values.read<float>();
    if (values.size() != 3 * block.vertices || !std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) return;
    std::vector<std::uint32_t> place(block.vertices), first(block.vertices);
    std::iota(first.begin(), first.end(), 0U);
    meshopt_spatialSortRemap(place.data(), values.data(), block.vertices, 3 * sizeof(float));
    std::vector<std::size_t> order(block.vertices);
    for (std::size_t v = 0; v < place.size(); ++v) order[place[v]] = v;
    store(group, order, place, first);
  }

  /// Returns, for each vertex, the first one with the same values.
  [[nodiscard]] std::vector<std::uint32_t> equal_vertices(const VertexBlock& block) const {
    std::vector<std::string> keys(block.vertices);
    std::uint32_t part = 0;
    const auto add = [&](std::size_t vertex, const Array& array, std::size_t row) {
      keys[vertex].append(reinterpret_cast<const char*>(array.data() + row * array.stride()), array.width() * byte_size(array.type()));
    };
    const auto add_all = [&](const Array& array) {
      for (std::size_t row = 0; row < array.size() && row < keys.size(); ++row) add(row, array, row);
    };
    for (const Attribute& attribute : block.attributes) {
      add_all(attribute.values);
      for (const Offsets& offsets : attribute.offsets) {
        ++part;
        if (!offsets.sparse()) add_all(offsets.values);
        const std::vector<std::uint32_t> rows = offsets.sparse() ? offsets.indices.read<std::uint32_t>() : std::vector<std::uint32_t>();
        for (std::size_t i = 0; i < rows.size(); ++i) {
          keys[rows[i]].append(reinterpret_cast<const char*>(&part), sizeof part);
          add(rows[i], offsets.values, i);
        }
      }
    }
    add_influences(block.influences, keys);
    std::unordered_map<std::string_view, std::uint32_t> known;
    std::vector<std::uint32_t> first(keys.size());
    for (std::uint32_t v = 0; v < keys.size(); ++v) first[v] = known.try_emplace(keys[v], v).first->second;
    return first;
  }

  /// Adds the influences of each vertex to its key, sorted, because their order has no effect but for rounding.
  void add_influences(const Influences& influences, std::vector<std::string>& keys) const {
    std::vector<InfluenceRow> rows = weighted_rows(influences);
    for (std::size_t vertex = 0; vertex < rows.size(); ++vertex) {
      if (!input_.strict) std::ranges::sort(rows[vertex], {}, [](const Influence& entry) { return std::pair(entry.slot, entry.weight); });
      for (const auto& [joint, weight] : rows[vertex]) {
        keys[vertex].append(reinterpret_cast<const char*>(&joint), sizeof joint);
        keys[vertex].append(reinterpret_cast<const char*>(&weight), sizeof weight);
      }
    }
  }

  /// Returns whether fewer vertices save more bytes than the indices that they need.
  static bool saves(const SharedVertices& group, const VertexBlock& block, std::size_t distinct) {
    std::size_t row = 0, indices = 0;
    for_each_array(block, [&](const Array& array) { row += array.width() * byte_size(array.type()); });
    for (std::size_t s = 0; s < group.surfaces.size(); ++s)
      if (!group.surfaces[s]->indexed) indices += group.corners[s].size() * (distinct < 0xffff ? 2 : 4);
    return (block.vertices - distinct) * row > indices;
  }

  void store(SharedVertices& group, const std::vector<std::size_t>& order, const std::vector<std::uint32_t>& place,
             const std::vector<std::uint32_t>& first) {
    const std::size_t removed = place.size() - order.size();
    bool moved = removed != 0;
    for (std::size_t s = 0; s < group.surfaces.size(); ++s) {
      Surface& surface = *group.surfaces[s];
      for (std::uint32_t& corner : group.corners[s]) corner = place[corner];
      Elements before;
      if (surface.indexed)
        before.indices = surface.elements.read<std::uint32_t>();
      else
        before.indices.resize(group.corners[s].size()), std::iota(before.indices.begin(), before.indices.end(), 0U);
      moved |= before.indices != group.corners[s];
    }
    if (!moved) return;
    welded += removed;
    for (std::size_t s = 0; s < group.surfaces.size(); ++s) {
      ++surfaces;
      if (group.surfaces[s]->primitive == Primitive::points) continue;
      group.surfaces[s]->indexed = true;
      group.surfaces[s]->elements = narrowed_indices(std::move(group.corners[s]));
    }
    std::vector<std::uint32_t> rows_now(place.size());
    for (std::size_t v = 0; v < place.size(); ++v) rows_now[v] = place[first[v]];
    for (VertexBlock* const block : group.blocks) {
      moved_.insert_or_assign(block, rows_now);
      block->vertices = order.size();
      for (Attribute& attribute : block->attributes) {
        attribute.values = rows_of(attribute.values, order);
        for (Offsets& offsets : attribute.offsets) arrange(offsets, order, place, first);
      }
      for (Influences::Set& set : block->influences.sets) {
        set.joints = rows_of(set.joints, order);
        set.weights = rows_of(set.weights, order);
      }
    }
  }

  static void arrange(Offsets& offsets, const std::vector<std::size_t>& order, const std::vector<std::uint32_t>& place,
                      const std::vector<std::uint32_t>& first) {
    if (!offsets.sparse()) {
      offsets.values = rows_of(offsets.values, order);
      return;
    }
    const std::vector<std::uint32_t> rows = offsets.indices.read<std::uint32_t>();
    std::vector<std::pair<std::uint32_t, std::size_t>> moved;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (first[rows[i]] == rows[i]) moved.emplace_back(place[rows[i]], i);
    if (moved.empty()) return;
    std::ranges::sort(moved);
    std::vector<std::uint32_t> numbers;
    std::vector<std::size_t> from;
    for (const auto& [row, i] : moved) {
      numbers.push_back(row);
      from.push_back(i);
    }
    offsets.indices = Array::own(std::move(numbers), 1);
    offsets.values = rows_of(offsets.values, from);
  }

  const StepInput& input_;
  Model& model_;
  std::map<std::vector<const std::byte*>, SharedVertices> groups_;
  std::map<const VertexBlock*, std::vector<std::uint32_t>> moved_;  ///< the new row of each old row
  std::uint64_t steps_ = 0;
};

#endif

}  // namespace

Result<StepResult> order(const StepInput& input, FindingSink& changes) {
  if (input.revision) return StepResult{input.document, "works on glTF only"};
  if (is_compressed(input.model)) return StepResult{input.document, "the file is already compressed"};
  StepResult result{input.document};
  Model after = input.model;
  const EditReporter reporter(changes);
  const std::size_t sparse = make_offsets_sparse(input, after, 12);
  if (sparse != 0) reporter.changed("/meshes", "stored " + count_of(sparse, "array", "arrays") + " of blend shapes as sparse");
  std::size_t ordered = 0;
#ifdef SINEW_USE_MESHOPT
  Ordering ordering(input, after);
  if (!input.keeps_order) ordering.run();
  ordered = ordering.surfaces;
  result.rows = std::move(ordering.rows);
  if (ordered != 0) {
    std::string what = "changed the order of the triangles and vertices of " + count_of(ordering.surfaces, "primitive", "primitives");
    if (ordering.welded != 0) what += "; joined " + count_of(ordering.welded, "vertex", "vertices") + " with equal ones";
    reporter.changed("/meshes", what);
  }
#else
  result.note = "triangles and vertices keep their order: this build lacks libmeshoptimizer (SINEW_MESHOPT=ON)";
#endif
  if (sparse + ordered != 0) {
    auto document = edited(input, after, changes);
    if (!document) return Unexpected(std::move(document.error()));
    result.document = std::move(*document);
  }
  auto packed = pack_views(result.document);
  if (!packed) return Unexpected(std::move(packed.error()));
  if (*packed != result.document) {
    reporter.changed("/bufferViews", "stored arrays of one kind in one buffer view");
    result.document = std::move(*packed);
  }
  return result;
}

}  // namespace sinew::operations

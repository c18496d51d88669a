// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "math/length.hpp"
#include "model/edit_reporter.hpp"
#include "operations/rebind/rebind_steps.hpp"

namespace sinew::operations {
namespace {

using Amounts = std::vector<double>;

bool fits(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::abs(value) <= std::numeric_limits<float>::max(); });
}

Array stored(const std::vector<double>& values, const Array& like) {
  if (like.holds<double>()) return Array::own(values, like.width());
  return Array::own(std::vector<float>(values.begin(), values.end()), like.width());
}

/// Adds the offsets of the shapes at their amounts to rows of `width` values.
void add_offsets(const Attribute& attribute, std::span<const double> amounts, std::vector<double>& values) {
  const std::size_t width = attribute.values.width();
  for (const Offsets& offsets : attribute.offsets) {
    if (amounts[offsets.shape] == 0 || offsets.values.empty()) continue;
    const std::vector<double> moved = offsets.values.read<double>();
    const std::vector<std::uint32_t> rows = offsets.indices.read<std::uint32_t>();
    const std::size_t columns = std::min(width, offsets.values.width());  // those of tangents have no w
    for (std::size_t i = 0; i < offsets.values.size(); ++i)
      for (std::size_t c = 0; c < columns; ++c)
        values[(offsets.sparse() ? rows[i] : i) * width + c] += amounts[offsets.shape] * moved[i * offsets.values.width() + c];
  }
}

/// Gives directions of `columns` numbers their old lengths. Returns the factor of each row.
std::vector<double> restore_lengths(const std::vector<double>& before, std::size_t width, std::size_t columns, std::vector<double>& after) {
  std::vector<double> factors(before.size() / width, 1);
  for (std::size_t row = 0; row < factors.size(); ++row) {
    const std::span<double> now = std::span(after).subspan(row * width, columns);
    const std::span<const double> was = std::span(before).subspan(row * width, columns);
    if (std::ranges::equal(now, was)) continue;
    const double factor = length_of(was) / length_of(now);
    if (!(factor > 0) || !std::isfinite(factor)) continue;
    factors[row] = factor;
    for (double& value : now) value *= factor;
  }
  return factors;
}

void scale_offsets(Offsets& offsets, const std::vector<double>& factors) {
  if (offsets.values.empty()) return;
  std::vector<double> values = offsets.values.read<double>();
  const std::vector<std::uint32_t> rows = offsets.indices.read<std::uint32_t>();
  bool changed = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i / offsets.values.width();
    const double factor = factors[offsets.sparse() ? rows[row] : row];
    changed |= factor != 1 && values[i] != 0;
    values[i] *= factor;
  }
  if (changed) offsets.values = stored(values, offsets.values);
}

/// Bakes the shapes of one mesh.
class Baker {
 public:
  Baker(const Model& model, Mesh& mesh, const Amounts& amounts) : model_(model), mesh_(mesh), amounts_(amounts) {}

  Result<> run() {
    for (VertexBlock& block : mesh_.blocks) bake(block.attributes);
    for (Surface& surface : mesh_.surfaces) {
      if (auto done = bake_corners(surface, surface.attributes); !done) return done;
      if (!surface.topology) continue;
      if (auto done = bake_corners(surface, surface.topology->attributes); !done) return done;
    }
    for (BlendShape& shape : mesh_.shapes) shape.amount = 0;
    if (!fits_) return refused(model_, mesh_.source, "a value of the mesh with its blend shapes would be too large");
    return {};
  }

  [[nodiscard]] double moved() const { return moved_; }  ///< the largest distance of a vertex

 private:
  [[nodiscard]] bool counts(const Offsets& offsets) const {
    if (amounts_[offsets.shape] == 0) return false;
    const std::vector<double> values = offsets.values.read<double>();
    return std::ranges::any_of(values, [](double value) { return value != 0; });
  }

  /// Normals that are only offsets are added to the flat normals of each blended shape, so they have no base.
  Result<> bake_corners(const Surface& surface, std::vector<Attribute>& attributes) {
    for (const Attribute& attribute : attributes)
      for (const Offsets& offsets : attribute.offsets)
        if (attribute.values.empty() && counts(offsets))
          return refused(model_, surface.source,
                         format_text("blend shape {} (\"{}\") moves normals that the surface does not store, so they cannot include its "
                                     "amount",
                                     offsets.shape, mesh_.shapes[offsets.shape].name));
    for (Attribute& attribute : attributes) bake_one(attribute);
    return {};
  }

  void bake(std::vector<Attribute>& attributes) {
    for (Attribute& attribute : attributes) {
      const std::vector<double> before = attribute.semantic == Semantic::position ? attribute.values.read<double>() : std::vector<double>();
      bake_one(attribute);
      if (before.empty()) continue;
      const std::vector<double> after = attribute.values.read<double>();
      const std::size_t width = attribute.values.width();
      std::vector<double> off(width);
      for (std::size_t i = 0; i < before.size(); i += width) {
        for (std::size_t c = 0; c < width; ++c) off[c] = after[i + c] - before[i + c];
        moved_ = std::max(moved_, length_of(off));
      }
    }
  }

  void bake_one(Attribute& attribute) {
    if (attribute.values.empty() || std::ranges::none_of(attribute.offsets, [&](const Offsets& offsets) { return counts(offsets); }))
      return;
    const std::vector<double> before = attribute.values.read<double>();
    std::vector<double> after = before;
    add_offsets(attribute, amounts_, after);
    if (attribute.semantic == Semantic::normal || attribute.semantic == Semantic::tangent) {
      const std::size_t width = attribute.values.width();
      const std::vector<double> factors = restore_lengths(before, width, attribute.semantic == Semantic::tangent ? 3 : width, after);
      for (Offsets& offsets : attribute.offsets) scale_offsets(offsets, factors);
    }
    fits_ = fits_ && fits(after);
    attribute.values = stored(after, attribute.values);
  }

  const Model& model_;
  Mesh& mesh_;
  const Amounts& amounts_;
  double moved_ = 0;
  bool fits_ = true;  ///< all values are finite floats
};

/// Returns the amounts of the nodes with the mesh; without a node, those of the mesh.
Result<Amounts> amounts_of(const Model& model, Index mesh, std::span<const Index> nodes) {
  Amounts amounts;
  for (const BlendShape& shape : model.meshes[mesh].shapes) amounts.push_back(shape.amount);
  if (nodes.empty()) return amounts;
  const Index first = nodes.front();
  for (const Index node : nodes)
    if (model.rest_pose.amounts[node] != model.rest_pose.amounts[first])
      return refused(model, model.meshes[mesh].source,
                     format_text("{} and {} use the mesh with different amounts of its blend shapes, so it cannot include them",
                                 joint_name(model, first), joint_name(model, node)));
  return model.rest_pose.amounts[first];
}

std::string text_of(const Mesh& mesh, const Amounts& amounts) {
  constexpr std::size_t most = 4;
  std::string text;
  std::size_t count = 0;
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (amounts[i] == 0 || ++count > most) continue;
    const std::string& name = mesh.shapes[i].name;
    text +=
        format_text("{}{:.6g} of {}", count == 1 ? "" : ", ", amounts[i], name.empty() ? format_text("shape {}", i) : "\"" + name + "\"");
  }
  return count > most ? text + format_text(" and {} more", count - most) : text;
}

/// Subtracts the amounts from the values of keys; tangents of splines stay.
Array shifted(const Track& track, const Amounts& amounts) {
  std::vector<double> values = track.values.read<double>();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (track.interpolation != Interpolation::cubic_spline || i / amounts.size() % 3 == 1) values[i] -= amounts[i % amounts.size()];
  return stored(values, track.values);
}

}  // namespace

Result<> bake_shapes(Model& model, const EditReporter& changes) {
  std::vector<std::vector<Index>> nodes_of(model.meshes.size());
  for (Index n = 0; n < model.nodes.size(); ++n)
    if (const Node& node = model.nodes[n]; node.mesh != none && node.defect == none) nodes_of[node.mesh].push_back(n);
  std::vector<Amounts> baked(model.meshes.size());
  for (Index m = 0; m < model.meshes.size(); ++m) {
    Mesh& mesh = model.meshes[m];
    if (mesh.defect != none) continue;
    auto amounts = amounts_of(model, m, nodes_of[m]);
    if (!amounts) return Unexpected(std::move(amounts.error()));
    if (std::ranges::all_of(*amounts, [](double amount) { return amount == 0; })) continue;
    Baker baker(model, mesh, *amounts);
    if (auto done = baker.run(); !done) return done;
    for (const Index node : nodes_of[m]) model.rest_pose.amounts[node].assign(amounts->size(), 0);
    changes.changed(mesh,
                    format_text("the mesh now includes {}; its vertices moved by up to {:.6g}", text_of(mesh, *amounts), baker.moved()));
    baked[m] = std::move(*amounts);
  }
  for (Clip& clip : model.clips) {
    std::size_t count = 0;
    for (Track& track : clip.tracks) {
      if (track.path != TrackPath::amounts || model.nodes[track.node].mesh == none) continue;
      const Amounts& amounts = baked[model.nodes[track.node].mesh];
      if (amounts.empty() || clip.defect != none) continue;
      track.values = shifted(track, amounts);
      ++count;
    }
    if (count != 0)
      changes.changed(
          clip, format_text("subtracted the amounts that the meshes include from the keys of {}", count_of(count, "track", "tracks")));
  }
  return {};
}

}  // namespace sinew::operations

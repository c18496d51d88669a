// SPDX-License-Identifier: MIT
#include "sinew/slice.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/edit_reporter.hpp"
#include "model/place.hpp"
#include "model/surfaces_of_blocks.hpp"
#include "operations/repair/mend_normals.hpp"
#include "operations/slice/cells_as_simplexes.hpp"
#include "operations/slice/hyperplane.hpp"

#include "sinew/bake.hpp"
#include "sinew/geometry.hpp"
#include "sinew/project.hpp"

namespace sinew::operations {

namespace {

/// The state of a cut.
struct Job {
  const Model& model;
  const Hyperplane& plane;
  const HyperplaneFrame& frame;
  FindingSink& losses;

  void lost(const Entity& entity, const std::string& what) const { EditReporter(model, losses).lost(entity, what); }
};

/// The values of an attribute as floats.
struct Values {
  explicit Values(const Attribute& attribute)
      : width(attribute.values.width()), values(attribute.values.read<float>()), index(attribute.index.read<std::uint32_t>()) {}
  [[nodiscard]] const float* operator[](std::size_t row) const { return values.data() + (index.empty() ? row : index[row]) * width; }

  std::size_t width;
  std::vector<float> values;
  std::vector<std::uint32_t> index;
};

/// Interpolates values along the cut edges.
class Between {
 public:
  Between(const Attribute& from, const HyperplaneFrame& frame)
      : normals_(from.semantic == Semantic::normal), frame_(frame), from_(from), values_(from), mixed_(values_.width) {}

  void add(std::size_t above, std::size_t below, double t) {
    const float *a = values_[above], *b = values_[below];
    for (std::size_t i = 0; i < values_.width; ++i) mixed_[i] = a[i] + t * (double{b[i]} - double{a[i]});
    if (!normals_) {
      for (const double x : mixed_) out_.push_back(static_cast<float>(x));
      return;
    }
    std::vector<double>& within = projected_;
    within.resize(values_.width - 1);
    frame_.project(mixed_, within);
    for (const double x : within) out_.push_back(static_cast<float>(x));
    const auto row = std::span(out_).last(within.size());
    if (!normalize(row)) std::ranges::fill(row, 0.0F);
  }

  [[nodiscard]] std::vector<float>& values() { return out_; }
  [[nodiscard]] std::size_t width() const { return normals_ ? values_.width - 1 : values_.width; }
  [[nodiscard]] Attribute take() { return {from_.semantic, from_.set, from_.custom, Array::own(std::move(out_), width()), {}, {}}; }

 private:
  bool normals_;
  const HyperplaneFrame& frame_;
  const Attribute& from_;
  Values values_;
  std::vector<double> mixed_, projected_;
  std::vector<float> out_;
};

/// Returns the block of a section's vertices.
VertexBlock block_of(const VertexBlock& from, const Section& section, const Job& job) {
  VertexBlock block;
  block.vertices = section.vertices.size();
  for (const Attribute& attribute : from.attributes) {
    if (attribute.semantic == Semantic::tangent) continue;
    if (attribute.semantic == Semantic::position) {
      block.attributes.push_back({Semantic::position, 0, {}, Array::own(section.positions, job.model.dimension - 1), {}, {}});
      continue;
    }
    Between between(attribute, job.frame);
    for (const Section::Vertex& vertex : section.vertices) between.add(vertex.above, vertex.below, vertex.t);
    block.attributes.push_back(between.take());
  }
  return block;
}

/// Replaces corner normals of length 0 by that of their piece, else by the last axis.
void mend_corner_normals(const Section& section, const Section::Group& group, std::size_t dimension, std::vector<float>& normals) {
  const strided_view<const float> positions(section.positions.data(), section.vertices.size(), dimension);
  std::vector<double> own(dimension);
  for (std::size_t corner = 0; corner < group.pieces.size(); ++corner) {
    const auto normal = std::span(normals).subspan(corner * dimension, dimension);
    if (!vanished(normal)) continue;
    if (group.corners == dimension && dimension >= 2) {
      simplex_normal(positions, std::span(group.pieces).subspan(corner / group.corners * group.corners, group.corners), own);
      std::ranges::transform(own, normal.begin(), [](double x) { return static_cast<float>(x); });
    }
    if (normalize(normal)) continue;
    std::ranges::fill(normal, 0.0F);
    normal.back() = 1;
  }
}

/// Returns the surface of one group of pieces.
Surface surface_of(const Surface& from, const Section& section, const Section::Group& group, const Job& job) {
  const std::size_t dimension = job.model.dimension - 1;
  Surface surface;
  surface.name = from.name;
  surface.source = from.source;
  surface.material = from.material;
  surface.indexed = true;
  surface.primitive = group.corners == 1 ? Primitive::points : group.corners == 2 ? Primitive::lines : Primitive::simplexes;
  surface.elements = Array::own(group.pieces, 1);
  for (const Attribute& attribute : from.attributes) {
    Between between(attribute, job.frame);
    for (std::size_t i = 0; i < group.pieces.size(); ++i) {
      const std::size_t first = group.simplex[i / group.corners] * (group.corners + 1);
      const Section::Corner corner = group.corner_between[i];
      between.add(first + corner.above, first + corner.below, section.vertices[group.pieces[i]].t);
    }
    if (attribute.semantic == Semantic::normal) mend_corner_normals(section, group, dimension, between.values());
    surface.attributes.push_back(between.take());
  }
  return surface;
}

/// Slices the surfaces of a block of a mesh. Each resulting block has pieces of one number of corners, because points need their own
/// vertices.
Result<> slice_block(const Mesh& from, Index block, std::span<const Surface* const> of_block, bool of_lines, const Job& job, Mesh& to) {
  std::vector<const Surface*> surfaces;
  std::vector<Elements> groups;
  for (const Surface* const surface : of_block) {
    if (surface->primitive == Primitive::points || (surface->primitive < Primitive::simplexes) != of_lines) continue;
    surfaces.push_back(surface);
    groups.push_back(need(elements_of(from, *surface, job.model.dimension)));
  }
  const Attribute* positions = find_attribute(from.blocks[block].attributes, Semantic::position);
  if (surfaces.empty() || positions == nullptr) return {};
  const Values rows(*positions);
  Section section;
  Slicer slicer = need(Slicer::create(job.model.dimension, std::move(groups)));
  if (auto done = slicer.run({rows.values.data(), rows.values.size() / rows.width, rows.width}, job.plane, section); !done) return done;
  if (section.vertices.empty()) return {};
  const auto index = static_cast<Index>(to.blocks.size());
  to.blocks.push_back(block_of(from.blocks[block], section, job));
  for (std::size_t g = 0; g < surfaces.size(); ++g) {
    if (section.groups[g].pieces.empty()) continue;
    to.surfaces.push_back(surface_of(*surfaces[g], section, section.groups[g], job));
    to.surfaces.back().block = index;
  }
  return {};
}

void mend_vertex_normals(Index block, std::span<const Surface* const> of_block, std::size_t dimension, Mesh& mesh) {
  std::vector<Attribute>& attributes = mesh.blocks[block].attributes;
  const auto normals = std::ranges::find(attributes, Semantic::normal, &Attribute::semantic);
  if (normals == attributes.end()) return;
  std::vector<float> values = normals->values.read<float>();
  std::vector<float> positions = find_attribute(attributes, Semantic::position)->values.read<float>();
  mend_normals({mesh, block, dimension, of_block}, {positions, dimension}, {values, dimension});
  normals->values = Array::own(std::move(values), dimension);
}

Result<Mesh> slice_mesh(const Mesh& from, const Job& job) {
  Mesh mesh;
  mesh.name = from.name;
  mesh.source = from.source;
  const SurfacesOfBlocks of_block = surfaces_of_blocks(from);
  for (Index block = 0; block < from.blocks.size(); ++block) {
    for (const bool of_lines : {false, true})
      if (auto done = slice_block(from, block, of_block[block], of_lines, job, mesh); !done) return Unexpected(std::move(done.error()));
    if (find_attribute(from.blocks[block].attributes, Semantic::tangent) != nullptr)
      job.lost(from, "its tangents are lost: a cross-section has none");
  }
  for (const Surface& surface : from.surfaces)
    if (surface.primitive == Primitive::points) job.lost(surface, "it has only points, and a hyperplane does not cut points");
  const SurfacesOfBlocks made = surfaces_of_blocks(mesh);
  for (Index block = 0; block < mesh.blocks.size(); ++block) mend_vertex_normals(block, made[block], job.model.dimension - 1, mesh);
  return mesh;
}

/// Reports the extent of the model along the normal, if it has vertices.
void tell_reach(const Job& job) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const Instance& instance : need(instances(job.model)))
    for (const VertexBlock& block : job.model.meshes[instance.mesh].blocks) {
      const Attribute* positions = find_attribute(block.attributes, Semantic::position);
      if (positions == nullptr) continue;
      const Values rows(*positions);
      for (std::size_t v = 0; v < block.vertices; ++v) {
        least = std::min(least, job.frame.along(rows[v]));
        most = std::max(most, job.frame.along(rows[v]));
      }
    }
  if (least <= most)
    EditReporter(job.losses)
        .changed("",
                 format_text("the hyperplane does not meet the model, which extends from {:.6g} to {:.6g} along its normal", least, most));
}

Result<Model> slice_instances(const Job& job) {
  const Model& model = job.model;
  Model sliced;
  sliced.dimension = model.dimension - 1;
  sliced.format = model.format;
  sliced.revision = model.revision;
  sliced.generator = model.generator;
  sliced.materials = model.materials;
  sliced.source = model.source;
  sliced.scenes.emplace_back();
  sliced.default_scene = 0;
  for (const Instance& instance : need(instances(model))) {
    auto mesh = slice_mesh(model.meshes[instance.mesh], job);
    if (!mesh) return Unexpected(std::move(mesh.error()));
    if (mesh->surfaces.empty()) continue;
    sliced.scenes.front().roots.push_back(static_cast<Index>(sliced.nodes.size()));
    Node& node = sliced.nodes.emplace_back();
    node.name = model.nodes[instance.node].name;
    node.mesh = static_cast<Index>(sliced.meshes.size());
    node.visible = instance.visible;
    sliced.meshes.push_back(std::move(*mesh));
  }
  if (sliced.nodes.empty()) tell_reach(job);
  sliced.rest_pose.locals.resize(sliced.nodes.size());
  sliced.rest_pose.amounts.resize(sliced.nodes.size());
  return sliced;
}

}  // namespace

Result<Model> slice(const Model& model, const Hyperplane& plane, FindingSink& losses) SINEW_TRY {
  if (const auto wrong = wrong_with(plane, model.dimension))
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, place_of(model), *wrong));
  const HyperplaneFrame frame(model.dimension, plane);
  if (std::ranges::none_of(model.meshes, [](const Mesh& mesh) { return std::ranges::any_of(mesh.surfaces, only_cells); }))
    return slice_instances({model, plane, frame, losses});
  const auto filled = cells_as_simplexes(model, losses);
  if (!filled) return Unexpected(filled.error());
  return slice_instances({*filled, plane, frame, losses});
}
SINEW_CATCH(place_of(model))

Result<Model> slice(const Model& model, const Pose& pose, std::span<const Hyperplane> planes, const BakeOptions& options,
                    FindingSink& losses) SINEW_TRY {
  const auto filled = cells_as_simplexes(model, losses);  // in the stored shape: the same at every pose
  if (!filled) return Unexpected(filled.error());
  auto sliced = bake(*filled, pose, options);
  for (const Hyperplane& plane : planes)
    if (sliced) sliced = slice(*sliced, plane, losses);
  return sliced;
}
SINEW_CATCH(place_of(model))

}  // namespace sinew::operations

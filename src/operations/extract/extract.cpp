// SPDX-License-Identifier: MIT

#include "sinew/extract.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/place.hpp"
#include "operations/compare/packed_mesh.hpp"
#include "operations/extract/npz_writer.hpp"
#include "operations/extract/rig_columns.hpp"
#include "operations/files/most_work.hpp"

#include "sinew/animate.hpp"

namespace sinew::operations {

namespace {

class Extractor {
 public:
  Extractor(const Model& model, const ExtractOptions& options, deform::SceneDeformer deformer)
      : model_(model), options_(options), deformer_(std::move(deformer)), columns_(model, deformer_) {
    for (std::size_t i = 0; i < deformer_.instances().size(); ++i)
      for (Index shape = 0; shape < mesh(i).shapes.size(); ++shape) shapes_.push_back({i, shape});
  }

  Result<Extracted> run(const std::filesystem::path& to) {
    Extracted out{deformer_.vertices(), columns_.columns().size(), shapes_.size(), 0, 0, 0};
    if (auto fits = check_size(); !fits) return Unexpected(std::move(fits.error()));
    auto file = NpzWriter::create(to, options_.name);
    if (!file) return Unexpected(std::move(file.error()));
    for (const auto step : {&Extractor::write_mesh, &Extractor::write_joints, &Extractor::write_weights, &Extractor::write_shapes})
      if (auto done = (this->*step)(*file); !done) return Unexpected(std::move(done.error()));
    for (Index clip = 0; clip < model_.clips.size(); ++clip) {
      if (model_.clips[clip].defect != none) continue;
      auto frames = write_clip(*file, clip);
      if (!frames) return Unexpected(std::move(frames.error()));
      ++out.clips;
      out.frames += *frames;
    }
    auto bytes = file->finish();
    if (!bytes) return Unexpected(std::move(bytes.error()));
    out.bytes = *bytes;
    return out;
  }

 private:
  struct Shape {
    std::size_t instance;
    Index index;
  };

  [[nodiscard]] const Mesh& mesh(std::size_t instance) const { return model_.meshes[deformer_.instances()[instance].mesh]; }
  [[nodiscard]] std::vector<double> times(const Clip& clip) const { return need(animate::frame_times_at(clip.duration, options_.fps)); }

  // A small file can have arrays of any size: many nodes with many shapes, a long clip.
  [[nodiscard]] Result<> check_size() const {
    const std::size_t n = model_.dimension;
    const auto vertices = static_cast<double>(deformer_.vertices()), joints = static_cast<double>(columns_.columns().size());
    constexpr double steps_per_track = 32;
    double bytes = 4.0 * vertices * static_cast<double>(n) * static_cast<double>(1 + shapes_.size());
    double steps = 0;
    for (const Clip& clip : model_.clips) {
      const double frames = clip.duration * options_.fps + 1;
      bytes += frames * 8.0 * (joints * static_cast<double>((n + 1) * (n + 1)) + static_cast<double>(shapes_.size()));
      steps += frames * steps_per_track * static_cast<double>(clip.tracks.size() + model_.nodes.size());
    }
    steps += bytes;
    const std::uint64_t work = most_work(model_);
    const auto whole = [](double count) { return static_cast<std::uint64_t>(std::min(count, 1e18)); };
    if (bytes > static_cast<double>(options_.most_bytes))
      return Unexpected(
          error("SINEW_MEMORY_LIMIT"_code, Failure::limit, place_of(model_), "the file of arrays", whole(bytes), options_.most_bytes));
    if (whole(steps) > work)
      return Unexpected(error("SINEW_WORK_LIMIT"_code, Failure::limit, place_of(model_), "the arrays of the new file", whole(steps), work));
    return {};
  }

  Result<> write_mesh(NpzWriter& file) const {
    const std::size_t n = model_.dimension, corners = std::max<std::size_t>(n, 3);
    if (auto done = file.begin<float>("positions", {deformer_.vertices(), n}); !done) return done;
    std::vector<std::int32_t> faces;
    for (std::size_t i = 0; i < deformer_.instances().size(); ++i) {
      const PackedMesh packed(deformer_.prepared(i));
      std::vector<float> rows(deformer_.prepared(i).vertices() * n);
      for (std::size_t row = 0; row < deformer_.prepared(i).vertices(); ++row)
        if (const float* const at = packed.position(packed.vertex(row))) std::copy_n(at, n, &rows[row * n]);
      if (auto done = file.write(std::span<const float>(rows)); !done) return done;
      std::size_t first = deformer_.first(i);
      std::vector<std::size_t> first_of_block;
      for (const VertexBlock& block : mesh(i).blocks) {
        first_of_block.push_back(first);
        first += find_attribute(block.attributes, Semantic::position) == nullptr ? 0 : block.vertices;
      }
      for (const Surface& surface : mesh(i).surfaces) {
        const Elements elements = need(elements_of(mesh(i), surface, n));
        if (elements.corners != corners) continue;
        for (const std::uint32_t vertex : elements.indices)
          faces.push_back(static_cast<std::int32_t>(first_of_block[surface.block] + vertex));
      }
    }
    return file.add("faces", {faces.size() / corners, corners}, faces);
  }

  Result<> write_joints(NpzWriter& file) const {
    std::vector<std::string> names;
    std::vector<std::int32_t> nodes, parents;
    std::vector<double> binds;
    for (const RigColumns::Column& column : columns_.columns()) {
      const bool of_node = column.node != none && column.instance == RigColumns::npos;
      nodes.push_back(of_node ? static_cast<std::int32_t>(column.node) : -1);
      names.push_back(column.node == none ? std::string() : model_.nodes[column.node].name);
      parents.push_back(column.parent == RigColumns::npos ? -1 : static_cast<std::int32_t>(column.parent));
      add_matrix(column.bind, binds);
    }
    const std::size_t joints = names.size(), wide = model_.dimension + 1;
    std::vector<double> worlds;
    if (auto done = add_worlds(model_.rest_pose, worlds); !done) return done;
    if (auto done = file.add("joint_names", names); !done) return done;
    if (auto done = file.add("joint_nodes", {joints}, nodes); !done) return done;
    if (auto done = file.add("joint_parents", {joints}, parents); !done) return done;
    if (auto done = file.add("joint_rest_world", {joints, wide, wide}, worlds); !done) return done;
    return file.add("inverse_bind", {joints, wide, wide}, binds);
  }

  // Compressed rows, columns ascending; joints that a vertex lists twice are added up.
  Result<> write_weights(NpzWriter& file) const {
    std::vector<std::int64_t> first{0};
    std::vector<std::int32_t> joints;
    std::vector<float> weights;
    std::map<std::size_t, float> row;
    for (std::size_t i = 0; i < deformer_.instances().size(); ++i) {
      const PackedMesh packed(deformer_.prepared(i));
      for (std::size_t vertex = 0; vertex < deformer_.prepared(i).vertices(); ++vertex) {
        row.clear();
        packed.for_each_influence(packed.vertex(vertex), [&](std::size_t slot, double weight) {
          if (weight != 0) row[columns_.of_slot(i, slot)] += static_cast<float>(weight);
        });
        for (const auto& [joint, weight] : row) {
          joints.push_back(static_cast<std::int32_t>(joint));
          weights.push_back(weight);
        }
        first.push_back(static_cast<std::int64_t>(joints.size()));
      }
    }
    if (auto done = file.add("weights_indptr", {first.size()}, first); !done) return done;
    if (auto done = file.add("weights_indices", {joints.size()}, joints); !done) return done;
    return file.add("weights_data", {weights.size()}, weights);
  }

  Result<> write_shapes(NpzWriter& file) const {
    const std::size_t n = model_.dimension;
    std::vector<std::string> names;
    for (const Shape& shape : shapes_) names.push_back(mesh(shape.instance).shapes[shape.index].name);
    if (auto done = file.add("shape_names", names); !done) return done;
    if (auto done = file.add("shape_rest_amounts", {shapes_.size()}, amounts_of(model_.rest_pose)); !done) return done;
    if (auto done = file.begin<float>("shape_offsets", {shapes_.size(), deformer_.vertices(), n}); !done) return done;
    std::vector<float> rows(deformer_.vertices() * n);
    for (const Shape& shape : shapes_) {
      std::ranges::fill(rows, 0.0F);
      const PackedMesh packed(deformer_.prepared(shape.instance));
      for (std::size_t row = 0; row < deformer_.prepared(shape.instance).vertices(); ++row)
        if (const float* const by = packed.offset(packed.vertex(row), shape.index))
          std::copy_n(by, n, &rows[(deformer_.first(shape.instance) + row) * n]);
      if (auto done = file.write(std::span<const float>(rows)); !done) return done;
    }
    return {};
  }

  /// Returns the number of frames.
  Result<std::size_t> write_clip(NpzWriter& file, Index index) const {
    const Clip& clip = model_.clips[index];
    const std::vector<double> seconds = times(clip);
    const std::size_t wide = model_.dimension + 1, joints = columns_.columns().size();
    const auto named = [&](const char* what) { return format_text("clip{}_{}", index, what); };
    std::vector<double> amounts, worlds;
    if (auto done = file.add(named("name"), {clip.name}, true); !done) return Unexpected(std::move(done.error()));
    if (auto done = file.add(named("times"), {seconds.size()}, seconds); !done) return Unexpected(std::move(done.error()));
    if (auto done = file.begin<double>(named("joint_world"), {seconds.size(), joints, wide, wide}); !done)
      return Unexpected(std::move(done.error()));
    Pose pose = model_.rest_pose;
    for (const double now : seconds) {
      need(animate::sample(model_, clip, now, pose));
      const std::vector<double> of_frame = amounts_of(pose);
      amounts.insert(amounts.end(), of_frame.begin(), of_frame.end());
      worlds.clear();
      if (auto done = add_worlds(pose, worlds); !done) return Unexpected(std::move(done.error()));
      if (auto done = file.write(std::span<const double>(worlds)); !done) return Unexpected(std::move(done.error()));
    }
    if (auto done = file.add(named("amounts"), {seconds.size(), shapes_.size()}, amounts); !done)
      return Unexpected(std::move(done.error()));
    return seconds.size();
  }

  [[nodiscard]] std::vector<double> amounts_of(const Pose& pose) const {
    std::vector<double> amounts;
    for (const Shape& shape : shapes_) {
      const std::vector<double>& of_node = pose.amounts[deformer_.instances()[shape.instance].node];
      amounts.push_back(shape.index < of_node.size() ? of_node[shape.index] : 0);
    }
    return amounts;
  }

  [[nodiscard]] Result<> add_worlds(const Pose& pose, std::vector<double>& out) const {
    auto worlds = columns_.worlds(pose);
    if (!worlds) return Unexpected(std::move(worlds.error()));
    for (const Affine& world : *worlds) add_matrix(world, out);
    return {};
  }

  /// Row by row, with the row 0 … 0 1 at the end.
  static void add_matrix(const Affine& map, std::vector<double>& out) {
    const std::size_t n = map.dimension();
    for (std::size_t row = 0; row < n; ++row)
      for (std::size_t column = 0; column <= n; ++column) out.push_back(map.values()[column * n + row]);
    out.insert(out.end(), n, 0.0);
    out.push_back(1);
  }

  const Model& model_;
  const ExtractOptions& options_;
  deform::SceneDeformer deformer_;
  RigColumns columns_;
  std::vector<Shape> shapes_;
};

}  // namespace

Result<Extracted> extract(const Model& model, const std::filesystem::path& to, const ExtractOptions& options) SINEW_TRY {
  if (auto defect = closure_defect(model, options.scene)) return Unexpected(std::move(*defect));
  auto deformer = deform::SceneDeformer::create(model, need(instances(model, options.scene)), {});
  if (!deformer) return Unexpected(std::move(deformer.error()));
  return Extractor(model, options, std::move(*deformer)).run(to);
}
SINEW_CATCH(place_of(model))

}  // namespace sinew::operations

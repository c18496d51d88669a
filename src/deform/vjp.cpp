// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/catalogue.hpp"
#include "base/message.hpp"
#include "base/parallel.hpp"
#include "deform/batch.hpp"
#include "deform/blend.hpp"
#include "deform/each_pose.hpp"
#include "deform/packed.hpp"
#include "kernels/maps.hpp"
#include "math/dimension.hpp"
#include "model/relative.hpp"

// Gradients of affine maps are stored as the maps of the kernels (kernels/maps.hpp). The last row of a map is constant, so its gradient has
// none. For P = A · B with gradient G of P, the gradient of A is G · Bᵀ with B's last row 0 … 0 1, and that of B is Lᵀ · G with A's linear
// part L.

namespace sinew::deform {

namespace {

/// Poses of which the palettes are kept at a time, for the gradient of the stored positions.
constexpr std::size_t poses_together = 64;

/// out += g · bᵀ
template <class D>
void add_times_transposed(D n, const double* g, const double* b, double* out) {
  const std::size_t stride = kernels::column_stride(n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k <= n; ++k)
      for (std::size_t i = 0; i < n; ++i) out[j * stride + i] += g[k * stride + i] * b[k * stride + j];
  for (std::size_t i = 0; i < n; ++i) out[n * stride + i] += g[n * stride + i];
}

/// out += Lᵀ · g, with the linear part L of `a`.
template <class D>
void add_transposed_times(D n, const double* a, const double* g, double* out) {
  const std::size_t stride = kernels::column_stride(n);
  for (std::size_t j = 0; j <= n; ++j)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) out[j * stride + i] += a[i * stride + k] * g[j * stride + k];
}

/// Calls use(slot, weight) for what moves a vertex.
template <class Use>
void for_each_influence(const Prepared::Packed& packed, const PackedBlock& block, std::size_t vertex, Use use) {
  if (!block.skinned) return use(packed.slots, 1.0);
  for (std::uint32_t i = block.row_first[vertex]; i < block.row_first[vertex + 1]; ++i)
    use(std::size_t{block.slot[i]}, block.influences().weight_as<double>(i));
}

/// out += (Σ weight · L)ᵀ · gradient, for one vertex.
template <class D>
void pull_vertex(D n, const Prepared::Packed& packed, const PackedBlock& block, std::size_t vertex, const double* maps,
                 const float* gradient, double* out) {
  const std::size_t stride = kernels::column_stride(n);
  for_each_influence(packed, block, vertex, [&](std::size_t slot, double weight) {
    const double* map = maps + slot * kernels::map_stride(n);
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += map[j * stride + i] * gradient[i];
      out[j] += weight * sum;
    }
  });
}

/// Adds weight · gradient · (position, 1)ᵀ to the gradient of each map that moves a vertex.
template <class D>
void pull_maps(D n, const Prepared::Packed& packed, const PackedBlock& block, std::size_t vertex, const double* position,
               const float* gradient, double* of_maps) {
  const std::size_t stride = kernels::column_stride(n);
  for_each_influence(packed, block, vertex, [&](std::size_t slot, double weight) {
    double* const map = of_maps + slot * kernels::map_stride(n);
    for (std::size_t j = 0; j <= n; ++j) {
      const double by = weight * (j < n ? position[j] : 1.0);
      for (std::size_t i = 0; i < n; ++i) map[j * stride + i] += by * static_cast<double>(gradient[i]);
    }
  });
}

/// Σ offset · of_vertices over the rows that a shape moves.
double pull_amount(const PackedOffsets& offsets, std::size_t width, std::span<const double> of_vertices) {
  double sum = 0;
  const std::size_t rows = offsets.values.size() / width;
  for (std::size_t row = 0; row < rows; ++row) {
    const double* gradient = &of_vertices[(offsets.sparse ? offsets.rows[row] : row) * width];
    for (std::size_t i = 0; i < width; ++i) sum += static_cast<double>(offsets.values[row * width + i]) * gradient[i];
  }
  return sum;
}

}  // namespace

/// The memory of one thread, and its way back from the gradient of the positions at one pose.
struct Batch::Pullback {
  const Batch* batch;
  std::span<const float> gradient;
  Gradients out;
  std::span<double> palettes;  ///< of the poses worked on together: all maps; empty if not wanted
  std::size_t first = 0;       ///< the pose that `palettes` begins with
  Posed posed;
  AlignedVector<double> of_maps, of_worlds;
  std::vector<double> positions, of_vertices;

  [[nodiscard]] const SceneDeformer& scene() const { return *batch->scene_; }
  [[nodiscard]] const Rig& rig() const { return *scene().rig_; }
  [[nodiscard]] std::size_t dimension() const { return scene().model_->dimension; }

  Result<> run(std::size_t i);
  Result<> check(std::size_t i) const;
  void pull_instance(std::size_t i, std::size_t instance, const double* maps);
  void pull_skeleton(std::size_t instance);
  void pull_hierarchy();
  void write(std::size_t i) const;
};

Result<> Batch::Pullback::check(std::size_t i) const {
  const std::size_t n = dimension(), size = scene().vertices() * n;
  const auto own = gradient.subspan(i * size, size);
  const auto bad = std::ranges::find_if_not(own, [](float value) { return std::isfinite(value); });
  if (bad == own.end()) return {};
  return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {},
                          format_text("gradient: pose {}, vertex {}: found {}, expected finite numbers", i,
                                      static_cast<std::size_t>(bad - own.begin()) / n, *bad)));
}

Result<> Batch::Pullback::run(std::size_t i) {
  const std::size_t stride = kernels::map_stride(dimension());
  if (auto finite = check(i); !finite) return finite;
  if (auto done = batch->set(i, posed); !done) return done;
  of_worlds.assign(rig().steps().size() * stride, 0.0);
  if (!out.amounts.empty()) std::ranges::fill(out.amounts.subspan(i * batch->reader_.amounts(), batch->reader_.amounts()), 0.0);
  for (std::size_t instance = 0; instance < scene().instances_.size(); ++instance) {
    if (auto made = scene().make_palette(instance, posed.scratch); !made) return made;
    const std::span<const double> maps = posed.scratch.palette.columns<double>();
    if (!palettes.empty()) std::ranges::copy(maps, &palettes[((i - first) * batch->maps() + batch->first_map_[instance]) * stride]);
    if (out.matrices.empty() && out.amounts.empty()) continue;
    of_maps.assign(maps.size(), 0.0);
    pull_instance(i, instance, maps.data());
    pull_skeleton(instance);
  }
  if (out.matrices.empty()) return {};
  if (!batch->reader_.in_world()) pull_hierarchy();
  write(i);
  return {};
}

/// Fills `of_maps` and the gradients of the amounts.
void Batch::Pullback::pull_instance(std::size_t i, std::size_t instance, const double* maps) {
  const Prepared::Packed& packed = scene().prepared_[instance].packed();
  const Index node = scene().instances_[instance].node;
  const std::vector<double>& amounts = posed.pose.amounts[node];
  const std::size_t first_amount = i * batch->reader_.amounts() + batch->reader_.first_amount(node);
  with_dimension(dimension(), [&](auto n) {
    for (const PackedBlock& block : packed.blocks) {
      if (block.positions.empty()) continue;
      const float* const rows = &gradient[(i * scene().vertices() + scene().first_[instance] + block.first) * n];
      const bool moved = !out.amounts.empty() && !block.positions.offsets.empty();
      positions.resize(block.vertices * n);
      blended(block.positions, amounts, 0, block.vertices, positions.data());
      if (moved) of_vertices.assign(block.vertices * n, 0.0);
      for (std::size_t vertex = 0; vertex < block.vertices; ++vertex) {
        pull_maps(n, packed, block, vertex, &positions[vertex * n], rows + vertex * n, of_maps.data());
        if (moved) pull_vertex(n, packed, block, vertex, maps, rows + vertex * n, &of_vertices[vertex * n]);
      }
      for (const PackedOffsets& offsets : block.positions.offsets)
        if (moved && offsets.shape < amounts.size()) out.amounts[first_amount + offsets.shape] += pull_amount(offsets, n, of_vertices);
    }
  });
}

/// From the palette of an instance to the world transforms. A slot's map is world · bind, or where the stored pose is the bind pose
/// (Skin::Bind::skeleton_pose) M · world · bind, with M = W · C · F⁻¹ of the mesh's node W and the skeleton's node F, and a constant C.
void Batch::Pullback::pull_skeleton(std::size_t instance) {
  const Instance& drawn = scene().instances_[instance];
  const Model& model = *scene().model_;
  const std::uint32_t node = rig().place(drawn.node);
  std::uint32_t frame = Rig::nowhere;
  std::optional<Affine> frame_from_world, mesh_from_world;  // F⁻¹, C · F⁻¹
  const auto world_at = [&](std::uint32_t place) {
    return &posed.scratch.world[(place + std::size_t{1}) * kernels::map_stride(dimension())];
  };
  if (drawn.skin != none && model.skins[drawn.skin].bind == Skin::Bind::skeleton_pose && model.skins[drawn.skin].frame != none) {
    const Index from = model.skins[drawn.skin].frame;
    frame = rig().place(from);
    frame_from_world = inverse(kernels::affine_at(dimension(), world_at(frame)));
    const auto mesh_from_frame = relative_transform(model, model.rest_pose, rig().rest_world(), drawn.node, from);
    if (frame_from_world && mesh_from_frame) mesh_from_world = *mesh_from_frame * *frame_from_world;
  }
  with_dimension(dimension(), [&](auto n) {
    const std::size_t stride = kernels::map_stride(n);
    std::vector<double> moves(stride), to_mesh(stride), of_moves(stride), bind(stride), joint(stride), gradient_of(stride);
    if (mesh_from_world) {
      kernels::store(*mesh_from_world, to_mesh.data());
      kernels::multiply(n, world_at(node), to_mesh.data(), moves.data());
    }
    const Rig::Bound& bound = rig().bound(instance);
    for (std::size_t slot = 0; slot < bound.slots.size(); ++slot) {
      const auto [place, number] = bound.slots[slot];
      if (place == Rig::nowhere) continue;
      kernels::store(rig().bind_matrix(number), bind.data());
      const double* const of_map = &of_maps[slot * stride];
      double* const of_world = &of_worlds[place * stride];
      if (!mesh_from_world || number == Rig::nowhere) {
        add_times_transposed(n, of_map, bind.data(), of_world);
        continue;
      }
      std::ranges::fill(gradient_of, 0.0);
      add_times_transposed(n, of_map, bind.data(), gradient_of.data());
      add_transposed_times(n, moves.data(), gradient_of.data(), of_world);
      kernels::multiply(n, world_at(place), bind.data(), joint.data());
      add_times_transposed(n, of_map, joint.data(), of_moves.data());
    }
    if (!mesh_from_world) return;
    add_times_transposed(n, of_moves.data(), to_mesh.data(), &of_worlds[node * stride]);
    // d(F⁻¹) = −F⁻¹ · dF · F⁻¹, so dM = −M · dF · F⁻¹.
    std::ranges::fill(gradient_of, 0.0);
    std::vector<double> of_frame(stride), to_frame(stride);
    kernels::store(*frame_from_world, to_frame.data());
    add_times_transposed(n, of_moves.data(), to_frame.data(), gradient_of.data());
    add_transposed_times(n, moves.data(), gradient_of.data(), of_frame.data());
    for (std::size_t k = 0; k < stride; ++k) of_worlds[frame * stride + k] -= of_frame[k];
  });
}

/// From world transforms to local ones, children first: W_child = W_parent · L_child.
void Batch::Pullback::pull_hierarchy() {
  with_dimension(dimension(), [&](auto n) {
    const std::size_t stride = kernels::map_stride(n);
    const AlignedVector<double>&locals = posed.scratch.locals, &world = posed.scratch.world;
    std::vector<double> of_local(stride);
    for (std::size_t step = rig().steps().size(); step-- > 0;) {
      const std::uint32_t parent = rig().steps()[step].parent;
      if (parent == Rig::nowhere) continue;
      double* const of_world = &of_worlds[step * stride];
      add_times_transposed(n, of_world, &locals[(step + 1) * stride], &of_worlds[parent * stride]);
      std::ranges::fill(of_local, 0.0);
      add_transposed_times(n, &world[(parent + std::size_t{1}) * stride], of_world, of_local.data());
      std::ranges::copy(of_local, of_world);
    }
  });
}

void Batch::Pullback::write(std::size_t i) const {
  const std::size_t n = dimension(), stride = kernels::column_stride(n), size = (n + 1) * (n + 1);
  const std::size_t nodes = scene().model_->nodes.size();
  const auto own = out.matrices.subspan(i * nodes * size, nodes * size);
  std::ranges::fill(own, 0.0);
  for (std::size_t step = 0; step < rig().steps().size(); ++step)
    for (std::size_t row = 0; row < n; ++row)
      for (std::size_t column = 0; column <= n; ++column)
        own[rig().steps()[step].node * size + row * (n + 1) + column] = of_worlds[step * kernels::map_stride(n) + column * stride + row];
}

Result<> Batch::vjp(std::span<const float> gradient, const Gradients& out, unsigned threads) const {
  const std::size_t stride = kernels::map_stride(scene_->model_->dimension), count = reader_.arrays().poses;
  std::ranges::fill(out.rest_positions, 0.0);
  std::vector<double> palettes(out.rest_positions.empty() ? 0 : std::min(poses_together, count) * maps() * stride);
  for (std::size_t first = 0; first < count; first += poses_together) {
    const std::size_t size = std::min(poses_together, count - first);
    const auto make = [&] { return Pullback{this, gradient, out, palettes, first, memory(), {}, {}, {}, {}}; };
    const auto pull = [first](std::size_t i, Pullback& back, unsigned) { return back.run(first + i); };
    if (auto done = each_pose(size, scene_->vertices(), threads, make, pull); !done) return done;
    pull_rest(first, size, gradient, palettes, out.rest_positions, threads);
  }
  return {};
}

/// Adds the gradients of the stored positions for poses [first, first + count). Each vertex takes the poses in order.
void Batch::pull_rest(std::size_t first, std::size_t count, std::span<const float> gradient, std::span<const double> palettes,
                      std::span<double> out, unsigned threads) const {
  const std::size_t width = scene_->model_->dimension, stride = kernels::map_stride(width), vertices = scene_->vertices();
  for (std::size_t instance = 0; !out.empty() && instance < scene_->instances_.size(); ++instance) {
    const Prepared::Packed& packed = scene_->prepared_[instance].packed();
    const auto pull = [&](const PackedBlock& block, std::size_t vertex) {
      const std::size_t row = scene_->first_[instance] + block.first + vertex;
      with_dimension(width, [&](auto n) {
        for (std::size_t i = 0; i < count; ++i)
          pull_vertex(n, packed, block, vertex, &palettes[(i * maps() + first_map_[instance]) * stride],
                      &gradient[((first + i) * vertices + row) * n], &out[row * n]);
      });
    };
    parallel_for(packed.vertices, grain, threads_for(packed.vertices * count, threads), [&](std::size_t begin, std::size_t end) {
      for (const PackedBlock& block : packed.blocks)
        for (std::size_t v = std::max(begin, block.first); v < std::min(end, block.first + block.vertices); ++v)
          pull(block, v - block.first);
    });
  }
}

}  // namespace sinew::deform

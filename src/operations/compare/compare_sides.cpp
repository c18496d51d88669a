// SPDX-License-Identifier: MIT
#include "operations/compare/compare_sides.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "base/guard.hpp"
#include "deform/packed.hpp"
#include "math/rotation_scale.hpp"

#include "sinew/animate.hpp"

namespace sinew::operations {

namespace {

/// The number of shapes that are prepared together, and the least number of shapes of a mesh for doing so.
constexpr Index few = 64, many = 1024;

/// Returns the positions of a mesh at these amounts with the shapes [first, first + few).
Mesh positions_with_few(const Mesh& mesh, Index first, std::span<const double> amounts) {
  Mesh part;
  part.name = mesh.name;
  part.shapes.resize(few);
  for (const VertexBlock& block : mesh.blocks) {
    VertexBlock& kept = part.blocks.emplace_back();
    kept.vertices = block.vertices;
    kept.influences = block.influences;
    const Attribute* positions = find_attribute(block.attributes, Semantic::position);
    if (positions == nullptr) continue;
    const bool still = std::ranges::all_of(amounts, [](double amount) { return amount == 0; });
    Array values = still ? positions->values : Array::own(need(deform::blend_attribute(*positions, amounts)), positions->values.width());
    kept.attributes.push_back({positions->semantic, positions->set, positions->custom, std::move(values), positions->index, {}});
    for (const Offsets& offsets : positions->offsets)
      if (offsets.shape >= first && offsets.shape - first < few)
        kept.attributes.back().offsets.emplace_back(offsets).shape = offsets.shape - first;
  }
  return part;
}

}  // namespace

void stress(std::size_t dimension, const std::array<Index, 2>& plane, LocalTransform& local) {
  const Affine before = affine_of(dimension, local);
  const std::size_t linear = dimension * dimension;
  local.rotor.clear();
  local.scale.clear();
  local.basis.assign(before.values().first(linear));
  const double part = std::sqrt(0.5);  // cosine and sine of 45°
  for (std::size_t column = 0; column < linear; column += dimension) {
    double &from = local.basis[column + plane[0]], &to = local.basis[column + plane[1]];
    const double x = from, y = to;
    from = part * (x - y);
    to = part * (x + y);
  }
}

std::vector<bool> used_slots(const deform::Prepared& prepared) {
  const deform::Prepared::Packed& packed = prepared.packed();
  std::vector<bool> used(packed.slots + 1);
  for (const deform::PackedBlock& block : packed.blocks) {
    if (!block.skinned && block.vertices != 0) used[packed.slots] = true;
    for (std::size_t i = 0; i < block.slot.size(); ++i)
      if (block.weight[i] != 0) used[block.slot[i]] = true;
  }
  return used;
}

// The rig uses no SIMD: with fused multiply-add, a map could be another one next to it, and a comparison of a file with its copy in
// another order of operations would no longer find exactly 0.
Side::Side(const Model& model, deform::SceneDeformer deformer, unsigned threads)
    : model_(&model),
      deformer_(std::move(deformer)),
      rig_(std::make_shared<const deform::Rig>(model, deformer_.instances(), nullptr)),
      threads_(threads),
      locals_(rig_->table()),
      world_(locals_),
      few_(deformer_.instances().size()) {
  share_palettes();
}

// A slot without a node, or a skeleton that follows the mesh's node, makes the maps of a skin depend on the instance.
void Side::share_palettes() {
  constexpr std::size_t unmet = static_cast<std::size_t>(-1);
  std::vector<std::size_t> first(model_->skins.size(), unmet);  // the first instance of each skin
  std::vector<std::uint32_t> number(model_->skins.size(), unshared);
  shared_by_.assign(instances().size(), unshared);
  for (std::size_t i = 0; i < instances().size(); ++i) {
    const Index index = instances()[i].skin;
    if (index == none || instances()[i].copy != 0) continue;
    const Skin& skin = model_->skins[index];
    if (skin.bind == Skin::Bind::skeleton_pose || std::ranges::find(skin.slots, none) != skin.slots.end()) continue;
    if (used_slots(prepared(i))[skin.slots.size()]) continue;
    if (first[index] == unmet) {
      first[index] = i;
      continue;
    }
    if (number[index] == unshared) {
      number[index] = static_cast<std::uint32_t>(shared_.size());
      shared_.emplace_back();
    }
    shared_by_[i] = shared_by_[first[index]] = number[index];
  }
}

Result<Side> Side::create(const Model& model, Index scene, unsigned threads) {
  if (auto defect = closure_defect(model, scene)) return Unexpected(std::move(*defect));
  auto deformer = deform::SceneDeformer::create(model, need(sinew::instances(model, scene)), {});
  if (!deformer) return Unexpected(std::move(deformer.error()));
  return Side(model, std::move(*deformer), threads);
}

std::vector<Index> Side::moving_joints() const {
  std::vector<Index> joints;
  for (std::size_t i = 0; i < instances().size(); ++i) {
    if (instances()[i].skin == none) continue;
    const std::vector<Index>& slots = model_->skins[instances()[i].skin].slots;
    const std::vector<bool> used = used_slots(prepared(i));
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
      if (used[slot] && slots[slot] != none) joints.push_back(slots[slot]);
  }
  return joints;
}

void Side::pose_at(const Moment& moment, const std::vector<HiddenAxis>& shown) {
  const bool shapes_alone = moment.kind == Part::Kind::shape && !shown_.empty();  // the rest of the pose is unchanged
  if (!shapes_alone) pose_ = model_->rest_pose;
  if (moment.kind == Part::Kind::clip) need(animate::sample(*model_, model_->clips[moment.clip], moment.seconds, pose_));
  if (!shapes_alone) show(shown, model_->dimension, pose_.locals);
  if (moment.unblended)
    for (std::size_t i = 0; i < instances().size(); ++i) pose_.amounts[instances()[i].node] = base_amounts(i);
  if (moment.kind == Part::Kind::stress)
    for (const Index node : stressed_) stress(model_->dimension, moment.plane, pose_.locals[node]);
  for (std::size_t i = 0; i < moment.shapes.size(); ++i) {
    std::vector<double>& amounts = pose_.amounts[instances()[i].node];
    if (!shapes_alone)
      amounts = base_amounts(i);
    else if (shown_[i] != none)
      amounts[shown_[i]] -= 1;
  }
  for (std::size_t i = 0; i < moment.shapes.size(); ++i)
    if (moment.shapes[i] != none) pose_.amounts[instances()[i].node][moment.shapes[i]] += 1;
  if (!shapes_alone) {
    rig_->locals(pose_, locals_);
    rig_->world(locals_, world_);
    palette_of_ = no_instance;
    for (SharedPalette& shared : shared_) shared.known = false;
  }
  shown_ = moment.shapes;
}

bool Side::own_map_fits(std::size_t instance) const {
  const std::size_t stride = kernels::map_stride(model_->dimension);
  const double* const map = world_.data() + rig_->bound(instance).products.back().left * stride;
  return std::all_of(map, map + stride, [](double value) { return std::abs(value) <= std::numeric_limits<float>::max(); });
}

const deform::Palette* Side::palette_of(std::size_t instance) {
  const auto make = [&](deform::Palette& out) { return rig_->palette(instance, locals_, world_, out).has_value(); };
  if (shared_by_[instance] == unshared) {
    if (palette_of_ == instance) return &palette_;
    const bool exists = make(palette_);
    palette_of_ = exists ? instance : no_instance;
    return exists ? &palette_ : nullptr;
  }
  SharedPalette& shared = shared_[shared_by_[instance]];
  if (!own_map_fits(instance)) return nullptr;
  if (!shared.known) shared.exists = make(shared.palette);
  shared.known = true;
  return shared.exists ? &shared.palette : nullptr;
}

const Side::FewShapes* Side::few_shapes(std::size_t instance, Index shape) {
  std::optional<FewShapes>& made = few_[instance];
  const Index first = shape / few * few;
  if (made && made->first == first) return &*made;
  auto prepared =
      deform::prepare(positions_with_few(mesh(instance), first, base_amounts(instance)), model_->dimension, prepare_options(instance));
  if (!prepared) return nullptr;
  made.emplace(FewShapes{first, std::move(*prepared)});
  return &*made;
}

deform::PrepareOptions Side::prepare_options(std::size_t instance) const {
  const Index skin = instances()[instance].skin;
  deform::PrepareOptions options;
  options.skinned = skin != none;
  options.slots = options.skinned ? model_->skins[skin].slots.size() : 0;
  return options;
}

std::vector<float> Side::normals_at_rest(std::size_t instance) const {
  std::vector<float> normals(vertices(instance) * model_->dimension, std::numeric_limits<float>::quiet_NaN());
  deform::PrepareOptions options = prepare_options(instance);
  options.normals = true;
  const auto prepared = deform::prepare(mesh(instance), model_->dimension, options);
  deform::Palette palette;
  if (!prepared || !deform::palette(*model_, instances()[instance], rest_world(), rest_world(), palette)) return normals;
  const deform::Output out{{}, strided_view<float>(normals.data(), vertices(instance), model_->dimension), {}};
  deform::run_parallel(*prepared, palette, model_->rest_pose.amounts[instances()[instance].node], out, threads_);
  return normals;
}

std::optional<std::span<const float>> Side::rows(std::size_t instance) {
  const std::size_t count = vertices(instance), width = model_->dimension;
  const deform::Palette* const palette = palette_of(instance);
  if (palette == nullptr) return std::nullopt;
  if (rows_.size() < count * width) rows_.resize(count * width);  // never shrinks: growing fills with zeros
  const deform::Output out{strided_view<float>(rows_.data(), count, width), {}, {}};
  const Index shape = shown_.empty() || mesh(instance).shapes.size() < many ? none : shown_[instance];
  if (const FewShapes* one = shape == none ? nullptr : few_shapes(instance, shape)) {
    std::array<double, few> amounts{};
    amounts[shape - one->first] = 1;
    deform::run_parallel(one->prepared, *palette, amounts, out, threads_);
  } else {
    deform::run_parallel(deformer_.prepared(instance), *palette, pose_.amounts[instances()[instance].node], out, threads_);
  }
  return std::span<const float>(rows_).first(count * width);
}

bool Side::moves_like(std::size_t instance, Side& other, std::size_t instance_of_other) {
  const deform::Palette *const own = palette_of(instance), *const others = other.palette_of(instance_of_other);
  return own != nullptr && others != nullptr && std::ranges::equal(own->columns<double>(), others->columns<double>()) &&
         pose_.amounts[instances()[instance].node] == other.pose_.amounts[other.instances()[instance_of_other].node];
}

bool has_shear(const Model& model, Index node) {
  const std::size_t n = model.dimension;
  return sinew::is_sheared(n, affine_of(n, model.rest_pose.locals[node]).values().first(n * n));
}

std::vector<double> moments_of(const Clip& a, const Clip& b) {
  std::vector<double> times;
  std::size_t known = 0;  // number of sorted unique times at the start of the list
  const auto unify = [&] {
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    known = times.size();
  };
  std::set<std::pair<const std::byte*, std::size_t>> read;  // most tracks of a clip share their keys
  for (const Clip* clip : {&a, &b})
    for (const Track& track : clip->tracks) {
      if (!read.emplace(track.times.data(), track.times.size()).second) continue;
      const std::vector<double> keys = track.times.read<double>();
      times.insert(times.end(), keys.begin(), keys.end());
      if (times.size() > 2 * known + keys.size()) unify();
    }
  unify();
  // Between neighbouring numbers in float32 there is no time: repair stores a jump as two such keys.
  for (std::size_t i = 0; i + 1 < known; ++i) {
    const double middle = times[i] + (times[i + 1] - times[i]) / 2;
    const auto stored = static_cast<float>(middle);
    if (stored != static_cast<float>(times[i]) && stored != static_cast<float>(times[i + 1])) times.push_back(middle);
  }
  std::ranges::sort(times);
  return times;
}

}  // namespace sinew::operations

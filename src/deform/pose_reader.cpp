// SPDX-License-Identifier: MIT
#include "deform/pose_reader.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/catalogue.hpp"
#include "base/message.hpp"
#include "kernels/maps.hpp"

#include "sinew/geometry.hpp"

namespace sinew::deform {

namespace {

constexpr double last_row_tolerance = 1e-6;  // what products and inverses in float32 leave

Unexpected usage(std::string message) { return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, message)); }

std::size_t matrix_size(std::size_t n) { return (n + 1) * (n + 1); }

/// The numbers of one node in an array (poses, nodes, width).
std::span<const double> part(std::span<const double> all, std::size_t nodes, std::size_t width, std::size_t pose, std::size_t node) {
  return all.subspan((pose * nodes + node) * width, width);
}

}  // namespace

PoseReader::PoseReader(const Model& model, const PoseArrays& arrays) : model_(&model), arrays_(arrays), first_amount_{0} {
  for (const std::vector<double>& amounts : model.rest_pose.amounts) first_amount_.push_back(first_amount_.back() + amounts.size());
}

Result<PoseReader> PoseReader::create(const Model& model, const PoseArrays& arrays) {
  PoseReader reader(model, arrays);
  const std::size_t n = model.dimension, nodes = model.nodes.size();
  const bool parts = !arrays.translation.empty() || !arrays.rotor.empty() || !arrays.scale.empty();
  if (int{!arrays.local.empty()} + int{!arrays.world.empty()} + int{parts} > 1)
    return usage("poses: found several of local, world, and translation, rotor or scale; expected one of them");
  Result<> fits;
  const auto check = [&](std::span<const double> array, std::size_t count, std::size_t width, std::string_view what, std::string_view of) {
    const std::size_t size = count * width;
    if (!fits || array.empty() || (size != 0 && array.size() % size == 0 && array.size() / size == arrays.poses)) return;
    fits = usage(format_text("{}: found {} numbers, expected {} poses of {} {} of {}", what, array.size(), arrays.poses, count, of, width));
  };
  check(arrays.local, nodes, matrix_size(n), "local", "nodes");
  check(arrays.world, nodes, matrix_size(n), "world", "nodes");
  check(arrays.translation, nodes, n, "translation", "nodes");
  check(arrays.rotor, nodes, rotor_size(n), "rotor", "nodes");
  check(arrays.scale, nodes, n, "scale", "nodes");
  check(arrays.amounts, reader.amounts(), 1, "amounts", "blend shapes");
  if (!fits) return Unexpected(std::move(fits.error()));
  return reader;
}

Unexpected PoseReader::refuse(std::size_t pose, Index node, std::string_view what, std::string_view found) const {
  return usage(format_text("{}: pose {}, node {} \"{}\": {}", what, pose, node, model_->nodes[node].name, found));
}

Result<> PoseReader::check_finite(std::size_t pose, std::span<const double> all, std::size_t per_node, std::string_view what) const {
  const std::span<const double> own =
      all.empty() ? all : all.subspan(pose * model_->nodes.size() * per_node, model_->nodes.size() * per_node);
  const auto bad = std::ranges::find_if_not(own, [](double value) { return std::isfinite(value); });
  if (bad == own.end()) return {};
  const auto node = static_cast<Index>(static_cast<std::size_t>(bad - own.begin()) / per_node);
  return refuse(pose, node, what, format_text("found {}, expected finite numbers", *bad));
}

Result<> PoseReader::read_amounts(std::size_t pose, Pose& out) const {
  if (arrays_.amounts.empty()) return {};
  const std::span<const double> own = arrays_.amounts.subspan(pose * amounts(), amounts());
  for (std::size_t i = 0; i < own.size(); ++i)
    if (!std::isfinite(own[i]))
      return usage(format_text("amounts: pose {}, blend shape {}: found {}, expected a finite number", pose, i, own[i]));
  for (std::size_t node = 0; node < out.amounts.size(); ++node)
    std::ranges::copy(own.subspan(first_amount_[node], out.amounts[node].size()), out.amounts[node].begin());
  return {};
}

Result<> PoseReader::read_matrices(std::size_t pose, std::span<const Rig::Step> steps, double* maps) const {
  const std::size_t n = model_->dimension, size = matrix_size(n), nodes = model_->nodes.size(), stride = kernels::column_stride(n);
  const std::span<const double> all = in_world() ? arrays_.world : arrays_.local;
  const std::string_view what = in_world() ? "world" : "local";
  if (auto finite = check_finite(pose, all, size, what); !finite) return finite;
  for (Index node = 0; node < nodes; ++node) {
    const std::span<const double> last = part(all, nodes, size, pose, node).subspan(n * (n + 1));
    for (std::size_t j = 0; j <= n; ++j)
      if (std::abs(last[j] - (j == n ? 1 : 0)) > last_row_tolerance)
        return refuse(
            pose, node, what,
            format_text("the last row of the matrix is {}, expected 0 … 0 1; matrices act on column vectors", join_text(last, " ")));
  }
  for (const Rig::Step& step : steps) {
    const std::span<const double> rows = part(all, nodes, size, pose, step.node);
    for (std::size_t j = 0; j <= n; ++j)
      for (std::size_t i = 0; i < stride; ++i) maps[j * stride + i] = i < n ? rows[i * (n + 1) + j] : 0;
    maps += kernels::map_stride(n);
  }
  return {};
}

/// Sets translation, rotation and scale as an edit of a pose does.
Result<> PoseReader::set_parts(std::size_t pose, Index node, LocalTransform& out) const {
  const std::size_t n = model_->dimension, nodes = model_->nodes.size();
  if (!arrays_.translation.empty()) out.translation.assign(part(arrays_.translation, nodes, n, pose, node));
  if (!arrays_.scale.empty()) out.scale.assign(part(arrays_.scale, nodes, n, pose, node));
  if (arrays_.rotor.empty()) return {};
  const std::span<const double> rotor = part(arrays_.rotor, nodes, rotor_size(n), pose, node);
  out.rotor.assign(rotor);
  const bool zero = std::ranges::all_of(rotor, [](double value) { return value == 0; });
  if (zero || (model_->normalizes_rotors() && !normalize_rotor(out.rotor)))
    return refuse(pose, node, "rotor", "found a length of 0, expected a rotation");
  return {};
}

Result<> PoseReader::read_locals(std::size_t pose, std::span<const Rig::Step> steps, Pose& out) const {
  const std::size_t n = model_->dimension;
  if (auto finite = check_finite(pose, arrays_.translation, n, "translation"); !finite) return finite;
  if (auto finite = check_finite(pose, arrays_.rotor, rotor_size(n), "rotor"); !finite) return finite;
  if (auto finite = check_finite(pose, arrays_.scale, n, "scale"); !finite) return finite;
  for (const Rig::Step& step : steps) {
    LocalTransform& local = out.locals[step.node];
    const LocalTransform& rest = model_->rest_pose.locals[step.node];
    if (rest.basis.empty()) {
      if (auto done = set_parts(pose, step.node, local); !done) return done;
      continue;
    }
    PoseEdit edit;
    NodeEdit& change = edit.nodes.emplace_back();
    change.node = step.node;
    if (auto done = set_parts(pose, step.node, change.local); !done) return done;
    local = rest;
    if (auto done = apply(edit, *model_, out); !done) return done;
  }
  return {};
}

}  // namespace sinew::deform

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "deformer.hpp"

#include "sinew/animate.hpp"
#include "sinew/geometry.hpp"

// Many poses as arrays.

namespace python {

namespace {

constexpr std::array<const char*, 7> keys{"local", "world", "translation", "rotation", "rotor", "scale", "amounts"};

std::size_t amounts_of(const sinew::Model& model) {
  std::size_t count = 0;
  for (const std::vector<double>& amounts : model.rest().amounts) count += amounts.size();
  return count;
}

std::vector<py::ssize_t> shape_of_pose(const sinew::Model& model, std::string_view key) {
  const py::ssize_t n = size_of(model.dimension), nodes = size_of(model.nodes.size());
  if (key == "amounts") return {size_of(amounts_of(model))};
  if (key == "local" || key == "world") return {nodes, n + 1, n + 1};
  if (key == "rotation") return {nodes, 4};
  return {nodes, key == "rotor" ? size_of(sinew::rotor_size(model.dimension)) : n};
}

/// Checks the shape (poses, …); `poses` below 0: any number.
Doubles given(const sinew::Model& model, const py::object& values, const std::string& key, py::ssize_t poses) {
  const py::object converted = as_numpy(values, key);
  Doubles array = real_numbers(converted);
  if (!array) raise_usage(fmt::format("{}: expected an array of real numbers, found {}", key, std::string(py::str(py::type::of(values)))));
  std::vector<py::ssize_t> expected = shape_of_pose(model, key);
  const std::vector<py::ssize_t> found(array.shape(), array.shape() + array.ndim());
  const bool same = found.size() == expected.size() + 1 && std::equal(expected.begin(), expected.end(), found.begin() + 1);
  if (same && (poses < 0 || found[0] == poses)) return array;
  const std::string first = poses < 0 ? "poses" : std::to_string(poses);
  raise_usage(fmt::format("{}: expected the shape ({}, {}), found {}", key, first, fmt::join(expected, ", "), shape_text(found)));
}

/// Converts glTF's quaternions to rotors.
Doubles rotors(const Doubles& quaternions) {
  Doubles out(std::vector<py::ssize_t>(quaternions.shape(), quaternions.shape() + 3));
  for (py::ssize_t i = 0; i < quaternions.size(); i += 4) {
    const auto rotor = sinew::rotor_from_quaternion(std::span<const double, 4>(quaternions.data() + i, 4));
    std::copy(rotor.begin(), rotor.end(), out.mutable_data() + i);
  }
  return out;
}

std::span<const double> all(const Doubles& array) { return {array.data(), static_cast<std::size_t>(array.size())}; }

void set_numbers(sinew::PoseArrays& arrays, std::string_view key, std::span<const double> numbers) {
  (key == "local"         ? arrays.local
   : key == "world"       ? arrays.world
   : key == "translation" ? arrays.translation
   : key == "scale"       ? arrays.scale
   : key == "amounts"     ? arrays.amounts
                          : arrays.rotor) = numbers;
}

/// Converts to (N+1, N+1), row by row.
void write_matrix(const sinew::Affine& map, double* out) {
  const std::size_t n = map.dimension();
  write_rows(map, out);
  out += n * (n + 1);
  std::fill_n(out, n, 0.0);
  out[n] = 1;
}

py::dict sample_many(const Loaded& loaded, const py::object& name, const std::optional<std::vector<double>>& wanted,
                     std::optional<double> fps, std::optional<std::int64_t> count, const std::string& space) {
  const sinew::Model& model = *loaded.model;
  const bool world = choice(space, "space", {"local", "world"}) == 1;
  const sinew::Index clip = clip_of(model, name);
  const std::vector<double> times = clip_times(model, clip, wanted, fps, count);
  const std::size_t n = model.dimension, size = (n + 1) * (n + 1);
  py::array_t<double> matrices({times.size(), model.nodes.size(), n + 1, n + 1}), amounts({times.size(), amounts_of(model)});
  double *matrix = matrices.mutable_data(), *amount = amounts.mutable_data();
  value_of(without_lock([&]() -> sinew::Result<> {
    sinew::Pose pose = model.rest();
    for (const double seconds : times) {
      if (auto done = sinew::animate::sample(model, model.clips[clip], seconds, pose); !done) return done;
      const auto worlds = world ? world_transforms(model, pose) : sinew::Result<std::vector<sinew::Affine>>();
      if (!worlds) return tl::unexpected(worlds.error());
      for (std::size_t node = 0; node < model.nodes.size(); ++node, matrix += size)
        write_matrix(world ? (*worlds)[node] : affine_of(n, pose.locals[node]), matrix);
      for (const std::vector<double>& own : pose.amounts) amount = std::copy(own.begin(), own.end(), amount);
    }
    return {};
  }));
  py::dict out;
  out[py::str(space)] = matrices;
  out["amounts"] = amounts;
  return out;
}

py::array palettes(Deformer& d, const py::object& poses, unsigned threads) {
  const GivenPoses given = given_poses(*d.deformer.model(), poses);
  const std::size_t wide = d.deformer.dimension() + 1, maps = d.deformer.palette_maps(), size = maps * wide * wide;
  py::array_t<double> out({given.arrays.poses, maps, wide, wide});
  double* const start = out.mutable_data();
  in_parts(d, given.arrays.poses, [&](std::size_t first, std::size_t count) {
    return d.deformer.palettes(given.arrays.part(first, count), std::span(start + first * size, count * size), threads);
  });
  return out;
}

py::dict vjp(Deformer& d, const py::object& poses, const py::object& grad_positions, bool rest_positions, unsigned threads) {
  const sinew::Model& model = *d.deformer.model();
  const GivenPoses given = given_poses(model, poses);
  const std::size_t count = given.arrays.poses, n = d.deformer.dimension(), vertices = d.deformer.vertices();
  using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;
  const py::object converted = as_numpy(grad_positions, "grad_positions");
  const auto any = py::array::ensure(converted);
  if (!any || std::string_view("iuf").find(any.dtype().kind()) == std::string_view::npos)
    raise_usage("grad_positions: expected an array of real numbers");
  const Floats gradient = Floats::ensure(any);
  const std::vector<py::ssize_t> found(gradient.shape(), gradient.shape() + gradient.ndim());
  const std::vector<py::ssize_t> expected{size_of(count), size_of(vertices), size_of(n)};
  if (found != expected)
    raise_usage(fmt::format("grad_positions: expected the shape {}, found {}", shape_text(expected), shape_text(found)));

  const std::size_t matrix_numbers = model.nodes.size() * (n + 1) * (n + 1), amount_numbers = amounts_of(model);
  py::array_t<double> matrices({count, model.nodes.size(), n + 1, n + 1}), amounts({count, amount_numbers});
  py::array_t<double> rest(std::vector<std::size_t>{vertices, n});
  const std::span<double> of_rest(rest.mutable_data(), rest_positions ? vertices * n : 0);
  std::ranges::fill(of_rest, 0.0);
  std::vector<double> part(of_rest.size());
  double *const of_matrices = matrices.mutable_data(), *const of_amounts = amounts.mutable_data();
  in_parts(d, count, [&](std::size_t first, std::size_t some) -> sinew::Result<> {
    const sinew::deform::Gradients out{
        {of_matrices + first * matrix_numbers, some * matrix_numbers}, {of_amounts + first * amount_numbers, some * amount_numbers}, part};
    const std::span<const float> of_positions(gradient.data() + first * vertices * n, some * vertices * n);
    if (auto done = d.deformer.vjp(given.arrays.part(first, some), of_positions, out, threads); !done) return done;
    for (std::size_t i = 0; i < part.size(); ++i) of_rest[i] += part[i];
    return {};
  });
  py::dict out;
  out[given.arrays.world.empty() ? "local" : "world"] = matrices;
  out["amounts"] = amounts;
  if (rest_positions) out["rest_positions"] = rest;
  return out;
}

}  // namespace

py::object as_numpy(const py::object& values, std::string_view what) {
  if (py::isinstance<py::array>(values)) return values;
  const py::module_ numpy = py::module_::import("numpy");
  // numpy reads what has the buffer protocol or an array of its own; DLPack is for the others.
  const bool dlpack = py::hasattr(values, "__dlpack__") && !py::hasattr(values, "__array__") && py::hasattr(numpy, "from_dlpack");
  try {
    return numpy.attr(dlpack ? "from_dlpack" : "asarray")(values);
  } catch (py::error_already_set& failed) {
    if (!failed.matches(PyExc_Exception) || failed.matches(PyExc_MemoryError)) throw;
    raise_usage(fmt::format("{}: expected an array of numbers: {}", what, std::string(py::str(failed.value()))));
  }
}

GivenPoses given_poses(const sinew::Model& model, const py::object& mapping) {
  if (!py::isinstance<py::dict>(mapping)) throw py::type_error("expected a sinew.Pose, or a dict of arrays with one pose per row");
  GivenPoses out;
  py::ssize_t poses = -1;
  for (const auto& [name, values] : py::reinterpret_borrow<py::dict>(mapping)) {
    if (!py::isinstance<py::str>(name)) throw py::type_error("poses: expected names of arrays as keys");
    const auto key = name.cast<std::string>();
    if (std::ranges::find(keys, key) == keys.end())
      raise_usage(fmt::format("poses: found \"{}\", expected some of: {}", key, fmt::join(keys, ", ")));
    if (key == "rotation" && model.dimension != 3) raise_usage("rotation: quaternions exist only in 3 dimensions; use rotor or local");
    if (key == "rotation" && mapping.contains("rotor")) raise_usage("rotation and rotor cannot be combined");
    Doubles array = given(model, py::reinterpret_borrow<py::object>(values), key, poses);
    poses = array.shape(0);
    if (key == "rotation") array = rotors(array);
    set_numbers(out.arrays, key, all(array));
    out.kept.push_back(std::move(array));
  }
  if (poses < 0) raise_usage(fmt::format("poses: found no array, expected some of: {}", fmt::join(keys, ", ")));
  out.arrays.poses = static_cast<std::size_t>(poses);
  return out;
}

void bind_sample(ModelClass& model) {
  model.def(
      "sample", sample_many, py::arg("clip"), py::arg("times") = py::none(), py::kw_only(), py::arg("fps") = py::none(),
      py::arg("frames") = py::none(), py::arg("space") = "local",
      "Samples an animation (name or index) and returns its poses as arrays, a dict that Deformer.positions takes: \"local\", float64\n"
      "(T, nodes, N+1, N+1), and \"amounts\", float64 (T, blend shapes). Give one of times, fps and frames, as for Deformer.clip.\n\n"
      "space: \"world\" gives the world transforms, as \"world\", instead of those relative to the parents.");
}

void bind_batch(py::class_<Deformer>& type) {
  type.def(
      "palettes", palettes, py::arg("poses"), py::kw_only(), py::arg("threads") = 0,
      "Returns the map from the mesh to the world of every joint slot, instance after instance: float64 (B, maps, N+1, N+1). The last\n"
      "map of an instance moves vertices without joints. poses: a dict of arrays, as for positions.");
  type.def(
      "vjp", vjp, py::arg("poses"), py::arg("grad_positions"), py::kw_only(), py::arg("rest_positions") = true, py::arg("threads") = 0,
      "Takes the gradient of a loss with respect to the positions, (B, vertices, N), back to the poses: the vector-Jacobian product.\n\n"
      "poses: a dict of arrays, as for positions. Returns a dict of float64 arrays: \"world\" if the poses give it, else \"local\",\n"
      "(B, nodes, N+1, N+1), with zeros in the last rows; \"amounts\" (B, blend shapes); and, unless rest_positions is False,\n"
      "\"rest_positions\" (vertices, N), of the positions in the file, summed over the poses. grad_positions is read as float32.");
}

}  // namespace python

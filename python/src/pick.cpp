// SPDX-License-Identifier: MIT
#include "sinew/pick.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "deformer.hpp"

namespace python {

namespace {

py::object hit_of(const Deformer& d, const py::object& positions, const py::object& origin, const py::object& direction) {
  if (d.deformer.dimension() != 3) raise_usage("hit: the model does not have three dimensions");
  const auto rows = py::array_t < float, py::array::c_style | py::array::forcecast > ::ensure(as_numpy(positions, "positions"));
  if (!rows || rows.ndim() != 2 || rows.shape(0) != size_of(d.deformer.vertices()) || rows.shape(1) != 3)
    raise_usage(fmt::format("positions: expected an array of shape ({}, 3)", d.deformer.vertices()));
  sinew::Ray ray;
  std::ranges::copy(numbers(origin, 3, "origin"), ray.origin.begin());
  std::ranges::copy(numbers(direction, 3, "direction"), ray.direction.begin());
  if (ray.direction == std::array<double, 3>{}) raise_usage("direction: expected a number other than zero");
  const std::span<const float> all(rows.data(), static_cast<std::size_t>(rows.size()));
  const auto met = without_lock([&] { return sinew::hit(ray, all, d.deformer.triangles(), d.deformer.instances()); });
  if (!met) return py::none();
  py::dict row;
  row["instance"] = met->instance;
  row["triangle"] = met->triangle;
  row["barycentric"] = py::array_t<double>(3, met->barycentric.data());
  row["distance"] = met->distance;
  return row;
}

}  // namespace

void bind_pick(py::class_<Deformer>& type) {
  type.def("hit", hit_of, py::arg("positions"), py::arg("origin"), py::arg("direction"),
           "Finds the nearest triangle that a ray in world space meets, from either side: a dict, or None. Three dimensions only.\n\n"
           "positions: float32 (vertices, 3), as positions() returns them. The dict has instance (an index of instances), triangle (a row\n"
           "of simplexes()), barycentric (weights of its corners) and distance (in lengths of the direction).");
}

}  // namespace python

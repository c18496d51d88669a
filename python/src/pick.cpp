// SPDX-License-Identifier: MIT
#include "sinew/pick.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
  const std::vector<std::uint32_t> triangles = value_of(without_lock([&] { return d.deformer.triangles(); }));
  const auto met = without_lock([&] { return sinew::hit(ray, all, triangles, d.deformer.instances()); });
  if (!met) return py::none();
  py::dict row;
  row["instance"] = met->instance;
  row["triangle"] = met->triangle;
  row["barycentric"] = py::array_t<double>(3, met->barycentric.data());
  row["distance"] = met->distance;
  return row;
}

py::list triangle_ranges(const Deformer& d) {
  py::list list;
  for (const sinew::TriangleRange& range : value_of(d.deformer.triangle_ranges())) {
    py::dict row;
    row["first"] = range.first;
    row["count"] = range.count;
    row["instance"] = range.instance;
    row["surface"] = range.surface;
    row["material"] = index_or_none(range.material);
    list.append(row);
  }
  return list;
}

template <class To, class From>
py::array_t<To> array_of(const std::vector<From>& numbers) {
  py::array_t<To> out(size_of(numbers.size()));
  std::ranges::transform(numbers, out.mutable_data(), [](From number) { return static_cast<To>(number); });
  return out;
}

py::dict influences(const Deformer& d) {
  const sinew::RowInfluences all = value_of(without_lock([&] { return d.deformer.influences(); }));
  py::dict found;
  found["first"] = array_of<std::int64_t>(all.first);
  found["nodes"] = array_of<std::int32_t>(all.nodes);
  found["weights"] = array_of<float>(all.weights);
  return found;
}

py::array_t<float> texture_coordinates(const Deformer& d, const Posed* posed, sinew::Index set) {
  const sinew::Pose pose = pose_of(d.deformer.model(), posed);
  const auto values = value_of(without_lock([&] { return d.deformer.texture_coordinates(pose, set); }));
  return py::array_t<float>({d.deformer.vertices(), std::size_t{2}}, values.data());
}

py::array_t<float> bone_boxes(const Deformer& d, const py::object& positions, double above) {
  const std::size_t n = d.deformer.dimension();
  const auto rows = py::array_t < float, py::array::c_style | py::array::forcecast > ::ensure(as_numpy(positions, "positions"));
  if (!rows || rows.ndim() != 2 || rows.shape(0) != size_of(d.deformer.vertices()) || rows.shape(1) != size_of(n))
    raise_usage(fmt::format("positions: expected an array of shape ({}, {})", d.deformer.vertices(), n));
  if (!std::isfinite(above) || above < 0) raise_usage("above: expected a finite number that is not negative");
  py::array_t<float> boxes({d.deformer.model()->nodes.size(), std::size_t{2}, n});
  const std::span<const float> all(rows.data(), static_cast<std::size_t>(rows.size()));
  const std::span<float> out(boxes.mutable_data(), static_cast<std::size_t>(boxes.size()));
  const sinew::RowInfluences influences = value_of(without_lock([&] { return d.deformer.influences(); }));
  without_lock([&] { sinew::bone_boxes(influences, all, n, out, above); });
  return boxes;
}

}  // namespace

void bind_pick(py::class_<Deformer>& type) {
  type.def("hit", hit_of, py::arg("positions"), py::arg("origin"), py::arg("direction"),
           "Finds the nearest triangle that a ray in world space meets, from either side: a dict, or None. Three dimensions only.\n\n"
           "positions: float32 (vertices, 3), as positions() returns them. The dict has instance (an index of instances), triangle (a row\n"
           "of simplexes()), barycentric (weights of its corners) and distance (in lengths of the direction).");
  type.def(
      "triangle_ranges", triangle_ranges,
      "Returns which surface and material the simplexes have, in their order: a list of dicts without gaps between them.\n\n"
      "A dict has first and count (rows of simplexes()), instance (an index of instances), surface (of its mesh; glTF: the primitive)\n"
      "and material (an index, or None).");
  type.def("influences", influences,
           "Returns the nodes that each vertex follows, as compressed rows: a dict with first, int64 (vertices + 1,), nodes, int32, and\n"
           "weights, float32.\n\n"
           "Vertex v has the entries first[v]:first[v + 1]. A node occurs once in a row. glTF: weights as stored; G4MF: their sum is 1.\n"
           "Vertices that no joint moves follow the node of their mesh, with the weight 1. max_influences counts.");
  type.def("texture_coordinates", texture_coordinates, py::arg("pose") = py::none(), py::kw_only(), py::arg("set") = 0,
           "Returns the texture coordinates of each vertex: float32 (vertices, 2), NaN where a mesh has none. glTF.\n\n"
           "pose: its amounts of blend shapes move them; None uses the pose stored in the file. set: the n of TEXCOORD_n.");
  type.def("bone_boxes", bone_boxes, py::arg("positions"), py::kw_only(), py::arg("above") = 0.0,
           "Returns a box for each node of the model, around the vertices that follow it: float32 (nodes, 2, N), minima and maxima in\n"
           "world space; NaN if no vertex follows the node.\n\n"
           "positions: float32 (vertices, N), as positions() returns them. above: only vertices with a larger weight for the node.");
}

}  // namespace python

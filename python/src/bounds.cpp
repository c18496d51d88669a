// SPDX-License-Identifier: MIT
#include "sinew/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "state.hpp"

namespace python {

namespace {

using sinew::operations::Bounds;
using sinew::operations::Box;

/// Returns float32 (2, N) with the lowest and the highest corner; None for an empty box.
py::object array_of(const Box& box) {
  if (box.empty()) return py::none();
  Array rows({std::size_t{2}, box.min.size()});
  std::copy(box.min.begin(), box.min.end(), rows.mutable_data());
  std::copy(box.max.begin(), box.max.end(), rows.mutable_data() + box.min.size());
  return py::object(std::move(rows));
}

py::list arrays_of(const std::vector<Box>& boxes) {
  py::list out;
  for (const Box& box : boxes) out.append(array_of(box));
  return out;
}

Bounds bounds(const Loaded& loaded, const py::object& clips, std::optional<std::pair<double, double>> blend_range, double slack,
              std::optional<std::int64_t> scene, unsigned threads) {
  sinew::operations::BoundsOptions options;
  options.scene = scene_of(*loaded.model, scene);
  options.blend_range = blend_range;
  options.slack = slack;
  options.threads = threads;
  if (!clips.is_none()) {
    options.clips.emplace();
    for (const py::handle clip : py::iter(clips))
      options.clips->push_back(clip_of(*loaded.model, py::reinterpret_borrow<py::object>(clip)));
  }
  return value_of(without_lock([&] { return sinew::operations::bounds(*loaded.model, options); }));
}

}  // namespace

PYTHON_MEMBERS(Box, min, max);
PYTHON_MEMBERS(Bounds::OfClip, clip, box, instances, shown);
PYTHON_MEMBERS(Bounds::OfInstance, node, copy, shown, box, center, radius);
PYTHON_MEMBERS(Bounds::OfJoint, node, box);
PYTHON_MEMBERS(Bounds, dimension, all, rest, clips, instances, joints);

void bind_bounds(py::module_& module) {
  py::class_<Bounds::OfClip> of_clip(module, "ClipBounds", "The boxes of one animation.");
  bind_state(of_clip);
  of_clip.def_readonly("clip", &Bounds::OfClip::clip, "Index of the animation.")
      .def_property_readonly(
          "box", [](const Bounds::OfClip& b) { return array_of(b.box); }, "The box of all instances: (2, N), or None.")
      .def_property_readonly(
          "instances", [](const Bounds::OfClip& b) { return arrays_of(b.instances); }, "The box of each instance: (2, N), or None.");
  py::class_<Bounds::OfInstance> of_instance(module, "InstanceBounds", "The bounds of one drawn mesh, over all poses.");
  bind_state(of_instance);
  of_instance.def_readonly("node", &Bounds::OfInstance::node, "Index of the node.")
      .def_property_readonly(
          "box", [](const Bounds::OfInstance& b) { return array_of(b.box); }, "The box: (2, N), or None.")
      .def_readonly("center", &Bounds::OfInstance::center, "Centre of a ball that holds the same vertices; [] if there are none.")
      .def_readonly("radius", &Bounds::OfInstance::radius, "Radius of that ball, in metres.");
  py::class_<Bounds::OfJoint> of_joint(module, "JointBounds", "The box of the vertices that one joint influences, in its own space.");
  bind_state(of_joint);
  of_joint.def_readonly("node", &Bounds::OfJoint::node, "Index of the joint's node.")
      .def_property_readonly("box", [](const Bounds::OfJoint& b) { return array_of(b.box); }, "The box: (2, N), or None.");
  py::class_<Bounds> type(module, "Bounds",
                          "Boxes that hold every vertex at every time of the animations. A box is float32 (2, N): min, max.");
  bind_state(type);
  type.def_property_readonly(
          "all", [](const Bounds& b) { return array_of(b.all); }, "The box of all instances in all poses: (2, N), or None.")
      .def_property_readonly(
          "rest", [](const Bounds& b) { return array_of(b.rest); }, "The box of the pose stored in the file: (2, N), or None.")
      .def_readonly("clips", &Bounds::clips, "One ClipBounds for each animation.")
      .def_readonly("instances", &Bounds::instances, "One InstanceBounds for each drawn mesh, in the order of Model.instances.")
      .def_readonly("joints", &Bounds::joints, "One JointBounds for each joint, in the order of nodes.")
      .def("__repr__", [](const Bounds& b) {
        return fmt::format("<Bounds of {} drawn {}, {} {}>", b.instances.size(), b.instances.size() == 1 ? "mesh" : "meshes",
                           b.clips.size(), b.clips.size() == 1 ? "animation" : "animations");
      });
}

void bind_bounds_of(ModelClass& model) {
  model.def("bounds", bounds, py::kw_only(), py::arg("clips") = py::none(), py::arg("blend_range") = py::none(), py::arg("slack") = 0.01,
            py::arg("scene") = py::none(), py::arg("threads") = 0,
            "Returns boxes that hold every vertex at every time of the animations, between keys as well (docs/bounds.md).\n\n"
            "clips: names or indices; None uses all animations, [] only the stored pose. blend_range: (least, most) that every blend\n"
            "amount may have; None uses amounts as stored and animated. slack: how far a side may lie outside of what vertices reach,\n"
            "relative to the diagonal of the box.");
}

}  // namespace python

// SPDX-License-Identifier: MIT
#include "sinew/compare.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

#include "results.hpp"

namespace python {

namespace {

using sinew::operations::Alone;
using sinew::operations::Comparison;
using sinew::operations::EveryPose;
using sinew::operations::InstancePair;
using sinew::operations::Part;

void bind_parts(py::module_& module) {
  py::class_<Part> part(module, "ComparedPart", "One compared state: the stored pose, an animation, a stress pose, or a blend shape.");
  bind_state(part);
  part.def_property_readonly(
          "kind", [](const Part& p) { return to_string(p.kind); }, "\"rest\", \"animation\", \"stress\", \"shown\" or \"blendShape\".")
      .def_property_readonly(
          "a", [](const Part& p) { return index_or_none(p.a); },
          "Index of the clip or shape in the first model, or None; of a stress pose an axis of its plane.")
      .def_property_readonly(
          "b", [](const Part& p) { return index_or_none(p.b); }, "The same in the second model.")
      .def_property_readonly(
          "name", [](const Part& p) { return text(p.name); }, "Name in the first model; of a stress pose its plane.")
      .def_property_readonly(
          "max", [](const Part& p) { return p.distance.max; }, "Largest distance between paired vertices, in metres.")
      .def_property_readonly(
          "rms", [](const Part& p) { return p.distance.rms; }, "Root mean square distance over pairs and times, in metres.")
      .def_property_readonly(
          "seconds", [](const Part& p) { return p.distance.seconds; }, "Time of the largest distance in an animation, in seconds.")
      .def_property_readonly(
          "vertex_a", [](const Part& p) { return p.distance.vertex_a; }, "Vertex with the largest distance.")
      .def_property_readonly("vertex_b", [](const Part& p) { return p.distance.vertex_b; }, "The same in the second model.");

  py::class_<EveryPose> every(module, "EveryPose", "What is known about the poses that were not measured.");
  bind_state(every);
  every
      .def_property_readonly(
          "why_not", [](const EveryPose& e) { return text(e.why_not); }, "Why the skeletons are not the same, or empty.")
      .def_property_readonly(
          "bound", [](const EveryPose& e) { return std::isfinite(e.bound) ? std::optional(e.bound) : std::nullopt; },
          "No vertex is further away than this, in metres, while joints only turn and blend amounts are between 0 and 1. None: no bound.")
      .def("proved", &EveryPose::proved, py::arg("distance"),
           "Returns whether it is proved that all vertices agree in every pose, to a distance in metres.");

  py::class_<InstancePair> pair(module, "ComparedInstance", "A drawn mesh, paired between the two models.");
  bind_state(pair);
  pair.def_property_readonly(
          "name", [](const InstancePair& p) { return text(p.name); }, "Name of the node in the first model.")
      .def_readonly("a", &InstancePair::a, "The Instance of the first model.")
      .def_readonly("b", &InstancePair::b, "The Instance of the second model.")
      .def_property_readonly(
          "pairing", [](const InstancePair& p) { return to_string(p.pairing); },
          "How the vertices were paired: \"index\", \"permutation\", \"corners\", \"position\" or \"none\".")
      .def_property_readonly(
          "why_not", [](const InstancePair& p) { return text(p.why_not); }, "Why the vertices could not be paired, or empty.")
      .def_readonly("pairs", &InstancePair::pairs, "Number of measured pairs of vertices.")
      .def_readonly("apart", &InstancePair::apart, "Number of excluded pairs, whose weights mean different things in the two formats.")
      .def_readonly("parts", &InstancePair::parts, "The compared states.")
      .def_readonly("every_pose", &InstancePair::every_pose, "What is known about all other poses.")
      .def_property_readonly("max", &InstancePair::max, "Largest distance, in metres.")
      .def_property_readonly("rms", &InstancePair::rms, "Root mean square distance, in metres.");
}

py::list alone(const std::vector<Alone>& list) {
  py::list out;
  for (const Alone& one : list) out.append(py::make_tuple(to_string(one.kind), one.index, text(one.name)));
  return out;
}

Comparison compare(const Loaded& a, const Loaded& b, bool match, std::optional<std::int64_t> scene_a, std::optional<std::int64_t> scene_b,
                   unsigned threads) {
  sinew::operations::CompareOptions options;
  options.match = match;
  options.threads = threads;
  options.scene_a = scene_of(*a.model, scene_a);
  options.scene_b = scene_of(*b.model, scene_b);
  return value_of(without_lock([&] { return sinew::operations::compare(*a.model, *b.model, options); }));
}

}  // namespace

void bind_compare(py::module_& module) {
  bind_parts(module);
  py::class_<Comparison> type(
      module, "Comparison",
      "The distances between the vertices of two models, at rest, in every animation, in stress poses and with every blend shape.");
  bind_state(type);
  type.def_readonly("diagonal", &Comparison::diagonal,
                    "Diagonal of the bounds of the first scene at rest, in metres. Relative distances refer to it.")
      .def_readonly("instances", &Comparison::instances, "The pairs of drawn meshes.")
      .def_property_readonly(
          "only_a", [](const Comparison& c) { return alone(c.only_a); },
          "Tuples (kind, index, name) of items that only the first model has.")
      .def_property_readonly(
          "only_b", [](const Comparison& c) { return alone(c.only_b); },
          "Tuples (kind, index, name) of items that only the second model has.")
      .def_property_readonly(
          "why_not", [](const Comparison& c) { return text(c.why_not); }, "Why the models cannot be compared, or empty.")
      .def_property_readonly("max", &Comparison::max, "Largest distance, in metres. Infinite: nothing could be compared.")
      .def_property_readonly(
          "every_pose", [](const Comparison& c) { return value_of(c.every_pose()); },
          "What is known about the poses that were not measured.")
      .def(
          "verdict", [](const Comparison& c, double tolerance) { return std::string(in_words(c.verdict(tolerance))); },
          py::arg("tolerance") = 1e-5, "Returns \"equal in every pose\", \"equal where sampled\", \"different\" or \"not comparable\".")
      .def_property_readonly("rms", &Comparison::rms, "Root mean square distance over all pairs, in metres.")
      .def("relative", &Comparison::relative, py::arg("distance"), "Returns a distance relative to the diagonal.")
      .def("equal_within", &Comparison::equal_within, py::arg("tolerance") = 1e-5,
           "Returns whether all items have a counterpart and no distance exceeds tolerance * diagonal.")
      .def("__repr__", [](const Comparison& c) {
        return fmt::format("<Comparison of {} drawn {}, largest distance {:.3g}, {:.3g} of the diagonal>", c.instances.size(),
                           c.instances.size() == 1 ? "mesh" : "meshes", c.max(), c.relative(c.max()));
      });
  module.def("compare", compare, py::arg("a"), py::arg("b"), py::kw_only(), py::arg("match") = false, py::arg("scene_a") = py::none(),
             py::arg("scene_b") = py::none(), py::arg("threads") = 0,
             "Compares the deformed vertices of two models of any format. match: pair vertices by position instead of order.");
}

}  // namespace python

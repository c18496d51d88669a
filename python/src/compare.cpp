// SPDX-License-Identifier: MIT
#include "sinew/compare.hpp"

#include <fmt/format.h>

#include "glue.hpp"

namespace python {

namespace {

using sinew::ops::Alone;
using sinew::ops::Comparison;
using sinew::ops::InstancePair;
using sinew::ops::Pairing;
using sinew::ops::Part;

constexpr const char* pairing_names[] = {"index", "corners", "position", "none"};
constexpr const char* part_names[] = {"rest", "animation", "blendShape"};
constexpr const char* alone_names[] = {"instance", "animation", "blendShape"};

template <class E>
const char* name_of(const char* const* names, E value) {
  return names[static_cast<std::size_t>(value)];
}

void bind_parts(py::module_& module) {
  py::class_<Part>(module, "ComparedPart", "One thing that was looked at: the file's own state, a clip, or a blend shape.")
      .def_property_readonly(
          "kind", [](const Part& p) { return name_of(part_names, p.kind); }, "\"rest\", \"animation\" or \"blendShape\".")
      .def_property_readonly(
          "a", [](const Part& p) { return index_or_none(p.a); }, "Index of the clip or shape in the first model, or None.")
      .def_property_readonly(
          "b", [](const Part& p) { return index_or_none(p.b); }, "The same in the second model.")
      .def_property_readonly(
          "name", [](const Part& p) { return text(p.name); }, "In the first model.")
      .def_property_readonly(
          "max", [](const Part& p) { return p.distance.max; }, "Largest distance of a pair of vertices, metres.")
      .def_property_readonly(
          "rms", [](const Part& p) { return p.distance.rms; }, "Root of the mean square over pairs and moments, metres.")
      .def_property_readonly(
          "seconds", [](const Part& p) { return p.distance.seconds; }, "Moment of the largest distance, in a clip.")
      .def_property_readonly(
          "vertex_a", [](const Part& p) { return p.distance.vertex_a; }, "Vertex of the largest distance.")
      .def_property_readonly("vertex_b", [](const Part& p) { return p.distance.vertex_b; }, "The same in the second model.");

  py::class_<InstancePair>(module, "ComparedInstance", "One drawn mesh on both sides.")
      .def_property_readonly(
          "name", [](const InstancePair& p) { return text(p.name); }, "Of the node in the first model.")
      .def_readonly("a", &InstancePair::a, "The Instance of the first model.")
      .def_readonly("b", &InstancePair::b, "The Instance of the second model.")
      .def_property_readonly(
          "pairing", [](const InstancePair& p) { return name_of(pairing_names, p.pairing); },
          "How vertices were paired: \"index\", \"corners\", \"position\" or \"none\".")
      .def_property_readonly(
          "why_not", [](const InstancePair& p) { return text(p.why_not); }, "What stands in the way of pairing, or empty.")
      .def_readonly("pairs", &InstancePair::pairs, "Pairs of vertices that were measured.")
      .def_readonly("apart", &InstancePair::apart, "Pairs left out, whose weights mean different things in the two formats.")
      .def_readonly("parts", &InstancePair::parts, "What was looked at.")
      .def_property_readonly("max", &InstancePair::max, "Largest distance, metres.")
      .def_property_readonly("rms", &InstancePair::rms, "Root of the mean square, metres.");
}

py::list alone(const std::vector<Alone>& list) {
  py::list out;
  for (const Alone& one : list) out.append(py::make_tuple(name_of(alone_names, one.kind), one.index, text(one.name)));
  return out;
}

Comparison compare(const Loaded& a, const Loaded& b, bool match, std::optional<std::int64_t> scene_a, std::optional<std::int64_t> scene_b,
                   unsigned threads) {
  sinew::ops::CompareOptions options;
  options.match = match;
  options.threads = threads;
  options.scene_a = scene_of(*a.model, scene_a);
  options.scene_b = scene_of(*b.model, scene_b);
  return value_of(without_lock([&] { return sinew::ops::compare(*a.model, *b.model, options); }));
}

}  // namespace

void bind_compare(py::module_& module) {
  bind_parts(module);
  py::class_<Comparison>(module, "Comparison", "Where two models put their vertices, at rest, in every clip, with every blend shape.")
      .def_readonly("diagonal", &Comparison::diagonal,
                    "Of the bounds of the first scene at rest, metres: what relative distances refer to.")
      .def_readonly("instances", &Comparison::instances, "The pairs of drawn meshes.")
      .def_property_readonly(
          "only_a", [](const Comparison& c) { return alone(c.only_a); }, "(kind, index, name) of what the second lacks.")
      .def_property_readonly(
          "only_b", [](const Comparison& c) { return alone(c.only_b); }, "(kind, index, name) of what the first lacks.")
      .def_property_readonly(
          "why_not", [](const Comparison& c) { return text(c.why_not); }, "What stands in the way of comparing, or empty.")
      .def_property_readonly("max", &Comparison::max, "Largest distance, metres.")
      .def_property_readonly("rms", &Comparison::rms, "Root of the mean square over all pairs, metres.")
      .def("relative", &Comparison::relative, py::arg("distance"), "A distance as a part of the diagonal.")
      .def("equal_within", &Comparison::equal_within, py::arg("tolerance") = 1e-5,
           "Whether everything has its counterpart and no vertex is further away than tolerance * diagonal.");
  module.def("compare", compare, py::arg("a"), py::arg("b"), py::kw_only(), py::arg("match") = false, py::arg("scene_a") = py::none(),
             py::arg("scene_b") = py::none(), py::arg("threads") = 0,
             "Compares the deformed vertices of two models of any format. match: pair vertices by position, whatever their order.");
}

}  // namespace python

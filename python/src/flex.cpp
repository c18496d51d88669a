// SPDX-License-Identifier: MIT
#include "sinew/flex.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results.hpp"

namespace python {

namespace {

using sinew::Severity;
using sinew::operations::FlexFinding;
using sinew::operations::FlexPose;
using sinew::operations::FlexReport;

/// A report, and the model whose names its findings have.
struct Flexed {
  SharedModel loaded;
  FlexReport report;

  [[nodiscard]] const sinew::Model& model() const { return *loaded->model; }
};

struct FoundIn {
  std::shared_ptr<Flexed> in;
  std::size_t number;

  [[nodiscard]] const FlexFinding& get() const { return in->report.findings[number]; }
};

py::str flex_severity_of(const FlexFinding& finding) {
  return finding.severity == Severity::information ? py::str("info") : text(to_string(finding.severity));
}

py::str flex_joint_of(const FoundIn& found) {
  return found.get().joint == sinew::none ? py::str() : text(found.in->model().nodes[found.get().joint].name);
}

py::dict flex_pose_of(const FoundIn& found) {
  const FlexPose& pose = found.get().pose;
  py::dict out;
  switch (pose.kind) {
    case FlexPose::Kind::rest:
      out["kind"] = "rest";
      break;
    case FlexPose::Kind::stress: {
      py::list plane;
      for (const sinew::Index axis : pose.plane) plane.append(axis);
      out["kind"] = "stress";
      out["joint"] = text(found.in->model().nodes[pose.node].name);
      out["node"] = pose.node;
      out["plane"] = plane;
      out["degrees"] = pose.degrees;
      break;
    }
    case FlexPose::Kind::clip:
      out["kind"] = "clip";
      out["animation"] = pose.clip;
      out["name"] = text(found.in->model().clips[pose.clip].name);
      out["time"] = pose.seconds;
      break;
    case FlexPose::Kind::shape: {
      py::dict shapes;
      for (const auto& [name, amount] : pose.shapes) shapes[text(name)] = amount;
      out["kind"] = "shape";
      out["shapes"] = shapes;
      break;
    }
  }
  return out;
}

py::array_t<std::int64_t> flex_rows_of(const FoundIn& found) {
  const std::vector<std::size_t>& rows = found.get().rows;
  py::array_t<std::int64_t> out(static_cast<py::ssize_t>(rows.size()));
  std::copy(rows.begin(), rows.end(), out.mutable_data());
  return out;
}

py::list flex_findings_of(const std::shared_ptr<Flexed>& flexed) {
  py::list out;
  for (std::size_t i = 0; i < flexed->report.findings.size(); ++i) out.append(FoundIn{flexed, i});
  return out;
}

py::dict flex_counts_of(const Flexed& flexed) {
  py::dict out;
  out["error"] = flexed.report.count(Severity::error);
  out["warning"] = flexed.report.count(Severity::warning);
  out["info"] = flexed.report.count(Severity::information);
  return out;
}

std::shared_ptr<Flexed> flex(const SharedModel& loaded, const py::object& animations, const std::vector<double>& angles,
                             const py::object& kinds, bool names, std::optional<std::int64_t> scene, unsigned threads) {
  sinew::operations::FlexOptions options;
  options.scene = scene_of(*loaded->model, scene);
  options.angles = angles;
  options.names = names;
  options.threads = threads;
  for (const std::string& word : strings(kinds)) {
    const auto kind = sinew::operations::find_flex_kind(word);
    if (!kind) raise_usage("unknown kind \"" + word + "\"");
    options.kinds.push_back(*kind);
  }
  if (!animations.is_none()) {
    options.clips.emplace();
    for (const py::handle clip : py::iter(animations))
      options.clips->push_back(clip_of(*loaded->model, py::reinterpret_borrow<py::object>(clip)));
  }
  auto report = value_of(without_lock([&] { return sinew::operations::flex(*loaded->model, options); }));
  return std::make_shared<Flexed>(Flexed{loaded, std::move(report)});
}

}  // namespace

PYTHON_MEMBERS(FlexPose, kind, node, plane, degrees, clip, seconds, shapes);
PYTHON_MEMBERS(sinew::operations::FlexVertex, node, mesh, primitive, vertex, row);
PYTHON_MEMBERS(FlexFinding, kind, code, severity, joint, value, limit, unit, pose, vertices, count, exact, message, rows);
PYTHON_MEMBERS(sinew::operations::FlexSkipped, code, reason);
PYTHON_MEMBERS(FlexReport, dimension, diagonal, joints, stress_poses, clip_poses, shape_poses, clips, skipped, not_covered, findings);
PYTHON_MEMBERS(Flexed, loaded, report);

void bind_flex(py::module_& module) {
  py::class_<FoundIn>(module, "FlexFinding", "Bad deformation: the worst pose of a joint or blend shape for one code (docs/flex.md).")
      .def_property_readonly(
          "code", [](const FoundIn& f) { return text(f.get().code); }, "For example \"FLEX_TEAR\".")
      .def_property_readonly(
          "severity", [](const FoundIn& f) { return flex_severity_of(f.get()); }, "\"error\", \"warning\" or \"info\".")
      .def_property_readonly("joint", flex_joint_of, "Name of the responsible joint; \"\": no joint is.")
      .def_property_readonly(
          "node", [](const FoundIn& f) { return index_or_none(f.get().joint); }, "Index of that joint's node, or None.")
      .def_property_readonly(
          "value", [](const FoundIn& f) { return f.get().value; }, "How bad it is, in the unit.")
      .def_property_readonly(
          "limit", [](const FoundIn& f) { return f.get().limit; }, "The value from which on it is a finding.")
      .def_property_readonly(
          "unit", [](const FoundIn& f) { return text(f.get().unit); }, "\"diagonal\", \"ratio\", \"weight\" or \"count\".")
      .def_property_readonly("pose", flex_pose_of, "The worst pose, as in the JSON of `sinew flex`: a dict with the key \"kind\".")
      .def_property_readonly(
          "vertices", [](const FoundIn& found) { return as_dicts(found.get().vertices); },
          "At most 8 vertices, the worst first: node, mesh, primitive, vertex and row.")
      .def_property_readonly("rows", flex_rows_of, "All vertices beyond the limit, as rows of a Deformer of the scene: int64, ascending.")
      .def_property_readonly(
          "count", [](const FoundIn& f) { return f.get().count; }, "Vertices beyond the limit (FLEX_FLIP: triangles, FLEX_SELF: pairs).")
      .def_property_readonly(
          "exact", [](const FoundIn& f) { return f.get().exact; }, "Whether value is the largest one of all poses of the kind.")
      .def_property_readonly(
          "message", [](const FoundIn& f) { return text(f.get().message); }, "One sentence.")
      .def("__repr__",
           [](const FoundIn& f) {
             return text(fmt::format("<FlexFinding {} {}: {}>", f.get().code, std::string(flex_severity_of(f.get())), f.get().message));
           })
      .def("__reduce__", [](const FoundIn& f) { return py::make_tuple(restorer("flex_finding"), py::make_tuple(f.in, f.number)); });
  py::class_<Flexed, std::shared_ptr<Flexed>> report(module, "FlexReport", "Where the vertices of a model deform badly.");
  bind_state(report);
  report.def_property_readonly("findings", flex_findings_of, "A FlexFinding per code and joint or blend shape, the most severe first.")
      .def_property_readonly("counts", flex_counts_of, "Number of findings of each severity.")
      .def_property_readonly(
          "ok", [](const Flexed& f) { return f.report.count(Severity::error) + f.report.count(Severity::warning) == 0; },
          "Whether there is no error and no warning.")
      .def_property_readonly(
          "dimension", [](const Flexed& f) { return f.report.dimension; }, "Dimension of the model.")
      .def_property_readonly(
          "diagonal", [](const Flexed& f) { return f.report.diagonal; }, "Of the box around the model at rest: the unit of lengths.")
      .def_property_readonly(
          "skipped",
          [](const Flexed& f) {
            py::list out;
            for (const auto& one : f.report.skipped) out.append(py::make_tuple(text(one.code), text(one.reason)));
            return out;
          },
          "Checks that did not run: pairs of code and reason.")
      .def("__repr__", [](const Flexed& f) {
        return fmt::format("<FlexReport of {} {}: {} errors, {} warnings, {} notes>", f.report.joints,
                           f.report.joints == 1 ? "joint" : "joints", f.report.count(Severity::error), f.report.count(Severity::warning),
                           f.report.count(Severity::information));
      });
  module.def("flex", flex, py::arg("model"), py::kw_only(), py::arg("animations") = py::none(),
             py::arg("angles") = std::vector<double>{45, 90}, py::arg("kinds") = py::tuple(), py::arg("names") = false,
             py::arg("scene") = py::none(), py::arg("threads") = 0,
             "Bends the rig in every joint, animation and blend shape, and reports where vertices deform badly (docs/flex.md).\n\n"
             "animations: names or indices; None uses all, [] none. angles: of stress poses, in degrees. kinds: only these, for example\n"
             "[\"tear\", \"spike\"]; empty: all. names: know the bones of a humanoid by their names.");
}

}  // namespace python

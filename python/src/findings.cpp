// SPDX-License-Identifier: MIT
#include "results.hpp"

namespace python {

namespace {

using sinew::Finding;

template <class T>
py::object or_none(const std::optional<T>& value) {
  return value ? py::object(py::cast(*value)) : py::object(py::none());
}

std::string shown(const Finding& finding) {
  const std::string place = finding.offset ? "byte " + std::to_string(*finding.offset) : finding.pointer;
  return "<" + std::string(to_string(finding.severity)) + " " + std::string(finding.code) + " at " + (place.empty() ? "/" : place) + ": " +
         finding.message + ">";
}

}  // namespace

void bind_findings(py::module_& module) {
  py::class_<Finding> type(module, "Finding", "A problem that a check found.");
  bind_state(type);
  type.def_property_readonly(
          "code", [](const Finding& f) { return text(f.code); }, "The code of the finding (docs/findings.md).")
      .def_property_readonly(
          "severity", [](const Finding& f) { return text(to_string(f.severity)); }, "\"error\", \"warning\", \"information\" or \"hint\".")
      .def_property_readonly(
          "pointer", [](const Finding& f) { return text(f.pointer); },
          "JSON pointer to the value; empty for the whole file. Valid if offset is None.")
      .def_property_readonly(
          "offset", [](const Finding& f) { return or_none(f.offset); },
          "Bytes from the start of the file for findings outside the JSON text, else None.")
      .def_property_readonly(
          "message", [](const Finding& f) { return text(f.message); }, "What was found and what was expected.")
      .def_property_readonly(
          "line", [](const Finding& f) { return f.position ? py::object(py::int_(f.position->line)) : py::none(); },
          "Line in the JSON text, from 1. Only validate sets it, else None.")
      .def_property_readonly(
          "column", [](const Finding& f) { return f.position ? py::object(py::int_(f.position->column)) : py::none(); },
          "Column in characters, from 1, or None.")
      .def("__repr__", [](const Finding& f) { return text(shown(f)); });

  module.def(
      "explain",
      [](const std::string& code) -> py::object {
        const sinew::Explanation* found = sinew::explain(code);
        if (found == nullptr) raise_usage("unknown finding code \"" + code + "\"");
        py::dict out;
        out["code"] = text(found->code);
        out["formats"] = text(found->formats);
        out["why"] = text(found->why);
        out["mend"] = text(found->mend);
        out["source"] = text(found->source);
        return out;
      },
      py::arg("code"), "Explains a finding: a dict with code, formats, why, mend (how to fix it) and source.");
}

}  // namespace python

// SPDX-License-Identifier: MIT
#include "glue.hpp"

#include "sinew/result.hpp"

namespace {

namespace py = python::py;

/// Allocates as the first base does that has another function.
PyObject* new_instance(PyTypeObject* type, PyObject* arguments, PyObject* named) {
  const PyTypeObject* base = type;
  while (base->tp_new == new_instance) base = base->tp_base;
  return base->tp_new(type, arguments, named);
}

/// Makes T.__new__(T) a TypeError for every class: pybind11 would return an object without its C++ part, which crashes at its first use.
/// Python refuses the call because the class allocates with another function than its base, which owns `__new__`. T(…) still works.
void forbid_new(const py::module_& module) {
  for (const auto& [name, member] : py::dict(module.attr("__dict__")))
    if (PyType_Check(member.ptr()) && !PyType_CheckExact(member.ptr()))  // pybind11's kind of type
      reinterpret_cast<PyTypeObject*>(member.ptr())->tp_new = new_instance;
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of sinew.";
  module.attr("__version__") = std::string(sinew::version());
  python::bind_findings(module);
  python::bind_pose(module);  // first the types in the signatures of other functions
  python::bind_bounds(module);
  python::bind_model(module);
  python::bind_deform(module);
  python::bind_play(module);
  python::bind_validate(module);
  python::bind_compare(module);
  python::bind_flex(module);
  python::bind_edit(module);
  python::bind_retarget(module);
  python::bind_render(module);
  forbid_new(module);
}

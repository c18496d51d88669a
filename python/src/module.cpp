// SPDX-License-Identifier: MIT
#include "glue.hpp"

#include "sinew/result.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of sinew.";
  module.attr("__version__") = std::string(sinew::version());
  python::bind_findings(module);
  python::bind_pose(module);  // first the types in the signatures of other functions
  python::bind_bounds(module);
  python::bind_model(module);
  python::bind_deform(module);
  python::bind_validate(module);
  python::bind_compare(module);
  python::bind_edit(module);
  python::bind_render(module);
}

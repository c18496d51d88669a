// SPDX-License-Identifier: MIT
#include "sinew/retarget.hpp"

#include "glue.hpp"

namespace python {

namespace {

using sinew::operations::RootMotion;

py::object retarget(const std::filesystem::path& model, const std::vector<std::filesystem::path>& motions,
                    const std::filesystem::path& target, const std::vector<std::string>& animations,
                    const std::optional<std::filesystem::path>& map, const std::string& names, const std::string& root_motion, bool align,
                    unsigned threads, bool allow_outside, std::uint64_t max_memory) {
  sinew::operations::RetargetOptions how;
  how.load.open = open_options(allow_outside, max_memory);
  how.clips = animations;
  how.map = map.value_or(std::filesystem::path());
  how.names = names;
  how.root_motion = static_cast<RootMotion>(choice(root_motion, "root_motion", {"scale", "keep", "none"}));
  how.align = align;
  how.threads = threads;
  sinew::FindingList found, losses;
  const auto done = value_of(without_lock([&] { return sinew::operations::retarget(model, motions, target, how, found, losses); }));
  return py::module_::import("json").attr("loads")(text(value_of(report_json(done))));
}

}  // namespace

void bind_retarget(py::module_& module) {
  module.def(
      "retarget", retarget, py::arg("model"), py::arg("motions"), py::arg("target"), py::kw_only(),
      py::arg("animations") = std::vector<std::string>(), py::arg("map") = py::none(), py::arg("names") = "auto",
      py::arg("root_motion") = "scale", py::arg("align") = false, py::arg("threads") = 0, py::arg("allow_outside") = false,
      py::arg("max_memory") = default_memory,
      "Writes model as target, with the animations of other characters (motions: a list of paths) for its skeleton (docs/retarget.md).\n\n"
      "animations: names or indices; default: all. map: a file with lines MOTION_BONE TARGET_BONE. names: a profile of names of bones, or\n"
      "\"auto\". root_motion: \"scale\", \"keep\" or \"none\", of the hips. align: turn the limbs of model at rest as those of the motion\n"
      "first. Returns the report as the dict that `sinew retarget --json` writes.\n"
      "Raises InputError with the code RETARGET_NO_MATCH or RETARGET_MOVES_NOTHING if nothing would move.");
}

}  // namespace python

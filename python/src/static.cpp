// SPDX-License-Identifier: MIT
// Writes a pose of a model as vertices in world space, or cuts it by hyperplanes.
#include <fmt/format.h>

#include <cmath>

#include "glue.hpp"

#include "sinew/bake.hpp"
#include "sinew/extract.hpp"
#include "sinew/save.hpp"
#include "sinew/slice.hpp"

namespace python {

namespace {

using sinew::Model;

sinew::operations::BakeOptions bake_options(const Model& model, std::optional<std::int64_t> scene, unsigned threads) {
  sinew::operations::BakeOptions options;
  options.scene = scene_of(model, scene);
  options.threads = threads;
  return options;
}

Loaded slice(const Loaded& loaded, const py::object& at, const Posed* posed, std::optional<std::int64_t> scene, unsigned threads) {
  const Model& model = *loaded.model;
  const sinew::Pose pose = pose_of(loaded.model, posed);  // a copy: other threads may change theirs
  const auto options = bake_options(model, scene, threads);
  const auto planes = hyperplanes_of(model, at);
  if (planes.empty()) raise_usage("at: expected axes and positions, for example {\"w\": 0.3}");
  sinew::FindingList losses;
  auto made = value_of(without_lock([&] { return sinew::operations::slice(model, pose, planes, options, losses); }));
  return {std::make_shared<const Model>(std::move(made)), losses.list()};
}

std::vector<py::str> save(const Loaded& loaded, const std::filesystem::path& path, const Posed* posed, std::optional<std::int64_t> scene,
                          unsigned threads) {
  const Model& model = *loaded.model;
  const sinew::Pose pose = pose_of(loaded.model, posed);
  const auto options = bake_options(model, scene, threads);
  std::vector<std::string> notes;
  value_of(without_lock([&]() -> sinew::Result<> {
    const auto baked = sinew::operations::bake(model, pose, options);
    if (!baked) return sinew::Unexpected(baked.error());
    return sinew::io::save(*baked, path, &notes);
  }));
  std::vector<py::str> out;
  for (const std::string& note : notes) out.push_back(text(note));
  return out;
}

py::dict extract(const Loaded& loaded, const std::filesystem::path& path, std::optional<std::int64_t> scene, double fps) {
  const Model& model = *loaded.model;
  if (!std::isfinite(fps) || fps <= 0) raise_usage(fmt::format("fps: expected a finite number above zero, found {}", fps));
  sinew::operations::ExtractOptions options;
  options.scene = scene_of(model, scene);
  options.fps = fps;
  const auto done = value_of(without_lock([&] { return sinew::operations::extract(model, path, options); }));
  py::dict out;
  out["vertices"] = done.vertices;
  out["joints"] = done.joints;
  out["shapes"] = done.shapes;
  out["clips"] = done.clips;
  out["frames"] = done.frames;
  out["bytes"] = done.bytes;
  return out;
}

}  // namespace

void bind_static(ModelClass& model) {
  model.def("slice", slice, py::arg("at"), py::kw_only(), py::arg("pose") = py::none(), py::arg("scene") = py::none(),
            py::arg("threads") = 0,
            "Cuts the model with hyperplanes and returns the cross-section, a Model in world space (docs/slice.md).\n\n"
            "Each cut removes one dimension. at: {\"w\": 0.3} or pairs (axis, metres); axes by letter (x y z w, then v u … backwards) or\n"
            "number, both of the uncut model. "
            "pose: None uses the pose stored in the file. scene: an index; None uses the default scene.\n"
            "The findings of the result list the losses.");
  model.def("save", save, py::arg("path"), py::kw_only(), py::arg("pose") = py::none(), py::arg("scene") = py::none(),
            py::arg("threads") = 0,
            "Writes a pose as a static model in world space, as `sinew deform` does. To keep skins and animations, use convert.\n\n"
            "The extension of path sets the format: .npy .ply .obj .off .glb .gltf .g4b .g4tf. Returns one line per loss.");
  model.def("extract", extract, py::arg("path"), py::kw_only(), py::arg("scene") = py::none(), py::arg("fps") = 30.0,
            "Writes the rig and the motion of a scene as arrays, a NumPy .npz file, as `sinew extract` does (docs/datasets.md).\n\n"
            "scene: an index; None uses the default scene. fps: frames per second of the animations. Returns the numbers of vertices,\n"
            "joints, shapes, clips, frames and bytes.");
}

}  // namespace python

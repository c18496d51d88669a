// SPDX-License-Identifier: MIT
#include "sinew/render.hpp"

#include <fmt/format.h>

#include <cmath>
#include <mutex>

#include "glue.hpp"

namespace python {

namespace {

using sinew::Model;

/// Draws one scene of a model. A call holds `busy` while it works without Python's lock.
struct Renderer {
  std::shared_ptr<const Model> model;  // before the members that refer to it
  sinew::show::Renderer renderer;
  std::size_t width = 0, height = 0;
  std::unique_ptr<std::mutex> busy = std::make_unique<std::mutex>();
};

constexpr std::int64_t most_pixels = 16384;  // per side

std::optional<std::array<std::uint8_t, 4>> color_of(const std::optional<std::vector<std::int64_t>>& given) {
  if (!given) return std::nullopt;
  std::array<std::uint8_t, 4> color{0, 0, 0, 255};
  if (given->size() != 3 && given->size() != 4) raise_usage("background: expected red, green, blue and optionally opacity");
  for (std::size_t i = 0; i < given->size(); ++i) {
    if ((*given)[i] < 0 || (*given)[i] > 255) raise_usage(fmt::format("background: expected numbers from 0 to 255, found {}", (*given)[i]));
    color[i] = static_cast<std::uint8_t>((*given)[i]);
  }
  return color;
}

std::unique_ptr<Renderer> make_renderer(const Loaded& loaded, std::pair<std::int64_t, std::int64_t> size,
                                        const std::optional<std::pair<double, double>>& camera,
                                        const std::optional<std::vector<std::int64_t>>& background, bool edges, bool bones,
                                        const py::object& weights, const py::object& at, bool orthographic,
                                        std::optional<std::int64_t> scene, unsigned threads) {
  sinew::show::RenderOptions options;
  for (const std::int64_t side : {size.first, size.second})
    if (side < 1 || side > most_pixels) raise_usage(fmt::format("size: expected numbers from 1 to {1}, found {0}", side, most_pixels));
  options.width = static_cast<std::size_t>(size.first);
  options.height = static_cast<std::size_t>(size.second);
  if (camera) {
    if (!std::isfinite(camera->first) || !std::isfinite(camera->second)) raise_usage("camera: expected two finite angles in degrees");
    options.view = sinew::show::View{camera->first, camera->second};
  }
  options.background = color_of(background);
  options.edges = edges;
  options.bones = bones;
  if (!weights.is_none()) options.weights_of = node_of(*loaded.model, weights);
  if (!at.is_none()) options.planes = hyperplanes_of(*loaded.model, at);
  if (orthographic) options.projection.kind = sinew::operations::ProjectionKind::orthographic;
  options.scene = scene_of(*loaded.model, scene);
  options.threads = threads;
  auto made = value_of(without_lock([&] { return sinew::show::Renderer::create(*loaded.model, options); }));
  return std::make_unique<Renderer>(Renderer{loaded.model, std::move(made), options.width, options.height});
}

void include(Renderer& r, const Posed& posed) {
  const sinew::Pose pose = pose_of(r.model, &posed);  // a copy: other threads may change theirs
  value_of(without_lock([&] {
    const std::lock_guard lock(*r.busy);
    return r.renderer.include(pose);
  }));
}

py::array_t<std::uint8_t> draw(Renderer& r, const Posed* posed) {
  const sinew::Pose pose = pose_of(r.model, posed);
  auto picture = std::make_unique<sinew::show::Picture>(value_of(without_lock([&] {
    const std::lock_guard lock(*r.busy);
    return r.renderer.draw(pose);
  })));
  const std::uint8_t* pixels = picture->rgba.data();
  const py::capsule owner(picture.release(), [](void* gone) { delete static_cast<sinew::show::Picture*>(gone); });
  return py::array_t<std::uint8_t>({r.height, r.width, std::size_t{4}}, pixels, owner);
}

py::list notes(const Renderer& r) {
  py::list list;
  for (const sinew::Error& note : r.renderer.notes()) list.append(exception_of(note));
  return list;
}

}  // namespace

void bind_render(py::module_& module) {
  py::class_<Renderer> type(
      module, "Renderer",
      "Draws pictures of a scene off screen with OpenGL (docs/render.md).\n\n"
      "Raises sinew.UnsupportedError without OpenGL, and in a process that was forked after drawing. Releases Python's global lock while\n"
      "drawing. Calls from several threads wait for each other.");
  type.def(py::init(&make_renderer), py::arg("model"), py::kw_only(), py::arg("size") = std::pair<std::int64_t, std::int64_t>(800, 600),
           py::arg("camera") = py::none(), py::arg("background") = py::none(), py::arg("edges") = false, py::arg("bones") = false,
           py::arg("weights") = py::none(), py::arg("at") = py::none(), py::arg("orthographic") = false, py::arg("scene") = py::none(),
           py::arg("threads") = 0,
           "size: width and height in pixels. camera: (yaw, pitch) in degrees; (0, 0) is the front, (90, 0) the left, (0, 90) the top.\n"
           "background: red, green, blue and optionally opacity, 0 to 255. edges, bones: draw them too. weights: show the weights of this\n"
           "joint (name or index of its node) as colours. at: draw a cross-section, {\"w\": 0.3} as in Model.slice. orthographic: project\n"
           "more than three dimensions without perspective. scene: an index; None uses the default scene.");
  type.def("include", include, py::arg("pose"),
           "Makes the camera show all included poses, for every picture. Without included poses it shows the drawn pose.");
  type.def(
      "draw", draw, py::arg("pose") = py::none(),
      "Draws a pose: uint8 (height, width, 4), rows from the top, channels red, green, blue and opacity, sRGB. pose: None uses the pose\n"
      "stored in the file.");
  type.def("__repr__", [](const Renderer& r) { return fmt::format("<Renderer of {} x {} pixels>", r.width, r.height); });
  type.def_property_readonly("notes", notes, "Exceptions for parts that could not be drawn as stored, such as broken textures.");
}

}  // namespace python

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

#include "glue.hpp"

#include "sinew/animate.hpp"

namespace python {

namespace {

using sinew::Model;
using sinew::deform::Output;
using sinew::deform::SceneDeformer;
using Rows = sinew::strided_view<float>;

/// One scene of a model, ready to be deformed. A call holds `busy` while it works, without Python's lock.
struct Deformer {
  std::shared_ptr<const Model> model;
  SceneDeformer scene;
  bool normals = false;
  bool tangents = false;
  std::unique_ptr<std::mutex> busy = std::make_unique<std::mutex>();
};

std::string shape_text(const std::vector<py::ssize_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

/// Checks that `array` is float32 of the shape, writable, with packed and separate rows: memory that can be filled where it lies.
py::array checked(const py::handle& object, const std::vector<py::ssize_t>& shape, std::string_view what) {
  if (!py::isinstance<py::array>(object)) throw py::type_error(fmt::format("{}: expected a numpy array", what));
  auto array = py::reinterpret_borrow<py::array>(object);
  if (!array.dtype().is(py::dtype::of<float>()) && !array.dtype().equal(py::dtype::of<float>()))
    raise_usage(fmt::format("{}: expected float32, found {}", what, std::string(py::str(array.dtype()))));
  const std::vector<py::ssize_t> found(array.shape(), array.shape() + array.ndim());
  if (found != shape) raise_usage(fmt::format("{}: expected the shape {}, found {}", what, shape_text(shape), shape_text(found)));
  if (!array.writeable()) raise_usage(fmt::format("{}: the array is read-only", what));
  constexpr auto number = static_cast<py::ssize_t>(sizeof(float));
  py::ssize_t least = number;  // what one step along an axis goes at least: the bytes of all that lies within
  for (py::ssize_t axis = array.ndim(); axis-- > 0;) {
    const py::ssize_t count = array.shape(axis);
    if (count <= 1) continue;
    const py::ssize_t stride = array.strides(axis);
    if (stride < least || stride % number != 0 || (axis + 1 == array.ndim() && stride != number))
      raise_usage(fmt::format("{}: expected the numbers of a row without gaps, and rows and frames in ascending order", what));
    least = count * stride;
  }
  if (reinterpret_cast<std::uintptr_t>(array.data()) % alignof(float) != 0)
    raise_usage(fmt::format("{}: expected memory aligned for float32", what));
  return array;
}

/// The caller's array, or a new one of NaN: rows of what has no value stay NaN.
py::array output_of(const py::object& out, const std::vector<py::ssize_t>& shape, std::string_view what) {
  if (!out.is_none()) return checked(out, shape, what);
  Array made(shape);
  std::fill_n(made.mutable_data(), made.size(), std::numeric_limits<float>::quiet_NaN());
  return made;
}

/// One frame of an array of (…, rows, width).
Rows rows_of(py::array& array, std::size_t frame = 0) {
  const py::ssize_t axis = array.ndim() - 2;
  auto* start = static_cast<char*>(array.mutable_data());
  if (axis > 0) start += static_cast<py::ssize_t>(frame) * array.strides(0);
  const auto width = static_cast<std::size_t>(array.shape(axis + 1));
  const auto count = static_cast<std::size_t>(array.shape(axis));
  const std::size_t stride = count > 1 ? static_cast<std::size_t>(array.strides(axis)) : width * sizeof(float);
  return {reinterpret_cast<float*>(start), count, width, stride};
}

py::ssize_t size_of(std::size_t count) { return static_cast<py::ssize_t>(count); }
std::vector<py::ssize_t> shape_of(const Deformer& d, std::size_t width) { return {size_of(d.scene.vertices()), size_of(width)}; }

const sinew::Pose& pose_of(const Deformer& d, const Posed& posed) { return pose_of(d.model, &posed); }

Deformer make(const Loaded& loaded, std::optional<std::int64_t> scene, bool normals, bool tangents, std::uint32_t max_influences,
              const std::string& kernel) {
  const Model& model = *loaded.model;
  const sinew::Index chosen = scene_of(model, scene);
  if (const auto defect = sinew::closure_defect(model, chosen)) raise(*defect);
  sinew::deform::PrepareOptions channels;
  channels.normals = normals || tangents;
  channels.tangents = tangents;
  channels.max_influences = max_influences;
  channels.kernel = kernel;
  auto made = value_of(without_lock([&] { return SceneDeformer::create(model, sinew::instances(model, chosen), channels); }));
  return {loaded.model, std::move(made), channels.normals, tangents};
}

void run(Deformer& d, const sinew::Pose& shared, const Output& output, unsigned threads) {
  const sinew::Pose pose = shared;  // others may change theirs meanwhile
  value_of(without_lock([&]() -> sinew::Result<> {
    const std::lock_guard lock(*d.busy);
    return d.scene.run(pose, output, threads);
  }));
}

/// Whether some instance has the channel; sinew.UsageError tells what to ask for where it has not.
void need(const Deformer& d, bool asked, bool (sinew::deform::Prepared::*has)() const, std::string_view what) {
  if (!asked) raise_usage(fmt::format("this Deformer has no {0}; create it with {0}=True", what));
  for (std::size_t i = 0; i < d.scene.instances().size(); ++i)
    if ((d.scene.prepared(i).*has)()) return;
  const bool g4mf = d.model->stores_values_by_corner() && what == "normals";
  if (d.scene.vertices() != 0)
    raise_usage(fmt::format("no mesh of the scene has {} of vertices{}", what, g4mf ? "; for G4MF use corner_normals" : ""));
}

/// One channel, in the caller's array or in a new one.
py::array filled(Deformer& d, const Posed& posed, const py::object& out, unsigned threads, std::size_t width, Rows Output::* channel) {
  py::array array = output_of(out, shape_of(d, width), "out");
  Output output;
  output.*channel = rows_of(array);
  run(d, pose_of(d, posed), output, threads);
  return array;
}

py::array positions(Deformer& d, const Posed& posed, const py::object& out, unsigned threads) {
  return filled(d, posed, out, threads, d.model->dimension, &Output::positions);
}

py::array normals(Deformer& d, const Posed& posed, const py::object& out, unsigned threads) {
  need(d, d.normals, &sinew::deform::Prepared::has_normals, "normals");
  return filled(d, posed, out, threads, d.model->dimension, &Output::normals);
}

py::array tangents(Deformer& d, const Posed& posed, const py::object& out, unsigned threads) {
  need(d, d.tangents, &sinew::deform::Prepared::has_tangents, "tangents");
  return filled(d, posed, out, threads, 4, &Output::tangents);
}

void run_channels(Deformer& d, const Posed& posed, const py::object& positions_out, const py::object& normals_out,
                  const py::object& tangents_out, unsigned threads) {
  std::vector<py::array> kept;  // while they are filled
  kept.reserve(3);
  const auto rows = [&](const py::object& out, std::size_t width, const char* what) -> Rows {
    if (out.is_none()) return {};
    kept.push_back(checked(out, shape_of(d, width), what));
    return rows_of(kept.back());
  };
  if (!normals_out.is_none()) need(d, d.normals, &sinew::deform::Prepared::has_normals, "normals");
  if (!tangents_out.is_none()) need(d, d.tangents, &sinew::deform::Prepared::has_tangents, "tangents");
  Output output;
  output.positions = rows(positions_out, d.model->dimension, "positions");
  output.normals = rows(normals_out, d.model->dimension, "normals");
  output.tangents = rows(tangents_out, 4, "tangents");
  run(d, pose_of(d, posed), output, threads);
}

py::array corner_normals(Deformer& d, const Posed& posed, const py::object& out, unsigned threads) {
  if (!d.model->stores_values_by_corner()) raise_usage("glTF stores normals by vertex; use normals");
  if (!d.normals) raise_usage("this Deformer has no normals; create it with normals=True");
  py::array array = output_of(out, {size_of(d.scene.corners()), size_of(d.model->dimension)}, "out");
  const Rows rows = rows_of(array);
  const sinew::Pose pose = pose_of(d, posed);
  value_of(without_lock([&]() -> sinew::Result<> {
    const std::lock_guard lock(*d.busy);
    return d.scene.run_corner_normals(pose, rows, threads);
  }));
  return array;
}

std::vector<py::ssize_t> shape_of_frames(const Deformer& d, std::size_t frames) {
  return {size_of(frames), size_of(d.scene.vertices()), size_of(d.model->dimension)};
}

/// Deforms frame after frame: `pose_at` tells each pose, without Python's lock.
template <class PoseAt>
void run_frames(Deformer& d, py::array& array, unsigned threads, const PoseAt& pose_at) {
  std::vector<Output> outputs(static_cast<std::size_t>(array.shape(0)));
  for (std::size_t frame = 0; frame < outputs.size(); ++frame) outputs[frame].positions = rows_of(array, frame);
  value_of(without_lock([&]() -> sinew::Result<> {
    const std::lock_guard lock(*d.busy);
    for (std::size_t frame = 0; frame < outputs.size(); ++frame)
      if (auto done = d.scene.run(pose_at(frame), outputs[frame], threads); !done) return done;
    return {};
  }));
}

py::array frames(Deformer& d, const std::vector<Posed>& poses, const py::object& out, unsigned threads) {
  for (const Posed& posed : poses) (void)pose_of(d, posed);
  py::array array = output_of(out, shape_of_frames(d, poses.size()), "out");
  run_frames(d, array, threads, [&](std::size_t frame) -> const sinew::Pose& { return poses[frame].pose; });
  return array;
}

/// The times of a clip: given, at a rate, or a number of them.
std::vector<double> clip_times(const sinew::Clip& clip, const std::optional<std::vector<double>>& wanted, std::optional<double> fps,
                               std::optional<std::int64_t> count) {
  if (int{wanted.has_value()} + int{fps.has_value()} + int{count.has_value()} != 1) raise_usage("expected one of times, fps and frames");
  constexpr std::int64_t most = 1'000'000;
  if (count && (*count < 1 || *count > most)) raise_usage(fmt::format("frames: expected a number from 1 to {}, found {}", most, *count));
  if (count) return sinew::animate::frame_times(clip.duration, static_cast<std::size_t>(*count));
  if (fps && !(*fps > 0)) raise_usage(fmt::format("fps: expected a number above zero, found {}", *fps));
  if (fps && !(clip.duration * *fps < most)) raise_usage(fmt::format("fps: {} gives more than {} frames", *fps, most));
  if (fps) return sinew::animate::frame_times_at(clip.duration, *fps);
  for (const double time : *wanted)
    if (!std::isfinite(time)) raise_usage("times: expected finite numbers");
  return *wanted;
}

py::array clip(Deformer& d, const py::object& name, const std::optional<std::vector<double>>& wanted, std::optional<double> fps,
               std::optional<std::int64_t> count, const py::object& out, unsigned threads) {
  const sinew::Clip& clip = d.model->clips[clip_of(*d.model, name)];
  if (clip.defect != sinew::none) raise(d.model->defects[clip.defect]);
  const std::vector<double> times = clip_times(clip, wanted, fps, count);
  py::array array = output_of(out, shape_of_frames(d, times.size()), "out");
  sinew::Pose pose;
  run_frames(d, array, threads, [&](std::size_t frame) -> const sinew::Pose& {
    pose = d.model->rest;
    sinew::animate::sample(*d.model, clip, times[frame], pose);
    return pose;
  });
  return array;
}

/// Of all surfaces of simplexes, as indices into the rows of positions.
py::array_t<std::uint32_t> simplexes(const Deformer& d) {
  const std::size_t corners = std::max<std::size_t>(d.model->dimension, 3);
  std::vector<std::uint32_t> all;
  for (std::size_t i = 0; i < d.scene.instances().size(); ++i) {
    const sinew::Mesh& mesh = d.model->meshes[d.scene.instances()[i].mesh];
    std::vector<std::size_t> first{d.scene.first(i)};
    for (const auto& block : mesh.blocks) first.push_back(first.back() + block.vertices);
    for (const auto& surface : mesh.surfaces) {
      const sinew::Elements elements = elements_of(mesh, surface, d.model->dimension);
      if (elements.corners != corners) continue;
      for (const std::uint32_t vertex : elements.indices) all.push_back(static_cast<std::uint32_t>(first[surface.block] + vertex));
    }
  }
  py::array_t<std::uint32_t> out({all.size() / corners, corners});
  std::copy(all.begin(), all.end(), out.mutable_data());
  return out;
}

void bind_runs(py::class_<Deformer>& type) {
  type.def(
      "positions", positions, py::arg("pose"), py::kw_only(), py::arg("out") = py::none(), py::arg("threads") = 0,
      "Returns the positions of the vertices in world space, in metres: float32 (vertices, N). out: fill this array instead of a new one.");
  type.def(
      "normals", normals, py::arg("pose"), py::kw_only(), py::arg("out") = py::none(), py::arg("threads") = 0,
      "Returns unit normals of the vertices: float32 (vertices, N). Rows of meshes without normals are NaN, or unchanged in out. glTF.");
  type.def("tangents", tangents, py::arg("pose"), py::kw_only(), py::arg("out") = py::none(), py::arg("threads") = 0,
           "Returns tangents of the vertices: float32 (vertices, 4), x, y, z and the sign w. glTF.");
  type.def("run", run_channels, py::arg("pose"), py::kw_only(), py::arg("positions") = py::none(), py::arg("normals") = py::none(),
           py::arg("tangents") = py::none(), py::arg("threads") = 0, "Fills the given arrays in one pass.");
  type.def("corner_normals", corner_normals, py::arg("pose"), py::kw_only(), py::arg("out") = py::none(), py::arg("threads") = 0,
           "Returns unit normals of the corners of all surfaces: float32 (corners, N). G4MF.");
  type.def("frames", frames, py::arg("poses"), py::kw_only(), py::arg("out") = py::none(), py::arg("threads") = 0,
           "Returns the positions at many poses: float32 (poses, vertices, N).");
  type.def("clip", clip, py::arg("clip"), py::kw_only(), py::arg("times") = py::none(), py::arg("fps") = py::none(),
           py::arg("frames") = py::none(), py::arg("out") = py::none(), py::arg("threads") = 0,
           "Deforms an animation (name or index) and returns the positions: float32 (frames, vertices, N).\n\n"
           "Give one of three: times, a list in seconds; fps, a rate from 0 to the end of the animation; or frames, a number of equally\n"
           "spaced frames from 0 to the end, both included.");
}

}  // namespace

void bind_deform(py::module_& module) {
  py::class_<Deformer> type(
      module, "Deformer",
      "Deforms all drawn meshes of a scene for any number of poses.\n\n"
      "Rows are vertices, instance after instance. Releases Python's global lock while working. Calls from several threads wait for each\n"
      "other; give each thread a copy(), which shares the packed meshes.");
  type.def(
      py::init(&make), py::arg("model"), py::kw_only(), py::arg("scene") = py::none(), py::arg("normals") = false,
      py::arg("tangents") = false, py::arg("max_influences") = 0, py::arg("kernel") = "",
      "scene: an index; None uses the default scene. normals, tangents: prepare them. max_influences: use only the first influences of\n"
      "each vertex, renormalised, like engines with four influences; 0 uses all (convert and repair keep the strongest). kernel: "
      "\"plain\", …; empty selects the fastest for this CPU.");
  bind_runs(type);
  type.def_property_readonly("vertices", [](const Deformer& d) { return d.scene.vertices(); }, "Number of rows of positions.");
  type.def_property_readonly("corners", [](const Deformer& d) { return d.scene.corners(); }, "Number of rows of corner normals.");
  type.def_property_readonly("dimension", [](const Deformer& d) { return d.model->dimension; }, "N, the dimension of the space.");
  type.def_property_readonly("instances", [](const Deformer& d) { return d.scene.instances(); }, "The drawn meshes, in row order.");
  type.def_property_readonly(
      "kernel", [](const Deformer& d) { return d.scene.instances().empty() ? std::string() : std::string(d.scene.prepared(0).kernel()); },
      "The name of the kernel in use.");
  type.def(
      "rows",
      [](const Deformer& d, std::size_t instance) {
        if (instance >= d.scene.instances().size()) raise_usage(fmt::format("instance {} does not exist", instance));
        return py::slice(size_of(d.scene.first(instance)), size_of(d.scene.first(instance + 1)), 1);
      },
      py::arg("instance"), "Returns the rows of an instance as a slice.");
  type.def(
      "simplexes", simplexes,
      "Returns the simplexes of all surfaces (triangles in 3D) as rows of positions: uint32 (simplexes, max(N, 3)). Excludes lines and\n"
      "points.");
  type.def("__repr__", [](const Deformer& d) {
    return fmt::format("<Deformer of {} vertices in {} instances, {} dimensions>", d.scene.vertices(), d.scene.instances().size(),
                       d.model->dimension);
  });
  type.def(
      "copy", [](const Deformer& d) { return Deformer{d.model, d.scene, d.normals, d.tangents}; },
      "Returns a Deformer for another thread; it shares the packed meshes.");
}

}  // namespace python

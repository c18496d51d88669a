// SPDX-License-Identifier: MIT
#include "sinew/deform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

#include "deformer.hpp"

#include "sinew/animate.hpp"
#include "sinew/sinew.hpp"

namespace python {

std::string shape_text(const std::vector<py::ssize_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

namespace {

/// Returns a numpy array that shares the memory of the object: numpy's own, or what torch and the buffer protocol offer.
py::array shared_memory(const py::handle& object, std::string_view what) {
  if (py::isinstance<py::array>(object)) return py::reinterpret_borrow<py::array>(object);
  const bool offers = PyObject_CheckBuffer(object.ptr()) != 0 || py::hasattr(object, "__array__");
  if (!offers) throw py::type_error(fmt::format("{}: expected a numpy array, or what shares its memory with one", what));
  const auto given = py::reinterpret_borrow<py::object>(object);
  auto array = py::reinterpret_borrow<py::array>(as_numpy(given, what));
  if (array.size() != 0 && array.data() != py::reinterpret_borrow<py::array>(as_numpy(given, what)).data())
    raise_usage(fmt::format("{}: the object gives a copy of its numbers, expected memory that can be filled", what));
  return array;
}

}  // namespace

py::array checked(const py::handle& object, const std::vector<py::ssize_t>& shape, std::string_view what) {
  const auto array = shared_memory(object, what);
  if (!array.dtype().is(py::dtype::of<float>()) && !array.dtype().equal(py::dtype::of<float>()))
    raise_usage(fmt::format("{}: expected float32, found {}", what, std::string(py::str(array.dtype()))));
  const std::vector<py::ssize_t> found(array.shape(), array.shape() + array.ndim());
  if (found != shape) raise_usage(fmt::format("{}: expected the shape {}, found {}", what, shape_text(shape), shape_text(found)));
  if (!array.writeable()) raise_usage(fmt::format("{}: the array is read-only", what));
  constexpr auto number = static_cast<py::ssize_t>(sizeof(float));
  py::ssize_t least = number;  // the smallest allowed step along an axis: the bytes of all inner axes
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

Rows rows_of(py::array& array, std::size_t frame) {
  const py::ssize_t axis = array.ndim() - 2;
  auto* start = static_cast<char*>(array.mutable_data());
  if (axis > 0) start += static_cast<py::ssize_t>(frame) * array.strides(0);
  const auto width = static_cast<std::size_t>(array.shape(axis + 1));
  const auto count = static_cast<std::size_t>(array.shape(axis));
  const std::size_t stride = count > 1 ? static_cast<std::size_t>(array.strides(axis)) : width * sizeof(float);
  return {reinterpret_cast<float*>(start), count, width, stride};
}

std::vector<double> clip_times(const sinew::Model& model, sinew::Index number, const std::optional<std::vector<double>>& wanted,
                               std::optional<double> fps, std::optional<std::int64_t> count) {
  const sinew::Clip& clip = model.clips[number];
  if (clip.defect != sinew::none) raise(model.defects[clip.defect]);
  if (int{wanted.has_value()} + int{fps.has_value()} + int{count.has_value()} != 1) raise_usage("expected one of times, fps and frames");
  constexpr std::int64_t most = 1'000'000;
  if (count && (*count < 1 || *count > most)) raise_usage(fmt::format("frames: expected a number from 1 to {}, found {}", most, *count));
  if (count) return value_of(sinew::animate::frame_times(clip.duration, static_cast<std::size_t>(*count)));
  if (fps && !(*fps > 0)) raise_usage(fmt::format("fps: expected a number above zero, found {}", *fps));
  if (fps && !(clip.duration * *fps < most)) raise_usage(fmt::format("fps: {} gives more than {} frames", *fps, most));
  if (fps) return value_of(sinew::animate::frame_times_at(clip.duration, *fps));
  for (const double time : *wanted)
    if (!std::isfinite(time)) raise_usage("times: expected finite numbers");
  return *wanted;
}

namespace {

using sinew::Model;
using sinew::Normals;
using sinew::deform::Output;
/// Returns the caller's array, or a new one filled with NaN: rows without a value stay NaN.
py::array output_of(const py::object& out, const std::vector<py::ssize_t>& shape, std::string_view what) {
  if (!out.is_none()) return checked(out, shape, what);
  Array made(shape);
  std::fill_n(made.mutable_data(), made.size(), std::numeric_limits<float>::quiet_NaN());
  return made;
}

std::vector<py::ssize_t> shape_of(const Deformer& d, std::size_t width) { return {size_of(d.deformer.vertices()), size_of(width)}; }

const sinew::Pose& pose_of(const Deformer& d, const Posed& posed) { return pose_of(d.deformer.model(), &posed); }

Normals normals_of(const py::object& wanted) {
  if (py::isinstance<py::bool_>(wanted)) return wanted.cast<bool>() ? Normals::stored : Normals::off;
  if (py::isinstance<py::str>(wanted) && wanted.cast<std::string>() == "computed") return Normals::computed;
  raise_usage(fmt::format("normals: expected True, False or \"computed\", found {}", std::string(py::repr(wanted))));
}

Deformer make_deformer(const SharedModel& loaded, std::optional<std::int64_t> scene, const py::object& normals, bool tangents,
                       std::uint32_t max_influences, const std::string& kernel) {
  const sinew::DeformerOptions options{.normals = normals_of(normals),
                                       .tangents = tangents,
                                       .max_influences = max_influences,
                                       .scene = scene_of(*loaded->model, scene),
                                       .kernel = kernel};
  return {loaded, kernel, value_of(without_lock([&] { return sinew::Deformer::create(loaded->model, options); }))};
}

Deformer copied(const Deformer& d) { return {d.loaded, d.kernel, value_of(d.deformer.clone())}; }

/// The arguments that make the same deformer again.
py::tuple reduced_deformer(const Deformer& d) {
  const sinew::DeformerOptions& options = d.deformer.options();
  const py::object normals =
      options.normals == Normals::computed ? py::object(py::str("computed")) : py::bool_(options.normals != Normals::off);
  return py::make_tuple(restorer("deformer"), py::make_tuple(d.loaded, index_or_none(options.scene), normals, options.tangents,
                                                             options.max_influences, d.kernel));
}

void run(Deformer& d, const sinew::Pose& shared, const Output& output, unsigned threads) {
  const sinew::Pose pose = shared;  // a copy: other threads may change theirs
  value_of(without_lock([&]() -> sinew::Result<> {
    const std::lock_guard lock(*d.busy);
    return d.deformer.run(pose, output, threads);
  }));
}

void run_given(Deformer& d, const sinew::PoseArrays& poses, std::vector<Channel> channels, unsigned threads) {
  run_frames(d, poses.poses, std::move(channels), [&](std::size_t first, std::size_t count, const Output& rows) {
    return d.deformer.run(poses.part(first, count), rows, threads);
  });
}

/// Checks that an instance has the channel; otherwise sinew.UsageError with the missing option.
void need(Deformer& d, bool asked, bool (sinew::deform::Prepared::*has)() const, std::string_view what) {
  if (!asked) raise_usage(fmt::format("this Deformer has no {0}; create it with {0}=True", what));
  if (what == "normals" && d.deformer.options().normals == Normals::computed) return;
  for (std::size_t i = 0; i < d.deformer.scene().instances().size(); ++i)
    if ((d.deformer.scene().prepared(i).*has)()) return;
  const bool g4mf = d.deformer.model()->stores_values_by_corner() && what == "normals";
  if (d.deformer.vertices() != 0)
    raise_usage(fmt::format("no mesh of the scene has {} of vertices{}{}", what, g4mf ? "; for G4MF use corner_normals" : "",
                            what == "normals" ? "; normals=\"computed\" computes them" : ""));
}

/// Computes one channel, in the caller's array or in a new one, for a pose or for many poses as arrays.
py::object filled(Deformer& d, const py::object& poses, const py::object& out, unsigned threads, std::size_t width,
                  Rows Output::* channel) {
  std::vector<py::ssize_t> shape = shape_of(d, width);
  if (py::isinstance<Posed>(poses)) {
    py::array array = output_of(out, shape, "out");
    Output output;
    output.*channel = rows_of(array);
    run(d, pose_of(d, poses.cast<const Posed&>()), output, threads);
    return out.is_none() ? py::object(array) : out;
  }
  const GivenPoses given = given_poses(*d.deformer.model(), poses);
  shape.insert(shape.begin(), size_of(given.arrays.poses));
  const py::array array = output_of(out, shape, "out");
  run_given(d, given.arrays, {{array, channel}}, threads);
  return out.is_none() ? py::object(array) : out;
}

py::object positions(Deformer& d, const py::object& poses, const py::object& out, unsigned threads) {
  return filled(d, poses, out, threads, d.deformer.dimension(), &Output::positions);
}

py::object normals(Deformer& d, const py::object& poses, const py::object& out, unsigned threads) {
  need(d, d.deformer.options().normals != Normals::off, &sinew::deform::Prepared::has_normals, "normals");
  return filled(d, poses, out, threads, d.deformer.dimension(), &Output::normals);
}

py::object tangents(Deformer& d, const py::object& poses, const py::object& out, unsigned threads) {
  need(d, d.deformer.options().tangents, &sinew::deform::Prepared::has_tangents, "tangents");
  return filled(d, poses, out, threads, 4, &Output::tangents);
}

void run_channels(Deformer& d, const py::object& poses, const py::object& positions_out, const py::object& normals_out,
                  const py::object& tangents_out, unsigned threads) {
  if (!normals_out.is_none()) need(d, d.deformer.options().normals != Normals::off, &sinew::deform::Prepared::has_normals, "normals");
  if (!tangents_out.is_none()) need(d, d.deformer.options().tangents, &sinew::deform::Prepared::has_tangents, "tangents");
  const bool one = py::isinstance<Posed>(poses);
  const GivenPoses given = one ? GivenPoses() : given_poses(*d.deformer.model(), poses);
  std::vector<Channel> channels;  // keeps the arrays alive while they are filled
  const auto add = [&](const py::object& out, std::size_t width, const char* what, Rows Output::* member) {
    if (out.is_none()) return;
    std::vector<py::ssize_t> shape = shape_of(d, width);
    if (!one) shape.insert(shape.begin(), size_of(given.arrays.poses));
    channels.push_back({checked(out, shape, what), member});
  };
  add(positions_out, d.deformer.dimension(), "positions", &Output::positions);
  add(normals_out, d.deformer.dimension(), "normals", &Output::normals);
  add(tangents_out, 4, "tangents", &Output::tangents);
  if (!one) return run_given(d, given.arrays, std::move(channels), threads);
  Output output;
  for (Channel& channel : channels) output.*channel.member = rows_of(channel.array);
  run(d, pose_of(d, poses.cast<const Posed&>()), output, threads);
}

py::array corner_normals(Deformer& d, const Posed& posed, const py::object& out, unsigned threads) {
  if (!d.deformer.model()->stores_values_by_corner()) raise_usage("glTF stores normals by vertex; use normals");
  if (d.deformer.options().normals == Normals::off)
    raise_usage("this Deformer has no normals; create it with normals=True, or with normals=\"computed\" if the file stores none");
  py::array array = output_of(out, {size_of(d.deformer.scene().corners()), size_of(d.deformer.dimension())}, "out");
  const Rows rows = rows_of(array);
  const sinew::Pose pose = pose_of(d, posed);
  value_of(without_lock([&]() -> sinew::Result<> {
    const std::lock_guard lock(*d.busy);
    return d.deformer.scene().run_corner_normals(pose, rows, threads);
  }));
  return array;
}

std::vector<py::ssize_t> shape_of_frames(const Deformer& d, std::size_t frames) {
  return {size_of(frames), size_of(d.deformer.vertices()), size_of(d.deformer.dimension())};
}

py::array frames(Deformer& d, std::vector<Posed> posed, const py::object& out, unsigned threads) {
  std::vector<sinew::Pose> poses;
  for (Posed& one : posed) {
    (void)pose_of(d, one);
    poses.push_back(std::move(one.pose));
  }
  py::array array = output_of(out, shape_of_frames(d, poses.size()), "out");
  run_frames(d, poses.size(), {{array, &Output::positions}}, [&](std::size_t first, std::size_t count, const Output& rows) {
    return d.deformer.scene().run_poses(std::span(poses).subspan(first, count), rows, threads);
  });
  return array;
}

py::array clip(Deformer& d, const py::object& name, const std::optional<std::vector<double>>& wanted, std::optional<double> fps,
               std::optional<std::int64_t> count, const py::object& out, unsigned threads) {
  const sinew::Index number = clip_of(*d.deformer.model(), name);
  const std::vector<double> times = clip_times(*d.deformer.model(), number, wanted, fps, count);
  py::array array = output_of(out, shape_of_frames(d, times.size()), "out");
  run_frames(d, times.size(), {{array, &Output::positions}}, [&](std::size_t first, std::size_t at_once, const Output& rows) {
    return d.deformer.scene().run_clip(number, std::span(times).subspan(first, at_once), rows, threads);
  });
  return array;
}

py::array_t<std::uint32_t> simplexes(const Deformer& d) {
  const std::size_t corners = std::max<std::size_t>(d.deformer.dimension(), 3);
  const std::vector<std::uint32_t> all = value_of(d.deformer.triangles());
  py::array_t<std::uint32_t> out({all.size() / corners, corners});
  std::copy(all.begin(), all.end(), out.mutable_data());
  return out;
}

void bind_runs(py::class_<Deformer>& type) {
  type.def("positions", positions, py::arg("pose"), py::kw_only(), py::arg("out") = py::none(), py::arg("threads") = 0,
           "Returns the positions of the vertices in world space, in metres: float32 (vertices, N) for a Pose.\n\n"
           "For many poses as arrays, (B, vertices, N): pose is a dict with \"local\" (transforms relative to the parent) or \"world\"\n"
           "(world transforms, independent of the parents), both (B, nodes, N+1, N+1) for column vectors; or any of \"translation\"\n"
           "(B, nodes, N), \"rotation\" (B, nodes, 4; quaternions x, y, z, w), \"rotor\" and \"scale\" (B, nodes, N); and \"amounts\"\n"
           "(B, blend shapes): those of every node with a mesh, in turn. What is left out stays as in the file. float64 arrays in C order\n"
           "of numpy, DLPack or the buffer protocol are read in place; do not change them during the call. Results equal those of single\n"
           "calls bit for bit. out: fill this array instead of a new one, and return it.");
  type.def("normals", normals, py::arg("pose"), py::kw_only(), py::arg("out") = py::none(), py::arg("threads") = 0,
           "Returns unit normals of the vertices: float32 (vertices, N), or (B, vertices, N). Rows without a normal are NaN. pose: as for\n"
           "positions.");
  type.def("tangents", tangents, py::arg("pose"), py::kw_only(), py::arg("out") = py::none(), py::arg("threads") = 0,
           "Returns tangents of the vertices: float32 (vertices, 4), or (B, vertices, 4): x, y, z and the sign w. Rows without a tangent\n"
           "are NaN. glTF. pose: as for positions.");
  type.def("run", run_channels, py::arg("pose"), py::kw_only(), py::arg("positions") = py::none(), py::arg("normals") = py::none(),
           py::arg("tangents") = py::none(), py::arg("threads") = 0, "Fills the given arrays in one pass. pose: as for positions.");
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
      py::init(&make_deformer), py::arg("model"), py::kw_only(), py::arg("scene") = py::none(), py::arg("normals") = false,
      py::arg("tangents") = false, py::arg("max_influences") = 0, py::arg("kernel") = "",
      "scene: an index; None uses the default scene. normals: True prepares those that the file stores, \"computed\" also computes the\n"
      "others from the deformed triangles. tangents: prepare them. max_influences: use only the strongest influences of each vertex,\n"
      "renormalised, like engines with four influences; 0 uses all. kernel: \"plain\", …; empty\n"
      "selects the fastest for this CPU.");
  bind_runs(type);
  bind_batch(type);
  bind_pick(type);
  type.def_property_readonly("vertices", [](const Deformer& d) { return d.deformer.vertices(); }, "Number of rows of positions.");
  type.def_property_readonly("corners", [](Deformer& d) { return d.deformer.scene().corners(); }, "Number of rows of corner normals.");
  type.def_property_readonly("dimension", [](const Deformer& d) { return d.deformer.dimension(); }, "N, the dimension of the space.");
  type.def_property_readonly("instances", [](Deformer& d) { return d.deformer.scene().instances(); }, "The drawn meshes, in row order.");
  type.def_property_readonly(
      "kernel",
      [](Deformer& d) {
        return d.deformer.scene().instances().empty() ? std::string() : std::string(d.deformer.scene().prepared(0).kernel());
      },
      "The name of the kernel in use.");
  type.def(
      "rows",
      [](Deformer& d, std::size_t instance) {
        if (instance >= d.deformer.scene().instances().size()) raise_usage(fmt::format("instance {} does not exist", instance));
        return py::slice(size_of(d.deformer.scene().first(instance)), size_of(d.deformer.scene().first(instance + 1)), 1);
      },
      py::arg("instance"), "Returns the rows of an instance as a slice.");
  type.def(
      "simplexes", simplexes,
      "Returns the simplexes of all surfaces (triangles in 3D) as rows of positions: uint32 (simplexes, max(N, 3)). Excludes lines and\n"
      "points.");
  type.def("__repr__", [](Deformer& d) {
    return fmt::format("<Deformer of {} vertices in {} instances, {} dimensions>", d.deformer.vertices(),
                       d.deformer.scene().instances().size(), d.deformer.dimension());
  });
  type.def("copy", copied, "Returns a Deformer for another thread; it shares the packed meshes.");
  type.def("__copy__", copied);
  type.def("__deepcopy__", [](const Deformer& d, const py::dict&) { return copied(d); }, py::arg("memo"));
  type.def("__reduce__", reduced_deformer);
}

}  // namespace python

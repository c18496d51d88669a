// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "glue.hpp"

#include "sinew/animate.hpp"
#include "sinew/geometry.hpp"
#include "sinew/model.hpp"

namespace python {

namespace {

using sinew::Index;
using sinew::LocalTransform;
using sinew::Model;

template <std::size_t Inline>
sinew::SmallVector<double, Inline> small(const std::vector<double>& values) {
  return sinew::SmallVector<double, Inline>(std::span<const double>(values));
}

py::array_t<double> array_of(std::span<const double> values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// Returns N numbers; if the part is absent, N times `neutral`.
template <std::size_t Inline>
py::array_t<double> part_of(const sinew::SmallVector<double, Inline>& part, std::size_t n, double neutral) {
  return array_of(part.empty() ? std::vector<double>(n, neutral) : std::vector<double>(part.begin(), part.end()));
}

void refuse_zeros(std::span<const double> values, const char* what) {
  if (std::all_of(values.begin(), values.end(), [](double value) { return value == 0; }))
    raise_usage(fmt::format("{}: expected a number other than zero", what));
}

/// Converts a numpy matrix (N, N) from row-major to column-major.
sinew::SmallVector<double, 1> columns(const py::object& matrix, std::size_t n) {
  const auto list = real_numbers(matrix);
  if (!list || list.ndim() != 2 || static_cast<std::size_t>(list.shape(0)) != n || static_cast<std::size_t>(list.shape(1)) != n)
    raise_usage(fmt::format("basis: expected an array of shape ({}, {})", n, n));
  sinew::SmallVector<double, 1> out(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      out[j * n + i] = list.data()[i * n + j];
      if (!std::isfinite(out[j * n + i])) raise_usage("basis: expected finite numbers");
    }
  return out;
}

sinew::SmallVector<double, 4> rotor_of(const Model& model, const py::object& values) {
  const std::size_t length = py::len(values);
  if (!sinew::is_rotor_length(model.dimension, length))
    raise_usage(fmt::format("rotor: {} numbers do not form a rotor of {} dimensions", length, model.dimension));
  auto rotor = small<4>(numbers(values, length, "rotor"));
  refuse_zeros(rotor, "rotor");
  // G4MF uses only the direction of rotors; glTF uses rotations as they are.
  if (model.normalizes_rotors() && !sinew::normalize_rotor(rotor)) raise_usage("rotor: the numbers are too small");
  return rotor;
}

void set(Posed& posed, const py::object& node, const py::object& translation, const py::object& rotation, const py::object& rotor,
         const py::object& scale, const py::object& basis) {
  const Model& model = posed.model();
  const std::size_t n = model.dimension;
  sinew::NodeEdit edited;
  edited.node = node_of(model, node);
  sinew::LocalTransform& change = edited.local;
  if (!translation.is_none()) change.translation = small<3>(numbers(translation, n, "translation"));
  if (!scale.is_none()) change.scale = small<3>(numbers(scale, n, "scale"));
  if (!rotor.is_none()) change.rotor = rotor_of(model, rotor);
  if (!rotation.is_none()) {
    if (n != 3) raise_usage("rotation: quaternions exist only in 3 dimensions; use rotor or basis");
    if (!change.rotor.empty()) raise_usage("rotation and rotor cannot be combined");
    const std::vector<double> q = numbers(rotation, 4, "rotation");
    refuse_zeros(q, "rotation");
    const auto parts = sinew::rotor_from_quaternion(std::span<const double, 4>(q.data(), 4));
    change.rotor = sinew::SmallVector<double, 4>(std::span<const double>(parts));
  }
  if (!basis.is_none()) {
    if (!change.rotor.empty() || !change.scale.empty()) raise_usage("basis cannot be combined with rotation or scale");
    change.basis = columns(basis, n);
  }
  sinew::PoseEdit edit;
  edit.nodes.push_back(std::move(edited));
  value_of(sinew::apply(edit, model, posed.pose));
}

/// Returns the rotation for the arguments of `turn`.
sinew::Rotor turn_of(const Model& model, const py::object& axis, const py::object& plane, std::optional<double> angle,
                     const py::object& rotation, const py::object& rotor) {
  if (int{!axis.is_none()} + int{!plane.is_none()} + int{!rotation.is_none()} + int{!rotor.is_none()} != 1)
    raise_usage("expected one of axis, plane, rotation and rotor");
  if (angle.has_value() != (!axis.is_none() || !plane.is_none())) raise_usage("axis and plane need angle, and only they do");
  if (angle && !std::isfinite(*angle)) raise_usage("angle: expected a finite number");
  if (!rotor.is_none()) return sinew::Rotor(rotor_of(model, rotor));
  if (!plane.is_none()) {
    const std::vector<double> axes = numbers(plane, 2, "plane");
    const auto fits = [&](double a) { return a >= 0 && a < static_cast<double>(model.dimension) && a == std::floor(a); };
    if (!fits(axes[0]) || !fits(axes[1]) || axes[0] == axes[1])
      raise_usage(fmt::format("plane: expected two different axes from 0 to {}", model.dimension - 1));
    return sinew::Rotor::in_plane(static_cast<std::size_t>(axes[0]), static_cast<std::size_t>(axes[1]), *angle);
  }
  if (model.dimension != 3) raise_usage("axis and rotation exist only in 3 dimensions; use plane or rotor");
  const std::vector<double> values = axis.is_none() ? numbers(rotation, 4, "rotation") : numbers(axis, 3, "axis");
  refuse_zeros(values, axis.is_none() ? "rotation" : "axis");
  if (axis.is_none()) return sinew::Quaternion{values[0], values[1], values[2], values[3]};
  return sinew::Quaternion::about({values[0], values[1], values[2]}, *angle);
}

void turn(Posed& posed, const py::object& node, const py::object& axis, const py::object& plane, std::optional<double> angle,
          const py::object& rotation, const py::object& rotor) {
  const sinew::Rotor by = turn_of(posed.model(), axis, plane, angle, rotation, rotor);
  value_of(posed.pose.turn(posed.model(), wanted(node, "node"), by));
}

/// Applies a clip at a time to the pose.
void sample(Posed& posed, const py::object& name, double seconds) {
  const Model& model = posed.model();
  const sinew::Clip& clip = model.clips[clip_of(model, name)];
  if (clip.defect != sinew::none) raise(model.defects[clip.defect]);
  if (!std::isfinite(seconds)) raise_usage("seconds: expected a finite number");
  value_of(sinew::animate::sample(model, clip, seconds, posed.pose));
}

std::vector<double>& amounts_of(Posed& posed, const py::object& node) {
  const Index n = node_of(posed.model(), node);
  if (posed.model().nodes[n].mesh == sinew::none) raise_usage(fmt::format("node {} has no mesh", n));
  return posed.pose.amounts[n];
}

const LocalTransform& local_of(const Posed& posed, const py::object& node) { return posed.pose.locals[node_of(posed.model(), node)]; }

py::array_t<double> matrix_of(const Posed& posed, const py::object& node) {
  return matrix_from(sinew::affine_of(posed.model().dimension, local_of(posed, node)));
}

py::object rotor_now(const Posed& posed, const py::object& node) {
  const LocalTransform& local = local_of(posed, node);
  if (!local.basis.empty()) return py::none();
  const std::size_t size = sinew::rotor_size(posed.model().dimension);
  std::vector<double> rotor(std::max(size, local.rotor.size()), 0.0);
  std::copy(local.rotor.begin(), local.rotor.end(), rotor.begin());
  if (local.rotor.empty()) rotor[0] = 1;
  return array_of(rotor);
}

/// What a pickle has: the model, for each node the lengths of the lists of its transform and of its amounts, and all numbers in this order.
py::tuple reduced_pose(const Posed& posed) {
  std::vector<std::uint32_t> lengths;
  std::vector<double> all;
  const auto add = [&](const auto& list) {
    lengths.push_back(static_cast<std::uint32_t>(list.size()));
    all.insert(all.end(), list.begin(), list.end());
  };
  for (std::size_t node = 0; node < posed.pose.locals.size(); ++node) {
    const LocalTransform& local = posed.pose.locals[node];
    add(local.translation);
    add(local.rotor);
    add(local.scale);
    add(local.basis);
    add(posed.pose.amounts[node]);
  }
  const py::array_t<std::uint32_t> counts(static_cast<py::ssize_t>(lengths.size()), lengths.data());
  return py::make_tuple(restorer("pose"), py::make_tuple(posed.loaded, counts, array_of(all)));
}

void bind_edits(py::class_<Posed>& type) {
  type.def(
      "set", set, py::arg("node"), py::kw_only(), py::arg("translation") = py::none(), py::arg("rotation") = py::none(),
      py::arg("rotor") = py::none(), py::arg("scale") = py::none(), py::arg("basis") = py::none(),
      "Changes the local transform of a node (name or index). Arguments that are None keep their value.\n\n"
      "translation: N numbers in metres. rotation: a quaternion (x, y, z, w) as in glTF, 3D only. rotor: scalar first, in the order of\n"
      "CONVENTIONS.md. scale: N numbers. basis: (N, N), replaces rotation and scale; columns are the images of the axes.");
  type.def("turn", turn, py::arg("node"), py::kw_only(), py::arg("axis") = py::none(), py::arg("plane") = py::none(),
           py::arg("angle") = py::none(), py::arg("rotation") = py::none(), py::arg("rotor") = py::none(),
           "Turns a node (name or index) about its own origin, in its own axes, on top of the rotation that the pose has.\n\n"
           "axis and angle: three numbers and radians, 3D only. plane and angle: two axes (0 = x, 1 = y, …), from the first towards the\n"
           "second. rotation: a quaternion (x, y, z, w), 3D only. rotor: scalar first.");
  type.def("sample", sample, py::arg("clip"), py::arg("seconds"),
           "Applies an animation (name or index) at a time, clamped to its keys. Nodes without keys keep their transform.");
  type.def(
      "set_amounts",
      [](Posed& posed, const py::object& node, const py::object& amounts) {
        std::vector<double>& now = amounts_of(posed, node);
        now = numbers(amounts, now.size(), "amounts");
      },
      py::arg("node"), py::arg("amounts"), "Sets the amounts of all blend shapes of a node's mesh: one number per blend shape.");
  type.def(
      "blend",
      [](Posed& posed, const py::object& shape, double amount) {
        const std::string name = wanted(shape, "blend shape");
        if (name.empty()) raise_usage("shape: expected a name or an index, found an empty name");
        if (!std::isfinite(amount)) raise_usage(fmt::format("amount: {} is not a finite number", amount));
        value_of(posed.pose.blend(posed.model(), name, amount));
      },
      py::arg("shape"), py::arg("amount"),
      "Sets the amount of a blend shape: \"SHAPE\" in every mesh that has it, or \"NODE:SHAPE\"; by name or index.");
  type.def(
      "express",
      [](Posed& posed, const py::dict& expressions) {
        std::vector<sinew::animate::ExpressionAmount> on;
        for (const auto& [name, amount] : expressions) {
          const auto value = py::cast<double>(amount);
          if (!(value >= 0 && value <= 1)) raise_usage(fmt::format("amount: found {}, expected 0 to 1", value));
          const std::string wanted_name = wanted(py::reinterpret_borrow<py::object>(name), "expression");
          on.push_back({value_of(sinew::animate::find_expression(wanted_name, posed.model())), value});
        }
        value_of(sinew::animate::express(posed.model(), on, posed.pose));
      },
      py::arg("expressions"),
      "Turns on expressions of an avatar (VRM, KHR_character) together, and all others off: {name or index: amount from 0 to 1}.\n\n"
      "Sets the amounts of all blend shapes that expressions bind.");
  type.def(
      "apply_file",
      [](Posed& posed, const std::filesystem::path& path) {
        const auto edit = value_of(without_lock([&] { return sinew::io::load_pose_file(path, posed.model()); }));
        value_of(sinew::apply(edit, posed.model(), posed.pose));
      },
      py::arg("path"), "Applies a pose file (docs/poses.md).");
  type.def(
      "set_default", [](Posed& posed) { return value_of(sinew::set_default_pose(posed.model(), posed.pose)); },
      "Puts the skeletons of STAIK_skeletons into their default bind pose and returns the number of skeletons.");
}

}  // namespace

Posed restored_pose(const SharedModel& loaded, const std::vector<std::uint32_t>& lengths, const std::vector<double>& all) {
  const std::size_t n = loaded->model->dimension;
  sinew::Pose made = loaded->model->rest_pose;
  if (lengths.size() != 5 * made.locals.size()) raise_usage("the pickled pose has another number of nodes than its model");
  auto length = lengths.begin();
  std::span<const double> rest(all);
  const auto take = [&](auto& list, auto may_have) {
    const std::size_t count = *length++;
    if (count > rest.size() || (count != list.size() && !may_have(count))) raise_usage("the pickled pose does not fit its model");
    std::decay_t<decltype(list)> taken(count);
    std::copy_n(rest.begin(), count, taken.begin());
    list = std::move(taken);
    rest = rest.subspan(count);
  };
  const auto none_or = [](std::size_t full) { return [full](std::size_t count) { return count == 0 || count == full; }; };
  for (std::size_t node = 0; node < made.locals.size(); ++node) {
    LocalTransform& local = made.locals[node];
    take(local.translation, none_or(n));
    take(local.rotor, [n](std::size_t count) { return count == 0 || sinew::is_rotor_length(n, count); });
    take(local.scale, none_or(n));
    take(local.basis, none_or(n * n));
    take(made.amounts[node], [](std::size_t) { return false; });
  }
  if (!rest.empty()) raise_usage("the pickled pose has more numbers than its model");
  return {loaded, std::move(made)};
}

void bind_pose(py::module_& module) {
  py::class_<Posed> type(module, "Pose",
                         "The local transforms of all nodes and the blend amounts at one moment. Model.pose() creates it.\n\n"
                         "Only one thread may change a pose at a time. Deforming uses a copy.");
  bind_edits(type);
  type.def(
      "translation",
      [](const Posed& posed, const py::object& node) { return part_of(local_of(posed, node).translation, posed.model().dimension, 0.0); },
      py::arg("node"), "Returns N numbers (a copy).");
  type.def("rotor", rotor_now, py::arg("node"), "Returns 2^(N-1) numbers, scalar first (a copy); None if the node has a basis.");
  type.def(
      "scale",
      [](const Posed& posed, const py::object& node) -> py::object {
        const LocalTransform& local = local_of(posed, node);
        if (!local.basis.empty()) return py::none();
        return part_of(local.scale, posed.model().dimension, 1.0);
      },
      py::arg("node"), "Returns N numbers (a copy); None if the node has a basis.");
  type.def("matrix", matrix_of, py::arg("node"), "Returns the local transform as a matrix, float64 (N, N+1): [L | t].");
  type.def(
      "amounts", [](Posed& posed, const py::object& node) { return array_of(amounts_of(posed, node)); }, py::arg("node"),
      "Returns the blend amounts of a node's mesh (a copy).");
  type.def("copy", [](const Posed& posed) { return posed; }, "Returns an independent copy.");
  type.def("__repr__", [](const Posed& posed) { return fmt::format("<Pose of {} nodes>", posed.pose.locals.size()); });
  type.def("__reduce__", reduced_pose);
  type.def("__copy__", [](const Posed& posed) { return posed; });
  type.def("__deepcopy__", [](const Posed& posed, const py::dict&) { return posed; }, py::arg("memo"));
}

}  // namespace python

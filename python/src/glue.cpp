// SPDX-License-Identifier: MIT
#include "glue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/model.hpp"
#include "sinew/play.hpp"
#include "sinew/result.hpp"

namespace python {

namespace {

const char* class_of(sinew::Failure failure) {
  switch (failure) {
    case sinew::Failure::usage:
      return "UsageError";
    case sinew::Failure::input:
      return "InputError";
    case sinew::Failure::limit:
      return "LimitError";
    case sinew::Failure::output:
      return "OutputError";
    case sinew::Failure::unsupported:
      return "UnsupportedError";
    case sinew::Failure::deadline:
      return "DeadlineError";
    case sinew::Failure::cancelled:
      return "CancelledError";
  }
  return "Error";
}

/// Fast path for per-frame calls: an index in range.
template <class T>
std::optional<sinew::Index> in_range(const py::object& index, const std::vector<T>& list) {
  if (!py::isinstance<py::int_>(index)) return std::nullopt;
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0 || value < 0 || static_cast<unsigned long long>(value) >= list.size()) return std::nullopt;
  return static_cast<sinew::Index>(value);
}

}  // namespace

bool handle_signals() {
  const PyGILState_STATE lock = PyGILState_Ensure();
  const bool raised = PyErr_CheckSignals() != 0;
  PyGILState_Release(lock);
  return raised;
}

py::object exception_of(const sinew::Error& error) {
  const sinew::Place& place = error.place;
  const py::object offset = place.offset ? py::object(py::int_(*place.offset)) : py::none();
  const py::object pointer = place.pointer ? py::object(text(*place.pointer)) : py::none();
  const py::object file = place.file.empty() ? py::object(py::none()) : py::object(text(place.file));
  const py::object type = py::module_::import("sinew._errors").attr(class_of(error.failure));
  return type(text(error.message), text(error.code), file, pointer, offset);
}

void raise(const sinew::Error& error) {
  const py::object exception = exception_of(error);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw py::error_already_set();
}

void raise_usage(std::string message) { raise({sinew::Failure::usage, "SINEW_USAGE", {}, std::move(message)}); }

py::str text(std::string_view utf8) {
  PyObject* decoded = PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "replace");
  if (decoded == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

py::object index_or_none(sinew::Index index) { return index == sinew::none ? py::object(py::none()) : py::object(py::int_(index)); }

std::size_t choice(std::string_view word, std::string_view what, std::initializer_list<std::string_view> words) {
  const auto* const found = std::find(words.begin(), words.end(), word);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  const auto near = value_of(sinew::nearest_name(word, words));
  raise_usage(fmt::format("{}: unknown value \"{}\"; expected {}{}", what, word, fmt::join(words, ", "),
                          near ? fmt::format("; did you mean {}?", *near) : std::string()));
}

std::optional<sinew::g4mf::Revision> revision_of(const std::optional<std::string>& name) {
  if (!name) return std::nullopt;
  const auto& names = sinew::g4mf::revision_names;
  return static_cast<sinew::g4mf::Revision>(choice(*name, "revision", {names[0], names[1], names[2]}));
}

std::vector<std::string> strings(const py::object& one_or_many) {
  if (one_or_many.is_none()) return {};
  if (py::isinstance<py::str>(one_or_many)) return {one_or_many.cast<std::string>()};
  std::vector<std::string> list;
  for (const py::handle item : py::iter(one_or_many)) list.push_back(item.cast<std::string>());
  return list;
}

sinew::document::OpenOptions open_options(bool allow_outside, std::uint64_t max_memory) {
  sinew::document::OpenOptions options;
  options.limits.memory = max_memory;
  options.allow_outside = allow_outside;
  return options;
}

std::string wanted(const py::object& name_or_index, std::string_view what) {
  if (py::isinstance<py::str>(name_or_index)) return name_or_index.cast<std::string>();
  if (PyIndex_Check(name_or_index.ptr()) == 0) throw py::type_error(fmt::format("{}: expected a name or an index", what));
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(name_or_index.ptr()));
  if (!index) throw py::error_already_set();
  std::string digits = py::str(index);
  if (digits.starts_with('-')) raise_usage(fmt::format("no {} has the index {}", what, digits));
  return digits;
}

sinew::Index node_of(const sinew::Model& model, const py::object& name_or_index) {
  if (const auto index = in_range(name_or_index, model.nodes)) return *index;
  return value_of(sinew::find_node(wanted(name_or_index, "node"), model));
}

sinew::Index clip_of(const sinew::Model& model, const py::object& name_or_index) {
  if (const auto index = in_range(name_or_index, model.clips)) return *index;
  return value_of(sinew::find_clip(wanted(name_or_index, "animation"), model));
}

sinew::Index scene_of(const sinew::Model& model, std::optional<std::int64_t> scene) {
  if (!scene) return sinew::none;
  if (*scene < 0 || static_cast<std::uint64_t>(*scene) >= model.scenes.size())
    raise_usage(fmt::format("scene {} does not exist; the file has {} scenes", *scene, model.scenes.size()));
  return static_cast<sinew::Index>(*scene);
}

const sinew::Pose& pose_of(const std::shared_ptr<const sinew::Model>& model, const Posed* posed) {
  if (posed == nullptr) return model->rest_pose;
  if (posed->loaded->model != model) raise_usage("the pose belongs to another model");
  return posed->pose;
}

std::vector<sinew::operations::Hyperplane> hyperplanes_of(const sinew::Model& model, const py::object& at) {
  std::vector<sinew::operations::AxisCut> cuts;
  for (const auto& [axis, offset] : pairs<py::object, double>(at, "at: expected axes and positions in metres, for example {\"w\": 0.3}"))
    cuts.push_back({std::string(py::str(axis)), offset});
  return value_of(sinew::operations::hyperplanes_across(cuts, model.dimension));
}

Doubles real_numbers(const py::object& values) {
  constexpr std::string_view kinds = "iufO";  // integers, floating-point numbers, and objects, which may be integers of any size
  const auto given = py::array::ensure(values);
  if (!given || kinds.find(given.dtype().kind()) == std::string_view::npos) return py::reinterpret_steal<Doubles>(py::handle());
  return Doubles::ensure(given);
}

std::vector<double> numbers(const py::object& values, std::size_t count, std::string_view what) {
  const auto list = real_numbers(values);
  if (!list || list.ndim() == 0) {
    const std::string found = list ? ", found " + std::string(py::repr(values)) : std::string();
    raise_usage(fmt::format("{}: expected {} real numbers{}", what, count, found));
  }
  if (list.ndim() != 1) raise_usage(fmt::format("{}: expected {} numbers, found an array of {} dimensions", what, count, list.ndim()));
  if (static_cast<std::size_t>(list.size()) != count)
    raise_usage(fmt::format("{}: expected {} numbers, found {}", what, count, list.size()));
  std::vector<double> out(list.data(), list.data() + count);
  for (const double value : out)
    if (!std::isfinite(value)) raise_usage(fmt::format("{}: {} is not a finite number", what, value));
  return out;
}

void write_rows(const sinew::Affine& map, double* out) {
  const std::size_t n = map.dimension();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= n; ++j) *out++ = map(i, j);
}

py::array_t<double> matrix_from(const sinew::Affine& map) {
  py::array_t<double> out({map.dimension(), map.dimension() + 1});
  write_rows(map, out.mutable_data());
  return out;
}

}  // namespace python

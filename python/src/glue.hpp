// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/deform.hpp"
#include "sinew/load.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"
#include "sinew/slice.hpp"

namespace python {

namespace py = pybind11;
using Array = py::array_t<float>;

/// The exception of sinew._errors that stands for an error.
[[nodiscard]] py::object exception_of(const sinew::Error& error);
[[noreturn]] void raise(const sinew::Error& error);
/// sinew.UsageError: what a caller asked for makes no sense.
[[noreturn]] void raise_usage(std::string message);

/// The value of a result, or its error raised.
template <class T>
T value_of(sinew::Result<T> result) {
  if (!result) raise(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Lets other threads of Python run meanwhile: `work` touches nothing of Python.
template <class Work>
auto without_lock(Work&& work) {
  const py::gil_scoped_release released;
  return work();
}

/// Text of a file or a message: what is not UTF-8 in it is replaced.
[[nodiscard]] py::str text(std::string_view utf8);
[[nodiscard]] py::object index_or_none(sinew::Index index);
/// One of some words; sinew.UsageError tells the words.
[[nodiscard]] std::size_t choice(std::string_view word, std::string_view what, std::initializer_list<std::string_view> words);
[[nodiscard]] std::optional<sinew::g4mf::Revision> revision_of(const std::optional<std::string>& name);
/// A tuple of strings out of one string or any iterable of them.
[[nodiscard]] std::vector<std::string> strings(const py::object& one_or_many);
/// {"key": value} or pairs; TypeError with `expected` for anything else.
template <class Key, class Value>
std::vector<std::pair<Key, Value>> pairs(const py::object& mapping, const char* expected) {
  if (mapping.is_none()) return {};
  const py::object items = py::isinstance<py::dict>(mapping) ? py::object(mapping.attr("items")()) : mapping;
  std::vector<std::pair<Key, Value>> out;
  try {
    for (const py::handle item : py::iter(items)) out.push_back(item.cast<std::pair<Key, Value>>());
  } catch (const py::cast_error&) {
    throw py::type_error(expected);
  }
  return out;
}

/// The keywords that everything which opens files has.
[[nodiscard]] sinew::document::OpenOptions open_options(bool allow_outside, std::uint64_t max_memory);
inline constexpr std::uint64_t default_memory = sinew::Limits{}.memory;

/// A model with what reading it had to say. Shared by everything made from it.
struct Loaded {
  std::shared_ptr<const sinew::Model> model;
  std::vector<sinew::Finding> findings;
};

/// A pose of one model.
struct Posed {
  std::shared_ptr<const sinew::Model> model;
  sinew::Pose pose;
};

/// The text that find_by_name takes: a name, or the digits of an index. `what`: of what kind, for messages.
[[nodiscard]] std::string wanted(const py::object& name_or_index, std::string_view what);
/// A clip, a node or a scene by name or index, as the program's options take them.
[[nodiscard]] sinew::Index node_of(const sinew::Model& model, const py::object& name_or_index);
[[nodiscard]] sinew::Index clip_of(const sinew::Model& model, const py::object& name_or_index);
[[nodiscard]] sinew::Index scene_of(const sinew::Model& model, std::optional<std::int64_t> scene);
/// The pose of that model, or its rest for None.
[[nodiscard]] const sinew::Pose& pose_of(const std::shared_ptr<const sinew::Model>& model, const Posed* pose);
/// Cuts across axes: {"w": 0.3} or pairs; axes by letter or number.
[[nodiscard]] std::vector<sinew::operations::Hyperplane> hyperplanes_of(const sinew::Model& model, const py::object& at);
using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
/// An array of what holds real numbers, null for anything else: numpy alone would take texts of digits, and of a complex number its real
/// part.
[[nodiscard]] Doubles real_numbers(const py::object& values);
/// Exactly `count` finite numbers.
[[nodiscard]] std::vector<double> numbers(const py::object& values, std::size_t count, std::string_view what);

void bind_findings(py::module_& module);
void bind_model(py::module_& module);
void bind_static(py::class_<Loaded>& model);
void bind_bounds(py::module_& module);
void bind_bounds_of(py::class_<Loaded>& model);
void bind_pose(py::module_& module);
void bind_deform(py::module_& module);
void bind_validate(py::module_& module);
void bind_compare(py::module_& module);
void bind_edit(py::module_& module);
void bind_render(py::module_& module);

}  // namespace python

// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/deadline.hpp"
#include "sinew/deform.hpp"
#include "sinew/load.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"
#include "sinew/slice.hpp"

namespace python {

namespace py = pybind11;
using Array = py::array_t<float>;

/// Returns the exception of sinew._errors for an error.
[[nodiscard]] py::object exception_of(const sinew::Error& error);
[[noreturn]] void raise(const sinew::Error& error);
/// Raises sinew.UsageError for a wrong argument.
[[noreturn]] void raise_usage(std::string message);

/// Returns the value of a result, or raises its error.
template <class T>
T value_of(sinew::Result<T> result) {
  if (!result) raise(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Lets Python handle signals. Returns whether a handler raised an exception, as that of Ctrl-C does; it is set for the caller. Needs no
/// lock.
[[nodiscard]] bool handle_signals();

/// Runs `work` without Python's lock; it must not use Python objects. Ends soon after a signal whose handler raised an exception, and then
/// raises it instead of returning: KeyboardInterrupt.
template <class Work>
auto without_lock(Work&& work) {
  bool raised = false;
  const auto run = [&] {
    const py::gil_scoped_release released;
    const sinew::Deadline deadline(0, [&raised] { return raised = handle_signals(); });
    return work();
  };
  try {
    if constexpr (std::is_void_v<decltype(work())>) {
      run();
      if (raised) throw py::error_already_set();
    } else {
      auto result = run();
      if (raised) throw py::error_already_set();
      return result;
    }
  } catch (const sinew::Interrupted&) {
    if (raised) throw py::error_already_set();
    throw;
  }
}

/// Converts text of a file or a message; invalid UTF-8 is replaced.
[[nodiscard]] py::str text(std::string_view utf8);
[[nodiscard]] py::object index_or_none(sinew::Index index);
/// Returns the position of a word in a list; otherwise sinew.UsageError with the list.
[[nodiscard]] std::size_t choice(std::string_view word, std::string_view what, std::initializer_list<std::string_view> words);
[[nodiscard]] std::optional<sinew::g4mf::Revision> revision_of(const std::optional<std::string>& name);
/// Converts a string or an iterable of strings to a tuple.
[[nodiscard]] std::vector<std::string> strings(const py::object& one_or_many);
/// Converts {"key": value} or pairs; TypeError with `expected` for anything else.
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

/// Returns the options from the common keywords of functions that open files.
[[nodiscard]] sinew::document::OpenOptions open_options(bool allow_outside, std::uint64_t max_memory);
inline constexpr std::uint64_t default_memory = sinew::Limits{}.memory;

/// How a model was read, to read it again in another process.
struct Origin {
  std::filesystem::path path;  ///< absolute, or "-"
  py::object bytes;            ///< of the file, if it was in memory; otherwise None
  bool force = false;
  std::optional<std::string> revision;
  bool allow_outside = false;
  std::uint64_t max_memory = 0;
  // Of a file on disk, when it was read.
  std::uintmax_t size = 0;
  std::filesystem::file_time_type time{};
};

/// A model and the findings of reading it, shared by all objects made from it.
struct Loaded {
  std::shared_ptr<const sinew::Model> model;
  std::vector<sinew::Finding> findings;
  std::shared_ptr<const Origin> origin = nullptr;  ///< null: it was not read from a file. Use it with Python's lock only
  std::string id = {};                             ///< of a model that was read, also where a fork or a pickle brought it
};

using SharedModel = std::shared_ptr<Loaded>;
/// Gives a model an id. A pickle of it finds it by this id, as long as it exists.
[[nodiscard]] SharedModel remembered(Loaded loaded);
/// Returns the function of sinew._pickle that makes an object of a pickle.
[[nodiscard]] py::object restorer(const char* name);

/// A pose of one model.
struct Posed {
  SharedModel loaded;
  sinew::Pose pose;

  [[nodiscard]] const sinew::Model& model() const { return *loaded->model; }
};

/// Makes a pose of what a pickle has: see reduced_pose.
[[nodiscard]] Posed restored_pose(const SharedModel& loaded, const std::vector<std::uint32_t>& lengths, const std::vector<double>& all);

/// Converts a key to the text for find_by_name: a name, or the digits of an index. `what`: the kind, for messages.
[[nodiscard]] std::string wanted(const py::object& name_or_index, std::string_view what);
/// Finds a clip, a node or a scene by name or index, as the program's options do.
[[nodiscard]] sinew::Index node_of(const sinew::Model& model, const py::object& name_or_index);
[[nodiscard]] sinew::Index clip_of(const sinew::Model& model, const py::object& name_or_index);
[[nodiscard]] sinew::Index scene_of(const sinew::Model& model, std::optional<std::int64_t> scene);
/// Returns the given pose, or the model's rest pose for None. Fails for a pose of another model.
[[nodiscard]] const sinew::Pose& pose_of(const std::shared_ptr<const sinew::Model>& model, const Posed* pose);
/// Parses cuts across axes: {"w": 0.3} or pairs; axes by letter or number.
[[nodiscard]] std::vector<sinew::operations::Hyperplane> hyperplanes_of(const sinew::Model& model, const py::object& at);
using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
/// Returns an array of real numbers, or null. numpy alone would also accept strings of digits and the real part of complex numbers.
[[nodiscard]] Doubles real_numbers(const py::object& values);
/// Returns exactly `count` finite numbers.
[[nodiscard]] std::vector<double> numbers(const py::object& values, std::size_t count, std::string_view what);

/// Writes N rows of N + 1 numbers, as matrices are written on paper.
void write_rows(const sinew::Affine& map, double* out);
[[nodiscard]] py::array_t<double> matrix_from(const sinew::Affine& map);

void bind_findings(py::module_& module);
void bind_model(py::module_& module);
using ModelClass = py::class_<Loaded, SharedModel>;
void bind_avatar(ModelClass& model);
void bind_static(ModelClass& model);
void bind_pickle(py::module_& module, ModelClass& model);
void bind_bounds(py::module_& module);
void bind_bounds_of(ModelClass& model);
void bind_sample(ModelClass& model);
void bind_pose(py::module_& module);
void bind_deform(py::module_& module);
void bind_play(py::module_& module);
void bind_validate(py::module_& module);
void bind_compare(py::module_& module);
void bind_flex(py::module_& module);
void bind_edit(py::module_& module);
void bind_retarget(py::module_& module);
void bind_render(py::module_& module);

}  // namespace python

// SPDX-License-Identifier: MIT
// A pickled model is the bytes of its file, and how they were read. Poses, deformers and players are their model, and what was done with
// it.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "state.hpp"

namespace python {

namespace {

/// The models that exist, by their ids. A process that is forked has those of its parent.
class KnownModels {
 public:
  void add(const SharedModel& model) {
    if (models_.size() >= limit_) {
      std::erase_if(models_, [](const auto& one) { return one.second.expired(); });
      limit_ = std::max(least_, 2 * models_.size());
    }
    models_[model->id] = model;
  }
  [[nodiscard]] SharedModel find(const std::string& id) const {
    const auto found = models_.find(id);
    return found == models_.end() ? nullptr : found->second.lock();
  }

 private:
  static constexpr std::size_t least_ = 64;
  std::map<std::string, std::weak_ptr<Loaded>> models_;
  std::size_t limit_ = least_;
};

KnownModels& known_models() {  // used with Python's lock
  static KnownModels models;
  return models;
}

std::map<PyTypeObject*, py::object (*)(const py::handle&)>& restorers() {
  static std::map<PyTypeObject*, py::object (*)(const py::handle&)> all;
  return all;
}

std::string random_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

/// The bytes of a file that is as it was when the model was read.
py::bytes same_file(const Origin& origin) {
  const std::string name = origin.path.string();
  if (origin.path == "-") raise_usage("a model from standard input cannot be pickled");
  std::error_code gone;
  const bool same = std::filesystem::file_size(origin.path, gone) == origin.size && !gone &&
                    std::filesystem::last_write_time(origin.path, gone) == origin.time && !gone;
  if (!same) raise_usage(fmt::format("{}: the file was changed or removed since it was loaded, so the model cannot be pickled", name));
  std::string content(static_cast<std::size_t>(origin.size), '\0');
  std::ifstream file(origin.path, std::ios::binary);
  if (!file.read(content.data(), static_cast<std::streamsize>(content.size())))
    raise({sinew::Failure::input, "IO_ERROR", {name, {}, {}}, "cannot be read"});
  return {content};
}

py::tuple reduced_model(const Loaded& loaded) {
  if (!loaded.origin) raise_usage("only a model that was loaded from a file can be pickled; save it, and load that");
  const Origin& origin = *loaded.origin;
  const py::object bytes = origin.bytes.is_none() ? py::object(same_file(origin)) : origin.bytes;
  return py::make_tuple(restorer("model"), py::make_tuple(loaded.id, bytes, origin.path, origin.force, origin.revision,
                                                          origin.allow_outside, origin.max_memory));
}

py::object plain(const py::type& type, const py::object& state) {
  const auto found = restorers().find(reinterpret_cast<PyTypeObject*>(type.ptr()));
  if (found == restorers().end()) throw py::type_error("expected a class of results");
  return found->second(state);
}

}  // namespace

SharedModel remembered(Loaded loaded) {
  loaded.id = random_id();
  auto model = std::make_shared<Loaded>(std::move(loaded));
  known_models().add(model);
  return model;
}

py::object restorer(const char* name) { return py::module_::import("sinew._pickle").attr(name); }

std::string_view kept_text(std::string text) {
  static std::set<std::string, std::less<>> texts;
  return *texts.insert(std::move(text)).first;
}

void add_restorer(const py::type& type, py::object (*restore)(const py::handle&)) {
  restorers()[reinterpret_cast<PyTypeObject*>(type.ptr())] = restore;
}

void bind_pickle(py::module_& module, ModelClass& model) {
  model.def("__reduce__", reduced_model);
  model.def("__copy__", [](const SharedModel& m) { return m; });  // models never change
  model.def("__deepcopy__", [](const SharedModel& m, const py::dict&) { return m; }, py::arg("memo"));
  // For sinew._pickle only.
  module.def("_known_model", [](const std::string& id) { return known_models().find(id); }, py::arg("id"));
  module.def(
      "_remember_model",
      [](const SharedModel& restored, const std::string& id) {
        restored->id = id;
        known_models().add(restored);
      },
      py::arg("model"), py::arg("id"));
  module.def("_pose", restored_pose, py::arg("of"), py::arg("lengths"), py::arg("numbers"));
  module.def("_plain", plain, py::arg("kind"), py::arg("state"));
}

}  // namespace python

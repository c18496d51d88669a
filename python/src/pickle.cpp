// SPDX-License-Identifier: MIT
// A pickled model is the bytes of its file, and how they were read.
#include <fmt/format.h>

#include <fstream>
#include <string>

#include "glue.hpp"

namespace python {

namespace {

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

py::tuple reduced(const Loaded& loaded) {
  if (!loaded.origin) raise_usage("only a model that was loaded from a file can be pickled; save it, and load that");
  const Origin& origin = *loaded.origin;
  const py::object bytes = origin.bytes.is_none() ? py::object(same_file(origin)) : origin.bytes;
  const py::object restore = py::module_::import("sinew._pickle").attr("restore");
  return py::make_tuple(restore,
                        py::make_tuple(bytes, origin.path, origin.force, origin.revision, origin.allow_outside, origin.max_memory));
}

}  // namespace

void bind_pickle(py::class_<Loaded>& model) { model.def("__reduce__", reduced); }

}  // namespace python

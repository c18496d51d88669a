// SPDX-License-Identifier: MIT
#include "sinew/validate.hpp"

#include <fmt/format.h>

#include "results.hpp"

namespace python {

namespace {

using sinew::validate::Issues;
using sinew::validate::Options;
using sinew::validate::Report;

Options options_of(const std::optional<std::string>& profile, const py::object& only, const py::object& ignore,
                   std::optional<std::uint64_t> limit, const std::optional<std::string>& revision, bool allow_outside,
                   std::uint64_t max_memory) {
  Options options;
  options.load.open.allow_outside = allow_outside;
  options.load.open.limits.memory = max_memory;
  options.load.revision = revision_of(revision);
  if (profile)
    options.profile =
        static_cast<sinew::validate::SkeletonDialect>(choice(*profile, "profile", {"staik", "skin-strict", "skeleton-bone", "g4mf"}));
  options.only = strings(only);
  options.ignored = strings(ignore);
  for (const auto* codes : {&options.only, &options.ignored})
    for (const std::string& code : *codes)
      if (sinew::find_code(code) == nullptr) raise_usage("unknown finding code \"" + code + "\"");
  options.most_listed = limit;
  return options;
}

py::dict counts_of(const Report& report) {
  py::dict out;
  for (std::size_t i = 0; i < report.issues.counts.size(); ++i)
    out[text(to_string(static_cast<sinew::Severity>(i)))] = report.issues.counts[i] + report.model_issues.counts[i];
  return out;
}

std::vector<sinew::Finding> all_of(const Report& report) {
  std::vector<sinew::Finding> all = report.issues.list;
  all.insert(all.end(), report.model_issues.list.begin(), report.model_issues.list.end());
  return all;
}

}  // namespace

PYTHON_MEMBERS(Issues, list, counts, truncated);
PYTHON_MEMBERS(sinew::ResourceInfo::Image, width, height, format, primaries, transfer, bits);
PYTHON_MEMBERS(sinew::ResourceInfo, pointer, mime_type, storage, uri, byte_length, image);
PYTHON_MEMBERS(sinew::AssetInfo, version, min_version, generator, dimension, extensions_used, extensions_required, resources, animations,
               materials, has_morph_targets, has_skins, has_textures, has_default_scene, draw_calls, vertices, triangles, max_uvs,
               max_influences, max_attributes);
PYTHON_MEMBERS(Report, uri, mime_type, container, issues, model_issues, info, names);

void bind_validate(py::module_& module) {
  py::class_<Report> type(module, "Report", "The findings of one file. Broken files have a report too.");
  bind_state(type);
  type.def_property_readonly(
          "uri", [](const Report& r) { return text(r.uri); }, "The path as the caller passed it.")
      .def_property_readonly(
          "mime_type", [](const Report& r) { return text(r.mime_type); }, "The media type, for example \"model/gltf-binary\".")
      .def_property_readonly(
          "issues", [](const Report& r) { return r.issues.list; },
          "Findings under the rules of the format, in order of discovery. For glTF: the findings of the Khronos glTF-Validator.")
      .def_property_readonly(
          "model_issues", [](const Report& r) { return r.model_issues.list; }, "Findings under Sinew's own rules: GLTF_* and SINEW_*.")
      .def_property_readonly("findings", all_of, "The issues, then the model issues.")
      .def_property_readonly("counts", counts_of, "Number of findings of each severity, including those not listed.")
      .def_property_readonly(
          "truncated", [](const Report& r) { return r.issues.truncated || r.model_issues.truncated; },
          "Whether some findings are not listed.")
      .def_property_readonly(
          "ok", [](const Report& r) { return !r.issues.reach(sinew::Severity::error) && !r.model_issues.reach(sinew::Severity::error); },
          "Whether the file has no errors.")
      .def(
          "to_json", [](const Report& r) { return text(value_of(sinew::validate::to_json(r))); },
          "Returns JSON text in the format of the Khronos glTF-Validator, with modelIssues beside issues.")
      .def(
          "to_sarif", [](const Report& r) { return text(value_of(sinew::validate::to_sarif(std::span(&r, 1), {}))); },
          "Returns a log in the Static Analysis Results Interchange Format (SARIF) 2.1.0.")
      .def("__repr__", [](const Report& r) {
        const auto count = [&](sinew::Severity severity) {
          const auto i = static_cast<std::size_t>(severity);
          return r.issues.counts[i] + r.model_issues.counts[i];
        };
        return text(fmt::format("<Report of {}: {} errors, {} warnings, {} informations, {} hints>", r.uri, count(sinew::Severity::error),
                                count(sinew::Severity::warning), count(sinew::Severity::information), count(sinew::Severity::hint)));
      });

  module.def(
      "validate",
      [](const std::filesystem::path& path, const std::optional<std::string>& profile, const py::object& only, const py::object& ignore,
         std::optional<std::uint64_t> limit, const std::optional<std::string>& revision, bool allow_outside, std::uint64_t max_memory) {
        const Options options = options_of(profile, only, ignore, limit, revision, allow_outside, max_memory);
        return value_of(without_lock([&] { return sinew::validate::check_file(path, options); }));
      },
      py::arg("path"), py::kw_only(), py::arg("profile") = py::none(), py::arg("only") = py::tuple(), py::arg("ignore") = py::tuple(),
      py::arg("limit") = py::none(), py::arg("revision") = py::none(), py::arg("allow_outside") = false,
      py::arg("max_memory") = default_memory,
      "Checks a file against the rules of its format. Raises only if the file cannot be opened; the report lists all other faults.\n\n"
      "profile: also check skeletons against a dialect: \"staik\", \"skin-strict\", \"skeleton-bone\" or \"g4mf\". only, ignore: codes of\n"
      "findings. limit: list at most this number of findings, the most severe first.");
  module.def(
      "validate_many",
      [](const std::vector<std::filesystem::path>& paths, unsigned threads, const std::optional<std::string>& profile,
         const py::object& only, const py::object& ignore, std::optional<std::uint64_t> limit, const std::optional<std::string>& revision,
         bool allow_outside, std::uint64_t max_memory) {
        const Options options = options_of(profile, only, ignore, limit, revision, allow_outside, max_memory);
        auto results = value_of(without_lock([&] { return sinew::validate::check_files(paths, options, threads, {}); }));
        py::list list;
        for (auto& result : results) list.append(result ? py::cast(std::move(*result)) : exception_of(result.error()));
        return list;
      },
      py::arg("paths"), py::kw_only(), py::arg("threads") = 0, py::arg("profile") = py::none(), py::arg("only") = py::tuple(),
      py::arg("ignore") = py::tuple(), py::arg("limit") = py::none(), py::arg("revision") = py::none(), py::arg("allow_outside") = false,
      py::arg("max_memory") = default_memory,
      "Validates many files on several threads (0: all cores). Returns a list with the Report of each file, in order. If a file cannot\n"
      "be opened, the list contains the sinew.Error instead; it is not raised.");
}

}  // namespace python

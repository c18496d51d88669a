// SPDX-License-Identifier: MIT
#include "sinew/validate.hpp"

#include <fmt/format.h>

#include "glue.hpp"

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
      if (sinew::find_code(code) == nullptr) raise_usage("there is no finding \"" + code + "\"");
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

void bind_validate(py::module_& module) {
  py::class_<Report>(module, "Report", "What was found in one file. Broken files have a report too.")
      .def_property_readonly(
          "uri", [](const Report& r) { return text(r.uri); }, "The path as it was given.")
      .def_property_readonly(
          "mime_type", [](const Report& r) { return text(r.mime_type); }, "\"model/gltf-binary\", …")
      .def_property_readonly(
          "issues", [](const Report& r) { return r.issues.list; },
          "Findings by the format's rules, in the order in which they were met; for glTF those of the Khronos glTF-Validator.")
      .def_property_readonly(
          "model_issues", [](const Report& r) { return r.model_issues.list; }, "Findings by rules of our own: GLTF_*, SINEW_*.")
      .def_property_readonly("findings", all_of, "Both, one after the other.")
      .def_property_readonly("counts", counts_of, "How many there are of each severity, listed or not.")
      .def_property_readonly(
          "truncated", [](const Report& r) { return r.issues.truncated || r.model_issues.truncated; }, "Whether not all are listed.")
      .def_property_readonly(
          "ok", [](const Report& r) { return !r.issues.reach(sinew::Severity::error) && !r.model_issues.reach(sinew::Severity::error); },
          "Whether there is no error.")
      .def(
          "to_json", [](const Report& r) { return text(sinew::validate::to_json(r)); },
          "JSON text, in the shape of the Khronos glTF-Validator's reports with modelIssues beside issues.")
      .def(
          "to_sarif", [](const Report& r) { return text(sinew::validate::to_sarif(std::span(&r, 1), {})); },
          "A log in the Static Analysis Results Interchange Format 2.1.0.")
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
      "Checks every rule that a program can check. Raises only where the file cannot be opened: what is broken is in the report.\n\n"
      "profile: a dialect of skeletons to hold it against: \"staik\", \"skin-strict\", \"skeleton-bone\" or \"g4mf\". only, ignore: "
      "codes.\n"
      "limit: findings listed, the severest first.");
  module.def(
      "validate_many",
      [](const std::vector<std::filesystem::path>& paths, unsigned threads, const std::optional<std::string>& profile,
         const py::object& only, const py::object& ignore, std::optional<std::uint64_t> limit, const std::optional<std::string>& revision,
         bool allow_outside, std::uint64_t max_memory) {
        const Options options = options_of(profile, only, ignore, limit, revision, allow_outside, max_memory);
        auto results = without_lock([&] { return sinew::validate::check_files(paths, options, threads, {}); });
        py::list list;
        for (auto& result : results) list.append(result ? py::cast(std::move(*result)) : exception_of(result.error()));
        return list;
      },
      py::arg("paths"), py::kw_only(), py::arg("threads") = 0, py::arg("profile") = py::none(), py::arg("only") = py::tuple(),
      py::arg("ignore") = py::tuple(), py::arg("limit") = py::none(), py::arg("revision") = py::none(), py::arg("allow_outside") = false,
      py::arg("max_memory") = default_memory,
      "validate() of many files on several threads (0: all cores): for each, in order, its Report, or the sinew.Error that kept it\n"
      "from being opened (not raised).");
}

}  // namespace python

// SPDX-License-Identifier: MIT
#include <new>
#include <utility>

#include "base/catalogue.hpp"
#include "validate/model_rules.hpp"

#include "sinew/validate.hpp"

namespace sinew::validate {

namespace {

std::string mime_type_of(const io::Checked& checked) {
  const bool binary = checked.container != document::Container::json;
  switch (checked.format) {
    case io::Format::gltf:
      return binary ? "model/gltf-binary" : "model/gltf+json";
    case io::Format::g4mf:
      return binary ? "model/g4mf-binary" : "model/g4mf+json";
    case io::Format::unknown:
      break;
  }
  return {};
}

bool is_own_code(std::string_view code) { return code.starts_with("GLTF_") || code.starts_with("SINEW_"); }

}  // namespace

Result<Report> check_file(const std::filesystem::path& path, const Options& options) try {
  FindingList found;
  auto checked = io::check(path, options.load, found);
  if (!checked) return Unexpected(std::move(checked.error()));
  if (checked->model) check_model(*checked->model, found);
  Report report;
  report.uri = path.string();
  report.mime_type = mime_type_of(*checked);
  report.info = std::move(checked->info);
  for (const Finding& finding : found.list()) (is_own_code(finding.code) ? report.model_issues : report.issues).push_back(finding);
  return report;
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, Place{path.string(), {}, {}}));
}

}  // namespace sinew::validate

// SPDX-License-Identifier: MIT
#include "sinew/validate.hpp"

#include <cstring>

#include "base/guard.hpp"
#include "capi/guard.hpp"

using sinew::Result;
using sinew::Unexpected;
using sinew::capi::guarded;
using sinew::capi::usage;

sinew_status sinew_validate(const char* path, char** json, uint64_t* errors, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (path == nullptr) return usage("sinew_validate: path is NULL");
    const auto report = sinew::validate::check_file(path, {});
    if (!report) return Unexpected(report.error());
    if (json != nullptr) {
      const std::string text = need(sinew::validate::to_json(*report));
      *json = new char[text.size() + 1];
      std::memcpy(*json, text.c_str(), text.size() + 1);
    }
    if (errors != nullptr) *errors = report->issues.counts[0] + report->model_issues.counts[0];
    return {};
  });
}

void sinew_string_free(char* string) { delete[] string; }

// SPDX-License-Identifier: MIT
#include <optional>

#include "capi/guard.hpp"

#include "sinew/result.hpp"

namespace sinew::capi {

sinew_status status_of(Failure failure) {
  switch (failure) {
    case Failure::usage:
      return SINEW_USAGE;
    case Failure::input:
      return SINEW_INPUT;
    case Failure::limit:
      return SINEW_LIMIT;
    case Failure::output:
      return SINEW_OUTPUT;
    case Failure::unsupported:
      return SINEW_UNSUPPORTED;
    case Failure::deadline:
      return SINEW_DEADLINE;
    case Failure::cancelled:
      return SINEW_CANCELLED;
  }
  return SINEW_USAGE;
}

sinew_status fail(Error error, sinew_error** out) {
  const sinew_status status = status_of(error.failure);
  if (out == nullptr) return status;
  *out = sinew::tried_twice(
      [&] {
        if (error.code == "SINEW_NO_MEMORY" && error.message.empty()) error.message = "not enough memory";
        std::string line = error.line();
        return new sinew_error{std::move(error), std::move(line)};
      },
      []() -> sinew_error* { return nullptr; });
  return status;
}

}  // namespace sinew::capi

const char* sinew_version(void) {
  static const std::string version(sinew::version());
  return version.c_str();
}

const char* sinew_error_code(const sinew_error* error) { return error == nullptr ? "" : error->error.code.c_str(); }
const char* sinew_error_message(const sinew_error* error) { return error == nullptr ? "" : error->error.message.c_str(); }
const char* sinew_error_line(const sinew_error* error) { return error == nullptr ? "" : error->line.c_str(); }
const char* sinew_error_file(const sinew_error* error) { return error == nullptr ? "" : error->error.place.file.c_str(); }
const char* sinew_error_pointer(const sinew_error* error) {
  return error == nullptr || !error->error.place.pointer ? nullptr : error->error.place.pointer->c_str();
}
int sinew_error_offset(const sinew_error* error, uint64_t* offset) {
  if (error == nullptr || !error->error.place.offset) return 0;
  if (offset != nullptr) *offset = *error->error.place.offset;
  return 1;
}
void sinew_error_free(sinew_error* error) { delete error; }

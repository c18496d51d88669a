// SPDX-License-Identifier: MIT
#include "base/guard.hpp"

#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/catalogue.hpp"
#include "base/work.hpp"

#include "sinew/deadline.hpp"

namespace sinew {

void throw_error([[maybe_unused]] Error error) {
#ifndef SINEW_NO_EXCEPTIONS
  throw tl::bad_expected_access<Error>(std::move(error));
#else
  std::terminate();
#endif
}

Error error_of_exception() {
#ifndef SINEW_NO_EXCEPTIONS
  try {
    throw;
  } catch (const Interrupted& interrupted) {
    return interrupted.error();
  } catch (const WorkExceeded& work) {
    return made_or_short(Failure::limit, "SINEW_NO_MEMORY", [&] {
      return error("SINEW_WORK_LIMIT"_code, Failure::limit, {}, std::string_view(work.what()), "too many", work.most());
    });
  } catch (tl::bad_expected_access<Error>& failed) {
    return std::move(failed.error());
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {         // more than any vector can hold, but within the memory limit
  } catch (const std::system_error& failed) {  // from the file system
    return made_or_short(Failure::limit, "SINEW_NO_MEMORY",
                         [&] { return error("IO_ERROR"_code, Failure::input, {}, failed.code().message()); });
  }
#endif
  return made_or_short(Failure::limit, "SINEW_NO_MEMORY", [] { return error("SINEW_NO_MEMORY"_code, Failure::limit, {}); });
}

void WorkMeter::exceeded([[maybe_unused]] const char* what) const {
#ifndef SINEW_NO_EXCEPTIONS
  throw WorkExceeded(what, most_);
#else
  std::terminate();
#endif
}

Result<> WorkMeter::allow(std::uint64_t steps, std::string_view what) {
  if (fits(steps)) return {};
  return Unexpected(error("SINEW_WORK_LIMIT"_code, Failure::limit, place_, what, "too many", most_));
}

}  // namespace sinew

// SPDX-License-Identifier: MIT
#include "base/guard.hpp"

#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/catalogue.hpp"
#include "base/work.hpp"

#include "sinew/deadline.hpp"

namespace sinew {

void throw_error(Error error) { throw tl::bad_expected_access<Error>(std::move(error)); }

Error error_of_exception() {
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
  return made_or_short(Failure::limit, "SINEW_NO_MEMORY", [] { return error("SINEW_NO_MEMORY"_code, Failure::limit, {}); });
}

Result<> WorkMeter::allow(std::uint64_t steps, std::string_view what) {
  if (fits(steps)) return {};
  return Unexpected(error("SINEW_WORK_LIMIT"_code, Failure::limit, place_, what, "too many", most_));
}

}  // namespace sinew

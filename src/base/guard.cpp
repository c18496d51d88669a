// SPDX-License-Identifier: MIT
#include "base/guard.hpp"

#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/catalogue.hpp"
#include "base/message.hpp"
#include "base/work.hpp"

#include "sinew/deadline.hpp"

namespace sinew {

Unexpected ended_by_exception(Place place) {
  try {
    throw;
  } catch (const Interrupted& interrupted) {
    Error error = interrupted.error();
    error.place = std::move(place);
    return Unexpected(std::move(error));
  } catch (const WorkExceeded& work) {
    return Unexpected(error("SINEW_WORK_LIMIT"_code, Failure::limit, std::move(place), std::string_view(work.what()),
                            format_text("over {}", work.most()), work.most()));
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {  // more than any vector can hold, but within the memory limit
  }
  return Unexpected(error("SINEW_NO_MEMORY"_code, Failure::limit, std::move(place)));
}

Result<> WorkMeter::allow(std::uint64_t steps, std::string_view what) {
  if (fits(steps)) return {};
  return Unexpected(error("SINEW_WORK_LIMIT"_code, Failure::limit, place_, what, format_text("over {}", most_), most_));
}

}  // namespace sinew

// SPDX-License-Identifier: MIT
#include "base/guard.hpp"

#include <new>
#include <stdexcept>
#include <utility>

#include "base/catalogue.hpp"

#include "sinew/deadline.hpp"

namespace sinew {

Unexpected ended_by_exception(Place place) {
  try {
    throw;
  } catch (const Interrupted& interrupted) {
    Error error = interrupted.error();
    error.place = std::move(place);
    return Unexpected(std::move(error));
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {  // more than any vector can hold, but within the memory limit
  }
  return Unexpected(error("SINEW_NO_MEMORY"_code, Failure::limit, std::move(place)));
}

}  // namespace sinew

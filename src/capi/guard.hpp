// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "sinew/deadline.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"
#include "sinew/sinew.h"

// The definitions of the handles in sinew.h.

struct sinew_error {
  sinew::Error error;
  std::string line;
};

struct sinew_model {
  std::shared_ptr<const sinew::Model> model;
};

struct sinew_pose {
  std::shared_ptr<const sinew::Model> model;
  sinew::Pose pose;
};

namespace sinew::capi {

[[nodiscard]] inline Unexpected usage(std::string message) {
  return Unexpected(Error{Failure::usage, "SINEW_USAGE", {}, std::move(message)});
}

[[nodiscard]] sinew_status status_of(Failure failure);
/// Passes an error to the caller; NULL if there is no memory for it.
sinew_status fail(Error error, sinew_error** out);

/// Runs a function that returns a Result<>; catches all exceptions.
template <class Work>
sinew_status guarded(sinew_error** error, Work&& work) noexcept {
  try {
    const Result<> done = work();
    return done ? SINEW_OK : fail(done.error(), error);
  } catch (const Interrupted& interrupted) {
    return fail(interrupted.error(), error);
  } catch (const std::bad_alloc&) {
    return fail({Failure::limit, "SINEW_NO_MEMORY", {}, {}}, error);
  } catch (const std::exception& failed) {  // from the file system
    return fail({Failure::input, "IO_ERROR", {}, failed.what()}, error);
  }
}

}  // namespace sinew::capi

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/guard.hpp"

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

/// Runs a function that returns a Result<>, as a public function.
template <class Work>
sinew_status guarded(sinew_error** error, Work&& work) noexcept {
  const auto caught = [&]() -> Result<> {
    SINEW_TRY { return work(); }
    SINEW_CATCH()
  };
  Result<> done = caught();
  return done ? SINEW_OK : fail(std::move(done.error()), error);
}

}  // namespace sinew::capi

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/guard.hpp"

#include "sinew/memory.hpp"
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

/// The memory of a host. Whatever is allocated there keeps it.
class HostMemory final : public MemoryResource {
 public:
  explicit HostMemory(const sinew_memory& host) : host_(host) {}
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
    return host_.allocate(host_.user, bytes, alignment);
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
    host_.deallocate(host_.user, memory, bytes, alignment);
  }

 private:
  sinew_memory host_;
};

/// Null if the host gives none.
[[nodiscard]] inline Result<std::shared_ptr<HostMemory>> host_memory(const sinew_memory* host) {
  if (host == nullptr) return nullptr;
  if (host->allocate == nullptr || host->deallocate == nullptr) return usage("sinew_memory: allocate or deallocate is NULL");
  return std::make_shared<HostMemory>(*host);
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

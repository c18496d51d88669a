// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "capi/guard.hpp"

#include "sinew/sinew.h"
#include "sinew/sinew.hpp"

struct sinew_deformer {
  std::shared_ptr<sinew::capi::HostMemory> memory;  ///< destroyed after the deformer; null: the library's
  sinew::Deformer deformer;
  // Computed on the first request, and shared by copies.
  mutable std::shared_ptr<const std::vector<std::uint32_t>> triangles;
  mutable std::shared_ptr<const std::vector<sinew_triangle_range>> ranges;
  mutable std::shared_ptr<const sinew::RowInfluences> influences;
};

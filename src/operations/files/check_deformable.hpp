// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Deforms the default scene of a model at rest and discards the result. The error says what cannot be deformed, and where: a part with a
/// defect, or a vertex or a transform that is not finite. `threads`: 0 = all cores.
[[nodiscard]] Result<> check_deformable(const Model& model, unsigned threads);

/// Failure::limit if work on all surfaces of a model, `times` over, exceeds the limit of work (Limits::work).
[[nodiscard]] Result<> check_surface_work(const Model& model, std::uint64_t times);

/// Refuses a converted model whose rest transforms or bind matrices are not finite float32 numbers, which no file can store. The error
/// names the node of `from` that the numbers come from. Failure::unsupported.
[[nodiscard]] Result<> check_storable(const Model& converted, const Model& from);

}  // namespace sinew::operations

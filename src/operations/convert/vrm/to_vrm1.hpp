// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "sinew/convert.hpp"
#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

namespace vrm {
/// The only licence that a VRM 1.0 file can name.
inline constexpr std::string_view license_url = "https://vrm.dev/licenses/1.0/";
}  // namespace vrm

/// An avatar in VRM 1.0.
struct Vrm1File {
  std::shared_ptr<const document::Document> document;
  std::optional<Model> turned;  ///< the model of the input, which the new file shows; empty: the input has VRM 1.0 already
};

/// Converts VRM 0.x to VRM 1.0. The avatar then faces +Z. A file of VRM 1.0 stays as it is. `losses` gets what VRM 1.0 cannot hold, and
/// hints about values that only the owner can change. Failure::usage: the owner's consent to the licence is missing. Failure::unsupported:
/// no VRM, or copies of nodes. Failure::input: a broken reference, a missing bone.
[[nodiscard]] Result<Vrm1File> to_vrm1(const std::shared_ptr<const document::Document>& document, const ConvertOptions& options,
                                       FindingSink& sink, FindingSink& losses);

}  // namespace sinew::operations

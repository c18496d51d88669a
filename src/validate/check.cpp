// SPDX-License-Identifier: MIT
#include "g4mf/check/check.hpp"

#include <stdexcept>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/path_text.hpp"
#include "g4mf/read/read.hpp"
#include "gltf/check/check.hpp"
#include "gltf/read/read.hpp"
#include "io/load/detect.hpp"

#include "sinew/validate.hpp"

namespace sinew::io {

Result<Checked> check(const std::filesystem::path& path, const LoadOptions& options, FindingSink& sink) SINEW_TRY {
  Checked checked;
  auto document = document::open(path, options.open, sink);
  if (!document) {
    const Error& why = document.error();
    if (why.failure != Failure::input || why.code == "IO_ERROR") return Unexpected(std::move(document.error()));
    const Promise promise = promised_by(path);
    checked.format = promise.format;
    checked.container = promise.container;
    return checked;
  }
  checked.document = std::move(*document);
  checked.container = checked.document->container();
  checked.format = detect(*checked.document);
  // If no model results, there is already a finding.
  switch (checked.format) {
    case Format::gltf:
      checked.model = gltf::check(checked.document, sink);
      checked.info = gltf::asset_info(*checked.document);
      return checked;
    case Format::g4mf:
      if (auto model = g4mf::check(checked.document, sink, {false, options.revision})) checked.model = std::move(*model);
      checked.info = g4mf::asset_info(*checked.document);
      return checked;
    case Format::unknown:
      break;
  }
  sink.add(finding("SINEW_UNKNOWN_FORMAT"_code, ""));
  return checked;
}
SINEW_CATCH({path_text(path), std::nullopt, std::nullopt})

}  // namespace sinew::io

// SPDX-License-Identifier: MIT
#include "g4mf/read/read.hpp"

#include <new>
#include <stdexcept>

#include "g4mf/read/asset.hpp"
#include "g4mf/read/parsed.hpp"

namespace sinew::g4mf {

Result<Model> read(std::shared_ptr<const document::Document> document, FindingSink& sink, const ReadOptions& options) try {
  Parsed parsed(*document, sink, options);
  if (auto asset = parse_asset(parsed); !asset) return Unexpected(std::move(asset.error()));
  if (auto supported = require_support(parsed.reader); !supported)
    return Unexpected(std::move(parsed.model.defects[supported.error().index]));
  if (auto contents = parse_contents(parsed); !contents) return Unexpected(std::move(contents.error()));
  parsed.model.source = std::make_shared<Source>(std::move(document));
  return std::move(parsed.model);
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
} catch (const std::length_error&) {  // more than any vector holds, where the memory limit allows it
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
}

}  // namespace sinew::g4mf

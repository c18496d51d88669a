// SPDX-License-Identifier: MIT
#include "sinew/load.hpp"

#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "g4mf/read/read.hpp"
#include "gltf/read/read.hpp"
#include "io/load/detect.hpp"
#include "io/load/read.hpp"

namespace sinew::io {

Result<Model> read(std::shared_ptr<const document::Document> document, const LoadOptions& options, FindingSink& sink) {
  const Place place{document->path().string(), std::nullopt, std::nullopt};
  switch (detect(*document)) {
    case Format::gltf:
      return gltf::read(std::move(document), sink);
    case Format::g4mf:
      return g4mf::read(std::move(document), sink, {options.force, options.revision});
    case Format::unknown:
      break;
  }
  return Unexpected(error("SINEW_UNKNOWN_FORMAT"_code, Failure::input, place));
}

Result<Model> load(const std::filesystem::path& path, const LoadOptions& options, FindingSink& sink) try {
  auto document = document::open(path, options.open, sink);
  if (!document) return Unexpected(document.error());
  return read(std::move(*document), options, sink);
} catch (...) {
  return ended_by_exception({path.string(), std::nullopt, std::nullopt});
}

}  // namespace sinew::io

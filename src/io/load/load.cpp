// SPDX-License-Identifier: MIT
#include "sinew/load.hpp"

#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/left_out.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#ifndef SINEW_NO_G4MF
#include "g4mf/read/read.hpp"
#endif
#include "gltf/read/read.hpp"
#include "io/load/detect.hpp"
#include "io/load/read.hpp"
#include "math/dimension.hpp"

namespace sinew::io {

#ifndef SINEW_NO_G4MF
namespace {

Result<Model> refuse_dimension(Result<Model> model, const Place& place) {
  if (!model || has_dimension(model->dimension)) return model;
  return Unexpected(error("SINEW_LEFT_OUT"_code, Failure::unsupported, place, format_text("models of {} dimensions", model->dimension),
                          "SINEW_DIMENSIONS"));
}

}  // namespace
#endif

Result<Model> read(const std::shared_ptr<const document::Document>& document, const LoadOptions& options, FindingSink& sink) {
  const Place place{path_text(document->path()), std::nullopt, std::nullopt};
  switch (detect(*document)) {
    case Format::gltf:
      return gltf::read(document, sink);
    case Format::g4mf:
#ifdef SINEW_NO_G4MF
      static_cast<void>(options);
      return Unexpected(error("SINEW_LEFT_OUT"_code, Failure::unsupported, place, "G4MF", g4mf_switch));
#else
      return refuse_dimension(g4mf::read(document, sink, {options.force, options.revision}), place);
#endif
    case Format::unknown:
      break;
  }
  return Unexpected(error("SINEW_UNKNOWN_FORMAT"_code, Failure::input, place));
}

Result<Model> load(const std::filesystem::path& path, const LoadOptions& options, FindingSink& sink) SINEW_TRY {
  auto document = document::open(path, options.open, sink);
  if (!document) return Unexpected(document.error());
  return read(*document, options, sink);
}
SINEW_CATCH({path_text(path), std::nullopt, std::nullopt})

}  // namespace sinew::io

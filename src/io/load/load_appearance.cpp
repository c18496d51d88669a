// SPDX-License-Identifier: MIT
#include <new>

#include "base/guard.hpp"
#ifndef SINEW_NO_G4MF
#include "g4mf/read/read.hpp"
#endif
#include "gltf/read/read.hpp"

#include "sinew/load.hpp"

namespace sinew::io {

namespace {

Appearance appearance_of(const Model& model, Index material, std::optional<Error>& note) {
  const SourceId id = model.materials[material].source;
  if (const auto* source = document::source_as<gltf::Source>(model.source.get())) return gltf::read_appearance(*source, id, note);
#ifndef SINEW_NO_G4MF
  if (const auto* source = document::source_as<g4mf::Source>(model.source.get())) return g4mf::read_appearance(*source, id, note);
#endif
  return {};
}

}  // namespace

Appearance load_appearance(const Model& model, Index material, std::optional<Error>& note) noexcept {
  return tried([&] { return appearance_of(model, material, note); },
               [&] {
                 note = error_of_exception();
                 return Appearance();
               });
}

Result<> load_material_values([[maybe_unused]] Model& model) SINEW_TRY {
#ifndef SINEW_NO_G4MF
  if (const auto* source = document::source_as<g4mf::Source>(model.source.get())) g4mf::add_channel_values(*source, model);
#endif
  return {};
}
SINEW_CATCH()

bool faces_back(const Model& model) noexcept {
  const auto* source = document::source_as<gltf::Source>(model.source.get());
  return model.avatar.format == Avatar::Format::vrm0 || (source != nullptr && gltf::faces_back(*source));
}

}  // namespace sinew::io

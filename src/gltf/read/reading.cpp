// SPDX-License-Identifier: MIT
#include "gltf/read/reading.hpp"

namespace sinew::gltf {

namespace {

RootObject read_root(JsonValue root, Checks checks, const Limits& limits, FindingSink& findings) {
  document::CappedSink sink(findings, limits.findings);
  return {root, sink, checks};
}

}  // namespace

Reading::Reading(const document::Document& document, Checks checks, FindingSink& sink, Model& model)
    : document::Reading(document, checks, sink, model.defects),
      model_(model),
      root_(read_root(document.json().root(), checks, document.options().limits, root_findings_)) {}

void Reading::report_root(bool readable) {
  const auto tells_the_version = [](const Finding& finding) {
    const std::string_view pointer = finding.pointer;
    return finding.code == "UNEXPECTED_PROPERTY" || pointer.size() <= 1 || pointer.starts_with("/asset") ||
           pointer.starts_with("/extensionsUsed") || pointer.starts_with("/extensionsRequired");
  };
  for (const Finding& finding : root_findings_.list())
    if (readable || tells_the_version(finding)) sink().add(finding);
}

bool Reading::first_sight(JsonValue value) {
  if (!value || checks() == Checks::safety) return true;
  if (seen_.empty()) seen_.resize(value.json()->tape().size());
  const bool seen = seen_[value.id()];
  seen_[value.id()] = true;
  return !seen;
}

JsonValue Reading::array_of(Reference reference) const {
  switch (reference) {
    case Reference::accessor:
      return root_[RootRow::accessors];
    case Reference::animation:
      return root_[RootRow::animations];
    case Reference::buffer:
      return root_[RootRow::buffers];
    case Reference::buffer_view:
      return root_[RootRow::bufferViews];
    case Reference::camera:
      return root_[RootRow::cameras];
    case Reference::image:
      return root_[RootRow::images];
    case Reference::material:
      return root_[RootRow::materials];
    case Reference::mesh:
      return root_[RootRow::meshes];
    case Reference::node:
      return root_[RootRow::nodes];
    case Reference::sampler:
      return root_[RootRow::samplers];
    case Reference::scene:
      return root_[RootRow::scenes];
    case Reference::skin:
      return root_[RootRow::skins];
    case Reference::texture:
      return root_[RootRow::textures];
    case Reference::light:
      return file_extension("KHR_lights_punctual")["lights"];
    case Reference::variant:
      return file_extension("KHR_materials_variants")["variants"];
    case Reference::skeleton:
      return skeletons_;
    case Reference::nothing:
    case Reference::animation_sampler:
    case Reference::count:
      break;
  }
  return {};
}

bool Reading::uses_extension(std::string_view name) const {
  for (const JsonValue used : root_[RootRow::extensionsUsed].elements())
    if (used.equals(name)) return true;
  return false;
}

JsonValue Reading::file_extension(std::string_view name) const {
  const JsonValue value = extension_of(root_, name);
  return value.is(JsonKind::object) && uses_extension(name) ? value : JsonValue();
}

Index Reading::resolve_or_none(JsonValue value, Reference reference) {
  const auto index = document::whole_number(value);
  if (!index) return none;
  if (*index < count(reference)) return static_cast<Index>(*index);
  if (first_sight(value)) report<"UNRESOLVED_REFERENCE"_code>(value, *index, count(reference), array_name(reference));
  return none;
}

void identify(Entity& entity, JsonValue value) {
  entity.name = value["name"].string();
  entity.source = source_of(value);
}

}  // namespace sinew::gltf

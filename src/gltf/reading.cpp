// SPDX-License-Identifier: MIT
#include "gltf/reading.hpp"

namespace sinew::gltf {

Reading::Reading(const document::Document& document, Checks checks, FindingSink& sink, Model& model)
    : document::Reading(document, checks, sink, model.defects), model_(model), root_(document.json().root(), this->sink(), checks) {}

std::size_t Reading::count(Reference reference) const {
  switch (reference) {
    case Reference::accessor:
      return root_[RootRow::accessors].size();
    case Reference::animation:
      return root_[RootRow::animations].size();
    case Reference::buffer:
      return root_[RootRow::buffers].size();
    case Reference::buffer_view:
      return root_[RootRow::bufferViews].size();
    case Reference::camera:
      return root_[RootRow::cameras].size();
    case Reference::image:
      return root_[RootRow::images].size();
    case Reference::material:
      return root_[RootRow::materials].size();
    case Reference::mesh:
      return root_[RootRow::meshes].size();
    case Reference::node:
      return root_[RootRow::nodes].size();
    case Reference::sampler:
      return root_[RootRow::samplers].size();
    case Reference::scene:
      return root_[RootRow::scenes].size();
    case Reference::skin:
      return root_[RootRow::skins].size();
    case Reference::texture:
      return root_[RootRow::textures].size();
    case Reference::skeleton:
      return skeletons_;
    case Reference::nothing:
    case Reference::animation_sampler:
    case Reference::count:
      break;
  }
  return 0;
}

Index Reading::resolve_or_none(JsonValue value, Reference reference) {
  const auto index = document::whole_number(value);
  if (!index) return none;
  if (*index < count(reference)) return static_cast<Index>(*index);
  report<"UNRESOLVED_REFERENCE"_code>(value, *index, count(reference), array_name(reference));
  return none;
}

void identify(Entity& entity, JsonValue value) {
  entity.name = value["name"].string();
  entity.source = source_of(value);
}

}  // namespace sinew::gltf

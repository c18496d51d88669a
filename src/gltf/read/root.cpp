// SPDX-License-Identifier: MIT
#include "gltf/read/root.hpp"

#include "gltf/schema/tables_applied.hpp"

namespace sinew::gltf {

using document::JsonKind;
using document::JsonValue;

Root::Root(JsonValue value, document::CappedSink& sink) : RootObject(value, sink) {
  document::Silence silence;
  if (const JsonValue own = extension_of(*this, staik_extension))
    skeletons_ = SkeletonsObject(own, silence.sink())[SkeletonsRow::skeletons];
}

JsonValue Root::array_of(Reference reference) const {
  switch (reference) {
    case Reference::accessor:
      return (*this)[RootRow::accessors];
    case Reference::animation:
      return (*this)[RootRow::animations];
    case Reference::buffer:
      return (*this)[RootRow::buffers];
    case Reference::buffer_view:
      return (*this)[RootRow::bufferViews];
    case Reference::camera:
      return (*this)[RootRow::cameras];
    case Reference::image:
      return (*this)[RootRow::images];
    case Reference::material:
      return (*this)[RootRow::materials];
    case Reference::mesh:
      return (*this)[RootRow::meshes];
    case Reference::node:
      return (*this)[RootRow::nodes];
    case Reference::sampler:
      return (*this)[RootRow::samplers];
    case Reference::scene:
      return (*this)[RootRow::scenes];
    case Reference::skin:
      return (*this)[RootRow::skins];
    case Reference::texture:
      return (*this)[RootRow::textures];
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

bool Root::has(JsonValue index, Reference reference) const {
  const auto number = document::whole_number(index);
  return number && *number < count(reference);
}

bool Root::uses_extension(std::string_view name) const {
  for (const JsonValue used : (*this)[RootRow::extensionsUsed].elements())
    if (used.equals(name)) return true;
  return false;
}

JsonValue Root::file_extension(std::string_view name) const {
  const JsonValue value = extension_of(*this, name);
  return value.is(JsonKind::object) && uses_extension(name) ? value : JsonValue();
}

}  // namespace sinew::gltf

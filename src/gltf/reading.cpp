// SPDX-License-Identifier: MIT
#include "gltf/reading.hpp"

namespace sinew::gltf {

Reading::Reading(const document::Document& document, Checks checks, FindingSink& sink, Model& model)
    : document_(document),
      checks_(checks),
      sink_(sink),
      model_(model),
      file_(document.path().string()),
      budget_(document.options().limits.memory),
      root_(document.json().root(), sink_, checks) {}

Refused Reading::keep(Error error) {
  model_.defects.push_back(std::move(error));
  return Refused(Defect{static_cast<Index>(model_.defects.size() - 1)});
}

Refused Reading::overflow() {
  sink_.drop();
  return Refused(Defect{static_cast<Index>(model_.defects.size() - 1)});
}

Refused Reading::refuse(const document::Object& object) { return refuse(*object.defect()); }

Refused Reading::refuse(const Finding& reported) {
  if (full()) return overflow();
  return keep(error_from(reported, file_));
}

Refused Reading::refuse(JsonValue at, const Error& error) {
  if (full()) return overflow();
  Error placed = error;
  placed.place = Place{file_, at.pointer(), std::nullopt};
  if (!error.place.file.empty() && error.place.file != file_) placed.message = fmt::format("{}: {}", error.place.file, error.message);
  if (const CatalogueRow* row = find_code(error.code))
    sink_.add({row->code, row->severity, *placed.place.pointer, std::nullopt, placed.message});
  return keep(std::move(placed));
}

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

Checked<> Reading::take(JsonValue at, std::uint64_t count, std::uint64_t size) {
  if (budget_.take(count, size)) return {};
  const auto bytes = checked_mul(count, size);
  const std::string needed = bytes ? fmt::format("{}", *bytes) : fmt::format("{} times {}", count, size);
  return refuse(at, error<"SINEW_MEMORY_LIMIT"_code>(Failure::limit, {}, "the data", needed, budget_.left()));
}

Checked<std::shared_ptr<std::vector<std::byte>>> Reading::allocate(JsonValue at, std::uint64_t count, std::uint64_t size) {
  if (auto taken = take(at, count, size); !taken) return Refused(taken.error());
  return std::make_shared<std::vector<std::byte>>(count * size);
}

std::vector<JsonValue> list_of(JsonValue array) {
  std::vector<JsonValue> list;
  list.reserve(array.size());
  for (const JsonValue element : array.elements()) list.push_back(element);
  return list;
}

void identify(Entity& entity, JsonValue value) {
  entity.name = value["name"].string();
  entity.source = source_of(value);
}

}  // namespace sinew::gltf

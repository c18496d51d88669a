// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "capi/guard.hpp"

#include "sinew/load.hpp"

namespace {

using sinew::Appearance;
using sinew::Result;
using sinew::Unexpected;

/// The struct that the caller sees, and what it points to.
struct OwnedAppearance : sinew_appearance {
  std::shared_ptr<const sinew::Model> model;  ///< the image may be in the memory of its host
  std::shared_ptr<const void> owner;
  std::string note;
};

constexpr sinew_alpha alpha_of(Appearance::Alpha alpha) {
  if (alpha == Appearance::Alpha::opaque) return SINEW_ALPHA_OPAQUE;
  return alpha == Appearance::Alpha::mask ? SINEW_ALPHA_MASK : SINEW_ALPHA_BLEND;
}

constexpr sinew_wrap wrap_of(Appearance::Wrap wrap) {
  if (wrap == Appearance::Wrap::repeat) return SINEW_WRAP_REPEAT;
  return wrap == Appearance::Wrap::mirror ? SINEW_WRAP_MIRROR : SINEW_WRAP_CLAMP;
}

void fill_appearance(const Appearance& from, OwnedAppearance& to) {
  const Appearance::Texture texture = from.texture.value_or(Appearance::Texture());
  std::ranges::copy(from.color, to.color);
  to.alpha = alpha_of(from.alpha);
  to.cutoff = from.cutoff;
  to.double_sided = from.double_sided ? 1 : 0;
  to.unlit = from.unlit ? 1 : 0;
  to.image = texture.image.empty() ? nullptr : texture.image.data();
  to.image_size = texture.image.size();
  to.image_error = to.note.empty() ? nullptr : to.note.c_str();
  to.wrap_s = wrap_of(texture.wrap_s);
  to.wrap_t = wrap_of(texture.wrap_t);
  to.nearest = texture.nearest ? 1 : 0;
  to.set = texture.set;
  std::ranges::copy(texture.transform, to.transform);
  to.owner = texture.owner;
}

}  // namespace

sinew_status sinew_appearance_load(const sinew_model* model, size_t material, sinew_appearance** appearance, sinew_error** error) {
  return sinew::capi::guarded(error, [&]() -> Result<> {
    if (model == nullptr || appearance == nullptr) return sinew::capi::usage("sinew_appearance_load: model or appearance is NULL");
    const sinew::Model& from = *model->model;
    if (material >= from.materials.size())
      return sinew::capi::usage(sinew::format_text("sinew_appearance_load: material {} does not exist", material));
    std::optional<sinew::Error> note;
    const Appearance read = sinew::io::load_appearance(from, static_cast<sinew::Index>(material), note);
    if (note && sinew::is_limit(note->failure)) return Unexpected(*std::move(note));
    auto made = std::make_unique<OwnedAppearance>();
    made->model = model->model;
    if (note) made->note = note->line();
    fill_appearance(read, *made);
    *appearance = made.release();
    return {};
  });
}

void sinew_appearance_free(sinew_appearance* appearance) { delete static_cast<OwnedAppearance*>(appearance); }

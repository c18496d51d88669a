// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "math/srgb.hpp"
#include "model/edit_reporter.hpp"
#include "model/place.hpp"
#include "show/distinct_pictures.hpp"
#include "show/drawable.hpp"

#include "sinew/load.hpp"
#include "sinew/render.hpp"

namespace sinew::show {

using operations::operator""_code;

namespace {

using Wrap = Appearance::Wrap;

std::array<double, 256> linear_table() {
  std::array<double, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = to_linear(static_cast<double>(i) / 255);
  return table;
}

/// Wraps a texel index that may lie outside: a whole number, as a double because it may be large.
std::size_t wrapped(double index, std::size_t count, Wrap wrap) {
  const auto n = static_cast<double>(count);
  if (wrap == Wrap::repeat) index -= n * std::floor(index / n);
  if (wrap == Wrap::mirror) {
    index -= 2 * n * std::floor(index / (2 * n));
    if (index >= n) index = 2 * n - 1 - index;
  }
  return static_cast<std::size_t>(std::clamp(index, 0.0, n - 1));
}

/// Interpolation along one axis: two texels and the weight of the second.
struct Between {
  std::size_t first, second;
  double part;
};

Between between(float coordinate, std::size_t count, Wrap wrap, bool nearest) {
  const double at = std::isfinite(coordinate) ? double{coordinate} * static_cast<double>(count) : 0;
  if (nearest) {
    const std::size_t texel = wrapped(std::floor(at), count, wrap);
    return {texel, texel, 0};
  }
  const double below = std::floor(at - 0.5);  // colours are those of texel centres
  return {wrapped(below, count, wrap), wrapped(below + 1, count, wrap), at - 0.5 - below};
}

Unexpected broken_volume(std::string why) { return Unexpected(error("IO_ERROR"_code, Failure::input, {}, std::move(why))); }

/// Returns the attribute with a volume's coordinates, or nullptr.
Attribute* coordinates_in(std::vector<Attribute>& attributes) {
  const auto found = std::ranges::find_if(attributes, [](const Attribute& attribute) {
    return attribute.semantic == Semantic::texcoord && attribute.set == 0 && attribute.values.width() == 3;
  });
  return found == attributes.end() ? nullptr : &*found;
}

/// Replaces coordinates by colours, row by row.
void bake(const Volume& volume, Attribute& attribute) {
  const std::vector<float> coordinates = attribute.values.read<float>();
  std::vector<float> colors;
  colors.reserve(coordinates.size() / 3 * 4);
  for (std::size_t i = 0; i + 2 < coordinates.size(); i += 3) {
    const std::array<float, 4> color = volume.sample(&coordinates[i]);
    colors.insert(colors.end(), color.begin(), color.end());
  }
  attribute.semantic = Semantic::color;
  attribute.values = Array::own(std::move(colors), 4);
  attribute.offsets.clear();  // they are offsets of coordinates
}

/// Returns the node that shows a mesh, or nullptr.
const Node* node_of(const Model& model, Index mesh) {
  const auto found = std::ranges::find(model.nodes, mesh, &Node::mesh);
  return found == model.nodes.end() ? nullptr : &*found;
}

}  // namespace

Result<Volume> Volume::create(const Picture& picture, const Appearance::Volume& texture) SINEW_TRY {
  const auto [width, height, depth] = texture.size;
  if (width == 0 || height == 0 || depth == 0 || picture.width % width != 0 || picture.height % height != 0)
    return broken_volume(format_text("the image has {} × {} pixels; expected multiples of the tile size {} × {}", picture.width,
                                     picture.height, width, height));
  const std::size_t across = picture.width / width, down = picture.height / height;
  if (depth > across * down) return broken_volume(format_text("the image has {} tiles, expected {}", across * down, depth));
  Volume made;
  made.size_ = texture.size;
  made.wrap_ = texture.wrap;
  made.nearest_ = texture.nearest;
  made.rgba_.reserve(width * height * depth * 4);
  for (std::size_t z = 0; z < depth; ++z)
    for (std::size_t y = 0; y < height; ++y) {
      const std::size_t row = z / across * height + y, first = row * picture.width + z % across * width;
      const auto pixels = picture.rgba.begin() + static_cast<std::ptrdiff_t>(first * 4);
      made.rgba_.insert(made.rgba_.end(), pixels, pixels + static_cast<std::ptrdiff_t>(width * 4));
    }
  return made;
}
SINEW_CATCH()

Result<Volume> Volume::create(const Appearance::Volume& texture, std::size_t most_texels) SINEW_TRY {
  const auto picture = decode_picture(texture.image, most_texels);
  if (!picture) return Unexpected(picture.error());
  return create(*picture, texture);
}
SINEW_CATCH()

Result<Volume> Volume::placeholder(const Appearance::Volume& texture) SINEW_TRY {
  Volume made;
  for (std::size_t c = 0; c < 4; ++c) {
    const double value = std::clamp(texture.placeholder[c], 0.0, 1.0);
    made.rgba_.push_back(static_cast<std::uint8_t>(std::lround((c < 3 ? to_srgb(value) : value) * 255)));
  }
  return made;
}
SINEW_CATCH()

std::array<float, 4> Volume::sample(const float* coordinates) const noexcept {
  static const std::array<double, 256> linear = linear_table();
  std::array<Between, 3> sides{};
  for (std::size_t i = 0; i < 3; ++i) sides[i] = between(coordinates[i], size_[i], wrap_[i], nearest_);
  std::array<double, 4> sum{};
  for (unsigned corner = 0; corner < 8; ++corner) {
    double weight = 1;
    std::array<std::size_t, 3> texel{};
    for (std::size_t i = 0; i < 3; ++i) {
      const bool second = (corner >> i & 1) != 0;
      weight *= second ? sides[i].part : 1 - sides[i].part;
      texel[i] = second ? sides[i].second : sides[i].first;
    }
    if (weight == 0) continue;
    const std::uint8_t* const stored = &rgba_[((texel[2] * size_[1] + texel[1]) * size_[0] + texel[0]) * 4];
    for (std::size_t c = 0; c < 3; ++c) sum[c] += weight * linear[stored[c]];
    sum[3] += weight * stored[3] / 255;
  }
  std::array<float, 4> color{};
  std::ranges::transform(sum, color.begin(), [](double part) { return static_cast<float>(part); });
  return color;
}

Result<Volumes> Volumes::create(const Model& model, std::size_t most_texels) SINEW_TRY {
  Volumes all;
  DistinctPictures pictures;
  using Layout = std::tuple<std::size_t, std::array<std::size_t, 3>, std::array<Appearance::Wrap, 3>, bool>;
  std::map<Layout, Result<std::shared_ptr<const Volume>>> made;
  for (Index m = 0; m < model.materials.size(); ++m) {
    auto& volume = all.volumes_.emplace_back();
    std::optional<Error> note;
    const Appearance appearance = io::load_appearance(model, m, note);
    if (!appearance.volume) continue;
    ++all.count_;
    const Appearance::Volume& texture = *appearance.volume;
    if (!texture.image.empty()) {
      const auto [known, is_new] = made.try_emplace({pictures.number(texture), texture.size, texture.wrap, texture.nearest});
      if (is_new) {
        auto created = Volume::create(texture, most_texels);
        if (created)
          known->second = std::make_shared<const Volume>(std::move(*created));
        else
          known->second = Unexpected(std::move(created.error()));
      }
      if (known->second)
        volume = *known->second;
      else
        note = known->second.error();
    }
    if (!volume) volume = std::make_shared<const Volume>(need(Volume::placeholder(texture)));
    if (!note) continue;
    if (note->place.file.empty()) note->place = place_of(model, model.materials[m]);
    all.notes_.push_back(std::move(*note));
  }
  return all;
}
SINEW_CATCH()

const Volume* Volumes::of(Index material) const noexcept { return material < volumes_.size() ? volumes_[material].get() : nullptr; }

Result<> bake_volumes(const Volumes& volumes, Model& model, FindingSink& losses) SINEW_TRY {
  if (volumes.empty()) return {};
  for (Index m = 0; m < model.meshes.size(); ++m) {
    Mesh& mesh = model.meshes[m];
    const Node* const node = node_of(model, m);
    for (std::size_t s = 0; s < mesh.surfaces.size(); ++s) {
      Surface& surface = mesh.surfaces[s];
      const Volume* const volume = volumes.of(node == nullptr ? surface.material : material_of(*node, s, surface.material));
      Attribute* const coordinates = coordinates_in(surface.attributes);
      if (volume == nullptr || coordinates == nullptr) continue;
      bake(*volume, *coordinates);
      EditReporter(model, losses).lost(surface, "its three-dimensional texture becomes vertex colours");
    }
  }
  return {};
}
SINEW_CATCH()

}  // namespace sinew::show

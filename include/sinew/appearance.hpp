// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "sinew/model.hpp"

namespace sinew {

/// What a simple picture needs of a material, whatever format it is of: its base colour, and how it covers what is behind it.
struct Appearance {
  enum class Alpha : std::uint8_t { opaque, mask, blend };
  enum class Wrap : std::uint8_t { repeat, mirror, clamp };

  struct Texture {
    std::span<const std::byte> image;   ///< a file's bytes, not decoded: PNG, JPEG or WebP
    std::shared_ptr<const void> owner;  ///< of those
    Wrap wrap_s = Wrap::repeat, wrap_t = Wrap::repeat;
    bool nearest = false;  ///< no blending between texels
    Index set = 0;         ///< the n of TEXCOORD_n
    /// Of texture coordinates (KHR_texture_transform): columns of a 3 × 3 matrix that is applied to (u, v, 1).
    std::array<double, 9> transform{1, 0, 0, 0, 1, 0, 0, 0, 1};
  };

  /// A texture of three dimensions (G4MF), without texture coordinates of several sets.
  struct Volume {
    std::span<const std::byte> image;   ///< as of Texture: tiles that are stacked; empty: none, the placeholder is what is seen
    std::shared_ptr<const void> owner;  ///< of those
    std::array<std::size_t, 3> size{};  ///< of a tile, and how many
    std::array<Wrap, 3> wrap{};
    bool nearest = false;
    std::array<double, 4> placeholder{1, 1, 1, 1};  ///< linear
  };

  std::array<double, 4> color{1, 1, 1, 1};  ///< factor of the base colour, linear
  Alpha alpha = Alpha::opaque;
  double cutoff = 0.5;        ///< of Alpha::mask
  bool double_sided = false;  ///< whether its back is seen
  bool unlit = false;         ///< the colour is what is seen (KHR_materials_unlit)
  std::optional<Texture> texture;
  std::optional<Volume> volume;
};

}  // namespace sinew

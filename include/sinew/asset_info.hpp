// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// A buffer or image of an asset: where it lies and what its first bytes say.
struct ResourceInfo {
  struct Image {
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    std::string format;     ///< "rgb", "rgba", "luminance", "luminance-alpha"
    std::string primaries;  ///< "srgb", "custom", …; empty = not known
    std::string transfer;   ///< "srgb", "linear", "custom"; empty = not known
    std::uint64_t bits = 0;
  };
  std::string pointer;    ///< JSON pointer of the object
  std::string mime_type;  ///< empty = not known
  std::string storage;    ///< "data-uri", "buffer-view", "glb", "g4b", "external"; empty = not known
  std::string uri;        ///< of external ones
  std::optional<std::uint64_t> byte_length;
  std::optional<Image> image;
};

/// What a report tells of an asset beside its findings: the `info` object of the Khronos glTF-Validator's reports, and the same facts of
/// G4MF files. Computed from the document, never from the model: broken files have it too.
struct AssetInfo {
  std::string version;                     ///< glTF: asset.version; G4MF: the revision
  std::string min_version;                 ///< empty = absent
  std::string generator;                   ///< empty = absent
  std::optional<std::uint64_t> dimension;  ///< G4MF
  std::vector<std::string> extensions_used;
  std::vector<std::string> extensions_required;
  std::vector<ResourceInfo> resources;
  std::uint64_t animations = 0;
  std::uint64_t materials = 0;
  bool has_morph_targets = false;
  bool has_skins = false;
  bool has_textures = false;
  bool has_default_scene = false;
  std::uint64_t draw_calls = 0;
  std::uint64_t vertices = 0;
  std::uint64_t triangles = 0;  ///< G4MF: simplexes of the highest dimension
  std::uint64_t max_uvs = 0;
  std::uint64_t max_influences = 0;
  std::uint64_t max_attributes = 0;
};

}  // namespace sinew

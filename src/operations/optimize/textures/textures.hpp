// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "io/save/carry_files.hpp"

#include "sinew/document.hpp"
#include "sinew/optimize.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// What the step `textures` made.
struct SmallerTextures {
  std::shared_ptr<const document::Document> document;  ///< images in files keep their URIs
  std::vector<OptimizedTexture> textures;
  std::string note;
  /// For images in files, by the URI of the old one.
  struct File {
    std::string uri;         ///< the new one
    std::string type;        ///< media type
    std::uint64_t side = 0;  ///< the larger one, in pixels
  };
  std::map<std::string, File, std::less<>> files;
  io::NewFiles made;  ///< by new URI
};

/// Stores images of a glTF document as the options say.
[[nodiscard]] Result<SmallerTextures> smaller_textures(const std::shared_ptr<const document::Document>& document,
                                                       const OptimizeOptions& options, FindingSink& changes);

/// Returns the document with the new files in place of the old ones. `embed`: their bytes become buffer views.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_new_textures(const std::shared_ptr<const document::Document>& document,
                                                                                  const SmallerTextures& textures, bool embed);

}  // namespace sinew::operations

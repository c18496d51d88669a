// SPDX-License-Identifier: MIT
#pragma once

#include "io/save/carry_files.hpp"
#include "io/save/gltf_file.hpp"
#include "operations/files/loss_watch.hpp"

#include "sinew/convert.hpp"

namespace sinew::operations {

/// Writes a glTF document as text or GLB. The first buffer moves between the binary chunk and a .bin file or its URI. Image files are
/// embedded in a GLB; files of images and buffers are copied beside a text file in another folder. All other JSON stays. `made`: files that
/// are not written yet; a text's images may name them.
[[nodiscard]] Result<Written> convert_gltf(const document::Document& document, const io::Target& to, document::Container container,
                                           LossWatch& losses, const io::NewFiles* made = nullptr);

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "operations/files/chosen_scene.hpp"

#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/json/json_edit.hpp"
#include "document/schema/edited.hpp"
#include "io/load/detect.hpp"

namespace sinew::operations {

Result<std::shared_ptr<const document::Document>> with_scene(const std::shared_ptr<const document::Document>& document, Index scene) {
  if (scene == none) return document;
  const bool gltf = io::detect(*document) == io::Format::gltf;
  const std::size_t count = gltf ? document->json().root()["scenes"].size() : 1;
  if (scene >= count)
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, Place{path_text(document->path()), "/scenes", {}},
                            count == 0 ? "found no scene" : format_text("found scene {}, expected one of 0 to {}", scene, count - 1)));
  if (!gltf) return document;
  document::JsonEdit root(document->json().root());
  root.set("scene", document::JsonEdit::integer(scene));
  return document::with_binary(*document, root.text(), std::nullopt);
}

}  // namespace sinew::operations

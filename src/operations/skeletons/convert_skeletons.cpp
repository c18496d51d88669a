// SPDX-License-Identifier: MIT
#include "operations/skeletons/convert_skeletons.hpp"

#include "base/message.hpp"
#include "gltf/read/read.hpp"
#include "model/edit_reporter.hpp"
#include "operations/files/update.hpp"
#include "operations/skeletons/bone_skeletons.hpp"
#include "operations/skeletons/occupied_nodes.hpp"
#include "operations/skeletons/strict_skeletons.hpp"

namespace sinew::operations {
namespace {

using document::Document;

Result<Model> make(const Model& model, Skeletons how, const StrictOptions& options, FindingSink& losses) {
  if (how == Skeletons::strict) return make_strict(model, options, losses);
  if (how == Skeletons::bone) return make_bones(model, options, losses);
  return make_plain(model);
}

// The rules of KHR_skeleton_bone apply to a whole file, and the result breaks them.
void drop_bones(Model& model, FindingSink& losses) {
  std::size_t lengths = 0;
  for (Node& node : model.nodes) {
    if (node.bone && node.bone->length) ++lengths;
    node.bone.reset();
  }
  if (lengths != 0)
    EditReporter(losses).lost("/nodes", format_text("bone lengths are lost, because only KHR_skeleton_bone can store them: {}", lengths));
}

}  // namespace

Result<Model> with_skeletons(const Model& model, Skeletons how, FindingSink& losses) {
  if (how == Skeletons::keep) return model;
  auto changed = make(model, how, {occupied_nodes(model)}, losses);
  if (changed && how != Skeletons::bone) drop_bones(*changed, losses);
  return changed;
}

Result<std::shared_ptr<const Document>> with_skeletons(const std::shared_ptr<const Document>& document, Skeletons how, FindingSink& sink,
                                                       FindingSink& losses) {
  if (how == Skeletons::keep) return document;
  const auto model = gltf::read(document, sink);
  if (!model) return Unexpected(model.error());
  if (model->skins.empty() && model->skeletons.empty()) return document;
  const auto changed = with_skeletons(*model, how, losses);
  if (!changed) return Unexpected(changed.error());
  return update(document, *model, *changed, losses);
}

}  // namespace sinew::operations

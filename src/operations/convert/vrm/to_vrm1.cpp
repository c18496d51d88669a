// SPDX-License-Identifier: MIT
#include "operations/convert/vrm/to_vrm1.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "gltf/extensions/KHR_node_visibility.hpp"
#include "gltf/extensions/KHR_skeleton_bone.hpp"
#include "gltf/write/editor.hpp"
#include "gltf/write/update.hpp"
#include "io/load/read.hpp"
#include "operations/convert/vrm/conversion.hpp"
#include "operations/convert/vrm/half_turn.hpp"
#include "operations/files/check_deformable.hpp"
#include "operations/files/update.hpp"

namespace sinew::operations {

namespace vrm {

namespace {

using document::Document;

constexpr std::string_view avatar_extension = "VRMC_vrm", springs_extension = "VRMC_springBone",
                           constraint_extension = "VRMC_node_constraint", light_extension = "KHR_lights_punctual";

Unexpected refusal(const Document& document, Failure failure, std::string pointer, std::string_view why) {
  return Unexpected(error("SINEW_EDIT_REFUSED"_code, failure, Place{path_text(document.path()), std::move(pointer), {}}, why));
}

/// The parts of the new file that refer to nodes of the old one.
struct Parts {
  JsonEdit avatar = JsonEdit::object();
  std::optional<JsonEdit> springs;
  std::vector<std::pair<Index, Index>> views;  ///< a node with a camera or a light, and its new child that gets them
};

Parts parts_of(AvatarConversion& conversion) {
  Parts parts;
  parts.avatar.set("specVersion", JsonEdit::string("1.0"));
  parts.avatar.set("meta", meta_of(conversion));
  parts.avatar.set("humanoid", humanoid_of(conversion));
  document::set_or_erase(parts.avatar, "firstPerson", first_person_of(conversion));
  document::set_or_erase(parts.avatar, "lookAt", look_at_of(conversion));
  document::set_or_erase(parts.avatar, "expressions", expressions_of(conversion));
  parts.springs = springs_of(conversion);
  if (const JsonValue exporter = conversion.old["exporterVersion"])
    conversion.changed(exporter, format_text("the name of the exporter, \"{}\", is left out", exporter.string()));
  Index node = 0;
  for (const JsonValue value : conversion.root["nodes"].elements()) {
    if (value["camera"] || value["extensions"][light_extension]) {
      LocalTransform half_turn;
      half_turn.rotor.assign(rotor_from_quaternion(std::array<double, 4>{0, 1, 0, 0}));
      parts.views.emplace_back(node, conversion.add_child(node, "_turned", std::move(half_turn)));
    }
    ++node;
  }
  return parts;
}

/// Moves cameras and lights, which look along an axis of their node, to its child.
void move_view(gltf::Editor& editor, Index from, Index to) {
  JsonEdit& nodes = document::list_in(editor.root(), "nodes");
  if (JsonEdit* const camera = nodes.at(from).find("camera")) {
    JsonEdit moved = *camera;
    nodes.at(from).erase("camera");
    nodes.at(to).set("camera", std::move(moved));
  }
  JsonEdit* const extensions = nodes.at(from).find("extensions");
  JsonEdit* const light = extensions == nullptr ? nullptr : extensions->find(light_extension);
  if (light == nullptr) return;
  JsonEdit moved = *light;
  gltf::erase_extension(nodes.at(from), light_extension);
  gltf::extension_in(nodes.at(to), light_extension) = std::move(moved);
}

/// The axes x and z of every node point the other way.
void turn_aim(gltf::Editor& editor, std::size_t node, JsonValue constraint) {
  std::string axis = constraint["constraint"]["aim"]["aimAxis"].string();
  if (axis.empty() || axis.back() == 'Y') return;
  axis = (axis.starts_with("Positive") ? "Negative" : "Positive") + axis.substr(axis.size() - 1);
  JsonEdit& edit = gltf::extension_in(document::list_in(editor.root(), "nodes").at(node), constraint_extension);
  document::object_in(document::object_in(edit, "constraint"), "aim").set("aimAxis", JsonEdit::string(axis));
}

void convert_node_extensions(const AvatarConversion& conversion, gltf::Editor& editor) {
  std::size_t node = 0;
  for (const JsonValue value : conversion.root["nodes"].elements()) {
    for (const JsonMember extension : value["extensions"].members()) {
      const std::string name = extension.key.string();
      if (name == constraint_extension)
        turn_aim(editor, node, extension.value);
      else if (name != light_extension && name != gltf::visibility_extension && name != gltf::skeleton_bone_extension)
        conversion.lost(extension.value,
                        format_text("{} is kept unchanged, but the axes of its node have turned by 180 degrees about y", name));
    }
    ++node;
  }
}

/// VRM 1.0 has the names of blend shapes in meshes, VRM 0.x in primitives.
void name_shapes(const AvatarConversion& conversion, gltf::Editor& editor) {
  std::size_t place = 0;
  for (const JsonValue mesh : conversion.root["meshes"].elements()) {
    const std::vector<BlendShape>& shapes = conversion.before.meshes[place].shapes;
    const bool named = std::ranges::any_of(shapes, [](const BlendShape& shape) { return !shape.name.empty(); });
    if (named && !mesh["extras"]["targetNames"] && (mesh["extras"].is(JsonKind::object) || !mesh["extras"])) {
      std::vector<std::string> names;
      for (const BlendShape& shape : shapes) names.push_back(shape.name);
      document::set_names(document::object_in(editor.element("meshes", place), "extras"), "targetNames", names);
    }
    ++place;
  }
}

void write_parts(AvatarConversion& conversion, Parts parts, gltf::Editor& editor) {
  for (const auto& [from, to] : parts.views) move_view(editor, from, to);
  convert_node_extensions(conversion, editor);
  name_shapes(conversion, editor);
  convert_materials(conversion, editor.root());
  gltf::erase_extension(editor.root(), "VRM");
  editor.forget_extension("VRM");
  gltf::extension_in(editor.root(), avatar_extension) = std::move(parts.avatar);
  editor.use_extension(avatar_extension);
  if (!parts.springs) return;
  gltf::extension_in(editor.root(), springs_extension) = *std::move(parts.springs);
  editor.use_extension(springs_extension);
}

Result<std::shared_ptr<const Document>> converted(const std::shared_ptr<const Document>& document, const Model& model, Model turned,
                                                  FindingSink& losses) {
  AvatarConversion conversion(document->json().root(), model, std::move(turned), losses);
  Parts parts = parts_of(conversion);
  if (conversion.broken) return Unexpected(*conversion.broken);
  const auto moved = gltf::update(document, model, conversion.after, losses);
  if (!moved) return Unexpected(moved.error());
  gltf::Editor editor(*moved, losses);
  write_parts(conversion, std::move(parts), editor);
  if (conversion.broken) return Unexpected(*conversion.broken);
  auto written = editor.finish();
  if (!written) return Unexpected(written.error());
  return without_orphans(document.get(), *std::move(written), {});
}

}  // namespace

}  // namespace vrm

Result<Vrm1File> to_vrm1(const std::shared_ptr<const document::Document>& document, const ConvertOptions& options, FindingSink& sink,
                         FindingSink& losses) {
  const auto model = io::read(document, options.load, sink);
  if (!model) return Unexpected(model.error());
  if (model->avatar.format == Avatar::Format::vrm1) {
    EditReporter(losses).changed("/extensions", "the file has VRM 1.0 already, and is copied");
    return Vrm1File{document, {}};
  }
  if (model->avatar.format != Avatar::Format::vrm0)
    return vrm::refusal(*document, Failure::unsupported, "", "found no VRM 0.x in the file, which --vrm 1.0 converts");
  if (!options.accept_vrm_license)
    return vrm::refusal(
        *document, Failure::usage, "",
        format_text("every VRM 1.0 file names the VRM 1.0 licence, and only the owner of the avatar can agree to it: read {}, and "
                    "add --accept-vrm-license if you do; nothing was written",
                    vrm::license_url));
  if (auto done = check_deformable(*model, options.threads); !done) return Unexpected(std::move(done.error()));
  for (std::size_t node = 0; node < model->nodes.size(); ++node)
    if (!model->nodes[node].copies.empty())
      return vrm::refusal(*document, Failure::unsupported, format_text("/nodes/{}", node),
                          "the node has copies, which cannot be turned to the side that VRM 1.0 faces; nothing was written");
  Model turned = vrm::half_turned(*model);
  auto made = vrm::converted(document, *model, turned, losses);
  if (!made) return Unexpected(std::move(made.error()));
  return Vrm1File{*std::move(made), std::move(turned)};
}

}  // namespace sinew::operations

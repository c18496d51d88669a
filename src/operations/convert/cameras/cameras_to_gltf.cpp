// SPDX-License-Identifier: MIT
#include "operations/convert/cameras/cameras_to_gltf.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "document/schema/object.hpp"
#include "g4mf/read/read.hpp"
#include "g4mf/schema/extras.hpp"
#include "gltf/write/editor.hpp"
#include "model/edit_reporter.hpp"
#include "operations/skeletons/occupied_nodes.hpp"

namespace sinew::operations {

namespace {

using document::JsonEdit;
using document::JsonValue;

// Defaults for numbers that glTF requires and G4MF does not.
constexpr double nearest = 0.01, furthest = 1000;

/// Returns the number of a member, or `otherwise` if it is missing or unusable.
double number_or(JsonValue value, double otherwise) {
  const auto number = value.number();
  return number && std::isfinite(*number) ? *number : otherwise;
}

class CameraWriter {
 public:
  CameraWriter(const std::shared_ptr<const document::Document>& gltf, FindingSink& losses) : editor_(gltf, losses) {}

  Result<std::shared_ptr<const document::Document>> run(JsonValue root, std::span<const Index> node_of) {
    Index index = 0;
    for (const JsonValue node : root["nodes"].elements()) {
      const Index became = index < node_of.size() ? node_of[index] : none;
      ++index;
      if (!node["camera"] && !node["light"]) continue;
      if (became == none) {
        editor_.reporter().lost(node.pointer(), "the camera or light of the root is lost");
        continue;
      }
      JsonEdit& to = editor_.element("nodes", became);
      if (const JsonValue camera = node["camera"]; camera.is(document::JsonKind::object))
        to.set("camera", JsonEdit::integer(number_of(gltf_camera(camera), document::list_in(editor_.root(), "cameras"), cameras_)));
      const bool listed = node["light"].is(document::JsonKind::number);  // revision 2025-08
      const JsonValue light = listed ? document::element(root["lights"], node["light"]) : node["light"];
      if (light.is(document::JsonKind::object)) write_light(light, to);
    }
    return editor_.finish();
  }

 private:
  /// Returns the index of a value in a list without duplicates; appends it if necessary.
  static std::uint64_t number_of(const JsonEdit& value, JsonEdit& list, std::map<std::string, std::uint64_t>& known) {
    const auto [found, added] = known.try_emplace(value.text(), list.size());
    if (added) list.push_back(value);
    return found->second;
  }

  JsonEdit gltf_camera(JsonValue from) {
    const JsonValue kept = from["extras"][g4mf::gltf_extra];
    JsonEdit to = JsonEdit::object(), lens = JsonEdit::object();
    document::set_name(to, (kept["name"] ? kept : from)["name"].string());
    const bool flat = from["type"].equals("orthographic");
    to.set("type", JsonEdit::string(flat ? "orthographic" : "perspective"));
    const bool of_width = from["keepAspect"].integer() == 0;
    const double near = number_or(from["clipNear"], flat ? 0 : nearest);
    if (flat) {
      const double half = number_or(from["size"], 1) / 2;
      lens.set("xmag", kept["xmag"] ? JsonEdit(kept["xmag"]) : JsonEdit::number(half));
      lens.set("ymag", JsonEdit::number(half));
    } else {
      lens.set("yfov", from["fov"] ? JsonEdit(from["fov"]) : JsonEdit::number(std::numbers::pi / 2));
      if (kept["aspectRatio"]) lens.set("aspectRatio", JsonEdit(kept["aspectRatio"]));
    }
    if (of_width || from["keepAspect"].integer().value_or(1) > 1)
      editor_.reporter().lost(from.pointer(), "which side the size of the camera is of is lost: in glTF it is the height");
    lens.set("znear", from["clipNear"] ? JsonEdit(from["clipNear"]) : JsonEdit::number(near));
    if (from["clipFar"])
      lens.set("zfar", JsonEdit(from["clipFar"]));
    else if (flat)
      lens.set("zfar", JsonEdit::number(std::max(furthest, 2 * near)));
    to.set(flat ? "orthographic" : "perspective", std::move(lens));
    return to;
  }

  void write_light(JsonValue from, JsonEdit& node) {
    const JsonValue type = from["type"];
    if (!type.equals("directional") && !type.equals("point") && !type.equals("spot"))
      return editor_.reporter().lost(from.pointer(), "the light is lost: glTF has only directional lights, points and spots");
    const JsonValue kept = from["extras"][g4mf::gltf_extra];
    JsonEdit to = JsonEdit::object();
    document::set_name(to, (kept["name"] ? kept : from)["name"].string());
    to.set("type", JsonEdit(type));
    if (from["color"]) to.set("color", JsonEdit(from["color"]));
    to.set("intensity", from["intensity"] ? JsonEdit(from["intensity"]) : JsonEdit::number(1000));
    if (from["range"] && !type.equals("directional")) to.set("range", JsonEdit(from["range"]));
    if (type.equals("spot")) to.set("spot", cone(from));
    JsonEdit& extension = gltf::extension_in(editor_.root(), lights_extension);
    JsonEdit& own = gltf::extension_in(node, lights_extension);
    own.set("light", JsonEdit::integer(number_of(to, document::list_in(extension, "lights"), lights_)));
    editor_.use_extension(lights_extension);
  }

  JsonEdit cone(JsonValue from) {
    constexpr double widest = std::numbers::pi / 2;
    const double inner = number_or(from["coneInnerAngle"], 0), outer = number_or(from["coneOuterAngle"], std::numbers::pi / 4);
    JsonEdit spot = JsonEdit::object();
    if (outer > widest) {
      editor_.reporter().lost(from.pointer(), "the part of the light's cone beyond a right angle is lost: glTF has none");
      spot.set("outerConeAngle", JsonEdit::number(widest));
    } else if (from["coneOuterAngle"]) {
      spot.set("outerConeAngle", JsonEdit(from["coneOuterAngle"]));
    }
    if (inner < std::min(outer, widest)) {
      if (from["coneInnerAngle"]) spot.set("innerConeAngle", JsonEdit(from["coneInnerAngle"]));
    } else {  // glTF requires a width of the edge
      spot.set("innerConeAngle", JsonEdit::number(0.999 * std::min(outer, widest)));
    }
    return spot;
  }

  gltf::Editor editor_;
  std::map<std::string, std::uint64_t> cameras_, lights_;  ///< by text
};

}  // namespace

Result<std::shared_ptr<const document::Document>> with_g4mf_cameras(const std::shared_ptr<const document::Document>& gltf,
                                                                    const document::Document& g4mf, std::span<const Index> node_of,
                                                                    FindingSink& losses) {
  return CameraWriter(gltf, losses).run(g4mf.json().root(), node_of);
}

}  // namespace sinew::operations

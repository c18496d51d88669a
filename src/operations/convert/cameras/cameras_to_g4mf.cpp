// SPDX-License-Identifier: MIT
#include "operations/convert/cameras/cameras_to_g4mf.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "document/json/edit_members.hpp"
#include "document/json/json.hpp"
#include "document/json/json_edit.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/object.hpp"
#include "g4mf/read/read.hpp"
#include "g4mf/schema/extras.hpp"
#include "model/edit_reporter.hpp"
#include "operations/skeletons/occupied_nodes.hpp"

namespace sinew::operations {

namespace {

using document::JsonEdit;
using document::JsonValue;

JsonValue lights_of(JsonValue root) { return root["extensions"][lights_extension]["lights"]; }
JsonValue light_of(JsonValue node) { return node["extensions"][lights_extension]["light"]; }

void copy(JsonValue from, std::string_view name, JsonEdit& to, std::string_view as) {
  if (from[name]) to.set(as, JsonEdit(from[name]));
}

void keep(JsonEdit kept, JsonEdit& to) {
  if (kept.size() != 0) document::object_in(to, "extras").set(g4mf::gltf_extra, std::move(kept));
}

/// glTF's field of view is vertical, as G4MF's without `keepAspect`. glTF stores half the size of an orthographic camera.
std::optional<JsonEdit> g4mf_camera(JsonValue from) {
  JsonEdit to = JsonEdit::object(), kept = JsonEdit::object();
  copy(from, "name", kept, "name");
  const bool flat = from["type"].equals("orthographic");
  const JsonValue lens = from[flat ? "orthographic" : "perspective"];
  to.set("type", JsonEdit::string(flat ? "orthographic" : "perspective"));
  const auto height = lens[flat ? "ymag" : "yfov"].number();
  if (!height || !(*height > 0)) return std::nullopt;
  to.set(flat ? "size" : "fov", flat ? JsonEdit::number(2 * *height) : JsonEdit(lens["yfov"]));
  copy(lens, "znear", to, "clipNear");
  copy(lens, "zfar", to, "clipFar");
  copy(lens, flat ? "xmag" : "aspectRatio", kept, flat ? "xmag" : "aspectRatio");
  keep(std::move(kept), to);
  return to;
}

/// Both formats use candela and lux, but their defaults differ.
JsonEdit g4mf_light(JsonValue from) {
  JsonEdit to = JsonEdit::object(), kept = JsonEdit::object();
  copy(from, "name", kept, "name");
  copy(from, "type", to, "type");
  copy(from, "color", to, "color");
  to.set("intensity", from["intensity"] ? JsonEdit(from["intensity"]) : JsonEdit::number(1));
  copy(from, "range", to, "range");
  copy(from["spot"], "innerConeAngle", to, "coneInnerAngle");
  copy(from["spot"], "outerConeAngle", to, "coneOuterAngle");
  keep(std::move(kept), to);
  return to;
}

/// Adds a camera or a light to a node. A G4MF node has only one component, so the value goes to a child of a node that has one.
void place(JsonEdit& nodes, Index index, std::string_view key, JsonEdit value) {
  constexpr std::string_view things[] = {"bone", "camera", "light", "meshInstance", "skeleton"};
  JsonEdit& node = nodes.at(index);
  if (std::ranges::none_of(things, [&](std::string_view thing) { return node.find(thing) != nullptr; })) {
    node.set(key, std::move(value));
    return;
  }
  document::list_in(node, "children").push_back(JsonEdit::integer(nodes.size()));
  JsonEdit child = JsonEdit::object(), added = JsonEdit::object();
  child.set(key, std::move(value));
  added.set("added", JsonEdit::boolean(true));
  keep(std::move(added), child);
  nodes.push_back(std::move(child));
}

}  // namespace

Result<std::shared_ptr<const document::Document>> with_gltf_cameras(const std::shared_ptr<const document::Document>& g4mf,
                                                                    const document::Document& gltf, std::span<const Index> node_of,
                                                                    FindingSink& losses) {
  const JsonValue from = gltf.json().root();
  const JsonValue cameras = from["cameras"], lights = lights_of(from);
  if (cameras.size() == 0 && lights.size() == 0) return g4mf;
  const EditReporter reporter(losses);
  JsonEdit root(g4mf->json().root());
  JsonEdit* const nodes = root.find("nodes");
  std::vector<bool> placed_cameras(cameras.size()), placed_lights(lights.size());
  std::size_t i = 0;
  for (const JsonValue node : from["nodes"].elements()) {
    const Index made = i < node_of.size() ? node_of[i] : none;
    ++i;
    if (made == none || nodes == nullptr) continue;
    const auto camera = document::whole_number(node["camera"]), light = document::whole_number(light_of(node));
    if (camera && *camera < cameras.size())
      if (auto written = g4mf_camera(cameras.at(static_cast<std::uint32_t>(*camera)))) {
        place(*nodes, made, "camera", std::move(*written));
        placed_cameras[*camera] = true;
      }
    if (light && *light < lights.size()) {
      place(*nodes, made, "light", g4mf_light(lights.at(static_cast<std::uint32_t>(*light))));
      placed_lights[*light] = true;
    }
  }
  for (std::uint32_t c = 0; c < cameras.size(); ++c)
    if (!placed_cameras[c]) reporter.lost(cameras.at(c).pointer(), "the camera is lost: no node of the scene has it, or it has no size");
  for (std::uint32_t l = 0; l < lights.size(); ++l)
    if (!placed_lights[l]) reporter.lost(lights.at(l).pointer(), "the light is lost: no node of the scene has it");
  return document::with_text(*g4mf, root.text(), {});
}

}  // namespace sinew::operations

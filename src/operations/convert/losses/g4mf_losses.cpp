// SPDX-License-Identifier: MIT
#include "operations/convert/losses/g4mf_losses.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/message.hpp"
#include "document/json/json.hpp"
#include "document/schema/reader.hpp"
#include "g4mf/read/read.hpp"
#include "g4mf/schema/extras.hpp"
#include "model/edit_reporter.hpp"

namespace sinew::operations {

namespace {

using document::JsonKind;
using document::JsonMember;
using document::JsonValue;

/// Members that models contain, or that only describe bytes. `extensions`, `extras` and `comment` are reported everywhere.
constexpr auto known_at_root = std::to_array<std::string_view>({"asset", "accessors", "bufferViews", "buffers", "files", "materials",
                                                                "textures", "meshes", "nodes", "extensionsUsed", "extensionsRequired"});
constexpr auto known_of_node =
    std::to_array<std::string_view>({"name", "children", "position", "rotor", "scale", "basis", "visible", "bone", "boneLength", "skeleton",
                                     "meshInstance", "mesh", "blendAmounts", "camera", "light"});
constexpr auto channels = std::to_array<std::string_view>({"baseColor", "emissive", "normal", "orm"});
constexpr auto everywhere = std::to_array<std::string_view>({"extensions", "extras", "comment"});

bool contains(std::span<const std::string_view> list, std::string_view word) { return std::ranges::find(list, word) != list.end(); }

class Reporter {
 public:
  explicit Reporter(FindingSink& losses) : losses_(losses) {}

  void root(JsonValue root) {
    for (const JsonMember member : root.members()) {
      const std::string key = member.key.string();
      if (contains(known_at_root, key) || contains(everywhere, key) || (key == "lights" && lists_lights(root))) continue;
      const std::size_t count = member.value.is(JsonKind::array) ? member.value.size() : 1;
      lost(member.value, count == 1 ? format_text("\"{}\" is lost", key) : format_text("{1} items of \"{0}\" are lost", key, count));
    }
    for (const JsonValue node : root["nodes"].elements()) unknown_members(node, known_of_node);
    for (const JsonValue material : root["materials"].elements()) this->material(material);
    for (const std::string_view list : {"materials", "textures", "meshes", "nodes"}) carried(root[list]);
    own(root["asset"]);
    own(root);
  }

 private:
  void lost(JsonValue at, const std::string& what) { losses_.lost(at.pointer(), what); }

  /// Returns whether nodes refer to lights by index, as in revision 2025-08.
  static bool lists_lights(JsonValue root) {
    return std::ranges::any_of(document::list_of(root["nodes"]), [](JsonValue node) { return node["light"].is(JsonKind::number); });
  }

  void unknown_members(JsonValue object, std::span<const std::string_view> known) {
    for (const JsonMember member : object.members()) {
      const std::string key = member.key.string();
      if (!contains(known, key) && !contains(everywhere, key)) lost(member.value, format_text("\"{}\" is lost", key));
    }
  }

  void material(JsonValue material) {
    for (const std::string_view name : channels)
      for (const JsonMember member : material[name].members())
        if (!member.key.equals("factor") && !member.key.equals("texture") &&
            !(name == "baseColor" && contains(g4mf::surface_values, member.key.string())))
          lost(member.value, format_text("\"{}\" of the material is lost", member.key.string()));
    if (material["normal"]["factor"] && !material["normal"]["texture"])
      lost(material["normal"]["factor"], "a normal factor without a texture is lost");
  }

  void own(JsonValue object) {
    for (const std::string_view key : everywhere) {
      const JsonValue value = object[key];
      if (!value || g4mf::is_own(value)) continue;
      if (key != "extensions") {
        lost(value, format_text("\"{}\" is lost", key));
        continue;
      }
      for (const JsonMember extension : value.members())
        if (!extension.key.equals("SINEW_animation"))
          lost(extension.value, format_text("the extension {} is lost", extension.key.string()));
    }
  }

  /// Reports the content of a value at any depth.
  void carried(JsonValue value) {
    if (value.is(JsonKind::object)) own(value);
    if (value.is(JsonKind::object))
      for (const JsonMember member : value.members())
        if (!contains(everywhere, member.key.string())) carried(member.value);
    if (value.is(JsonKind::array))
      for (const JsonValue element : value.elements()) carried(element);
  }

  EditReporter losses_;
};

}  // namespace

void report_not_in_model(const document::Document& document, FindingSink& losses) { Reporter(losses).root(document.json().root()); }

}  // namespace sinew::operations

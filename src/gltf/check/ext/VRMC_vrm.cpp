// SPDX-License-Identifier: MIT
#include "gltf/check/ext/VRM.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "base/message.hpp"
#include "document/container/image.hpp"
#include "gltf/extensions/VRM.hpp"

namespace sinew::gltf::vrm {

namespace {

/// What expressions of a kind do to others.
struct Override {
  std::string_view property;
  std::array<std::string_view, 5> presets;
};
constexpr Override overrides[] = {{"overrideBlink", {"blink", "blinkLeft", "blinkRight"}},
                                  {"overrideLookAt", {"lookUp", "lookDown", "lookLeft", "lookRight"}},
                                  {"overrideMouth", {"aa", "ih", "ou", "ee", "oh"}}};

/// Checks the object of VRM 1.0.
class AvatarCheck {
 public:
  AvatarCheck(Checker& checker, JsonValue avatar, const Humanoid& humanoid)
      : checker_(checker),
        avatar_(avatar),
        humanoid_(humanoid),
        bound_(checker),
        nodes_(document::list_of(checker.root()["nodes"])),
        materials_(document::list_of(checker.root()["materials"])) {}

  void run() {
    check_meta(avatar_["meta"]);
    check_humanoid(checker_, humanoid_, avatar_["humanoid"] ? avatar_["humanoid"] : avatar_);
    check_bone_transforms(checker_, humanoid_);
    check_first_person(avatar_["firstPerson"]["meshAnnotations"]);
    const JsonValue expressions = avatar_["expressions"];
    for (const JsonMember member : expressions["preset"].members()) {
      const std::string name = member.key.string();
      if (!is_preset(name)) checker_.report("VRM_EXPRESSION_PRESET_UNKNOWN"_code, member.value, '"' + name + '"');
      check_expression(member.value);
      check_overrides(name, member.value);
    }
    for (const JsonMember member : expressions["custom"].members()) {
      const std::string name = member.key.string();
      if (is_preset(name)) checker_.report("VRM_EXPRESSION_CUSTOM_IS_PRESET"_code, member.value, '"' + name + '"');
      check_expression(member.value);
    }
    check_look(avatar_["lookAt"], expressions["preset"]);
    check_target_names(checker_);
    check_tangents();
  }

 private:
  void check_meta(JsonValue meta) {
    if (!meta.is(JsonKind::object)) return;
    if (meta["name"].equals("")) checker_.report("VRM_META_EMPTY"_code, meta["name"], "name");
    for (const JsonValue author : meta["authors"].elements())
      if (author.equals("")) checker_.report("VRM_META_EMPTY"_code, author, "authors");
    const JsonValue references = meta["references"];
    if (references.is(JsonKind::array) && references.size() == 0) warn(checker_, "VRM_ARRAY_EMPTY"_code, references);
    const JsonValue licence = meta["licenseUrl"];
    constexpr std::string_view licences[] = {"https://vrm.dev/licenses/1.0/", "https://vrm.dev/licenses/1.0/en/",
                                             "https://vrm.dev/en/licenses/1.0/"};
    if (licence.is(JsonKind::string) && std::ranges::find(licences, licence.string()) == std::end(licences))
      checker_.report("VRM_META_LICENSE_URL"_code, licence, excerpt(licence));
    const JsonValue modification = meta["modification"];
    if (!modification || modification.equals("prohibited"))
      checker_.report("VRM_META_MODIFICATION"_code, modification ? modification : meta,
                      modification ? "`modification` is prohibited" : "`modification` is missing, so it is prohibited");
    const Index image = checker_.root().plain_index(meta["thumbnailImage"], Reference::image);
    if (image != none) check_thumbnail(document::element(checker_.root()["images"], meta["thumbnailImage"]));
  }

  void check_thumbnail(JsonValue image) {
    const auto bytes = image_bytes(image);
    const std::string found(bytes ? document::image_mime_type(bytes->view) : std::string_view());
    const std::string type = image["mimeType"].is(JsonKind::string) ? image["mimeType"].string() : found;
    if (type != "image/png" && type != "image/jpeg" && (bytes || !type.empty()))
      checker_.report("VRM_THUMBNAIL_FORMAT"_code, image, type.empty() ? "an unknown format" : type);
    const auto info = bytes ? document::image_info(bytes->view) : tl::unexpected(document::ImageFault{});
    if (!info) return;
    if (info->image.width != info->image.height)
      checker_.report("VRM_THUMBNAIL_SQUARE"_code, image, info->image.width, info->image.height);
    else if (info->image.width != 1024)
      checker_.report("VRM_THUMBNAIL_SIZE"_code, image, info->image.width, info->image.height);
  }

  // The checks of images report data that cannot be read.
  [[nodiscard]] std::optional<Bytes> image_bytes(JsonValue image) {
    if (const JsonValue uri = image["uri"]; uri.is(JsonKind::string)) {
      auto bytes = checker_.document().fetch(uri.string());
      return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
    }
    const Index view = checker_.root().plain_index(image["bufferView"], Reference::buffer_view);
    if (view == none) return std::nullopt;
    const auto& stored = checker_.parsed().buffers->view(view);
    return stored ? std::optional(stored->bytes) : std::nullopt;
  }

  void check_first_person(JsonValue annotations) {
    std::map<Index, std::size_t> seen;
    std::size_t number = 0;
    for (const JsonValue annotation : annotations.elements()) {
      const JsonValue at = annotation["node"];
      if (const Index node = checker_.root().plain_index(at, Reference::node); node != none) {
        if (!nodes_[node]["mesh"]) checker_.report("VRM_FIRSTPERSON_NODE_NO_MESH"_code, at, node);
        if (const auto [first, is_new] = seen.emplace(node, number); !is_new)
          checker_.report("VRM_FIRSTPERSON_DUPLICATE"_code, annotation, first->second, "node", node);
      }
      ++number;
    }
  }

  void check_expression(JsonValue expression) {
    std::map<std::pair<Index, std::uint64_t>, std::size_t> seen;
    std::size_t number = 0;
    for (const JsonValue bind : expression["morphTargetBinds"].elements()) {
      const JsonValue at = bind["node"];
      const Index node = checker_.root().plain_index(at, Reference::node);
      if (node != none && !nodes_[node]["mesh"]) checker_.report("VRM_EXPRESSION_NODE_NO_MESH"_code, at, node);
      const Index mesh = node == none ? none : checker_.root().plain_index(nodes_[node]["mesh"], Reference::mesh);
      const auto shape = whole_number(bind["index"]);
      if (mesh != none && bound_.check(mesh, bind["index"]) && shape) {
        const auto [first, is_new] = seen.emplace(std::pair(node, *shape), number);
        if (!is_new) checker_.report("VRM_EXPRESSION_BIND_DUPLICATE"_code, bind, first->second, *shape, "node", node);
      }
      ++number;
    }
    for (const JsonValue bind : expression["materialColorBinds"].elements()) check_colour(bind);
  }

  void check_colour(JsonValue bind) {
    const Index material = checker_.root().plain_index(bind["material"], Reference::material);
    if (material == none) return;
    const std::string type = bind["type"].string();
    if (!has_colour(materials_[material], type)) checker_.report("VRM_EXPRESSION_COLOR_UNUSED"_code, bind, material, type);
  }

  void check_overrides(std::string_view name, JsonValue expression) {
    for (const Override& kind : overrides) {
      const JsonValue value = expression[kind.property];
      if (value && !value.equals("none") && std::ranges::find(kind.presets, name) != kind.presets.end())
        checker_.report("VRM_EXPRESSION_OVERRIDES_OWN_KIND"_code, value, name, kind.property);
    }
  }

  void check_look(JsonValue look, JsonValue preset) {
    if (look["type"].equals("bone"))
      for (const std::string_view eye : {"leftEye", "rightEye"})
        if (!humanoid_.at[eye]) checker_.report("VRM_LOOKAT_EYES"_code, look["type"], eye);
    if (look["type"].equals("expression"))
      for (const std::string_view name : look_presets)
        if (!preset[name]) checker_.report("VRM_LOOKAT_EXPRESSIONS"_code, look["type"], name);
    for (const std::string_view key : {"rangeMapHorizontalInner", "rangeMapHorizontalOuter", "rangeMapVerticalDown", "rangeMapVerticalUp"})
      if (const JsonValue range = look[key]["inputMaxValue"]; range.number().value_or(1) <= 0.01)
        checker_.report("VRM_LOOKAT_RANGE"_code, range, excerpt(range));
  }

  void check_tangents() {
    for (const JsonValue mesh : checker_.root()["meshes"].elements())
      for (const JsonValue primitive : mesh["primitives"].elements()) {
        bool has = static_cast<bool>(primitive["attributes"]["TANGENT"]);
        for (const JsonValue target : primitive["targets"].elements()) has = has || target["TANGENT"];
        if (has) checker_.report("VRM_TANGENT"_code, primitive);
      }
  }

  Checker& checker_;
  JsonValue avatar_;
  const Humanoid& humanoid_;
  BoundMeshes bound_;
  std::vector<JsonValue> nodes_;
  std::vector<JsonValue> materials_;
};

}  // namespace

bool is_preset(std::string_view name) {
  return name == "surprised" || std::ranges::find(preset_names, name, &PresetName::name) != std::end(preset_names);
}

void check_avatar(Checker& checker, JsonValue avatar, const Humanoid& humanoid) { AvatarCheck(checker, avatar, humanoid).run(); }

}  // namespace sinew::gltf::vrm

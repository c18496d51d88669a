// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.hpp"
#include "document/json/json.hpp"
#include "document/json/json_edit.hpp"
#include "document/schema/edited.hpp"
#include "model/edit_reporter.hpp"
#include "operations/optimize/steps.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {

namespace {

using document::JsonEdit;
using document::JsonKind;
using document::JsonMember;
using document::JsonValue;

struct NamedList {
  std::string_view list, one, many;
};
// Animations keep theirs: programs play them by name.
constexpr NamedList named_lists[] = {
    {"accessors", "accessor", "accessors"}, {"buffers", "buffer", "buffers"}, {"bufferViews", "buffer view", "buffer views"},
    {"cameras", "camera", "cameras"},       {"images", "image", "images"},    {"materials", "material", "materials"},
    {"meshes", "mesh", "meshes"},           {"nodes", "node", "nodes"},       {"samplers", "sampler", "samplers"},
    {"scenes", "scene", "scenes"},          {"skins", "skin", "skins"},       {"textures", "texture", "textures"}};

/// Collects the texts in all extensions and extras, and the keys of their objects: any of them may be a name of something.
std::set<std::string> texts_elsewhere(JsonValue root) {
  struct Waiting {
    JsonValue value;
    bool inside;  ///< of an extension or of extras
  };
  std::set<std::string> texts;
  std::vector<Waiting> waiting{{root, false}};
  while (!waiting.empty()) {
    const auto [value, inside] = waiting.back();
    waiting.pop_back();
    if (inside && value.is(JsonKind::string)) texts.insert(value.string());
    for (const JsonValue element : value.elements()) waiting.push_back({element, inside});
    for (const JsonMember member : value.members()) {
      if (inside) texts.insert(member.key.string());
      waiting.push_back({member.value, inside || member.key.equals("extensions") || member.key.equals("extras")});
    }
  }
  return texts;
}

}  // namespace

Result<StepResult> drop_names(const StepInput& input, FindingSink& changes) {
  const JsonValue source = input.document->json().root();
  const std::set<std::string> elsewhere = texts_elsewhere(source);
  const EditReporter reporter(changes);
  JsonEdit root(source);
  std::size_t kept = 0;
  for (const auto& [list, one, many] : named_lists) {
    std::size_t index = 0, count = 0;
    for (const JsonValue element : source[list].elements()) {
      const std::size_t i = index++;
      const JsonValue name = element["name"];
      if (!name) continue;
      const std::string text = name.string();
      const bool stays = list == "nodes" && std::ranges::find(input.options.keep, text) != input.options.keep.end();
      if (stays || elsewhere.contains(text)) {
        ++kept;
        continue;
      }
      root.find(list)->at(i).erase("name");
      ++count;
    }
    if (count != 0) reporter.changed(format_text("/{}", list), format_text("removed the names of {}", count_of(count, one, many)));
  }
  const std::string note =
      kept == 0 ? ""
                : format_text("{} kept, because --keep or a text in an extension or in extras is equal", count_of(kept, "name", "names"));
  if (root.source()) return StepResult{input.document, note};
  auto document = document::with_binary(*input.document, root.text(), std::nullopt);
  if (!document) return Unexpected(std::move(document.error()));
  return StepResult{std::move(*document), note};
}

}  // namespace sinew::operations

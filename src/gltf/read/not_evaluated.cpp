// SPDX-License-Identifier: MIT
#include "gltf/read/not_evaluated.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "document/json/pointer.hpp"
#include "document/schema/content_hash.hpp"
#include "gltf/extensions/KHR_animation_pointer.hpp"

namespace sinew::gltf {

namespace {

using document::ContentHash;
using document::JsonKind;
using document::JsonMember;
using Effect = NotEvaluated::Effect;

constexpr std::string_view pointer_extension = "KHR_animation_pointer";

/// What an animated property may do to vertices beyond what reading applies.
ExtensionEffect effect_of_target(const PointerTarget& target, std::string_view pointer) {
  if (target.fate != PointerTarget::Fate::carried) return ExtensionEffect::none;
  constexpr std::string_view inner = "/extensions/";
  const std::size_t at = pointer.find(inner);
  if (at == std::string_view::npos || pointer.find("/extras/") < at) return ExtensionEffect::none;
  const std::string_view name = pointer.substr(at + inner.size());
  const ExtensionEffect effect = effect_of_extension(name.substr(0, name.find('/')));
  if (effect != ExtensionEffect::unknown) return effect;
  for (const std::string_view harmless : {"/materials/", "/textures/", "/images/", "/samplers/", "/cameras/"})
    if (pointer.starts_with(harmless)) return ExtensionEffect::none;
  return ExtensionEffect::moves;
}

class Lister {
 public:
  Lister(Reader& reader, Accessors& accessors) : reader_(reader), accessors_(accessors) {}

  void run() {
    const JsonValue root = reader_.root().value();
    for (const JsonMember extension : root["extensions"].members())
      if (const std::string name = extension.key.string(); effect_of_extension(name) != ExtensionEffect::unknown)
        add(name, effect_of_extension(name), extension.value, hash_of(extension.value, name));
    for (const std::string_view list : {"nodes", "meshes", "skins", "accessors", "bufferViews"}) {
      Index index = 0;
      for (const JsonValue element : root[list].elements()) {
        document::for_each_extension(element, [&](std::string_view place, JsonMember extension) {
          ContentHash owner = owner_hash(list, index, element);
          owner.add(place);
          add_object(extension, owner);
        });
        ++index;
      }
    }
    Index index = 0;
    for (const JsonValue animation : root["animations"].elements())
      visit_animation(animation, owner_hash("animations", index++, animation));
    for (const JsonValue used : root["extensionsUsed"].elements())  // extensions that have no objects
      if (const std::string name = used.string(); !seen_.contains(name) && effect_of_extension(name) != ExtensionEffect::unknown)
        add(name, effect_of_extension(name), used, hash_of(used, name));
  }

 private:
  void add(const std::string& name, ExtensionEffect effect, JsonValue at, std::uint64_t content) {
    seen_.insert(name);
    if (effect == ExtensionEffect::none) return;
    const Effect what = effect == ExtensionEffect::pose      ? Effect::pose
                        : effect == ExtensionEffect::sampled ? Effect::sampled
                                                             : Effect::moves;
    reader_.model().not_evaluated.push_back({name, what, source_of(at), content});
  }

  void add_object(JsonMember extension, ContentHash owner) {
    const std::string name = extension.key.string();
    owner.add(std::string_view(name));
    owner.add(extension.value, special_);
    add(name, effect_of_extension(name), extension.value, owner.value());
  }

  // Channels have no names, and their order has no meaning: a channel is what it moves and how.
  void visit_animation(JsonValue animation, const ContentHash& owner) {
    const std::vector<JsonValue> samplers = list_of(animation["samplers"]);
    for (const JsonValue channel : animation["channels"].elements())
      document::for_each_extension(channel, [&](std::string_view, JsonMember extension) {
        ContentHash content = owner;
        content.add(channel, special_);
        if (const auto sampler = document::whole_number(channel["sampler"]); sampler && *sampler < samplers.size())
          content.add(samplers[*sampler], special_);
        const std::string name = extension.key.string();
        const JsonValue pointer = extension.value["pointer"];
        if (name == pointer_extension && pointer.is(JsonKind::string)) {
          const std::string text = pointer.string();
          const PointerTarget target = pointer_target(reader_.root().value(), reader_.model(), text);
          add(name, effect_of_target(target, text), extension.value, content.value());
        } else {
          add(name, effect_of_extension(name), extension.value, content.value());
        }
      });
    document::for_each_extension(animation, [&](std::string_view place, JsonMember extension) {
      if (!place.starts_with("channels/")) add_object(extension, owner);
    });
  }

  [[nodiscard]] std::uint64_t hash_of(JsonValue value, std::string_view name) const {
    ContentHash hash;
    hash.add(name);
    hash.add(value, {});
    return hash.value();
  }

  /// Hashes indices as what they refer to. Properties of extensions without a table are taken as they are.
  bool hash_reference(JsonValue value, std::string_view key, ContentHash& hash) {
    if (key == "sampler") return true;  // of a channel: visit_animation
    if (key == "pointer" && value.is(JsonKind::string)) return hash_pointer(value.string(), hash);
    const auto index = document::whole_number(value);
    if (!index) return false;
    if (key == "node") return hash_node(*index, hash);
    if (key != "input" && key != "output" && key != "TRANSLATION" && key != "ROTATION" && key != "SCALE" && !key.starts_with('_'))
      return false;
    return hash_accessor(*index, hash);
  }

  bool hash_accessor(std::uint64_t index, ContentHash& hash) {
    if (index >= reader_.count(Reference::accessor)) return false;
    auto& known = accessor_hashes_[static_cast<Index>(index)];
    if (!known) {
      ContentHash own;
      if (const auto& array = accessors_.array(static_cast<Index>(index))) {
        own.add(std::uint64_t{array->width()});
        for (const double number : array->read<double>()) own.add(number);
      } else {
        own.add(index);
      }
      known = own.value();
    }
    hash.add(*known);
    return true;
  }

  bool hash_node(std::uint64_t index, ContentHash& hash) {
    if (index >= reader_.model().nodes.size()) return false;
    hash.add(node_hash(static_cast<Index>(index)));
    return true;
  }

  bool hash_pointer(std::string_view pointer, ContentHash& hash) {
    const std::vector<document::PointerStep> steps = document::steps_of(pointer);
    const auto node = steps.size() > 1 && steps[0].text == "nodes" ? steps[1].index() : std::nullopt;
    if (!node || !hash_node(*node, hash)) return false;
    hash.add(pointer.substr(steps[1].end));
    return true;
  }

  /// A node is known by its name and those above it; among siblings of one name by its place. Other objects by name, or by index.
  ContentHash owner_hash(std::string_view list, Index index, JsonValue element) {
    ContentHash hash;
    hash.add(list);
    if (list == "nodes")
      hash.add(node_hash(index));
    else if (const JsonValue name = element["name"]; name.is(JsonKind::string))
      hash.add(std::string_view(name.string()));
    else if (list != "accessors" && list != "bufferViews")  // whose place in a file has no meaning
      hash.add(std::uint64_t{index});
    return hash;
  }

  std::uint64_t node_hash(Index node) {
    const std::vector<Node>& nodes = reader_.model().nodes;
    if (node_hashes_.empty()) {
      node_hashes_.resize(nodes.size());
      ranks_.resize(nodes.size());
      std::map<std::pair<Index, std::string_view>, std::uint64_t> seen;
      for (Index i = 0; i < nodes.size(); ++i) ranks_[i] = seen[{nodes[i].parent, nodes[i].name}]++;
    }
    std::vector<Index> way;
    for (Index i = node; i != none && !node_hashes_[i]; i = nodes[i].parent) way.push_back(i);
    for (; !way.empty(); way.pop_back()) {
      const Index i = way.back();
      ContentHash hash;
      if (nodes[i].parent != none) hash.add(*node_hashes_[nodes[i].parent]);
      hash.add(std::string_view(nodes[i].name));
      hash.add(ranks_[i]);
      node_hashes_[i] = hash.value();
    }
    return *node_hashes_[node];
  }

  Reader& reader_;
  Accessors& accessors_;
  std::set<std::string, std::less<>> seen_;
  std::map<Index, std::optional<std::uint64_t>> accessor_hashes_;
  std::vector<std::optional<std::uint64_t>> node_hashes_;
  std::vector<std::uint64_t> ranks_;
  ContentHash::Special special_ = [this](JsonValue value, std::string_view key, ContentHash& hash) {
    return hash_reference(value, key, hash);
  };
};

}  // namespace

void list_not_evaluated(Reader& reader, Accessors& accessors) {
  // Most files have no extensions. A file that uses one has this word; walking all of its objects would cost a tenth of reading it.
  if (reader.document().json().text().find("\"extensions") == std::string_view::npos) return;
  Lister(reader, accessors).run();
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#include <map>

#include "g4mf/revise/revise_steps.hpp"

namespace sinew::g4mf {

namespace {

/// The list of files of 2026-07, without duplicates.
class FileList {
 public:
  explicit FileList(Reviser& reviser) : reviser_(reviser) {
    for (const JsonValue file : reviser.old_list("files")) places_.emplace(file.text(), count_++);
  }

  std::size_t place(JsonValue reference) {
    const auto [place, added] = places_.emplace(reference.text(), count_);
    if (added) {
      reviser_.list("files").push_back(JsonEdit(reference));
      ++count_;
    }
    return place->second;
  }

 private:
  Reviser& reviser_;
  std::map<std::string_view, std::size_t> places_;
  std::size_t count_ = 0;
};

}  // namespace

void files_to_2026_07(Reviser& reviser) {
  FileList files(reviser);
  std::vector<std::size_t> places;
  for (const JsonValue model : reviser.old_list("models")) places.push_back(files.place(model));
  reviser.root().erase("models");
  const std::vector<JsonValue> textures = reviser.old_list("textures"), nodes = reviser.old_list("nodes");
  for (std::size_t i = 0; i < textures.size(); ++i) {
    if (!textures[i]["images"]) continue;
    JsonEdit list = JsonEdit::array();
    for (const JsonValue image : textures[i]["images"].elements()) list.push_back(JsonEdit::integer(files.place(image)));
    JsonEdit& texture = reviser.element("textures", i);
    texture.rename("images", "files");
    texture.set("files", std::move(list));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const JsonValue model = nodes[i]["modelInstance"]["model"];
    if (!model) continue;
    JsonEdit& instance = *reviser.element("nodes", i).find("modelInstance");
    instance.rename("model", "file");
    if (index_of(model) < places.size()) instance.set("file", JsonEdit::integer(places[index_of(model)]));
  }
}

Checked<> files_to_2026_01(Reviser& reviser) {
  const std::vector<JsonValue> textures = reviser.old_list("textures"), nodes = reviser.old_list("nodes");
  ItemCopies files(reviser, "files");
  const auto copy_of = [&](Index file) {
    return files.copy(file, reviser.old_list("files")[file]["name"], "the name of a file reference at its second use");
  };
  std::map<Index, std::size_t> models;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const JsonValue file = nodes[i]["modelInstance"]["file"];
    if (!file) continue;
    JsonEdit& instance = *reviser.element("nodes", i).find("modelInstance");
    instance.rename("file", "model");
    if (index_of(file) >= files.size()) continue;
    const auto [place, added] = models.emplace(index_of(file), models.size());
    if (added) {
      auto copy = copy_of(index_of(file));
      if (!copy) return Refused(copy.error());
      reviser.list("models").push_back(std::move(*copy));
    }
    instance.set("model", JsonEdit::integer(place->second));
  }
  for (std::size_t i = 0; i < textures.size(); ++i) {
    if (!textures[i]["files"]) continue;
    JsonEdit images = JsonEdit::array();
    for (const JsonValue file : textures[i]["files"].elements()) {
      if (index_of(file) >= files.size()) continue;
      auto copy = copy_of(index_of(file));
      if (!copy) return Refused(copy.error());
      images.push_back(std::move(*copy));
    }
    JsonEdit& texture = reviser.element("textures", i);
    texture.rename("files", "images");
    texture.set("images", std::move(images));
  }
  files.drop_list("a file reference that no texture and no model instance uses");
  if (const JsonValue thumbnail = reviser.old_root()["asset"]["thumbnail"]) {
    reviser.lost(thumbnail, "\"thumbnail\"");
    reviser.root().find("asset")->erase("thumbnail");
  }
  return {};
}

}  // namespace sinew::g4mf

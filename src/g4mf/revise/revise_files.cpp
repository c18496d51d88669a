// SPDX-License-Identifier: MIT
#include <map>
#include <set>

#include "g4mf/revise/revise_steps.hpp"

namespace sinew::g4mf {

namespace {

/// Files of 2026-07; equal ones stand there once.
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

/// Copies of files of 2026-07; the name of an item is its own, so only the first copy has it.
class FileCopies {
 public:
  explicit FileCopies(Reviser& reviser) : reviser_(reviser), files_(reviser.old_list("files")) {}

  Checked<JsonEdit> copy(Index file) {
    if (auto taken = reviser_.take_copy(files_[file]); !taken) return Refused(taken.error());
    JsonEdit copied(files_[file]);
    if (!used_.insert(file).second && copied.is(JsonKind::object) && copied.find("name") != nullptr) {
      copied.erase("name");
      reviser_.lost(files_[file]["name"], "the name of a file reference at its second use");
    }
    return copied;
  }
  [[nodiscard]] bool has(Index file) const { return file < files_.size(); }

  void drop_list() {
    for (Index file = 0; file < files_.size(); ++file)
      if (!used_.contains(file)) reviser_.lost(files_[file], "a file reference that no texture and no model instance uses");
    if (reviser_.root().find("files") != nullptr) reviser_.root().erase("files");
  }

 private:
  Reviser& reviser_;
  std::vector<JsonValue> files_;
  std::set<Index> used_;
};

}  // namespace

void files_to_2026_07(Reviser& reviser) {
  FileList files(reviser);
  std::vector<std::size_t> places;
  for (const JsonValue model : reviser.old_list("models")) places.push_back(files.place(model));
  if (reviser.root().find("models") != nullptr) reviser.root().erase("models");
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
  FileCopies files(reviser);
  std::map<Index, std::size_t> models;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const JsonValue file = nodes[i]["modelInstance"]["file"];
    if (!file) continue;
    JsonEdit& instance = *reviser.element("nodes", i).find("modelInstance");
    instance.rename("file", "model");
    if (!files.has(index_of(file))) continue;
    const auto [place, added] = models.emplace(index_of(file), models.size());
    if (added) {
      auto copy = files.copy(index_of(file));
      if (!copy) return Refused(copy.error());
      reviser.list("models").push_back(std::move(*copy));
    }
    instance.set("model", JsonEdit::integer(place->second));
  }
  for (std::size_t i = 0; i < textures.size(); ++i) {
    if (!textures[i]["files"]) continue;
    JsonEdit images = JsonEdit::array();
    for (const JsonValue file : textures[i]["files"].elements()) {
      if (!files.has(index_of(file))) continue;
      auto copy = files.copy(index_of(file));
      if (!copy) return Refused(copy.error());
      images.push_back(std::move(*copy));
    }
    JsonEdit& texture = reviser.element("textures", i);
    texture.rename("files", "images");
    texture.set("images", std::move(images));
  }
  files.drop_list();
  if (const JsonValue thumbnail = reviser.old_root()["asset"]["thumbnail"]) {
    reviser.lost(thumbnail, "\"thumbnail\"");
    reviser.root().find("asset")->erase("thumbnail");
  }
  return {};
}

}  // namespace sinew::g4mf

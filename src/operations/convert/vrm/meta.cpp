// SPDX-License-Identifier: MIT
#include <filesystem>
#include <string>

#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/json/edit_members.hpp"
#include "operations/convert/vrm/conversion.hpp"
#include "operations/convert/vrm/to_vrm1.hpp"

namespace sinew::operations::vrm {

namespace {

/// A word of VRM 0.x and one of VRM 1.0.
struct Word {
  std::string_view old_word, word;
};
constexpr Word users[] = {
    {"OnlyAuthor", "onlyAuthor"}, {"ExplicitlyLicensedPerson", "onlySeparatelyLicensedPerson"}, {"Everyone", "everyone"}};
constexpr Word usages[] = {{"Disallow", "personalNonProfit"}, {"Allow", "personalProfit"}};

class Meta {
 public:
  explicit Meta(AvatarConversion& conversion) : conversion_(conversion), old_(conversion.old["meta"]) {}

  JsonEdit run() {
    set("name", "title", path_text(path_of(conversion_.before.source->file()).stem()));
    set("version", "version");
    set_authors();
    set("contactInformation", "contactInformation");
    if (const std::string reference = old_["reference"].string(); !reference.empty()) {
      JsonEdit list = JsonEdit::array();
      list.push_back(JsonEdit::string(reference));
      meta_.set("references", std::move(list));
    }
    set_thumbnail();
    meta_.set("licenseUrl", JsonEdit::string(license_url));
    conversion_.changed(old_, format_text("--accept-vrm-license: the file names the VRM 1.0 licence, {}", license_url));
    choose("avatarPermission", "allowedUserName", users);
    choose("commercialUsage", "commercialUssageName", usages);
    allow("allowExcessivelyViolentUsage", "violentUssageName");
    allow("allowExcessivelySexualUsage", "sexualUssageName");
    set_strict();
    set_other_license();
    return std::move(meta_);
  }

 private:
  void set(std::string_view key, std::string_view old_key, const std::string& otherwise = {}) {
    std::string text = old_[old_key].string();
    if (text.empty() && !otherwise.empty()) {
      text = otherwise;
      conversion_.changed(old_, format_text("the file has no {}; VRM 1.0 requires one, and \"{}\" is written", old_key, text));
    }
    if (!text.empty()) meta_.set(key, JsonEdit::string(text));
  }

  void set_authors() {
    std::string author = old_["author"].string();
    if (author.empty()) {
      author = "unknown";
      conversion_.changed(old_, "the file has no author; VRM 1.0 requires one, and \"unknown\" is written");
    }
    JsonEdit list = JsonEdit::array();
    list.push_back(JsonEdit::string(author));
    meta_.set("authors", std::move(list));
  }

  void set_thumbnail() {
    const JsonValue stored = old_["texture"];
    const Index texture = conversion_.index(stored, conversion_.root["textures"].size(), "texture");
    if (texture == none) return;
    const Index image = conversion_.index(conversion_.root["textures"].at(texture)["source"], conversion_.root["images"].size(), "image");
    if (image == none) return conversion_.lost(stored, "the thumbnail is lost: its texture has no image");
    meta_.set("thumbnailImage", JsonEdit::integer(image));
  }

  template <std::size_t Count>
  void choose(std::string_view key, std::string_view old_key, const Word (&words)[Count]) {
    const JsonValue stored = old_[old_key];
    for (const Word& each : words)
      if (stored.equals(each.old_word)) {
        meta_.set(key, JsonEdit::string(each.word));
        return;
      }
    meta_.set(key, JsonEdit::string(words[0].word));
    conversion_.changed(stored ? stored : old_,
                        format_text("{} is not stored, and {} is \"{}\", the strictest", old_key, key, words[0].word));
  }

  void allow(std::string_view key, std::string_view old_key) {
    const bool allowed = old_[old_key].equals("Allow");
    meta_.set(key, JsonEdit::boolean(allowed));
    if (allowed) conversion_.changed(old_[old_key], format_text("{} is true because {} is Allow, although the words differ", key, old_key));
  }

  /// What only the owner can allow.
  void set_strict() {
    for (const std::string_view key : {"allowPoliticalOrReligiousUsage", "allowAntisocialOrHateUsage", "allowRedistribution"})
      meta_.set(key, JsonEdit::boolean(false));
    meta_.set("creditNotation", JsonEdit::string("required"));
    meta_.set("modification", JsonEdit::string("prohibited"));
    conversion_.changed(old_,
                        "only the owner can allow political, religious, antisocial or hateful use, redistribution and modification, or "
                        "use by corporations and without credit: they are not allowed");
    const std::string license = old_["licenseName"].string();
    if (!license.empty()) conversion_.lost(old_["licenseName"], format_text("the licence \"{}\" has no counterpart in VRM 1.0", license));
  }

  void set_other_license() {
    const std::string license = old_["otherLicenseUrl"].string(), permission = old_["otherPermissionUrl"].string();
    std::string both = license;
    if (!permission.empty() && permission != license) both += (both.empty() ? "" : " ") + permission;
    if (!both.empty()) meta_.set("otherLicenseUrl", JsonEdit::string(both));
  }

  AvatarConversion& conversion_;
  JsonValue old_;
  JsonEdit meta_ = JsonEdit::object();
};

}  // namespace

JsonEdit meta_of(AvatarConversion& conversion) { return Meta(conversion).run(); }

}  // namespace sinew::operations::vrm

// SPDX-License-Identifier: MIT
#include "operations/optimize/textures/textures.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "base/budget.hpp"
#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/path_text.hpp"
#include "document/container/image.hpp"
#include "document/files/uri.hpp"
#include "document/schema/content_hash.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/EXT_texture.hpp"
#include "gltf/read/read.hpp"
#include "gltf/write/editor.hpp"
#include "operations/files/update.hpp"
#include "operations/optimize/textures/image_uses.hpp"
#include "operations/optimize/textures/smallest.hpp"

namespace sinew::operations {

namespace {

using document::Bytes;
using document::Document;
using document::JsonEdit;
using document::JsonValue;

constexpr std::string_view png_type = "image/png", jpeg_type = "image/jpeg", webp_type = "image/webp";

/// Images with the same content, which become the same.
struct ImageGroup {
  Bytes bytes;
  document::ImageInfo info;
  std::vector<std::size_t> images;
  ImageUse use;
  TextureWish wish;
  bool resize = false;
  bool chosen = false;
  Result<std::optional<TextureChoice>> choice = std::optional<TextureChoice>();
  std::size_t width = 0, height = 0;  ///< of the new image
};

std::string file_uri_of(JsonValue image) {
  const std::string uri = image["uri"].string();
  return document::is_data_uri(uri) ? std::string() : uri;
}

std::string name_of_image(JsonValue image) {
  if (const std::string name = image["name"].string(); !name.empty()) return name;
  return path_text(path_of(document::percent_decode(file_uri_of(image))).filename());
}

std::string_view extension_of(std::string_view type) { return type == png_type ? ".png" : type == jpeg_type ? ".jpg" : ".webp"; }

/// "41.2 dB", or "no pixel differs".
std::string psnr_in_words(double psnr) { return std::isinf(psnr) ? "no pixel differs" : format_text("PSNR {:.2f} dB", psnr); }

class TextureStep {
 public:
  TextureStep(const std::shared_ptr<const Document>& document, const OptimizeOptions& options, FindingSink& changes)
      : document_(document),
        options_(options),
        editor_(document, changes),
        images_(document::list_of(source()["images"])),
        uses_(image_uses(source(), unknown_)) {}

  Result<SmallerTextures> run() {
    result_.document = document_;
    for (std::size_t i = 0; i < images_.size(); ++i)
      if (uses_[i].referred) sort_in(i);
    for (ImageGroup& group : groups_) plan(group);
    if (auto done = choose_all(); !done) return Unexpected(std::move(done.error()));
    if (!is_worth_it()) return finish_unchanged();
    find_taken_uris();
    for (ImageGroup& group : groups_)
      if (group.choice->has_value()) store(group);
    auto changed = editor_.finish();
    if (!changed) return Unexpected(std::move(changed.error()));
    if (*changed != document_) {
      changed = without_orphans(document_.get(), std::move(*changed), std::nullopt);
      if (!changed) return Unexpected(std::move(changed.error()));
    }
    result_.document = std::move(*changed);
    describe_stays();
    std::ranges::sort(result_.textures, {}, &OptimizedTexture::image);
    return std::move(result_);
  }

 private:
  [[nodiscard]] JsonValue source() const { return document_->json().root(); }

  void stays(std::size_t image, std::string_view why) {
    const std::string name = name_of_image(images_[image]);
    stays_.push_back(format_text("image {}{}: {}", image, name.empty() ? "" : " \"" + name + '"', why));
  }

  void sort_in(std::size_t image) {
    auto bytes = gltf::image_bytes(*document_, images_[image]);
    if (!bytes || bytes->view.empty()) return stays(image, "its data is not available");
    const auto info = document::image_info(bytes->view);
    if (!info) {
      const std::string_view type = document::image_mime_type(bytes->view);
      return stays(image, type.empty() ? "its format is unknown" : type);
    }
    const std::uint64_t hash = document::content_hash(bytes->view);
    const auto [first, last] = by_hash_.equal_range(hash);
    const auto same =
        std::find_if(first, last, [&](const auto& at) { return std::ranges::equal(groups_[at.second].bytes.view, bytes->view); });
    if (same == last) {
      by_hash_.emplace(hash, groups_.size());
      ImageGroup& group = groups_.emplace_back();
      group.info = *info;
      group.bytes = std::move(*bytes);
      group.images = {image};
      group.use = uses_[image];
      return;
    }
    ImageGroup& group = groups_[same->second];
    const ImageUse& use = uses_[image];
    group.images.push_back(image);
    group.use.textures.insert(group.use.textures.end(), use.textures.begin(), use.textures.end());
    group.use.fixed |= use.fixed;
    group.use.webp_only |= use.webp_only;
    group.use.color |= use.color;
    group.use.blended |= use.blended;
    group.use.normal |= use.normal;
    group.use.data |= use.data;
  }

  /// Decides what a group may become.
  void plan(ImageGroup& group) {
    const auto& [type, image, unusual] = group.info;
    const bool converts = options_.textures == OptimizeTextures::webp && !group.use.fixed && !group.use.webp_only && !unknown_;
    group.resize = options_.max_texture != 0 && std::max(image.width, image.height) > options_.max_texture;
    TextureWish& wish = group.wish;
    wish.png = type == png_type && (options_.textures != OptimizeTextures::keep || group.resize);
    wish.jpeg = type == jpeg_type && group.resize;
    wish.webp = type == webp_type ? options_.textures == OptimizeTextures::webp || group.resize : converts;
    if (!wish.png && !wish.jpeg && !wish.webp) return;
    wish.lossless = type != jpeg_type || group.resize;  // that of a JPEG is larger
    wish.psnr = options_.texture_psnr;
    wish.each_channel = group.use.normal || group.use.data;
    constexpr std::size_t text_of_texture = 60, text_of_file = 70;  // of the extension's objects and names
    wish.webp_costs = type == webp_type ? 0 : text_of_file + text_of_texture * group.use.textures.size();
    wish.size = group.resize ? 0 : group.bytes.view.size();
    if (const std::string why = why_not(group); !why.empty()) {
      for (const std::size_t one : group.images) stays(one, why);
      return;
    }
    group.chosen = true;
  }

  /// Returns why a group must stay as it is.
  std::string why_not(const ImageGroup& group) {
    const auto& [type, image, unusual] = group.info;
    if (unusual == "an animation") return std::string(unusual);
    if (image.bits > 8) return format_text("{} bits per channel", image.bits);
    const bool in_view = std::ranges::any_of(group.images, [&](std::size_t one) { return bool{images_[one]["bufferView"]}; });
    if (in_view && unknown_) return "an extension may refer to buffer views by index";
    const Limits& limits = document_->options().limits;
    constexpr std::uint64_t copies = 24, steps_of_pixel = 8, most_pixels = std::uint64_t{1} << 27;  // bytes of memory, of work
    constexpr std::uint64_t free = std::uint64_t{64} << 20;
    if (image.width == 0 || image.height == 0) return "it has no pixels";
    const std::uint64_t most = std::min(most_pixels, limits.memory / copies);
    if (image.width > most / image.height) return format_text("{} × {} pixels; the limit is {}", image.width, image.height, most);
    const std::uint64_t pixels = image.width * image.height;
    if (4 * pixels > free && 4 * pixels / limits.expansion > group.bytes.view.size())
      return format_text("{} × {} pixels from {} bytes, more than --limit expansion allows", image.width, image.height,
                         group.bytes.view.size());
    if (work_ + steps_of_pixel * pixels > most_work(document_->size(), limits))
      return "the images before it need all that --limit work allows";
    work_ += steps_of_pixel * pixels;
    return {};
  }

  /// Small images are encoded side by side. A large one needs the memory of many.
  Result<> choose_all() {
    constexpr std::uint64_t large = std::uint64_t{1} << 22;
    std::vector<ImageGroup*> small;
    for (ImageGroup& group : groups_) {
      if (!group.chosen) continue;
      if (group.info.image.width * group.info.image.height <= large)
        small.push_back(&group);
      else
        choose(group);
    }
    parallel_for(small.size(), 1, options_.threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) choose(*small[i]);
    });
    for (ImageGroup& group : groups_) {
      if (group.choice) continue;
      const Error& error = group.choice.error();
      if (error.failure != Failure::input && error.code != "IO_ERROR") return Unexpected(error);
      for (const std::size_t image : group.images) stays(image, error.message);
      group.choice = std::optional<TextureChoice>();
    }
    return {};
  }

  void choose(ImageGroup& group) {
    try {
      auto pixels = codecs::decode(group.bytes.view, group.info.image.width * group.info.image.height, codecs::ColorSpace::ignore);
      if (!pixels) {
        group.choice = Unexpected(std::move(pixels.error()));
        return;
      }
      if (group.resize) *pixels = resized(*pixels, options_.max_texture, group.use.content());
      group.width = pixels->width;
      group.height = pixels->height;
      group.choice = smallest_texture(*pixels, group.wish);
      if (group.choice && !*group.choice && group.resize) group.choice = unreachable();
    } catch (...) {
      group.choice = Unexpected(error_of_exception());
    }
  }

  /// A smaller image needs a format. A JPEG or a lossy WebP may not come near enough to its pixels.
  [[nodiscard]] Unexpected unreachable() const {
    return Unexpected(
        error("IO_ERROR"_code, Failure::input, {}, format_text("no smaller image in its format keeps {:g} dB", options_.texture_psnr)));
  }

  /// The text of an extension may take more bytes than small images save.
  [[nodiscard]] bool is_worth_it() const {
    bool any = false, demanded = false;
    std::uint64_t before = 0, after = 0;
    for (const ImageGroup& group : groups_) {
      if (!group.choice->has_value()) continue;
      any = true;
      demanded |= group.resize;
      before += group.bytes.view.size();
      after += (*group.choice)->bytes.size() + ((*group.choice)->type == webp_type ? group.wish.webp_costs : 0);
    }
    return any && (demanded || after < before);
  }

  Result<SmallerTextures> finish_unchanged() {
    describe_stays();
    if (result_.note.empty()) result_.note = images_.empty() ? "found no images" : "found nothing to change";
    return std::move(result_);
  }

  void describe_stays() {
    constexpr std::size_t most = 8;
    if (stays_.empty()) return;
    std::string list;
    for (const std::string& one : std::span(stays_).first(std::min(most, stays_.size()))) list += (list.empty() ? "" : "; ") + one;
    if (stays_.size() > most) list += format_text("; and {} more", stays_.size() - most);
    result_.note = "as stored: " + list;
  }

  void find_taken_uris() {
    for (const std::string_view list : {"images", "buffers"})
      for (const JsonValue element : source()[list].elements()) taken_.insert(file_uri_of(element));
  }

  void store(const ImageGroup& group) {
    const TextureChoice& choice = **group.choice;
    Index view = none;
    for (const std::size_t image : group.images) {
      const JsonValue old = images_[image];
      if (const std::string uri = file_uri_of(old); !uri.empty()) {
        store_file(group, uri);
      } else {
        JsonEdit& edit = editor_.element("images", image);
        if (old["uri"]) {
          edit.set("uri", JsonEdit::string(format_text("data:{};base64,{}", choice.type, document::base64_encode(choice.bytes))));
        } else {
          if (view == none) view = editor_.add_bytes(choice.bytes);
          edit.set("bufferView", JsonEdit::integer(view));
        }
        if (old["mimeType"] || !old["uri"] || choice.type == webp_type) edit.set("mimeType", JsonEdit::string(choice.type));
      }
      describe(group, image);
    }
    if (choice.type != webp_type || group.info.mime_type == webp_type) return;
    for (const std::size_t texture : group.use.textures) {
      JsonEdit& edit = editor_.element("textures", texture);
      edit.erase("source");
      gltf::extension_in(edit, gltf::webp_extension)
          .set("source", JsonEdit(source()["textures"].at(static_cast<std::uint32_t>(texture))["source"]));
    }
    editor_.require_extension(gltf::webp_extension);  // there is no other image for readers without it
  }

  void store_file(const ImageGroup& group, const std::string& uri) {
    const auto [file, is_new] = result_.files.try_emplace(uri);
    if (!is_new) return;
    const TextureChoice& choice = **group.choice;
    const std::size_t name = uri.rfind('/') == std::string::npos ? 0 : uri.rfind('/') + 1;
    const std::string stem = uri.rfind('.') == std::string::npos || uri.rfind('.') < name ? uri : uri.substr(0, uri.rfind('.'));
    std::string made = choice.type == group.info.mime_type ? uri : stem + std::string(extension_of(choice.type));
    for (int i = 2; made != uri && taken_.contains(made); ++i) made = format_text("{}_{}{}", stem, i, extension_of(choice.type));
    taken_.insert(made);
    const auto owner = std::make_shared<const codecs::Encoded>(choice.bytes);
    result_.made[made] = {*owner, owner};
    file->second = {made, std::string(choice.type), std::max<std::uint64_t>(group.width, group.height)};
  }

  void describe(const ImageGroup& group, std::size_t image) {
    const TextureChoice& choice = **group.choice;
    OptimizedTexture& report = result_.textures.emplace_back();
    report = {image,
              name_of_image(images_[image]),
              group.bytes.view.size(),
              choice.bytes.size(),
              std::string(group.info.mime_type),
              std::string(choice.type),
              group.width,
              group.height,
              choice.error.psnr,
              choice.similarity};
    const auto& was = group.info.image;
    editor_.reporter().changed(
        images_[image].pointer(),
        format_text("{}{} of {} × {} pixels, {} bytes, became {} of {} × {}, {} bytes; {}, SSIM {:.4f}",
                    report.name.empty() ? "" : '"' + report.name + "\": ", report.from, was.width, was.height, report.before, report.to,
                    report.width, report.height, report.after, psnr_in_words(report.psnr), report.ssim));
  }

  std::shared_ptr<const Document> document_;
  const OptimizeOptions& options_;
  gltf::Editor editor_;
  std::vector<JsonValue> images_;
  bool unknown_ = false;
  std::vector<ImageUse> uses_;
  std::vector<ImageGroup> groups_;
  std::multimap<std::uint64_t, std::size_t> by_hash_;  ///< groups by the hash of their content
  std::set<std::string> taken_;                        ///< URIs
  std::vector<std::string> stays_;
  std::uint64_t work_ = 0;
  SmallerTextures result_;
};

}  // namespace

Result<SmallerTextures> smaller_textures(const std::shared_ptr<const Document>& document, const OptimizeOptions& options,
                                         FindingSink& changes) {
  if (auto there = codecs::check(); !there) return Unexpected(std::move(there.error()));
  return TextureStep(document, options, changes).run();
}

Result<std::shared_ptr<const Document>> with_new_textures(const std::shared_ptr<const Document>& document, const SmallerTextures& textures,
                                                          bool embed) {
  if (textures.files.empty()) return document;
  FindingList ignored;
  gltf::Editor editor(document, ignored);
  std::map<std::string, Index> views;  // by new URI
  std::size_t index = 0;
  for (const JsonValue image : editor.old_list("images")) {
    const std::size_t i = index++;
    const auto file = textures.files.find(file_uri_of(image));
    if (file == textures.files.end()) continue;
    const auto& [uri, type, side] = file->second;
    JsonEdit& edit = editor.element("images", i);
    if (embed) {
      const auto [view, is_new] = views.try_emplace(uri, none);
      if (is_new) view->second = editor.add_bytes(textures.made.find(uri)->second.view);
      edit.erase("uri");
      edit.set("bufferView", JsonEdit::integer(view->second));
    } else {
      edit.set("uri", JsonEdit::string(uri));
    }
    if (embed || image["mimeType"] || type == webp_type) edit.set("mimeType", JsonEdit::string(type));
  }
  return editor.finish();
}

}  // namespace sinew::operations

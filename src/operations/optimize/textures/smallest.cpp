// SPDX-License-Identifier: MIT
#include "operations/optimize/textures/smallest.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace sinew::operations {

namespace {

using codecs::Encoded;
using codecs::JpegColors;
using codecs::Pixels;
using codecs::WebpForm;

class Smallest {
 public:
  Smallest(const Pixels& pixels, const TextureWish& wish) : pixels_(pixels), wish_(wish) {}

  Result<std::optional<TextureChoice>> run() {
    const std::size_t side = std::max(pixels_.width, pixels_.height);
    if (wish_.png)
      if (auto done = try_png(); !done) return Unexpected(std::move(done.error()));
    if (wish_.webp && side <= codecs::most_of_webp)
      if (auto done = try_webp(); !done) return Unexpected(std::move(done.error()));
    if (wish_.jpeg && side <= codecs::most_of_jpeg)
      for (const JpegColors colors : {JpegColors::halved, JpegColors::full})
        if (auto done = try_qualities("image/jpeg", [&](int quality) { return encode_jpeg(pixels_, quality, colors); }); !done)
          return Unexpected(std::move(done.error()));
    if (best_) best_->similarity = picture_similarity(pixels_, shown_);
    return std::move(best_);
  }

 private:
  using Encode = std::function<Result<Encoded>(int level)>;
  static constexpr int most_quality = 100;

  [[nodiscard]] bool keeps(const PictureError& error) const {
    return (wish_.each_channel ? std::min(error.worst_channel(), error.psnr) : error.psnr) >= wish_.psnr;
  }

  Result<> try_png() {
    auto made = codecs::encode_png(pixels_);
    if (!made) return Unexpected(std::move(made.error()));
    return take("image/png", std::move(*made)).transform([](bool) {});
  }

  Result<> try_webp() {
    // Edges between strong colours need sharp ones. They take three times as long, for few bytes in large images.
    constexpr std::size_t small = std::size_t{1} << 18;
    constexpr int fast = 4, slow = 6;
    int quality = 0;
    for (const bool sharp : {false, true}) {
      if (sharp && pixels_.width * pixels_.height > small) break;
      const auto lossy = [&](int level) { return encode_webp(pixels_, {WebpForm::Kind::lossy, level, sharp, fast}); };
      const auto found = try_qualities("image/webp", lossy);
      if (!found) return Unexpected(found.error());
      if (!sharp) quality = *found;
    }
    if (quality <= most_quality) {
      auto made = codecs::encode_webp(pixels_, {WebpForm::Kind::lossy, quality, false, slow});
      if (!made) return Unexpected(std::move(made.error()));
      if (auto done = take("image/webp", std::move(*made)); !done) return Unexpected(std::move(done.error()));
    }
    return wish_.lossless ? try_lossless() : Result<>();
  }

  Result<> try_lossless() {
    const std::size_t lossy = best_ ? best_->bytes.size() : 0;
    for (int level = 100; level >= 0; level -= 20) {  // each rounds one bit more
      auto made = codecs::encode_webp(pixels_, {WebpForm::Kind::lossless, level, false, 4});
      if (!made) return Unexpected(std::move(made.error()));
      const std::size_t size = made->size();
      const auto kept = take("image/webp", std::move(*made));
      if (!kept) return Unexpected(kept.error());
      if (!*kept) break;
      constexpr std::size_t hopeless = 3;  // rounding does not save as much
      if (lossy != 0 && size > hopeless * lossy) break;
    }
    return {};
  }

  /// Finds the lowest quality from 0 to 100 that keeps the wish; 101: none.
  Result<int> try_qualities(std::string_view type, const Encode& encode) {
    int low = 0, high = most_quality;
    while (low <= high) {
      const int quality = (low + high) / 2;
      auto made = encode(quality);
      if (!made) return Unexpected(std::move(made.error()));
      const auto kept = take(type, std::move(*made));
      if (!kept) return Unexpected(kept.error());
      if (*kept)
        high = quality - 1;
      else
        low = quality + 1;
    }
    return low;
  }

  /// Returns whether a file keeps the error; it becomes the best one if it is the smallest.
  Result<bool> take(std::string_view type, Encoded bytes) {
    auto shown = codecs::decode(bytes, pixels_.width * pixels_.height, codecs::ColorSpace::ignore);
    if (!shown) return Unexpected(std::move(shown.error()));
    const PictureError error = picture_error(pixels_, *shown);
    if (!keeps(error)) return false;
    const std::size_t cost = bytes.size() + (type == "image/webp" ? wish_.webp_costs : 0);
    if ((wish_.size == 0 || cost < wish_.size) && (!best_ || cost < cost_)) {
      best_ = TextureChoice{std::move(bytes), type, error, 1};
      shown_ = std::move(*shown);
      cost_ = cost;
    }
    return true;
  }

  const Pixels& pixels_;
  const TextureWish& wish_;
  std::optional<TextureChoice> best_;
  Pixels shown_;  ///< of the best file
  std::size_t cost_ = 0;
};

}  // namespace

Result<std::optional<TextureChoice>> smallest_texture(const Pixels& pixels, const TextureWish& wish) {
  return Smallest(pixels, wish).run();
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinew::show {

/// Numbers encoded pictures by their bytes. A model can use one picture in many images and materials; each is decoded once.
class DistinctPictures {
 public:
  /// Returns the number of the picture of a texture (Appearance::Texture or Appearance::Volume): size() before the call if it is new.
  template <class Texture>
  [[nodiscard]] std::size_t number(const Texture& texture) {
    const std::pair place(texture.image.data(), texture.image.size());
    if (const auto known = by_place_.find(place); known != by_place_.end()) return known->second;
    const std::string_view bytes(reinterpret_cast<const char*>(texture.image.data()), texture.image.size());
    const auto [found, is_new] = by_bytes_.try_emplace(bytes, by_bytes_.size());
    if (is_new) {
      owners_.push_back(texture.owner);
      by_place_.emplace(place, found->second);
    }
    return found->second;
  }
  [[nodiscard]] std::size_t size() const { return by_bytes_.size(); }

 private:
  std::map<std::pair<const std::byte*, std::size_t>, std::size_t> by_place_;  ///< saves the hash where images share a buffer view
  std::unordered_map<std::string_view, std::size_t> by_bytes_;
  std::vector<std::shared_ptr<const void>> owners_;
};

}  // namespace sinew::show

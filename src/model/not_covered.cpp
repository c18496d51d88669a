// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "base/message.hpp"

#include "sinew/model.hpp"

namespace sinew {

namespace {

/// All places of one extension in a model.
struct Places {
  const NotEvaluated* first = nullptr;
  NotEvaluated::Effect effect = NotEvaluated::Effect::pose;
  std::vector<std::uint64_t> contents;
};

using ByExtension = std::vector<std::pair<std::string_view, Places>>;

/// In the order of the file.
ByExtension by_extension(const Model& model) {
  ByExtension list;
  std::map<std::string_view, std::size_t> known;
  for (const NotEvaluated& place : model.not_evaluated) {
    const auto [at, fresh] = known.try_emplace(place.extension, list.size());
    if (fresh) list.push_back({place.extension, {&place, place.effect, {}}});
    Places& places = list[at->second].second;
    places.effect = std::max(places.effect, place.effect);
    places.contents.push_back(place.content);
  }
  for (auto& [name, places] : list) std::ranges::sort(places.contents);
  return list;
}

NotCovered in_words(const Model& model, const Places& places) {
  const std::string count = places.contents.size() == 1 ? std::string() : format_text(" ({} places)", places.contents.size());
  constexpr std::string_view texts[] = {"sets poses at run time, is not evaluated",
                                        "turns nodes, is evaluated only at sampled times of clips", "can move vertices, is not evaluated"};
  return {model.source ? model.source->pointer(places.first->source) : std::string(),
          format_text("the extension {}, which {}{}", places.first->extension, texts[static_cast<std::size_t>(places.effect)], count),
          places.effect, false};
}

}  // namespace

Result<std::vector<NotCovered>> not_covered(const Model& model) SINEW_TRY {
  std::vector<NotCovered> list;
  for (const auto& [name, places] : by_extension(model)) list.push_back(in_words(model, places));
  return list;
}
SINEW_CATCH()

Result<std::vector<NotCovered>> not_covered(const Model& a, const Model& b) SINEW_TRY {
  std::vector<NotCovered> list;
  const auto add = [&list](NotCovered one, std::string_view difference, bool lost) {
    one.differs = !difference.empty();
    one.lost = lost;
    one.what += difference;
    list.push_back(std::move(one));
  };
  const ByExtension in_a = by_extension(a), in_b = by_extension(b);
  std::map<std::string_view, const Places*> of_b;
  for (const auto& [name, places] : in_b) of_b.emplace(name, &places);
  for (const auto& [name, places] : in_a) {
    const auto other = of_b.extract(name);
    if (!other)
      add(in_words(a, places), ", and only the first file has it", true);
    else if (const std::vector<std::uint64_t>& of_a = places.contents; other.mapped()->contents == of_a)
      add(in_words(a, places), "", false);
    else
      add(in_words(a, places), ", and its content differs between the files", !std::ranges::includes(other.mapped()->contents, of_a));
  }
  for (const auto& [name, places] : in_b)
    if (of_b.contains(name)) add(in_words(b, places), ", and only the second file has it", false);
  return list;
}
SINEW_CATCH()

}  // namespace sinew

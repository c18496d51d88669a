// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>

#include "base/ascii.hpp"
#include "base/guard.hpp"
#include "base/path_text.hpp"
#include "base/suggestion.hpp"

#include "sinew/result.hpp"

namespace sinew {

Result<std::size_t> edit_distance(std::string_view a, std::string_view b) SINEW_TRY {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = to_lower(a[i - 1]) == to_lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && to_lower(a[i - 1]) == to_lower(b[j - 2]) && to_lower(a[i - 2]) == to_lower(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}
SINEW_CATCH()

Result<std::optional<std::string>> nearest_name(std::string_view wanted, const std::vector<std::string_view>& candidates) SINEW_TRY {
  constexpr std::size_t longest = 200;  // the time for a distance grows with the square
  if (wanted.size() > longest) return std::nullopt;
  const std::size_t allowed = std::max<std::size_t>(1, wanted.size() / 3);
  std::optional<std::string> best;
  std::size_t best_distance = allowed + 1;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > wanted.size() + allowed || wanted.size() > candidate.size() + allowed) continue;
    const std::size_t distance = need(edit_distance(wanted, candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = std::string(candidate);
    }
  }
  return best;
}
SINEW_CATCH()

std::string suggestion(std::string_view wanted, const std::vector<std::string_view>& known) {
  constexpr std::size_t listed = 10;
  constexpr std::size_t telling = 3;  // letters: fewer are a part of too many names
  auto near = need(nearest_name(wanted, known));
  for (std::size_t i = 0; i < known.size() && !near && wanted.size() >= telling; ++i)
    if (to_lower(std::string(known[i])).find(to_lower(std::string(wanted))) != std::string::npos) near = std::string(known[i]);
  if (near) return " (did you mean \"" + *near + "\"?)";
  std::string list;
  std::size_t count = 0;
  for (const std::string_view name : known) {
    if (name.empty() || count++ >= listed) continue;
    list.append(list.empty() ? "; there are \"" : ", \"").append(name).append("\"");
  }
  if (count > listed) list += " and " + std::to_string(count - listed) + " more";
  return list;
}

Result<std::string> file_extension(const std::string& file) SINEW_TRY { return to_lower(path_text(path_of(file).extension())); }
SINEW_CATCH()

bool has_extension(const std::filesystem::path& file, std::string_view extension) noexcept {
  const auto& text = file.native();
  if (text.size() <= extension.size()) return false;
  const auto tail = text.size() - extension.size();
  if (text[tail - 1] == '/' || text[tail - 1] == std::filesystem::path::preferred_separator) return false;
  for (std::size_t i = 0; i < extension.size(); ++i)
    if (text[tail + i] != extension[i] && !(text[tail + i] >= 'A' && text[tail + i] <= 'Z' && text[tail + i] - 'A' + 'a' == extension[i]))
      return false;
  return true;
}

}  // namespace sinew

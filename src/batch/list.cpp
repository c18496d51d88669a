// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/number.hpp"
#include "base/path_text.hpp"
#include "batch/file_id.hpp"

#include "sinew/batch.hpp"
#include "sinew/validate.hpp"

namespace sinew::batch {

std::optional<Shard> parse_shard(std::string_view text) noexcept {
  constexpr std::size_t most = 1'000'000;
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto index = number_in<std::size_t>(text.substr(0, slash));
  const auto count = number_in<std::size_t>(text.substr(slash + 1));
  if (!index || !count || *index < 1 || *index > *count || *count > most) return std::nullopt;
  return Shard{*index, *count};
}

Result<List> list_models(std::span<const std::string> paths, Order order, bool allow_outside) SINEW_TRY {
  List list;
  list.many = paths.size() > 1;
  std::set<std::filesystem::path> known;
  const auto add = [&](const std::filesystem::path& file, std::filesystem::path below) {
    if (known.insert(file.lexically_normal()).second) list.items.push_back({file, std::move(below), 0});
  };
  for (const std::string& path : paths) {
    std::error_code unknown;  // ignored: opening the file will report the error
    if (!std::filesystem::is_directory(path, unknown)) {
      add(path, std::filesystem::path(path).filename());
      continue;
    }
    list.many = true;
    const auto models = validate::models_in(path, allow_outside);
    if (!models) {
      list.unreadable.push_back(models.error());
      continue;
    }
    if (models->files.empty()) list.empty.emplace_back(path);
    if (models->outside != 0) list.outside.emplace_back(path, models->outside);
    for (const std::filesystem::path& model : models->files) add(model, model.lexically_relative(path));
  }
  if (order == Order::sorted) std::ranges::sort(list.items, {}, [](const Item& item) -> const std::string& { return item.path.native(); });
  for (std::size_t i = 0; i < list.items.size(); ++i) list.items[i].number = i + 1;
  return list;
}
SINEW_CATCH()

Result<std::vector<Item>> share_of(std::span<const Item> items, Shard shard) SINEW_TRY {
  std::vector<Item> share;
  for (std::size_t i = shard.index - 1; i < items.size(); i += shard.count) share.push_back(items[i]);
  return share;
}
SINEW_CATCH()

Result<std::vector<std::filesystem::path>> output_paths(std::span<const Item> items, const std::filesystem::path& folder,
                                                        std::string_view extension, std::span<const std::string> searched) SINEW_TRY {
  namespace fs = std::filesystem;
  const auto place = [](const fs::path& path) {
    std::error_code unknown;
    const fs::path found = fs::weakly_canonical(fs::absolute(path, unknown), unknown);
    return found.has_filename() ? found : found.parent_path();  // without a slash at its end
  };
  const auto usage = [](const fs::path& path, const std::string& message) {
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, Place{path_text(path), {}, {}}, message));
  };
  for (const std::string& input : searched) {
    std::error_code unknown;
    const fs::path inside = place(folder), around = place(input);
    if (fs::is_directory(input, unknown) && std::ranges::mismatch(around, inside).in1 == around.end())
      return usage(folder, format_text("is inside the input folder {}: the next run would read outputs as inputs", input));
  }
  std::vector<fs::path> outputs;
  std::map<fs::path, const Item*> made;
  for (const Item& item : items) {
    fs::path output = (folder / item.below).lexically_normal();
    if (!extension.empty()) output.replace_extension(extension);
    if (const auto [other, is_new] = made.emplace(output, &item); !is_new)
      return usage(output, format_text("would be written twice, for {} and for {}", path_text(other->second->path), path_text(item.path)));
    outputs.push_back(std::move(output));
  }
  std::map<FileId, const fs::path*> old;
  for (const fs::path& output : outputs)
    if (const auto id = id_of(output)) old.emplace(*id, &output);
  if (old.empty()) return outputs;
  for (const Item& item : items)
    if (const auto id = id_of(item.path); id && old.contains(*id)) return usage(*old[*id], "the output would replace its own input");
  return outputs;
}
SINEW_CATCH()

}  // namespace sinew::batch

// SPDX-License-Identifier: MIT
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "batch/file_id.hpp"
#include "document/files/output.hpp"
#include "document/files/uri.hpp"
#include "document/json/json.hpp"

#include "sinew/batch.hpp"
#include "sinew/result.hpp"

namespace sinew::batch {

namespace {

namespace fs = std::filesystem;
using document::JsonValue;

Unexpected refused(const fs::path& output, std::string_view why) {
  return Unexpected(error("SINEW_USAGE"_code, Failure::usage, Place{path_text(output), {}, {}}, why));
}

/// The outputs that exist, and those that do not, each once.
struct Outputs {
  std::map<FileId, fs::path> old;
  std::map<fs::path, fs::path> made;

  [[nodiscard]] Result<> add(const fs::path& output) {
    std::error_code unknown;
    const auto id = id_of(output);
    if (!id && fs::exists(output, unknown)) return {};                        // a folder, a pipe or a device
    const fs::path target = document::follow_links(output).value_or(output);  // a link to itself: writing reports it
    const auto [other, is_new] =
        id ? flat(old.emplace(*id, output)) : flat(made.emplace(fs::weakly_canonical(fs::absolute(target, unknown), unknown), output));
    if (is_new) return {};
    return refused(output, format_text("the output would replace another output, {}", path_text(other)));
  }

 private:
  template <class Entry>
  static std::pair<fs::path, bool> flat(const std::pair<Entry, bool>& added) {
    return {added.first->second, added.second};
  }
};

/// Calls `visit` for every relative URI of a document: of its buffers, images and other files.
template <class Visit>
void for_each_uri(JsonValue value, const Visit& visit) {
  for (const JsonValue element : value.elements()) for_each_uri(element, visit);
  for (const document::JsonMember member : value.members()) {
    if (member.key.equals("uri") && member.value.is(document::JsonKind::string) && !document::is_data_uri(member.value.text().substr(1)))
      visit(member.value.string());
    else
      for_each_uri(member.value, visit);
  }
}

/// Returns the output that is a file of the model, with the URI in the model.
std::optional<std::pair<fs::path, std::string>> referred(const fs::path& input, const Outputs& outputs, const document::OpenOptions& open) {
  FindingList ignored;  // a broken file refers to no other file
  const auto document = document::open(input, open, ignored);
  std::optional<std::pair<fs::path, std::string>> found;
  if (document)
    for_each_uri((*document)->json().root(), [&](const std::string& uri) {
      const auto id = found ? std::nullopt : id_of(input.parent_path() / document::percent_decode(uri));
      if (const auto output = id ? outputs.old.find(*id) : outputs.old.end(); output != outputs.old.end())
        found.emplace(output->second, uri);
    });
  return found;
}

}  // namespace

Result<> check_outputs(std::span<const std::string> inputs, std::span<const fs::path> outputs,
                       const document::OpenOptions& open) SINEW_TRY {
  Outputs written;
  for (const fs::path& output : outputs)
    if (output != "-")
      if (auto added = written.add(output); !added) return added;
  if (written.old.empty()) return {};
  const List list = need(list_models(inputs, Order::named, open.allow_outside));
  std::vector<fs::path> models;
  for (const Item& item : list.items) {
    const auto id = item.path == "-" ? std::nullopt : id_of(item.path);
    if (!id) continue;
    if (const auto output = written.old.find(*id); output != written.old.end())
      return refused(output->second, "the output would replace its own input");
    models.push_back(item.path);
  }
  std::vector<std::optional<std::pair<fs::path, std::string>>> found(models.size());
  need(in_order(models.size(), 0, [&](std::size_t i) { found[i] = referred(models[i], written, open); }, [](std::size_t) {}));
  for (std::size_t i = 0; i < models.size(); ++i)
    if (found[i])
      return refused(found[i]->first,
                     format_text("the output would replace a file of an input: {} in {}", found[i]->second, path_text(models[i])));
  return {};
}
SINEW_CATCH()

}  // namespace sinew::batch

// SPDX-License-Identifier: MIT
#include "many.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "console/joined.hpp"
#include "console/need.hpp"

#include "sinew/deadline.hpp"

namespace app {

namespace {

using sinew::batch::Did;
using sinew::batch::Item;

constexpr const char* group = "Many files";
constexpr std::array<std::string_view, 6> extensions = {".gltf", ".glb", ".vrm", ".vrma", ".g4tf", ".g4b"};
const std::string no_model = fmt::format("the folder contains no model, expected a file with the extension {}", joined(extensions, ", "));

bool names_model(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::ranges::find(extensions, extension) != extensions.end();
}

void tell(const Item& item, const Outcome& outcome, const Common& common) {
  for (const sinew::Finding& change : outcome.changes) {
    const std::string line = fmt::format("{}: {}", item.path.string(), line_of(change));
    if (change.severity == sinew::Severity::hint)
      common.terminal.detail("{}", line);
    else
      common.terminal.warn(line);
  }
  if (!outcome.talk.empty() && outcome.did != Did::refused) common.terminal.talk("{}", outcome.talk);
}

bool is_folder(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_directory(path, unknown);
}

/// Returns whether one file was given.
bool is_alone(const std::vector<std::string>& inputs) { return inputs.size() == 1 && !is_folder(inputs.front()); }

sinew::Result<std::vector<std::filesystem::path>> outputs_of(const sinew::batch::List& list, const std::vector<std::string>& inputs,
                                                             const std::string& output, const std::string& extension) {
  const bool arrays = extension == ".npz";
  if (names_file(inputs, output, arrays ? extension : std::string())) return std::vector<std::filesystem::path>{output};
  if (names_any_file(inputs, output))
    return sinew::Unexpected(usage_error(fmt::format("--output {}: unknown extension, expected a folder or a file with the extension {}",
                                                     output, arrays ? extension : joined(extensions, ", "))));
  if (names_model(output) && !is_folder(output))
    return sinew::Unexpected(
        usage_error(fmt::format("--output {}: found the name of a file, expected a folder for several files", output)));
  return sinew::batch::output_paths(list.items, output, extension, inputs);
}

std::string sum_of(const std::map<Did, std::size_t>& did) {
  std::vector<std::string> parts;
  for (const auto& [what, files] : did)
    parts.push_back(fmt::format("{} {}", files, what == Did::unchanged ? "up to date" : to_string(what)));
  return joined(parts, ", ");
}

}  // namespace

bool names_file(const std::vector<std::string>& inputs, const std::string& output, std::string_view extension) {
  const bool fits = extension.empty() ? names_model(output) : need(sinew::file_extension(output)) == extension;
  return fits && is_alone(inputs) && !is_folder(output);
}

bool names_any_file(const std::vector<std::string>& inputs, const std::string& output) {
  const std::string extension = need(sinew::file_extension(output));
  const bool fits = extension.size() > 1 && extension[1] >= 'a' && extension[1] <= 'z';  // not "out.2"
  return fits && is_alone(inputs) && !is_folder(output);
}

sinew::OutputName output_name(const std::vector<std::string>& inputs, const std::string& output) {
  return names_file(inputs, output) ? sinew::OutputName::given : sinew::OutputName::made;
}

void add_many(Command command, Many& many) {
  command
      .add_text(
          "--shard", [&many](const std::string& text) { many.shard = sinew::batch::parse_shard(text); },
          "Process only part K of N of the files, to split the work among N processes")
      .check(Check([](std::string& text) {
        return sinew::batch::parse_shard(text) ? std::string() : fmt::format("\"{}\" is not a part such as 1/8", text);
      }))
      .type_name("K/N")
      .group(group);
  command.add_flag("--jsonl", many.jsonl, "Write one line of JSON per file, for sinew summarize (see docs/scale.md)").group(group);
  command.add_flag("--if-changed", many.if_changed, "Skip files whose content and options have not changed since the last run")
      .group(group);
}

std::optional<sinew::Error> run_in_time(const std::filesystem::path& file, const std::function<void()>& work) {
  try {
    work();
    return std::nullopt;
  } catch (const sinew::Interrupted& interrupted) {
    auto met = interrupted.error();
    name_file(met, file);
    return met;
  } catch (tl::bad_expected_access<sinew::Error>& failed) {  // of `need`
    name_file(failed.error(), file);
    return std::move(failed.error());
  }
}

void name_file(sinew::Error& error, const std::filesystem::path& file) {
  if (is_limit(error.failure) && error.place.file.empty()) error.place.file = file.string();
}

Outcome failed(sinew::Error error) {
  Outcome outcome;
  outcome.did = Did::failed;
  outcome.status = exit_status(error);
  outcome.error = std::move(error);
  return outcome;
}

void warn_of_links(const sinew::batch::List& list, const Terminal& terminal) {
  for (const auto& [folder, links] : list.outside)
    terminal.warn(fmt::format("{}: left out {}; to follow {}, add --allow-outside", folder.string(),
                              count_of(links, "link that leads out of the folder", "links that lead out of the folder"),
                              links == 1 ? "it" : "them"));
}

Share share_of(const std::vector<std::string>& paths, const Many& many, const Common& common) {
  const auto order = many.any() ? sinew::batch::Order::sorted : sinew::batch::Order::named;
  return share_of(need(sinew::batch::list_models(paths, order, common.allow_outside)), many, common);
}

Share share_of(sinew::batch::List list, const Many& many, const Common& common) {
  Share share;
  share.total = list.items.size();
  share.many = list.many || many.any();
  share.unreadable = std::move(list.unreadable);
  warn_of_links(list, common.terminal);
  for (const auto& folder : list.empty) {
    const bool links = std::ranges::find(list.outside, folder, &decltype(list.outside)::value_type::first) != list.outside.end();
    share.unreadable.push_back({sinew::Failure::input,
                                "IO_ERROR",
                                {folder.string(), {}, {}},
                                links ? no_model + "; add --allow-outside to follow links that lead out of it" : std::string(no_model)});
  }
  for (const sinew::Error& error : share.unreadable) share.status = std::max(share.status, common.terminal.fail(error));
  share.items = many.shard ? need(sinew::batch::share_of(list.items, *many.shard)) : std::move(list.items);
  return share;
}

std::string counted(const std::array<std::uint64_t, 4>& counts) {
  constexpr std::array<std::string_view, 4> nouns = {"error", "warning", "info", "hint"};
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) parts.push_back(fmt::format("{} {}{}", counts[i], nouns[i], counts[i] == 1 ? "" : "s"));
  return joined(parts, ", ");
}

int run_many(const Command& command, const Share& share, const Many& many, const Common& common, const std::string& output,
             const std::function<Outcome(std::size_t)>& work) {
  const Terminal& terminal = common.terminal;
  auto lines = sinew::batch::LineWriter::create(output);
  if (!lines) return terminal.fail(lines.error());
  std::vector<Outcome> outcomes(share.items.size());
  std::map<Did, std::size_t> did;
  sinew::Result<> written;
  int status = share.status;
  {
    Progress progress(terminal, command.name(), outcomes.size());
    const auto emit = [&](std::size_t i) {
      const Outcome outcome = std::exchange(outcomes[i], {});
      const Item& item = share.items[i];
      if (outcome.error) terminal.fail(*outcome.error);
      if (outcome.did == Did::refused) fail_findings(outcome.talk, terminal);
      if (many.jsonl && written)
        written = lines->write(
            printable_lines(need(sinew::batch::to_json_line({command.name(), &item, share.total, many.shard.value_or(sinew::batch::Shard{}),
                                                             outcome.did, outcome.status, outcome.key, outcome.result, outcome.error}))));
      if (!many.jsonl) tell(item, outcome, common);
      status = std::max(status, outcome.status);
      ++did[outcome.did];
      progress.step(i + 1);
    };
    const auto work_in_time = [&](std::size_t i) {
      if (auto late = run_in_time(share.items[i].path, [&] { outcomes[i] = work(i); })) outcomes[i] = failed(*std::move(late));
      if (outcomes[i].error) name_file(*outcomes[i].error, share.items[i].path);
    };
    need(sinew::batch::in_order(outcomes.size(), common.threads, work_in_time, emit));
  }
  if (written) written = lines->finish();
  if (!written) return std::max(status, terminal.fail(written.error()));
  terminal.talk("{} file{}{}{}", share.items.size(), share.items.size() == 1 ? "" : "s", did.empty() ? "" : ": ", sum_of(did));
  return status;
}

int read_many(const Command& command, const Share& share, const Many& many, const Common& common, const std::string& output,
              const std::function<Outcome(const std::filesystem::path&)>& make) {
  if (!many.if_changed) return run_many(command, share, many, common, output, [&](std::size_t i) { return make(share.items[i].path); });
  if (output.empty() || output == "-")
    return common.terminal.fail(usage_error("--if-changed needs --output: the file with the results of the last run"));
  const auto earlier = sinew::batch::Earlier::read(output, command.name());
  if (!earlier) return common.terminal.fail(earlier.error());
  const std::string options = options_text(command);
  const sinew::document::OpenOptions open = common.load_options().open;
  return run_many(command, share, many, common, output, [&](std::size_t i) -> Outcome {
    const std::filesystem::path& path = share.items[i].path;
    const auto key = sinew::batch::content_key(path, options, open);
    if (!key) return make(path);  // unreadable: the command reports it
    if (const auto* known = earlier->find(path.string(), *key)) return {Did::unchanged, known->status, *key, known->result, {}, {}, {}};
    Outcome outcome = make(path);
    outcome.key = *key;
    return outcome;
  });
}

int write_many(const Command& command, const std::vector<std::string>& paths, const Many& many, const Common& common,
               const std::string& folder, const std::string& extension, const std::vector<std::string>& endings,
               const std::function<Outcome(const std::filesystem::path&, const std::filesystem::path&)>& write) {
  sinew::batch::List list = need(sinew::batch::list_models(paths, sinew::batch::Order::sorted, common.allow_outside));
  // Checks the outputs of all shards, so that all shards fail in the same way.
  const auto outputs = outputs_of(list, paths, folder, extension);
  if (!outputs) return common.terminal.fail(outputs.error());
  std::vector<std::filesystem::path> files = *outputs;
  for (const std::filesystem::path& to : *outputs)
    for (const std::string& ending : endings) files.push_back(to.parent_path() / (to.stem().string() + ending));
  const sinew::document::OpenOptions open = common.load_options().open;
  if (const auto fine = sinew::batch::check_outputs(paths, files, open); !fine) return common.terminal.fail(fine.error());
  const Share share = share_of(std::move(list), many, common);
  const std::string options = options_text(command);
  const auto work = [&](std::size_t i) -> Outcome {
    const std::filesystem::path& from = share.items[i].path;
    const std::filesystem::path& to = (*outputs)[share.items[i].number - 1];
    std::string key;
    if (many.if_changed) {
      // The extension of the output counts as an option: the record's name contains it.
      if (auto made = sinew::batch::content_key(from, options, open)) key = std::move(*made);
      if (auto record = key.empty() ? std::nullopt : need(sinew::batch::find_record(to, key, open)))
        return {Did::unchanged, Exit::done, key, std::move(record->result), {}, {}, fmt::format("{}: up to date", to.string())};
    }
    std::error_code unknown;
    std::filesystem::create_directories(to.parent_path(), unknown);  // if this fails, writing fails and reports it
    Outcome outcome = write(from, to);
    outcome.key = key;
    const sinew::Deadline unlimited(0);  // the file is written
    if (outcome.did == Did::written && !key.empty())
      if (const auto saved = sinew::batch::save_record(to, key, outcome.result, outcome.beside, open); !saved) return failed(saved.error());
    return outcome;
  };
  return run_many(command, share, many, common, {}, work);
}

std::string options_text(const Command& command) {
  constexpr std::array<std::string_view, 3> common_ones = {"--scene", "--force", "--allow-outside"};
  std::string text = command.name();
  for (const GivenOption& option : command.given()) {
    const bool matters =
        option.group == "Options" ? option.name != "--output" : std::ranges::find(common_ones, option.name) != common_ones.end();
    if (matters && !option.argument) text += fmt::format("\n{} {}", option.name, joined(option.values, " "));
  }
  return text;
}

}  // namespace app

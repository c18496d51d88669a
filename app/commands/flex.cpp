// SPDX-License-Identifier: MIT
#include "sinew/flex.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "command.hpp"
#include "console/joined.hpp"
#include "console/need.hpp"
#include "console/number.hpp"
#include "many.hpp"
#include "page.hpp"
#include "page_output.hpp"
#include "posing.hpp"
#include "reports/flex_report.hpp"
#include "usage_error.hpp"

#include "sinew/deadline.hpp"
#include "sinew/play.hpp"
#include "sinew/render.hpp"
#include "sinew/validate.hpp"

namespace app {

namespace {

using sinew::Severity;
using sinew::operations::FlexFinding;
using sinew::operations::FlexKind;

enum class FlexFormat : std::uint8_t { text, json, sarif };

struct FlexOptions {
  std::vector<std::string> paths;
  std::string animation = "all", fail_on = "warning", pictures, page;
  Many many;
  FlexFormat format = FlexFormat::text;
  bool json = false;
  std::optional<std::string> names;
  sinew::operations::FlexOptions how;
};

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::string all_kinds() {
  std::vector<std::string> names;
  for (const auto& row : sinew::operations::flex_kinds()) {
    std::string name(row.code.substr(5));
    for (char& c : name) c = static_cast<char>(c - 'A' + 'a');
    names.push_back(std::move(name));
  }
  return joined(names, ", ");
}

std::string unknown_kind(const std::string& word) { return fmt::format("unknown kind \"{}\"; expected one of {}", word, all_kinds()); }

/// Returns whether findings fail the run.
bool fails(const FlexFinding& finding, const std::string& fail_on) {
  if (fail_on == "none") return false;
  if (fail_on == "any") return true;
  if (fail_on == "error" || fail_on == "warning") return finding.severity <= (fail_on == "error" ? Severity::error : Severity::warning);
  return finding.kind == sinew::operations::find_flex_kind(fail_on);
}

/// Replaces what file names cannot contain everywhere.
std::string file_name(std::string name) {
  for (char& c : name)
    if (std::string_view("/\\:*?\"<>|%").find(c) != std::string_view::npos || static_cast<unsigned char>(c) < 32) c = '_';
  if (name.size() > 80) name.resize(80);
  return name;
}

sinew::Result<> draw(const sinew::Model& model, FlexedFile& file, const FlexOptions& options, const std::filesystem::path& folder) {
  std::set<std::string> used;
  for (std::size_t i = 0; i < file.report.findings.size(); ++i) {
    const FlexFinding& finding = file.report.findings[i];
    if (finding.severity > Severity::warning) continue;  // where nothing moves there is nothing to mark, but a model to see
    const std::string shape = finding.pose.shapes.empty() ? "" : finding.pose.shapes.front().first;
    const std::string base = file_name(fmt::format("{}-{}", finding.code, file.joints[i].empty() ? shape : file.joints[i]));
    std::string name = base + ".png";
    for (int n = 2; !used.insert(name).second; ++n) name = fmt::format("{}-{}.png", base, n);
    auto picture = sinew::show::draw_finding(model, finding, options.how);
    if (!picture) return sinew::Unexpected(std::move(picture.error()));
    std::error_code unknown;
    if (used.size() == 1) std::filesystem::create_directories(folder, unknown);  // if this fails, writing fails and reports it
    if (auto written = sinew::show::write_picture(*picture, folder / name, sinew::OutputName::made); !written) return written;
    file.pictures[i] = name;
  }
  return {};
}

sinew::Result<sinew::operations::FlexOptions> options_for(const sinew::Model& model, const FlexOptions& options, const Common& common) {
  if (auto fine = check_revision(model, common); !fine) return sinew::Unexpected(std::move(fine.error()));
  sinew::operations::FlexOptions how = options.how;
  const auto scene = scene_of(model, common);
  if (!scene) return sinew::Unexpected(scene.error());
  if (auto fits = check_scene_memory(model, *scene, common); !fits) return sinew::Unexpected(std::move(fits.error()));
  how.scene = *scene;
  how.names = options.names.has_value();
  if (options.animation == "all") return how;
  how.clips.emplace();
  if (options.animation == "none") return how;
  const auto clip = find_clip(options.animation, model);
  if (!clip) return sinew::Unexpected(clip.error());
  how.clips->push_back(*clip);
  return how;
}

/// The page that --page writes, with a place for each file.
struct PageOfFiles {
  std::optional<sinew::show::PageFile> file;  ///< empty: none was asked for, or it cannot be written any more
  bool broken = false;
};

sinew::Result<> add_to_page(const std::string& name, const sinew::Model& model, const sinew::operations::FlexOptions& how,
                            const sinew::operations::FlexReport& report, const Common& common, PageOfFiles& page) {
  sinew::show::ViewOptions what;
  what.scene = how.scene;
  what.threads = how.threads;
  what.base = model.rest_pose;
  what.flex = &report;
  what.note = [&](const sinew::Error& note) { common.terminal.warn(note); };
  auto added = page.file->add(name, model, what);
  page.broken = !added;
  return added;
}

/// Where the results of a file go, besides the report.
struct Destination {
  std::filesystem::path folder;  ///< of its pictures
  std::string name;              ///< in the page
  PageOfFiles* page = nullptr;
};

sinew::Result<FlexedFile> bend(const std::filesystem::path& path, const FlexOptions& options, const Common& common, unsigned threads,
                               const Destination& to) {
  auto loaded = load(path.string(), common);
  if (!loaded) return sinew::Unexpected(std::move(loaded.error()));
  auto how = options_for(loaded->model, options, common);
  if (!how) return sinew::Unexpected(std::move(how.error()));
  how->threads = threads;
  auto report = options.many.jsonl ? sinew::operations::flex(loaded->model, *how) : bend_with_progress(loaded->model, *how, common);
  if (!report) return sinew::Unexpected(std::move(report.error()));
  FlexedFile out = flexed_file(path.string(), loaded->model, std::move(*report));
  if (!options.pictures.empty()) {
    FlexOptions drawn = options;
    drawn.how = *how;
    if (auto done = draw(loaded->model, out, drawn, to.folder); !done) return sinew::Unexpected(std::move(done.error()));
    if (std::ranges::all_of(out.pictures, &std::string::empty))
      common.terminal.talk("{}: no error and no warning, so there is no picture", path.string());
  }
  if (to.page != nullptr && to.page->file)
    if (auto done = add_to_page(to.name, loaded->model, *how, out.report, common, *to.page); !done)
      return sinew::Unexpected(std::move(done.error()));
  return out;
}

std::filesystem::path folder_of(const sinew::batch::Item& item, const Share& files, const FlexOptions& options) {
  std::filesystem::path folder = options.pictures;
  if (files.many) folder /= item.below.parent_path() / item.below.filename();
  return folder;
}

bool found_in(const FlexedFile& file, const FlexOptions& options) {
  return std::ranges::any_of(file.report.findings, [&](const FlexFinding& finding) { return fails(finding, options.fail_on); });
}

int print_flexed(const std::vector<FlexedFile>& done, const Share& files, const FlexOptions& options, const Common& common) {
  std::string text;
  switch (options.format) {
    case FlexFormat::text:
      for (const FlexedFile& file : done)
        text += flex_text(file, [&](const FlexFinding& finding) { return fails(finding, options.fail_on); }, common.terminal);
      break;
    case FlexFormat::json: {
      Json list = Json::array();
      for (const FlexedFile& file : done) list.push_back(flex_json(file));
      text = files.many || done.empty() ? list.indented() : flex_json(done.front()).indented();
      break;
    }
    case FlexFormat::sarif: {
      std::vector<sinew::validate::Report> reports;
      for (const FlexedFile& file : done) reports.push_back(flex_findings(file));
      text = need(sinew::validate::to_sarif(reports, files.unreadable)) + "\n";
      break;
    }
  }
  return print_data(text, common.terminal);
}

/// Returns what is wrong with the options for every file.
std::optional<sinew::Error> wrong_outputs(const FlexOptions& options, const Command& command) {
  if (options.json && command.has("--format")) return usage_error("--json and --format cannot be combined");
  if (options.many.jsonl && (options.json || command.has("--format")))
    return usage_error("--jsonl cannot be combined with --json or --format");
  if (options.many.jsonl && !options.page.empty()) return usage_error("--jsonl cannot be combined with --page");
  if (!options.page.empty() && !names_page(options.page))
    return usage_error(fmt::format("{}: --page writes a page; expected .html", options.page));
  std::error_code unknown;
  const auto status = std::filesystem::status(options.pictures, unknown);
  if (!options.pictures.empty() && std::filesystem::exists(status) && !std::filesystem::is_directory(status))
    return sinew::Error{
        sinew::Failure::output, {}, {}, fmt::format("--output {}: is a file, expected a folder for pictures", options.pictures)};
  return options.page.empty() ? std::nullopt : why_no_page();
}

int finish_page(PageOfFiles& page, const FlexOptions& options, const Common& common) {
  auto made = page.file->finish();
  if (!made) return common.terminal.fail(made.error());
  tell_of_page(options.page, *made, common);
  return Exit::done;
}

/// The name of a file for the reader of a page, who should not learn in which folder it was.
std::string name_in_page(const sinew::batch::Item& item, const Share& files) {
  return files.many ? item.below.string() : item.path.filename().string();
}

int run_flex(FlexOptions& options, const Common& common, const Command& command) {
  if (options.json) options.format = FlexFormat::json;
  if (auto wrong = wrong_outputs(options, command)) return common.terminal.fail(*wrong);
  Share files = share_of(options.paths, options.many, common);
  if (options.many.jsonl)
    return read_many(command, files, options.many, common, {}, [&](const std::filesystem::path& path) -> Outcome {
      const auto item = std::ranges::find(files.items, path, &sinew::batch::Item::path);
      const auto done = bend(path, options, common, 1, {folder_of(*item, files, options), {}, nullptr});
      if (!done) return failed(done.error());
      Outcome outcome;
      outcome.result = flex_json(*done).text();
      outcome.status = found_in(*done, options) ? Exit::findings : Exit::done;
      return outcome;
    });
  PageOfFiles page;
  if (!options.page.empty()) {  // before the work, which may take long
    auto made = sinew::show::PageFile::create(std::string(app::page), page_options(common), options.page);
    if (!made) return common.terminal.fail(made.error());
    page.file = std::move(*made);
  }
  std::vector<FlexedFile> done;
  for (const sinew::batch::Item& item : files.items) {
    std::optional<sinew::Result<FlexedFile>> one;
    if (auto late = run_in_time(item.path, [&] {
          const sinew::Deadline deadline(common.max_seconds);
          one = bend(item.path, options, common, common.threads, {folder_of(item, files, options), name_in_page(item, files), &page});
        }))
      one = sinew::Unexpected(std::move(*late));
    if (*one) {
      if (found_in(**one, options)) files.status = std::max<int>(files.status, Exit::findings);
      done.push_back(std::move(**one));
      continue;
    }
    if (page.file && !page.broken) need(page.file->add_missing(name_in_page(item, files), "could not be checked"));
    if (page.broken) page.file.reset();
    name_file(one->error(), item.path);
    files.status = std::max(files.status, common.terminal.fail(one->error()));
    files.unreadable.push_back(std::move(one->error()));
  }
  if (page.file && !done.empty()) files.status = std::max(files.status, finish_page(page, options, common));
  if (done.empty() && !files.many && options.format != FlexFormat::sarif) return files.status;
  return std::max(print_flexed(done, files, options, common), files.status);
}

void add_choices(Command command, FlexOptions& options) {
  command
      .add_text(
          "--angles",
          [&options](const std::string& text) {
            options.how.angles.clear();
            for (const std::string& word : words_of(text)) options.how.angles.push_back(*number_in<double>(word));
          },
          "Turn joints by these angles in degrees, each above 0 and at most 180 (default: 45,90)")
      .type_name("DEG[,DEG…]")
      .check(Check([](std::string& text) {
        for (const std::string& word : words_of(text)) {
          const auto angle = number_in<double>(word);
          if (!angle || !(*angle > 0 && *angle <= 180)) return fmt::format("\"{}\" is not an angle above 0 and at most 180", word);
        }
        return std::string();
      }));
  command
      .add_text(
          "--kinds",
          [&options](const std::string& text) {
            for (const std::string& word : words_of(text)) options.how.kinds.push_back(*sinew::operations::find_flex_kind(word));
          },
          "Look only for these kinds: " + all_kinds() + " (default: all)")
      .type_name("LIST")
      .check(Check([](std::string& text) {
        for (const std::string& word : words_of(text))
          if (!sinew::operations::find_flex_kind(word)) return unknown_kind(word);
        return std::string();
      }));
  command
      .add_option("--fail-on", options.fail_on,
                  "Exit with status 1 if there is a finding of this kind, or of this severity or a higher one: error, warning, any or none "
                  "(default: warning)")
      .type_name("KIND|error|warning|any|none")
      .check(Check([](std::string& text) {
        const bool known =
            text == "error" || text == "warning" || text == "any" || text == "none" || sinew::operations::find_flex_kind(text);
        return known ? std::string()
                     : fmt::format("\"{}\" is no severity; expected error, warning, any, none or one of {}", text, all_kinds());
      }));
}

}  // namespace

Run add_flex(Command command, Common& common) {
  auto options = std::make_shared<FlexOptions>();
  common.files.reads(options->paths);
  common.files.writes(options->page);
  command.add_option("IN", options->paths, "Models, or folders to search for models; - reads standard input").check(not_empty()).required();
  command
      .add_option("--animation", options->animation,
                  "Animation by name or index; all: every animation (default); none: only stress poses and blend shapes")
      .type_name("NAME|INDEX|all|none")
      .check(not_empty());
  add_choices(command, *options);
  add_choice<std::optional<std::string>>(command, "--names", options->names, {{"auto", std::string("auto")}},
                                         "auto: know the bones of a humanoid by their names, and turn them as far as people can (default: "
                                         "only if the file lists the bones)",
                                         "auto");
  add_choice<FlexFormat>(command, "--format", options->format,
                         {{"text", FlexFormat::text}, {"json", FlexFormat::json}, {"sarif", FlexFormat::sarif}},
                         "Set the format of the report: text, json or sarif (default: text)", "FORMAT");
  command.add_flag("--json", options->json, "Write JSON; the same as --format json");
  command
      .add_option("-o,--output", options->pictures,
                  "Write a picture of each error and warning into this folder; several files: into a folder for each")
      .type_name("PICTURES")
      .check(not_empty());
  command
      .add_option(
          "--page", options->page,
          "Write one page that lists the findings, plays the worst poses and marks the places; several files: the reader chooses one")
      .type_name("PAGE.html")
      .check(not_empty());
  add_revision(command, common);
  add_many(command, options->many);
  command.remove_option("--if-changed");  // --output has another meaning
  return [options, &common, command] { return run_flex(*options, common, command); };
}

}  // namespace app

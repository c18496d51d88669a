// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>

#include "command.hpp"
#include "console/joined.hpp"
#include "console/json.hpp"

#include "sinew/result.hpp"

namespace app {

namespace {

using sinew::CatalogueRow;
using sinew::Explanation;

enum class ExplainFormat : std::uint8_t { text, json, markdown };

struct ExplainOptions {
  std::vector<std::string> codes, words;
  bool all = false;
  bool limits = false;
  ExplainFormat format = ExplainFormat::text;
};

/// Returns the message without its arguments: "found …, expected …". Empty if it is only an argument.
std::string message_of(const CatalogueRow& row) {
  std::string text;
  for (std::string_view rest = row.message; !rest.empty();) {
    const std::size_t brace = rest.find_first_of("{}");
    text += rest.substr(0, brace);
    if (brace == std::string_view::npos) break;
    rest.remove_prefix(brace);
    if (rest.starts_with("{{") || rest.starts_with("}}")) {
      text += rest[0];
      rest.remove_prefix(2);
    } else {
      text += "…";
      rest.remove_prefix(std::min(rest.size(), rest.find('}')) + 1);
    }
  }
  return text == "…" ? std::string() : text;
}

const Explanation& explanation_of(const CatalogueRow& row) { return *sinew::explain(row.code); }

Json to_json(const CatalogueRow& row) {
  Json out{{"code", row.code}, {"severity", to_string(row.severity)}, {"message", row.message}};
  const Explanation& known = explanation_of(row);
  out.add("formats", known.formats);
  out.add("why", known.why);
  out.add("mend", known.mend);
  if (const auto command = sinew::fix_of(row.code); !command.empty()) out.add("command", command);
  out.add("source", known.source);
  if (!known.unchecked.empty()) out.add("unchecked", known.unchecked);
  return out;
}

/// Formats "  Name  text", with line breaks between words.
std::string paragraph(std::string_view name, std::string_view text, const Terminal& terminal) {
  constexpr std::size_t width = 100;
  constexpr std::size_t indent = 14;
  if (text.empty()) return {};
  std::string out = "  " + terminal.dim(fmt::format("{:<{}}", name, indent - 2));
  std::size_t column = indent;
  for (bool first = true; !text.empty(); first = false) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (!first && column + 1 + end > width) {
      out += fmt::format("\n{:{}}", "", indent);
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + "\n";
}

std::string to_text(const CatalogueRow& row, const Terminal& terminal) {
  std::string text = fmt::format("{}  {}\n", terminal.bold(row.code), terminal.colored(to_string(row.severity), row.severity));
  text += paragraph("message", message_of(row), terminal);
  const Explanation& known = explanation_of(row);
  text += paragraph("formats", known.formats, terminal);
  text += paragraph("why", known.why, terminal);
  text += paragraph("fix", known.mend, terminal);
  text += paragraph("command", sinew::fix_of(row.code), terminal);
  text += paragraph("source", known.source, terminal);
  text += paragraph("not checked", known.unchecked, terminal);
  return text;
}

std::string to_markdown(const CatalogueRow& row) {
  std::string text = fmt::format("### {}\n\n*{}*", row.code, to_string(row.severity));
  if (const std::string message = message_of(row); !message.empty()) text += fmt::format(" · “{}”", message);
  text += "\n\n";
  const Explanation& known = explanation_of(row);
  text += fmt::format("{} {}\n\n", known.why, known.mend);
  if (!known.unchecked.empty()) text += fmt::format("Not checked: {}\n\n", known.unchecked);
  text += fmt::format("*{}*\n\n", known.source);
  return text;
}

/// A chapter of the page: the findings whose formats start with its key.
struct Chapter {
  std::string_view key;
  std::string_view title;
};
constexpr std::array<Chapter, 7> chapters = {{{"glTF", "glTF 2.0"},
                                              {"STAIK_skeletons", "STAIK_skeletons"},
                                              {"G4MF", "G4MF"},
                                              {"VRM", "VRM"},
                                              {"KHR_character", "KHR_character"},
                                              {"any model", "Any model"},
                                              {"", "The program and its limits"}}};

const Chapter& chapter_of(const CatalogueRow& row) {
  const std::string_view formats = explanation_of(row).formats;
  return *std::ranges::find_if(chapters, [&](const Chapter& chapter) { return formats.starts_with(chapter.key); });
}

std::string to_markdown(const std::vector<const CatalogueRow*>& rows) {
  std::string text =
      "# Findings\n\n"
      "<!-- Written by `sinew explain --all --format markdown`: edit the explanations, not this page. -->\n\n"
      "Every finding of `sinew validate`: why it matters and how to fix it. `sinew explain CODE` prints the same text.\n\n";
  for (const Chapter& chapter : chapters) {
    std::string found;
    for (const CatalogueRow* row : rows)
      if (&chapter_of(*row) == &chapter) found += to_markdown(*row);
    if (!found.empty()) text += fmt::format("## {}\n\n{}", chapter.title, found);
  }
  text.pop_back();
  return text;
}

std::string written(const std::vector<const CatalogueRow*>& rows, const ExplainOptions& options, const Terminal& terminal) {
  switch (options.format) {
    case ExplainFormat::text:
      break;
    case ExplainFormat::json: {
      if (rows.size() == 1 && !options.all && options.words.empty()) return to_json(*rows.front()).indented();
      Json list = Json::array();
      for (const CatalogueRow* row : rows) list.push_back(to_json(*row));
      return list.indented();
    }
    case ExplainFormat::markdown:
      return to_markdown(rows);
  }
  std::string text;
  for (const CatalogueRow* row : rows) text += fmt::format("{}{}", text.empty() ? "" : "\n", to_text(*row, terminal));
  return text;
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// Returns the rows whose code, message or explanation contains all words, in any case.
std::vector<const CatalogueRow*> search(const std::vector<std::string>& words) {
  std::vector<const CatalogueRow*> found;
  for (const CatalogueRow& row : sinew::all_codes()) {
    const Explanation& known = explanation_of(row);
    const std::string text =
        in_lower_case(fmt::format("{}\n{}\n{}\n{}\n{}\n{}", row.code, row.message, known.formats, known.why, known.mend, known.source));
    if (std::ranges::all_of(words, [&](const std::string& word) { return text.find(in_lower_case(word)) != std::string::npos; }))
      found.push_back(&row);
  }
  return found;
}

/// Formats one line per row: code, severity, message.
std::string lines_of(const std::vector<const CatalogueRow*>& rows, const Terminal& terminal) {
  std::string text;
  for (const CatalogueRow* row : rows)
    text +=
        fmt::format("{}  {}  {}\n", terminal.bold(row->code), terminal.colored(to_string(row->severity), row->severity), message_of(*row));
  return text;
}

int run_search(const ExplainOptions& options, const Common& common) {
  const std::vector<const CatalogueRow*> rows = search(options.words);
  if (rows.empty()) return fail_findings(fmt::format("no finding contains \"{}\"", joined(options.words, "\" and \"")), common.terminal);
  const bool text = options.format == ExplainFormat::text;
  return print_data(text ? lines_of(rows, common.terminal) : written(rows, options, common.terminal), common.terminal);
}

std::string in_words(const sinew::LimitRow& row, std::uint64_t value) {
  if (!row.bytes) return fmt::format("{}", value);
  return value % (1 << 30) == 0 ? fmt::format("{} GiB", value >> 30) : fmt::format("{} bytes", value);
}

std::string option_of(const sinew::LimitRow& row) {
  return row.name == "memory" ? "--max-memory SIZE" : fmt::format("--limit {}={}", row.name, row.bytes ? "SIZE" : "N");
}

std::string written_limits(ExplainFormat format, const Terminal& terminal) {
  const sinew::Limits usual;
  Json list = Json::array();
  std::string text = format == ExplainFormat::markdown ? "| limit | default | option | reported as |\n|---|---|---|---|\n" : "";
  const auto add = [&](std::string_view name, std::string_view what, const Json& number, std::string_view value, std::string_view option,
                       std::string_view code) {
    list.push_back({{"name", name}, {"what", what}, {"default", number}, {"option", option}, {"code", code}});
    if (format == ExplainFormat::markdown)
      text += fmt::format("| {} | {} | `{}` | `{}` |\n", what, value, option, code);
    else
      text += fmt::format("{:<22}  {:>10}  {} {}\n", option, value, what, terminal.dim(fmt::format("({})", code)));
  };
  for (const sinew::LimitRow& row : sinew::all_limits())
    add(row.name, row.what, usual.*row.member, in_words(row, usual.*row.member), option_of(row), row.code);
  add("seconds", "time for each file", nullptr, "none", "--max-seconds S", "SINEW_DEADLINE");
  return format == ExplainFormat::json ? list.indented() : text;
}

int run_explain(const ExplainOptions& options, const Common& common) {
  if (!options.words.empty()) return run_search(options, common);
  std::vector<const CatalogueRow*> rows;
  if (options.all)
    for (const CatalogueRow& row : sinew::all_codes()) rows.push_back(&row);
  for (const std::string& code : options.codes) rows.push_back(sinew::find_code(code));
  if (rows.empty() && !options.limits)
    return common.terminal.fail(usage_error("expected the code of a finding, or --all (see sinew explain --help)"));
  const std::string text = options.limits ? written_limits(options.format, common.terminal) : written(rows, options, common.terminal);
  return print_data(text, common.terminal);
}

/// Same as known_code, with a hint on how to find a code.
Check code_or_search() {
  return Check(
      [known = known_code()](std::string& code) {
        std::string fault = known.fault(code);
        if (!fault.empty() && !search({code}).empty()) fault += fmt::format("; `sinew explain --search {}` lists findings about it", code);
        return fault;
      },
      std::string(any_code));
}

}  // namespace

Run add_explain(Command command, Common& common) {
  auto options = std::make_shared<ExplainOptions>();
  const auto codes =
      command.add_option("CODE", options->codes, "Codes of findings, as sinew validate prints them").transform(code_or_search());
  const auto all = command.add_flag("--all", options->all, "Print all findings").excludes(codes);
  const auto words =
      command.add_option("--search", options->words, "List the findings whose code, message or explanation contains all words")
          .type_name("WORD")
          .check(not_empty())
          .excludes(codes)
          .excludes(all);
  command.add_flag("--limits", options->limits, "Print the limits on what a file may use, and the options that change them")
      .excludes(codes)
      .excludes(all)
      .excludes(words);
  add_choice<ExplainFormat>(command, "--format", options->format,
                            {{"text", ExplainFormat::text}, {"json", ExplainFormat::json}, {"markdown", ExplainFormat::markdown}},
                            "Set the output format: text, json or markdown (default: text)", "FORMAT");
  return [options, &common] { return run_explain(*options, common); };
}

}  // namespace app

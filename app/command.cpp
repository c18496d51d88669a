// SPDX-License-Identifier: MIT
#include "command.hpp"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

#include "console/joined.hpp"
#include "console/need.hpp"
#include "console/number.hpp"
#include "console/sizes.hpp"

namespace app {

namespace {

// Replaces a size by its number of bytes. Returns an error message, or an empty text.
std::string size_in_bytes(std::string& text) {
  const auto bytes = parse_size(text);
  if (!bytes) return fmt::format("\"{}\" is not a size; expected 1 byte to less than 16E, for example 512M or 2G", text);
  text = std::to_string(*bytes);
  return {};
}

// Returns the limit of that name, or an error message.
tl::expected<const sinew::LimitRow*, std::string> limit_named(const std::string& name) {
  std::vector<std::string_view> known;
  for (const sinew::LimitRow& row : sinew::all_limits()) {
    if (row.name == name) return &row;
    known.push_back(row.name);
  }
  const auto near = need(sinew::nearest_name(name, known));
  return tl::unexpected(fmt::format("--limit: unknown limit \"{}\"; expected {}{}", name, joined(known, ", "),
                                    near ? fmt::format("; did you mean {}?", *near) : ""));
}

// Parses "json_depth=1000" or "memory=4G". Returns an error message, or an empty text.
std::string set_limits(const std::vector<std::string>& texts, sinew::Limits& limits) {
  for (const std::string& text : texts) {
    const std::size_t sign = text.find('=');
    const auto named = limit_named(text.substr(0, sign));
    if (!named) return named.error();
    const sinew::LimitRow& row = **named;
    std::string value = sign == std::string::npos ? std::string() : text.substr(sign + 1);
    if (row.bytes)
      if (const std::string fault = size_in_bytes(value); !fault.empty()) return "--limit " + text + ": " + fault;
    const auto number = number_in<std::uint64_t>(value);
    if (!number || *number == 0 || *number > row.most)
      return fmt::format("--limit {}: expected {}=N, a whole number from 1{}", text, row.name,
                         row.most == std::numeric_limits<std::uint64_t>::max() ? "" : fmt::format(" to {}", row.most));
    limits.*row.member = *number;
  }
  return {};
}

}  // namespace

sinew::io::LoadOptions Common::load_options() const {
  sinew::io::LoadOptions options;
  options.open.limits = limits;
  options.open.allow_outside = allow_outside;
  options.force = force;
  options.revision = revision;
  return options;
}

Check between(std::int64_t least, std::int64_t most) {
  return Check([least, most](std::string& text) {
    const auto value = number_in<std::int64_t>(text);
    return value && *value >= least && *value <= most ? std::string()
                                                      : fmt::format("\"{}\" is not a whole number from {} to {}", text, least, most);
  });
}

Check not_empty() {
  return Check([](std::string& text) { return text.empty() ? std::string("the value is empty") : std::string(); });
}

Check known_code() {
  return Check(
      [](std::string& code) {
        std::string upper = code;  // as all codes are
        for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        if (sinew::find_code(upper)) {
          code = std::move(upper);
          return std::string();
        }
        std::vector<std::string_view> known;
        for (const sinew::CatalogueRow& row : sinew::all_codes()) known.push_back(row.code);
        const auto near = need(sinew::nearest_name(upper, known));
        return fmt::format("unknown finding code \"{}\"; {}", code,
                           near ? fmt::format("did you mean {}?", *near) : "`sinew explain --all` lists all codes");
      },
      std::string(any_code));
}

Check finite_number() {
  return Check([](std::string& text) { return number_in<double>(text) ? std::string() : "\"" + text + "\" is not a finite number"; });
}

void add_common(Command command, Common& common) {
  const char* group = "Common options";
  command.add_option("--scene", common.scene, "Use the scene with this index (default: the file's default scene)")
      .type_name("N")
      .check(between(0, std::numeric_limits<std::int32_t>::max()))
      .group(group);
  command.add_option("--threads", common.threads, "Use N threads (default: all cores)").type_name("N").check(between(0, 1024)).group(group);
  command.add_option("--max-memory", common.limits.memory, "Limit the memory for decoded data, for example 512M or 4G (default: 2G)")
      .type_name("SIZE")
      .transform(Check(size_in_bytes))
      .group(group);
  command
      .add_option("--max-seconds", common.max_seconds, "Limit the time for each file to S seconds, for example 0.5 or 60 (default: none)")
      .type_name("S")
      .check(positive())
      .group(group);
  command
      .add_list(
          "--limit", [&common](const std::vector<std::string>& texts) { return set_limits(texts, common.limits); },
          "Change another limit on what a file may use; sinew explain --limits lists them; repeatable")
      .type_name("NAME=N")
      .one_each()
      .group(group);
  command.add_flag("--allow-outside", common.allow_outside, "Allow the file to use files outside its own folder").group(group);
  command.add_flag("--force", common.force, "Read G4MF files despite certain errors (docs/semantics.md lists them)").group(group);
  add_choice<ColorMode>(command, "--color", common.color,
                        {{"auto", ColorMode::automatic}, {"always", ColorMode::always}, {"never", ColorMode::never}},
                        "Use colours: auto, always or never (default: auto, which respects NO_COLOR)", "WHEN")
      .group(group);
  const auto quiet = command.add_flag("-q,--quiet", common.quiet, "Write only errors").group(group);
  command.add_flag("-v,--verbose", common.verbose, "Write every finding and every step").excludes(quiet).group(group);
}

void add_revision(Command command, std::optional<sinew::g4mf::Revision>& revision, std::string_view help, std::string_view otherwise) {
  std::vector<std::pair<std::string, std::optional<sinew::g4mf::Revision>>> revisions;
  for (std::size_t i = 0; i < std::size(sinew::g4mf::revision_names); ++i)
    revisions.emplace_back(sinew::g4mf::revision_names[i], static_cast<sinew::g4mf::Revision>(i));
  add_choice(command, "--revision", revision, revisions,
             fmt::format("{}: {} (default: {})", help, joined(sinew::g4mf::revision_names, ", "), otherwise), "R");
}

void add_revision(Command command, Common& common) {
  add_revision(command, common.revision, "Read a G4MF file as this revision", "the newest revision whose names occur in it");
}

void print_findings(const sinew::FindingList& findings, const Common& common) {
  if (!common.verbose) return;
  for (const sinew::Finding& finding : findings.list())
    common.terminal.detail("{}: {} {}: {}", to_string(finding.severity), finding.code,
                           finding.offset ? fmt::format("byte {}", *finding.offset) : finding.pointer, finding.message);
}

std::string line_of(const sinew::Finding& change) {
  const std::string_view colon = change.pointer.empty() ? "" : ": ";  // without a pointer: the whole file
  return fmt::format("{}{}{} [{}]", change.pointer, colon, change.message, change.code);
}

namespace {

/// The message without the names and numbers in it; empty if it has no name.
std::string kind_of(const sinew::Finding& change) {
  if (change.message.find('"') == change.message.npos) return {};
  std::string kind(change.code);
  bool quoted = false;
  for (const char c : change.message) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c < '0' || c > '9')) kind += c;
  }
  return kind;
}

}  // namespace

void print_changes(const sinew::FindingList& changes, const Common& common) {
  constexpr std::size_t most = 3;  // of one kind, such as new names for nodes
  std::map<std::string, std::size_t> kinds;
  std::size_t hidden = 0;
  for (const sinew::Finding& change : changes.list()) {
    if (change.severity != sinew::Severity::hint) {
      common.terminal.warn(line_of(change));
      continue;
    }
    const std::string kind = kind_of(change);
    if (common.verbose || kind.empty() || ++kinds[kind] <= most)
      common.terminal.talk("{}", line_of(change));
    else
      ++hidden;
  }
  if (hidden != 0) common.terminal.talk("… and {} more like these (-v lists them)", hidden);
}

int fail_findings(const std::string& message, const Terminal& terminal) {
  terminal.fail_usage(message);  // the same line, with another status
  return Exit::findings;
}

int print_data(std::string_view text, const Terminal& terminal) {
  const std::string shown = printable_lines(text);
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size() && std::fflush(stdout) == 0) return Exit::done;
  return terminal.fail({sinew::Failure::output, "SINEW_OUTPUT", sinew::Place{}, "cannot write to standard output"});
}

sinew::Result<Loaded> load(const std::string& path, const Common& common) {
  Loaded loaded;
  auto model = sinew::io::load(path, common.load_options(), loaded.findings);
  print_findings(loaded.findings, common);
  if (!model) return sinew::Unexpected(model.error());
  loaded.model = std::move(*model);
  return loaded;
}

sinew::Result<sinew::Index> scene_of(const sinew::Model& model, const Common& common) {
  if (common.scene < 0) return sinew::none;
  if (static_cast<std::size_t>(common.scene) < model.scenes.size()) return static_cast<sinew::Index>(common.scene);
  return sinew::Unexpected(
      usage_error(model.scenes.empty() ? "--scene: the file has no scenes"
                                       : fmt::format("--scene {}: the file has scenes 0 to {}", common.scene, model.scenes.size() - 1)));
}

}  // namespace app

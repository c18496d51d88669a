// SPDX-License-Identifier: MIT
// Static Analysis Results Interchange Format (SARIF) 2.1.0, OASIS Standard, 27 March 2020.

#include <algorithm>
#include <map>
#include <string_view>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "document/json/json_writer.hpp"

#include "sinew/result.hpp"
#include "sinew/validate.hpp"

namespace sinew::validate {

namespace {

using document::JsonWriter;

std::string_view level_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::information:
    case Severity::hint:
      break;
  }
  return "note";
}

/// Removes "./" and repeated slashes; keeps "..", because it may follow a link.
std::string plain_path(std::string_view path) {
  std::string plain = path.starts_with('/') ? "/" : "";
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (part.empty() || part == ".") continue;
    plain += part;
    if (!path.empty()) plain += '/';
  }
  return plain;
}

/// A path as a URI reference (RFC 3986).
std::string to_uri(std::string_view named) {
  const std::string path = plain_path(named);
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (plain.find(c) != std::string_view::npos)
      uri += c;
    else
      uri += format_text("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

/// FNV-1a, 64 bits: the same in every run and on every machine.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::string place_of(const Finding& finding) { return finding.offset ? format_text("byte {}", *finding.offset) : finding.pointer; }

void write_text(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key).begin_object();
  json.key("text").string(text);
  json.end_object();
}

class Log {
 public:
  explicit Log(std::span<const Report> reports) : reports_(reports) {
    for (const Report& report : reports)
      for (const Issues* issues : {&report.issues, &report.model_issues})
        for (const Finding& finding : issues->list) rules_.emplace(finding.code, 0);
    std::size_t index = 0;
    for (auto& [code, place] : rules_) place = index++;
  }

  std::string write(std::span<const Error> unreadable) && {
    json_.begin_object();
    json_.key("$schema").string("https://json.schemastore.org/sarif-2.1.0.json");
    json_.key("version").string("2.1.0");
    json_.key("runs").begin_array();
    json_.begin_object();
    write_tool();
    json_.key("columnKind").string("unicodeCodePoints");
    json_.key("invocations").begin_array();
    json_.begin_object();
    json_.key("executionSuccessful").boolean(unreadable.empty());
    write_notifications(unreadable);
    json_.end_object();
    json_.end_array();
    json_.key("results").begin_array();
    for (const Report& report : reports_) write_results(report);
    json_.end_array();
    json_.end_object();
    json_.end_array();
    json_.end_object();
    return std::move(json_).take();
  }

 private:
  void write_tool() {
    json_.key("tool").begin_object();
    json_.key("driver").begin_object();
    json_.key("name").string("Sinew");
    json_.key("version").string(version());
    json_.key("rules").begin_array();
    for (const auto& [code, place] : rules_) write_rule(*find_code(code));
    json_.end_array();
    json_.end_object();
    json_.end_object();
  }

  void write_rule(const CatalogueRow& row) {
    json_.begin_object();
    json_.key("id").string(row.code);
    if (const Explanation* known = explain(row.code)) {
      write_text(json_, "shortDescription", known->why.substr(0, known->why.find(". ")));
      write_text(json_, "fullDescription", known->why);
      write_text(json_, "help", format_text("{} ({})", known->mend, known->source));
    }
    json_.key("defaultConfiguration").begin_object();
    json_.key("level").string(level_of(row.severity));
    json_.end_object();
    json_.end_object();
  }

  void write_notifications(std::span<const Error> unreadable) {
    if (unreadable.empty()) return;
    json_.key("toolExecutionNotifications").begin_array();
    for (const Error& error : unreadable) {
      json_.begin_object();
      json_.key("descriptor").begin_object();
      json_.key("id").string(error.code);
      json_.end_object();
      json_.key("level").string("error");
      write_text(json_, "message", error.message);
      json_.key("locations").begin_array();
      json_.begin_object();
      json_.key("physicalLocation").begin_object();
      write_artifact(error.place.file);
      json_.end_object();
      json_.end_object();
      json_.end_array();
      json_.end_object();
    }
    json_.end_array();
  }

  void write_artifact(std::string_view path) {
    json_.key("artifactLocation").begin_object();
    json_.key("uri").string(to_uri(path));
    json_.end_object();
  }

  void write_results(const Report& report) {
    std::map<std::string, std::size_t> met;  // a repetition at the same place needs another fingerprint
    for (const Issues* issues : {&report.issues, &report.model_issues})
      for (const Finding& finding : issues->list) {
        std::string print = format_text("{} {}", finding.code, place_of(finding));
        if (const std::size_t before = met[print]++; before > 0) print += format_text(" {}", before);
        write_result(report, finding, hash_of(print));
      }
  }

  void write_result(const Report& report, const Finding& finding, std::uint64_t print) {
    json_.begin_object();
    json_.key("ruleId").string(finding.code);
    json_.key("ruleIndex").integer(rules_.at(finding.code));
    json_.key("level").string(level_of(finding.severity));
    write_text(json_, "message", finding.message);
    json_.key("locations").begin_array();
    json_.begin_object();
    json_.key("physicalLocation").begin_object();
    write_artifact(report.uri);
    write_region(report, finding);
    json_.end_object();
    if (!finding.offset) {
      json_.key("logicalLocations").begin_array();
      json_.begin_object();
      json_.key("fullyQualifiedName").string(finding.pointer);
      json_.end_object();
      json_.end_array();
    }
    json_.end_object();
    json_.end_array();
    json_.key("partialFingerprints").begin_object();
    json_.key("codeAndPlace/v1").string(format_text("{:016x}", print));
    json_.end_object();
    json_.end_object();
  }

  // In a binary container, lines count within its JSON text, so the place is given in bytes.
  void write_region(const Report& report, const Finding& finding) {
    const bool text = report.container == document::Container::json;
    const auto byte = finding.offset ? finding.offset : finding.position ? finding.position->byte : std::nullopt;
    if (!finding.position && (text || !byte)) return;
    json_.key("region").begin_object();
    if (const auto& position = finding.position) {
      json_.key("startLine").integer(position->line);
      json_.key("startColumn").integer(position->column);
    }
    if (!text && byte) json_.key("byteOffset").integer(*byte);
    json_.end_object();
  }

  std::span<const Report> reports_;
  std::map<std::string_view, std::size_t> rules_;
  JsonWriter json_;
};

}  // namespace

Result<std::string> to_sarif(std::span<const Report> reports, std::span<const Error> unreadable) SINEW_TRY {
  return Log(reports).write(unreadable);
}
SINEW_CATCH()

}  // namespace sinew::validate

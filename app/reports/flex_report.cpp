// SPDX-License-Identifier: MIT
#include "reports/flex_report.hpp"

#include <algorithm>

#include "reports/not_covered.hpp"

namespace app {

namespace {

using sinew::Severity;
using sinew::operations::FlexFinding;
using sinew::operations::FlexPose;
using sinew::operations::FlexVertex;

Json index_json(sinew::Index index) { return index == sinew::none ? Json() : Json(index); }

Json pose_json(const FlexPose& pose, const std::string& joint, const std::string& clip) {
  switch (pose.kind) {
    case FlexPose::Kind::rest:
      break;
    case FlexPose::Kind::stress: {
      Json plane = Json::array();
      for (const sinew::Index axis : pose.plane) plane.push_back(axis);
      return {{"kind", "stress"}, {"joint", joint}, {"node", pose.node}, {"plane", plane}, {"degrees", pose.degrees}};
    }
    case FlexPose::Kind::clip:
      return {{"kind", "clip"}, {"animation", pose.clip}, {"name", clip}, {"time", pose.seconds}};
    case FlexPose::Kind::shape: {
      Json shapes = Json::object();
      for (const auto& [name, amount] : pose.shapes) shapes.add(name, amount);
      return {{"kind", "shape"}, {"shapes", shapes}};
    }
  }
  return {{"kind", "rest"}};
}

Json vertices_json(const std::vector<FlexVertex>& list) {
  Json rows = Json::array();
  for (const FlexVertex& v : list)
    rows.push_back({{"node", v.node}, {"mesh", v.mesh}, {"primitive", v.primitive}, {"vertex", v.vertex}, {"row", v.row}});
  return rows;
}

std::string poses_text(const FlexedFile& file) {
  const auto& report = file.report;
  std::string text =
      fmt::format("{}, {}", count_of(report.joints, "joint", "joints"), count_of(report.stress_poses, "stress pose", "stress poses"));
  if (report.clips > 0)
    text += fmt::format(", {} of {}", count_of(report.clip_poses, "moment", "moments"), count_of(report.clips, "clip", "clips"));
  if (report.shape_poses > 0) text += fmt::format(", {}", count_of(report.shape_poses, "pose of blend shapes", "poses of blend shapes"));
  return text;
}

}  // namespace

std::string flex_subject(const FlexedFile& file, std::size_t i) {
  if (!file.joints[i].empty()) return printable(file.joints[i]);
  const FlexPose& pose = file.report.findings[i].pose;
  if (pose.kind == FlexPose::Kind::shape && !pose.shapes.empty()) return printable(pose.shapes.front().first);
  if (file.report.findings[i].joint != sinew::none) return fmt::format("node {}", file.report.findings[i].joint);
  return file.clips[i].empty() ? "-" : printable(file.clips[i]);
}

Json flex_finding_json(const FlexedFile& file, std::size_t i) {
  const FlexFinding& f = file.report.findings[i];
  return {{"code", f.code},
          {"severity", short_name(f.severity)},
          {"joint", file.joints[i]},
          {"node", index_json(f.joint)},
          {"value", f.value},
          {"limit", f.limit},
          {"unit", f.unit},
          {"pose", pose_json(f.pose, file.joints[i], file.clips[i])},
          {"vertices", vertices_json(f.vertices)},
          {"count", f.count},
          {"exact", f.exact},
          {"message", f.message}};
}

Json flex_skipped_json(const sinew::operations::FlexReport& report) {
  Json skipped = Json::array();
  for (const auto& one : report.skipped) skipped.push_back({{"code", one.code}, {"reason", one.reason}});
  return skipped;
}

Json flex_summary_json(const sinew::operations::FlexReport& report) {
  return {{"error", report.count(Severity::error)},
          {"warning", report.count(Severity::warning)},
          {"info", report.count(Severity::information)}};
}

FlexedFile flexed_file(std::string file, const sinew::Model& model, sinew::operations::FlexReport report) {
  FlexedFile out;
  out.file = std::move(file);
  for (const FlexFinding& finding : report.findings) {
    out.joints.push_back(finding.joint == sinew::none ? std::string() : model.nodes[finding.joint].name);
    out.clips.push_back(finding.pose.clip == sinew::none ? std::string() : model.clips[finding.pose.clip].name);
    out.pictures.emplace_back();
  }
  out.report = std::move(report);
  return out;
}

Json flex_json(const FlexedFile& file) {
  const auto& report = file.report;
  Json findings = Json::array();
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    Json row = flex_finding_json(file, i);
    if (!file.pictures[i].empty()) row.add("picture", file.pictures[i]);
    findings.push_back(row);
  }
  return {{"file", file.file},
          {"dimension", report.dimension},
          {"diagonal", report.diagonal},
          {"poses", {{"stress", report.stress_poses}, {"clip", report.clip_poses}, {"shape", report.shape_poses}}},
          {"skipped", flex_skipped_json(report)},
          {"notCovered", not_covered_json(report.not_covered)},
          {"summary", flex_summary_json(report)},
          {"findings", findings}};
}

std::string flex_text(const FlexedFile& file, const std::function<bool(const FlexFinding&)>& fails, const Terminal& terminal) {
  const auto& report = file.report;
  std::string text;
  if (terminal.verbosity() > 0) text += fmt::format("{}: {}\n", terminal.bold(printable(file.file)), poses_text(file));
  std::size_t code_width = 0, joint_width = 0;
  const auto shown = [&](const FlexFinding& f) {
    return f.severity == Severity::error || (terminal.verbosity() > 0 && f.severity == Severity::warning) || terminal.verbosity() > 1 ||
           fails(f);
  };
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    if (!shown(report.findings[i])) continue;
    code_width = std::max(code_width, report.findings[i].code.size());
    joint_width = std::max(joint_width, std::min<std::size_t>(flex_subject(file, i).size(), 32));
  }
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const FlexFinding& f = report.findings[i];
    if (!shown(f)) continue;
    text += fmt::format("{}  {:<{}}  {:<{}}  {}\n", terminal.colored(fmt::format("{:<7}", short_name(f.severity)), f.severity), f.code,
                        code_width, flex_subject(file, i), joint_width, printable(f.message));
  }
  if (terminal.verbosity() == 0) return text;
  for (const auto& one : report.skipped) text += fmt::format("not checked: {}: {}\n", one.code, printable(one.reason));
  text += not_covered_text(report.not_covered);
  const std::size_t notes = report.count(Severity::information);
  std::string found;
  for (const auto& [count, one, many] :
       {std::tuple(report.count(Severity::error), "error", "errors"), std::tuple(report.count(Severity::warning), "warning", "warnings"),
        std::tuple(notes, "note", "notes")})
    if (count > 0) found += fmt::format("{}{}", found.empty() ? "" : ", ", count_of(count, one, many));
  text += fmt::format("{}{}\n", found.empty() ? "nothing found" : found,
                      std::ranges::all_of(report.findings, shown) ? "" : " (-v shows notes)");
  return text;
}

sinew::validate::Report flex_findings(const FlexedFile& file) {
  sinew::validate::Report out;
  out.uri = file.file;
  for (std::size_t i = 0; i < file.report.findings.size(); ++i) {
    const FlexFinding& f = file.report.findings[i];
    ++out.model_issues.counts[static_cast<std::size_t>(f.severity)];
    sinew::Finding& one = out.model_issues.list.emplace_back();
    one.code = f.code;
    one.severity = f.severity;
    one.pointer = flex_subject(file, i);
    one.message = f.message;
  }
  return out;
}

}  // namespace app

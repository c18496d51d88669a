// SPDX-License-Identifier: MIT
#include "sinew/flex.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capi/guard.hpp"

struct sinew_flex {
  sinew::operations::FlexReport report;
  std::vector<std::string> codes, units, skipped;  // with a zero at the end
};

namespace {

using sinew::Result;
using sinew::Unexpected;
using sinew::capi::guarded;
using sinew::capi::usage;
using sinew::operations::FlexFinding;
using sinew::operations::FlexPose;

std::size_t index_of(sinew::Index index) { return index == sinew::none ? SINEW_NONE : index; }

Result<> add_kinds(std::string_view words, std::vector<sinew::operations::FlexKind>& out) {
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    const std::string_view word = words.substr(begin, end - begin);
    const auto kind = sinew::operations::find_flex_kind(word);
    if (!kind) return usage("sinew_flex_create: unknown kind \"" + std::string(word) + "\"");
    out.push_back(*kind);
    begin = end + 1;
  }
  return {};
}

Result<sinew::operations::FlexOptions> options_of(const sinew::Model& model, const sinew_flex_options& given) {
  sinew::operations::FlexOptions out;
  if (given.kinds != nullptr)
    if (auto known = add_kinds(given.kinds, out.kinds); !known) return Unexpected(std::move(known.error()));
  if (given.choose_animation != 0) {
    out.clips.emplace();
    if (given.animation != SINEW_NONE) {
      if (given.animation >= model.clips.size()) return usage("sinew_flex_create: no such animation");
      out.clips->push_back(static_cast<sinew::Index>(given.animation));
    }
  }
  if (given.angle != 0) out.angles = {given.angle};
  out.names = given.names != 0;
  if (given.choose_scene != 0) {
    if (given.scene >= model.scenes.size()) return usage("sinew_flex_create: no such scene");
    out.scene = static_cast<sinew::Index>(given.scene);
  }
  out.threads = given.threads;
  return out;
}

sinew_flex_finding finding_of(const sinew_flex& report, std::size_t index) {
  const FlexFinding& from = report.report.findings[index];
  sinew_flex_finding out = {};
  out.code = report.codes[index].c_str();
  out.message = from.message.c_str();
  out.severity = static_cast<int>(from.severity);
  out.pose = static_cast<int>(from.pose.kind);
  out.joint = index_of(from.joint);
  out.value = from.value;
  out.limit = from.limit;
  out.unit = report.units[index].c_str();
  out.plane[0] = from.pose.plane[0];
  out.plane[1] = from.pose.plane[1];
  out.degrees = from.pose.degrees;
  out.animation = from.pose.kind == FlexPose::Kind::clip ? index_of(from.pose.clip) : SINEW_NONE;
  out.seconds = from.pose.seconds;
  out.count = from.count;
  out.rows = from.rows.data();
  out.row_count = from.rows.size();
  return out;
}

}  // namespace

sinew_status sinew_flex_create(const sinew_model* model, const sinew_flex_options* options, sinew_flex** report, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (model == nullptr || report == nullptr) return usage("sinew_flex_create: the model or the report is NULL");
    auto how = options_of(*model->model, options == nullptr ? sinew_flex_options{} : *options);
    if (!how) return Unexpected(std::move(how.error()));
    auto found = sinew::operations::flex(*model->model, *how);
    if (!found) return Unexpected(std::move(found.error()));
    auto out = std::make_unique<sinew_flex>();
    out->report = std::move(*found);
    for (const FlexFinding& finding : out->report.findings) {
      out->codes.emplace_back(finding.code);
      out->units.emplace_back(finding.unit);
    }
    for (const auto& one : out->report.skipped) out->skipped.push_back(std::string(one.code) + ": " + one.reason);
    *report = out.release();
    return {};
  });
}

void sinew_flex_free(sinew_flex* report) { delete report; }

size_t sinew_flex_count(const sinew_flex* report) { return report == nullptr ? 0 : report->report.findings.size(); }

sinew_status sinew_flex_get(const sinew_flex* report, size_t index, sinew_flex_finding* finding, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (report == nullptr || finding == nullptr) return usage("sinew_flex_get: the report or the finding is NULL");
    if (index >= report->report.findings.size()) return usage("sinew_flex_get: no such finding");
    *finding = finding_of(*report, index);
    return {};
  });
}

const char* sinew_flex_skipped(const sinew_flex* report, size_t index) {
  return report == nullptr || index >= report->skipped.size() ? nullptr : report->skipped[index].c_str();
}

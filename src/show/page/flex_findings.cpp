// SPDX-License-Identifier: MIT
#include "show/page/flex_findings.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "document/json/json_writer.hpp"
#include "show/page/carried.hpp"

namespace sinew::show {

namespace {

using document::JsonWriter;
using operations::FlexFinding;
using operations::FlexPose;

constexpr std::size_t most_marked = 16'384;  // rows of one finding
constexpr std::size_t frames_of_way = 12;    // to the worst pose, in pages that cannot compute
// Bytes of all of these frames before they are compressed; notes only get them where there are fewer.
constexpr std::size_t most_played = std::size_t{32} << 20, most_with_notes = std::size_t{6} << 20;
constexpr std::size_t most_deformed = std::size_t{200} << 20;  // vertices of all of these frames

/// Returns what a finding is about: the joint, else the blend shape, else the clip.
std::string subject_of(const Model& model, const FlexFinding& finding) {
  if (finding.joint != none) {
    const std::string& name = model.nodes[finding.joint].name;
    return name.empty() ? format_text("node {}", finding.joint) : name;
  }
  if (!finding.pose.shapes.empty()) return finding.pose.shapes.front().first;
  return finding.pose.clip == none ? std::string() : model.clips[finding.pose.clip].name;
}

/// Takes away bits that no picture shows and that would not compress.
void drop_bits(std::vector<float>& values) {
  for (float& value : values) value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xFFFFFC00u);
}

void add_bones(const Frame& frame, Packet& packet) {
  packet.add("heads", frame.heads, 3);
  packet.add("tails", frame.tails, 3);
}

/// Returns the rows of a frame that differ from those of another one.
std::string difference(const Frame& before, Frame now, bool exact) {
  std::vector<std::uint32_t> rows;
  std::vector<float> positions, hidden;
  for (std::size_t row = 0; row * 3 < now.flat.positions.size(); ++row) {
    const auto at = now.flat.positions.begin() + static_cast<std::ptrdiff_t>(row * 3);
    const bool same = std::equal(at, at + 3, before.flat.positions.begin() + static_cast<std::ptrdiff_t>(row * 3));
    if (same && (now.flat.hidden.empty() || now.flat.hidden[row] == before.flat.hidden[row])) continue;
    rows.push_back(static_cast<std::uint32_t>(row));
    positions.insert(positions.end(), at, at + 3);
    if (!now.flat.hidden.empty()) hidden.push_back(now.flat.hidden[row]);
  }
  if (!exact)
    for (auto* const list : {&positions, &hidden, &now.heads, &now.tails}) drop_bits(*list);
  Packet packet;
  packet.add("rows", rows, 1);
  packet.add("positions", positions, 3);
  if (!hidden.empty()) packet.add("hidden", hidden, 1);
  add_bones(now, packet);
  return std::move(packet).take();
}

}  // namespace

Result<FlexFindings> FlexFindings::create(const Model& model, const ViewOptions& options, Viewer& viewer) SINEW_TRY {
  FlexFindings out(model, *options.flex);
  auto moves = operations::bend::moves_of(model, *options.flex, options.scene, options.threads);
  if (!moves) return Unexpected(moves.error());
  out.moves_ = *std::move(moves);
  if (auto done = viewer.bind(out.moves_.rest); !done) return Unexpected(done.error());
  const std::vector<std::size_t> shown = viewer.rows_of_file();
  const std::size_t rows = shown.empty() ? 0 : std::ranges::max(shown) + 1;
  out.first_row_.assign(rows + 1, 0);
  for (const std::size_t row : shown) ++out.first_row_[row + 1];
  std::partial_sum(out.first_row_.begin(), out.first_row_.end(), out.first_row_.begin());
  out.frame_rows_.resize(shown.size());
  std::vector<std::size_t> next = out.first_row_;
  for (std::size_t i = 0; i < shown.size(); ++i) out.frame_rows_[next[shown[i]]++] = static_cast<std::uint32_t>(i);
  return out;
}
SINEW_CATCH()

ViewState FlexFindings::state(std::size_t finding, double share) const {
  const FlexPose& pose = report_->findings[finding].pose;
  const operations::bend::Move& move = moves_.of[finding];
  ViewState out;
  out.look.offsets.assign(model_->dimension > 3 ? model_->dimension - 3 : 0, 0.0);
  if (pose.kind == FlexPose::Kind::clip) {
    out.clip = pose.clip;
    out.time = std::max(0.0, pose.seconds - (1 - share) * lead);
    return out;
  }
  out.bound = true;
  if (move.node != none) out.swing = ViewState::Swing{move.node, move.from, move.to, share * pose.degrees};
  out.amounts = move.amounts;
  for (AmountEdit& each : out.amounts) each.amount *= share;
  return out;
}

Result<std::vector<std::size_t>> FlexFindings::add_played(Viewer& viewer, Packet& packet) const {
  std::vector<std::size_t> frames(report_->findings.size());
  ViewState at_rest;
  at_rest.bound = true;
  at_rest.look.offsets.assign(model_->dimension > 3 ? model_->dimension - 3 : 0, 0.0);
  const auto rest = viewer.frame(at_rest);
  if (!rest) return Unexpected(rest.error());
  Packet whole;
  rest->flat.add_to(whole);
  add_bones(*rest, whole);
  const std::string at_first = std::move(whole).take();
  packet.add(carried_played, std::as_bytes(std::span(at_first)));
  const std::size_t rows = rest->flat.positions.size() / 3;
  std::size_t bytes = 0, deformed = 0;
  // Keeps a finding's frames together, or none of them. First the pose itself of all findings, then the way to it.
  for (const bool way : {false, true})
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const bool note = report_->findings[k].severity > Severity::warning;
      if (way && (frames[k] == 0 || note)) continue;
      const std::size_t count = way ? frames_of_way - 1 : 1;
      if (bytes > (note ? most_with_notes : most_played) || deformed + count * rows > most_deformed) continue;
      deformed += count * rows;
      for (std::size_t i = 0; i < count; ++i) {
        ask_deadline();
        auto now = viewer.frame(state(k, way ? static_cast<double>(i + 1) / frames_of_way : 1));
        if (!now) return Unexpected(now.error());
        const std::string one = difference(*rest, *std::move(now), !way);
        bytes += one.size();
        packet.add(format_text("{} {} {}", carried_played, k, way ? i : frames_of_way - 1), std::as_bytes(std::span(one)));
      }
      frames[k] += count;
    }
  return frames;
}

void FlexFindings::write_rows(JsonWriter& json, std::string_view key, std::span<const std::size_t> rows) const {
  json.key(key).begin_array();
  for (const std::size_t row : rows.first(std::min(rows.size(), most_marked)))
    for (std::size_t i = first_row_[row]; i < first_row_[row + 1]; ++i) json.integer(frame_rows_[i]);
  json.end_array();
}

void FlexFindings::write_state(JsonWriter& json, std::size_t finding) const {
  const ViewState worst = state(finding, 1);
  const auto numbers = [&](std::string_view key, const std::vector<double>& list) {
    json.key(key).begin_array();
    for (const double number : list) json.number(number);
    json.end_array();
  };
  json.key("state").begin_object();
  json.key("bound").boolean(worst.bound);
  write_index(json, "clip", worst.clip);
  json.key("time").number(worst.time);
  if (worst.swing) {
    json.key("swing").begin_object();
    json.key("node").integer(worst.swing->node);
    numbers("from", worst.swing->from);
    numbers("to", worst.swing->to);
    json.key("degrees").number(worst.swing->degrees);
    json.end_object();
  }
  json.key("amounts").begin_object();
  for (auto at = worst.amounts.begin(); at != worst.amounts.end();) {  // by node
    json.key(format_text("{}", at->node)).begin_object();
    for (const Index node = at->node; at != worst.amounts.end() && at->node == node; ++at)
      json.key(format_text("{}", at->shape)).number(at->amount);
    json.end_object();
  }
  json.end_object();
  json.end_object();
}

void FlexFindings::write_finding(JsonWriter& json, std::size_t finding) const {
  const FlexFinding& found = report_->findings[finding];
  json.key("code").string(found.code);
  json.key("severity").integer(static_cast<std::size_t>(found.severity));
  json.key("subject").string(subject_of(*model_, found));
  write_index(json, "node", found.joint);
  json.key("message").string(found.message);
  json.key("vertices").integer(std::min(found.rows.size(), most_marked));
  write_rows(json, "rows", found.rows);
  std::vector<std::size_t> worst;
  for (const operations::FlexVertex& vertex : found.vertices) worst.push_back(vertex.row);
  write_rows(json, "worst", worst);
  write_state(json, finding);
}

std::string FlexFindings::json(std::span<const std::size_t> frames) const {
  JsonWriter json;
  json.begin_object();
  json.key("summary").begin_object();
  for (const auto& [name, severity] :
       {std::pair("error", Severity::error), std::pair("warning", Severity::warning), std::pair("info", Severity::information)})
    json.key(name).integer(report_->count(severity));
  json.end_object();
  json.key("skipped").begin_array();
  for (const operations::FlexSkipped& each : report_->skipped) {
    json.begin_object();
    json.key("code").string(each.code);
    json.key("reason").string(each.reason);
    json.end_object();
  }
  json.end_array();
  json.key("notCovered").begin_array();
  for (const NotCovered& each : report_->not_covered) {
    json.begin_object();
    json.key("pointer").string(each.pointer);
    json.key("what").string(each.what);
    json.end_object();
  }
  json.end_array();
  json.key("lead").number(lead);
  json.key("findings").begin_array();
  for (std::size_t k = 0; k < report_->findings.size(); ++k) {
    json.begin_object();
    write_finding(json, k);
    if (!frames.empty()) json.key("frames").integer(frames[k]);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return std::move(json).take();
}

}  // namespace sinew::show

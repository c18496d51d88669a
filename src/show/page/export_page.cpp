// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>

#include "base/catalogue.hpp"
#include "document/files/output.hpp"
#include "document/files/uri.hpp"
#include "document/json/json_writer.hpp"
#include "show/page/viewer.hpp"

#include "sinew/animate.hpp"
#include "sinew/render.hpp"

namespace sinew::show {

namespace {

using document::JsonWriter;

constexpr std::string_view place_in_page = "<!-- SINEW_BAKED -->";
constexpr double slowest = 5;  // frames per second; below this, motion is not smooth
constexpr std::uint16_t most = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint64_t in_making = 6;  // memory per byte of a frame in the page: as numbers, in steps, as text and in the page

/// Some frames of one width as 16-bit steps between the smallest and the largest value.
struct Steps {
  double low = 0, step = 1;
  std::vector<std::uint16_t> values;
};

/// Values that are not finite become the smallest value.
Steps in_steps(const std::vector<float>& values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const float value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, double{value});
    high = std::max(high, double{value});
  }
  Steps out;
  if (low > high) low = high = 0;
  out.low = low;
  out.step = std::max((high - low) / most, std::numeric_limits<double>::min());
  for (const float value : values) {
    const double place = std::isfinite(value) ? (value - low) / out.step : 0;
    out.values.push_back(static_cast<std::uint16_t>(std::lround(std::clamp(place, 0.0, double{most}))));
  }
  return out;
}

void add_steps(const std::vector<float>& values, std::string_view name, std::size_t width, Packet& packet, JsonWriter& about) {
  const Steps steps = in_steps(values);
  packet.add(name, steps.values, width);
  about.key(name).begin_array();
  about.number(steps.low);
  about.number(steps.step);
  about.end_array();
}

void append(std::vector<float>& all, const std::vector<float>& more) { all.insert(all.end(), more.begin(), more.end()); }

/// Returns the frames of a clip (none: of the state without a clip) as a packet.
Result<std::string> baked(Viewer& viewer, Index clip, const std::vector<double>& times) {
  std::vector<float> positions, hidden, heads, tails;
  std::vector<std::int8_t> normals;
  for (const double time : times) {
    ViewState state;
    state.clip = clip;
    state.time = time;
    const auto frame = viewer.frame(state);
    if (!frame) return Unexpected(frame.error());
    append(positions, frame->flat.positions);
    append(hidden, frame->flat.hidden);
    append(heads, frame->heads);
    append(tails, frame->tails);
    for (const float part : frame->normals) normals.push_back(static_cast<std::int8_t>(std::lround(127 * std::clamp(part, -1.0F, 1.0F))));
  }
  Packet packet;
  JsonWriter about;
  about.begin_object();
  add_steps(positions, "positions", 3, packet, about);
  if (!hidden.empty()) add_steps(hidden, "hidden", 1, packet, about);
  if (!normals.empty()) packet.add("normals", normals, 3);
  packet.add("heads", heads, 3);
  packet.add("tails", tails, 3);
  about.key("frames").integer(times.size());
  about.end_object();
  return std::move(packet).take(std::move(about).take());
}

/// The clips and the frame rate: the requested rate if it fits, otherwise a lower rate, then fewer clips.
struct Plan {
  std::vector<Index> clips;  ///< `none` is the state without a clip
  double fps;
  double bytes = 0;  ///< of the frames in the page; may exceed any integer type
  std::size_t left_out = 0;
};

double frames_of(const Model& model, Index clip, double fps) {  // may exceed any integer type
  return clip == none ? 1 : std::ceil(model.clips[clip].duration * fps - 1e-6) + 1;
}

std::vector<double> times_of(const Model& model, Index clip, double fps) {
  if (clip == none) return {0.0};
  return animate::frame_times(model.clips[clip].duration, static_cast<std::size_t>(frames_of(model, clip, fps)));
}

Plan plan_of(const Model& model, const ViewOptions& options, const ExportOptions& how, std::uint64_t bytes_of_frame) {
  Plan plan{{}, how.fps};
  if (options.clip != none) {
    plan.clips = {options.clip};
  } else {
    plan.clips = {none};
    for (Index clip = 0; clip < model.clips.size(); ++clip)
      if (!closure_defect(model, options.scene, clip)) plan.clips.push_back(clip);
  }
  const auto fits = [&] {
    double frames = 0;
    for (const Index clip : plan.clips) frames += frames_of(model, clip, plan.fps);
    plan.bytes = frames * static_cast<double>(bytes_of_frame);
    return plan.bytes <= static_cast<double>(how.most_bytes);
  };
  while (!fits() && plan.fps / 2 >= slowest) plan.fps /= 2;
  for (; !fits() && plan.clips.size() > 1; ++plan.left_out) plan.clips.pop_back();
  return plan;
}

/// Escapes JSON for an HTML script, so that no text of the file can end the script.
std::string in_script(std::string json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) c == '<' ? out.append("\\u003c") : out.append(1, c);
  return out;
}

std::string base64(const std::string& bytes) { return document::base64_encode(std::as_bytes(std::span(bytes))); }

Result<std::string> bake(const Model& model, const ViewOptions& options, const Plan& plan, Viewer& viewer) {
  JsonWriter json;
  json.begin_object();
  json.key("model").raw(viewer.description());
  json.key("findings").raw(options.findings ? options.findings() : "null");
  json.key("geometry").string(base64(viewer.geometry()));
  json.key("clips").begin_array();
  for (const Index clip : plan.clips) {
    const auto frames = baked(viewer, clip, times_of(model, clip, plan.fps));
    if (!frames) return Unexpected(frames.error());
    json.begin_object();
    json.key("clip");
    if (clip == none)
      json.raw("null");
    else
      json.integer(clip);
    json.key("data").string(base64(*frames));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return std::move(json).take();
}

}  // namespace

Result<Exported> export_page(const Model& model, const ViewOptions& options, const ExportOptions& how,
                             const std::filesystem::path& path) try {
  auto viewer = Viewer::create(model, options);
  if (!viewer) return Unexpected(viewer.error());
  const auto first = viewer->frame(ViewState{});
  if (!first) return Unexpected(first.error());
  const std::uint64_t bytes =
      2 * (first->flat.positions.size() + first->flat.hidden.size()) + first->normals.size() + 8 * first->heads.size() + 8;
  const Plan plan = plan_of(model, options, how, bytes * 4 / 3);
  if (plan.bytes * in_making > static_cast<double>(how.memory))  // the frames of one chosen clip, or one frame
    return Unexpected(
        error<"SINEW_MEMORY_LIMIT"_code>(Failure::limit, {}, "the page", fmt::format("{:.0f}", plan.bytes * in_making), how.memory));
  const auto json = bake(model, options, plan, *viewer);
  if (!json) return Unexpected(json.error());
  std::string page = options.page;
  const std::size_t at = page.find(place_in_page);
  if (at == std::string::npos)
    return Unexpected(error<"SINEW_USAGE"_code>(Failure::unsupported, {}, "the page lacks the marker for the model"));
  page.replace(at, place_in_page.size(), "<script type=\"application/json\" id=\"baked\">" + in_script(*json) + "</script>");
  constexpr std::string_view nonce = " nonce=\"SINEW_NONCE\"";  // only the served page has it
  if (const std::size_t attribute = page.find(nonce); attribute != std::string::npos) page.erase(attribute, nonce.size());
  auto file = document::OutputFile::create(path);
  if (!file) return Unexpected(file.error());
  if (auto done = file->write(page); !done) return Unexpected(done.error());
  if (auto done = file->commit(); !done) return Unexpected(done.error());
  const auto still = static_cast<std::size_t>(std::count(plan.clips.begin(), plan.clips.end(), none));
  return Exported{plan.clips.size() - still, plan.left_out, plan.fps, page.size()};
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
}

}  // namespace sinew::show

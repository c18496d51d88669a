// SPDX-License-Identifier: MIT
#include "show/page/answers.hpp"

#include "base/catalogue.hpp"
#include "base/message.hpp"
#include "base/number.hpp"
#include "document/json/json_writer.hpp"
#include "show/page/flex_findings.hpp"

namespace sinew::show {

namespace {

constexpr std::string_view json_type = "application/json";
constexpr std::string_view packet_type = "application/octet-stream";
constexpr std::uint64_t most_state = 1 << 20;  ///< bytes of a request that is no file

Answer refuse(unsigned status, std::string why) { return {status, "text/plain; charset=utf-8", std::move(why) + "\n"}; }

Answer answer(Result<std::string> made, std::string_view type) {
  if (made) return {200, type, *std::move(made)};
  const bool asked_wrong = made.error().failure == Failure::usage || made.error().failure == Failure::input;
  return refuse(asked_wrong ? 400 : 500, made.error().line());
}

/// Compares in constant time, so that timing does not reveal the token.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned>(a[i] ^ b[i]);
  return difference == 0;
}

Reply heard(Sign sign, std::string_view page) {
  constexpr std::size_t longest = 64;
  if (page.empty() || page.size() > longest) return {refuse(400, "expected a name of 1 to 64 characters"), {}};
  return {{204, "text/plain; charset=utf-8", {}}, {sign, std::string(page)}};
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) text.replace(at, what.size(), by);
}

}  // namespace

Answers::Answers(Viewer viewer, const Model& model, const ViewOptions& options, const ServeOptions& how, std::string flex,
                 std::string token, std::uint16_t port)
    : stored_(model),
      options_(options),
      how_(how),
      viewer_(std::move(viewer)),
      html_(options.page),
      make_findings_(options.findings),
      comparison_(options.comparison.empty() ? "null" : options.comparison),
      flex_(std::move(flex)),
      token_(std::move(token)),
      port_(port) {
  replace_all(html_, "SINEW_NONCE", token_);  // the Content-Security-Policy allows only this script
}

// A foreign page may resolve its own host name to this address (DNS rebinding); then Host is that name.
bool Answers::from_here(const Question& question) const {
  for (const std::string_view name : {"127.0.0.1", "localhost"}) {
    const std::string host = format_text("{}:{}", name, port_);
    if (question.host == host) return question.origin.empty() || question.origin == "http://" + host;
  }
  return false;
}

Reply Answers::to(const Question& question) {
  if (!from_here(question)) return {refuse(403, "requests from other sites are not allowed"), {}};
  const auto name = name_in(question);
  if (!name) return {refuse(404, "not found"), {}};
  return question.post ? posted(*name, question.body) : Reply{got(*name), {}};
}

std::optional<std::string_view> Answers::name_in(const Question& question) const {
  const std::string_view path = question.path.substr(0, question.path.find('?'));
  const std::size_t end = path.find('/', 1);
  if (end == std::string_view::npos || !same(path.substr(1, end - 1), token_)) return std::nullopt;
  return path.substr(end + 1);
}

std::uint64_t Answers::most_body(const Question& question) const {
  return how_.motion && question.post && from_here(question) && name_in(question) == "motion" ? how_.most_motion : most_state;
}

Answer Answers::take_motion(std::string_view bytes) {
  if (!how_.motion) return refuse(404, "not found");
  const Model& shown = moved_ ? moved_->model : stored_;
  const std::size_t clips = shown.clips.size();
  auto moved = how_.motion(std::as_bytes(std::span(bytes)), shown);
  if (!moved) return answer(Unexpected(std::move(moved.error())), json_type);
  auto next = std::make_unique<WithMotion>(*std::move(moved));
  ViewOptions options = options_;
  if (clips < next->model.clips.size()) options.clip = static_cast<Index>(clips);
  auto viewer = Viewer::create(next->model, options);
  if (!viewer) return answer(Unexpected(std::move(viewer.error())), json_type);
  if (options.flex != nullptr) {
    const auto findings = FlexFindings::create(next->model, options, *viewer);
    if (!findings) return answer(Unexpected(findings.error()), json_type);
    flex_ = findings->json();
  }
  viewer_ = *std::move(viewer);
  moved_ = std::move(next);
  return {204, "text/plain; charset=utf-8", {}};
}

/// What the user should know about the dropped files.
std::string Answers::motion_json() const {
  if (!how_.motion) return "null";
  document::JsonWriter json;
  json.begin_array();
  if (moved_)
    for (const std::string& note : moved_->notes) json.string(note);
  json.end_array();
  return std::move(json).take();
}

Answer Answers::got(std::string_view name) {
  constexpr std::string_view weights = "weights/";
  if (name.empty()) return {200, "text/html; charset=utf-8", html_};
  if (name == "model") return {200, json_type, viewer_.description()};
  if (name == "geometry") return {200, packet_type, viewer_.geometry()};
  if (name == "findings") {
    if (!findings_) findings_ = make_findings_ ? make_findings_() : "null";
    return {200, json_type, *findings_};
  }
  if (name == "comparison") return {200, json_type, comparison_};
  if (name == "flex") return {200, json_type, flex_};
  if (name == "motion") return {200, json_type, motion_json()};
  if (name == "distances") return answer(viewer_.distances(), packet_type);
  if (name.starts_with(weights)) {
    const auto node = number_in<Index>(name.substr(weights.size()));
    return node ? answer(viewer_.weights(*node), packet_type) : refuse(404, "no such node");
  }
  return refuse(name == "frame" || name == "pose" || name == "alive" || name == "closed" ? 405 : 404, "not found");
}

Reply Answers::posted(std::string_view name, std::string_view body) {
  if (name == "frame") return {answer(viewer_.frame(body), packet_type), {}};
  if (name == "pose") return {answer(viewer_.pose_file(body), json_type), {}};
  if (name == "motion") return {take_motion(body), {}};
  if (name == "alive") return heard(Sign::alive, body);
  if (name == "closed") return heard(Sign::closed, body);
  const bool only_get =
      name.empty() || name == "model" || name == "geometry" || name == "findings" || name == "comparison" || name == "flex";
  return {refuse(only_get ? 405 : 404, "not found"), {}};
}

}  // namespace sinew::show

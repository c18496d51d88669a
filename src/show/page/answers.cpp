// SPDX-License-Identifier: MIT
#include "show/page/answers.hpp"

#include "base/catalogue.hpp"
#include "base/message.hpp"
#include "base/number.hpp"

namespace sinew::show {

namespace {

constexpr std::string_view json_type = "application/json";
constexpr std::string_view packet_type = "application/octet-stream";

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

Answers::Answers(Viewer viewer, const ViewOptions& options, std::string flex, std::string token, std::uint16_t port)
    : viewer_(std::move(viewer)),
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
  const std::string_view path = question.path.substr(0, question.path.find('?'));
  const std::size_t end = path.find('/', 1);
  if (end == std::string_view::npos || !same(path.substr(1, end - 1), token_)) return {refuse(404, "not found"), {}};
  const std::string_view name = path.substr(end + 1);
  return question.post ? posted(name, question.body) : Reply{got(name), {}};
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
  if (name == "alive") return heard(Sign::alive, body);
  if (name == "closed") return heard(Sign::closed, body);
  const bool only_get =
      name.empty() || name == "model" || name == "geometry" || name == "findings" || name == "comparison" || name == "flex";
  return {refuse(only_get ? 405 : 404, "not found"), {}};
}

}  // namespace sinew::show

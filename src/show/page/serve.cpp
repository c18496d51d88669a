// SPDX-License-Identifier: MIT
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "show/page/answers.hpp"
#include "show/page/flex_findings.hpp"

namespace sinew::show {

Result<> serve(const Model& model, const ViewOptions& options, const ServeOptions& how) try {
  auto viewer = Viewer::create(model, options);
  if (!viewer) return Unexpected(viewer.error());
  std::string flex = "null";
  if (options.flex != nullptr) {
    const auto findings = FlexFindings::create(model, options, *viewer);
    if (!findings) return Unexpected(findings.error());
    flex = findings->json();
  }
  const auto replies = [&](std::string token, std::uint16_t port) -> Replies {
    const auto answers = std::make_shared<Answers>(*std::move(viewer), model, options, how, std::move(flex), std::move(token), port);
    return {[answers](const Question& question) { return answers->to(question); },
            [answers](const Question& question) { return answers->most_body(question); }};
  };
  return serve_http(replies, {how.port, how.ready, how.page_silence, how.reload_pause});
} catch (const std::bad_alloc&) {
  return Unexpected(error_of_exception());
} catch (const std::exception& failed) {  // from Boost, on a system without sockets or a random device
  return Unexpected(error("SINEW_USAGE"_code, Failure::unsupported, {}, failed.what()));
}

}  // namespace sinew::show
